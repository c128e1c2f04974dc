//! GTP, the Go Text Protocol version 2, as Othello programs and boards speak it.
//!
//! `[id] command arguments`, answered by `=[id] text` or `?[id] fault` and an empty line. Commands are answered one
//! after the other. Of time it knows `time_settings` and `time_left`, in whole seconds.

use std::time::{Duration, Instant};

use trilith_games::{Colour, Game, Record};
use trilith_search::limits::GameClock;
use trilith_search::{Analysis, Limits};

use crate::player::{Decision, PlayerFault};
use crate::protocol::desk::Desk;
use crate::protocol::server::{Flow, ProtocolServer};
use crate::protocol::uci::{first_word, shortened};

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

#[derive(Default)]
pub(super) struct GtpServer {
    /// The id of the move being thought about, and whether it is to be played.
    asked: Option<(String, bool)>,
    since: Option<Instant>,
    /// For one move.
    per_move: Option<Duration>,
    /// For the rest of the game, Black's and White's.
    left: [Option<Duration>; 2],
}

impl<G: Game> ProtocolServer<G> for GtpServer {
    fn line(&mut self, desk: &mut Desk<G>, line: &str) -> Flow {
        if desk.is_thinking() {
            return Flow::Wait;
        }
        let line = cleaned(line);
        let (mut id, mut rest) = first_word(&line);
        if id.is_empty() || id.bytes().any(|byte| !byte.is_ascii_digit()) {
            (id, rest) = ("", &line);
        }
        let (command, arguments) = first_word(rest);
        match command {
            "" if id.is_empty() => {}
            "" => answer(desk, id, Err("syntax error: expected a command".into())),
            "quit" => {
                answer(desk, id, Ok(String::new()));
                return Flow::Quit;
            }
            "genmove" | "reg_genmove" => match self.genmove(desk, id, arguments, command == "genmove") {
                Ok(None) => {}
                Ok(Some(text)) => answer(desk, id, Ok(text)),
                Err(fault) => answer(desk, id, Err(fault)),
            },
            _ => {
                let result = self.obey(desk, command, arguments);
                answer(desk, id, result);
            }
        }
        Flow::Done
    }

    fn too_long(&mut self, desk: &mut Desk<G>) {
        answer(desk, "", Err("the line is too long".into()));
    }

    fn thought(&mut self, _: &mut Desk<G>, _: &Analysis<G::Move>) {}

    fn done(&mut self, desk: &mut Desk<G>, result: Result<Option<Decision<G::Move>>, PlayerFault>) {
        let (id, plays) = self.asked.take().unwrap_or_default();
        let mover = desk.record.game().to_move(desk.record.position()) as usize;
        let used = self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        self.left[mover] = self.left[mover].map(|left| left.saturating_sub(used));
        match result {
            Ok(Some(decision)) => {
                let text = desk.record.game().move_text(decision.mv);
                if plays {
                    desk.record.push_legal(decision.mv);
                }
                answer(desk, &id, Ok(text));
            }
            Ok(None) => answer(desk, &id, Err("no move".into())),
            Err(fault) => answer(desk, &id, Err(fault.to_string())),
        }
    }

    fn end(&mut self, _: &mut Desk<G>) {}
}

impl GtpServer {
    /// Begins to think, or answers at once where there is nothing to think about.
    fn genmove<G: Game>(
        &mut self,
        desk: &mut Desk<G>,
        id: &str,
        arguments: &str,
        plays: bool,
    ) -> Result<Option<String>, String> {
        let colour = colour_of(first_word(arguments).0)?;
        if desk.record.end().is_some() {
            return Ok(Some("pass".into()));
        }
        hand_over(&mut desk.record, colour)?;
        self.asked = Some((id.into(), plays));
        self.since = Some(Instant::now());
        let clock = self.left[colour as usize].map(|left| GameClock { left, increment: Duration::ZERO });
        let time = self.per_move;
        desk.think(Limits { time, clock: clock.filter(|_| time.is_none()), ..Limits::default() });
        Ok(None)
    }

    fn obey<G: Game>(
        &mut self,
        desk: &mut Desk<G>,
        command: &str,
        arguments: &str,
    ) -> Result<String, String> {
        let text = |text: &str| Ok(text.to_owned());
        match command {
            "protocol_version" => text("2"),
            "name" => text("Trilith"),
            "version" => text(env!("CARGO_PKG_VERSION")),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(COMMANDS.contains(&arguments).to_string()),
            "list_games" => text("Othello"),
            "set_game" if arguments.eq_ignore_ascii_case("othello") => text(""),
            "set_game" => Err("unsupported game".into()),
            "boardsize" if arguments == "8" => text(""),
            "boardsize" => Err("unacceptable size".into()),
            "komi" if arguments.parse::<f64>().is_ok() => text(""),
            "komi" => Err("syntax error: expected a number".into()),
            "clear_board" => {
                desk.record = Record::new(desk.record.game().clone());
                desk.forget();
                text("")
            }
            "play" => play(&mut desk.record, arguments).map(|()| String::new()),
            "undo" => desk.record.pop().map(|_| String::new()).ok_or("cannot undo".into()),
            "showboard" => Ok(format!("\n{}", desk.record.game().diagram(desk.record.position()).trim_end())),
            "time_settings" => self.time_settings(arguments).map(|()| String::new()),
            "time_left" => self.time_left(arguments).map(|()| String::new()),
            _ => Err("unknown command".into()),
        }
    }

    fn time_settings(&mut self, arguments: &str) -> Result<(), String> {
        let [main, extra, moves] = numbers(arguments)
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or("syntax error: expected main time, extra time and its moves")?;
        // As GTP has it, extra time without moves means no limit at all.
        let unlimited = extra > 0.0 && moves < 1.0;
        self.per_move = (main <= 0.0 && moves >= 1.0).then(|| seconds(extra / moves));
        let left = (self.per_move.is_none() && !unlimited).then(|| seconds(main));
        self.left = [left; 2];
        Ok(())
    }

    fn time_left(&mut self, arguments: &str) -> Result<(), String> {
        let (word, rest) = first_word(arguments);
        let colour = colour_of(word)?;
        let [left, moves] = numbers(rest)
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or("syntax error: expected a colour, the time left and its moves")?;
        self.left[colour as usize] = (moves < 1.0).then(|| seconds(left));
        self.per_move = (moves >= 1.0).then(|| seconds(left / moves));
        Ok(())
    }
}

/// Without comments and control characters.
fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().map(|letter| if letter == '\t' { ' ' } else { letter }).filter(|l| !l.is_control()).collect()
}

fn answer<G: Game>(desk: &mut Desk<G>, id: &str, result: Result<String, String>) {
    let (sign, text) = match &result {
        Ok(text) => ('=', text),
        Err(fault) => ('?', fault),
    };
    let space = if text.starts_with('\n') { "" } else { " " };
    desk.say(format!("{sign}{id}{space}{text}").trim_end());
    desk.say("");
}

fn play<G: Game>(record: &mut Record<G>, arguments: &str) -> Result<(), String> {
    let (word, rest) = first_word(arguments);
    let colour = colour_of(word)?;
    let mut played = record.clone();
    hand_over(&mut played, colour)?;
    played.push_text(first_word(rest).0).map_err(|error| format!("illegal move: {error}"))?;
    *record = played;
    Ok(())
}

/// Makes it the turn of `colour`, by a pass of its opponent if that is forced.
fn hand_over<G: Game>(record: &mut Record<G>, colour: Colour) -> Result<(), String> {
    let to_move = |record: &Record<G>| record.game().to_move(record.position());
    if to_move(record) != colour && record.push_text("pass").is_err() {
        return Err(format!("wrong colour: it is the turn of {}", !colour));
    }
    Ok(())
}

fn colour_of(word: &str) -> Result<Colour, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Colour::Black),
        "w" | "white" => Ok(Colour::White),
        _ => Err(format!("syntax error: `{}` is not a colour", shortened(word))),
    }
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect()
}

fn seconds(number: f64) -> Duration {
    Duration::from_secs_f64(number.clamp(0.0, 1e6))
}
