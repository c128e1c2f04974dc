//! What goes wrong, as Python's exceptions.

use std::error::Error;

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// Wrong input: `ValueError` with the message and its causes.
pub fn value(error: impl Error) -> PyErr {
    PyValueError::new_err(text(&error))
}

/// What failed although the input was right: `RuntimeError`.
pub fn failure(error: impl Error) -> PyErr {
    PyRuntimeError::new_err(text(&error))
}

fn text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
