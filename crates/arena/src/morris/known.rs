//! What the tables say of a position.

use trilith_games::Game;
use trilith_games::morris::{Morris, Position};
use trilith_tablebase::answer::{self, Answer, MoveAnswer};
use trilith_tablebase::placing as placing_phase;
use trilith_tablebase::{Expert, FIRST_STONES, TablebaseError, default_folder};

use crate::known::{Library, Panel};

/// Positions that may be visited to answer about the placing phase.
const PLACING: u64 = 200_000;

pub(super) fn ask(library: &Library, game: &Morris, position: &Position) -> Panel<Answer> {
    let rules = game.rules();
    let build =
        |stones: u32| format!("`trilith tablebase build morris --rules {rules} --stones {stones}` makes it");
    let folder = default_folder(rules);
    let open = || Expert::open(&folder, game, FIRST_STONES);
    let Ok(expert) = library.tables(&folder, open) else {
        return Panel::missing(format!("there are no tables: {}", build(FIRST_STONES)));
    };
    if position.in_hand() > 0 {
        expert.allow(PLACING);
        return match placing(&expert, game, position) {
            Some(table) => Panel::Known(table),
            None if expert.knows_placing() => Panel::missing("not found within the time allowed"),
            None if placing_phase::check(rules).is_err() => {
                Panel::missing("by these rules tables know positions without stones in hand only")
            }
            None => Panel::missing(format!("while stones are placed all tables are needed: {}", build(18))),
        };
    }
    match answer::answer(expert.tables(), game, position) {
        Ok(answer) => Panel::Known(answer),
        // The error itself names folders of this machine.
        Err(TablebaseError::Missing { subspace, .. }) => {
            Panel::missing(format!("no table for {subspace}: {}", build(subspace.stones())))
        }
        Err(_) => Panel::missing("the tables cannot be read"),
    }
}

/// The placing phase, by search into complete tables.
fn placing(expert: &Expert, game: &Morris, position: &Position) -> Option<Answer> {
    let moves = expert.moves(game, position).ok()?;
    let (_, best) = moves.first()?;
    let value = answer::word(best.outcome);
    let name = |(mv, value): &(_, trilith_tablebase::Value)| MoveAnswer {
        mv: game.move_text(*mv),
        value: answer::word(value.outcome),
        plies: value.plies,
    };
    Some(Answer { value, plies: best.plies, moves: moves.iter().map(name).collect() })
}
