//! The placing phase, beside a search that shares nothing with the solver but rules and tables.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use trilith_base::Seed;
use trilith_games::morris::{Morris, Position};
use trilith_games::{Game, MoveList, Outcome, playout};
use trilith_tablebase::placing::{Effort, PlacingSolver, ProvedBounds, opposite};
use trilith_tablebase::{Tables, ensure};

/// Plain minimax over the placing phase.
fn minimax(tables: &Tables, game: &Morris, position: &Position) -> Outcome {
    if game.outcome(position) == Some(Outcome::Loss) {
        return Outcome::Loss;
    }
    if position.in_hand() == 0 {
        return tables.value(position).unwrap().outcome;
    }
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.iter().map(|&mv| opposite(minimax(tables, game, &game.play(position, mv)))).max().unwrap()
}

/// Positions with eight stones or fewer in all, of which some are still in hand.
fn sample(game: &Morris, count: u64) -> Vec<Position> {
    let texts = [
        "ww1/bb1/3/6/3/3/3 w 1 1",
        "w1w/bb1/3/6/3/b2/w2 w 1 1",
        "w1w/bb1/3/6/3/3/3 w 2 2",
        "w2/w2/3/b5/3/b2/3 w 1 1",
        "www/bb1/3/6/3/3/3 b 0 1",
        "ww1/3/3/w5/b2/1b1/3 b 0 1",
    ];
    let mut positions: Vec<_> = texts.iter().map(|text| game.parse_position(text).unwrap()).collect();
    for number in 0..count {
        // Any stones will do: the solver looks at what is there, not at how it came about.
        let mut rng = Seed(5).derive("placing", number).rng();
        let mut record = trilith_games::Record::from_position(*game, positions[number as usize % 4]).unwrap();
        playout::play_on(&mut record, 1 + number as usize % 2, &mut rng);
        if record.position().in_hand() > 0 {
            positions.push(*record.position());
        }
    }
    positions
}

#[test]
fn the_solver_equals_minimax() {
    let folder = std::env::temp_dir().join(format!("trilith-placing-{}", std::process::id()));
    for rules in ["standard", "thesis,double-mill=two"] {
        let game = Morris::new(rules.parse().unwrap());
        let tables = Arc::new(ensure(&folder.join(rules), game.rules(), 8).unwrap());
        let mut seen = [0; 3];
        for threads in [1, 2] {
            let solver = PlacingSolver::new(Arc::clone(&tables), game, threads, 1);
            for position in sample(&game, 30) {
                let truth = minimax(&tables, &game, &position);
                let found = solver.outcome(&position, Effort::ENDLESS).unwrap();
                assert_eq!(found, Some(truth), "{threads} threads: {}", game.position_text(&position));
                seen[truth as usize] += 1;
                let best = solver.moves(&position, Effort::ENDLESS).unwrap();
                assert_eq!(best.iter().filter_map(|(_, outcome)| *outcome).max(), Some(truth));
            }
            let path = folder.join("store");
            ProvedBounds::of(solver.memory(), 2).save(&path, &game).unwrap();
            let store = ProvedBounds::load(&path, &game).unwrap().unwrap();
            assert!(!store.is_empty());
            assert!(store.iter().all(|(key, bounds)| solver.memory().get(key) == bounds));
        }
        assert!(seen.iter().all(|&count| count > 0), "wins, draws and losses: {seen:?}");
        let short = Effort { stop: None, nodes: 1 };
        let solver = PlacingSolver::new(Arc::clone(&tables), game, 1, 1);
        assert_eq!(
            solver.outcome(&sample(&game, 0)[2], short).unwrap(),
            None,
            "too little effort is no answer"
        );
        let error = solver.outcome(&game.start(), Effort::ENDLESS).unwrap_err().to_string();
        assert!(error.contains("no table for"), "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
