//! What S1's tests of a group of experiments showed.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;

use super::experiment::LearnedGame;
use super::trials::PassShares;
use crate::run::database::Place;

/// Of one experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Results {
    /// Alpha's wins while it learned.
    pub wins: u64,
    /// By test 1 and 3: P_0, then P_end.
    pub passes: [[PassShares; 2]; 2],
    /// Of test 2, in parts.
    pub sequence: PassShares,
}

/// All tests as a table for other programs.
pub(super) fn table(all: &[Results]) -> String {
    let mut text = String::from("experiment,polynomial,test,pass,wins,draws,losses\n");
    for (experiment, results) in (1..).zip(all) {
        let mut add = |polynomial: &str, test: u32, passes: &PassShares| {
            for (pass, tally) in (1..).zip(&passes.tallies) {
                let Tally { wins, draws, losses } = tally;
                writeln!(text, "{experiment},{polynomial},{test},{pass},{wins},{draws},{losses}")
                    .expect("texts can be written to");
            }
        };
        for (test, [start, end]) in [1, 3].into_iter().zip(&results.passes) {
            add("start", test, start);
            add("end", test, end);
        }
        add("sequence", 2, &results.sequence);
    }
    text
}

/// What each learning game reported, as S1's data files have it (4.4.1); the weights after it are in the database.
pub(super) fn games_table(games: &[(Place, Vec<f64>)]) -> String {
    let mut text = format!("experiment,game,{}\n", LearnedGame::NAMES.join(","));
    for (Place { series, number }, numbers) in games {
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        writeln!(text, "{series},{number},{}", numbers.join(",")).expect("texts can be written to");
    }
    text
}

/// The strength of an experiment's first and last polynomial in words.
pub(super) fn described(results: &Results) -> String {
    let shown = |passes: &PassShares| {
        let (mean, deviation) = passes.strength();
        format!("{:.1}% (deviation {:.1})", 100.0 * mean, 100.0 * deviation)
    };
    let [one, three] = &results.passes;
    let mut text = format!("P_0 {}, P_end {} against random weights", shown(&one[0]), shown(&one[1]));
    if !three[0].tallies.is_empty() {
        text += &format!("; P_0 {}, P_end {} against random moves", shown(&three[0]), shown(&three[1]));
    }
    if !results.sequence.tallies.is_empty() {
        let mut tally = Tally::default();
        results.sequence.tallies.iter().for_each(|part| tally += *part);
        text += &format!("; P_i against P_0 +{} ={} -{}", tally.wins, tally.draws, tally.losses);
    }
    text
}
