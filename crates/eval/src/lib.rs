//! What a position is worth ([`Evaluator`]) and what it is, where that is known ([`Oracle`]).

pub mod abalone;
pub mod activation;
pub mod catalogue;
pub mod contract;
pub mod dense;
pub mod evaluator;
pub mod experience;
pub mod explanation;
pub mod features;
pub mod linear;
pub mod margin;
pub mod morris;
pub mod network;
pub mod oracle;
pub mod othello;
pub mod own;
pub mod patterns;
pub mod residual;
pub mod speed;

pub use catalogue::{Boxed, Catalogue, EvaluationError, Study};
pub use evaluator::{Evaluator, Unit, Value, WIN};
pub use explanation::{Explanation, Term};
pub use features::FeatureSet;
pub use margin::Margin;
pub use oracle::{Known, KnownRoot, Oracle, Unknowing};
