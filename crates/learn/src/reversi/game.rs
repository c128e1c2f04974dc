//! One game to learn from, played by a learning player against itself or somebody else.

use serde::{Deserialize, Serialize};
use trilith_arena::player::{self, Turn};
use trilith_arena::{GameKit, PlayerError, PlayerSpec};
use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_eval::value_table::Remember;
use trilith_games::{Colour, Game, MoveList, Record, playout};
use trilith_search::{Control, Limits};

use super::policy::{self, Policy};
use crate::run::RunError;

/// What after-positions are worth.
pub trait AfterstateValues<G: Game> {
    /// Puts the points that the side not to move will get from each position into the emptied list, none where unknown.
    fn values(&mut self, game: &G, afters: &[G::Position], into: &mut Vec<Option<f32>>);
}

/// Whose after-positions are learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colours {
    /// Both sides'.
    Both,
    /// Black's alone.
    Black,
    /// White's alone.
    White,
}

impl Colours {
    /// Whether positions that `side` has led to are learned from.
    pub fn has(self, side: Colour) -> bool {
        match self {
            Colours::Both => true,
            Colours::Black => side == Colour::Black,
            Colours::White => side == Colour::White,
        }
    }
}

/// Who plays the other side.
#[derive(Clone, Debug)]
pub enum ReversiOpponent {
    /// The learning player too.
    Itself,
    /// Any legal move.
    Random,
    /// A player of the arena.
    Player(PlayerSpec),
}

impl ReversiOpponent {
    /// `self`, `random` or the spec of a player, checked.
    pub fn parse<G: Game, C: GameKit<G>>(text: &str) -> Result<ReversiOpponent, RunError> {
        match text {
            "self" => Ok(ReversiOpponent::Itself),
            "random" => Ok(ReversiOpponent::Random),
            text => {
                let spec: PlayerSpec = text.parse().map_err(PlayerError::Spec)?;
                player::player::<G, C>(&spec, Seed(1))?;
                Ok(ReversiOpponent::Player(spec))
            }
        }
    }
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Manner {
    /// How the learning player chooses.
    pub policy: Policy,
    /// Chance of any move, for [`Policy::Epsilon`].
    pub epsilon: f64,
    /// What unknown positions are taken to be worth.
    pub unknown: f32,
    /// Who plays the other side.
    pub opponent: ReversiOpponent,
    /// Drawn after so many plies.
    pub plies: usize,
}

/// Lists that are used again from ply to ply.
pub struct Lists<G: Game> {
    moves: MoveList<G::Move>,
    afters: Vec<G::Position>,
    values: Vec<Option<f32>>,
}

impl<G: Game> Default for Lists<G> {
    fn default() -> Lists<G> {
        Lists { moves: MoveList::new(), afters: Vec::new(), values: Vec::new() }
    }
}

impl Manner {
    /// Plays a game; all draws come from `seed`. The learning player has `side` unless it plays both.
    pub fn play<G: Game, C: GameKit<G>>(
        &self,
        game: &G,
        source: &mut impl AfterstateValues<G>,
        side: Colour,
        seed: Seed,
        lists: &mut Lists<G>,
    ) -> Result<Record<G>, RunError> {
        let mut rng = seed.rng();
        let mut record = Record::new(game.clone());
        let mut other = match &self.opponent {
            ReversiOpponent::Player(spec) => Some(player::player::<G, C>(spec, seed.derive("opponent", 0))?),
            ReversiOpponent::Itself | ReversiOpponent::Random => None,
        };
        let control = Control::default();
        while record.end().is_none() && record.len() < self.plies {
            let is_own = game.to_move(record.position()) == side;
            let mv = match (&self.opponent, &mut other) {
                (ReversiOpponent::Random, _) if !is_own => {
                    playout::random_move(game, record.position(), &mut rng).expect("the game goes on")
                }
                (ReversiOpponent::Player(spec), Some(player)) if !is_own => {
                    let turn = Turn { control: &control, limits: Limits::default() };
                    let decision = player.choose(&record, turn, &mut |_| ());
                    decision.map_err(|fault| RunError::Learner(format!("opponent {spec}: {fault}")))?.mv
                }
                _ => self.choose(game, record.position(), source, &mut rng, lists),
            };
            record.push_legal(mv);
        }
        Ok(record)
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        source: &mut impl AfterstateValues<G>,
        rng: &mut Rng,
        lists: &mut Lists<G>,
    ) -> G::Move {
        let Lists { moves, afters, values } = lists;
        game.moves(position, moves);
        if moves.len() == 1 {
            return moves[0];
        }
        // Nobody need be asked for values that do not matter.
        if self.policy == Policy::EpsilonLast {
            return moves[policy::last(self.epsilon, moves.len(), rng)];
        }
        afters.clear();
        afters.extend(moves.iter().map(|&mv| game.play(position, mv)));
        values.clear();
        source.values(game, afters, values);
        moves[policy::choose(self.policy, self.epsilon, values, self.unknown, rng)]
    }
}

/// Calls `visit` with each after-position that one of `colours` has led to, and the points that this side has got.
pub fn each_after<G: Remember>(
    record: &Record<G>,
    colours: Colours,
    mut visit: impl FnMut(&G::Position, u64),
) {
    let (game, last) = (record.game(), record.position());
    // Only the rules of the position give points; a game cut short or repeated is a draw.
    let of_last = match game.outcome(last) {
        Some(_) => game.points(last),
        None => G::POINTS / 2,
    };
    for plies in 1..=record.len() {
        let after = record.position_after(plies).expect("within the game");
        let side = !game.to_move(after);
        if colours.has(side) {
            let is_last = side == game.to_move(last);
            visit(after, if is_last { of_last } else { G::POINTS - of_last });
        }
    }
}

/// The position after the pass that ends a game before the board is full, and the points of the side that passes.
pub fn passed<G: Remember>(record: &Record<G>, colours: Colours) -> Option<(G::Position, u64)> {
    let (game, last) = (record.game(), record.position());
    game.outcome(last)?;
    let after = game.after_last_pass(last)?;
    colours.has(game.to_move(last)).then(|| (after, game.points(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::othello::Othello;
    use trilith_games::playout;

    /// S3's program plays the pass of the side that cannot move before it sees that the other one cannot either.
    #[test]
    fn a_game_that_ends_early_has_one_position_more() {
        let (mut early, mut full) = (0, 0);
        for number in 0..400 {
            let mut record = Record::new(Othello::default());
            playout::play_on(&mut record, 200, &mut Seed(number).rng());
            let last = *record.position();
            match passed(&record, Colours::Both) {
                None => {
                    assert_eq!(last.empties(), 0);
                    full += 1;
                }
                Some((after, points)) => {
                    assert!(last.empties() != 0 && (after.own, after.other) == (last.other, last.own));
                    assert_eq!(points, record.game().points(&last));
                    let other = if last.to_move == Colour::Black { Colours::White } else { Colours::Black };
                    assert_eq!(passed(&record, other), None, "the other side does not pass");
                    early += 1;
                }
            }
        }
        assert!(early > 0 && full > early, "{early} {full}");
    }
}
