//! The Python module `trilith._trilith`: a thin layer over the libraries. What is nicer to write in Python is in
//! `python/trilith/`, which also has the type stubs.

mod artifact;
mod data;
mod duel;
mod environment;
mod fault;
mod forest;
mod grove;
mod knowledge;
mod selfplay;
mod state;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use trilith_arena::kit::GameKit;
use trilith_arena::{GAMES, Visitor, with_game};
use trilith_games::Game;

/// Numbers of actions, and planes, rows and columns of an observation.
struct Shape;

impl Visitor for Shape {
    type Output = (usize, [usize; 3]);

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        (G::ACTIONS, G::OBSERVATION)
    }
}

/// Names, sizes, classes and functions.
#[pymodule]
fn _trilith(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let (actions, observation) = (PyDict::new(py), PyDict::new(py));
    for &game in GAMES {
        let (count, shape) = with_game(game, Shape).map_err(fault::value)?;
        actions.set_item(game, count)?;
        observation.set_item(game, (shape[0], shape[1], shape[2]))?;
    }
    module.add("GAMES", GAMES.to_vec())?;
    module.add("ACTIONS", actions)?;
    module.add("OBSERVATION", observation)?;
    module.add_class::<environment::VecEnv>()?;
    module.add_class::<state::State>()?;
    module.add_class::<knowledge::SpecPlayer>()?;
    module.add_class::<knowledge::PyTablebase>()?;
    module.add_class::<knowledge::PyBook>()?;
    module.add_class::<forest::Trees>()?;
    module.add_class::<artifact::ResidualNetwork>()?;
    module.add_function(wrap_pyfunction!(state::symmetry_tables, module)?)?;
    module.add_function(wrap_pyfunction!(state::action_names, module)?)?;
    module.add_function(wrap_pyfunction!(knowledge::explain_json, module)?)?;
    module.add_function(wrap_pyfunction!(knowledge::solve_json, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::save_residual, module)?)?;
    module.add_function(wrap_pyfunction!(duel::match_json, module)?)?;
    module.add_function(wrap_pyfunction!(duel::score_json, module)?)?;
    module.add_function(wrap_pyfunction!(duel::rate_json, module)?)?;
    module.add_function(wrap_pyfunction!(data::position_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(data::game_lists, module)?)?;
    module.add_function(wrap_pyfunction!(data::export_positions, module)?)?;
    module.add_function(wrap_pyfunction!(data::write_games, module)?)?;
    Ok(())
}
