//! Puzzles of Morris: positions in which one move wins, or one move holds the draw. The tables prove them and know the
//! shortest way.

mod theme;
mod why;

use std::path::{Path, PathBuf};

use trilith_eval::morris::Evaluations;
use trilith_games::morris::{Morris, Move, Position, Rules};
use trilith_games::{Colour, Game, Outcome};
use trilith_tablebase::answer::word;
use trilith_tablebase::choice::preserving;
use trilith_tablebase::{FIRST_STONES, TablebaseValue, Tables, default_folder, ensure, moves_valued};

use crate::kit::{FoundPuzzle, Goal, Puzzler, PuzzlerError, SourceGames, TeachKit};
use crate::why::{Count, Event};

/// Stones on the board, at most: the tables that the app builds by itself.
const STONES: u32 = 10;
/// Fewer moves are no choice.
const FEWEST_MOVES: usize = 4;
/// Right moves of one puzzle, at most.
const LONGEST: usize = 4;

impl TeachKit<Morris> for Evaluations {
    const PUZZLES: &'static str = include_str!("../../../../artifacts/morris/puzzles.tsv");
    const WINS_HAVE_LENGTHS: bool = true;
    const LESSONS: &'static str = include_str!("../../lessons/morris.toml");

    fn puzzler(tables: Option<&Path>) -> Result<Option<Box<dyn Puzzler<Morris>>>, PuzzlerError> {
        let rules = Rules::default();
        let folder = tables.map_or_else(|| default_folder(&rules), Path::to_owned);
        Ok(Some(Box::new(Endings {
            tables: ensure(&folder, &rules, FIRST_STONES)?,
            folder,
            stones: FIRST_STONES,
        })))
    }

    fn command(position: &str, _: u32) -> String {
        format!("trilith tablebase probe morris --position '{position}'")
    }

    const EVENTS: &'static [&'static str] = why::EVENTS;

    fn events(_: &Morris, _: &Position, mv: Move) -> Vec<Event> {
        why::events(mv)
    }

    fn counts(game: &Morris, position: &Position, side: Colour) -> Vec<Count> {
        why::counts(game, position, side)
    }

    fn words(name: &str) -> [&'static str; 2] {
        why::words(name)
    }
}

struct Endings {
    folder: PathBuf,
    tables: Tables,
    /// On the board of the largest position that the tables know.
    stones: u32,
}

impl Endings {
    /// Builds the tables of a position where they are missing.
    fn get_ready(&mut self, game: &Morris, position: &Position) -> Result<(), PuzzlerError> {
        let stones = (position.own() | position.other()).count_ones();
        if stones > self.stones {
            self.tables = ensure(&self.folder, game.rules(), stones)?;
            self.stones = stones;
        }
        Ok(())
    }

    /// The only right move with its value and the next one's; none if there are more, or nothing to choose.
    fn only(
        &self,
        game: &Morris,
        position: &Position,
    ) -> Result<Option<(Goal, Move, [TablebaseValue; 2])>, PuzzlerError> {
        let valued = moves_valued(&self.tables, game, position)?;
        let ([(mv, best)], [_, (_, next), ..]) = (preserving(&valued), &valued[..]) else { return Ok(None) };
        Ok(match best.outcome {
            Outcome::Win => Some((Goal::Win, *mv, [*best, *next])),
            Outcome::Draw => Some((Goal::Draw, *mv, [*best, *next])),
            Outcome::Loss => None,
        })
    }

    /// The reply that resists longest; none at the end of the game.
    fn reply(&self, game: &Morris, position: &Position) -> Result<Option<Move>, PuzzlerError> {
        Ok(moves_valued(&self.tables, game, position)?.first().map(|&(mv, _)| mv))
    }
}

impl Puzzler<Morris> for Endings {
    fn source(&self) -> SourceGames {
        SourceGames { opening: 6, levels: [3, 7], plies: 140, apart: 6, most_of_a_theme: 40 }
    }

    fn candidate(&self, game: &Morris, position: &Position) -> Option<Position> {
        let stones = (position.own() | position.other()).count_ones();
        let is_one = position.in_hand() == 0 && stones <= STONES && game.outcome(position).is_none();
        let fresh = || Position::moving(position.own(), position.other(), game.to_move(position));
        is_one.then(fresh).filter(|fresh| game.count_moves(fresh) >= FEWEST_MOVES)
    }

    fn find(
        &mut self,
        game: &Morris,
        position: &Position,
    ) -> Result<Option<FoundPuzzle<Move>>, PuzzlerError> {
        if self.candidate(game, position).is_none() {
            return Ok(None);
        }
        self.get_ready(game, position)?;
        let Some((goal, first, [right, next])) = self.only(game, position)? else { return Ok(None) };
        let mut line = vec![first];
        let mut now = game.play(position, first);
        while line.len() < 2 * LONGEST - 1 {
            let Some(reply) = self.reply(game, &now)? else { break };
            let then = game.play(&now, reply);
            let Some((_, mv, _)) = self.only(game, &then)?.filter(|(again, ..)| *again == goal) else {
                break;
            };
            line.extend([reply, mv]);
            now = game.play(&then, mv);
        }
        let in_words = |value: TablebaseValue| match value.plies {
            Some(plies) => format!("{} in {plies}", word(value.outcome)),
            None => word(value.outcome).into(),
        };
        Ok(Some(FoundPuzzle {
            goal,
            theme: theme::of(game, position, first),
            plies: right.plies.unwrap_or(0),
            right: in_words(right),
            next: in_words(next),
            line,
        }))
    }
}
