use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::*;

const GGF: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15]PB[alpha]PW[beta]RB[2100.5]RW[2000]TI[15:00//02:00]TY[8]\
    RE[+2.00:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
    B[F5//4.09]W[D6/1.00/0.01]B[c3];)\n";

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("trilith-sheets-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    path
}

fn read_text(name: &str, bytes: &[u8]) -> Vec<GameSheet> {
    let path = file(name, bytes);
    let sheets = read(&path, None, None);
    std::fs::remove_file(&path).unwrap();
    sheets.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn named(name: &str) -> Format {
    name.parse().unwrap()
}

fn converted(format: Format, sheets: &[GameSheet]) -> (Vec<GameSheet>, Vec<String>) {
    let Written { files, lost } = write(format, sheets).unwrap();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Relaxed);
    let stem = std::env::temp_dir().join(format!("trilith-sheets-{}-{number}", std::process::id()));
    for (ending, bytes) in &files {
        std::fs::write(stem.with_extension(ending), bytes).unwrap();
    }
    let first = stem.with_extension(files[0].0);
    let again = read(&first, None, Some(format)).unwrap();
    files.iter().for_each(|(ending, _)| std::fs::remove_file(stem.with_extension(ending)).unwrap());
    (again, lost)
}

#[test]
fn a_game_of_the_server_keeps_everything_in_our_text_and_back() {
    let sheets = read_text("a.ggf", GGF.as_bytes());
    let sheet = &sheets[0];
    assert_eq!(
        (sheet.tag("Black"), sheet.tag("WhiteElo"), sheet.tag("Result")),
        (Some("alpha"), Some("2000"), Some("1-0"))
    );
    assert_eq!((sheet.tag("Termination"), sheet.comment(1)), (Some("resignation"), Some("+1.00 0.01s")));
    let (text, lost) = converted(Format::TEXT, &sheets);
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!((text[0].tag("TimeControl"), text[0].comment(0)), (Some("15:00//02:00"), Some("4.09s")));
    let (again, lost) = converted(named("ggf"), &text);
    assert!(lost.is_empty(), "{lost:?}");
    let tags = |sheet: &GameSheet| {
        let mut tags = sheet.tags.clone();
        tags.sort();
        tags
    };
    assert_eq!(
        (tags(&again[0]), &again[0].moves, &again[0].comments),
        (tags(sheet), &sheet.moves, &sheet.comments)
    );
}

#[test]
fn every_format_gives_back_the_moves() {
    let sheets = read_text("all.ggf", GGF.as_bytes());
    for format in [Format::TEXT, named("transcript"), named("ggf"), named("sgf"), named("wthor")] {
        let (again, _) = converted(format, &sheets);
        assert_eq!(again[0].moves, sheets[0].moves, "{format}");
    }
    let (positions, _) = converted(named("obf"), &sheets);
    assert_eq!(positions.len(), 3, "a position for each move");
    assert_eq!(positions[1].tag("Comment"), Some("game 1 ply 2: d6"));
}

#[test]
fn what_has_no_place_is_named() {
    let sheets = read_text("lost.ggf", GGF.as_bytes());
    let (_, lost) = converted(named("transcript"), &sheets);
    assert!(lost[0].starts_with("game 1: no place for the tags Site, Date, Black"), "{lost:?}");
    assert!(lost[1].contains("2 comments"), "{lost:?}");
    let (wthor, lost) = converted(named("wthor"), &sheets);
    assert_eq!((wthor[0].tag("Black"), wthor[0].tag("Date")), (Some("alpha"), Some("2003")));
    assert!(
        lost.iter().any(|line| line.contains("BlackElo"))
            && lost.iter().any(|line| line.contains("2003.12.15")),
        "{lost:?}"
    );
    let text = "[Game \"othello\"]\n[OpeningPlies \"2\"]\n\n1. f5 {+0.50/8 2000n 0.1s} d6 *\n";
    let (ggf, lost) = converted(named("ggf"), &read_text("lost.txt", text.as_bytes()));
    assert_eq!(ggf[0].comment(0), Some("+0.50 0.1s"));
    assert_eq!(lost.len(), 2, "{lost:?}");
}

#[test]
fn other_games_have_our_text_only() {
    let text = "[Game \"morris\"]\n\n1. d6 {well} f4 2. d2 *\n";
    let sheets = read_text("morris.txt", text.as_bytes());
    assert_eq!(
        (sheets[0].game.as_str(), sheets[0].moves.len(), sheets[0].comment(0)),
        ("morris", 3, Some("well"))
    );
    assert_eq!(converted(Format::TEXT, &sheets).0, sheets);
    let error = write(named("sgf"), &sheets).unwrap_err().to_string();
    assert_eq!(error, "game 1: sgf is a format of othello, this is a game of morris");
}

#[test]
fn positions_with_their_scores_round_trip() {
    let obf =
        "---------------------------OX------XO--------------------------- X; D3:+0; C4:+0; % the start\n";
    let sheets = read_text("start.obf", obf.as_bytes());
    assert_eq!((sheets[0].tag("Scores"), sheets[0].tag("Comment")), (Some("d3:+0 c4:+0"), Some("the start")));
    let (again, lost) = converted(named("obf"), &converted(Format::TEXT, &sheets).0);
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(again, sheets);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let fault = |name: &str, text: &str| {
        let path = file(name, text.as_bytes());
        let error = read(&path, None, None).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        error
    };
    assert!(fault("bad.ggf", "(;GM[Othello]B[a1];)").contains("ply 1: `a1` is not legal"));
    assert!(fault("bad.txt", "[Event \"x\"]\n1. d6 *").contains("nothing says which game"));
    assert!(read(Path::new("no/such"), None, None).unwrap_err().to_string().contains("no/such"));
}
