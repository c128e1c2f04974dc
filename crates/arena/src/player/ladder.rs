//! `minimax`: a rung of the ladder to a fixed depth, with any evaluation (S1, S2 and S3 play so).

use std::path::Path;

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::{Boxed, Catalogue};
use trilith_games::{Game, MoveList, Record};
use trilith_search::{Analysis, Bound, Ladder, Line, Rung};

use super::{Decision, Fault, Kind, Player, PlayerError, Turn};
use crate::spec::PlayerSpec;

pub(super) const KIND: Kind = Kind {
    name: "minimax",
    options: &["depth", "eval", "file", "rung", "radius"],
    about: "a fixed depth (depth=4) with any evaluation (eval=margin, file=WEIGHTS); equally good moves, or those \
            within radius=R, by lot; rung= names the highest technique of the search",
};

pub(super) fn make<G: Game, C: Catalogue<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let evaluation = C::named(spec.get("eval").unwrap_or("margin"), spec.get("file").map(Path::new))?;
    let depth = spec.number("depth", 1, 64)?.unwrap_or(4) as u32;
    let rung = match spec.get("rung") {
        None => Rung::AlphaBeta,
        Some(text) => {
            Rung::ALL.into_iter().find(|rung| rung.name().replace(' ', "-") == text).ok_or_else(|| {
                spec.wrong("rung", text, Rung::ALL.map(|rung| rung.name().replace(' ', "-")).join(", "))
            })?
        }
    };
    let radius: f64 = match spec.get("radius") {
        None => 0.0,
        Some(text) => {
            text.parse().map_err(|_| spec.wrong("radius", text, "a number, in units of the evaluation"))?
        }
    };
    Ok(Box::new(LadderPlayer { evaluator: Boxed(evaluation), depth, rung, radius, seed }))
}

struct LadderPlayer<G: Game> {
    evaluator: Boxed<G>,
    depth: u32,
    rung: Rung,
    radius: f64,
    seed: Seed,
}

impl<G: Game> Player<G> for LadderPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, Fault> {
        let (game, position) = (record.game(), record.position());
        let depth = turn.limits.depth.unwrap_or(self.depth).max(1);
        let unit = self.evaluator.0.unit();
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        let techniques = self.rung.techniques(unit.one, 16);
        let mut ladder = Ladder::new(game, &self.evaluator, techniques);
        let mut value = |&mv: &G::Move| (-ladder.value(&game.play(position, mv), depth - 1), mv);
        let valued: Vec<_> = moves.iter().map(&mut value).collect();
        let best = valued.iter().map(|&(value, _)| value).max().expect("only asked while the game goes on");
        let least = best - (self.radius * f64::from(unit.one)) as i32;
        let near: Vec<_> = valued.into_iter().filter(|&(value, _)| value >= least).collect();
        let (value, mv) =
            near[self.seed.derive("ply", record.len() as u64).rng().random_range(0..near.len())];
        let line = Line { value, bound: Bound::Exact, moves: vec![mv] };
        let analysis = Analysis {
            lines: vec![line],
            unit,
            depth,
            seldepth: depth,
            nodes: ladder.nodes(),
            seconds: 0.0,
            hash_permille: 0,
        };
        Ok(Decision { mv, analysis: Some(analysis) })
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        true
    }
}
