//! Makes puzzles: levels play games against each other, positions of these games are proved, and what is found is rated.
//!
//! Games have numbers, and puzzles are taken in the order of these numbers, so the result does not depend on the threads.
//! A journal has a line for each game; who is stopped or killed goes on after the last one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;

use rand::RngExt;
use trilith_arena::UnknownGame;
use trilith_arena::player::text::{TextPlayerError, TextRecord};
use trilith_base::Seed;
use trilith_base::journal::{Journal, JournalFault};
use trilith_games::{Game, Record, playout};
use trilith_search::Limits;

use super::rate::{self, Examiners};
use super::{Puzzle, parse_line, write_line};
use crate::kit::{Puzzler, PuzzlerError, SourceGames, TeachKit, TeachVisitor, with_teacher};

/// What is to be made.
#[derive(Clone, Debug)]
pub struct MakeOrder {
    /// The game's name.
    pub game: String,
    /// How many puzzles.
    pub count: usize,
    /// Where all draws come from.
    pub seed: Seed,
    /// Games at the same time.
    pub threads: usize,
    /// Where Morris has its tables; where players look for them if none.
    pub tables: Option<PathBuf>,
    /// The file that keeps what each game has given, so that the same order goes on after a kill.
    pub journal: Option<PathBuf>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// Puzzles taken.
    pub puzzles: usize,
    /// Games they come from.
    pub games: u64,
}

/// Why no puzzles can be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The game brings no puzzles.
    #[error("`{0}` has no puzzles: nothing proves them")]
    None(String),
    /// They cannot be found or proved.
    #[error(transparent)]
    Puzzler(#[from] PuzzlerError),
    /// They cannot be rated.
    #[error(transparent)]
    Player(#[from] TextPlayerError),
    /// What was made so far cannot be read or kept.
    #[error("{path}: {what}", path = path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what would be right.
        what: String,
    },
}

impl MakeOrder {
    /// Makes them, by rising rating; fewer if stopped. `report` hears how far it is.
    pub fn make(&self, stop: &AtomicBool, report: &mut dyn FnMut(Making)) -> Result<Vec<Puzzle>, MakeError> {
        with_teacher(&self.game, PuzzleVisitor { order: self, stop, report })?
    }

    /// The command that makes the same puzzles.
    pub fn command(&self) -> String {
        let MakeOrder { game, count, seed, .. } = self;
        format!("trilith puzzles make {game} --count {count} --seed {seed}")
    }

    fn journal_error(&self, fault: JournalFault) -> MakeError {
        let what = match &fault {
            JournalFault::Foreign(found) => {
                format!("it belongs to `{found}`, not to `{}`: go on with that, or remove it", self.command())
            }
            JournalFault::Line(..) => format!("{fault}; remove the file to begin anew"),
            JournalFault::File(_) | JournalFault::Busy => fault.to_string(),
        };
        MakeError::Journal { path: self.journal.clone().unwrap_or_default(), what }
    }
}

struct PuzzleVisitor<'a> {
    order: &'a MakeOrder,
    stop: &'a AtomicBool,
    report: &'a mut dyn FnMut(Making),
}

impl TeachVisitor for PuzzleVisitor<'_> {
    type Output = Result<Vec<Puzzle>, MakeError>;

    fn visit<G: Game, C: TeachKit<G>>(self) -> Self::Output {
        let PuzzleVisitor { order, stop, report } = self;
        // The first one builds what is missing; the others find it there.
        let mut workers = Vec::new();
        for _ in 0..order.threads.max(1) {
            workers.push(Worker::<G>::new::<C>(order)?);
        }
        let mut shelf = Shelf::<G>::open(order, workers[0].puzzler.source().most_of_a_theme)?;
        let (next, done) = (AtomicU64::new(shelf.games), AtomicBool::new(shelf.is_full()));
        if shelf.is_full() {
            // Nothing will be played that could be heard of.
            report(Making { puzzles: shelf.puzzles.len(), games: shelf.games });
        }
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::sync_channel(2 * workers.len());
            for mut worker in workers {
                let (send, next, done) = (send.clone(), &next, &done);
                scope.spawn(move || {
                    while !done.load(Relaxed) && !stop.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        if send.send((number, worker.game(order.seed, number))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            let mut result = Ok(());
            for (number, found) in receive {
                waiting.insert(number, found);
                while let Some(found) = waiting.remove(&shelf.games) {
                    match found {
                        Ok(found) => result = shelf.keep(order, found),
                        Err(error) => result = Err(error),
                    }
                    report(Making { puzzles: shelf.puzzles.len(), games: shelf.games });
                    if result.is_err() || shelf.is_full() {
                        done.store(true, Relaxed);
                    }
                }
            }
            result
        })?;
        let mut puzzles = shelf.puzzles;
        puzzles.sort_by(|a, b| (a.rating, &a.position).cmp(&(b.rating, &b.position)));
        Ok(puzzles)
    }
}

/// Puzzles taken, in the order of their games.
struct Shelf<G: Game> {
    journal: Option<Journal>,
    count: usize,
    most_of_a_theme: usize,
    games: u64,
    puzzles: Vec<Puzzle>,
    themes: HashMap<String, usize>,
    seen: HashSet<G::Position>,
}

impl<G: Game> Shelf<G> {
    /// With what the journal has of earlier games.
    fn open(order: &MakeOrder, most_of_a_theme: usize) -> Result<Shelf<G>, MakeError> {
        let (journal, games) = match &order.journal {
            Some(path) => {
                let (journal, games) = Journal::open::<Vec<String>>(path, "puzzles", &order.command())
                    .map_err(|fault| order.journal_error(fault))?;
                (Some(journal), games)
            }
            None => (None, Vec::new()),
        };
        let mut shelf = Shelf {
            journal,
            count: order.count,
            most_of_a_theme: (order.count * most_of_a_theme).div_ceil(100),
            games: 0,
            puzzles: Vec::new(),
            themes: HashMap::new(),
            seen: HashSet::new(),
        };
        let game = G::new(G::Rules::default());
        for (line, found) in (2..).zip(games) {
            let read = |text: &String| {
                let puzzle = parse_line(G::NAME, line, text).map_err(|error| error.to_string())?;
                let position = game.parse_position(&puzzle.position).map_err(|error| error.to_string())?;
                Ok((game.canonical(&position).0, puzzle))
            };
            let found = found.iter().map(read).collect::<Result<Vec<_>, String>>();
            shelf.take(found.map_err(|what| order.journal_error(JournalFault::Line(line, what)))?);
        }
        Ok(shelf)
    }

    /// Writes the puzzles of the next game down and takes them.
    fn keep(&mut self, order: &MakeOrder, found: Vec<(G::Position, Puzzle)>) -> Result<(), MakeError> {
        if let Some(journal) = &mut self.journal {
            let lines: Vec<String> = found.iter().map(|(_, puzzle)| write_line(puzzle)).collect();
            journal.add(&lines).map_err(|error| order.journal_error(error.into()))?;
        }
        self.take(found);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.puzzles.len() >= self.count
    }

    /// Takes the puzzles of the next game, unless they are known, or of a theme with many.
    fn take(&mut self, found: Vec<(G::Position, Puzzle)>) {
        self.games += 1;
        for (canonical, puzzle) in found {
            let full = self.puzzles.len() >= self.count;
            let theme = self.themes.entry(puzzle.theme.clone()).or_default();
            let is_wanted = *theme < self.most_of_a_theme && !full;
            if is_wanted && self.seen.insert(canonical) {
                *theme += 1;
                self.puzzles.push(puzzle);
            }
        }
    }
}

/// Plays games and looks for puzzles in them.
struct Worker<G: Game> {
    game: G,
    puzzler: Box<dyn Puzzler<G>>,
    examiners: Examiners,
    command: fn(&str, u32) -> String,
}

impl<G: Game> Worker<G> {
    fn new<C: TeachKit<G>>(order: &MakeOrder) -> Result<Worker<G>, MakeError> {
        let puzzler = C::puzzler(order.tables.as_deref())?;
        Ok(Worker {
            game: G::new(G::Rules::default()),
            puzzler: puzzler.ok_or_else(|| MakeError::None(order.game.clone()))?,
            examiners: Examiners::new(G::NAME, &C::LEVELS)?,
            command: C::command,
        })
    }

    /// The puzzles of game `number`, with their positions as symmetry does not change them.
    fn game(&mut self, seed: Seed, number: u64) -> Result<Vec<(G::Position, Puzzle)>, MakeError> {
        let seed = seed.derive("game", number);
        let SourceGames { apart, .. } = self.puzzler.source();
        let record = self.play(seed)?;
        let (mut found, mut ply) = (Vec::new(), 0);
        while let Some(position) = record.position_after(ply) {
            let puzzle = match self.puzzler.candidate(&self.game, position) {
                Some(position) => self.puzzle(&position, seed.derive("puzzle", ply as u64))?,
                None => None,
            };
            ply += if puzzle.is_some() { apart } else { 1 };
            found.extend(puzzle);
        }
        Ok(found)
    }

    /// A game between two levels, after some random plies.
    fn play(&mut self, seed: Seed) -> Result<Record<G>, MakeError> {
        let SourceGames { opening, levels: [low, high], plies, .. } = self.puzzler.source();
        let mut rng = seed.rng();
        let levels = [rng.random_range(low..=high), rng.random_range(low..=high)];
        let mut record = Record::new(self.game.clone());
        playout::play_on(&mut record, opening, &mut rng);
        let mut text = TextRecord {
            moves: record.moves().map(|mv| self.game.move_text(mv)).collect(),
            ..TextRecord::default()
        };
        for (side, level) in levels.into_iter().enumerate() {
            self.examiners.level(level).renew(seed.derive("side", side as u64))?;
        }
        while record.len() < plies && record.end().is_none() {
            let player = self.examiners.level(levels[record.len() % 2]);
            let mv = player.choose(&text, Limits::default())?.mv;
            record.push_text(&mv).expect("players play legal moves");
            text.moves.push(mv);
        }
        Ok(record)
    }

    /// The puzzle that begins here, proved and rated.
    fn puzzle(
        &mut self,
        position: &G::Position,
        seed: Seed,
    ) -> Result<Option<(G::Position, Puzzle)>, MakeError> {
        let game = &self.game;
        let Some(found) = self.puzzler.find(game, position)? else { return Ok(None) };
        let line: Vec<String> = found.line.iter().map(|&mv| game.move_text(mv)).collect();
        let text = game.position_text(position);
        let results = self.examiners.examine(&text, &line[0], seed)?;
        let puzzle = Puzzle {
            command: (self.command)(&text, found.plies),
            position: text,
            goal: found.goal,
            theme: found.theme.into(),
            plies: found.plies,
            right: found.right,
            next: found.next,
            rating: rate::rating(&results),
            level: rate::first_level(&results),
            line,
        };
        Ok(Some((game.canonical(position).0, puzzle)))
    }
}
