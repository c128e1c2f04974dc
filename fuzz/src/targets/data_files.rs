//! Files of games and positions: columns as they are once unpacked, and whole files.

use std::collections::BTreeMap;
use std::sync::Mutex;

use trilith_base::Artifact;
use trilith_eval::{abalone, morris, othello};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game};
use trilith_learn::data::blocks::{BlockLayout, BlockReader};
use trilith_learn::data::positions::PositionColumns;
use trilith_learn::data::{GameColumns, LabelledPosition, PlayedGame};
use trilith_learn::training::Training;

use super::edits::{edited, file};

/// A learned file that anybody may have made: no panic, no memory that its size does not explain, and what is read is
/// written and read back the same.
pub fn artifact(bytes: &[u8]) {
    let Ok(artifact) = Artifact::parse(bytes) else { return };
    let written = artifact.bytes().expect("what was read can be written");
    assert_eq!(Artifact::parse(&written).expect("what was written can be read"), artifact);
}

fn games() -> Vec<PlayedGame> {
    let game = |number: u16| PlayedGame {
        rules: String::new(),
        random: 1,
        moves: "f5 d6 c3 d3".into(),
        values: if number == 1 { Vec::new() } else { vec![500, 480, 700] },
        result: 1000 - number,
        margin: (number != 2).then_some(number as i16),
    };
    (0..3).map(game).collect()
}

/// The columns of version 2, as text.
fn old_columns() -> Vec<Vec<u8>> {
    ["rules 1\n\n", "random 1\n1\n", "moves 1\nf5 d6\n", "values 1\n500\n", "result 1\n1000\n"]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
}

/// Files of games.
pub fn games_file(input: &[u8]) {
    let Some((&first, edits)) = input.split_first() else { return };
    if first >= 128 {
        return whole_file::<GameColumns>("x.games", Othello::NAME, &games(), edits);
    }
    let (version, columns) =
        if first % 2 == 0 { (3, GameColumns::split(&games())) } else { (2, old_columns()) };
    let Some(columns) = with_edits(columns, first / 2, edits) else { return };
    let Ok(rows) = GameColumns::join(version, &columns) else { return };
    for row in &rows {
        let _ = row.record::<Othello>();
        let _ = row.taught::<Othello, othello::Evaluations>();
    }
    let again = GameColumns::join(GameColumns::VERSION, &GameColumns::split(&rows));
    // Lines end with a carriage return or without one, and moves have any space between them.
    let plain = |row: &PlayedGame| PlayedGame {
        rules: row.rules.trim_end_matches('\r').into(),
        moves: row.plies().collect::<Vec<_>>().join(" "),
        ..row.clone()
    };
    let plain = |rows: Vec<PlayedGame>| rows.iter().map(plain).collect::<Vec<_>>();
    assert_eq!(again.map(plain), Ok(plain(rows)));
}

/// Files of positions of all games.
pub fn positions_file(input: &[u8]) {
    let Some((&first, edits)) = input.split_first() else { return };
    match first % 3 {
        0 => positions::<Othello, othello::Evaluations>(first / 3, edits),
        1 => positions::<Morris, morris::Evaluations>(first / 3, edits),
        _ => positions::<Abalone, abalone::Evaluations>(first / 3, edits),
    }
}

fn positions<G: Game, C: Training<G>>(first: u8, edits: &[u8]) {
    let game = G::new(G::Rules::default());
    let position = game.start();
    let row =
        |value| LabelledPosition { game: game.clone(), position, value, result: Some(500), margin: Some(-1) };
    let rows: Vec<_> = (0..3).map(row).collect();
    if first >= 64 {
        return whole_file::<PositionColumns<G, C>>("x.positions", G::NAME, &rows, edits);
    }
    let version = 1 + u32::from(first % 2);
    let Some(columns) = with_edits(PositionColumns::<G, C>::split(&rows), first / 2, edits) else { return };
    let Ok(rows) = PositionColumns::<G, C>::join(version, &columns) else { return };
    for row in &rows {
        assert!([Colour::Black, Colour::White].contains(&row.game.to_move(&row.position)));
        let _ = row.game.position_text(&row.position);
    }
    let again = PositionColumns::<G, C>::join(2, &PositionColumns::<G, C>::split(&rows));
    assert!(again.is_ok_and(|again| again == rows), "what was read is written and read back the same");
}

/// One of the columns edited.
fn with_edits(mut columns: Vec<Vec<u8>>, which: u8, edits: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (&second, rest) = edits.split_first()?;
    for (which, edits) in [(which, rest), (second, &rest[rest.len() / 2..])] {
        let column = usize::from(which) % columns.len();
        columns[column] = edited(&columns[column], edits);
    }
    Some(columns)
}

fn whole_file<L: BlockLayout>(name: &str, game: &str, rows: &[L::Row], edits: &[u8]) {
    // Packing costs more than reading: each file is made once.
    static MADE: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let head = format!("trilith {} {} {game}\n", L::CONTENT, L::VERSION);
    let pack = || {
        let parts = std::iter::once(head.clone().into_bytes()).chain(L::split(rows));
        parts.flat_map(|part| zstd::encode_all(&part[..], 1).expect("in memory")).collect()
    };
    let bytes = {
        let mut made = MADE.lock().expect("one thread");
        edited(made.entry(head.clone()).or_insert_with(pack), edits)
    };
    let path = file(name, &bytes);
    let Ok(mut reader) = BlockReader::<L>::open(&path, game) else { return };
    while let Ok(Some(_)) = reader.next_block() {}
    let _ = reader.cut_off();
}
