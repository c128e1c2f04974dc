//! Tables as lists show them.

use serde::Serialize;
use trilith_games::End;

use crate::room::Sides;
use crate::store::reads::Listed;

/// One line of a list.
#[derive(Serialize)]
pub(crate) struct Entry {
    id: String,
    game: String,
    players: Sides<Player>,
    plies: u64,
    created: u64,
    finished: Option<u64>,
    result: Option<End>,
}

#[derive(Clone, Serialize)]
struct Player {
    name: String,
    account: Option<String>,
}

impl From<Listed> for Entry {
    fn from(row: Listed) -> Entry {
        let [black, white] =
            [0, 1].map(|side| Player { name: row.names[side].clone(), account: row.accounts[side].clone() });
        Entry {
            id: row.id,
            game: row.game,
            players: Sides { black, white },
            plies: row.plies,
            created: row.created,
            finished: row.finished,
            result: row.end,
        }
    }
}
