//! Reviews: every position of a game is searched for a moment, from the end to the start, and every move judged.
//!
//! From the end, because what an engine remembers of later positions helps with earlier ones. A review is a [`Job`]: with
//! limits by nodes or depth its result is the same wherever it runs.

mod judge;
mod report;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_base::job::Job;
use trilith_games::{Colour, Game, MoveList, Record};
use trilith_search::analysis::plies_to_end;
use trilith_search::{Analysis, Control};

use crate::contest::Pace;
use crate::player::{self, Player, PlayerError, PlayerFault, Turn};
use crate::registry::{UnknownGame, Visitor, with_game};
use crate::sheets::{GameSheet, SheetError};
use crate::spec::PlayerSpec;

pub use judge::{JudgedPosition, ReviewScale};
pub use report::{GameReview, JudgedMove, PhaseReview, SideReview, judge};

/// What a position gets if nobody says otherwise, in the program as on the page.
pub const USUAL_NODES: u64 = 20_000;

/// Everything that decides a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewJob {
    /// The place of the game among those reviewed, from 1.
    pub number: usize,
    /// The game.
    pub sheet: GameSheet,
    /// Who judges.
    pub player: String,
    /// How long it thinks about each position.
    pub pace: Pace,
}

/// A review that cannot be made, whoever tries.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The game cannot be played through.
    #[error("game {number}: {source}")]
    Sheet {
        /// From 1.
        number: usize,
        /// Why.
        source: SheetError,
    },
    /// The judge cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The judge failed.
    #[error("game {number}: {fault}")]
    Fault {
        /// From 1.
        number: usize,
        /// What it did.
        fault: PlayerFault,
    },
    /// The judge plays, but does not say what it thinks.
    #[error("`{0}` does not search: expected an engine or a rung of the ladder")]
    Mute(String),
}

impl ReviewJob {
    /// A text by which a journal knows the review again, whatever its number.
    pub fn key(&self) -> String {
        let job = ReviewJob { number: 0, ..self.clone() };
        let text = serde_json::to_string(&job).expect("jobs are plain data");
        blake3::hash(text.as_bytes()).to_hex()[..32].into()
    }
}

impl Job for ReviewJob {
    const KIND: &'static str = "review";
    type Output = GameReview;
    type Error = ReviewError;
    type Place = Judges;

    fn run(&self, judges: &mut Judges, stop: &AtomicBool) -> Result<Option<GameReview>, ReviewError> {
        judges.review(self, stop)
    }
}

/// The engines of one thread, kept from game to game.
#[derive(Default)]
pub struct Judges {
    seats: HashMap<(String, String), Box<dyn Judge>>,
}

impl Judges {
    /// Reviews a game; nothing if `stop` was set before the end.
    pub fn review(&mut self, job: &ReviewJob, stop: &AtomicBool) -> Result<Option<GameReview>, ReviewError> {
        let key = (job.sheet.game.clone(), job.player.clone());
        if !self.seats.contains_key(&key) {
            let judge = with_game(&job.sheet.game, Seat { player: &job.player })??;
            self.seats.insert(key.clone(), judge);
        }
        self.seats.get_mut(&key).expect("it was seated just now").review(job, stop)
    }
}

/// What a judge does, for one game.
trait Judge: Send {
    fn review(&mut self, job: &ReviewJob, stop: &AtomicBool) -> Result<Option<GameReview>, ReviewError>;
}

struct Seat<'a> {
    player: &'a str,
}

impl Visitor for Seat<'_> {
    type Output = Result<Box<dyn Judge>, ReviewError>;

    fn visit<G: Game, C: crate::kit::GameKit<G>>(self) -> Self::Output {
        let spec: PlayerSpec = self.player.parse().map_err(PlayerError::Spec)?;
        let make = move || player::player::<G, C>(&spec, Seed(1));
        let player = make()?;
        Ok(Box::new(JudgeOf::<G> { player, make: Arc::new(make), phase: C::phase }))
    }
}

type Make<G> = dyn Fn() -> Result<Box<dyn Player<G>>, PlayerError> + Send + Sync;

struct JudgeOf<G: Game> {
    player: Box<dyn Player<G>>,
    make: Arc<Make<G>>,
    phase: Phase<G>,
}

/// The phase that a position after so many plies belongs to.
type Phase<G> = fn(&G, &<G as Game>::Position, usize) -> Option<&'static str>;

/// The phase of each position of a game, from the start on.
pub fn phases<G: Game, C: crate::kit::GameKit<G>>(record: &Record<G>) -> Vec<Option<&'static str>> {
    phases_by(record, C::phase)
}

fn phases_by<G: Game>(record: &Record<G>, phase: Phase<G>) -> Vec<Option<&'static str>> {
    let positions = (0..=record.len()).filter_map(|at| Some((at, record.position_after(at)?)));
    positions.map(|(at, position)| phase(record.game(), position, at)).collect()
}

impl<G: Game> Judge for JudgeOf<G> {
    fn review(&mut self, job: &ReviewJob, stop: &AtomicBool) -> Result<Option<GameReview>, ReviewError> {
        let whole: Record<G> = job
            .sheet
            .record()
            .map_err(|source| ReviewError::Sheet { number: job.number, source: source.into() })?;
        // Nothing is remembered from game to game.
        if !self.player.renew(Seed(1)) {
            self.player = (self.make)()?;
        }
        let mut verdicts: Vec<JudgedPosition> = Vec::new();
        let (mut unit, mut nodes) = (None, 0);
        let mut record = whole.clone();
        for _ in 0..=whole.len() {
            if stop.load(Relaxed) {
                return Ok(None);
            }
            if record.end().is_none() {
                let analysis = self.think(job, &record)?;
                unit = Some(analysis.unit.name);
                nodes += analysis.nodes;
                verdicts.push(verdict(&record, &analysis));
            }
            record.pop();
        }
        let unit = unit.unwrap_or("discs");
        if whole.end().is_some() {
            verdicts.insert(0, ended(&whole, unit));
        }
        verdicts.reverse();
        let review = written(job, &whole, unit, nodes, &verdicts);
        let phases = PhaseReview::all(&phases_by(&whole, self.phase), &review.moves);
        Ok(Some(GameReview { phases, ..review }))
    }
}

impl<G: Game> JudgeOf<G> {
    fn think(&mut self, job: &ReviewJob, record: &Record<G>) -> Result<Analysis<G::Move>, ReviewError> {
        let control = Control::default();
        let turn = Turn { control: &control, limits: job.pace.limits() };
        let decision = self.player.choose(record, turn, &mut |_| ());
        let decision = decision.map_err(|fault| ReviewError::Fault { number: job.number, fault })?;
        decision.analysis.ok_or_else(|| ReviewError::Mute(job.player.clone()))
    }
}

/// What an analysis says of the position of a game that goes on.
pub fn verdict<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>) -> JudgedPosition {
    let game = record.game();
    let scale = ReviewScale::of(analysis.unit.name);
    let is_black = game.to_move(record.position()) == Colour::Black;
    let own = f64::from(analysis.value()) / f64::from(analysis.unit.one);
    let proved =
        plies_to_end(analysis.value()).map(|plies| if (plies >= 0) == is_black { "win" } else { "loss" });
    let line = analysis.lines.first();
    JudgedPosition {
        value: scale.clamp(if is_black { own } else { -own }),
        proved: proved.map(str::to_owned),
        exact: proved.is_some() || line.is_some_and(|line| leads_to_the_end(record, &line.moves, line.depth)),
        depth: analysis.depth,
        line: line.map_or(Vec::new(), |line| line.moves.iter().map(|&mv| game.move_text(mv)).collect()),
    }
}

/// Whether a line ends the game within the depth to which everything was searched.
fn leads_to_the_end<G: Game>(record: &Record<G>, moves: &[G::Move], depth: u32) -> bool {
    let mut record = record.clone();
    moves.len() <= depth as usize && moves.iter().all(|&mv| record.push(mv).is_ok()) && record.end().is_some()
}

/// What an ended game is worth.
fn ended<G: Game>(record: &Record<G>, unit: &str) -> JudgedPosition {
    let game = record.game();
    let own = game.margin(record.position());
    let margin = if game.to_move(record.position()) == Colour::Black { own } else { -own };
    ReviewScale::of(unit).ended(record.end().and_then(|end| end.winner), margin)
}

/// The review, from the verdicts on all positions in their order.
fn written<G: Game>(
    job: &ReviewJob,
    record: &Record<G>,
    unit: &str,
    nodes: u64,
    verdicts: &[JudgedPosition],
) -> GameReview {
    let scale = ReviewScale::of(unit);
    let game = record.game();
    let mut moves = Vec::new();
    for (at, (mv, pair)) in record.moves().zip(verdicts.windows(2)).enumerate() {
        let position = record.position_after(at).expect("a position before each move");
        let mut legal = MoveList::new();
        game.moves(position, &mut legal);
        let side = game.to_move(position);
        moves.push(judge(scale, at, &game.move_text(mv), side, legal.len() == 1, (&pair[0], &pair[1])));
    }
    let side =
        |colour: Colour, name: &str| SideReview::of(job.sheet.tag(name).unwrap_or_default(), colour, &moves);
    GameReview {
        number: job.number,
        sheet: job.sheet.clone(),
        unit: unit.into(),
        loss_unit: scale.unit.into(),
        black: side(Colour::Black, "Black"),
        white: side(Colour::White, "White"),
        moves,
        phases: Vec::new(),
        nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(game: &str, moves: &str, nodes: u64) -> ReviewJob {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let tags = vec![("Black".into(), "one".into()), ("White".into(), "two".into())];
        ReviewJob {
            number: 1,
            sheet: GameSheet { game: game.into(), moves, tags, ..GameSheet::default() },
            player: "engine:hash=1".into(),
            pace: Pace { nodes: Some(nodes), ..Pace::default() },
        }
    }

    /// A whole random game of Othello.
    fn played() -> ReviewJob {
        let mut record = Record::new(trilith_games::othello::Othello::default());
        trilith_games::playout::play_on(&mut record, 100, &mut Seed(3).rng());
        let mut job = job("othello", "", 3000);
        job.sheet = GameSheet::of(&record, job.sheet.tags, Vec::new());
        job
    }

    fn review(job: &ReviewJob) -> GameReview {
        Judges::default().review(job, &AtomicBool::new(false)).unwrap().unwrap()
    }

    #[test]
    fn every_move_is_judged_and_the_end_is_exact() {
        let job = played();
        let review = review(&job);
        assert_eq!(review.moves.len(), job.sheet.moves.len());
        assert_eq!((review.unit.as_str(), review.loss_unit.as_str()), ("discs", "discs"));
        let last = review.moves.last().unwrap();
        assert!(last.exact && review.moves[..20].iter().all(|mv| !mv.exact), "{last:?}");
        let (black, white) = (&review.black, &review.white);
        assert!(black.blunders + white.blunders > 5, "random players blunder: {black:?} {white:?}");
        let names: Vec<&str> = review.phases.iter().map(|phase| phase.phase.as_str()).collect();
        assert_eq!(names, ["opening", "middlegame", "endgame"]);
        assert_eq!(review.phases.iter().map(|phase| phase.black.moves).sum::<u64>(), black.moves);
        let right = |side: &SideReview| side.accuracy * side.moves as f64;
        let by_phase: f64 = review.phases.iter().map(|phase| right(&phase.white)).sum();
        assert!((by_phase - right(white)).abs() < 1e-9, "{:?}", review.phases);
        assert!(black.accuracy < 0.8 && black.average_loss > 1.0 && black.player == "one", "{black:?}");
        // The sum of all exact losses is what lies between the first exact value and the end.
        let first = review.moves.iter().rposition(|mv| !mv.exact).map_or(0, |last| last + 1);
        let exact = &review.moves[first..];
        assert!(exact.len() > 4, "the solver reaches some way back: {}", exact.len());
        let lost = |side| exact.iter().filter(|mv| mv.side == side).map(|mv| mv.loss).sum::<f64>();
        let drift = exact.last().unwrap().value_after - exact[0].value_before;
        assert!((lost(Colour::White) - lost(Colour::Black) - drift).abs() < 1e-9);
    }

    #[test]
    fn a_review_is_the_same_whatever_was_reviewed_before() {
        let (job, other) = (played(), job("othello", "f5 d6 c3 d3", 3000));
        let mut judges = Judges::default();
        let run = |judges: &mut Judges, job: &ReviewJob| {
            judges.review(job, &AtomicBool::new(false)).unwrap().unwrap()
        };
        let first = run(&mut judges, &job);
        run(&mut judges, &other);
        assert_eq!(run(&mut judges, &job), first);
        assert!(judges.review(&job, &AtomicBool::new(true)).unwrap().is_none());
    }

    #[test]
    fn a_removal_given_away_in_morris_is_marked() {
        let review = review(&job("morris", "d6 a1 d2 a4 f4 a7xd6", 20_000));
        let marks: Vec<_> = review.moves.iter().map(|mv| mv.class.as_str()).collect();
        assert!(marks[4] != "best" && marks[4] != "good", "a mill was let through: {marks:?}");
        assert_eq!(review.loss_unit, "chance");
        let text = review.annotated();
        assert!(text.comment(4).unwrap().contains("better"), "{text:?}");
    }

    #[test]
    fn who_cannot_judge_is_refused() {
        let fault =
            |job: &ReviewJob| Judges::default().review(job, &AtomicBool::new(false)).unwrap_err().to_string();
        let mute = ReviewJob { player: "random".into(), ..job("othello", "f5", 10) };
        assert!(fault(&mute).contains("`random` does not search"));
        assert!(fault(&job("othello", "a1", 10)).contains("game 1: ply 1: `a1` is not legal"));
        assert!(fault(&job("go", "a1", 10)).contains("unknown game `go`"));
    }
}
