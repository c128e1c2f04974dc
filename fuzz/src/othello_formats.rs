//! The formats of Othello.

use trilith_games::othello::Othello;
use trilith_games::othello::formats::{Sheet, ggf, obf, sgf, transcript, wthor, xot};
use trilith_games::{FormatError, Game};

/// Transcripts and lists of them.
pub fn transcripts(text: &str) {
    let game = Othello::default();
    let _ = xot::parse_xot(&game, text);
    let Ok(record) = transcript::parse_transcript(&game, text) else { return };
    let again = transcript::parse_transcript(&game, &transcript::transcript_text(&record));
    assert_eq!(again.map(|again| *again.position()), Ok(*record.position()));
}

/// Positions with scored moves.
pub fn problems(text: &str) {
    let game = Othello::default();
    let Ok(problems) = obf::parse_obf(&game, text) else { return };
    assert_eq!(obf::parse_obf(&game, &obf::obf_text(&problems)).as_ref(), Ok(&problems));
}

/// GGF.
pub fn ggf(text: &str) {
    round_trip(text, ggf::parse_ggf, ggf::ggf_text);
}

/// SGF.
pub fn sgf(text: &str) {
    round_trip(text, sgf::parse_sgf, sgf::sgf_text);
}

/// WTHOR games and names.
pub fn wthor(bytes: &[u8]) {
    let _ = wthor::parse_wtb(&Othello::default(), bytes);
    let _ = wthor::parse_players(bytes);
    let _ = wthor::parse_tournaments(bytes);
}

fn round_trip(
    text: &str,
    parse: impl Fn(&Othello, &str) -> Result<Vec<Sheet>, FormatError>,
    write: impl Fn(&[Sheet]) -> String,
) {
    let game = Othello::new(Default::default());
    let Ok(sheets) = parse(&game, text) else { return };
    let again = parse(&game, &write(&sheets)).expect("what was written can be read");
    assert_eq!(again.len(), sheets.len());
    for (again, sheet) in again.iter().zip(&sheets) {
        assert_eq!(again.record.position(), sheet.record.position());
        assert_eq!(again.tags, sheet.tags);
    }
}
