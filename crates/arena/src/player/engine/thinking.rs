//! The engine at the table: what it plays, and how it thinks on the opponent's time.

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::Evaluator;
use trilith_games::{Game, Record};
use trilith_search::{Analysis, Control, Engine, Limits, Pondering};

use super::{USUAL_TIME, table_mebibytes};
use crate::player::endgames::Endgames;
use crate::player::{Decision, Player, PlayerFault, Turn};

/// The engine as a player.
pub(super) struct EnginePlayer<G: Game, E, O> {
    pub(super) mind: Mind<G, E, O>,
    pub(super) has_hash: bool,
    pub(super) limits: Limits,
    /// In steps of the evaluation: moves this near to the best are drawn from.
    pub(super) radius: i32,
    /// Whether it thinks on the opponent's time, if its own is limited.
    pub(super) ponders: bool,
    pub(super) seed: Seed,
}

/// What the engine does while it is not asked.
pub(super) enum Mind<G: Game, E, O> {
    Resting(Box<Engine<G, E, O>>),
    Pondering(Pondering<G, E, O>),
    /// Only while it changes.
    Between,
}

impl<G: Game, E: Evaluator<G> + 'static, O: Endgames<G>> EnginePlayer<G, E, O> {
    /// The engine, at rest from now on.
    fn engine(&mut self) -> &mut Engine<G, E, O> {
        if let Mind::Pondering(pondering) = self.take() {
            self.mind = Mind::Resting(Box::new(pondering.stop()));
        }
        match &mut self.mind {
            Mind::Resting(engine) => engine,
            _ => unreachable!("it has just come to rest"),
        }
    }

    /// What goes on, if it is pondering; leaves a resting engine where it is.
    fn take(&mut self) -> Mind<G, E, O> {
        match self.mind {
            Mind::Pondering(_) => std::mem::replace(&mut self.mind, Mind::Between),
            _ => Mind::Between,
        }
    }

    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        match self.take() {
            Mind::Pondering(pondering) if pondering.expects(record) => {
                let (engine, analysis) = pondering.hit(limits, control);
                self.mind = Mind::Resting(Box::new(engine));
                report(&analysis);
                analysis
            }
            Mind::Pondering(pondering) => {
                self.mind = Mind::Resting(Box::new(pondering.stop()));
                self.engine().analyse(record, limits, control, report)
            }
            _ => self.engine().analyse(record, limits, control, report),
        }
    }

    /// Goes on thinking after its move and the reply it expects.
    fn ponder(&mut self, record: &Record<G>, mv: G::Move, reply: G::Move) {
        let mut expected = record.clone();
        if expected.push(mv).is_err() || expected.push(reply).is_err() || expected.end().is_some() {
            return;
        }
        self.mind = match std::mem::replace(&mut self.mind, Mind::Between) {
            Mind::Resting(engine) => Mind::Pondering(engine.ponder(expected)),
            other => other,
        };
    }
}

impl<G: Game, E: Evaluator<G> + 'static, O: Endgames<G>> Player<G> for EnginePlayer<G, E, O> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let mut limits = turn.limits_or(&self.limits);
        if limits == Limits::default() {
            limits.time = Some(USUAL_TIME);
        }
        if let Mind::Resting(engine) = &mut self.mind {
            let endgames = engine.oracle_mut();
            endgames.get_ready(record.game())?;
            endgames.allow(&limits);
            if !self.has_hash {
                engine.grow(table_mebibytes(&limits));
            }
        }
        let analysis = self.think(record, &limits, turn.control, report);
        let best = analysis.value();
        let near = analysis.lines.iter().take_while(|line| line.value >= best - self.radius).count().max(1);
        let mut rng = self.seed.derive("ply", record.len() as u64).rng();
        let line = &analysis.lines[rng.random_range(0..near)];
        let (mv, reply) = (line.moves[0], line.moves.get(1));
        if let Some(&reply) = reply.filter(|_| self.ponders && limits.hard().is_some()) {
            self.ponder(record, mv, reply);
        }
        Ok(Decision { mv, analysis: Some(analysis) })
    }

    fn prepare(&mut self, record: &Record<G>, _: &Limits) -> Result<(), PlayerFault> {
        self.engine().oracle_mut().get_ready(record.game())
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.engine().forget();
        self.engine().oracle_mut().forget();
        self.seed = seed;
        true
    }
}
