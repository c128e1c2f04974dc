//! Which games a plan means, numbered so that a game has the same number in every run.

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::Game;

use super::TournamentError;
use super::plan::{Kind, Plan};
use crate::contest::{GameJob, JobError, Opening, Openings, Seat, Source, openings};
use crate::kit::GameKit;
use crate::registry::{Visitor, with_game};

/// All games of a plan.
///
/// Rounds go through all pairings before the next game of the first, so that an unfinished tournament is even.
/// Games 2k and 2k+1 of a pairing have the same opening with colours changed, and all pairings the same openings.
pub struct Schedule {
    plan: Plan,
    pairings: Vec<(usize, usize)>,
    openings: Openings,
}

impl Schedule {
    /// The games of `plan`; nothing is played.
    pub fn new(plan: &Plan) -> Result<Schedule, TournamentError> {
        let count = plan.players.len();
        let pairings = match plan.kind {
            Kind::RoundRobin => (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect(),
            Kind::Gauntlet => (1..count).map(|b| (0, b)).collect(),
            Kind::RandomPairs => Vec::new(),
        };
        let source = plan.openings()?;
        let openings = with_game(&plan.game, Open { plan, source }).map_err(JobError::Game)??;
        Ok(Schedule { plan: plan.clone(), pairings, openings })
    }

    /// Games in all.
    pub fn len(plan: &Plan) -> u64 {
        let count = plan.players.len() as u64;
        match plan.kind {
            Kind::RoundRobin => plan.games * count * (count - 1) / 2,
            Kind::Gauntlet => plan.games * (count - 1),
            Kind::RandomPairs => plan.games,
        }
    }

    /// Black's and White's places in the plan's list of players, in game `number`.
    pub fn seats(&self, number: u64) -> (usize, usize) {
        if self.plan.kind == Kind::RandomPairs {
            return lot(self.plan.players.len(), Seed(self.plan.seed).derive("pair", number));
        }
        let (a, b) = self.pairings[(number % self.pairings.len() as u64) as usize];
        let round = number / self.pairings.len() as u64;
        if round.is_multiple_of(2) { (a, b) } else { (b, a) }
    }

    /// One game for each player, from the usual start, to check that it can play.
    pub fn probes(&self) -> impl Iterator<Item = GameJob> + '_ {
        (1..self.plan.players.len()).map(|other| job(&self.plan, 0, (0, other), Opening::default()))
    }

    /// All games in the order of their numbers.
    pub fn into_jobs(mut self) -> impl Iterator<Item = GameJob> + Send + 'static {
        let games_per_opening = match self.plan.kind {
            Kind::RandomPairs => 1,
            _ => 2 * self.pairings.len() as u64,
        };
        let mut opening = Opening::default();
        (0..Schedule::len(&self.plan)).map(move |number| {
            if number.is_multiple_of(games_per_opening) {
                opening = self.openings.next().unwrap_or_default();
            }
            job(&self.plan, number, self.seats(number), opening.clone())
        })
    }
}

/// Two different players by lot.
fn lot(count: usize, seed: Seed) -> (usize, usize) {
    let mut rng = seed.rng();
    let first = rng.random_range(0..count);
    let second = rng.random_range(0..count - 1);
    (first, second + usize::from(second >= first))
}

fn job(plan: &Plan, number: u64, (black, white): (usize, usize), opening: Opening) -> GameJob {
    let seat = |place: usize| {
        let entrant = &plan.players[place];
        Seat { player: entrant.player.clone(), pace: plan.pace.slower(entrant.time_factor) }
    };
    GameJob {
        number,
        game: plan.game.clone(),
        rules: plan.rules.clone(),
        opening,
        black: seat(black),
        white: seat(white),
        adjudication: plan.adjudication,
        seed: Seed(plan.seed).derive("game", number).0,
    }
}

struct Open<'a> {
    plan: &'a Plan,
    source: Source,
}

impl Visitor for Open<'_> {
    type Output = Result<Openings, JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        Ok(openings(&G::new(self.plan.rules.parse()?), &self.source, Seed(self.plan.seed))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::plan::tests::small;

    #[test]
    fn a_round_robin_is_even_after_each_round_and_pairs_openings() {
        let schedule = Schedule::new(&small()).unwrap();
        let seats: Vec<_> = (0..18).map(|number| schedule.seats(number)).collect();
        assert_eq!(seats[..3], [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(seats[3..6], [(1, 0), (2, 0), (2, 1)]);
        let jobs: Vec<_> = schedule.into_jobs().collect();
        assert_eq!(jobs.len(), 18);
        assert!(jobs[..6].iter().all(|job| job.opening == jobs[0].opening));
        assert_ne!(jobs[6].opening, jobs[0].opening);
        assert!(jobs.iter().zip(0..).all(|(job, number)| job.number == number));
    }

    #[test]
    fn a_gauntlet_has_the_first_player_in_every_game() {
        let plan = Plan { kind: Kind::Gauntlet, ..small() };
        let schedule = Schedule::new(&plan).unwrap();
        assert_eq!(Schedule::len(&plan), 12);
        assert!((0..12).all(|number| [schedule.seats(number).0, schedule.seats(number).1].contains(&0)));
    }

    #[test]
    fn random_pairs_are_of_two_players_and_all_about_as_often() {
        let plan = Plan { kind: Kind::RandomPairs, games: 3000, ..small() };
        let schedule = Schedule::new(&plan).unwrap();
        let mut counts = [0; 3];
        for number in 0..3000 {
            let (black, white) = schedule.seats(number);
            assert_ne!(black, white);
            counts[black] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert_eq!(schedule.into_jobs().count(), 3000);
    }
}
