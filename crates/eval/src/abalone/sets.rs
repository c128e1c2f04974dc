//! Feature sets of Abalone: heuristics of both sides, by name or made up from parts, and the plain board.

use trilith_games::abalone::cells::{CELLS, Name};
use trilith_games::abalone::{Abalone, Position};

use super::heuristics::{Heuristic, SideView};
use crate::features::FeatureSet;

/// A choice of heuristics, each for the side to move and for its opponent.
#[derive(Clone, Debug)]
pub struct Heuristics {
    name: String,
    chosen: Vec<Heuristic>,
}

/// S4's selections and those of the works before it.
const KNOWN: [(&str, &[&str]); 5] = [
    // S4, 4.9.
    (
        "s4-11",
        &[
            "pairs",
            "triples",
            "centre",
            "rim",
            "ejected",
            "protected",
            "isolated",
            "sumitos",
            "threats",
            "distance",
            "cohesion",
        ],
    ),
    // S4, 5.1: for choosing the parameters of learning.
    ("s4-6", &["centre", "middle", "rim", "ejected", "distance", "cohesion"]),
    // S4, 6.2: what the strongest agent sees.
    ("s4-4", &["rim", "triples", "threats", "distance"]),
    // S4, 3.3.
    ("abalearn", &["centre", "middle", "rim", "material", "protected", "distance", "threats"]),
    // S4, 3.4.
    ("lee-noh", &["distance", "centre", "middle", "rim", "threatened", "compactness", "protected"]),
];

/// What a made-up name begins with, as in `s4:rim+threats`.
const MADE_UP: &str = "s4:";

impl Heuristics {
    /// The sets with fixed names.
    pub fn known() -> impl Iterator<Item = Heuristics> {
        KNOWN.iter().filter_map(|&(name, chosen)| Heuristics::of(name, chosen.iter().copied()))
    }

    /// The set called `name`: a fixed one, or heuristics joined by `+` after `s4:`.
    pub fn named(name: &str) -> Option<Heuristics> {
        match name.strip_prefix(MADE_UP) {
            Some(parts) => Heuristics::of(name, parts.split('+')),
            None => Heuristics::known().find(|set| set.name == name),
        }
    }

    fn of<'a>(name: &str, chosen: impl Iterator<Item = &'a str>) -> Option<Heuristics> {
        let chosen: Vec<_> = chosen.map(Heuristic::named).collect::<Option<_>>()?;
        let twice = (1..chosen.len()).any(|at| chosen[..at].contains(&chosen[at]));
        (!twice).then(|| Heuristics { name: name.into(), chosen })
    }
}

impl FeatureSet<Abalone> for Heuristics {
    fn name(&self) -> &str {
        &self.name
    }

    fn names(&self) -> Vec<String> {
        let of =
            |side: &str| self.chosen.iter().map(move |chosen| format!("{side} {}", chosen.name())).collect();
        let [own, other]: [Vec<_>; 2] = ["own", "other"].map(of);
        own.into_iter().chain(other).collect()
    }

    fn count(&self) -> usize {
        2 * self.chosen.len()
    }

    fn fill(&self, _: &Abalone, position: &Position, into: &mut [f32]) {
        let sides = SideView::both(position);
        let numbers = sides.iter().flat_map(|side| self.chosen.iter().map(move |chosen| chosen.count(side)));
        for (into, number) in into.iter_mut().zip(numbers) {
            *into = number;
        }
    }
}

/// One number a cell: 1 for an own marble, -1 for the other's (S4, 4.9: what learns badly).
#[derive(Clone, Copy, Debug)]
pub struct AbaloneCells;

impl FeatureSet<Abalone> for AbaloneCells {
    fn name(&self) -> &str {
        "board-61"
    }

    fn names(&self) -> Vec<String> {
        (0..CELLS as u8).map(|cell| Name(cell).to_string()).collect()
    }

    fn count(&self) -> usize {
        CELLS
    }

    fn fill(&self, _: &Abalone, position: &Position, into: &mut [f32]) {
        for (cell, into) in into.iter_mut().enumerate() {
            let stands = |set: u64| (set >> cell & 1) as f32;
            *into = stands(position.own) - stands(position.other);
        }
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}
