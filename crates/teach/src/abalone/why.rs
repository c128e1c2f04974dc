//! What Abalone players have words for.

use trilith_games::Colour;
use trilith_games::abalone::cells::{each, neighbour};
use trilith_games::abalone::{Move, Position, RINGS};

use crate::why::{Count, Event};

/// The ring of cells from which a marble is pushed off.
const RIM: u8 = 4;

pub const EVENTS: &[&str] = &["eject"];

/// A marble is ejected.
pub fn events(position: &Position, mv: Move) -> Vec<Event> {
    let event = || Event { name: "eject", cell: String::new() };
    mv.ejects(position).then(event).into_iter().collect()
}

/// Marbles, nearness to the centre, marbles that can be pushed off next, neighbours of the own colour: one for every
/// step, one for every pair.
pub fn counts(position: &Position, side: Colour) -> Vec<Count> {
    let (own, own_lost, other_lost) = match position.to_move == side {
        true => (position.own, position.own_lost, position.other_lost),
        false => (position.other, position.other_lost, position.own_lost),
    };
    let steps: i32 = each(own).map(|cell| i32::from(RINGS[usize::from(cell)])).sum();
    let rim = each(own).filter(|&cell| RINGS[usize::from(cell)] == RIM).count();
    let near = |cell: u8| (0..6).filter_map(move |direction| neighbour(cell, direction));
    let pairs = each(own).flat_map(near).filter(|&cell| own >> cell & 1 == 1).count() / 2;
    vec![
        Count { name: "marbles", value: i32::from(other_lost) - i32::from(own_lost), least: 1 },
        Count { name: "rim", value: -(rim as i32), least: 1 },
        Count { name: "centre", value: -steps, least: 1 },
        Count { name: "cohesion", value: pairs as i32, least: 1 },
    ]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "eject" => ["eject a marble", "eine Kugel hinauswerfen"],
        "marbles" => {
            ["leaves you {one marble|# marbles} worse off", "stehst du um {eine Kugel|# Kugeln} schlechter"]
        }
        "centre" => [
            "leaves your marbles {one step|# steps} further from the centre",
            "stehen deine Kugeln {einen Schritt|# Schritte} weiter von der Mitte",
        ],
        "rim" => [
            "leaves {one|#} more of your marbles on the rim",
            "{liegt eine|liegen #} deiner Kugeln mehr am Rand",
        ],
        _ => [
            "leaves {one pair|# pairs} fewer of your marbles side by side",
            "{steht ein Paar|stehen # Paare} deiner Kugeln weniger beisammen",
        ],
    }
}
