//! The protocol of NBoard, version 2, as Chris Welty describes it: the board sends whole games and single moves, the
//! engine gives hints or decides, and never plays by itself.
//!
//! `ping` stops whatever is being thought about; commands that nobody knows are ignored, as the protocol asks.

use std::time::Duration;

use trilith_games::othello::formats::ggf::parse_ggf;
use trilith_games::othello::{Move, Othello};
use trilith_games::{Colour, Game};
use trilith_search::limits::GameClock;
use trilith_search::{Analysis, Limits};

use crate::player::{Decision, PlayerFault};
use crate::protocol::desk::{Desk, units};
use crate::protocol::server::{Flow, ProtocolServer};
use crate::protocol::uci::{first_word, shortened};

/// Plies for each position of a retrograde analysis, if no depth was set.
const USUAL_DEPTH: u32 = 8;

/// What is being thought about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Task {
    #[default]
    Go,
    Hint,
    Analysis,
}

#[derive(Default)]
pub(super) struct NBoardServer {
    task: Task,
    depth: Option<u32>,
    /// What is left of the game's time, Black's and White's.
    left: [Option<Duration>; 2],
    told: bool,
}

impl ProtocolServer<Othello> for NBoardServer {
    fn line(&mut self, desk: &mut Desk<Othello>, line: &str) -> Flow {
        if desk.is_thinking() {
            return Flow::Stop;
        }
        let (command, rest) = first_word(line);
        let result = match command {
            "quit" => return Flow::Quit,
            "nboard" | "" => Ok(()),
            "set" => self.set(desk, rest),
            "move" => self.play(desk, rest),
            "ping" => {
                desk.say(&format!("pong {}", shortened(rest)));
                Ok(())
            }
            "go" => self.go(desk),
            "hint" => self.hint(desk, rest),
            "analyze" | "analyse" => self.analyse(desk),
            "learn" => {
                desk.say("learned");
                Ok(())
            }
            // Version 1 sent the bare move.
            _ if command.len() == 2 && rest.is_empty() => self.play(desk, command),
            _ => Ok(()),
        };
        if let Err(error) = result {
            desk.say(&format!("status Error: {error}"));
        }
        Flow::Done
    }

    fn too_long(&mut self, desk: &mut Desk<Othello>) {
        desk.say("status Error: the line is too long");
    }

    fn thought(&mut self, desk: &mut Desk<Othello>, analysis: &Analysis<Move>) {
        self.told = true;
        let game = desk.record.game().clone();
        for line in &analysis.lines {
            let value = f64::from(line.value) / f64::from(analysis.unit.one);
            let moves: String = line.moves.iter().map(|&mv| move_text(&game, mv)).collect();
            desk.say(&format!("search {moves} {value:.2} 0 {}", analysis.depth));
        }
        desk.say(&format!("nodestats {} {:.2}", analysis.nodes, analysis.seconds));
    }

    fn value(&mut self, desk: &mut Desk<Othello>, number: usize, value: f64) {
        self.told = true;
        let position = desk.record.position_after(number).expect("values are asked for plies of the record");
        let sign = if desk.record.game().to_move(position) == Colour::Black { 1.0 } else { -1.0 };
        desk.say(&format!("analysis {number} {:.2}", sign * value));
    }

    fn done(&mut self, desk: &mut Desk<Othello>, result: Result<Option<Decision<Move>>, PlayerFault>) {
        match result {
            Err(fault) => return desk.say(&format!("status Error: {fault}")),
            Ok(Some(decision)) => self.decided(desk, &decision),
            Ok(None) => {}
        }
        desk.say("status");
    }

    fn end(&mut self, _: &mut Desk<Othello>) {}
}

impl NBoardServer {
    fn set(&mut self, desk: &mut Desk<Othello>, rest: &str) -> Result<(), String> {
        match first_word(rest) {
            ("depth", text) => {
                let depth = text.parse().ok().filter(|depth| (1..=128).contains(depth));
                self.depth = Some(depth.ok_or("set depth: expected a whole number from 1 to 128")?);
                desk.say(&format!("set myname Trilith{}", text.trim()));
                Ok(())
            }
            ("game", text) => self.set_game(desk, text),
            _ => Ok(()),
        }
    }

    fn set_game(&mut self, desk: &mut Desk<Othello>, text: &str) -> Result<(), String> {
        let sheets = parse_ggf(desk.record.game(), text).map_err(|error| format!("set game: {error}"))?;
        let sheet = sheets.first().ok_or("set game: no game in this text")?;
        desk.record = sheet.record.clone();
        self.left = [sheet.tag("TB"), sheet.tag("TW")].map(|own| own.or(sheet.tag("TI")).and_then(clock));
        for (colour, id) in [(Colour::Black, "B["), (Colour::White, "W[")] {
            let used =
                text.split(id).skip(1).filter_map(|rest| rest.split(']').next()).filter_map(time_of).sum();
            self.spend(colour, used);
        }
        Ok(())
    }

    fn spend(&mut self, colour: Colour, used: Duration) {
        let left = &mut self.left[colour as usize];
        *left = left.map(|left| left.saturating_sub(used));
    }

    /// `F5/eval/time`, of which only the move must be there.
    fn play(&mut self, desk: &mut Desk<Othello>, text: &str) -> Result<(), String> {
        let mover = desk.record.game().to_move(desk.record.position());
        let mv = text.split('/').next().unwrap_or_default().trim();
        desk.record.push_text(mv).map_err(|error| format!("move: {error}"))?;
        self.spend(mover, time_of(text).unwrap_or_default());
        Ok(())
    }

    fn going(&self, desk: &Desk<Othello>) -> Result<(), String> {
        match desk.record.end() {
            Some(end) => Err(format!("the game has ended ({})", end.reason)),
            None => Ok(()),
        }
    }

    fn go(&mut self, desk: &mut Desk<Othello>) -> Result<(), String> {
        self.going(desk)?;
        (self.task, self.told) = (Task::Go, false);
        desk.set_lines(1);
        let left = self.left[desk.record.game().to_move(desk.record.position()) as usize];
        let clock = left.map(|left| GameClock { left, increment: Duration::ZERO });
        desk.say("status Trilith is thinking");
        desk.think(Limits { depth: self.depth, clock, ..Limits::default() });
        Ok(())
    }

    fn hint(&mut self, desk: &mut Desk<Othello>, text: &str) -> Result<(), String> {
        let lines = text.parse().map_err(|_| "hint: expected how many moves to value")?;
        self.going(desk)?;
        (self.task, self.told) = (Task::Hint, false);
        desk.set_lines(lines);
        desk.say("status Trilith is analysing");
        desk.think(Limits { depth: self.depth, ..Limits::default() });
        Ok(())
    }

    /// Every position of the game, the last one first; an ended one is worth its discs.
    fn analyse(&mut self, desk: &mut Desk<Othello>) -> Result<(), String> {
        (self.task, self.told) = (Task::Analysis, false);
        desk.set_lines(1);
        desk.say("status Trilith is analysing");
        let mut record = desk.record.clone();
        if record.end().is_some() {
            let margin = record.game().margin(record.position());
            self.value(desk, record.len(), f64::from(margin));
            record.pop();
        }
        let mut records = vec![record.clone()];
        while record.pop().is_some() {
            records.insert(0, record.clone());
        }
        if records.iter().any(|record| record.end().is_some()) {
            return Err("analyze: there is no move in this game".into());
        }
        desk.value(records, Limits::depth(self.depth.unwrap_or(USUAL_DEPTH)));
        Ok(())
    }

    fn decided(&self, desk: &mut Desk<Othello>, decision: &Decision<Move>) {
        let game = desk.record.game().clone();
        let mv = move_text(&game, decision.mv);
        let thought = decision.analysis.as_ref();
        match self.task {
            Task::Go => {
                let thought = thought.map(|thought| format!("/{:.2}/{:.2}", units(thought), thought.seconds));
                desk.say(&format!("=== {mv}{}", thought.unwrap_or_default()));
            }
            Task::Hint if !self.told => {
                let (value, depth) = thought.map_or((0.0, 0), |thought| (units(thought), thought.depth));
                desk.say(&format!("search {mv} {value:.2} 0 {depth}"));
            }
            _ => {}
        }
    }
}

/// Two letters, as boards of this protocol have them.
fn move_text(game: &Othello, mv: Move) -> String {
    match game.move_text(mv).as_str() {
        "pass" => "PA".into(),
        text => text.to_ascii_uppercase(),
    }
}

/// GGF's clock, `[[hours:]minutes:]seconds` before the first slash.
fn clock(text: &str) -> Option<Duration> {
    let main = text.split('/').next()?.trim();
    let parts: Option<Vec<f64>> = main.split(':').map(|part| part.trim().parse().ok()).collect();
    let seconds = parts?.into_iter().fold(0.0, |total, part| 60.0 * total + part);
    (0.0..1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The time of `move/eval/time`.
fn time_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.split('/').nth(2)?.trim().parse().ok()?;
    (0.0..1e9).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}
