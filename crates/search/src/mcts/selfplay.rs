//! Games of a network against itself, many at a time: what it saw, what the search made of it, how the game ended.

use std::mem;

use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_games::{Colour, Game, Record};

use super::{Batch, Forest, PuctOptions};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlayOptions {
    /// Games at the same time.
    pub games: usize,
    /// Moves are drawn by their visits to the power of one over this ...
    pub temperature: f32,
    /// ... for so many plies, and are the most visited ones afterwards.
    pub temperature_plies: usize,
    /// Where all draws come from.
    pub seed: Seed,
}

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlaySample {
    /// What the side to move saw.
    pub observation: Vec<u8>,
    /// The moves' action numbers with their shares of the visits; those with none are left out.
    pub policy: Vec<(u16, f32)>,
    /// What the search thought, -1 to 1 for the side to move.
    pub value: f32,
    /// How the game ended for the side to move: 1, 0 or -1.
    pub result: f32,
    /// The number of the game, from 0 in the order of their beginning.
    pub game: u64,
    /// Plies before this one.
    pub ply: u32,
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct SelfPlayGame<G: Game> {
    /// The whole game.
    pub record: Record<G>,
    /// Its decisions.
    pub samples: Vec<SelfPlaySample>,
}

/// A game that goes on.
struct Running<G: Game> {
    number: u64,
    record: Record<G>,
    samples: Vec<(Colour, SelfPlaySample)>,
    rng: Rng,
}

/// Plays without end; ask about [`SelfPlay::gather`]'s positions, answer by [`SelfPlay::absorb`], fetch what has ended.
pub struct SelfPlay<G: Game> {
    forest: Forest<G>,
    options: SelfPlayOptions,
    running: Vec<Running<G>>,
    begun: u64,
    finished: Vec<SelfPlayGame<G>>,
}

impl<G: Game> SelfPlay<G> {
    /// All games at their start. The forest must be empty.
    pub fn new(forest: Forest<G>, options: SelfPlayOptions) -> SelfPlay<G> {
        let mut play = SelfPlay { forest, options, running: Vec::new(), begun: 0, finished: Vec::new() };
        for _ in 0..options.games.max(1) {
            let running = play.begin();
            play.forest.push(&running.record, options.seed.derive("noise", running.number));
            play.running.push(running);
        }
        play
    }

    fn begin(&mut self) -> Running<G> {
        let number = self.begun;
        self.begun += 1;
        let rng = self.options.seed.derive("game", number).rng();
        Running { number, record: Record::new(self.forest.game().clone()), samples: Vec::new(), rng }
    }

    /// How trees are searched.
    pub fn puct(&self) -> &PuctOptions {
        self.forest.options()
    }

    /// Plays all moves that are decided, then collects positions to ask about, as [`Forest::gather`] does; never none.
    pub fn gather(&mut self, most: usize, threads: usize, into: &mut Batch) {
        loop {
            self.move_on();
            self.forest.gather(most, threads, into);
            if !into.is_empty() {
                return;
            }
        }
    }

    /// Takes the answers, as [`Forest::absorb`] does.
    pub fn absorb(&mut self, logits: &[f32], values: &[f32]) {
        self.forest.absorb(logits, values);
    }

    /// Takes the answers, as [`Forest::absorb_legal`] does.
    pub fn absorb_legal(&mut self, logits: &[f32], values: &[f32]) {
        self.forest.absorb_legal(logits, values);
    }

    /// Games that have ended since the last call, in the order of their ends.
    pub fn take_finished(&mut self) -> Vec<SelfPlayGame<G>> {
        mem::take(&mut self.finished)
    }

    fn move_on(&mut self) {
        for place in 0..self.running.len() {
            // A proved root may be followed by another one.
            while self.forest.is_done(place) {
                self.play(place);
            }
        }
    }

    fn play(&mut self, place: usize) {
        let tree = &self.forest.trees()[place];
        let game = self.forest.game();
        let running = &mut self.running[place];
        let mut observation = vec![0; G::OBSERVATION.iter().product()];
        game.observe(tree.position(), &mut observation);
        let policy = tree.policy().into_iter().filter(|&(_, share)| share > 0.0);
        let policy = policy.map(|(mv, share)| (game.action_number(mv) as u16, share)).collect();
        let (game_number, ply) = (running.number, running.record.len() as u32);
        let sample =
            SelfPlaySample { observation, policy, value: tree.value(), result: 0.0, game: game_number, ply };
        running.samples.push((game.to_move(tree.position()), sample));
        let is_early = running.record.len() < self.options.temperature_plies;
        let temperature = if is_early { self.options.temperature } else { 0.0 };
        let mv = tree.choose(temperature, &mut running.rng);
        running.record.push_legal(mv);
        match running.record.end() {
            None => self.forest.advance(place, mv),
            Some(end) => self.restart(place, end.winner),
        }
    }

    fn restart(&mut self, place: usize, winner: Option<Colour>) {
        let fresh = self.begin();
        self.forest.replace(place, &fresh.record);
        let ended = mem::replace(&mut self.running[place], fresh);
        let result = |side| winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
        let samples =
            ended.samples.into_iter().map(|(side, sample)| SelfPlaySample { result: result(side), ..sample });
        self.finished.push(SelfPlayGame { record: ended.record, samples: samples.collect() });
    }
}
