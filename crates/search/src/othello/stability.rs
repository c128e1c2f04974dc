//! Discs that can never be turned, and the bound on the score that they give.
//!
//! A disc on an edge is stable if no way to fill that edge turns it: a table of all 3^8 edges. An inner disc is
//! stable if along each of its four lines the line is full or a neighbour is a stable disc of the same side.

/// For each edge, a square per ternary digit (0 empty, 1 own, 2 other), the own discs that nothing can turn; filled up to
/// a power of two.
static EDGES: [u8; 8192] = edges();
/// The ternary number with the binary digits of its place.
static TERNARY: [u16; 256] = ternary();
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;

const fn ternary() -> [u16; 256] {
    let mut numbers = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut at, mut power) = (0, 1);
        while at < 8 {
            if bits >> at & 1 == 1 {
                numbers[bits] += power;
            }
            power *= 3;
            at += 1;
        }
        bits += 1;
    }
    numbers
}

/// Fullest edges first: an own disc of an edge is stable if it is so after every disc that can come next.
#[allow(long_running_const_eval)]
const fn edges() -> [u8; 8192] {
    let ternary = ternary();
    let mut stable = [0; 8192];
    let mut discs = 8;
    loop {
        let mut occupied = 0;
        while occupied < 256_u32 {
            if occupied.count_ones() == discs {
                let mut own = occupied;
                loop {
                    let other = occupied ^ own;
                    let index = ternary[own as usize] + 2 * ternary[other as usize];
                    stable[index as usize] = stable_on_edge(own as u8, other as u8, &stable, &ternary);
                    if own == 0 {
                        break;
                    }
                    own = (own - 1) & occupied;
                }
            }
            occupied += 1;
        }
        if discs == 0 {
            return stable;
        }
        discs -= 1;
    }
}

const fn stable_on_edge(own: u8, other: u8, known: &[u8; 8192], ternary: &[u16; 256]) -> u8 {
    let mut stable = own;
    let mut at = 0;
    while at < 8 {
        if (own | other) >> at & 1 == 0 {
            let turned = edge_flips(own, other, at);
            let (mine, its) = (own | turned | 1 << at, other & !turned);
            stable &= known[(ternary[mine as usize] + 2 * ternary[its as usize]) as usize];
            let turned = edge_flips(other, own, at);
            let (mine, its) = (own & !turned, other | turned | 1 << at);
            stable &= known[(ternary[mine as usize] + 2 * ternary[its as usize]) as usize];
        }
        at += 1;
    }
    stable
}

const fn edge_flips(own: u8, other: u8, at: u32) -> u8 {
    let (own, other) = (own as u32, other as u32);
    let (mut up, mut flips) = (at + 1, 0);
    while up < 8 && other >> up & 1 == 1 {
        up += 1;
    }
    if up < 8 && own >> up & 1 == 1 {
        flips |= (1 << up) - (2 << at);
    }
    let mut down = at;
    while down > 0 && other >> (down - 1) & 1 == 1 {
        down -= 1;
    }
    if down > 0 && own >> (down - 1) & 1 == 1 {
        flips |= (1 << at) - (1 << down);
    }
    flips as u8
}

#[inline(always)]
fn edge(own: u64, other: u64) -> u64 {
    let (own, other) = ((own & 255) as usize, (other & 255) as usize);
    u64::from(EDGES[usize::from(TERNARY[own] + 2 * TERNARY[other]) & 8191])
}

/// The a column as a byte, a1 lowest.
#[inline(always)]
fn column(bits: u64) -> u64 {
    ((bits & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// A byte as an a column.
#[inline(always)]
fn spread(byte: u64) -> u64 {
    // The eighth bit would carry into the others.
    (byte & 127).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A | (byte & 128) << 49
}

#[inline(always)]
fn stable_edges(own: u64, other: u64) -> u64 {
    edge(own, other)
        | edge(own >> 56, other >> 56) << 56
        | spread(edge(column(own), column(other)))
        | spread(edge(column(own >> 7), column(other >> 7))) << 7
}

/// Squares whose line in each of the steps 1, 8, 7 and 9 has no empty square.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    const STEPS: [u32; 4] = [1, 8, 7, 9];
    /// Squares that can be entered by one, two, four steps up; those by steps down mirror them.
    const UP: [[u64; 4]; 3] = [
        [!COLUMN_A, !0, !(COLUMN_A << 7), !COLUMN_A],
        [!(COLUMN_A * 3), !0, !(COLUMN_A * 0xc0), !(COLUMN_A * 3)],
        [!(COLUMN_A * 15), !0, !(COLUMN_A * 0xf0), !(COLUMN_A * 15)],
    ];
    const DOWN: [[u64; 4]; 3] = [
        [!(COLUMN_A << 7), !0, !COLUMN_A, !(COLUMN_A << 7)],
        [!(COLUMN_A * 0xc0), !0, !(COLUMN_A * 3), !(COLUMN_A * 0xc0)],
        [!(COLUMN_A * 0xf0), !0, !(COLUMN_A * 15), !(COLUMN_A * 0xf0)],
    ];
    let (mut up, mut down) = ([!occupied; 4], [!occupied; 4]);
    for turn in 0..3 {
        for at in 0..4 {
            up[at] |= up[at] << (STEPS[at] << turn) & UP[turn][at];
            down[at] |= down[at] >> (STEPS[at] << turn) & DOWN[turn][at];
        }
    }
    std::array::from_fn(|at| !(up[at] | down[at]))
}

/// Discs of `own` that can never be turned; some that cannot may be missing.
#[inline(always)]
pub fn stable(own: u64, other: u64) -> u64 {
    with_inner(stable_edges(own, other), own, other)
}

/// Adds to the stable discs of the edges those inside.
#[inline(always)]
fn with_inner(edges: u64, own: u64, other: u64) -> u64 {
    let [row, column, rise, fall] = full_lines(own | other);
    let inner = own & INNER;
    let mut stable = edges | inner & row & column & rise & fall;
    if stable == 0 {
        return 0;
    }
    loop {
        let straight =
            inner & !stable & (row | stable << 1 | stable >> 1) & (column | stable << 8 | stable >> 8);
        if straight == 0 {
            return stable;
        }
        let next = straight & (rise | stable << 7 | stable >> 7) & (fall | stable << 9 | stable >> 9);
        if next == 0 {
            return stable;
        }
        stable |= next;
    }
}

/// No line of play gives the side to move more than this: what stays `other`'s is lost twice.
#[inline(always)]
pub fn upper_bound(own: u64, other: u64) -> i32 {
    bound(stable(other, own))
}

/// As [`upper_bound`], or something above `alpha` if that would be.
#[inline(always)]
pub fn upper_bound_near(own: u64, other: u64, alpha: i32) -> i32 {
    if bound(other) > alpha {
        return bound(other);
    }
    let edges = stable_edges(other, own);
    let most = edges | other & INNER;
    if bound(most) > alpha {
        return bound(most);
    }
    bound(with_inner(edges, other, own))
}

/// What is left for the side to move if its opponent keeps these discs.
#[inline(always)]
fn bound(kept: u64) -> i32 {
    64 - 2 * kept.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_holds_its_edge_and_its_corner_area() {
        assert_eq!(stable(0x0000_0000_0003_0307, 0), 0x0000_0000_0001_0307);
        assert_eq!(stable(0x0000_0000_0000_003c, 0), 0, "an edge without corners can be turned");
        assert_eq!(stable(0xff, 0), 0xff);
        assert_eq!(stable(0x8080_8080_8080_8080, 0), 0x8080_8080_8080_8080);
        assert_eq!(stable(!0, 0), !0);
    }

    #[test]
    fn lines_are_full_without_a_hole_in_them() {
        for square in 0..64 {
            let (x, y) = (square % 8, square / 8);
            let lines = full_lines(!(1 << square));
            for at in 0..64 {
                let (a, b) = (at % 8, at / 8);
                let holes = [b == y, a == x, a + b == x + y, a - b == x - y];
                for (line, hole) in lines.into_iter().zip(holes) {
                    assert_eq!(line >> at & 1 == 0, hole, "hole {square}, square {at}");
                }
            }
        }
    }
}
