//! S4: TD(lambda) with a parameter for risk, and what S4's outlook asks for: search with TD-leaf(lambda), rates that
//! fall or adapt, a network a phase.
//!
//! The value `V(s)` of a position after an own move is what rewards are still to come. After the next own move, with
//! rewards `R` in between, `delta = R + gamma V(s_{t+1}) - V(s_t)`, and all weights move by
//! `alpha chi(delta) e`, where `chi(x) = (1 - kappa) x` for `x > 0` and `(1 + kappa) x` else, and the eligibility trace
//! `e` is the slope of `V(s_t)` plus `gamma lambda` times the trace before. The move chosen is that with the largest
//! `R + gamma V`.
//!
//! A network says what a position is worth for the side to move, which after an own move is the opponent: `V` is what
//! it says, negated. So files play as `minimax:depth=1,eval=s4,file=FILE`.

mod agent;
mod game;
mod learner;
mod parameters;

pub use agent::{Agent, MoveChoice, Rewards};
pub use game::{RewardCredit, RiskRule, play};
pub use learner::KIND;
