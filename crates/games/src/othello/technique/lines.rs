//! How many discs the last disc of a game turns along a line: all other squares are occupied, so own discs say it.

/// The four lines through a square.
pub struct Lines {
    /// Row, column, rising and falling diagonal, each with the square.
    pub masks: [u64; 4],
    /// For each line the row of [`TURNED`] that belongs to its squares packed together.
    pub turned: [&'static [u8; 256]; 4],
}

/// The lines through each square.
pub static LINES: [Lines; 64] = lines();

/// Discs turned along a line by a disc at a place, for each set of own discs on the line.
///
/// Places past the end of a short diagonal hold no own disc, so nothing is turned towards them.
pub static TURNED: [[u8; 256]; 8] = turned();

const fn turned() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256_u32 {
            let (above, below) = (own >> at >> 1, own & ((1 << at) - 1));
            if above != 0 {
                table[at][own as usize] += above.trailing_zeros() as u8;
            }
            if below != 0 {
                table[at][own as usize] += (at as u32 - 1 - below.ilog2()) as u8;
            }
            own += 1;
        }
        at += 1;
    }
    table
}

const fn lines() -> [Lines; 64] {
    let mut lines = [const { Lines { masks: [0; 4], turned: [&TURNED[0]; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let masks = masks(square as i32);
        let mut line = 0;
        while line < 4 {
            let below = masks[line] & ((1 << square) - 1);
            lines[square].turned[line] = &TURNED[below.count_ones() as usize];
            line += 1;
        }
        lines[square].masks = masks;
        square += 1;
    }
    lines
}

const fn masks(square: i32) -> [u64; 4] {
    let mut masks = [0; 4];
    let mut at = 0;
    while at < 64 {
        let (right, up) = (at % 8 - square % 8, at / 8 - square / 8);
        masks[0] |= ((up == 0) as u64) << at;
        masks[1] |= ((right == 0) as u64) << at;
        masks[2] |= ((right == -up) as u64) << at;
        masks[3] |= ((right == up) as u64) << at;
        at += 1;
    }
    masks
}
