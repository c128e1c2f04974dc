//! The 24 points as bits, and every question about lines answered for all points at once.
//!
//! Point `8 * ring + k`: ring 0 is the outer square, 2 the inner one; `k` runs clockwise from the corner at the bottom
//! left, so corners are even, middles odd. Neighbours are `k ± 1` in the same ring and, for middles, the same `k` in
//! the next ring. Mills are the sides (corner, middle, corner) and the spokes (one middle in all three rings). So each
//! ring is a byte, a step along it a rotation of that byte, a step across it a shift by eight.
//!
//! Diagonals are four spokes more, through the corners. What lies across the rings is asked of a [`SpokeGrid`], which knows
//! where the spokes are: the same steps with another mask.

use crate::board::{Board, BoardGround, Cell, Label};

/// A set of points, bit by number; only the low 24 bits are used.
pub type Points = u32;

/// How many points there are.
pub const COUNT: usize = 24;
/// All points.
pub const ALL: Points = 0x00ff_ffff;

const CORNERS: Points = 0x0055_5555;
const MIDDLES: Points = 0x00aa_aaaa;
const MIDDLE_RING: Points = 0x0000_ff00;

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

/// Which points have a spoke through them: the middles, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpokeGrid {
    spokes: Points,
}

impl SpokeGrid {
    /// Spokes through the middles of sides only: the usual board, with 16 mills.
    pub const PLAIN: SpokeGrid = SpokeGrid { spokes: MIDDLES };
    /// Spokes through the corners too: the board of Morabaraba, with 20 mills.
    pub const DIAGONALS: SpokeGrid = SpokeGrid { spokes: ALL };

    /// Whether lines join the corners.
    pub fn has_diagonals(self) -> bool {
        self == SpokeGrid::DIAGONALS
    }

    /// The points one ring further in, along the spokes.
    #[inline(always)]
    pub fn inwards(self, set: Points) -> Points {
        (set & self.spokes) << 8 & ALL
    }

    /// The points one ring further out, along the spokes.
    #[inline(always)]
    pub fn outwards(self, set: Points) -> Points {
        (set & self.spokes) >> 8
    }

    /// All neighbours of the points of `set`.
    #[inline(always)]
    pub fn neighbours(self, set: Points) -> Points {
        clockwise(set) | anticlockwise(set) | self.inwards(set) | self.outwards(set)
    }

    /// One bit for each neighbour past two that the points of `set` have.
    #[inline(always)]
    pub fn branches(self, set: Points) -> u32 {
        let set = set & self.spokes;
        set | (set & MIDDLE_RING) << 16
    }

    /// The lines on which two of `stones` stand.
    #[inline(always)]
    pub fn lines(self, stones: Points) -> MillLines {
        let after = clockwise(stones);
        let before = anticlockwise(stones);
        MillLines {
            grid: self,
            side: after & before & MIDDLES,
            spoke: self.around_inwards(stones) & self.around_outwards(stones),
            ahead: before & anticlockwise(before) & CORNERS,
            behind: after & clockwise(after) & CORNERS,
        }
    }

    /// The stones of one side that stand in at least one closed mill.
    #[inline(always)]
    pub fn in_mills(self, stones: Points) -> Points {
        stones & self.lines(stones).any()
    }

    /// Where a stone of `own` opens two mills at once: on two lines of the point stands one of `own`, the rest is
    /// `empty`. With diagonals it may close a third.
    #[inline(always)]
    pub fn forks(self, own: Points, empty: Points) -> Points {
        let half = |set: fn(Points) -> Points, rest: fn(Points) -> Points| {
            set(own) & rest(empty) | set(empty) & rest(own)
        };
        let (inwards, outwards) = (|set| self.around_inwards(set), |set| self.around_outwards(set));
        let side = half(clockwise, anticlockwise) & MIDDLES;
        let spoke = inwards(own) & outwards(empty) | inwards(empty) & outwards(own);
        let ahead = half(anticlockwise, |set| anticlockwise(anticlockwise(set)));
        let behind = half(clockwise, |set| clockwise(clockwise(set)));
        let corners = ahead & behind | (ahead | behind) & spoke;
        (side & spoke | corners & CORNERS) & empty
    }

    /// One ring further in along the spokes, from the inner ring to the outer one.
    #[inline(always)]
    fn around_inwards(self, set: Points) -> Points {
        (set & self.spokes) << 8 & ALL | (set & self.spokes) >> 16
    }

    /// One ring further out along the spokes, from the outer ring to the inner one.
    #[inline(always)]
    fn around_outwards(self, set: Points) -> Points {
        (set & self.spokes) >> 8 | (set & self.spokes) << 16 & ALL
    }

    /// The board as it is drawn.
    pub fn board(self) -> Board {
        let cell = |point: usize| {
            let (column, row) = place(point);
            Cell { name: NAMES[point].into(), x: column as f32, y: 6.0 - row as f32 }
        };
        let line = |from: u8| {
            each(clockwise(1 << from) | self.inwards(1 << from)).map(move |to| (from.into(), to.into()))
        };
        let columns =
            ('a'..='g').zip(0..).map(|(letter, x)| Label { text: letter.into(), x: x as f32, y: 6.9 });
        let rows = (1..=7).map(|row| Label { text: row.to_string(), x: -0.9, y: 7.0 - row as f32 });
        Board {
            ground: BoardGround::Lines,
            cells: (0..COUNT).map(cell).collect(),
            lines: each(ALL).flat_map(line).collect(),
            labels: columns.chain(rows).collect(),
        }
    }
}

/// The points whose two companions on a line belong to a set of stones, by kind of line.
///
/// A middle lies on two lines, a corner on two or, with diagonals, three. A stone that slides comes along one of them
/// and leaves a gap there, so it can close the others only; a stone from the hand can close all.
#[derive(Clone, Copy)]
pub struct MillLines {
    grid: SpokeGrid,
    /// Middles between two corners.
    side: Points,
    /// Points with both others of their spoke.
    spoke: Points,
    /// Corners with the side that follows clockwise.
    ahead: Points,
    /// Corners with the side that comes before.
    behind: Points,
}

impl MillLines {
    /// Where one more stone would close at least one mill.
    #[inline(always)]
    pub fn any(self) -> Points {
        self.side | self.spoke | self.ahead | self.behind
    }

    /// Where one more stone would close two mills or more.
    #[inline(always)]
    pub fn several(self) -> Points {
        self.side & self.spoke | self.ahead & self.behind | (self.ahead | self.behind) & self.spoke
    }

    /// Where one more stone would close a mill, in three sets so that a point that would close two is in two of them.
    /// The third is empty without diagonals.
    #[inline(always)]
    pub fn apart(self) -> [Points; 3] {
        [self.side | self.ahead, self.spoke & MIDDLES | self.behind, self.spoke & CORNERS]
    }

    /// One bit for each mill that `stones` close, if these are their lines.
    #[inline(always)]
    pub fn mills(self, stones: Points) -> u32 {
        // Middles stand for sides; the middle ring, above all points, for spokes.
        stones & self.side | (stones & self.spoke & MIDDLE_RING) << 16
    }

    /// Points where a neighbouring stone outside the line closes a mill, apart as in [`MillLines::apart`]. They may be
    /// occupied.
    #[inline(always)]
    pub fn apart_by_sliding(self, stones: Points) -> [Points; 3] {
        let (after, before) = (clockwise(stones), anticlockwise(stones));
        let across = self.grid.inwards(stones) | self.grid.outwards(stones);
        let spoke = self.spoke & (after | before);
        [
            self.side & across | self.ahead & (after | across),
            spoke & MIDDLES | self.behind & (before | across),
            spoke & CORNERS,
        ]
    }

    /// Points next to `stones` where one of them, sliding there, closes a mill. They may be occupied.
    #[inline(always)]
    pub fn closed_by_sliding(self, stones: Points) -> Points {
        clockwise(stones) & self.coming_clockwise()
            | anticlockwise(stones) & self.coming_anticlockwise()
            | (self.grid.inwards(stones) | self.grid.outwards(stones)) & self.coming_across()
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
        self.side | self.ahead | self.behind
    }
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
/// swap because sides stay sides and spokes, read backwards, stay spokes; with diagonals too. Placing looks at even less than moving does:
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

#[cfg(test)]
mod tests {
    use super::*;

    const GRIDS: [SpokeGrid; 2] = [SpokeGrid::PLAIN, SpokeGrid::DIAGONALS];

    /// Lines as they are drawn: neighbours share a row, a column or a diagonal with nothing but line between them.
    fn drawn_mills(grid: SpokeGrid) -> Vec<Points> {
        let side = |ring: usize, corner: usize| -> Points {
            (0..3).map(|step| 1 << (8 * ring + (corner + step) % 8)).sum()
        };
        let spoke = |k: usize| -> Points { (0..3).map(|ring| 1 << (8 * ring + k)).sum() };
        let sides = (0..3).flat_map(|ring| [0, 2, 4, 6].map(|corner| side(ring, corner)));
        let diagonals = if grid.has_diagonals() { &[0, 2, 4, 6][..] } else { &[] };
        sides.chain([1, 3, 5, 7].map(spoke)).chain(diagonals.iter().map(|&k| spoke(k))).collect()
    }

    #[test]
    fn mills_are_rows_columns_and_diagonals() {
        for (grid, number) in [(SpokeGrid::PLAIN, 16), (SpokeGrid::DIAGONALS, 20)] {
            let mills = drawn_mills(grid);
            assert_eq!(mills.len(), number);
            assert_eq!(grid.lines(ALL).mills(ALL).count_ones() as usize, number);
            let mut slanted = 0;
            for mill in mills {
                let places: Vec<_> = each(mill).map(|point| place(point.into())).collect();
                let same =
                    |part: fn(&(usize, usize)) -> usize| places.iter().all(|p| part(p) == part(&places[0]));
                let straight = same(|p| p.0) || same(|p| p.1);
                assert!(straight || same(|p| p.0 + p.1) || same(|p| 6 + p.0 - p.1), "{places:?}");
                slanted += usize::from(!straight);
                assert_eq!(grid.in_mills(mill), mill);
                assert_eq!(grid.lines(mill).mills(mill).count_ones(), 1);
            }
            assert_eq!(slanted, number - 16);
        }
    }

    #[test]
    fn lines_agree_with_the_mills() {
        for grid in GRIDS {
            let mills = drawn_mills(grid);
            let mut word = 1_u64;
            for _ in 0..20_000 {
                word = trilith_base::seed::mix(word);
                let stones = word as u32 & (word >> 32) as u32 & ALL;
                let closes = |point: u8| {
                    let bit = 1 << point;
                    mills.iter().filter(|&&mill| mill & bit != 0 && mill & !bit & !stones == 0).count()
                };
                let lines = grid.lines(stones);
                for point in each(ALL) {
                    assert_eq!(lines.any() >> point & 1, u32::from(closes(point) > 0));
                    assert_eq!(lines.several() >> point & 1, u32::from(closes(point) > 1));
                    let apart = lines.apart().map(|set| (set >> point & 1) as usize);
                    assert_eq!(apart.iter().sum::<usize>(), closes(point));
                }
                let closed = mills.iter().filter(|&&mill| mill & !stones == 0).count();
                assert_eq!(lines.mills(stones).count_ones() as usize, closed);
            }
        }
    }

    /// A neighbour that is not on the line slides there and closes it.
    #[test]
    fn sliding_closes_the_lines_that_the_stone_does_not_come_along() {
        for grid in GRIDS {
            let mills = drawn_mills(grid);
            let mut word = 2_u64;
            for _ in 0..20_000 {
                word = trilith_base::seed::mix(word);
                let stones = word as u32 & (word >> 32) as u32 & ALL;
                let lines = grid.lines(stones);
                let (apart, any) = (lines.apart_by_sliding(stones), lines.closed_by_sliding(stones));
                for point in each(ALL & !stones) {
                    let bit = 1 << point;
                    let is_closed = |mill: &&Points| {
                        *mill & bit != 0
                            && *mill & !bit & !stones == 0
                            && grid.neighbours(bit) & stones & !*mill != 0
                    };
                    let closed = mills.iter().filter(is_closed).count();
                    assert_eq!(apart.map(|set| (set >> point & 1) as usize).iter().sum::<usize>(), closed);
                    assert_eq!(any >> point & 1, u32::from(closed > 0));
                }
            }
        }
    }

    #[test]
    fn boards_have_the_segments_of_the_drawing() {
        for (grid, segments, degrees) in
            [(SpokeGrid::PLAIN, 32, [12, 8, 4]), (SpokeGrid::DIAGONALS, 40, [0, 16, 8])]
        {
            let board = grid.board();
            assert_eq!(board.lines.len(), segments);
            for (from, to) in board.lines {
                let (from, to) = (place(from), place(to));
                let (across, up) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
                let straight = (across == 0) != (up == 0);
                assert!(straight || grid.has_diagonals() && (across, up) == (1, 1), "{from:?} {to:?}");
            }
            let found: Vec<_> = each(ALL).map(|point| grid.neighbours(1 << point).count_ones()).collect();
            let of_degree = |degree| found.iter().filter(|&&d| d == degree).count();
            // S2, 1.1: twelve points have two neighbours, eight three, four four.
            assert_eq!([2, 3, 4].map(of_degree), degrees);
            let past_two = |point: u8| grid.branches(1 << point).count_ones() + 2;
            assert!(each(ALL).map(past_two).eq(found));
        }
    }

    #[test]
    fn symmetries_are_sixteen_automorphisms() {
        let images: std::collections::HashSet<Vec<u8>> =
            (0..SYMMETRIES).map(|s| each(ALL).map(|point| image_point(point, s)).collect()).collect();
        assert_eq!(images.len(), SYMMETRIES);
        for (grid, symmetry) in GRIDS.into_iter().flat_map(|grid| (0..SYMMETRIES).map(move |s| (grid, s))) {
            let mills = drawn_mills(grid);
            assert!(mills.iter().all(|&mill| mills.contains(&image(mill, symmetry))));
            for point in each(ALL) {
                let there = image_point(point, symmetry);
                assert_eq!(image(grid.neighbours(1 << point), symmetry), grid.neighbours(1 << there));
                assert_eq!(image_point(there, inverse(symmetry)), point);
            }
        }
    }
}
