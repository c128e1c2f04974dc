//! Trees of many games for networks in Python: positions out, logits and values in.

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use trilith_arena::player::EndgameSource;
use trilith_arena::with_game;
use trilith_base::Seed;
use trilith_search::mcts::{Batch, PuctOptions, SelfPlayOptions};

use crate::fault;
use crate::grove::{Grove, Plant};
use crate::state::{AnySeat, State};

/// Trees that a network is asked about in batches. `games=None` searches given states, a number plays games against itself.
#[pyclass(module = "trilith._trilith")]
pub struct Trees {
    grove: Box<dyn Grove>,
    batch: Batch,
    actions: usize,
    shape: [usize; 3],
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    /// What is set in the masks.
    marked: Vec<(u32, u16)>,
    most: usize,
    threads: usize,
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
        let plant = Plant { rules, options, seed, selfplay, tables };
        let (grove, actions, shape) = py.detach(|| with_game(game, plant)).map_err(fault::value)??;
        // Threads fill equal shares, each rounded up.
        let room = batch + threads.max(1);
        let [planes, rows, columns] = shape;
        Ok(Trees {
            grove,
            batch: Batch::default(),
            actions,
            shape,
            observations: PyArray4::zeros(py, [room, planes, rows, columns], false).unbind(),
            masks: PyArray2::zeros(py, [room, actions], false).unbind(),
            marked: Vec::new(),
            most: batch,
            threads: threads.max(1),
            planted: 0,
        })
    }

    /// Begins to search these states; with `reuse`, from what is known of games that have gone on.
    #[pyo3(signature = (states, reuse=false))]
    fn plant(&mut self, states: Vec<PyRef<'_, State>>, reuse: bool) -> PyResult<()> {
        let seats: Vec<&dyn AnySeat> = states.iter().map(|state| &*state.seat).collect();
        // Trees that still wait for answers are of no use.
        let reuse = reuse && self.batch.is_empty();
        self.batch = Batch::default();
        self.grove.plant(&seats, reuse)?;
        self.planted = seats.len();
        Ok(())
    }

    /// The next positions to ask about, `(count, observations, masks)`; of the arrays the first `count` rows count.
    fn gather<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Trees { grove, batch, most, threads, .. } = self;
        py.detach(|| grove.gather(*most, *threads, batch));
        let mut observations = self.observations.bind(py).try_readwrite()?;
        observations.as_slice_mut()?[..self.batch.observations.len()]
            .copy_from_slice(&self.batch.observations);
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let masks = masks.as_slice_mut()?;
        for (row, number) in self.marked.drain(..) {
            masks[row as usize * self.actions + usize::from(number)] = false;
        }
        let mut legal = self.batch.legal.iter();
        for (row, &count) in self.batch.counts.iter().enumerate() {
            self.marked.extend(legal.by_ref().take(count).map(|&number| (row as u32, number)));
        }
        for &(row, number) in &self.marked {
            masks[row as usize * self.actions + usize::from(number)] = true;
        }
        (self.batch.len(), self.observations.bind(py), self.masks.bind(py)).into_pyobject(py)
    }

    /// The network's answers to the last batch: logits `float32[count, A]`, values `float32[count]`.
    fn absorb(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<()> {
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let count = self.batch.len();
        if logits.len() != count * self.actions || values.len() != count {
            let text = format!(
                "logits of {} and values of {} numbers: expected {count} x {} and {count}",
                logits.len(),
                values.len(),
                self.actions
            );
            return Err(PyValueError::new_err(text));
        }
        self.batch.counts.clear();
        let grove = &mut self.grove;
        py.detach(|| grove.absorb(logits, values));
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

    /// The samples of the games that have ended since the last call, as arrays in a dict; nothing if none has.
    fn take_finished<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let games = self.grove.take_finished();
        let count = games.iter().map(|game| game.samples.len()).sum::<usize>();
        if count == 0 {
            return Ok(None);
        }
        let [planes, rows, columns] = self.shape;
        let observations = PyArray4::<u8>::zeros(py, [count, planes, rows, columns], false);
        let visits = PyArray2::<f32>::zeros(py, [count, self.actions], false);
        {
            let (mut observed, mut visited) = (observations.try_readwrite()?, visits.try_readwrite()?);
            let mut rows = observed.as_slice_mut()?.chunks_exact_mut(planes * rows * columns);
            let mut policies = visited.as_slice_mut()?.chunks_exact_mut(self.actions);
            for sample in games.iter().flat_map(|game| &game.samples) {
                if let Some(row) = rows.next() {
                    row.copy_from_slice(&sample.observation);
                }
                if let Some(policy) = policies.next() {
                    sample.policy.iter().for_each(|&(number, share)| policy[usize::from(number)] = share);
                }
            }
        }
        let samples = || games.iter().flat_map(|game| &game.samples);
        let dict = PyDict::new(py);
        dict.set_item("obs", observations)?;
        dict.set_item("visits", visits)?;
        dict.set_item("result", PyArray1::from_iter(py, samples().map(|sample| sample.result)))?;
        dict.set_item("value", PyArray1::from_iter(py, samples().map(|sample| sample.value)))?;
        dict.set_item("game", PyArray1::from_iter(py, samples().map(|sample| sample.game as i64)))?;
        dict.set_item("ply", PyArray1::from_iter(py, samples().map(|sample| sample.ply as i32)))?;
        let moves: Vec<_> = games.into_iter().map(|game| game.moves).collect();
        dict.set_item("moves", moves)?;
        Ok(Some(dict))
    }
}
