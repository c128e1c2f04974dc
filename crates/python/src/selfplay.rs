//! Games against itself on several threads: parts of them that know nothing of each other.

use std::sync::Mutex;
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use trilith_games::Game;
use trilith_search::mcts::{Forest, SelfPlay, SelfPlayGame, SelfPlayOptions};

use crate::grove::{Answers, Asked, ForestGame, Grove};
use crate::state::AnySeat;

/// Parts for each thread. Whoever is ready takes the next one, so that nobody waits long for an endgame to be solved.
const PARTS: usize = 4;

/// Games that a part has at least.
const GAMES: usize = 8;

/// Games against itself, in parts.
pub struct SelfPlays<G: Game> {
    parts: Vec<Part<G>>,
    threads: usize,
}

struct Part<G: Game> {
    play: SelfPlay<G>,
    /// How many positions it gathers at most.
    room: usize,
    asked: Asked,
}

impl<G: Game> Part<G> {
    fn absorb(&mut self, answers: Answers<'_>) {
        match answers {
            Answers::All(logits, values) => self.play.absorb(logits, values),
            Answers::Legal(logits, values) => self.play.absorb_legal(logits, values),
        }
        self.asked.clear();
    }

    fn gather(&mut self, first: usize, observations: &mut [u8]) {
        self.play.gather(self.room, 1, &mut self.asked.batch);
        let gathered = &self.asked.batch.observations;
        observations[..gathered.len()].copy_from_slice(gathered);
        self.asked.number::<G>(first);
    }
}

impl<G: Game> SelfPlays<G> {
    /// All games at their start; they gather at most `most` positions.
    pub fn new(
        empty: impl Fn() -> Forest<G>,
        options: SelfPlayOptions,
        most: usize,
        threads: usize,
    ) -> SelfPlays<G> {
        let count =
            if threads <= 1 { 1 } else { (threads * PARTS).min(options.games / GAMES).clamp(1, most) };
        let part = |number: usize| {
            let games = share(options.games, count, number);
            let seed = if count == 1 { options.seed } else { options.seed.derive("part", number as u64) };
            let play = SelfPlay::new(empty(), SelfPlayOptions { games, seed, ..options });
            Part { play, room: share(most, count, number), asked: Asked::default() }
        };
        SelfPlays { parts: (0..count).map(part).collect(), threads }
    }

    /// Moves the observations of parts behind one that has gathered less than it might have.
    fn close_gaps(&mut self, observations: &mut [u8]) {
        let size = size_of_observation::<G>();
        let (mut from, mut to) = (0, 0);
        for part in &mut self.parts {
            let count = part.asked.batch.len();
            if from != to {
                observations.copy_within(from * size..(from + count) * size, to * size);
                part.asked.number::<G>(to);
            }
            from += part.room;
            to += count;
        }
    }
}

fn size_of_observation<G: Game>() -> usize {
    G::OBSERVATION.iter().product()
}

/// The part of the whole that each of so many gets.
fn share(whole: usize, count: usize, number: usize) -> usize {
    whole * (number + 1) / count - whole * number / count
}

/// Does the work for all items; every thread takes the next one when it is ready.
fn each<T>(threads: usize, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    if threads <= 1 {
        return items.for_each(work);
    }
    let queue = Mutex::new(items);
    let next = || queue.lock().expect("nobody panics while it takes an item").next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
}

/// The answers to each part's positions.
fn divide<'a, G: Game>(answers: Answers<'a>, parts: &[Part<G>]) -> Vec<Answers<'a>> {
    let (mut logits, mut values) = match answers {
        Answers::All(logits, values) | Answers::Legal(logits, values) => (logits, values),
    };
    let divided = parts.iter().map(|part| {
        let positions = part.asked.batch.len();
        let numbers = match answers {
            Answers::All(..) => positions * G::ACTIONS,
            Answers::Legal(..) => part.asked.places.len(),
        };
        let (own, own_values);
        (own, logits) = logits.split_at(numbers);
        (own_values, values) = values.split_at(positions);
        match answers {
            Answers::All(..) => Answers::All(own, own_values),
            Answers::Legal(..) => Answers::Legal(own, own_values),
        }
    });
    divided.collect()
}

impl<G: Game> Grove for SelfPlays<G> {
    fn turn(&mut self, answers: Option<Answers<'_>>, observations: &mut [u8]) {
        let answers: Vec<_> = match answers {
            Some(answers) => divide(answers, &self.parts).into_iter().map(Some).collect(),
            None => vec![None; self.parts.len()],
        };
        // Each part writes where it belongs if all parts before it are full.
        let (mut rest, mut first, mut work) = (&mut *observations, 0, Vec::new());
        for (part, answers) in self.parts.iter_mut().zip(answers) {
            let into;
            (into, rest) = rest.split_at_mut(part.room * size_of_observation::<G>());
            first += part.room;
            work.push((first - part.room, part, answers, into));
        }
        each(self.threads, work.into_iter(), |(first, part, answers, into)| {
            answers.into_iter().for_each(|answers| part.absorb(answers));
            part.gather(first, into);
        });
        self.close_gaps(observations);
    }

    fn absorb(&mut self, answers: Answers<'_>) {
        let answers = divide(answers, &self.parts);
        let work: Vec<_> = self.parts.iter_mut().zip(answers).collect();
        each(self.threads, work.into_iter(), |(part, answers)| part.absorb(answers));
    }

    fn asked(&self) -> Vec<&Asked> {
        self.parts.iter().map(|part| &part.asked).collect()
    }

    fn plant(&mut self, _: &[&dyn AnySeat], _: bool) -> PyResult<()> {
        Err(PyRuntimeError::new_err("games against itself begin by themselves"))
    }

    fn harvest(&self, _: &mut [f32], _: &mut [f32]) {}

    fn take_finished(&mut self) -> Vec<ForestGame> {
        let count = self.parts.len() as u64;
        let plain = |ended: SelfPlayGame<G>, part: u64| {
            let game = ended.record.game();
            let moves = ended.record.moves().map(|mv| game.move_text(mv)).collect();
            let mut samples = ended.samples;
            samples.iter_mut().for_each(|sample| sample.game = sample.game * count + part);
            ForestGame { samples, moves }
        };
        let parts = self.parts.iter_mut().zip(0..);
        parts
            .flat_map(|(part, number)| {
                part.play.take_finished().into_iter().map(move |game| plain(game, number))
            })
            .collect()
    }
}
