//! Self-play as jobs: a few games at a time, played here or elsewhere, the same games either way.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, LastMade, Workers};
use trilith_eval::Evaluator;
use trilith_games::Game;
use trilith_search::NullWindow;

use super::error::DataError;
use super::game::PlayedGame;
use super::generate::Generator;
use super::portions::{WeightsFile, all_of, in_order, portions};
use super::settings::GenerationSettings;
use crate::training::{Training, TrainingVisitor, with_training};

/// Some games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenerationJob {
    /// The game's name.
    pub game: String,
    /// How they are played.
    pub settings: GenerationSettings,
    /// With which weights; with [`Training::bootstrap`] without.
    pub weights: Option<WeightsFile>,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Makes the players where the type of the game is known; elsewhere it is looked up by name.
    #[serde(skip)]
    make: Option<MakePlayers>,
}

/// Plays the game of a number.
type Players = Box<dyn FnMut(u64) -> PlayedGame>;
type MakePlayers = fn(&GenerationJob) -> Result<Players, DataError>;

fn players<G: Game, C: Training<G>>(job: &GenerationJob) -> Result<Players, DataError> {
    match &job.weights {
        Some(weights) => {
            seated::<G, C, _>(job, C::engine_evaluator_from(&weights.load()?)?, C::null_window())
        }
        None => seated::<G, C, _>(job, C::bootstrap(), None),
    }
}

fn seated<G: Game, C: Training<G>, E: Evaluator<G> + Clone + 'static>(
    job: &GenerationJob,
    evaluator: E,
    null_window: Option<NullWindow<G, E>>,
) -> Result<Players, DataError> {
    let mut generator = Generator::<G, C, E>::new(job.settings.clone(), evaluator, null_window)?;
    Ok(Box::new(move |number| generator.play(number)))
}

impl TrainingVisitor for &GenerationJob {
    type Output = Result<Players, DataError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        players::<G, C>(self)
    }
}

impl Job for GenerationJob {
    const KIND: &'static str = "games";
    type Output = Vec<PlayedGame>;
    type Error = DataError;
    type Place = LastMade<(String, GenerationSettings, Option<WeightsFile>), Players>;

    fn run(&self, place: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Vec<PlayedGame>>, DataError> {
        let key = (self.game.clone(), self.settings.clone(), self.weights.clone());
        let players = place.get(key, || match self.make {
            Some(make) => make(self),
            None => with_training(&self.game, self)?,
        })?;
        Ok(all_of((self.first, self.count), stop, players))
    }
}

/// Has games `first..end` played, as far as there are so many, and hands them over in the order of their numbers, some at a
/// time.
pub fn generate<G: Game, C: Training<G>>(
    settings: &GenerationSettings,
    weights: Option<&WeightsFile>,
    (first, end): (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
    played: impl FnMut(Vec<PlayedGame>) -> ControlFlow<()>,
) -> Result<(), DataError> {
    let (settings, weights) = (settings.clone(), weights.cloned());
    let batch = format!("{} {settings:?} {:?}", G::NAME, weights.as_ref().map(|weights| &weights.checksum));
    let end = end.min(settings.count::<G>()?);
    let jobs = portions(first, end, C::GAMES_PER_JOB).map(move |(first, count)| GenerationJob {
        game: G::NAME.into(),
        settings: settings.clone(),
        weights: weights.clone(),
        first,
        count,
        make: Some(players::<G, C>),
    });
    in_order(&batch, jobs, |job| (job.first, job.count), first, workers, stop, played)
}

/// The same, all at once; fewer if `stop` was set.
pub fn collect<G: Game, C: Training<G>>(
    settings: &GenerationSettings,
    weights: Option<&WeightsFile>,
    numbers: (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
) -> Result<Vec<PlayedGame>, DataError> {
    let mut games = Vec::new();
    generate::<G, C>(settings, weights, numbers, workers, stop, |more| {
        games.extend(more);
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_eval::{abalone, morris, othello};
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    fn played<G: Game, C: Training<G>>(
        settings: &GenerationSettings,
        threads: usize,
        numbers: (u64, u64),
    ) -> Vec<PlayedGame> {
        let never = AtomicBool::new(false);
        collect::<G, C>(settings, None, numbers, &Workers::Threads(threads), &never).unwrap()
    }

    fn morris(openings: u32) -> GenerationSettings {
        GenerationSettings {
            rules: vec!["standard".into(), "thesis".into()],
            random_least: 2,
            random_most: 8,
            openings,
            depth: 1,
            longest: 40,
            seed: Seed(3),
            ..GenerationSettings::default()
        }
    }

    fn othello(openings: u32, random: (u32, u32)) -> GenerationSettings {
        let (random_least, random_most) = random;
        let seed = Seed(3);
        let usual = GenerationSettings::default();
        GenerationSettings { random_least, random_most, openings, depth: 1, exact: 8, seed, ..usual }
    }

    #[test]
    fn games_do_not_depend_on_who_plays_them() {
        let all = played::<Morris, morris::Evaluations>(&morris(0), 1, (0, 30));
        assert_eq!(all.len(), 30);
        assert_eq!(played::<Morris, morris::Evaluations>(&morris(0), 3, (0, 30)), all);
        assert_eq!(played::<Morris, morris::Evaluations>(&morris(0), 2, (7, 30)), all[7..]);
        let settings = othello(0, (30, 44));
        let all = played::<Othello, othello::Evaluations>(&settings, 1, (0, 50));
        assert_eq!(all.len(), 50);
        assert_eq!(played::<Othello, othello::Evaluations>(&settings, 3, (0, 50)), all);
        assert_eq!(played::<Othello, othello::Evaluations>(&settings, 2, (32, 50)), all[32..]);
    }

    #[test]
    fn games_that_stand_still_are_cut_and_sides_differ_in_temper() {
        let collect = |still, mobility| {
            let rules = vec!["standard".into()];
            let settings = GenerationSettings { rules, longest: 90, still, mobility, ..morris(0) };
            played::<Abalone, abalone::Evaluations>(&settings, 2, (0, 12))
        };
        let (calm, cut, mobility) = (collect(0, 0), collect(15, 0), collect(0, 100));
        assert!(calm.iter().zip(&cut).all(|(whole, cut)| whole.moves.starts_with(&cut.moves)));
        assert!(cut.iter().any(|game| game.plies().count() == 15), "nothing was ejected at first");
        assert_ne!(mobility, calm, "after twenty quiet plies tempers differ");
    }

    #[test]
    fn games_are_searched_with_pruning_if_asked_for_and_their_file_says_so() {
        let settings = |pruning| {
            let rules = vec!["belgian-daisy".into()];
            GenerationSettings { rules, longest: 30, depth: 4, pruning, ..morris(0) }
        };
        let [usual, pruned] = [false, true].map(|pruning| {
            let settings = settings(pruning);
            let lines = settings.lines::<Abalone, abalone::Evaluations>(None);
            assert_eq!(lines.iter().any(|line| line == "--pruning"), pruning);
            played::<Abalone, abalone::Evaluations>(&settings, 2, (0, 6))
        });
        assert_ne!(usual, pruned);
    }

    #[test]
    fn all_openings_are_played_once_by_each_of_the_rules() {
        let all = played::<Morris, morris::Evaluations>(&morris(1), 2, (0, u64::MAX));
        let opening = |game: &PlayedGame, plies| game.plies().take(plies).collect::<Vec<_>>().join(" ");
        let openings: std::collections::BTreeSet<_> =
            all.iter().map(|game| (&game.rules, opening(game, 1))).collect();
        assert_eq!((all.len(), openings.len()), (8, 8), "four kinds of points, two sets of rules");
        assert!(all.iter().all(|game| game.random == 1));
        let all = played::<Othello, othello::Evaluations>(&othello(3, (0, 0)), 2, (0, u64::MAX));
        let openings: std::collections::BTreeSet<_> = all.iter().map(|game| opening(game, 3)).collect();
        assert_eq!((all.len(), openings.len()), (14, 14));
        assert!(all.iter().all(|game| game.random == 3));
    }

    /// A worker that only has the text of a job plays the same games.
    #[test]
    fn jobs_are_played_the_same_by_name() {
        let settings = othello(0, (40, 44));
        let (game, first, count) = (Othello::NAME.into(), 3, 5);
        let job = GenerationJob { game, settings: settings.clone(), weights: None, first, count, make: None };
        let elsewhere = job.run(&mut LastMade::default(), &AtomicBool::new(false)).unwrap().unwrap();
        assert_eq!(elsewhere, played::<Othello, othello::Evaluations>(&settings, 1, (3, 8)));
        let unknown = GenerationJob { game: "hex".into(), ..job };
        let fault = unknown.run(&mut LastMade::default(), &AtomicBool::new(false)).unwrap_err().to_string();
        assert!(fault.contains("unknown game `hex`"), "{fault}");
    }
}
