//! Learning: looks for the best move out of the book at every position, in any number of runs.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use trilith_base::job::{QueueError, Unfinished, Workers};
use trilith_book::{Added, Book, BookError, BookJudgement, Judge, Walk, layer, node_key};
use trilith_eval::EvaluationError;
use trilith_games::{Colour, Game, Record};

use super::examination::{BookJudgeJob, Examination, JudgedText, judge};
use crate::contest::JobError;
use crate::kit::GameKit;

/// Why a book has not learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A position cannot be judged, or a game not be played.
    #[error("{0}")]
    Job(String),
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] JobError),
    /// Nobody elsewhere can be reached.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl<E: std::error::Error> From<Unfinished<E>> for LearnError {
    fn from(unfinished: Unfinished<E>) -> LearnError {
        match unfinished {
            Unfinished::Job(error) => LearnError::Job(error.to_string()),
            Unfinished::Worker(text) => LearnError::Job(format!("a worker could not do its job: {text}")),
            Unfinished::Queue(error) => LearnError::Queue(error),
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookLearned {
    /// Positions judged now.
    pub judged: u64,
    /// Positions that were to be judged.
    pub open: u64,
}

/// Results are written after so many, or after [`PAUSE`]: this much is lost by a kill.
const BATCH: usize = 256;
const PAUSE: Duration = Duration::from_secs(5);
/// Positions linked in one transaction.
const LINKED: usize = 4096;

/// A position to be judged, in its canonical image.
struct OpenPosition<G: Game> {
    position: G::Position,
    layer: usize,
    inside: Vec<G::Move>,
}

/// Judges every position seen in at least `least` games that has not been judged by this examination. What is done is done: after a kill or a `stop` the
/// next call goes on. `told` hears how many are judged, and of how many.
pub fn learn<G: Game, C: GameKit<G>>(
    book: &mut Book,
    game: &G,
    examination: &Examination,
    least: u64,
    workers: &Workers,
    stop: &AtomicBool,
    mut told: impl FnMut(BookLearned),
) -> Result<BookLearned, LearnError> {
    book.judge_by(&examination.to_string())?;
    let open = open_positions::<G, C>(book, game, examination, least)?;
    let mut learned = BookLearned { judged: 0, open: open.len() as u64 };
    let (rules, owned, asked) = (game.rules().to_string(), game.clone(), examination.clone());
    let jobs = open.into_iter().map(move |open| BookJudgeJob {
        game: G::NAME.into(),
        rules: rules.clone(),
        examination: asked.clone(),
        position: owned.position_text(&open.position),
        layer: open.layer,
        inside: open.inside.iter().map(|&mv| owned.move_text(mv)).collect(),
    });
    let mut waiting: Vec<(BookJudgeJob, JudgedText)> = Vec::new();
    let (mut written, mut failed) = (Instant::now(), None);
    let batch = format!("judge {} {examination}", book.path().display());
    workers.run(&batch, jobs, stop, |job, judged| {
        waiting.push((job, judged));
        if waiting.len() >= BATCH || written.elapsed() >= PAUSE {
            let count = waiting.len() as u64;
            match keep(book, game, &mut waiting) {
                Ok(()) => learned.judged += count,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            written = Instant::now();
            told(learned);
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(()), Err)?;
    learned.judged += waiting.len() as u64;
    keep(book, game, &mut waiting)?;
    Ok(learned)
}

fn keep<G: Game>(
    book: &Book,
    game: &G,
    waiting: &mut Vec<(BookJudgeJob, JudgedText)>,
) -> Result<(), BookError> {
    book.update(|draft| {
        for (job, judged) in waiting.drain(..) {
            let Ok(position) = game.parse_position(&job.position) else { continue };
            let alternative = judged
                .alternative
                .as_ref()
                .and_then(|(text, value)| game.parse_move(&position, text).ok().map(|mv| (mv, *value)));
            draft.judge(game, &position, job.layer, &BookJudgement { proved: judged.proved, alternative })?;
        }
        Ok(())
    })
}

/// The positions that are to be judged, each linked to all of the book it leads to.
fn open_positions<G: Game, C: GameKit<G>>(
    book: &Book,
    game: &G,
    examination: &Examination,
    least: u64,
) -> Result<Vec<OpenPosition<G>>, LearnError> {
    let judge = judge::<G, C>(examination)?;
    let mut met: Vec<(G::Position, usize, usize)> = Vec::new();
    let reader = book.reader()?;
    Walk::all(&reader, game, &mut |visit| {
        if visit.node.proved.is_some() || visit.node.games() < least {
            return false;
        }
        if visit.node.own_result().is_none() {
            met.push((*visit.position, visit.layer, visit.moves.len()));
        }
        !judge.can_prove(game, visit.position)
    })?;
    drop(reader);
    // Those near the start first: they count most if the rest has to wait.
    met.sort_by_key(|(_, _, plies)| *plies);
    let mut open = Vec::new();
    for some in met.chunks(LINKED) {
        book.update(|draft| {
            for (position, layer, _) in some {
                if draft.is_open(node_key(game, position, *layer))? {
                    let (position, inside) = draft.link_known(game, position, *layer)?;
                    open.push(OpenPosition { position, layer: *layer, inside });
                }
            }
            Ok(())
        })?;
    }
    Ok(open)
}

/// Adds a game and judges its positions at once: what a learning player does after each game.
pub fn learn_game<G: Game>(
    book: &Book,
    record: &Record<G>,
    winner: Option<Colour>,
    judge: &mut dyn Judge<G>,
) -> Result<Added, BookError> {
    let game = record.game();
    let added = book.update(|draft| draft.add(record, winner))?;
    let mut way = Record::from_position(game.clone(), *record.start())
        .map_err(|error| BookError::Damaged { path: book.path().into(), fault: error.to_string() })?;
    let mut moves = record.moves();
    let mut open = Vec::new();
    book.update(|draft| {
        loop {
            let key = node_key(game, way.position(), layer(&way));
            let is_proved = draft.node(key)?.is_some_and(|node| node.proved.is_some());
            if is_proved {
                return Ok(());
            }
            if draft.is_open(key)? {
                let (position, inside) = draft.link_known(game, way.position(), layer(&way))?;
                open.push((position, layer(&way), inside));
            }
            let Some(mv) = moves.next().filter(|_| !judge.can_prove(game, way.position())) else {
                return Ok(());
            };
            way.push_legal(mv);
        }
    })?;
    let judged: Vec<_> = open
        .into_iter()
        .map(|(position, layer, inside)| (position, layer, judge.judge(game, &position, &inside)))
        .collect();
    book.update(|draft| {
        judged.iter().try_for_each(|(position, layer, judged)| draft.judge(game, position, *layer, judged))
    })?;
    Ok(added)
}
