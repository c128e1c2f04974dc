//! Morris against a second, plain implementation: the same numbers, the same moves, the same endings.

mod naive;

use std::collections::{BTreeMap, BTreeSet};

use naive::{State, Switches};
use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::{Colour, Game, Outcome, Record, Stone, playout};

fn game(switches: &Switches) -> Morris {
    Morris::new(switches.text().parse().expect("valid switches"))
}

/// The naive state of a position, read off its picture and its status.
fn state(game: &Morris, position: &<Morris as Game>::Position) -> State {
    let mut state = State::start(&Switches::STANDARD);
    for (cell, stone) in game.board().cells.iter().zip(game.stones(position)) {
        let letter = match stone {
            Some(Stone::White) => 'w',
            Some(_) => 'b',
            None => '.',
        };
        state.put(&cell.name, letter);
    }
    let text = game.position_text(position);
    let fields: Vec<&str> = text.split(' ').collect();
    let number = |field: usize| fields[field].parse().expect("a number");
    (state.white_hand, state.black_hand, state.quiet) = (number(2), number(3), number(4));
    state.side = fields[1].chars().next().expect("a side");
    state
}

/// A move's text with its removed stones in alphabetical order.
fn sorted(text: &str) -> String {
    let mut parts = text.split('x');
    let step = parts.next().expect("a first part");
    let mut taken: Vec<&str> = parts.collect();
    taken.sort_unstable();
    [&[step], &taken[..]].concat().join("x")
}

fn legal(game: &Morris, position: &<Morris as Game>::Position) -> BTreeMap<String, <Morris as Game>::Move> {
    let mut moves = trilith_games::MoveList::new();
    game.moves(position, &mut moves);
    moves.iter().map(|&mv| (sorted(&game.move_text(mv)), mv)).collect()
}

#[test]
fn perft_from_the_empty_board_agrees() {
    let depths = |switches: &Switches| if switches.stones == 9 { 4 } else { 3 };
    for switches in Switches::all(100).into_iter().chain(Switches::variants(100)) {
        let game = game(&switches);
        for depth in 1..=depths(&switches) {
            let naive = State::start(&switches).perft(&switches, depth);
            assert_eq!(game.perft(&game.start(), depth), naive, "{} depth {depth}", switches.text());
        }
    }
}

/// The first depth at which a mill can be closed, and with Lasker's rules one at which stones have moved for long.
#[test]
fn perft_5_of_the_presets_agrees() {
    for switches in [Switches::STANDARD, Switches::LASKER, Switches::MORABARABA] {
        let game = game(&switches);
        assert_eq!(game.perft(&game.start(), 5), State::start(&switches).perft(&switches, 5));
    }
}

#[test]
fn presets_are_the_switches_of_the_naive_rules() {
    for (name, switches) in
        [("standard", Switches::STANDARD), ("lasker", Switches::LASKER), ("morabaraba", Switches::MORABARABA)]
    {
        assert_eq!(game(&switches).rules().to_string(), name);
    }
}

/// What random games have shown.
#[derive(Default)]
struct Coverage {
    double: usize,
    flights: usize,
    from_mill: usize,
    nothing: usize,
    /// Moves of stones on the board while others are in hand.
    mixed: usize,
    endings: BTreeSet<Option<&'static str>>,
    reasons: BTreeSet<&'static str>,
}

/// One random game, the same by both rules at every ply.
fn play_both(switches: &Switches, number: u64, seen: &mut Coverage) {
    let game = game(switches);
    let mut rng = Seed(3).derive("naive", number).rng();
    let mut record = Record::new(game);
    let mut naive = State::start(switches);
    loop {
        let position = *record.position();
        let ours = legal(&game, &position);
        let theirs: BTreeMap<_, _> = naive.moves(switches).into_iter().collect();
        let context = || format!("{}\n{}", game.position_text(&position), game.diagram(&position));
        assert!(ours.keys().eq(theirs.keys()), "{ours:?}\n{theirs:?}\n{}", context());
        assert_eq!(ours.len(), game.count_moves(&position), "{}", context());
        assert_eq!(ending(&game, &position), naive.ending(switches), "{}", context());
        let hands = naive.white_hand + naive.black_hand;
        seen.double += ours.keys().filter(|text| text.matches('x').count() == 2).count();
        seen.flights += usize::from(ours.len() > 40 && hands == 0);
        seen.mixed += ours.keys().filter(|text| hands > 0 && text.contains('-')).count();
        seen.endings.insert(naive.ending(switches));
        let Some(mv) = playout::random_move(&game, &position, &mut rng) else {
            seen.reasons.insert(game.reason(&position));
            break;
        };
        let text = sorted(&game.move_text(mv));
        seen.from_mill += usize::from(takes_from_mill(switches, &naive, &text));
        record.push_legal(mv);
        naive = theirs[&text].clone();
        seen.nothing += usize::from(closes_for_nothing(switches, &naive, &text));
        let after = state(&game, record.position());
        assert_eq!(after.points, naive.points, "{text} in {}", context());
        assert_eq!(
            (after.side, after.white_hand, after.black_hand, after.quiet),
            (naive.side, naive.white_hand, naive.black_hand, naive.quiet)
        );
    }
}

#[test]
fn random_games_agree_at_every_ply() {
    let mut seen = Coverage::default();
    for switches in Switches::all(30) {
        (0..100).for_each(|number| play_both(&switches, number, &mut seen));
    }
    assert_eq!(seen.endings.len(), 3, "games lost, drawn and going on");
    assert!(seen.double * seen.flights * seen.from_mill * seen.nothing > 0);
    assert_eq!(seen.mixed, 0);
}

#[test]
fn random_games_of_the_variants_agree_at_every_ply() {
    let mut seen = Coverage::default();
    for switches in Switches::variants(30) {
        (0..15).for_each(|number| play_both(&switches, number, &mut seen));
    }
    assert_eq!(seen.endings.len(), 3, "games lost, drawn and going on");
    assert!(seen.double * seen.flights * seen.from_mill * seen.nothing * seen.mixed > 0);
    assert_eq!(seen.reasons, BTreeSet::from(["quiet plies", "two stones left"]));
}

fn ending(game: &Morris, position: &<Morris as Game>::Position) -> Option<&'static str> {
    game.outcome(position).map(|outcome| match outcome {
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
        Outcome::Win => "win",
    })
}

/// Whether a removed stone stood in a mill.
fn takes_from_mill(switches: &Switches, before: &State, text: &str) -> bool {
    text.split('x').skip(1).any(|name| before.in_mill(switches, name))
}

/// Whether the move closed a mill and yet removed nothing.
fn closes_for_nothing(switches: &Switches, after: &State, text: &str) -> bool {
    !text.contains('x') && after.in_mill(switches, text.rsplit('-').next().expect("a target"))
}

/// Lines of `rules; position; leaves at depth 1, 2, ...`.
#[test]
fn the_perft_table_agrees_as_far_as_patience_goes() {
    const LEAVES: u64 = 400_000;
    let table = include_str!("../data/morris/perft.txt");
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let [rules, position, counts] = line.split("; ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let game = Morris::new(rules.parse().expect("rules"));
        let position = game.parse_position(position).expect("a position");
        let switches = Switches::all(100)
            .into_iter()
            .chain(Switches::variants(100))
            .find(|switches| Morris::new(switches.text().parse().expect("rules")).rules() == game.rules())
            .expect("rules that the plain implementation knows");
        let naive = state(&game, &position);
        for (depth, count) in (1..).zip(counts.split(' ').map(|count| count.parse::<u64>().expect("a count")))
        {
            assert_eq!(game.perft(&position, depth), count, "{line} depth {depth}");
            if count < LEAVES {
                assert_eq!(naive.perft(&switches, depth), count, "{line} depth {depth}");
            }
        }
        assert_eq!(game.to_move(&position) == Colour::White, naive.side == 'w');
    }
}
