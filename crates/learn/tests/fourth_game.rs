//! A game that has nothing but its rules and its own count is generated, judged, asked about and learned like the others.
//!
//! `cargo test -p trilith-learn --features tictactoe --test fourth_game`.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use trilith_arena::contest::{Duel, OpeningSource};
use trilith_arena::tictactoe::TicTacToe;
use trilith_base::job::Workers;
use trilith_base::{Artifact, Seed};
use trilith_eval::{Catalogue, Margin};
use trilith_games::Game;
use trilith_learn::data::files::load_games;
use trilith_learn::data::make::{AskRun, GenerateRun, JudgeRun, LabelRun, Until, write_rows};
use trilith_learn::data::show::{DataSummary, count_games};
use trilith_learn::data::{AskSettings, GenerationSettings, JudgeSettings, LabelSettings, positions};
use trilith_learn::fit::{FitData, FitRequest, FitSettings, fit_files};
use trilith_learn::run::{self, RunConfig, RunEnd, RunOptions};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-fourth-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

static GO_ON: AtomicBool = AtomicBool::new(false);

fn generate(out: &Path, games: u64, threads: usize) -> u64 {
    let (random_least, random_most, depth) = (1, 4, 2);
    let usual = GenerationSettings::default();
    let settings = GenerationSettings { random_least, random_most, depth, ..usual };
    let workers = Workers::Threads(threads);
    let run = GenerateRun { settings: &settings, weights: None, out, games, workers: &workers };
    run.run::<TicTacToe, Margin>(&Until { seconds: None, stop: &GO_ON }, &mut |_| ()).unwrap()
}

#[test]
fn its_games_are_played_judged_asked_about_and_written_as_rows() {
    let folder = folder("data");
    let path = |name: &str| folder.join(name);
    assert_eq!(generate(&path("a.games"), 20, 1), 20);
    assert_eq!(generate(&path("a.games"), 700, 2), 700);
    assert_eq!(generate(&path("calm.games"), 700, 1), 700);
    assert!(std::fs::read(path("a.games")).unwrap() == std::fs::read(path("calm.games")).unwrap());
    let games = [path("a.games")];
    let played = load_games::<TicTacToe, Margin>(&games, &mut |_| ()).unwrap();
    let decided =
        [1000, 500, 0].map(|result| played.iter().filter(|game| game.result == result).count() as u64);
    let DataSummary::Games { games: count, decided: shown, cut, .. } =
        count_games::<TicTacToe, Margin>(&games[0], &mut |_| ()).unwrap()
    else {
        panic!("games")
    };
    assert_eq!((count, shown, cut), (700, decided, 0));
    assert!(decided.iter().all(|&count| count > 10), "{decided:?}");

    let until = Until { seconds: None, stop: &GO_ON };
    let settings = JudgeSettings { depth: 9, exact: 0, share: 1.0, ..JudgeSettings::default() };
    let (out, workers) = (path("a.positions"), Workers::Threads(2));
    let run = JudgeRun { settings, weights: None, games: &games, out: &out, workers: &workers };
    let judged = run.run::<TicTacToe, Margin>(&until, &mut |_| ()).unwrap();
    let mut reader = positions::PositionReader::<TicTacToe, Margin>::open(&out, "tictactoe").unwrap();
    let rows: Vec<_> = std::iter::from_fn(|| reader.next_block().unwrap()).flatten().collect();
    assert_eq!(rows.len() as u64, judged);
    let lost = rows.iter().filter(|row| row.value < -10_000).count();
    assert!(lost > 50, "a search to the end finds lost positions: {lost} of {judged}");

    let program = ["sh", "-c", "head -c 10000000 /dev/zero"].map(str::to_owned);
    // So few that a pipe holds a whole batch: this program does not read.
    let settings = AskSettings { share: 0.1, further: 1, seed: Seed(1) };
    let asked = path("q.positions");
    let run = AskRun { settings, games: &games, out: &asked, program: &program };
    assert!(run.run::<TicTacToe, Margin>(&until, &mut |_| ()).unwrap() > 500);
    let written = write_rows::<TicTacToe, Margin>(&[out], &games, &path("rows.bin"), &mut |_| ()).unwrap();
    assert_eq!(std::fs::metadata(path("rows.bin")).unwrap().len(), 20 * written as u64);
    assert!(written as u64 > judged);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_it_does_not_have_is_said() {
    let folder = folder("refused");
    let games = [folder.join("a.games")];
    generate(&games[0], 20, 1);
    let settings =
        LabelSettings { hand: 8, beside: 1, longest: 3, traps: 0, seed: Seed(1), folder: None, memory: 1 };
    let run = LabelRun { settings: &settings, games: &games, out: &folder.join("a.exact"), threads: 1 };
    let fault =
        run.run::<TicTacToe, Margin>(&Until { seconds: None, stop: &GO_ON }, &mut |_| ()).unwrap_err();
    assert!(fault.to_string().starts_with("tictactoe: nothing proves its positions"), "{fault}");
    let (data, settings) = (FitData::Games(&games), FitSettings::default());
    let request = FitRequest { data, parent: None, settings, threads: 1 };
    let fault = fit_files::<TicTacToe, Margin>(&request, &mut |_| (), &mut |_| ()).err().unwrap();
    assert!(fault.to_string().starts_with("tictactoe: it has no pattern weights"), "{fault}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Trains a run as a config asks for it, and gives the file back.
fn train(folder: &Path, kind: &str, parameters: &str) -> Artifact {
    let config =
        RunConfig::parse(&format!("kind = \"{kind}\"\ngame = \"tictactoe\"\n[parameters]\n{parameters}"))
            .unwrap();
    let stop = AtomicBool::new(false);
    let options =
        RunOptions { folder, base: folder, resume: false, threads: Some(2), revision: "", stop: &stop };
    match run::train(&config, &options, |_| ()).unwrap() {
        RunEnd::Finished(artifact) => *artifact,
        _ => panic!("nobody has stopped it"),
    }
}

/// How well a player does in `games` games against random moves, from 0 to 1.
fn strength(spec: &str, games: u64) -> f64 {
    let duel = Duel {
        openings: OpeningSource::Random(0),
        seed: Seed(3),
        threads: 2,
        ..Duel::new("tictactoe", spec, "random", games)
    };
    let (report, _) = duel.play(&Arc::default(), |_| ()).unwrap();
    report.rate
}

#[test]
fn two_learners_learn_it_and_players_play_with_their_files() {
    let learners = [
        ("outcomes", "games = 3000\nrate = 0.003\nyardstick_games = 10"),
        (
            "risk-td",
            "games = 1500\nhidden = 8\nyardstick = \"random\"\nyardstick_games = 10\nfinal_games = 10",
        ),
    ];
    for (kind, parameters) in learners {
        let folder = folder(kind);
        let artifact = train(&folder.join("run"), kind, parameters);
        assert_eq!(artifact.header.game, "tictactoe");
        assert!(artifact.header.provenance["strength"].contains("random"), "{kind}");
        let file = folder.join("run/artifact.safetensors");
        let network = <Margin as Catalogue<TicTacToe>>::named("network", Some(&file)).unwrap();
        let game = TicTacToe::default();
        let after = |text: &str| game.play(&game.start(), game.parse_move(&game.start(), text).unwrap());
        let [middle, edge] = ["b2", "b1"].map(|text| network.value(&game, &after(text)));
        assert!(middle < edge, "{kind}: the middle is worth more, {middle} and {edge} for the opponent");
        let learned = strength(&format!("minimax:depth=1,eval=network,file={}", file.display()), 200);
        let bare = strength("minimax:depth=1,eval=margin", 200);
        assert!(learned > bare + 0.03, "{kind}: {learned} with it, {bare} without");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
