//! What is known for certain: by the rules, their history included, by the oracle, and by proof from the moves below.

use trilith_eval::Oracle;
use trilith_games::{Game, Outcome};

use super::{Edge, NONE, Path, ROOT, Status, Tree, worth};

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProvedOutcome {
    pub outcome: Outcome,
    /// To the end, if the winner hurries and the loser delays; [`FAR`] where only the outcome is known.
    pub plies: u32,
}

/// More plies than any game has.
const FAR: u32 = 1 << 20;

/// How many plies ahead an oracle may think that it saves: the tree would look far.
const DEPTH: u32 = 64;

impl ProvedOutcome {
    const DRAW: ProvedOutcome = ProvedOutcome { outcome: Outcome::Draw, plies: FAR };

    /// The same seen by the side that moves there, one ply before.
    fn before(self) -> ProvedOutcome {
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        ProvedOutcome { outcome, plies: (self.plies + 1).min(FAR) }
    }

    /// Greater is better: quick wins before slow ones, slow losses before quick ones.
    pub fn merit(self) -> (Outcome, i64) {
        let plies = i64::from(self.plies);
        (self.outcome, if self.outcome == Outcome::Win { -plies } else { plies })
    }
}

impl<G: Game> Tree<G> {
    /// What is known of the position an edge leads to, for the side that makes the move.
    pub(super) fn known(&self, edge: &Edge<G::Move>) -> Option<ProvedOutcome> {
        match edge.child {
            NONE => None,
            child => match self.nodes[child as usize].status {
                Status::Known(certain) => Some(certain.before()),
                _ => None,
            },
        }
    }

    /// What is known of a new leaf: by the rules, its history included, or by the oracle.
    pub(super) fn exact(&self, game: &G, oracle: &dyn Oracle<G>, path: &Path) -> Option<ProvedOutcome> {
        // The root is asked about all the same: a move is wanted, not only a value.
        if path.edges.is_empty() {
            return None;
        }
        let position = &self.nodes[*path.nodes.last()? as usize].position;
        let by_rule = game.outcome(position).map(|outcome| ProvedOutcome { outcome, plies: 0 });
        let by_oracle = || {
            let known = oracle.probe(game, position, DEPTH)?;
            Some(ProvedOutcome { outcome: known.outcome, plies: known.plies.unwrap_or(FAR).min(FAR) })
        };
        by_rule.or_else(|| self.is_drawn(game, path).then_some(ProvedOutcome::DRAW)).or_else(by_oracle)
    }

    /// Whether the leaf ends the game by repetition or length.
    fn is_drawn(&self, game: &G, path: &Path) -> bool {
        let history = game.history();
        let plies = self.plies + path.edges.len();
        let is_long = history.plies > 0 && plies >= history.plies as usize;
        is_long || history.repetition > 0 && self.stood(path) >= history.repetition.max(2) as usize
    }

    /// How often the position of the leaf has stood, this time included.
    fn stood(&self, path: &Path) -> usize {
        let (&leaf, before) = path.nodes.split_last().expect("a path has the root");
        let leaf = &self.nodes[leaf as usize];
        if leaf.is_new {
            return 1;
        }
        let mut stood = 1;
        for &node in before.iter().rev() {
            let node = &self.nodes[node as usize];
            stood += usize::from(node.key == leaf.key);
            if node.is_new {
                return stood;
            }
        }
        stood + self.past.iter().filter(|&&key| key == leaf.key).count()
    }

    /// Asks about all moves of the root, so that the shortest way to win is among those that are known: else a won game
    /// might go on without end.
    pub(super) fn prove_root(&mut self, game: &G, oracle: &dyn Oracle<G>) {
        self.is_probed = true;
        let before = self.nodes[ROOT].position;
        let mut path = self.begin_path();
        for at in self.edge_range(ROOT) {
            if self.edges[at].child != NONE {
                continue;
            }
            let mv = self.edges[at].mv;
            let child = self.add(game, game.play(&before, mv), game.is_irreversible(&before, mv));
            path.edges.splice(.., [at as u32]);
            path.nodes.splice(1.., [child]);
            match self.exact(game, oracle, &path) {
                Some(certain) => {
                    self.nodes[child as usize].status = Status::Known(certain);
                    self.edges[at].child = child;
                }
                None => drop(self.nodes.pop()),
            }
        }
        self.spare.push(path);
        if let Some(certain) = self.proof(ROOT) {
            self.nodes[ROOT].status = Status::Known(certain);
        }
    }

    /// A visit to a leaf whose outcome is known, and what that proves of the nodes above it.
    pub(super) fn settle(&mut self, path: Path, certain: ProvedOutcome) {
        let leaf = *path.nodes.last().expect("a path has the root") as usize;
        self.nodes[leaf].status = Status::Known(certain);
        self.back_up(&path, worth(certain.outcome));
        for &node in path.nodes.iter().rev().skip(1) {
            match self.proof(node as usize) {
                Some(certain) => self.nodes[node as usize].status = Status::Known(certain),
                None => break,
            }
        }
        self.spare.push(path);
    }

    /// What the moves of a node prove: a win by one of them, else the best of all if all are known.
    fn proof(&self, node: usize) -> Option<ProvedOutcome> {
        let edges = self.edges_of(node);
        let known = || edges.iter().filter_map(|edge| self.known(edge));
        let best = known().max_by_key(|certain| certain.merit())?;
        (best.outcome == Outcome::Win || known().count() == edges.len()).then_some(best)
    }
}
