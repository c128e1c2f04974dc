//! Moves: listed, counted, played.

use super::points::{self, Points};
use super::position::Position;
use super::rules::{CaptureFromMill, DoubleMill, FullBoard, Rules};
use crate::game::Outcome;

/// Everything one side does in its turn, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// [`NONE`] for a stone from the hand.
    pub(super) from: u8,
    pub(super) to: u8,
    /// The lower first; [`NONE`] where nothing is removed.
    pub(super) removed: [u8; 2],
}

/// No point. As a bit it lies outside the board, so it can be cleared or tested like any other.
pub(super) const NONE: u8 = 31;

fn some(point: u8) -> Option<u8> {
    (point != NONE).then_some(point)
}

impl Move {
    pub(super) fn new(from: Option<u8>, to: u8, removed: [Option<u8>; 2]) -> Move {
        let mut removed = removed.map(|point| point.unwrap_or(NONE));
        // NONE is greater than any point, so it goes last.
        removed.sort_unstable();
        Move { from: from.unwrap_or(NONE), to, removed }
    }

    /// The point left; none if the stone comes from the hand.
    pub fn from(self) -> Option<u8> {
        some(self.from)
    }

    /// The point taken.
    pub fn to(self) -> u8 {
        self.to
    }

    /// The opposing stones taken off the board, lower point first.
    pub fn removed(self) -> impl Iterator<Item = u8> {
        self.removed.into_iter().filter_map(some)
    }

    /// The opposing stones taken off the board, as a set.
    #[inline(always)]
    pub fn removed_set(self) -> Points {
        (1 << self.removed[0] | 1 << self.removed[1]) & points::ALL
    }

    /// Whether a stone is placed or removed: what resets the quiet plies and cannot be undone by play.
    #[inline(always)]
    pub fn is_lasting(self) -> bool {
        self.from == NONE || self.removed[0] != NONE
    }

    pub(super) fn image(self, symmetry: usize) -> Move {
        let seen = |point| points::image_point(point, symmetry);
        let [first, second] = self.removed.map(some);
        Move::new(self.from().map(seen), seen(self.to), [first.map(seen), second.map(seen)])
    }
}

/// The position after a legal move.
#[inline(always)]
pub(super) fn play(position: &Position, mv: Move) -> Position {
    let placed = u8::from(mv.from == NONE);
    Position {
        own: position.other & !mv.removed_set(),
        other: position.own & !(1 << mv.from) | 1 << mv.to,
        quiet: if mv.is_lasting() { 0 } else { position.quiet.saturating_add(1) },
        own_hand: position.other_hand,
        other_hand: position.own_hand - placed,
        to_move: !position.to_move,
    }
}

/// Whether the side to move has too few stones to close a mill, in hand and on the board together. Such a side has
/// lost at once, also while it still places: 'as soon as a player owns but two stones' (S2, 1.1).
#[inline(always)]
pub(super) fn has_too_few(position: &Position) -> bool {
    position.own_hand < 3 && position.own_total() < 3
}

/// Whether the side to move has stones but none that can move. With a stone in hand it never is blocked: there are no
/// more than 24 stones, so one in hand leaves a point empty.
#[inline(always)]
pub(super) fn is_blocked(rules: &Rules, position: &Position) -> bool {
    position.own_hand == 0
        && !may_fly(rules, position)
        && rules.grid.neighbours(position.own) & position.empty() == 0
}

/// Whether the board is full, which happens where no stone was lost before the last of 24 is placed.
pub(super) fn is_full(position: &Position) -> bool {
    position.empty() == 0
}

/// What a blocked side gets.
#[cold]
pub(super) fn worth_of_blocked(rules: &Rules, position: &Position) -> Outcome {
    if rules.full_board == FullBoard::Draw && is_full(position) { Outcome::Draw } else { Outcome::Loss }
}

/// Whether a draw rule for games without progress applies.
#[inline(always)]
pub(super) fn is_quiet_draw(rules: &Rules, position: &Position) -> bool {
    let quiet = u32::from(position.quiet);
    let reaches = |limit: u32| limit != 0 && quiet >= limit;
    reaches(rules.quiet_plies) || reaches(rules.endgame_plies) && has_three(position)
}

/// Whether a side has come down to three stones, none in hand.
pub(super) fn has_three(position: &Position) -> bool {
    let three = |stones: Points, hand: u8| hand == 0 && stones.count_ones() == 3;
    three(position.own, position.own_hand) || three(position.other, position.other_hand)
}

/// Whether the side to move may move its stones anywhere.
#[inline(always)]
pub(super) fn may_fly(rules: &Rules, position: &Position) -> bool {
    rules.flying && position.own_hand == 0 && position.own.count_ones() == 3
}

/// Opposing stones that one closed mill may take.
#[inline(always)]
fn removable(rules: &Rules, other: Points) -> Points {
    let free = || other & !rules.grid.in_mills(other);
    match rules.capture_from_mill {
        CaptureFromMill::Always => other,
        CaptureFromMill::Never => free(),
        CaptureFromMill::IfAllInMills => match free() {
            0 => other,
            free => free,
        },
    }
}

/// Stones that may go together with `first` and lie above it, in either order of taking.
fn companions(rules: &Rules, other: Points, first: u8) -> Points {
    let open = removable(rules, other);
    let bit = 1 << first;
    let after = if open & bit != 0 { removable(rules, other & !bit) } else { 0 };
    let before =
        points::each(open & !bit).filter(|&second| removable(rules, other & !(1 << second)) & bit != 0);
    let pairs = before.fold(after, |pairs, second| pairs | 1 << second);
    pairs & !(bit | (bit - 1))
}

/// Pairs of stones that a double mill may take.
fn pairs(rules: &Rules, other: Points) -> impl Iterator<Item = (u8, u8)> {
    points::each(other).flat_map(move |first| {
        points::each(companions(rules, other, first)).map(move |second| (first, second))
    })
}

/// In how many ways a double mill takes stones; at least one, which may be to take nothing.
fn double_ways(rules: &Rules, other: Points) -> u32 {
    let ways = pairs(rules, other).count() as u32;
    if ways == 0 { removable(rules, other).count_ones().max(1) } else { ways }
}

/// One way for stones to go: along lines in one direction, with the points where they close a mill.
struct Slide {
    targets: Points,
    closing: Points,
    origin: fn(Points) -> Points,
}

#[inline(always)]
fn slides(rules: &Rules, position: &Position) -> [Slide; 4] {
    let (grid, own) = (rules.grid, position.own);
    let empty = position.empty();
    let lines = grid.lines(own);
    let slide = |moved: Points, closing: Points, origin| Slide { targets: moved & empty, closing, origin };
    [
        slide(points::clockwise(own), lines.coming_clockwise(), points::anticlockwise),
        slide(points::anticlockwise(own), lines.coming_anticlockwise(), points::clockwise),
        slide(grid.inwards(own), lines.coming_across(), |to| to >> 8),
        slide(grid.outwards(own), lines.coming_across(), |to| to << 8),
    ]
}

/// Calls `visit` with every legal move. Trusts that the game has not ended.
#[inline(always)]
pub(super) fn each(rules: &Rules, position: &Position, visit: impl FnMut(Move)) {
    each_of::<false>(rules, position, visit);
}

/// Calls `visit` with every legal move that removes a stone. Trusts that the game has not ended.
#[inline(always)]
pub(super) fn each_capture(rules: &Rules, position: &Position, visit: impl FnMut(Move)) {
    if removable(rules, position.other) != 0 {
        each_of::<true>(rules, position, visit);
    }
}

/// All moves, or only those that close a mill.
#[inline(always)]
fn each_of<const CLOSING: bool>(rules: &Rules, position: &Position, mut visit: impl FnMut(Move)) {
    if position.own_hand > 0 {
        each_placing::<CLOSING>(rules, position, &mut visit);
        if rules.move_while_placing {
            each_slide::<CLOSING>(rules, position, &mut visit);
        }
    } else if may_fly(rules, position) {
        each_flight::<CLOSING>(rules, position, &mut visit);
    } else {
        each_slide::<CLOSING>(rules, position, &mut visit);
    }
}

#[inline(always)]
fn each_slide<const CLOSING: bool>(rules: &Rules, position: &Position, visit: &mut impl FnMut(Move)) {
    let open = removable(rules, position.other);
    for Slide { targets, closing, origin } in slides(rules, position) {
        for to in points::each(if CLOSING { targets & closing } else { targets }) {
            let from = origin(1 << to).trailing_zeros() as u8;
            finish(from, to, closing >> to & 1 != 0, open, visit);
        }
    }
}

#[inline(always)]
fn each_placing<const CLOSING: bool>(rules: &Rules, position: &Position, visit: &mut impl FnMut(Move)) {
    let lines = rules.grid.lines(position.own);
    let empty = if CLOSING { position.empty() & lines.any() } else { position.empty() };
    let double = if rules.double_mill == DoubleMill::Two { lines.several() & empty } else { 0 };
    let open = removable(rules, position.other);
    for to in points::each(empty & !double) {
        finish(NONE, to, lines.any() >> to & 1 != 0, open, visit);
    }
    for to in points::each(double) {
        finish_double(rules, position.other, to, visit);
    }
}

#[inline(always)]
fn each_flight<const CLOSING: bool>(rules: &Rules, position: &Position, visit: &mut impl FnMut(Move)) {
    let open = removable(rules, position.other);
    for from in points::each(position.own) {
        let closing = rules.grid.lines(position.own & !(1 << from)).any();
        for to in points::each(if CLOSING { position.empty() & closing } else { position.empty() }) {
            finish(from, to, closing >> to & 1 != 0, open, visit);
        }
    }
}

/// Visits the move once for every stone that it may take; once if it takes none.
#[inline(always)]
fn finish(from: u8, to: u8, closes: bool, open: Points, visit: &mut impl FnMut(Move)) {
    if !closes || open == 0 {
        return visit(Move { from, to, removed: [NONE; 2] });
    }
    for taken in points::each(open) {
        visit(Move { from, to, removed: [taken, NONE] });
    }
}

/// The same for two mills, or three, closed at once by a stone from the hand. Without diagonals no other can: one that
/// slides leaves a gap on one of the two lines it comes to, and three stones that fly are too few for two mills.
#[cold]
fn finish_double(rules: &Rules, other: Points, to: u8, visit: &mut impl FnMut(Move)) {
    let mut any = false;
    for (first, second) in pairs(rules, other) {
        any = true;
        visit(Move { from: NONE, to, removed: [first, second] });
    }
    if !any {
        finish(NONE, to, true, removable(rules, other), visit);
    }
}

/// How many moves [`each`] visits. Trusts that the game has not ended.
#[inline(always)]
pub(super) fn count(rules: &Rules, position: &Position) -> u32 {
    if position.own_hand > 0 {
        let placings = count_placings(rules, position);
        if rules.move_while_placing { placings + count_slides(rules, position) } else { placings }
    } else if may_fly(rules, position) {
        count_flights(rules, position)
    } else {
        count_slides(rules, position)
    }
}

#[inline(always)]
fn count_slides(rules: &Rules, position: &Position) -> u32 {
    let (mut all, mut closing) = (0, 0);
    for slide in slides(rules, position) {
        all += slide.targets.count_ones();
        closing += (slide.targets & slide.closing).count_ones();
    }
    all + closing_more(rules, position.other, closing)
}

#[inline(always)]
fn count_placings(rules: &Rules, position: &Position) -> u32 {
    let empty = position.empty();
    let lines = rules.grid.lines(position.own);
    let closing = lines.any() & empty;
    let all = empty.count_ones();
    if closing == 0 {
        return all;
    }
    let double = if rules.double_mill == DoubleMill::Two { lines.several() & empty } else { 0 };
    let more = closing_more(rules, position.other, (closing & !double).count_ones());
    match double {
        0 => all + more,
        _ => all + more + double.count_ones() * (double_ways(rules, position.other) - 1),
    }
}

#[inline(always)]
fn count_flights(rules: &Rules, position: &Position) -> u32 {
    let empty = position.empty();
    let closing = points::each(position.own)
        .map(|from| (rules.grid.lines(position.own & !(1 << from)).any() & empty).count_ones())
        .sum();
    3 * empty.count_ones() + closing_more(rules, position.other, closing)
}

/// By how many `closing` moves grow when each is counted once for every stone it may take.
#[inline(always)]
fn closing_more(rules: &Rules, other: Points, closing: u32) -> u32 {
    match closing {
        0 => 0,
        _ => closing * (removable(rules, other).count_ones().max(1) - 1),
    }
}
