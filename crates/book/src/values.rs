//! Tree value, chance and choice, as S5, 5.2 defines them.
//!
//! `V_T(v)` is the NegaMax value of the results in the book. The chance `V_C(v)` is, for positions not in the book, the
//! value of a search; for leaves +inf, 0 or -inf after the sign of `V_T`, as if the result were exact; and for inner nodes
//! the greatest `-V_C(w)` over the successors `w`
//!
//! - in the book with `V_T(w) < 0`, if `V_T(v) > 0`: only wins are repeated;
//! - in the book with `V_T(w) = 0`, or the best not in the book, if `V_T(v) = 0`;
//! - in the book with `V_T(w) > 0`, or the best not in the book, if `V_T(v) < 0`.
//!
//! The move to play is the one that attains it.

use serde::Serialize;

/// What the book thinks of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BookValue {
    /// `V_T`: the sign of the result if both repeat their best games.
    pub tree: i8,
    /// `V_C`, in units of the evaluation, or infinite.
    pub chance: f32,
}

/// A way on from an inner node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The successor in this place of the list.
    Played(usize),
    /// The best move that nobody has played.
    Alternative,
}

/// The value of a leaf with this result.
pub fn leaf(tree: i8) -> BookValue {
    let chance = match tree {
        1.. => f32::INFINITY,
        0 => 0.0,
        _ => f32::NEG_INFINITY,
    };
    BookValue { tree, chance }
}

/// The value of an inner node and how it is attained, from the values of its successors (each for the side to move there)
/// and the value of its best alternative (for the side to move here). Of equals the first; nothing without successors.
pub fn inner(
    successors: impl Iterator<Item = BookValue> + Clone,
    alternative: Option<f32>,
) -> Option<(BookValue, Way)> {
    let tree = successors.clone().map(|value| -value.tree).max()?;
    let best_known = successors.enumerate().filter(|(_, value)| value.tree == -tree);
    let known = best_known.map(|(place, value)| (-value.chance, Way::Played(place)));
    let unplayed = alternative.filter(|_| tree <= 0).map(|value| (value, Way::Alternative));
    let (chance, way) = known
        .chain(unplayed)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .expect("some successor has the best tree value");
    Some((BookValue { tree, chance }, way))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f32 = f32::INFINITY;

    fn inner(successors: &[BookValue], alternative: f32) -> (BookValue, Way) {
        super::inner(successors.iter().copied(), Some(alternative)).unwrap()
    }

    /// S5, figure 5.1, as far as its text tells: three games that end in terminal positions, the root lost by them; best is
    /// the line v1 .. v4 over the second move of v1, which leaves the book at v3 for v4, worth -0.1 to the opponent there.
    /// What the text leaves open (the other alternatives) is filled in so that they are worse.
    #[test]
    fn the_example_tree_is_valued_and_played_as_explained() {
        let (won, lost) = (leaf(1), leaf(-1));
        assert_eq!((won.chance, lost.chance, leaf(0).chance), (INF, -INF, 0.0));
        // The first game: a move of v1, the opponent's answer, and a position lost for the player.
        let (first_end, _) = inner(&[won], -0.6);
        let (first_answer, _) = inner(&[first_end], -0.3);
        // The other two go through v2, where the opponent may win again over v3 or has once lost.
        let (v3, from_v3) = inner(&[won], 0.1);
        let (second_end, _) = inner(&[lost], -0.2);
        let (v2, from_v2) = inner(&[v3, second_end], 0.4);
        let (v1, from_v1) = inner(&[first_answer, v2], -0.4);
        assert_eq!(v1.tree, -1, "lost as far as the three games go");
        assert_eq!((v3, from_v3), (BookValue { tree: -1, chance: 0.1 }, Way::Alternative));
        assert_eq!((v2, from_v2), (BookValue { tree: 1, chance: -0.1 }, Way::Played(0)));
        assert_eq!((first_answer.tree, first_answer.chance), (1, 0.6));
        assert_eq!((v1.chance, from_v1), (0.1, Way::Played(1)), "the second move, for the deviation at v3");
    }

    #[test]
    fn wins_are_repeated_whatever_else_looks_promising() {
        let (value, way) = inner(&[leaf(1), leaf(-1), leaf(0)], 99.0);
        assert_eq!((value, way), (BookValue { tree: 1, chance: INF }, Way::Played(1)));
    }

    #[test]
    fn draws_are_repeated_unless_something_better_may_be_had() {
        let (value, way) = inner(&[leaf(1), leaf(0)], -0.5);
        assert_eq!((value, way), (BookValue { tree: 0, chance: 0.0 }, Way::Played(1)));
        let (value, way) = inner(&[leaf(1), leaf(0)], 0.5);
        assert_eq!((value, way), (BookValue { tree: 0, chance: 0.5 }, Way::Alternative));
    }

    #[test]
    fn without_alternative_a_lost_position_is_lost() {
        let value = super::inner([leaf(1), leaf(1)].into_iter(), None);
        assert_eq!(value, Some((BookValue { tree: -1, chance: -INF }, Way::Played(0))));
        assert_eq!(super::inner(std::iter::empty(), Some(1.0)), None);
    }
}
