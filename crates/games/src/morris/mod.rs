//! Nine Men's Morris: 24 points, 16 mills, nine stones a side; White begins.
//!
//! A side places its stones, then moves them along lines; with exactly three it may fly. Closing a mill removes an
//! opposing stone. A side with fewer than three stones, or to move without a move, has lost. What varies between
//! tables are the switches of [`Rules`]; with other boards and numbers of stones they make Lasker's Morris and
//! Morabaraba.

mod actions;
mod diagram;
mod hints;
mod moves;
mod notation;
mod perft;
pub mod points;
mod position;
mod rules;
mod sanmill;
mod text;
mod validate;

pub use hints::closable;
pub use moves::Move;
pub use position::{MOST_STONES, Position};
pub use rules::{CaptureFromMill, DoubleMill, FullBoard, LASKER, MORABARABA, Rules, STANDARD, THESIS};
pub use sanmill::write as sanmill_text;

use crate::arrangement::{Arrangement, SideCounts};
use crate::board::{Action, Board, Stone};
use crate::error::{MoveError, PositionError};
use crate::game::{Colour, DrawRules, Game, MoveList, Noise, Outcome};

/// The game under one set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Morris {
    rules: Rules,
}

impl Morris {
    #[inline(always)]
    fn has_ended(&self, position: &Position) -> bool {
        moves::has_too_few(position)
            || moves::is_blocked(&self.rules, position)
            || moves::is_quiet_draw(&self.rules, position)
    }
}

impl Game for Morris {
    const NAME: &'static str = "morris";
    const SYMMETRIES: usize = points::SYMMETRIES;
    const COUNTED: Option<&'static str> = Some("hand");
    const CHOICES: &'static [&'static [&'static str]] = &[
        &["standard", "lasker", "morabaraba"],
        &["capture-from-mill=if-all-in-mills", "capture-from-mill=never", "capture-from-mill=always"],
        &["flying=on", "flying=off"],
        &["double-mill=one", "double-mill=two"],
    ];

    type Rules = Rules;
    type Position = Position;
    type Move = Move;

    fn new(rules: Rules) -> Morris {
        Morris { rules }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position::start(self.rules.stones)
    }

    fn moves(&self, position: &Position, into: &mut MoveList<Move>) {
        into.clear();
        if !self.has_ended(position) {
            moves::each(&self.rules, position, |mv| into.push(mv));
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        if self.has_ended(position) { 0 } else { moves::count(&self.rules, position) as usize }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        moves::play(position, mv)
    }

    /// A lost game is lost even when the quiet plies are full.
    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if moves::has_too_few(position) {
            return Some(Outcome::Loss);
        }
        if moves::is_blocked(&self.rules, position) {
            return Some(moves::worth_of_blocked(&self.rules, position));
        }
        moves::is_quiet_draw(&self.rules, position).then_some(Outcome::Draw)
    }

    fn reason(&self, position: &Position) -> &'static str {
        match position.own_total() {
            0 => "no stone left",
            1 => "one stone left",
            2 => "two stones left",
            _ if moves::is_full(position) => "board full",
            _ if moves::is_blocked(&self.rules, position) => "no move left",
            _ => "quiet plies",
        }
    }

    fn history(&self) -> DrawRules {
        DrawRules { repetition: self.rules.repetition, plies: 0 }
    }

    fn is_irreversible(&self, _: &Position, mv: Move) -> bool {
        mv.is_lasting()
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    /// Stones, on the board and in hand.
    fn margin(&self, position: &Position) -> i32 {
        position.own_total() as i32 - position.other_total() as i32
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft::perft(self, position, depth)
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        hints::ordering_score(&self.rules, position, mv)
    }

    fn is_noisy(&self, position: &Position, mv: Move, noise: Noise) -> bool {
        hints::is_noisy(&self.rules, position, mv, noise)
    }

    fn noisy_moves(&self, position: &Position, noise: Noise, into: &mut MoveList<Move>) {
        into.clear();
        if !self.has_ended(position) {
            hints::noisy(&self.rules, position, noise, into);
        }
    }

    fn turned(&self, position: &Position) -> Option<Position> {
        Some(position.turned())
    }

    /// To be forced to move is what loses with few moves or few stones on the board, not while stones are placed.
    fn null_move(&self, position: &Position) -> Option<Position> {
        (hints::is_free(&self.rules, position) && !self.has_ended(position)).then(|| position.turned())
    }

    fn phase(&self, position: &Position) -> usize {
        hints::phase(&self.rules, position)
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        position.image(symmetry)
    }

    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        mv.image(symmetry)
    }

    fn inverse(&self, symmetry: usize) -> usize {
        points::inverse(symmetry)
    }

    const ACTIONS: usize = actions::ACTIONS;
    const OBSERVATION: [usize; 3] = actions::OBSERVATION;

    #[inline]
    fn action_number(&self, mv: Move) -> usize {
        actions::number(mv)
    }

    #[inline]
    fn numbered_move(&self, _: &Position, number: usize) -> Option<Move> {
        actions::numbered(number)
    }

    #[inline]
    fn observe(&self, position: &Position, into: &mut [u8]) {
        actions::observe(&self.rules, position, into);
    }

    fn image_place(&self, place: usize, symmetry: usize) -> usize {
        actions::image_place(place, symmetry)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let position =
            if sanmill::is_dialect(text) { sanmill::read(text) } else { text::read(&self.rules, text) }?;
        self.validate(&position)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position) -> String {
        text::write(&self.rules, position)
    }

    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String {
        let SideCounts { black, white } = arrangement.counts;
        format!("{} {white} {black}", arrangement.packed(&self.board()))
    }

    fn counts(&self, position: &Position) -> Option<SideCounts> {
        let hand = |colour| position.side(colour).1;
        Some(SideCounts { black: hand(Colour::Black), white: hand(Colour::White) })
    }

    fn validate(&self, position: &Position) -> Result<(), PositionError> {
        validate::validate(&self.rules, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        notation::read(self, position, text)
    }

    fn move_text(&self, mv: Move) -> String {
        notation::write(mv)
    }

    fn board(&self) -> Board {
        self.rules.grid.board()
    }

    fn stones(&self, position: &Position) -> Vec<Option<Stone>> {
        let (white, black) = (position.side(Colour::White).0, position.side(Colour::Black).0);
        let stone = |point: usize| match (white >> point & 1, black >> point & 1) {
            (1, _) => Some(Stone::White),
            (_, 1) => Some(Stone::Black),
            _ => None,
        };
        (0..points::COUNT).map(stone).collect()
    }

    fn action(&self, _: &Position, mv: Move) -> Action {
        Action {
            from: mv.from().map(usize::from).into_iter().collect(),
            to: vec![mv.to().into()],
            remove: mv.removed().map(usize::from).collect(),
        }
    }

    fn status(&self, position: &Position) -> String {
        diagram::status(&self.rules, position)
    }

    fn diagram(&self, position: &Position) -> String {
        diagram::draw(&self.board(), &self.stones(position))
    }
}
