//! What the two dialects of UCI share: the loop of commands, limits, thoughts, answers held back until asked for.

use std::time::Duration;

use trilith_games::{Colour, Game, Record};
use trilith_search::analysis::plies_to_end;
use trilith_search::limits::GameClock;
use trilith_search::{Analysis, Bound, Limits};

use super::desk::Desk;
use super::server::{Flow, ProtocolServer};
use crate::player::{Decision, PlayerFault};

/// What a dialect says in its own words.
pub(crate) trait Dialect<G: Game>: Send {
    /// `ugi` or `uci`; the answer is the same with `ok`, a new game the same with `newgame`.
    const WORD: &'static str;
    /// The clock of whoever moves first and of the other.
    const CLOCKS: [&'static str; 2];
    /// What is added to them after each move.
    const INCREMENTS: [&'static str; 2];

    /// The lines that offer options.
    fn options(&self, desk: &Desk<G>) -> Vec<String>;
    /// Sets an option; `name` is in lower case.
    fn set_option(&mut self, desk: &mut Desk<G>, name: &str, value: &str) -> Result<(), String>;
    /// Plays moves on a record from the start of a `position` command.
    fn play(&mut self, record: &mut Record<G>, moves: &[&str]) -> Result<(), String>;
    /// Begins to think about the game on the desk, which goes on; or has the answer at once.
    fn go(&mut self, desk: &mut Desk<G>, limits: Limits) -> Option<String> {
        desk.think(limits);
        None
    }
    /// What is said about a thought.
    fn thought(&self, desk: &Desk<G>, analysis: &Analysis<G::Move>) -> Vec<String>;
    /// Hears what a record is worth.
    fn value(&mut self, _number: usize, _value: f64) {}
    /// The lines that end a search.
    fn answer(&mut self, desk: &Desk<G>, decision: Option<Decision<G::Move>>) -> Vec<String>;
    /// Commands that only this dialect has; false if there is no such command.
    fn other(&mut self, desk: &mut Desk<G>, word: &str, rest: &str) -> bool;
}

/// When an answer may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// As soon as it is there.
    Timed,
    /// When it is asked for.
    Infinite,
    /// When it is asked for, or after a ponder hit within the limits.
    Ponder(Limits),
}

/// A server that speaks a dialect of UCI.
pub(crate) struct UciServer<D> {
    dialect: D,
    mode: Mode,
    /// The depth of the last thought told.
    told: u32,
    held: Option<Vec<String>>,
}

impl<D> UciServer<D> {
    pub(crate) fn new(dialect: D) -> UciServer<D> {
        UciServer { dialect, mode: Mode::Timed, told: 0, held: None }
    }

    /// Gives the answer that was held back.
    fn release<G: Game>(&mut self, desk: &mut Desk<G>) {
        self.mode = Mode::Timed;
        self.held.take().into_iter().flatten().for_each(|line| desk.say(&line));
    }
}

impl<G: Game, D: Dialect<G>> ProtocolServer<G> for UciServer<D> {
    fn line(&mut self, desk: &mut Desk<G>, line: &str) -> Flow {
        let (word, rest) = first_word(line);
        let new_game = word.strip_suffix("newgame").is_some_and(|word| word.is_empty() || word == D::WORD);
        let changes = new_game || matches!(word, "setoption" | "position" | "go");
        if changes && desk.is_thinking() {
            self.mode = Mode::Timed;
            return Flow::Stop;
        }
        if changes {
            self.release(desk);
        }
        let result = match word {
            "" => Ok(()),
            "quit" => return Flow::Quit,
            "isready" => {
                desk.say("readyok");
                Ok(())
            }
            "stop" => {
                self.mode = Mode::Timed;
                desk.stop();
                self.release(desk);
                Ok(())
            }
            "ponderhit" => {
                self.ponder_hit(desk);
                Ok(())
            }
            "setoption" => self.set_option(desk, rest),
            "position" => self.position(desk, rest),
            "go" => self.go(desk, rest),
            _ if new_game => {
                desk.forget();
                self.position(desk, "startpos")
            }
            _ if word == D::WORD => {
                self.greet(desk);
                Ok(())
            }
            _ => match self.dialect.other(desk, word, rest) {
                true => Ok(()),
                false => Err(format!("unknown command: {}", shortened(line))),
            },
        };
        if let Err(error) = result {
            desk.say(&format!("info string error: {error}"));
        }
        Flow::Done
    }

    fn too_long(&mut self, desk: &mut Desk<G>) {
        desk.say("info string error: the line is too long");
    }

    fn thought(&mut self, desk: &mut Desk<G>, analysis: &Analysis<G::Move>) {
        self.told = analysis.depth;
        self.dialect.thought(desk, analysis).iter().for_each(|line| desk.say(line));
    }

    fn value(&mut self, _: &mut Desk<G>, number: usize, value: f64) {
        self.dialect.value(number, value);
    }

    fn done(&mut self, desk: &mut Desk<G>, result: Result<Option<Decision<G::Move>>, PlayerFault>) {
        let lines = match result {
            Ok(decision) => {
                let mut lines = Vec::new();
                if let Some(analysis) = decision.as_ref().and_then(|decision| decision.analysis.as_ref())
                    && analysis.depth > self.told
                {
                    lines = self.dialect.thought(desk, analysis);
                }
                lines.extend(self.dialect.answer(desk, decision));
                lines
            }
            Err(fault) => vec![format!("info string error: {fault}"), "bestmove none".into()],
        };
        self.held = Some(lines);
        if self.mode == Mode::Timed {
            self.release(desk);
        }
    }

    fn end(&mut self, desk: &mut Desk<G>) {
        if self.mode != Mode::Timed {
            desk.stop();
            self.release(desk);
        }
    }
}

impl<D> UciServer<D> {
    fn greet<G: Game>(&self, desk: &mut Desk<G>)
    where
        D: Dialect<G>,
    {
        desk.say(concat!("id name Trilith ", env!("CARGO_PKG_VERSION")));
        desk.say("id author the Trilith authors");
        self.dialect.options(desk).iter().for_each(|line| desk.say(line));
        desk.say(&format!("{}ok", D::WORD));
    }

    fn ponder_hit<G: Game>(&mut self, desk: &mut Desk<G>) {
        if let Mode::Ponder(limits) = self.mode {
            self.mode = Mode::Timed;
            if let Some(time) = limits.hard() {
                desk.stop_after(time);
            }
            self.release(desk);
        }
    }

    fn set_option<G: Game>(&mut self, desk: &mut Desk<G>, rest: &str) -> Result<(), String>
    where
        D: Dialect<G>,
    {
        let form = "expected `setoption name NAME value VALUE`";
        let named = rest.strip_prefix("name ").ok_or(form)?.trim_start();
        let (name, value) = match named.split_once(" value ") {
            Some((name, value)) => (name, value.trim()),
            None => (named.strip_suffix(" value").unwrap_or(named), ""),
        };
        if name.trim().is_empty() {
            return Err(form.into());
        }
        self.dialect.set_option(desk, &name.trim().to_ascii_lowercase(), value)
    }

    /// Sets the game up; if anything is wrong it stays as it was.
    fn position<G: Game>(&mut self, desk: &mut Desk<G>, rest: &str) -> Result<(), String>
    where
        D: Dialect<G>,
    {
        let (start, moves) = match rest.split_once(" moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (rest.trim(), ""),
        };
        let game = desk.record.game();
        let mut record = match first_word(start) {
            ("startpos" | "start", "") => Record::new(game.clone()),
            ("fen" | "pos", text) if !text.is_empty() => {
                let position = game.parse_position(text).map_err(|error| error.to_string())?;
                Record::from_position(game.clone(), position).map_err(|error| error.to_string())?
            }
            _ => {
                return Err(
                    "expected `position startpos` or `position fen POSITION`, then `moves ...`".into()
                );
            }
        };
        let moves: Vec<&str> = moves.split_whitespace().collect();
        self.dialect.play(&mut record, &moves)?;
        desk.record = record;
        Ok(())
    }

    fn go<G: Game>(&mut self, desk: &mut Desk<G>, rest: &str) -> Result<(), String>
    where
        D: Dialect<G>,
    {
        let game = desk.record.game();
        let first = game.to_move(&game.start());
        let (mode, limits) =
            limits(rest, game.to_move(desk.record.position()), first, D::CLOCKS, D::INCREMENTS)?;
        if let Some(end) = desk.record.end() {
            desk.say(&format!("info string error: the game has ended ({})", end.reason));
            desk.say("bestmove none");
            return Ok(());
        }
        (self.mode, self.told) = (mode, 0);
        if let Some(answer) = self.dialect.go(desk, limits) {
            self.held = Some(vec![answer]);
            if mode == Mode::Timed {
                self.release(desk);
            }
        }
        Ok(())
    }
}

/// No engine looks deeper.
const DEEPEST: i64 = 128;
/// More than eleven days for a move are an error of the driver; as a limit they mean none.
const LONGEST_MILLISECONDS: i64 = 1_000_000_000;
const UNLIMITED: Duration = Duration::from_millis(LONGEST_MILLISECONDS as u64);

/// What a `go` asks for, and what the player may use at once.
fn limits(
    text: &str,
    to_move: Colour,
    first: Colour,
    clocks: [&str; 2],
    increments: [&str; 2],
) -> Result<(Mode, Limits), String> {
    let mine = usize::from(to_move != first);
    let (mut limits, mut mode) = (Limits::default(), Mode::Timed);
    let (mut left, mut increment, mut ponders) = (None, Duration::ZERO, false);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let mut number = || -> Result<i64, String> {
            let value = words.next().unwrap_or_default();
            value.parse().map_err(|_| format!("`go {word}`: `{}` is not a whole number", shortened(value)))
        };
        let milliseconds = |number: i64| Duration::from_millis(number.clamp(0, LONGEST_MILLISECONDS) as u64);
        match word {
            "infinite" => mode = Mode::Infinite,
            "ponder" => ponders = true,
            "depth" => limits.depth = Some(number()?.clamp(1, DEEPEST) as u32),
            "nodes" => limits.nodes = Some(number()?.max(1) as u64),
            "movetime" => limits.time = Some(milliseconds(number()?.max(1))),
            _ if word == clocks[mine] => left = Some(milliseconds(number()?)),
            _ if word == increments[mine] => increment = milliseconds(number()?),
            _ if clocks.contains(&word) || increments.contains(&word) || word == "movestogo" => {
                number()?;
            }
            _ => return Err(format!("`go`: unknown word `{}`", shortened(word))),
        }
    }
    limits.clock = left.map(|left| GameClock { left, increment });
    if ponders {
        mode = Mode::Ponder(limits);
    }
    if mode != Mode::Timed {
        limits = Limits { time: Some(UNLIMITED), clock: None, ..limits };
    }
    Ok((mode, limits))
}

/// `cp` in hundredths of the unit, or `mate` in moves, for the side to move; `sign` is -1 to see it from the other side.
pub(crate) fn score<M: Copy>(analysis: &Analysis<M>, line: usize, sign: i32) -> String {
    let Some(line) = analysis.lines.get(line) else { return "cp 0".into() };
    let bound = match (line.bound, sign) {
        (Bound::Exact, _) => "",
        (Bound::Lower, 1) | (Bound::Upper, -1) => " lowerbound",
        _ => " upperbound",
    };
    match plies_to_end(line.value) {
        Some(plies) => format!("mate {}{bound}", sign * (plies + plies.signum()) / 2),
        None => {
            let hundredths = i64::from(sign * line.value) * 100 / i64::from(analysis.unit.one.max(1));
            format!("cp {hundredths}{bound}")
        }
    }
}

/// The first word of a text, and the rest without space before it.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// What is said back of a text that may be very long.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Mode, Limits), String> {
        limits(text, Colour::White, Colour::Black, ["p1time", "p2time"], ["p1inc", "p2inc"])
    }

    #[test]
    fn limits_are_those_of_the_side_to_move() {
        let second = Duration::from_secs(1);
        let clock = GameClock { left: 3 * second, increment: second };
        assert_eq!(
            read("p1time 1 p2time 3000 p1inc 5 p2inc 1000"),
            Ok((Mode::Timed, Limits { clock: Some(clock), ..Limits::default() }))
        );
        assert_eq!(read("depth 5"), Ok((Mode::Timed, Limits::depth(5))));
        assert_eq!(read("movetime -3"), Ok((Mode::Timed, Limits::time(Duration::from_millis(1)))));
        assert_eq!(read("infinite"), Ok((Mode::Infinite, Limits::time(UNLIMITED))));
        let timed = Limits {
            clock: Some(GameClock { left: second, increment: Duration::ZERO }),
            ..Limits::default()
        };
        assert_eq!(read("ponder p2time 1000"), Ok((Mode::Ponder(timed), Limits::time(UNLIMITED))));
        assert!(read("depth").unwrap_err().contains("not a whole number"));
        assert!(read("deep 5").unwrap_err().contains("unknown word `deep`"));
    }
}
