//! The variants of Morris played by the engine: a hundred games each without a fault.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::Arc;

use trilith_arena::contest::{Duel, GameReport};
use trilith_base::Seed;
use trilith_games::morris::Morris;
use trilith_games::{Game, Record};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn duel(rules: &str, a: &str, b: &str, games: u64) -> Duel {
    Duel { rules: rules.into(), seed: Seed(27), threads: 2, ..Duel::new("morris", a, b, games) }
}

/// The moves lead by the rules to the end that is reported.
fn check(rules: &str, report: &GameReport) {
    assert_eq!((&report.fault, report.cut_short), (&None, false), "{}", report.moves);
    let mut record = Record::new(Morris::new(rules.parse().unwrap()));
    for mv in report.moves.split_whitespace() {
        record.push_text(mv).unwrap();
    }
    let end = record.end().unwrap();
    assert_eq!(&end, &report.end, "{}", report.moves);
}

#[test]
fn a_hundred_games_of_each_variant_without_a_fault() {
    for rules in ["lasker", "morabaraba"] {
        let folder = Folder(std::env::temp_dir().join(format!("trilith-{rules}-{}", std::process::id())));
        let engine = |nodes: u32| format!("engine:nodes={nodes},hash=1,tables={}", folder.0.display());
        let (_, games) = duel(rules, &engine(400), &engine(100), 100).play(&Arc::default(), |_| ()).unwrap();
        assert_eq!(games.len(), 100);
        games.iter().for_each(|(_, report)| check(rules, report));
        let moves = |mark| games.iter().filter(|(_, report)| report.moves.contains(mark)).count();
        assert!(moves('x') > 50 && moves('-') > 50, "mills are closed and stones are moved");
    }
}

#[test]
fn the_engine_beats_chance_by_the_rules_of_each_variant() {
    for rules in ["lasker", "morabaraba"] {
        let (report, games) = duel(rules, "engine:nodes=300,hash=1,tables=off", "random", 20)
            .play(&Arc::default(), |_| ())
            .unwrap();
        games.iter().for_each(|(_, report)| check(rules, report));
        assert!(report.wins >= 19, "{rules}: {report:?}");
    }
}
