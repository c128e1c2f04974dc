//! What search thinks of the positions of games, and of positions some random moves beside them.
//!
//! The result of a game is a fair but noisy teacher: whatever went wrong between a position and the end is in it. A
//! search a few plies deep errs much less, and it can also judge what good play avoids but a search looks at all the time:
//! the positions after a bad move. Where perfect play can be had it gives the truth.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, LastMade, Workers};
use trilith_eval::Unknowing;
use trilith_games::{Game, Record, playout};
use trilith_search::{Analysis, Control, Engine, Limits};

use super::blocks::BlockLayout;
use super::error::DataError;
use super::game::{Ended, PlayedGame, PlayedGameError};
use super::portions::{WeightsFile, in_order};
use super::positions::{LabelledPosition, PositionColumns};
use super::settings::JudgeSettings;
use crate::training::{ExactPlay, Training, TrainingVisitor, has_choice, with_training};

/// Games in one job, whose positions are one block of the file.
pub const GAMES_PER_BLOCK: usize = 16;

/// The positions of some games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PositionJudgeJob {
    /// The game's name.
    pub game: String,
    /// How they are judged.
    pub settings: JudgeSettings,
    /// With which weights; with the shipped ones without.
    pub weights: Option<WeightsFile>,
    /// The number of the first game.
    pub first: u64,
    /// The games.
    pub games: Vec<PlayedGame>,
    /// Makes the judge where the type of the game is known; elsewhere it is looked up by name.
    #[serde(skip)]
    make: Option<MakeJudge>,
}

/// The columns of a block of judged positions.
pub type Columns = Vec<Vec<u8>>;
/// Judges the games of a job; none if it was stopped.
type Judges = Box<dyn FnMut(&PositionJudgeJob, &AtomicBool) -> Result<Option<Columns>, DataError>>;
type MakeJudge = fn(&PositionJudgeJob) -> Result<Judges, DataError>;

/// Who judges the positions of games, one after another.
struct Judge<G: Game, C: Training<G>> {
    engine: Engine<G, C::EngineEvaluator, Unknowing>,
    exact: Option<Box<dyn ExactPlay<G>>>,
    catalogue: PhantomData<fn() -> C>,
}

fn judges<G: Game, C: Training<G>>(job: &PositionJudgeJob) -> Result<Judges, DataError> {
    let evaluator = match &job.weights {
        Some(weights) => C::engine_evaluator_from(&weights.load()?)?,
        None => C::engine_evaluator(),
    };
    let options = C::self_play_options(&evaluator);
    let engine = C::engine(evaluator, Unknowing, options);
    let mut judge =
        Judge::<G, C> { engine, exact: C::exact_play(job.settings.exact), catalogue: PhantomData };
    Ok(Box::new(move |job, stop| judge.games(job, stop)))
}

impl<G: Game, C: Training<G>> Judge<G, C> {
    fn games(&mut self, job: &PositionJudgeJob, stop: &AtomicBool) -> Result<Option<Columns>, DataError> {
        let mut judged = Vec::new();
        for (number, game) in (job.first..).zip(&job.games) {
            if stop.load(Relaxed) {
                return Ok(None);
            }
            let mut rng = job.settings.seed.derive("judge", number).rng();
            self.game(game, &job.settings, &mut rng, &mut judged).map_err(|fault| DataError::Game {
                path: "--games".into(),
                game: number + 1,
                fault,
            })?;
        }
        Ok(Some(PositionColumns::<G, C>::split(&judged)))
    }

    fn game(
        &mut self,
        played: &PlayedGame,
        settings: &JudgeSettings,
        rng: &mut impl Rng,
        into: &mut Vec<LabelledPosition<G>>,
    ) -> Result<(), PlayedGameError> {
        let (game, taught) = played.taught::<G, C>()?;
        // What perfect play remembers changes no value.
        if settings.chosen > 0 || !settings.exact_only {
            self.engine.forget();
        }
        let mut chosen = Vec::new();
        let left = (1..=taught.len()).rev().map(|left| (settings.left.0..=settings.left.1).contains(&left));
        for (Ended { position, result, margin }, _) in
            taught.into_iter().zip(left).filter(|&(_, judged)| judged)
        {
            let (here, beside) = (rng.random_bool(settings.share), rng.random_bool(settings.share));
            if here {
                chosen.push((position, Some(result), margin));
            }
            if beside && let Some(position) = self.beside(&game, &position, settings, rng) {
                chosen.push((position, None, None));
            }
        }
        for (position, result, margin) in chosen {
            let position = C::for_mover(position);
            let Some((value, best)) = self.value(&game, &position, settings) else { continue };
            if let Some(next) = best.filter(|_| settings.follow).map(|best| game.play(&position, best))
                && has_choice::<G, C>(&game, &next)
            {
                let position = C::for_mover(next);
                let game = game.clone();
                into.push(LabelledPosition { game, position, value: -value, result: None, margin: None });
            }
            into.push(LabelledPosition { game: game.clone(), position, value, result, margin });
        }
        Ok(())
    }

    /// Whether a chosen line may lead from `position` to what is judged: perfect play alone is not worth a search far
    /// before it.
    fn within_reach(&self, position: &G::Position, settings: &JudgeSettings) -> bool {
        let plies = self.exact.as_ref().map_or(u32::MAX, |exact| exact.plies_before(position));
        !settings.exact_only || plies <= settings.chosen
    }

    fn search(&mut self, game: &G, position: &G::Position, depth: u32) -> Option<Analysis<G::Move>> {
        let record = Record::from_position(game.clone(), *position).ok()?;
        Some(self.engine.analyse(&record, &Limits::depth(depth), &Control::default(), &mut |_| ()))
    }

    /// A position some random moves away, and perhaps some more that seem best; none if the game ends before.
    fn beside(
        &mut self,
        game: &G,
        position: &G::Position,
        settings: &JudgeSettings,
        rng: &mut impl Rng,
    ) -> Option<G::Position> {
        let moves = if settings.beside > 1 { rng.random_range(1..=settings.beside) } else { 1 };
        let away = (0..moves).try_fold(*position, |position, _| {
            let mv = playout::random_move(game, &position, rng)?;
            Some(game.play(&position, mv))
        })?;
        if settings.chosen == 0 || rng.random_bool(0.5) || game.outcome(&away).is_some() {
            return Some(away);
        }
        if !self.within_reach(&away, settings) {
            return None;
        }
        let found = self.search(game, &away, settings.chosen)?;
        let line = found.lines.first()?.moves.iter();
        Some(line.fold(away, |position, &mv| game.play(&position, mv)))
    }

    /// In hundredths of the evaluation's unit for the side to move; none where it has no choice, since search steps over
    /// such positions, and where perfect play alone is asked and does not reach. With the best move if that is proved.
    fn value(
        &mut self,
        game: &G,
        position: &G::Position,
        settings: &JudgeSettings,
    ) -> Option<(i16, Option<G::Move>)> {
        if !has_choice::<G, C>(game, position) {
            return None;
        }
        if let Some(exact) = self.exact.as_mut().filter(|exact| exact.covers(position)) {
            let (best, value) = exact.best(position);
            return Some((value, Some(best)));
        }
        if settings.exact_only {
            return None;
        }
        let answer = self.search(game, position, settings.depth)?;
        let hundredths = i64::from(answer.value()) * 100 / i64::from(answer.unit.one);
        Some((hundredths.clamp(-32_000, 32_000) as i16, None))
    }
}

impl TrainingVisitor for &PositionJudgeJob {
    type Output = Result<Judges, DataError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        judges::<G, C>(self)
    }
}

impl Job for PositionJudgeJob {
    const KIND: &'static str = "positions";
    type Output = Columns;
    type Error = DataError;
    type Place = LastMade<(String, u32, Option<WeightsFile>), Judges>;

    fn run(&self, place: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Columns>, DataError> {
        let key = (self.game.clone(), self.settings.exact, self.weights.clone());
        let judges = place.get(key, || match self.make {
            Some(make) => make(self),
            None => with_training(&self.game, self)?,
        })?;
        judges(self, stop)
    }
}

/// Has the positions of `games` judged from game `first` on, which is a multiple of [`GAMES_PER_BLOCK`], and hands them over
/// block by block in the order of the games.
pub fn judge<G: Game, C: Training<G>>(
    games: &[PlayedGame],
    first: usize,
    settings: JudgeSettings,
    weights: Option<&WeightsFile>,
    (workers, stop): (&Workers, &AtomicBool),
    mut judged: impl FnMut(Vec<LabelledPosition<G>>) -> ControlFlow<()>,
) -> Result<(), DataError> {
    let groups: Vec<(u64, Vec<PlayedGame>)> = games[first.min(games.len())..]
        .chunks(GAMES_PER_BLOCK)
        .zip((first as u64..).step_by(GAMES_PER_BLOCK))
        .map(|(games, number)| (number, games.to_vec()))
        .collect();
    let batch = format!("{} positions {settings:?} {:?}", G::NAME, weights.map(|weights| &weights.checksum));
    let weights = weights.cloned();
    let jobs = groups.into_iter().map(move |(first, games)| PositionJudgeJob {
        game: G::NAME.into(),
        settings,
        weights: weights.clone(),
        first,
        games,
        make: Some(judges::<G, C>),
    });
    let portion = |job: &PositionJudgeJob| (job.first, job.games.len() as u64);
    let mut failed = None;
    in_order(
        &batch,
        jobs,
        portion,
        first as u64,
        workers,
        stop,
        |columns| match PositionColumns::<G, C>::join(PositionColumns::<G, C>::VERSION, &columns) {
            Ok(block) => judged(block),
            Err(fault) => {
                failed = Some(DataError::Worker(fault));
                ControlFlow::Break(())
            }
        },
    )?;
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{GenerationSettings, games};
    use trilith_base::Seed;
    use trilith_eval::othello::{Evaluations, OthelloPatterns};
    use trilith_eval::{Margin, abalone};
    use trilith_games::abalone::Abalone;
    use trilith_games::othello::Othello;

    fn weights() -> WeightsFile {
        let path = std::env::temp_dir().join(format!("trilith-judge-{}.safetensors", std::process::id()));
        OthelloPatterns::zero(2).to_artifact(std::collections::BTreeMap::new()).save(&path).unwrap();
        WeightsFile::of(&path).unwrap()
    }

    fn games_of<G: Game, C: Training<G>>(random: (u32, u32), count: u64) -> Vec<PlayedGame> {
        let (random_least, random_most) = random;
        let (depth, exact, longest, seed) = (1, 10, 60, Seed(5));
        let usual = GenerationSettings::default();
        let settings = GenerationSettings { random_least, random_most, depth, exact, longest, seed, ..usual };
        games::collect::<G, C>(&settings, None, (0, count), &Workers::Threads(2), &false.into()).unwrap()
    }

    fn blocks_of<G: Game, C: Training<G>>(
        games: &[PlayedGame],
        weights: Option<&WeightsFile>,
        (threads, first): (usize, usize),
    ) -> Vec<Vec<LabelledPosition<G>>> {
        let settings = JudgeSettings { depth: 2, exact: 10, ..JudgeSettings::default() };
        blocks_by::<G, C>(games, settings, weights, (threads, first))
    }

    fn blocks_by<G: Game, C: Training<G>>(
        games: &[PlayedGame],
        settings: JudgeSettings,
        weights: Option<&WeightsFile>,
        (threads, first): (usize, usize),
    ) -> Vec<Vec<LabelledPosition<G>>> {
        let mut blocks = Vec::new();
        let work = (&Workers::Threads(threads), &AtomicBool::new(false));
        judge::<G, C>(games, first, settings, weights, work, |block| {
            blocks.push(block);
            ControlFlow::Continue(())
        })
        .unwrap();
        blocks
    }

    #[test]
    fn judgements_do_not_depend_on_who_judges_and_are_exact_near_the_end() {
        let games = games_of::<Othello, Evaluations>((30, 40), 40);
        let weights = weights();
        let all = |work| blocks_of::<Othello, Evaluations>(&games, Some(&weights), work);
        let blocks = all((1, 0));
        assert_eq!(blocks.len(), 3);
        assert_eq!(all((3, 0)), blocks);
        assert_eq!(all((2, 16)), blocks[1..]);
        let near = blocks.iter().flatten().filter(|row| row.position.empties().count_ones() <= 10);
        let in_games: Vec<_> = near.filter_map(|row| Some((row.value, row.margin?))).collect();
        assert!(in_games.len() > 50);
        assert!(in_games.iter().all(|&(value, margin)| value == margin * 100), "{in_games:?}");
    }

    /// Further beside the games there are other positions; perfect play alone leaves out what it does not reach and says of
    /// the rest what it says when nothing is left out.
    #[test]
    fn perfect_play_alone_judges_what_it_reaches_some_moves_beside_the_games() {
        let games = games_of::<Othello, Evaluations>((30, 40), 40);
        let weights = weights();
        let judged_by = |(beside, chosen, follow), exact_only| {
            let settings = JudgeSettings {
                depth: 1,
                exact: 10,
                share: 1.0,
                beside,
                chosen,
                follow,
                exact_only,
                seed: Seed(3),
                ..JudgeSettings::default()
            };
            blocks_by::<Othello, Evaluations>(&games, settings, Some(&weights), (2, 0)).concat()
        };
        let judged = |beside, exact_only| judged_by((beside, 1, false), exact_only);
        let (everything, exact) = (judged(4, false), judged(4, true));
        let near = |row: &LabelledPosition<Othello>| row.position.empties().count_ones() <= 10;
        let reached: Vec<_> = everything.iter().filter(|row| near(row)).cloned().collect();
        assert!(reached.len() < everything.len());
        assert_eq!(exact, reached);
        let fewest = |rows: &[LabelledPosition<Othello>]| {
            let beside = rows.iter().filter(|row| row.margin.is_none());
            beside.map(|row| row.position.empties().count_ones()).min()
        };
        assert!(fewest(&exact) <= fewest(&judged(1, true)));
        assert_ne!(exact, judged(1, true));

        // Longer lines reach perfect play from further away; what follows a best move is worth as much to the other side.
        let (longer, followed) = (judged_by((4, 3, false), true), judged_by((4, 3, true), true));
        assert!(longer.len() > exact.len(), "{} {}", longer.len(), exact.len());
        assert!(followed.len() > longer.len());
        assert!(longer.iter().all(|row| followed.contains(row)));
        let mut solver = Evaluations::exact_play(10).unwrap();
        for row in followed.iter().filter(|row| !longer.contains(row)) {
            assert_eq!(solver.best(&row.position).1, row.value);
        }
    }

    /// Only so many plies before the end: the board fills up by one disc a ply, and nothing else changes.
    #[test]
    fn only_positions_so_far_from_the_end_are_judged() {
        let games: Vec<_> = games_of::<Othello, Evaluations>((30, 40), 60)
            .into_iter()
            .filter(|game| game.moves.split(' ').filter(|mv| *mv != "pass").count() == 60)
            .collect();
        assert!(games.len() > 30, "{}", games.len());
        let judged = |share, left| {
            let settings = JudgeSettings { depth: 1, exact: 10, share, left, ..JudgeSettings::default() };
            let mut rows = blocks_by::<Othello, Evaluations>(&games, settings, None, (2, 0)).concat();
            rows.retain(|row| row.margin.is_some());
            rows
        };
        let empties = |row: &LabelledPosition<Othello>| row.position.empties().count_ones() as usize;
        let all = judged(1.0, JudgeSettings::default().left);
        let wanted: Vec<_> = all.iter().filter(|row| (7..=9).contains(&empties(row))).cloned().collect();
        assert!(wanted.len() > 60 && wanted.len() < all.len() / 2);
        assert_eq!(judged(1.0, (7, 9)), wanted);
    }

    /// Every game is judged, also one that has nothing but its own count.
    #[test]
    fn games_without_perfect_play_and_without_weights_are_judged() {
        let games = games_of::<Abalone, abalone::Evaluations>((4, 10), 6);
        let judged = blocks_of::<Abalone, abalone::Evaluations>(&games, None, (2, 0)).concat();
        assert!(judged.len() > 100, "{}", judged.len());
        assert!(
            judged.iter().any(|row| row.result.is_some()) && judged.iter().any(|row| row.result.is_none())
        );
        let by_count = blocks_of::<Abalone, Margin>(&games, None, (2, 0)).concat();
        assert_eq!(by_count.len(), judged.len(), "the draws are the same");
        assert!(by_count.iter().any(|row| row.value != 0));
    }
}
