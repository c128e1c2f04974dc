//! The teacher: puzzles to solve and lessons to play through.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /api/puzzles` | every game that has puzzles: how many, their themes |
//! | `GET /api/puzzles/next?game=&rating=&theme=&not=` | a puzzle about as hard as `rating`, none of the numbers in `not` |
//! | `GET /api/puzzles/daily?game=` | the puzzle of this day, the same for everybody |
//! | `GET /api/puzzles/GAME/NUMBER` | one puzzle, without its solution |
//! | `POST /api/puzzles/GAME/NUMBER/try` `{moves, give_up?}` | whether the last move is right, and the reply |
//! | `POST /api/puzzles/GAME/NUMBER/rate` `{player?, solved}` | the player's rating after it, by Glicko-2 |
//! | `GET /api/lessons/GAME` | first steps and lessons, in both languages |
//! | `POST /api/why` `{game, rules?, start?, moves, line, better}` | why the first move of `line` is a mistake |
//!
//! Who solves puzzles needs no account: rating, streak and what was solved lie in the browser and are sent along.

mod lessons;
mod puzzles;
mod why;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/next", get(puzzles::next))
        .route("/puzzles/daily", get(puzzles::daily))
        .route("/puzzles/{game}/{number}", get(puzzles::look))
        .route("/puzzles/{game}/{number}/try", post(puzzles::attempt))
        .route("/puzzles/{game}/{number}/rate", post(puzzles::rate))
        .route("/lessons/{game}", get(lessons::lessons))
        .route("/why", post(why::reasons))
}
