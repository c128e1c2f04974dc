//! Tuning by matches: simultaneous perturbation (SPSA) of numbers that a player takes as an option.
//!
//! Each step draws a sign for every number, moves all of them by their reach in that direction for one player and
//! against it for the other, lets the two play some games, and moves the numbers by what the winner had. The steps
//! shrink as Spall (1998) proposes. What a step does depends on the seed and its number alone, so a run that was
//! stopped goes on to the same end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::job::Workers;
use trilith_base::{Seed, files};

use crate::contest::{Adjudication, Duel, JobError, OpeningSource, Pace};

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedNumber {
    /// As in the option `tweak`, such as `futility.margin`.
    pub name: String,
    /// Where it begins.
    pub value: f64,
    /// How far the two players lie from it at first.
    pub reach: f64,
    /// It never becomes less.
    pub least: f64,
    /// It never becomes more.
    pub most: f64,
}

/// Everything that decides what a run tunes, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    #[serde(default)]
    pub rules: String,
    /// The player without the numbers, such as `engine`.
    pub player: String,
    /// For both.
    #[serde(default)]
    pub pace: Pace,
    /// Random plies before the players take over.
    pub opening_plies: u32,
    /// A game is drawn after so many plies.
    pub plies: Option<u32>,
    /// Steps in all.
    pub steps: u64,
    /// Games of a step, an even number.
    pub games: u64,
    /// By how many reaches a number moves at first if one side wins all games.
    pub rate: f64,
    /// Where all draws come from.
    pub seed: u64,
    /// What is tuned.
    #[serde(rename = "number")]
    pub numbers: Vec<TunedNumber>,
}

/// A run as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneState {
    /// As it was begun.
    pub settings: TuneSettings,
    /// Steps done.
    pub done: u64,
    /// The numbers now.
    pub values: Vec<f64>,
    /// Their mean, later steps counting for more: less noise than where they stand.
    pub mean: Vec<f64>,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The settings make no run.
    #[error("`{key}`: {reason}")]
    Settings {
        /// Which of them.
        key: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The text is no run.
    #[error("{path}: {reason}")]
    State {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A game cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl TuneSettings {
    /// Reads TOML.
    pub fn parse(text: &str) -> Result<TuneSettings, toml::de::Error> {
        toml::from_str(text)
    }

    fn check(&self) -> Result<(), TuneError> {
        let fault = |key: &str, reason: &str| {
            Err(TuneError::Settings { key: key.to_owned(), reason: reason.to_owned() })
        };
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return fault("games", "expected an even number of games a step, both colours from each opening");
        }
        if self.numbers.is_empty() {
            return fault("number", "expected at least one [[number]] to tune");
        }
        if !(self.rate > 0.0 && self.rate <= 10.0) {
            return fault("rate", "expected more than 0, at most 10");
        }
        for number in &self.numbers {
            let in_range = (number.least..=number.most).contains(&number.value);
            if !in_range || number.reach <= 0.0 || !number.reach.is_finite() {
                return fault(&number.name, "expected least <= value <= most and a reach above 0");
            }
        }
        Ok(())
    }
}

impl TuneState {
    /// Nothing done yet.
    pub fn new(settings: TuneSettings) -> Result<TuneState, TuneError> {
        settings.check()?;
        let values: Vec<f64> = settings.numbers.iter().map(|number| number.value).collect();
        Ok(TuneState { settings, done: 0, mean: values.clone(), values })
    }

    /// A run as a file holds it, or a new one; a file of other settings is refused, but for more steps.
    pub fn open(path: &Path, settings: TuneSettings) -> Result<TuneState, TuneError> {
        let fault = |reason: String| TuneError::State { path: path.display().to_string(), reason };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return TuneState::new(settings),
            Err(error) => return Err(fault(error.to_string())),
        };
        let mut state: TuneState = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
        state.settings.steps = settings.steps;
        if state.settings != settings || state.values.len() != settings.numbers.len() {
            return Err(fault(
                "it was begun with other settings: name another file, or remove this one".into(),
            ));
        }
        Ok(state)
    }

    /// Keeps the run.
    pub fn save(&self, path: &Path) -> Result<(), TuneError> {
        let text = serde_json::to_string_pretty(self).expect("plain data");
        files::write_whole(path, text.as_bytes())
            .map_err(|error| TuneError::State { path: path.display().to_string(), reason: error.to_string() })
    }

    /// Does the steps that are left, until `stop`; `told` hears of each and what the first player scored in it.
    pub fn run(
        &mut self,
        workers: &Workers,
        stop: &AtomicBool,
        mut told: impl FnMut(&TuneState, f64) -> Result<(), TuneError>,
    ) -> Result<(), TuneError> {
        while self.done < self.settings.steps && !stop.load(Relaxed) {
            let signs = self.signs();
            let (report, _) = self.duel(&signs).play_by(workers, stop, |_| ())?;
            if stop.load(Relaxed) {
                break;
            }
            let rate = report.rate;
            self.learn(&signs, rate);
            told(self, rate)?;
        }
        Ok(())
    }

    fn seed(&self) -> Seed {
        Seed(self.settings.seed).derive("step", self.done)
    }

    fn signs(&self) -> Vec<f64> {
        let mut rng = self.seed().derive("signs", 0).rng();
        self.values.iter().map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect()
    }

    /// How much of its reach a number still has: Spall's exponent 0.101.
    fn reach(&self) -> f64 {
        (self.done as f64 + 1.0).powf(-0.101)
    }

    /// How much of the rate is left: Spall's exponent 0.602, with a tenth of the steps to begin with.
    fn rate(&self) -> f64 {
        let early = self.settings.steps as f64 / 10.0;
        self.settings.rate * ((early + 1.0) / (early + 1.0 + self.done as f64)).powf(0.602)
    }

    /// The player with its numbers moved by `signs` reaches.
    fn player(&self, signs: impl Iterator<Item = f64>) -> String {
        let settings = &self.settings;
        let moved = settings.numbers.iter().zip(&self.values).zip(signs).map(|((number, value), sign)| {
            let moved = (value + sign * number.reach * self.reach()).clamp(number.least, number.most);
            format!("{}:{moved:.6}", number.name)
        });
        let separator = if settings.player.contains(':') { ',' } else { ':' };
        format!("{}{separator}tweak={}", settings.player, moved.collect::<Vec<_>>().join("/"))
    }

    fn duel(&self, signs: &[f64]) -> Duel {
        let settings = &self.settings;
        let a = self.player(signs.iter().copied());
        let b = self.player(signs.iter().map(|sign| -sign));
        Duel {
            rules: settings.rules.clone(),
            openings: OpeningSource::Random(settings.opening_plies),
            pace: settings.pace,
            adjudication: Adjudication { plies: settings.plies, ..Adjudication::default() },
            seed: self.seed(),
            ..Duel::new(&settings.game, &a, &b, settings.games)
        }
    }

    fn learn(&mut self, signs: &[f64], rate: f64) {
        let step = self.rate() * (2.0 * rate - 1.0);
        for ((value, number), sign) in self.values.iter_mut().zip(&self.settings.numbers).zip(signs) {
            *value = (*value + step * sign * number.reach).clamp(number.least, number.most);
        }
        self.done += 1;
        let weight = 2.0 / (self.done as f64 + 1.0);
        for (mean, value) in self.mean.iter_mut().zip(&self.values) {
            *mean += weight * (value - *mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> TuneSettings {
        let number =
            |name: &str, value| TunedNumber { name: name.into(), value, reach: 0.1, least: 0.0, most: 2.0 };
        TuneSettings {
            game: "abalone".into(),
            rules: "belgian-daisy".into(),
            player: "engine:nodes=50".into(),
            pace: Pace::default(),
            opening_plies: 4,
            plies: Some(12),
            steps: 3,
            games: 2,
            rate: 1.0,
            seed: 5,
            numbers: vec![number("futility.margin", 0.5), number("reverse-futility.margin", 1.0)],
        }
    }

    /// A game whose winner lies nearer to a hidden point, with luck.
    #[test]
    fn numbers_find_the_better_place() {
        let mut state = TuneState::new(TuneSettings { steps: 3000, ..settings() }).unwrap();
        let hidden = [1.2, 0.3];
        let mut rng = Seed(8).rng();
        while state.done < state.settings.steps {
            let signs = state.signs();
            let far = |side: f64| -> f64 {
                let places = state.values.iter().zip(&signs).zip(hidden);
                places.map(|((value, sign), best)| (value + side * sign * 0.1 - best).powi(2)).sum()
            };
            let chance = 1.0 / (1.0 + (4.0 * (far(1.0) - far(-1.0))).exp());
            let rate = f64::from(u8::from(rng.random_bool(chance)));
            state.learn(&signs, rate);
        }
        for (value, best) in state.mean.iter().zip(hidden) {
            assert!((value - best).abs() < 0.15, "{:?}", state.mean);
        }
    }

    #[test]
    fn a_stopped_run_goes_on_to_the_same_numbers() {
        let folder = std::env::temp_dir().join(format!("trilith-tune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run.json");
        let (go, workers) = (AtomicBool::new(false), Workers::Threads(1));
        let mut whole = TuneState::new(settings()).unwrap();
        whole.run(&workers, &go, |_, _| Ok(())).unwrap();
        assert_eq!(whole.done, 3);
        let stop = AtomicBool::new(false);
        let mut first = TuneState::open(&path, settings()).unwrap();
        let keep = |state: &TuneState, _| {
            stop.store(state.done == 2, Relaxed);
            state.save(&path)
        };
        first.run(&workers, &stop, keep).unwrap();
        let mut second = TuneState::open(&path, settings()).unwrap();
        assert_eq!((first.done, &second), (2, &first));
        second.run(&workers, &go, |_, _| Ok(())).unwrap();
        assert_eq!(second, whole);
        let other = TuneState::open(&path, TuneSettings { seed: 6, ..settings() }).unwrap_err().to_string();
        assert!(other.contains("begun with other settings"), "{other}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn settings_that_make_no_run_are_named() {
        for text in
            [include_str!("../../../tuning/abalone.toml"), include_str!("../../../tuning/morris.toml")]
        {
            let shipped = TuneSettings::parse(text).unwrap();
            assert!(TuneState::new(shipped).is_ok());
        }
        let fault = |settings| TuneState::new(settings).unwrap_err().to_string();
        assert!(
            fault(TuneSettings { games: 3, ..settings() }).starts_with("`games`: expected an even number")
        );
        assert!(fault(TuneSettings { numbers: Vec::new(), ..settings() }).starts_with("`number`"));
        let mut wrong = settings();
        wrong.numbers[0].value = 3.0;
        assert!(fault(wrong).starts_with("`futility.margin`: expected least <= value <= most"));
    }
}
