//! Tables built, checked, counted and asked.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use trilith_base::Seed;
use trilith_eval::{Known, Oracle};
use trilith_games::morris::{Morris, Position, Rules};
use trilith_games::{Game, Outcome, Record};
use trilith_tablebase::verify::{Extent, verify};
use trilith_tablebase::{
    BuildPlan, Expert, Subspace, TableMode, Tables, answer, build, choice, ensure, folder_name, line,
    placing, stats,
};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(std::env::temp_dir().join(format!("trilith-tablebase-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn game(rules: &str) -> Morris {
    Morris::new(rules.parse::<Rules>().unwrap())
}

fn verify_all(tables: &Tables, game: &Morris) {
    for table in tables.iter() {
        let result = verify(tables, game, table, Extent::Complete, 2).unwrap();
        assert_eq!((result.wrong, &result.fault), (0, &None), "{}", result.subspace);
        assert_eq!(result.checked, result.subspace.slots());
    }
}

#[test]
fn every_entry_follows_from_its_successors() {
    for rules in ["standard", "thesis", "morabaraba"] {
        let (folder, game) = (Folder::new(&format!("verify-{rules}")), game(rules));
        let tables = ensure(&folder.0, game.rules(), 7).unwrap();
        verify_all(&tables, &game);
        assert_eq!(tables.iter().count(), 3);
    }
}

#[test]
#[ignore = "minutes"]
fn every_entry_of_eight_stones_follows_from_its_successors() {
    for rules in ["standard", "thesis", "standard,flying=off", "capture-from-mill=always", "morabaraba"] {
        let (folder, game) = (Folder::new(&format!("verify-8-{rules}")), game(rules));
        verify_all(&ensure(&folder.0, game.rules(), 8).unwrap(), &game);
    }
}

/// S2, Table 3.1. What differs is explained in docs/tablebases.md.
#[test]
fn counts_of_the_thesis() {
    let (folder, game) = (Folder::new("counts"), game("thesis"));
    let tables = ensure(&folder.0, game.rules(), 8).unwrap();
    let differing =
        [("win4-4", 152, 159), ("win5-3", 577_309, 576_601), ("loss4-4", 28, 29), ("loss5-3", 10_145, 9_677)];
    let rows = stats::table_3_1(&tables);
    assert_eq!(rows.len(), 10);
    for row in rows {
        let known = differing.iter().find(|(name, ..)| *name == row.name);
        let expected =
            known.map_or((row.published, row.published), |&(_, published, ours)| (published, ours));
        assert_eq!((row.published, row.ours), expected, "{}", row.name);
    }
    let rows = stats::rows(&tables);
    assert_eq!((rows[0].classes, rows[0].draws, rows[0].max_plies), (169_626, 269, 26));
    assert!(stats::table_3_1(&Tables::open(&folder.0.join("none"), game.rules()).unwrap()).is_empty());
}

/// Figure 3.4 of S2 is a drawing; the text gives the line, and that white and black stones alternate in its code, which
/// reads the board row by row from a1. White's third stone must be d1, for the last move closes a1-d1-g1; Black's must
/// then stand between d1 and c3: on b2, d2 or f2. All three are won in five, the last two by the published line.
#[test]
fn the_example_of_the_thesis_is_won_in_five() {
    let (folder, game) = (Folder::new("example"), game("thesis"));
    let tables = ensure(&folder.0, game.rules(), 6).unwrap();
    for (row_2, is_published_line_best) in [("b2", false), ("1b1", true), ("2b", true)] {
        let text = format!("3/3/b2/2w3/w1b/{row_2}/1w1 w 0 0");
        let position = game.parse_position(&text).unwrap();
        let value = tables.value(&position).unwrap();
        assert_eq!((value.outcome, value.plies), (Outcome::Win, Some(5)), "{text}");
        assert_eq!(line(&tables, &game, &position, 100).unwrap().len(), 5);
        if !is_published_line_best {
            continue;
        }
        let mut record = Record::from_position(game, position).unwrap();
        for (played, mv) in ["c3-a4", "e3-b4", "c4-a1", "c5-a7"].into_iter().enumerate() {
            assert_eq!(
                tables.value(record.position()).unwrap().plies,
                Some(5 - played as u32),
                "{text} {mv}"
            );
            record.push_text(mv).unwrap();
        }
        let last = answer(&tables, &game, record.position()).unwrap();
        assert_eq!((last.value, last.plies), ("win", Some(1)));
        assert!(last.moves.iter().any(|mv| mv.mv.starts_with("a4-g1x") && mv.plies == Some(1)), "{last:?}");
    }
}

/// Slices on disk, more threads and no distances change nothing but the speed.
#[test]
fn the_way_of_building_does_not_matter() {
    let game = game("standard");
    let folder = Folder::new("ways");
    let plain = BuildPlan { threads: 1, ..BuildPlan::up_to(8) };
    let tight = BuildPlan { threads: 2, memory: 2 << 20, ..plain };
    build(&folder.0.join("plain"), game.rules(), &plain, |_| {}).unwrap();
    build(&folder.0.join("tight"), game.rules(), &tight, |_| {}).unwrap();
    build(&folder.0.join("wdl"), game.rules(), &BuildPlan { mode: TableMode::Wdl, ..tight }, |_| {}).unwrap();
    let open = |name: &str| Tables::open(&folder.0.join(name), game.rules()).unwrap();
    let (plain, wdl) = (open("plain"), open("wdl"));
    for table in plain.iter() {
        let name = format!("{}.distance", table.subspace());
        let read = |way: &str| fs::read(folder.0.join(way).join(&name)).unwrap();
        assert!(read("plain") == read("tight"), "{name}");
        let other = wdl.get(table.subspace()).unwrap();
        for slot in 0..table.subspace().slots() {
            let (full, short) = (table.plies(slot).unwrap(), other.plies(slot).unwrap());
            assert_eq!(short, if full == u16::MAX { full } else { full % 2 }, "{} {slot}", table.subspace());
        }
    }
    let error = build(&folder.0.join("none"), game.rules(), &BuildPlan { memory: 1 << 20, ..tight }, |_| {});
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "5-3 needs at least 2 MiB of memory, 1 MiB are allowed");
    assert!(!folder.0.join("tight/build").exists(), "slices are removed");
}

#[test]
fn damaged_and_foreign_files_are_refused_with_the_reason() {
    let (folder, game) = (Folder::new("damage"), game("thesis"));
    ensure(&folder.0, game.rules(), 6).unwrap();
    let path = folder.0.join("3-3.distance");
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Tables::open(&folder.0, game.rules()).err().unwrap().to_string()
    };
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert!(refused(&[]).contains("not a table"));
    assert!(refused(&changed(0)).contains("not a table"));
    assert!(refused(&whole[..1000]).contains("truncated: 1000 bytes, less than a header"));
    assert!(refused(&whole[..4100]).contains("truncated: 4100 bytes, less than its index"));
    let cut = refused(&whole[..whole.len() - 1]);
    assert!(cut.ends_with(&format!("truncated: {} bytes of {}", whole.len() - 1, whole.len())), "{cut}");
    assert!(refused(&[&whole[..], b"x"].concat()).ends_with("1 bytes too many"));
    assert!(refused(&changed(20)).contains("checksum differs"));
    assert!(refused(&changed(4000)).contains("corrupt"));
    assert!(refused(&changed(4100)).contains("header or index is corrupt"));
    assert!(refused(&changed(whole.len() - 1)).contains("is corrupt: its checksum differs"));
    fs::write(&path, &whole).unwrap();
    let standard = "standard".parse().unwrap();
    let foreign = Tables::open(&folder.0, &standard).err().unwrap().to_string();
    assert!(foreign.ends_with("it is for the rules `thesis`, not `standard`"), "{foreign}");
    fs::rename(&path, folder.0.join("4-3.distance")).unwrap();
    let misnamed = Tables::open(&folder.0, game.rules()).err().unwrap().to_string();
    assert!(misnamed.ends_with("it is for the subspace `3-3`, not `4-3`"), "{misnamed}");
}

/// Large tables stay packed; what is asked of them is the same.
#[test]
fn packed_and_unpacked_tables_say_the_same() {
    let (folder, game) = (Folder::new("packed"), game("standard"));
    let tables = ensure(&folder.0, game.rules(), 7).unwrap();
    for table in tables.iter() {
        let path = folder.0.join(format!("{}.distance", table.subspace()));
        let packed = trilith_tablebase::TableFile::open(&path, table.subspace(), "standard").unwrap();
        for slot in (0..table.subspace().slots()).step_by(97) {
            assert_eq!(packed.plies(slot).unwrap(), table.plies(slot).unwrap());
        }
    }
}

#[test]
fn only_positions_of_the_tables_are_known() {
    let (folder, game) = (Folder::new("known"), game("standard"));
    let tables = ensure(&folder.0, game.rules(), 6).unwrap();
    let error = tables.value(&game.start()).unwrap_err().to_string();
    assert!(error.ends_with("not for 0-0 with 18 in hand"), "{error}");
    let four = game.parse_position("www/bbb/w2/6/3/3/3 w 0 0").unwrap();
    let error = tables.value(&four).unwrap_err().to_string();
    assert!(
        error.starts_with("no table for 4-3") && error.contains("--rules standard --stones 7"),
        "{error}"
    );
    let three = game.parse_position("www/bbb/3/6/3/3/3 w 0 0").unwrap();
    assert!(Oracle::probe(&tables, &game, &three, 0).is_some());
    assert_eq!(Oracle::probe(&tables, &game, &four, 0), None);
    assert_eq!(Oracle::probe(&tables, &self::game("thesis"), &three, 0), None, "other rules");
    let lost = Position::moving(0b11, 0b111_0000, trilith_games::Colour::White);
    let known = Known { outcome: Outcome::Loss, plies: Some(0) };
    assert_eq!(Oracle::probe(&tables, &game, &lost, 0), Some(known));
}

/// Both players keep what they have, in every position of a sample, and the tricky one leaves no more safe replies.
#[test]
fn perfect_players_keep_the_value() {
    let (folder, game) = (Folder::new("players"), game("standard"));
    let expert = Expert::open(&folder.0, &game, 7).unwrap();
    let tables = expert.tables();
    let mut rng = Seed(7).rng();
    let subspace: Subspace = "4-3".parse().unwrap();
    for slot in (0..subspace.slots()).step_by(1009) {
        let (own, other) = subspace.stones_of(slot);
        let position = Position::moving(own, other, trilith_games::Colour::White);
        let value = tables.value(&position).unwrap();
        let any = choice::any_move(&expert, &game, &position, &mut rng).unwrap();
        let tricky = choice::tricky_move(&expert, &game, &position, |_| false, &mut rng).unwrap();
        let (Some(any), Some(tricky)) = (any, tricky) else {
            assert!(game.outcome(&position).is_some());
            continue;
        };
        let after = |mv| tables.value(&game.play(&position, mv)).unwrap().before();
        assert_eq!((after(any).outcome, after(tricky).outcome), (value.outcome, value.outcome));
        if value.outcome == Outcome::Win {
            assert_eq!((after(any), after(tricky)), (value, value), "wins are taken the quickest way");
        } else {
            let share = |mv| choice::safe_share(&expert, &game, &game.play(&position, mv)).unwrap();
            assert!(share(tricky) <= share(any));
        }
    }
}

/// How many classes are won, drawn and lost with diagonals, and the longest way to the end. The naive solver gives the
/// same for 3-3.
#[test]
fn counts_with_diagonals() {
    let (folder, game) = (Folder::new("diagonals"), game("morabaraba"));
    let tables = ensure(&folder.0, game.rules(), 8).unwrap();
    let rows = stats::rows(&tables).into_iter().map(|row| {
        let name = row.subspace.to_string();
        (name, [row.wins, row.draws, row.losses, row.max_plies.into()])
    });
    let expected = [
        ("3-3", [141_204, 0, 28_422, 16]),
        ("4-3", [158_379, 593_251, 8_768, 22]),
        ("3-4", [154_170, 592_976, 13_252, 23]),
        ("4-4", [178_907, 3_004_918, 41_772, 19]),
        ("5-3", [1_101_845, 1_476_298, 2_247, 26]),
        ("3-5", [78_455, 2_373_170, 128_765, 27]),
    ]
    .map(|(name, row)| (name.to_string(), row));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

/// After placing, Lasker's rules are those of nine men: the same folder, the same values.
#[test]
fn laskers_endgames_are_those_of_nine_men() {
    let (folder, standard, lasker) = (Folder::new("lasker"), game("standard"), game("lasker"));
    assert_eq!(folder_name(lasker.rules()), folder_name(standard.rules()));
    assert_eq!(folder_name(game("morabaraba").rules()), "morris-standard,diagonals=on");
    ensure(&folder.0, standard.rules(), 6).unwrap();
    let tables = Tables::open(&folder.0, lasker.rules()).unwrap();
    let position = lasker.parse_position("www/bbb/3/6/3/3/3 w 0 0").unwrap();
    assert!(Oracle::probe(&tables, &lasker, &position, 0).is_some());
    let placing = lasker.parse_position("www/bbb/3/6/3/3/3 w 1 1").unwrap();
    assert_eq!(Oracle::probe(&tables, &lasker, &placing, 0), None);
    for rules in ["lasker", "morabaraba"] {
        let error = placing::check(game(rules).rules()).unwrap_err().to_string();
        assert!(error.contains(&format!("placing by the rules `{rules}` cannot be solved")), "{error}");
    }
}

/// Ten plies without a capture end the game when a side has three stones: a search is told only what is over before.
#[test]
fn wins_that_come_too_late_are_not_told() {
    let (folder, game) = (Folder::new("late"), game("morabaraba"));
    let expert = Expert::open(&folder.0, &game, 7).unwrap();
    let endless = self::game("morabaraba,endgame-plies=0");
    let (mut told, mut kept) = (0, 0);
    let subspace: Subspace = "4-3".parse().unwrap();
    for slot in (0..subspace.slots()).step_by(211) {
        let (own, other) = subspace.stones_of(slot);
        let position = Position::moving(own, other, trilith_games::Colour::White);
        let value = expert.tables().value(&position).unwrap();
        let stands = value.plies.is_none_or(|plies| plies <= 10);
        let known = Known { outcome: value.outcome, plies: value.plies };
        assert_eq!(expert.probe(&game, &position, 9), stands.then_some(known));
        assert_eq!(expert.probe(&endless, &position, 9), Some(known));
        if game.outcome(&position).is_none() {
            assert_eq!(expert.root(&game, &position).is_some(), stands);
        }
        *(if stands { &mut told } else { &mut kept }) += 1;
    }
    assert!(told > 0 && kept > 0, "{told} {kept}");
}
