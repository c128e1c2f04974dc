//! What was collected: positions with their values at each depth, and the table behind the report.

use std::fmt::Write;

/// A position of a search tree and what deeper and deeper searches say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbCutSample {
    /// Which game it comes from.
    pub game: u64,
    /// How far the game had come at the position.
    pub phase: usize,
    /// By depth from 1 on, for the side to move, in units of the evaluation. Ends before the first proved win or loss.
    pub values: Vec<f32>,
}

impl ProbCutSample {
    /// The value after a search of so many plies.
    pub fn value(&self, depth: u32) -> Option<f64> {
        self.values.get((depth as usize).checked_sub(1)?).map(|&value| f64::from(value))
    }
}

/// Why a table is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}: expected `game,phase,value,value,...` with a phase below 64")]
pub struct SamplesError {
    /// From 1.
    pub line: usize,
}

const HEAD: &str = "game,phase,value after 1 ply,value after 2 plies and so on";

/// The table as comma-separated values.
pub fn samples_text(samples: &[ProbCutSample]) -> String {
    let mut text = format!("{HEAD}\n");
    for ProbCutSample { game, phase, values } in samples {
        let _ = write!(text, "{game},{phase}");
        for value in values {
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    text
}

/// Reads a table that [`samples_text`] wrote.
pub fn parse_samples(text: &str) -> Result<Vec<ProbCutSample>, SamplesError> {
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty());
    lines.map(|(number, line)| parse_sample(line).ok_or(SamplesError { line: number + 1 })).collect()
}

fn parse_sample(line: &str) -> Option<ProbCutSample> {
    let mut words = line.split(',');
    let game = words.next()?.parse().ok()?;
    let phase = words.next()?.parse().ok().filter(|&phase| phase < 64)?;
    let values = words.map(|word| word.parse().ok().filter(|value: &f32| value.is_finite()));
    Some(ProbCutSample { game, phase, values: values.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_round_trip_and_faults_name_their_line() {
        let samples = vec![
            ProbCutSample { game: 3, phase: 12, values: vec![1.5, -0.25] },
            ProbCutSample { game: 4, phase: 63, values: vec![] },
        ];
        assert_eq!(parse_samples(&samples_text(&samples)), Ok(samples));
        assert_eq!(parse_samples("head\n1,2,3\n1,64,1"), Err(SamplesError { line: 3 }));
        assert_eq!(parse_samples("head\n1,2,nan"), Err(SamplesError { line: 2 }));
    }
}
