//! What Othello players have words for.

use trilith_games::Colour;
use trilith_games::othello::{Move, Position, square_name};

use super::theme::{CORNERS, EDGES, X_SQUARES, around};
use crate::why::{Count, Event};

pub const EVENTS: &[&str] = &["corner"];

/// A corner is taken.
pub fn events(mv: Move) -> Vec<Event> {
    let corner = mv.square().filter(|_| mv.bit() & CORNERS != 0);
    corner.map(|square| Event { name: "corner", cell: square_name(square) }).into_iter().collect()
}

/// Moves of both sides, discs on the edge, discs that lie open or give a corner away, who plays last.
pub fn counts(position: &Position, side: Colour) -> Vec<Count> {
    let seen = if position.to_move == side { *position } else { position.after_pass() };
    let replies = seen.after_pass().mobility().count_ones();
    let empties = position.empties();
    let open = seen.own & around(empties);
    let risky = seen.own & X_SQUARES & around(empties & CORNERS);
    let is_last = (empties.count_ones() % 2 == 1) == (position.to_move == side);
    let count = |name, value: u32, least| Count { name, value: value as i32, least };
    let burden = |name, value: u32, least| Count { name, value: -(value as i32), least };
    vec![
        burden("x-squares", risky.count_ones(), 1),
        count("moves", seen.mobility().count_ones(), 1),
        burden("replies", replies, 1),
        count("parity", u32::from(is_last), 1),
        count("edge", (seen.own & EDGES).count_ones(), 2),
        burden("frontier", open.count_ones(), 2),
    ]
}

/// Discs.
pub fn end_counts(position: &Position, side: Colour) -> Vec<Count> {
    let own = if position.to_move == side { position.own } else { position.other };
    vec![Count { name: "discs", value: own.count_ones() as i32, least: 1 }]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "corner" => ["take the corner {}", "die Ecke {} nehmen"],
        "x-squares" => [
            "leaves {one|#} more of your discs on an X-square beside an empty corner",
            "{liegt einer|liegen #} deiner Steine mehr auf einem X-Feld neben einer leeren Ecke",
        ],
        "moves" => ["leaves you {one move|# moves} fewer", "hast du {einen Zug|# Züge} weniger"],
        "replies" => {
            ["gives the other side {one move|# moves} more", "hat die andere Seite {einen Zug|# Züge} mehr"]
        }
        "parity" => [
            "lets the other side play last, {best} lets you, if nobody passes any more",
            "setzt die andere Seite zuletzt, nach {best} du, wenn niemand mehr passt",
        ],
        "edge" => [
            "leaves you {one disc|# discs} fewer on the edge",
            "hast du {einen Stein|# Steine} weniger am Rand",
        ],
        "frontier" => [
            "leaves {one|#} more of your discs beside empty squares",
            "{grenzt einer|grenzen #} deiner Steine mehr an leere Felder",
        ],
        _ => [
            "leaves you {one disc|# discs} fewer at the end",
            "hast du am Ende {einen Stein|# Steine} weniger",
        ],
    }
}
