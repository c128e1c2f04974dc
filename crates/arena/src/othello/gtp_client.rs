//! GTP as the one who asks speaks it. The program keeps the game; it is told what it does not know yet, or all anew.

use std::time::Duration;

use trilith_games::{Colour, Game, Record};
use trilith_search::Limits;

use crate::player::external::link::{LineMeaning, Link, Wait};
use crate::player::external::{MoveRequest, Settings, Speaker, legal, shortened};
use crate::player::{Decision, PlayerFault};

/// Lines of the longest answer.
const LONGEST: usize = 1000;

#[derive(Default)]
pub(super) struct GtpClient {
    id: u64,
    /// The moves the program knows; none before the board was cleared once.
    known: Option<Vec<String>>,
    /// The last `time_settings`.
    time: Option<String>,
}

impl GtpClient {
    /// Says a command and waits for its answer.
    fn command(&mut self, link: &mut Link, command: &str, wait: &Wait) -> Result<String, PlayerFault> {
        self.id += 1;
        let id = self.id.to_string();
        link.say(&format!("{id} {command}"));
        let mut answer: Option<(bool, String)> = None;
        let mut lines = 0;
        let (is_good, text) = link.hear(wait, |line| {
            match &mut answer {
                None => {
                    answer = first_line(line, &id);
                    return Ok(if answer.is_some() { LineMeaning::Chatter } else { LineMeaning::Noise });
                }
                Some((_, text)) if !line.trim().is_empty() && lines < LONGEST => {
                    lines += 1;
                    text.push('\n');
                    text.push_str(line);
                    return Ok(LineMeaning::Chatter);
                }
                Some(_) => {}
            }
            Ok(LineMeaning::Answer(answer.take().expect("it has begun")))
        })?;
        match is_good {
            true => Ok(text),
            false => Err(PlayerFault::Refused { command: shortened(command), reason: shortened(&text) }),
        }
    }

    /// Makes the program know the game.
    fn tell<G: Game>(
        &mut self,
        link: &mut Link,
        record: &Record<G>,
        longest: Duration,
    ) -> Result<(), PlayerFault> {
        let game = record.game();
        if *record.start() != game.start() {
            let reason = "the protocol knows games from the usual start only".into();
            return Err(PlayerFault::Refused { command: game.position_text(record.start()), reason });
        }
        let moves: Vec<_> = record.moves().map(|mv| game.move_text(mv)).collect();
        let mut known = match self.known.take().filter(|known| moves.starts_with(known)) {
            Some(known) => known,
            None => {
                self.simple(link, "boardsize 8", longest)?;
                self.simple(link, "clear_board", longest)?;
                Vec::new()
            }
        };
        for (ply, mv) in moves.into_iter().enumerate().skip(known.len()) {
            let position = record.position_after(ply).expect("a ply of the record");
            self.simple(link, &format!("play {} {mv}", colour(game.to_move(position))), longest)?;
            known.push(mv);
        }
        self.known = Some(known);
        Ok(())
    }

    fn simple(&mut self, link: &mut Link, command: &str, longest: Duration) -> Result<String, PlayerFault> {
        self.command(link, command, &Wait { command, longest, expected: "`=` and an empty line", stop: None })
    }

    /// Tells the time, in the whole seconds that there are words for.
    fn tell_time(&mut self, link: &mut Link, side: Colour, ask: &MoveRequest) -> Result<(), PlayerFault> {
        let Limits { time, clock, .. } = ask.limits;
        let settings = match (time, clock) {
            (Some(time), _) => format!("time_settings 0 {} 1", time.as_millis().div_ceil(1000)),
            (None, Some(clock)) => format!("time_settings {} 0 0", clock.left.as_secs().max(1)),
            (None, None) => return Ok(()),
        };
        let begins = clock.is_none() || self.time.is_none();
        if begins && self.time.as_ref() != Some(&settings) {
            self.simple(link, &settings, ask.timeout)?;
            self.time = Some(settings);
        }
        if let (None, Some(clock)) = (time, clock) {
            let left = format!("time_left {} {} 0", colour(side), clock.left.as_secs().max(1));
            self.simple(link, &left, ask.timeout)?;
        }
        Ok(())
    }
}

impl<G: Game> Speaker<G> for GtpClient {
    fn greet(&mut self, link: &mut Link, _: &Record<G>, settings: &Settings) -> Result<(), PlayerFault> {
        let version = self.simple(link, "protocol_version", settings.startup)?;
        if version.trim() != "2" {
            let (command, answer) = ("protocol_version".into(), shortened(&version));
            return Err(PlayerFault::Garbage { command, answer, expected: "version 2" });
        }
        for line in &settings.init {
            self.simple(link, line, settings.startup)?;
        }
        Ok(())
    }

    fn prepare(&mut self, link: &mut Link, record: &Record<G>, ask: &MoveRequest) -> Result<(), PlayerFault> {
        self.tell(link, record, ask.timeout)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        record: &Record<G>,
        ask: &MoveRequest,
    ) -> Result<Decision<G::Move>, PlayerFault> {
        self.tell(link, record, ask.timeout)?;
        let side = record.game().to_move(record.position());
        self.tell_time(link, side, ask)?;
        let command = format!("genmove {}", colour(side));
        let wait = Wait { command: &command, longest: ask.longest(), expected: "`=` and a move", stop: None };
        let answer = self.command(link, &command, &wait)?;
        if answer.trim().eq_ignore_ascii_case("resign") {
            return Err(PlayerFault::Resigned);
        }
        let mv = legal(record, &answer)?;
        // It has played its move on its own board.
        self.known.get_or_insert_default().push(record.game().move_text(mv));
        Ok(Decision { mv, analysis: None })
    }

    fn forget(&mut self) {
        self.known = None;
    }
}

fn colour(colour: Colour) -> &'static str {
    if colour == Colour::Black { "black" } else { "white" }
}

/// Whether an answer begins here, and is good, and its text. One to another command is none.
fn first_line(line: &str, id: &str) -> Option<(bool, String)> {
    let line = line.trim();
    let is_good = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (own, text) = match digits {
        // Some put a space before the number, some leave it out.
        0 => {
            let text = rest.trim_start();
            (
                true,
                text.strip_prefix(id).filter(|text| text.is_empty() || text.starts_with(' ')).unwrap_or(text),
            )
        }
        _ => (&rest[..digits] == id, &rest[digits..]),
    };
    own.then(|| (is_good, text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_and_without_numbers() {
        let good = |text: &str| Some((true, text.to_owned()));
        assert_eq!(first_line("=7 f5", "7"), good("f5"));
        assert_eq!(first_line("= 7 f5", "7"), good("f5"));
        assert_eq!(first_line("= f5", "7"), good("f5"));
        assert_eq!(first_line("=7", "7"), good(""));
        assert_eq!(first_line("=6 f5", "7"), None);
        assert_eq!(first_line("?7 no", "7"), Some((false, "no".into())));
        assert_eq!(first_line("f5", "7"), None);
    }
}
