//! `trilith data label` as a process: killed, interrupted, gone on with, refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use trilith_learn::data::GameColumns;
use trilith_tablebase::motion::Motion;
use trilith_tablebase::{Subspace, TableHeader, TableMode};

use crate::data::{assert_refused, complaint, forget_settings, tear, warning};
use crate::program::schema::hold;
use crate::program::{folder, text, trilith};

/// A complete set of tables for Morris in which every slot after a draw is a win, a loss and a draw again: small, since
/// all blocks are alike, and as good as the real one for who only asks. Put together here, since `TableWriter` would be
/// told of nine billion slots one by one.
fn write_tables(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    // A zstd frame with a window of 4096 bytes and one block: so many times the byte of four slots.
    let frame = |bytes: u64| {
        let block = (bytes as u32) << 3 | 0b011;
        [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x10][..], &block.to_le_bytes()[..3], &[0b00_10_01_00]].concat()
    };
    for subspace in Subspace::up_to(18) {
        let header = TableHeader::new(&Motion::of(&Default::default()).name(), TableMode::Wdl, subspace, 0);
        let mut page = serde_json::to_vec(&header).unwrap();
        page.resize(4096 - 40, b' ');
        let (mut blocks, last) = (Vec::new(), header.blocks() - 1);
        let sizes =
            (0..=last).map(|at| if at < last { 4096 } else { header.slots.div_ceil(4) - 4096 * last });
        let mut known = (0, Vec::new(), [0; 12]);
        for size in sizes {
            if known.0 != size {
                let block = frame(size);
                let mut entry = [0; 12];
                entry[..4].copy_from_slice(&(block.len() as u32).to_le_bytes());
                entry[4..].copy_from_slice(&blake3::hash(&block).as_bytes()[..8]);
                known = (size, block, entry);
            }
            page.extend_from_slice(&known.2);
            blocks.extend_from_slice(&known.1);
        }
        let file = [b"TRILTB1\n", &blake3::hash(&page).as_bytes()[..], &page, &blocks].concat();
        std::fs::write(folder.join(TableHeader::file_name(subspace, TableMode::Wdl)), file).unwrap();
    }
}

/// Games of Morris to label, tables to label them by, and the command.
struct Labelling {
    folder: PathBuf,
    games: String,
    tables: String,
}

impl Labelling {
    fn new(name: &str) -> Labelling {
        let folder = folder(name);
        let [games, tables] = ["a.games", "tables"].map(|name| folder.join(name).display().to_string());
        write_tables(Path::new(&tables));
        let length = ["--random-least", "10", "--random-most", "14", "--longest", "24", "--games", "300"];
        let rest = ["data", "generate", "--game", "morris", "--depth", "1", "--out", &games];
        text(&trilith(&[&rest[..], &length].concat()));
        Labelling { folder, games, tables }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn command(&self, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
        command.args(["data", "label", "--games", &self.games, "--folder", &self.tables, "--memory", "16"]);
        command.args(["--out", out]).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, out: &str, more: &[&str]) -> Output {
        self.command(out, more).output().unwrap()
    }
}

/// Killed again and again, each time a little later: every time the file is the beginning of that which nobody disturbed.
#[test]
fn a_killed_labelling_goes_on_to_the_same_bytes() {
    let labelling = Labelling::new("label-killed");
    let (calm, killed) = (labelling.path("calm.exact"), labelling.path("killed.exact"));
    let said = text(&labelling.run(&calm, &["--hand", "5", "--threads", "2"]));
    assert!(said.starts_with("300 of 300 games labelled, "), "{said}");
    hold("data label", &text(&labelling.run(&calm, &["--hand", "5", "--json"])));
    let whole = std::fs::read(&calm).unwrap();
    let (mut deaths, mut left) = (0, Vec::new());
    for delay in (0..).map(|step| Duration::from_millis(20 + 60 * step)) {
        let mut child = labelling.command(&killed, &["--hand", "5"]).spawn().unwrap();
        std::thread::sleep(delay);
        if child.try_wait().unwrap().is_some() {
            assert_eq!(text(&child.wait_with_output().unwrap()), said);
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        deaths += 1;
        let bytes = std::fs::read(&killed).unwrap_or_default();
        assert!(whole.starts_with(&bytes), "after {deaths} deaths");
        left.push(bytes.len());
    }
    let amid = left.iter().any(|length| (1000..whole.len()).contains(length));
    assert!(deaths > 1 && amid, "killed {deaths} times, with {left:?} bytes left of {}", whole.len());
    assert!(std::fs::read(&killed).unwrap() == whole, "it differs after {deaths} deaths");
    for cut in [1, 100, 3000] {
        std::fs::write(&killed, &whole[..whole.len() - cut]).unwrap();
        let mended = labelling.run(&killed, &["--hand", "5"]);
        assert_eq!((text(&mended), complaint(&mended)), (said.clone(), String::new()));
        assert!(std::fs::read(&killed).unwrap() == whole, "it differs after {cut} bytes were cut off");
    }
    std::fs::remove_dir_all(labelling.folder).unwrap();
}

#[test]
#[cfg(unix)]
fn an_interrupted_labelling_keeps_what_it_has_and_goes_on() {
    let labelling = Labelling::new("label-interrupted");
    let (calm, stopped) = (labelling.path("calm.exact"), labelling.path("stopped.exact"));
    let said = text(&labelling.run(&calm, &["--hand", "6"]));
    let child = labelling.command(&stopped, &["--hand", "6"]).spawn().unwrap();
    while std::fs::metadata(&stopped).map_or(0, |file| file.len()) < 1000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = text(&child.wait_with_output().unwrap());
    let labelled: usize = output.split(' ').next().unwrap().parse().unwrap();
    assert!((64..300).contains(&labelled) && labelled.is_multiple_of(64), "{output}");
    assert_eq!(text(&labelling.run(&stopped, &["--hand", "6"])), said);
    assert!(std::fs::read(&stopped).unwrap() == std::fs::read(&calm).unwrap());
    std::fs::remove_dir_all(labelling.folder).unwrap();
}

#[test]
fn a_labelling_goes_on_only_as_it_was_begun() {
    let mut labelling = Labelling::new("label-refused");
    let (out, games) = (labelling.path("a.exact"), labelling.games.clone());
    let begun = ["--hand", "2", "--seconds", "0"];
    let said = text(&labelling.run(&out, &begun));
    assert!(said.starts_with("64 of 300 games labelled"), "no time is enough for one block: {said}");
    let bytes = std::fs::read(&out).unwrap();
    let refused = |labelling: &Labelling, out: &str, more: &[&str], expected: &str| {
        assert_refused(&labelling.run(out, more), out, expected);
    };
    refused(&labelling, &out, &["--hand", "3"], "`--hand 2`, now with `--hand 3`");
    refused(&labelling, &out, &["--hand", "2", "--beside", "2"], "`--beside 1`, now with `--beside 2`");
    refused(&labelling, &out, &["--hand", "2", "--longest", "4"], "`--longest 3`, now with `--longest 4`");
    refused(&labelling, &out, &["--hand", "2", "--seed", "7"], "`--seed 1`, now with `--seed 7`");
    refused(&labelling, &games, &begun, "`trilith data generate`, now with `trilith data label`");
    let generate = trilith(&["data", "generate", "--game", "morris", "--games", "2000", "--out", &out]);
    assert_refused(&generate, &out, "`trilith data label`, now with `trilith data generate`");
    let old = labelling.path("old.exact");
    std::fs::copy(&out, &old).unwrap();
    forget_settings::<GameColumns>(&old, "morris");
    refused(&labelling, &old, &begun, "another command, now with `trilith data label`");

    labelling.games = labelling.path("b.games");
    std::fs::copy(&out, &labelling.games).unwrap();
    refused(&labelling, &out, &begun, "`--games \"a.games\" (blake3 ");
    assert_eq!(std::fs::read(&out).unwrap(), bytes, "what was refused changed nothing");
    labelling.games = games;
    assert!(text(&labelling.run(&out, &begun)).starts_with("128 of 300 games"), "time does not matter");
    std::fs::remove_dir_all(labelling.folder).unwrap();
}

#[test]
fn games_that_were_cut_off_are_told_once() {
    let labelling = Labelling::new("cut-games");
    let (games, weights) = (&labelling.games, labelling.path("w.safetensors"));
    let fit = ["fit", "patterns", "--game", "morris", "--epochs", "2", "--data", games, "--out", &weights];
    let before = trilith(&fit);
    tear(games);
    let output = trilith(&fit);
    assert_eq!((complaint(&before), complaint(&output)), (String::new(), warning(games)));
    assert_eq!(text(&output), text(&before));
    let labelled = labelling.run(&labelling.path("a.exact"), &["--hand", "0"]);
    assert_eq!(complaint(&labelled), warning(games));
    assert!(text(&labelled).starts_with("300 of 300 games"));
    std::fs::remove_dir_all(labelling.folder).unwrap();
}
