//! The rules case by case, on boards with a few marbles, and the texts of moves.

use std::collections::BTreeSet;

use trilith_games::abalone::{Abalone, Rules};
use trilith_games::{Game, MoveError, MoveList};

use crate::game;

/// A game that starts with a single occupied row E and enough marbles elsewhere to be allowed.
fn row_e(row: &str) -> Abalone {
    game(&format!("layout=4w/6/7/8/{row}/8/7/6/b4,eject=1"))
}

fn texts(game: &Abalone) -> BTreeSet<String> {
    let mut moves = MoveList::new();
    game.moves(&game.start(), &mut moves);
    moves.into_iter().map(|mv| game.move_text(mv)).collect()
}

/// Row E after `mv` from the start, and how many Black has ejected.
fn after(game: &Abalone, mv: &str) -> (String, u8) {
    let start = game.start();
    let position = game.play(&start, game.parse_move(&start, mv).unwrap());
    (position.rows().to_string().split('/').nth(4).unwrap().into(), position.ejected().0)
}

#[test]
fn more_push_fewer() {
    for (row, mv, result) in [
        ("bbw6", "e1e2", "1bbw5"),
        ("bbbw5", "e1e2", "1bbbw4"),
        ("bbbww4", "e1e2", "1bbbww3"),
        ("4wbb2", "e7e6", "3wbb3"),
        ("3wwbbb1", "e8e7", "2wwbbb2"),
    ] {
        assert_eq!(after(&row_e(row), mv), (result.into(), 0), "{row}");
    }
}

#[test]
fn a_push_over_the_rim_ejects_one() {
    for (row, mv, result) in
        [("6bbw", "e7e8", "7bb"), ("4bbbww", "e5e6", "5bbbw"), ("wwbbb4", "e5e4", "wbbb5")]
    {
        assert_eq!(after(&row_e(row), mv), (result.into(), 1), "{row}");
    }
}

#[test]
fn what_is_not_stronger_or_not_free_is_not_pushed() {
    for (row, mv) in [
        ("bw7", "e1e2"),
        ("bbww5", "e1e2"),
        ("bbbwww3", "e1e2"),
        ("bbbb5", "e1e2"),
        ("bbwb5", "e1e2"),
        ("bbbwwb3", "e1e2"),
        ("bbww5", "e1e2"),
        ("8b", "e9e9"),
        ("6bbb", "e7e8"),
        ("5wbw1", "e7e8"),
    ] {
        let error = row_e(row).parse_move(&row_e(row).start(), mv).unwrap_err();
        assert!(matches!(error, MoveError::Illegal { .. }), "{row} {mv}: {error}");
    }
}

#[test]
fn a_lone_marble_and_lines_of_two_and_three_move_as_listed() {
    let lone = ["a1a2", "a1b1", "a1b2"];
    assert_eq!(texts(&game("layout=4w/6/7/8/9/8/7/6/b4,eject=1")), lone.map(String::from).into());
    let three = texts(&row_e("3bbb3"));
    let beside = ["e4e5f4", "e5e6f5", "e4e6f4", "e4e5f5", "e5e6f6", "e4e6f5"];
    let below = ["e4e5d3", "e5e6d4", "e4e6d3", "e4e5d4", "e5e6d5", "e4e6d4"];
    let in_line = ["e4e5", "e5e6", "e6e7", "e6e5", "e5e4", "e4e3"];
    let single =
        ["e4f4", "e4f5", "e5f5", "e5f6", "e6f6", "e6f7", "e4d3", "e4d4", "e5d4", "e5d5", "e6d5", "e6d6"];
    let all = [&lone[..], &beside, &below, &in_line, &single].concat();
    assert_eq!(three, all.into_iter().map(String::from).collect());
}

#[test]
fn broadside_moves_go_into_empty_cells_only() {
    let game = game("layout=4w/6/7/4w3/3bb4/8/7/6/b4,eject=1");
    assert!(texts(&game).contains("e4e5f4"));
    assert!(!texts(&game).contains("e4e5f5"), "f6 is taken");
}

#[test]
fn the_princess_is_pushed_like_an_opposing_marble() {
    let start = |rows: &str| game(&format!("layout=4w/6/7/8/{rows}/8/7/6/b4,eject=1,princess=on"));
    for (row, mv, result) in
        [("2bb5", "e3e4", "3bbn3"), ("1bbb1w3", "e2e3", "2bbbnw2"), ("5wbbb", "e9e8", "3nwbbb1")]
    {
        assert_eq!(after(&start(row), mv).0, result);
    }
    for (row, mv) in [("3b5", "e4e5"), ("2bb1w3", "e3e4"), ("1bbb1ww2", "e2e3"), ("2bb1b3", "e3e4")] {
        assert!(start(row).parse_move(&start(row).start(), mv).is_err(), "{row} {mv}");
    }
}

#[test]
fn moves_are_read_in_upper_case_either_order_and_the_short_form() {
    let game = game("layout=4w/6/7/8/9/8/2bb3/6/b4,eject=1");
    let position = game.start();
    let canonical = |text| game.move_text(game.parse_move(&position, text).unwrap());
    for (text, written) in [
        ("C3C4D3", "c3c4d3"),
        ("c4c3d4", "c3c4d3"),
        ("c3c4d4", "c3c4d4"),
        ("c4c3d5", "c3c4d4"),
        ("c3c5", "c3c4"),
        ("c4c2", "c4c3"),
        ("c3d5", "c3c4d4"),
        ("c3d4", "c3d4"),
        ("c4d4", "c4d4"),
    ] {
        assert_eq!(canonical(text), written, "{text}");
    }
    let standard = Abalone::default();
    let start = standard.start();
    assert_eq!(standard.parse_move(&start, "A1D4"), standard.parse_move(&start, "a1b2"));
}

#[test]
fn a_short_form_that_fits_two_moves_is_refused_with_both() {
    let game = game("layout=4w/6/7/8/9/8/2bbb2/6/b4,eject=1");
    let error = game.parse_move(&game.start(), "c3d5").unwrap_err();
    let (text, candidates) = ("c3d5".into(), "c3c4d4 c3c5d3".into());
    assert_eq!(error, MoveError::Ambiguous { text, candidates });
}

#[test]
fn errors_name_the_place() {
    let game = Abalone::default();
    let error = |text: &str| game.parse_move(&game.start(), text).unwrap_err().to_string();
    assert_eq!(error(""), "``, column 1: expected a cell, such as `e5`");
    assert_eq!(error("a1"), "`a1`, column 3: expected a cell, such as `e5`");
    assert_eq!(error("a6b6"), "`a6b6`, column 2: expected a1 to a5");
    assert_eq!(error("a1i4"), "`a1i4`, column 4: expected i5 to i9");
    assert_eq!(error("a1b"), "`a1b`, column 4: expected b1 to b6");
    assert_eq!(error("c3c5d3e5"), "`c3c5d3e5`, column 7: expected the end of the move, two or three cells");
    assert_eq!(error("a1é1"), "`a1é1`, column 3: expected a cell, such as `e5`");
    assert!(error("e5e6").starts_with("`e5e6` is not legal here; legal: "));
    let ended = crate::game("layout=5/6/7/8/9/8/7/ww4/bw3,eject=1");
    let error = ended.parse_move(&ended.start(), "a1a2").unwrap_err().to_string();
    assert_eq!(error, "`a1a2`: the game has ended (no legal move)");
}

#[test]
fn the_board_is_shown_with_its_coordinates() {
    let game = game("belgian-daisy,princess=on");
    let expected = "\
I      w w . b b
H     w w w b b b
G    . w w . b b .
F   . . . . . . . .
E  . . . . n . . . .
D   . . . . . . . . 9
C    . b b . w w . 8
B     b b b w w w 7
A      b b . w w 6
        1 2 3 4 5
";
    assert_eq!(game.diagram(&game.start()), expected);
    assert_eq!(game.status(&game.start()), "black ejected 0, white ejected 0");
    let board = game.board();
    let at = |name| board.cell(name).map(|cell| (board.cells[cell].x, board.cells[cell].y)).unwrap();
    assert_eq!((at("e5").0, at("i5").0 - at("e1").0), (4.0, 2.0));
    let distance = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).hypot(a.1 - b.1);
    for neighbour in ["e4", "e6", "f5", "f6", "d4", "d5"] {
        assert!((distance(at("e5"), at(neighbour)) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn actions_name_the_rearmost_marble_first() {
    let game = row_e("5wbbb");
    let board = game.board();
    let action = game.action(&game.start(), game.parse_move(&game.start(), "e9e8").unwrap());
    let cells = |names: [&str; 3]| names.map(|name| board.cell(name).unwrap()).to_vec();
    assert_eq!((action.from, action.to), (cells(["e9", "e8", "e7"]), cells(["e8", "e7", "e6"])));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,40}", near in "[bwn0-9/, =]{0,60}", cells in "[a-iA-I0-9]{0,8}") {
        let game = Abalone::default();
        for text in [&text, &near, &cells] {
            let _ = game.parse_position(text);
            let _ = game.parse_move(&game.start(), text);
            let _ = format!("layout={text}").parse::<Rules>();
        }
    }
}
