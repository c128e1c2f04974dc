//! Move texts. Written is the notation of Aba-Pro: rearmost marble and next cell (`a1b2`), or for a broadside move
//! both ends and where the first goes (`c3c5d3`). Read is also the four-character form of Nacre: first marble, and
//! where the last one lands, which says less and counts only where Aba-Pro's reading is not legal.

use super::cells::{Name, cell_at, far};
use super::moves::Move;
use super::{Abalone, Position};
use crate::error::MoveError;
use crate::game::{Game, MoveList};
use crate::record;

/// The cells of each row, for error messages.
const ROWS: [&str; 9] = [
    "a1 to a5", "b1 to b6", "c1 to c7", "d1 to d8", "e1 to e9", "f2 to f9", "g3 to g9", "h4 to h9",
    "i5 to i9",
];

/// The text in Aba-Pro's notation, lower case.
pub fn write(mv: Move) -> String {
    let target = Name(far(mv.first, mv.direction, 1));
    if mv.is_broadside() {
        format!("{}{}{target}", Name(mv.first), Name(mv.last()))
    } else {
        format!("{}{target}", Name(mv.first))
    }
}

/// Reads a move that is legal in `position`.
pub fn parse(game: &Abalone, position: &Position, text: &str) -> Result<Move, MoveError> {
    let cells = parse_cells(text)?;
    if game.outcome(position).is_some() {
        return Err(MoveError::Ended { text: text.into(), reason: game.reason(position).into() });
    }
    let mut legal = MoveList::new();
    game.moves(position, &mut legal);
    let exact = legal.iter().copied().find(|&mv| is_aba_pro(mv, &cells));
    if let Some(mv) = exact {
        return Ok(mv);
    }
    let short: Vec<_> = legal.iter().copied().filter(|&mv| is_nacre(mv, &cells)).collect();
    match short[..] {
        [mv] => Ok(mv),
        [] => Err(MoveError::Illegal { text: text.into(), legal: record::list(game, &legal) }),
        _ => Err(MoveError::Ambiguous { text: text.into(), candidates: record::list(game, &short) }),
    }
}

/// Both ends of `mv`, in each order in which a text may name them.
fn ends(mv: Move) -> impl Iterator<Item = (u8, u8)> {
    let orders = if mv.is_broadside() { 2 } else { 1 };
    [(mv.first, mv.last()), (mv.last(), mv.first)].into_iter().take(orders)
}

fn is_aba_pro(mv: Move, cells: &[u8]) -> bool {
    ends(mv).any(|(first, last)| {
        let target = far(first, mv.direction, 1);
        if mv.is_broadside() { cells == [first, last, target] } else { cells == [first, target] }
    })
}

fn is_nacre(mv: Move, cells: &[u8]) -> bool {
    ends(mv).any(|(first, last)| cells[0] == first && cells[1..] == [far(last, mv.direction, 1)])
}

fn parse_cells(text: &str) -> Result<Vec<u8>, MoveError> {
    let characters: Vec<char> = text.chars().collect();
    let syntax = |at: usize, expected| MoveError::Syntax { text: text.into(), column: at + 1, expected };
    let mut cells = Vec::with_capacity(3);
    while cells.len() * 2 < characters.len() || cells.len() < 2 {
        let at = cells.len() * 2;
        if at == 6 {
            return Err(syntax(at, "the end of the move, two or three cells"));
        }
        let letter = characters.get(at).map(char::to_ascii_lowercase);
        let row = letter.and_then(|letter| ('a'..='i').position(|row| row == letter));
        let row = row.ok_or_else(|| syntax(at, "a cell, such as `e5`"))?;
        let digit = characters.get(at + 1).and_then(|digit| digit.to_digit(10));
        let column = digit.filter(|digit| *digit > 0).ok_or_else(|| syntax(at + 1, ROWS[row]))?;
        cells.push(cell_at(row, column as usize - 1).ok_or_else(|| syntax(at + 1, ROWS[row]))?);
    }
    Ok(cells)
}
