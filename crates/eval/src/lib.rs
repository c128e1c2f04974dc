//! What a position is worth ([`Evaluator`]) and what it is, where that is known ([`Oracle`]).
//!
//! Each game has a [`Catalogue`] of evaluations by name: the learned one that the engine plays with, and those of the published
//! works. Each can explain itself: terms that add up to its value.
//!
//! Evaluate and explain:
//!
//! ```
//! use trilith_eval::Catalogue;
//! use trilith_eval::morris::Evaluations;
//! use trilith_games::morris::Morris;
//! use trilith_games::{Game, Record};
//!
//! let mut record = Record::new(Morris::new(Default::default()));
//! for mv in ["d6", "a1", "f6", "g1"] {
//!     record.push_text(mv)?;
//! }
//! let standard = Evaluations::named("standard", None)?;
//! let why = standard.explain(record.game(), record.position());
//! let sum: f64 = why.terms.iter().map(|term| term.contribution).sum();
//! assert!((sum - why.total).abs() < 1e-9);
//! println!("{why}"); // a table of the terms, the largest first
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

pub mod abalone;
pub mod activation;
pub mod catalogue;
pub mod cells;
pub mod contract;
pub mod custom_network;
pub mod dense;
pub mod evaluator;
pub mod explanation;
pub mod features;
pub mod linear;
pub mod margin;
pub mod morris;
pub mod network;
pub mod oracle;
pub mod othello;
pub mod patterns;
pub mod residual;
pub mod speed;
pub mod value_table;

pub use catalogue::{Boxed, Catalogue, EvaluationError, LeafEvaluator};
pub use evaluator::{Evaluator, Unit, Value, WIN};
pub use explanation::{Explanation, Term};
pub use features::FeatureSet;
pub use margin::Margin;
pub use oracle::{Known, KnownRoot, Oracle, Unknowing};
