//! What can be chosen: games with their boards, rules, evaluations and levels.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use trilith_arena::offer::{Offer, offers};
use trilith_arena::player::levels;
use trilith_arena::{GameKit, Visitor, table, with_game};
use trilith_games::{Game, Stone};

use crate::analyse::aside;
use crate::app::App;
use crate::assets::{takes_gzip, zip};
use crate::fault::Fault;
use crate::learn::learned;

/// A game with everything a dialog needs.
#[derive(Serialize)]
pub(crate) struct GameChoice {
    #[serde(flatten)]
    offer: Offer,
    /// Those of the usual start.
    stones: Vec<Option<Stone>>,
    evaluations: Vec<Evaluation>,
    levels: Vec<Level>,
    /// Positions to begin with, as texts.
    examples: Vec<String>,
    /// What the game and what belongs to it is called, by language.
    words: &'static RawValue,
}

#[derive(Serialize)]
struct Evaluation {
    name: String,
    about: String,
    needs_file: bool,
}

#[derive(Serialize)]
struct Level {
    number: u8,
    name: String,
    depth: u32,
    nodes: u64,
    /// Elo; random moves have 0.
    rating: Option<i32>,
}

/// `GET /api/games`: every page needs it before it can show a board, so it is made short.
pub(crate) async fn games(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Fault> {
    aside(move || {
        let mut choices: Vec<GameChoice> = offers().into_iter().filter_map(choice).collect();
        for (game, name, about) in app.config.data.as_deref().map_or(Vec::new(), learned) {
            if let Some(choice) = choices.iter_mut().find(|choice| choice.offer.name == game) {
                choice.evaluations.push(Evaluation { name, about, needs_file: false });
            }
        }
        let text = serde_json::to_vec(&choices).expect("choices are plain data");
        let kind = (CONTENT_TYPE, "application/json");
        Ok(match takes_gzip(&headers) {
            true => ([kind, (CONTENT_ENCODING, "gzip")], zip(&text)).into_response(),
            false => ([kind], text).into_response(),
        })
    })
    .await
}

fn choice(offer: Offer) -> Option<GameChoice> {
    let (evaluations, words) = with_game(offer.name, Describe).ok()?;
    let stones = table::open(offer.name, "", None).ok()?.view().stones;
    let start = |rules: &&str| Some(table::open(offer.name, rules, None).ok()?.view().position);
    // The first group of choices is the layout or the variant, each with a start of its own.
    let mut examples: Vec<String> =
        offer.choices.iter().flat_map(|group| group.iter()).filter_map(start).collect();
    examples.sort();
    examples.dedup();
    let levels = levels::LEVELS.filter_map(|number| level(offer.name, number)).collect();
    Some(GameChoice { offer, stones, evaluations, levels, examples, words })
}

fn level(game: &str, number: u8) -> Option<Level> {
    let name = match number {
        2 => "beginner".into(),
        5 => "advanced".into(),
        8 => "expert".into(),
        _ => number.to_string(),
    };
    let levels::Level { depth, nodes, rating, .. } = levels::level(game, number).ok()?;
    Some(Level { number, name, depth, nodes, rating })
}

struct Describe;

impl Visitor for Describe {
    type Output = (Vec<Evaluation>, &'static RawValue);

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let evaluation = |entry: trilith_eval::catalogue::EvaluationEntry| Evaluation {
            name: entry.name.into(),
            about: entry.about.into(),
            needs_file: entry.needs_artifact,
        };
        let words = serde_json::from_str(C::WORDS).expect("a test reads the words of every game");
        (C::entries().into_iter().map(evaluation).collect(), words)
    }
}
