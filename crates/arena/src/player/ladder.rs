//! `minimax`: a rung of the ladder to a fixed depth or for a time, with any evaluation (S1, S2 and S3 play so).

use std::path::Path;
use std::time::{Duration, Instant};

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::{Boxed, Value};
use trilith_games::{Game, MoveList, Noise, Record};
use trilith_search::{Analysis, Bound, Ladder, Limits, Line, Quiescing, Rung, Techniques};

use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn};
use crate::kit::GameKit;
use crate::spec::PlayerSpec;

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "minimax",
    options: &[
        "depth",
        "nodes",
        "time",
        "eval",
        "file",
        "rung",
        "printed",
        "quiescence",
        "noise",
        "quiescing",
        "radius",
        "round",
    ],
    about: "a fixed depth (depth=4), or as deep as nodes=N or time=MS allow, with any evaluation (eval=margin, file=WEIGHTS); \
            equally good moves, or those within radius=R, by lot; round=R compares values in steps of R; rung= names \
            the highest technique of the search, printed=on takes them as S2 prints them; quiescence=PLIES follows \
            noise=captures|forks at the leaves, quiescing=all-moves|noisy-only|stand-pat",
};

pub(super) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let evaluation = C::named(spec.get("eval").unwrap_or("margin"), spec.get("file").map(Path::new))?;
    let limits = Limits {
        depth: spec.number("depth", 1, u64::from(DEEPEST))?.map(|depth| depth as u32),
        nodes: spec.number("nodes", 1, u64::MAX)?,
        time: spec.number("time", 1, 86_400_000)?.map(Duration::from_millis),
        ..Limits::default()
    };
    let rung = match spec.get("rung") {
        None => Rung::AlphaBeta,
        Some(text) => {
            Rung::ALL.into_iter().find(|rung| rung.name().replace(' ', "-") == text).ok_or_else(|| {
                spec.wrong("rung", text, Rung::ALL.map(|rung| rung.name().replace(' ', "-")).join(", "))
            })?
        }
    };
    let is_printed = match spec.get("printed") {
        None | Some("off") => false,
        Some("on") => true,
        Some(text) => return Err(spec.wrong("printed", text, "on or off").into()),
    };
    let style = Style { rung, is_printed, quiescence: quiescence(spec)?, quiescing: quiescing(spec)? };
    let radius = in_units(spec, "radius")?;
    let round = in_units(spec, "round")?;
    Ok(Box::new(LadderPlayer { evaluator: Boxed(evaluation), limits, style, radius, round, seed }))
}

/// What of the ladder is switched on.
#[derive(Clone, Copy)]
struct Style {
    rung: Rung,
    /// As S2 prints its techniques.
    is_printed: bool,
    quiescence: Option<(Noise, u32)>,
    quiescing: Quiescing,
}

impl Style {
    /// `radius` is that of the aspiration window.
    fn techniques(self, radius: Value, mebibytes: usize) -> Techniques {
        let Style { rung, is_printed, quiescence, quiescing } = self;
        let techniques = match is_printed {
            true => rung.as_printed(radius, mebibytes),
            false => rung.techniques(radius, mebibytes),
        };
        Techniques { quiescence, quiescing, ..techniques }
    }
}

fn quiescence(spec: &PlayerSpec) -> Result<Option<(Noise, u32)>, PlayerError> {
    let noise = match spec.get("noise") {
        None | Some("captures") => Noise::Captures,
        Some("forks") => Noise::Forks,
        Some(text) => return Err(spec.wrong("noise", text, "captures or forks").into()),
    };
    let plies = spec.number("quiescence", 0, 64)?.unwrap_or(0);
    Ok((plies > 0).then_some((noise, plies as u32)))
}

fn quiescing(spec: &PlayerSpec) -> Result<Quiescing, PlayerError> {
    let Some(text) = spec.get("quiescing") else { return Ok(Quiescing::default()) };
    let known = Quiescing::ALL.into_iter().find(|way| way.name() == text);
    Ok(known.ok_or_else(|| spec.wrong("quiescing", text, Quiescing::ALL.map(Quiescing::name).join(", ")))?)
}

/// A number in units of the evaluation, 0 if it is not given.
fn in_units(spec: &PlayerSpec, key: &str) -> Result<f64, PlayerError> {
    let Some(text) = spec.get(key) else { return Ok(0.0) };
    match text.parse() {
        Ok(number) if (0.0..=1e9).contains(&number) => Ok(number),
        _ => Err(spec.wrong(key, text, "a number from 0 on, in units of the evaluation").into()),
    }
}

/// Plies it looks ahead if nobody says.
const USUAL_DEPTH: u32 = 4;
/// Plies it looks ahead at most.
const DEEPEST: u32 = 64;

struct LadderPlayer<G: Game> {
    evaluator: Boxed<G>,
    limits: Limits,
    style: Style,
    radius: f64,
    /// Values are rounded to whole steps of this, so that near ones are equal (S3, 5.3.2.5).
    round: f64,
    seed: Seed,
}

/// All moves with their values after a search of so many plies.
struct Valued<M> {
    depth: u32,
    moves: Vec<(Value, M)>,
}

impl<G: Game> LadderPlayer<G> {
    /// To the depth asked for, or iteration by iteration until time or nodes are used up; the first one is always finished.
    fn search(&self, record: &Record<G>, turn: Turn<'_>) -> (Valued<G::Move>, u64) {
        let limits = turn.limits_or(&self.limits);
        let (game, position) = (record.game(), record.position());
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        let techniques = self.style.techniques(self.evaluator.0.unit().one, 16);
        let mut ladder = Ladder::new(game, &self.evaluator, techniques);
        // The search itself knows no history; that a move ends the game drawn is seen all the same.
        let drawn = |&mv: &G::Move| record.is_drawn_by(mv);
        let valued = |ladder: &mut Ladder<G, Boxed<G>>, depth: u32| {
            let value = |mv: &G::Move| match drawn(mv) {
                true => (0, *mv),
                false => (-ladder.value(&game.play(position, *mv), depth - 1), *mv),
            };
            Valued { depth, moves: moves.iter().map(value).collect() }
        };
        if limits.hard().is_none() && limits.nodes.is_none() {
            let depth = limits.depth.unwrap_or(USUAL_DEPTH).max(1);
            return (valued(&mut ladder, depth), ladder.nodes());
        }
        let began = Instant::now();
        let mut best = valued(&mut ladder, 1);
        if let Some(time) = limits.hard() {
            turn.control.stop_after(time.saturating_sub(began.elapsed()));
            ladder.obey(turn.control);
        }
        ladder.allow(limits.nodes.unwrap_or(u64::MAX));
        for depth in 2..=limits.depth.unwrap_or(DEEPEST) {
            if limits.soft().is_some_and(|soft| began.elapsed() >= soft) {
                break;
            }
            let next = valued(&mut ladder, depth);
            if ladder.is_stopped() {
                break;
            }
            best = next;
        }
        (best, ladder.nodes())
    }
}

impl<G: Game> Player<G> for LadderPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let began = Instant::now();
        let unit = self.evaluator.0.unit();
        let (Valued { depth, mut moves }, nodes) = self.search(record, turn);
        let step = (self.round * f64::from(unit.one)).round().max(1.0) as Value;
        moves
            .iter_mut()
            .for_each(|(value, _)| *value = (f64::from(*value) / f64::from(step)).round() as Value * step);
        let best = moves.iter().map(|&(value, _)| value).max().expect("only asked while the game goes on");
        let least = best - (self.radius * f64::from(unit.one)) as i32;
        let near: Vec<_> = moves.into_iter().filter(|&(value, _)| value >= least).collect();
        let (value, mv) =
            near[self.seed.derive("ply", record.len() as u64).rng().random_range(0..near.len())];
        let line = Line { value, bound: Bound::Exact, depth, moves: vec![mv] };
        let analysis = Analysis {
            lines: vec![line],
            unit,
            depth,
            seldepth: depth,
            nodes,
            seconds: began.elapsed().as_secs_f64(),
            hash_permille: 0,
        };
        Ok(Decision { mv, analysis: Some(analysis) })
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        true
    }
}
