//! What Morris players have words for.

use trilith_games::morris::points::NAMES;
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Colour, Game};

use crate::why::{Count, Event};

pub const EVENTS: &[&str] = &["mill"];

/// A mill is closed and a stone removed.
pub fn events(mv: Move) -> Vec<Event> {
    let cell = NAMES[usize::from(mv.to())];
    mv.removed().map(|_| Event { name: "mill", cell: cell.into() }).take(1).collect()
}

/// Stones against stones, moves of both sides, stones in mills.
pub fn counts(game: &Morris, position: &Position, side: Colour) -> Vec<Count> {
    let seen = if game.to_move(position) == side { *position } else { position.turned() };
    let moves = match game.outcome(&seen) {
        Some(_) => 0,
        None => game.count_moves(&seen) as i32,
    };
    let replies = match game.outcome(&seen.turned()) {
        Some(_) => 0,
        None => game.count_moves(&seen.turned()) as i32,
    };
    vec![
        Count { name: "stones", value: seen.own_total() as i32 - seen.other_total() as i32, least: 1 },
        Count { name: "replies", value: -replies, least: 2 },
        Count { name: "moves", value: moves, least: 2 },
        Count { name: "mills", value: game.rules().grid.in_mills(seen.own()).count_ones() as i32, least: 2 },
    ]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "mill" => ["close a mill at {}", "in {} eine Mühle schließen"],
        "stones" => ["leaves you {n} stones worse off", "stehst du um {n} Steine schlechter"],
        "replies" => ["gives the other side {n} more moves", "hat die andere Seite {n} Züge mehr"],
        "moves" => ["leaves you {n} fewer moves", "hast du {n} Züge weniger"],
        _ => ["leaves you {n} fewer stones in mills", "hast du {n} Steine weniger in Mühlen"],
    }
}
