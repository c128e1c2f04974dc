//! Game texts: what is written is read back, what people write is read, and faults are named with their place.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::pgn::{self, GameText, PgnResult};
use trilith_games::{Colour, Game, Record, playout};

fn read(text: &str) -> Vec<GameText<Morris>> {
    pgn::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str) -> String {
    pgn::parse::<Morris>(text).expect_err("a fault").to_string()
}

fn moves(text: &GameText<Morris>) -> String {
    let game = text.record.game();
    text.record.moves().map(|mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
}

fn tag(name: &str, value: &str) -> (String, String) {
    (name.into(), value.into())
}

fn random_game(rules: &str, number: u64, plies: usize) -> Record<Morris> {
    let mut record = Record::new(Morris::new(rules.parse().expect("rules")));
    playout::play_on(&mut record, plies, &mut Seed(5).derive("game text", number).rng());
    record
}

#[test]
fn games_are_read_back_as_written() {
    let mut all = String::new();
    let mut written = Vec::new();
    for (number, rules) in
        ["standard", "thesis", "double-mill=two,flying=off"].iter().cycle().take(60).enumerate()
    {
        let record = random_game(rules, number as u64, 10 + 5 * number);
        let tags = [tag("Date", "2024.02.29"), tag("White", r#"a "quoted" \ name"#)];
        all += &pgn::write(&record, &tags);
        all.push('\n');
        written.push((record, tags));
    }
    let games = read(&all);
    assert_eq!(games.len(), written.len());
    for (game, (record, tags)) in games.iter().zip(&written) {
        assert_eq!(game.record.game().rules(), record.game().rules());
        assert_eq!(game.record.position(), record.position());
        assert_eq!(game.record.end(), record.end());
        assert_eq!((&game.tags[..], game.result), (&tags[..], PgnResult::of(record)));
    }
    assert!(games.iter().any(|game| game.result != PgnResult::Open), "some of them have ended");
}

#[test]
fn a_whole_text() {
    let mut record = Record::new(Morris::default());
    for mv in "d6 f4 d7 b4 d5xf4".split(' ') {
        record.push_text(mv).unwrap();
    }
    let tags = [tag("Result", "1-0"), tag("Termination", "black resigns"), tag("Date", "2024.02.29")];
    let text = "[Game \"morris\"]\n[Rules \"standard\"]\n[Result \"1-0\"]\n[Termination \"black resigns\"]\n\
                [Date \"2024.02.29\"]\n\n1. d6 f4 2. d7 b4 3. d5xf4 1-0\n";
    assert_eq!(pgn::write(&record, &tags), text);
    let game = &read(text)[0];
    assert_eq!((game.result, &game.tags[..]), (PgnResult::Won(Colour::White), &tags[..]));
    assert_eq!(pgn::write(&game.record, &game.tags), text);
}

#[test]
fn a_game_may_begin_anywhere_with_either_side() {
    let game = Morris::default();
    let start = game.parse_position("3/bb1/3/w3bw/3/3/ww1 b 0 0 7").unwrap();
    let mut record = Record::from_position(game, start).unwrap();
    for mv in ["b6-b4", "g4-g1xb4"] {
        record.push_text(mv).unwrap();
    }
    let text = pgn::write(&record, &[]);
    assert_eq!(
        text,
        "[Game \"morris\"]\n[Rules \"standard\"]\n[Position \"3/bb1/3/w3bw/3/3/ww1 b 0 0 7 standard\"]\n\
         [Result \"1-0\"]\n[Termination \"two stones left\"]\n\n1... b6-b4 2. g4-g1xb4 1-0\n"
    );
    assert_eq!(read(&text)[0].record.start(), &start);
    assert_eq!(read(&text)[0].tags, []);
}

#[test]
fn what_people_write_is_read() {
    let text = "\u{feff}% an escaped line\n; a whole line { that opens nothing\n\
        1.d6 {centre (1. a1} f4!? $14 (1... b4 {a ) here} 2. d2 (2. a1 $1 ; ) not here\n b4) *) 2 ... \n\
        2. D2 B4? * 1. d6 1-0 [Event \"third\"] [Event \"again\"]";
    let games = read(text);
    let found: Vec<_> = games.iter().map(|game| (moves(game), game.result)).collect();
    assert_eq!(
        found,
        [
            ("d6 f4 d2 b4".into(), PgnResult::Open),
            ("d6".into(), PgnResult::Won(Colour::White)),
            (String::new(), PgnResult::Open)
        ]
    );
    assert_eq!(games[2].tags, [tag("Event", "third"), tag("Event", "again")]);
    assert_eq!(read(" \n; nothing").len(), 0);
}

#[test]
fn results_are_the_first_players() {
    for first in [Colour::White, Colour::Black] {
        assert_eq!(PgnResult::Won(first).text(first), "1-0");
        assert_eq!(PgnResult::read("0-1", first), Some(PgnResult::Won(!first)));
        assert_eq!(PgnResult::read("1/2-1/2", first), Some(PgnResult::Draw));
        assert_eq!(PgnResult::read("2-0", first), None);
    }
}

#[test]
fn faults_are_named_with_their_place() {
    for (text, message) in [
        ("[Game \"othello\"]", "line 1, column 1: expected a game of morris, not of `othello`"),
        ("\n [ \"x\"]", "line 2, column 4: expected the name of a tag"),
        ("[Date 2024]", "line 1, column 7: expected a value in double quotes"),
        ("[Date \"é", "line 1, column 9: expected a double quote that ends the value"),
        ("[Date \"\\n\"]", "line 1, column 8: expected `\\\\` or `\\\"`"),
        ("[Date \"x\" d6", "line 1, column 11: expected `]`"),
        ("[Rules \"flying=x\"]", "line 1: rule `flying`: `x` is not `on` or `off`"),
        ("\n[Position \"3/3 w\"]", "line 2: position, column 4: found `␠`, expected `/` and row 5"),
        (
            "[Position \"3/3/3/6/3/3/3 b 9 9\"]",
            "line 1: impossible position: white has 9 in hand, so with black to move black has 10, not 9",
        ),
        ("1. d6\n d9", "line 2, ply 2: `d9`, column 1: expected a point such as `d6`"),
        ("1. d6 {never closed", "line 1, column 7: expected a `}` that ends the comment which begins here"),
        ("1. d6 (a1 (b4", "line 1, column 11: expected a `)` that ends the variation which begins here"),
        ("1. d6 ) a1", "line 1, column 7: expected a move, a tag such as `[Game \"morris\"]` or a result"),
        ("1. d6 $x", "line 1, column 8: expected the number of an annotation glyph"),
        ("[Result \"2-0\"]", "line 1, column 1: expected the result `1-0`, `0-1`, `1/2-1/2` or `*`"),
        ("[Result \"1-0\"]\n1. d6 0-1", "line 2, column 7: expected `1-0` as in the tag of line 1"),
    ] {
        assert_eq!(error(text), message.replace('␠', " "), "{text}");
    }
}

#[test]
fn a_result_must_not_contradict_the_rules() {
    let won = "[Position \"3/bb1/3/w3bw/3/3/ww1 w 0 0\"]\n1. g4-g1xb6";
    assert_eq!(read(&format!("{won} *"))[0].result, PgnResult::Won(Colour::White));
    assert_eq!(read(won)[0].result, PgnResult::Won(Colour::White));
    let message = "expected the result `1-0` (two stones left), not `0-1`";
    assert_eq!(error(&format!("{won} 0-1")), format!("line 2, column 13: {message}"));
    assert_eq!(error(&format!("[Result \"0-1\"]{won}")), format!("line 1, column 1: {message}"));
    assert!(error(&format!("{won} d6")).contains("the game has ended (two stones left)"));
}

#[test]
fn deep_nesting_is_no_danger() {
    let depth = 200_000;
    let text = format!("1. d6 {} a1 {} f4", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(moves(&read(&text)[0]), "d6 f4");
    assert!(error(&"(".repeat(depth)).contains("column 200000:"));
}

#[test]
fn control_characters_in_a_tag_are_spaces() {
    assert_eq!(read("[Note \"a\0b\"]\n d6 *")[0].tags, [tag("Note", "a b")]);
}

proptest! {
    #[test]
    fn nothing_panics(text in r#"([\[\](){};$%"\\*. \n0-9a-gx-]|d6|a1|1-0|é|\[Rules "|Position|1/2-1/2){0,60}"#) {
        let _ = pgn::parse::<Morris>(&text);
    }

    #[test]
    fn a_cut_or_damaged_text_does_not_panic(number in 0_u64..50, cut in 0_usize..400, letter in any::<char>()) {
        let mut text = pgn::write(&random_game("standard", number, 60), &[]);
        if let Some(at) = (cut..text.len()).find(|&at| text.is_char_boundary(at)) {
            let _ = pgn::parse::<Morris>(&text[..at]);
            text.insert(at, letter);
            let _ = pgn::parse::<Morris>(&text);
        }
    }

    #[test]
    fn tags_come_back(value in "\\PC*") {
        let text = pgn::write(&Record::new(Morris::default()), &[tag("Note", &value)]);
        prop_assert_eq!(&read(&text)[0].tags, &[tag("Note", &value)]);
    }
}
