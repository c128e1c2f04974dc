//! Players, analyses, explanations, solver, tables and books: what the command line says as JSON, for one state.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use trilith_arena::kit::GameKit;
use trilith_arena::player::{self, Player as Decider, Turn};
use trilith_arena::{PlayerError, PlayerSpec};
use trilith_base::Seed;
use trilith_book::{Book as BookFile, BookMode};
use trilith_eval::EvaluationError;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record};
use trilith_search::analysis::{FAR, plies_to_end};
use trilith_search::othello::{SolveGoal, Solver, SolverOptions};
use trilith_search::{Analysis, Control, Limits};
use trilith_tablebase::{Expert, FIRST_STONES, default_folder};

use crate::fault;
use crate::state::{AnySeat, Seated, State};

/// A player whose game is only known by name.
pub trait Chooser: Send {
    /// An action number, and what was thought, as JSON. The state must be of the chooser's game.
    fn choose(&mut self, seat: &dyn AnySeat, limits: Limits) -> PyResult<(usize, Option<Value>)>;
}

struct ChooserOf<G: Game, C> {
    player: Box<dyn Decider<G>>,
    catalogue: std::marker::PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Chooser for ChooserOf<G, C> {
    fn choose(&mut self, seat: &dyn AnySeat, limits: Limits) -> PyResult<(usize, Option<Value>)> {
        let record = &of::<G, C>(seat)?.record;
        if let Some(end) = record.end() {
            return Err(PyValueError::new_err(format!("the game has ended: {}", end.reason)));
        }
        let control = Control::default();
        let turn = Turn { control: &control, limits };
        let decision = self.player.choose(record, turn, &mut |_| ()).map_err(fault::failure)?;
        let thought = decision.analysis.map(|analysis| analysis_json(record, &analysis));
        Ok((record.game().action_number(decision.mv), thought))
    }
}

fn of<G: Game, C: GameKit<G>>(seat: &dyn AnySeat) -> PyResult<&Seated<G, C>> {
    let wrong = || PyValueError::new_err(format!("a state of {}: expected one of {}", seat.name(), G::NAME));
    seat.as_any().downcast_ref().ok_or_else(wrong)
}

/// The player that `spec` describes, for the game of a seat.
pub fn chooser<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Chooser>, PlayerError> {
    let player = player::player::<G, C>(spec, seed)?;
    Ok(Box::new(ChooserOf::<G, C> { player, catalogue: std::marker::PhantomData }))
}

fn analysis_json<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>) -> Value {
    let scale = f64::from(analysis.unit.one);
    let lines: Vec<_> = analysis
        .lines
        .iter()
        .map(|line| {
            let pv: Vec<_> = line.moves.iter().map(|&mv| record.game().move_text(mv)).collect();
            json!({"value": f64::from(line.value) / scale, "bound": line.bound.name(), "pv": pv})
        })
        .collect();
    json!({
        "value": f64::from(analysis.value()) / scale,
        "unit": analysis.unit.name,
        "plies_to_end": plies_to_end(analysis.value()).filter(|plies| plies.unsigned_abs() < FAR),
        "depth": analysis.depth,
        "seldepth": analysis.seldepth,
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
        "pv": lines.first().map(|line| line["pv"].clone()),
        "lines": lines,
    })
}

/// The terms of an evaluation's value.
pub fn explain<G: Game, C: GameKit<G>>(
    record: &Record<G>,
    evaluation: Option<&str>,
    file: Option<&Path>,
) -> Result<Value, EvaluationError> {
    let name = evaluation.or(C::entries().first().map(|entry| entry.name)).unwrap_or_default();
    Ok(json!(C::named(name, file)?.explain(record.game(), record.position())))
}

/// A player made from a spec such as `engine:level=5`; made anew when a state of another game comes.
#[pyclass(module = "trilith._trilith")]
pub struct SpecPlayer {
    spec: PlayerSpec,
    seed: Seed,
    ready: Mutex<Option<(&'static str, Box<dyn Chooser>)>>,
}

#[pymethods]
impl SpecPlayer {
    #[new]
    #[pyo3(signature = (spec, seed=1))]
    fn new(spec: &str, seed: u64) -> PyResult<SpecPlayer> {
        let spec = spec.parse().map_err(fault::value)?;
        Ok(SpecPlayer { spec, seed: Seed(seed), ready: Mutex::default() })
    }

    /// The number of the move to play.
    fn choose(&self, py: Python<'_>, state: &State) -> PyResult<usize> {
        Ok(self.think(py, state)?.0)
    }

    /// The number of the move to play and what was thought, as JSON; `null` for players that do not search.
    fn decide(&self, py: Python<'_>, state: &State) -> PyResult<(usize, String)> {
        let (action, thought) = self.think(py, state)?;
        Ok((action, thought.map_or("null".into(), |thought| thought.to_string())))
    }

    /// Forgets earlier games and draws from another seed.
    fn renew(&mut self, seed: u64) {
        self.seed = Seed(seed);
        self.ready = Mutex::default();
    }

    fn __repr__(&self) -> String {
        format!("player({:?})", self.spec.to_string())
    }
}

impl SpecPlayer {
    fn think(&self, py: Python<'_>, state: &State) -> PyResult<(usize, Option<Value>)> {
        let seat = &*state.seat;
        py.detach(|| {
            let mut ready = self.ready.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if ready.as_ref().is_none_or(|ready| ready.0 != seat.name()) {
                *ready = Some((seat.name(), seat.chooser(&self.spec, self.seed)?));
            }
            let (_, chooser) = ready.as_mut().expect("it was made just now");
            chooser.choose(seat, Limits::default())
        })
    }
}

/// What an evaluation makes of a state, as JSON.
#[pyfunction]
#[pyo3(signature = (state, evaluation=None, file=None))]
pub fn explain_json(state: &State, evaluation: Option<&str>, file: Option<PathBuf>) -> PyResult<String> {
    state.seat.explain(evaluation, file.as_deref())
}

/// The exact end of an Othello position, as JSON.
#[pyfunction]
#[pyo3(signature = (state, every=false, threads=1, hash=64))]
pub fn solve_json(
    py: Python<'_>,
    state: &State,
    every: bool,
    threads: usize,
    hash: usize,
) -> PyResult<String> {
    type Evaluations = trilith_eval::othello::Evaluations;
    let record = &of::<Othello, Evaluations>(&*state.seat)?.record;
    let position = *record.position();
    py.detach(|| {
        const UNSTOPPED: &str = "nobody stops the solver";
        let never = Control::default();
        let options = SolverOptions {
            threads: threads.clamp(1, 256),
            table_mebibytes: hash,
            ..SolverOptions::default()
        };
        let mut solver = Solver::new(Evaluations::patterns(), options);
        let solution = solver.solve(&position, SolveGoal::Score, &never).expect(UNSTOPPED);
        let mut answer = json!({
            "score": solution.score,
            "best": solution.best.map(|mv| mv.to_string()),
            "nodes": solution.nodes,
            "seconds": solution.seconds,
        });
        if every {
            let moves = solver.solve_moves(&position, &never).expect(UNSTOPPED);
            let scores = moves.iter().map(|of| Some((of.best?.to_string(), json!(of.score))));
            answer["moves"] = Value::Object(scores.flatten().collect());
        }
        Ok(answer.to_string())
    })
}

/// Morris endgames that are known by proof.
#[pyclass(module = "trilith._trilith", name = "Tablebase")]
pub struct PyTablebase {
    game: Morris,
    expert: Expert,
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (folder=None, rules="", stones=FIRST_STONES))]
    fn new(py: Python<'_>, folder: Option<PathBuf>, rules: &str, stones: u32) -> PyResult<PyTablebase> {
        let game = Morris::new(rules.parse().map_err(fault::value)?);
        if !(6..=18).contains(&stones) {
            return Err(PyValueError::new_err(format!("stones={stones}: expected 6 to 18")));
        }
        let folder = folder.unwrap_or_else(|| default_folder(game.rules()));
        let expert = py.detach(|| Expert::open(&folder, &game, stones)).map_err(fault::failure)?;
        Ok(PyTablebase { game, expert })
    }

    /// Value and plies of a state and of all its moves, as JSON.
    fn probe_json(&self, py: Python<'_>, state: &State) -> PyResult<String> {
        let record = &of::<Morris, trilith_eval::morris::Evaluations>(&*state.seat)?.record;
        let position = *record.position();
        let answer = py.detach(|| trilith_tablebase::answer(self.expert.tables(), &self.game, &position));
        Ok(json!(answer.map_err(fault::value)?).to_string())
    }
}

/// A book of remembered games.
#[pyclass(module = "trilith._trilith", name = "Book")]
pub struct PyBook {
    book: Mutex<BookFile>,
}

#[pymethods]
impl PyBook {
    #[new]
    fn new(file: PathBuf) -> PyResult<PyBook> {
        Ok(PyBook { book: Mutex::new(BookFile::open(&file, BookMode::Read).map_err(fault::value)?) })
    }

    /// What the book knows of a state, as JSON; `null` if nothing.
    fn look_json(&self, state: &State) -> PyResult<String> {
        let book = self.book.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(state.seat.look(&book)?.to_string())
    }
}

/// What a book knows of the position of a record.
pub fn look<G: Game>(record: &Record<G>, book: &BookFile) -> PyResult<Value> {
    book.expect(record.game()).map_err(fault::value)?;
    let reader = book.reader().map_err(fault::failure)?;
    let Some(reading) = reader.look(record).map_err(fault::failure)? else { return Ok(Value::Null) };
    let game = record.game();
    let finite = |chance: f32| if chance.is_finite() { json!(chance) } else { json!(chance.signum() * 1e9) };
    let next = |next: &trilith_book::Successor<G::Move>| {
        json!({
            "move": game.move_text(next.mv),
            "action": game.action_number(next.mv),
            "chance": finite(next.value.chance),
            "results": next.results,
        })
    };
    Ok(json!({
        "chance": finite(reading.value.chance),
        "results": reading.node.results,
        "successors": reading.successors.iter().map(next).collect::<Vec<_>>(),
        "advice": reading.advice.map(|advice| json!({
            "move": game.move_text(advice.mv),
            "action": game.action_number(advice.mv),
            "chance": finite(advice.chance),
        })),
    }))
}
