//! Trees of many games for networks in Python: positions out, logits and values in.

use numpy::{
    PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
    PyReadwriteArray4,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use trilith_arena::player::EndgameSource;
use trilith_arena::with_game;
use trilith_base::Seed;
use trilith_search::mcts::{PuctOptions, SelfPlayOptions};

use crate::fault;
use crate::grove::{Answers, ForestGame, Grove, Plant};
use crate::state::{AnySeat, State};

/// Trees that a network is asked about in batches. `games=None` searches given states, a number plays games against itself.
#[pyclass(module = "trilith._trilith")]
pub struct Trees {
    grove: Box<dyn Grove>,
    actions: usize,
    shape: [usize; 3],
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    /// What is set in the masks.
    marked: Vec<i32>,
    room: usize,
    planted: usize,
}

#[pymethods]
impl Trees {
    #[new]
    #[pyo3(signature = (game, rules="", simulations=200, batch=256, games=None, threads=1, seed=1, exploration=1.25,
                        noise=0.0, in_flight=8, temperature=1.0, temperature_plies=20, tables="on"))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &str,
        rules: &str,
        simulations: u32,
        batch: usize,
        games: Option<usize>,
        threads: usize,
        seed: u64,
        exploration: f32,
        noise: f32,
        in_flight: usize,
        temperature: f32,
        temperature_plies: usize,
        tables: &str,
    ) -> PyResult<Trees> {
        const MOST: usize = 1 << 16;
        for (name, number) in
            [("batch", batch), ("games", games.unwrap_or(1)), ("simulations", simulations as usize)]
        {
            if !(1..=MOST * 16).contains(&number) {
                return Err(PyValueError::new_err(format!("{name}={number}: expected 1 to {}", MOST * 16)));
            }
        }
        let options = PuctOptions {
            simulations,
            exploration,
            noise,
            in_flight: in_flight.max(1),
            ..PuctOptions::default()
        };
        let seed = Seed(seed);
        let selfplay = games.map(|games| SelfPlayOptions { games, temperature, temperature_plies, seed });
        let tables = match tables {
            "on" => EndgameSource::Usual,
            "off" => EndgameSource::Off,
            folder => EndgameSource::Path(folder.into()),
        };
        let threads = threads.max(1);
        let plant = Plant { rules, options, seed, selfplay, most: batch, threads, tables };
        let (grove, actions, shape) = py.detach(|| with_game(game, plant)).map_err(fault::value)??;
        // Threads fill equal shares, each rounded up.
        let room = batch + threads;
        if room * actions > i32::MAX as usize {
            let text = format!(
                "batch={batch}: expected at most {} with {actions} actions",
                i32::MAX as usize / actions - threads
            );
            return Err(PyValueError::new_err(text));
        }
        let [planes, rows, columns] = shape;
        Ok(Trees {
            grove,
            actions,
            shape,
            observations: PyArray4::zeros(py, [room, planes, rows, columns], false).unbind(),
            masks: PyArray2::zeros(py, [room, actions], false).unbind(),
            marked: Vec::new(),
            room,
            planted: 0,
        })
    }

    /// Begins to search these states; with `reuse`, from what is known of games that have gone on.
    #[pyo3(signature = (states, reuse=false))]
    fn plant(&mut self, states: Vec<PyRef<'_, State>>, reuse: bool) -> PyResult<()> {
        let seats: Vec<&dyn AnySeat> = states.iter().map(|state| &*state.seat).collect();
        self.grove.plant(&seats, reuse)?;
        self.planted = seats.len();
        Ok(())
    }

    /// The next positions to ask about, `(count, observations, masks)`; of the arrays the first `count` rows count.
    fn gather<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        {
            let mut observations = self.observations.bind(py).try_readwrite()?;
            let (grove, observations) = (&mut self.grove, observations.as_slice_mut()?);
            py.detach(|| grove.turn(None, observations));
        }
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let masks = masks.as_slice_mut()?;
        self.marked.drain(..).for_each(|place| masks[place as usize] = false);
        self.grove.asked().into_iter().for_each(|asked| self.marked.extend_from_slice(&asked.places));
        self.marked.iter().for_each(|&place| masks[place as usize] = true);
        (self.count(), self.observations.bind(py), self.masks.bind(py)).into_pyobject(py)
    }

    /// The network's answers to the last batch: logits `float32[count, A]`, values `float32[count]`.
    fn absorb(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<()> {
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let count = self.count();
        if logits.len() != count * self.actions || values.len() != count {
            let text = format!(
                "logits of {} and values of {} numbers: expected {count} x {} and {count}",
                logits.len(),
                values.len(),
                self.actions
            );
            return Err(PyValueError::new_err(text));
        }
        let grove = &mut self.grove;
        py.detach(|| grove.absorb(Answers::All(logits, values)));
        Ok(())
    }

    /// Answers, if there is something to answer, and the next positions in one: `(positions, legal actions)`, how many there
    /// are of each. Logits are those of the legal actions alone, in the order of `places`. Observations, `uint8[b, C, H, W]`
    /// with as many rows as a batch has and one for each thread, are written there.
    #[pyo3(signature = (observations, logits=None, values=None))]
    fn turn(
        &mut self,
        py: Python<'_>,
        mut observations: PyReadwriteArray4<'_, u8>,
        logits: Option<PyReadonlyArray1<'_, f32>>,
        values: Option<PyReadonlyArray1<'_, f32>>,
    ) -> PyResult<(usize, usize)> {
        let observations = observations.as_slice_mut()?;
        let needed = self.room * self.shape.iter().product::<usize>();
        if observations.len() < needed {
            let text = format!("observations with room for {} bytes: expected {needed}", observations.len());
            return Err(PyValueError::new_err(text));
        }
        let (count, legal) = (self.count(), self.legal());
        let answers = match (&logits, &values) {
            (Some(logits), Some(values)) => Some((logits.as_slice()?, values.as_slice()?)),
            _ => None,
        };
        let (given_logits, given_values) =
            answers.map_or((0, 0), |(logits, values)| (logits.len(), values.len()));
        if (given_logits, given_values) != (legal, count) {
            let text = format!(
                "{given_logits} logits and {given_values} values: expected {legal} of legal actions and {count}"
            );
            return Err(PyValueError::new_err(text));
        }
        let (grove, answers) =
            (&mut self.grove, answers.map(|(logits, values)| Answers::Legal(logits, values)));
        py.detach(|| grove.turn(answers, observations));
        Ok((self.count(), self.legal()))
    }

    /// Writes where the legal actions of all gathered positions stand in a table `[positions, A]` that is read row by row.
    fn places(&self, mut into: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let mut into = into.as_slice_mut()?;
        if into.len() < self.legal() {
            let text = format!("places for {} legal actions: expected {}", into.len(), self.legal());
            return Err(PyValueError::new_err(text));
        }
        for asked in self.grove.asked() {
            let own;
            (own, into) = into.split_at_mut(asked.places.len());
            own.copy_from_slice(&asked.places);
        }
        Ok(())
    }

    /// Shares of the visits `float32[n, A]` and values `float32[n]` of the planted states.
    fn harvest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let policies = PyArray2::zeros(py, [self.planted, self.actions], false);
        let values = PyArray1::zeros(py, self.planted, false);
        self.grove
            .harvest(policies.try_readwrite()?.as_slice_mut()?, values.try_readwrite()?.as_slice_mut()?);
        (policies, values).into_pyobject(py)
    }

    /// The samples of the games that have ended since the last call, as arrays in a dict; nothing if none has. `packed` ones
    /// have the moves with visits one after the other, `actions` and `shares`, and how many each has, `counts`.
    #[pyo3(signature = (packed=false))]
    fn take_finished<'py>(&mut self, py: Python<'py>, packed: bool) -> PyResult<Option<Bound<'py, PyDict>>> {
        let games = self.grove.take_finished();
        let samples = || games.iter().flat_map(|game: &ForestGame| &game.samples);
        let count = samples().count();
        if count == 0 {
            return Ok(None);
        }
        let dict = PyDict::new(py);
        let [planes, rows, columns] = self.shape;
        let observations = PyArray4::<u8>::zeros(py, [count, planes, rows, columns], false);
        {
            let mut observed = observations.try_readwrite()?;
            let rows = observed.as_slice_mut()?.chunks_exact_mut(planes * rows * columns);
            rows.zip(samples()).for_each(|(row, sample)| row.copy_from_slice(&sample.observation));
        }
        dict.set_item("obs", observations)?;
        if packed {
            let policies = || samples().flat_map(|sample| &sample.policy);
            let counts = samples().map(|sample| sample.policy.len() as i64);
            dict.set_item("counts", PyArray1::from_iter(py, counts))?;
            dict.set_item(
                "actions",
                PyArray1::from_iter(py, policies().map(|&(number, _)| i32::from(number))),
            )?;
            dict.set_item("shares", PyArray1::from_iter(py, policies().map(|&(_, share)| share)))?;
        } else {
            let visits = PyArray2::<f32>::zeros(py, [count, self.actions], false);
            {
                let mut visited = visits.try_readwrite()?;
                let rows = visited.as_slice_mut()?.chunks_exact_mut(self.actions);
                for (row, sample) in rows.zip(samples()) {
                    sample.policy.iter().for_each(|&(number, share)| row[usize::from(number)] = share);
                }
            }
            dict.set_item("visits", visits)?;
        }
        dict.set_item("result", PyArray1::from_iter(py, samples().map(|sample| sample.result)))?;
        dict.set_item("value", PyArray1::from_iter(py, samples().map(|sample| sample.value)))?;
        dict.set_item("game", PyArray1::from_iter(py, samples().map(|sample| sample.game as i64)))?;
        dict.set_item("ply", PyArray1::from_iter(py, samples().map(|sample| sample.ply as i32)))?;
        let moves: Vec<_> = games.into_iter().map(|game| game.moves).collect();
        dict.set_item("moves", moves)?;
        Ok(Some(dict))
    }
}

impl Trees {
    /// Positions without answers.
    fn count(&self) -> usize {
        self.grove.asked().iter().map(|asked| asked.batch.len()).sum()
    }

    /// Their legal actions.
    fn legal(&self) -> usize {
        self.grove.asked().iter().map(|asked| asked.places.len()).sum()
    }
}
