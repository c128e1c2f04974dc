//! Self-play of any game: some random moves or one of all openings, then search with the evaluation at hand to the end.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::{Evaluator, Unknowing, Value, WIN};
use trilith_games::{Colour, Game, Record, RulesError, playout};
use trilith_search::{Control, Engine, Limits, Options};

use super::store::Played;
use crate::openings;

/// How games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The rules of the games, one drawn for each.
    pub rules: Vec<String>,
    /// Random plies at the beginning: at least so many.
    pub random_least: u32,
    /// And at most so many.
    pub random_most: u32,
    /// Instead of random plies all openings of so many plies by all rules, one a game; 0 for random ones.
    #[serde(default)]
    pub all: u32,
    /// Plies searched for each move after that.
    pub depth: u32,
    /// A game that lasts longer is scored by the last search.
    pub longest: usize,
    /// So is one in which nothing irreversible has happened for so many plies; 0 for none.
    #[serde(default)]
    pub still: usize,
    /// How restless ([`Options::mobility_percent`]) a side may be: each is so in one game of two, by draw.
    #[serde(default)]
    pub restless: u32,
    /// Where all draws come from; game `n` depends on this and `n` alone.
    pub seed: Seed,
}

/// Ways to positions, each with the number of its rules.
type Ways<G> = Vec<(usize, Vec<<G as Game>::Move>)>;

impl Plan {
    /// The games by their rules.
    fn rules<G: Game>(&self) -> Result<Vec<G>, RulesError> {
        self.rules.iter().map(|rules| rules.parse().map(G::new)).collect()
    }

    /// All openings, each with the number of its rules; none if random plies are asked for.
    fn openings<G: Game>(&self) -> Result<Ways<G>, RulesError> {
        let games = if self.all > 0 { self.rules::<G>()? } else { Vec::new() };
        let of = |(number, game)| openings::all(game, self.all).into_iter().map(move |way| (number, way));
        Ok(games.iter().enumerate().flat_map(of).collect())
    }

    /// How many games there are: as many as openings, or without end. Refuses rules that cannot be read.
    pub fn games<G: Game>(&self) -> Result<u64, RulesError> {
        self.rules::<G>()?;
        match self.all {
            0 => Ok(u64::MAX),
            _ => self.openings::<G>().map(|openings| openings.len() as u64),
        }
    }
}

/// One thread's player.
pub struct Generator<G: Game, E> {
    plan: Plan,
    games: Vec<G>,
    openings: Ways<G>,
    /// One that waits and one that does not.
    engines: [Engine<G, E, Unknowing>; 2],
}

impl<G: Game, E: Evaluator<G> + Clone> Generator<G, E> {
    /// A player that has not played yet; refuses rules that cannot be read.
    pub fn new(plan: Plan, evaluator: E) -> Result<Generator<G, E>, RulesError> {
        let (games, openings) = (plan.rules()?, plan.openings::<G>()?);
        let engines = [0, plan.restless].map(|restless| {
            let options = Options { table_mebibytes: 4, mobility_percent: restless, ..Options::default() };
            Engine::new(evaluator.clone(), Unknowing, options)
        });
        Ok(Generator { plan, games, openings, engines })
    }

    /// Rules and opening of a game.
    fn begin(&self, number: u64) -> (usize, Record<G>) {
        if let Some(last) = (self.openings.len() as u64).checked_sub(1) {
            let (choice, way) = &self.openings[number.min(last) as usize];
            let mut record = Record::new(self.games[*choice].clone());
            way.iter().for_each(|&mv| record.push_legal(mv));
            return (*choice, record);
        }
        let mut rng = self.plan.seed.derive("game", number).rng();
        let choice = rng.random_range(0..self.games.len());
        let wanted = rng.random_range(self.plan.random_least..=self.plan.random_most) as usize;
        let mut record = Record::new(self.games[choice].clone());
        playout::play_on(&mut record, wanted, &mut rng);
        (choice, record)
    }

    /// Whether a game has become too long, or has stood still for too long.
    fn is_cut(&self, record: &Record<G>) -> bool {
        let still = self.plan.still;
        record.len() >= self.plan.longest || still > 0 && record.returnable().len() >= still
    }

    /// Game number `number`. The same whatever was played before, because nothing is remembered.
    pub fn play(&mut self, number: u64) -> Played {
        let (choice, mut record) = self.begin(number);
        let game = self.games[choice].clone();
        let limits = Limits::depth(self.plan.depth);
        let random = record.len();
        let tempers = self.plan.seed.derive("temper", number).rng().random::<[bool; 2]>();
        self.engines.iter_mut().for_each(Engine::forget);
        let mut values = Vec::new();
        while record.end().is_none() && !self.is_cut(&record) {
            let temper = usize::from(self.plan.restless > 0 && tempers[record.len() % 2]);
            let answer = self.engines[temper].analyse(&record, &limits, &Control::default(), &mut |_| ());
            values.push(thousandths(score(answer.value(), answer.unit.one)));
            record.push_legal(answer.best().expect("the game goes on"));
        }
        let mover = game.to_move(record.position());
        let result = match record.end().map(|end| end.winner) {
            Some(None) => 500,
            Some(Some(winner)) => 1000 * u16::from(winner == mover),
            // The last value was that of the side that is not to move now.
            None => values.last().map_or(500, |&value| 1000 - value),
        };
        Played {
            rules: self.plan.rules[choice].clone(),
            random,
            moves: record.moves().map(|mv| game.move_text(mv)).collect(),
            values,
            result: if mover == Colour::Black { result } else { 1000 - result },
        }
    }
}

/// The expected score, 0 to 1, of a value in log odds.
pub fn score(value: Value, one: Value) -> f32 {
    if value.abs() > WIN / 2 {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-value as f32 / one as f32).exp())
}

fn thousandths(score: f32) -> u16 {
    (score * 1000.0).round() as u16
}
