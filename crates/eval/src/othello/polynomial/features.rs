//! The 42 features of S1, section 3.4: discs by square class, by ring and in all, and who is ahead.

use trilith_games::othello::Position;

/// How many there are.
pub const FEATURES: usize = 42;

const QUARTER: u64 = 0x0000_0000_0f0f_0f0f;
const RINGS: [(u64, f64); 3] =
    [(0xff81_8181_8181_81ff, 28.0), (0x007e_4242_4242_7e00, 20.0), (0x0000_3c24_243c_0000, 12.0)];

/// The features in the order of S1 for the side to move, each between 0 and 1.
///
/// Own discs on the square classes A to P, the opponent's; own and the opponent's discs in ring 0, 1 and 2; own and
/// the opponent's discs; 1 if the side to move has more discs, 1 if the opponent has.
pub fn features(position: &Position) -> [f64; FEATURES] {
    let Position { own, other, .. } = *position;
    let share = |side: u64, of: u64| f64::from((side & of).count_ones());
    let mut all = [0.0; FEATURES];
    for class in 0..16 {
        all[class] = share(own, squares(class)) / 4.0;
        all[16 + class] = share(other, squares(class)) / 4.0;
    }
    for (ring, (squares, size)) in RINGS.into_iter().enumerate() {
        all[32 + 2 * ring] = share(own, squares) / size;
        all[33 + 2 * ring] = share(other, squares) / size;
    }
    all[38] = share(own, !0) / 64.0;
    all[39] = share(other, !0) / 64.0;
    let difference = position.disc_difference();
    all[40] = f64::from(difference > 0);
    all[41] = f64::from(difference < 0);
    all
}

/// The four squares of a class: A to P row by row in the top left quarter, and their mirror images.
fn squares(class: usize) -> u64 {
    let square = class / 4 * 8 + class % 4;
    let corner = 1 << square & QUARTER;
    let half = corner | 1 << (square ^ 7);
    half | half.swap_bytes()
}

/// Their names in the same order.
pub fn names() -> impl Iterator<Item = String> {
    let sides = ["own", "other"];
    let classes = sides.into_iter().flat_map(|side| {
        (b'A'..=b'P').map(move |class| format!("{side} discs on {} squares", char::from(class)))
    });
    let rings = (0..3)
        .flat_map(move |ring| sides.into_iter().map(move |side| format!("{side} discs in ring {ring}")));
    let totals = sides.into_iter().map(|side| format!("{side} discs"));
    let ahead = sides.into_iter().map(|side| format!("{side} side ahead"));
    classes.chain(rings).chain(totals).chain(ahead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::Colour;

    #[test]
    fn classes_and_rings_divide_the_board_as_in_figure_3_1b() {
        assert_eq!((0..16).fold(0, |all, class| all ^ squares(class)), !0);
        let bit = |name: &str| {
            let name = name.as_bytes();
            1_u64 << (name[0] - b'a' + 8 * (name[1] - b'1'))
        };
        assert_eq!(squares(0), bit("a1") | bit("h1") | bit("a8") | bit("h8"));
        assert_eq!(squares(4), bit("a2") | bit("h2") | bit("a7") | bit("h7"), "E is not B turned");
        assert_eq!(squares(15), bit("d4") | bit("e4") | bit("d5") | bit("e5"));
        assert_eq!(RINGS.map(|(squares, size)| f64::from(squares.count_ones()) - size), [0.0; 3]);
    }

    #[test]
    fn the_start_and_a_corner_by_hand() {
        let start = features(&Position::START);
        let mut expected = [0.0; FEATURES];
        (expected[15], expected[31], expected[38], expected[39]) = (0.5, 0.5, 2.0 / 64.0, 2.0 / 64.0);
        assert_eq!(start, expected);
        let position = Position { own: 1, other: 0x0600, to_move: Colour::White };
        let found = features(&position);
        let mut expected = [0.0; FEATURES];
        (expected[0], expected[32], expected[38]) = (0.25, 1.0 / 28.0, 1.0 / 64.0);
        (expected[16 + 5], expected[16 + 6], expected[35]) = (0.25, 0.25, 2.0 / 20.0);
        (expected[39], expected[41]) = (2.0 / 64.0, 1.0);
        assert_eq!(found, expected);
        assert_eq!(names().count(), FEATURES);
    }
}
