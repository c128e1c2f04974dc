//! S2: networks learned by backpropagation from the games of two equal players, or from perfect values.
//!
//! A network has three logistic outputs, how likely a win, a draw and a loss are. After a game each player goes back
//! through its positions: the last one is taught the result, each one before a mixture of what its successor was
//! taught and what the network says of it, `t_{p-1} = lambda t_p + (1 - lambda) out_p` (S2, 4.5.1). Weights move by
//! `(1 - alpha) eta a delta + alpha` times the move before; with adaptive rates each weight has its own `eta`, to which
//! kappa is added when two slopes in a row agree and which is multiplied by phi when they do not (S2, 4.4).
//!
//! Play is to a fixed depth, with a random number up to the radius added to every estimate.

mod game;
mod learner;
mod pupil;
mod rule;

pub use game::{Labels, NetworkPlayer, TeachingGame};
pub use learner::KIND;
pub use pupil::{PupilRates, games_learned, new_pupil, teach_game};
pub use rule::{Rule, Student};
