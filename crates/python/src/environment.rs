//! `VecEnv`: many boards in one call. Python owns the arrays, Rust fills them; nothing is made for a single board.

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use trilith_arena::kit::GameKit;
use trilith_arena::{Visitor, with_game};
use trilith_base::Seed;
use trilith_games::environment::{ActionError, StateError, Views};
use trilith_games::{Environment, Game, RulesError};

use crate::fault;

/// An environment whose game is only known by name.
trait Boards: Send + Sync {
    fn name(&self) -> &'static str;
    fn rules(&self) -> String;
    fn reset(&mut self, views: &mut Views<'_>);
    fn show(&self, views: &mut Views<'_>);
    fn step(
        &mut self,
        actions: Actions<'_>,
        views: &mut Views<'_>,
        threads: usize,
    ) -> Result<(), ActionError>;
    fn sample(&mut self, into: &mut [i32]);
    fn legal_ids(&self, ids: &mut Vec<i32>, counts: &mut [i32]);
    fn save(&self) -> Vec<u32>;
    fn load(&mut self, state: &[u32]) -> Result<(), StateError>;
    fn position(&self, board: usize) -> String;
    fn played(&self, board: usize) -> Vec<u16>;
}

/// Action numbers in either of numpy's usual types.
#[derive(Clone, Copy)]
enum Actions<'a> {
    Short(&'a [i32]),
    Long(&'a [i64]),
}

impl<G: Game> Boards for Environment<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> String {
        self.game().rules().to_string()
    }

    fn reset(&mut self, views: &mut Views<'_>) {
        Environment::reset(self, views);
    }

    fn show(&self, views: &mut Views<'_>) {
        Environment::show(self, views);
    }

    fn step(
        &mut self,
        actions: Actions<'_>,
        views: &mut Views<'_>,
        threads: usize,
    ) -> Result<(), ActionError> {
        match actions {
            Actions::Short(actions) => Environment::step(self, actions, views, threads),
            Actions::Long(actions) => Environment::step(self, actions, views, threads),
        }
    }

    fn sample(&mut self, into: &mut [i32]) {
        Environment::sample(self, into);
    }

    fn legal_ids(&self, ids: &mut Vec<i32>, counts: &mut [i32]) {
        Environment::legal_ids(self, ids, counts);
    }

    fn save(&self) -> Vec<u32> {
        Environment::save(self)
    }

    fn load(&mut self, state: &[u32]) -> Result<(), StateError> {
        Environment::load(self, state)
    }

    fn position(&self, board: usize) -> String {
        self.game().position_text(Environment::position(self, board))
    }

    fn played(&self, board: usize) -> Vec<u16> {
        Environment::played(self, board).to_vec()
    }
}

struct EnvironmentVisitor<'a> {
    rules: &'a str,
    boards: usize,
    seed: Seed,
}

impl Visitor for EnvironmentVisitor<'_> {
    type Output = Result<(Box<dyn Boards>, usize, [usize; 3]), RulesError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.rules.parse()?);
        Ok((Box::new(Environment::new(game, self.boards, self.seed)), G::ACTIONS, G::OBSERVATION))
    }
}

/// The arrays that Python sees; every call writes into the same ones.
struct Arrays {
    observations: Py<PyArray4<u8>>,
    finals: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    to_play: Py<PyArray1<i8>>,
    results: Py<PyArray1<i8>>,
    plies: Py<PyArray1<i32>>,
    actions: Py<PyArray1<i32>>,
}

impl Arrays {
    fn new(py: Python<'_>, boards: usize, actions: usize, [planes, rows, columns]: [usize; 3]) -> Arrays {
        let shape = [boards, planes, rows, columns];
        Arrays {
            observations: PyArray4::zeros(py, shape, false).unbind(),
            finals: PyArray4::zeros(py, shape, false).unbind(),
            masks: PyArray2::zeros(py, [boards, actions], false).unbind(),
            rewards: PyArray1::zeros(py, boards, false).unbind(),
            terminated: PyArray1::zeros(py, boards, false).unbind(),
            truncated: PyArray1::zeros(py, boards, false).unbind(),
            to_play: PyArray1::zeros(py, boards, false).unbind(),
            results: PyArray1::zeros(py, boards, false).unbind(),
            plies: PyArray1::zeros(py, boards, false).unbind(),
            actions: PyArray1::zeros(py, boards, false).unbind(),
        }
    }

    /// Lets `work` fill the arrays while Python's other threads go on.
    fn fill<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Views<'_>) -> T + Send) -> PyResult<T> {
        let mut observations = self.observations.bind(py).try_readwrite()?;
        let mut finals = self.finals.bind(py).try_readwrite()?;
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut terminated = self.terminated.bind(py).try_readwrite()?;
        let mut truncated = self.truncated.bind(py).try_readwrite()?;
        let mut to_play = self.to_play.bind(py).try_readwrite()?;
        let mut results = self.results.bind(py).try_readwrite()?;
        let mut plies = self.plies.bind(py).try_readwrite()?;
        let mut views = Views {
            observations: observations.as_slice_mut()?,
            finals: finals.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            to_play: to_play.as_slice_mut()?,
            results: results.as_slice_mut()?,
            plies: plies.as_slice_mut()?,
        };
        Ok(py.detach(|| work(&mut views)))
    }
}

/// Many games of one kind, stepped together.
///
/// `rules` and `layout` are as on the command line. `threads` share the boards; `seed` is where `sample` draws from. All
/// arrays that are given back are written over by the next call: copy what you keep.
#[pyclass(module = "trilith")]
pub struct VecEnv {
    boards: Box<dyn Boards>,
    arrays: Arrays,
    info: Py<PyDict>,
    /// How many boards there are.
    #[pyo3(get)]
    n: usize,
    /// Threads that share the boards.
    #[pyo3(get, set)]
    threads: usize,
}

/// At the head of a saved state: its form and version.
const MAGIC: &[u8] = b"trilith-env 1\n";

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (game, n=1, rules="", layout=None, threads=1, seed=1))]
    fn new(
        py: Python<'_>,
        game: &str,
        n: usize,
        rules: &str,
        layout: Option<&str>,
        threads: usize,
        seed: u64,
    ) -> PyResult<VecEnv> {
        const MOST: usize = 1 << 20;
        if !(1..=MOST).contains(&n) {
            return Err(PyValueError::new_err(format!("n={n}: expected 1 to {MOST} boards")));
        }
        let rules = match layout {
            Some(layout) if rules.is_empty() => format!("layout={layout}"),
            Some(layout) => format!("{rules},layout={layout}"),
            None => rules.to_owned(),
        };
        let open = EnvironmentVisitor { rules: &rules, boards: n, seed: Seed(seed) };
        let (boards, actions, shape) = with_game(game, open).map_err(fault::value)?.map_err(fault::value)?;
        let arrays = Arrays::new(py, n, actions, shape);
        let info = PyDict::new(py);
        info.set_item("final_observation", arrays.finals.bind(py))?;
        info.set_item("result", arrays.results.bind(py))?;
        arrays.fill(py, |views| boards.show(views))?;
        Ok(VecEnv { boards, arrays, info: info.unbind(), n, threads })
    }

    /// Begins all games anew: `(observations, masks)`.
    fn reset<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let VecEnv { boards, arrays, .. } = self;
        arrays.fill(py, |views| boards.reset(views))?;
        (arrays.observations.bind(py), arrays.masks.bind(py)).into_pyobject(py)
    }

    /// Plays an action on every board: `(observations, masks, rewards, terminated, truncated, info)`.
    ///
    /// Rewards are for the side that moved. A board whose game has ended begins anew: what it showed last is in
    /// `info["final_observation"]`, who won in `info["result"]`.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        if let Ok(array) = actions.cast::<PyArray1<i32>>() {
            let array = array.try_readonly()?;
            self.play(py, Actions::Short(array.as_slice()?))?;
        } else if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            let array = array.try_readonly()?;
            self.play(py, Actions::Long(array.as_slice()?))?;
        } else if let Ok(list) = actions.extract::<Vec<i64>>() {
            self.play(py, Actions::Long(&list))?;
        } else {
            return Err(PyTypeError::new_err("actions: expected one whole number a board, int32 or int64"));
        }
        let arrays = &self.arrays;
        (
            arrays.observations.bind(py),
            arrays.masks.bind(py),
            arrays.rewards.bind(py),
            arrays.terminated.bind(py),
            arrays.truncated.bind(py),
            self.info.bind(py),
        )
            .into_pyobject(py)
    }

    /// A legal action for every board, all equally likely; the array is written over by the next call.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let array = self.arrays.actions.bind(py).clone();
        self.boards.sample(array.try_readwrite()?.as_slice_mut()?);
        Ok(array)
    }

    /// The legal actions of all boards one after the other, and how many each board has.
    fn legal_ids<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>) {
        let (mut ids, mut counts) = (Vec::with_capacity(32 * self.n), vec![0; self.n]);
        self.boards.legal_ids(&mut ids, &mut counts);
        (PyArray1::from_vec(py, ids), PyArray1::from_vec(py, counts))
    }

    /// Everything, histories included, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let head = format!("{}\n{}\n{}\n", self.boards.name(), self.boards.rules(), self.n);
        let words = self.boards.save();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        PyBytes::new(py, &MAGIC.iter().copied().chain(head.into_bytes()).chain(bytes).collect::<Vec<_>>())
    }

    /// Puts all boards where they were when `state` was saved; game, rules and number of boards must be the same.
    fn load(&mut self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let wrong = |text: String| PyValueError::new_err(text);
        let body =
            state.strip_prefix(MAGIC).ok_or_else(|| wrong("not a state that `save` has made".into()))?;
        let mut parts = body.splitn(4, |&byte| byte == b'\n');
        for own in [self.boards.name().to_owned(), self.boards.rules(), self.n.to_string()] {
            let saved = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
            if saved != own {
                return Err(wrong(format!("the state is of `{saved}`, these boards are of `{own}`")));
            }
        }
        let words = parts.next().unwrap_or_default().chunks_exact(4);
        let words: Vec<u32> =
            words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        self.boards.load(&words).map_err(fault::value)?;
        let VecEnv { boards, arrays, .. } = self;
        arrays.fill(py, |views| boards.show(views))
    }

    /// The position on a board as text.
    fn position(&self, board: usize) -> PyResult<String> {
        self.check(board)?;
        Ok(self.boards.position(board))
    }

    /// The actions played on a board since its game began.
    fn played<'py>(&self, py: Python<'py>, board: usize) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.check(board)?;
        Ok(PyArray1::from_iter(py, self.boards.played(board).into_iter().map(i32::from)))
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.boards.name()
    }

    /// The rule switches as text.
    #[getter]
    fn rules(&self) -> String {
        self.boards.rules()
    }

    /// What the sides to move see.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray4<u8>> {
        self.arrays.observations.bind(py).clone()
    }

    /// Whether each action is legal.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        self.arrays.masks.bind(py).clone()
    }

    /// 0 where the side that began is to move, else 1.
    #[getter]
    fn to_play<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.arrays.to_play.bind(py).clone()
    }

    /// Of the games that the last step ended: 1 if the side that began won, -1 if the other did; else 0.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.arrays.results.bind(py).clone()
    }

    /// Plies played in each game.
    #[getter]
    fn ply<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.arrays.plies.bind(py).clone()
    }

    fn __len__(&self) -> usize {
        self.n
    }

    fn __repr__(&self) -> String {
        format!("VecEnv({:?}, n={}, rules={:?})", self.boards.name(), self.n, self.boards.rules())
    }
}

impl VecEnv {
    fn play(&mut self, py: Python<'_>, actions: Actions<'_>) -> PyResult<()> {
        let VecEnv { boards, arrays, threads, .. } = self;
        arrays.fill(py, |views| boards.step(actions, views, *threads))?.map_err(fault::value)
    }

    fn check(&self, board: usize) -> PyResult<()> {
        match board < self.n {
            true => Ok(()),
            false => Err(PyIndexError::new_err(format!("board {board}: there are {}", self.n))),
        }
    }
}
