//! The pattern evaluation behind one pointer, with what each pattern adds.

use trilith_games::othello::{Othello, Position, square_name};
use trilith_games::{Game, Outcome};

use super::layout::{INSTANCES, POWERS, SHAPES};
use super::{Indices, ONE, OthelloPatterns, UNIT, WINDOW, bias, discs, places};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

impl LeafEvaluator<Othello> for OthelloPatterns {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        self.sum(discs(position), position.to_move, &Indices::of(&POWERS, position))
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    /// One term an instance; each cell gets an equal share of the instances that lie on it.
    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let indices = Indices::of(&POWERS, position);
        let places = places(position.to_move, &indices);
        let table = self.table(discs(position));
        let in_discs = |weight: i32| f64::from(weight) / f64::from(ONE);
        let mut terms = Vec::with_capacity(INSTANCES.len() + 2);
        let mut cells = vec![0.0; 64];
        for (at, instance) in INSTANCES.iter().enumerate() {
            let weight = in_discs(table[places[at] as usize + WINDOW / 2].into());
            let squares = instance.squares();
            for &square in squares {
                cells[usize::from(square)] += weight / squares.len() as f64;
            }
            let first = square_name(squares[0]);
            let last = square_name(squares[squares.len() - 1]);
            terms.push(Term::weighted(
                format!("{} {first}-{last}", SHAPES[instance.shape].name),
                1.0,
                weight,
            ));
        }
        terms.push(Term::weighted(
            "discs on the board",
            1.0,
            in_discs(self.biases[bias(discs(position))].into()),
        ));
        let total = in_discs(self.sum(discs(position), position.to_move, &indices));
        let sum: f64 = terms.iter().map(|term| term.contribution).sum();
        terms.push(Term::weighted("kept inside 64 discs", 1.0, total - sum));
        Explanation { cells, ..Explanation::sum(UNIT.name, terms) }
    }
}
