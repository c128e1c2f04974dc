//! Whether a position given by a person can be played from.
//!
//! Stones that only move may stand anywhere in any numbers the rules can leave. While stones are placed the numbers
//! are bound to each other: sides take turns, and White began. Where stones may be moved meanwhile they are not.

use super::moves::has_three;
use super::points::ALL;
use super::position::Position;
use super::rules::{DoubleMill, Rules};
use crate::error::PositionError;
use crate::game::Colour;

/// Names the first fault.
pub(super) fn validate(rules: &Rules, position: &Position) -> Result<(), PositionError> {
    let fault = points_fault(position)
        .or_else(|| number_fault(rules, position))
        .or_else(|| turn_fault(rules, position))
        .or_else(|| loser_fault(rules, position))
        .or_else(|| removal_fault(rules, position))
        .or_else(|| quiet_fault(rules, position));
    fault.map_or(Ok(()), |fault| Err(PositionError::Impossible { fault }))
}

const SIDES: [Colour; 2] = [Colour::White, Colour::Black];

fn total(position: &Position, colour: Colour) -> u32 {
    let (stones, hand) = position.side(colour);
    stones.count_ones() + u32::from(hand)
}

fn stones(number: u32) -> String {
    if number == 1 { "1 stone".into() } else { format!("{number} stones") }
}

fn points_fault(position: &Position) -> Option<String> {
    if (position.own | position.other) & !ALL != 0 {
        return Some("a stone stands beside the board".into());
    }
    (position.own & position.other != 0).then(|| "a white and a black stone stand on the same point".into())
}

fn number_fault(rules: &Rules, position: &Position) -> Option<String> {
    let most = rules.stones;
    let too_many = SIDES.into_iter().find(|&colour| total(position, colour) > u32::from(most))?;
    let (stones, hand) = position.side(too_many);
    let board = stones.count_ones();
    Some(format!("{too_many} has {board} stones on the board and {hand} in hand, more than {most} together"))
}

/// Sides place in turn and White began: equal hands when White is to move, else Black holds one more.
fn turn_fault(rules: &Rules, position: &Position) -> Option<String> {
    let (white, black) = (position.side(Colour::White).1, position.side(Colour::Black).1);
    if white == 0 && black == 0 || rules.move_while_placing {
        return None;
    }
    let expected = white + u8::from(position.to_move == Colour::Black);
    (black != expected).then(|| {
        format!(
            "white has {white} in hand, so with {} to move black has {expected}, not {black}",
            position.to_move
        )
    })
}

/// The game would have ended before.
fn loser_fault(rules: &Rules, position: &Position) -> Option<String> {
    let (own, other) = (position.to_move, !position.to_move);
    if position.other_total() < 3 {
        let left = stones(position.other_total());
        return Some(format!("{other} has {left} left and so has lost: it cannot be {own}'s turn"));
    }
    let least = if rules.double_mill == DoubleMill::Two { 1 } else { 2 };
    let left = position.own_total();
    (left < least).then(|| format!("{own} has {} left, but the game ends with {least}", stones(left)))
}

/// While a side places, its third stone is the first that can close a mill, and no stone takes more than two.
fn removal_fault(rules: &Rules, position: &Position) -> Option<String> {
    let taken = if rules.double_mill == DoubleMill::Two { 2 } else { 1 };
    SIDES.into_iter().find_map(|colour| {
        let placed = u32::from(rules.stones - position.side(colour).1);
        let lost = u32::from(rules.stones) - total(position, !colour);
        let most = taken * placed.saturating_sub(2);
        let is_placing = position.side(Colour::Black).1 > 0 && !rules.move_while_placing;
        (is_placing && lost > most).then(|| {
            let lost = stones(lost);
            format!("{} has lost {lost}, but {placed} placed by {colour} remove at most {most}", !colour)
        })
    })
}

fn quiet_fault(rules: &Rules, position: &Position) -> Option<String> {
    let quiet = u32::from(position.quiet);
    if quiet > 0 && position.in_hand() > 0 && !rules.move_while_placing {
        return Some(format!("{quiet} quiet plies, but there are none while stones are placed"));
    }
    let endgame = if has_three(position) { rules.endgame_plies } else { 0 };
    let limit = [rules.quiet_plies, endgame].into_iter().find(|&limit| limit > 0 && quiet > limit)?;
    Some(format!("{quiet} quiet plies, but the game is drawn after {limit}"))
}
