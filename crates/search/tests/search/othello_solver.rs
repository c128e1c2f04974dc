//! The Othello solver against plain search to the end, known scores, and itself.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use trilith_base::Seed;
use trilith_eval::othello::{Evaluations, OthelloPatterns};
use trilith_games::othello::formats::obf::{Problem, parse_obf};
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Move, Othello, Position, squares};
use trilith_games::{Colour, Game, MoveList, playout};
use trilith_search::Control;
use trilith_search::analysis::Bound;
use trilith_search::othello::{Handmade, Solution, SolveGoal, Solver, SolverOptions, stable, upper_bound};

fn solver(threads: usize, technique: Technique) -> Solver<Arc<OthelloPatterns>> {
    Solver::new(Evaluations::patterns(), SolverOptions { threads, table_mebibytes: 16, technique })
}

fn solve(solver: &mut Solver<Arc<OthelloPatterns>>, position: &Position, goal: SolveGoal) -> Solution {
    solver.solve(position, goal, &Control::default()).unwrap()
}

/// Plain negamax by the rules of the game: nothing shared with the solver but those.
fn plain(game: &Othello, position: &Position, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    if moves.is_empty() {
        return game.margin(position);
    }
    let mut best = -64;
    for &mv in &moves {
        best = best.max(-plain(game, &game.play(position, mv), -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn full_width(position: &Position) -> i32 {
    plain(&Othello::default(), position, -64, 64)
}

/// Positions of random games with so many empty squares.
fn sample(empties: u32, count: usize) -> impl Iterator<Item = Position> {
    let positions = (0..).filter_map(move |number| {
        let game = Othello::default();
        let mut rng = Seed(3).derive("solver", number).rng();
        let mut position = game.start();
        while position.empties().count_ones() > empties {
            position = game.play(&position, playout::random_move(&game, &position, &mut rng)?);
        }
        Some(position)
    });
    positions.take(count)
}

fn problems(file: &str) -> Vec<Problem> {
    let path = format!("{}/tests/data/othello/{file}", env!("CARGO_MANIFEST_DIR"));
    parse_obf(&Othello::default(), &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn check_problem(solver: &mut Solver<Arc<OthelloPatterns>>, number: usize, problem: &Problem) {
    let solution = solve(solver, &problem.position, SolveGoal::Score);
    assert_eq!(Some(solution.score), problem.best(), "number {number}");
    let listed = problem.scores.iter().find(|(mv, _)| Some(*mv) == solution.best);
    if let Some(&(_, score)) = listed {
        assert_eq!(score, solution.score, "number {number}: the move");
    }
}

#[test]
fn scores_are_those_of_plain_search_with_every_technique() {
    for technique in Technique::available() {
        let mut solver = solver(1, technique);
        for (empties, count) in
            [(0, 20), (1, 100), (2, 200), (3, 200), (4, 200), (5, 200), (8, 150), (10, 40)]
        {
            for position in sample(empties, count) {
                let solution = solve(&mut solver, &position, SolveGoal::Score);
                assert_eq!(solution.score, full_width(&position), "{technique}, {}", position.text());
                assert_eq!(solution.bound, Bound::Exact);
            }
        }
    }
}

#[test]
fn the_evaluation_changes_no_score() {
    let mut trained = solver(1, Technique::best());
    let mut by_hand =
        Solver::new(Handmade, SolverOptions { table_mebibytes: 16, ..SolverOptions::default() });
    for position in sample(15, 20) {
        let solution = by_hand.solve(&position, SolveGoal::Score, &Control::default()).unwrap();
        assert_eq!(
            solution.score,
            solve(&mut trained, &position, SolveGoal::Score).score,
            "{}",
            position.text()
        );
    }
}

#[test]
fn scores_with_twelve_empty_squares_are_those_of_plain_search() {
    let mut solver = solver(1, Technique::best());
    for position in sample(12, 12) {
        assert_eq!(
            solve(&mut solver, &position, SolveGoal::Score).score,
            full_width(&position),
            "{}",
            position.text()
        );
    }
}

#[test]
fn moves_found_give_the_score_and_lines_lead_to_it() {
    let game = Othello::default();
    let mut solver = solver(1, Technique::best());
    for position in sample(10, 40).chain(sample(16, 10)) {
        let solution = solve(&mut solver, &position, SolveGoal::Score);
        let line = solver.line(&position, solution.score, &Control::default()).unwrap();
        let mut end = position;
        let mut sign = 1;
        for &mv in &line {
            game.parse_move(&end, &mv.to_string()).unwrap();
            end = game.play(&end, mv);
            sign = -sign;
        }
        assert!(end.has_ended());
        assert_eq!(sign * game.margin(&end), solution.score, "{} {line:?}", position.text());
        if let Some(best) = solution.best {
            let child = game.play(&position, best);
            assert_eq!(solve(&mut solver, &child, SolveGoal::Score).score, -solution.score);
        }
    }
}

#[test]
fn outcomes_are_the_signs_of_scores_and_bounds_hold() {
    for technique in Technique::available() {
        let mut solver = solver(1, technique);
        for position in sample(9, 150) {
            let truth = full_width(&position);
            let Solution { score, bound, .. } = solve(&mut solver, &position, SolveGoal::Outcome);
            assert_eq!(score.signum(), truth.signum(), "{technique}, {}", position.text());
            match bound {
                Bound::Exact => assert_eq!(score, truth),
                Bound::Lower => assert!(score <= truth),
                Bound::Upper => assert!(score >= truth),
            }
        }
    }
}

#[test]
fn every_move_is_scored_as_plain_search_scores_it() {
    let game = Othello::default();
    let mut solver = solver(1, Technique::best());
    for position in sample(8, 60) {
        let solutions = solver.solve_moves(&position, &Control::default()).unwrap();
        assert_eq!(solutions.len(), game.count_moves(&position));
        assert!(solutions.is_sorted_by(|a, b| a.score >= b.score));
        for solution in solutions {
            let child = game.play(&position, solution.best.unwrap());
            assert_eq!(solution.score, -full_width(&child), "{}", position.text());
        }
    }
}

#[test]
fn forced_passes_early_ends_and_full_boards() {
    let mut solver = solver(1, Technique::best());
    let passes = sample(7, 4000).filter(|position| position.mobility() == 0 && !position.has_ended());
    let mut seen = 0;
    for position in passes {
        let solution = solve(&mut solver, &position, SolveGoal::Score);
        assert_eq!((solution.score, solution.best), (full_width(&position), Some(Move::PASS)));
        seen += 1;
    }
    assert!(seen > 10, "only {seen} passes");
    let ended = Position::from_colours(0x0000_0018_1800_0000, 0, Colour::White);
    let solution = solve(&mut solver, &ended, SolveGoal::Score);
    assert_eq!((solution.score, solution.best), (-64, None));
    let drawn = Position::from_colours(0xffff_ffff, !0xffff_ffff, Colour::Black);
    let solution = solve(&mut solver, &drawn, SolveGoal::Score);
    assert_eq!((solution.score, solution.best), (0, None));
    assert_eq!(solver.line(&drawn, 0, &Control::default()), Some(Vec::new()));
}

/// All discs that some line of play turns, within the rules and with any side moving at any time.
fn turned_somewhere(own: u64, other: u64) -> u64 {
    let empty = !(own | other);
    squares(empty).fold(0, |turned, square| {
        let mut all = turned;
        for (mover, waiter) in [(own, other), (other, own)] {
            let position = Position { own: mover, other: waiter, to_move: Colour::Black };
            let after = position.after_disc(square);
            let flips = waiter & !after.own;
            if flips != 0 {
                all |= flips | turned_somewhere(after.own, after.other);
            }
        }
        all
    })
}

#[test]
fn stable_discs_are_never_turned() {
    for position in sample(4, 300).chain(sample(5, 60)) {
        let Position { own, other, .. } = position;
        let turned = turned_somewhere(own, other);
        assert_eq!(stable(own, other) & turned, 0, "{}", position.text());
        assert_eq!(stable(other, own) & turned, 0, "{}", position.text());
    }
}

#[test]
fn the_bound_by_stable_discs_is_never_below_the_truth() {
    let mut sharp = 0;
    for position in sample(4, 500).chain(sample(8, 300)) {
        let truth = full_width(&position);
        let Position { own, other, .. } = position;
        assert!(truth <= upper_bound(own, other), "{}", position.text());
        assert!(truth >= -upper_bound(other, own), "{}", position.text());
        sharp += usize::from(truth == upper_bound(own, other));
    }
    assert!(sharp > 0, "the bound is sometimes reached");
}

#[test]
fn threads_agree_with_one_thread() {
    let mut alone = solver(1, Technique::best());
    let mut together = solver(4, Technique::best());
    for position in sample(17, 12) {
        let score = solve(&mut alone, &position, SolveGoal::Score).score;
        let solution = solve(&mut together, &position, SolveGoal::Score);
        assert_eq!(solution.score, score, "{}", position.text());
        let outcome = solve(&mut together, &position, SolveGoal::Outcome);
        assert_eq!(outcome.score.signum(), score.signum());
    }
}

#[test]
fn one_thread_always_visits_the_same_positions() {
    let position = sample(17, 1).next().unwrap();
    let nodes = || solve(&mut solver(1, Technique::best()), &position, SolveGoal::Score).nodes;
    assert_eq!(nodes(), nodes());
    let portable = solve(&mut solver(1, Technique::PORTABLE), &position, SolveGoal::Score).nodes;
    assert_eq!(nodes(), portable, "whatever the technique");
}

#[test]
fn a_stopped_solve_answers_nothing_and_soon() {
    // FFO 55, which takes minutes.
    let hard = problems("fforum-40-59.obf")[15].position;
    for threads in [1, 2] {
        let stop = Control::default();
        let mut solver = solver(threads, Technique::best());
        thread::scope(|scope| {
            let solving = scope.spawn(|| {
                let solution = solver.solve(&hard, SolveGoal::Score, &stop);
                (solution, Instant::now())
            });
            thread::sleep(Duration::from_millis(200));
            let stopped = Instant::now();
            stop.stop();
            let (solution, ended) = solving.join().unwrap();
            assert_eq!(solution, None);
            assert!(ended - stopped < Duration::from_secs(10), "took {:?}", ended - stopped);
        });
        let easy = sample(8, 1).next().unwrap();
        assert_eq!(
            solve(&mut solver, &easy, SolveGoal::Score).score,
            full_width(&easy),
            "nothing false was stored"
        );
    }
}

#[test]
fn fforum_1_to_19_have_the_known_scores() {
    let mut solver = solver(1, Technique::best());
    for (number, problem) in (1..).zip(problems("fforum-1-19.obf")) {
        check_problem(&mut solver, number, &problem);
        for solution in solver.solve_moves(&problem.position, &Control::default()).unwrap() {
            let listed = problem.scores.iter().find(|(mv, _)| Some(*mv) == solution.best);
            assert_eq!(listed.map(|&(_, score)| score), Some(solution.score), "number {number}");
        }
    }
}

#[test]
#[ignore = "minutes"]
fn fforum_20_to_39_have_the_known_scores() {
    let mut solver = solver(2, Technique::best());
    for (number, problem) in (20..).zip(problems("fforum-20-39.obf")) {
        check_problem(&mut solver, number, &problem);
    }
}

#[test]
#[ignore = "minutes"]
fn fforum_40_to_49_have_the_known_scores() {
    let mut solver = solver(2, Technique::best());
    for (number, problem) in (40..50).zip(problems("fforum-40-59.obf")) {
        check_problem(&mut solver, number, &problem);
    }
}

#[test]
#[ignore = "minutes"]
fn hard_positions_with_20_empty_squares_have_the_known_scores() {
    let mut solver = solver(2, Technique::best());
    for (number, problem) in (1..).zip(problems("hard-20.obf")) {
        check_problem(&mut solver, number, &problem);
    }
}

#[test]
#[ignore = "an hour"]
fn hard_positions_with_25_empty_squares_have_the_known_scores() {
    let mut solver = solver(2, Technique::best());
    for (number, problem) in (1..).zip(problems("hard-25.obf")) {
        check_problem(&mut solver, number, &problem);
    }
}

/// S5, appendix D: exact and win/loss searches that took minutes in 1994.
#[test]
fn positions_of_1994_have_the_scores_of_their_marks() {
    let mut solver = solver(1, Technique::best());
    for (number, problem) in (1..).zip(problems("buro1994-endgames.obf")) {
        check_problem(&mut solver, number, &problem);
        solver.clear();
        let nodes = solve(&mut solver, &problem.position, SolveGoal::Score).nodes;
        assert!(nodes < 20_000_000, "number {number} took {nodes} nodes: more than a second on one thread");
        assert!(
            solve(&mut solver, &problem.position, SolveGoal::Outcome).score > 0,
            "number {number} is won"
        );
    }
}
