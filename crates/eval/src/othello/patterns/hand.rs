//! Weights by hand, for play before any training: mobility along the rays and a worth for squares about the corners.

use super::OthelloPatterns;
use super::layout::{self, PACKING, SHAPES};
use crate::othello::logistello::mobility::ray_table;

/// What a move more than the opponent is worth, in discs.
const MOVE: f32 = 0.8;
/// What a disc on a1, b1, c1, a2, b2, c2, a3, b3 and c3 is worth.
const CORNER: [f32; 9] = [12.0, -1.0, 0.5, -1.0, -4.0, 0.0, 0.5, 0.0, 0.0];

impl OthelloPatterns {
    /// Knows that moves and corners are good and squares beside empty corners are not.
    pub fn by_hand() -> OthelloPatterns {
        let mut packed = vec![0.0; layout::weights()];
        for shape in &SHAPES {
            let weight: Box<dyn Fn(usize) -> f32> = match shape.name {
                "corner3x3" => Box::new(corner),
                name if name.starts_with("row") || name.starts_with("diagonal") => {
                    let table = ray_table(shape.length);
                    Box::new(move |code| MOVE * f32::from(table[code]))
                }
                _ => continue,
            };
            (0..shape.codes())
                .for_each(|code| packed[PACKING.packed[shape.start + code] as usize] = weight(code));
        }
        OthelloPatterns::from_weights(1, &packed)
    }
}

/// The worth of the nine squares; those beside the corner count nothing once it is taken.
fn corner(code: usize) -> f32 {
    let digit = |place: u32| (code / 3_usize.pow(place) % 3) as f32 - 1.0;
    let taken = digit(0) != 0.0;
    let worth = |place: u32| match place {
        1 | 3 | 4 if taken => 0.5,
        _ => CORNER[place as usize],
    };
    (0..9).map(|place| worth(place) * digit(place)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LeafEvaluator;
    use crate::othello::logistello::Measure;
    use trilith_games::Colour;
    use trilith_games::othello::{Othello, Position};

    #[test]
    fn corners_and_moves_are_good() {
        let (game, patterns) = (Othello::default(), OthelloPatterns::by_hand());
        let value = |own, other| patterns.value(&game, &Position { own, other, to_move: Colour::Black });
        assert!(value(1, 0) > 0 && value(1 << 9, 0) < 0);
        assert_eq!(value(1, 0), -value(0, 1), "no side is favoured");
        let start = patterns.value(&game, &Position::START);
        let better = Position::START.after_disc(19);
        assert_eq!(start, 0, "both have four moves");
        let mobility = Measure::Mobility.value(&better);
        assert_eq!(patterns.value(&game, &better).signum(), mobility.signum());
    }
}
