//! `minimax`: a rung of the ladder to a fixed depth or for a time, with any evaluation (S1, S2 and S3 play so).

use std::path::Path;
use std::time::{Duration, Instant};

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::{Boxed, Evaluator, Value};
use trilith_games::{Game, MoveList, Noise, Record};
use trilith_search::{Analysis, Bound, Ladder, Limits, Line, Printed, Quiescing, Rung, Techniques};

use super::noisy::Noisy;
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
        "root",
        "eval-noise",
        "without",
    ],
    about: "a fixed depth (depth=4), or as deep as nodes=N or time=MS allow, with any evaluation (eval=margin, file=WEIGHTS); \
            equally good moves, or those within radius=R, by lot; round=R compares values in steps of R; rung= names \
            the highest technique of the search, printed=on takes them as S2 prints them; quiescence=PLIES follows \
            noise=captures|forks at the leaves, quiescing=all-moves|noisy-only|stand-pat; root=one-search takes the move of \
            one search instead of valuing every move, eval-noise=R adds a random number of at most R to each evaluation, \
            without=aspiration+minimal-window+table+table-moves leaves these out of the rung",
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
    let (quiescence, quiescing, without) = (quiescence(spec)?, quiescing(spec)?, without(spec)?);
    let style = Style { rung, is_printed, quiescence, quiescing, without };
    let [radius, round, noise] =
        [in_units(spec, "radius")?, in_units(spec, "round")?, in_units(spec, "eval-noise")?];
    let is_one_search = match spec.get("root") {
        None | Some("each-move") => false,
        Some("one-search") => true,
        Some(text) => return Err(spec.wrong("root", text, "each-move or one-search").into()),
    };
    if is_one_search && let Some(key) = ["radius", "round"].into_iter().find(|key| spec.get(key).is_some()) {
        return Err(spec
            .wrong(key, spec.get(key).unwrap_or_default(), "root=each-move, or eval-noise")
            .into());
    }
    let most = (noise * f64::from(evaluation.unit().one)) as Value;
    let evaluator = Noisy { inner: Boxed(evaluation), most, seed: seed.derive("evaluation", 0) };
    Ok(Box::new(LadderPlayer { evaluator, limits, style, is_one_search, radius, round, seed }))
}

/// Alpha-beta to a depth, equally good moves by lot.
pub(super) fn plain<G: Game>(evaluator: Boxed<G>, depth: u32, seed: Seed) -> impl Player<G> {
    let style = Style {
        rung: Rung::AlphaBeta,
        is_printed: false,
        quiescence: None,
        quiescing: Quiescing::default(),
        without: [false; 4],
    };
    LadderPlayer {
        evaluator: Noisy { inner: evaluator, most: 0, seed },
        limits: Limits::depth(depth),
        style,
        is_one_search: false,
        radius: 0.0,
        round: 0.0,
        seed,
    }
}

/// What of the ladder is switched on.
#[derive(Clone, Copy)]
struct Style {
    rung: Rung,
    /// As S2 prints its techniques.
    is_printed: bool,
    quiescence: Option<(Noise, u32)>,
    quiescing: Quiescing,
    /// Which of [`LEFT_OUT`] the rung does without.
    without: [bool; 4],
}

/// What `without` can leave out.
const LEFT_OUT: [&str; 4] = ["aspiration", "minimal-window", "table", "table-moves"];

impl Style {
    /// `radius` is that of the aspiration window.
    fn techniques(self, radius: Value, mebibytes: usize) -> Techniques {
        let Style { rung, is_printed, quiescence, quiescing, without } = self;
        let techniques = match is_printed {
            true => rung.as_printed(radius, mebibytes),
            false => rung.techniques(radius, mebibytes),
        };
        let [no_aspiration, no_minimal_window, no_table, no_table_moves] = without;
        let plain_table = techniques.printed.plain_table || no_table_moves;
        Techniques {
            printed: Printed { plain_table, ..techniques.printed },
            quiescence,
            quiescing,
            aspiration: techniques.aspiration.filter(|_| !no_aspiration),
            minimal_window: techniques.minimal_window && !no_minimal_window,
            table: techniques.table.filter(|_| !no_table),
            ..techniques
        }
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

/// The techniques named by `without=NAME+NAME`.
fn without(spec: &PlayerSpec) -> Result<[bool; 4], PlayerError> {
    let mut without = [false; 4];
    for name in spec.get("without").into_iter().flat_map(|names| names.split('+')) {
        let known = LEFT_OUT.iter().position(|known| *known == name);
        without[known.ok_or_else(|| spec.wrong("without", name, LEFT_OUT.join("+")))?] = true;
    }
    Ok(without)
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
    evaluator: Noisy<G>,
    limits: Limits,
    style: Style,
    /// Whether it plays the move of one search, which knows no history, or the best of all moves, each valued exactly.
    is_one_search: bool,
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
        let techniques = self.style.techniques(self.evaluator.unit().one, 16);
        let mut ladder = Ladder::new(game, &self.evaluator, techniques);
        // The search itself knows no history; that a move ends the game drawn is seen all the same.
        let drawn = |&mv: &G::Move| record.is_drawn_by(mv);
        let valued = |ladder: &mut Ladder<G, Noisy<G>>, depth: u32| {
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

impl<G: Game> LadderPlayer<G> {
    /// The move of one search from the root, as S2's program decides: by iterations that order the moves of the next one,
    /// until time or nodes are used up. The move of the last finished one counts (S2, 2.4).
    fn search_once(&self, record: &Record<G>, turn: Turn<'_>) -> Analysis<G::Move> {
        let limits = turn.limits_or(&self.limits);
        let techniques = self.style.techniques(self.evaluator.unit().one, 16);
        let mut ladder = Ladder::new(record.game(), &self.evaluator, techniques);
        if limits.hard().is_none() && limits.nodes.is_none() {
            return ladder.search(record.position(), limits.depth.unwrap_or(USUAL_DEPTH).max(1));
        }
        let began = Instant::now();
        if let Some(time) = limits.hard() {
            turn.control.stop_after(time);
            ladder.obey(turn.control);
        }
        ladder.allow(limits.nodes.unwrap_or(u64::MAX));
        let is_early = |_| limits.soft().is_none_or(|soft| began.elapsed() < soft);
        ladder.search_while(record.position(), limits.depth.unwrap_or(DEEPEST), is_early)
    }
}

impl<G: Game> Player<G> for LadderPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        if self.is_one_search {
            let analysis = self.search_once(record, turn);
            let mv = analysis.lines[0].moves[0];
            return Ok(Decision { mv, analysis: Some(analysis) });
        }
        let began = Instant::now();
        let unit = self.evaluator.unit();
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
        self.evaluator.seed = seed.derive("evaluation", 0);
        true
    }
}

#[cfg(test)]
mod tests {
    use trilith_eval::Catalogue;
    use trilith_eval::contract::sample;
    use trilith_games::morris::Morris;
    use trilith_search::Control;

    use super::*;
    use trilith_eval::morris::Evaluations;

    const RUNGS: [&str; 5] = [
        "rung=minimax",
        "rung=alpha-beta",
        "rung=minimal-window,without=aspiration",
        "rung=transposition-table,without=aspiration+minimal-window+table-moves",
        "rung=forcing-moves-first,without=aspiration",
    ];

    fn decision(
        spec: &str,
        position: &<Morris as Game>::Position,
        seed: u64,
    ) -> Decision<<Morris as Game>::Move> {
        let record = Record::from_position(Morris::default(), *position).expect("a position of a game");
        let mut player = make::<Morris, Evaluations>(&spec.parse().unwrap(), Seed(seed)).unwrap();
        let control = Control::default();
        let turn = Turn { control: &control, limits: Limits::default() };
        player.choose(&record, turn, &mut |_| ()).expect("the game goes on")
    }

    /// What the player is told to be and what the ladder does with the same techniques are one thing.
    #[test]
    fn one_search_is_that_of_the_ladder_in_move_value_and_nodes() {
        let game = Morris::default();
        let evaluator =
            Noisy { inner: Boxed(Evaluations::named("standard", None).unwrap()), most: 0, seed: Seed(0) };
        let one = evaluator.unit().one;
        let techniques = |rung: Rung, bare: bool| {
            let printed = rung.as_printed(one, 16);
            Techniques {
                aspiration: None,
                minimal_window: rung >= Rung::MinimalWindow && !bare,
                printed: Printed { plain_table: bare, ..printed.printed },
                ..printed
            }
        };
        let all = [
            techniques(Rung::Minimax, false),
            techniques(Rung::AlphaBeta, false),
            techniques(Rung::MinimalWindow, false),
            techniques(Rung::Table, true),
            techniques(Rung::ForcingFirst, false),
        ];
        for position in sample(&game, Seed(1), 9, 12) {
            for (rung, techniques) in RUNGS.into_iter().zip(all) {
                let depth = if techniques.full_width { 2 } else { 4 };
                let spec = format!("minimax:{rung},printed=on,eval=standard,root=one-search,depth={depth}");
                let played = decision(&spec, &position, 1);
                let analysis = played.analysis.expect("it searches");
                let found = Ladder::new(&game, &evaluator, techniques).search(&position, depth);
                assert_eq!(played.mv, found.lines[0].moves[0], "{rung}");
                assert_eq!(
                    (analysis.lines[0].value, analysis.nodes),
                    (found.lines[0].value, found.nodes),
                    "{rung}"
                );
            }
        }
    }

    /// By nodes the last finished iteration counts: for rungs that deepen it is a search to that depth.
    #[test]
    fn one_search_by_nodes_plays_the_last_finished_iteration() {
        let game = Morris::default();
        for position in sample(&game, Seed(2), 9, 12) {
            for rung in RUNGS {
                let spec =
                    |limit: &str| format!("minimax:{rung},printed=on,eval=standard,root=one-search,{limit}");
                let by_nodes = decision(&spec("nodes=3000"), &position, 1);
                let analysis = by_nodes.analysis.expect("it searches");
                let is_deep = analysis.depth > 1 || rung == "rung=minimax";
                assert!(is_deep && analysis.nodes <= 3000 + 64, "{rung}: {}", analysis.nodes);
                let to_depth = decision(&spec(&format!("depth={}", analysis.depth)), &position, 1);
                assert_eq!(by_nodes.mv, to_depth.mv, "{rung}");
            }
        }
    }

    #[test]
    fn noise_on_the_evaluation_repeats_with_the_seed_and_varies_the_opening() {
        let game = Morris::default();
        let spec = "minimax:rung=forcing-moves-first,printed=on,eval=standard,root=one-search,eval-noise=0.05,nodes=2000";
        let moves: Vec<_> = (0..20).map(|seed| decision(spec, &game.start(), seed).mv).collect();
        assert!(moves.iter().any(|&mv| mv != moves[0]), "every seed has the same first move");
        let again: Vec<_> = (0..20).map(|seed| decision(spec, &game.start(), seed).mv).collect();
        assert_eq!(moves, again);
    }

    #[test]
    fn lots_among_moves_need_values_of_all_of_them() {
        for wrong in ["root=one-search,radius=0.05", "root=two", "without=depth", "eval-noise=-1"] {
            let spec = format!("minimax:eval=standard,{wrong}").parse().unwrap();
            assert!(make::<Morris, Evaluations>(&spec, Seed(1)).is_err(), "{wrong}");
        }
    }
}
