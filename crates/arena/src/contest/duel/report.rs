//! What a match has shown.
//!
//! Players without chance repeat a game whenever its opening comes again. Such a game proves nothing anew: intervals and
//! tests count each different pair once.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use trilith_games::Colour;

use super::{Duel, colour_of_a};
use crate::contest::{GameFault, GameJob, GameReport, Opening};
use crate::statistics::{Interval, Pairs, Passes, Sprt, Tally, pair_test};

/// The state of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// As given.
    pub test: String,
    /// The log-likelihood ratio of the pairs, each different one counted once.
    pub llr: f64,
    /// The same from single games, for comparison with tools that know no pairs.
    pub llr_trinomial: f64,
    /// Accepts `elo0` at or below.
    pub lower: f64,
    /// Accepts `elo1` at or above.
    pub upper: f64,
    /// `H0`, `H1` or `open`.
    pub verdict: &'static str,
}

impl SprtReport {
    /// What the test says of these pairs.
    pub fn new(sprt: &Sprt, pairs: &Pairs, tally: &Tally) -> SprtReport {
        let llr = sprt.pentanomial(pairs);
        let (lower, upper) = sprt.bounds();
        SprtReport {
            test: sprt.to_string(),
            llr,
            llr_trinomial: sprt.trinomial(tally),
            lower,
            upper,
            verdict: sprt.verdict(llr).name(),
        }
    }
}

/// A fault in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DuelFault {
    /// The number of the game, from 1.
    pub game: u64,
    /// The player that failed.
    pub player: String,
    /// What happened.
    #[serde(flatten)]
    pub fault: GameFault,
}

/// How much of a match was played but once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Variety {
    /// Games that differ from all others in opening, colours or moves.
    pub distinct_games: u64,
    /// Pairs that differ from all others: what the interval and the tests count.
    pub distinct_pairs: u64,
    /// Openings that differ.
    pub distinct_openings: u64,
    /// Pairs in which both players played the same moves, so that they say nothing of a difference.
    pub identical_pairs: u64,
}

/// What a match has shown, from `a`'s side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DuelReport {
    /// The player whose results are counted.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// Played and counted.
    pub games: u64,
    /// Won by `a`.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by `a`.
    pub losses: u64,
    /// Points a game.
    pub rate: f64,
    /// One for a win, a half for a draw.
    pub points: f64,
    /// S2's p: wins less losses over games.
    pub p: f64,
    /// The Elo difference.
    pub elo: f64,
    /// The lower end of its 95% interval, from distinct pairs where all games are paired; infinite (null in JSON) where
    /// nothing bounds it.
    pub elo_low: f64,
    /// The upper end.
    pub elo_high: f64,
    /// The chance that `a` is stronger.
    pub los: f64,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// The rate that S5's test asks of so many distinct pairs to call `a` stronger; none without pairs.
    pub pair_bound: Option<f64>,
    /// Whether it does.
    pub stronger: bool,
    /// How much was played but once.
    #[serde(flatten)]
    pub variety: Variety,
    /// How games ended, and how many did so.
    pub endings: BTreeMap<String, u64>,
    /// What a reader should know before believing the numbers.
    pub warnings: Vec<String>,
    /// Games in which `a` had Black.
    pub as_black: Tally,
    /// Games in which `a` had White.
    pub as_white: Tally,
    /// How far the rates of passes lie apart, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<Passes>,
    /// The sequential test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Games lost by failing.
    pub faults: u64,
    /// Each of them.
    pub fault_list: Vec<DuelFault>,
    /// The game's name.
    pub game: String,
    /// Its switches, as given.
    pub rules: String,
    /// Where the players took over.
    pub openings: String,
    /// Where all draws came from.
    pub seed: u64,
    /// Wall time of this run.
    pub seconds: f64,
    /// The share of the threads' time that players thought in this run; with a queue, how many thought at a time.
    pub thinking: f64,
}

impl DuelReport {
    /// The Elo difference with its interval.
    pub fn interval(&self) -> Interval {
        Interval { elo: self.elo, low: self.elo_low, high: self.elo_high, los: self.los }
    }
}

/// A played game.
pub type ReportedGame = (GameJob, GameReport);

/// The games of a match counted in every way that the report needs.
#[derive(Default)]
pub(super) struct Count<'a> {
    tally: Tally,
    pairs: Pairs,
    distinct_tally: Tally,
    distinct_pairs: Pairs,
    variety: Variety,
    games: HashSet<(Colour, GameText<'a>)>,
    whole: HashSet<(GameText<'a>, &'a str)>,
    openings: HashSet<(Option<&'a str>, &'a str)>,
}

/// What tells games apart: where they began and how they went.
type GameText<'a> = (Option<&'a str>, &'a str);

fn text<'a>(opening: &'a Opening, result: &'a GameReport) -> GameText<'a> {
    (opening.position.as_deref(), &result.moves)
}

impl<'a> Count<'a> {
    /// Counts all games, which come in the order of their numbers.
    pub fn of(games: &'a [ReportedGame]) -> Count<'a> {
        let mut count = Count::default();
        for (place, (job, result)) in games.iter().enumerate() {
            let sign = count.game(job, result);
            let before = place.checked_sub(1).map(|before| &games[before]);
            let partner =
                before.filter(|(_, first)| result.number % 2 == 1 && first.number + 1 == result.number);
            if let Some((job, first)) = partner {
                count.pair(job, first, result, sign);
            }
        }
        count.variety.distinct_games = count.games.len() as u64;
        count.variety.distinct_pairs = count.whole.len() as u64;
        count.variety.distinct_openings = count.openings.len() as u64;
        count
    }

    fn game(&mut self, job: &'a GameJob, result: &'a GameReport) -> i32 {
        let colour = colour_of_a(result.number);
        let sign = result.sign(colour);
        self.tally.count(sign);
        if self.games.insert((colour, text(&job.opening, result))) {
            self.distinct_tally.count(sign);
        }
        self.openings.insert((job.opening.position.as_deref(), &job.opening.moves));
        sign
    }

    fn pair(&mut self, job: &'a GameJob, first: &'a GameReport, second: &'a GameReport, sign: i32) {
        let signs = first.sign(colour_of_a(first.number)) + sign;
        self.pairs.add(signs);
        let is_whole = first.fault.is_none() && second.fault.is_none();
        self.variety.identical_pairs += u64::from(is_whole && first.moves == second.moves);
        if self.whole.insert((text(&job.opening, first), &second.moves)) {
            self.distinct_pairs.add(signs);
        }
    }

    /// What a reader should know before believing the numbers.
    fn warnings(&self) -> Vec<String> {
        let Variety { distinct_games, distinct_pairs, distinct_openings, identical_pairs } = self.variety;
        let (games, pairs) = (self.tally.games(), self.pairs.count());
        let mut warnings = Vec::new();
        if pairs > 1 && distinct_openings < pairs {
            warnings
                .push(format!("the openings ran out: {distinct_openings} different ones for {pairs} pairs"));
        }
        if distinct_games < games {
            warnings.push(format!(
                "only {distinct_games} of {games} games differ: the interval and the tests count {distinct_pairs} pairs"
            ));
        }
        if identical_pairs > 0 && identical_pairs == pairs {
            warnings.push(format!(
                "the players never differed: both played the same moves in every pair ({pairs})"
            ));
        }
        warnings
    }
}

impl Duel {
    /// The rates of the passes that have been played to their end.
    fn spread(&self, games: &[ReportedGame]) -> Option<Passes> {
        let length = self.games / self.passes.max(1);
        let pass = |pass: u64| tally_where(games, |number| number / length.max(1) == pass);
        let whole = (0..self.passes).map(pass).filter(|tally| tally.games() == length && length > 0);
        let rates: Vec<f64> = whole.map(|tally| tally.rate()).collect();
        Passes::of(&rates).filter(|passes| passes.count > 1)
    }

    /// The report of `games`, of which `wall` seconds and `thought` seconds of thinking belong to this run.
    pub(super) fn report(&self, games: &[ReportedGame], wall: f64, thought: f64) -> DuelReport {
        let count = Count::of(games);
        let (tally, pairs) = (count.tally, count.distinct_pairs);
        let is_paired = count.pairs.count() > 0 && count.pairs.count() * 2 == tally.games();
        let interval = if is_paired { pairs.interval() } else { count.distinct_tally.interval() };
        let fault_list: Vec<_> = games.iter().filter_map(|(job, result)| fault(job, result)).collect();
        let mut endings = BTreeMap::new();
        games.iter().for_each(|(_, result)| *endings.entry(result.end.reason.to_string()).or_default() += 1);
        DuelReport {
            a: self.a.clone(),
            b: self.b.clone(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            rate: tally.rate(),
            points: tally.points(),
            p: tally.lead(),
            elo: interval.elo,
            elo_low: interval.low,
            elo_high: interval.high,
            los: interval.los,
            pairs: count.pairs.0,
            pair_bound: (pairs.count() > 0).then(|| pair_test(pairs.count())),
            stronger: pairs.is_stronger(),
            variety: count.variety,
            endings,
            warnings: count.warnings(),
            as_black: tally_where(games, |number| colour_of_a(number) == Colour::Black),
            as_white: tally_where(games, |number| colour_of_a(number) == Colour::White),
            passes: self.spread(games),
            sprt: self.sprt.map(|sprt| SprtReport::new(&sprt, &pairs, &count.distinct_tally)),
            faults: fault_list.len() as u64,
            fault_list,
            game: self.game.clone(),
            rules: self.rules.clone(),
            openings: self.openings.to_string(),
            seed: self.seed.0,
            seconds: wall,
            thinking: thought / (wall * self.threads.max(1) as f64),
        }
    }
}

/// The results of `a` in the games with these numbers.
fn tally_where(games: &[ReportedGame], is_counted: impl Fn(u64) -> bool) -> Tally {
    let mut tally = Tally::default();
    for (_, result) in games.iter().filter(|(_, result)| is_counted(result.number)) {
        tally.count(result.sign(colour_of_a(result.number)));
    }
    tally
}

fn fault(job: &GameJob, result: &GameReport) -> Option<DuelFault> {
    let fault = result.fault.clone()?;
    Some(DuelFault { game: result.number + 1, player: job.seat(fault.by).player.clone(), fault })
}
