//! Tree search with visits: finds what is there to be found, proves it, and plays whole games.

use std::sync::Arc;

use trilith_base::Seed;
use trilith_eval::{Known, Oracle};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::{Othello, Position};
use trilith_games::{Colour, Game, MoveList, Outcome, Record};
use trilith_search::mcts::{Batch, Forest, PuctOptions, SelfPlay, SelfPlayOptions};

/// A network that knows nothing: all moves alike, all positions even.
fn answer_evenly<G: Game>(forest: &mut Forest<G>, batch: usize, threads: usize) -> usize {
    let (mut into, mut asked) = (Batch::default(), 0);
    loop {
        forest.gather(batch, threads, &mut into);
        if into.is_empty() {
            return asked;
        }
        assert_eq!(into.observations.len(), into.len() * G::OBSERVATION.iter().product::<usize>());
        assert_eq!(into.legal.len(), into.counts.iter().sum::<usize>());
        asked += into.len();
        forest.absorb(&vec![0.0; into.len() * G::ACTIONS], &vec![0.0; into.len()]);
    }
}

fn options(simulations: u32) -> PuctOptions {
    PuctOptions { simulations, ..PuctOptions::default() }
}

/// The outcome by complete search.
fn truth<G: Game>(record: &mut Record<G>) -> Outcome {
    let game = record.game().clone();
    let side = game.to_move(record.position());
    if let Some(end) = record.end() {
        return end
            .winner
            .map_or(Outcome::Draw, |winner| if winner == side { Outcome::Win } else { Outcome::Loss });
    }
    let mut moves = MoveList::new();
    game.moves(record.position(), &mut moves);
    let mut best = Outcome::Loss;
    for mv in moves {
        record.push_legal(mv);
        let after = match truth(record) {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        record.pop();
        best = best.max(after);
    }
    best
}

#[test]
fn othello_endgames_are_proved() {
    let game = Othello::default();
    for number in 0..30 {
        let mut record = Record::new(game.clone());
        let mut rng = Seed(4).derive("endgame", number).rng();
        trilith_games::playout::play_on(&mut record, 53, &mut rng);
        if record.end().is_some() {
            continue;
        }
        let mut forest = Forest::new(game.clone(), options(200_000));
        forest.push(&record, Seed(1));
        answer_evenly(&mut forest, 16, 1);
        let tree = &forest.trees()[0];
        let outcome = truth(&mut record);
        assert_eq!(tree.proved(), Some(outcome), "{}", game.diagram(record.position()));
        let mut after = record.clone();
        after.push(tree.choose(0.0, &mut rng)).unwrap();
        let reply = truth(&mut after);
        assert_eq!(reply, [Outcome::Win, Outcome::Draw, Outcome::Loss][outcome as usize]);
    }
}

/// The move that is found, which must be proved to win.
fn winning_move<G: Game>(game: &G, record: &Record<G>) -> String {
    let mut forest = Forest::new(game.clone(), options(3000));
    forest.push(record, Seed(1));
    answer_evenly(&mut forest, 8, 1);
    let tree = &forest.trees()[0];
    assert_eq!((tree.proved(), tree.value()), (Some(Outcome::Win), 1.0));
    game.move_text(tree.choose(0.0, &mut Seed(1).rng()))
}

#[test]
fn a_mill_and_an_ejection_that_win_are_found() {
    let game = Morris::default();
    let position = game.parse_position("ww1/3/3/6/w2/1bb/2b w 0 0").unwrap();
    let mv = winning_move(&game, &Record::from_position(game, position).unwrap());
    assert!(mv.starts_with("c3-g7x"), "{mv}");
    let game = Abalone::new("layout=5/6/7/8/5bbbw/8/7/6/wwwww,eject=1".parse().unwrap());
    // Two or three marbles push the white one off.
    let mv = winning_move(&game, &Record::new(game.clone()));
    assert!(["e6e7", "e7e8"].contains(&&*mv), "{mv}");
}

#[test]
fn repetitions_are_draws_inside_the_tree() {
    // Two marbles far apart, the first return draws: every line of two plies back and forth ends drawn.
    let game = Abalone::new("layout=b4/6/7/8/9/8/7/6/4w,eject=1,repetition=2,plies=6".parse().unwrap());
    let record = Record::new(game.clone());
    let mut forest = Forest::new(game.clone(), options(400_000));
    forest.push(&record, Seed(1));
    answer_evenly(&mut forest, 64, 1);
    assert_eq!(forest.trees()[0].proved(), Some(Outcome::Draw));
}

#[test]
fn trees_go_on_after_a_move_and_threads_change_no_rule() {
    let game = Othello::default();
    for threads in [1, 3] {
        let mut forest = Forest::new(game.clone(), PuctOptions { noise: 0.25, ..options(60) });
        let mut records: Vec<_> = (0..7).map(|_| Record::new(game.clone())).collect();
        for (number, record) in records.iter().enumerate() {
            forest.push(record, Seed(number as u64));
        }
        for _ in 0..12 {
            answer_evenly(&mut forest, 32, threads);
            for (number, record) in records.iter_mut().enumerate() {
                let mv = forest.trees()[number]
                    .choose(1.0, &mut Seed(9).derive("move", record.len() as u64).rng());
                record.push(mv).unwrap();
                forest.advance(number, mv);
                assert_eq!(forest.trees()[number].position(), record.position());
                assert!(forest.trees()[number].visits() > 0, "what lay below is kept");
            }
        }
    }
}

#[test]
fn answers_for_legal_actions_are_enough() {
    let game = Othello::default();
    let record = Record::new(game.clone());
    let mut forests = [(); 2].map(|()| Forest::new(game.clone(), options(300)));
    for forest in &mut forests {
        (0..5).for_each(|number| forest.push(&record, Seed(number)));
    }
    let (mut batch, mut other) = (Batch::default(), Batch::default());
    let [whole, legal] = &mut forests;
    loop {
        whole.gather(24, 1, &mut batch);
        legal.gather(24, 1, &mut other);
        assert_eq!((&batch.observations, &batch.legal), (&other.observations, &other.legal));
        if batch.is_empty() {
            break;
        }
        let logit = |row: usize, action: usize| ((row * 7 + action * 13) % 11) as f32 / 4.0;
        let rows = batch.len();
        let values: Vec<_> = (0..rows).map(|row| (row % 5) as f32 / 4.0 - 0.5).collect();
        let all: Vec<_> = (0..rows * Othello::ACTIONS)
            .map(|at| logit(at / Othello::ACTIONS, at % Othello::ACTIONS))
            .collect();
        let mut numbers = batch.legal.iter();
        let mut few = Vec::new();
        for (row, &count) in batch.counts.iter().enumerate() {
            few.extend(numbers.by_ref().take(count).map(|&number| logit(row, number.into())));
        }
        whole.absorb(&all, &values);
        legal.absorb_legal(&few, &values);
    }
    for (a, b) in forests[0].trees().iter().zip(forests[1].trees()) {
        assert_eq!(a.lines(), b.lines());
    }
}

#[test]
fn what_some_trees_cannot_give_others_do() {
    let game = Othello::default();
    let mut forest = Forest::new(game.clone(), options(1000));
    (0..6).for_each(|number| forest.push(&Record::new(game.clone()), Seed(number)));
    let mut batch = Batch::default();
    for round in 0..30 {
        forest.gather(20, 1, &mut batch);
        // Three each and two more, once the roots are known.
        assert_eq!(batch.len(), if round == 0 { 6 } else { 20 });
        forest.absorb(&vec![0.0; batch.len() * Othello::ACTIONS], &vec![0.0; batch.len()]);
    }
}

fn plays_whole_games<G: Game>(rules: &str) {
    let forest = Forest::new(G::new(rules.parse().unwrap()), PuctOptions { noise: 0.25, ..options(16) });
    let options = SelfPlayOptions { games: 6, temperature: 1.0, temperature_plies: 20, seed: Seed(3) };
    let mut play = SelfPlay::new(forest, options);
    let (mut batch, mut ended) = (Batch::default(), Vec::new());
    while ended.len() < 8 {
        play.gather(64, 2, &mut batch);
        play.absorb(&vec![0.0; batch.len() * G::ACTIONS], &vec![0.1; batch.len()]);
        ended.extend(play.take_finished());
    }
    for game in &ended {
        let winner = game.record.end().expect("it has ended").winner;
        assert_eq!(game.samples.len(), game.record.len());
        let rules = game.record.game();
        for (sample, mv) in game.samples.iter().zip(game.record.moves()) {
            let before = game.record.position_after(sample.ply as usize).unwrap();
            let side = rules.to_move(before);
            let result = winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
            assert_eq!(sample.result, result);
            assert!((sample.policy.iter().map(|&(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(sample.policy.iter().any(|&(number, _)| usize::from(number) == rules.action_number(mv)));
        }
    }
}

#[test]
fn self_play_ends_games_and_says_who_won() {
    plays_whole_games::<Othello>("");
    plays_whole_games::<Morris>("quiet-plies=30");
    plays_whole_games::<Abalone>("plies=60");
}

/// Knows Othello's last positions by complete search, and how far the end is.
struct Brute;

impl Oracle<Othello> for Brute {
    fn probe(&self, game: &Othello, position: &Position, _: u32) -> Option<Known> {
        let empties = position.empties().count_ones();
        let known = || {
            let mut record = Record::from_position(game.clone(), *position).ok()?;
            Some(Known { outcome: truth(&mut record), plies: Some(empties) })
        };
        (empties <= 5).then(known).flatten()
    }
}

#[test]
fn what_an_oracle_knows_needs_no_search() {
    let (game, mut proved) = (Othello::default(), 0);
    for number in 0..20 {
        let mut record = Record::new(game.clone());
        let mut rng = Seed(8).derive("oracle", number).rng();
        trilith_games::playout::play_on(&mut record, 54, &mut rng);
        let position = record.position();
        if position.mobility() == 0 || position.empties().count_ones() != 6 {
            continue;
        }
        let mut forest = Forest::new(game.clone(), options(1000)).with_oracle(Arc::new(Brute));
        forest.push(&record, Seed(1));
        let asked = answer_evenly(&mut forest, 16, 1);
        let (tree, outcome) = (&forest.trees()[0], truth(&mut record));
        assert_eq!((tree.proved(), asked), (Some(outcome), 1), "{}", game.diagram(record.position()));
        for (mv, share) in tree.policy() {
            let mut after = record.clone();
            after.push(mv).unwrap();
            let is_best = truth(&mut after) == [Outcome::Win, Outcome::Draw, Outcome::Loss][outcome as usize];
            assert!(share == 0.0 || is_best, "{}", game.move_text(mv));
        }
        proved += 1;
    }
    assert!(proved > 10, "{proved}");
}

/// Knows that every position is won for the side that begins, sooner after one of its moves than after the others.
struct Slow;

impl Oracle<Othello> for Slow {
    fn probe(&self, _: &Othello, position: &Position, _: u32) -> Option<Known> {
        let is_quick = (position.own | position.other) >> 19 & 1 == 1;
        let outcome = if position.to_move == Colour::Black { Outcome::Win } else { Outcome::Loss };
        Some(Known { outcome, plies: Some(if is_quick { 7 } else { 9 }) })
    }
}

#[test]
fn the_shortest_of_several_wins_is_chosen_whatever_was_seen_first() {
    let game = Othello::default();
    let mut forest = Forest::new(game.clone(), options(50)).with_oracle(Arc::new(Slow));
    forest.push(&Record::new(game.clone()), Seed(1));
    answer_evenly(&mut forest, 1, 1);
    let tree = &forest.trees()[0];
    assert_eq!(tree.proved(), Some(Outcome::Win));
    let kept: Vec<_> = tree.policy().into_iter().filter(|&(_, share)| share > 0.0).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!((game.action_number(kept[0].0), kept[0].1), (19, 1.0));
}

#[test]
fn a_tree_goes_on_in_another_forest() {
    let game = Othello::default();
    let mut record = Record::new(game.clone());
    let mut forest = Forest::new(game.clone(), options(100));
    forest.push(&record, Seed(1));
    answer_evenly(&mut forest, 8, 1);
    let mv = forest.trees()[0].choose(0.0, &mut Seed(1).rng());
    record.push(mv).unwrap();
    let mut other = Forest::new(game.clone(), options(100));
    for tree in forest.into_trees() {
        other.push_tree(tree, Seed(1));
    }
    other.advance(0, mv);
    let visits = other.trees()[0].visits();
    assert!(visits > 10 && other.trees()[0].position() == record.position());
    assert_eq!(answer_evenly(&mut other, 1, 1) as u32, 101 - visits, "what was known is not asked again");
}
