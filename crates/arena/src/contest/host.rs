//! Plays jobs one after another: reads their texts, seats their players and keeps those that can play again.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use trilith_base::Seed;
use trilith_base::job::{Job, QueueError, Unfinished};
use trilith_games::{Colour, Game, Record, RulesError, pgn};

use super::job::{GameJob, GameReport};
use super::openings::{self, OpeningError};
use super::referee;
use super::saved;
use crate::kit::GameKit;
use crate::player::{self, Player, PlayerError};
use crate::registry::{UnknownGame, Visitor, with_game};
use crate::spec::PlayerSpec;

/// A job that cannot be played, whoever tries.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A player cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A worker elsewhere could not play it.
    #[error("a worker could not play its game: {0}")]
    Worker(String),
    /// Nobody elsewhere can be reached.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl From<Unfinished<JobError>> for JobError {
    fn from(unfinished: Unfinished<JobError>) -> JobError {
        match unfinished {
            Unfinished::Job(error) => error,
            Unfinished::Worker(text) => JobError::Worker(text),
            Unfinished::Queue(error) => JobError::Queue(error),
        }
    }
}

impl Job for GameJob {
    const KIND: &'static str = "game";
    type Output = GameReport;
    type Error = JobError;
    type Place = Host;

    fn run(&self, host: &mut Host, stop: &AtomicBool) -> Result<Option<GameReport>, JobError> {
        host.play(self, stop)
    }
}

/// Plays jobs of any game, one at a time; each thread has its own.
#[derive(Default)]
pub struct Host {
    rooms: HashMap<String, Box<dyn Room>>,
}

impl Host {
    /// Plays a job; no result if `stop` was set before the end.
    pub fn play(&mut self, job: &GameJob, stop: &AtomicBool) -> Result<Option<GameReport>, JobError> {
        self.room(&job.game)?.play(job, stop)
    }

    /// Whether a job can be played at all: game, rules, opening and both players.
    pub fn check(&mut self, job: &GameJob) -> Result<(), JobError> {
        self.room(&job.game)?.check(job)
    }

    /// A played game in the game's standard format, with the players as tags.
    pub fn text(&mut self, job: &GameJob, result: &GameReport) -> Result<String, JobError> {
        self.room(&job.game)?.text(job, result)
    }

    fn room(&mut self, game: &str) -> Result<&mut Box<dyn Room>, UnknownGame> {
        if !self.rooms.contains_key(game) {
            self.rooms.insert(game.into(), with_game(game, RoomVisitor)?);
        }
        Ok(self.rooms.get_mut(game).expect("it was opened just now"))
    }
}

/// What a host does, for one game.
trait Room: Send {
    fn play(&mut self, job: &GameJob, stop: &AtomicBool) -> Result<Option<GameReport>, JobError>;
    fn check(&mut self, job: &GameJob) -> Result<(), JobError>;
    fn text(&mut self, job: &GameJob, result: &GameReport) -> Result<String, JobError>;
}

struct RoomVisitor;

impl Visitor for RoomVisitor {
    type Output = Box<dyn Room>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        Box::new(RoomOf::<G, C> { waiting: HashMap::new(), catalogue: std::marker::PhantomData })
    }
}

struct RoomOf<G: Game, C> {
    /// Players by spec that have played and can play again.
    waiting: HashMap<String, Vec<Box<dyn Player<G>>>>,
    catalogue: std::marker::PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> RoomOf<G, C> {
    /// A player that knows nothing of other games.
    fn seat(&mut self, job: &GameJob, colour: Colour) -> Result<Box<dyn Player<G>>, JobError> {
        let text = &job.seat(colour).player;
        let seed = Seed(job.seed).derive(&colour.to_string(), 0);
        while let Some(mut player) = self.waiting.get_mut(text).and_then(Vec::pop) {
            if player.renew(seed) {
                return Ok(player);
            }
        }
        let spec: PlayerSpec = text.parse().map_err(PlayerError::Spec)?;
        Ok(player::player::<G, C>(&spec, seed)?)
    }

    fn keep(&mut self, spec: &str, player: Box<dyn Player<G>>) {
        match self.waiting.get_mut(spec) {
            Some(players) => players.push(player),
            None => drop(self.waiting.insert(spec.into(), vec![player])),
        }
    }

    fn begin(job: &GameJob) -> Result<Record<G>, JobError> {
        Ok(openings::record(G::new(job.rules.parse()?), &job.opening)?)
    }
}

impl<G: Game, C: GameKit<G>> Room for RoomOf<G, C> {
    fn play(&mut self, job: &GameJob, stop: &AtomicBool) -> Result<Option<GameReport>, JobError> {
        let mut record = Self::begin(job)?;
        let mut black = self.seat(job, Colour::Black)?;
        let mut white = self.seat(job, Colour::White)?;
        let Some(ending) = referee::play(job, &mut record, [&mut black, &mut white], stop) else {
            return Ok(None);
        };
        // Whoever has failed may be in any state: it is made anew next time.
        if ending.fault.is_none() {
            self.keep(&job.black.player, black);
            self.keep(&job.white.player, white);
        }
        let moves = openings::moves_text(&record);
        Ok(Some(GameReport {
            number: job.number,
            end: ending.end,
            cut_short: ending.cut_short,
            moves,
            fault: ending.fault,
            seconds: ending.seconds,
            notes: ending.notes,
        }))
    }

    fn check(&mut self, job: &GameJob) -> Result<(), JobError> {
        Self::begin(job)?;
        for colour in [Colour::Black, Colour::White] {
            let player = self.seat(job, colour)?;
            self.keep(&job.seat(colour).player, player);
        }
        Ok(())
    }

    fn text(&mut self, job: &GameJob, result: &GameReport) -> Result<String, JobError> {
        let mut record = Self::begin(job)?;
        let skip = record.len();
        for text in result.moves.split_whitespace().skip(skip) {
            record.push_text(text).map_err(|source| OpeningError::mv(1, source))?;
        }
        let first = record.game().to_move(&record.game().start());
        let stated = result.end.winner.map_or(pgn::PgnResult::Draw, pgn::PgnResult::Won).text(first);
        let mut tags = vec![
            ("Round".to_owned(), (result.number + 1).to_string()),
            ("Black".to_owned(), job.black.player.clone()),
            ("White".to_owned(), job.white.player.clone()),
            ("OpeningPlies".to_owned(), skip.to_string()),
            (saved::KEY.to_owned(), job.key()),
        ];
        if result.cut_short {
            tags.push(("Result".to_owned(), stated.to_owned()));
            tags.push(("Termination".to_owned(), result.end.reason.to_string()));
        }
        if let Some(fault) = &result.fault {
            tags.push(("Fault".to_owned(), fault.text.clone()));
        }
        let note =
            |ply: usize| ply.checked_sub(skip).and_then(|at| result.notes.get(at)).map(ToString::to_string);
        Ok(pgn::write_with(&record, &tags, &note))
    }
}
