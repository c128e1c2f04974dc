//! Which cells patterns look at, and how their weights are numbered.
//!
//! A shape is a list of cells; its instances are the different cell sets among its images. An instance reads the board
//! as a balanced ternary number, the `k`-th cell of its list adding `3^k` for a black stone and `-3^k` for a white one:
//! changing sides negates it, and every number of ten cells fits an `i16`.
//!
//! The weights of a stage stand in two ways: **plain**, for playing, that of number `n` of a shape at
//! `start + codes / 2 + n`; and **packed**, for learning and in files, where numbers that the shape's own symmetries
//! carry into each other share one weight.

use std::collections::BTreeSet;

use crate::othello::ternary::permute;

/// A list of cells that is looked at as a whole, with all its images.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Also the name of its tensor in files.
    pub name: &'static str,
    /// The cells of its first instance; at most ten.
    pub cells: Vec<u8>,
    /// Where its plain weights begin.
    pub start: usize,
    /// Where its packed weights begin, and those of the next.
    pub packed: std::ops::Range<usize>,
}

/// A shape as it lies somewhere on the board.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Number of its shape.
    pub shape: usize,
    /// In the order of the shape's cells.
    pub cells: Vec<u8>,
}

/// All shapes of a game, ready to be read with `LANES` numbers at a time.
#[derive(Clone, Debug)]
pub struct Layout<const LANES: usize> {
    /// All shapes.
    pub shapes: Vec<Shape>,
    /// All instances, those of one shape side by side; at most `LANES`.
    pub instances: Vec<Instance>,
    /// The packed weight of each plain one.
    pub packed: Vec<u32>,
    /// The plain weight of the number 0 of each instance; unused lanes have the one after the last, which is zero.
    pub centres: [u16; LANES],
    /// What a black stone on each cell adds to the number of each instance.
    pub powers: Box<[[i16; LANES]; 64]>,
}

impl<const LANES: usize> Layout<LANES> {
    /// From shapes, and where each symmetry takes a cell.
    ///
    /// # Panics
    /// If a shape has more than ten cells, or there are more instances than lanes or more weights than 16 bits can number.
    pub fn new(
        shapes: &[(&'static str, Vec<u8>)],
        symmetries: usize,
        image: impl Fn(u8, usize) -> u8,
    ) -> Layout<LANES> {
        let mut layout = Layout {
            shapes: Vec::new(),
            instances: Vec::new(),
            packed: Vec::new(),
            centres: [0; LANES],
            powers: Box::new([[0; LANES]; 64]),
        };
        for (name, cells) in shapes {
            layout.push(name, cells, symmetries, &image);
        }
        assert!(layout.instances.len() <= LANES, "{} instances", layout.instances.len());
        let zero = layout.packed.len().try_into().expect("weights of a stage are numbered by 16 bits");
        layout.centres = [zero; LANES];
        for (lane, instance) in layout.instances.iter().enumerate() {
            let shape = &layout.shapes[instance.shape];
            layout.centres[lane] = (shape.start + codes(shape.cells.len()) / 2) as u16;
            for (place, &cell) in instance.cells.iter().enumerate() {
                layout.powers[usize::from(cell)][lane] = 3_i16.pow(place as u32);
            }
        }
        layout
    }

    fn push(
        &mut self,
        name: &'static str,
        cells: &[u8],
        symmetries: usize,
        image: &impl Fn(u8, usize) -> u8,
    ) {
        assert!(cells.len() <= 10, "{name} has {} cells", cells.len());
        let images = || (0..symmetries).map(|symmetry| cells.iter().map(move |&cell| image(cell, symmetry)));
        let mut sets = BTreeSet::new();
        for cells in images() {
            let cells: Vec<u8> = cells.collect();
            if sets.insert(cells.iter().copied().collect::<BTreeSet<u8>>()) {
                self.instances.push(Instance { shape: self.shapes.len(), cells });
            }
        }
        let place = |cell: u8| cells.iter().position(|&own| own == cell);
        let orders: Vec<Vec<usize>> =
            images().filter_map(|cells| cells.map(place).collect::<Option<Vec<usize>>>()).collect();
        let start = self.packed.len();
        let first_packed = self.shapes.last().map_or(0, |shape| shape.packed.end);
        let mut next = first_packed as u32;
        for code in 0..codes(cells.len()) {
            let first = orders.iter().map(|order| permute(code, order)).min().expect("the identity is one");
            if first == code {
                self.packed.push(next);
                next += 1;
            } else {
                self.packed.push(self.packed[start + first]);
            }
        }
        let packed = first_packed..next as usize;
        self.shapes.push(Shape { name, cells: cells.to_vec(), start, packed });
    }

    /// Plain weights in a stage.
    pub fn plain_weights(&self) -> usize {
        self.packed.len()
    }

    /// Packed weights in a stage.
    pub fn packed_weights(&self) -> usize {
        self.shapes.last().map_or(0, |shape| shape.packed.end)
    }
}

/// How many contents so many cells can have.
pub fn codes(cells: usize) -> usize {
    3_usize.pow(cells as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of four cells, read from both ends.
    fn row() -> Layout<4> {
        Layout::new(&[("pair", vec![0, 1]), ("all", vec![0, 1, 2, 3])], 2, |cell, symmetry| match symmetry {
            0 => cell,
            _ => 3 - cell,
        })
    }

    #[test]
    fn shapes_have_each_image_once_and_mirrored_contents_share_a_weight() {
        let layout = row();
        let cells: Vec<&[u8]> = layout.instances.iter().map(|instance| &instance.cells[..]).collect();
        assert_eq!(cells, [&[0, 1][..], &[3, 2], &[0, 1, 2, 3]]);
        assert_eq!((layout.plain_weights(), layout.shapes[0].packed.clone()), (9 + 81, 0..9));
        // 81 contents, 9 of them their own mirror image.
        assert_eq!(layout.shapes[1].packed, 9..9 + 45);
        let all = layout.shapes[1].start;
        assert_eq!(layout.packed[all + 1], layout.packed[all + 27]);
        assert_eq!(layout.centres[3], 90, "an unused lane reads the zero at the end");
        assert_eq!((layout.powers[3], layout.powers[0]), ([0, 1, 27, 0], [1, 0, 1, 0]));
    }
}
