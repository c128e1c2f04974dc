//! What every evaluation must keep, as checks that panic with the position that breaks them.

use std::path::Path;

use trilith_base::{Artifact, Seed};
use trilith_games::{Game, Record, playout};

use crate::catalogue::{Catalogue, EvaluationError, LeafEvaluator};
use crate::evaluator::{Evaluator, Unit, Value, WIN};
use crate::explanation::Explanation;
use crate::features::FeatureSet;

/// Calls `visit` with records of random games until `moves` have been played in all.
pub fn each_position<G: Game>(game: &G, seed: Seed, moves: usize, mut visit: impl FnMut(&Record<G>)) {
    let mut played = 0;
    for number in 0.. {
        let mut rng = seed.derive("evaluation", number).rng();
        let mut record = Record::new(game.clone());
        visit(&record);
        while record.end().is_none() {
            playout::play_on(&mut record, 1, &mut rng);
            visit(&record);
            played += 1;
            if played >= moves {
                return;
            }
        }
    }
}

/// Positions of random games, one in `apart`, that have not ended; `count` of them.
pub fn sample<G: Game>(game: &G, seed: Seed, apart: usize, count: usize) -> Vec<G::Position> {
    let mut positions = Vec::new();
    let mut seen = 0;
    each_position(game, seed, apart * count * 2, |record| {
        seen += 1;
        if seen % apart == 0 && positions.len() < count && game.outcome(record.position()).is_none() {
            positions.push(*record.position());
        }
    });
    positions
}

/// Carries kept from move to move must be those of a fresh start, and values must lie well inside [`WIN`]; over
/// `moves` random moves.
pub fn carries_are_kept<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, seed: Seed, moves: usize) {
    let mut carry = None;
    each_position(game, seed, moves, |record| {
        let position = record.position();
        let fresh = evaluator.begin(game, position);
        let kept = match (record.moves().last(), carry.take()) {
            (Some(mv), Some(carry)) => {
                let before = record.position_after(record.len() - 1).expect("a move was played");
                evaluator.advance(game, &carry, before, mv, position)
            }
            _ => fresh.clone(),
        };
        let values = [&fresh, &kept].map(|carry| evaluator.value(game, position, carry));
        assert_eq!(values[0], values[1], "fresh = kept in `{}`", game.position_text(position));
        assert!(values[0].abs() < WIN / 2, "{} in `{}`", values[0], game.position_text(position));
        carry = Some(kept);
    });
}

/// Symmetric images must have equal values; over the positions given.
pub fn images_are_equal<G: Game>(game: &G, positions: &[G::Position], value: impl Fn(&G::Position) -> Value) {
    for position in positions {
        for symmetry in 0..G::SYMMETRIES {
            let image = game.image(position, symmetry);
            let text = || format!("image {symmetry} of `{}`", game.position_text(position));
            assert_eq!(value(&image), value(position), "{}", text());
        }
    }
}

/// The contributions of an explanation must add up to its total if nothing is done with the sum, and the total must
/// be `value` in the unit, to one step.
pub fn explanation_is_true(explanation: &Explanation, unit: Unit, value: Value) {
    let sum: f64 = explanation.terms.iter().map(|term| term.contribution).sum();
    if explanation.link.is_empty() {
        assert!((sum - explanation.total).abs() < 1e-6, "terms {sum}, total {}", explanation.total);
    }
    let shown = explanation.total * f64::from(unit.one);
    assert!((shown - f64::from(value)).abs() <= 1.0, "explained {shown}, value {value}");
    assert_eq!(explanation.unit, unit.name);
}

/// The whole contract of a boxed evaluation, over the positions given.
pub fn check_study<G: Game>(game: &G, study: &dyn LeafEvaluator<G>, positions: &[G::Position]) {
    for position in positions {
        let value = study.value(game, position);
        assert!(value.abs() < WIN / 2, "{value} in `{}`", game.position_text(position));
        explanation_is_true(&study.explain(game, position), study.unit(), value);
    }
    if study.is_symmetric() {
        images_are_equal(game, positions, |position| study.value(game, position));
    }
}

/// Every evaluation of a catalogue that needs no file keeps the contract; those that need one, and unknown names,
/// are refused by name.
pub fn check_catalogue<G: Game, C: Catalogue<G>>(game: &G, positions: &[G::Position]) {
    let entries = C::entries();
    for entry in &entries {
        assert!(!entry.about.is_empty(), "{}", entry.name);
        assert_eq!(entries.iter().filter(|other| other.name == entry.name).count(), 1, "{}", entry.name);
        match (entry.needs_artifact, C::named(entry.name, None)) {
            (false, Ok(study)) => check_study(game, &*study, positions),
            (true, Err(EvaluationError::NoFile { name })) => {
                assert_eq!(name, entry.name);
                let missing = C::named(entry.name, Some(Path::new("no such file")));
                let is_refused =
                    matches!(missing, Err(EvaluationError::Artifact(_) | EvaluationError::Table(_)));
                assert!(is_refused, "{name}");
            }
            (_, found) => panic!("`{}`: {:?}", entry.name, found.err()),
        }
    }
    assert!(matches!(C::named("no-such-name", None), Err(EvaluationError::Unknown { .. })));
}

/// What an evaluation writes must be read back to equal values.
pub fn round_trips<G: Game>(
    game: &G,
    positions: &[G::Position],
    artifact: &Artifact,
    value: impl Fn(&Artifact, &G::Position) -> Value,
) {
    let read = Artifact::parse(&artifact.bytes().expect("an artifact can be written")).expect("and read");
    assert_eq!(&read, artifact);
    for position in positions {
        assert_eq!(value(&read, position), value(artifact, position), "`{}`", game.position_text(position));
    }
}

/// A feature set must have as many names as numbers, finite numbers, and keep its word about symmetry.
pub fn check_features<G: Game>(game: &G, set: &dyn FeatureSet<G>, positions: &[G::Position]) {
    let names = set.names();
    assert_eq!(names.len(), set.count(), "{}", set.name());
    assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), names.len(), "{}", set.name());
    for position in positions {
        let numbers = crate::features::of(set, game, position);
        let text = || format!("{} of `{}`", set.name(), game.position_text(position));
        assert!(numbers.iter().all(|number| number.is_finite()), "{}", text());
        for symmetry in 0..if set.is_symmetric() { G::SYMMETRIES } else { 0 } {
            let image = crate::features::of(set, game, &game.image(position, symmetry));
            let near = numbers.iter().zip(&image).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near, "image {symmetry}, {}\n{numbers:?}\n{image:?}", text());
        }
    }
}
