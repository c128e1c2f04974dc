//! Every way in which a game ends: recorded games replayed, and random play that gets there by itself.

use std::collections::BTreeMap;
use std::fmt::Write;

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::abalone::{Abalone, LAYOUTS};
use trilith_games::{End, Game, MoveList, Record};

use crate::game;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/abalone/games.txt");

fn describe(end: Option<End>) -> String {
    end.map_or("none".into(), |end| {
        let winner = end.winner.map_or("nobody".into(), |colour| colour.to_string());
        format!("{winner}, {}", end.reason)
    })
}

/// Replays every block of the file from its `rules` and `moves`, and writes what came of it.
fn replay(text: &str) -> String {
    let mut replayed = String::new();
    let mut record = Record::new(Abalone::default());
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "rules" => record = Record::new(game(rest)),
            "moves" => rest.split_whitespace().for_each(|text| {
                let ply = record.len() + 1;
                record.push_text(text).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
            }),
            "end" => {
                let _ = writeln!(replayed, "end {}", describe(record.end()));
                continue;
            }
            "position" => {
                let _ = writeln!(replayed, "position {}", record.game().position_text(record.position()));
                continue;
            }
            _ => {}
        }
        replayed += line;
        replayed.push('\n');
    }
    replayed
}

#[test]
fn recorded_games_end_as_recorded() {
    let recorded = std::fs::read_to_string(GAMES).unwrap();
    let replayed = replay(&recorded);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GAMES, &replayed).unwrap();
    }
    assert_eq!(replayed, recorded);
    for end in [
        "black, six marbles ejected",
        "white, six marbles ejected",
        "nobody, repetition",
        "nobody, ply limit",
        "black, princess pushed off",
        "white, no legal move",
    ] {
        assert!(recorded.contains(&format!("\nend {end}\n")), "no recorded game ends by {end}");
    }
}

/// Random play that ejects where it can and else mostly pushes.
fn play_greedily(rules: &str, seed: Seed) -> Record<Abalone> {
    let mut record = Record::new(game(rules));
    let mut rng = seed.rng();
    let mut moves = MoveList::new();
    while record.end().is_none() {
        let (game, position) = (record.game(), record.position());
        game.moves(position, &mut moves);
        let ejecting: Vec<_> = moves.iter().filter(|mv| game.is_irreversible(position, **mv)).collect();
        let pushing: Vec<_> =
            moves.iter().filter(|mv| game.play(position, **mv).own != position.other).collect();
        let mv = match (&ejecting[..], &pushing[..]) {
            ([], []) => moves[rng.random_range(0..moves.len())],
            ([], some) if rng.random_range(0..4) > 0 => *some[rng.random_range(0..some.len())],
            ([], _) => moves[rng.random_range(0..moves.len())],
            (some, _) => *some[rng.random_range(0..some.len())],
        };
        record.push_legal(mv);
    }
    record
}

#[test]
fn greedy_random_play_ejects_six_from_every_layout() {
    for (name, _) in LAYOUTS {
        let mut ends = BTreeMap::new();
        for number in 0..20 {
            let record = play_greedily(name, Seed(7).derive(name, number));
            *ends.entry(describe(record.end())).or_insert(0) += 1;
            check_ejected(&record);
        }
        let won = |colour| ends.get(&format!("{colour}, six marbles ejected")).copied().unwrap_or(0);
        assert!(won("black") > 0 && won("white") > 0, "{name}: {ends:?}");
    }
}

/// The marbles missing from the board are those counted as ejected, and the winner has the limit.
fn check_ejected(record: &Record<Abalone>) {
    let (black, white) = record.position().ejected();
    let rows = record.position().rows();
    assert_eq!((14 - rows.white.count_ones(), 14 - rows.black.count_ones()), (black.into(), white.into()));
    let won = black.max(white) == record.game().rules().eject;
    assert_eq!(won, record.end().is_some_and(|end| end.winner.is_some()));
}

#[test]
fn uniform_random_play_ejects_one_or_two() {
    for (rules, reason) in
        [("eject=1", "one marble ejected"), ("belgian-daisy,eject=2,plies=0", "two marbles ejected")]
    {
        let game = game(rules);
        let found = (0..20).any(|number| {
            let mut record = Record::new(game.clone());
            let mut rng = Seed(8).derive(rules, number).rng();
            trilith_games::playout::play_on(&mut record, 5000, &mut rng);
            record.end().is_some_and(|end| end.reason == reason)
        });
        assert!(found, "{rules}");
    }
}
