//! Evaluations of Nine Men's Morris: S2's, and the one that `engine` plays with.

mod by_hand;
mod catalogue;
mod counts;
pub mod hand_tuned;
pub mod patterns;
pub mod thesis;
mod weighed;

pub use by_hand::ByHand;
pub use catalogue::Evaluations;
pub use hand_tuned::MorrisHandTuned;
pub use patterns::MorrisPatterns;
pub use weighed::Weighed;

use trilith_games::morris::Morris;

use crate::features::{Described, FeatureSet};

impl Described for Morris {
    fn feature_sets() -> Vec<Box<dyn FeatureSet<Morris>>> {
        vec![
            Box::new(thesis::STANDARD),
            Box::new(thesis::SMALL),
            Box::new(thesis::KLEIN),
            Box::new(thesis::MINIMAL),
            Box::new(thesis::MuehleFeaturePairs),
            Box::new(hand_tuned::MorrisHandTunedFeatures),
        ]
    }
}
