//! What a search may know before it looks: moves that close mills come first (S2, 2.7), then those that prepare or
//! prevent mills; closing mills and opening two at once unsettles a position (S2, 2.10).

use super::moves::{self, Move, NONE};
use super::points::{self, Points};
use super::position::Position;
use super::rules::Rules;
use crate::game::{MoveList, Noise};

/// The empty points where a side with `stones` on the board and `hand` stones in hand can close a mill in one move.
#[inline(always)]
pub fn closable(rules: &Rules, stones: Points, hand: u8, empty: Points) -> Points {
    let lines = rules.grid.lines(stones);
    // With three stones, two on a line leave the third one free to fly to its end.
    let anywhere = hand > 0 || rules.flying && stones.count_ones() == 3;
    let closed = if anywhere { lines.any() } else { lines.closed_by_sliding(stones) };
    closed & empty
}

/// More than all threats together.
const CAPTURE: i32 = 7;
const MENACE: i32 = 2;

/// Stones taken; then points to close a mill at next time, up to two, less twice the opponent's: so forks, blocks and
/// stones taken out of open mills come before the rest.
#[inline(always)]
pub(super) fn ordering_score(rules: &Rules, position: &Position, mv: Move) -> i32 {
    let own = position.own & !(1 << mv.from) | 1 << mv.to;
    let other = position.other & !mv.removed_set();
    let empty = !(own | other) & points::ALL;
    let hand = position.own_hand - u8::from(mv.from == NONE);
    let points = |stones, hand| closable(rules, stones, hand, empty).count_ones().min(2) as i32;
    let taken = i32::from(mv.removed[0] != NONE) + i32::from(mv.removed[1] != NONE);
    CAPTURE * taken + points(own, hand) - MENACE * points(other, position.other_hand)
}

#[inline(always)]
pub(super) fn is_noisy(rules: &Rules, position: &Position, mv: Move, noise: Noise) -> bool {
    match noise {
        Noise::Captures => mv.removed[0] != NONE,
        Noise::Forks => mv.from == NONE && forks(rules, position) >> mv.to & 1 != 0,
    }
}

/// Where a placed stone opens two mills that later stones from the hand can close, and closes none.
#[inline(always)]
fn forks(rules: &Rules, position: &Position) -> Points {
    if position.own_hand <= 1 {
        return 0;
    }
    let forks = rules.grid.forks(position.own, position.empty());
    // Without diagonals a point has two lines, so that what opens two closes none.
    if rules.grid.has_diagonals() { forks & !rules.grid.lines(position.own).any() } else { forks }
}

/// Puts the noisy moves into the emptied list. Trusts that the game has not ended.
pub(super) fn noisy(rules: &Rules, position: &Position, noise: Noise, into: &mut MoveList<Move>) {
    match noise {
        Noise::Captures => moves::each_capture(rules, position, |mv| into.push(mv)),
        Noise::Forks => {
            let placed = |to| Move { from: NONE, to, removed: [NONE; 2] };
            into.extend(points::each(forks(rules, position)).map(placed));
        }
    }
}

/// Moves and stones from which on a side that has placed all of its stones is hardly ever hurt by having to move.
const FREE: (u32, u32) = (6, 5);

/// Whether the side to move would hardly ever rather pass.
pub(super) fn is_free(rules: &Rules, position: &Position) -> bool {
    match (position.own_hand, position.other_hand) {
        (0, 0) => moves::count(rules, position) >= FREE.0 && position.own.count_ones() >= FREE.1,
        (own, other) => own > 0 && other > 0,
    }
}

/// Stones placed, 0 to 17; from 18 on stones lost when nobody flies; from 31 on when somebody does. Counted as if both
/// sides began with nine: what is more counts as none placed and none lost.
pub(super) fn phase(rules: &Rules, position: &Position) -> usize {
    const ALL: usize = 18;
    let hands = usize::from(position.own_hand + position.other_hand);
    if hands > 0 {
        return ALL.saturating_sub(hands);
    }
    let (own, other) = (position.own.count_ones(), position.other.count_ones());
    let lost = ALL.saturating_sub((own + other) as usize);
    if rules.flying && own.min(other) <= 3 { 31 + lost } else { ALL + lost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::morris::Morris;
    use crate::morris::points::SpokeGrid;
    use crate::playout;
    use crate::record::Record;
    use trilith_base::Seed;

    /// All sets of three points that form a mill.
    fn mills(grid: SpokeGrid) -> Vec<Points> {
        let sets =
            (0..24).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1 << a | 1 << b | 1 << c)));
        sets.filter(|&set| grid.in_mills(set) == set).collect()
    }

    /// Calls `check` with the positions of random games under several rules.
    fn each_position(check: impl Fn(&Morris, &Position, &MoveList<Move>)) {
        for rules in [
            "standard",
            "thesis",
            "flying=off",
            "double-mill=two,capture-from-mill=always",
            "lasker",
            "morabaraba",
            "lasker,diagonals=on",
        ] {
            let game = Morris::new(rules.parse().unwrap());
            for number in 0..40 {
                let mut rng = Seed(5).derive("hints", number).rng();
                let mut record = Record::new(game);
                while record.end().is_none() && record.len() < 150 {
                    let mut legal = MoveList::new();
                    game.moves(record.position(), &mut legal);
                    check(&game, record.position(), &legal);
                    playout::play_on(&mut record, 1, &mut rng);
                }
            }
        }
    }

    #[test]
    fn closable_points_are_those_where_a_move_closes_a_mill() {
        each_position(|game, position, legal| {
            let closes = |mv: &&Move| {
                let own = position.own & !(1 << mv.from) | 1 << mv.to;
                game.rules().grid.in_mills(own) >> mv.to & 1 == 1
            };
            let expected = legal.iter().filter(closes).fold(0, |set, mv| set | 1 << mv.to);
            let found = closable(game.rules(), position.own, position.own_hand, position.empty());
            assert_eq!(found, expected, "{}", game.diagram(position));
        });
    }

    #[test]
    fn forks_are_placed_stones_with_two_open_mills() {
        let (plain, diagonals) = (mills(SpokeGrid::PLAIN), mills(SpokeGrid::DIAGONALS));
        each_position(|game, position, legal| {
            let mills = if game.rules().grid.has_diagonals() { &diagonals } else { &plain };
            for &mv in legal {
                let opens = mills.iter().filter(|&&mill| {
                    let rest = mill & !(1 << mv.to);
                    mill != rest
                        && (rest & position.own).count_ones() == 1
                        && (rest & position.empty()).count_ones() == 1
                });
                let is_placed = mv.from == NONE && position.own_hand > 1;
                let closes = game.rules().grid.lines(position.own).any() >> mv.to & 1 == 1;
                let expected = is_placed && !closes && opens.count() >= 2;
                assert_eq!(game.is_noisy(position, mv, Noise::Forks), expected, "{}", game.diagram(position));
            }
        });
    }

    #[test]
    fn captures_come_first_and_forks_and_blocks_next() {
        let game = Morris::default();
        let of = |text: &str, mv: &str| {
            let position = game.parse_position(text).unwrap();
            game.ordering_score(&position, game.parse_move(&position, mv).unwrap())
        };
        // White has a1 and g7, Black d6 and f6: White at a7 opens two mills but lets Black close his, b6 stops it.
        let placing = "2w/1bb/3/6/3/3/w2 w 7 7";
        assert_eq!([of(placing, "b6"), of(placing, "a7"), of(placing, "c5")], [0, 2 - MENACE, -MENACE]);
        // White closes a7-d7-g7; only taking d6 or f6 disarms Black.
        let closing = "ww1/1bb/3/b5/3/3/2w w 6 6";
        assert_eq!([of(closing, "g7xa4"), of(closing, "g7xf6")], [CAPTURE + 1 - MENACE, CAPTURE + 1]);
        each_position(|game, position, legal| {
            let takes = |mv: &Move| mv.removed().count() > 0;
            let least =
                legal.iter().filter(|mv| takes(mv)).map(|&mv| game.ordering_score(position, mv)).min();
            let most =
                legal.iter().filter(|mv| !takes(mv)).map(|&mv| game.ordering_score(position, mv)).max();
            assert!(least.zip(most).is_none_or(|(least, most)| least > most));
        });
    }

    #[test]
    fn nobody_passes_who_may_be_glad_to() {
        let game = Morris::default();
        let passes = |text: &str| game.null_move(&game.parse_position(text).unwrap()).is_some();
        assert!(passes("3/3/3/6/3/3/3 w 9 9"));
        assert!(!passes("wbw/bwb/3/w5/bbw/1bw/wb1 b 0 1"), "White has placed all");
        assert!(passes("3/wbw/3/wbwbw1/3/bb1/bw1 w 0 0"));
        assert!(!passes("3/3/3/ww1bbb/3/3/2w w 0 0"), "three stones");
        assert!(!passes("wb1/bwb/3/wb4/3/bw1/wbb w 0 0"), "few moves");
    }

    #[test]
    fn phases_part_placing_moving_and_flying() {
        each_position(|game, position, _| {
            let phase = game.phase(position);
            let hands = position.own_hand + position.other_hand;
            let three = position.own_total().min(position.other_total()) == 3;
            assert_eq!(phase < 18, hands > 0);
            assert_eq!(phase >= 31, hands == 0 && three && game.rules().flying);
        });
    }
}
