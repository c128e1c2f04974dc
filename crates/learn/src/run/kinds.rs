//! All learners by name.

use trilith_base::words;

use super::{Learner, LearnerSetup, RunError, example};
use crate::reversi::{deep, fit, tabular};

/// A kind of learner.
#[derive(Clone, Copy)]
pub struct LearnerKind {
    /// The name in configs.
    pub name: &'static str,
    /// One line for people: what it learns and where it was published.
    pub about: &'static str,
    /// The games it learns.
    pub games: &'static [&'static str],
    /// Makes a learner at its beginning; reads its parameters with [`LearnerSetup::parameters`].
    pub begin: fn(&LearnerSetup) -> Result<Box<dyn Learner>, RunError>,
}

/// All of them.
pub const KINDS: &[LearnerKind] = &[
    crate::othilie::KIND,
    crate::teaching::KIND,
    tabular::KIND,
    fit::KIND,
    deep::KIND,
    crate::risk::KIND,
    crate::logistello::KIND,
    crate::production::KIND,
    example::KIND,
];

/// The learner called `name`.
pub fn kind(name: &str) -> Result<&'static LearnerKind, RunError> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| RunError::Kind {
        name: name.into(),
        expected: words::expected(name, KINDS.iter().map(|kind| kind.name)),
    })
}
