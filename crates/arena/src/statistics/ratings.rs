//! Ratings of many players from all their games at once, in the manner of R. Coulom's BayesElo.
//!
//! The side that begins, `first`, wins with chance f(r_first - r_second + a - d) and loses with chance
//! f(r_second - r_first - a - d), where f is the logistic function, a what beginning is worth and d how likely draws
//! are; all are estimated together. A few virtual draws with the real opponents keep ratings finite (the prior).
//! The logarithm of the posterior is concave: Newton's method, with steps that are halved until they lead upwards, finds
//! its one maximum, and the curvature there gives the intervals.

use serde::Serialize;

use super::{Tally, Z95};

/// The games of two players with one of them beginning; the tally is of the side that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Begins; an index below the number of players.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// As seen by `first`.
    pub tally: Tally,
}

/// One player's rating in Elo points; all ratings of a table have the mean 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The most likely one.
    pub elo: f64,
    /// Half of its 95% interval, within which it lies against the mean of all.
    pub error: f64,
}

/// What all games together say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// By player.
    pub ratings: Vec<Rating>,
    /// What beginning is worth, in Elo points.
    pub advantage: f64,
    /// The covariance of the ratings, so that differences have their own intervals.
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The difference `a` - `b` and half of its 95% interval.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let variance = self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b];
        (self.ratings[a].elo - self.ratings[b].elo, Z95 * variance.max(0.0).sqrt())
    }
}

/// Virtual draws a player is given, spread over its real opponents, as BayesElo does.
const PRIOR_DRAWS: f64 = 2.0;
/// How much what no game touches is held at 0.
const SLACK: f64 = 1e-9;
/// Elo points in one natural logarithm of the odds.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// Rates `players` players; those without games get 0 and a very wide interval.
pub fn rate(players: usize, encounters: &[Encounter]) -> Ratings {
    let played: Vec<Weighed> = weigh(players, encounters);
    let size = players + 2;
    let mut point = vec![0.0; size];
    point[size - 1] = 0.5;
    let mut curvature = vec![vec![0.0; size]; size];
    for _ in 0..100 {
        let (gradient, hessian) = slopes(&played, &point, players);
        let inverse = invert(hessian);
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let longest = step.iter().map(|length| length.abs()).fold(0.0, f64::max);
        curvature = inverse;
        if longest < 1e-10 {
            break;
        }
        let Some(next) = climb(&played, &point, &step, players) else { break };
        point = next;
    }
    present(&point, &curvature, players)
}

/// Where a step leads, or as much of it as leads upwards: far from the maximum a whole one may leap over it. None at the
/// maximum itself.
fn climb(played: &[Weighed], point: &[f64], step: &[f64], players: usize) -> Option<Vec<f64>> {
    const HALVINGS: i32 = 50;
    let height = posterior(played, point, players);
    let shares = (0..HALVINGS).map(|halvings| 0.5_f64.powi(halvings));
    let there =
        |share| point.iter().zip(step).map(|(from, length)| from + share * length).collect::<Vec<_>>();
    shares.map(there).find(|next| posterior(played, next, players) > height)
}

/// The logarithm of the posterior at `point`, but for a constant; draws must stay possible.
fn posterior(played: &[Weighed], point: &[f64], players: usize) -> f64 {
    let (advantage, draw) = (point[players], point[players + 1]);
    if draw <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // ln(e^2d - 1), of any size
    let either = 2.0 * draw + (-(-2.0 * draw).exp_m1()).ln();
    let all = played.iter().map(|game| {
        let lead = point[game.first] - point[game.second] + advantage;
        let (won, lost) = (ln_logistic(lead - draw), ln_logistic(-lead - draw));
        game.wins * won + game.losses * lost + game.draws * (won + lost + either)
    });
    let sum: f64 = point[..players].iter().sum();
    all.sum::<f64>() - (sum * sum + SLACK * dot(point, point)) / 2.0
}

/// An encounter with its share of virtual draws.
struct Weighed {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

fn weigh(players: usize, encounters: &[Encounter]) -> Vec<Weighed> {
    let mut games = vec![0u64; players];
    for encounter in encounters {
        games[encounter.first] += encounter.tally.games();
        games[encounter.second] += encounter.tally.games();
    }
    let weigh = |encounter: &Encounter| {
        let Encounter { first, second, tally } = *encounter;
        let share = |player: usize| PRIOR_DRAWS * tally.games() as f64 / games[player].max(1) as f64;
        Weighed {
            first,
            second,
            wins: tally.wins as f64,
            draws: tally.draws as f64 + (share(first) + share(second)) / 2.0,
            losses: tally.losses as f64,
        }
    };
    encounters.iter().filter(|encounter| encounter.tally.games() > 0).map(weigh).collect()
}

/// Gradient and negated second derivatives of the logarithm of the posterior at `point`: ratings, advantage, draws.
fn slopes(played: &[Weighed], point: &[f64], players: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = point.len();
    let (advantage, draw) = (players, players + 1);
    let mut gradient = vec![0.0; size];
    let mut hessian = vec![vec![0.0; size]; size];
    for game in played {
        let lead = point[game.first] - point[game.second] + point[advantage];
        // ln P(win) = ln f(lead - d), ln P(loss) = ln f(-lead - d), ln P(draw) = both + ln(e^2d - 1).
        let (not_won, not_lost) = (logistic(point[draw] - lead), logistic(point[draw] + lead));
        let (ups, downs) = (game.wins + game.draws, game.losses + game.draws);
        let ahead = ups * not_won - downs * not_lost;
        let apart = ups * not_won + downs * not_lost;
        // e^-2d
        let rest = (-2.0 * point[draw]).exp();
        let along = [(game.first, 1.0), (game.second, -1.0), (advantage, 1.0)];
        for (place, sign) in along {
            gradient[place] += sign * ahead;
        }
        gradient[draw] += -apart + game.draws * 2.0 / (1.0 - rest);
        let (bent_up, bent_down) = (ups * not_won * (1.0 - not_won), downs * not_lost * (1.0 - not_lost));
        for (row, row_sign) in along {
            for (column, column_sign) in along {
                hessian[row][column] += row_sign * column_sign * (bent_up + bent_down);
            }
            hessian[row][draw] += row_sign * (bent_down - bent_up);
            hessian[draw][row] += row_sign * (bent_down - bent_up);
        }
        hessian[draw][draw] += bent_up + bent_down + game.draws * 4.0 * rest / (1.0 - rest).powi(2);
    }
    hold_still(point, players, &mut gradient, &mut hessian);
    (gradient, hessian)
}

/// Games only know differences: the mean of the ratings is held at 0, and what no game touches nearly so.
fn hold_still(point: &[f64], players: usize, gradient: &mut [f64], hessian: &mut [Vec<f64>]) {
    let sum: f64 = point[..players].iter().sum();
    for row in 0..players {
        gradient[row] -= sum;
        hessian[row][..players].iter_mut().for_each(|cell| *cell += 1.0);
    }
    for place in 0..point.len() {
        gradient[place] -= SLACK * point[place];
        hessian[place][place] += SLACK;
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        let (over, beside) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] * scale;
            for column in 0..size {
                matrix[row][column] -= factor * over[column];
                inverse[row][column] -= factor * beside[column];
            }
        }
        for column in 0..size {
            matrix[pivot][column] = over[column] * scale;
            inverse[pivot][column] = beside[column] * scale;
        }
    }
    inverse
}

/// In Elo points. Where draws are likely the model's own scale is wider than that of Elo; it is narrowed so that small
/// differences mean the usual rates: the slope of the rate at equality is that of the logistic curve.
fn present(point: &[f64], curvature: &[Vec<f64>], players: usize) -> Ratings {
    let odds = (-point[players + 1]).exp();
    let scale = POINTS * 4.0 * odds / (1.0 + odds).powi(2);
    // Without the pull to 0 of their sum, which says nothing about one player: the centred covariance.
    let centred = |row: usize, column: usize| curvature[row][column] - 1.0 / (players * players) as f64;
    let covariance: Vec<Vec<f64>> = (0..players)
        .map(|row| (0..players).map(|column| scale * scale * centred(row, column)).collect())
        .collect();
    let rating = |player: usize| Rating {
        elo: scale * point[player],
        error: Z95 * covariance[player][player].max(0.0).sqrt(),
    };
    Ratings { ratings: (0..players).map(rating).collect(), advantage: scale * point[players], covariance }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;

    fn encounter(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter { first, second, tally: Tally { wins, draws, losses } }
    }

    /// With two players the model has a closed solution: d - x = ln((1 - w)/w) and d + x = ln((1 - l)/l) for the
    /// side that begins with lead x, the advantage being half the sum over both colours. Many games drown the prior.
    #[test]
    fn two_players_have_the_worked_ratings() {
        let many = 1_000_000;
        let ratings = rate(
            2,
            &[
                encounter(0, 1, 50 * many, 30 * many, 20 * many),
                encounter(1, 0, 20 * many, 30 * many, 50 * many),
            ],
        );
        // w = 0.5 and l = 0.2: x = ln(4)/2 and d = ln(4)/2, odds e^-d = 1/2, scale 4 * 0.5 / 1.5^2 = 8/9.
        let worked = POINTS * (8.0 / 9.0) * 4f64.ln() / 2.0;
        let (difference, _) = ratings.difference(0, 1);
        assert!((difference - worked).abs() < 0.01, "{difference} {worked}");
        assert!(
            ratings.advantage.abs() < 0.01 && (ratings.ratings[0].elo + ratings.ratings[1].elo).abs() < 1e-6
        );
    }

    #[test]
    fn beginning_is_rated_too() {
        let ratings = rate(2, &[encounter(0, 1, 6_000, 0, 4_000), encounter(1, 0, 6_000, 0, 4_000)]);
        assert!(ratings.difference(0, 1).0.abs() < 1e-6);
        assert!((ratings.advantage - 400.0 * 1.5f64.log10()).abs() < 1.0, "{}", ratings.advantage);
    }

    /// Without draws, advantage or prior the deviation of a difference is that of the binomial distribution.
    #[test]
    fn the_interval_is_that_of_a_match() {
        let games = 20_000;
        let ratings =
            rate(2, &[encounter(0, 1, games / 2, 0, games / 2), encounter(1, 0, games / 2, 0, games / 2)]);
        let interval = Tally { wins: games, draws: 0, losses: games }.interval();
        let (_, error) = ratings.difference(0, 1);
        let ratio = error / ((interval.high - interval.low) / 2.0);
        assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    }

    #[test]
    fn a_player_that_always_wins_or_never_plays_is_rated_all_the_same() {
        let ratings = rate(4, &[encounter(0, 1, 10, 0, 0), encounter(1, 2, 10, 0, 0)]);
        let elo: Vec<f64> = ratings.ratings.iter().map(|rating| rating.elo).collect();
        assert!(elo[0] > elo[1] && elo[1] > elo[2] && elo.iter().all(|elo| elo.is_finite()), "{elo:?}");
        assert!(ratings.ratings[3].error > 1000.0, "nothing is known of the last one");
        assert!(rate(0, &[]).ratings.is_empty());
        let even = rate(2, &[encounter(0, 1, 0, 1_000_000, 0), encounter(1, 0, 0, 1_000_000, 0)]);
        assert!(even.difference(0, 1).0.abs() < 1e-6 && even.advantage.abs() < 1e-6, "{even:?}");
    }

    /// Players far apart and hardly a draw, where whole steps leap over the maximum: each rating is where the expected
    /// points are those that were made.
    #[test]
    fn players_far_apart_are_rated() {
        let (players, games) = (11, 16.0);
        let mut encounters = Vec::new();
        for (first, second) in (0..players).flat_map(|a| (0..players).map(move |b| (a, b))) {
            let chance = logistic((first as f64 - second as f64) * 0.5 + 0.2);
            let wins = (games * chance).round() as u64;
            if first != second {
                encounters.push(encounter(first, second, wins, u64::from(first + second == 9), 16 - wins));
            }
        }
        for stretch in [1, 4, 20] {
            let stretched: Vec<_> = encounters
                .iter()
                .map(|game| {
                    encounter(
                        game.first,
                        game.second,
                        game.tally.wins * stretch,
                        game.tally.draws,
                        game.tally.losses * stretch,
                    )
                })
                .collect();
            let ratings = rate(players, &stretched);
            let elo: Vec<f64> = ratings.ratings.iter().map(|rating| rating.elo).collect();
            assert!(elo.is_sorted_by(|a, b| b - a > 40.0 && b - a < 140.0), "{stretch}: {elo:?}");
            assert!(ratings.ratings.iter().all(|rating| rating.error > 0.0), "{stretch}: {ratings:?}");
        }
    }

    /// Truth lies in 95% intervals of differences about 95 times in 100.
    #[test]
    fn intervals_hold_what_they_promise() {
        let truth = [-60.0, -20.0, 10.0, 70.0];
        let (draw, advantage) = (0.4f64, 20.0 / POINTS);
        let scale = {
            let odds = (-draw).exp();
            4.0 * odds / (1.0 + odds).powi(2)
        };
        let (mut held, mut asked) = (0, 0);
        for number in 0..100 {
            let mut rng = Seed(5).derive("tournament", number).rng();
            let mut encounters = Vec::new();
            for (first, second) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b) {
                let lead = (truth[first] - truth[second]) / POINTS / scale + advantage;
                let (win, loss) = (logistic(lead - draw), logistic(-lead - draw));
                let mut tally = Tally::default();
                for _ in 0..60 {
                    let lot: f64 = rng.random();
                    tally.count(if lot < win { 1 } else { -i32::from(lot < win + loss) });
                }
                encounters.push(Encounter { first, second, tally });
            }
            let ratings = rate(4, &encounters);
            for (a, b) in [(0, 1), (0, 3), (1, 2), (2, 3)] {
                let (difference, error) = ratings.difference(a, b);
                asked += 1;
                held += i32::from((difference - (truth[a] - truth[b])).abs() <= error);
            }
        }
        let share = f64::from(held) / f64::from(asked);
        assert!((0.92..=0.98).contains(&share), "{share}");
    }
}
