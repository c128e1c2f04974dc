//! Why a move is a mistake, in words: the line after it is compared with the line after the best move.
//!
//! A game says what can happen in a move (a corner is taken, a mill closed, a marble ejected) and what players count in a
//! position (moves, stones, the centre). A sentence names an event that the other side gets or that was missed, or a count
//! that ends lower, and the lines that show it. Nothing is said that the lines do not show. In every game somebody may win.

mod say;

use serde::Serialize;
use trilith_arena::player::text::TextRecord;
use trilith_arena::{TableError, UnknownGame};
use trilith_games::{Colour, Game, Record};

use crate::kit::{TeachKit, TeachVisitor, with_teacher};
use crate::lesson::Words;

/// Plies of a line that are looked at: what comes later is not what the move did.
const LONGEST: usize = 7;
/// Sentences about one move.
const MOST: usize = 3;
/// The event of every game: it is won.
pub(crate) const WIN: &str = "win";

/// Something that players have a word for happened in a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// One word, such as `corner`.
    pub name: &'static str,
    /// Where: the name of a cell.
    pub cell: String,
}

/// Something that players count in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// One word, such as `moves`.
    pub name: &'static str,
    /// More is better.
    pub value: i32,
    /// Less difference is not worth a word.
    pub least: i32,
}

/// What a sentence says, so that a rule can check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Claim {
    /// The other side gets something in the line after the move played, and not after the best one.
    Allows {
        /// What.
        event: &'static str,
        /// Where.
        cell: String,
        /// In which ply of `line`, from 1.
        ply: usize,
    },
    /// The mover would have got something in the line after the best move, and does not now.
    Misses {
        /// What.
        event: &'static str,
        /// Where.
        cell: String,
        /// In which ply of `better`, from 1.
        ply: usize,
    },
    /// The mover has less of something at the end of `line` than at the end of `better`, which are equally long.
    Fewer {
        /// Of what.
        count: &'static str,
        /// After the move played.
        now: i32,
        /// After the best move.
        then: i32,
    },
    /// Both lines go to the end of the game, and the mover has less of something there after the move played.
    Ends {
        /// Of what.
        count: &'static str,
        /// After the move played.
        now: i32,
        /// After the best move.
        then: i32,
    },
}

/// A sentence, with the lines that show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// In both languages.
    pub words: Words,
    /// What it says.
    #[serde(flatten)]
    pub claim: Claim,
    /// The move played and what follows.
    pub line: Vec<String>,
    /// The best move and what would have followed.
    pub better: Vec<String>,
}

/// What is asked about: two lines from the same position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyQuestion {
    /// The game up to the position.
    pub record: TextRecord,
    /// The move played and the best play after it.
    pub line: Vec<String>,
    /// The best move and the best play after it.
    pub better: Vec<String>,
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The game or a line cannot be played.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What is wrong with the move that `question.line` begins with, the most telling first; nothing if the lines show nothing.
pub fn why(game: &str, question: &WhyQuestion) -> Result<Vec<Reason>, WhyError> {
    Ok(with_teacher(game, WhyVisitor(question))??)
}

struct WhyVisitor<'a>(&'a WhyQuestion);

impl TeachVisitor for WhyVisitor<'_> {
    type Output = Result<Vec<Reason>, TableError>;

    fn visit<G: Game, C: TeachKit<G>>(self) -> Self::Output {
        let WhyQuestion { record, line, better } = self.0;
        let record = record.record::<G>()?;
        let sides = [Walk::<G>::new::<C>(&record, line)?, Walk::<G>::new::<C>(&record, better)?];
        Ok(Comparison { mover: record.game().to_move(record.position()), walks: &sides }.reasons::<C>())
    }
}

/// A line, with what happens in it.
struct Walk<G: Game> {
    moves: Vec<String>,
    /// By ply: who gets what.
    events: Vec<Vec<(Colour, Event)>>,
    /// By ply, the position after it.
    positions: Vec<G::Position>,
    /// Whether the game is over after the line.
    has_ended: bool,
    game: G,
}

impl<G: Game> Walk<G> {
    fn new<C: TeachKit<G>>(record: &Record<G>, line: &[String]) -> Result<Walk<G>, TableError> {
        let game = record.game().clone();
        let mut record = record.clone();
        let (mut events, mut positions) = (Vec::new(), Vec::new());
        for (number, text) in line.iter().enumerate() {
            let before = *record.position();
            let fault = |source| TableError::Move { ply: number + 1, source };
            record.push_text(text).map_err(fault)?;
            let mv = record.moves().next_back().expect("a move was just played");
            let mover = game.to_move(&before);
            let happened = C::events(&game, &before, mv).into_iter().map(|event| (mover, event));
            let won = record.end().and_then(|end| end.winner);
            let won = won.map(|winner| (winner, Event { name: WIN, cell: String::new() }));
            events.push(happened.chain(won).collect());
            positions.push(*record.position());
        }
        let has_ended = record.end().is_some();
        Ok(Walk { moves: line.to_vec(), events, positions, has_ended, game })
    }

    /// When and where `side` gets this event within so many plies, as plies from 1.
    fn times(&self, side: Colour, name: &str, plies: usize) -> Vec<(usize, &Event)> {
        let events = (1..).zip(&self.events).take(plies);
        let of_side = events.flat_map(|(ply, events)| events.iter().map(move |(by, event)| (ply, by, event)));
        of_side
            .filter(|(_, by, event)| **by == side && event.name == name)
            .map(|(ply, _, event)| (ply, event))
            .collect()
    }

    /// The first of these events that the other line does not have; none if it has as many.
    fn more<'a>(
        &'a self,
        than: &'a Walk<G>,
        side: Colour,
        name: &str,
        plies: usize,
    ) -> Option<(usize, &'a Event)> {
        let [own, other] = [self, than].map(|walk| walk.times(side, name, plies));
        let elsewhere = |cell: &str| other.iter().all(|(_, event)| event.cell != cell);
        let surplus = own.get(other.len()).copied()?;
        Some(own.into_iter().find(|(_, event)| elsewhere(&event.cell)).unwrap_or(surplus))
    }
}

struct Comparison<'a, G: Game> {
    mover: Colour,
    /// After the move played, after the best move.
    walks: &'a [Walk<G>; 2],
}

impl<G: Game> Comparison<'_, G> {
    fn reasons<C: TeachKit<G>>(&self) -> Vec<Reason> {
        let mut claims: Vec<Claim> = Vec::new();
        let [played, best] = self.walks;
        // Both lines are looked at equally far, so that a longer one does not show more.
        let plies = played.events.len().min(best.events.len()).min(LONGEST);
        for name in [WIN].iter().chain(C::EVENTS) {
            if let Some((ply, event)) = played.more(best, !self.mover, name, plies) {
                claims.push(Claim::Allows { event: event.name, cell: event.cell.clone(), ply });
            } else if let Some((ply, event)) = best.more(played, self.mover, name, plies) {
                claims.push(Claim::Misses { event: event.name, cell: event.cell.clone(), ply });
            }
        }
        claims.extend(self.at_the_end::<C>());
        claims.extend(self.fewer::<C>(plies));
        claims.truncate(MOST);
        let reason = |claim: Claim| Reason {
            words: say::sentence(C::words, &claim, self.mover, &played.moves, &best.moves),
            line: shown(&claim, &played.moves, plies),
            better: shown(&claim, &best.moves, plies),
            claim,
        };
        claims.into_iter().map(reason).collect()
    }

    /// What the mover has less of when the game is over, if both lines go so far.
    fn at_the_end<C: TeachKit<G>>(&self) -> Vec<Claim> {
        let last = |walk: &Walk<G>| walk.positions.last().filter(|_| walk.has_ended).copied();
        let [Some(played), Some(best)] = self.walks.each_ref().map(last) else { return Vec::new() };
        let found = self.differences(C::end_counts, [&played, &best]).into_iter();
        found
            .map(|(_, [now, then])| Claim::Ends { count: now.name, now: now.value, then: then.value })
            .collect()
    }

    /// What the mover has less of at the end of equally long lines: the largest differences first.
    fn fewer<C: TeachKit<G>>(&self, plies: usize) -> Vec<Claim> {
        let Some(last) = plies.checked_sub(1) else { return Vec::new() };
        let mut found = self.differences(C::counts, self.walks.each_ref().map(|walk| &walk.positions[last]));
        found.sort_by_key(|(weight, _)| -weight);
        let claim =
            |[now, then]: [Count; 2]| Claim::Fewer { count: now.name, now: now.value, then: then.value };
        found.into_iter().map(|(_, counts)| claim(counts)).collect()
    }

    /// Counts that are lower in the first position than in the second, each with what the difference weighs.
    fn differences(
        &self,
        counts: fn(&G, &G::Position, Colour) -> Vec<Count>,
        positions: [&G::Position; 2],
    ) -> Vec<(i32, [Count; 2])> {
        let [played, best] = positions.map(|position| counts(&self.walks[0].game, position, self.mover));
        let lower = played.into_iter().zip(best).filter(|(now, then)| then.value - now.value >= now.least);
        lower.map(|(now, then)| ((then.value - now.value) * 100 / now.least, [now, then])).collect()
    }
}

/// As much of a line as a claim needs.
fn shown(claim: &Claim, moves: &[String], plies: usize) -> Vec<String> {
    let needed = match claim {
        Claim::Allows { ply, .. } | Claim::Misses { ply, .. } => *ply,
        Claim::Fewer { .. } => plies,
        Claim::Ends { .. } => moves.len(),
    };
    moves.iter().take(needed.max(1)).cloned().collect()
}
