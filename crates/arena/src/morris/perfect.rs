//! Morris without a mistake wherever tables reach.
//!
//! With the complete set that is every position: while stones are placed the value is proved first, which takes seconds
//! early in a game. Where tables do not reach, the engine plays: with fewer tables than the position needs, while stones
//! are placed and the set is not complete, or where a limit of time leaves no room for the proof.

use std::path::PathBuf;

use trilith_base::Seed;
use trilith_eval::morris::Evaluations;
use trilith_eval::{Unit, WIN};
use trilith_games::morris::{Morris, Move};
use trilith_games::{Game, Outcome, Record};
use trilith_search::analysis::{Bound, FAR};
use trilith_search::{Analysis, Limits, Line};
use trilith_tablebase::{FIRST_STONES, TablebaseValue, choice};

use super::endgames::{self, MorrisEndgames};
use crate::player::endgames::{EndgameSource, Endgames};
use crate::player::{Decision, Player, PlayerError, PlayerFault, Turn, engine, perfect};
use crate::spec::PlayerSpec;

pub(super) fn make(spec: &PlayerSpec, seed: Seed) -> Result<Box<dyn Player<Morris>>, PlayerError> {
    let source =
        spec.get("folder").map_or(EndgameSource::Usual, |folder| EndgameSource::Path(PathBuf::from(folder)));
    let stones = spec.number("stones", 6, 18)?.map_or(FIRST_STONES, |stones| stones as u32);
    let mut substitute = PlayerSpec { name: engine::KIND.name.into(), options: Vec::new() };
    for key in ["depth", "nodes", "time"] {
        substitute.options.extend(spec.get(key).map(|value| (key.to_owned(), value.to_owned())));
    }
    let tables = spec.get("folder").unwrap_or("on");
    substitute.options.push(("tables".into(), tables.into()));
    Ok(Box::new(Perfect {
        tables: MorrisEndgames::new(source, EndgameSource::Off).up_to(stones),
        is_tricky: spec.name == perfect::TRICKY.name,
        engine: engine::make::<Morris, Evaluations>(&substitute, seed)?,
        seed,
    }))
}

struct Perfect {
    tables: MorrisEndgames,
    is_tricky: bool,
    engine: Box<dyn Player<Morris>>,
    seed: Seed,
}

impl Perfect {
    /// A move by the tables, and what it is worth; none where they do not reach.
    fn known_move(
        &self,
        record: &Record<Morris>,
        limits: &Limits,
    ) -> Result<Option<Decision<Move>>, PlayerFault> {
        let Some(expert) = self.tables.expert() else {
            return Ok(None);
        };
        let (game, position) = (record.game(), record.position());
        if limits.hard().is_none() {
            expert.settle(game, position).map_err(|error| endgames::fault(&error))?;
        }
        let mut rng = self.seed.derive("ply", record.len() as u64).rng();
        let mv = match self.is_tricky {
            false => choice::any_move(expert, game, position, &mut rng),
            true => {
                let past = record.returnable();
                choice::tricky_move(expert, game, position, |after| past.contains(&game.key(after)), &mut rng)
            }
        };
        let Some(mv) = mv.map_err(|error| endgames::fault(&error))? else { return Ok(None) };
        let valued = expert.moves(game, position).map_err(|error| endgames::fault(&error))?;
        let value = valued.iter().find(|(known, _)| *known == mv).map(|&(_, value)| value);
        Ok(Some(Decision { mv, analysis: value.map(|value| told(mv, value)) }))
    }
}

/// What the tables say of a move, as an analysis that visited nothing. While stones are placed a draw may be more.
fn told(mv: Move, value: TablebaseValue) -> Analysis<Move> {
    let plies = value.plies.unwrap_or(FAR) as i32;
    let worth = match value.outcome {
        Outcome::Win => WIN - plies,
        Outcome::Draw => 0,
        Outcome::Loss => plies - WIN,
    };
    let line = Line { value: worth, bound: Bound::Exact, depth: 0, moves: vec![mv] };
    Analysis {
        lines: vec![line],
        unit: Unit { name: "outcome", one: 100 },
        depth: 0,
        seldepth: 0,
        nodes: 0,
        seconds: 0.0,
        hash_permille: 0,
    }
}

impl Player<Morris> for Perfect {
    fn choose(
        &mut self,
        record: &Record<Morris>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<Move>),
    ) -> Result<Decision<Move>, PlayerFault> {
        self.tables.get_ready(record.game())?;
        self.tables.allow(&turn.limits);
        match self.known_move(record, &turn.limits)? {
            Some(decision) => {
                decision.analysis.iter().for_each(report);
                Ok(decision)
            }
            None => self.engine.choose(record, turn, report),
        }
    }

    fn prepare(&mut self, record: &Record<Morris>, limits: &Limits) -> Result<(), PlayerFault> {
        self.tables.get_ready(record.game())?;
        self.engine.prepare(record, limits)
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        self.tables.forget();
        self.engine.renew(seed)
    }
}
