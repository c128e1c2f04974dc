//! What Othello players have words for.

use trilith_games::Colour;
use trilith_games::othello::{Move, Position, square_name};

use crate::why::{Count, Event};

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xff81_8181_8181_81ff;

pub const EVENTS: &[&str] = &["corner"];

/// A corner is taken.
pub fn events(mv: Move) -> Vec<Event> {
    let corner = mv.square().filter(|_| mv.bit() & CORNERS != 0);
    corner.map(|square| Event { name: "corner", cell: square_name(square) }).into_iter().collect()
}

/// Discs where the game has ended, moves of both sides, discs on the edge.
pub fn counts(position: &Position, side: Colour) -> Vec<Count> {
    let seen = if position.to_move == side { *position } else { position.after_pass() };
    let discs = if position.has_ended() { seen.own.count_ones() } else { 0 };
    let replies = seen.after_pass().mobility().count_ones();
    vec![
        Count { name: "discs", value: discs as i32, least: 1 },
        Count { name: "moves", value: seen.mobility().count_ones() as i32, least: 1 },
        Count { name: "replies", value: -(replies as i32), least: 1 },
        Count { name: "edge", value: (seen.own & EDGES).count_ones() as i32, least: 2 },
    ]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "corner" => ["take the corner {}", "die Ecke {} nehmen"],
        "moves" => ["leaves you {n} fewer moves", "hast du {n} Züge weniger"],
        "replies" => ["gives the other side {n} more moves", "hat die andere Seite {n} Züge mehr"],
        "edge" => ["leaves you {n} fewer discs on the edge", "hast du {n} Steine weniger am Rand"],
        _ => ["leaves you {n} fewer discs at the end", "hast du am Ende {n} Steine weniger"],
    }
}
