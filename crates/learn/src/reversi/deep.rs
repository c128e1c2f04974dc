//! `deep-value`: a network that gathers its own experience (S3, chapter 6).
//!
//! A cycle plays games with the values of the network, keeps their positions in a replay buffer, trains with a sample of
//! it and now and then tests. Variants: several passes through the sample (intensified), random images instead of
//! canonical ones (augmented), a table that averages instead of the buffer (hybrid), and the last two together, which
//! the author names as missing.

use std::path::Path;

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;
use trilith_base::Seed;
use trilith_base::artifact::Artifact;
use trilith_base::seed::Rng;
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::network::ReversiNetwork;
use trilith_eval::value_table::{self, Remember, ValueTable};
use trilith_games::othello::{Othello, Position, symmetry};
use trilith_games::{Colour, Game, Record};

use super::fit::{Shape, check_steps, shape};
use super::game::{AfterstateValues, Colours, Lists, Manner, ReversiOpponent, each_after, passed};
use super::net::{Net, NetSample, NetState, Reversi, best};
use super::policy::{self, Policy};
use super::replay::Replay;
use super::tabular::{FILE, note};
use crate::network::{Method, TrainableCnn, TrainableMlp};
use crate::run::yardstick::{self, Yardstick};
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};

/// In the list of learners.
pub const KIND: LearnerKind = LearnerKind {
    name: "deep-value",
    about: "a network that learns from its own games by a replay buffer (Reversi (2025), chapter 6) and its variants",
    games: &[Othello::NAME],
    begin,
};

/// What the config may say; these are the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DeepParameters {
    /// `mlp` or `cnn`.
    network: Shape,
    /// Units of the perceptron's hidden layers; 96 and 34 if empty.
    hidden: Vec<usize>,
    /// What they make of their sums: `tanh`, `relu`, `logistic`.
    activation: String,
    /// A network of the same shape to go on from, as seen from the config; random weights if empty.
    start: String,
    /// `sgd`, `adam` or `rprop`.
    optimiser: Method,
    /// Length of steps in the first cycle.
    rate: f32,
    /// Factor on the rate after each cycle.
    decay: f32,
    /// Samples a step.
    batch: usize,
    /// Cycles in all.
    cycles: u64,
    /// Games before the first cycle.
    fill: u64,
    /// Positions that are kept before the first cycle, whatever games that takes, as in the author's scripts.
    fill_positions: usize,
    /// Whose positions are kept: `both`, `black` or `white`; the author's augmented runs kept Black's.
    colours: Colours,
    /// Games a cycle.
    games: u64,
    /// Positions that the buffer holds.
    buffer: usize,
    /// Positions drawn for training in a cycle.
    sample: usize,
    /// Passes through the sample: 1, or 3 when intensified.
    passes: u64,
    /// Random images instead of canonical ones.
    augmented: bool,
    /// A table instead of the buffer.
    hybrid: bool,
    /// What is noted for a new position of that table at least; the author's program: 2.
    zero: u64,
    /// Whether the position after the pass that ends a game early is kept, too, as the author's program did.
    last_pass: bool,
    /// How moves are drawn while gathering.
    policy: Policy,
    /// For `epsilon`: games before its chance shrinks.
    epsilon_every: u64,
    /// For `epsilon`: never less than this.
    epsilon_least: f64,
    /// Digits after the point that values are rounded to when the best move is looked for; -1 for all.
    digits: i32,
    /// Who the best moves are tested against.
    yardstick: String,
    /// How many games that takes; 0 for none.
    yardstick_games: u64,
    /// After so many cycles each.
    yardstick_every: u64,
    /// A stronger player that the best moves are tested against at the same cycles (S3, tables 21 to 24).
    second: String,
    /// How many games that takes; 0 for none.
    second_games: u64,
    /// Cycles before the first of these tests.
    second_from: u64,
}

impl Default for DeepParameters {
    fn default() -> DeepParameters {
        DeepParameters {
            network: Shape::Mlp,
            hidden: Vec::new(),
            activation: "tanh".into(),
            start: String::new(),
            optimiser: Method::Sgd { momentum: 0.0 },
            rate: 0.005,
            decay: 0.95,
            batch: 64,
            cycles: 100,
            fill: 10_000,
            fill_positions: 0,
            colours: Colours::Both,
            games: 5000,
            buffer: 1_000_000,
            sample: 320_000,
            passes: 1,
            augmented: false,
            hybrid: false,
            zero: 0,
            last_pass: false,
            policy: Policy::Sigma,
            epsilon_every: 100_000,
            epsilon_least: 0.1,
            digits: -1,
            yardstick: "random".into(),
            yardstick_games: 200,
            yardstick_every: 5,
            second: "minimax:depth=6,eval=discs".into(),
            second_games: 0,
            second_from: 60,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let parameters: DeepParameters = setup.parameters()?;
    match parameters.network {
        Shape::Mlp => make::<TrainableMlp>(setup, parameters),
        Shape::Cnn => make::<TrainableCnn>(setup, parameters),
    }
}

fn make<N: Reversi>(setup: &LearnerSetup, parameters: DeepParameters) -> Result<Box<dyn Learner>, RunError> {
    check_steps(parameters.rate, parameters.decay, parameters.batch)?;
    let yardstick =
        Yardstick::parse::<Othello, Evaluations>(&parameters.yardstick, parameters.yardstick_games, 0)?;
    let second = Yardstick::parse::<Othello, Evaluations>(&parameters.second, parameters.second_games, 0)?;
    let shape = shape(&parameters.hidden, &parameters.activation)?;
    Ok(Box::new(Deep {
        game: setup.game()?,
        seed: setup.seed(),
        net: Net::<N>::new(setup, shape, &parameters.start, parameters.optimiser, parameters.batch)?,
        progress: Progress::default(),
        replay: Replay::new(parameters.buffer),
        table: ValueTable::default(),
        parameters,
        yardstick,
        second,
    }))
}

struct Deep<N: Reversi> {
    game: Othello,
    seed: Seed,
    parameters: DeepParameters,
    yardstick: Yardstick,
    second: Yardstick,
    net: Net<N>,
    progress: Progress,
    replay: Replay,
    /// Empty unless hybrid.
    table: ValueTable,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Progress {
    games: u64,
    cycles: u64,
    loss: f64,
}

/// What the network says about after-positions.
struct Asking<'a, I> {
    network: &'a I,
    /// Whether it is asked about canonical images.
    canonical: bool,
}

impl<I: ReversiNetwork> Asking<'_, I> {
    fn points(&self, game: &Othello, position: &Position) -> f32 {
        match self.canonical {
            true => self.network.points(&of_code(game.code(position), position)),
            false => self.network.points(position),
        }
    }
}

impl<I: ReversiNetwork> AfterstateValues<Othello> for Asking<'_, I> {
    fn values(&mut self, game: &Othello, afters: &[Position], into: &mut Vec<Option<f32>>) {
        into.extend(afters.iter().map(|after| Some(self.points(game, after))));
    }
}

/// The canonical image by its code.
fn of_code(code: u128, position: &Position) -> Position {
    Position { own: (code >> 64) as u64, other: code as u64, ..*position }
}

/// The symmetries of the position that games start from: the images of a reachable position that can be reached too.
const REACHABLE: [usize; 4] = [0, 3, 4, 7];
/// Games a step while the buffer is filled.
const FILLING: u64 = 1000;
/// Games a step while positions are still missing.
const FILLING_ON: u64 = 50;

impl<N: Reversi> Deep<N> {
    /// Plays games up to number `last` and keeps their positions; how many these were.
    fn gather(&mut self, work: &StepContext, last: u64) -> Result<u64, RunError> {
        let network = N::inference(&self.net.artifact(self.net.parameters(), true))?;
        let DeepParameters { policy, epsilon_every, epsilon_least, augmented, .. } = self.parameters;
        let epsilon = policy::epsilon(self.progress.games, epsilon_every, epsilon_least);
        let manner = Manner { policy, epsilon, unknown: 0.0, opponent: ReversiOpponent::Itself, plies: 400 };
        let play = |lists: &mut Lists<Othello>, number| {
            let mut asking = Asking { network: &network, canonical: !augmented };
            let seed = self.seed.derive("game", number);
            manner.play::<Othello, Evaluations>(&self.game, &mut asking, Colour::Black, seed, lists)
        };
        let played = work.pairs(self.progress.games..last, Lists::default, play)?;
        let mut positions = 0;
        for (number, record) in (self.progress.games..).zip(played) {
            positions += self.keep(number, &record?);
        }
        self.progress.games = last;
        Ok(positions)
    }

    fn keep(&mut self, number: u64, record: &Record<Othello>) -> u64 {
        let DeepParameters { colours, hybrid, zero, last_pass, augmented, .. } = self.parameters;
        if hybrid {
            return note(&mut self.table, record, colours, zero, last_pass);
        }
        let mut rng = self.seed.derive("image", number).rng();
        let game = &self.game;
        let mut positions = 0;
        let mut keep = |after: &Position, points: u64| {
            let image = match augmented {
                true => game.image(after, REACHABLE[rng.random_range(0..REACHABLE.len())]),
                false => of_code(game.code(after), after),
            };
            self.replay.push((image.own, image.other, points as u8));
            positions += 1;
        };
        each_after(record, colours, &mut keep);
        if let Some((after, points)) = passed(record, colours).filter(|_| last_pass) {
            keep(&after, points);
        }
        positions
    }

    /// The positions that a cycle trains with.
    fn sample(&self, rng: &mut Rng) -> Vec<NetSample> {
        match self.parameters.hybrid {
            false => self.replay.sample(self.parameters.sample, rng),
            true => self.sample_table(rng),
        }
    }

    /// Slots are drawn until enough are used ones; the table never has many empty ones.
    fn sample_table(&self, rng: &mut Rng) -> Vec<NetSample> {
        let count = self.parameters.sample.min(self.table.len());
        let mut samples = Vec::with_capacity(count);
        while samples.len() < count {
            let slot = rng.random_range(0..self.table.slots());
            let Some((code, score)) = self.table.within(slot..slot + 1).next() else { continue };
            let turn = if self.parameters.augmented { rng.random_range(0..8) } else { 0 };
            let image = |bits: u64| symmetry::image(bits, turn);
            samples.push((image((code >> 64) as u64), image(code as u64), score.mean()));
        }
        samples
    }

    fn train(&mut self) {
        let cycle = self.progress.cycles;
        let rate = self.parameters.rate * self.parameters.decay.powi(cycle as i32);
        let samples = self.sample(&mut self.seed.derive("sample", cycle).rng());
        for _ in 0..self.parameters.passes.max(1) {
            let (squared, count) = self.net.learn(rate, samples.iter().copied());
            self.progress.loss = squared / count.max(1) as f64;
        }
    }

    /// How the best moves do against a player: with Black, with White.
    fn against(&self, yardstick: &Yardstick, name: &str, work: &StepContext) -> Result<[Tally; 2], RunError> {
        let canonical = !self.parameters.augmented;
        let network = N::inference(&self.net.artifact(self.net.parameters(), canonical))?;
        let asking = Asking { network: &network, canonical };
        let digits = u32::try_from(self.parameters.digits).ok();
        let choose = |record: &Record<Othello>, seed: Seed| {
            best(|position| asking.points(&self.game, position), digits, record, &mut seed.rng())
        };
        let seed = self.seed.derive(name, self.progress.cycles);
        yardstick.by_colour::<Othello, Evaluations>(&self.game, seed, work, choose)
    }

    fn strength(&self, work: &StepContext) -> Result<[(&'static str, f64); 3], RunError> {
        Ok(yardstick::measures(self.against(&self.yardstick, "yardstick", work)?))
    }

    /// Whether the first cycle has to wait for more positions.
    fn is_filling(&self) -> bool {
        let DeepParameters { fill, fill_positions, buffer, hybrid, .. } = self.parameters;
        let most = if hybrid { fill_positions } else { fill_positions.min(buffer) };
        self.progress.cycles == 0 && (self.progress.games < fill || self.kept() < most)
    }

    /// Positions kept.
    fn kept(&self) -> usize {
        if self.parameters.hybrid { self.table.len() } else { self.replay.len() }
    }

    fn is_done(&self) -> bool {
        self.progress.cycles >= self.parameters.cycles
    }
}

impl<N: Reversi> Learner for Deep<N> {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        self.net.set_threads(work.threads);
        let before = self.progress.games;
        let fill = self.parameters.fill;
        let positions = if self.is_filling() {
            let last = if before < fill { (before + FILLING).min(fill) } else { before + FILLING_ON };
            self.gather(work, last)?
        } else {
            let positions = self.gather(work, before + self.parameters.games)?;
            self.train();
            self.progress.cycles += 1;
            positions
        };
        let Progress { games, cycles, loss } = self.progress;
        let loss = (cycles > 0).then_some(loss);
        let all = (fill + self.parameters.cycles * self.parameters.games).max(1);
        let done = if self.is_done() { 1.0 } else { (games as f64 / all as f64).min(0.999_999) };
        Ok(StepReport { games: games - before, positions, loss, done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &(self.progress, &self.replay, self.net.state()))?;
        if self.parameters.hybrid {
            value_table::save(&folder.join(FILE), &header(), &self.table)?;
        }
        Ok(())
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        let net: NetState;
        (self.progress, self.replay, net) = state::read(folder)?;
        if self.parameters.hybrid {
            self.table = value_table::load(&folder.join(FILE), Othello::NAME)?.table;
        }
        self.net.set_state(folder, net)
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        let cycles = self.progress.cycles;
        if cycles == 0 {
            return Ok(None);
        }
        let kept = self.kept();
        let mut measures =
            vec![("cycles", cycles as f64), ("loss", self.progress.loss), ("positions kept", kept as f64)];
        let is_due =
            cycles == 1 || cycles.is_multiple_of(self.parameters.yardstick_every.max(1)) || self.is_done();
        if self.yardstick.games > 0 && is_due {
            measures.extend(self.strength(work)?);
        }
        if self.second.games > 0 && is_due && cycles >= self.parameters.second_from {
            let [black, white] = self.against(&self.second, "second", work)?;
            measures.extend([("second with black", black.rate()), ("second with white", white.rate())]);
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut artifact = self.net.artifact(self.net.parameters(), !self.parameters.augmented);
        if self.yardstick.games > 0 {
            let text = self.yardstick.result(self.strength(work)?[0].1);
            artifact.header.provenance.insert("strength".into(), text);
        }
        Ok(artifact)
    }
}

fn header() -> trilith_base::artifact::ArtifactHeader {
    trilith_base::artifact::ArtifactHeader {
        format: trilith_base::artifact::FORMAT,
        kind: "table".into(),
        game: Othello::NAME.into(),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::run::RunConfig;

    /// Positions kept of the first games, which are the same whatever is kept of them.
    fn kept(parameters: &str) -> u64 {
        let text = format!(
            "kind = \"deep-value\"\ngame = \"othello\"\nseed = 3\n[parameters]\nfill = 400\n{parameters}"
        );
        let config = RunConfig::parse(&text).expect("a config");
        let setup = LearnerSetup::new(&config, Path::new(""));
        let mut learner = begin(&setup).expect("a learner");
        let stop = AtomicBool::new(false);
        let work = StepContext { threads: 1, folder: Path::new(""), stop: &stop };
        learner.step(&work).expect("games").positions
    }

    /// As in the table: games that end early have one position more, in the buffer and in the hybrid's table.
    #[test]
    fn the_position_after_the_last_pass_is_kept_where_asked_for() {
        for form in ["", "augmented = true\n", "hybrid = true\nzero = 2\n"] {
            let (without, with) = (kept(form), kept(&format!("{form}last_pass = true\n")));
            assert!(without < with && with <= without + 400, "{form}: {without} {with}");
        }
    }
}
