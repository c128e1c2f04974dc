//! Cells: the independent pieces of a study, as jobs that any worker can do.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trilith_arena::contest::Host;
use trilith_base::job::Job;

use crate::contest::Games;
use crate::error::StudyError;
use crate::logistello::endgame::{Candidates, Endgame};
use crate::muehle::perfect::PerfectGames;
use crate::muehle::searches::Searches;
use crate::reversi::randoms::Randoms;

/// A piece of work with a name that no other cell of its study has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StudyCell {
    /// What the journal knows it by.
    pub name: String,
    /// What is done.
    pub work: CellWork,
}

/// What a cell does; the result depends on nothing else.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellWork {
    /// Games between two players.
    Games(Games),
    /// Searches of Morris positions with one technique to one depth.
    Searches(Searches),
    /// Games of Morris against a complete database.
    Perfect(PerfectGames),
    /// Random games of Othello in numbers.
    Randoms(Randoms),
    /// An Othello endgame decided with and without EndCut.
    Endgame(Endgame),
    /// Othello endgames among which those are looked for in which a heuristic search errs.
    Candidates(Candidates),
}

impl Job for StudyCell {
    const KIND: &'static str = "study";
    /// What came of it and the seconds it took.
    type Output = (Value, f64);
    type Error = StudyError;
    type Place = Host;

    fn run(&self, host: &mut Host, stop: &AtomicBool) -> Result<Option<(Value, f64)>, StudyError> {
        let began = Instant::now();
        let output = match &self.work {
            CellWork::Games(games) => games.run(host, stop)?.map(plain),
            CellWork::Searches(searches) => Some(plain(searches.run()?)),
            CellWork::Perfect(games) => games.run(stop)?.map(plain),
            CellWork::Randoms(randoms) => Some(plain(randoms.run())),
            CellWork::Endgame(endgame) => Some(plain(endgame.run())),
            CellWork::Candidates(candidates) => Some(plain(candidates.run())),
        };
        Ok(output.map(|output| (output, began.elapsed().as_secs_f64())))
    }
}

fn plain(output: impl Serialize) -> Value {
    serde_json::to_value(output).expect("outputs are plain data")
}
