//! How fast the learners are: `cargo bench -p trilith-learn --bench learners [NAME]`.

use std::time::Instant;

use trilith_base::Seed;
use trilith_eval::features::Described;
use trilith_games::othello::Othello;
use trilith_learn::othilie::trials::{self, Opponent};
use trilith_learn::othilie::{Comparison, Experiment, Plan, Played, SelfPlayed, random_weights};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, bench) in [("othilie", othilie as fn())] {
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
    let played = Played { game: Othello::default(), set, most };
    let plan = Plan {
        depth: 5,
        rate: 0.1,
        differentiation: 1.0,
        is_relative: true,
        comparison: Comparison::Now,
        wins_to_hand_over: 10,
        plies: 300,
    };
    let games = 100_u32;
    let mut experiment = Experiment::new(count, true, Seed(1));
    let start = Instant::now();
    (0..games).for_each(|_| drop(experiment.learn(&played, &plan)));
    let learning = start.elapsed().as_secs_f64() / f64::from(games);
    let start = Instant::now();
    for game in 0..games {
        let weights = random_weights(count, Seed(3));
        let seed = Seed(2).derive("game", game.into());
        trials::play(&played, &weights, &Opponent::RandomWeights, plan.depth, plan.plies, seed);
    }
    let testing = start.elapsed().as_secs_f64() / f64::from(games);
    let group = (19_500.0 * learning + 37_500.0 * testing) / 2.0 / 60.0;
    println!(
        "othilie: learning {:.1} ms a game, testing {:.1} ms a game; 57,000 games on two threads: {group:.1} minutes",
        1e3 * learning,
        1e3 * testing
    );
}
