//! Ratings against worked examples, against a slow reference and against simulated tournaments.

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
        &[encounter(0, 1, 50 * many, 30 * many, 20 * many), encounter(1, 0, 20 * many, 30 * many, 50 * many)],
    );
    // w = 0.5 and l = 0.2: x = ln(4)/2 and d = ln(4)/2, odds e^-d = 1/2, scale 4 * 0.5 / 1.5^2 = 8/9.
    let worked = POINTS * (8.0 / 9.0) * 4f64.ln() / 2.0;
    let (difference, _) = ratings.difference(0, 1);
    assert!((difference - worked).abs() < 0.01, "{difference} {worked}");
    assert!(ratings.advantage.abs() < 0.01 && (ratings.ratings[0].elo + ratings.ratings[1].elo).abs() < 1e-6);
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

/// The posterior written down once more from the model's words, with its probabilities instead of their slopes: two
/// players, the difference, the advantage and the draws.
fn reference_posterior([lead, advantage, draw]: [f64; 3], games: &[(Tally, f64); 2]) -> f64 {
    let side = |sign: f64, (tally, virtual_draws): (Tally, f64)| {
        let lead = sign * lead + advantage;
        let won = 1.0 / (1.0 + (draw - lead).exp());
        let lost = 1.0 / (1.0 + (draw + lead).exp());
        let drawn = won * lost * (2.0 * draw).exp_m1();
        let times = |count: f64, chance: f64| if count == 0.0 { 0.0 } else { count * chance.ln() };
        times(tally.wins as f64, won)
            + times(tally.losses as f64, lost)
            + times(tally.draws as f64 + virtual_draws, drawn)
    };
    let equal_draw = (draw / 2.0).tanh();
    if draw <= 0.0 {
        return f64::NEG_INFINITY;
    }
    side(1.0, games[0]) + side(-1.0, games[1]) + equal_draw.ln() + (2.0 / (draw.exp() + 1.0)).ln()
}

/// The maximum by trying every direction with ever smaller steps: slow, and it knows no derivative.
fn reference_maximum(games: &[(Tally, f64); 2]) -> [f64; 3] {
    let mut point = [0.0, 0.0, 0.5];
    let mut height = reference_posterior(point, games);
    let mut step = 1.0;
    while step > 1e-9 {
        let mut is_higher = false;
        for code in 1..27 {
            let way = [code % 3, code / 3 % 3, code / 9].map(|part| f64::from(part) - 1.0);
            let next = std::array::from_fn(|place| point[place] + step * way[place]);
            let there = reference_posterior(next, games);
            if there > height {
                (point, height, is_higher) = (next, there, true);
            }
        }
        if !is_higher {
            step *= 0.7;
        }
    }
    point
}

/// Difference in Elo points and half of its interval, by differences instead of derivatives.
fn reference(games: &[(Tally, f64); 2]) -> (f64, f64) {
    let top = reference_maximum(games);
    const STEP: f64 = 1e-3;
    let at = |moves: [f64; 3]| {
        reference_posterior(std::array::from_fn(|place| top[place] + STEP * moves[place]), games)
    };
    let unit = |place: usize, size: f64| {
        let mut moves = [0.0; 3];
        moves[place] = size;
        moves
    };
    let both = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|place| a[place] + b[place]);
    let bend = |row: usize, column: usize| {
        let corner = |up: f64, right: f64| at(both(unit(row, up), unit(column, right)));
        -(corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0) + corner(-1.0, -1.0)) / (4.0 * STEP * STEP)
    };
    let inverse = invert((0..3).map(|row| (0..3).map(|column| bend(row, column)).collect()).collect());
    let elo = |lead: f64, draw: f64| {
        let odds = (-draw).exp();
        POINTS * lead * 4.0 * odds / (1.0 + odds).powi(2)
    };
    let slope = [
        (elo(top[0] + STEP, top[2]) - elo(top[0] - STEP, top[2])) / (2.0 * STEP),
        0.0,
        (elo(top[0], top[2] + STEP) - elo(top[0], top[2] - STEP)) / (2.0 * STEP),
    ];
    let variance: f64 = (0..3).map(|row| slope[row] * dot(&inverse[row], &slope)).sum();
    (elo(top[0], top[2]), Z95 * variance.sqrt())
}

/// Every result of a grid, 100:0 and 1:1 among them.
#[test]
fn ratings_are_those_of_a_slow_reference() {
    let counts = [0, 1, 4, 50];
    let grid = |number: usize| Tally {
        wins: counts[number % 4],
        draws: counts[number / 4 % 4],
        losses: counts[number / 16],
    };
    for (first, second) in (0..64).flat_map(|first| [0, 1, 3, 16, 21, 48, 63].map(|second| (first, second))) {
        let (first, second) = (grid(first), grid(second));
        let all = first.games() + second.games();
        if first.games() == 0 || second.games() == 0 {
            continue;
        }
        let share = |tally: Tally| PRIOR_DRAWS * tally.games() as f64 / all as f64;
        let (elo, error) = reference(&[(first, share(first)), (second, share(second))]);
        let encounters =
            [(0, 1, first), (1, 0, second)].map(|(first, second, tally)| Encounter { first, second, tally });
        let (found, found_error) = rate(2, &encounters).difference(0, 1);
        assert!((found - elo).abs() < 0.01 + elo.abs() * 1e-4, "{first:?} {second:?}: {found} for {elo}");
        assert!((found_error / error - 1.0).abs() < 1e-3, "{first:?} {second:?}: {found_error} for {error}");
    }
}

/// A tournament of two and a match of the same games agree in what they say, also where they have nothing but wins.
#[test]
fn a_tournament_of_two_says_what_a_match_says() {
    let difference = |wins, draws, losses| {
        let half = Tally { wins, draws, losses };
        let games = [encounter(0, 1, wins, draws, losses), encounter(1, 0, losses, draws, wins)];
        let mut all = half;
        all += half;
        (rate(2, &games).difference(0, 1), all.interval())
    };
    let ((elo, error), _) = difference(50, 0, 0);
    assert!(elo > 500.0 && elo - error > 100.0, "100:0 is {elo} +- {error}");
    let ((elo, error), _) = difference(0, 1, 0);
    assert!(elo.abs() < 1e-6 && error > 100.0, "two draws are {elo} +- {error}");
    for (wins, draws, losses) in [(10, 0, 10), (12, 2, 6), (30, 30, 20), (45, 4, 1), (3, 90, 2)] {
        let ((elo, error), interval) = difference(wins, draws, losses);
        assert!((interval.low..=interval.high).contains(&elo), "{elo} in {interval:?}");
        let width = (interval.high - interval.low) / 2.0;
        assert!((0.6..1.4).contains(&(error / width)), "{wins} {draws} {losses}: {error} for {width}");
    }
    let one_each = rate(2, &[encounter(0, 1, 1, 0, 0), encounter(1, 0, 1, 0, 0)]);
    let (elo, error) = one_each.difference(0, 1);
    assert!(elo.abs() < 1e-6 && error > 150.0, "one win each is {elo} +- {error}");
}

/// Tournaments of one kind.
struct Simulated {
    truth: &'static [f64],
    /// As a difference of odds between equals; 0.05 are 2% draws, 2 are 76%.
    draw: f64,
    /// Of each player with each colour against each other.
    games: u32,
}

const SIMULATED: [Simulated; 4] = [
    Simulated { truth: &[-60.0, -20.0, 10.0, 70.0], draw: 0.4, games: 30 },
    Simulated { truth: &[-300.0, -150.0, 0.0, 50.0, 120.0, 280.0], draw: 0.05, games: 20 },
    Simulated { truth: &[-40.0, -10.0, 50.0], draw: 2.0, games: 60 },
    Simulated { truth: &[-100.0, 100.0], draw: 0.2, games: 50 },
];

impl Simulated {
    /// In how many of `tournaments` tournaments the intervals of all differences hold the truth, as a share of all.
    fn coverage(&self, tournaments: u64) -> f64 {
        let advantage = 20.0 / POINTS;
        let odds = (-self.draw).exp();
        let scale = 4.0 * odds / (1.0 + odds).powi(2);
        let places = || 0..self.truth.len();
        let (mut held, mut asked) = (0, 0);
        for number in 0..tournaments {
            let mut rng = Seed(5).derive("tournament", number).rng();
            let mut encounters = Vec::new();
            for (first, second) in
                places().flat_map(|a| places().map(move |b| (a, b))).filter(|(a, b)| a != b)
            {
                let lead = (self.truth[first] - self.truth[second]) / POINTS / scale + advantage;
                let (win, loss) = (logistic(lead - self.draw), logistic(-lead - self.draw));
                let mut tally = Tally::default();
                for _ in 0..self.games {
                    let lot: f64 = rng.random();
                    tally.count(if lot < win { 1 } else { -i32::from(lot < win + loss) });
                }
                encounters.push(Encounter { first, second, tally });
            }
            let ratings = rate(self.truth.len(), &encounters);
            for (a, b) in places().flat_map(|a| (0..a).map(move |b| (a, b))) {
                let (difference, error) = ratings.difference(a, b);
                asked += 1;
                held += i32::from((difference - (self.truth[a] - self.truth[b])).abs() <= error);
            }
        }
        f64::from(held) / f64::from(asked)
    }
}

/// Truth lies in 95% intervals of differences about 95 times in 100: over a thousand tournaments of each kind.
#[test]
fn a_thousand_tournaments_cover_the_truth_at_their_rate() {
    for (number, kind) in SIMULATED.iter().enumerate() {
        let share = kind.coverage(1000);
        println!("kind {number}: {:.1}% of the 95% intervals hold the truth", share * 100.0);
        assert!((0.93..=0.97).contains(&share), "kind {number}: {share}");
    }
}
