//! What comes with the program: proved positions of the placing phase by the standard rules.
//!
//! It has the proof that the empty board and every first move are drawn, and what is won or lost beside the games that the
//! engine plays. With complete tables it saves the search of the first moves; without any it is a book of what loses.

use std::sync::{Arc, LazyLock};

use trilith_games::morris::Morris;

use super::ProvedBounds;

static SHIPPED: LazyLock<Option<Arc<ProvedBounds>>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/morris/placing.proved");
    ProvedBounds::parse(bytes, &Morris::default()).ok().map(Arc::new)
});

/// The positions for the rules of `game`; none by other rules than the standard ones.
pub fn shipped(game: &Morris) -> Option<Arc<ProvedBounds>> {
    if *game == Morris::default() { SHIPPED.clone() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placing::{hands, key};
    use trilith_games::{Game, Outcome};

    #[test]
    fn the_empty_board_is_drawn_and_other_rules_have_none() {
        let game = Morris::default();
        let store = shipped(&game).unwrap();
        let start = store.get(key(&game.start()));
        assert_eq!((start.low, start.high), (Outcome::Draw, Outcome::Draw));
        let least = store.least_hands();
        assert!(store.iter().all(|(key, bounds)| hands(key) >= least && bounds.low <= bounds.high));
        assert!(shipped(&Morris::new("double-mill=two".parse().unwrap())).is_none());
    }
}
