//! The 24 points as bits, and every question about lines answered for all points at once.
//!
//! Point `8 * ring + k`: ring 0 is the outer square, 2 the inner one; `k` runs clockwise from the corner at the bottom
//! left, so corners are even, middles odd. Neighbours are `k ± 1` in the same ring and, for middles, the same `k` in
//! the next ring. Mills are the sides (corner, middle, corner) and the spokes (one middle in all three rings). So each
//! ring is a byte, a step along it a rotation of that byte, a step across it a shift by eight.

use crate::board::{Board, Cell, Ground, Label};

/// A set of points, bit by number; only the low 24 bits are used.
pub type Points = u32;

/// How many points there are.
pub const COUNT: usize = 24;
/// All points.
pub const ALL: Points = 0x00ff_ffff;

const CORNERS: Points = 0x0055_5555;
const MIDDLES: Points = 0x00aa_aaaa;

/// Each point's name, by number.
pub const NAMES: [&str; COUNT] = [
    "a1", "a4", "a7", "d7", "g7", "g4", "g1", "d1", "b2", "b4", "b6", "d6", "f6", "f4", "f2", "d2", "c3",
    "c4", "c5", "d5", "e5", "e4", "e3", "d3",
];

/// The number of the point called `name`, in lower case.
pub fn named(name: &str) -> Option<u8> {
    NAMES.iter().position(|&known| known == name).map(|number| number as u8)
}

/// Column and row of a point, 0 to 6 from the bottom left.
pub fn place(point: usize) -> (usize, usize) {
    let name = NAMES[point].as_bytes();
    (usize::from(name[0] - b'a'), usize::from(name[1] - b'1'))
}

/// The points that follow those of `set` clockwise.
#[inline(always)]
pub fn clockwise(set: Points) -> Points {
    (set << 1 & 0x00fe_fefe) | (set >> 7 & 0x0001_0101)
}

/// The points before those of `set`, clockwise.
#[inline(always)]
pub fn anticlockwise(set: Points) -> Points {
    (set >> 1 & 0x007f_7f7f) | (set << 7 & 0x0080_8080)
}

/// The points one ring further in, along the spokes.
#[inline(always)]
pub fn inwards(set: Points) -> Points {
    (set & MIDDLES) << 8 & ALL
}

/// The points one ring further out, along the spokes.
#[inline(always)]
pub fn outwards(set: Points) -> Points {
    (set & MIDDLES) >> 8
}

/// All neighbours of the points of `set`.
#[inline(always)]
pub fn neighbours(set: Points) -> Points {
    clockwise(set) | anticlockwise(set) | inwards(set) | outwards(set)
}

/// The points whose two companions on a line belong to a set of stones, by kind of line.
///
/// Each point lies on two lines. A stone that slides comes along one of them and leaves a gap there, so it can close
/// the other one only; a stone from the hand can close both.
#[derive(Clone, Copy)]
pub struct Lines {
    /// Middles between two corners.
    side: Points,
    /// Middles with both other middles of their spoke.
    spoke: Points,
    /// Corners with the side that follows clockwise.
    ahead: Points,
    /// Corners with the side that comes before.
    behind: Points,
}

impl Lines {
    /// The lines on which two of `stones` stand.
    #[inline(always)]
    pub fn of(stones: Points) -> Lines {
        let after = clockwise(stones);
        let before = anticlockwise(stones);
        Lines {
            side: after & before & MIDDLES,
            spoke: around_inwards(stones) & around_outwards(stones),
            ahead: before & anticlockwise(before) & CORNERS,
            behind: after & clockwise(after) & CORNERS,
        }
    }

    /// Where one more stone would close at least one mill.
    #[inline(always)]
    pub fn any(self) -> Points {
        self.side | self.spoke | self.ahead | self.behind
    }

    /// Where one more stone would close two mills.
    #[inline(always)]
    pub fn both(self) -> Points {
        self.side & self.spoke | self.ahead & self.behind
    }

    /// Where one more stone would close a mill, in two sets so that a point that would close two is in both.
    #[inline(always)]
    pub fn apart(self) -> [Points; 2] {
        [self.side | self.ahead, self.spoke | self.behind]
    }

    /// One point for each mill that `stones` close, if these are their lines.
    #[inline(always)]
    pub fn mills(self, stones: Points) -> Points {
        // Middles stand for sides, the corners after the middle ring's middles for spokes.
        stones & self.side | clockwise(stones & self.spoke & 0xff00)
    }

    /// Points where a neighbouring stone outside the line closes a mill, apart as in [`Lines::apart`]. They may be
    /// occupied.
    #[inline(always)]
    pub fn apart_by_sliding(self, stones: Points) -> [Points; 2] {
        let (after, before) = (clockwise(stones), anticlockwise(stones));
        let across = inwards(stones) | outwards(stones);
        [self.side & across | self.ahead & after, self.spoke & (after | before) | self.behind & before]
    }

    /// Points next to `stones` where one of them, sliding there, closes a mill. They may be occupied.
    #[inline(always)]
    pub fn closed_by_sliding(self, stones: Points) -> Points {
        clockwise(stones) & self.coming_clockwise()
            | anticlockwise(stones) & self.coming_anticlockwise()
            | (inwards(stones) | outwards(stones)) & self.coming_across()
    }

    /// Where a stone that comes clockwise closes a mill.
    #[inline(always)]
    pub fn coming_clockwise(self) -> Points {
        self.spoke | self.ahead
    }

    /// Where a stone that comes anticlockwise closes a mill.
    #[inline(always)]
    pub fn coming_anticlockwise(self) -> Points {
        self.spoke | self.behind
    }

    /// Where a stone that comes along a spoke closes a mill.
    #[inline(always)]
    pub fn coming_across(self) -> Points {
        self.side
    }
}

/// Where a stone of `own` opens two mills at once: on both lines of the point stands one of `own`, the rest is `empty`.
#[inline(always)]
pub fn forks(own: Points, empty: Points) -> Points {
    let half = |a: fn(Points) -> Points, b: fn(Points) -> Points| a(own) & b(empty) | a(empty) & b(own);
    let middles = half(clockwise, anticlockwise) & half(around_inwards, around_outwards) & MIDDLES;
    let ahead = half(anticlockwise, |set| anticlockwise(anticlockwise(set)));
    let behind = half(clockwise, |set| clockwise(clockwise(set)));
    (middles | ahead & behind & CORNERS) & empty
}

/// One ring further in along the spokes, from the inner ring to the outer one.
#[inline(always)]
fn around_inwards(set: Points) -> Points {
    (set & MIDDLES) << 8 & ALL | (set & MIDDLES) >> 16
}

/// One ring further out along the spokes, from the outer ring to the inner one.
#[inline(always)]
fn around_outwards(set: Points) -> Points {
    (set & MIDDLES) >> 8 | (set & MIDDLES) << 16 & ALL
}

/// The stones of one side that stand in at least one closed mill.
#[inline(always)]
pub fn in_mills(stones: Points) -> Points {
    stones & Lines::of(stones).any()
}

/// The points of a set in rising order.
#[inline(always)]
pub fn each(set: Points) -> impl Iterator<Item = u8> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros();
        (rest != 0).then(|| {
            rest &= rest - 1;
            point as u8
        })
    })
}

/// How many symmetries the board has: four turns, mirrored or not, rings swapped or not.
pub const SYMMETRIES: usize = 16;

/// The image of a set. Symmetry: bits 0 and 1 are quarter turns clockwise after bit 2, the mirror; bit 3 swaps the
/// outer ring with the inner one.
///
/// All of them map neighbours to neighbours and mills to mills: turns and mirror because the board is drawn so, the
/// swap because sides stay sides and spokes, read backwards, stay spokes. Placing looks at even less than moving does:
/// empty points and mills, not neighbours. So what is legal, closed and removable in a position is so in its image,
/// in every phase, with any rules.
pub fn image(set: Points, symmetry: usize) -> Points {
    let mut set = set;
    if symmetry & 4 != 0 {
        // Reversed bits and bytes reverse each byte: k to 7 - k. One step on it is -k.
        set = clockwise(set.reverse_bits().swap_bytes());
    }
    for _ in 0..symmetry & 3 {
        set = clockwise(clockwise(set));
    }
    if symmetry & 8 != 0 {
        set = set >> 16 | set & 0xff00 | (set & 0xff) << 16;
    }
    set
}

/// The image of a point.
pub fn image_point(point: u8, symmetry: usize) -> u8 {
    image(1 << point, symmetry).trailing_zeros() as u8
}

/// The symmetry that undoes `symmetry`: mirrors undo themselves, turns are turned back.
pub fn inverse(symmetry: usize) -> usize {
    match symmetry & 4 {
        0 => symmetry & 8 | (4 - (symmetry & 3)) & 3,
        _ => symmetry,
    }
}

/// The board as it is drawn.
pub fn board() -> Board {
    let cell = |point: usize| {
        let (column, row) = place(point);
        Cell { name: NAMES[point].into(), x: column as f32, y: 6.0 - row as f32 }
    };
    let line =
        |from: u8| each(clockwise(1 << from) | inwards(1 << from)).map(move |to| (from.into(), to.into()));
    let columns = ('a'..='g').zip(0..).map(|(letter, x)| Label { text: letter.into(), x: x as f32, y: 6.9 });
    let rows = (1..=7).map(|row| Label { text: row.to_string(), x: -0.9, y: 7.0 - row as f32 });
    Board {
        ground: Ground::Lines,
        cells: (0..COUNT).map(cell).collect(),
        lines: each(ALL).flat_map(line).collect(),
        labels: columns.chain(rows).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as they are drawn: neighbours share a row or column with nothing but line between them.
    fn drawn_mills() -> Vec<Points> {
        let side = |ring: usize, corner: usize| -> Points {
            (0..3).map(|step| 1 << (8 * ring + (corner + step) % 8)).sum()
        };
        let spoke = |k: usize| -> Points { (0..3).map(|ring| 1 << (8 * ring + k)).sum() };
        let sides = (0..3).flat_map(|ring| [0, 2, 4, 6].map(|corner| side(ring, corner)));
        sides.chain([1, 3, 5, 7].map(spoke)).collect()
    }

    #[test]
    fn mills_are_sixteen_rows_and_columns() {
        let mills = drawn_mills();
        assert_eq!(mills.len(), 16);
        for mill in mills {
            let places: Vec<_> = each(mill).map(|point| place(point.into())).collect();
            let same =
                |part: fn(&(usize, usize)) -> usize| places.iter().all(|p| part(p) == part(&places[0]));
            assert!(same(|p| p.0) || same(|p| p.1), "{places:?}");
            assert_eq!(in_mills(mill), mill);
        }
    }

    #[test]
    fn lines_agree_with_the_sixteen_mills() {
        let mills = drawn_mills();
        let mut word = 1_u64;
        for _ in 0..20_000 {
            word = trilith_base::seed::mix(word);
            let stones = word as u32 & (word >> 32) as u32 & ALL;
            let closes = |point: u8| {
                let bit = 1 << point;
                mills.iter().filter(|&&mill| mill & bit != 0 && mill & !bit & !stones == 0).count()
            };
            let lines = Lines::of(stones);
            for point in each(ALL) {
                assert_eq!(lines.any() >> point & 1, u32::from(closes(point) > 0));
                assert_eq!(lines.both() >> point & 1, u32::from(closes(point) == 2));
            }
        }
    }

    #[test]
    fn board_has_the_32_segments_of_the_drawing() {
        let board = board();
        assert_eq!(board.lines.len(), 32);
        for (from, to) in board.lines {
            let (from, to) = (place(from), place(to));
            assert!((from.0 == to.0) != (from.1 == to.1), "{from:?} {to:?}");
        }
        let degrees: Vec<_> = each(ALL).map(|point| neighbours(1 << point).count_ones()).collect();
        let of_degree = |degree| degrees.iter().filter(|&&d| d == degree).count();
        // S2, 1.1: twelve points have two neighbours, eight three, four four.
        assert_eq!([2, 3, 4].map(of_degree), [12, 8, 4]);
    }

    #[test]
    fn symmetries_are_sixteen_automorphisms() {
        let mills = drawn_mills();
        let images: std::collections::HashSet<Vec<u8>> =
            (0..SYMMETRIES).map(|s| each(ALL).map(|point| image_point(point, s)).collect()).collect();
        assert_eq!(images.len(), SYMMETRIES);
        for symmetry in 0..SYMMETRIES {
            assert!(mills.iter().all(|&mill| mills.contains(&image(mill, symmetry))));
            for point in each(ALL) {
                let there = image_point(point, symmetry);
                assert_eq!(image(neighbours(1 << point), symmetry), neighbours(1 << there));
                assert_eq!(image_point(there, inverse(symmetry)), point);
            }
        }
    }
}
