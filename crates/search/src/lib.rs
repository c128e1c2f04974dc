//! Search: the ladder of published techniques, the engine that plays, selective search, the Othello solver.
//!
//! Search a position:
//!
//! ```
//! use trilith_eval::{Margin, Unknowing};
//! use trilith_games::abalone::Abalone;
//! use trilith_games::{Game, Record};
//! use trilith_search::{Control, Engine, Limits, EngineOptions};
//!
//! let record = Record::new(Abalone::new("belgian-daisy".parse()?));
//! let options = EngineOptions { table_mebibytes: 4, ..EngineOptions::default() };
//! let mut engine = Engine::new(Margin, Unknowing, options);
//! let analysis = engine.analyse(&record, &Limits::depth(3), &Control::default(), &mut |_| {});
//! let best = analysis.best().expect("the game goes on");
//! println!("{} {} after {} nodes", record.game().move_text(best), analysis.value(), analysis.nodes);
//! assert_eq!(analysis.depth, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve an Othello endgame:
//!
//! ```
//! use trilith_games::Game;
//! use trilith_games::othello::Othello;
//! use trilith_search::Control;
//! use trilith_search::othello::{SolveGoal, Handmade, Solver, SolverOptions};
//!
//! let game = Othello::new(Default::default());
//! let text = "OXXX--O-XOXXXOOX--OXOOOXOOOOXXOXOOOXXXXXOOOOOOXXXXOOOXXX--OOX-XO X";
//! let position = game.parse_position(text)?;
//! let mut solver = Solver::new(Handmade, SolverOptions { table_mebibytes: 4, ..SolverOptions::default() });
//! let solution = solver.solve(&position, SolveGoal::Score, &Control::default()).expect("nobody has stopped it");
//! let after = game.play(&position, solution.best.expect("there is a move"));
//! let answer = solver.solve(&after, SolveGoal::Score, &Control::default()).expect("nobody has stopped it");
//! assert_eq!(answer.score, -solution.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

mod abalone;
pub mod analysis;
pub mod engine;
pub mod finisher;
pub mod kit;
pub mod ladder;
pub mod limits;
pub mod mcts;
mod morris;
pub mod ordering;
pub mod othello;
pub mod probcut;
pub mod pruning;
mod slots;
pub mod table;

pub use analysis::{Analysis, Bound, Line};
pub use engine::{Engine, EngineOptions, Pondering};
pub use finisher::{FinishedSearch, Finisher, FinisherSettings};
pub use kit::{NullWindow, SearchKit};
pub use ladder::{EndCut, Ladder, Printed, Quiescing, Rung, Techniques};
pub use limits::{Control, Limits};
pub use table::TranspositionTable;
