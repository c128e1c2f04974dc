//! Which games a plan means, numbered so that a game has the same number in every run.

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::Game;

use super::TournamentError;
use super::plan::{TournamentKind, TournamentPlan};
use crate::contest::{GameJob, GameSeat, JobError, Opening, OpeningSource, Openings, openings};
use crate::kit::GameKit;
use crate::registry::{Visitor, with_game};

/// All games of a plan.
///
/// Rounds go through all pairings before the next game of the first, so that an unfinished tournament is even.
/// Games 2k and 2k+1 of a pairing have the same opening with colours changed, and all pairings the same openings.
pub struct Schedule {
    plan: TournamentPlan,
    pairings: Vec<(usize, usize)>,
    openings: Openings,
}

impl Schedule {
    /// The games of `plan`; nothing is played.
    pub fn new(plan: &TournamentPlan) -> Result<Schedule, TournamentError> {
        let count = plan.players.len();
        let pairings = match plan.kind() {
            TournamentKind::RoundRobin => {
                (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect()
            }
            TournamentKind::Gauntlet => (1..count).map(|b| (0, b)).collect(),
            TournamentKind::RandomPairs => Vec::new(),
        };
        let source = plan.openings()?;
        let openings = with_game(&plan.game, OpeningsVisitor { plan, source }).map_err(JobError::Game)??;
        Ok(Schedule { plan: plan.clone(), pairings, openings })
    }

    /// Games in all.
    pub fn len(plan: &TournamentPlan) -> u64 {
        let count = plan.players.len() as u64;
        match plan.kind() {
            TournamentKind::RoundRobin => plan.games * count * (count - 1) / 2,
            TournamentKind::Gauntlet => plan.games * (count - 1),
            TournamentKind::RandomPairs => plan.games,
        }
    }

    /// Black's and White's places in the plan's list of players, in game `number`.
    pub fn seats(&self, number: u64) -> (usize, usize) {
        if self.plan.kind() == TournamentKind::RandomPairs {
            return lot(self.plan.players.len(), Seed(self.plan.seed).derive("pair", number));
        }
        let (a, b) = self.pairings[(number % self.pairings.len() as u64) as usize];
        let round = number / self.pairings.len() as u64;
        if round.is_multiple_of(2) { (a, b) } else { (b, a) }
    }

    /// The place of the pairing that plays game `number`, and the round of that game, from 0; none for random pairs.
    pub fn round(&self, number: u64) -> Option<(usize, u64)> {
        let pairings = self.pairings.len() as u64;
        (pairings > 0).then(|| ((number % pairings) as usize, number / pairings))
    }

    /// The two players of each pairing, the one that is Black in its first game first; none for random pairs.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Where the draws of game `number` come from. It is told by the names and the round, not by the number: games stay
    /// as they are when another player joins.
    fn seed(&self, number: u64) -> Seed {
        let seed = Seed(self.plan.seed);
        let Some((_, round)) = self.round(number) else { return seed.derive("game", number) };
        let (black, white) = self.seats(number);
        let name = |place: usize| &self.plan.players[place].name;
        seed.derive(&format!("{} against {}", name(black), name(white)), round)
    }

    /// One game for each player, from the usual start, to check that it can play.
    pub fn probes(&self) -> impl Iterator<Item = GameJob> + '_ {
        (1..self.plan.players.len()).map(|other| job(&self.plan, 0, Seed(0), (0, other), Opening::default()))
    }

    /// All games in the order of their numbers.
    pub fn into_jobs(mut self) -> impl Iterator<Item = GameJob> + Send + 'static {
        let games_per_opening = match self.plan.kind() {
            TournamentKind::RandomPairs => 1,
            _ => 2 * self.pairings.len() as u64,
        };
        let mut opening = Opening::default();
        (0..Schedule::len(&self.plan)).map(move |number| {
            if number.is_multiple_of(games_per_opening) {
                opening = self.openings.next().unwrap_or_default();
            }
            job(&self.plan, number, self.seed(number), self.seats(number), opening.clone())
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

fn job(
    plan: &TournamentPlan,
    number: u64,
    seed: Seed,
    (black, white): (usize, usize),
    opening: Opening,
) -> GameJob {
    let seat = |place: usize| {
        let entrant = &plan.players[place];
        GameSeat { player: entrant.player.clone(), pace: plan.pace.slower(entrant.time_factor) }
    };
    GameJob {
        number,
        game: plan.game.clone(),
        rules: plan.rules.clone(),
        opening,
        black: seat(black),
        white: seat(white),
        adjudication: plan.adjudication,
        seed: seed.0,
    }
}

struct OpeningsVisitor<'a> {
    plan: &'a TournamentPlan,
    source: OpeningSource,
}

impl Visitor for OpeningsVisitor<'_> {
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

    /// A journal knows its games again when a player joins or more games are wanted.
    #[test]
    fn games_stay_as_they_are_when_a_player_joins() {
        let keys = |plan: &TournamentPlan| -> std::collections::HashSet<String> {
            Schedule::new(plan).unwrap().into_jobs().map(|job| job.key()).collect()
        };
        let before = keys(&small());
        assert_eq!(before.len(), 18);
        let mut longer = TournamentPlan { games: 8, ..small() };
        assert!(keys(&longer).is_superset(&before));
        let mut joined = longer.players[0].clone();
        joined.name = "another".into();
        longer.players.insert(1, joined);
        assert!(keys(&longer).is_superset(&before));
        assert_eq!(keys(&longer).len(), 48);
        longer.seed = 2;
        assert!(keys(&longer).is_disjoint(&before));
    }

    #[test]
    fn a_gauntlet_has_the_first_player_in_every_game() {
        let plan = TournamentPlan { kind: Some(TournamentKind::Gauntlet), ..small() };
        let schedule = Schedule::new(&plan).unwrap();
        assert_eq!(Schedule::len(&plan), 12);
        assert!((0..12).all(|number| [schedule.seats(number).0, schedule.seats(number).1].contains(&0)));
    }

    #[test]
    fn random_pairs_are_of_two_players_and_all_about_as_often() {
        let plan = TournamentPlan { kind: Some(TournamentKind::RandomPairs), games: 3000, ..small() };
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
