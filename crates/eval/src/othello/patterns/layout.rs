//! Which squares the production patterns look at, and how their weights are numbered.
//!
//! A shape is a list of squares; its instances are the different square sets among its eight images. An instance reads
//! the board as a balanced ternary number, the `k`-th square of its list adding `3^k` for a disc of one side and
//! `-3^k` for one of the other: changing sides negates it, and every number of ten squares fits an `i16`.
//!
//! The weights of a phase stand in two ways:
//!
//! * **plain**, for playing: shape after shape, [`OthelloShape::codes`] weights each, that of number `n` at
//!   `start + codes / 2 + n`; [`PLAIN`] = 344 412 in all.
//! * **packed**, for learning and in files: numbers that the shape's own symmetries carry into each other share one
//!   weight. Shape after shape again, in the order of the smallest plain number, then [`BIASES`] weights of which
//!   the one for the number of discs on the board is used; [`weights`] = 204 091 in all.
//!
//! Shapes after Buro's Logistello (rows, diagonals, 2x5, edge+2X) with the larger corners of later programs. The
//! rays of S5's approximated mobility lie wholly inside them, so that mobility is in reach of a linear fit.

use std::sync::LazyLock;

use trilith_games::othello::symmetry::{SYMMETRIES, image_square};

use crate::othello::ternary::{own_symmetries, permute};

/// A set of squares that is looked at as a whole, with all its images.
#[derive(Clone, Copy, Debug)]
pub struct OthelloShape {
    /// Also the name of its tensor in files.
    pub name: &'static str,
    /// The squares of its first instance; only the first [`OthelloShape::length`] count.
    pub squares: [u8; LONGEST],
    /// How many squares.
    pub length: usize,
    /// Where its plain weights begin.
    pub start: usize,
}

impl OthelloShape {
    /// How many contents its squares can have.
    pub const fn codes(&self) -> usize {
        3_usize.pow(self.length as u32)
    }
}

/// A shape as it lies somewhere on the board.
#[derive(Clone, Copy, Debug)]
pub struct OthelloInstance {
    /// Number of its shape in [`SHAPES`].
    pub shape: usize,
    /// In the order of the shape's squares.
    pub squares: [u8; LONGEST],
}

impl OthelloInstance {
    /// Its squares, without what is not used of the array.
    pub fn squares(&self) -> &[u8] {
        &self.squares[..SHAPES[self.shape].length]
    }
}

/// The most squares of a shape.
pub const LONGEST: usize = 10;

const TEXTS: [(&str, &str); 14] = [
    ("corner3x3", "a1b1c1a2b2c2a3b3c3"),
    ("corner2x5", "a1b1c1d1e1a2b2c2d2e2"),
    ("edge2x", "b2a1b1c1d1e1f1g1h1g2"),
    ("triangle", "a1b1c1d1a2b2c2a3b3a4"),
    ("block", "a1c1d1e1f1h1c2d2e2f2"),
    ("kite", "a1b1a2b2c2b3c3d3c4d4"),
    ("row2", "a2b2c2d2e2f2g2h2"),
    ("row3", "a3b3c3d3e3f3g3h3"),
    ("row4", "a4b4c4d4e4f4g4h4"),
    ("diagonal8", "a1b2c3d4e5f6g7h8"),
    ("diagonal7", "a2b3c4d5e6f7g8"),
    ("diagonal6", "a3b4c5d6e7f8"),
    ("diagonal5", "a4b5c6d7e8"),
    ("diagonal4", "a5b6c7d8"),
];

/// All shapes.
pub const SHAPES: [OthelloShape; TEXTS.len()] = shapes();
/// All instances, those of one shape side by side.
pub const INSTANCES: [OthelloInstance; count_instances()] = instances();
/// Plain weights in a phase.
pub const PLAIN: usize = {
    let last = &SHAPES[SHAPES.len() - 1];
    last.start + last.codes()
};
/// Weights for the number of discs in a packed phase: from 4 to 64.
pub const BIASES: usize = 61;
/// Lanes of a [`super::Indices`]: the instances, filled up to whole vectors.
pub const LANES: usize = 64;
/// The plain weight of the number 0 of each instance.
pub const CENTRES: [u32; INSTANCES.len()] = centres();
/// What a disc on each square adds to the number of each instance.
pub static POWERS: [[i16; LANES]; 64] = powers();

const fn shapes() -> [OthelloShape; TEXTS.len()] {
    let mut shapes = [parse_shape(TEXTS[0], 0); TEXTS.len()];
    let (mut at, mut start) = (0, 0);
    while at < shapes.len() {
        shapes[at] = parse_shape(TEXTS[at], start);
        start += shapes[at].codes();
        at += 1;
    }
    shapes
}

const fn parse_shape((name, text): (&'static str, &str), start: usize) -> OthelloShape {
    let text = text.as_bytes();
    let mut squares = [0; LONGEST];
    let mut at = 0;
    while 2 * at < text.len() {
        squares[at] = text[2 * at] - b'a' + 8 * (text[2 * at + 1] - b'1');
        at += 1;
    }
    OthelloShape { name, squares, length: at, start }
}

const fn image_of(shape: &OthelloShape, symmetry: usize) -> ([u8; LONGEST], u64) {
    let (mut squares, mut set) = ([0; LONGEST], 0);
    let mut at = 0;
    while at < shape.length {
        squares[at] = image_square(shape.squares[at], symmetry);
        set |= 1 << squares[at];
        at += 1;
    }
    (squares, set)
}

/// Whether an earlier symmetry gives the same set of squares.
const fn is_repeated(shape: &OthelloShape, symmetry: usize) -> bool {
    let mut earlier = 0;
    while earlier < symmetry {
        if image_of(shape, earlier).1 == image_of(shape, symmetry).1 {
            return true;
        }
        earlier += 1;
    }
    false
}

const fn count_instances() -> usize {
    let (mut shape, mut count) = (0, 0);
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            count += !is_repeated(&SHAPES[shape], symmetry) as usize;
            symmetry += 1;
        }
        shape += 1;
    }
    count
}

const fn instances() -> [OthelloInstance; count_instances()] {
    let mut instances = [OthelloInstance { shape: 0, squares: [0; LONGEST] }; count_instances()];
    let (mut shape, mut count) = (0, 0);
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            if !is_repeated(&SHAPES[shape], symmetry) {
                instances[count] = OthelloInstance { shape, squares: image_of(&SHAPES[shape], symmetry).0 };
                count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    instances
}

const fn centres() -> [u32; INSTANCES.len()] {
    let mut centres = [0; INSTANCES.len()];
    let mut at = 0;
    while at < centres.len() {
        let shape = &SHAPES[INSTANCES[at].shape];
        centres[at] = (shape.start + shape.codes() / 2) as u32;
        at += 1;
    }
    centres
}

const fn powers() -> [[i16; LANES]; 64] {
    let mut powers = [[0; LANES]; 64];
    let mut at = 0;
    while at < INSTANCES.len() {
        let (mut place, mut power) = (0, 1);
        while place < SHAPES[INSTANCES[at].shape].length {
            powers[INSTANCES[at].squares[place] as usize][at] = power as i16;
            power *= 3;
            place += 1;
        }
        at += 1;
    }
    powers
}

/// Which packed weight each plain one stands for.
pub struct Packing {
    /// By plain number.
    pub packed: Vec<u32>,
    /// Where the packed weights of each shape begin, and at the end where the biases do.
    pub starts: Vec<usize>,
}

/// The packing of a phase, made when first asked for (some milliseconds).
pub static PACKING: LazyLock<Packing> = LazyLock::new(Packing::new);

/// Packed weights in a phase, biases included.
pub fn weights() -> usize {
    PACKING.biases() + BIASES
}

impl Packing {
    fn new() -> Packing {
        let mut packing = Packing { packed: Vec::with_capacity(PLAIN), starts: vec![0] };
        for shape in &SHAPES {
            packing.push(shape);
        }
        packing
    }

    fn push(&mut self, shape: &OthelloShape) {
        let own = own_symmetries(&shape.squares[..shape.length]);
        let mut next = *self.starts.last().expect("begins with one") as u32;
        for code in 0..shape.codes() {
            let first = own.iter().map(|order| permute(code, order)).min().expect("the identity is one");
            if first == code {
                self.packed.push(next);
                next += 1;
            } else {
                self.packed.push(self.packed[shape.start + first]);
            }
        }
        self.starts.push(next as usize);
    }

    /// Where the weights for the number of discs begin.
    pub fn biases(&self) -> usize {
        *self.starts.last().expect("begins with one")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_all_its_images_once() {
        let counts: Vec<usize> = (0..SHAPES.len())
            .map(|shape| INSTANCES.iter().filter(|instance| instance.shape == shape).count())
            .collect();
        assert_eq!(counts, [4, 8, 4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert!(INSTANCES.len() <= LANES);
    }

    #[test]
    fn documented_sizes() {
        assert_eq!((INSTANCES.len(), PLAIN, weights()), (58, 344_412, 204_091));
    }

    #[test]
    fn mirrored_contents_share_a_weight() {
        let row = SHAPES.iter().find(|shape| shape.name == "row2").unwrap();
        let (left, right) = (1, 3_usize.pow(7));
        assert_eq!(PACKING.packed[row.start + left], PACKING.packed[row.start + right]);
        let corner = SHAPES.iter().find(|shape| shape.name == "corner2x5").unwrap();
        assert_eq!(
            own_symmetries(&corner.squares[..corner.length]).len(),
            1,
            "the 2x5 corner has no symmetry of its own"
        );
    }
}
