//! Our own game texts as sheets.

use trilith_games::{FormatError, Game, pgn};

use super::{GameSheet, SheetError};

pub(super) fn read<G: Game>(text: &str) -> Result<Vec<GameSheet>, FormatError> {
    let games = pgn::parse::<G>(text)?.into_iter();
    Ok(games.map(|game| GameSheet::of(&game.record, game.tags, game.comments)).collect())
}

pub(super) fn write<G: Game>(sheet: &GameSheet) -> Result<String, SheetError> {
    let record = sheet.record::<G>()?;
    Ok(pgn::write_with(&record, &sheet.tags, &|ply| sheet.comment(ply).map(str::to_owned)))
}
