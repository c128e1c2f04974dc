//! One thread of the search: can the side to move force at least a draw, at least a win?
//!
//! Threads search the same tree and share what they prove; from some depth on each begins with replies that no other
//! thread is at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;
use trilith_games::morris::points::{self, Points};
use trilith_games::morris::{Morris, Move, Position};
use trilith_games::{Game, MoveList, Outcome};

use super::key::{Key, key};
use super::memory::BoundsTable;
use super::{Effort, PlacingSolver};
use crate::tables::Tables;

/// The limits are looked at once in so many nodes.
const POLL: u64 = 256;
/// Stones in hand from which threads keep out of each other's way.
const SHARED_HANDS: u8 = 5;
/// Stones in hand from which proved positions are remembered: below, the tables answer as fast.
const KEPT_HANDS: u8 = 2;
/// Positions at which threads are busy.
const BUSY: usize = 1 << 12;

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    tables: &'a Tables,
    game: &'a Morris,
    memory: &'a BoundsTable,
    visited: &'a AtomicU64,
    /// What `visited` may come to.
    most: u64,
    stop: Option<&'a AtomicBool>,
    busy: Vec<AtomicU64>,
    done: AtomicBool,
    /// A position that the tables do not know.
    pub unknown: Mutex<Option<Position>>,
}

impl<'a> Shared<'a> {
    pub fn new(solver: &'a PlacingSolver, effort: Effort<'a>) -> Shared<'a> {
        let mut busy = Vec::new();
        busy.resize_with(if solver.threads > 1 { BUSY } else { 0 }, AtomicU64::default);
        Shared {
            tables: &solver.tables,
            game: &solver.game,
            memory: &solver.memory,
            visited: &solver.visited,
            most: solver.visited.load(Relaxed).saturating_add(effort.nodes),
            stop: effort.stop,
            busy,
            done: AtomicBool::new(false),
            unknown: Mutex::new(None),
        }
    }

    fn busy(&self, key: Key) -> &AtomicU64 {
        &self.busy[key as usize % BUSY]
    }
}

/// A thread at work.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    nodes: u64,
    stopped: bool,
    /// By side, then by point: how often a stone there answered the question.
    history: [[u32; points::COUNT]; 2],
}

/// A position to look at, the most promising first.
struct Child {
    worth: i32,
    to: u8,
    key: Key,
    position: Position,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'a>, number: usize) -> Worker<'a> {
        let mut history = [[0; points::COUNT]; 2];
        if number > 0 {
            // Threads that begin alike would follow each other.
            history[number % 2][number * 7 % points::COUNT] = 1;
        }
        Worker { shared, nodes: 0, stopped: false, history }
    }

    /// The answer; none if it was stopped.
    pub fn answer(mut self, position: &Position, goal: Outcome) -> Option<bool> {
        let reached = self.reaches(position, goal);
        self.shared.visited.fetch_add(self.nodes % POLL, Relaxed);
        let is_stopped = self.stopped;
        self.shared.done.store(true, Relaxed);
        (!is_stopped).then_some(reached)
    }

    #[cold]
    fn poll(&mut self) {
        let shared = self.shared;
        let visited = shared.visited.fetch_add(POLL, Relaxed) + POLL;
        self.stopped |= shared.done.load(Relaxed)
            || visited >= shared.most
            || shared.stop.is_some_and(|stop| stop.load(Relaxed));
    }

    /// Whether the side to move gets at least `goal`. What it says once it is stopped means nothing.
    fn reaches(&mut self, position: &Position, goal: Outcome) -> bool {
        let shared = self.shared;
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) {
            self.poll();
        }
        if self.stopped || shared.game.outcome(position) == Some(Outcome::Loss) {
            return false;
        }
        let mut moves = MoveList::new();
        shared.game.moves(position, &mut moves);
        if position.in_hand() == 1 {
            return self.reaches_with_last_stone(position, &moves, goal);
        }
        let needed = opposite_goal(goal);
        let mut children: ArrayVec<Child, 512> = ArrayVec::new();
        for &mv in &moves {
            let after = shared.game.play(position, mv);
            let name = key(&after);
            match self.known(&after, name, needed) {
                Some(false) => return true,
                Some(true) => {}
                None => children.push(Child {
                    worth: self.worth(position, mv),
                    to: mv.to(),
                    key: name,
                    position: after,
                }),
            }
        }
        children.sort_unstable_by_key(|child| (std::cmp::Reverse(child.worth), child.key));
        self.try_all(position, &children, needed)
    }

    fn known(&mut self, position: &Position, key: Key, goal: Outcome) -> Option<bool> {
        match position.in_hand() {
            0 => Some(self.table_reaches(position, goal)),
            hands if hands < KEPT_HANDS => None,
            _ => self.shared.memory.get(key).reaches(goal),
        }
    }

    /// Tries children in order, at first those that no other thread is at.
    fn try_all(&mut self, position: &Position, children: &[Child], needed: Outcome) -> bool {
        let shared = self.shared;
        let hands = position.in_hand();
        let shares = !shared.busy.is_empty() && hands >= SHARED_HANDS && children.len() > 1;
        let side = usize::from(hands % 2);
        let mut put_off: ArrayVec<u16, 512> = ArrayVec::new();
        for (number, child) in children.iter().enumerate() {
            if shares && shared.busy(child.key).load(Relaxed) == child.key {
                put_off.push(number as u16);
                continue;
            }
            if self.refutes(child, needed, shares, side, hands) {
                return true;
            }
            if self.stopped {
                return false;
            }
        }
        for number in put_off {
            if self.refutes(&children[usize::from(number)], needed, false, side, hands) {
                return true;
            }
            if self.stopped {
                return false;
            }
        }
        false
    }

    /// Whether the opponent does not get what it needs after this move.
    fn refutes(&mut self, child: &Child, needed: Outcome, shares: bool, side: usize, hands: u8) -> bool {
        let shared = self.shared;
        let kept = hands > KEPT_HANDS;
        // Another way, or another thread, may have been here meanwhile.
        let before = if kept { shared.memory.get(child.key).reaches(needed) } else { None };
        let reached = match before {
            Some(known) => known,
            None => {
                if shares {
                    shared.busy(child.key).store(child.key, Relaxed);
                }
                let reached = self.reaches(&child.position, needed);
                if shares {
                    shared.busy(child.key).store(0, Relaxed);
                }
                if self.stopped {
                    return false;
                }
                if kept {
                    let bounds = shared.memory.get(child.key).with(needed, reached);
                    shared.memory.put(child.key, bounds);
                }
                reached
            }
        };
        if !reached {
            self.learn(side, child.to, hands);
        }
        !reached
    }

    fn learn(&mut self, side: usize, to: u8, hands: u8) {
        let entry = &mut self.history[side][usize::from(to)];
        *entry += u32::from(hands) * u32::from(hands);
        if *entry > 1 << 24 {
            self.history[side].iter_mut().for_each(|entry| *entry /= 2);
        }
    }

    /// What remains to be asked is in the tables.
    fn reaches_with_last_stone(
        &mut self,
        position: &Position,
        moves: &MoveList<Move>,
        goal: Outcome,
    ) -> bool {
        let needed = opposite_goal(goal);
        let takes = |mv: &&Move| mv.removed().next().is_some();
        let after = |mv: &Move| self.shared.game.play(position, *mv);
        let positions: ArrayVec<Position, 512> =
            moves.iter().filter(takes).chain(moves.iter().filter(|mv| !takes(mv))).map(after).collect();
        positions.iter().any(|after| !self.table_reaches(after, needed))
    }

    fn table_reaches(&mut self, position: &Position, goal: Outcome) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) {
            self.poll();
        }
        match self.shared.tables.probe(position) {
            Some(value) => value.outcome >= goal,
            None => {
                let mut unknown =
                    self.shared.unknown.lock().expect("no thread panics while it holds the lock");
                unknown.get_or_insert(*position);
                self.shared.done.store(true, Relaxed);
                self.stopped = true;
                true
            }
        }
    }

    /// How promising a move looks: what it threatens and prevents, then how free it leaves both sides, then how often
    /// its point was right.
    fn worth(&self, position: &Position, mv: Move) -> i32 {
        let side = usize::from(position.in_hand() % 2);
        let own = position.own() | 1 << mv.to();
        let other = position.other() & !mv.removed_set();
        let empty = points::ALL & !(own | other);
        let grid = self.shared.game.rules().grid;
        let freedom = |stones: Points| (grid.neighbours(stones) & empty).count_ones() as i32;
        let history = self.history[side];
        let most = history.iter().max().copied().unwrap_or(0).max(1);
        let share = (u64::from(history[usize::from(mv.to())]) * 64 / u64::from(most)) as i32;
        (self.shared.game.ordering_score(position, mv) << 10) + (freedom(own) - freedom(other)) * 32 + share
    }
}

/// A side gets at least a draw where its opponent does not win, and wins where its opponent does not draw.
fn opposite_goal(goal: Outcome) -> Outcome {
    if goal == Outcome::Win { Outcome::Draw } else { Outcome::Win }
}
