//! What Morris players have words for.

use trilith_games::morris::points::{NAMES, each};
use trilith_games::morris::{Morris, Move, Position, Rules, closable};
use trilith_games::{Colour, Game};

use crate::why::{Count, Event};

pub const EVENTS: &[&str] = &["mill"];

/// A mill is closed and a stone removed.
pub fn events(mv: Move) -> Vec<Event> {
    let cell = NAMES[usize::from(mv.to())];
    mv.removed().map(|_| Event { name: "mill", cell: cell.into() }).take(1).collect()
}

/// Stones against stones, points to close a mill at, ways to go for both sides, stones in mills.
pub fn counts(game: &Morris, position: &Position, side: Colour) -> Vec<Count> {
    let seen = if game.to_move(position) == side { *position } else { position.turned() };
    let rules = game.rules();
    let [[ways, threats], [their_ways, dangers]] = [able(rules, &seen), able(rules, &seen.turned())];
    let in_mills = rules.grid.in_mills(seen.own()).count_ones() as i32;
    vec![
        Count { name: "stones", value: seen.own_total() as i32 - seen.other_total() as i32, least: 1 },
        Count { name: "dangers", value: -dangers, least: 1 },
        Count { name: "threats", value: threats, least: 1 },
        Count { name: "their-ways", value: -their_ways, least: 1 },
        Count { name: "ways", value: ways, least: 1 },
        Count { name: "mills", value: in_mills, least: 2 },
    ]
}

/// From how many stones to how many free points the side to move can go, stones in hand left out, and at how many points it
/// can close a mill.
fn able(rules: &Rules, seen: &Position) -> [i32; 2] {
    let (own, empty) = (seen.own(), seen.empty());
    let hand = seen.own_total() - own.count_ones();
    let flies = rules.flying && seen.own_total() == 3;
    let free = |point: u8| if flies { empty } else { rules.grid.neighbours(1 << point) & empty };
    let ways: u32 = each(own).map(|point| free(point).count_ones()).sum();
    let closed = closable(rules, own, hand as u8, empty).count_ones();
    [ways as i32, closed as i32]
}

pub fn words(name: &str) -> [&'static str; 2] {
    match name {
        "mill" => ["close a mill at {}", "in {} eine Mühle schließen"],
        "stones" => {
            ["leaves you {one stone|# stones} worse off", "stehst du um {einen Stein|# Steine} schlechter"]
        }
        "their-ways" => [
            "leaves the other side’s stones {one way|# ways} more to go",
            "haben die Steine der anderen Seite {einen Weg|# Wege} mehr",
        ],
        "ways" => [
            "leaves your stones {one way|# ways} fewer to go",
            "haben deine Steine {einen Weg|# Wege} weniger",
        ],
        "threats" => [
            "leaves you {one point|# points} fewer to close a mill at",
            "kannst du an {einem Punkt|# Punkten} weniger eine Mühle schließen",
        ],
        "dangers" => [
            "leaves the other side {one point|# points} more to close a mill at",
            "kann die andere Seite an {einem Punkt|# Punkten} mehr eine Mühle schließen",
        ],
        _ => [
            "leaves you {one stone|# stones} fewer in mills",
            "hast du {einen Stein|# Steine} weniger in Mühlen",
        ],
    }
}
