//! Lessons: steps on the board, each with something to do. First steps teach the rules, the others an idea each.
//!
//! The texts lie in `lessons/GAME.toml`, English and German. A test holds every step to what it says about its moves:
//! they are legal, and where the step claims that a move is best, tables, solver or search say so too.

use serde::{Deserialize, Serialize};
use trilith_arena::UnknownGame;
use trilith_games::Game;

use crate::kit::{TeachKit, TeachVisitor, with_teacher};

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
}

/// How it is known that the moves of a step are the right ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// They are what the rules allow, or what the text asks for.
    #[default]
    Rules,
    /// The proof of puzzles says that they are the only right ones.
    Proof,
    /// A search says that they are the best.
    Search,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Where it begins; the usual start if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What is to be done, and why.
    pub say: Words,
    /// Moves that do it; any legal move if empty.
    #[serde(default)]
    pub accept: Vec<String>,
    /// What the other side answers, if the first of these moves was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Said when it is done.
    pub done: Words,
    /// How it is known.
    #[serde(default)]
    pub ground: Ground,
}

/// Steps about one thing, and puzzles to practise it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// In addresses: letters and dashes.
    pub name: String,
    /// Its title.
    pub title: Words,
    /// What it is about.
    pub about: Words,
    /// In their order.
    #[serde(default, rename(deserialize = "step"))]
    pub steps: Vec<Step>,
    /// The theme of puzzles that practise it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Numbers of such puzzles, easy ones first.
    #[serde(default, skip_deserializing)]
    pub puzzles: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    lesson: Vec<Lesson>,
}

/// Puzzles that practise a lesson.
const PUZZLES: usize = 5;

/// The lessons of `game`, first steps first; none if it has none.
pub fn shipped(game: &str) -> Result<Vec<Lesson>, UnknownGame> {
    let text = with_teacher(game, Shipped)?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let File { lesson: mut lessons } = toml::from_str(text).expect("a test reads the shipped lessons");
    for lesson in &mut lessons {
        lesson.puzzles = lesson.theme.as_ref().map_or_else(Vec::new, |theme| practice(game, theme));
    }
    // A lesson of puzzles alone needs some.
    lessons.retain(|lesson| !lesson.steps.is_empty() || !lesson.puzzles.is_empty());
    Ok(lessons)
}

/// Five puzzles of a theme from its easier half, the easiest first.
fn practice(game: &str, theme: &str) -> Vec<usize> {
    let puzzles = crate::puzzle::shipped(game).expect("a test reads the shipped puzzles");
    let numbers: Vec<usize> =
        (1..).zip(&puzzles).filter(|(_, puzzle)| puzzle.theme == theme).map(|(number, _)| number).collect();
    let half = numbers.len().div_ceil(2);
    let chosen = PUZZLES.min(half);
    (0..chosen).map(|place| numbers[place * half / chosen]).collect()
}

struct Shipped;

impl TeachVisitor for Shipped {
    type Output = &'static str;

    fn visit<G: Game, C: TeachKit<G>>(self) -> &'static str {
        C::LESSONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_arena::player::text::{TextRecord, text_player};
    use trilith_arena::table;
    use trilith_base::Seed;
    use trilith_search::Limits;

    /// Plies of the search that has to agree.
    const DEPTH: u32 = 6;

    fn steps() -> impl Iterator<Item = (&'static str, String, Step)> {
        trilith_arena::GAMES.iter().flat_map(|game| {
            let named =
                |lesson: Lesson| lesson.steps.into_iter().map(move |step| (lesson.name.clone(), step));
            shipped(game).unwrap().into_iter().flat_map(named).map(|(name, step)| (*game, name, step))
        })
    }

    #[test]
    fn every_step_can_be_done_and_not_by_every_move() {
        let mut count = 0;
        for (game, name, step) in steps() {
            let table = || {
                table::open(game, "", step.position.as_deref()).unwrap_or_else(|fault| {
                    panic!("{game}, {name}: {:?}: {fault}", step.position);
                })
            };
            let legal: Vec<String> = table().view().legal.into_iter().map(|legal| legal.text).collect();
            for mv in &step.accept {
                assert!(
                    legal.contains(mv),
                    "{game}, {name}: {mv} is none of {legal:?}\n{}",
                    table().diagram()
                );
            }
            assert!(step.accept.len() < legal.len(), "{game}, {name}: leave `accept` out for any move");
            if let Some(reply) = &step.reply {
                let mut table = table();
                let first = step.accept.first().unwrap_or(&legal[0]);
                table.play(first).unwrap();
                table.play(reply).unwrap_or_else(|fault| panic!("{game}, {name}: {fault}"));
            }
            assert!(step.ground == Ground::Rules || !step.accept.is_empty(), "{game}, {name}");
            count += 1;
        }
        assert!(count >= 18, "{count} steps");
    }

    #[test]
    fn what_is_called_best_is_best() {
        for (game, name, step) in steps().filter(|(_, _, step)| step.ground == Ground::Search) {
            let mut engine = text_player(game, "engine:hash=16", Seed(1)).unwrap();
            let record = TextRecord { start: step.position.clone(), ..TextRecord::default() };
            let best = engine.choose(&record, Limits::depth(DEPTH)).unwrap().mv;
            assert!(step.accept.contains(&best), "{game}, {name}: the search plays {best}");
        }
    }

    #[test]
    fn every_game_that_has_lessons_begins_with_first_steps_and_practises_the_others() {
        for game in trilith_arena::GAMES {
            let lessons = shipped(game).unwrap();
            assert!(lessons.is_empty() || lessons[0].name == "first-steps", "{game}");
            for lesson in lessons.iter().skip(1) {
                assert!(lesson.theme.is_some() || lesson.steps.len() >= 3, "{game}: {}", lesson.name);
            }
        }
    }
}
