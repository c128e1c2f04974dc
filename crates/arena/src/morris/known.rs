//! What the tables say of a position.

use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, MoveList, Outcome};
use trilith_tablebase::answer;
use trilith_tablebase::choice::preserving;
use trilith_tablebase::placing;
use trilith_tablebase::{Expert, FIRST_STONES, TablebaseError, TablebaseValue, default_folder};

use crate::known::{Library, Panel, Tabulated, TabulatedMove};

/// Positions that may be visited to answer about the placing phase, and about the replies to its moves: a second each.
const PLACING: u64 = 600_000;

pub(super) fn ask(library: &Library, game: &Morris, position: &Position) -> Panel<Tabulated> {
    let rules = game.rules();
    let build =
        |stones: u32| format!("`trilith tablebase build morris --rules {rules} --stones {stones}` makes it");
    let folder = default_folder(rules);
    let open = || Expert::open(&folder, game, FIRST_STONES)?.with_search(&folder, game);
    // Lasker's game has the tables of nine men, but nothing is known of its placing.
    let is_placed_first = placing::check(rules).is_ok();
    let kept_as = if is_placed_first { folder.clone() } else { folder.join("without-placing") };
    let Ok(expert) = library.tables(&kept_as, open) else {
        return Panel::missing(format!("there are no tables: {}", build(FIRST_STONES)));
    };
    if position.in_hand() > 0 {
        expert.allow(PLACING);
        let bounds = expert.bounds(game, position).unwrap_or_default();
        let moves: Vec<_> = bounds
            .into_iter()
            .map(|bound| (bound.mv, TablebaseValue { outcome: bound.least, plies: None }, !bound.is_exact))
            .collect();
        return match tabulated(&expert, game, position, moves) {
            Some(found) => Panel::Known(found),
            None if !is_placed_first => {
                Panel::missing("by these rules tables know positions without stones in hand only")
            }
            None if expert.tables().is_complete() => Panel::missing("not found within the time allowed"),
            None => Panel::missing(format!("while stones are placed all tables are needed: {}", build(18))),
        };
    }
    let valued = answer::moves_valued(expert.tables(), game, position);
    let valued = valued.map(|valued| valued.into_iter().map(|(mv, value)| (mv, value, false)).collect());
    match valued.map(|moves| tabulated(&expert, game, position, moves)) {
        Ok(Some(found)) => Panel::Known(found),
        // The error itself names folders of this machine.
        Err(TablebaseError::Missing { subspace, .. }) => {
            Panel::missing(format!("no table for {subspace}: {}", build(subspace.stones())))
        }
        Ok(None) | Err(_) => Panel::missing("the tables cannot be read"),
    }
}

/// What moves are worth, perhaps more than that, as an answer; none without moves.
fn tabulated(
    expert: &Expert,
    game: &Morris,
    position: &Position,
    mut moves: Vec<(Move, TablebaseValue, bool)>,
) -> Option<Tabulated> {
    moves.sort_by_key(|(_, value, _)| std::cmp::Reverse(value.preference()));
    let &(_, best, _) = moves.first()?;
    if position.in_hand() > 0 {
        expert.allow(PLACING);
    }
    let named = |&(mv, value, at_least): &(Move, TablebaseValue, bool)| TabulatedMove {
        mv: game.move_text(mv),
        value: answer::word(value.outcome),
        plies: value.plies,
        at_least,
        replies: replies(expert, game, &game.play(position, mv)),
    };
    Some(Tabulated {
        value: answer::word(best.outcome),
        plies: best.plies,
        legal: count(game, position),
        moves: moves.iter().map(named).collect(),
    })
}

/// Of the moves those that keep the outcome, and all; none if that is not known, or if nothing can be spoilt any more.
fn replies(expert: &Expert, game: &Morris, position: &Position) -> Option<(usize, usize)> {
    let all = count(game, position);
    let valued = expert.moves(game, position).ok()?;
    let is_open = valued.first().is_some_and(|(_, best)| best.outcome != Outcome::Loss);
    (is_open && valued.len() == all).then(|| (preserving(&valued).len(), all))
}

fn count(game: &Morris, position: &Position) -> usize {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.len()
}
