//! `engine`: the production search, with the production evaluation or any other by name.

use std::path::Path;
use std::time::Duration;

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::{Boxed, Catalogue, Evaluator};
use trilith_games::{Game, Noise, Record};
use trilith_search::{Analysis, Engine, Limits, Options};

use super::endgames::{Endgames, FIRST_STONES, Source};
use super::levels;
use super::{Decision, Fault, Kind, Player, PlayerError, Turn};
use crate::spec::{PlayerSpec, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "engine",
    options: &[
        "level",
        "depth",
        "nodes",
        "time",
        "threads",
        "hash",
        "eval",
        "file",
        "quiescence",
        "noise",
        "radius",
        "lines",
        "tables",
    ],
    about: "the strongest search; level=1..10|beginner|advanced|expert, or depth=, nodes=, time=MS; \
            threads=, hash=MIB, eval=NAME, file=WEIGHTS, quiescence=PLIES, noise=captures|forks, radius=R; \
            Morris: tables=on|off|FOLDER, on unless it may err (radius, level)",
};

/// How long it thinks about a move if nobody says.
const USUAL_TIME: Duration = Duration::from_secs(1);

pub(super) fn make<G: Game, C: Catalogue<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let settings = Settings::read(spec)?;
    let file = spec.get("file").map(Path::new);
    match spec.get("eval") {
        None if file.is_none() => Ok(settings.player(C::production(), seed)),
        name => Ok(settings.player(Boxed(C::named(name.unwrap_or_default(), file)?), seed)),
    }
}

/// What a spec says about an engine.
struct Settings {
    options: Options,
    /// Whether the spec gives the size of the table; else it grows with the limits.
    has_hash: bool,
    limits: Limits,
    /// In units of the evaluation.
    radius: f64,
    tables: Source,
}

impl Settings {
    fn read(spec: &PlayerSpec) -> Result<Settings, SpecError> {
        let mut settings = Settings {
            options: Options { quiescence: quiescence(spec)?, table_mebibytes: 1, ..Options::default() },
            has_hash: false,
            limits: Limits::default(),
            radius: 0.0,
            tables: Source::Off,
        };
        if let Some(text) = spec.get("level") {
            let number = levels::parse(text)
                .ok_or_else(|| spec.wrong("level", text, "1 to 10, beginner, advanced or expert"))?;
            let level = levels::level(number);
            settings.limits.depth = Some(level.depth);
            settings.limits.nodes = Some(level.nodes);
            settings.radius = f64::from(level.radius_permille) / 1000.0;
        }
        if let Some(threads) = spec.number("threads", 1, 256)? {
            settings.options.threads = threads as usize;
        }
        if let Some(lines) = spec.number("lines", 1, 512)? {
            settings.options.lines = lines as usize;
        }
        if let Some(mebibytes) = spec.number("hash", 1, 1 << 20)? {
            settings.options.table_mebibytes = mebibytes as usize;
            settings.has_hash = true;
        }
        let limits = &mut settings.limits;
        limits.depth = spec.number("depth", 1, 128)?.map(|depth| depth as u32).or(limits.depth);
        limits.nodes = spec.number("nodes", 1, u64::MAX)?.or(limits.nodes);
        limits.time = spec.number("time", 1, 86_400_000)?.map(Duration::from_millis);
        if let Some(text) = spec.get("radius") {
            settings.radius =
                text.parse().ok().filter(|radius: &f64| (0.0..1e6).contains(radius)).ok_or_else(|| {
                    spec.wrong("radius", text, "a number from 0 on, in units of the evaluation")
                })?;
        }
        settings.tables = match spec.get("tables") {
            // Who is to make mistakes must not be perfect in the end.
            None if settings.radius > 0.0 => Source::Off,
            None | Some("on") => Source::Usual,
            Some("off") => Source::Off,
            Some(folder) => Source::Folder(folder.into()),
        };
        Ok(settings)
    }

    fn player<G: Game, E: Evaluator<G> + 'static>(mut self, evaluator: E, seed: Seed) -> Box<dyn Player<G>> {
        let radius = (self.radius * f64::from(evaluator.unit().one)) as i32;
        if radius > 0 {
            self.options.lines = usize::MAX;
        }
        let endgames = Endgames::new(self.tables, FIRST_STONES);
        let engine = Engine::new(evaluator, endgames, self.options);
        Box::new(EnginePlayer { engine, has_hash: self.has_hash, limits: self.limits, radius, seed })
    }
}

fn quiescence(spec: &PlayerSpec) -> Result<Option<(Noise, u32)>, SpecError> {
    let noise = match spec.get("noise") {
        None | Some("captures") => Noise::Captures,
        Some("forks") => Noise::Forks,
        Some(other) => return Err(spec.wrong("noise", other, "captures or forks")),
    };
    let usual = Options::default().quiescence.map_or(0, |(_, plies)| u64::from(plies));
    let plies = spec.number("quiescence", 0, 64)?.unwrap_or(usual) as u32;
    Ok((plies > 0).then_some((noise, plies)))
}

/// How large a table is worth clearing before each game: a short search fills but a small one. No more than usual.
fn table_mebibytes(limits: &Limits) -> usize {
    /// A fast search on one thread.
    const NODES_PER_SECOND: f64 = 4e6;
    /// A slot, for each node of several searches of a game.
    const BYTES_PER_NODE: f64 = 16.0 * 8.0;
    let by_nodes = limits.nodes.map(|nodes| nodes as f64);
    let by_time = limits.hard().map(|time| time.as_secs_f64() * NODES_PER_SECOND);
    let by_depth = limits.depth.map(|depth| 30f64.powi(depth.min(20) as i32));
    let nodes = [by_nodes, by_time, by_depth].into_iter().flatten().fold(f64::INFINITY, f64::min);
    let mebibytes = (nodes * BYTES_PER_NODE / f64::from(1 << 20)).ceil();
    mebibytes.clamp(1.0, Options::default().table_mebibytes as f64) as usize
}

struct EnginePlayer<G: Game, E> {
    engine: Engine<G, E, Endgames>,
    has_hash: bool,
    limits: Limits,
    /// In steps of the evaluation: moves this near to the best are drawn from.
    radius: i32,
    seed: Seed,
}

impl<G: Game, E: Evaluator<G>> Player<G> for EnginePlayer<G, E> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, Fault> {
        let mut limits = turn.limits_or(&self.limits);
        if limits == Limits::default() {
            limits.time = Some(USUAL_TIME);
        }
        let endgames = self.engine.oracle_mut();
        endgames.get_ready(record.game())?;
        endgames.allow(&limits);
        if !self.has_hash {
            self.engine.grow(table_mebibytes(&limits));
        }
        let analysis = self.engine.analyse(record, &limits, turn.control, report);
        let best = analysis.value();
        let near = analysis.lines.iter().take_while(|line| line.value >= best - self.radius).count().max(1);
        let mut rng = self.seed.derive("ply", record.len() as u64).rng();
        let line = &analysis.lines[rng.random_range(0..near)];
        Ok(Decision { mv: line.moves[0], analysis: Some(analysis) })
    }

    fn prepare(&mut self, record: &Record<G>, _: &Limits) -> Result<(), Fault> {
        self.engine.oracle_mut().get_ready(record.game())
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.engine.forget();
        self.engine.oracle_mut().forget();
        self.seed = seed;
        true
    }
}
