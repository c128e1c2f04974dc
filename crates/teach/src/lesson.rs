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
