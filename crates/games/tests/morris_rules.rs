//! Positions in which each switch of Morris matters, what may be set up and what not, and games with every ending.

#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::collections::BTreeSet;

use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::{End, Game, MoveList, Outcome, Record, pgn, playout};

fn game(rules: &str) -> Morris {
    Morris::new(rules.parse().expect("rules"))
}

/// The legal moves with `step`, such as `d7` or `g4-g1`, by what they remove.
fn removals(rules: &str, position: &str, step: &str) -> BTreeSet<String> {
    let game = game(rules);
    let position = game.parse_position(position).expect("a position");
    let mut moves = MoveList::new();
    game.moves(&position, &mut moves);
    let texts = moves.iter().map(|&mv| game.move_text(mv));
    texts.filter_map(|text| text.strip_prefix(step).map(str::to_owned)).collect()
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// White closes one mill with d7; three black stones stand in a mill, with and without a fourth beside it.
const ALL_IN_MILL: &str = "w1w/3/3/6/3/bbb/w2 w 6 6 0";
const ONE_FREE: &str = "w1w/3/3/1b4/3/bbb/w2 w 5 5 0";
/// The same with two mills closed at d7.
const DOUBLE_ALL_IN_MILL: &str = "w1w/1w1/1w1/6/3/bbb/3 w 5 5 0";
const DOUBLE_ONE_FREE: &str = "w1w/1w1/1w1/1b4/3/bbb/3 w 5 5 0";
const DOUBLE_TWO_FREE: &str = "w1w/1w1/1w1/1b3b/3/bb1/3 w 5 5 0";

#[test]
fn capture_from_mill() {
    for (capture, all_in_mill, one_free) in [
        ("never", &[""][..], &["xb4"][..]),
        ("if-all-in-mills", &["xb2", "xd2", "xf2"], &["xb4"]),
        ("always", &["xb2", "xd2", "xf2"], &["xb2", "xb4", "xd2", "xf2"]),
    ] {
        let rules = format!("capture-from-mill={capture}");
        assert_eq!(removals(&rules, ALL_IN_MILL, "d7"), set(all_in_mill), "{rules}");
        assert_eq!(removals(&rules, ONE_FREE, "d7"), set(one_free), "{rules}");
    }
}

#[test]
fn a_double_mill_takes_two_where_it_can() {
    for (capture, all_in_mill, one_free, two_free) in [
        ("never", &[""][..], &["xb4"][..], 6),
        // The first stone breaks the mill, so the second must be one of the other two: every pair.
        // With b4 gone, all are in a mill and any may follow it.
        ("if-all-in-mills", &["xb2xf2", "xb2xd2", "xf2xd2"], &["xb2xb4", "xb4xf2", "xb4xd2"], 6),
        (
            "always",
            &["xb2xf2", "xb2xd2", "xf2xd2"],
            &["xb2xb4", "xb4xf2", "xb4xd2", "xb2xf2", "xb2xd2", "xf2xd2"],
            6,
        ),
    ] {
        let rules = format!("capture-from-mill={capture},double-mill=two");
        assert_eq!(removals(&rules, DOUBLE_ALL_IN_MILL, "d7"), set(all_in_mill), "{rules}");
        assert_eq!(removals(&rules, DOUBLE_ONE_FREE, "d7"), set(one_free), "{rules}");
        assert_eq!(removals(&rules, DOUBLE_TWO_FREE, "d7").len(), two_free, "{rules}");
        let one = format!("capture-from-mill={capture}");
        assert!(removals(&one, DOUBLE_TWO_FREE, "d7").iter().all(|taken| taken.len() == 3), "{one}");
    }
}

#[test]
fn flying() {
    let position = "w1w/3/2b/6/3/bb1/b1w w 0 0 0";
    assert_eq!(removals("flying=on", position, "a7-").len(), 20);
    assert_eq!(removals("flying=off", position, "a7-"), set(&["a4", "d7"]));
    let four = "w1w/3/2b/6/3/bbw/b1w w 0 0 0";
    assert_eq!(removals("flying=on", four, "a7-"), set(&["a4", "d7"]), "four stones do not fly");
    let placing = "w1w/3/2b/6/3/bb1/2w w 6 6 0";
    assert_eq!(removals("flying=on", placing, "a7-"), set(&[]), "nor do three while others are in hand");
}

/// White's four corners of the outer ring are shut in.
const BLOCKED: &str = "wbw/3/3/b4b/3/3/wbw w 0 0 5";

fn end(rules: &str, position: &str) -> Option<(Outcome, &'static str)> {
    let game = game(rules);
    let position = game.parse_position(position).expect("a position");
    game.outcome(&position).map(|outcome| (outcome, game.reason(&position)))
}

#[test]
fn positions_end_as_the_rules_say() {
    let lost = |reason| Some((Outcome::Loss, reason));
    let drawn = Some((Outcome::Draw, "quiet plies"));
    assert_eq!(end("", BLOCKED), lost("no move left"));
    assert_eq!(end("quiet-plies=5", BLOCKED), lost("no move left"), "a lost game is not drawn");
    let three = "wbw/3/3/b4b/3/3/1bw w 0 0 5";
    assert_eq!(end("", three), None, "three stones fly");
    assert_eq!(end("", "wbw/3/3/b4b/3/3/3 w 0 0 0"), lost("two stones left"));
    assert_eq!(end("double-mill=two", "wb1/3/3/b4b/3/3/3 w 0 0 0"), lost("one stone left"));
    let going_on = "w1w/3/2b/6/3/bb1/b1w w 0 0 30";
    assert_eq!(end("quiet-plies=30", going_on), drawn);
    assert_eq!(end("quiet-plies=31", going_on), None);
    assert_eq!(end("quiet-plies=0", going_on), None);
    // Seven stones lost while placing: one on the board and one in hand cannot close a mill again.
    assert_eq!(end("capture-from-mill=always", "www/w1w/3/w3wb/3/3/3 b 0 1 0"), lost("two stones left"));
}

#[test]
fn what_people_set_up_is_allowed() {
    for position in [
        "www/3/3/6/3/3/bbb w 0 0 0",
        "www/3/3/6/3/3/bbb b 0 0 99",
        "www/www/www/bbbbbb/bbb/3/3 b 0 0",
        "www/3/3/b5/3/3/2b w 5 5 0",
    ] {
        assert!(game("").parse_position(position).is_ok(), "{position}");
    }
}

#[test]
fn impossible_positions_are_refused_with_their_fault() {
    for (rules, position, fault) in [
        (
            "",
            "www/www/www/w5/3/bbb/3 w 0 0 0",
            "white has 10 stones on the board and 0 in hand, more than 9 together",
        ),
        (
            "",
            "www/3/3/6/3/3/bbb w 7 7 0",
            "white has 3 stones on the board and 7 in hand, more than 9 together",
        ),
        ("", "3/3/3/6/3/3/3 b 9 9 0", "white has 9 in hand, so with black to move black has 10, not 9"),
        ("", "w2/3/3/6/3/3/3 w 8 9 0", "white has 8 in hand, so with white to move black has 8, not 9"),
        ("", "www/bbb/3/6/3/3/3 b 1 0 0", "white has 1 in hand, so with black to move black has 2, not 0"),
        (
            "",
            "www/bb1/3/6/3/3/3 w 0 0 0",
            "black has 2 stones left and so has lost: it cannot be white's turn",
        ),
        ("", "w2/bbb/3/6/3/3/3 w 0 0 0", "white has 1 stone left, but the game ends with 2"),
        ("", "2w/3/3/6/3/3/3 b 8 8 0", "white has 8 in hand, so with black to move black has 9, not 8"),
        ("", "w2/3/3/6/3/3/3 w 8 8 0", "black has lost 1 stone, but 1 placed by white remove at most 0"),
        ("", "bbb/w2/3/6/3/3/b2 w 5 5 0", "white has lost 3 stones, but 4 placed by black remove at most 2"),
        ("", "w2/b2/3/6/3/3/3 w 8 8 3", "3 quiet plies, but there are none while stones are placed"),
        ("", "www/bbb/3/6/3/3/3 w 0 0 101", "101 quiet plies, but the game is drawn after 100"),
    ] {
        let error = game(rules).parse_position(position).expect_err(position);
        assert_eq!(error.to_string(), format!("impossible position: {fault}"), "{position}");
    }
}

#[test]
fn random_play_reaches_every_ending() {
    let mut reasons = BTreeSet::new();
    for rules in ["standard", "thesis,flying=off,quiet-plies=30", "quiet-plies=0,flying=off,repetition=2"] {
        for number in 0..300 {
            let mut record = Record::new(game(rules));
            playout::play_on(&mut record, 2000, &mut Seed(11).derive(rules, number).rng());
            let reason = record.end().map_or("none".into(), |end| end.reason);
            reasons.insert(reason.clone());
            let last = record.pop().unwrap();
            assert_eq!(record.is_drawn_by(last), reason == "repetition", "{rules}, game {number}: {reason}");
        }
    }
    let all = ["two stones left", "no move left", "quiet plies", "repetition"];
    assert_eq!(reasons, all.into_iter().map(Cow::from).collect());
}

/// Whole games with every ending, as texts that are read and written back to the letter. `UPDATE_GOLDEN=1` plays new
/// ones.
#[test]
fn golden_games() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/morris/games.pgn");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, golden()).expect("the golden file is written");
    }
    let text = std::fs::read_to_string(path).expect("the golden file");
    let games = pgn::parse::<Morris>(&text).unwrap_or_else(|error| panic!("{error}"));
    let written: Vec<_> = games.iter().map(|game| pgn::write(&game.record, &game.tags)).collect();
    assert_eq!(written.join("\n"), text);
    let ends: Vec<End> = games.iter().map(|game| game.record.end().expect("an ended game")).collect();
    let reasons: Vec<_> = ends.iter().map(|end| &*end.reason).collect();
    assert_eq!(reasons, GOLDEN.map(|(_, reason)| reason));
    assert!(ends.iter().all(|end| end.winner.is_some() == end.reason.ends_with("left")));
}

const GOLDEN: [(&str, &str); 6] = [
    ("standard", "two stones left"),
    ("thesis", "two stones left"),
    ("standard,flying=off,double-mill=two", "no move left"),
    ("thesis,quiet-plies=20", "quiet plies"),
    ("standard,flying=off", "repetition"),
    ("thesis,flying=off", "no move left"),
];

/// For each wish the shortest of many random games.
fn golden() -> String {
    let texts = GOLDEN.map(|(rules, reason)| {
        let games = (0..3000).map(|number| {
            let mut record = Record::new(game(rules));
            playout::play_on(&mut record, 500, &mut Seed(12).derive(rules, number).rng());
            record
        });
        let fitting = games.filter(|record| record.end().is_some_and(|end| end.reason == reason));
        pgn::write(&fitting.min_by_key(Record::len).unwrap_or_else(|| panic!("{rules}: {reason}")), &[])
    });
    texts.join("\n")
}
