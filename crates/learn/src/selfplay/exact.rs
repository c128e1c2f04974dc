//! Games of Morris labelled by proof: what a position is, instead of what came of it or what a search thinks of it.
//!
//! The complete tables know positions without stones in hand; those before are solved by search down to them, which is
//! quick for the last stones. A game alone shows what sensible players reach, but a search looks at much that they
//! avoid: so from every position of the placing phase some random moves lead beside the game, and what they reach is
//! labelled as well. The labels are the values of the games written; fit with `lambda` 0 to learn from nothing else.

use rand::RngExt;
use rand::seq::IndexedRandom;
use trilith_base::Seed;
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Colour, Game, MoveList, Outcome, Record};

use super::store::Played;

/// Games that are labelled together, and are one block of a file with those beside them.
pub const PER_BLOCK: usize = 64;

/// What is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Positions with at most so many stones in hand, both sides together.
    pub most_hand: u8,
    /// Ways beside the game from each of its positions with stones in hand.
    pub beside: u32,
    /// The longest of them; shorter ones are as likely.
    pub longest: u32,
    /// Where all draws come from; what becomes of a game depends on this and its number alone.
    pub seed: Seed,
}

/// The score of an outcome in thousandths.
fn thousandths(outcome: Outcome) -> u16 {
    match outcome {
        Outcome::Win => 1000,
        Outcome::Draw => 500,
        Outcome::Loss => 0,
    }
}

/// The game from its first position that can be labelled on, and the ways beside it, with what `judge` says of each
/// position. Fails with what is wrong with the game, or with the judge's error.
pub fn label<E: ToString>(
    played: &Played,
    number: u64,
    plan: &Plan,
    judge: impl Fn(&Position) -> Result<Outcome, E>,
) -> Result<Vec<Played>, String> {
    let judge = |position: &Position| judge(position).map_err(|error| error.to_string());
    let game =
        Morris::new(played.rules.parse().map_err(|error: trilith_games::RulesError| error.to_string())?);
    let mut record = Record::new(game);
    let mut rng = plan.seed.derive("label", number).rng();
    let (mut values, mut labelled) = (Vec::new(), Vec::new());
    for (ply, text) in played.moves.iter().enumerate() {
        let position = *record.position();
        let hand = position.in_hand();
        if ply >= played.random && hand <= plan.most_hand {
            values.push(thousandths(judge(&position)?));
        }
        if hand > 0 && hand <= plan.most_hand + 1 {
            for _ in 0..plan.beside {
                let plies = rng.random_range(1..=plan.longest.max(1));
                let way = walk(&game, position, plies, &mut rng, &judge)?;
                labelled.extend(way.map(|way| beside(&game, played, ply, &way)));
            }
        }
        record.push_text(text).map_err(|error| error.to_string())?;
    }
    let random = played.moves.len() - values.len();
    labelled.push(Played { random, values, ..played.clone() });
    Ok(labelled)
}

/// Moves beside the game, the value of the position after each but the last, and who moved first.
struct Way {
    moves: Vec<Move>,
    values: Vec<u16>,
    first: Colour,
}

/// So many random moves and one more; none if the game ends before.
fn walk(
    game: &Morris,
    mut position: Position,
    plies: u32,
    rng: &mut impl rand::Rng,
    judge: &impl Fn(&Position) -> Result<Outcome, String>,
) -> Result<Option<Way>, String> {
    let mut way = Way { moves: Vec::new(), values: Vec::new(), first: game.to_move(&position) };
    for ply in 0..=plies {
        let mut moves = MoveList::new();
        game.moves(&position, &mut moves);
        let Some(&mv) = moves.choose(rng) else { return Ok(None) };
        if ply > 0 {
            way.values.push(thousandths(judge(&position)?));
        }
        way.moves.push(mv);
        position = game.play(&position, mv);
    }
    Ok(Some(way))
}

/// A way that leaves the game at `ply`, as a game.
fn beside(game: &Morris, played: &Played, ply: usize, way: &Way) -> Played {
    let moves = way.moves.iter().map(|&mv| game.move_text(mv));
    let last = way.values.last().copied().unwrap_or(500);
    // The last value is that of the side to move there; sides take turns.
    let is_black = (way.first == Colour::Black) == way.values.len().is_multiple_of(2);
    Played {
        rules: played.rules.clone(),
        random: ply + 1,
        moves: played.moves[..ply].iter().cloned().chain(moves).collect(),
        values: way.values.clone(),
        result: if is_black { last } else { 1000 - last },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::playout;

    /// A judge that knows nothing but stones.
    fn by_stones(position: &Position) -> Result<Outcome, String> {
        Ok(match position.own_total().cmp(&position.other_total()) {
            std::cmp::Ordering::Greater => Outcome::Win,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Loss,
        })
    }

    #[test]
    fn every_label_is_that_of_its_position() {
        let game = Morris::default();
        let mut record = Record::new(game);
        playout::play_on(&mut record, 24, &mut Seed(5).rng());
        let moves: Vec<_> = record.moves().map(|mv| game.move_text(mv)).collect();
        let values = vec![500; moves.len() - 2];
        let played = Played { rules: "standard".into(), random: 2, moves, values, result: 500 };
        let plan = Plan { most_hand: 8, beside: 2, longest: 3, seed: Seed(1) };
        let labelled = label(&played, 7, &plan, by_stones).unwrap();
        assert_eq!(labelled, label(&played, 7, &plan, by_stones).unwrap());
        assert!(labelled.len() > 9, "{}", labelled.len());
        let mut seen = [0; 3];
        for game_of in &labelled {
            assert_eq!(game_of.random + game_of.values.len(), game_of.moves.len());
            let mut record = Record::new(game);
            for (ply, text) in game_of.moves.iter().enumerate() {
                if let Some(&value) = ply.checked_sub(game_of.random).and_then(|at| game_of.values.get(at)) {
                    assert_eq!(value, thousandths(by_stones(record.position()).unwrap()), "{game_of:?}");
                    assert!(record.position().in_hand() <= plan.most_hand);
                    seen[usize::from(value / 500)] += 1;
                }
                record.push_text(text).unwrap();
            }
        }
        assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
        assert_eq!(label(&played, 7, &plan, |_| Err("no table")).unwrap_err(), "no table");
    }
}
