//! Puzzles of Abalone: one move forces the loss of a marble, whatever the other side does. Trying every reply proves
//! that; a search, repeated two plies deeper, shows that no other move is better.

mod why;

use std::path::Path;

use trilith_arena::player::text::{TextPlayer, TextRecord, text_player};
use trilith_base::Seed;
use trilith_eval::abalone::Evaluations;
use trilith_games::abalone::{Abalone, Move, Position};
use trilith_games::{Colour, Game, MoveList};
use trilith_search::Limits;

use crate::gain::GainProof;
use crate::kit::{FoundPuzzle, Goal, Puzzler, PuzzlerError, SourceGames, TeachKit};
use crate::why::{Count, Event};

/// Plies within which the marble has to be off, the shortest first.
const PLIES: [u32; 2] = [1, 3];
/// Plies of the search, and of the one that has to confirm it.
const DEPTHS: [u32; 2] = [3, 5];
/// By how much the next move has to be worse in both searches, in log odds.
const GAP: f64 = 0.5;

impl TeachKit<Abalone> for Evaluations {
    const PUZZLES: &'static str = include_str!("../../../../artifacts/abalone/puzzles.tsv");
    const LESSONS: &'static str = include_str!("../../lessons/abalone.toml");

    fn puzzler(_: Option<&Path>) -> Result<Option<Box<dyn Puzzler<Abalone>>>, PuzzlerError> {
        let engine = text_player(Abalone::NAME, "engine:lines=2,hash=16,mobility=0", Seed(1))?;
        Ok(Some(Box::new(Ejections { engine })))
    }

    fn command(position: &str, _: u32) -> String {
        format!(
            "trilith analyse abalone --player engine:lines=2 --depth {} --position '{position}'",
            DEPTHS[1]
        )
    }

    const EVENTS: &'static [&'static str] = why::EVENTS;

    fn events(_: &Abalone, position: &Position, mv: Move) -> Vec<Event> {
        why::events(position, mv)
    }

    fn counts(_: &Abalone, position: &Position, side: Colour) -> Vec<Count> {
        why::counts(position, side)
    }

    fn words(name: &str) -> [&'static str; 2] {
        why::words(name)
    }
}

struct Ejections {
    engine: Box<dyn TextPlayer>,
}

impl Ejections {
    /// The values of the best and the next move if a search finds `mv` best by far, at each depth; else none.
    fn confirm(
        &mut self,
        game: &Abalone,
        position: &Position,
        mv: Move,
    ) -> Result<Option<[f64; 2]>, PuzzlerError> {
        let (record, wanted) = (TextRecord::at(game.position_text(position)), game.move_text(mv));
        let mut values = None;
        for depth in DEPTHS {
            self.engine.renew(Seed(1))?;
            let decision = self.engine.choose(&record, Limits::depth(depth))?;
            let [best, next, ..] = &decision.lines[..] else { return Ok(None) };
            if best.moves.first() != Some(&wanted) || best.value - next.value < GAP {
                return Ok(None);
            }
            values = Some([best.value, next.value]);
        }
        Ok(values)
    }

    /// The forcing line: replies that hold out longest as far as that can be told, right moves while there is one only.
    fn line(game: &Abalone, position: &Position, first: Move, plies: u32) -> Vec<Move> {
        let target = game.margin(position);
        let (mut line, mut now, mut left) = (vec![first], game.play(position, first), plies);
        while left >= 3 && -game.margin(&now) <= target {
            left -= 2;
            let mut replies = MoveList::new();
            game.moves(&now, &mut replies);
            // A reply after which only one move is right, and the marble does not go at once, asks most of the solver.
            let answered = replies.iter().filter_map(|&reply| {
                let then = game.play(&now, reply);
                let right = GainProof::new(game, left).moves(&then, left);
                let is_late = GainProof::new(game, 1).moves(&then, 1).is_empty();
                let is_clear = game.margin(&then) == target && right.len() == 1;
                is_clear.then(|| (is_late, reply, then, right[0]))
            });
            let Some((_, reply, then, mv)) = answered.max_by_key(|&(is_late, ..)| is_late) else { break };
            line.extend([reply, mv]);
            now = game.play(&then, mv);
        }
        line
    }
}

impl Puzzler<Abalone> for Ejections {
    fn source(&self) -> SourceGames {
        SourceGames { opening: 8, levels: [4, 8], plies: 120, apart: 8, most_of_a_theme: 50 }
    }

    fn candidate(&self, game: &Abalone, position: &Position) -> Option<Position> {
        game.outcome(position).is_none().then_some(*position)
    }

    fn find(
        &mut self,
        game: &Abalone,
        position: &Position,
    ) -> Result<Option<FoundPuzzle<Move>>, PuzzlerError> {
        let found = PLIES.into_iter().find_map(|plies| {
            let moves = GainProof::new(game, plies).moves(position, plies);
            (!moves.is_empty()).then_some((plies, moves))
        });
        let Some((plies, moves)) = found else { return Ok(None) };
        let [first] = moves[..] else { return Ok(None) };
        let Some([right, next]) = self.confirm(game, position, first)? else { return Ok(None) };
        Ok(Some(FoundPuzzle {
            goal: Goal::Gain,
            theme: theme(position, first, plies),
            plies,
            right: format!("{right:+.2}"),
            next: format!("{next:+.2}"),
            line: Ejections::line(game, position, first, plies),
        }))
    }
}

/// What the puzzle is about, told from its first move and its length.
fn theme(position: &Position, mv: Move, plies: u32) -> &'static str {
    match plies {
        1 => "eject",
        _ if mv.is_broadside() => "broadside",
        _ if mv.pushes(position) => "press",
        _ => "threat",
    }
}
