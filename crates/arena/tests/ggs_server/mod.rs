//! A small GGS for tests: one guest, one robot that plays at random, one match.

#![allow(dead_code, reason = "each test file uses some of these")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use trilith_base::Seed;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record, playout};

/// What the server does with its guest.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The only password that is taken.
    pub password: &'static str,
    /// Requests of the robot, one after the other, the next when one is declined.
    pub requests: Vec<&'static str>,
    /// Seconds a side.
    pub seconds: u64,
    /// The server hangs up after so many moves of the guest.
    pub hangs_up_after: Option<usize>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { password: "secret", requests: Vec::new(), seconds: 60, hangs_up_after: None }
    }
}

/// What the guest did.
#[derive(Debug, Default)]
pub struct Guest {
    /// Everything it said.
    pub lines: Vec<String>,
    /// The games, with the guest's colour.
    pub games: Vec<(Record<Othello>, Colour)>,
    /// The least that was left on a clock of the guest.
    pub least_left: Option<Duration>,
}

/// Waits for a guest on an address of its own.
pub fn start(plan: Plan) -> (String, JoinHandle<Guest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (address, thread::spawn(move || Host::new(listener.accept().unwrap().0, plan).serve()))
}

struct Table {
    id: String,
    kind: String,
    record: Record<Othello>,
    guest: Colour,
    left: [Duration; 2],
    /// Since when the guest is to move.
    since: Instant,
}

struct Host {
    stream: TcpStream,
    plan: Plan,
    name: String,
    tables: Vec<Table>,
    next: usize,
    guest: Guest,
    rng: trilith_base::seed::Rng,
    sent: usize,
}

impl Host {
    fn new(stream: TcpStream, plan: Plan) -> Host {
        stream.set_nodelay(true).unwrap();
        let rng = Seed(9).rng();
        let (name, tables, guest) = (String::new(), Vec::new(), Guest::default());
        Host { stream, plan, name, tables, next: 0, guest, rng, sent: 0 }
    }

    /// In odd pieces, so that messages come in parts.
    fn send(&mut self, text: &str) {
        let bytes = text.replace('\n', "\r\n").into_bytes();
        for piece in bytes.chunks(bytes.len().div_ceil(1 + self.sent % 3).max(1)) {
            let _ = self.stream.write_all(piece);
        }
        self.sent += 1;
    }

    fn block(&mut self, head: &str, body: &[String]) {
        let lines: String = body.iter().map(|line| format!("|{line}\n")).collect();
        // Not every message is followed by READY.
        let ready = if self.sent % 4 == 3 { "" } else { "READY\n" };
        self.send(&format!("{head}\n{lines}{ready}"));
    }

    fn serve(mut self) -> Guest {
        self.stream.write_all(b"\xff\xfb\x01").unwrap();
        self.send("Generic Game Server - a small one\n: Enter login (yours, or one you'd like to use).\n");
        let mut reader = BufReader::new(self.stream.try_clone().unwrap());
        let mut moves = 0;
        for (number, line) in (0..).zip(std::iter::from_fn(|| {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|&count| count > 0).map(|_| line.trim_end().to_owned())
        })) {
            match number {
                0 => {
                    self.name = line.clone();
                    self.send(": Enter your password.");
                }
                1 if line != self.plan.password => {
                    self.send("\n: Enter login (yours, or one you'd like to use).\n");
                }
                1 => self.send("Hello.\nREADY\n.chat robot: good luck\nREADY\n"),
                _ => {
                    moves += usize::from(line.starts_with("tell /os play "));
                    self.guest.lines.push(line.clone());
                    self.answer(&line);
                }
            }
            if line == "quit" || self.plan.hangs_up_after.is_some_and(|most| moves >= most) {
                break;
            }
        }
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        self.guest
    }

    fn answer(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["tell", "/os", "open", _] | ["tell", "/os", "decline", _] => self.request(),
            ["tell", "/os", "ask", kind, clock, ..] => {
                let request = format!(".9 1700.0 {} {clock} {kind} R 1800.0 robot", self.name);
                self.block(&format!("/os: +   {request}"), &[]);
                self.block(&format!("/os: -   {request}"), &[]);
                self.begin(".9", kind);
            }
            ["tell", "/os", "accept", id] => {
                let kind = self.plan.requests[self.next - 1].split_whitespace().nth(1).unwrap().to_owned();
                self.begin(id, &kind);
            }
            ["tell", "/os", "play", id, mv] => self.play(id, mv),
            _ => {}
        }
    }

    /// `CLOCK KIND MODE`, from the robot to the guest.
    fn request(&mut self) {
        let Some(text) = self.plan.requests.get(self.next) else { return };
        let id = 20 + self.next;
        self.next += 1;
        let name = self.name.clone();
        self.block(&format!("/os: +   .{id} 1800.0 robot    {text} 1700.0 {name}"), &[]);
    }

    fn begin(&mut self, id: &str, kind: &str) {
        let mut start = Record::new(Othello::default());
        let discs = kind.split_once('r').map_or(4, |(_, discs)| discs.parse().unwrap());
        playout::play_on(&mut start, discs - 4, &mut self.rng);
        let is_double = kind.starts_with('s');
        for (number, guest) in
            [Colour::Black, Colour::White].into_iter().enumerate().take(1 + usize::from(is_double))
        {
            self.tables.push(Table {
                id: if is_double { format!("{id}.{number}") } else { id.to_owned() },
                kind: kind.to_owned(),
                record: Record::from_position(Othello::default(), *start.position()).unwrap(),
                guest,
                left: [Duration::from_secs(self.plan.seconds); 2],
                since: Instant::now(),
            });
        }
        let name = self.name.clone();
        self.block(&format!("/os: + match {id} 1700 {name} 1800 robot {kind} R"), &[]);
        for at in 0..self.tables.len() {
            self.tell(at, true);
            self.robot(at);
        }
    }

    /// The robot moves while it is its turn.
    fn robot(&mut self, at: usize) {
        let table = &mut self.tables[at];
        let game = Othello::default();
        if table.record.end().is_none() && game.to_move(table.record.position()) != table.guest {
            let mv = playout::random_move(&game, table.record.position(), &mut self.rng).unwrap();
            table.record.push(mv).unwrap();
            table.since = Instant::now();
            self.tell(at, false);
        }
        self.end(at);
    }

    fn play(&mut self, id: &str, mv: &str) {
        let at = self.tables.iter().position(|table| table.id == id).expect("a game that goes on");
        let table = &mut self.tables[at];
        let spent = table.since.elapsed();
        let left = &mut table.left[table.guest as usize];
        *left = left.checked_sub(spent).expect("the guest was in time");
        self.guest.least_left = Some(self.guest.least_left.map_or(*left, |least| least.min(*left)));
        let mut parts = mv.split('/');
        table.record.push_text(parts.next().unwrap()).expect("a legal move of the guest");
        parts.next().unwrap();
        parts.next().unwrap().parse::<f64>().expect("how long it took");
        self.tell(at, false);
        self.robot(at);
    }

    fn tell(&mut self, at: usize, is_join: bool) {
        let table = &self.tables[at];
        let game = Othello::default();
        let mv = table.record.moves().next_back().map(|mv| game.move_text(mv));
        let mv = mv.map_or("PASS".into(), |mv| if mv == "pass" { "PA".into() } else { mv.to_uppercase() });
        let mut body = vec![];
        if is_join {
            body.push(format!("{} move(s)", table.record.len()));
        }
        body.push(format!("{:>3}: {mv}//1.50", table.record.len()));
        for colour in [Colour::Black, Colour::White] {
            let (name, rating) = if colour == table.guest { (&self.name[..], 1700) } else { ("robot", 1800) };
            let (mark, seconds) =
                (if colour == Colour::Black { '*' } else { 'O' }, table.left[colour as usize].as_secs());
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            body.push(format!("{name:8} ({rating}.0 {mark}) {minutes:02}:{seconds:02},1:0//02:00,1:0"));
        }
        body.push(String::new());
        body.extend(diagram(&game.position_text(table.record.position())));
        let (word, id, kind) =
            (if is_join { "join" } else { "update" }, table.id.clone(), table.kind.clone());
        self.block(&format!("/os: {word} {id} {kind} K?"), &body);
    }

    fn end(&mut self, at: usize) {
        if self.tables[at].record.end().is_none() {
            return;
        }
        let (id, name) = (self.tables[at].id.clone(), self.name.clone());
        if id.matches('.').count() > 1 {
            self.block(&format!("/os: end {id} ( {name} vs. robot ) {:+.2}", score(&self.tables[at])), &[]);
        }
        if self.tables.iter().all(|table| table.record.end().is_some()) {
            let number = id.split('.').nth(1).unwrap();
            let mean = self.tables.iter().map(score).sum::<f64>() / self.tables.len() as f64;
            let kind = self.tables[at].kind.clone();
            self.guest.games = self.tables.drain(..).map(|table| (table.record, table.guest)).collect();
            self.block(&format!("/os: - match .{number} 1700 {name} 1800 robot {kind} R {mean:+.2}"), &[]);
        }
    }
}

/// The guest's discs less the robot's.
fn score(table: &Table) -> f64 {
    let game = table.record.game();
    let own = game.margin(table.record.position());
    let is_guest = game.to_move(table.record.position()) == table.guest;
    f64::from(if is_guest { own } else { -own })
}

/// The board as the server shows it, from a position's text.
fn diagram(text: &str) -> Vec<String> {
    let (squares, side) = text.split_at(64);
    let letters = "   A B C D E F G H".to_owned();
    let mut lines = vec![letters.clone()];
    for (row, cells) in squares.as_bytes().chunks(8).enumerate() {
        let cells: Vec<String> = cells
            .iter()
            .map(|&cell| if cell == b'X' { "*".into() } else { char::from(cell).to_string() })
            .collect();
        lines.push(format!(" {} {} {} ", row + 1, cells.join(" "), row + 1));
    }
    let mark = if side.trim() == "X" { "*" } else { "O" };
    lines.extend([letters, String::new(), format!("{mark} to move")]);
    lines
}
