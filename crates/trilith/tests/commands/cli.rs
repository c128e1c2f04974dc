//! The program as a person or a script calls it: answers, exit codes, a game in the terminal.

use serde_json::Value;

use crate::program::{text, trilith, trilith_with};

fn answer(arguments: &[&str]) -> String {
    text(&trilith(arguments))
}

/// Exit code and message.
fn fault(arguments: &[&str]) -> (Option<i32>, String) {
    let output = trilith(arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const OTHELLO_START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_last_line_of_perft_is_the_number() {
    for (arguments, number) in [
        (vec!["perft", "othello", "--depth", "7"], "55092"),
        (vec!["perft", "morris", "--depth", "4", "--rules", "thesis", "--divide"], "255024"),
        (vec!["perft", "abalone", "--depth", "3", "--layout", "belgian-daisy"], "149322"),
        (vec!["perft", "abalone", "--depth", "0"], "1"),
        // The board begins with hyphens.
        (vec!["perft", "othello", "--depth", "1", "--position", OTHELLO_START], "4"),
    ] {
        assert_eq!(answer(&arguments).lines().last(), Some(number), "{arguments:?}");
    }
    let json: Value = serde_json::from_str(&answer(&["perft", "othello", "--depth", "5", "--json"])).unwrap();
    assert_eq!(
        (&json["leaves"], &json["depth"], &json["game"]),
        (&1396.into(), &5.into(), &"othello".into())
    );
}

#[test]
fn wrong_input_is_named_and_exits_with_2() {
    for (arguments, expected) in [
        (vec!["perft", "otello", "--depth", "1"], "expected `othello`?"),
        (vec!["perft", "morris", "--depth", "1", "--rules", "flyin=off"], "expected `flying`?"),
        (vec!["perft", "othello", "--depth", "1", "--position", "XX"], "position, column 3"),
        (vec!["perft", "othello", "--depth", "1", "--layout", "standard"], "unknown rule `layout`"),
        (vec!["analyse", "othello", "--moves", "f5a1", "--depth", "1"], "ply 2: `a1` is not legal here"),
        (vec!["play", "morris", "--black", "engin"], "expected `engine`?"),
        (vec!["bench", "rool"], "unknown benchmark `rool`"),
    ] {
        let (code, message) = fault(&arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert_eq!(fault(&["play", "morris", "--load", "/no/such/file"]).0, Some(1), "a file is no wrong input");
}

#[test]
fn every_command_helps_with_an_example() {
    let help = answer(&["--help"]);
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> = commands.map_while(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands.into_iter().filter(|&command| command != "help") {
        let help = answer(&[command, "--help"]);
        let nested = help.contains("Commands:");
        assert!(nested || help.contains("Example"), "`trilith {command} --help` shows no example");
    }
}

#[test]
fn a_game_in_the_terminal_is_undone_saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("trilith-cli-{}.txt", std::process::id()));
    let file = path.to_str().unwrap();
    let people = ["play", "othello", "--black", "human", "--white", "human"];
    let input = format!("f5\nd6\nundo\nf4\nnonsense\nsave {file}\nmoves\nquit\n");
    let output = trilith_with(&people, &input);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains(&format!("Saved to {file}.")), "{text}");
    assert!(text.contains("Not played: `nonsense`"), "{text}");
    assert!(std::fs::read_to_string(file).unwrap().contains("1. f5 f4 *"));
    let arguments = [&people[..], &["--load", file]].concat();
    let text = String::from_utf8(trilith_with(&arguments, "redo\nundo\nundo\nundo\n").stdout).unwrap();
    std::fs::remove_file(file).unwrap();
    assert!(text.contains("Nothing to redo.") && text.contains("Nothing to undo."), "{text}");
}

#[test]
fn programs_play_each_other_to_the_end() {
    let text = answer(&["play", "morris", "--white", "engine:nodes=200", "--black", "random", "--seed", "3"]);
    assert!(text.lines().last().unwrap().starts_with("The game has ended: "), "{text}");
}

#[test]
fn analysis_has_the_form_that_scripts_rely_on() {
    for game in ["othello", "morris", "abalone"] {
        let text = answer(&["analyse", game, "--depth", "3", "--lines", "2", "--explain", "--json"]);
        let json: Value = serde_json::from_str(&text).unwrap();
        for field in ["value", "unit", "bound", "depth", "seldepth", "nodes", "seconds", "pv", "lines"] {
            assert!(!json[field].is_null(), "{game}: no `{field}` in {text}");
        }
        assert_eq!((json["depth"].as_u64(), json["lines"].as_array().map(Vec::len)), (Some(3), Some(2)));
        assert!(json["explanation"]["terms"].as_array().is_some_and(|terms| !terms.is_empty()), "{text}");
    }
}

#[test]
fn artifacts_are_listed_shown_checked_and_made() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../artifacts");
    let list: Value = serde_json::from_str(&answer(&["artifacts", "list", shipped, "--json"])).unwrap();
    assert!(list.as_array().unwrap().iter().any(|row| row["kind"] == "polynomial" && row["numbers"] == 42));
    assert!(answer(&["artifacts", "verify", shipped]).ends_with("all whole\n"));
    // Large layers are kept as bytes.
    let network = format!("{shipped}/othello/nnue.safetensors.zst");
    assert!(answer(&["artifacts", "show", &network]).contains("rows [258066, 128], from -127 to 125"));

    let folder = std::env::temp_dir().join(format!("trilith-artifacts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let definition = folder.join("mine.toml");
    let layers =
        "[[layers]]\nnodes = 5\nactivation = \"tanh\"\n[[layers]]\nnodes = 1\nactivation = \"linear\"\n";
    for (game, features) in [("othello", "othilie-42"), ("morris", "morris-39"), ("abalone", "s4-11")] {
        std::fs::write(&definition, format!("game = \"{game}\"\nfeatures = \"{features}\"\n{layers}"))
            .unwrap();
        let made = folder.join(format!("{game}.safetensors"));
        let made = made.to_str().unwrap();
        answer(&["artifacts", "new", definition.to_str().unwrap(), "--out", made]);
        assert!(answer(&["artifacts", "verify", made]).starts_with("ok "), "{game}");
        assert!(answer(&["artifacts", "show", made]).contains("provenance   seed: 1"));
        let player = format!("engine:eval=network,file={made}");
        let explained = answer(&["analyse", game, "--player", &player, "--depth", "2", "--explain"]);
        assert!(explained.contains("total"), "{explained}");
        let (code, fault) = fault(&["artifacts", "new", definition.to_str().unwrap(), "--out", made]);
        assert_eq!((code, fault.contains("is there already")), (Some(2), true));
    }
    let cut = folder.join("cut.safetensors");
    let bytes = std::fs::read(folder.join("morris.safetensors")).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    let (code, fault) = fault(&["artifacts", "verify", folder.to_str().unwrap()]);
    assert_eq!((code, fault.contains("1 of 4 files refused")), (Some(2), true), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A residual network for Othello as PyTorch's state dict is written by the library `safetensors`: all weights one.
fn pytorch_file() -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    let mut add = |name: &str, kind: &str, shape: &[usize], bytes: &[u8]| {
        let offsets = [data.len(), data.len() + bytes.len()];
        data.extend_from_slice(bytes);
        let entry = serde_json::json!({"dtype": kind, "shape": shape, "data_offsets": offsets});
        header.insert(name.into(), entry);
    };
    let ones = |shape: &[usize]| 1.0_f32.to_le_bytes().repeat(shape.iter().product());
    for (name, shape) in [
        ("stem.0.weight", &[1, 3, 3, 3][..]),
        ("narrow.0.weight", &[1, 1, 1, 1]),
        ("policy.weight", &[65, 64]),
        ("policy.bias", &[65]),
        ("value.0.weight", &[1, 64]),
        ("value.0.bias", &[1]),
        ("value.2.weight", &[1, 1]),
        ("value.2.bias", &[1]),
        ("scale", &[1, 3, 1, 1]),
    ] {
        add(name, "F32", shape, &ones(shape));
    }
    for norm in ["stem.1", "narrow.1"] {
        for part in ["weight", "bias", "running_mean", "running_var"] {
            add(&format!("{norm}.{part}"), "F32", &[1], &ones(&[1]));
        }
        add(&format!("{norm}.num_batches_tracked"), "I64", &[], &7_i64.to_le_bytes());
    }
    let header = Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

#[test]
fn a_network_of_pytorchs_is_sealed_and_plays() {
    let folder = std::env::temp_dir().join(format!("trilith-seal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(path("torch.safetensors"), pytorch_file()).unwrap();
    let (torch, out) = (path("torch.safetensors"), path("net.safetensors"));
    let seal = ["artifacts", "seal", &torch, "--kind", "residual", "--game"];
    let said = answer(&[&seal[..], &["othello", "--about", "source=a test", "--out", &out]].concat());
    assert_eq!(said, format!("{out}: mcts:file= for othello\n"));
    assert!(answer(&["artifacts", "verify", &out]).starts_with("ok "));
    assert!(answer(&["artifacts", "show", &out]).contains("provenance   source: a test"));
    let player = format!("mcts:file={out},simulations=20");
    let played = answer(&["match", "othello", "--a", &player, "--b", "random", "--games", "2", "--json"]);
    let report: Value = serde_json::from_str(&played).unwrap();
    assert_eq!((&report["games"], &report["faults"]), (&2.into(), &0.into()), "{played}");
    let other = path("other.safetensors");
    let (code, fault) = fault(&[&seal[..], &["morris", "--out", &other]].concat());
    assert_eq!(code, Some(2), "{fault}");
    assert!(fault.contains("shape of tensor scale") && !folder.join("other.safetensors").exists(), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn explanations_show_what_each_cell_adds() {
    let text = answer(&[
        "analyse",
        "othello",
        "--moves",
        "f5f6e6f4",
        "--depth",
        "2",
        "--explain",
        "--player",
        "engine:eval=polynomial-e1",
    ]);
    let picture = text.split("what each cell adds").nth(1).unwrap();
    assert_eq!(picture.lines().filter(|line| line.contains('\u{b7}')).count(), 8, "{picture}");
}

#[test]
fn discordance_of_any_evaluation_over_labelled_positions() {
    let file = std::env::temp_dir().join(format!("trilith-labelled-{}.txt", std::process::id()));
    // Disc difference ranks both positions with five discs rightly.
    let ahead = "-------------------X-------XX------XO--------------------------- X 10";
    let behind = "-------------------X-------XX------XO--------------------------- O -10";
    std::fs::write(&file, format!("# test\n{ahead}\n{behind}\n")).unwrap();
    let path = file.to_str().unwrap();
    let text = answer(&["data", "discordance", path, "--eval", "discs", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json[0]["discs"], &json[0]["positions"]), (&5.into(), &2.into()));
    assert_eq!(json[0]["discordance"]["discs"], 0.0);
    std::fs::remove_file(&file).unwrap();
}
