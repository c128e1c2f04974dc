//! What a position is worth ([`Evaluator`]) and what it is, where that is known ([`Oracle`]).

pub mod catalogue;
pub mod evaluator;
pub mod explanation;
pub mod margin;
pub mod oracle;
pub mod othello;
pub mod speed;

pub use catalogue::{Boxed, Catalogue, EvaluationError, Study};
pub use evaluator::{Evaluator, Unit, Value, WIN};
pub use explanation::{Explanation, Term};
pub use margin::Margin;
pub use oracle::{Oracle, Unknowing};
