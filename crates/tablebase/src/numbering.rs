//! Sets of `k` of `n` points, numbered without gaps: the combinatorial number system.
//!
//! A set with members `p0 < p1 < ...` has the number `C(p0, 1) + C(p1, 2) + ...`, so numbers rise with the set read as
//! a binary word. The sum is split after twelve points; each half is looked up.

/// `n` over `k`; 0 if `k > n`.
pub const fn binomial(n: u32, k: u32) -> u32 {
    if k > n {
        return 0;
    }
    let (mut result, mut i) = (1, 0);
    while i < k {
        result = result * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    result as u32
}

const SPLIT: u32 = 12;

/// The numbers of all sets of `stones` of at most 24 points.
pub struct Numbering {
    low: Vec<u16>,
    high: Vec<u32>,
    points: u32,
    stones: u32,
}

impl Numbering {
    /// `stones <= points <= 24`, `stones <= 11`.
    pub fn new(points: u32, stones: u32) -> Numbering {
        let number = |word: u32, before: u32, first: u32| -> u32 {
            let members = (0..SPLIT).filter(|place| word >> place & 1 != 0);
            members.zip(first + 1..).map(|(place, index)| binomial(before + place, index)).sum()
        };
        let low = (0..1 << SPLIT).map(|word| number(word, 0, 0) as u16).collect();
        let high =
            |word: u32| stones.checked_sub(word.count_ones()).map_or(0, |first| number(word, SPLIT, first));
        let high = (0..1 << points.saturating_sub(SPLIT)).map(high).collect();
        Numbering { low, high, points, stones }
    }

    /// How many sets there are.
    pub fn len(&self) -> u32 {
        binomial(self.points, self.stones)
    }

    /// The number of `word`. Trusts that it has the right number of members.
    #[inline(always)]
    pub fn rank(&self, word: u32) -> u32 {
        u32::from(self.low[(word & ((1 << SPLIT) - 1)) as usize]) + self.high[(word >> SPLIT) as usize]
    }

    /// All sets, by number.
    pub fn words(&self) -> impl Iterator<Item = u32> + use<> {
        let first = (1_u32 << self.stones) - 1;
        std::iter::successors(Some(first), |&word| Some(next(word))).take(self.len() as usize)
    }
}

/// The next greater word with as many bits: the lowest run of ones moves up by one, what is left of it drops to 0.
fn next(word: u32) -> u32 {
    let lowest = word & word.wrapping_neg();
    let carried = word + lowest;
    carried | (word ^ carried) >> 2 >> lowest.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_words_from_zero() {
        for (points, stones) in [(24, 3), (24, 9), (21, 9), (15, 9), (16, 8), (12, 2), (5, 5)] {
            let numbering = Numbering::new(points, stones);
            let mut count = 0;
            for (rank, word) in (0..).zip(numbering.words()) {
                assert_eq!((numbering.rank(word), word.count_ones()), (rank, stones));
                assert!(word < 1 << points);
                count += 1;
            }
            assert_eq!(count, binomial(points, stones));
        }
    }
}
