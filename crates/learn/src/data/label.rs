//! Games labelled by proof: what a position is, instead of what came of it or what a search thinks of it.
//!
//! A game alone shows what sensible players reach, but a search looks at much that they avoid: so from every position
//! before those that are known by a table some random moves lead beside the game, and what they reach is labelled as well.
//! The labels are the values of the games written; fit with `lambda` 0 to learn from nothing else.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use rand::RngExt;
use rand::seq::IndexedRandom;
use trilith_games::{Colour, Game, MoveList, Outcome, Record};

use super::error::DataError;
use super::game::{PlayedGame, PlayedGameError};
use super::settings::LabelSettings;

/// Games that are labelled together, and are one block of a file with those beside them.
pub const GAMES_PER_BLOCK: usize = 64;

/// What knows positions. Asked by many threads at once.
pub trait Prover<G: Game>: Send + Sync {
    /// Whether positions like this are labelled.
    fn covers(&self, position: &G::Position) -> bool;
    /// Whether ways beside the game begin here.
    fn leaves(&self, position: &G::Position) -> bool;
    /// How a covered position, or one that a few plies from where ways begin lead to, ends with best play. Ends with an
    /// error if `stop` is set.
    fn outcome(&self, position: &G::Position, stop: &AtomicBool) -> Result<Outcome, String>;
}

/// The games of a block with those beside them, in order; none if it was stopped. The threads take one game after
/// another. `first` is the number of the first game.
pub fn label_block<G: Game>(
    games: &[PlayedGame],
    first: usize,
    settings: &LabelSettings,
    prover: &dyn Prover<G>,
    (threads, stop): (usize, &AtomicBool),
) -> Result<Option<Vec<PlayedGame>>, DataError> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
        let taken = numbers.take_while(|&at| at < games.len() && !stop.load(Relaxed));
        let label = |at: usize| (at, label(&games[at], (first + at) as u64, settings, prover, stop));
        taken.map(label).collect::<Vec<_>>()
    };
    let mut labelled = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let parts = threads.into_iter().map(|thread| thread.join().expect("labelling does not panic"));
        parts.flatten().collect::<Vec<_>>()
    });
    if stop.load(Relaxed) {
        return Ok(None);
    }
    labelled.sort_unstable_by_key(|&(at, _)| at);
    let mut all = Vec::new();
    for (at, labelled) in labelled {
        let game = (first + at + 1) as u64;
        all.extend(labelled.map_err(|fault| DataError::Game { path: "--games".into(), game, fault })?);
    }
    Ok(Some(all))
}

/// The score of an outcome in thousandths.
fn thousandths(outcome: Outcome) -> u16 {
    match outcome {
        Outcome::Win => 1000,
        Outcome::Draw => 500,
        Outcome::Loss => 0,
    }
}

/// Which part of the moves in a drawn position loses, beside the one that cannot be wrong: 0 to 1.
fn losing_share<G: Game>(
    game: &G,
    position: &G::Position,
    prover: &dyn Prover<G>,
    stop: &AtomicBool,
) -> Result<f64, String> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let mut losing = 0;
    for &mv in &moves {
        losing += usize::from(prover.outcome(&game.play(position, mv), stop)? == Outcome::Win);
    }
    Ok(losing as f64 / moves.len().saturating_sub(1).max(1) as f64)
}

/// The game from its first position that can be labelled on, and the ways beside it, with what the prover says of each
/// position. Fails with what is wrong with the game, or with the prover's error.
fn label<G: Game>(
    played: &PlayedGame,
    number: u64,
    settings: &LabelSettings,
    prover: &dyn Prover<G>,
    stop: &AtomicBool,
) -> Result<Vec<PlayedGame>, PlayedGameError> {
    let game: G = played.game()?;
    let judge = |position: &G::Position| {
        let outcome = prover.outcome(position, stop).map_err(PlayedGameError::new)?;
        if outcome != Outcome::Draw || settings.traps == 0 {
            return Ok(thousandths(outcome));
        }
        let share = losing_share(&game, position, prover, stop).map_err(PlayedGameError::new)?;
        Ok(thousandths(outcome) - (f64::from(settings.traps.min(499)) * share).round() as u16)
    };
    let mut record = Record::new(game.clone());
    let mut rng = settings.seed.derive("label", number).rng();
    let (mut values, mut labelled) = (Vec::new(), Vec::new());
    for (ply, text) in played.plies().enumerate() {
        let position = *record.position();
        if ply >= played.random && prover.covers(&position) {
            values.push(judge(&position)?);
        }
        if prover.leaves(&position) {
            for _ in 0..settings.beside {
                let plies = rng.random_range(1..=settings.longest.max(1));
                let way = walk(&game, position, plies, &mut rng, &judge)?;
                labelled.extend(way.map(|way| beside(&game, played, ply, &way)));
            }
        }
        record.push_text(text).map_err(PlayedGameError::new)?;
    }
    let random = record.len() - values.len();
    labelled.push(PlayedGame { random, values, ..played.clone() });
    Ok(labelled)
}

/// Moves beside the game, the value of the position after each but the last, and who moved first.
struct Way<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<u16>,
    first: Colour,
}

/// So many random moves and one more; none if the game ends before.
fn walk<G: Game>(
    game: &G,
    mut position: G::Position,
    plies: u32,
    rng: &mut impl rand::Rng,
    judge: &impl Fn(&G::Position) -> Result<u16, PlayedGameError>,
) -> Result<Option<Way<G>>, PlayedGameError> {
    let mut way = Way { moves: Vec::new(), values: Vec::new(), first: game.to_move(&position) };
    for ply in 0..=plies {
        let mut moves = MoveList::new();
        game.moves(&position, &mut moves);
        let Some(&mv) = moves.choose(rng) else { return Ok(None) };
        if ply > 0 {
            way.values.push(judge(&position)?);
        }
        way.moves.push(mv);
        position = game.play(&position, mv);
    }
    Ok(Some(way))
}

/// A way that leaves the game at `ply`, as a game.
fn beside<G: Game>(game: &G, played: &PlayedGame, ply: usize, way: &Way<G>) -> PlayedGame {
    let moves = way.moves.iter().map(|&mv| game.move_text(mv));
    let last = way.values.last().copied().unwrap_or(500);
    // The last value is that of the side to move there; sides take turns.
    let is_black = (way.first == Colour::Black) == way.values.len().is_multiple_of(2);
    PlayedGame {
        rules: played.rules.clone(),
        random: ply + 1,
        moves: played.plies().take(ply).map(str::to_owned).chain(moves).collect::<Vec<_>>().join(" "),
        values: way.values.clone(),
        result: if is_black { last } else { 1000 - last },
        margin: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::morris::{Morris, Position};
    use trilith_games::playout;

    /// A judge that knows nothing but stones.
    struct ByStones;

    impl Prover<Morris> for ByStones {
        fn covers(&self, position: &Position) -> bool {
            position.in_hand() <= 8
        }

        fn leaves(&self, position: &Position) -> bool {
            (1..=9).contains(&position.in_hand())
        }

        fn outcome(&self, position: &Position, stop: &AtomicBool) -> Result<Outcome, String> {
            match stop.load(Relaxed) {
                true => Err("stopped".into()),
                false => Ok(Outcome::of(position.own_total() as i32 - position.other_total() as i32)),
            }
        }
    }

    #[test]
    fn every_label_is_that_of_its_position() {
        let game = Morris::default();
        let mut record = Record::new(game);
        playout::play_on(&mut record, 24, &mut Seed(5).rng());
        let moves: Vec<_> = record.moves().map(|mv| game.move_text(mv)).collect();
        let values = vec![500; moves.len() - 2];
        let (rules, moves) = ("standard".into(), moves.join(" "));
        let played = PlayedGame { rules, random: 2, moves, values, result: 500, margin: Some(0) };
        let (folder, memory) = (None, 0);
        let settings =
            LabelSettings { hand: 8, beside: 2, longest: 3, traps: 0, seed: Seed(1), folder, memory };
        let go_on = AtomicBool::new(false);
        let label = || label(&played, 7, &settings, &ByStones, &go_on);
        let labelled = label().unwrap();
        assert_eq!(labelled, label().unwrap());
        assert!(labelled.len() > 9, "{}", labelled.len());
        let mut seen = [0; 3];
        for game_of in &labelled {
            assert_eq!(game_of.random + game_of.values.len(), game_of.plies().count());
            let mut record = Record::new(game);
            for (ply, text) in game_of.plies().enumerate() {
                if let Some(&value) = ply.checked_sub(game_of.random).and_then(|at| game_of.values.get(at)) {
                    let truth = ByStones.outcome(record.position(), &go_on).unwrap();
                    assert_eq!(value, thousandths(truth), "{game_of:?}");
                    assert!(record.position().in_hand() <= 8);
                    seen[usize::from(value / 500)] += 1;
                }
                record.push_text(text).unwrap();
            }
        }
        assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
        go_on.store(true, Relaxed);
        assert_eq!(label().unwrap_err().to_string(), "stopped");
        assert_eq!(
            label_block(std::slice::from_ref(&played), 0, &settings, &ByStones, (2, &go_on)).unwrap(),
            None
        );
    }

    /// A judge to whom a stone on the first point loses, and all else is even.
    struct ByOnePoint;

    impl Prover<Morris> for ByOnePoint {
        fn covers(&self, _: &Position) -> bool {
            true
        }

        fn leaves(&self, _: &Position) -> bool {
            false
        }

        fn outcome(&self, position: &Position, _: &AtomicBool) -> Result<Outcome, String> {
            Ok(if position.other() & 1 == 1 { Outcome::Win } else { Outcome::Draw })
        }
    }

    #[test]
    fn a_drawn_position_is_worth_less_the_more_of_its_moves_lose() {
        let (rules, moves) = ("standard".into(), "d6 d2 f4".into());
        let played =
            PlayedGame { rules, random: 0, moves, values: vec![500; 3], result: 500, margin: Some(0) };
        let values = |traps| {
            let (folder, memory) = (None, 0);
            let settings =
                LabelSettings { hand: 18, beside: 0, longest: 1, traps, seed: Seed(1), folder, memory };
            label(&played, 0, &settings, &ByOnePoint, &AtomicBool::new(false)).unwrap().remove(0).values
        };
        assert_eq!(values(0), [500; 3]);
        // One of 24, of 23 and of 22 moves.
        assert_eq!(values(400), [500 - 17, 500 - 18, 500 - 19]);
    }
}
