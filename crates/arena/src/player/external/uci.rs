//! UCI as the one who asks speaks it, in the words of a dialect. The whole game is told before every move.

use std::time::{Duration, Instant};

use trilith_games::{Game, Record};
use trilith_search::Limits;
use trilith_search::limits::GameClock;

use super::link::{LineMeaning, Link, Stop, Wait};
use super::{MoveRequest, ProgramThought, Settings, Speaker, legal, shortened};
use crate::player::{Decision, PlayerFault};

/// What a dialect says in its own words.
pub(crate) trait ClientDialect<G: Game>: Send {
    /// `ugi` or `uci`; a new game is the same with `newgame`.
    const WORD: &'static str;
    /// The answer to it, in quotes.
    const OK: &'static str;
    /// The clock of whoever moves first and of the other, and what is added to each.
    const CLOCKS: [(&'static str, &'static str); 2];
    /// In how many more parts a move may be said.
    const MORE_PARTS: usize = 0;

    /// The options that make the program play by the rules of `game`; those are not the usual ones.
    fn rules(&self, game: &G) -> Result<Vec<String>, PlayerFault>;
    /// A position to begin with.
    fn position_text(&self, game: &G, position: &G::Position) -> String {
        game.position_text(position)
    }
    /// A move of the game so far.
    fn move_text(&self, game: &G, mv: G::Move) -> String {
        game.move_text(mv)
    }
    /// Whether the values a program says in this position are those of the side that is not to move.
    fn is_reversed(&self, _record: &Record<G>) -> bool {
        false
    }
    /// What stands after `bestmove` in a line that answers; none in other lines.
    fn answer<'a>(&self, line: &'a str) -> Option<&'a str> {
        let mut words = line.split_whitespace();
        (words.next() == Some("bestmove")).then(|| words.next().unwrap_or_default())
    }
    /// The words in which a move that is not complete yet is told, so that its next part is asked for; none if
    /// `text` is complete.
    fn begun(&self, _record: &Record<G>, _text: &str) -> Option<String> {
        None
    }
    /// The move with its next part.
    fn joined(&self, text: &str, _part: &str) -> String {
        text.into()
    }
}

/// A program that is asked in a dialect of UCI.
pub(crate) struct UciProgram<D> {
    dialect: D,
    /// The moves told last, to see whether another game has begun.
    told: Option<Vec<String>>,
}

impl<D> UciProgram<D> {
    pub(crate) fn new(dialect: D) -> UciProgram<D> {
        UciProgram { dialect, told: None }
    }

    /// Tells of a new game, if this is not what was told before.
    fn tell_if_new<G: Game>(&mut self, link: &mut Link, record: &Record<G>)
    where
        D: ClientDialect<G>,
    {
        let moves: Vec<_> = record.moves().map(|mv| record.game().move_text(mv)).collect();
        if self.told.as_ref().is_none_or(|told| !moves.starts_with(told)) {
            link.say(&format!("{}newgame", D::WORD));
        }
        self.told = Some(moves);
    }

    /// Waits until the program has heard everything; what it says before that belongs to another question.
    fn settle(&self, link: &mut Link, longest: Duration) -> Result<(), PlayerFault> {
        link.say("isready");
        let wait = Wait { command: "isready", longest, expected: "`readyok`", stop: None };
        link.hear(&wait, |line| {
            Ok(match line.trim() {
                "readyok" => LineMeaning::Answer(()),
                line if is_chatter(line) || line.starts_with("bestmove") => LineMeaning::Chatter,
                _ => LineMeaning::Noise,
            })
        })
    }

    fn position<G: Game>(&self, record: &Record<G>, begun: Option<String>) -> String
    where
        D: ClientDialect<G>,
    {
        let game = record.game();
        let start = match *record.start() == game.start() {
            true => "startpos".into(),
            false => format!("fen {}", self.dialect.position_text(game, record.start())),
        };
        let moves = record.moves().map(|mv| self.dialect.move_text(game, mv)).chain(begun);
        let moves: Vec<_> = moves.collect();
        match moves.is_empty() {
            true => format!("position {start}"),
            false => format!("position {start} moves {}", moves.join(" ")),
        }
    }

    /// Asks once; the answer is a move or a part of one.
    fn best<G: Game>(
        &self,
        link: &mut Link,
        record: &Record<G>,
        begun: Option<String>,
        ask: &MoveRequest,
    ) -> Result<(String, ProgramThought), PlayerFault>
    where
        D: ClientDialect<G>,
    {
        link.say(&self.position(record, begun));
        self.settle(link, ask.timeout)?;
        let go = go(&ask.limits, D::CLOCKS);
        link.say(&go);
        let is_reversed = self.dialect.is_reversed(record);
        let mut thought = ProgramThought::default();
        let wait = Wait {
            command: &go,
            longest: ask.longest(),
            expected: "`bestmove` and a move",
            stop: Some(Stop { control: ask.control, word: "stop", after: None }),
        };
        let answer = link.hear(&wait, |line| {
            if line.split_whitespace().next() == Some("info") {
                think(&mut thought, line, is_reversed);
            }
            Ok(match self.dialect.answer(line) {
                Some(text) => LineMeaning::Answer(shortened(text)),
                None if is_chatter(line) => LineMeaning::Chatter,
                None => LineMeaning::Noise,
            })
        })?;
        match answer.as_str() {
            "" => Err(PlayerFault::Garbage {
                command: go,
                answer: "bestmove".into(),
                expected: "a move after `bestmove`",
            }),
            "none" | "(none)" | "draw" => {
                Err(PlayerFault::Refused { command: go, reason: format!("bestmove {answer}") })
            }
            "resign" => Err(PlayerFault::Resigned),
            _ => Ok((answer, thought)),
        }
    }
}

impl<G: Game, D: ClientDialect<G>> Speaker<G> for UciProgram<D> {
    fn greet(&mut self, link: &mut Link, record: &Record<G>, settings: &Settings) -> Result<(), PlayerFault> {
        link.say(D::WORD);
        let wait = Wait { command: D::WORD, longest: settings.startup, expected: D::OK, stop: None };
        link.hear(&wait, |line| {
            Ok(match line.trim() {
                line if line == D::OK.trim_matches('`') => LineMeaning::Answer(()),
                line if is_chatter(line) => LineMeaning::Chatter,
                _ => LineMeaning::Noise,
            })
        })?;
        let game = record.game();
        let are_usual = *game.rules() == G::Rules::default();
        let rules = if are_usual { Vec::new() } else { self.dialect.rules(game)? };
        rules.iter().chain(&settings.init).for_each(|line| link.say(line));
        self.settle(link, settings.startup)
    }

    fn prepare(&mut self, link: &mut Link, record: &Record<G>, ask: &MoveRequest) -> Result<(), PlayerFault> {
        self.tell_if_new(link, record);
        self.settle(link, ask.timeout)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        record: &Record<G>,
        ask: &MoveRequest,
    ) -> Result<Decision<G::Move>, PlayerFault> {
        self.tell_if_new(link, record);
        let since = Instant::now();
        let (mut text, thought) = self.best(link, record, None, ask)?;
        for _ in 0..D::MORE_PARTS {
            let Some(begun) = self.dialect.begun(record, &text) else { break };
            // The parts of a turn share its time.
            let rest = MoveRequest { limits: after(&ask.limits, since.elapsed()), ..*ask };
            let (part, _) = self.best(link, record, Some(begun), &rest)?;
            text = self.dialect.joined(&text, &part);
        }
        let mv = legal(record, &text)?;
        Ok(Decision { mv, analysis: thought.analysis(mv) })
    }

    fn forget(&mut self) {
        self.told = None;
    }
}

/// Every game, whole moves, `bestmove` on a line of its own.
pub(crate) struct Ugi;

impl<G: Game> ClientDialect<G> for Ugi {
    const WORD: &'static str = "ugi";
    const OK: &'static str = "`ugiok`";
    const CLOCKS: [(&'static str, &'static str); 2] = [("p1time", "p1inc"), ("p2time", "p2inc")];

    fn rules(&self, game: &G) -> Result<Vec<String>, PlayerFault> {
        Ok(vec![format!("setoption name rules value {}", game.rules())])
    }
}

/// What is left of the limits after some time.
fn after(limits: &Limits, used: Duration) -> Limits {
    let rest = |time: Duration| time.saturating_sub(used).max(Duration::from_millis(1));
    Limits {
        time: limits.time.map(rest),
        clock: limits.clock.map(|clock| GameClock { left: rest(clock.left), ..clock }),
        ..*limits
    }
}

fn is_chatter(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "info" | "id" | "option" | "readyok" | "response" | "ugiok" | "uciok")
}

/// Only one's own clock is known here, so both sides are said to have it.
fn go(limits: &Limits, clocks: [(&str, &str); 2]) -> String {
    let mut go = String::from("go");
    let mut add = |word: &str, number: Option<u64>| {
        if let Some(number) = number {
            go.push_str(&format!(" {word} {number}"));
        }
    };
    let milliseconds = |time: Duration| time.as_millis() as u64;
    for (left, increment) in clocks.into_iter().filter(|_| limits.clock.is_some()) {
        add(left, limits.clock.map(|clock| milliseconds(clock.left)));
        add(increment, limits.clock.map(|clock| milliseconds(clock.increment)));
    }
    add("depth", limits.depth.map(u64::from));
    add("nodes", limits.nodes);
    add("movetime", limits.time.map(milliseconds));
    go
}

/// Takes over what an `info` line says.
fn think(thought: &mut ProgramThought, line: &str, is_reversed: bool) {
    let sign = if is_reversed { -1 } else { 1 };
    let words: Vec<&str> = line.split_whitespace().collect();
    for pair in words.windows(2) {
        let number = || pair[1].parse::<i64>().ok();
        let score = || number().map(|number| sign * number.clamp(-1_000_000, 1_000_000) as i32);
        match pair[0] {
            "pv" | "string" => break,
            "cp" => (thought.hundredths, thought.mate) = (score(), None),
            "mate" => thought.mate = score(),
            "depth" => thought.depth = number().unwrap_or(0).clamp(0, 1000) as u32,
            "nodes" => thought.nodes = number().unwrap_or(0).max(0) as u64,
            "time" => thought.seconds = number().unwrap_or(0).max(0) as f64 / 1000.0,
            _ => {}
        }
    }
}
