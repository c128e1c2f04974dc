//! Self-play: some random plies or one of all openings, then search with the evaluation at hand, then perfect play where
//! it can be had.

use std::marker::PhantomData;

use rand::RngExt;
use trilith_eval::{Evaluator, Unknowing, Value, WIN};
use trilith_games::{Colour, Game, Record, RulesError, playout};
use trilith_search::{Control, Engine, Limits, NullWindow};

use super::game::PlayedGame;
use super::settings::{GenerationSettings, Openings};
use crate::training::{ExactPlay, Training};

/// One thread's players.
pub struct Generator<G: Game, C, E> {
    settings: GenerationSettings,
    games: Vec<G>,
    openings: Openings<G>,
    /// The usual one, and one with the mobility term if that is asked for.
    engines: Vec<Engine<G, E, Unknowing>>,
    exact: Option<Box<dyn ExactPlay<G>>>,
    catalogue: PhantomData<fn() -> C>,
}

impl<G: Game, C: Training<G>, E: Evaluator<G> + Clone> Generator<G, C, E> {
    /// Players that have not played yet; refuses rules that cannot be read.
    pub fn new(
        settings: GenerationSettings,
        evaluator: E,
        null_window: Option<NullWindow<G, E>>,
    ) -> Result<Self, RulesError> {
        let (games, openings) = (settings.games()?, settings.all_openings::<G>()?);
        let engine = |mobility| {
            let options = trilith_search::EngineOptions {
                mobility_percent: mobility,
                pruning: settings.pruning.then(|| C::pruning(evaluator.unit())).flatten(),
                ..C::self_play_options(&evaluator)
            };
            Engine::new(evaluator.clone(), Unknowing, options).with_null_window(null_window)
        };
        let more = (settings.mobility > 0).then(|| engine(settings.mobility));
        Ok(Generator {
            games,
            openings,
            engines: std::iter::once(engine(0)).chain(more).collect(),
            exact: C::exact_play(settings.exact),
            settings,
            catalogue: PhantomData,
        })
    }

    /// Rules and opening of a game.
    fn begin(&self, number: u64) -> (usize, Record<G>) {
        if let Some(last) = (self.openings.len() as u64).checked_sub(1) {
            let (choice, moves) = &self.openings[number.min(last) as usize];
            let mut record = Record::new(self.games[*choice].clone());
            moves.iter().for_each(|&mv| record.push_legal(mv));
            return (*choice, record);
        }
        let mut rng = self.settings.seed.derive("game", number).rng();
        let choice = C::draw_rules(self.games.len(), &mut rng);
        let wanted = rng.random_range(self.settings.random_least..=self.settings.random_most) as usize;
        let mut record = Record::new(self.games[choice].clone());
        playout::play_on(&mut record, wanted, &mut rng);
        (choice, record)
    }

    /// Whether a game has become too long, or has stood still for too long.
    fn is_cut(&self, record: &Record<G>) -> bool {
        let GenerationSettings { longest, still, .. } = self.settings;
        !C::ENDS_BY_ITSELF && (record.len() >= longest || still > 0 && record.returnable().len() >= still)
    }

    /// The move of a side, with the mobility term or without, and its expected score.
    fn decide(&mut self, record: &Record<G>, with_mobility: bool) -> (G::Move, f32) {
        let position = record.position();
        if let Some(exact) = self.exact.as_mut().filter(|exact| exact.covers(position)) {
            let (mv, value) = exact.best(position);
            return (mv, f32::from(value.signum() + 1) / 2.0);
        }
        let engine = &mut self.engines[usize::from(with_mobility)];
        let limits = Limits::depth(self.settings.depth);
        let answer = engine.analyse(record, &limits, &Control::default(), &mut |_| ());
        (answer.best().expect("the game goes on"), score(answer.value(), answer.unit.one))
    }

    /// Game number `number`. The same whatever was played before, because nothing is remembered.
    pub fn play(&mut self, number: u64) -> PlayedGame {
        let (choice, mut record) = self.begin(number);
        let random = record.len();
        let tempers = self.settings.seed.derive("temper", number).rng().random::<[bool; 2]>();
        self.engines.iter_mut().for_each(Engine::forget);
        self.exact.iter_mut().for_each(|exact| exact.forget());
        let mut values = Vec::new();
        while record.end().is_none() && !self.is_cut(&record) {
            let with_mobility = self.settings.mobility > 0 && tempers[record.len() % 2];
            let (mv, score) = self.decide(&record, with_mobility);
            values.push(thousandths(score));
            record.push_legal(mv);
        }
        self.ended(&record, choice, random, values)
    }

    /// A game that has ended or was cut.
    fn ended(&self, record: &Record<G>, choice: usize, random: usize, values: Vec<u16>) -> PlayedGame {
        let game = record.game();
        let mover = game.to_move(record.position());
        // Without values a pass at the end of the random plies belongs to none of them.
        let before = record.moves().take(random).collect::<Vec<_>>();
        let last = before.iter().rposition(|&mv| !C::is_pass(mv)).map_or(0, |at| at + 1);
        let random = if C::KEEPS_VALUES { random } else { last };
        let result = match record.end().map(|end| end.winner) {
            Some(None) => 500,
            Some(Some(winner)) => 1000 * u16::from(winner == mover),
            // The last value was that of the side that is not to move now.
            None => values.last().map_or(500, |&value| 1000 - value),
        };
        let margin = game.margin(record.position()) as i16;
        let is_black = mover == Colour::Black;
        PlayedGame {
            rules: self.settings.rules[choice].clone(),
            random,
            moves: record.moves().map(|mv| game.move_text(mv)).collect::<Vec<_>>().join(" "),
            values: if C::KEEPS_VALUES { values } else { Vec::new() },
            result: if is_black { result } else { 1000 - result },
            margin: Some(if is_black { margin } else { -margin }),
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
