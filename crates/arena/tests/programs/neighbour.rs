//! A bad neighbour: plays Othello (or Morris) through a protocol, and misbehaves as its first argument says.
//!
//! Only the tests of external players use it.

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Game, MoveList, Record};

fn main() {
    let fault = std::env::args().nth(1).unwrap_or_default();
    at_start(&fault);
    let mut neighbour = Neighbour {
        fault,
        record: Record::new(Othello::default()),
        morris: Record::new(Morris::default()),
        moves: 0,
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        neighbour.hear(line.trim());
    }
}

fn say(text: &str) {
    // The driver may be gone; that is no fault of this program.
    let _ = writeln!(io::stdout(), "{text}").and_then(|()| io::stdout().flush());
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

fn at_start(fault: &str) {
    match fault {
        "exit-at-once" => exit(3),
        "silent" => forever(),
        "chatty" => {
            say("Welcome to the finest engine of all!");
            forever()
        }
        "close-output" => {
            close_output();
            forever()
        }
        "leave-child" => {
            let child = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
            let file = std::env::args().nth(2).unwrap_or_default();
            let _ = child.map(|child| std::fs::write(file, child.id().to_string()));
            exit(0)
        }
        "answer-unasked" => say("bestmove a1\nbestmove a1"),
        _ => {}
    }
}

/// Gives the output away, so that the driver sees its end while this program lives on.
fn close_output() {
    let _ = rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null").expect("there is a null device"));
}

struct Neighbour {
    fault: String,
    record: Record<Othello>,
    morris: Record<Morris>,
    /// Answers given.
    moves: usize,
}

impl Neighbour {
    fn hear(&mut self, line: &str) {
        let (id, rest) =
            line.split_once(' ').filter(|(id, _)| id.parse::<u64>().is_ok()).unwrap_or(("", line));
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "ugi" => say("id name Neighbour\nugiok"),
            "uci" => say("id name Neighbour\nuciok"),
            "isready" if self.fault == "never-ready" => {}
            "isready" => say("readyok"),
            "ping" => say(&format!("pong {rest}")),
            "position" => self.position(rest),
            "go" => self.go(),
            "protocol_version" if self.fault == "wrong-version" => say(&format!("={id} 1\n")),
            "protocol_version" => say(&format!("={id} 2\n")),
            "genmove" => self.genmove(id),
            "boardsize" | "clear_board" | "play" => say(&format!("={id}\n")),
            "quit" if self.fault == "stay" => forever(),
            "quit" => exit(0),
            _ => {}
        }
    }

    fn position(&mut self, text: &str) {
        self.record = Record::new(Othello::default());
        self.morris = Record::new(Morris::default());
        for mv in text.split_whitespace().skip(2) {
            let _ = self.record.push_text(mv);
            let _ = self.morris.push_text(mv);
        }
    }

    fn legal(&self) -> String {
        let mut moves = MoveList::new();
        self.record.game().moves(self.record.position(), &mut moves);
        moves.first().map_or("none".into(), |&mv| self.record.game().move_text(mv))
    }

    fn genmove(&mut self, id: &str) {
        match self.fault.as_str() {
            "refuse" => say(&format!("?{id} I would rather not\n")),
            "resign" => say(&format!("={id} resign\n")),
            "half-answer" => say(&format!("={id} d3")),
            "wrong-number" => say("=999 d3\n"),
            _ => say(&format!("={id} a1\n")),
        }
    }

    fn go(&mut self) {
        self.moves += 1;
        let legal = self.legal();
        match self.fault.as_str() {
            "crash" => std::process::abort(),
            "crash-later" if self.moves > 3 => exit(0),
            "crash-loudly" => {
                (1..=7).for_each(|line| eprintln!("out of memory, line {line}"));
                exit(4)
            }
            "stall" => forever(),
            "illegal" => say("bestmove a1"),
            "nonsense" => say("bestmove castle-kingside"),
            "empty" => say("bestmove"),
            "none" => say("bestmove none"),
            "shout" => say(&format!("BESTMOVE {legal}")),
            "upper-case" => say(&format!("bestmove {}", legal.to_ascii_uppercase())),
            "twice" => say(&format!("bestmove {legal}\nbestmove a1\nbestmove h8")),
            "late" => {
                sleep(Duration::from_secs(3));
                say(&format!("bestmove {legal}"));
            }
            "drip" => drip(),
            "flood-lines" => loop {
                say("la la la");
            },
            "flood-info" => loop {
                say("info depth 1 nodes 1");
            },
            "flood-line" => loop {
                let _ = io::stdout().write_all(&[b'x'; 65_536]);
            },
            "binary" => {
                let _ = io::stdout().write_all(b"\x00\xff\xfe\n\x80\n").and_then(|()| io::stdout().flush());
            }
            "deaf" => loop {
                say("info string I do not listen");
                sleep(Duration::from_millis(50));
            },
            "occupied" => say("=== E4/0.00/0.1"),
            "no-mill" => say("info depth 1 score cp 0 nodes 1 bestmove xa1"),
            "wrong-removal" => self.wrong_removal(),
            _ => say(&format!("bestmove {legal}")),
        }
    }

    /// Plays into a mill if it can, and then removes its own stone.
    fn wrong_removal(&self) {
        let mut moves = MoveList::new();
        self.morris.game().moves(self.morris.position(), &mut moves);
        let texts: Vec<_> = moves.iter().map(|&mv| self.morris.game().move_text(mv)).collect();
        let mill = texts.iter().find_map(|text| text.split_once('x')).map(|(stone, _)| stone);
        match (mill, self.moves) {
            // Asked a second time about the same turn.
            (Some(stone), moves) if moves > self.morris.len().div_ceil(2) + 1 => {
                say(&format!("bestmove x{stone}"))
            }
            (Some(stone), _) => say(&format!("bestmove {stone}")),
            (None, _) => say(&format!("bestmove {}", texts.first().map_or("none", String::as_str))),
        }
    }
}

fn drip() -> ! {
    for letter in b"bestmove ".iter().cycle() {
        let _ = io::stdout().write_all(&[*letter]).and_then(|()| io::stdout().flush());
        sleep(Duration::from_millis(20));
    }
    exit(0)
}
