//! Who stands where: cross table, points and ratings.

use std::fmt;

use serde::Serialize;
use trilith_games::{Colour, Game};

use super::TournamentError;
use super::plan::Plan;
use super::schedule::Schedule;
use crate::contest::{GameFault, GameResult, JobError};
use crate::kit::GameKit;
use crate::registry::{Visitor, with_game};
use crate::statistics::Tally;
use crate::statistics::ratings::{self, Encounter};

/// One player's results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// In the plan.
    pub name: String,
    /// The player spec.
    pub player: String,
    /// Games played.
    pub games: u64,
    /// Won, drawn, lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// One for a win, a half for a draw.
    pub points: f64,
    /// Points a game.
    pub rate: f64,
    /// S2's p: wins less losses over games.
    pub p: f64,
    /// The rating; all have the mean 0.
    pub elo: f64,
    /// Half of its 95% interval.
    pub error: f64,
    /// Games lost by failing.
    pub faults: u64,
}

/// A fault in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TournamentFault {
    /// The number of the game, from 1.
    pub game: u64,
    /// Who failed.
    pub name: String,
    /// What happened.
    #[serde(flatten)]
    pub fault: GameFault,
}

/// The tournament so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// What it is called.
    pub tournament: String,
    /// The game's name.
    pub game: String,
    /// Its switches.
    pub rules: String,
    /// Played.
    pub games: u64,
    /// Planned.
    pub planned: u64,
    /// In the order of the plan.
    pub players: Vec<Standing>,
    /// Row against column, in the order of the plan; as seen by the row.
    pub cross: Vec<Vec<Tally>>,
    /// What beginning the game is worth, in Elo points.
    pub advantage: f64,
    /// Games lost by failing.
    pub faults: u64,
    /// Each of them.
    pub fault_list: Vec<TournamentFault>,
}

impl Standings {
    /// The standings after `results` of the plan's games.
    pub fn new(plan: &Plan, results: &[GameResult]) -> Result<Standings, TournamentError> {
        let count = plan.players.len();
        let schedule = Schedule::new(plan)?;
        let first = with_game(&plan.game, Begins).map_err(JobError::Game)?;
        let mut by_first = vec![vec![Tally::default(); count]; count];
        let mut fault_list = Vec::new();
        for result in results {
            let (black, white) = schedule.seats(result.number);
            let (begins, follows) = if first == Colour::Black { (black, white) } else { (white, black) };
            by_first[begins][follows].count(result.sign(first));
            if let Some(fault) = result.fault.clone() {
                let seat = if fault.by == Colour::Black { black } else { white };
                let name = plan.players[seat].name.clone();
                fault_list.push(TournamentFault { game: result.number + 1, name, fault });
            }
        }
        let encounters: Vec<Encounter> = (0..count * count)
            .map(|place| (place / count, place % count))
            .map(|(first, second)| Encounter { first, second, tally: by_first[first][second] })
            .collect();
        let ratings = ratings::rate(count, &encounters);
        let cross: Vec<Vec<Tally>> =
            (0..count).map(|row| (0..count).map(|column| both(&by_first, row, column)).collect()).collect();
        let standing = |place: usize| {
            let entrant = &plan.players[place];
            let mut tally = Tally::default();
            cross[place].iter().for_each(|other| tally += *other);
            Standing {
                name: entrant.name.clone(),
                player: entrant.player.clone(),
                games: tally.games(),
                points: tally.points(),
                rate: tally.rate(),
                p: tally.lead(),
                tally,
                elo: ratings.ratings[place].elo,
                error: ratings.ratings[place].error,
                faults: fault_list.iter().filter(|fault| fault.name == entrant.name).count() as u64,
            }
        };
        Ok(Standings {
            tournament: plan.name.clone(),
            game: plan.game.clone(),
            rules: plan.rules.clone(),
            games: results.len() as u64,
            planned: Schedule::len(plan),
            players: (0..count).map(standing).collect(),
            advantage: ratings.advantage,
            faults: fault_list.len() as u64,
            cross,
            fault_list,
        })
    }

    /// The players' places in the plan, the highest rating first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.players.len()).collect();
        places.sort_by(|&a, &b| self.players[b].elo.total_cmp(&self.players[a].elo));
        places
    }
}

/// All games of `row` against `column`, whoever began.
fn both(by_first: &[Vec<Tally>], row: usize, column: usize) -> Tally {
    let mut tally = by_first[row][column];
    tally += by_first[column][row].reversed();
    tally
}

/// Who begins the game.
struct Begins;

impl Visitor for Begins {
    type Output = Colour;

    fn visit<G: Game, C: GameKit<G>>(self) -> Colour {
        let game = G::new(G::Rules::default());
        game.to_move(&game.start())
    }
}

/// The table for people: wins of the row against the column, as in S2's table 2.11, then what they amount to.
impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
        let ranking = self.ranking();
        write!(f, "{:>2} {:width$}", "", "wins")?;
        for number in 1..=ranking.len() {
            write!(f, " {number:>6}")?;
        }
        writeln!(
            f,
            " {:>6} {:>6} {:>6} {:>8} {:>6} {:>7} {:>6}",
            "wins", "draws", "losses", "points", "%", "Elo", "+-"
        )?;
        for (number, &row) in ranking.iter().enumerate() {
            let player = &self.players[row];
            write!(f, "{:>2} {:width$}", number + 1, player.name)?;
            for &column in &ranking {
                match row == column {
                    true => write!(f, " {:>6}", "-")?,
                    false => write!(f, " {:>6}", self.cross[row][column].wins)?,
                }
            }
            let Tally { wins, draws, losses } = player.tally;
            writeln!(
                f,
                " {wins:>6} {draws:>6} {losses:>6} {:>8} {:>6.1} {:>+7.1} {:>6.1}",
                player.points,
                player.rate * 100.0,
                player.elo,
                player.error,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::plan::tests::small;

    /// Games 0 to 2 are one-two, one-lot, two-lot with the first as Black, games 3 to 5 with colours changed.
    #[test]
    fn results_are_counted_for_both_and_ranked() {
        let result = |number: u64, winner: Option<Colour>| GameResult {
            number,
            winner,
            reason: String::new(),
            cut_short: false,
            moves: String::new(),
            fault: None,
            seconds: [0.0; 2],
        };
        use Colour::{Black, White};
        let results = [
            result(0, Some(White)),
            result(1, Some(Black)),
            result(2, Some(Black)),
            result(3, Some(Black)),
            result(4, None),
        ];
        let standings = Standings::new(&small(), &results).unwrap();
        let tallies: Vec<_> = standings.players.iter().map(|player| player.tally).collect();
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        assert_eq!(tallies, [tally(1, 1, 2), tally(3, 0, 0), tally(0, 1, 2)]);
        assert_eq!(standings.cross[1][0], tally(2, 0, 0));
        assert_eq!(standings.cross[2][0], tally(0, 1, 1));
        assert_eq!(standings.ranking(), [1, 0, 2]);
        let table = standings.to_string();
        assert!(
            table.lines().nth(1).unwrap().starts_with(" 1 two         -      2      1      3      0      0"),
            "{table}"
        );
    }
}
