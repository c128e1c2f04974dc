//! What tells one evaluation from another: how it values some fixed positions.
//!
//! Weights in a file, weights by hand and networks are told apart in the same way, without asking where they come from.

use trilith_base::Seed;
use trilith_base::seed::mix;
use trilith_eval::Evaluator;
use trilith_games::{Game, Record, playout};

/// Positions that are valued.
const POSITIONS: u64 = 96;
/// Plies at random before a position, at most.
const PLIES: u64 = 64;

/// Sixteen hexadecimal digits, equal for evaluations that agree on 96 positions of random games by the usual rules.
/// Takes about a millisecond and 96 evaluations.
pub fn fingerprint<G: Game, E: Evaluator<G>>(evaluator: &E) -> String {
    let game = G::new(G::Rules::default());
    let unit = evaluator.unit();
    let mut state = mix(unit.one as u64);
    for number in 0..POSITIONS {
        let mut record = Record::new(game.clone());
        let plies = (number * 11 % PLIES) as usize;
        playout::play_on(&mut record, plies, &mut Seed(1).derive("fingerprint", number).rng());
        while record.end().is_some() {
            record.pop();
        }
        let position = record.position();
        let value = evaluator.value(&game, position, &evaluator.begin(&game, position));
        state = mix(state ^ value as u64);
    }
    format!("{state:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::morris::Evaluations;
    use trilith_eval::{Boxed, Catalogue, Margin};
    use trilith_games::morris::Morris;

    #[test]
    fn equal_evaluations_agree_and_others_do_not() {
        let print = fingerprint::<Morris, _>(&Evaluations::engine_evaluator());
        let boxed = Boxed(Evaluations::named("patterns", None).unwrap());
        assert_eq!(print, fingerprint::<Morris, _>(&boxed));
        assert_ne!(print, fingerprint::<Morris, _>(&Margin));
        let standard = Boxed(Evaluations::named("standard", None).unwrap());
        assert_ne!(print, fingerprint::<Morris, _>(&standard));
    }
}
