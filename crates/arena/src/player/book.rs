//! `book`: plays from a book as long as it knows something, then as another player; may learn from each game.

use std::path::{Path, PathBuf};

use trilith_base::{Seed, files};
use trilith_book::{Book, BookError, BookMode, EndgameProver, Judge};
use trilith_games::{Colour, Game, MoveList, Record};
use trilith_search::{Analysis, Limits};

use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn};
use crate::book::{Examination, judge, learn_game, packed};
use crate::kit::GameKit;
use crate::spec::{PlayerSpec, SpecError};

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "book",
    options: &["file", "then", "learn", "draws", "least", "depth", "nodes", "eval", "exact"],
    about: "book:FILE+PLAYER plays from a book, then as PLAYER; learn=on adds each game and looks for better moves, \
            by depth= or nodes=, eval=NAME; exact=PLIES proves endings where the game can; \
            draws=lost for a new book; least=N plays no known move with fewer games",
};

pub(super) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let path = spec.get("file").map(PathBuf::from);
    let path = path.ok_or_else(|| spec.wrong("file", "", "a file, as in `book:my.book+engine`"))?;
    let is_learning = one_of(spec, "learn", ["off", "on"])?;
    let path = match packed::is_packed(&path) {
        true if is_learning => {
            return Err(spec.wrong("learn", "on", "possible with a packed book: unpack it first").into());
        }
        true => packed::unpacked(&path, &files::home())?,
        false => path,
    };
    let then: PlayerSpec = spec.get("then").unwrap_or("engine").parse()?;
    let then = super::player::<G, C>(&then, seed)?;
    let draws_lose = one_of(spec, "draws", ["drawn", "lost"])?;
    let examination = examination(spec)?;
    let least = spec.number("least", 0, u64::from(u32::MAX))?.unwrap_or(0);
    let (book, judge) = match is_learning {
        true => (None, Some(judge::<G, C>(&examination)?)),
        false => (Some(Book::open(&path, BookMode::Read)?), None),
    };
    let prover = (examination.exact > 0).then(|| C::prover(examination.exact)).flatten();
    let judge_name = examination.to_string();
    Ok(Box::new(BookPlayer { path, book, draws_lose, judge, prover, judge_name, least, then, trouble: None }))
}

/// Whether the second of two words is given; the first is the usual one.
fn one_of(spec: &PlayerSpec, key: &str, words: [&str; 2]) -> Result<bool, SpecError> {
    match spec.get(key) {
        None => Ok(false),
        Some(word) if word == words[0] => Ok(false),
        Some(word) if word == words[1] => Ok(true),
        Some(word) => Err(spec.wrong(key, word, format!("{} or {}", words[0], words[1]))),
    }
}

fn examination(spec: &PlayerSpec) -> Result<Examination, SpecError> {
    Ok(Examination {
        depth: spec.number("depth", 1, 60)?.map(|depth| depth as u32),
        nodes: spec.number("nodes", 1, u64::MAX)?,
        eval: spec.get("eval").map(str::to_owned),
        exact: spec.number("exact", 0, 30)?.map_or(Examination::USUAL_EXACT, |exact| exact as u32),
    })
}

struct BookPlayer<G: Game> {
    path: PathBuf,
    /// A learning player opens its book when its first game begins: only one may write, and a new book needs the rules.
    book: Option<Book>,
    draws_lose: bool,
    judge: Option<Box<dyn Judge<G> + Send>>,
    prover: Option<Box<dyn EndgameProver<G>>>,
    judge_name: String,
    /// Known moves are played only if so many games have been played with them.
    least: u64,
    then: Box<dyn Player<G>>,
    /// What went wrong after the last game, when nobody could be told.
    trouble: Option<PlayerFault>,
}

impl<G: Game> BookPlayer<G> {
    fn open(&mut self, game: &G) -> Result<&Book, PlayerFault> {
        if let Some(fault) = self.trouble.take() {
            return Err(fault);
        }
        if self.book.is_none() {
            self.book = Some(begin(&self.path, game, self.draws_lose, &self.judge_name).map_err(fault)?);
        }
        let book = self.book.as_ref().expect("it was opened just now");
        book.expect(game).map_err(fault)?;
        Ok(book)
    }
}

fn begin<G: Game>(path: &Path, game: &G, draws_lose: bool, judge: &str) -> Result<Book, BookError> {
    let mut book = Book::create(path, game, draws_lose)?;
    book.judge_by(judge)?;
    Ok(book)
}

fn fault(error: BookError) -> PlayerFault {
    PlayerFault::Book(error.to_string())
}

/// The move that keeps the result of an ending that has been seen before, unless it is lost.
///
/// A book repeats what is proved to be won. Who then errs in the same way as last time would lose the same game for ever.
fn proved<G: Game>(prover: &mut dyn EndgameProver<G>, record: &Record<G>) -> Option<G::Move> {
    let (game, position) = (record.game(), record.position());
    if !prover.can_prove(game, position) {
        return None;
    }
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let results =
        moves.into_iter().filter_map(|mv| Some((-prover.prove(game, &game.play(position, mv))?, mv)));
    results.rev().max_by_key(|&(result, _)| result).filter(|&(result, _)| result >= 0).map(|(_, mv)| mv)
}

impl<G: Game> Player<G> for BookPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let book = self.open(record.game())?;
        let known = book.reader().and_then(|reader| reader.look(record)).map_err(fault)?;
        let is_known = known.is_some();
        let advice = known.and_then(|known| known.advice);
        let advice = advice.filter(|advice| advice.games.is_none_or(|games| games >= self.least));
        let proved =
            || self.prover.as_mut().filter(|_| is_known).and_then(|prover| proved(&mut **prover, record));
        match advice.map(|advice| advice.mv).or_else(proved) {
            Some(mv) => Ok(Decision { mv, analysis: None }),
            None => self.then.choose(record, turn, report),
        }
    }

    fn prepare(&mut self, record: &Record<G>, limits: &Limits) -> Result<(), PlayerFault> {
        self.open(record.game())?;
        self.then.prepare(record, limits)
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.then.renew(seed)
    }

    fn finish(&mut self, record: &Record<G>, winner: Option<Colour>) {
        self.then.finish(record, winner);
        if let (Some(book), Some(judge)) = (&self.book, &mut self.judge) {
            self.trouble = learn_game(book, record, winner, &mut **judge).err().map(fault);
        }
    }
}
