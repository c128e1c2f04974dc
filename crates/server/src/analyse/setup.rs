//! The set-up editor: stones on cells become the text of a position, and back. What the rules do not allow is said.

use std::fmt::Write;

use axum::Json;
use serde::{Deserialize, Serialize};
use trilith_arena::table::{self, View};
use trilith_games::board::Ground;
use trilith_games::{Board, Colour};

use super::question::aside;
use crate::api::Input;
use crate::fault::Fault;

/// Stones, or the text of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    game: String,
    #[serde(default)]
    rules: String,
    position: Option<String>,
    /// By cell, as in a view.
    stones: Option<Vec<Option<Stone>>>,
    to_move: Option<Colour>,
    #[serde(default)]
    counts: Counts,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stone {
    Black,
    White,
    Neutral,
}

/// What the board does not show: stones in the hand of each (Morris), marbles that each has ejected (Abalone).
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    black: u8,
    white: u8,
}

#[derive(Serialize)]
pub(crate) struct Answer {
    position: String,
    /// None in games that count nothing beside the board.
    counts: Option<Counts>,
    view: View,
}

/// `POST /api/position`.
pub(crate) async fn position(input: Input<Ask>) -> Result<Json<Answer>, Fault> {
    let Json(ask) = input?;
    aside(move || answer(&ask).map(Json)).await
}

fn answer(ask: &Ask) -> Result<Answer, Fault> {
    let board = table::open(&ask.game, &ask.rules, None)?.board();
    let text = match (&ask.position, &ask.stones) {
        (Some(text), None) => Some(text.clone()),
        (None, Some(stones)) => Some(text(&board, stones, ask.to_move, ask.counts)?),
        (None, None) => None,
        _ => return Err(Fault::bad_request("expected `position` or `stones`, not both")),
    };
    let view = table::open(&ask.game, &ask.rules, text.as_deref())?.view();
    let counts = counts(&board, &view.position);
    Ok(Answer { position: view.position.clone(), counts, view })
}

fn text(
    board: &Board,
    stones: &[Option<Stone>],
    to_move: Option<Colour>,
    counts: Counts,
) -> Result<String, Fault> {
    let wrong = |what: String| Err(Fault::bad_request(what));
    let (given, cells) = (stones.len(), board.cells.len());
    if given != cells {
        return wrong(format!("{given} stones: expected {cells}, one for each cell or null"));
    }
    let Some(to_move) = to_move else { return wrong("expected `to_move`: black or white".into()) };
    let rows = rows(board, stones);
    Ok(match board.ground {
        Ground::Squares => {
            let letter = |stone: &Option<Stone>| match stone {
                Some(Stone::Black) => 'X',
                Some(Stone::White) => 'O',
                Some(Stone::Neutral) | None => '-',
            };
            let squares: String = rows.concat().iter().map(letter).collect();
            format!("{squares} {}", if to_move == Colour::Black { 'X' } else { 'O' })
        }
        Ground::Lines => {
            format!("{} {} {} {}", packed(&rows), side(to_move), counts.white, counts.black)
        }
        Ground::Hollows => {
            format!("{} {} {} {}", packed(&rows), side(to_move), counts.black, counts.white)
        }
    })
}

fn side(colour: Colour) -> char {
    if colour == Colour::Black { 'b' } else { 'w' }
}

/// The stones from the top row to the bottom one, each from left to right.
fn rows(board: &Board, stones: &[Option<Stone>]) -> Vec<Vec<Option<Stone>>> {
    let mut cells: Vec<_> = board.cells.iter().zip(stones).collect();
    cells.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    let rows = cells.chunk_by(|(a, _), (b, _)| (a.y - b.y).abs() < 0.1);
    rows.map(|row| row.iter().map(|(_, stone)| **stone).collect()).collect()
}

/// Rows as letters and numbers of empty cells, with strokes between.
fn packed(rows: &[Vec<Option<Stone>>]) -> String {
    let row = |row: &Vec<Option<Stone>>| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
            let letter = match run[0] {
                Some(Stone::Black) => 'b',
                Some(Stone::White) => 'w',
                Some(Stone::Neutral) => 'n',
                None => {
                    let _ = write!(text, "{}", run.len());
                    continue;
                }
            };
            text.push(letter);
        }
        text
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// What a position's own text says beside the board.
fn counts(board: &Board, position: &str) -> Option<Counts> {
    let mut numbers = position.split(' ').skip(2).map_while(|word| word.parse().ok());
    let (first, second) = (numbers.next()?, numbers.next()?);
    match board.ground {
        Ground::Squares => None,
        Ground::Lines => Some(Counts { white: first, black: second }),
        Ground::Hollows => Some(Counts { black: first, white: second }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_arena::GAMES;
    use trilith_games::Stone as Drawn;

    #[test]
    fn every_start_can_be_set_up_by_hand() {
        for game in GAMES {
            let view = table::open(game, "", None).unwrap().view();
            let stone = |stone: &Option<Drawn>| match stone {
                Some(Drawn::Black) => Some(Stone::Black),
                Some(Drawn::White) => Some(Stone::White),
                Some(Drawn::Neutral) => Some(Stone::Neutral),
                None => None,
            };
            let board = table::open(game, "", None).unwrap().board();
            let counts = counts(&board, &view.position).unwrap_or_default();
            let ask = Ask {
                game: (*game).into(),
                rules: String::new(),
                position: None,
                stones: Some(view.stones.iter().map(stone).collect()),
                to_move: Some(view.to_move),
                counts,
            };
            assert_eq!(answer(&ask).unwrap().position, view.position, "{game}");
        }
    }
}
