//! The signature: node counts and values of fixed searches as one number, the same on every machine.
//!
//! A commit that only moves code leaves it as it is. One that changes rules, evaluations or searches changes it and
//! says why. No clock and no second thread take part. Networks are left out, since their sums of floats depend on the
//! CPU and on the mathematics library. `signature.txt` at the root of the repository holds the number; a test compares.

use std::fmt;

use serde::Serialize;
use trilith_base::Seed;
use trilith_eval::{Boxed, EvaluationError, Evaluator, Unknowing};
use trilith_games::{Game, Noise, Record, playout};
use trilith_search::probcut::Cuts;
use trilith_search::{
    Analysis, Control, Engine, EngineOptions, FinisherSettings, Ladder, Limits, NullWindow, Rung, Techniques,
};

use crate::kit::GameKit;
use crate::player::{self, Turn};
use crate::{Visitor, with_game};

/// What one kind of work over the positions of one game came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SignaturePart {
    /// The game.
    pub game: &'static str,
    /// The kind of work.
    pub name: &'static str,
    /// Positions visited.
    pub nodes: u64,
    /// Stands for the counts, values and moves in their order.
    pub checksum: u64,
}

/// All parts and the number that stands for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// Game by game.
    pub parts: Vec<SignaturePart>,
    /// The number.
    pub number: u64,
}

/// Why the signature cannot be had: an evaluation or a player is missing or fails.
#[derive(Debug, thiserror::Error)]
#[error("signature of {game}, {part}: {reason}")]
pub struct SignatureError {
    game: &'static str,
    part: &'static str,
    reason: String,
}

/// One line a part, the number last: what `signature.txt` holds.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for SignaturePart { game, name, nodes, checksum } in &self.parts {
            writeln!(f, "{game:10} {name:14} {nodes:>10} {checksum:016x}")?;
        }
        write!(f, "signature {:016x}", self.number)
    }
}

/// Searches everything of these games, in seconds; an unknown game adds nothing.
pub fn signature(games: &[&str]) -> Result<Signature, SignatureError> {
    let mut parts = Vec::new();
    for part in games.iter().filter_map(|game| with_game(game, Parts).ok()) {
        parts.extend(part?);
    }
    let mut total = Checksum::default();
    for part in &parts {
        total.add_text(part.game);
        total.add_text(part.name);
        total.add(part.nodes);
        total.add(part.checksum);
    }
    Ok(Signature { parts, number: total.0 })
}

/// FNV-1a over whole numbers.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
    }
}

/// The sum of one part while it grows.
#[derive(Default)]
struct Sum {
    nodes: u64,
    checksum: Checksum,
}

impl Sum {
    fn add(&mut self, nodes: u64, value: i32) {
        self.nodes += nodes;
        self.checksum.add(nodes);
        self.checksum.add(i64::from(value) as u64);
    }

    fn add_analysis<G: Game>(&mut self, game: &G, analysis: &Analysis<G::Move>) {
        self.add(analysis.nodes, analysis.value());
        for line in &analysis.lines {
            self.checksum.add(i64::from(line.value) as u64);
            line.moves.iter().for_each(|&mv| self.checksum.add_text(&game.move_text(mv)));
        }
    }
}

/// Plies played at random before a position is searched.
const PLIES: [usize; 5] = [2, 9, 18, 30, 45];
/// Plies that an engine searches to the full.
const DEPTH: u32 = 4;
/// Positions that it visits where the depth is no limit.
const NODES: u64 = 15_000;
/// Plies that the rungs of the ladder search; those without cut-offs one less.
const LADDER_DEPTH: u32 = 3;
/// Plies before the end from which on a finisher is asked.
const LAST_PLIES: u32 = 13;
const MEBIBYTES: usize = 1;
const LEVELS: [u8; 3] = [1, 4, 6];

/// All parts of one game.
struct Parts;

impl Visitor for Parts {
    type Output = Result<Vec<SignaturePart>, SignatureError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let records: Vec<Record<G>> =
            (0..).zip(PLIES).filter_map(|(number, plies)| record(number, plies)).collect();
        let production = C::engine_evaluator();
        let options = EngineOptions { table_mebibytes: MEBIBYTES, ..C::options() };
        let cuts = C::probcut(&production).map(|it| Cuts::new(&it, production.unit(), None));
        let selective = EngineOptions { selective: cuts.clone().map(Into::into), ..options.clone() };
        let exact = EngineOptions { exact: true, ..options.clone() };
        let quiet = EngineOptions { quiescence: Some((Noise::Captures, 6)), ..options };
        let mut parts = vec![part::<G>("rules", rules(&records))];
        for (name, options, limits) in [
            ("selective", selective, Limits::nodes(NODES)),
            ("exact", exact, Limits::depth(DEPTH)),
            ("quiescence", quiet, Limits::depth(DEPTH - 1)),
        ] {
            parts.push(part::<G>(
                name,
                engine(&records, (C::engine_evaluator(), C::null_window()), options, &limits),
            ));
        }
        parts.push(part::<G>("ladder", ladder(&records, &production)));
        if let Some(cuts) = &cuts {
            parts.push(part::<G>("probcut", cut_ladder(&records, &production, cuts)));
        }
        parts.extend(last_plies::<G, C>(&records).map(|sum| part::<G>("finisher", sum)));
        let fault = |part| move |reason: String| SignatureError { game: G::NAME, part, reason };
        let sum = evaluations::<G, C>(&records).map_err(|error| fault("evaluations")(error.to_string()))?;
        parts.push(part::<G>("evaluations", sum));
        let sum = players::<G, C>(&records).map_err(fault("players"))?;
        parts.push(part::<G>("players", sum));
        Ok(parts)
    }
}

fn part<G: Game>(name: &'static str, sum: Sum) -> SignaturePart {
    SignaturePart { game: G::NAME, name, nodes: sum.nodes, checksum: sum.checksum.0 }
}

/// A game that goes on after so many random plies; none if it has ended by then.
fn record<G: Game>(number: u64, plies: usize) -> Option<Record<G>> {
    let mut record = Record::new(G::new(G::Rules::default()));
    playout::play_on(&mut record, plies, &mut Seed(19).derive("signature", number).rng());
    record.end().is_none().then_some(record)
}

/// Moves, keys and ends.
fn rules<G: Game>(records: &[Record<G>]) -> Sum {
    let mut sum = Sum::default();
    for record in records {
        let (game, position) = (record.game(), record.position());
        sum.add(game.perft(position, 2), game.margin(position));
        sum.checksum.add(game.key(position));
        sum.checksum.add_text(&game.position_text(&game.canonical(position).0));
    }
    sum
}

/// The engine from nothing, in each position.
fn engine<G: Game, E: Evaluator<G>>(
    records: &[Record<G>],
    (evaluator, null_window): (E, Option<NullWindow<G, E>>),
    options: EngineOptions,
    limits: &Limits,
) -> Sum {
    let mut sum = Sum::default();
    let mut engine = Engine::new(evaluator, Unknowing, options).with_null_window(null_window);
    for record in records {
        engine.forget();
        let analysis = engine.analyse(record, limits, &Control::default(), &mut |_| ());
        sum.add_analysis(record.game(), &analysis);
    }
    sum
}

/// Every rung of the ladder.
fn ladder<G: Game, E: Evaluator<G>>(records: &[Record<G>], evaluator: &E) -> Sum {
    let mut sum = Sum::default();
    for rung in Rung::ALL {
        let techniques = rung.techniques(evaluator.unit().one / 4, MEBIBYTES);
        for record in records {
            let mut ladder = Ladder::new(record.game(), evaluator, techniques);
            let depth = if techniques.full_width { LADDER_DEPTH - 1 } else { LADDER_DEPTH };
            match rung {
                Rung::Minimax => {
                    let value = ladder.minimax(record.position(), depth);
                    sum.add(ladder.nodes(), value);
                }
                _ => sum.add_analysis(record.game(), &ladder.search(record.position(), depth)),
            }
        }
    }
    sum
}

/// The highest rung with ProbCut, and with quiescence of both kinds.
fn cut_ladder<G: Game, E: Evaluator<G>>(records: &[Record<G>], evaluator: &E, cuts: &Cuts) -> Sum {
    let mut sum = Sum::default();
    let highest = Rung::Shallow.techniques(evaluator.unit().one / 4, MEBIBYTES);
    for noise in [None, Some((Noise::Captures, 3)), Some((Noise::Forks, 3))] {
        for record in records {
            let techniques = Techniques { quiescence: noise, ..highest };
            let mut ladder = Ladder::new(record.game(), evaluator, techniques);
            ladder.cut_by(Some(cuts));
            sum.add_analysis(record.game(), &ladder.search(record.position(), LADDER_DEPTH + 1));
        }
    }
    sum
}

/// The game's finisher in the first position of each random game that it takes; none in a game without one.
fn last_plies<G: Game, C: GameKit<G>>(records: &[Record<G>]) -> Option<Sum> {
    let mut sum = Sum::default();
    let mut finisher = C::finisher(FinisherSettings { plies: Some(LAST_PLIES), threads: 1 })?;
    for (number, record) in (0..).zip(records) {
        let mut record = record.clone();
        let mut rng = Seed(19).derive("finisher", number).rng();
        let limits = Limits::default();
        let is_near =
            |record: &Record<G>| finisher.plan(record.game(), record.position(), &limits, 1).is_some();
        while record.end().is_none() && !is_near(&record) {
            playout::play_on(&mut record, 1, &mut rng);
        }
        if record.end().is_some() {
            continue;
        }
        for lines in [1, 2] {
            finisher.forget();
            finisher.finish(record.position(), lines, None, &Control::default(), &mut |found| {
                sum.add(found.nodes, found.lines.first().map_or(0, |line| line.value));
            });
        }
    }
    Some(sum)
}

/// All evaluations that come with the program and are no networks: their values and a search of two plies.
fn evaluations<G: Game, C: GameKit<G>>(records: &[Record<G>]) -> Result<Sum, EvaluationError> {
    let mut sum = Sum::default();
    for entry in C::entries().iter().filter(|entry| !entry.needs_artifact) {
        let evaluation = C::named(entry.name, None)?;
        let start = G::new(G::Rules::default());
        if !evaluation.outputs(&start, &start.start()).is_empty() {
            continue;
        }
        for record in records {
            sum.add(1, evaluation.value(record.game(), record.position()));
        }
        let evaluator = Boxed(evaluation);
        let options = EngineOptions { table_mebibytes: MEBIBYTES, ..EngineOptions::default() };
        let found = engine(records, (evaluator, None), options, &Limits::depth(2));
        sum.nodes += found.nodes;
        sum.checksum.add(found.checksum.0);
    }
    Ok(sum)
}

/// Levels and a player without one, as everybody gets them by name.
fn players<G: Game, C: GameKit<G>>(records: &[Record<G>]) -> Result<Sum, String> {
    let mut sum = Sum::default();
    let mut specs = LEVELS.map(|level| format!("engine:level={level},tables=off,hash=1")).to_vec();
    specs.push("engine:nodes=5000,tables=off,hash=1".into());
    specs.push("minimax:depth=2,radius=1".into());
    for spec in specs {
        let spec = spec.parse().map_err(|error| format!("{spec}: {error}"))?;
        for record in records {
            let mut player = player::player::<G, C>(&spec, Seed(19)).map_err(|error| error.to_string())?;
            let control = Control::default();
            let turn = Turn { control: &control, limits: Limits::default() };
            let decision = player.choose(record, turn, &mut |_| ()).map_err(|fault| fault.to_string())?;
            sum.checksum.add_text(&record.game().move_text(decision.mv));
            if let Some(analysis) = &decision.analysis {
                sum.add_analysis(record.game(), analysis);
            }
        }
    }
    Ok(sum)
}
