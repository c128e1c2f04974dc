//! Positions as they occur inside search trees, searched deeper and deeper.
//!
//! Games are played by a shallow search with some random moves. At each ply a real search runs, and one of the inner
//! nodes that it visits with a null window, where ProbCut would test, is drawn by lot; nodes of all plies from
//! [`NEAREST`] on have the same chance. A node so many plies from the root stands for the height that it has in a search
//! deeper by that much (S5 took positions six plies below those of games).

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_eval::{Evaluator, Unknowing};
use trilith_games::{Game, Record, playout};
use trilith_search::analysis::plies_to_end;
use trilith_search::{Control, Engine, EngineOptions, Limits, NullWindow};

use super::samples::ProbCutSample;

/// How much is collected, and how deep it is searched.
#[derive(Clone, Copy, Debug)]
pub struct CollectionSettings {
    /// How many positions.
    pub positions: u64,
    /// Plies that a sixth of the positions are searched; a third is searched two plies less, half four plies less.
    pub depth: u32,
    /// Where all draws come from; game `n` depends on this and `n` alone.
    pub seed: Seed,
    /// Threads that search; the result does not depend on them.
    pub threads: usize,
}

/// Plies of the searches that nodes are drawn from, and the nodes after which they are broken off.
const TREE_DEPTH: u32 = 6;
const TREE_NODES: u64 = 200_000;
/// Nodes nearer to the root are not drawn.
const NEAREST: u32 = 2;
/// Random plies at the beginning of a game: at least and at most.
const RANDOM: (usize, usize) = (2, 10);
/// One move in so many is random.
const STRAY: u32 = 10;
/// Longer games are left off.
const LONGEST: usize = 120;
const TABLE_MEBIBYTES: usize = 4;

/// The search that is measured.
pub struct MeasuredSearch<G: Game, E> {
    /// What values positions.
    pub evaluator: E,
    /// The game's own search of null windows with it, if it has one.
    pub null_window: Option<NullWindow<G, E>>,
    /// How the engine works if nobody says.
    pub options: EngineOptions,
}

/// Collects until there are enough positions or `stop` is set. `progress` hears how many there are.
pub fn collect<G: Game, E: Evaluator<G> + Clone>(
    game: &G,
    search: &MeasuredSearch<G, E>,
    settings: CollectionSettings,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<ProbCutSample> {
    let next = AtomicU64::new(0);
    let count = AtomicU64::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            scope.spawn(|| {
                let mut collector = Collector::new(game, search, settings, stop);
                while count.load(Relaxed) < settings.positions && !stop.load(Relaxed) {
                    let samples = collector.play(next.fetch_add(1, Relaxed));
                    progress(count.fetch_add(samples.len() as u64, Relaxed) + samples.len() as u64);
                    all.lock().expect("no thread panics with the lock").extend(samples);
                }
            });
        }
    });
    let mut all = all.into_inner().expect("no thread panics with the lock");
    all.sort_by_key(|sample: &ProbCutSample| sample.game);
    all.truncate(settings.positions as usize);
    all
}

struct Collector<'a, G: Game, E> {
    game: &'a G,
    settings: CollectionSettings,
    stop: &'a AtomicBool,
    /// Plays, and shows its trees.
    player: Engine<G, E, Unknowing>,
    /// Values what was drawn.
    judge: Engine<G, E, Unknowing>,
}

impl<'a, G: Game, E: Evaluator<G> + Clone> Collector<'a, G, E> {
    fn new(
        game: &'a G,
        search: &MeasuredSearch<G, E>,
        settings: CollectionSettings,
        stop: &'a AtomicBool,
    ) -> Self {
        let options = EngineOptions { table_mebibytes: TABLE_MEBIBYTES, ..search.options.clone() };
        let judging = EngineOptions { exact: true, ..options.clone() };
        let engine = |options| {
            Engine::new(search.evaluator.clone(), Unknowing, options).with_null_window(search.null_window)
        };
        Collector { game, settings, stop, player: engine(options), judge: engine(judging) }
    }

    /// Game `number` and a position from the tree of every other ply.
    fn play(&mut self, number: u64) -> Vec<ProbCutSample> {
        let mut rng = self.settings.seed.derive("game", number).rng();
        let mut record = Record::new(self.game.clone());
        playout::play_on(&mut record, rng.random_range(RANDOM.0..=RANDOM.1), &mut rng);
        self.player.forget();
        let mut samples = Vec::new();
        while record.end().is_none() && record.len() < LONGEST && !self.stop.load(Relaxed) {
            let (best, drawn) = self.search(&record, &mut rng);
            if let Some(position) = drawn.filter(|_| rng.random()) {
                samples.extend(self.judge(number, &position, &mut rng));
            }
            let stray = rng.random_range(0..STRAY) == 0;
            let random = playout::random_move(self.game, record.position(), &mut rng);
            record.push_legal(random.filter(|_| stray).unwrap_or(best));
        }
        samples
    }

    /// The best move and a node of the tree: first a ply is drawn, then one of its nodes.
    fn search(&mut self, record: &Record<G>, rng: &mut Rng) -> (G::Move, Option<G::Position>) {
        let wanted = rng.random_range(NEAREST..TREE_DEPTH);
        let drawn = Mutex::new((0_u64, None, rng.random::<u64>()));
        let watch = |position: &G::Position, ply: u32| {
            if ply != wanted {
                return;
            }
            let mut drawn = drawn.lock().expect("no thread panics with the lock");
            drawn.0 += 1;
            drawn.2 = trilith_base::seed::mix(drawn.2);
            if drawn.2.is_multiple_of(drawn.0) {
                drawn.1 = Some(*position);
            }
        };
        let limits = Limits { nodes: Some(TREE_NODES), ..Limits::depth(TREE_DEPTH) };
        let answer = self.player.watch(record, &limits, &watch);
        let (_, position, _) = drawn.into_inner().expect("no thread panics with the lock");
        (answer.best().expect("the game goes on"), position)
    }

    fn judge(&mut self, game: u64, position: &G::Position, rng: &mut Rng) -> Option<ProbCutSample> {
        let record = Record::from_position(self.game.clone(), *position).ok()?;
        let less = match rng.random_range(0..6) {
            0 => 0,
            1 | 2 => 2,
            _ => 4,
        };
        let limits = Limits::depth(self.settings.depth.saturating_sub(less).max(1));
        let mut values = Vec::new();
        self.judge.forget();
        let one = self.judge.evaluator().unit().one as f32;
        self.judge.analyse(&record, &limits, &Control::default(), &mut |analysis| {
            values.push((analysis.value(), plies_to_end(analysis.value()).is_none()));
        });
        let values = values.into_iter().take_while(|&(_, open)| open);
        Some(ProbCutSample {
            game,
            phase: self.game.phase(position),
            values: values.map(|(value, _)| value as f32 / one).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::Margin;
    use trilith_games::othello::Othello;

    fn search() -> MeasuredSearch<Othello, Margin> {
        MeasuredSearch { evaluator: Margin, null_window: None, options: EngineOptions::default() }
    }

    #[test]
    fn what_is_collected_depends_on_the_seed_alone() {
        let run = |seed, threads| {
            let settings = CollectionSettings { positions: 40, depth: 5, seed: Seed(seed), threads };
            let never = AtomicBool::new(false);
            collect(&Othello::default(), &search(), settings, &never, &|_| ())
        };
        let samples = run(1, 1);
        assert_eq!(samples.len(), 40);
        assert_eq!(samples, run(1, 3));
        assert_ne!(samples, run(2, 1));
        assert!(samples.iter().any(|sample| sample.values.len() == 5));
        assert!(samples.iter().all(|sample| sample.values.len() <= 5));
    }

    #[test]
    fn a_stopped_collection_keeps_what_it_has() {
        let stop = AtomicBool::new(false);
        let settings = CollectionSettings { positions: 1_000_000, depth: 3, seed: Seed(1), threads: 1 };
        let halt = |count| stop.store(count > 20, Relaxed);
        let samples = collect(&Othello::default(), &search(), settings, &stop, &halt);
        assert!((21..500).contains(&samples.len()));
    }
}
