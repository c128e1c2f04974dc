//! Perfect players: any move that keeps the value, and the one that is hardest to answer.
//!
//! A database cannot see which positions lead a fallible player astray, says S2 (chapter 1). But it can count: of the
//! opponent's replies, how many keep what the opponent has? Where few do, a slip is likely.

use std::cmp::Ordering;

use rand::{Rng, RngExt};
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, Outcome};

use crate::error::TablebaseError;
use crate::expert::Expert;
use crate::tables::TablebaseValue;

/// The moves that keep the outcome, the quickest wins and slowest losses first.
pub fn preserving(valued: &[(Move, TablebaseValue)]) -> &[(Move, TablebaseValue)] {
    let keeps = |outcome: Outcome| valued.iter().take_while(|(_, value)| value.outcome == outcome).count();
    valued.first().map_or(&[], |(_, best)| &valued[..keeps(best.outcome)])
}

/// Any move that keeps the outcome, by lot: the opponent of S2, Table 4.4. Among wins it is the quickest, if distances
/// are known, else a game could go on for ever. None if the position is not known or the game has ended.
pub fn any_move(
    expert: &Expert,
    game: &Morris,
    position: &Position,
    rng: &mut impl Rng,
) -> Result<Option<Move>, TablebaseError> {
    let valued = expert.moves(game, position)?;
    let kept = preserving(&valued);
    let is_quickest = |(_, value): &&(Move, TablebaseValue)| {
        value.outcome != Outcome::Win || value.plies == kept[0].1.plies
    };
    let kept = &kept[..kept.iter().take_while(is_quickest).count()];
    Ok((!kept.is_empty()).then(|| kept[rng.random_range(0..kept.len())].0))
}

/// Of the moves that keep the outcome the one that leaves the opponent the smallest share of replies that keep
/// theirs; equals by lot. A win is taken the quickest way. Positions for which `is_stale` are gone to only if there
/// are no others: give those of the game so far, or it will soon be drawn by repetition. None if the position is not
/// known or the game has ended.
pub fn tricky_move(
    expert: &Expert,
    game: &Morris,
    position: &Position,
    is_stale: impl Fn(&Position) -> bool,
    rng: &mut impl Rng,
) -> Result<Option<Move>, TablebaseError> {
    let valued = expert.moves(game, position)?;
    let mut best: Option<((bool, f64), Move)> = None;
    let mut equals = 0;
    for &(mv, value) in preserving(&valued) {
        let after = game.play(position, mv);
        let ease = match (value.outcome, value.plies) {
            (Outcome::Win, Some(plies)) => plies.into(),
            _ => safe_share(expert, game, &after)?,
        };
        let rating = (is_stale(&after), ease);
        let order =
            best.map_or(Ordering::Less, |(least, _)| rating.partial_cmp(&least).expect("shares are numbers"));
        match order {
            Ordering::Less => (best, equals) = (Some((rating, mv)), 1),
            Ordering::Greater => {}
            Ordering::Equal => {
                equals += 1;
                if rng.random_range(0..equals) == 0 {
                    best = Some((rating, mv));
                }
            }
        }
    }
    Ok(best.map(|(_, mv)| mv))
}

/// Which share of the moves keep the outcome: 0 if there are none, 1 if nothing is known.
pub fn safe_share(expert: &Expert, game: &Morris, position: &Position) -> Result<f64, TablebaseError> {
    let valued = expert.moves(game, position)?;
    match valued.len() {
        0 => Ok(if game.outcome(position).is_some() { 0.0 } else { 1.0 }),
        all => Ok(preserving(&valued).len() as f64 / all as f64),
    }
}
