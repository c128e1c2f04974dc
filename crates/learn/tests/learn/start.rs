//! Learners that go on from a file; networks that have other shapes, learn random images and are tested twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use trilith_base::Artifact;
use trilith_learn::run::{self, Folder, RunConfig, RunEnd, RunError, RunOptions};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-start-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Trains in `base`; paths in the config begin there.
fn train(base: &Path, name: &str, kind: &str, game: &str, parameters: &str) -> Result<Artifact, RunError> {
    let text = format!("kind = \"{kind}\"\ngame = \"{game}\"\nseed = 3\n[parameters]\n{parameters}\n");
    let config = RunConfig::parse(&text).unwrap();
    let (place, stop) = (base.join(name), AtomicBool::new(false));
    let options =
        RunOptions { folder: &place, base, resume: false, threads: Some(1), revision: "test", stop: &stop };
    match run::train(&config, &options, |_| ())? {
        RunEnd::Finished(artifact) => Ok(*artifact),
        RunEnd::Stopped => panic!("nobody stopped it"),
    }
}

/// The largest difference of two files with the same tensors.
fn apart(a: &Artifact, b: &Artifact) -> f32 {
    assert_eq!(a.tensors.keys().collect::<Vec<_>>(), b.tensors.keys().collect::<Vec<_>>());
    let pairs = a.tensors.values().zip(b.tensors.values());
    let numbers = pairs.flat_map(|(a, b)| a.data.iter().zip(&b.data));
    numbers.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

const TABLE: &str = "games = 60\nyardstick_games = 0";

/// Learns, then goes on from what was learned with steps of no length: nothing may have changed.
#[test]
fn every_learner_of_networks_goes_on_from_a_file() {
    let base = folder("on");
    train(&base, "table", "tabular", "othello", TABLE).unwrap();
    let still =
        |kind: &str| if matches!(kind, "table-fit" | "deep-value") { "rate = 1e-30" } else { "rate = 0.0" };
    for (kind, game, parameters) in [
        ("table-fit", "othello", "table = \"table/table.bin\"\nepochs = 1\nyardstick_games = 0"),
        ("deep-value", "othello", "cycles = 1\nfill = 4\ngames = 4\nsample = 200\nyardstick_games = 0"),
        (
            "risk-td",
            "abalone",
            "games = 6\nwarm_up = 2\nhidden = 4\nplies = 60\nyardstick_games = 0\nfinal_games = 0\ninputs = \"scaled\"",
        ),
        (
            "teaching",
            "morris",
            "games = 6\ndepth = 1\nhidden = [4]\nplies = 60\nyardstick_games = 0\nfinal_games = 0",
        ),
    ] {
        let first = train(&base, &format!("{kind}-first"), kind, game, parameters).unwrap();
        let start = format!("{parameters}\nstart = \"{kind}-first/{}\"\n{}", Folder::ARTIFACT, still(kind));
        let second = train(&base, &format!("{kind}-second"), kind, game, &start).unwrap();
        assert!(apart(&first, &second) < 1e-4, "{kind}: {}", apart(&first, &second));
        let drawn =
            train(&base, &format!("{kind}-drawn"), kind, game, &format!("{parameters}\n{}", still(kind)));
        assert!(apart(&first, &drawn.unwrap()) > 1e-3, "{kind}: random weights are others");
        let missing =
            train(&base, "none", kind, game, &format!("{parameters}\nstart = \"none.safetensors\""));
        let fault = missing.err().unwrap().to_string();
        assert!(fault.contains("start") || fault.contains("begin"), "{kind}: {fault}");
    }
    fs::remove_dir_all(base).unwrap();
}

/// S1, 7.2.4: all experiments go on from the polynomial of a file, and only a file of one will do.
#[test]
fn othilie_goes_on_from_a_polynomial() {
    let base = folder("othilie");
    let parameters = "experiments = 2\ngames = 20\ndepth = 1\nstrength_games = 0\ntest_passes = 1\ntest_games = 2\n\
                      test_random_moves = false";
    let start = |name: &str| format!("{parameters}\nstart = \"{name}/{}\"", Folder::ARTIFACT);
    let first = train(&base, "first", "othilie", "othello", parameters).unwrap();
    let still = format!("{}\nrate = 0.0", start("first"));
    let second = train(&base, "second", "othilie", "othello", &still).unwrap();
    assert!(apart(&first, &second) < 1e-6, "{}", apart(&first, &second));
    let likeness = &second.header.provenance["likeness"];
    assert!(likeness.starts_with("Q_0 0.000, Q_20 0.000"), "both experiments begin alike: {likeness}");
    let drawn = train(&base, "drawn", "othilie", "othello", &format!("{parameters}\nrate = 0.0")).unwrap();
    assert!(apart(&first, &drawn) > 1e-3, "random weights are others");
    let learned = train(&base, "learned", "othilie", "othello", &start("first")).unwrap();
    assert!(apart(&first, &learned) > 1e-6, "it learns on");
    let network = "games = 6\nwarm_up = 2\nhidden = 4\nplies = 60\nyardstick_games = 0\nfinal_games = 0";
    train(&base, "network", "risk-td", "abalone", network).unwrap();
    let fault = train(&base, "wrong", "othilie", "othello", &start("network")).err().unwrap().to_string();
    assert!(fault.contains("parameters.start") && fault.contains("weights of a polynomial"), "{fault}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn perceptrons_have_other_shapes_and_learn_random_images() {
    let base = folder("shapes");
    // Large enough for several of the blocks that a fit reads.
    train(&base, "table", "tabular", "othello", "games = 1200\nyardstick_games = 0").unwrap();
    let fit = |name: &str, more: &str| {
        let parameters = format!("table = \"table/table.bin\"\nepochs = 2\nyardstick_games = 2\n{more}");
        train(&base, name, "table-fit", "othello", &parameters)
    };
    let shaped = fit("shaped", "hidden = [20, 10, 5]\nactivation = \"relu\"\naugmented = true").unwrap();
    let settings = &shaped.header.settings;
    let said = ["hidden", "activation", "form"].map(|key| settings[key].as_str());
    assert_eq!(said, ["20 10 5", "relu", "any"]);
    assert_eq!(shaped.tensors["layers.2.weight"].shape, [10, 20]);
    let usual = fit("usual", "").unwrap();
    assert!(!usual.header.settings.contains_key("hidden") && usual.header.settings["form"] == "canonical");
    let few = fit("few", "positions = 1000").unwrap();
    assert!(apart(&usual, &few) > 0.0, "fewer positions, other weights");
    assert!(fit("convolutional", "network = \"cnn\"\nhidden = [20]").is_err(), "it has one shape");
    assert!(fit("other", &format!("start = \"shaped/{}\"", Folder::ARTIFACT)).is_err(), "another shape");
    fs::remove_dir_all(base).unwrap();
}

/// Tables 21 to 24: weights on the way against minimax.
#[test]
fn a_second_player_tests_from_a_cycle_on() {
    let base = folder("second");
    let parameters = "cycles = 3\nfill = 4\ngames = 4\nsample = 200\nyardstick_games = 2\nyardstick_every = 1\n\
                      second = \"minimax:depth=1,eval=discs\"\nsecond_games = 4\nsecond_from = 2";
    train(&base, "run", "deep-value", "othello", parameters).unwrap();
    let curves = fs::read_to_string(base.join("run/curves.csv")).unwrap();
    let curves = run::Curves::parse(&curves);
    assert_eq!(curves.column("with black").len(), 3);
    let rates = curves.column("second with white");
    assert_eq!(rates.len(), 2, "not at the first cycle");
    assert!(rates.iter().all(|(_, rate)| (0.0..=1.0).contains(rate)));
    fs::remove_dir_all(base).unwrap();
}
