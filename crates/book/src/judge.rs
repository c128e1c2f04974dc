//! Who finds the best move that leads out of the book, and what endings truly are.

use trilith_eval::{Evaluator, Unknowing};
use trilith_games::{Game, MoveList, Record};
use trilith_search::{Control, Engine, Limits};

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookJudgement<M> {
    /// Its true result for the side to move, where known.
    pub proved: Option<i8>,
    /// The best move out of the book and its value for the side to move, in units of the evaluation.
    pub alternative: Option<(M, f32)>,
}

/// Judges positions, always the same way.
pub trait Judge<G: Game> {
    /// The true result for the side to move, where this judge can know it.
    fn prove(&mut self, game: &G, position: &G::Position) -> Option<i8>;
    /// Whether [`Judge::prove`] would know the result; cheap.
    fn can_prove(&self, game: &G, position: &G::Position) -> bool;
    /// The best legal move that is not one of `except`, and its value.
    fn best(&mut self, game: &G, position: &G::Position, except: &[G::Move]) -> Option<(G::Move, f32)>;

    /// All there is to find out about a position, given the moves that lead into the book.
    fn judge(&mut self, game: &G, position: &G::Position, inside: &[G::Move]) -> BookJudgement<G::Move> {
        let proved = self.can_prove(game, position).then(|| self.prove(game, position)).flatten();
        match proved {
            Some(_) => BookJudgement { proved, alternative: None },
            None => BookJudgement { proved, alternative: self.best(game, position, inside) },
        }
    }
}

/// Solves endings of a game.
pub trait EndgameProver<G: Game>: Send {
    /// Whether it is near enough to the end.
    fn can_prove(&self, game: &G, position: &G::Position) -> bool;
    /// The true result for the side to move.
    fn prove(&mut self, game: &G, position: &G::Position) -> Option<i8>;
}

/// The production search as a judge.
pub struct EngineJudge<G: Game, E> {
    engine: Engine<G, E, Unknowing>,
    limits: Limits,
    prover: Option<Box<dyn EndgameProver<G>>>,
}

impl<G: Game, E: Evaluator<G>> EngineJudge<G, E> {
    /// Judges by searches of `limits`, which must not be by time, and by the prover where it can.
    pub fn new(
        engine: Engine<G, E, Unknowing>,
        limits: Limits,
        prover: Option<Box<dyn EndgameProver<G>>>,
    ) -> Self {
        EngineJudge { engine, limits, prover }
    }
}

impl<G: Game, E: Evaluator<G>> Judge<G> for EngineJudge<G, E> {
    fn prove(&mut self, game: &G, position: &G::Position) -> Option<i8> {
        self.prover.as_mut()?.prove(game, position)
    }

    fn can_prove(&self, game: &G, position: &G::Position) -> bool {
        self.prover.as_ref().is_some_and(|prover| prover.can_prove(game, position))
    }

    /// As many lines are searched as moves are left out, and one more: the best of the rest is among them.
    fn best(&mut self, game: &G, position: &G::Position, except: &[G::Move]) -> Option<(G::Move, f32)> {
        let mut legal = MoveList::new();
        game.moves(position, &mut legal);
        if legal.iter().all(|mv| except.contains(mv)) {
            return None;
        }
        let record = Record::from_position(game.clone(), *position).ok()?;
        self.engine.forget();
        self.engine.search_lines(except.len() + 1);
        let analysis = self.engine.analyse(&record, &self.limits, &Control::default(), &mut |_| ());
        let line = analysis.lines.iter().find(|line| !except.contains(&line.moves[0]))?;
        Some((line.moves[0], line.value as f32 / analysis.unit.one as f32))
    }
}
