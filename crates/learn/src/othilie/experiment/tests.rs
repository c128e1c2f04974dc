//! Games learned from, step by step.

use super::*;
use trilith_eval::features::Described;
use trilith_games::othello::Othello;

fn rule() -> LearningRule {
    LearningRule {
        depth: 2,
        corner_plies: 0,
        rate: 0.5,
        differentiation: 1.5,
        valuation: Valuation::Relative,
        comparison: Comparison::LastMove,
        lambda: 0.0,
        updates: Updates::EachMove,
        normalisation: Normalisation::Scaled,
        beta: BetaWeights::Copied,
        wins_to_hand_over: 10,
        plies: 200,
    }
}

fn near(found: &[f64], expected: &[f64]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
}

/// Listing 4.2 worked out by hand: delta -0.2, features 1, 1, 0.5, 0.
#[test]
fn weights_move_as_in_the_listing() {
    let mut experiment = Experiment { alpha: vec![0.4, -0.4, 0.0, 0.9], beta: vec![], wins: 0 };
    let mut lesson = Lesson::new(4);
    experiment.step(-0.2, &[1.0, 1.0, 0.5, 0.0], &rule(), &mut lesson);
    near(&experiment.alpha, &[0.4 - 0.15, -0.4 - 0.1, -0.075, 0.9]);
    assert!((lesson.learned.change - 0.325).abs() < 1e-12);
    assert!((lesson.learned.largest_change - 0.15).abs() < 1e-12);
    experiment.step(4.0, &[0.0, 0.0, 0.0, 1.0], &rule(), &mut lesson);
    near(&experiment.alpha, &[0.25 / 2.9, -0.5 / 2.9, -0.075 / 2.9, 1.0]);
}

#[test]
fn weights_can_be_cut_off_and_wait_for_the_end() {
    let mut experiment = Experiment { alpha: vec![0.5, 0.5], beta: vec![], wins: 0 };
    let clamped = LearningRule { normalisation: Normalisation::Clamped, ..rule() };
    experiment.step(4.0, &[1.0, 0.0], &clamped, &mut Lesson::new(2));
    near(&experiment.alpha, &[1.0, 0.5]);
    let mut small = Experiment { alpha: vec![0.2, -0.4], beta: vec![], wins: 0 };
    small.normalise(Normalisation::Stretched);
    near(&small.alpha, &[0.5, -1.0]);
    let late = LearningRule { updates: Updates::EachGame, lambda: 0.5, ..rule() };
    let mut lesson = Lesson::new(2);
    experiment.step(0.2, &[0.0, 1.0], &late, &mut lesson);
    experiment.step(0.2, &[0.0, 1.0], &late, &mut lesson);
    near(&experiment.alpha, &[1.0, 0.5]);
    // 0.5 * 0.2 * 1, then with half of the step before: 0.5 * 0.2 * 1.5.
    near(&lesson.waiting, &[0.0, 0.25]);
}

#[test]
fn values_are_divided_by_stones_or_by_moves() {
    use trilith_games::othello::Position;
    let position = Position { own: 0b111, other: 0b1111_0000, ..Position::START };
    let found = [Valuation::Relative, Valuation::RelativeToMoves, Valuation::Absolute]
        .map(|valuation| divisor::<Othello>(&position, valuation));
    assert_eq!(found, [7.0, 3.0, 1.0]);
    assert_eq!(divisor::<Othello>(&Position::START, Valuation::RelativeToMoves), 1.0, "nothing was moved");
}

/// All switches learn something else, and each the same every time.
#[test]
fn every_switch_changes_what_is_learned() {
    let (game, set) = (Othello::default(), Othello::feature_set(Othello::FEATURES).unwrap());
    let most = Othello::most(&*set).unwrap();
    let played = GameFeatures { game, set, most };
    let after = |rule: &LearningRule| {
        let mut experiment = Experiment::new(played.most.len(), true, Seed(5));
        for _ in 0..3 {
            experiment.learn(&played, rule);
        }
        experiment.alpha
    };
    let usual = LearningRule { rate: 0.1, ..rule() };
    let others = [
        LearningRule { valuation: Valuation::RelativeToMoves, ..usual.clone() },
        LearningRule { comparison: Comparison::Now, ..usual.clone() },
        LearningRule { comparison: Comparison::Successor, ..usual.clone() },
        LearningRule { lambda: 0.7, ..usual.clone() },
        LearningRule { updates: Updates::EachGame, ..usual.clone() },
        LearningRule { corner_plies: 2, ..usual.clone() },
        LearningRule { beta: BetaWeights::Shared, ..usual.clone() },
        LearningRule { normalisation: Normalisation::Stretched, ..usual.clone() },
    ];
    let base = after(&usual);
    assert_eq!(base, after(&usual));
    for other in others {
        assert_ne!(after(&other), base, "{other:?}");
    }
}

#[test]
fn beta_shares_alphas_weights_once_it_has_them() {
    let (game, set) = (Othello::default(), Othello::feature_set(Othello::FEATURES).unwrap());
    let most = Othello::most(&*set).unwrap();
    let played = GameFeatures { game, set, most };
    let shared = LearningRule { beta: BetaWeights::Shared, ..rule() };
    for is_same in [true, false] {
        let mut experiment = Experiment::new(played.most.len(), is_same, Seed(6));
        let before = experiment.clone();
        experiment.learn(&played, &shared);
        assert_ne!(experiment.alpha, before.alpha);
        assert_eq!(experiment.beta == experiment.alpha, is_same);
        assert_eq!(experiment.beta == before.beta, !is_same, "other weights stay until they are handed over");
    }
}

#[test]
fn beta_gets_the_weights_after_the_tenth_win() {
    let mut experiment = Experiment { alpha: vec![1.0], beta: vec![0.0], wins: 0 };
    for _ in 0..9 {
        experiment.hand_over(1, &rule());
        experiment.hand_over(-1, &rule());
    }
    assert_eq!((experiment.beta[0], experiment.wins), (0.0, 9));
    experiment.hand_over(1, &rule());
    assert_eq!((experiment.beta[0], experiment.wins), (1.0, 0));
}
