//! What a Morris puzzle is about, told from its first move: the first of these that is true.

use trilith_games::Game;
use trilith_games::morris::{Morris, Move, Position, closable};

/// One word for the right move of a position without stones in hand.
pub fn of(game: &Morris, position: &Position, mv: Move) -> &'static str {
    let rules = game.rules();
    let after = game.play(position, mv);
    let to = 1 << mv.to();
    let threats = closable(rules, after.other(), 0, after.empty()).count_ones();
    let met = closable(rules, position.other(), 0, position.empty()) & to;
    match () {
        () if mv.removed().next().is_some() => "mill",
        () if threats > 1 => "two-threats",
        () if met != 0 => "block",
        () if game.outcome(&after).is_some() || game.count_moves(&after) <= 2 => "enclose",
        () if mv.from().is_some_and(|from| rules.grid.in_mills(position.own()) & 1 << from != 0) => {
            "open-mill"
        }
        () if position.own().count_ones() == 3 => "flying",
        () => "quiet",
    }
}
