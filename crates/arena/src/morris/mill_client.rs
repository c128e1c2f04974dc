//! Sanmill's dialect of UCI, as the one who asks speaks it: removals are moves of their own, scores are White's.

use trilith_games::morris::{CaptureFromMill, Morris, Move, Position, STANDARD, sanmill_text};
use trilith_games::{Colour, Game, Record};

use super::mill_server::{Turn, rule_options, variant_options};
use crate::player::PlayerFault;
use crate::player::external::uci::ClientDialect;

pub(super) struct MillClient;

impl ClientDialect<Morris> for MillClient {
    const WORD: &'static str = "uci";
    const OK: &'static str = "`uciok`";
    const CLOCKS: [(&'static str, &'static str); 2] = [("wtime", "winc"), ("btime", "binc")];
    /// At most two stones are taken by one move.
    const MORE_PARTS: usize = 2;

    fn rules(&self, game: &Morris) -> Result<Vec<String>, PlayerFault> {
        let rules = game.rules();
        if rules.capture_from_mill == CaptureFromMill::Never {
            let reason = "the protocol has no words for these rules".into();
            return Err(PlayerFault::Refused { command: rules.to_string(), reason });
        }
        // What makes no variant is left unsaid: programs need not know the words.
        let usual: Vec<_> = variant_options(&STANDARD).collect();
        let variant = variant_options(rules).filter(|option| !usual.contains(option));
        let option = |(name, value)| format!("setoption name {name} value {value}");
        Ok(rule_options(rules).chain(variant).map(option).collect())
    }

    fn position_text(&self, _: &Morris, position: &Position) -> String {
        sanmill_text(position, 1)
    }

    fn move_text(&self, game: &Morris, mv: Move) -> String {
        Turn::parse(&game.move_text(mv)).tokens()
    }

    fn is_reversed(&self, record: &Record<Morris>) -> bool {
        record.game().to_move(record.position()) == Colour::Black
    }

    fn answer<'a>(&self, line: &'a str) -> Option<&'a str> {
        let mut words = line.split_whitespace();
        words.any(|word| word == "bestmove").then(|| words.next().unwrap_or_default())
    }

    fn begun(&self, record: &Record<Morris>, text: &str) -> Option<String> {
        let turn = Turn::parse(text);
        (!turn.completions(record).is_empty()).then(|| turn.tokens())
    }

    fn joined(&self, text: &str, part: &str) -> String {
        let mut turn = Turn::parse(text);
        turn.taken.push(part.to_ascii_lowercase().trim_start_matches('x').into());
        turn.text()
    }
}
