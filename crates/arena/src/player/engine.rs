//! `engine`: the production search, with the production evaluation or any other by name.

mod thinking;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use trilith_base::{Artifact, Seed};
use trilith_eval::{Boxed, EvaluationError, Evaluator, Unit};
use trilith_games::{Game, Noise};
use trilith_search::probcut::{Cuts, ProbCutParameters};
use trilith_search::pruning::{Pruning, PruningError, PruningParameters};
use trilith_search::{Engine, EngineOptions, Finisher, FinisherSettings, Limits, NullWindow};

use super::endgames::{EndgameSource, Endgames};
use super::levels::{self, Level};
use super::{Player, PlayerError, PlayerKind};
use crate::kit::GameKit;
use crate::spec::{PlayerSpec, SpecError};
use thinking::{EnginePlayer, Mind};

pub(crate) const KIND: PlayerKind = PlayerKind {
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
        "selectivity",
        "probcut",
        "pruning",
        "tweak",
        "ponder",
        "mobility",
        // The old spelling of `mobility`.
        "restless",
        "contempt",
        "tables",
        "proofs",
        "endgame",
    ],
    about: "the strongest search; level=1..10|beginner|advanced|expert, or depth=, nodes=, time=MS; \
            threads=, hash=MIB, eval=NAME, file=WEIGHTS, quiescence=PLIES, noise=captures|forks, radius=R, \
            selectivity=off|PERCENTILE, probcut=on|off|PARAMETERS, \
            pruning=on|off|PARAMETERS, tweak=SECTION.KEY:NUMBER/SECTION:on|off, ponder=on|off, contempt=C; \
            where the game has such: endgame=PLIES solves the end, tables=on|off|FOLDER and proofs=on|off|FILE, on \
            unless it may err (radius, level), mobility=PERCENT seeks room in closed games, 0 for never",
};

/// How long it thinks about a move if nobody says.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// How much mobility counts in closed games then, in per cent.
const USUAL_MOBILITY: u32 = 100;

pub(crate) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let mut settings = Settings::read(spec, &C::LEVELS)?;
    let file = spec.get("file").map(Path::new);
    let production = C::entries().first().map_or("", |entry| entry.name);
    let name = spec.get("eval").unwrap_or(production);
    if let Some(shipped) = C::engine_evaluator_named(name) {
        let from = |file| C::engine_evaluator_from(&Artifact::load(file)?);
        let evaluator = file.map_or_else(|| Ok(shipped()), from).map_err(EvaluationError::from)?;
        let finisher = settings.finisher::<G, C>(None);
        return settings.player::<G, C, _>((evaluator, C::null_window()), C::options(), finisher, seed);
    }
    // Studies compare evaluations: beginning and end are theirs, unless the spec says otherwise.
    if spec.get("proofs").is_none() {
        settings.proofs = EndgameSource::Off;
    }
    settings.pruning.is_on &= spec.get("pruning").is_some();
    let finisher = settings.finisher::<G, C>(Some(0));
    let evaluator = Boxed(C::named(name, file)?);
    settings.player::<G, C, _>((evaluator, None), EngineOptions::default(), finisher, seed)
}

/// What a spec says about an engine.
struct Settings {
    options: EngineOptions,
    /// Whether the spec gives the size of the table; else it grows with the limits.
    has_hash: bool,
    /// Whether the spec says what is followed past the horizon; else that is left to the evaluation.
    has_quiescence: bool,
    limits: Limits,
    /// In units of the evaluation.
    radius: f64,
    /// Likewise.
    contempt: f64,
    selectivity: Selectivity,
    probcut: ProbCutChoice,
    pruning: PruningChoice,
    ponders: bool,
    tables: EndgameSource,
    proofs: EndgameSource,
    /// Plies before the end from which on the game's finisher is asked; 0 for never.
    endgame: Option<u32>,
}

/// Whether subtrees that very likely do not matter are left out.
#[derive(Clone, Copy)]
enum Selectivity {
    Off,
    /// Where there are parameters, with their own percentile or this one.
    On(Option<f64>),
}

impl Settings {
    fn read(spec: &PlayerSpec, levels: &[Level; levels::COUNT]) -> Result<Settings, PlayerError> {
        let quiescence = quiescence(spec)?;
        let mut settings = Settings {
            options: EngineOptions { quiescence, table_mebibytes: 1, ..EngineOptions::default() },
            has_hash: false,
            has_quiescence: spec.get("quiescence").or(spec.get("noise")).is_some(),
            limits: Limits::default(),
            radius: 0.0,
            contempt: in_units(spec, "contempt")?.unwrap_or(0.0),
            selectivity: selectivity(spec)?,
            probcut: match spec.get("probcut") {
                None | Some("on") => ProbCutChoice::Shipped,
                Some("off") => ProbCutChoice::Off,
                Some(path) => ProbCutChoice::Given(ProbCutParameters::load(Path::new(path))?),
            },
            pruning: PruningChoice::read(spec)?,
            ponders: match spec.get("ponder") {
                None | Some("off") => false,
                Some("on") => true,
                Some(text) => return Err(spec.wrong("ponder", text, "on or off").into()),
            },
            tables: EndgameSource::Off,
            proofs: EndgameSource::Off,
            endgame: spec.number("endgame", 0, 60)?.map(|plies| plies as u32),
        };
        if let Some(text) = spec.get("level") {
            let number = levels::parse(text)
                .ok_or_else(|| spec.wrong("level", text, "1 to 10, beginner, advanced or expert"))?;
            let level = levels::pick(levels, number);
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
        let mobility = spec.number("mobility", 0, 1000)?.or(spec.number("restless", 0, 1000)?);
        settings.options.mobility_percent = mobility.map_or(USUAL_MOBILITY, |percent| percent as u32);
        if let Some(mebibytes) = spec.number("hash", 1, 1 << 20)? {
            settings.options.table_mebibytes = mebibytes as usize;
            settings.has_hash = true;
        }
        let limits = &mut settings.limits;
        limits.depth = spec.number("depth", 1, 128)?.map(|depth| depth as u32).or(limits.depth);
        limits.nodes = spec.number("nodes", 1, u64::MAX)?.or(limits.nodes);
        limits.time = spec.number("time", 1, 86_400_000)?.map(Duration::from_millis);
        settings.radius = in_units(spec, "radius")?.unwrap_or(settings.radius);
        let source = |key| match spec.get(key) {
            // Who is to make mistakes must not be perfect at times.
            None if settings.radius > 0.0 => EndgameSource::Off,
            None | Some("on") => EndgameSource::Usual,
            Some("off") => EndgameSource::Off,
            Some(path) => EndgameSource::Path(path.into()),
        };
        (settings.tables, settings.proofs) = (source("tables"), source("proofs"));
        Ok(settings)
    }

    /// What plays the end of the game; `usual` is from when on if the spec does not say.
    fn finisher<G: Game, C: GameKit<G>>(&self, usual: Option<u32>) -> Option<Box<dyn Finisher<G>>> {
        let plies = self.endgame.or(usual);
        let reach = FinisherSettings { plies, threads: self.options.threads };
        if plies == Some(0) { None } else { C::finisher(reach) }
    }

    /// The player; `usual` are the options that the spec may leave open.
    fn player<G: Game, C: GameKit<G>, E: Evaluator<G> + 'static>(
        mut self,
        (evaluator, null_window): (E, Option<NullWindow<G, E>>),
        usual: EngineOptions,
        finisher: Option<Box<dyn Finisher<G>>>,
        seed: Seed,
    ) -> Result<Box<dyn Player<G>>, PlayerError> {
        self.options.selective = self.cuts::<G, C, E>(&evaluator)?;
        self.options.pruning = self.pruning(C::PRUNING, evaluator.unit())?;
        if !self.has_quiescence {
            self.options.quiescence = usual.quiescence;
        }
        let steps = |units: f64| (units * f64::from(evaluator.unit().one)) as i32;
        let radius = steps(self.radius);
        self.options.contempt = steps(self.contempt);
        if radius > 0 {
            self.options.lines = usize::MAX;
        }
        let endgames = C::Endgames::new(self.tables, self.proofs);
        let engine = Engine::new(evaluator, endgames, self.options);
        Ok(Box::new(EnginePlayer {
            mind: Mind::Resting(Box::new(engine.with_null_window(null_window).with_finisher(finisher))),
            has_hash: self.has_hash,
            limits: self.limits,
            radius,
            ponders: self.ponders,
            seed,
        }))
    }

    /// The techniques of pruning, if selective search is on: those of the spec, else the game's `usual` ones.
    fn pruning(&self, usual: Option<&str>, unit: Unit) -> Result<Option<Arc<Pruning>>, PlayerError> {
        let choice = &self.pruning;
        // A game that uses none may still be given some.
        let none = choice.tweaks.is_some().then_some("");
        let Some(text) = choice.text.as_deref().or(usual).or(none) else { return Ok(None) };
        if !choice.is_on || matches!(self.selectivity, Selectivity::Off) {
            return Ok(None);
        }
        let parameters = match &choice.tweaks {
            Some(tweaks) => PruningParameters::tweaked(text, tweaks)?,
            None => PruningParameters::parse(text)?,
        };
        Ok(Some(Arc::new(Pruning::new(&parameters, unit))))
    }

    /// The tests of selective search, if it is on and there are parameters for the evaluation.
    fn cuts<G: Game, C: GameKit<G>, E: Evaluator<G>>(
        &self,
        evaluator: &E,
    ) -> Result<Option<Arc<Cuts>>, PlayerError> {
        let Selectivity::On(percentile) = self.selectivity else { return Ok(None) };
        let cuts = |it: &ProbCutParameters| Arc::new(Cuts::new(it, evaluator.unit(), percentile));
        match &self.probcut {
            ProbCutChoice::Off => Ok(None),
            ProbCutChoice::Shipped => Ok(C::probcut(evaluator).as_ref().map(cuts)),
            ProbCutChoice::Given(parameters) => {
                parameters.expect::<G, E>(evaluator)?;
                Ok(Some(cuts(parameters)))
            }
        }
    }
}

/// Which tests of ProbCut are used.
enum ProbCutChoice {
    Off,
    /// Those that come with the program, if they were fitted for the evaluation.
    Shipped,
    Given(ProbCutParameters),
}

/// Which techniques of pruning are used.
struct PruningChoice {
    /// Text of parameters instead of those of the game.
    text: Option<String>,
    is_on: bool,
    tweaks: Option<String>,
}

impl PruningChoice {
    fn read(spec: &PlayerSpec) -> Result<PruningChoice, PlayerError> {
        let (text, is_on) = match spec.get("pruning") {
            None | Some("on") => (None, true),
            Some("off") => (None, false),
            Some(path) => {
                let fault = |source| PruningError::File { path: path.to_owned(), source };
                (Some(std::fs::read_to_string(path).map_err(fault)?), true)
            }
        };
        let tweaks = spec.get("tweak").map(str::to_owned);
        Ok(PruningChoice { text, is_on, tweaks })
    }
}

/// The number that an option gives, if it is there.
fn in_units(spec: &PlayerSpec, option: &str) -> Result<Option<f64>, SpecError> {
    let Some(text) = spec.get(option) else { return Ok(None) };
    let number = text.parse().ok().filter(|number: &f64| (0.0..1e6).contains(number));
    number.map(Some).ok_or_else(|| spec.wrong(option, text, "a number from 0 on, in units of the evaluation"))
}

fn selectivity(spec: &PlayerSpec) -> Result<Selectivity, SpecError> {
    match spec.get("selectivity") {
        None | Some("on") => Ok(Selectivity::On(None)),
        Some("off") => Ok(Selectivity::Off),
        Some(text) => match text.parse() {
            Ok(percentile) if (0.1..=10.0).contains(&percentile) => Ok(Selectivity::On(Some(percentile))),
            _ => Err(spec.wrong("selectivity", text, "on, off or a percentile from 0.1 to 10, such as 1.5")),
        },
    }
}

fn quiescence(spec: &PlayerSpec) -> Result<Option<(Noise, u32)>, SpecError> {
    let noise = match spec.get("noise") {
        None | Some("captures") => Noise::Captures,
        Some("forks") => Noise::Forks,
        Some(other) => return Err(spec.wrong("noise", other, "captures or forks")),
    };
    let usual = EngineOptions::default().quiescence.map_or(0, |(_, plies)| u64::from(plies));
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
    mebibytes.clamp(1.0, EngineOptions::default().table_mebibytes as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Turn, player};
    use std::time::Instant;
    use trilith_eval::morris;
    use trilith_eval::othello::Evaluations;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;
    use trilith_games::{Record, playout};
    use trilith_search::Control;

    /// The longest of the moves of one side is timed.
    #[test]
    fn a_pondering_player_plays_a_legal_game_in_time() {
        let mut players = ["engine:time=20,ponder=on", "engine:nodes=300"]
            .map(|spec| player::<Othello, Evaluations>(&spec.parse().unwrap(), Seed(1)).unwrap());
        for _ in 0..2 {
            let mut record = Record::new(Othello::default());
            while record.end().is_none() {
                let control = Control::default();
                let turn = Turn { control: &control, limits: Limits::default() };
                let start = Instant::now();
                let decision = players[record.len() % 2].choose(&record, turn, &mut |_| ()).unwrap();
                assert!(start.elapsed() < Duration::from_secs(2));
                record.push(decision.mv).unwrap();
            }
            assert!(players[0].renew(Seed(2)));
        }
    }

    #[test]
    fn probcut_and_pruning_are_switched_apart() {
        let mut record = Record::new(Morris::default());
        playout::play_on(&mut record, 10, &mut Seed(3).rng());
        let nodes = |options: &str| {
            let spec = format!("engine:depth=7,tables=off,proofs=off{options}").parse().unwrap();
            let mut player = player::<Morris, morris::Evaluations>(&spec, Seed(1)).unwrap();
            let turn = Turn { control: &Control::default(), limits: Limits::default() };
            player.choose(&record, turn, &mut |_| ()).unwrap().analysis.unwrap().nodes
        };
        let (all, exact) = (nodes(",probcut=on"), nodes(",selectivity=off"));
        assert_eq!(nodes(""), all);
        assert_eq!(nodes(",probcut=off,pruning=off"), exact);
        for one in [nodes(",probcut=off"), nodes(",pruning=off")] {
            assert!(all != one && one < exact, "{all} nodes with both, {one} with one, {exact} with none");
        }
    }

    #[test]
    fn wrong_options_are_named() {
        let fault = |spec: &str| {
            player::<Othello, Evaluations>(&spec.parse().unwrap(), Seed(1)).err().unwrap().to_string()
        };
        assert!(fault("engine:selectivity=no").contains("on, off or a percentile"));
        assert!(fault("engine:selectivity=nan").contains("on, off or a percentile"));
        assert!(fault("engine:ponder=yes").contains("on or off"));
        assert!(fault("engine:probcut=nowhere.toml").starts_with("parameters of ProbCut: nowhere.toml: "));
    }
}
