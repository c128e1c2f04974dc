//! S2, table 4.4: heuristics against a complete database, of whose correct moves any is played.
//!
//! In the moving phase tables say which moves are correct, while stones are placed a proof down to them does
//! ([`PlacingSolver`]). What has been proved stays for all games of the program. So that this changes no game, the first
//! correct move is taken in an order that depends on nothing but the position; in the moving phase it is one by lot. A game
//! ends as soon as the database has won by force: from there it makes no mistake.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};

use serde::{Deserialize, Serialize};
use trilith_arena::contest::{JobError, colour_of_a};
use trilith_arena::statistics::Tally;
use trilith_arena::{Player, PlayerError, PlayerSpec, Turn, player};
use trilith_base::Seed;
use trilith_base::seed::mix;
use trilith_eval::morris::Evaluations;
use trilith_games::morris::{Morris, Move};
use trilith_games::{Colour, Game, MoveList, Outcome, Record};
use trilith_search::{Control, Limits};
use trilith_tablebase::choice::preserving;
use trilith_tablebase::placing::{Effort, PlacingSolver, ProvedBounds, file_name, key};
use trilith_tablebase::{Tables, default_folder, moves_valued};

use crate::error::StudyError;

/// Some games of a heuristic against the database, the heuristic with Black in those of even number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerfectGames {
    /// Rule switches.
    pub rules: String,
    /// The heuristic as a player.
    pub player: String,
    /// The first game's number.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// A game is drawn after so many plies.
    pub plies: u32,
    /// Where all draws come from.
    pub seed: u64,
}

/// What came of games against the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerfectScore {
    /// Games held.
    pub drawn: u64,
    /// Games lost, by the move before which they were not: while stones were placed, and after.
    pub lost: [u64; 2],
    /// Games that the heuristic won: none, if the database is right.
    pub won: u64,
    /// Moves of the heuristic.
    pub moves: u64,
}

impl PerfectScore {
    /// Both together.
    pub fn merge(self, more: &PerfectScore) -> PerfectScore {
        PerfectScore {
            drawn: self.drawn + more.drawn,
            lost: [self.lost[0] + more.lost[0], self.lost[1] + more.lost[1]],
            won: self.won + more.won,
            moves: self.moves + more.moves,
        }
    }

    /// Games held as wins, lost ones as losses: what S2 calls p is their rate.
    pub fn held(&self) -> Tally {
        Tally { wins: self.drawn + self.won, draws: 0, losses: self.lost[0] + self.lost[1] }
    }
}

impl PerfectGames {
    /// Plays them; nothing if stopped before the end.
    pub fn run(&self, stop: &AtomicBool) -> Result<Option<PerfectScore>, StudyError> {
        let game = Morris::new(self.rules.parse().map_err(JobError::Rules)?);
        let database = database(&default_folder(game.rules()), game)?;
        self.play(&database, stop)
    }

    fn play(&self, database: &PlacingSolver, stop: &AtomicBool) -> Result<Option<PerfectScore>, StudyError> {
        let game = Morris::new(self.rules.parse().map_err(JobError::Rules)?);
        let spec: PlayerSpec =
            self.player.parse().map_err(|fault| JobError::Player(PlayerError::Spec(fault)))?;
        let mut score = PerfectScore::default();
        for number in self.first..self.first + self.count {
            let seed = Seed(self.seed).derive("game", number);
            let mut heuristic =
                player::player::<Morris, Evaluations>(&spec, seed).map_err(JobError::Player)?;
            let side = colour_of_a(number);
            let game = PerfectGame { game, database, side, plies: self.plies, seed, stop };
            match game.play(&mut *heuristic)? {
                Some(one) => score = score.merge(&one),
                None => return Ok(None),
            }
        }
        Ok(Some(score))
    }
}

/// MiB for what has been proved.
const MEMORY: usize = 1024;

/// A database that has been opened, and its folder.
type Opened = (PathBuf, Arc<PlacingSolver>);

/// What has been proved is true for good, so that all games of the program share it.
static DATABASE: LazyLock<Mutex<Option<Opened>>> = LazyLock::new(Mutex::default);

/// The complete tables of a folder, unpacked, and what was proved with them before.
fn database(folder: &Path, game: Morris) -> Result<Arc<PlacingSolver>, StudyError> {
    let mut known = DATABASE.lock().expect("no thread panics while it holds the lock");
    if let Some((place, solver)) = &*known
        && place == folder
    {
        return Ok(Arc::clone(solver));
    }
    let tables = Tables::open(folder, game.rules())?;
    tables.keep_in_memory(std::thread::available_parallelism().map_or(1, Into::into))?;
    let solver = PlacingSolver::new(Arc::new(tables), game, 1, MEMORY);
    if let Some(proved) = ProvedBounds::load(&folder.join(file_name(&game)), &game)? {
        proved.iter().for_each(|(key, bounds)| solver.memory().put(key, bounds));
    }
    let solver = Arc::new(solver);
    *known = Some((folder.into(), Arc::clone(&solver)));
    Ok(solver)
}

/// One game.
struct PerfectGame<'a> {
    game: Morris,
    database: &'a PlacingSolver,
    /// The heuristic's.
    side: Colour,
    plies: u32,
    seed: Seed,
    stop: &'a AtomicBool,
}

/// What the database does.
enum Reply {
    /// It plays on.
    Move(Move),
    /// It has won by force.
    Won,
    /// It was stopped.
    Stopped,
}

impl PerfectGame<'_> {
    fn play(&self, heuristic: &mut dyn Player<Morris>) -> Result<Option<PerfectScore>, StudyError> {
        let mut record = Record::new(self.game);
        let mut score = PerfectScore::default();
        let control = Control::default();
        while record.end().is_none() && (record.len() as u32) < self.plies {
            if self.stop.load(Relaxed) {
                return Ok(None);
            }
            if record.game().to_move(record.position()) == self.side {
                let turn = Turn { control: &control, limits: Limits::default() };
                let decision = heuristic.choose(&record, turn, &mut |_| ());
                let decision = decision.map_err(|fault| StudyError::Procedure(fault.to_string()))?;
                record.push_legal(decision.mv);
                score.moves += 1;
                continue;
            }
            match self.reply(&record)? {
                Reply::Move(mv) => record.push_legal(mv),
                Reply::Stopped => return Ok(None),
                Reply::Won => {
                    // The last ply was the mistake.
                    let placing = 2 * self.game.rules().stones as usize;
                    score.lost[usize::from(record.len() > placing)] += 1;
                    return Ok(Some(score));
                }
            }
        }
        match record.end().and_then(|end| end.winner) {
            None => score.drawn += 1,
            Some(winner) if winner == self.side => score.won += 1,
            Some(_) => score.lost[1] += 1,
        }
        Ok(Some(score))
    }

    /// Any correct move of the database.
    fn reply(&self, record: &Record<Morris>) -> Result<Reply, StudyError> {
        let (game, position) = (record.game(), record.position());
        if position.in_hand() == 0 {
            let valued = moves_valued(self.database.tables(), game, position)?;
            let kept = preserving(&valued);
            let number = mix(self.seed.derive("ply", record.len() as u64).0) as usize % kept.len().max(1);
            return Ok(match kept.get(number) {
                Some((_, value)) if value.outcome == Outcome::Win => Reply::Won,
                Some(&(mv, _)) => Reply::Move(mv),
                None => return Err(StudyError::Procedure("a position without moves".into())),
            });
        }
        let effort = Effort { stop: Some(self.stop), nodes: u64::MAX };
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        let mut moves: Vec<Move> = moves.iter().copied().collect();
        moves.sort_by_key(|&mv| mix(key(&game.play(position, mv))));
        let goal = match self.database.outcome(position, effort)? {
            None => return Ok(Reply::Stopped),
            Some(Outcome::Win) => return Ok(Reply::Won),
            Some(Outcome::Draw) => Outcome::Win,
            Some(Outcome::Loss) => return Ok(Reply::Move(moves[0])),
        };
        for mv in moves {
            match self.database.reaches(&game.play(position, mv), goal, effort)? {
                Some(true) => {}
                Some(false) => return Ok(Reply::Move(mv)),
                None => return Ok(Reply::Stopped),
            }
        }
        Err(StudyError::Procedure("a drawn position without a move that draws".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_tablebase::ensure;

    /// Four stones a side, so that the tables that are built in a second are enough.
    #[test]
    fn the_database_never_loses_and_what_it_knows_changes_no_game() {
        let folder = std::env::temp_dir().join(format!("trilith-perfect-{}", std::process::id()));
        let rules = "thesis,stones=4".to_owned();
        let game = Morris::new(rules.parse().unwrap());
        let tables = Arc::new(ensure(&folder, game.rules(), 8).unwrap());
        let solver = || PlacingSolver::new(Arc::clone(&tables), game, 1, 1);
        let games = |player: &str, first| PerfectGames {
            rules: rules.clone(),
            player: player.into(),
            first,
            count: 10,
            plies: 60,
            seed: 1,
        };
        let stop = AtomicBool::new(false);
        let fresh = games("random", 10).play(&solver(), &stop).unwrap().unwrap();
        let kept = solver();
        let first = games("random", 0).play(&kept, &stop).unwrap().unwrap();
        assert_eq!(games("random", 10).play(&kept, &stop).unwrap(), Some(fresh));
        let careful = games("minimax:depth=4,eval=standard", 0).play(&kept, &stop).unwrap().unwrap();
        let all = first.merge(&fresh).merge(&careful);
        assert_eq!((all.won, all.held().games()), (0, 30));
        assert!(all.lost[1] > 0 && all.drawn > 0 && all.moves > 100, "{all:?}");
        assert!(careful.held().wins >= first.held().wins, "{careful:?} {first:?}");
        assert_eq!(games("random", 0).play(&kept, &AtomicBool::new(true)).unwrap(), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
