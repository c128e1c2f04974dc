//! What a position is worth ([`Evaluator`]) and what it is, where that is known ([`Oracle`]).

pub mod evaluator;
pub mod margin;
pub mod oracle;

pub use evaluator::{Evaluator, Unit, Value, WIN};
pub use margin::Margin;
pub use oracle::{Oracle, Unknowing};
