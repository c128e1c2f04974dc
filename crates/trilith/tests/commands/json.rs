//! JSON of the commands that make and show files, held against the schema of the documents.
//!
//! Matches, analyses and reviews are in `scripts.rs`, the server's commands in `serve/`, GGS in `ggs.rs`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::program::schema::{commands, hold};
use crate::program::{folder, text, trilith};
use serde_json::Value;

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        Place(folder(name))
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.at(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a command given as words, with `--json`, and holds what it prints against its schema.
fn holds(command: &str, words: &str) {
    let words: Vec<&str> = words.split_whitespace().chain(["--json"]).collect();
    let printed = text(&trilith(&words));
    assert!(!printed.trim().is_empty(), "{command} prints nothing");
    hold(command, &printed);
}

#[test]
fn books() {
    let place = Place::new("json-book");
    let (book, games) = (place.at("a.book"), place.at("g.txt"));
    text(&trilith(&["match", "othello", "--a", "random", "--b", "random", "--games", "6", "--out", &games]));
    holds("book add", &format!("book add {book} --moves f5d6c3 --result 1-0"));
    holds("book import", &format!("book import {book} {games}"));
    holds("book learn", &format!("book learn {book} --depth 1 --exact 6"));
    let grown = place.at("d.book");
    holds("book expand", &format!("book expand {grown} --plies 1 --positions 4 --depth 1 --exact 6"));
    holds("book learn", &format!("book reevaluate {book} --depth 1 --exact 6"));
    holds("book probe", &format!("book probe {book} --moves f5"));
    let positions = place.write("p.txt", "f5d6\nf5f6e6\n");
    holds("book probe", &format!("book probe {book} --positions {positions}"));
    holds("book suspicious", &format!("book suspicious {book} --margin -100"));
    holds("book correct", &format!("book correct {book} --games 1 --player random --depth 1 --exact 6"));
    holds("book trim", &format!("book trim {book} --out {}", place.at("b.book")));
    holds("book export", &format!("book export {book} --out {}", place.at("e.txt")));
    holds("book picture", &format!("book picture {book} {}", place.at("e.svg")));
    holds("book stats", &format!("book stats {book}"));
    holds("book series", &format!("book series othello --games 2 --nodes 50 --book {}", place.at("s.book")));
    let built = place.at("c.book");
    let player = "--player random --depth 1 --exact 6";
    holds("book learn", &format!("book build {built} --games 4 --batch 4 {player}"));
}

#[test]
fn tables() {
    let place = Place::new("json-tables");
    let which = format!("morris --rules thesis --folder {}", place.at("tables"));
    holds("tablebase stats", &format!("tablebase build {which} --stones 6"));
    holds("tablebase stats", &format!("tablebase stats {which} --histogram"));
    holds("tablebase verify", &format!("tablebase verify {which} --sample 100"));
    holds("tablebase sample", &format!("tablebase sample {which} --subspace 3-3 --count 2 --outcome win"));
    let one = "3/3/b2/2w3/w1b/b2/1w1 w 0 0";
    for (command, more) in [("tablebase probe", "probe"), ("tablebase line", "line")] {
        let folder = place.at("tables");
        let which = ["tablebase", more, "morris", "--rules", "thesis", "--folder", &folder];
        let words = [&which[..], &["--position", one, "--json"]].concat();
        hold(command, &text(&trilith(&words)));
    }
    let positions = place.write("p.txt", &format!("{one}\n"));
    holds("tablebase probe", &format!("tablebase probe {which} --positions {positions}"));
    let placing = place.write("q.txt", "ww1/3/3/w5/b2/1b1/3 b 0 1\n");
    holds("tablebase prove", &format!("tablebase prove {which} --positions {placing} --memory 1M"));
    let games = place.at("g.txt");
    let players = "--rules thesis --a random --b random --games 1 --plies 17";
    text(&trilith(&format!("match morris {players} --out {games}").split(' ').collect::<Vec<_>>()));
    let out = place.at("l.proved");
    holds(
        "tablebase lessons",
        &format!("tablebase lessons {which} --games {games} --out {out} --least 19 --memory 1M"),
    );
}

#[test]
fn data_fits_and_training() {
    let place = Place::new("json-data");
    let (games, judged) = (place.at("a.games"), place.at("a.positions"));
    let generate = "data generate --game morris --games 60 --depth 1 --longest 40 --out";
    holds("data generate", &format!("{generate} {games}"));
    holds("data judge", &format!("data judge --games {games} --depth 1 --share 0.2 --out {judged}"));
    holds("data rows", &format!("data rows --games {games} --out {}", place.at("rows.bin")));
    holds("data export", &format!("data export {games} --out {}", place.at("rows.npz")));
    holds("data show", &format!("data show {games}"));
    holds("data show", &format!("data show {judged}"));
    let labelled = "---------------------------OX------XO--------------------------- X";
    let labelled = place.write("l.txt", &format!("{labelled} -4\n{labelled} 6\n"));
    holds("data discordance", &format!("data discordance {labelled} --eval discs"));
    let weights = place.at("w.safetensors");
    holds("fit patterns", &format!("fit patterns --data {games} --epochs 1 --out {weights}"));
    let probcut = "fit probcut othello --eval discs --positions 300 --depth 7 --pairs 1-3,2-4";
    holds("fit probcut", &format!("{probcut} --out {}", place.at("probcut")));
    holds("train --list", "train --list");
    let run = "kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngames = 20\nyardstick_games = 2\n";
    let run = place.write("run.toml", run);
    holds("train", &format!("train {run} --folder {}", place.at("run")));
    let grid = "kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngames = 20\nyardstick_games = 0\n[grid]\nrate = [0.001, 0.002]\n";
    let grid = place.write("grid.toml", grid);
    holds("train --grid", &format!("train --grid {grid} --folder {}", place.at("grid")));
}

/// A safetensors file as another program would write it: tensors, and settings as its texts.
fn without_header(bytes: &[u8], settings: &Value) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut head: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    head["__metadata__"] = settings.clone();
    let mut head = head.to_string();
    head += &" ".repeat((8 - head.len() % 8) % 8);
    [&(head.len() as u64).to_le_bytes(), head.as_bytes(), &bytes[8 + length..]].concat()
}

#[test]
fn artifacts_studies_and_benchmarks() {
    let place = Place::new("json-artifacts");
    let definition = "game = \"morris\"\nfeatures = \"morris-39\"\nseed = 7\n[[layers]]\nnodes = 3\nactivation = \"logistic\"\n";
    let (definition, out) = (place.write("n.toml", definition), place.at("n.safetensors"));
    holds("artifacts new", &format!("artifacts new {definition} --out {out}"));
    holds("artifacts list", &format!("artifacts list {out}"));
    holds("artifacts show", &format!("artifacts show {out}"));
    holds("artifacts verify", &format!("artifacts verify {out}"));
    let damaged = place.write("d.safetensors", "nothing");
    let refused = trilith(&["artifacts", "verify", &damaged, "--json"]);
    assert_eq!(refused.status.code(), Some(2));
    hold("artifacts verify", &String::from_utf8(refused.stdout).unwrap());
    let shown = trilith(&["artifacts", "show", &out, "--json"]);
    let header = &serde_json::from_slice::<Value>(&shown.stdout).unwrap()["header"];
    let plain = place.at("plain.safetensors");
    fs::write(&plain, without_header(&fs::read(&out).unwrap(), &header["settings"])).unwrap();
    let kind = header["kind"].as_str().unwrap();
    let sealed = place.at("sealed.safetensors");
    let words =
        format!("artifacts seal {plain} --game morris --kind {kind} --features morris-39 --out {sealed}");
    holds("artifacts seal", &words);
    holds("bench", "bench time othello --moves 4 --time 5 --threads 1");
    let tuned = "game = \"abalone\"\nplayer = \"engine:hash=1\"\npace = { nodes = 30 }\nopening_plies = 2\nplies = 8\nsteps = 1\n\
        games = 2\nrate = 1.0\nseed = 1\n[[number]]\nname = \"futility.margin\"\nvalue = 0.3\nreach = 0.05\nleast = 0.05\nmost = 2.0\n";
    holds("tune", &format!("tune {} --out {}", place.write("tune.toml", tuned), place.at("tune.json")));
    holds("study list", "study list");
    let folder = place.at("studies");
    holds("study run", &format!("study run othilie-horizon --scale smoke --no-pages --folder {folder}"));
    holds("study run", &format!("study report othilie-horizon --scale smoke --folder {folder}"));
    // Whether all is well depends on the machine.
    let doctor = trilith(&["doctor", "--data", &place.at("home"), "--json"]);
    hold("doctor", &String::from_utf8(doctor.stdout).unwrap());
}

#[test]
fn puzzles() {
    let place = Place::new("json-puzzles");
    let file = place.at("p.tsv");
    holds("puzzles make", &format!("puzzles make othello --count 2 --seed 5 --out {file}"));
    holds("puzzles table", &format!("puzzles table {file}"));
    holds("puzzles export", &format!("puzzles export --from {file}"));
    holds("puzzles verify", &format!("puzzles verify {file}"));
    // A puzzle that is none is named, and the program fails.
    let wrong = fs::read_to_string(&file).unwrap().replace('X', "-");
    let wrong = place.write("w.tsv", &wrong);
    let refused = trilith(&["puzzles", "verify", &wrong, "--json"]);
    assert_eq!(refused.status.code(), Some(1), "{}", String::from_utf8_lossy(&refused.stderr));
    let printed = String::from_utf8(refused.stdout).unwrap();
    hold("puzzles verify", &printed);
    let said: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(said["games"][0]["doubts"].as_array().map(Vec::len), Some(2), "{said}");
}

/// Every schema is named by a test that holds real output against it.
#[test]
fn every_schema_is_tried() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = ["commands", "serve"].map(|folder| fs::read_dir(tests.join(folder)).unwrap());
    let tests: String =
        files.into_iter().flatten().map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    for command in commands() {
        assert!(tests.contains(&format!("\"{command}\"")), "no test tries `{command}`");
    }
}

/// A command that takes `--json` has a schema: what `--help` says of each, and of each of its own commands.
#[test]
fn every_command_with_json_has_a_schema() {
    // What only prints what others made, or is tried where a server runs.
    const ELSEWHERE: [&str; 3] = ["book build", "book reevaluate", "tablebase build"];
    let help = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_trilith")).args(words).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let names = |help: &str| -> Vec<String> {
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let listed = listed.take_while(|line| line.starts_with("  "));
        let first = listed.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
        first.filter(|name| name != "help").collect()
    };
    let known = commands();
    let has_schema = |name: &str| {
        let begins = |command: &String| command == name || command.starts_with(&format!("{name} "));
        known.iter().any(begins) || ELSEWHERE.contains(&name)
    };
    let mut tried = 0;
    for command in names(&help(&[])) {
        let own = help(&[&command]);
        let parts = names(&own);
        for part in parts.iter().map(|part| vec![command.as_str(), part]).chain([vec![command.as_str()]]) {
            let text = help(&part);
            if text.contains("--json") && names(&text).is_empty() {
                let name = part.join(" ").replace("study report", "study run");
                assert!(has_schema(&name), "`{name}` takes --json and has no schema");
                tried += 1;
            }
        }
    }
    assert!(tried > 40, "{tried} commands were found");
}
