//! Why a move is a mistake, in words.

use axum::Json;
use serde::Deserialize;
use trilith_arena::player::text::TextRecord;
use trilith_teach::why::{self, Reason, WhyQuestion};

use crate::analyse::{Question, aside};
use crate::api::Input;
use crate::fault::Fault;

/// The most moves of a line that are read.
const LONGEST: usize = 60;

#[derive(Deserialize)]
pub(crate) struct WhyRequest {
    #[serde(flatten)]
    question: Question,
    /// The move played and the best play after it.
    line: Vec<String>,
    /// The best move and the best play after it.
    better: Vec<String>,
}

/// `POST /api/why`: sentences that the two lines show, the most telling first; none if they show nothing.
pub(crate) async fn reasons(input: Input<WhyRequest>) -> Result<Json<Vec<Reason>>, Fault> {
    let Json(WhyRequest { question, line, better }) = input?;
    if line.len().max(better.len()) > LONGEST {
        return Err(Fault::bad_request(format!("a line is too long: expected at most {LONGEST} moves")));
    }
    let situation = question.situation()?;
    aside(move || {
        let record = TextRecord { rules: situation.rules, start: situation.start, moves: situation.moves };
        let found = why::why(&situation.game, &WhyQuestion { record, line, better });
        found.map(Json).map_err(|error| Fault::bad_request(error.to_string()))
    })
    .await
}
