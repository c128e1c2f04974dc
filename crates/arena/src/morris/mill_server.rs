//! The dialect of UCI in which Sanmill's engine plays Nine Men's Morris.
//!
//! A turn is split: `d6` or `a1-a4`, and after a mill `xb4` as a move of its own by the same side. So there are
//! positions in the middle of a turn, and our whole moves are said in two parts. Scores are White's, and the best move
//! ends the one line of the search: `info depth 5 score cp 3 nodes 1571 bestmove b4`.

use trilith_games::morris::{CaptureFromMill, DoubleMill, FullBoard, Morris, Move, Rules, sanmill_text};
use trilith_games::{Colour, Game, MoveList, Record};
use trilith_search::{Analysis, Limits};

use crate::player::Decision;
use crate::protocol::desk::Desk;
use crate::protocol::uci::{Dialect, score, shortened};

#[derive(Default)]
pub(super) struct MillServer {
    /// The turn that is not complete yet.
    begun: Option<Turn>,
    /// A whole turn decided on, and where: its removal will be asked for next.
    planned: Option<(String, String)>,
    /// The removals to choose from, with what the opponent's position is worth after each.
    candidates: Vec<(String, f64)>,
}

/// A turn in parts: a stone put or moved, stones removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Such as `d6` or `a1-a4`.
    pub(super) stone: String,
    /// The points of the stones taken so far.
    pub(super) taken: Vec<String>,
}

impl Turn {
    /// The parts of a move in our notation, whole or not.
    pub(super) fn parse(text: &str) -> Turn {
        let lower = text.to_ascii_lowercase();
        let mut parts = lower.split('x').map(str::to_owned);
        Turn { stone: parts.next().unwrap_or_default(), taken: parts.collect() }
    }

    /// The move in our notation.
    pub(super) fn text(&self) -> String {
        let taken: String = self.taken.iter().map(|point| format!("x{point}")).collect();
        format!("{}{taken}", self.stone)
    }

    /// The tokens of this dialect.
    pub(super) fn tokens(&self) -> String {
        self.text().replace('x', " x")
    }

    /// The next stone that `whole` takes, if this is the beginning of it.
    fn next_of(&self, whole: &Turn) -> Option<String> {
        let begins = self.stone == whole.stone && self.taken.iter().all(|point| whole.taken.contains(point));
        let next = whole.taken.iter().find(|point| !self.taken.contains(point));
        next.filter(|_| begins).cloned()
    }

    /// The legal moves that this is the beginning of, each with the stone that it takes next.
    pub(super) fn completions(&self, record: &Record<Morris>) -> Vec<(Move, String)> {
        let game = record.game();
        let mut moves = MoveList::new();
        game.moves(record.position(), &mut moves);
        let complete = |&mv: &Move| Some(mv).zip(self.next_of(&Turn::parse(&game.move_text(mv))));
        moves.iter().filter_map(complete).collect()
    }
}

impl Dialect<Morris> for MillServer {
    const WORD: &'static str = "uci";
    const CLOCKS: [&'static str; 2] = ["wtime", "btime"];
    const INCREMENTS: [&'static str; 2] = ["winc", "binc"];

    fn options(&self, desk: &Desk<Morris>) -> Vec<String> {
        let mut options = vec![format!("option name Player type string default {}", desk.player())];
        let spins = [("Threads", "threads", "1", "256"), ("Hash", "hash", "64", "1048576")];
        for (name, key, usual, most) in spins.into_iter().filter(|(_, key, ..)| desk.has_option(key)) {
            let value = desk.player().get(key).unwrap_or(usual);
            options.push(format!("option name {name} type spin default {value} min 1 max {most}"));
        }
        let rules = desk.record.game().rules();
        let all = rule_options(rules).chain(variant_options(rules));
        options.extend(all.map(|(name, value)| match value.parse::<u32>() {
            Ok(_) => format!("option name {name} type spin default {value} min 0 max 200"),
            Err(_) => format!("option name {name} type check default {value}"),
        }));
        options
    }

    fn set_option(&mut self, desk: &mut Desk<Morris>, name: &str, value: &str) -> Result<(), String> {
        let truth = |yes: &'static str, no: &'static str| match value {
            "true" => Ok(yes),
            "false" => Ok(no),
            _ => Err(format!("option {name}: `{}` is not true or false", shortened(value))),
        };
        let switch = match name {
            "player" => {
                let spec = value.parse().map_err(|error: crate::spec::SpecError| error.to_string())?;
                return desk.set_player(spec).map_err(|error| error.to_string());
            }
            "mayfly" => format!("flying={}", truth("on", "off")?),
            "mayremovefrommillsalways" => {
                format!("capture-from-mill={}", truth("always", "if-all-in-mills")?)
            }
            "mayremovemultiple" => format!("double-mill={}", truth("two", "one")?),
            "threefoldrepetitionrule" => format!("repetition={}", truth("3", "0")?),
            "nmoverule" => format!("quiet-plies={}", shortened(value)),
            "piecescount" => format!("stones={}", shortened(value)),
            "hasdiagonallines" => format!("diagonals={}", truth("on", "off")?),
            "maymoveinplacingphase" => format!("move-while-placing={}", truth("on", "off")?),
            "endgamenmoverule" => format!("endgame-plies={}", shortened(value)),
            "boardfullaction" => match value {
                FIRST_LOSES => "full-board=loss".into(),
                DRAWN => "full-board=draw".into(),
                _ => {
                    let value = shortened(value);
                    return Err(format!("option {name}: `{value}` is not {FIRST_LOSES} or {DRAWN}"));
                }
            },
            _ if desk.has_option(name) => {
                return desk.set_option(name, value).map_err(|error| error.to_string());
            }
            _ => return Err(format!("unsupported option: {}", shortened(name))),
        };
        let rules = format!("{},{switch}", desk.record.game().rules());
        let rules = rules.parse().map_err(|error: trilith_games::RulesError| error.to_string())?;
        desk.record = Record::new(Morris::new(rules));
        self.begun = None;
        Ok(())
    }

    fn play(&mut self, record: &mut Record<Morris>, moves: &[&str]) -> Result<(), String> {
        let mut begun: Option<Turn> = None;
        for token in moves {
            let part = Turn::parse(token);
            begun = match (begun.take(), part.stone.is_empty()) {
                (Some(mut turn), true) => {
                    turn.taken.extend(part.taken);
                    Some(turn)
                }
                (None, false) => Some(part),
                (Some(turn), false) => {
                    return Err(format!(
                        "`{}`: expected a removal after `{}`",
                        shortened(token),
                        turn.text()
                    ));
                }
                (None, true) => return Err(format!("`{}`: no mill was closed", shortened(token))),
            };
            let Some(turn) = &begun else { continue };
            match record.push_text(&turn.text()) {
                Ok(()) => begun = None,
                Err(_) if record.end().is_none() && !turn.completions(record).is_empty() => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        self.begun = begun;
        Ok(())
    }

    fn go(&mut self, desk: &mut Desk<Morris>, limits: Limits) -> Option<String> {
        self.candidates.clear();
        let Some(turn) = &self.begun else {
            desk.think(limits);
            return None;
        };
        let whole = turn.completions(&desk.record);
        let here = desk.record.game().position_text(desk.record.position());
        let planned = self.planned.as_ref().filter(|(position, _)| *position == here);
        let planned = planned.and_then(|(_, planned)| turn.next_of(&Turn::parse(planned)));
        if let Some(point) = planned.or_else(|| (whole.len() == 1).then(|| whole[0].1.clone())) {
            return Some(format!("info depth 0 score cp 0 nodes 0 bestmove x{point}"));
        }
        let mut records = Vec::new();
        for (mv, point) in whole {
            let mut record = desk.record.clone();
            record.push_legal(mv);
            // A removal ends a game only by winning it.
            if record.end().is_some() {
                return Some(format!("info depth 0 score cp 0 nodes 0 bestmove x{point}"));
            }
            self.candidates.push((point, f64::INFINITY));
            records.push(record);
        }
        desk.value(records, shared(limits, self.candidates.len()));
        None
    }

    fn thought(&self, _: &Desk<Morris>, _: &Analysis<Move>) -> Vec<String> {
        Vec::new()
    }

    fn value(&mut self, number: usize, value: f64) {
        if let Some(candidate) = self.candidates.get_mut(number) {
            candidate.1 = value;
        }
    }

    fn answer(&mut self, desk: &Desk<Morris>, decision: Option<Decision<Move>>) -> Vec<String> {
        let game = desk.record.game();
        let Some(decision) = decision else {
            let best = self.candidates.iter().min_by(|left, right| left.1.total_cmp(&right.1));
            let point = best.map_or(String::new(), |(point, _)| format!("x{point}"));
            return vec![format!("info depth 0 score cp 0 nodes 0 bestmove {point}")];
        };
        let sign = if game.to_move(desk.record.position()) == Colour::White { 1 } else { -1 };
        let turn = Turn::parse(&game.move_text(decision.mv));
        self.planned = Some((game.position_text(desk.record.position()), turn.text()));
        let (depth, nodes, score) = match &decision.analysis {
            Some(analysis) => (analysis.depth, analysis.nodes, score(analysis, 0, sign)),
            None => (0, 0, "cp 0".into()),
        };
        vec![format!("info depth {depth} score {score} nodes {nodes} bestmove {}", turn.stone)]
    }

    fn other(&mut self, desk: &mut Desk<Morris>, word: &str, _: &str) -> bool {
        let game = desk.record.game();
        match word {
            "d" => {
                let diagram = game.diagram(desk.record.position());
                diagram.lines().for_each(|line| desk.say(line));
            }
            "fen" => {
                let record = &desk.record;
                let text = sanmill_text(record.position(), record.len() / 2 + 1);
                desk.say(&format!("fen {text}"));
            }
            _ => return false,
        }
        true
    }
}

/// So many searches share what one may use.
fn shared(limits: Limits, searches: usize) -> Limits {
    let searches = searches.max(1) as u32;
    Limits {
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(searches)).max(1)),
        time: limits.time.map(|time| time / searches),
        clock: limits
            .clock
            .map(|clock| trilith_search::limits::GameClock { left: clock.left / searches, ..clock }),
        ..limits
    }
}

/// What Sanmill's `BoardFullAction` calls ours.
const FIRST_LOSES: &str = "0";
const DRAWN: &str = "4";

/// The switches that make variants, in the same words.
pub(super) fn variant_options(rules: &Rules) -> impl Iterator<Item = (&'static str, String)> {
    let full = if rules.full_board == FullBoard::Draw { DRAWN } else { FIRST_LOSES };
    [
        ("PiecesCount", rules.stones.to_string()),
        ("HasDiagonalLines", rules.grid.has_diagonals().to_string()),
        ("MayMoveInPlacingPhase", rules.move_while_placing.to_string()),
        ("BoardFullAction", full.to_string()),
        ("EndgameNMoveRule", rules.endgame_plies.to_string()),
    ]
    .into_iter()
}

/// Our switches as Sanmill's options. What it calls n-move rule counts plies, as ours does.
pub(super) fn rule_options(rules: &Rules) -> impl Iterator<Item = (&'static str, String)> {
    let always = rules.capture_from_mill == CaptureFromMill::Always;
    [
        ("MayFly", rules.flying.to_string()),
        ("MayRemoveFromMillsAlways", always.to_string()),
        ("MayRemoveMultiple", (rules.double_mill == DoubleMill::Two).to_string()),
        ("NMoveRule", rules.quiet_plies.to_string()),
        ("ThreefoldRepetitionRule", (rules.repetition > 0).to_string()),
    ]
    .into_iter()
}
