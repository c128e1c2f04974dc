//! Proves puzzles again: from the position alone, everything but the rating has to come out as it stands in the file.
//! Values of a search are left out: a better engine finds others, but the same move best.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use trilith_games::Game;

use super::Puzzle;
use super::make::MakeError;
use crate::kit::{Goal, TeachKit, TeachVisitor, with_teacher};

/// A puzzle that could not be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its place among those looked at, from 0.
    pub place: usize,
    /// What is wrong.
    pub what: String,
}

/// Proves puzzles of `game` one after another, as far as `stop` lets it: how many were looked at, and those that failed.
/// `report` hears how many are done. Morris builds its tables in `tables` where they are missing.
pub fn verify(
    game: &str,
    puzzles: &[Puzzle],
    tables: Option<&Path>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(usize),
) -> Result<(usize, Vec<Doubt>), MakeError> {
    with_teacher(game, Verify { puzzles, tables, stop, report })?
}

struct Verify<'a> {
    puzzles: &'a [Puzzle],
    tables: Option<&'a Path>,
    stop: &'a AtomicBool,
    report: &'a mut dyn FnMut(usize),
}

impl TeachVisitor for Verify<'_> {
    type Output = Result<(usize, Vec<Doubt>), MakeError>;

    fn visit<G: Game, C: TeachKit<G>>(self) -> Self::Output {
        let game = G::new(G::Rules::default());
        let puzzler = C::puzzler(self.tables)?;
        let mut puzzler = puzzler.ok_or_else(|| MakeError::None(G::NAME.into()))?;
        let (mut done, mut doubts) = (0, Vec::new());
        for (place, puzzle) in self.puzzles.iter().enumerate() {
            if self.stop.load(Relaxed) {
                break;
            }
            let what = match game.parse_position(&puzzle.position) {
                Err(fault) => Some(fault.to_string()),
                Ok(position) => match puzzler.find(&game, &position)? {
                    None => Some("not exactly one move is right".into()),
                    Some(found) => {
                        let line: Vec<String> = found.line.iter().map(|&mv| game.move_text(mv)).collect();
                        let is_searched = found.goal == Goal::Gain;
                        let worth = |proved, kept: &String| if is_searched { kept.clone() } else { proved };
                        let again = Puzzle {
                            goal: found.goal,
                            theme: found.theme.into(),
                            plies: found.plies,
                            right: worth(found.right, &puzzle.right),
                            next: worth(found.next, &puzzle.next),
                            line,
                            ..puzzle.clone()
                        };
                        (again != *puzzle).then(|| difference(puzzle, &again))
                    }
                },
            };
            doubts.extend(what.map(|what| Doubt { place, what }));
            done += 1;
            (self.report)(done);
        }
        Ok((done, doubts))
    }
}

fn difference(puzzle: &Puzzle, again: &Puzzle) -> String {
    let say = |puzzle: &Puzzle| {
        let Puzzle { goal, theme, plies, right, next, line, .. } = puzzle;
        format!("{goal} {theme} {plies} {right} {next} {}", line.join(" "))
    };
    format!("the file says `{}`, the proof `{}`", say(puzzle), say(again))
}
