//! What Abalone players have words for.

use trilith_games::Colour;
use trilith_games::abalone::cells::{each, neighbour};
use trilith_games::abalone::{Move, Position, RINGS};

use crate::why::{Count, Event};

pub const EVENTS: &[&str] = &["eject"];

/// A marble is ejected.
pub fn events(position: &Position, mv: Move) -> Vec<Event> {
    let event = || Event { name: "eject", cell: String::new() };
    mv.ejects(position).then(event).into_iter().collect()
}

/// Marbles, nearness to the centre and neighbours of the own colour: one for every step, one for every pair.
pub fn counts(position: &Position, side: Colour) -> Vec<Count> {
    let (own, own_lost, other_lost) = match position.to_move == side {
        true => (position.own, position.own_lost, position.other_lost),
        false => (position.other, position.other_lost, position.own_lost),
    };
    let steps: i32 = each(own).map(|cell| i32::from(RINGS[usize::from(cell)])).sum();
    let near = |cell: u8| (0..6).filter_map(move |direction| neighbour(cell, direction));
    let pairs = each(own).flat_map(near).filter(|&cell| own >> cell & 1 == 1).count() / 2;
    vec![
        Count { name: "marbles", value: i32::from(other_lost) - i32::from(own_lost), least: 1 },
        Count { name: "centre", value: -steps, least: 2 },
        Count { name: "cohesion", value: pairs as i32, least: 2 },
    ]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "eject" => ["eject a marble", "eine Kugel hinauswerfen"],
        "marbles" => ["leaves you {n} marbles worse off", "stehst du um {n} Kugeln schlechter"],
        "centre" => [
            "leaves your marbles {n} steps further from the centre",
            "stehen deine Kugeln {n} Schritte weiter von der Mitte",
        ],
        _ => [
            "leaves {n} fewer of your marbles side by side",
            "stehen {n} Paare deiner Kugeln weniger beisammen",
        ],
    }
}
