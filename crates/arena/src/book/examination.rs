//! Judging a position of the book as a job: what is searched, and what is proved.

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, LastMade};
use trilith_book::{EndgameProver, EngineJudge, Judge};
use trilith_eval::{Boxed, EvaluationError, Evaluator, Unknowing};
use trilith_games::{Game, MoveError, PositionError, RulesError};
use trilith_search::{Engine, EngineOptions, Limits};

use crate::kit::GameKit;
use crate::registry::{UnknownGame, Visitor, with_game};

/// How positions of a book are judged: always the same way, so never by time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examination {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions visited; with neither, [`Examination::USUAL_NODES`].
    pub nodes: Option<u64>,
    /// The evaluation by name; the production one if none.
    pub eval: Option<String>,
    /// Positions with at most so many plies left are proved, in games that can.
    pub exact: u32,
}

impl Default for Examination {
    fn default() -> Examination {
        Examination { depth: None, nodes: None, eval: None, exact: Examination::USUAL_EXACT }
    }
}

impl Examination {
    /// Searched if nobody says.
    pub const USUAL_NODES: u64 = 20_000;
    /// Solved in milliseconds.
    pub const USUAL_EXACT: u32 = 14;

    fn limits(&self) -> Limits {
        let nodes = self.nodes.or(self.depth.is_none().then_some(Examination::USUAL_NODES));
        Limits { depth: self.depth, nodes, ..Limits::default() }
    }
}

impl fmt::Display for Examination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = self.limits();
        if let Some(depth) = limits.depth {
            write!(f, "depth {depth}, ")?;
        }
        if let Some(nodes) = limits.nodes {
            write!(f, "{nodes} nodes, ")?;
        }
        write!(f, "{}, exact from {}", self.eval.as_deref().unwrap_or("production"), self.exact)
    }
}

/// The judge that an examination asks for.
pub fn judge<G: Game, C: GameKit<G>>(
    examination: &Examination,
) -> Result<Box<dyn Judge<G> + Send>, EvaluationError> {
    C::judge(examination)
}

/// Makes the judge for [`GameKit::judge`]: whoever calls it has its engines compiled with it.
pub(crate) fn make<G: Game, C: GameKit<G>>(
    examination: &Examination,
) -> Result<Box<dyn Judge<G> + Send>, EvaluationError> {
    let prover = (examination.exact > 0).then(|| C::prover(examination.exact)).flatten();
    match &examination.eval {
        None => {
            let options = EngineOptions { table_mebibytes: TABLE_MEBIBYTES, ..C::options() };
            Ok(judge_with(examination, C::engine(C::engine_evaluator(), Unknowing, options), prover))
        }
        Some(name) => {
            let options = EngineOptions { table_mebibytes: TABLE_MEBIBYTES, ..EngineOptions::default() };
            let evaluator = Boxed(C::named(name, None)?);
            Ok(judge_with(examination, Engine::new(evaluator, Unknowing, options), prover))
        }
    }
}

const TABLE_MEBIBYTES: usize = 8;

fn judge_with<G: Game, E: Evaluator<G> + 'static>(
    examination: &Examination,
    engine: Engine<G, E, Unknowing>,
    prover: Option<Box<dyn EndgameProver<G>>>,
) -> Box<dyn Judge<G> + Send> {
    Box::new(EngineJudge::new(engine, examination.limits(), prover))
}

/// A position that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move cannot be read.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A position of a book to be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookJudgeJob {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// How.
    pub examination: Examination,
    /// The canonical image of the position.
    pub position: String,
    /// Plies since the last move that cannot be undone.
    pub layer: usize,
    /// Moves that lead into the book.
    pub inside: Vec<String>,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedText {
    /// The true result for the side to move, where known.
    pub proved: Option<i8>,
    /// The best move out of the book and its value.
    pub alternative: Option<(String, f32)>,
}

/// A judge of texts by one set of rules in one way, all three as in the job it was seated for.
type Seated = Box<dyn FnMut(&BookJudgeJob) -> Result<JudgedText, JudgeError>>;

struct Seat<'a>(&'a BookJudgeJob);

impl Visitor for Seat<'_> {
    type Output = Result<Seated, JudgeError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.0.rules.parse()?);
        let mut judge = judge::<G, C>(&self.0.examination)?;
        Ok(Box::new(move |job| {
            let position = game.parse_position(&job.position)?;
            let inside: Result<Vec<_>, _> =
                job.inside.iter().map(|text| game.parse_move(&position, text)).collect();
            let judged = judge.judge(&game, &position, &inside?);
            let alternative = judged.alternative.map(|(mv, value)| (game.move_text(mv), value));
            Ok(JudgedText { proved: judged.proved, alternative })
        }))
    }
}

impl Job for BookJudgeJob {
    const KIND: &'static str = "judge";
    type Output = JudgedText;
    type Error = JudgeError;
    type Place = LastMade<(String, String, Examination), Seated>;

    fn run(&self, chair: &mut Self::Place, _stop: &AtomicBool) -> Result<Option<JudgedText>, JudgeError> {
        let key = (self.game.clone(), self.rules.clone(), self.examination.clone());
        let judge = chair.get(key, || with_game(&self.game, Seat(self))?)?;
        judge(self).map(Some)
    }
}
