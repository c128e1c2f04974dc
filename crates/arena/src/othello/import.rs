//! The formats that only Othello has: WTHOR, GGF, SGF, OBF and transcripts.

use trilith_games::othello::Othello;
use trilith_games::othello::formats::{Sheet, ggf, obf, sgf, transcript, wthor};
use trilith_games::pgn::{GameText, PgnResult};
use trilith_games::{Colour, FormatError, Record};

use crate::import::Foreign;

/// Reads a file whose name ends as given, or a pasted text; none if it is in no such format.
pub(super) fn read(
    game: &Othello,
    bytes: &[u8],
    ending: Option<&str>,
) -> Option<Result<Foreign<Othello>, FormatError>> {
    if ending == Some("wtb") {
        return Some(named("WTHOR", wthor(game, bytes)));
    }
    let text = str::from_utf8(bytes).ok()?;
    match text.trim_start() {
        start if start.starts_with("(;GM[Othello]") || ending == Some("ggf") && start.starts_with('(') => {
            Some(named("GGF", ggf::parse_ggf(game, text).map(sheets)))
        }
        start if start.starts_with('(') => Some(named("SGF", sgf::parse_sgf(game, text).map(sheets))),
        _ if ending.is_some() => Some(named("transcript", transcripts(game, text))),
        // A pasted text may be many things: it is a problem only if it can be read as one.
        _ if text.contains(';') => problems(game, text).map(|games| named("OBF", Ok(games))),
        _ => None,
    }
}

type Games = Vec<GameText<Othello>>;

fn named(format: &'static str, games: Result<Games, FormatError>) -> Result<Foreign<Othello>, FormatError> {
    games.map(|games| Foreign { format, games })
}

fn wthor(game: &Othello, bytes: &[u8]) -> Result<Games, FormatError> {
    let games = wthor::parse_wtb(game, bytes)?.games.into_iter();
    Ok(games.map(|game| text(game.record, Vec::new(), by_discs(game.black_discs))).collect())
}

fn sheets(sheets: Vec<Sheet>) -> Games {
    let game = |sheet: Sheet| {
        let stated = sheet.tag("RE").and_then(stated).unwrap_or(PgnResult::Open);
        with_own_end(sheet.record, sheet.tags, stated)
    };
    sheets.into_iter().map(game).collect()
}

fn transcripts(game: &Othello, text: &str) -> Result<Games, FormatError> {
    let records = transcript::parse_transcripts(game, text)?.into_iter();
    Ok(records.map(|record| with_own_end(record, Vec::new(), PgnResult::Open)).collect())
}

fn problems(game: &Othello, text: &str) -> Option<Games> {
    let problems = obf::parse_obf(game, text).ok()?.into_iter();
    let record = |position| Record::from_position(game.clone(), position).ok();
    problems
        .map(|problem| Some(with_own_end(record(problem.position)?, Vec::new(), PgnResult::Open)))
        .collect()
}

fn text(record: Record<Othello>, tags: Vec<(String, String)>, result: PgnResult) -> GameText<Othello> {
    GameText { record, tags, result, comments: Vec::new() }
}

/// The game with what its own end says, else with what is stated.
fn with_own_end(
    record: Record<Othello>,
    tags: Vec<(String, String)>,
    stated: PgnResult,
) -> GameText<Othello> {
    let result = match PgnResult::of(&record) {
        PgnResult::Open => stated,
        own => own,
    };
    text(record, tags, result)
}

/// Who has won by the result of a GGF or SGF: Black's lead in discs, or the winner's letter.
fn stated(text: &str) -> Option<PgnResult> {
    let text = text.trim();
    match text.as_bytes() {
        [b'B', b'+', ..] => return Some(PgnResult::Won(Colour::Black)),
        [b'W', b'+', ..] => return Some(PgnResult::Won(Colour::White)),
        _ => {}
    }
    let lead: f64 = text.split(':').next()?.trim_start_matches('+').parse().ok()?;
    Some(match lead {
        0.0 => PgnResult::Draw,
        _ => PgnResult::Won(if lead > 0.0 { Colour::Black } else { Colour::White }),
    })
}

/// WTHOR counts empty squares for the winner, so 32 is a draw.
fn by_discs(black: u8) -> PgnResult {
    match black {
        0..=31 => PgnResult::Won(Colour::White),
        32 => PgnResult::Draw,
        _ => PgnResult::Won(Colour::Black),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        let [black, white] = [Colour::Black, Colour::White].map(PgnResult::Won);
        for (text, result) in [
            ("B+12", Some(black)),
            ("W+R", Some(white)),
            ("+4.00", Some(black)),
            ("-10.0:l", Some(white)),
            ("0", Some(PgnResult::Draw)),
            ("", None),
            ("\u{e9}+", None),
            ("?", None),
        ] {
            assert_eq!(stated(text), result, "{text}");
        }
        assert_eq!([31, 32, 33].map(by_discs), [white, PgnResult::Draw, black]);
    }
}
