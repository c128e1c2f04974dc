//! A match: two players, both colours from each opening, and what the results say.
//!
//! Games 2k and 2k+1 are a pair: the same opening, `a` first with Black, then with White. Results do not depend on the
//! number of threads: a test that ends a match counts only the games up to the pair that decided it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Serialize;
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_games::{Colour, Game};

use super::adjudication::Adjudication;
use super::host::{Host, JobError};
use super::job::{GameFault, GameJob, GameResult, Seat};
use super::openings::{self, Opening, Openings, Source};
use super::pace::Pace;
use crate::kit::GameKit;
use crate::registry::{Visitor, with_game};
use crate::statistics::{Pairs, Passes, Sprt, Tally, Verdict, pair_test};

/// Everything that decides a match.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// The player whose results are counted.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// How many, at most.
    pub games: u64,
    /// Into how many equal parts the games are divided to see how far their rates lie apart (S1, S3); 1 for none.
    pub passes: u64,
    /// Where the players take over.
    pub openings: Source,
    /// For both.
    pub pace: Pace,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Ends the match as soon as it has an answer.
    pub sprt: Option<Sprt>,
    /// Where all draws come from.
    pub seed: Seed,
    /// Games at the same time.
    pub threads: usize,
}

/// The state of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// As given.
    pub test: String,
    /// The log-likelihood ratio of the pairs.
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
    /// The lower end of its 95% interval, from pairs where all games are paired.
    pub elo_low: f64,
    /// The upper end.
    pub elo_high: f64,
    /// The chance that `a` is stronger.
    pub los: f64,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// The rate that S5's test asks of so many pairs to call `a` stronger; none without pairs.
    pub pair_bound: Option<f64>,
    /// Whether it does.
    pub stronger: bool,
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
    /// Wall time.
    pub seconds: f64,
    /// The share of the threads' time that players thought; with a queue, how many thought at a time.
    pub thinking: f64,
}

/// What is told after each game.
pub struct Progress<'a> {
    /// The job just played.
    pub job: &'a GameJob,
    /// How it went.
    pub result: &'a GameResult,
    /// Games played so far.
    pub played: u64,
    /// All that is known so far.
    pub tally: Tally,
}

impl Duel {
    /// Plays the match on its threads; after `stop`, the report is of the games played by then. `told` hears of each game
    /// as it ends.
    pub fn play(
        &self,
        stop: &Arc<AtomicBool>,
        told: impl FnMut(Progress<'_>),
    ) -> Result<(DuelReport, Vec<(GameJob, GameResult)>), JobError> {
        self.play_by(&Workers::Threads(self.threads), stop, told)
    }

    /// The same match, played by `workers`.
    pub fn play_by(
        &self,
        workers: &Workers,
        stop: &AtomicBool,
        mut told: impl FnMut(Progress<'_>),
    ) -> Result<(DuelReport, Vec<(GameJob, GameResult)>), JobError> {
        let mut openings = with_game(&self.game, Open { duel: self })??.peekable();
        let first = openings.peek().cloned().unwrap_or_default();
        Host::default().check(&self.job(0, first))?;
        let mut score = Score::new(self);
        let duel = self.clone();
        let pairs = openings.flat_map(|opening| [opening.clone(), opening]);
        let jobs = (0..self.games).zip(pairs).map(move |(number, opening)| duel.job(number, opening));
        workers.run(&self.batch(), jobs, stop, |job, result| {
            score.add(job, result);
            let (job, result) = score.last();
            told(Progress { job, result, played: score.played, tally: score.tally });
            match score.verdict() {
                Verdict::Open => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        Ok(score.finish())
    }

    /// What a queue knows the games of this match by.
    fn batch(&self) -> String {
        format!("match {:?}", Duel { threads: 0, ..self.clone() })
    }

    /// Game `number`, from 0.
    fn job(&self, number: u64, opening: Opening) -> GameJob {
        let seat = |player: &String| Seat { player: player.clone(), pace: self.pace };
        let (black, white) = match colour_of_a(number) {
            Colour::Black => (&self.a, &self.b),
            Colour::White => (&self.b, &self.a),
        };
        GameJob {
            number,
            game: self.game.clone(),
            rules: self.rules.clone(),
            opening,
            black: seat(black),
            white: seat(white),
            adjudication: self.adjudication,
            seed: self.seed.derive("game", number).0,
        }
    }
}

struct Open<'a> {
    duel: &'a Duel,
}

impl Visitor for Open<'_> {
    type Output = Result<Openings, JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.duel.rules.parse()?);
        Ok(openings::openings(&game, &self.duel.openings, self.duel.seed)?)
    }
}

/// The colour that `a` has in game `number` of a match.
pub fn colour_of_a(number: u64) -> Colour {
    if number.is_multiple_of(2) { Colour::Black } else { Colour::White }
}

/// Counts games as they come in, in any order.
struct Score<'a> {
    duel: &'a Duel,
    began: Instant,
    games: Vec<Option<(GameJob, GameResult)>>,
    last: usize,
    played: u64,
    tally: Tally,
    /// The test looks at whole pairs in their order: what it has seen so far.
    settled: usize,
    settled_pairs: Pairs,
    verdict: Verdict,
}

impl Score<'_> {
    fn new(duel: &Duel) -> Score<'_> {
        Score {
            duel,
            began: Instant::now(),
            games: Vec::new(),
            last: 0,
            played: 0,
            tally: Tally::default(),
            settled: 0,
            settled_pairs: Pairs::default(),
            verdict: Verdict::Open,
        }
    }

    fn sign(&self, number: usize) -> Option<i32> {
        let (_, result) = self.games.get(number)?.as_ref()?;
        Some(result.sign(colour_of_a(result.number)))
    }

    fn add(&mut self, job: GameJob, result: GameResult) {
        let number = result.number as usize;
        if self.games.len() <= number {
            self.games.resize(number + 1, None);
        }
        self.tally.count(result.sign(colour_of_a(result.number)));
        self.games[number] = Some((job, result));
        self.played += 1;
        self.last = number;
        self.settle();
    }

    fn last(&self) -> (&GameJob, &GameResult) {
        let (job, result) = self.games[self.last].as_ref().expect("it was added just now");
        (job, result)
    }

    /// Lets the test see the pairs that have become whole, one by one, until it has an answer.
    fn settle(&mut self) {
        let Some(sprt) = self.duel.sprt else { return };
        while self.verdict == Verdict::Open {
            let (Some(first), Some(second)) = (self.sign(self.settled), self.sign(self.settled + 1)) else {
                return;
            };
            self.settled += 2;
            self.settled_pairs.add(first + second);
            self.verdict = sprt.verdict(sprt.pentanomial(&self.settled_pairs));
        }
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// All games that count, in their order, and the report.
    fn finish(mut self) -> (DuelReport, Vec<(GameJob, GameResult)>) {
        let wall = self.began.elapsed().as_secs_f64();
        if self.verdict != Verdict::Open {
            self.games.truncate(self.settled);
        }
        let (mut tally, mut pairs) = (Tally::default(), Pairs::default());
        for number in 0..self.games.len() {
            let Some(sign) = self.sign(number) else { continue };
            tally.count(sign);
            if let (1, Some(first)) = (number % 2, number.checked_sub(1).and_then(|before| self.sign(before)))
            {
                pairs.add(first + sign);
            }
        }
        let duel = self.duel;
        let games: Vec<_> = self.games.into_iter().flatten().collect();
        let report = duel.report(tally, pairs, &games, wall);
        (report, games)
    }
}

impl Duel {
    /// The rates of the passes that have been played to their end.
    fn spread(&self, games: &[(GameJob, GameResult)]) -> Option<Passes> {
        let length = self.games / self.passes.max(1);
        let pass = |pass: u64| tally_where(games, |number| number / length.max(1) == pass);
        let whole = (0..self.passes).map(pass).filter(|tally| tally.games() == length && length > 0);
        let rates: Vec<f64> = whole.map(|tally| tally.rate()).collect();
        Passes::of(&rates).filter(|passes| passes.count > 1)
    }

    fn report(&self, tally: Tally, pairs: Pairs, games: &[(GameJob, GameResult)], wall: f64) -> DuelReport {
        let is_paired = pairs.count() > 0 && pairs.count() * 2 == tally.games();
        let interval = if is_paired { pairs.interval() } else { tally.interval() };
        let sprt = self.sprt.map(|sprt| {
            let llr = sprt.pentanomial(&pairs);
            let (lower, upper) = sprt.bounds();
            let verdict = sprt.verdict(llr).name();
            SprtReport {
                test: sprt.to_string(),
                llr,
                llr_trinomial: sprt.trinomial(&tally),
                lower,
                upper,
                verdict,
            }
        });
        let fault_list: Vec<_> = games.iter().filter_map(|(job, result)| fault(job, result)).collect();
        let thought: f64 = games.iter().flat_map(|(_, result)| result.seconds).sum();
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
            pairs: pairs.0,
            pair_bound: (pairs.count() > 0).then(|| pair_test(pairs.count())),
            stronger: pairs.is_stronger(),
            as_black: tally_where(games, |number| colour_of_a(number) == Colour::Black),
            as_white: tally_where(games, |number| colour_of_a(number) == Colour::White),
            passes: self.spread(games),
            sprt,
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
fn tally_where(games: &[(GameJob, GameResult)], is_counted: impl Fn(u64) -> bool) -> Tally {
    let mut tally = Tally::default();
    for (_, result) in games.iter().filter(|(_, result)| is_counted(result.number)) {
        tally.count(result.sign(colour_of_a(result.number)));
    }
    tally
}

fn fault(job: &GameJob, result: &GameResult) -> Option<DuelFault> {
    let fault = result.fault.clone()?;
    Some(DuelFault { game: result.number + 1, player: job.seat(fault.by).player.clone(), fault })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(a: &str, b: &str, games: u64) -> Duel {
        Duel {
            game: "othello".into(),
            rules: String::new(),
            a: a.into(),
            b: b.into(),
            games,
            passes: 1,
            openings: Source::default(),
            pace: Pace::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            seed: Seed(7),
            threads: 1,
        }
    }

    /// All that must not depend on machine and threads.
    fn play(duel: &Duel) -> (DuelReport, Vec<GameResult>) {
        let (mut report, games) = duel.play(&Arc::default(), |_| ()).unwrap();
        (report.seconds, report.thinking) = (0.0, 0.0);
        let timeless = |(_, result): (GameJob, GameResult)| GameResult { seconds: [0.0; 2], ..result };
        (report, games.into_iter().map(timeless).collect())
    }

    #[test]
    fn games_are_the_same_on_any_number_of_threads() {
        for (game, a) in [
            ("othello", "engine:nodes=300,radius=1,hash=1"),
            ("morris", "minimax:depth=2"),
            ("abalone", "engine:depth=1,hash=1"),
        ] {
            let rules = if game == "abalone" { "plies=60".into() } else { String::new() };
            let one = Duel { game: game.into(), rules, ..duel(a, "random", 13) };
            let (report, games) = play(&one);
            for threads in [2, 5] {
                let (again, games_again) = play(&Duel { threads, ..one.clone() });
                assert_eq!(games_again, games);
                assert_eq!(again, report);
            }
            assert_eq!((report.games, games.len(), report.pairs.iter().sum::<u64>()), (13, 13, 6));
            let other = play(&Duel { seed: Seed(8), ..one });
            assert_ne!(other.1, games, "another seed gives other games");
        }
    }

    #[test]
    fn both_colours_are_played_from_each_opening() {
        let (_, games) = duel("random", "minimax:depth=1", 10).play(&Arc::default(), |_| ()).unwrap();
        for pair in games.chunks(2) {
            let [(first, _), (second, _)] = pair else { panic!("ten games are five pairs") };
            assert_eq!(first.opening, second.opening);
            assert_eq!((&first.black, &first.white), (&second.white, &second.black));
        }
    }

    #[test]
    fn a_test_ends_a_clear_match_early_and_at_the_same_game() {
        let sprt = Some("0,100,0.05,0.05".parse().unwrap());
        let clear = Duel { sprt, ..duel("minimax:depth=2", "random", 2000) };
        let (report, games) = play(&clear);
        assert_eq!(report.sprt.as_ref().unwrap().verdict, "H1");
        assert!(report.games < 400 && games.len() as u64 == report.games, "{}", report.games);
        assert_eq!(play(&Duel { threads: 3, ..clear }), (report, games));
        let even = Duel { sprt, ..duel("random", "random", 2000) };
        assert_eq!(play(&even).0.sprt.unwrap().verdict, "H0");
    }

    #[test]
    fn passes_and_colours_are_told_apart() {
        let (report, games) = play(&Duel { passes: 3, ..duel("minimax:depth=1", "random", 31) });
        let passes = report.passes.unwrap();
        assert_eq!(passes.count, 3, "ten games each, the last one belongs to none");
        let mean =
            games[..30].iter().map(|result| f64::from(1 + result.sign(colour_of_a(result.number))) / 60.0);
        assert!((passes.mean - mean.sum::<f64>()).abs() < 1e-12);
        assert_eq!((report.as_black.games(), report.as_white.games()), (16, 15));
        assert_eq!(report.as_black.wins + report.as_white.wins, report.wins);
        assert_eq!(play(&duel("random", "random", 4)).0.passes, None);
    }

    #[test]
    fn a_stopped_match_keeps_what_was_played() {
        let stop: Arc<AtomicBool> = Arc::default();
        let (report, games) = duel("random", "random", 1_000_000)
            .play(&stop, |progress| stop.store(progress.played >= 20, std::sync::atomic::Ordering::Relaxed))
            .unwrap();
        assert!((20..1000).contains(&report.games) && games.len() as u64 == report.games, "{}", report.games);
    }

    #[test]
    fn saved_games_read_back() {
        let mut host = Host::default();
        let played = Duel { game: "morris".into(), ..duel("random", "minimax:depth=1", 4) };
        for (job, result) in played.play(&Arc::default(), |_| ()).unwrap().1 {
            let text = host.text(&job, &result).unwrap();
            let games = trilith_games::pgn::parse::<trilith_games::morris::Morris>(&text).unwrap();
            assert_eq!(games[0].record.len(), result.plies());
            assert!(text.contains("[White \"") && text.contains("[OpeningPlies \"6\"]"), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_said_before_the_first_game() {
        let fault = |duel: Duel| duel.play(&Arc::default(), |_| ()).unwrap_err().to_string();
        assert!(fault(duel("randm", "random", 2)).contains("`random`?"));
        assert!(
            fault(Duel { game: "go".into(), ..duel("random", "random", 2) }).contains("unknown game `go`")
        );
        assert!(fault(Duel { rules: "x=1".into(), ..duel("random", "random", 2) }).contains("unknown rule"));
        let openings = Source::File("no/such/file".into());
        assert!(fault(Duel { openings, ..duel("random", "random", 2) }).contains("no/such/file"));
    }
}
