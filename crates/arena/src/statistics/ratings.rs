//! Ratings of many players from all their games at once, in the manner of R. Coulom's BayesElo.
//!
//! The side that begins, `first`, wins with chance f(r_first - r_second + a - d) and loses with chance
//! f(r_second - r_first - a - d), where f is the logistic function, a what beginning is worth and d how likely draws
//! are; all are estimated together. Two priors keep everything finite, whatever the results: a few virtual draws with the
//! real opponents, and for d one virtual draw and one virtual decisive game between equals. Without the second one a
//! tournament of nothing but wins would have its maximum where draws are certain and differences mean nothing.
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
    all.sum::<f64>() + draw_prior(draw) - (sum * sum + SLACK * dot(point, point)) / 2.0
}

/// The logarithm of the chances of a draw and of a decisive game between equals: tanh(d/2) and 1 - tanh(d/2).
fn draw_prior(draw: f64) -> f64 {
    (draw.exp_m1()).ln() - 2.0 * draw.exp().ln_1p() + std::f64::consts::LN_2
}

/// Its derivative and its negated second derivative.
fn draw_prior_slopes(draw: f64) -> (f64, f64) {
    let odds = (-draw).exp();
    let slope = 1.0 / (1.0 - odds) - 2.0 / (1.0 + odds);
    (slope, odds / (1.0 - odds).powi(2) + 2.0 * odds / (1.0 + odds).powi(2))
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
    let (slope, bend) = draw_prior_slopes(point[draw]);
    gradient[draw] += slope;
    hessian[draw][draw] += bend;
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
/// differences mean the usual rates: the slope of the rate at equality is that of the logistic curve. The scale is
/// estimated, too: the further two players are apart, the more its own error adds (the delta method).
fn present(point: &[f64], curvature: &[Vec<f64>], players: usize) -> Ratings {
    let draw = players + 1;
    let odds = (-point[draw]).exp();
    let scale = POINTS * 4.0 * odds / (1.0 + odds).powi(2);
    let slope = -scale * (1.0 - odds) / (1.0 + odds);
    // Without the pull to 0 of their sum, which says nothing about one player: the centred covariance.
    let centred = |row: usize, column: usize| curvature[row][column] - 1.0 / (players * players) as f64;
    let cell = |row: usize, column: usize| {
        let (here, there) = (point[row], point[column]);
        scale * scale * centred(row, column)
            + scale * slope * (here * curvature[column][draw] + there * curvature[row][draw])
            + slope * slope * here * there * curvature[draw][draw]
    };
    let covariance: Vec<Vec<f64>> =
        (0..players).map(|row| (0..players).map(|column| cell(row, column)).collect()).collect();
    let rating = |player: usize| Rating {
        elo: scale * point[player],
        error: Z95 * covariance[player][player].max(0.0).sqrt(),
    };
    Ratings { ratings: (0..players).map(rating).collect(), advantage: scale * point[players], covariance }
}

#[cfg(test)]
mod tests;
