//! Evaluations of Abalone: S4's and those it builds on, and the one that `engine` plays with.

mod abapro;
mod catalogue;
pub mod hand_tuned;
pub mod heuristics;
mod lovely;
pub mod patterns;
pub mod reference;
mod sets;
pub mod shapes;
mod sums;

pub use abapro::AbaPro;
pub use catalogue::Evaluations;
pub use hand_tuned::AbaloneHandTuned;
pub use lovely::MyLovelyAbalone;
pub use patterns::AbalonePatterns;
pub use sets::{AbaloneCells, Heuristics};

use trilith_games::abalone::Abalone;

use crate::features::{Described, FeatureSet};

impl Described for Abalone {
    fn feature_sets() -> Vec<Box<dyn FeatureSet<Abalone>>> {
        let heuristics = Heuristics::known().map(|set| Box::new(set) as Box<dyn FeatureSet<Abalone>>);
        let others: [Box<dyn FeatureSet<Abalone>>; 2] =
            [Box::new(AbaloneCells), Box::new(hand_tuned::AbaloneHandTunedFeatures)];
        heuristics.chain(others).collect()
    }

    /// Also heuristics joined by `+`, such as `s4:rim+triples+threats+distance`.
    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Abalone>>> {
        match Heuristics::named(name) {
            Some(set) => Some(Box::new(set)),
            None => Self::feature_sets().into_iter().find(|set| set.name() == name),
        }
    }
}
