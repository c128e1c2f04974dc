//! Lasker's Morris and Morabaraba: positions in which each of their rules matters, and what may be set up.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use trilith_base::Seed;
use trilith_games::morris::{Morris, Position};
use trilith_games::{Game, MoveList, Outcome, Record, pgn, playout};

fn game(rules: &str) -> Morris {
    Morris::new(rules.parse().unwrap())
}

fn moves(game: &Morris, position: &Position) -> BTreeSet<String> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.iter().map(|&mv| game.move_text(mv)).collect()
}

/// The legal moves that begin with `step`, by what follows.
fn following(rules: &str, position: &str, step: &str) -> BTreeSet<String> {
    let game = game(rules);
    let all = moves(&game, &game.parse_position(position).unwrap());
    all.iter().filter_map(|text| text.strip_prefix(step).map(str::to_owned)).collect()
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn end(rules: &str, position: &str) -> Option<(Outcome, &'static str)> {
    let game = game(rules);
    let position = game.parse_position(position).unwrap();
    game.outcome(&position).map(|outcome| (outcome, game.reason(&position)))
}

#[test]
fn games_begin_with_their_stones_in_hand() {
    for (rules, start) in [
        ("lasker", "3/3/3/6/3/3/3 w 10 10 0 lasker"),
        ("morabaraba", "3/3/3/6/3/3/3 w 12 12 0 morabaraba"),
        ("stones=6", "3/3/3/6/3/3/3 w 6 6 0 standard,stones=6"),
    ] {
        let game = game(rules);
        assert_eq!(game.position_text(&game.start()), start);
        assert_eq!(game.parse_position(start), Ok(game.start()));
    }
    let error = game("standard").parse_position("3/3/3/6/3/3/3 w 12 12 0").unwrap_err().to_string();
    assert!(error.ends_with("expected white's stones in hand, from 0 to 9"), "{error}");
    assert_eq!(game("morabaraba").board().lines.len(), 40);
    assert_eq!(game("lasker").board().lines.len(), 32);
}

#[test]
fn stones_slide_and_close_mills_along_diagonals() {
    let corner = "w2/3/2b/6/3/bb1/bww w 0 0 0";
    assert_eq!(following("morabaraba,flying=off", corner, "a7-"), set(&["a4", "b6", "d7"]));
    assert_eq!(following("flying=off", corner, "a7-"), set(&["a4", "d7"]));
    // b4-b6 closes a7-b6-c5.
    let diagonal = "w2/3/w2/1w4/3/3/bbb w 9 9 0";
    assert_eq!(following("morabaraba", diagonal, "b6"), set(&["xa1", "xd1", "xg1"]));
    let sliding = "w2/3/w2/1w4/2w/3/bbb w 0 0 0";
    assert_eq!(following("morabaraba", sliding, "b4-b6"), set(&["xa1", "xd1", "xg1"]));
    assert_eq!(following("standard", sliding, "b4-b6"), set(&[""]));
    // Black's diagonal a1-b2-c3 is safe.
    let safe = "1wb/3/3/ww4/b2/b1w/b2 w";
    assert_eq!(following("morabaraba", &format!("{safe} 8 8 0"), "c4"), set(&["xg7"]));
    assert_eq!(following("standard", &format!("{safe} 5 5 0"), "c4"), set(&["xa1", "xb2", "xc3", "xg7"]));
}

/// A stone that slides into a corner can close two mills, one that is placed there three. It takes one stone, and from
/// the hand two by the switch.
#[test]
fn corners_have_three_lines() {
    let three = "1ww/w2/w2/w5/3/3/wbb w 5 5 0";
    assert_eq!(following("morabaraba", three, "a7"), set(&["xd1", "xg1"]));
    assert_eq!(following("morabaraba,double-mill=two", three, "a7"), set(&["xg1xd1"]));
    let sliding = "1ww/w2/w2/w5/b2/3/wbb w 0 0 0";
    for step in ["a4-a7", "d7-a7", "b6-a7"] {
        assert_eq!(following("morabaraba,double-mill=two", sliding, step), set(&["xc3", "xd1", "xg1"]));
    }
}

#[test]
fn laskers_stones_move_while_others_are_in_hand() {
    let position = "w2/3/3/6/3/b2/3 w 9 9 0";
    let found = moves(&game("lasker"), &game("lasker").parse_position(position).unwrap());
    assert_eq!(found.len(), 22 + 2);
    assert!(found.contains("a7-a4") && found.contains("a7-d7") && found.contains("a4"));
    assert!(!found.contains("a7-b6"), "no diagonals, no flying while stones are in hand");
    let mill = "w1w/1w1/3/6/3/3/bb1 w 6 6 0";
    assert_eq!(following("lasker", mill, "d6-d7"), set(&["xa1", "xd1"]));
    assert_eq!(following("lasker", mill, "d7"), set(&["xa1", "xd1"]));
    let mut record = Record::new(game("lasker"));
    for mv in ["a7", "g1", "a7-a4", "g1-g4", "a4-a7", "g4-g1", "a7-a4", "g1-g4", "a4-a7"] {
        record.push_text(mv).unwrap();
    }
    assert_eq!(record.game().position_text(record.position()), "w2/3/3/5b/3/3/3 b 9 9 7 lasker");
    record.push_text("g4-g1").unwrap();
    assert_eq!(record.end().unwrap().reason, "repetition", "the same position a third time");
}

#[test]
fn draws_of_morabaraba() {
    let full = "wbw/bwb/wbw/bwbwbw/bwb/wbw/bwb w 0 0 0";
    assert_eq!(end("morabaraba", full), Some((Outcome::Draw, "board full")));
    assert_eq!(end("morabaraba,full-board=loss", full), Some((Outcome::Loss, "board full")));
    let blocked = "wbw/b1b/3/b4b/3/b1b/wbw w 0 0 0";
    assert_eq!(end("morabaraba", blocked), Some((Outcome::Loss, "no move left")), "the board is not full");
    let three = "w1w/3/2b/6/3/bb1/b1w w 0 0 10";
    assert_eq!(end("morabaraba", three), Some((Outcome::Draw, "quiet plies")));
    assert_eq!(end("morabaraba,endgame-plies=11", three), None);
    assert_eq!(end("standard", three), None);
    let four = "w1w/3/2b/6/3/bbw/b1w w 0 0 10";
    assert_eq!(end("morabaraba", four), None, "both sides have four");
}

#[test]
fn impossible_positions_are_refused_with_their_fault() {
    for (rules, position, fault) in [
        (
            "morabaraba",
            "www/3/3/6/3/3/bbb w 10 10 0",
            "white has 3 stones on the board and 10 in hand, more than 12 together",
        ),
        (
            "morabaraba",
            "3/3/3/6/3/3/3 b 12 12 0",
            "white has 12 in hand, so with black to move black has 13, not 12",
        ),
        ("morabaraba", "www/bbb/3/6/3/3/3 w 0 0 11", "11 quiet plies, but the game is drawn after 10"),
        (
            "morabaraba",
            "w2/b2/3/6/3/3/3 w 11 11 3",
            "3 quiet plies, but there are none while stones are placed",
        ),
        (
            "lasker",
            "www/bbb/3/6/3/3/3 w 8 7 0",
            "white has 3 stones on the board and 8 in hand, more than 10 together",
        ),
        ("lasker", "w2/b2/3/6/3/3/3 w 9 9 101", "101 quiet plies, but the game is drawn after 100"),
    ] {
        let error = game(rules).parse_position(position).unwrap_err().to_string();
        assert_eq!(error, format!("impossible position: {fault}"), "{position}");
    }
    for position in ["w2/b2/3/6/3/3/3 w 9 9 3", "www/bb1/3/6/3/3/3 b 7 5 0", "ww1/b2/3/6/3/3/3 w 8 9 0"] {
        assert!(game("lasker").parse_position(position).is_ok(), "{position}");
    }
}

/// Whole random games go through their text and come back.
#[test]
fn games_are_written_and_read() {
    for rules in ["lasker", "morabaraba"] {
        for number in 0..20 {
            let mut record = Record::new(game(rules));
            playout::play_on(&mut record, 400, &mut Seed(5).derive(rules, number).rng());
            let text = pgn::write(&record, &[]);
            let read = pgn::parse::<Morris>(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read[0].record.position(), record.position());
            assert_eq!(pgn::write(&read[0].record, &read[0].tags), text);
        }
    }
}

/// A list of moves has room for 512: hill climbing over stones and hands finds nothing near it.
#[test]
fn the_most_moves_fit_into_a_list() {
    use rand::RngExt;
    use trilith_games::Colour;
    for rules in ["morabaraba", "lasker", "lasker,diagonals=on,stones=12,double-mill=two"] {
        let game = game(&format!("{rules},capture-from-mill=always"));
        let mut rng = Seed(9).rng();
        let mut most = 0;
        for number in 0..20 {
            let (mut best, mut stones) = (0, [0x7f_u32, 0x7f00]);
            for _ in 0..3000 {
                let [mut own, mut other] = stones;
                let bit = 1 << rng.random_range(0..24);
                (own, other) = (own & !bit, other & !bit);
                match rng.random_range(0..3) {
                    0 => own |= bit,
                    1 => other |= bit,
                    _ => {}
                }
                if own.count_ones().max(other.count_ones()) > 11 {
                    continue;
                }
                let text = game.position_text(&Position::moving(own, other, Colour::White));
                let text = if number % 2 == 0 { text } else { text.replace(" 0 0 0", " 1 1 0") };
                let Ok(position) = game.parse_position(&text) else { continue };
                let count = game.count_moves(&position);
                if count >= best {
                    (best, stones) = (count, [own, other]);
                }
            }
            most = most.max(best);
        }
        assert!((60..450).contains(&most), "{rules}: {most}");
    }
}
