//! How fast the learners are, by time on the CPU: `cargo bench -p trilith-learn --bench learners [NAME]`.

use trilith_base::Seed;
use trilith_eval::contract;
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::features::Described;
use trilith_eval::speed::WorkClock;
use trilith_games::abalone::Abalone;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record};
use trilith_learn::othilie::trials::{self, TrialOpponent};
use trilith_learn::othilie::{
    BetaWeights, Comparison, Experiment, GameFeatures, LearningRule, Normalisation, SelfPlayed, Updates,
    Valuation, random_weights,
};
use trilith_learn::risk::{Agent, MoveChoice, Rewards};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, bench) in [("othilie", othilie as fn()), ("risk", risk)] {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            bench();
        }
    }
}

/// S1 at depth 5 on one thread: games of learning and of test 1, and how long 57,000 of a group take on two threads.
fn othilie() {
    let set = <Othello as Described>::feature_set(Othello::FEATURES).expect("the game's own set");
    let most = Othello::most(&*set).expect("its features are bounded");
    let count = set.count();
    let played = GameFeatures { game: Othello::default(), set, most };
    let rule = LearningRule {
        depth: 4,
        corner_plies: 0,
        rate: 0.1,
        differentiation: 1.0,
        valuation: Valuation::Relative,
        comparison: Comparison::Now,
        lambda: 0.0,
        updates: Updates::EachMove,
        normalisation: Normalisation::Scaled,
        beta: BetaWeights::Copied,
        wins_to_hand_over: 10,
        plies: 300,
    };
    let games = 100_u32;
    let mut experiment = Experiment::new(count, true, Seed(1));
    let start = WorkClock::now();
    for _ in 0..games {
        experiment.learn(&played, &rule);
    }
    let learning = start.elapsed().as_secs_f64() / f64::from(games);
    let start = WorkClock::now();
    for game in 0..games {
        let weights = random_weights(count, Seed(3));
        let seed = Seed(2).derive("game", game.into());
        trials::play(&played, &weights, &TrialOpponent::RandomWeights, &rule, seed);
    }
    let testing = start.elapsed().as_secs_f64() / f64::from(games);
    let group = (19_500.0 * learning + 37_500.0 * testing) / 2.0 / 60.0;
    println!(
        "othilie: learning {:.1} ms a game, testing {:.1} ms a game; 57,000 games on two threads: {group:.1} minutes",
        1e3 * learning,
        1e3 * testing
    );
}

/// S4's final agent on one thread: positions after a move, made, described and evaluated, until the best is known.
fn risk() {
    let game = Abalone::default();
    let set = <Abalone as Described>::feature_set("s4-4").expect("S4's final set");
    let shape = [(16, Activation::Logistic), (1, Activation::Linear)];
    let agent = Agent {
        scales: vec![1.0; set.count()],
        stages: vec![Dense::random(set.count(), &shape, 0.01, Seed(1))],
        game: game.clone(),
        set,
        limits: Vec::new(),
        rewards: Rewards {
            gain: 0.5,
            loss: -0.5,
            win: 1.0,
            defeat: -1.0,
            is_end_instead: false,
            leader_wins: false,
        },
        choice: MoveChoice::RewardAndValue,
        discount: 0.9,
    };
    let positions = contract::sample(&game, Seed(2), 5, 2000);
    let moves: usize = positions.iter().map(|position| game.count_moves(position)).sum();
    let record = |position: &_| Record::from_position(game.clone(), *position).expect("positions of games");
    let records: Vec<_> = positions.iter().map(record).collect();
    let mut rng = Seed(3).rng();
    let start = WorkClock::now();
    let chosen = records.iter().filter_map(|record| agent.choose(record, 1, 0.0, &mut rng)).count();
    let rate = moves as f64 / start.elapsed().as_secs_f64();
    println!("risk: {:.2} million positions a second in {chosen} choices among {moves} moves", rate / 1e6);
}
