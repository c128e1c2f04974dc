//! NBoard's protocol as the board speaks it: the whole game before every move.
//!
//! Programs may go by the depth alone, as NTest does, so a `ping` ends the search when its time is over: programs that
//! follow the protocol then stop thinking and say what they have.

use std::time::Duration;

use trilith_games::{Colour, Game, Record};
use trilith_search::Limits;

use crate::player::external::link::{LineMeaning, Link, Stop, Wait};
use crate::player::external::{MoveRequest, ProgramThought, Settings, Speaker, legal, shortened};
use crate::player::{Decision, PlayerFault};

/// The depth a program is told if nobody says and there is no time to go by.
const USUAL_DEPTH: u32 = 8;
/// The depth a program is told if only time limits it.
const DEEPEST: u32 = 60;
/// What the game's time is said to be where there is none.
const USUAL_TIME: Duration = Duration::from_secs(900);

#[derive(Default)]
pub(super) struct NBoardClient {
    depth: Option<u32>,
    pings: u64,
}

impl NBoardClient {
    /// Tells the depth if it has changed; to some programs it means to begin anew.
    fn tell_depth(&mut self, link: &mut Link, limits: &Limits) -> u32 {
        let timed = limits.time.is_some() || limits.clock.is_some();
        let depth = limits.depth.unwrap_or(if timed { DEEPEST } else { USUAL_DEPTH });
        if self.depth != Some(depth) {
            link.say(&format!("set depth {depth}"));
            self.depth = Some(depth);
        }
        depth
    }

    /// Waits until the program has heard everything and thinks of nothing else.
    fn settle(&mut self, link: &mut Link, longest: Duration) -> Result<(), PlayerFault> {
        self.pings += 1;
        let (ping, pong) = (format!("ping {}", self.pings), format!("pong {}", self.pings));
        link.say(&ping);
        let wait = Wait { command: &ping, longest, expected: "`pong` and the same number", stop: None };
        link.hear(&wait, |line| {
            Ok(match line.trim() {
                line if line == pong => LineMeaning::Answer(()),
                line if is_chatter(line) || line.starts_with("===") => LineMeaning::Chatter,
                _ => LineMeaning::Noise,
            })
        })
    }
}

impl<G: Game> Speaker<G> for NBoardClient {
    fn greet(&mut self, link: &mut Link, _: &Record<G>, settings: &Settings) -> Result<(), PlayerFault> {
        link.say("nboard 2");
        settings.init.iter().for_each(|line| link.say(line));
        self.settle(link, settings.startup)
    }

    fn prepare(&mut self, link: &mut Link, _: &Record<G>, ask: &MoveRequest) -> Result<(), PlayerFault> {
        self.tell_depth(link, &ask.limits);
        self.settle(link, ask.timeout)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        record: &Record<G>,
        ask: &MoveRequest,
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let depth = self.tell_depth(link, &ask.limits);
        link.say(&format!("set game {}", game_text(record, &ask.limits)));
        self.settle(link, ask.timeout)?;
        link.say("go");
        self.pings += 1;
        let interrupt = format!("ping {}", self.pings);
        let wait = Wait {
            command: "go",
            longest: ask.longest(),
            expected: "`===` and a move",
            stop: Some(Stop { control: ask.control, word: &interrupt, after: ask.limits.hard() }),
        };
        let answer = link.hear(&wait, |line| {
            Ok(match line.trim().strip_prefix("===") {
                Some(answer) => LineMeaning::Answer(shortened(answer)),
                None if is_chatter(line) => LineMeaning::Chatter,
                None => LineMeaning::Noise,
            })
        })?;
        let mut parts = answer.split(['/', ' ']);
        let text = parts.next().unwrap_or_default();
        if text.is_empty() {
            let (command, answer) = ("go".into(), "===".into());
            return Err(PlayerFault::Garbage { command, answer, expected: "a move after `===`" });
        }
        let mv = legal(record, text)?;
        let mut number = || parts.next().and_then(|part| part.parse::<f64>().ok());
        let hundredths = number().map(|value| (100.0 * value) as i32);
        let thought = ProgramThought {
            hundredths,
            depth,
            seconds: number().unwrap_or(0.0),
            ..ProgramThought::default()
        };
        Ok(Decision { mv, analysis: thought.analysis(mv) })
    }

    fn forget(&mut self) {
        // The depth said anew makes programs begin anew.
        self.depth = None;
    }
}

fn is_chatter(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(
        word,
        "status" | "set" | "search" | "book" | "nodestats" | "pong" | "learn" | "learned" | "analysis"
    )
}

/// The game as GGF. The clock of the side to move stands for that of both.
fn game_text<G: Game>(record: &Record<G>, limits: &Limits) -> String {
    let game = record.game();
    let board = game.position_text(record.start()).replace('X', "*");
    let mut moves = String::new();
    let mut colour = game.to_move(record.start());
    for mv in record.moves() {
        let sign = if colour == Colour::Black { 'B' } else { 'W' };
        let text = game.move_text(mv);
        let text = if text == "pass" { "PA" } else { &text };
        moves.push_str(&format!("{sign}[{}]", text.to_ascii_uppercase()));
        colour = !colour;
    }
    let seconds = game_time(record, limits).as_secs().max(1);
    let clock = format!("{:02}:{:02}", seconds / 60, seconds % 60);
    format!("(;GM[Othello]PC[Trilith]PB[Black]PW[White]RE[?]TI[{clock}]TY[8]BO[8 {board}]{moves};)")
}

/// What is left for the game. A time for the move stands for all moves still to come, as there is no other word for it.
fn game_time<G: Game>(record: &Record<G>, limits: &Limits) -> Duration {
    let empty = record.game().position_text(record.position()).matches('-').count() as u32;
    let all_moves = limits.time.map(|time| time * (empty / 2).max(1));
    limits.clock.map(|clock| clock.left).or(all_moves).unwrap_or(USUAL_TIME)
}
