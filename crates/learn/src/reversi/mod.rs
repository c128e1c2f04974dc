//! S3's learners: experience in a table, networks fitted to tables, and networks that gather their own experience.

pub mod deep;
pub mod fit;
mod game;
mod net;
mod policy;
mod replay;
pub mod speed;
pub mod tabular;

pub use game::{AfterstateValues, Manner, ReversiOpponent};
pub use policy::Policy;
