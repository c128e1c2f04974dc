//! What Othello brings to data and fitting: perfect endings, packed positions, pattern weights by least squares.

mod bootstrap;
mod exact;
mod fit;
pub mod game;
pub mod old_file;
mod training;

pub use bootstrap::Bootstrap;
pub use game::OthelloGame;
