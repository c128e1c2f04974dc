//! `State`: one game with its history, in OpenSpiel's words; and the tables of symmetries.

use std::any::Any;
use std::marker::PhantomData;
use std::path::Path;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use trilith_arena::kit::GameKit;
use trilith_arena::{PlayerSpec, TableError, Visitor, table, with_game};
use trilith_base::Seed;
use trilith_book::Book;
use trilith_games::{Colour, Game, MoveList, Record};

use crate::fault;
use crate::knowledge::{self, Chooser};

/// A game whose type is only known by name.
pub trait AnySeat: Send + Sync {
    fn name(&self) -> &'static str;
    fn rules(&self) -> String;
    fn duplicate(&self) -> Box<dyn AnySeat>;
    fn legal(&self) -> Vec<i32>;
    fn apply(&mut self, action: usize) -> PyResult<()>;
    fn push_text(&mut self, text: &str) -> PyResult<()>;
    fn undo(&mut self) -> bool;
    fn action(&self, text: &str) -> PyResult<usize>;
    fn action_text(&self, action: usize) -> Option<String>;
    fn played(&self) -> Vec<usize>;
    fn moves(&self) -> Vec<String>;
    fn to_play(&self) -> usize;
    /// Nothing while the game goes on, else what the side that began gets, and why.
    fn end(&self) -> Option<(f32, String)>;
    fn observe(&self, into: &mut [u8]);
    fn shape(&self) -> (usize, [usize; 3]);
    fn position(&self) -> String;
    fn diagram(&self) -> String;
    fn margin(&self) -> i32;
    fn as_any(&self) -> &dyn Any;
    fn chooser(&self, spec: &PlayerSpec, seed: Seed) -> PyResult<Box<dyn Chooser>>;
    fn explain(&self, evaluation: Option<&str>, file: Option<&Path>) -> PyResult<String>;
    fn look(&self, book: &Book) -> PyResult<Value>;
}

/// A record, and the evaluations its game has.
pub struct Seated<G: Game, C> {
    pub record: Record<G>,
    catalogue: PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Seated<G, C> {
    /// The colour that begins.
    fn first(&self) -> Colour {
        let game = self.record.game();
        game.to_move(self.record.start())
    }

    fn legal_moves(&self) -> MoveList<G::Move> {
        let mut moves = MoveList::new();
        if self.record.end().is_none() {
            self.record.game().moves(self.record.position(), &mut moves);
        }
        moves
    }
}

impl<G: Game, C: GameKit<G>> AnySeat for Seated<G, C> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> String {
        self.record.game().rules().to_string()
    }

    fn duplicate(&self) -> Box<dyn AnySeat> {
        Box::new(Seated::<G, C> { record: self.record.clone(), catalogue: PhantomData })
    }

    fn legal(&self) -> Vec<i32> {
        let mut numbers: Vec<_> =
            self.legal_moves().iter().map(|&mv| self.record.game().action_number(mv) as i32).collect();
        numbers.sort_unstable();
        numbers
    }

    fn apply(&mut self, action: usize) -> PyResult<()> {
        let mv = self.record.game().numbered_move(self.record.position(), action);
        let mv = mv.ok_or_else(|| PyValueError::new_err(format!("action {action} stands for no move")))?;
        self.record.push(mv).map_err(fault::value)
    }

    fn push_text(&mut self, text: &str) -> PyResult<()> {
        self.record.push_text(text).map_err(fault::value)
    }

    fn undo(&mut self) -> bool {
        self.record.pop().is_some()
    }

    fn action(&self, text: &str) -> PyResult<usize> {
        let (game, position) = (self.record.game(), self.record.position());
        Ok(game.action_number(game.parse_move(position, text).map_err(fault::value)?))
    }

    fn action_text(&self, action: usize) -> Option<String> {
        let (game, position) = (self.record.game(), self.record.position());
        game.numbered_move(position, action).map(|mv| game.move_text(mv))
    }

    fn played(&self) -> Vec<usize> {
        self.record.moves().map(|mv| self.record.game().action_number(mv)).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.record.moves().map(|mv| self.record.game().move_text(mv)).collect()
    }

    fn to_play(&self) -> usize {
        usize::from(self.record.game().to_move(self.record.position()) != self.first())
    }

    fn end(&self) -> Option<(f32, String)> {
        let end = self.record.end()?;
        let first = |winner| if winner == self.first() { 1.0 } else { -1.0 };
        Some((end.winner.map_or(0.0, first), end.reason.into_owned()))
    }

    fn observe(&self, into: &mut [u8]) {
        self.record.game().observe(self.record.position(), into);
    }

    fn shape(&self) -> (usize, [usize; 3]) {
        (G::ACTIONS, G::OBSERVATION)
    }

    fn position(&self) -> String {
        self.record.game().position_text(self.record.position())
    }

    fn diagram(&self) -> String {
        let (game, position) = (self.record.game(), self.record.position());
        format!("{}{}", game.diagram(position), game.status(position))
    }

    fn margin(&self) -> i32 {
        self.record.game().margin(self.record.position())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn chooser(&self, spec: &PlayerSpec, seed: Seed) -> PyResult<Box<dyn Chooser>> {
        knowledge::chooser::<G, C>(spec, seed).map_err(fault::value)
    }

    fn explain(&self, evaluation: Option<&str>, file: Option<&Path>) -> PyResult<String> {
        let explained = knowledge::explain::<G, C>(&self.record, evaluation, file);
        Ok(explained.map_err(fault::value)?.to_string())
    }

    fn look(&self, book: &Book) -> PyResult<Value> {
        knowledge::look(&self.record, book)
    }
}

struct StateVisitor<'a> {
    rules: &'a str,
    position: Option<&'a str>,
}

impl Visitor for StateVisitor<'_> {
    type Output = Result<Box<dyn AnySeat>, TableError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = table::record::<G>(self.rules, self.position, &[])?;
        Ok(Box::new(Seated::<G, C> { record, catalogue: PhantomData }))
    }
}

/// A state at the start of a game, or at `position`.
pub fn open(game: &str, rules: &str, position: Option<&str>) -> PyResult<Box<dyn AnySeat>> {
    with_game(game, StateVisitor { rules, position }).map_err(fault::value)?.map_err(fault::value)
}

/// One game with its history, in OpenSpiel's words.
///
/// Players are 0, who begins, and 1. Actions are numbers that mean the same for ever.
#[pyclass(module = "trilith")]
pub struct State {
    pub seat: Box<dyn AnySeat>,
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, rules="", position=None, moves=None))]
    fn new(game: &str, rules: &str, position: Option<&str>, moves: Option<&str>) -> PyResult<State> {
        let mut seat = open(game, rules, position)?;
        for mv in moves.unwrap_or_default().split_whitespace() {
            seat.push_text(mv)?;
        }
        Ok(State { seat })
    }

    /// The numbers of the legal moves in rising order; none when the game has ended.
    fn legal_actions(&self) -> Vec<i32> {
        self.seat.legal()
    }

    /// Whether each action is legal, as an array.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mask = PyArray1::zeros(py, self.seat.shape().0, false);
        let mut filled = mask.try_readwrite()?;
        let slice = filled.as_slice_mut()?;
        self.seat.legal().into_iter().for_each(|action| slice[action as usize] = true);
        Ok(mask)
    }

    /// Plays an action.
    fn apply_action(&mut self, action: usize) -> PyResult<()> {
        self.seat.apply(action)
    }

    /// Plays a move given as text.
    fn play(&mut self, text: &str) -> PyResult<()> {
        self.seat.push_text(text)
    }

    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool {
        self.seat.undo()
    }

    /// A state of its own that stands where this one does.
    fn clone(&self) -> State {
        State { seat: self.seat.duplicate() }
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    /// Who is to move, 0 or 1; -4 when the game has ended, as in OpenSpiel.
    fn current_player(&self) -> i32 {
        const TERMINAL: i32 = -4;
        if self.seat.end().is_some() { TERMINAL } else { self.seat.to_play() as i32 }
    }

    /// Whether the game has ended.
    fn is_terminal(&self) -> bool {
        self.seat.end().is_some()
    }

    /// What players 0 and 1 get: 1, 0 or -1; zeros while the game goes on.
    fn returns(&self) -> (f32, f32) {
        let first = self.seat.end().map_or(0.0, |(first, _)| first);
        (first, 0.0 - first)
    }

    /// Why the game has ended, in words; nothing while it goes on.
    fn reason(&self) -> Option<String> {
        self.seat.end().map(|(_, reason)| reason)
    }

    /// What the side to move sees: u8 planes, rows, columns.
    fn observation_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let tensor = PyArray3::zeros(py, self.seat.shape().1, false);
        self.seat.observe(tensor.try_readwrite()?.as_slice_mut()?);
        Ok(tensor)
    }

    /// The number of a legal move given as text.
    fn string_to_action(&self, text: &str) -> PyResult<usize> {
        self.seat.action(text)
    }

    /// The move that a number stands for here, as text, legal or not.
    fn action_to_string(&self, action: usize) -> PyResult<String> {
        let stands = self.seat.action_text(action);
        stands.ok_or_else(|| PyValueError::new_err(format!("action {action} stands for no move")))
    }

    /// The actions so far.
    fn history(&self) -> Vec<usize> {
        self.seat.played()
    }

    /// The moves so far, as texts.
    fn moves(&self) -> Vec<String> {
        self.seat.moves()
    }

    /// The position as one line.
    fn position(&self) -> String {
        self.seat.position()
    }

    /// The game's own count for the side to move: discs, stones, ejected marbles.
    fn margin(&self) -> i32 {
        self.seat.margin()
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.seat.name()
    }

    /// The rule switches as text.
    #[getter]
    fn rules(&self) -> String {
        self.seat.rules()
    }

    fn __str__(&self) -> String {
        self.seat.diagram()
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, rules={:?}, position={:?})", self.seat.name(), self.rules(), self.position())
    }
}

struct Tables;

impl Visitor for Tables {
    type Output = (Vec<i32>, usize, Vec<i32>, usize);

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(G::Rules::default());
        let [_, rows, columns] = G::OBSERVATION;
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for symmetry in 0..G::SYMMETRIES {
            let back = game.inverse(symmetry);
            places.extend((0..rows * columns).map(|place| game.image_place(place, back) as i32));
            numbers.extend((0..G::ACTIONS).map(|number| game.image_number(number, back) as i32));
        }
        (places, rows * columns, numbers, G::ACTIONS)
    }
}

/// Where each place of a plane and each action comes from: `int32[S, H*W]` and `int32[S, A]`. Through symmetry `s`, a
/// plane becomes `plane[places[s]]` and a policy `policy[actions[s]]`.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn symmetry_tables<'py>(
    py: Python<'py>,
    game: &str,
) -> PyResult<(Bound<'py, PyArray2<i32>>, Bound<'py, PyArray2<i32>>)> {
    let (places, row, numbers, actions) = with_game(game, Tables).map_err(fault::value)?;
    let table = |numbers: Vec<i32>, columns: usize| {
        let rows = numbers.len() / columns;
        PyArray1::from_vec(py, numbers).reshape([rows, columns])
    };
    Ok((table(places, row)?, table(numbers, actions)?))
}

struct Names;

impl Visitor for Names {
    type Output = Vec<Option<String>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(G::Rules::default());
        let start = game.start();
        let name = |number| game.numbered_move(&start, number).map(|mv| game.move_text(mv));
        (0..G::ACTIONS).map(name).collect()
    }
}

/// The move text of every action number; nothing for numbers that stand for no move.
#[pyfunction]
pub fn action_names(game: &str) -> PyResult<Vec<Option<String>>> {
    with_game(game, Names).map_err(fault::value)
}
