//! The eight rays of each square, the one table that all techniques share.

/// For each square the squares seen in steps of +1, +8, +7, +9, then of -1, -8, -7, -9.
pub static RAYS: [[u64; 8]; 64] = build();

const STEPS: [(i8, i8); 8] = [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];

const fn build() -> [[u64; 8]; 64] {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            rays[square][direction] = ray((square % 8) as i8, (square / 8) as i8, STEPS[direction]);
            direction += 1;
        }
        square += 1;
    }
    rays
}

const fn ray(mut x: i8, mut y: i8, step: (i8, i8)) -> u64 {
    let mut bits = 0;
    loop {
        x += step.0;
        y += step.1;
        if x < 0 || x > 7 || y < 0 || y > 7 {
            return bits;
        }
        bits |= 1 << (8 * y + x);
    }
}
