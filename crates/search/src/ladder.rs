//! The ladder (S2 chapter 2, S1, S5): one searcher whose techniques are switched on and off at run time.
//!
//! It serves to show what each technique gains. Every rung but quiescence and ProbCut returns exactly the value of plain
//! minimax at the same depth; the production search is [`crate::engine`]. The ladder knows no history.

mod endcut;
mod order;
mod quiescence;
mod rung;

pub use endcut::{Decided, EndCut, FoundOutcome};
pub use quiescence::Quiescing;
pub use rung::{Printed, Rung, Techniques};

use std::time::Instant;

use trilith_eval::{Evaluator, Value, WIN};
use trilith_games::{Game, MoveList};

use crate::analysis::{Analysis, Bound, LONGEST, Line, at_ply};
use crate::limits::Control;
use crate::ordering::{Countermoves, History};
use crate::probcut::{Cuts, WindowSide};
use crate::table::{TableEntry, TranspositionTable};

/// Larger than every value.
const INFINITE: Value = WIN + 1;

/// A search with some techniques switched on.
pub struct Ladder<'a, G: Game, E: Evaluator<G>> {
    game: &'a G,
    evaluator: &'a E,
    techniques: Techniques,
    table: Option<TranspositionTable>,
    countermoves: Countermoves<G::Move>,
    history: History,
    /// The best moves of the iterations so far at the root, the last one first (S2, 2.4).
    front: Vec<G::Move>,
    /// The values of all moves at the root in the iteration at hand, bounds among them.
    root_values: Vec<(Value, G::Move)>,
    nodes: u64,
    seldepth: u32,
    control: Option<&'a Control>,
    /// Nodes after which it is stopped.
    most: u64,
    cuts: Option<&'a Cuts>,
    stopped: bool,
}

/// The clock is looked at once in so many nodes.
const POLL: u64 = 256;

/// Where in the tree the search is.
struct Node<'n, G: Game, E: Evaluator<G>> {
    position: &'n G::Position,
    carry: &'n E::Carry,
    last: Option<G::Move>,
    ply: u32,
}

impl<'a, G: Game, E: Evaluator<G>> Ladder<'a, G, E> {
    /// A search that has not begun.
    pub fn new(game: &'a G, evaluator: &'a E, techniques: Techniques) -> Self {
        Ladder {
            game,
            evaluator,
            techniques,
            table: techniques.table.map(TranspositionTable::new),
            countermoves: Countermoves::default(),
            history: History::default(),
            front: Vec::new(),
            root_values: Vec::new(),
            nodes: 0,
            seldepth: 0,
            control: None,
            most: u64::MAX,
            cuts: None,
            stopped: false,
        }
    }

    /// From now on subtrees are left out that shallow searches say do not matter (S5's ProbCut); none searches them all.
    pub fn cut_by(&mut self, cuts: Option<&'a Cuts>) {
        self.cuts = cuts;
    }

    /// From now on the search can be stopped; what it says after that means nothing.
    pub fn obey(&mut self, control: &'a Control) {
        self.control = Some(control);
    }

    /// From now on the search stops by itself after so many nodes, those visited before among them.
    pub fn allow(&mut self, nodes: u64) {
        self.most = nodes;
    }

    /// Whether the search has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at the clock now and then; whether to go on.
    #[inline]
    fn goes_on(&mut self) -> bool {
        if let Some(control) = self.control.filter(|_| self.nodes.is_multiple_of(POLL)) {
            control.look_at_clock();
            self.stopped |= control.is_stopped();
        }
        self.stopped |= self.nodes >= self.most;
        !self.stopped
    }

    /// Searches `position` to `depth` plies.
    pub fn search(&mut self, position: &G::Position, depth: u32) -> Analysis<G::Move> {
        let start = Instant::now();
        (self.nodes, self.seldepth) = (0, 0);
        let answer = self.deepen(position, depth);
        self.analysis(answer, depth, start)
    }

    /// The value of `position` at `depth`, also where there is no move to search; nodes are added up.
    pub fn value(&mut self, position: &G::Position, depth: u32) -> Value {
        self.deepen(position, depth).0
    }

    /// Searches one ply, two plies and so on up to `deepest`, as long as `more` says before an iteration and until it is
    /// stopped; the first iteration is always finished, and the last finished one is the answer. Without deepening among
    /// the techniques an iteration learns nothing from the one before.
    pub fn search_while(
        &mut self,
        position: &G::Position,
        deepest: u32,
        mut more: impl FnMut(u32) -> bool,
    ) -> Analysis<G::Move> {
        let start = Instant::now();
        (self.nodes, self.seldepth) = (0, 0);
        self.front.clear();
        let (most, control) = (self.most, self.control.take());
        self.most = u64::MAX;
        let mut answer = self.deepen_by_one(position, 1, None);
        (self.most, self.control) = (most, control);
        let mut reached = 1;
        for depth in 2..=deepest {
            if !more(depth) {
                break;
            }
            let next = self.deepen_by_one(position, depth, self.techniques.deepening.then_some(answer.0));
            if self.stopped {
                break;
            }
            (answer, reached) = (next, depth);
        }
        self.analysis(answer, reached, start)
    }

    fn analysis(
        &self,
        (value, mv): (Value, Option<G::Move>),
        depth: u32,
        start: Instant,
    ) -> Analysis<G::Move> {
        let lines = mv.map(|mv| Line { value, bound: Bound::Exact, depth, moves: vec![mv] });
        Analysis {
            lines: lines.into_iter().collect(),
            unit: self.evaluator.unit(),
            depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            seconds: start.elapsed().as_secs_f64(),
            hash_permille: self.table.as_ref().map_or(0, TranspositionTable::permille),
        }
    }

    /// All iterations: the last value and its move.
    fn deepen(&mut self, position: &G::Position, depth: u32) -> (Value, Option<G::Move>) {
        let first = if self.techniques.deepening { 1.min(depth) } else { depth };
        let mut answer = (0, None);
        self.front.clear();
        for depth in first..=depth {
            answer = self.deepen_by_one(position, depth, (depth > first).then_some(answer.0));
        }
        answer
    }

    /// One iteration after another with the value `last`, whose order the next one has.
    fn deepen_by_one(
        &mut self,
        position: &G::Position,
        depth: u32,
        last: Option<Value>,
    ) -> (Value, Option<G::Move>) {
        let carry = self.evaluator.begin(self.game, position);
        let root = Node { position, carry: &carry, last: None, ply: 0 };
        let answer = self.iterate(&root, depth, last);
        if self.techniques.deepening {
            if self.techniques.printed.root_order {
                self.root_values.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
                self.front = self.root_values.iter().map(|&(_, mv)| mv).collect();
            }
            self.front.retain(|&mv| Some(mv) != answer.1);
            self.front.splice(0..0, answer.1);
        }
        answer
    }

    /// The plain minimax value: two functions in one, without any technique.
    pub fn minimax(&mut self, position: &G::Position, depth: u32) -> Value {
        (self.nodes, self.seldepth) = (0, 0);
        let carry = self.evaluator.begin(self.game, position);
        self.best_for(&Node { position, carry: &carry, last: None, ply: 0 }, depth, true)
    }

    /// Positions visited since the last [`Ladder::search`] began.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn best_for(&mut self, node: &Node<G, E>, depth: u32, maximise: bool) -> Value {
        self.nodes += 1;
        let sign = if maximise { 1 } else { -1 };
        if let Some(value) = self.ended(node) {
            return sign * value;
        }
        if depth == 0 {
            return sign * self.evaluator.value(self.game, node.position, node.carry);
        }
        let mut moves = MoveList::new();
        self.game.moves(node.position, &mut moves);
        let mut best = -sign * INFINITE;
        for &mv in &moves {
            let value =
                self.with_child(node, mv, |ladder, child| ladder.best_for(child, depth - 1, !maximise));
            best = if maximise { best.max(value) } else { best.min(value) };
        }
        best
    }

    /// One iteration: with an aspiration window if there is a value to aspire to, else with the full one.
    fn iterate(&mut self, root: &Node<G, E>, depth: u32, last: Option<Value>) -> (Value, Option<G::Move>) {
        if let (Some(radius), Some(last)) = (self.techniques.aspiration, last) {
            let (alpha, beta) = ((last - radius).max(-INFINITE), (last + radius).min(INFINITE));
            let answer = self.negamax(root, depth, alpha, beta);
            if alpha < answer.0 && answer.0 < beta {
                return answer;
            }
            if self.techniques.printed.half_open {
                // One step wider than printed, so that a value at the very end of the window is known exactly.
                return match answer.0 <= alpha {
                    true => self.negamax(root, depth, -INFINITE, alpha + 1),
                    false => self.negamax(root, depth, beta - 1, INFINITE),
                };
            }
        }
        self.negamax(root, depth, -INFINITE, INFINITE)
    }

    /// The value inside the window, a bound outside it (fail-soft), and the move that gives it.
    fn negamax(
        &mut self,
        node: &Node<G, E>,
        depth: u32,
        mut alpha: Value,
        mut beta: Value,
    ) -> (Value, Option<G::Move>) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(node.ply);
        if let Some(value) = self.ended(node) {
            return (value, None);
        }
        if !self.goes_on() {
            return (0, None);
        }
        if depth == 0 {
            return (self.leaf(node, alpha, beta), None);
        }
        let mut moves = MoveList::new();
        self.game.moves(node.position, &mut moves);
        let key = self.game.key(node.position);
        let known = self.table.as_ref().and_then(|table| table.probe(key));
        let known_best = known.and_then(|entry| self.known_move(node, &moves, entry));
        if let Some(entry) = known.filter(|entry| u32::from(entry.depth) == depth) {
            let value = from_here(entry.value, node.ply);
            match entry.bound {
                Bound::Exact => return (value, known_best),
                Bound::Lower => alpha = alpha.max(value),
                Bound::Upper => beta = beta.min(value),
            }
            if alpha >= beta {
                return (value, known_best);
            }
        }
        if let Some(value) = self.prob_cut(node, depth, alpha, beta) {
            return (value, known_best);
        }
        let first = known_best.filter(|_| !self.techniques.printed.plain_table);
        self.order(node, &mut moves, first, depth);
        let (best, mv) = self.try_all(node, &moves, depth, alpha, beta);
        if let Some(table) = self.table.as_ref().filter(|_| !self.stopped) {
            let bound = match best {
                _ if best <= alpha => Bound::Upper,
                _ if best >= beta => Bound::Lower,
                _ => Bound::Exact,
            };
            let best_move = mv.map(|mv| self.game.action_number(mv) as u16);
            let value = from_root(best, node.ply);
            table.store(key, TableEntry { value, depth: depth.min(255) as u8, bound, best: best_move });
        }
        (best, mv)
    }

    /// The best move of an entry, unless that is of another position with the same key.
    fn known_move(&self, node: &Node<G, E>, moves: &[G::Move], entry: TableEntry) -> Option<G::Move> {
        let mv = self.game.numbered_move(node.position, entry.best?.into())?;
        moves.contains(&mv).then_some(mv)
    }

    /// The end of the window that a search to `depth` would very likely reach (S5, figure 4.2).
    fn prob_cut(&mut self, node: &Node<G, E>, depth: u32, alpha: Value, beta: Value) -> Option<Value> {
        let tests = self.cuts.filter(|_| !self.techniques.full_width)?.tests(depth);
        let phase = self.game.phase(node.position);
        for test in tests {
            if let Some(bound) = test.bound(phase, WindowSide::High, beta)
                && self.negamax(node, test.shallow, bound - 1, bound).0 >= bound
            {
                return Some(beta);
            }
            if let Some(bound) = test.bound(phase, WindowSide::Low, alpha)
                && self.negamax(node, test.shallow, bound, bound + 1).0 <= bound
            {
                return Some(alpha);
            }
        }
        None
    }

    fn try_all(
        &mut self,
        node: &Node<G, E>,
        moves: &[G::Move],
        depth: u32,
        mut alpha: Value,
        beta: Value,
    ) -> (Value, Option<G::Move>) {
        let side = (node.ply % 2) as usize;
        let mut best = (-INFINITE, None);
        if node.ply == 0 {
            self.root_values.clear();
        }
        for (number, &mv) in moves.iter().enumerate() {
            let (low, high) = if self.techniques.full_width { (-INFINITE, INFINITE) } else { (alpha, beta) };
            let value = self.with_child(node, mv, |ladder, child| {
                if number > 0 && ladder.techniques.minimal_window && high - low > 1 {
                    let test = -ladder.negamax(child, depth - 1, -low - 1, -low).0;
                    if test <= low || test >= high {
                        return test;
                    }
                }
                -ladder.negamax(child, depth - 1, -high, -low).0
            });
            if self.stopped {
                break;
            }
            if node.ply == 0 {
                self.root_values.push((value, mv));
            }
            if value > best.0 {
                best = (value, Some(mv));
                alpha = alpha.max(value);
            }
            if alpha >= beta && !self.techniques.full_width {
                self.learn(node, side, moves, number, depth);
                break;
            }
        }
        best
    }

    /// The value of a position for the side that has just moved, without search.
    fn static_value(&mut self, node: &Node<G, E>) -> Value {
        self.nodes += 1;
        -self.ended(node).unwrap_or_else(|| self.evaluator.value(self.game, node.position, node.carry))
    }

    fn ended(&self, node: &Node<G, E>) -> Option<Value> {
        let outcome = self.game.outcome(node.position)?;
        Some(at_ply(self.evaluator.ended(self.game, node.position, outcome), node.ply))
    }

    fn with_child<T>(
        &mut self,
        node: &Node<G, E>,
        mv: G::Move,
        visit: impl FnOnce(&mut Self, &Node<G, E>) -> T,
    ) -> T {
        let after = self.game.play(node.position, mv);
        let carry = self.evaluator.advance(self.game, node.carry, node.position, mv, &after);
        visit(self, &Node { position: &after, carry: &carry, last: Some(mv), ply: node.ply + 1 })
    }
}

/// A value counted from the root as one counted from a node `ply` below it.
#[inline]
pub(crate) fn from_root(value: Value, ply: u32) -> Value {
    match value {
        _ if value > WIN - LONGEST => value + ply as Value,
        _ if value < LONGEST - WIN => value - ply as Value,
        _ => value,
    }
}

/// A value counted from a node `ply` below the root as one counted from the root.
#[inline]
pub(crate) fn from_here(value: Value, ply: u32) -> Value {
    match value {
        _ if value > WIN - LONGEST => value - ply as Value,
        _ if value < LONGEST - WIN => value + ply as Value,
        _ => value,
    }
}
