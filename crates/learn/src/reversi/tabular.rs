//! `tabular`: Monte-Carlo learning with a table (S3, chapter 4).
//!
//! After each game the points of each side are added to all positions it has led to. The learning player draws its
//! moves by what the table says about them. With `batch` above 1 so many games are played at a time, on all threads,
//! before any of them counts; 1 is as published.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_arena::GameKit;
use trilith_base::artifact::{Artifact, ArtifactHeader, FORMAT, Tensor};
use trilith_base::seed::Rng;
use trilith_base::{Seed, words};
use trilith_eval::value_table::{self, CodeSlot, Remember, ValueTable};
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, MoveList, Record};

use super::game::{AfterstateValues, Colours, Lists, Manner, ReversiOpponent, each_after, passed};
use super::policy::{self, Policy};
use crate::run::yardstick::{self, Yardstick};
use crate::run::{
    self, Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state,
};

/// In the list of learners.
pub const KIND: LearnerKind = LearnerKind {
    name: "tabular",
    about: "Monte-Carlo learning with a table of positions (Reversi (2025), chapter 4); ends in table.bin",
    games: &[Othello::NAME, Morris::NAME],
    begin,
};

/// The table in a run's folder.
pub const FILE: &str = "table.bin";

/// What the config may say; these are the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TabularParameters {
    /// Games in all.
    games: u64,
    /// `sigma`: moves in proportion to their values; `epsilon`: the best, now and then any; `epsilon-last`: the last in the
    /// order of the rules, now and then any, as the author's program played.
    policy: Policy,
    /// For `epsilon`: games before its chance goes from 1/2 to 1/3, from 1/3 to 1/4 and so on.
    epsilon_every: u64,
    /// For `epsilon`: never less than this.
    epsilon_least: f64,
    /// What positions not in the table are taken to be worth.
    unknown: f32,
    /// What is noted for a new position at least, however little the game brought, so that it is tried again.
    zero: u64,
    /// Whether the position after the pass that ends a game early is noted, too, as the author's program did.
    last_pass: bool,
    /// Whose positions are noted: `both`, `black` or `white`.
    colours: Colours,
    /// `self`, `random` or a player such as `minimax:depth=2`; the learning player then has the side of `colours`, or
    /// both in turn.
    opponent: String,
    /// Games played at a time before any of them counts.
    batch: u64,
    /// Drawn after so many plies.
    plies: usize,
    /// Who the best moves of the table are tested against.
    yardstick: String,
    /// How many games that takes; 0 for none.
    yardstick_games: u64,
    /// After so many games each.
    yardstick_every: u64,
}

impl Default for TabularParameters {
    fn default() -> TabularParameters {
        TabularParameters {
            games: 1_000_000,
            policy: Policy::Sigma,
            epsilon_every: 100_000,
            epsilon_least: 0.1,
            unknown: 40.0,
            zero: 2,
            last_pass: false,
            colours: Colours::Both,
            opponent: "self".into(),
            batch: 1,
            plies: 400,
            yardstick: "random".into(),
            yardstick_games: 200,
            yardstick_every: 100_000,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    match setup.config.game.as_str() {
        Othello::NAME => make::<Othello, trilith_eval::othello::Evaluations>(setup),
        Morris::NAME => make::<Morris, trilith_eval::morris::Evaluations>(setup),
        game => {
            Err(RunError::config("game", format!("expected {}", words::expected(game, KIND.games.to_vec()))))
        }
    }
}

fn make<G: Remember, C: GameKit<G>>(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let parameters: TabularParameters = setup.parameters()?;
    if !(0.0..=G::POINTS as f32).contains(&parameters.unknown) || parameters.zero > G::POINTS {
        let fault = format!("expected points from 0 to {}", G::POINTS);
        return Err(RunError::config("parameters.unknown and zero", fault));
    }
    let yardstick = Yardstick::parse::<G, C>(&parameters.yardstick, parameters.yardstick_games, 0)?;
    Ok(Box::new(Tabular::<G, C> {
        game: setup.game()?,
        seed: setup.seed(),
        opponent: ReversiOpponent::parse::<G, C>(&parameters.opponent)?,
        parameters,
        yardstick,
        table: ValueTable::default(),
        games: 0,
        catalogue: PhantomData,
    }))
}

struct Tabular<G: Game, C> {
    game: G,
    seed: Seed,
    parameters: TabularParameters,
    opponent: ReversiOpponent,
    yardstick: Yardstick,
    table: ValueTable,
    games: u64,
    catalogue: PhantomData<fn() -> C>,
}

#[derive(Serialize, Deserialize)]
struct TabularState {
    games: u64,
}

/// What a table says about after-positions. All places are asked for before the first is read.
struct Reading<'a> {
    table: &'a ValueTable,
    places: Vec<CodeSlot>,
}

impl<'a> Reading<'a> {
    fn new(table: &'a ValueTable) -> Reading<'a> {
        Reading { table, places: Vec::new() }
    }
}

impl<G: Remember> AfterstateValues<G> for Reading<'_> {
    fn values(&mut self, game: &G, afters: &[G::Position], into: &mut Vec<Option<f32>>) {
        self.places.clear();
        for after in afters {
            let place = CodeSlot::of(game.code(after));
            self.table.hint(place);
            self.places.push(place);
        }
        into.extend(self.places.iter().map(|&place| self.table.get(place).map(|score| score.mean())));
    }
}

/// Adds the points of a game to all its positions; a new one gets `zero` at least, as in the author's program.
pub(super) fn note<G: Remember>(
    table: &mut ValueTable,
    record: &Record<G>,
    colours: Colours,
    zero: u64,
    last_pass: bool,
) -> u64 {
    let mut visits: Vec<(CodeSlot, u64)> = Vec::with_capacity(record.len());
    each_after(record, colours, |after, points| {
        let place = CodeSlot::of(record.game().code(after));
        table.hint(place);
        visits.push((place, points));
    });
    if let Some((after, points)) = passed(record, colours).filter(|_| last_pass) {
        visits.push((CodeSlot::of(record.game().code(&after)), points));
    }
    for &(place, points) in &visits {
        table.add(place, points, points.max(zero));
    }
    visits.len() as u64
}

/// Steps are short enough to be stopped after.
const STEP: u64 = 1000;

impl<G: Remember, C: GameKit<G>> Tabular<G, C> {
    fn manner(&self, game: u64) -> Manner {
        let TabularParameters { policy, epsilon_every, epsilon_least, unknown, plies, .. } = self.parameters;
        let epsilon = policy::epsilon(game, epsilon_every, epsilon_least);
        Manner { policy, epsilon, unknown, plies, opponent: self.opponent.clone() }
    }

    /// The learning player's colour in a game.
    fn side(&self, game: u64) -> Colour {
        match self.parameters.colours {
            Colours::Both if game.is_multiple_of(2) => Colour::Black,
            Colours::Both | Colours::White => Colour::White,
            Colours::Black => Colour::Black,
        }
    }

    /// Whose positions of a game count: against others, only those of the learning player.
    fn learned(&self, game: u64) -> Colours {
        match (&self.opponent, self.side(game)) {
            (ReversiOpponent::Itself, _) => self.parameters.colours,
            (_, Colour::Black) => Colours::Black,
            (_, Colour::White) => Colours::White,
        }
    }

    fn play(&self, number: u64, lists: &mut Lists<G>) -> Result<Record<G>, RunError> {
        let (manner, seed) = (self.manner(number), self.seed.derive("game", number));
        manner.play::<G, C>(&self.game, &mut Reading::new(&self.table), self.side(number), seed, lists)
    }

    fn note(&mut self, number: u64, record: &Record<G>) -> u64 {
        let learned = self.learned(number);
        note(&mut self.table, record, learned, self.parameters.zero, self.parameters.last_pass)
    }

    fn strength(&self, work: &StepContext) -> Result<[(&'static str, f64); 3], RunError> {
        let choose = |record: &Record<G>, seed: Seed| best_known(&self.table, record, &mut seed.rng());
        let seed = self.seed.derive("yardstick", self.games);
        Ok(yardstick::measures(self.yardstick.by_colour::<G, C>(&self.game, seed, work, choose)?))
    }

    fn header(&self) -> ArtifactHeader {
        let provenance = BTreeMap::from([
            ("learner".into(), KIND.name.into()),
            ("seed".into(), self.seed.to_string()),
            ("games".into(), self.games.to_string()),
            ("opponent".into(), self.parameters.opponent.clone()),
        ]);
        ArtifactHeader {
            format: FORMAT,
            kind: "table".into(),
            game: G::NAME.into(),
            rules: self.game.rules().to_string(),
            provenance,
            ..ArtifactHeader::default()
        }
    }
}

/// S3's optimising player: the best move that the table knows, any if it knows none.
pub fn best_known<G: Remember>(table: &ValueTable, record: &Record<G>, rng: &mut Rng) -> G::Move {
    let game = record.game();
    let mut moves = MoveList::new();
    game.moves(record.position(), &mut moves);
    let value = |&mv: &G::Move| {
        let code = game.code(&game.play(record.position(), mv));
        table.get(CodeSlot::of(code)).map_or(f32::MIN, |score| score.mean())
    };
    let chosen = policy::best(moves.iter().map(value), rng);
    moves[chosen]
}

impl<G: Remember, C: GameKit<G>> Learner for Tabular<G, C> {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let first = self.games;
        let last = (first + STEP.max(self.parameters.batch)).min(self.parameters.games);
        let mut positions = 0;
        let mut lists = Lists::default();
        while self.games < last {
            let end = (self.games + self.parameters.batch.max(1)).min(last);
            if end == self.games + 1 {
                let record = self.play(self.games, &mut lists)?;
                positions += self.note(self.games, &record);
            } else {
                let played = run::pairs(work.threads, self.games..end, Lists::default, |lists, number| {
                    self.play(number, lists)
                });
                for (number, record) in (self.games..).zip(played) {
                    positions += self.note(number, &record?);
                }
            }
            self.games = end;
        }
        let done = last as f64 / self.parameters.games.max(1) as f64;
        Ok(StepReport { games: last - first, positions, loss: None, done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &TabularState { games: self.games })?;
        value_table::save(&folder.join(FILE), &self.header(), &self.table)?;
        Ok(())
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        self.games = state::read::<TabularState>(folder)?.games;
        self.table = value_table::load(&folder.join(FILE), G::NAME)?.table;
        Ok(())
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        let every = self.parameters.yardstick_every.max(STEP);
        let is_last = self.games == self.parameters.games;
        if !self.games.is_multiple_of(every) && !is_last {
            return Ok(None);
        }
        let mut measures = vec![
            ("games", self.games as f64),
            ("positions", self.table.len() as f64),
            ("mebibytes", self.table.bytes() as f64 / f64::from(1 << 20)),
        ];
        if self.yardstick.games > 0 {
            measures.extend(self.strength(work)?);
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut header = self.header();
        let checksum = value_table::save(&work.folder.join(FILE), &header, &self.table)?;
        header.settings = BTreeMap::from([
            ("file".into(), FILE.into()),
            ("blake3".into(), checksum),
            ("positions".into(), self.table.len().to_string()),
        ]);
        if self.yardstick.games > 0 {
            let text = self.yardstick.result(self.strength(work)?[0].1);
            header.provenance.insert("strength".into(), text);
        }
        let mut visits = vec![0.0; 32];
        self.table.iter().for_each(|(_, score)| visits[score.count.ilog2() as usize] += 1.0);
        let visits = Tensor { shape: vec![visits.len()], data: visits };
        Ok(Artifact {
            header,
            tensors: BTreeMap::from([("positions_by_log2_of_visits".into(), visits)]),
            ..Artifact::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::seed::mix;

    /// The author's program and ours list moves row by row: the last one is the lowest row's rightmost.
    #[test]
    fn without_chance_the_last_legal_move_is_played() {
        let game = Othello::default();
        let manner = Manner {
            policy: Policy::EpsilonLast,
            epsilon: 0.0,
            unknown: 40.0,
            opponent: ReversiOpponent::Itself,
            plies: 400,
        };
        let table = ValueTable::default();
        let record = manner
            .play::<Othello, trilith_eval::othello::Evaluations>(
                &game,
                &mut Reading::new(&table),
                Colour::Black,
                Seed(1),
                &mut Lists::default(),
            )
            .unwrap();
        for plies in 0..record.len() {
            let before = record.position_after(plies).unwrap();
            let after = record.position_after(plies + 1).unwrap();
            let square = (before.empties() & !after.empties()).trailing_zeros();
            let legal = before.mobility();
            assert!(legal == 0 || square == 63 - legal.leading_zeros(), "ply {plies}");
        }
    }

    /// The table after the same games, kept in the simplest way: a map from diagrams to scores.
    #[test]
    fn the_table_is_what_the_games_were() {
        let game = Othello::default();
        let manner = Manner {
            policy: Policy::Sigma,
            epsilon: 0.0,
            unknown: 40.0,
            opponent: ReversiOpponent::Itself,
            plies: 400,
        };
        let mut table = ValueTable::default();
        let mut map: std::collections::HashMap<(u64, u64), (u64, u64)> = std::collections::HashMap::new();
        for number in 0..40 {
            let record = manner
                .play::<Othello, trilith_eval::othello::Evaluations>(
                    &game,
                    &mut Reading::new(&table),
                    Colour::Black,
                    Seed(mix(number)),
                    &mut Lists::default(),
                )
                .unwrap();
            note(&mut table, &record, Colours::Both, 2, false);
            let (black, white) = record.position().colours();
            let (black, white) = (black.count_ones() as u64, white.count_ones() as u64);
            let empties = 64 - black - white;
            for plies in 1..=record.len() {
                let after = record.position_after(plies).unwrap();
                let (own, other) = match after.to_move {
                    Colour::Black => (white, black),
                    Colour::White => (black, white),
                };
                let points = match own.cmp(&other) {
                    std::cmp::Ordering::Greater => own + empties,
                    std::cmp::Ordering::Equal => 32,
                    std::cmp::Ordering::Less => own,
                };
                let (least, _) = game.canonical(after);
                let entry = map.entry((least.own, least.other)).or_insert((0, 0));
                entry.0 += if entry.1 == 0 { points.max(2) } else { points };
                entry.1 += 1;
            }
        }
        assert_eq!(table.len(), map.len());
        for (code, score) in table.iter() {
            let (sum, count) = map[&((code >> 64) as u64, code as u64)];
            assert_eq!((score.sum, score.count), (sum, count));
        }
    }
}
