//! Why a position has its value: the terms of an evaluation, and what each cell adds.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use trilith_arena::{GameKit, PlayerSpec, Visitor, with_game};
use trilith_eval::Explanation;
use trilith_games::Game;

use super::question::{Question, aside};
use crate::api::Input;
use crate::app::App;
use crate::caller::Caller;
use crate::engine::Situation;
use crate::fault::Fault;
use crate::room::wish;

#[derive(Deserialize)]
pub(crate) struct ExplainRequest {
    #[serde(flatten)]
    question: Question,
    eval: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct ExplainAnswer {
    /// The evaluation's name.
    eval: String,
    to_move: trilith_games::Colour,
    #[serde(flatten)]
    explanation: Explanation,
}

/// `POST /api/explain`: as `trilith analyse --explain --json` has it, for the side to move.
pub(crate) async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<ExplainRequest>,
) -> Result<Json<ExplainAnswer>, Fault> {
    let Json(ExplainRequest { question, eval }) = input?;
    let situation = question.situation()?;
    aside(move || {
        app.rated.check(&caller, &situation)?;
        let options = eval.iter().map(|eval| ("eval".to_owned(), eval.clone())).collect();
        let spec = PlayerSpec { name: "engine".into(), options };
        let spec = wish::resolved(&spec, &|name| app.resolve_file(name))?;
        let answer = with_game(&situation.game, Explain { situation: &situation, spec: &spec, eval });
        answer.map_err(|error| Fault::bad_request(error.to_string()))?.map(Json)
    })
    .await
}

struct Explain<'a> {
    situation: &'a Situation,
    spec: &'a PlayerSpec,
    eval: Option<String>,
}

impl Visitor for Explain<'_> {
    type Output = Result<ExplainAnswer, Fault>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = self.situation.record::<G>()?;
        let usual = C::entries().first().map_or("", |entry| entry.name);
        let name = self.spec.get("eval").unwrap_or(usual);
        let study = C::named(name, self.spec.get("file").map(Path::new));
        let study = study.map_err(|error| Fault::bad_request(error.to_string()))?;
        Ok(ExplainAnswer {
            eval: self.eval.unwrap_or_else(|| usual.into()),
            to_move: record.game().to_move(record.position()),
            explanation: study.explain(record.game(), record.position()),
        })
    }
}
