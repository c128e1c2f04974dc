//! Who stands where: cross table, points and ratings.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::Serialize;
use trilith_base::job::SeenWorker;
use trilith_games::Colour;

use super::curve;
use super::plan::{Entrant, TournamentPlan};
use super::schedule::Schedule;
use super::trials::Trials;
use super::{TournamentError, sign};
use crate::contest::{GameFault, GameReport, JobError, SprtReport};
use crate::registry::first_colour;
use crate::statistics::Tally;
use crate::statistics::ratings::{self, Encounter, Rating};

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
    /// While they are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_per_second: Option<f64>,
    /// Who plays them elsewhere, while they are played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<SeenWorker>,
    /// In the order of the plan.
    pub players: Vec<Standing>,
    /// Row against column, in the order of the plan; as seen by the row.
    pub cross: Vec<Vec<Tally>>,
    /// What beginning the game is worth, in Elo points.
    pub advantage: f64,
    /// Games that differ from all others in colours or moves: what the ratings count.
    pub distinct_games: u64,
    /// What a reader should know before believing the numbers.
    pub warnings: Vec<String>,
    /// The sequential test of each two players that meet, if the plan has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<PairingTest>,
    /// Games lost by failing.
    pub faults: u64,
    /// How often each player failed, by kind.
    pub fault_counts: BTreeMap<String, BTreeMap<String, u64>>,
    /// Each of them.
    pub fault_list: Vec<TournamentFault>,
}

/// The test of two players, from the side of the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingTest {
    /// Who is on trial.
    pub a: String,
    /// Against whom.
    pub b: String,
    /// Games that count and the log-likelihood ratio after them, some points of it.
    pub curve: Vec<(u64, f64)>,
    /// What the test says.
    #[serde(flatten)]
    pub sprt: SprtReport,
}

impl Standings {
    /// The standings after `results` of the plan's games. Of two players whose test has its answer only the games up to
    /// that count.
    pub fn new(plan: &TournamentPlan, results: &[GameReport]) -> Result<Standings, TournamentError> {
        let count = plan.players.len();
        let schedule = Schedule::new(plan)?;
        let first = first_colour(&plan.game).map_err(JobError::Game)?;
        let (results, tests) = settled(plan, &schedule, results)?;
        let mut all = vec![vec![Tally::default(); count]; count];
        let mut by_first = all.clone();
        let mut known = HashSet::new();
        for result in &results {
            let (black, white) = schedule.seats(result.number);
            let (begins, follows) = if first == Colour::Black { (black, white) } else { (white, black) };
            all[begins][follows].count(result.sign(first));
            if known.insert((black, white, &result.moves)) {
                by_first[begins][follows].count(result.sign(first));
            }
        }
        let encounters: Vec<Encounter> = (0..count * count)
            .map(|place| (place / count, place % count))
            .map(|(first, second)| Encounter { first, second, tally: by_first[first][second] })
            .collect();
        let ratings = ratings::rate(count, &encounters);
        let cross: Vec<Vec<Tally>> =
            (0..count).map(|row| (0..count).map(|column| both(&all, row, column)).collect()).collect();
        let fault_list = faults(plan, &schedule, &results);
        let mut fault_counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for TournamentFault { name, fault, .. } in &fault_list {
            *fault_counts.entry(name.clone()).or_default().entry(fault.kind.clone()).or_default() += 1;
        }
        let standing = |(place, entrant): (usize, &Entrant)| {
            let mut tally = Tally::default();
            cross[place].iter().for_each(|other| tally += *other);
            let faults = fault_counts.get(&entrant.name).map_or(0, |kinds| kinds.values().sum());
            Standing::new(entrant, tally, ratings.ratings[place], faults)
        };
        let (games, distinct_games) = (results.len() as u64, known.len() as u64);
        let repeated = format!("only {distinct_games} of {games} games differ: the ratings count those");
        Ok(Standings {
            tournament: plan.name.clone(),
            game: plan.game.clone(),
            rules: plan.rules.clone(),
            games,
            planned: Schedule::len(plan),
            games_per_second: None,
            workers: Vec::new(),
            players: plan.players.iter().enumerate().map(standing).collect(),
            advantage: ratings.advantage,
            distinct_games,
            warnings: (distinct_games < games).then_some(repeated).into_iter().collect(),
            tests,
            faults: fault_list.len() as u64,
            fault_counts,
            cross,
            fault_list,
        })
    }

    /// How often players failed and in what way, a line each.
    pub fn fault_summary(&self) -> Vec<String> {
        let line = |(name, kinds): (&String, &BTreeMap<String, u64>)| {
            let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            format!("{name}: {}", kinds.join(", "))
        };
        self.fault_counts.iter().map(line).collect()
    }

    /// The players' places in the plan, the highest rating first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.players.len()).collect();
        places.sort_by(|&a, &b| self.players[b].elo.total_cmp(&self.players[a].elo));
        places
    }
}

impl Standing {
    fn new(entrant: &Entrant, tally: Tally, rating: Rating, faults: u64) -> Standing {
        Standing {
            name: entrant.name.clone(),
            player: entrant.player.clone(),
            games: tally.games(),
            points: tally.points(),
            rate: tally.rate(),
            p: tally.lead(),
            tally,
            elo: rating.elo,
            error: rating.error,
            faults,
        }
    }
}

/// The results that count, and what the tests say.
fn settled<'a>(
    plan: &TournamentPlan,
    schedule: &Schedule,
    results: &'a [GameReport],
) -> Result<(Vec<&'a GameReport>, Vec<PairingTest>), TournamentError> {
    let Some(sprt) = plan.sprt()? else { return Ok((results.iter().collect(), Vec::new())) };
    let mut trials = Trials::new(sprt, schedule.pairings().len());
    let round = |result: &GameReport| schedule.round(result.number);
    for result in results {
        if let Some((pairing, round)) = round(result) {
            trials.add(pairing, round, sign(round, result), &result.moves);
        }
    }
    let counts =
        |result: &&GameReport| round(result).is_none_or(|(pairing, round)| trials.counts(pairing, round));
    let name = |place: usize| plan.players[place].name.clone();
    let tests = schedule.pairings().iter().zip(trials.pairings()).map(|(&(a, b), trial)| PairingTest {
        a: name(a),
        b: name(b),
        curve: curve::thinned(&trial.curve),
        sprt: SprtReport::new(&sprt, &trial.pairs, &trial.tally),
    });
    Ok((results.iter().filter(counts).collect(), tests.collect()))
}

fn faults(plan: &TournamentPlan, schedule: &Schedule, results: &[&GameReport]) -> Vec<TournamentFault> {
    let fault = |result: &&GameReport| {
        let fault = result.fault.clone()?;
        let (black, white) = schedule.seats(result.number);
        let seat = if fault.by == Colour::Black { black } else { white };
        let name = plan.players[seat].name.clone();
        Some(TournamentFault { game: result.number + 1, name, fault })
    };
    results.iter().filter_map(fault).collect()
}

/// All games of `row` against `column`, whoever began.
fn both(by_first: &[Vec<Tally>], row: usize, column: usize) -> Tally {
    let mut tally = by_first[row][column];
    tally += by_first[column][row].reversed();
    tally
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
    use trilith_games::End;

    use super::*;
    use crate::tournament::plan::tests::small;

    /// Games 0 to 2 are one-two, one-lot, two-lot with the first as Black, games 3 to 5 with colours changed.
    #[test]
    fn results_are_counted_for_both_and_ranked() {
        let result = |number: u64, winner: Option<Colour>| GameReport {
            number,
            end: End::new(winner, ""),
            cut_short: false,
            moves: number.to_string(),
            fault: None,
            seconds: [0.0; 2],
            notes: Vec::new(),
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

    #[test]
    fn a_game_that_came_again_does_not_change_the_ratings_and_faults_are_summed_up() {
        let fault = GameFault { by: Colour::White, kind: "time".into(), text: "late".into() };
        let result = |number: u64, moves: &str| GameReport {
            number,
            end: End::new(Some(Colour::Black), ""),
            cut_short: false,
            moves: moves.into(),
            fault: (number < 3).then(|| fault.clone()),
            seconds: [0.0; 2],
            notes: Vec::new(),
        };
        let once: Vec<_> = (0..6).map(|number| result(number, "f5")).collect();
        let mut twice = once.clone();
        twice.extend((6..12).map(|number| result(number, "f5")));
        let (once, twice) =
            (Standings::new(&small(), &once).unwrap(), Standings::new(&small(), &twice).unwrap());
        assert!(once.warnings.is_empty() && twice.warnings[0].starts_with("only 6 of 12 games differ"));
        assert_eq!(
            (once.players[0].elo, once.players[0].error),
            (twice.players[0].elo, twice.players[0].error)
        );
        assert_eq!((once.games, twice.games, twice.distinct_games), (6, 12, 6));
        assert_eq!(once.fault_summary(), ["lot: 2 time", "two: 1 time"]);
    }

    #[test]
    fn games_after_the_answer_of_a_test_do_not_count() {
        let sprt = Some("0,200,0.05,0.05".to_owned());
        let plan = TournamentPlan { kind: None, sprt, games: 200, ..small() };
        let schedule = Schedule::new(&plan).unwrap();
        // The first player always beats the second and shares the points with the third.
        let results: Vec<_> = (0..Schedule::len(&plan))
            .map(|number| {
                let (black, white) = schedule.seats(number);
                let winner = match (black, white) {
                    (0, 1) => Some(Colour::Black),
                    (1, 0) => Some(Colour::White),
                    _ => None,
                };
                GameReport {
                    number,
                    end: End::new(winner, ""),
                    cut_short: false,
                    moves: number.to_string(),
                    fault: None,
                    seconds: [0.0; 2],
                    notes: Vec::new(),
                }
            })
            .collect();
        let standings = Standings::new(&plan, &results).unwrap();
        let verdicts: Vec<_> =
            standings.tests.iter().map(|test| (test.b.as_str(), test.sprt.verdict)).collect();
        assert_eq!(verdicts, [("two", "H1"), ("lot", "H0")]);
        assert!(standings.games < 200, "{}", standings.games);
        assert_eq!(standings.cross[0][1].games() + standings.cross[0][2].games(), standings.games);
    }
}
