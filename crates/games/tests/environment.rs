//! The environment against the record: same legal moves, same endings, same results, on any number of threads.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use trilith_base::Seed;
use trilith_games::abalone::Abalone;
use trilith_games::environment::{ActionError, StateError, Views};
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Environment, Game, MoveList, Record};

/// Buffers for so many boards.
struct Buffers {
    observations: Vec<u8>,
    finals: Vec<u8>,
    masks: Vec<bool>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    to_play: Vec<i8>,
    results: Vec<i8>,
    plies: Vec<i32>,
}

impl Buffers {
    fn new<G: Game>(boards: usize) -> Buffers {
        let size = boards * G::OBSERVATION.iter().product::<usize>();
        Buffers {
            observations: vec![0; size],
            finals: vec![0; size],
            masks: vec![true; boards * G::ACTIONS],
            rewards: vec![0.0; boards],
            terminated: vec![false; boards],
            truncated: vec![false; boards],
            to_play: vec![0; boards],
            results: vec![0; boards],
            plies: vec![0; boards],
        }
    }

    fn views(&mut self) -> Views<'_> {
        Views {
            observations: &mut self.observations,
            finals: &mut self.finals,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            to_play: &mut self.to_play,
            results: &mut self.results,
            plies: &mut self.plies,
        }
    }
}

fn legal<G: Game>(record: &Record<G>) -> HashSet<usize> {
    let mut moves = MoveList::new();
    record.game().moves(record.position(), &mut moves);
    moves.iter().map(|&mv| record.game().action_number(mv)).collect()
}

fn observed<G: Game>(game: &G, position: &G::Position) -> Vec<u8> {
    let mut bytes = vec![0; G::OBSERVATION.iter().product()];
    game.observe(position, &mut bytes);
    bytes
}

/// Plays `steps` random actions on each board beside a record; returns how many games ended, and how many truncated.
fn agrees_with_records<G: Game>(rules: &str, boards: usize, steps: usize, threads: usize) -> (usize, usize) {
    let game = G::new(rules.parse().unwrap());
    let mut environment = Environment::new(game.clone(), boards, Seed(3));
    let mut buffers = Buffers::new::<G>(boards);
    environment.reset(&mut buffers.views());
    let mut records = vec![Record::new(game.clone()); boards];
    let (mut ended, mut truncated) = (0, 0);
    let mut actions = vec![0; boards];
    let size = G::OBSERVATION.iter().product::<usize>();
    for _ in 0..steps {
        environment.sample(&mut actions);
        environment.step(&actions, &mut buffers.views(), threads).unwrap();
        for (board, record) in records.iter_mut().enumerate() {
            let mv = game.numbered_move(record.position(), actions[board] as usize).unwrap();
            let mover = game.to_move(record.position());
            record.push(mv).unwrap();
            let end = record.end();
            let is_long = end.as_ref().is_some_and(|end| end.reason == "ply limit");
            assert_eq!(buffers.terminated[board] || buffers.truncated[board], end.is_some());
            assert_eq!(buffers.truncated[board], is_long);
            let winner = end.as_ref().and_then(|end| end.winner);
            let reward = winner.map_or(0.0, |winner| if winner == mover { 1.0 } else { -1.0 });
            assert_eq!(buffers.rewards[board], reward);
            let first = game.to_move(&game.start());
            let result = winner.map_or(0, |winner| if winner == first { 1 } else { -1 });
            assert_eq!(buffers.results[board], result);
            if end.is_some() {
                assert_eq!(buffers.finals[size * board..][..size], observed(&game, record.position()));
                *record = Record::new(game.clone());
                (ended, truncated) = (ended + 1, truncated + usize::from(is_long));
            }
            assert_eq!(environment.position(board), record.position());
            assert_eq!(buffers.observations[size * board..][..size], observed(&game, record.position()));
            assert_eq!(buffers.plies[board] as usize, record.len());
            assert_eq!(buffers.to_play[board], i8::from(game.to_move(record.position()) != first));
            let mask = &buffers.masks[G::ACTIONS * board..][..G::ACTIONS];
            let allowed: HashSet<_> = (0..G::ACTIONS).filter(|&number| mask[number]).collect();
            assert_eq!(allowed, legal(record));
        }
    }
    (ended, truncated)
}

#[test]
fn othello_ends_as_its_record_does() {
    let (ended, _) = agrees_with_records::<Othello>("", 40, 500, 1);
    assert!(ended > 250);
}

#[test]
fn morris_ends_as_its_record_does_under_all_rules() {
    for rules in
        ["", "thesis,flying=off", "double-mill=two,capture-from-mill=always", "repetition=2,quiet-plies=20"]
    {
        let (ended, _) = agrees_with_records::<Morris>(rules, 10, 300, 1);
        assert!(ended > 10, "{rules}: {ended}");
    }
}

#[test]
fn abalone_ends_as_its_record_does_by_ejection_repetition_and_length() {
    let (ended, truncated) = agrees_with_records::<Abalone>("belgian-daisy,eject=1,plies=150", 10, 600, 1);
    assert!(ended > truncated && truncated > 0, "{ended} {truncated}");
    let crowded = "layout=5/6/7/8/4b4/8/7/6/w4,eject=1,repetition=2";
    let (ended, truncated) = agrees_with_records::<Abalone>(crowded, 10, 200, 1);
    assert!(ended > 50 && truncated == 0, "{ended} {truncated}");
}

#[test]
fn threads_change_nothing() {
    for threads in [2, 3, 8, 100] {
        assert!(agrees_with_records::<Othello>("", 7, 130, threads).0 > 7);
    }
}

#[test]
fn an_illegal_action_names_the_board_and_plays_nothing() {
    let mut environment = Environment::new(Othello::default(), 3, Seed(1));
    let mut buffers = Buffers::new::<Othello>(3);
    environment.reset(&mut buffers.views());
    let fault = |environment: &mut Environment<Othello>, actions: &[i64], buffers: &mut Buffers| {
        environment.step(actions, &mut buffers.views(), 1).unwrap_err().to_string()
    };
    let text = fault(&mut environment, &[19, 26, 0], &mut buffers);
    assert_eq!(text, "board 2, ply 0: action 0 is not legal; legal: 19 26 37 44");
    for action in [-1, 65, 65555, i64::MAX, i64::MIN] {
        assert!(fault(&mut environment, &[action, 26, 37], &mut buffers).starts_with("board 0"));
    }
    let count = environment.step(&[19_i64], &mut buffers.views(), 1);
    assert_eq!(count, Err(ActionError::Count { given: 1, boards: 3 }));
    assert!((0..3).all(|board| environment.played(board).is_empty()));
}

#[test]
fn a_saved_state_goes_on_as_the_original_does() {
    let game = Abalone::new("eject=2,plies=120".parse().unwrap());
    let mut original = Environment::new(game.clone(), 5, Seed(9));
    let mut buffers = Buffers::new::<Abalone>(5);
    original.reset(&mut buffers.views());
    let mut actions = vec![0; 5];
    let mut go_on = |environment: &mut Environment<Abalone>, steps| {
        for _ in 0..steps {
            environment.sample(&mut actions);
            environment.step(&actions, &mut buffers.views(), 1).unwrap();
        }
    };
    go_on(&mut original, 200);
    let state = original.save();
    let mut copy = Environment::new(game, 5, Seed(9));
    copy.load(&state).unwrap();
    assert_eq!(copy.save(), state);
    go_on(&mut original, 300);
    go_on(&mut copy, 300);
    assert_eq!(copy.save(), original.save());
    assert_eq!(copy.load(&state[..state.len() - 1]), Err(StateError::Short));
    assert_eq!(copy.load(&[&state[..], &[0]].concat()), Err(StateError::Long));
    let mut wrong = state.clone();
    wrong[3] = 5;
    assert!(matches!(copy.load(&wrong), Err(StateError::Move { board: 0, ply: 0, .. })));
    assert_eq!(copy.save(), original.save(), "a state that does not fit changes nothing");
}

#[test]
#[ignore = "minutes"]
fn a_million_plies_of_each_game_agree() {
    agrees_with_records::<Othello>("", 100, 10_000, 2);
    agrees_with_records::<Morris>("", 100, 10_000, 2);
    agrees_with_records::<Abalone>("", 100, 10_000, 2);
}
