//! Servers as transcripts, under any input, and under `stop`.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs};

use proptest::prelude::*;
use trilith_base::Seed;

use super::{Protocol, ServeError, ServedSeat, open, serve};

/// What a server has said so far.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SharedBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Waits until something was said, and for how long.
    fn wait(&self, text: &str) -> Duration {
        let since = Instant::now();
        while !self.text().contains(text) {
            assert!(since.elapsed() < Duration::from_secs(10), "no `{text}` in\n{}", self.text());
            std::thread::sleep(Duration::from_micros(200));
        }
        since.elapsed()
    }
}

fn seat(game: &str, player: &str) -> ServedSeat {
    ServedSeat { game: game.into(), rules: String::new(), player: player.parse().unwrap(), seed: Seed(1) }
}

fn named(name: &str) -> Protocol {
    name.parse().unwrap()
}

/// Feeds the lines of a golden file that begin with `>` and compares all that is said.
fn golden(name: &str, protocol: Protocol, game: &str) {
    let path = format!("{}/tests/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let expected = fs::read_to_string(&path).unwrap();
    let mut said = SharedBuffer::default();
    let mut session =
        open(protocol, &seat(game, "minimax:depth=2,eval=margin"), Box::new(said.clone())).unwrap();
    for line in expected.lines().filter_map(|line| line.strip_prefix("> ")) {
        writeln!(said, "> {line}").unwrap();
        session.hear(line);
    }
    let found: String = said.text().lines().map(|line| masked(line) + "\n").collect();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, expected, "{path}: `UPDATE_GOLDEN=1` rewrites it");
}

/// A line without what depends on the machine or on how cleverly a player searches.
fn masked(line: &str) -> String {
    if let Some((said, _)) = line.strip_prefix("=== ").and_then(|_| line.rsplit_once('/')) {
        return format!("{said}/SECONDS");
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if line.starts_with("info") && matches!(words[at - 1], "nodes" | "nps" | "time") {
            words[at] = "N";
        }
    }
    words.join(" ")
}

#[test]
fn gtp_is_spoken_as_written_down() {
    golden("gtp", named("gtp"), "othello");
}

#[test]
fn nboard_is_spoken_as_written_down() {
    golden("nboard", named("nboard"), "othello");
}

#[test]
fn uci_mill_is_spoken_as_written_down() {
    golden("uci-mill", named("uci-mill"), "morris");
}

#[test]
/// The fourth game of the tests is spoken in its own.
fn ugi_is_spoken_as_written_down() {
    for game in &crate::GAMES[..3] {
        golden(&format!("ugi-{game}"), Protocol::UGI, game);
    }
}

#[test]
fn a_protocol_refuses_games_it_does_not_know() {
    let error = open(named("gtp"), &seat("morris", "random"), Box::new(SharedBuffer::default())).map(|_| ());
    assert!(matches!(error, Err(ServeError::Protocol { .. })));
    assert_eq!(
        "uci".parse::<Protocol>().unwrap_err().to_string(),
        "unknown protocol `uci`: expected `ugi`? Known: gtp, nboard, uci-mill, ugi"
    );
}

/// Words that commands are made of, so that nonsense comes near to sense.
const WORDS: &[&str] = &[
    "go",
    "stop",
    "position",
    "startpos",
    "fen",
    "moves",
    "d6",
    "f5",
    "xa1",
    "a1-a4",
    "pass",
    "depth",
    "-1",
    "nodes",
    "99999999999999999999",
    "infinite",
    "ponder",
    "ponderhit",
    "ugi",
    "uci",
    "isready",
    "setoption",
    "name",
    "value",
    "rules",
    "player",
    "random",
    "minimax:depth=1",
    "query",
    "result",
    "newgame",
    "ucinewgame",
    "genmove",
    "b",
    "white",
    "play",
    "undo",
    "showboard",
    "time_left",
    "time_settings",
    "0",
    "1e300",
    "set",
    "game",
    "(;GM[Othello]",
    "B[F5]",
    ";)",
    "move",
    "F5/1/2",
    "hint",
    "ping",
    "learn",
    "analyze",
    "é",
    "\u{0}",
    "p1time",
    "movetime",
    "1",
    "known_command",
    "#",
];

fn line() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..8).prop_map(|words| words.join(" "));
    prop_oneof![4 => words, 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn no_input_breaks_a_server(lines in prop::collection::vec(line(), 1..40)) {
        for protocol in Protocol::all() {
            let said = SharedBuffer::default();
            let game = protocol.only_game().unwrap_or("abalone");
            let input = lines.join("\n") + "\nstop\nisready\n1 name\nping 7\nquit\n";
            serve(protocol, &seat(game, "random"), io::Cursor::new(input), said.clone()).unwrap();
            let last = match protocol.name() {
                "gtp" => "=1 Trilith",
                "nboard" => "pong 7",
                _ => "readyok",
            };
            // A `quit` among the lines ends the session before that.
            let quits = lines.iter().any(|line| line.split_whitespace().any(|word| word == "quit"));
            prop_assert!(quits || said.text().contains(last), "{protocol}\n{}", said.text());
        }
    }
}

#[test]
fn a_line_of_any_length_is_answered() {
    for protocol in Protocol::all() {
        let said = SharedBuffer::default();
        let game = protocol.only_game().unwrap_or("morris");
        let input = format!("{}\nquit\n", "x".repeat(5 << 20));
        serve(protocol, &seat(game, "random"), io::Cursor::new(input), said.clone()).unwrap();
        assert!(said.text().contains("too long"), "{protocol}: {}", said.text());
    }
}

/// Searches without a limit, stopped ten times; the fastest answer counts, as the machine may be busy with other tests.
#[test]
fn stop_is_answered_within_ten_milliseconds() {
    for (game, setup) in [("othello", "position startpos moves f5"), ("morris", ""), ("abalone", "")] {
        let (input, mut driver) = io::pipe().unwrap();
        let said = SharedBuffer::default();
        let voice = said.clone();
        let server = std::thread::spawn(move || serve(Protocol::UGI, &seat(game, "engine"), input, voice));
        let mut fastest = Duration::MAX;
        for _ in 0..10 {
            said.0.lock().unwrap().clear();
            writeln!(driver, "{setup}\ngo infinite").unwrap();
            said.wait("info depth 3");
            std::thread::sleep(Duration::from_millis(20));
            writeln!(driver, "stop").unwrap();
            fastest = fastest.min(said.wait("bestmove"));
        }
        writeln!(driver, "quit").unwrap();
        server.join().unwrap().unwrap();
        assert!(fastest < Duration::from_millis(10), "{game}: {fastest:?}");
    }
}

#[test]
fn a_ponder_hit_makes_the_search_a_timed_one() {
    let (input, mut driver) = io::pipe().unwrap();
    let said = SharedBuffer::default();
    let voice = said.clone();
    let server = std::thread::spawn(move || serve(Protocol::UGI, &seat("abalone", "engine"), input, voice));
    writeln!(driver, "go ponder movetime 100").unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert!(!said.text().contains("bestmove"));
    writeln!(driver, "ponderhit").unwrap();
    assert!(said.wait("bestmove") < Duration::from_secs(3));
    writeln!(driver, "quit").unwrap();
    server.join().unwrap().unwrap();
}

#[test]
fn nboard_stops_thinking_before_it_answers_a_ping() {
    let (input, mut driver) = io::pipe().unwrap();
    let said = SharedBuffer::default();
    let voice = said.clone();
    let server = std::thread::spawn(move || serve(named("nboard"), &seat("othello", "engine"), input, voice));
    writeln!(driver, "nboard 2\nset depth 60\nhint 1").unwrap();
    said.wait("search");
    writeln!(driver, "ping 5").unwrap();
    said.wait("pong 5");
    let before = said.text();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(said.text(), before);
    writeln!(driver, "quit").unwrap();
    server.join().unwrap().unwrap();
}

/// The driver goes away in the middle of a search: the session ends all the same.
#[test]
fn a_driver_that_goes_away_ends_the_session() {
    let (listener, output) = io::pipe().unwrap();
    let (input, mut driver) = io::pipe().unwrap();
    let server = std::thread::spawn(move || serve(Protocol::UGI, &seat("abalone", "engine"), input, output));
    writeln!(driver, "go infinite").unwrap();
    drop((driver, listener));
    let since = Instant::now();
    server.join().unwrap().unwrap();
    assert!(since.elapsed() < Duration::from_secs(5));
}
