//! Transcripts: `f5d6c3d3c4`, the squares one after the other. Passes are implied, as they are forced.
//!
//! Also read: upper case, white space anywhere between moves, and passes that are written out.

use super::cursor::{Cursor, line_of};
use crate::error::FormatError;
use crate::game::Game;
use crate::othello::{Move, Othello};
use crate::record::Record;

/// Reads one game from the usual start.
pub fn parse_transcript(game: &Othello, text: &str) -> Result<Record<Othello>, FormatError> {
    let mut record = Record::new(game.clone());
    play_transcript(&mut record, text)?;
    Ok(record)
}

/// Reads a game a line; skips empty lines and those that begin with `#` or `%`.
pub fn parse_transcripts(game: &Othello, text: &str) -> Result<Vec<Record<Othello>>, FormatError> {
    let is_game = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']);
    let lines = text.lines().enumerate().filter(|(_, line)| is_game(line));
    lines
        .map(|(above, line)| parse_transcript(game, line).map_err(|error| moved_down(error, above)))
        .collect()
}

/// Plays the moves of a transcript on.
pub fn play_transcript(record: &mut Record<Othello>, text: &str) -> Result<(), FormatError> {
    let mut cursor = Cursor::new(text);
    loop {
        cursor.skip_space();
        let at = cursor.at();
        let Some(mv) = next_move(&mut cursor)? else { return Ok(()) };
        if mv != Move::PASS {
            pass_if_forced(record);
        }
        let ply = record.len() + 1;
        record.push(mv).map_err(|source| FormatError::Move { line: line_of(text, at), ply, source })?;
    }
}

/// The squares of a game; passes are left out.
pub fn transcript_text(record: &Record<Othello>) -> String {
    record.moves().filter(|&mv| mv != Move::PASS).map(|mv| mv.to_string()).collect()
}

/// Plays a pass if the side to move has nothing else.
pub(super) fn pass_if_forced(record: &mut Record<Othello>) {
    let position = record.position();
    if position.mobility() == 0 && record.game().outcome(position).is_none() {
        record.push_legal(Move::PASS);
    }
}

/// The move that comes next; none at the end.
fn next_move(cursor: &mut Cursor) -> Result<Option<Move>, FormatError> {
    let rest = cursor.rest();
    if rest.is_empty() {
        return Ok(None);
    }
    for pass in ["pass", "pa", "ps", "--"] {
        if rest.get(..pass.len()).is_some_and(|word| word.eq_ignore_ascii_case(pass)) {
            cursor.skip(pass.len());
            return Ok(Some(Move::PASS));
        }
    }
    if !matches!(cursor.peek(), Some('a'..='h' | 'A'..='H')) {
        return Err(cursor.expected("a column from `a` to `h`, or a pass"));
    }
    cursor.skip(1);
    if !matches!(cursor.peek(), Some('1'..='8')) {
        return Err(cursor.expected("a row from `1` to `8`"));
    }
    cursor.skip(1);
    Ok(rest[..2].parse().ok())
}

/// The error of a line that has `lines` others above it.
fn moved_down(error: FormatError, lines: usize) -> FormatError {
    match error {
        FormatError::Syntax { line, column, expected } => {
            FormatError::Syntax { line: line + lines, column, expected }
        }
        FormatError::Move { line, ply, source } => FormatError::Move { line: line + lines, ply, source },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout;
    use trilith_base::Seed;

    fn error(text: &str) -> String {
        parse_transcript(&Othello::default(), text).unwrap_err().to_string()
    }

    #[test]
    fn random_games_round_trip_with_their_passes() {
        let game = Othello::default();
        let mut passes = 0;
        for number in 0..200 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 200, &mut Seed(3).derive("game", number).rng());
            passes += record.moves().filter(|&mv| mv == Move::PASS).count();
            let text = transcript_text(&record);
            let read = parse_transcript(&game, &text).unwrap();
            assert!(read.moves().eq(record.moves()), "{text}");
            let spelled: String = record.moves().map(|mv| format!("{mv}\n")).collect();
            assert!(parse_transcript(&game, &spelled.to_uppercase()).unwrap().moves().eq(record.moves()));
        }
        assert!(passes > 50, "the sample must have passes, has {passes}");
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(error("f5d6\nx3"), "line 2, column 1: expected a column from `a` to `h`, or a pass");
        assert_eq!(error("f5 d"), "line 1, column 5: expected a row from `1` to `8`");
        assert_eq!(error("f5d9"), "line 1, column 4: expected a row from `1` to `8`");
        assert_eq!(error("f5\nf4f5"), "line 2, ply 3: `f5` is not legal here; legal: c3 d3 e3 f3 g3");
        assert!(error("f5--").starts_with("line 1, ply 2: `pass` is not legal here"));
        assert!(error("f5é").starts_with("line 1, column 3"));
    }

    #[test]
    fn lists_skip_comments_and_count_lines() {
        let game = Othello::default();
        let list = parse_transcripts(&game, "# openings\nf5d6c3\n\n  F5 F6 E6\r\n% end\n").unwrap();
        assert_eq!(list.iter().map(Record::len).collect::<Vec<_>>(), [3, 3]);
        let fault = parse_transcripts(&game, "f5\n\nf5f5\n").unwrap_err().to_string();
        assert!(fault.starts_with("line 3, ply 2"), "{fault}");
    }
}
