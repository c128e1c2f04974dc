//! Positions as lines of text, for games that have no shorter form: the rules, a tab, the position.

use trilith_games::Game;

use super::columns;
use super::positions::LabelledPosition;

/// The positions of rows as one column.
pub fn pack<G: Game>(rows: &[LabelledPosition<G>]) -> Vec<u8> {
    let line = |row: &LabelledPosition<G>| {
        format!("{}\t{}\n", row.game.rules(), row.game.position_text(&row.position))
    };
    rows.iter().map(line).collect::<String>().into_bytes()
}

/// The `count` positions of a column, or what is wrong with them.
pub fn unpack<G: Game>(column: &[u8], count: usize) -> Result<Vec<(G, G::Position)>, String> {
    let lines = columns::lines(column)?;
    if lines.len() != count {
        return Err("columns of different lengths".into());
    }
    let mut last: Option<(&str, G)> = None;
    lines.into_iter().map(|line| parse(line, &mut last)).collect()
}

fn parse<'a, G: Game>(line: &'a str, last: &mut Option<(&'a str, G)>) -> Result<(G, G::Position), String> {
    let (rules, position) =
        line.split_once('\t').ok_or_else(|| format!("`{line}`: no tab after the rules"))?;
    let game = match last {
        Some((known, game)) if *known == rules => game.clone(),
        _ => {
            let game = G::new(rules.parse().map_err(|error: trilith_games::RulesError| error.to_string())?);
            *last = Some((rules, game.clone()));
            game
        }
    };
    let position = game.parse_position(position).map_err(|error| error.to_string())?;
    Ok((game, position))
}
