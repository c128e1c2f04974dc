//! The two dialects of UCI, as the one who asks speaks them. The whole game is told before every move.

use std::time::{Duration, Instant};

use trilith_games::morris::{self, CaptureFromMill};
use trilith_games::{Colour, Game, Record};
use trilith_search::Limits;
use trilith_search::limits::Clock;

use super::link::{LineMeaning, Link, Stop, Wait};
use super::{Ask, Settings, Speaker, Thought, legal, shortened};
use crate::player::{Decision, Fault};
use crate::protocol::mill::{self, Turn};

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Every game, whole moves, `bestmove` on a line of its own.
    Ugi,
    /// Nine Men's Morris in Sanmill's way: removals are moves of their own, scores are White's.
    Mill,
}

pub(super) struct Uci {
    dialect: Dialect,
    /// The moves told last, to see whether another game has begun.
    told: Option<Vec<String>>,
}

impl Uci {
    pub(super) fn new(dialect: Dialect) -> Uci {
        Uci { dialect, told: None }
    }

    fn word(&self) -> &'static str {
        if self.dialect == Dialect::Ugi { "ugi" } else { "uci" }
    }

    /// The options that make the program play by the rules of `game`.
    fn rules<G: Game>(&self, game: &G) -> Result<Vec<String>, Fault> {
        let rules = game.rules();
        if *rules == G::Rules::default() {
            return Ok(Vec::new());
        }
        if self.dialect == Dialect::Ugi {
            return Ok(vec![format!("setoption name rules value {rules}")]);
        }
        let rules = rules.to_string();
        match rules.parse::<morris::Rules>() {
            Ok(known) if known.capture_from_mill != CaptureFromMill::Never => {
                let option = |(name, value)| format!("setoption name {name} value {value}");
                Ok(mill::rule_options(&known).map(option).collect())
            }
            _ => Err(Fault::Refused {
                command: rules,
                reason: "the protocol has no words for these rules".into(),
            }),
        }
    }

    /// Tells of a new game, if this is not what was told before.
    fn tell_if_new<G: Game>(&mut self, link: &mut Link, record: &Record<G>) {
        let moves: Vec<_> = record.moves().map(|mv| record.game().move_text(mv)).collect();
        if self.told.as_ref().is_none_or(|told| !moves.starts_with(told)) {
            link.say(&format!("{}newgame", self.word()));
        }
        self.told = Some(moves);
    }

    /// Waits until the program has heard everything; what it says before that belongs to another question.
    fn settle(&self, link: &mut Link, longest: Duration) -> Result<(), Fault> {
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

    fn position<G: Game>(&self, record: &Record<G>, begun: Option<&Turn>) -> String {
        let game = record.game();
        let start = match *record.start() == game.start() {
            true => "startpos".into(),
            false => match self.dialect {
                Dialect::Ugi => format!("fen {}", game.position_text(record.start())),
                Dialect::Mill => {
                    let text = mill::fen_of(game, record.start(), 1);
                    format!("fen {}", text.unwrap_or_else(|| game.position_text(record.start())))
                }
            },
        };
        let text = |mv| match self.dialect {
            Dialect::Ugi => game.move_text(mv),
            Dialect::Mill => Turn::parse(&game.move_text(mv)).tokens(),
        };
        let moves: Vec<_> = record.moves().map(text).chain(begun.map(Turn::tokens)).collect();
        match moves.is_empty() {
            true => format!("position {start}"),
            false => format!("position {start} moves {}", moves.join(" ")),
        }
    }

    /// Asks once; the answer is a move or, in Sanmill's dialect, a part of one.
    fn best<G: Game>(
        &self,
        link: &mut Link,
        record: &Record<G>,
        begun: Option<&Turn>,
        ask: &Ask,
    ) -> Result<(String, Thought), Fault> {
        link.say(&self.position(record, begun));
        self.settle(link, ask.timeout)?;
        let go = go(&ask.limits, self.dialect);
        link.say(&go);
        let black =
            self.dialect == Dialect::Mill && record.game().to_move(record.position()) == Colour::Black;
        let mut thought = Thought::default();
        let wait = Wait {
            command: &go,
            longest: ask.longest(),
            expected: "`bestmove` and a move",
            stop: Some(Stop { control: ask.control, word: "stop", after: None }),
        };
        let answer = link.hear(&wait, |line| {
            let mut words = line.split_whitespace();
            if words.clone().next() == Some("info") {
                think(&mut thought, line, black);
            }
            let answers = match self.dialect {
                Dialect::Ugi => words.next() == Some("bestmove"),
                Dialect::Mill => words.any(|word| word == "bestmove"),
            };
            Ok(match answers {
                true => LineMeaning::Answer(shortened(words.next().unwrap_or_default())),
                false if is_chatter(line) => LineMeaning::Chatter,
                false => LineMeaning::Noise,
            })
        })?;
        match answer.as_str() {
            "" => Err(Fault::Garbage {
                command: go,
                answer: "bestmove".into(),
                expected: "a move after `bestmove`",
            }),
            "none" | "(none)" | "draw" => {
                Err(Fault::Refused { command: go, reason: format!("bestmove {answer}") })
            }
            "resign" => Err(Fault::Resigned),
            _ => Ok((answer, thought)),
        }
    }
}

impl<G: Game> Speaker<G> for Uci {
    fn greet(&mut self, link: &mut Link, record: &Record<G>, settings: &Settings) -> Result<(), Fault> {
        let word = self.word();
        let ok = format!("{word}ok");
        link.say(word);
        let expected = if self.dialect == Dialect::Ugi { "`ugiok`" } else { "`uciok`" };
        let wait = Wait { command: word, longest: settings.startup, expected, stop: None };
        link.hear(&wait, |line| {
            Ok(match line.trim() {
                line if line == ok => LineMeaning::Answer(()),
                line if is_chatter(line) => LineMeaning::Chatter,
                _ => LineMeaning::Noise,
            })
        })?;
        self.rules(record.game())?.iter().chain(&settings.init).for_each(|line| link.say(line));
        self.settle(link, settings.startup)
    }

    fn prepare(&mut self, link: &mut Link, record: &Record<G>, ask: &Ask) -> Result<(), Fault> {
        self.tell_if_new(link, record);
        self.settle(link, ask.timeout)
    }

    fn ask(&mut self, link: &mut Link, record: &Record<G>, ask: &Ask) -> Result<Decision<G::Move>, Fault> {
        self.tell_if_new(link, record);
        let since = Instant::now();
        let (mut text, thought) = self.best(link, record, None, ask)?;
        if self.dialect == Dialect::Mill {
            // At most two stones are taken by one move.
            for _ in 0..2 {
                let mut turn = Turn::parse(&text);
                if turn.completions(record).is_empty() {
                    break;
                }
                // The parts of a turn share its time.
                let rest = Ask { limits: after(&ask.limits, since.elapsed()), ..*ask };
                let (next, _) = self.best(link, record, Some(&turn), &rest)?;
                turn.taken.push(next.to_ascii_lowercase().trim_start_matches('x').into());
                text = turn.text();
            }
        }
        let mv = legal(record, &text)?;
        Ok(Decision { mv, analysis: thought.analysis(mv) })
    }

    fn forget(&mut self) {
        self.told = None;
    }
}

/// What is left of the limits after some time.
fn after(limits: &Limits, used: Duration) -> Limits {
    let rest = |time: Duration| time.saturating_sub(used).max(Duration::from_millis(1));
    Limits {
        time: limits.time.map(rest),
        clock: limits.clock.map(|clock| Clock { left: rest(clock.left), ..clock }),
        ..*limits
    }
}

fn is_chatter(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "info" | "id" | "option" | "readyok" | "response" | "ugiok" | "uciok")
}

/// Only one's own clock is known here, so both sides are said to have it.
fn go(limits: &Limits, dialect: Dialect) -> String {
    let mut go = String::from("go");
    let mut add = |word: &str, number: Option<u64>| {
        if let Some(number) = number {
            go.push_str(&format!(" {word} {number}"));
        }
    };
    let milliseconds = |time: Duration| time.as_millis() as u64;
    let clocks = match dialect {
        Dialect::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
        Dialect::Mill => [("wtime", "winc"), ("btime", "binc")],
    };
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
fn think(thought: &mut Thought, line: &str, is_reversed: bool) {
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
