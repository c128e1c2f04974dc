//! Every learner on every game it claims: it ends in an artifact that players can use, and a run that is stopped after
//! every step and resumed on other threads learns the same to the last bit.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use trilith_arena::player::player;
use trilith_arena::{GameKit, PlayerSpec, Visitor, with_game};
use trilith_base::{Artifact, Seed};
use trilith_games::Game;
use trilith_learn::run::database::Place;
use trilith_learn::run::grid::Grid;
use trilith_learn::run::{self, Folder, KINDS, RunConfig, RunEnd, RunOptions};

/// Small settings by kind: a few seconds each at most.
const SETTINGS: &[(&str, &str)] = &[
    (
        "othilie",
        "experiments = 2\ngames = 6\ndepth = 2\nbatch = 2\nplies = 120\nstrength_games = 2\ntest_passes = 1\n\
         test_games = 2\ntest_sequence = true",
    ),
    (
        "risk-td",
        "games = 12\nwarm_up = 4\nbatch = 4\nplies = 100\nhidden = 4\ninputs = \"scaled\"\nphases = [3]\n\
         rates = \"coherent\"\nyardstick = \"random\"\nyardstick_games = 2\nyardstick_every = 4\nfinal_games = 2",
    ),
    (
        "teaching",
        "games = 9\nbatch = 3\ndepth = 1\nplies = 80\nhidden = [4]\nkappa = 0.01\nmomentum = 0.5\n\
         averaged_from = 3\nyardstick_games = 2\nfinal_games = 2",
    ),
    (
        "logistello",
        "generate = 60\ngenerate_depth = 1\ngenerate_exact = 6\nstrength_games = 2\nstrength_nodes = 50",
    ),
    ("outcomes", "games = 30\nbatch = 10\nyardstick_games = 2"),
    (
        "production",
        "generations = 2\ngames = 40\nbatch = 16\nrandom_least = 6\nrandom_most = 30\ndepth = 1\nexact = 6\n\
         longest = 60\njudge_depth = 1\njudge_share = 0.3\niterations = 4\nepochs = 2\ncalibration = 8\ncalibration_depth = 3\nmatch_nodes = 60\n\
         match_games = 12\nmatch_batch = 4\nsprt = \"0,200,0.3,0.3\"",
    ),
];

/// Learners of S3 with tests of their own, in `crates/trilith/tests/commands/train_reversi.rs`.
const ELSEWHERE: &[&str] = &["tabular", "table-fit", "deep-value"];

/// How a learned file is played with.
fn spec(game: &str, artifact: &Artifact, file: &Path) -> PlayerSpec {
    let eval = match (artifact.header.kind.as_str(), game) {
        ("polynomial", _) => "polynomial",
        ("combination", _) => "combination",
        ("patterns", _) => "patterns",
        _ => "network",
    };
    format!("minimax:depth=1,eval={eval},file={}", file.display()).parse().unwrap()
}

struct Playable<'a>(&'a PlayerSpec);

impl Visitor for Playable<'_> {
    type Output = bool;

    fn visit<G: Game, C: GameKit<G>>(self) -> bool {
        player::<G, C>(self.0, Seed(1)).is_ok()
    }
}

fn train(config: &RunConfig, folder: &Path, threads: usize, pause_after: Option<u64>) -> RunEnd {
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        folder,
        base: Path::new("."),
        resume: true,
        threads: Some(threads),
        revision: "test",
        stop: &stop,
    };
    let mut steps = 0;
    run::train(config, &options, |_| {
        steps += 1;
        stop.store(Some(steps) == pause_after, Relaxed);
    })
    .unwrap()
}

fn check(kind: &str, game: &str, parameters: &str) {
    let text = format!("kind = \"{kind}\"\ngame = \"{game}\"\nseed = 3\n[parameters]\n{parameters}\n");
    let config = RunConfig::parse(&text).unwrap();
    let base = std::env::temp_dir().join(format!("trilith-learners-{kind}-{game}-{}", std::process::id()));
    let folders: Vec<PathBuf> = ["calm", "paused"].map(|name| base.join(name)).into();
    let RunEnd::Finished(artifact) = train(&config, &folders[0], 1, None) else {
        panic!("nobody stopped it")
    };
    let mut pauses = 0;
    while let RunEnd::Stopped = train(&config, &folders[1], 2, Some(1)) {
        pauses += 1;
    }
    assert!(pauses >= 2, "{kind} {game}: {pauses} pauses");
    let names =
        fs::read_dir(&folders[0]).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let compared: Vec<String> =
        names.filter(|name| name == Folder::ARTIFACT || name.ends_with(".csv")).collect();
    assert!(compared.len() >= 2, "{kind} {game}: artifact and curves, {compared:?}");
    for name in compared {
        let read = |folder: &PathBuf| fs::read(folder.join(&name)).unwrap();
        assert!(
            read(&folders[0]) == read(&folders[1]),
            "{kind} {game}: {name} differs after {pauses} pauses"
        );
    }
    let provenance = &artifact.header.provenance;
    assert_eq!((artifact.header.game.as_str(), provenance["seed"].as_str()), (game, "3"));
    assert!(provenance["config"].contains(&format!("kind = \"{kind}\"")), "{kind} {game}");
    assert!(provenance.keys().any(|key| key.starts_with("strength")), "{kind} {game}: {provenance:?}");
    let spec = spec(game, &artifact, &folders[0].join(Folder::ARTIFACT));
    assert!(with_game(game, Playable(&spec)).unwrap(), "{kind} {game}: {spec}");
    fs::remove_dir_all(base).unwrap();
}

/// A network that takes minutes for one game lets itself be stopped while it plays, learns or is measured, and loses nothing
/// that a checkpoint has.
#[test]
#[ignore = "looks at the clock: run it on a quiet machine"]
fn a_large_network_stops_within_seconds() {
    let hidden = "features = \"board-64\"\nhidden = [512, 512, 512, 512, 512, 512, 512]";
    // The first is stopped while it plays; one ply of random moves and a look ahead of one ply lets the others come to
    // learning and to measuring.
    for (name, rest, wait) in [
        ("plays", "batch = 4\ndepth = 8", 300),
        ("learns", "batch = 40\ndepth = 1\nopening = 50\nyardstick_games = 0", 700),
        (
            "is measured",
            "games = 1\nbatch = 1\ndepth = 1\nplies = 4\nyardstick = \"engine:depth=3\"\nfinal_games = 1000000",
            900,
        ),
    ] {
        let text =
            format!("kind = \"teaching\"\ngame = \"othello\"\nseed = 3\n[parameters]\n{hidden}\n{rest}\n");
        let config = RunConfig::parse(&text).unwrap();
        let base = std::env::temp_dir().join(format!("trilith-large-{}-{}", wait, std::process::id()));
        let stop = AtomicBool::new(false);
        let options = RunOptions {
            folder: &base,
            base: Path::new("."),
            resume: true,
            threads: Some(1),
            revision: "test",
            stop: &stop,
        };
        let late = std::thread::scope(|scope| {
            let told = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(wait));
                stop.store(true, Relaxed);
                Instant::now()
            });
            let ended = run::train(&config, &options, |_| ()).unwrap();
            let now = Instant::now();
            assert!(matches!(ended, RunEnd::Stopped), "{name}: it was too fast to be stopped");
            now.saturating_duration_since(told.join().unwrap())
        });
        // Two hundred evaluations take less than a second; the rest is for a busy machine.
        assert!(late < Duration::from_secs(15), "{name}: stopped after {late:?}");
        let log = fs::read_to_string(base.join("log.txt")).unwrap();
        assert!(log.lines().last().unwrap().starts_with("stopped after step"), "{name}: {log}");
        fs::remove_dir_all(base).unwrap();
    }
}

#[test]
fn every_learner_learns_every_game_it_claims() {
    let kinds = KINDS.iter().filter(|kind| !ELSEWHERE.contains(&kind.name));
    let claims: Vec<_> =
        kinds.flat_map(|kind| kind.games.iter().map(move |game| (kind.name, *game))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((kind, game)) = claims.get(next.fetch_add(1, Relaxed)) {
            let Some((_, parameters)) = SETTINGS.iter().find(|(name, _)| name == kind) else {
                panic!("no small settings for `{kind}`")
            };
            check(kind, game, parameters);
        }
    };
    std::thread::scope(|scope| [scope.spawn(work), scope.spawn(work)].map(|worker| worker.join().unwrap()));
}

/// P_0, P_1 and the last polynomial of an experiment come back; what was not kept is refused by name.
#[test]
fn every_polynomial_can_be_had_back() {
    let folder = std::env::temp_dir().join(format!("trilith-extract-{}", std::process::id()));
    let text = "kind = \"othilie\"\ngame = \"othello\"\n[parameters]\nexperiments = 2\ngames = 3\ndepth = 1\n\
                strength_games = 0\ntest_games = 1\ntest_passes = 1\ntest_random_moves = false";
    let config = RunConfig::parse(text).unwrap();
    let RunEnd::Finished(artifact) = train(&config, &folder, 1, None) else { panic!("nobody stopped it") };
    let extract = |series, number| run::extract(&folder, Place { series, number }, "test");
    let best: u32 = artifact.header.provenance["experiment"][..1].parse().unwrap();
    assert_eq!(extract(best, 3).unwrap().tensors, artifact.tensors);
    let numbers: Vec<_> =
        (0..=3).map(|number| extract(1, number).unwrap().tensors["weights"].clone()).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]), "each game moved the weights");
    let fault = extract(1, 4).unwrap_err().to_string();
    assert!(fault.contains("no weights 4 of series 1"), "{fault}");
    assert!(fault.ends_with("there are series 1 to 2, numbers 0 to 3"), "{fault}");
    fs::remove_dir_all(folder).unwrap();
}

/// S1, 4.4.1: each game's row says how far the weights moved in it, of which the weights kept show the sum.
#[test]
fn every_learning_game_of_an_experiment_has_its_row() {
    let folder = std::env::temp_dir().join(format!("trilith-rows-{}", std::process::id()));
    // Steps so small that no weight is scaled back.
    let text = "kind = \"othilie\"\ngame = \"othello\"\n[parameters]\nexperiments = 2\ngames = 3\ndepth = 1\nbatch = 2\n\
                rate = 1e-6\nstrength_games = 0\ntest_games = 1\ntest_passes = 1\ntest_random_moves = false";
    train(&RunConfig::parse(text).unwrap(), &folder, 1, None);
    let connection = run::database::open(&folder).unwrap();
    let weights =
        |series, number| run::database::kept(&connection, Place { series, number }).unwrap().unwrap();
    let table = fs::read_to_string(folder.join("games.csv")).unwrap();
    let (head, rows) = table.split_once('\n').unwrap();
    assert_eq!(head, "experiment,game,result,plies,delta,largest delta,change,largest change");
    let mut places = Vec::new();
    for row in rows.lines() {
        let numbers: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let (series, number) = (numbers[0] as u32, numbers[1] as u32);
        places.push((series, number));
        let moved =
            weights(series, number - 1).into_iter().zip(weights(series, number)).map(|(a, b)| (a - b).abs());
        let (sum, largest) = moved.fold((0.0, 0.0), |(sum, most), by| (sum + by, f64::max(most, by)));
        let (change, step) = (numbers[6], numbers[7]);
        assert!(step > 0.0 && step < change, "{row}: one step of several");
        assert!(sum > 0.0 && sum <= change * 1.001, "{row}: steps may take each other back: {sum}");
        assert!(largest <= numbers[3] * step, "{row}: no weight moved further than a step a ply: {largest}");
    }
    assert_eq!(places, [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
    fs::remove_dir_all(folder).unwrap();
}

/// Configs that come with the program are complete, known and readable.
#[test]
fn shipped_configs_can_begin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let config = match text.contains("\n[grid]\n") {
            true => Grid::parse(&text).and_then(|grid| Ok(grid.runs()?.swap_remove(0).1)),
            false => RunConfig::parse(&text),
        };
        let config = config.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let kind = run::kind(&config.kind).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(kind.games.contains(&config.game.as_str()), "{}", path.display());
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("# "), "{}: begins with what it is for", path.display());
        count += 1;
    }
    assert!(count > 6);
}

/// S1's group F in small: learned polynomials beat the searcher with random weights, where they began even with it.
#[test]
#[ignore = "slow: about a minute"]
fn polynomials_of_group_f_beat_random_weights() {
    let folder = std::env::temp_dir().join(format!("trilith-group-f-{}", std::process::id()));
    let text = "kind = \"othilie\"\ngame = \"othello\"\nseed = 1\n[parameters]\nexperiments = 3\ngames = 1500\ndepth = 3\n\
                strength_games = 0\ntest_games = 200\ntest_passes = 1\ntest_random_moves = false";
    let RunEnd::Finished(_) = train(&RunConfig::parse(text).unwrap(), &folder, 2, None) else {
        panic!("nobody stopped it")
    };
    let tests = fs::read_to_string(folder.join("tests.csv")).unwrap();
    let wins: u32 = tests
        .lines()
        .filter(|line| line.contains(",end,1,"))
        .map(|line| line.split(',').nth(4).unwrap().parse::<u32>().unwrap())
        .sum();
    assert!(wins >= 360, "{wins} of 600 games won:\n{tests}");
    fs::remove_dir_all(folder).unwrap();
}

/// The learned networks of S2 that come with the program.
#[test]
fn shipped_networks_of_morris_can_be_played_with() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/morris");
    for name in ["single", "multi"] {
        let file = folder.join(format!("{name}.safetensors"));
        let artifact = Artifact::load(&file).unwrap();
        assert!(artifact.header.provenance.contains_key("config"), "{name}");
        let spec = format!("minimax:depth=1,eval={name},file={}", file.display()).parse().unwrap();
        assert!(with_game("morris", Playable(&spec)).unwrap(), "{name}");
    }
}
