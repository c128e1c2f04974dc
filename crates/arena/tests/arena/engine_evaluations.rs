//! Evaluations that the engine is compiled for are searched with all it has, whichever of them it plays with.

use trilith_arena::player::{Turn, player};
use trilith_base::Seed;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_games::{Record, playout};
use trilith_search::{Control, Limits};

/// Value and nodes of a search after so many plies of a random game.
fn search(options: &str, plies: usize) -> (i32, u64) {
    let mut record = Record::new(Othello::default());
    playout::play_on(&mut record, plies, &mut Seed(4).rng());
    let spec = format!("engine:depth=8{options}").parse().unwrap();
    let mut player = player::<Othello, Evaluations>(&spec, Seed(1)).unwrap();
    let turn = Turn { control: &Control::default(), limits: Limits::default() };
    let analysis = player.choose(&record, turn, &mut |_| ()).unwrap().analysis.unwrap();
    (analysis.value(), analysis.nodes)
}

#[test]
fn the_production_evaluation_is_the_one_called_nnue() {
    assert_eq!(search("", 20), search(",eval=nnue", 20));
    assert_ne!(search("", 20), search(",eval=patterns", 20));
}

#[test]
fn patterns_have_their_own_probcut_and_the_solver() {
    for eval in [",eval=nnue", ",eval=patterns"] {
        let (_, nodes) = search(eval, 20);
        let (_, all) = search(&format!("{eval},selectivity=off"), 20);
        assert!(nodes < all, "{eval}: {nodes} of {all} nodes");
    }
    assert_eq!(search(",eval=nnue", 53).0, search(",eval=patterns", 53).0, "both are exact");
}
