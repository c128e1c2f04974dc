//! MyLovelyAbalone's evaluation as far as it is known (S4, 3.2): connectedness, marbles, sumitos, sumitos that touch the
//! middle of the board, threats of ejection, and the centre of mass as AbaPro has it.
//!
//! Its author named these six and no weights; the weights here are ours, with a marble worth more than all else together.

use trilith_games::abalone::cells::{CENTRE, each, neighbour};
use trilith_games::abalone::{Abalone, Position};

use super::AbaPro;
use super::heuristics::{Heuristic, SideView};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

/// The evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct MyLovelyAbalone {
    mass: AbaPro,
}

const UNIT: Unit = Unit { name: "steps", one: 100 };
const DIRECTIONS: u8 = 6;
/// Name and weight in steps of the five counts beside the centre of mass.
const WEIGHTS: [(&str, f32); 5] = [
    ("neighbouring pairs", 0.5),
    ("marbles ejected", 30.0),
    ("sumitos", 0.5),
    ("sumitos through the middle", 1.0),
    ("threats of ejection", 2.0),
];

/// The counts of one side, in the order of the weights.
fn counts(side: &SideView) -> [f32; 5] {
    [
        Heuristic::Pairs.count(side),
        Heuristic::Ejected.count(side),
        Heuristic::Sumitos.count(side),
        sumitos(side, Some(CENTRE)) as f32,
        Heuristic::Threats.count(side),
    ]
}

/// Pushes of one or two marbles that a side can make; only those whose marbles stand on `cell`, if one is named.
fn sumitos(side: &SideView, cell: Option<u8>) -> u32 {
    let pushable = side.other | side.princess;
    let has = |set: u64, cell: u8| set >> cell & 1 != 0;
    let push = |rear: u8, direction: u8| -> bool {
        let (mut at, mut own, mut pushed, mut touches) = (Some(rear), 0, 0, cell.is_none());
        while let Some(next) = at.filter(|&next| has(side.own, next) && pushed == 0 || has(pushable, next)) {
            if has(side.own, next) {
                own += 1
            } else {
                pushed += 1
            }
            touches |= cell == Some(next);
            at = neighbour(next, direction);
        }
        let is_free = at.is_none_or(|next| !has(side.own | pushable, next));
        touches && is_free && own <= 3 && pushed > 0 && pushed < own
    };
    let pushes = each(side.own).map(|rear| (0..DIRECTIONS).filter(|&way| push(rear, way)).count() as u32);
    pushes.sum()
}

impl LeafEvaluator<Abalone> for MyLovelyAbalone {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &Abalone, position: &Position) -> Value {
        let [own, other] = SideView::both(position).map(|side| counts(&side));
        let sum: f32 = (0..5).map(|at| WEIGHTS[at].1 * (own[at] - other[at])).sum();
        self.mass.value(game, position) + (sum * UNIT.one as f32).round() as Value
    }

    fn explain(&self, game: &Abalone, position: &Position) -> Explanation {
        let [own, other] = SideView::both(position).map(|side| counts(&side));
        let mass = f64::from(self.mass.value(game, position)) / f64::from(UNIT.one);
        let mut terms = vec![Term::weighted("steps to the point of reference", mass, 1.0)];
        for (at, (name, weight)) in WEIGHTS.into_iter().enumerate() {
            terms.push(Term::weighted(name, f64::from(own[at] - other[at]), f64::from(weight)));
        }
        Explanation::sum(UNIT.name, terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::sample;
    use trilith_base::Seed;
    use trilith_games::Game;

    #[test]
    fn sumitos_are_those_of_the_other_count_and_some_pass_the_middle() {
        let game = Abalone::new("belgian-daisy".parse().unwrap());
        let mut central = 0;
        for position in sample(&game, Seed(5), 4, 200) {
            for side in SideView::both(&position) {
                assert_eq!(sumitos(&side, None) as f32, Heuristic::Sumitos.count(&side));
                assert!(sumitos(&side, Some(CENTRE)) <= sumitos(&side, None));
                central += sumitos(&side, Some(CENTRE));
            }
        }
        assert!(central > 0);
    }

    #[test]
    fn a_marble_is_worth_more_than_its_place() {
        let game = Abalone::default();
        let start = game.start();
        let study = MyLovelyAbalone::default();
        assert_eq!(study.value(&game, &start), 0, "both sides stand alike");
        let ahead = Position { other_lost: 1, other: start.other & (start.other - 1), ..start };
        assert!(study.value(&game, &ahead) > 20 * UNIT.one);
    }
}
