//! `mcts`: tree search with a network, from a file or in another program.
//!
//! `mcts:file=NET,simulations=N` asks a residual network of ours on the CPU, `external:batch:"PROGRAM"` a program that
//! answers batches, see [`program`]. What tables and solver know is exact in both.

mod program;

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use trilith_base::{Artifact, Seed};
use trilith_eval::residual::Residual;
use trilith_eval::{EvaluationError, Oracle, Unit};
use trilith_games::{Game, Record};
use trilith_search::mcts::{Batch, Forest, PuctOptions, Tree};
use trilith_search::{Analysis, Bound, Line};

use super::endgames::EndgameSource;
use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn};
use crate::kit::GameKit;
use crate::spec::PlayerSpec;
use program::Program;

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "mcts",
    options: &["file", "run", "simulations", "batch", "exploration", "time", "timeout", "tables"],
    about: "tree search with a network: file=NET, or run=PROGRAM that answers batches; simulations=N, time=MS, batch=N, \
            exploration=C, timeout=MS; tables=on|off: known endings (a FOLDER in Morris)",
};

const USUAL_SIMULATIONS: u32 = 400;
const USUAL_BATCH: u64 = 16;
const USUAL_TIMEOUT: u64 = 30_000;

/// Who is asked about positions.
trait Network: Send {
    /// `ACTIONS` logits and a value for each position of the batch.
    fn answer(&mut self, batch: &Batch) -> Result<(Vec<f32>, Vec<f32>), PlayerFault>;
}

impl Network for Residual {
    fn answer(&mut self, batch: &Batch) -> Result<(Vec<f32>, Vec<f32>), PlayerFault> {
        Ok(self.evaluate(&batch.observations))
    }
}

pub(super) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let simulations =
        spec.number("simulations", 1, 1 << 24)?.map_or(USUAL_SIMULATIONS, |number| number as u32);
    let timeout = Duration::from_millis(spec.number("timeout", 1, 86_400_000)?.unwrap_or(USUAL_TIMEOUT));
    let network: Box<dyn Network> = match (spec.get("file"), spec.get("run")) {
        (Some(file), None) => {
            let file = Artifact::load(Path::new(file)).map_err(EvaluationError::from)?;
            Box::new(Residual::read::<G>(&file).map_err(EvaluationError::from)?)
        }
        (None, Some(run)) => Box::new(Program::<G>::new(spec, run, timeout)?),
        (given, _) => {
            let expected = "given alone: a network is either in a file (`file=`) or in a program (`run=`)";
            return Err(spec.wrong("file", given.unwrap_or_default(), expected).into());
        }
    };
    let exploration = match spec.get("exploration") {
        None => PuctOptions::default().exploration,
        Some(text) => match text.parse::<f32>() {
            Ok(number) if (0.0..=100.0).contains(&number) => number,
            _ => return Err(spec.wrong("exploration", text, "a number from 0 to 100").into()),
        },
    };
    let batch = spec.number("batch", 1, 4096)?.unwrap_or(USUAL_BATCH) as usize;
    let tables = match spec.get("tables") {
        None | Some("on") => EndgameSource::Usual,
        Some("off") => EndgameSource::Off,
        Some(folder) => EndgameSource::Path(folder.into()),
    };
    Ok(Box::new(Searching::<G, C> {
        options: PuctOptions { simulations, exploration, in_flight: batch, ..PuctOptions::default() },
        batch,
        time: spec.number("time", 1, 86_400_000)?.map(Duration::from_millis),
        network,
        tables,
        known: None,
        kept: None,
        seed,
        kit: PhantomData,
    }))
}

struct Searching<G: Game, C> {
    options: PuctOptions,
    batch: usize,
    time: Option<Duration>,
    network: Box<dyn Network>,
    tables: EndgameSource,
    /// Tables for the rules of the last game.
    known: Option<(String, Arc<dyn Oracle<G>>)>,
    /// The tree of the last decision, and the game that led to it.
    kept: Option<(Record<G>, Forest<G>)>,
    seed: Seed,
    kit: PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Searching<G, C> {
    fn oracle(&mut self, game: &G) -> Result<Arc<dyn Oracle<G>>, PlayerFault> {
        let rules = game.rules().to_string();
        if let Some((_, oracle)) = self.known.as_ref().filter(|(known, _)| *known == rules) {
            return Ok(oracle.clone());
        }
        let oracle = C::leaf_oracle(self.tables.clone(), game)?;
        self.known = Some((rules, oracle.clone()));
        Ok(oracle)
    }

    /// The tree of this game: the kept one if the game has gone on from it, else a new one.
    fn forest(&mut self, record: &Record<G>) -> Result<Forest<G>, PlayerFault> {
        if let Some((before, mut forest)) = self.kept.take() {
            let is_same = before.start() == record.start()
                && before.game().rules() == record.game().rules()
                && before.len() <= record.len()
                && before.moves().eq(record.moves().take(before.len()));
            if is_same {
                record.moves().skip(before.len()).for_each(|mv| forest.advance(0, mv));
                return Ok(forest);
            }
        }
        let game = record.game().clone();
        let mut forest = Forest::new(game, self.options).with_oracle(self.oracle(record.game())?);
        forest.push(record, self.seed);
        Ok(forest)
    }
}

impl<G: Game, C: GameKit<G>> Player<G> for Searching<G, C> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let began = std::time::Instant::now();
        let mut forest = self.forest(record)?;
        let longest = turn.limits.hard().or(self.time);
        let mut batch = Batch::default();
        loop {
            forest.gather(self.batch, 1, &mut batch);
            if batch.is_empty() {
                break;
            }
            let (logits, values) = self.network.answer(&batch)?;
            forest.absorb(&logits, &values);
            let is_over = turn.control.is_stopped()
                || longest.is_some_and(|longest| began.elapsed() >= longest)
                || turn.limits.nodes.is_some_and(|nodes| u64::from(forest.trees()[0].visits()) > nodes);
            if is_over {
                break;
            }
        }
        let tree = &forest.trees()[0];
        let mv = tree.choose(0.0, &mut self.seed.rng());
        let analysis = analysis(record.game(), tree, mv, began.elapsed().as_secs_f64());
        report(&analysis);
        self.kept = Some((record.clone(), forest));
        Ok(Decision { mv, analysis: Some(analysis) })
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        self.kept = None;
        true
    }
}

/// Values are expected results: 1 for a win.
fn analysis<G: Game>(_: &G, tree: &Tree<G>, mv: G::Move, seconds: f64) -> Analysis<G::Move> {
    const UNIT: Unit = Unit { name: "results", one: 1000 };
    let value = |value: f32| (value * UNIT.one as f32).round() as i32;
    let mut lines: Vec<_> = tree.lines();
    lines.sort_by_key(|line| (line.0 != mv, std::cmp::Reverse(line.1)));
    let line = |(mv, _, mean)| Line { value: value(mean), bound: Bound::Exact, depth: 1, moves: vec![mv] };
    Analysis {
        lines: lines.into_iter().take(1).map(line).collect(),
        unit: UNIT,
        depth: 1,
        seldepth: 1,
        nodes: tree.visits().into(),
        seconds,
        hash_permille: 0,
    }
}
