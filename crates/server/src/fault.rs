//! What is answered when a request is wrong: a status and `{"error": "..."}`.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use trilith_arena::TableError;
use trilith_games::MoveError;

use crate::store::StoreError;

/// A request that cannot be answered as asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    status: StatusCode,
    error: String,
}

impl Fault {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Fault {
        Fault { status, error: error.into() }
    }

    /// The system gives no random numbers.
    pub(crate) fn random(error: getrandom::Error) -> Fault {
        Fault::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }

    /// A table that was opened cannot be looked at.
    pub(crate) fn unseen() -> Fault {
        Fault::new(StatusCode::SERVICE_UNAVAILABLE, "it was done, but the table cannot be shown now")
    }

    /// Whether it says that there is no such thing.
    pub(crate) fn is_missing(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// In words.
    pub(crate) fn message(&self) -> &str {
        &self.error
    }

    pub(crate) fn bad_request(error: impl Into<String>) -> Fault {
        Fault::new(StatusCode::BAD_REQUEST, error)
    }
}

#[derive(Serialize)]
struct Body {
    error: String,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.status, Json(Body { error: self.error })).into_response()
    }
}

impl From<JsonRejection> for Fault {
    fn from(rejection: JsonRejection) -> Fault {
        let status = match rejection.status() {
            StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
            status => status,
        };
        let error = match status {
            StatusCode::PAYLOAD_TOO_LARGE => {
                format!("the request is longer than {} bytes", crate::BODY_LIMIT)
            }
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "expected content-type application/json".into(),
            _ => rejection.body_text(),
        };
        Fault { status, error }
    }
}

impl From<QueryRejection> for Fault {
    fn from(rejection: QueryRejection) -> Fault {
        Fault::bad_request(rejection.body_text())
    }
}

impl From<PathRejection> for Fault {
    fn from(_: PathRejection) -> Fault {
        Fault::new(StatusCode::NOT_FOUND, "there is nothing at this address")
    }
}

impl From<StoreError> for Fault {
    /// What the database says is for the log, not for clients; they hear what it means for them.
    fn from(error: StoreError) -> Fault {
        if error == StoreError::Taken {
            return Fault::new(StatusCode::CONFLICT, "somebody else was first");
        }
        tracing::error!(%error, "storage");
        Fault::new(StatusCode::SERVICE_UNAVAILABLE, meaning(&error))
    }
}

/// What a fault of the database means. That nothing was changed is said only where it is certain.
pub(crate) fn meaning(error: &StoreError) -> &'static str {
    match error {
        StoreError::Uncertain(cause) if matches!(**cause, StoreError::Full(_)) => {
            "the server's disk is full, and the database has not confirmed it: look whether it was done before you try again"
        }
        StoreError::Uncertain(_) => {
            "the database has not confirmed it: look whether it was done before you try again"
        }
        StoreError::Full(_) => "the server's disk is full: nothing was changed",
        StoreError::Damaged(_) => "the database is damaged: nothing was changed",
        StoreError::Gone { .. } => "the file of the database is gone",
        StoreError::Stopped => "the server is stopping: look whether it was done before you try again",
        _ => "the database does not answer: nothing was changed",
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        Fault::bad_request(error.to_string())
    }
}

impl From<MoveError> for Fault {
    fn from(error: MoveError) -> Fault {
        Fault::bad_request(error.to_string())
    }
}

pub(crate) async fn not_found() -> Fault {
    Fault::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

pub(crate) async fn method_not_allowed() -> Fault {
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take that method")
}
