//! Doubtful positions: not won by the games so far, but with a promising move that nobody has played. They are played out.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use trilith_base::job::Workers;
use trilith_book::{Book, BookError, Walk};
use trilith_games::{Game, Record};

use super::examination::Examination;
use super::learn::{LearnError, learn};
use crate::contest::{Adjudication, GameJob, GameReport, GameSeat, Opening, Pace, push_moves};
use crate::kit::GameKit;

/// A position of doubt.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubtfulPosition<G: Game> {
    /// Where the way to it begins.
    pub start: G::Position,
    /// The way to it.
    pub moves: Vec<G::Move>,
    /// The promising move.
    pub alternative: G::Move,
    /// Its value for the side to move, in units of the evaluation.
    pub value: f32,
    /// What the games say: 0 drawn, -1 lost.
    pub tree: i8,
}

/// The positions that are not won by the book and have an alternative of at least `margin`, the most promising first.
pub fn doubts<G: Game>(book: &Book, game: &G, margin: f32) -> Result<Vec<DoubtfulPosition<G>>, BookError> {
    let mut doubts: Vec<DoubtfulPosition<G>> = Vec::new();
    let reader = book.reader()?;
    Walk::all(&reader, game, &mut |visit| {
        let tree = visit.node.value(visit.node.mover).tree;
        if let Some(found) =
            visit.node.alternative.as_ref().filter(|found| tree <= 0 && found.value >= margin)
        {
            let (canonical, symmetry) = game.canonical(visit.position);
            if let Ok(mv) = game.parse_move(&canonical, &found.mv) {
                doubts.push(DoubtfulPosition {
                    start: *visit.start,
                    moves: visit.moves.to_vec(),
                    alternative: game.image_move(mv, game.inverse(symmetry)),
                    value: found.value,
                    tree,
                });
            }
        }
        visit.node.proved.is_none()
    })?;
    doubts.sort_by(|a, b| b.value.total_cmp(&a.value));
    Ok(doubts)
}

/// How doubts are played out.
#[derive(Clone, Debug)]
pub struct Correction {
    /// Positions with an alternative of at least this value are doubtful.
    pub margin: f32,
    /// At most so many, the most promising first.
    pub games: usize,
    /// Who plays, both sides.
    pub player: String,
    /// For both sides.
    pub pace: Pace,
    /// How the new positions are judged.
    pub examination: Examination,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    /// Doubtful positions before.
    pub doubts: usize,
    /// Games played and added.
    pub played: usize,
    /// Games among them that have confirmed the alternative: the side that plays it has won or, from a lost position, drawn.
    pub confirmed: usize,
}

/// Plays doubtful positions out from their alternatives on, adds the games and judges what is new.
pub fn correct<G: Game, C: GameKit<G>>(
    book: &mut Book,
    game: &G,
    correction: &Correction,
    workers: &Workers,
    stop: &AtomicBool,
    mut told: impl FnMut(Corrected),
) -> Result<Corrected, LearnError> {
    let mut doubts = doubts(book, game, correction.margin)?;
    let mut corrected = Corrected { doubts: doubts.len(), ..Corrected::default() };
    doubts.truncate(correction.games);
    let jobs: Vec<GameJob> =
        doubts.iter().zip(0..).map(|(doubt, number)| job(game, correction, doubt, number)).collect();
    let batch = format!("correct {} {correction:?}", book.path().display());
    let mut failed = None;
    workers.run(&batch, jobs.into_iter(), stop, |job, result| {
        let doubt = &doubts[job.number as usize];
        if let Err(error) = add(book, game, doubt, &result) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        let mover = game.to_move(&position_of(game, doubt));
        corrected.played += 1;
        corrected.confirmed += usize::from(result.sign(mover) > i32::from(doubt.tree));
        told(corrected);
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(()), Err)?;
    learn::<G, C>(book, game, &correction.examination, 1, workers, stop, |_| ())?;
    Ok(corrected)
}

fn position_of<G: Game>(game: &G, doubt: &DoubtfulPosition<G>) -> G::Position {
    doubt.moves.iter().fold(doubt.start, |position, &mv| game.play(&position, mv))
}

fn job<G: Game>(game: &G, correction: &Correction, doubt: &DoubtfulPosition<G>, number: u64) -> GameJob {
    let position = (doubt.start != game.start()).then(|| game.position_text(&doubt.start));
    let moves = doubt.moves.iter().chain([&doubt.alternative]).map(|&mv| game.move_text(mv));
    let seat = GameSeat { player: correction.player.clone(), pace: correction.pace };
    GameJob {
        number,
        game: G::NAME.into(),
        rules: game.rules().to_string(),
        opening: Opening { position, moves: moves.collect::<Vec<_>>().join(" ") },
        black: seat.clone(),
        white: seat,
        adjudication: Adjudication::default(),
        seed: number,
    }
}

fn add<G: Game>(
    book: &Book,
    game: &G,
    doubt: &DoubtfulPosition<G>,
    result: &GameReport,
) -> Result<(), LearnError> {
    let wrong = |error: &dyn std::fmt::Display| LearnError::Job(error.to_string());
    let mut record = Record::from_position(game.clone(), doubt.start).map_err(|error| wrong(&error))?;
    push_moves(&mut record, &result.moves).map_err(|error| wrong(&error))?;
    book.update(|draft| draft.add(&record, result.end.winner))?;
    Ok(())
}
