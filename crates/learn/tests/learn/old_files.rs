//! Files that earlier versions of the program wrote are read, counted and gone on with, and the games that come of the
//! same settings are still the same.
//!
//! The files in `old/` were made by the program before all games had one format:
//!
//! ```text
//! trilith data generate --depth 1 --exact 8 --random-least 20 --random-most 40 --games 40        # othello-2.games
//! trilith data generate --game morris --depth 1 --longest 40 --random-least 2 --random-most 8 --rules standard --rules thesis --games 20
//! trilith data generate --game abalone --depth 1 --longest 40 --random-least 2 --random-most 8 --still 15 --restless 100 --games 12
//! trilith data judge --games othello-2.games --weights WEIGHTS --depth 2 --exact 8              # othello-1.positions
//! ```
//!
//! and `othello-1.games` by a run of the kind `production`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;
use trilith_eval::{abalone, morris, othello};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_learn::data::files::{GamesReader, load_games, open_positions};
use trilith_learn::data::make::{GenerateRun, Until};
use trilith_learn::data::show::{DataSummary, summarise};
use trilith_learn::data::{GenerationSettings, PlayedGame, games, positions};
use trilith_learn::training::Training;

fn old(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(name)
}

fn load<G: Game, C: Training<G>>(name: &str) -> Vec<PlayedGame> {
    load_games::<G, C>(&[old(name)], &mut |note| panic!("{note}")).unwrap()
}

fn othello_settings() -> GenerationSettings {
    let (rules, depth, exact) = (vec!["standard".into()], 1, 8);
    let usual = GenerationSettings::default();
    GenerationSettings { rules, random_least: 20, random_most: 40, depth, exact, ..usual }
}

fn other_settings(rules: &[&str]) -> GenerationSettings {
    let rules = rules.iter().map(|&rules| rules.to_owned()).collect();
    let usual = GenerationSettings::default();
    GenerationSettings { rules, random_least: 2, random_most: 8, depth: 1, longest: 40, ..usual }
}

/// Plays what an old file has and compares; old files of Morris and Abalone have no margins.
fn same_games<G: Game, C: Training<G>>(name: &str, settings: &GenerationSettings) {
    let then = load::<G, C>(name);
    let numbers = (0, then.len() as u64);
    let workers = Workers::Threads(2);
    let mut now = games::collect::<G, C>(settings, None, numbers, &workers, &AtomicBool::new(false)).unwrap();
    if then[0].margin.is_none() {
        now.iter_mut().for_each(|game| game.margin = None);
    }
    assert_eq!(then, now, "{name}");
}

#[test]
fn the_same_settings_still_give_the_same_games() {
    same_games::<Othello, othello::Evaluations>("othello-2.games", &othello_settings());
    same_games::<Morris, morris::Evaluations>("morris-2.games", &other_settings(&["standard", "thesis"]));
    let settings = GenerationSettings { still: 15, mobility: 100, ..other_settings(&["standard"]) };
    same_games::<Abalone, abalone::Evaluations>("abalone-2.games", &settings);
}

/// The numbers of Othello are those of a separate count of the bytes, those of the others of their unpacked text.
#[test]
fn old_files_are_counted() {
    let count = |name: &str| summarise(&old(name), &mut |note| panic!("{note}")).unwrap();
    let games = |games, positions, decided, cut| DataSummary::Games { games, positions, decided, cut };
    assert_eq!(count("othello-2.games"), games(40, 1279, [16, 1, 23], 0));
    assert_eq!(count("othello-1.games"), games(16, 486, [5, 0, 11], 0));
    assert_eq!(count("othello-1.positions").to_string(), POSITIONS);
    let DataSummary::Games { games, decided: [wins, draws, losses], cut, .. } = count("morris-2.games")
    else {
        panic!("games")
    };
    // Seven games ended before the fortieth ply; one of the others may have ended with it.
    assert_eq!((games, draws, losses, wins + cut), (20, 1, 4, 15));
    assert!((2..=3).contains(&wins), "{wins}");
    let DataSummary::Games { games, .. } = count("abalone-2.games") else { panic!("games") };
    assert_eq!(games, 12);
}

const POSITIONS: &str = "1214 judged positions, 604 with the end of a game, in 3 blocks";

#[test]
fn an_old_file_is_gone_on_with_to_the_same_bytes() {
    let folder = std::env::temp_dir().join(format!("trilith-old-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (begun, fresh) = (folder.join("begun.games"), folder.join("fresh.games"));
    std::fs::copy(old("othello-2.games"), &begun).unwrap();
    let (settings, never) = (othello_settings(), AtomicBool::new(false));
    for out in [&begun, &fresh] {
        let workers = Workers::Threads(2);
        let run = GenerateRun { settings: &settings, weights: None, out, games: 60, workers: &workers };
        let until = Until { seconds: None, stop: &never };
        let count = run.run::<Othello, othello::Evaluations>(&until, &mut |note| panic!("{note}")).unwrap();
        assert_eq!(count, 60);
    }
    assert!(std::fs::read(&begun).unwrap() == std::fs::read(&fresh).unwrap());
    let reader = GamesReader::<Othello, othello::Evaluations>::open(&begun).unwrap();
    assert_eq!(reader.settings()[0], "trilith data generate");

    let path = folder.join("a.positions");
    std::fs::copy(old("othello-1.positions"), &path).unwrap();
    let rows = |path: &Path| {
        let mut reader =
            positions::PositionReader::<Othello, othello::Evaluations>::open(path, "othello").unwrap();
        let settings = reader.settings().to_vec();
        let blocks: Vec<_> = std::iter::from_fn(|| reader.next_block().unwrap()).collect();
        (settings, blocks)
    };
    let then = rows(&path);
    let writer =
        open_positions::<Othello, othello::Evaluations>(&path, &then.0, &mut |note| panic!("{note}"))
            .unwrap();
    assert_eq!((writer.blocks(), writer.count()), (3, 1214));
    assert_eq!(rows(&path), then, "written anew in the present version");
    let (old, new) = (std::fs::metadata(old("othello-1.positions")), std::fs::metadata(&path));
    assert_ne!(old.unwrap().len(), new.unwrap().len());
    std::fs::remove_dir_all(folder).unwrap();
}
