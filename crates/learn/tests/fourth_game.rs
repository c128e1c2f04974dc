//! A game that has nothing but its rules and its own count is generated, judged, asked about and learned like the others.

#![allow(clippy::unwrap_used)]

mod noughts;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use noughts::Noughts;
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_eval::{Catalogue, Margin};
use trilith_games::{Game, contract};
use trilith_learn::data::files::load_games;
use trilith_learn::data::make::{AskRun, GenerateRun, JudgeRun, LabelRun, Until, write_rows};
use trilith_learn::data::show::{Summary, count_games};
use trilith_learn::data::{AskSettings, GenerationSettings, JudgeSettings, LabelSettings, positions};
use trilith_learn::fit::{FitData, FitRequest, FitSettings, fit_files};
use trilith_learn::run::{Config, Learner, Setup, Work, example};

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
    run.run::<Noughts, Margin>(&Until { seconds: None, stop: &GO_ON }, &mut |_| ()).unwrap()
}

#[test]
fn it_keeps_the_contract() {
    contract::check(&Noughts::default(), Seed(1), 3, 20);
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
    let played = load_games::<Noughts, Margin>(&games, &mut |_| ()).unwrap();
    let decided =
        [1000, 500, 0].map(|result| played.iter().filter(|game| game.result == result).count() as u64);
    let Summary::Games { games: count, decided: shown, cut, .. } =
        count_games::<Noughts, Margin>(&games[0], &mut |_| ()).unwrap()
    else {
        panic!("games")
    };
    assert_eq!((count, shown, cut), (700, decided, 0));
    assert!(decided.iter().all(|&count| count > 10), "{decided:?}");

    let until = Until { seconds: None, stop: &GO_ON };
    let settings = JudgeSettings { depth: 9, exact: 0, share: 1.0, seed: Seed(1) };
    let (out, workers) = (path("a.positions"), Workers::Threads(2));
    let run = JudgeRun { settings, weights: None, games: &games, out: &out, workers: &workers };
    let judged = run.run::<Noughts, Margin>(&until, &mut |_| ()).unwrap();
    let mut reader = positions::Reader::<Noughts, Margin>::open(&out, "noughts").unwrap();
    let rows: Vec<_> = std::iter::from_fn(|| reader.next_block().unwrap()).flatten().collect();
    assert_eq!(rows.len() as u64, judged);
    let lost = rows.iter().filter(|row| row.value < -10_000).count();
    assert!(lost > 50, "a search to the end finds lost positions: {lost} of {judged}");

    let program = ["sh", "-c", "head -c 10000000 /dev/zero"].map(str::to_owned);
    // So few that a pipe holds a whole batch: this program does not read.
    let settings = AskSettings { share: 0.1, further: 1, seed: Seed(1) };
    let asked = path("q.positions");
    let run = AskRun { settings, games: &games, out: &asked, program: &program };
    assert!(run.run::<Noughts, Margin>(&until, &mut |_| ()).unwrap() > 500);
    let written = write_rows::<Noughts, Margin>(&[out], &games, &path("rows.bin"), &mut |_| ()).unwrap();
    assert_eq!(std::fs::metadata(path("rows.bin")).unwrap().len(), 20 * written as u64);
    assert!(written as u64 > judged);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_it_does_not_have_is_said() {
    let folder = folder("refused");
    let games = [folder.join("a.games")];
    generate(&games[0], 20, 1);
    let settings = LabelSettings { hand: 8, beside: 1, longest: 3, seed: Seed(1), folder: None, memory: 1 };
    let run = LabelRun { settings: &settings, games: &games, out: &folder.join("a.exact"), threads: 1 };
    let fault = run.run::<Noughts, Margin>(&Until { seconds: None, stop: &GO_ON }, &mut |_| ()).unwrap_err();
    assert!(fault.to_string().starts_with("noughts: nothing proves its positions"), "{fault}");
    let (data, settings) = (FitData::Games(&games), FitSettings::default());
    let request = FitRequest { data, parent: None, settings, threads: 1 };
    let fault = fit_files::<Noughts, Margin>(&request, &mut |_| (), &mut |_| ()).err().unwrap();
    assert!(fault.to_string().starts_with("noughts: it has no pattern weights"), "{fault}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_smallest_learner_learns_it_and_players_play_with_the_file() {
    let folder = folder("outcomes");
    let text = "kind = \"outcomes\"\ngame = \"noughts\"\n[parameters]\ngames = 3000\nrate = 0.003\nyardstick_games = 10\n";
    let config = Config::parse(text).unwrap();
    let setup = Setup::new(&config, Path::new("."));
    let mut learner: Box<dyn Learner> = example::begin_for::<Noughts, Margin>(&setup).unwrap();
    let stop = AtomicBool::new(false);
    let work = Work { threads: 2, folder: &folder, stop: &stop };
    while learner.step(&work).unwrap().done < 1.0 {}
    let artifact = learner.finish(&work).unwrap();
    let file = folder.join("artifact.safetensors");
    artifact.save(&file).unwrap();
    assert!(artifact.header.provenance["strength"].ends_with("of 10 games against random"));
    let network = <Margin as Catalogue<Noughts>>::named("network", Some(&file)).unwrap();
    let game = Noughts::default();
    let after = |text: &str| game.play(&game.start(), game.parse_move(&game.start(), text).unwrap());
    assert!(
        network.value(&game, &after("b2")) < network.value(&game, &after("b1")),
        "the middle is worth more"
    );
    assert!(!stop.load(Relaxed));
    std::fs::remove_dir_all(folder).unwrap();
}
