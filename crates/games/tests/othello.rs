//! Othello against the contract of games, its published numbers and known games.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use proptest::prelude::*;
use trilith_base::Seed;
use trilith_games::othello::formats::{ggf, obf, sgf, transcript, wthor, xot};
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{self, Move, Othello, Position};
use trilith_games::{Colour, Game, Outcome, Record, contract, perft, playout};

#[test]
fn keeps_the_contract_under_both_scores() {
    for rules in ["standard", "score=discs"] {
        contract::check(&Othello::new(rules.parse().unwrap()), Seed(1), 100, 200);
    }
}

#[test]
fn positions_and_moves_are_small() {
    assert_eq!(size_of::<Position>(), 24);
    assert_eq!(size_of::<Move>(), 1);
}

/// Depths and leaves as published.
fn perft_table() -> impl Iterator<Item = (u32, u64)> {
    let lines = include_str!("data/othello/perft.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (depth, leaves) = line.split_once(' ').expect("two numbers");
        (depth.parse().expect("a depth"), leaves.parse().expect("a number"))
    })
}

#[test]
fn generic_perft_gives_the_published_numbers() {
    let game = Othello::default();
    for (depth, leaves) in perft_table().take(10) {
        assert_eq!(perft::perft(&game, &game.start(), depth), leaves, "depth {depth}");
    }
}

#[test]
fn every_technique_gives_the_published_perft_numbers() {
    for technique in Technique::available() {
        for (depth, leaves) in perft_table().take(11) {
            assert_eq!(
                othello::perft(technique, &Position::START, depth),
                leaves,
                "{technique}, depth {depth}"
            );
        }
    }
}

#[test]
#[ignore = "seconds: two thousand million leaves a technique"]
fn every_technique_gives_the_deepest_published_perft_number() {
    for technique in Technique::available() {
        for (depth, leaves) in perft_table() {
            assert_eq!(
                othello::perft(technique, &Position::START, depth),
                leaves,
                "{technique}, depth {depth}"
            );
        }
    }
}

/// Black's and White's discs at the end of each golden game.
fn golden_games() -> impl Iterator<Item = (Record<Othello>, i32, i32)> {
    let lines = include_str!("data/othello/games.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<_> = line.split(' ').collect();
        let record = transcript::parse_transcript(&Othello::default(), words[0]).expect("a legal game");
        (record, words[1].parse().expect("discs"), words[2].parse().expect("discs"))
    })
}

#[test]
fn golden_games_end_as_noted() {
    let (wof, discs) = (Othello::default(), Othello::new("score=discs".parse().unwrap()));
    let mut early = 0;
    for (record, black, white) in golden_games() {
        let position = record.position();
        let end = record.end().expect("a complete game");
        assert_eq!(wof.status(position), format!("black {black}, white {white}"));
        let sign = if position.to_move == Colour::Black { 1 } else { -1 };
        let plain = sign * (black - white);
        assert_eq!(discs.margin(position), plain);
        let empties = 64 - black - white;
        early += i32::from(empties > 0);
        assert_eq!(wof.margin(position), plain + plain.signum() * empties);
        assert_eq!(wof.outcome(position), Some(Outcome::of(plain)));
        let winner =
            [Some(Colour::White), None, Some(Colour::Black)][((black - white).signum() + 1) as usize];
        assert_eq!(end.winner, winner);
    }
    assert!(early >= 3, "games that end with empty squares show the difference");
}

#[test]
fn a_margin_before_the_end_is_the_difference_of_discs() {
    let game = Othello::default();
    let record = transcript::parse_transcript(&game, "f5").unwrap();
    assert_eq!(game.margin(record.position()), -3);
    assert_eq!(game.outcome(record.position()), None);
}

#[test]
fn diagram_and_texts_are_for_people() {
    let game = Othello::default();
    let start = game.start();
    let expected = "  a b c d e f g h\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n4 - - - O X - - -\n\
                    5 - - - X O - - -\n6 - - - - - - - -\n7 - - - - - - - -\n8 - - - - - - - -\n";
    assert_eq!(game.diagram(&start), expected);
    assert_eq!(game.status(&start), "black 2, white 2");
    let text = "---------------------------OX------XO--------------------------- X";
    assert_eq!(game.position_text(&start), text);
    for other in [text.to_lowercase(), text.replace('-', "."), text.replace('X', "*"), text.replace(' ', "")]
    {
        assert_eq!(game.parse_position(&other), Ok(start), "{other}");
    }
}

#[test]
fn impossible_positions_are_refused_with_the_fault() {
    let game = Othello::default();
    let error = |text: &str| game.parse_position(text).unwrap_err().to_string();
    let start = game.position_text(&game.start());
    assert_eq!(
        error(&start[..64]),
        "position, column 65: found the end, expected the side to move, `X` or `O`"
    );
    assert_eq!(error(&start[..60]), "position, column 61: found the end, expected 4 more squares");
    assert_eq!(
        error(&start.replace(" X", " ?")),
        "position, column 66: found `?`, expected the side to move, `X` or `O`"
    );
    assert_eq!(
        error(&format!("{start} X")),
        "position, column 68: found `X`, expected the end of the position"
    );
    assert_eq!(
        error(&start.replacen('-', "+", 1)),
        "position, column 1: found `+`, expected `-`, `X` or `O`"
    );
    assert_eq!(
        error(&start.replace("OX-", "-X-")),
        "impossible position: d4 is empty, but games begin with discs on d4 e4 d5 e5"
    );
    assert_eq!(
        error(&start.replacen('-', "X", 1)),
        "impossible position: the disc on a1 is apart from those around the centre"
    );
    let both = Position { own: game.start().own | 1 << 27, ..game.start() };
    assert_eq!(
        game.validate(&both).unwrap_err().to_string(),
        "impossible position: discs of both colours on d4"
    );
}

#[test]
fn passes_are_forced_and_change_the_key() {
    let game = Othello::default();
    let mut passes = 0;
    for number in 0..100 {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, 200, &mut Seed(2).derive("game", number).rng());
        for (ply, mv) in record.moves().enumerate() {
            let before = record.position_after(ply).unwrap();
            if mv == Move::PASS {
                passes += 1;
                assert_eq!(game.count_moves(before), 1);
                assert_ne!(game.key(before), game.key(record.position_after(ply + 1).unwrap()));
            } else {
                assert!(game.parse_move(before, "pass").is_err());
            }
        }
    }
    assert!(passes > 20, "the sample must have passes, has {passes}");
}

/// A key is of use if different positions differ in it, whichever of its bits a table takes.
#[test]
fn keys_spread_over_all_bits() {
    let game = Othello::default();
    let mut positions = HashSet::new();
    for number in 0..4000 {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, 200, &mut Seed(7).derive("game", number).rng());
        positions.extend((0..=record.len()).filter_map(|ply| record.position_after(ply).copied()));
    }
    let keys: Vec<u64> = positions.iter().map(Position::key).collect();
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), positions.len());
    for shift in [0, 16, 32, 48] {
        let mut boxes = vec![0_u32; 1 << 16];
        keys.iter().for_each(|key| boxes[usize::from((key >> shift) as u16)] += 1);
        let mean = keys.len() as f64 / boxes.len() as f64;
        let chi: f64 = boxes.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
        let spread = (2.0 * boxes.len() as f64).sqrt();
        assert!((chi - boxes.len() as f64).abs() < 5.0 * spread, "bits from {shift}: chi square {chi}");
    }
    for bit in 0..128 {
        let flipped = |p: &Position| match bit {
            0..64 => Position { own: p.own ^ 1 << bit, ..*p },
            _ => Position { other: p.other ^ 1 << (bit - 64), ..*p },
        };
        let sample = positions.iter().take(2000);
        let changed: u32 = sample.map(|p| (p.key() ^ flipped(p).key()).count_ones()).sum();
        let mean = f64::from(changed) / 2000.0;
        assert!((mean - 32.0).abs() < 1.0, "bit {bit} of the boards changes {mean} bits of the key");
    }
}

/// S3, section 3.2 (4 million games): mean 60.42 plies; table 1: Black scores 47.92 % of 10 000 games, sigma 0.57.
fn statistics_are_those_of_the_study(games: u64) -> othello::GameStatistics {
    let found = othello::statistics(Technique::best(), &Position::START, 0..games, Seed(1));
    assert_eq!(found.games, games);
    assert!((found.mean_plies() - 60.42).abs() < 0.03, "{found:?}");
    assert!((found.black_score() - 0.4792).abs() < 0.015, "{found:?}");
    assert!(found.shortest >= 9 && found.longest <= 75 && found.first_pass >= Some(9), "{found:?}");
    found
}

#[test]
fn random_games_are_as_in_the_study() {
    statistics_are_those_of_the_study(100_000);
}

#[test]
#[ignore = "seconds: four million games"]
fn four_million_random_games_are_as_in_the_study() {
    let found = statistics_are_those_of_the_study(4_000_000);
    println!("{found:?}, mean {:.3}, black {:.3} %", found.mean_plies(), 100.0 * found.black_score());
    // The study's shortest game had 10 plies; the shortest there is has 9.
    assert!(found.shortest <= 10 && found.first_pass == Some(9));
}

/// One golden game in each text format, to be damaged.
fn samples() -> Vec<String> {
    let sheets: Vec<_> = golden_games()
        .map(|(record, ..)| othello::formats::Sheet {
            tags: vec![("PB".into(), "a]b".into())],
            record,
            comments: Vec::new(),
        })
        .collect();
    let transcripts: Vec<_> = sheets.iter().map(|sheet| transcript::transcript_text(&sheet.record)).collect();
    let problems = include_str!("data/othello/fforum-1-19.obf");
    vec![ggf::ggf_text(&sheets), sgf::sgf_text(&sheets), transcripts.join("\n"), problems.into()]
}

proptest! {
    #[test]
    fn readers_never_panic_on_damaged_texts(
        which in 0..4_usize, at in any::<prop::sample::Index>(), length in 0..20_usize, instead in "\\PC{0,6}|[()\\[\\];:%/\n-]{0,6}",
    ) {
        let game = Othello::default();
        let mut text = samples().swap_remove(which);
        let at = at.index(text.len());
        text.replace_range(at..(at + length).min(text.len()), &instead);
        let _ = ggf::parse_ggf(&game, &text);
        let _ = sgf::parse_sgf(&game, &text);
        let _ = transcript::parse_transcript(&game, &text);
        let _ = xot::parse_xot(&game, &text);
        let _ = obf::parse_obf(&game, &text);
        let _ = wthor::parse_wtb(&game, text.as_bytes());
        let _ = wthor::parse_players(text.as_bytes());
        let _ = game.parse_position(&text);
    }

    #[test]
    fn readers_never_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let game = Othello::default();
        let _ = wthor::parse_wtb(&game, &bytes);
        let _ = wthor::parse_tournaments(&bytes);
        let _ = game.parse_position(&String::from_utf8_lossy(&bytes));
    }
}
