//! Learners, files of earlier versions and the example of a learner of one's own: `cargo test --test learn learners` runs one
//! file.

#![allow(clippy::unwrap_used)]

#[path = "../../../../examples/own-learner/src/evaluation.rs"]
mod evaluation;
#[path = "../../../../examples/own-learner/src/learner.rs"]
mod learner;
mod learners;
mod old_files;
mod own_learner;
mod start;
