//! Whether a side can force a gain within some plies: every reply is tried, nothing is estimated.

use trilith_games::{Game, MoveList, Noise, Outcome};

/// Proves gains in one game; remembers which reply refuted the last attempt, to try it first.
pub struct GainProof<'a, G: Game> {
    game: &'a G,
    /// By plies left.
    refutations: Vec<Option<G::Move>>,
}

impl<'a, G: Game> GainProof<'a, G> {
    /// For proofs of at most so many plies.
    pub fn new(game: &'a G, plies: u32) -> GainProof<'a, G> {
        GainProof { game, refutations: vec![None; plies as usize + 1] }
    }

    /// The moves after which the side to move is ahead by one more of what the game counts within `plies` plies, whatever
    /// the other side does; a won game is a gain too. `plies` is odd.
    pub fn moves(&mut self, position: &G::Position, plies: u32) -> Vec<G::Move> {
        let target = self.game.margin(position) + 1;
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        moves.into_iter().filter(|&mv| self.holds_after(position, mv, target, plies)).collect()
    }

    /// Whether `mv` reaches the target within `plies`, itself counted.
    fn holds_after(&mut self, position: &G::Position, mv: G::Move, target: i32, plies: u32) -> bool {
        let after = self.game.play(position, mv);
        match self.game.outcome(&after) {
            Some(outcome) => return outcome == Outcome::Loss,
            None if -self.game.margin(&after) >= target => return true,
            None if plies < 3 => return false,
            None => {}
        }
        let mut replies = MoveList::new();
        self.game.moves(&after, &mut replies);
        let last = self.refutations[plies as usize];
        if let Some(place) = replies.iter().position(|&reply| Some(reply) == last) {
            replies.swap(0, place);
        }
        for &reply in &replies {
            if !self.reaches(&self.game.play(&after, reply), target, plies - 2) {
                self.refutations[plies as usize] = Some(reply);
                return false;
            }
        }
        true
    }

    /// Whether the side to move can reach the target within `plies`.
    fn reaches(&mut self, position: &G::Position, target: i32, plies: u32) -> bool {
        if self.game.outcome(position).is_some() {
            return self.game.outcome(position) == Some(Outcome::Win);
        }
        let mut moves = MoveList::new();
        if plies < 3 {
            // Only moves that take something change what is counted.
            self.game.noisy_moves(position, Noise::Captures, &mut moves);
        } else {
            self.game.moves(position, &mut moves);
            moves.sort_by_cached_key(|&mv| -self.game.ordering_score(position, mv));
        }
        moves.iter().any(|&mv| self.holds_after(position, mv, target, plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::abalone::Abalone;
    use trilith_games::{Record, playout};

    /// The definition, without order, memory or the shortcut at the last ply.
    fn plainly(game: &Abalone, position: &<Abalone as Game>::Position, target: i32, plies: u32) -> usize {
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        let good = |&&mv: &&<Abalone as Game>::Move| {
            let after = game.play(position, mv);
            if game.outcome(&after).is_some() || -game.margin(&after) >= target {
                return game.outcome(&after).is_none_or(|outcome| outcome == Outcome::Loss);
            }
            let mut replies = MoveList::new();
            game.moves(&after, &mut replies);
            plies >= 3
                && replies.iter().all(|&reply| {
                    let next = game.play(&after, reply);
                    match game.outcome(&next) {
                        Some(outcome) => outcome == Outcome::Win,
                        None => plainly(game, &next, target, plies - 2) > 0,
                    }
                })
        };
        moves.iter().filter(good).count()
    }

    #[test]
    fn the_quick_proof_says_what_the_plain_one_says() {
        let game = Abalone::new("belgian-daisy".parse().unwrap());
        let mut found = [0; 2];
        for number in 0..60 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 30, &mut Seed(3).derive("game", number).rng());
            let position = *record.position();
            for (place, plies) in [(0, 1), (1, 3)] {
                let quick = GainProof::new(&game, plies).moves(&position, plies).len();
                let plain = plainly(&game, &position, game.margin(&position) + 1, plies);
                assert_eq!(quick, plain, "{}", game.diagram(&position));
                found[place] += quick;
            }
        }
        assert!(found[0] > 0 && found[1] > found[0], "{found:?}");
    }
}
