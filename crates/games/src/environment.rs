//! Many games side by side, as learning programs want them: action numbers in, observations, masks and rewards out.
//!
//! An [`Environment`] decides every ending as [`Record`](crate::Record) does, and a board whose game has ended begins
//! anew at once. It keeps no positions of the past, only their keys since the last irreversible move and the action
//! numbers played, so that its state is small, exact, and can be saved.

use std::thread;

use trilith_base::{Seed, seed};

use crate::game::{Game, MoveList, Outcome};

/// An action that cannot be played; no board has been touched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// Not one of the board's legal moves.
    #[error("board {board}, ply {ply}: action {action} is not legal; legal: {legal}")]
    Illegal {
        /// From 0.
        board: usize,
        /// Plies played on it.
        ply: usize,
        /// As given.
        action: i64,
        /// Some of the legal ones.
        legal: String,
    },
    /// One action a board is expected.
    #[error("{given} actions for {boards} boards")]
    Count {
        /// How many were given.
        given: usize,
        /// How many boards there are.
        boards: usize,
    },
}

/// The buffers that a step fills, of all boards one after the other. Lengths must be multiples of the boards'.
pub struct Views<'a> {
    /// What the sides to move see; `OBSERVATION` bytes a board.
    pub observations: &'a mut [u8],
    /// What the side to move in an ended game saw; written only for boards whose game has ended.
    pub finals: &'a mut [u8],
    /// Whether each of `ACTIONS` actions is legal.
    pub masks: &'a mut [bool],
    /// 1, 0 or -1 for the side that moved.
    pub rewards: &'a mut [f32],
    /// Whether the game ended by its position or by repetition.
    pub terminated: &'a mut [bool],
    /// Whether the rules' ply limit ended it.
    pub truncated: &'a mut [bool],
    /// 0 where the side that began is to move, else 1.
    pub to_play: &'a mut [i8],
    /// Of a game that has just ended: 1 if the side that began won, -1 if the other did, else 0.
    pub results: &'a mut [i8],
    /// Plies played in the game that goes on.
    pub plies: &'a mut [i32],
}

/// How a game on a board has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndCause {
    /// By the position.
    Decided(Outcome),
    Repetition,
    PlyLimit,
}

/// One game.
#[derive(Clone)]
struct Seat<G: Game> {
    position: G::Position,
    /// Numbers of the legal moves; never empty.
    legal: Vec<u16>,
    /// Numbers of the moves played.
    played: Vec<u16>,
    /// Of the positions since the last irreversible move, the one now included.
    keys: Vec<u64>,
}

/// Games of one kind and rule set, all from the usual start.
#[derive(Clone)]
pub struct Environment<G: Game> {
    game: G,
    fresh: Seat<G>,
    seats: Vec<Seat<G>>,
    seed: Seed,
    /// Random actions drawn so far, for each board.
    draws: u64,
}

impl<G: Game> Environment<G> {
    /// `boards` games at their start; random actions come from `seed`.
    pub fn new(game: G, boards: usize, seed: Seed) -> Environment<G> {
        const { assert!(G::ACTIONS <= 1 << 16, "action numbers are kept in two bytes") };
        let position = game.start();
        let mut fresh =
            Seat { position, legal: Vec::new(), played: Vec::new(), keys: vec![game.key(&position)] };
        fresh.list(&game);
        let seats = vec![fresh.clone(); boards];
        Environment { game, fresh, seats, seed, draws: 0 }
    }

    /// The rules all games are played by.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many boards there are.
    pub fn boards(&self) -> usize {
        self.seats.len()
    }

    /// The position on a board.
    pub fn position(&self, board: usize) -> &G::Position {
        &self.seats[board].position
    }

    /// The action numbers played on a board since its game began.
    pub fn played(&self, board: usize) -> &[u16] {
        &self.seats[board].played
    }

    /// The legal action numbers of a board.
    pub fn legal(&self, board: usize) -> &[u16] {
        &self.seats[board].legal
    }

    /// Begins all games anew and fills all views but `finals`.
    pub fn reset(&mut self, views: &mut Views<'_>) {
        self.seats.iter_mut().for_each(|seat| seat.restart(&self.fresh));
        self.show(views);
    }

    /// Fills all views but `finals` with how the games stand.
    pub fn show(&self, views: &mut Views<'_>) {
        views.masks.fill(false);
        views.results.fill(0);
        views.rewards.fill(0.0);
        views.terminated.fill(false);
        views.truncated.fill(false);
        for (seat, mut view) in self.seats.iter().zip(views.parts::<G>(1)) {
            seat.show(&self.game, &self.fresh, &mut view);
        }
    }

    /// Plays an action on every board, on so many threads. Nothing is played if one of them is not legal.
    pub fn step<A: Copy + Into<i64> + Sync>(
        &mut self,
        actions: &[A],
        views: &mut Views<'_>,
        threads: usize,
    ) -> Result<(), ActionError> {
        self.check(actions)?;
        let share = self.seats.len().div_ceil(threads.max(1)).max(1);
        let (game, fresh) = (&self.game, &self.fresh);
        let work = |seats: &mut [Seat<G>], actions: &[A], mut views: Views<'_>| {
            for ((seat, &action), mut view) in seats.iter_mut().zip(actions).zip(views.parts::<G>(1)) {
                seat.step(game, fresh, action.into() as usize, &mut view);
            }
        };
        if share >= self.seats.len() {
            work(&mut self.seats, actions, views.reborrow());
            return Ok(());
        }
        let parts = self.seats.chunks_mut(share).zip(actions.chunks(share)).zip(views.parts::<G>(share));
        thread::scope(|scope| {
            for ((seats, actions), views) in parts {
                scope.spawn(move || work(seats, actions, views));
            }
        });
        Ok(())
    }

    fn check<A: Copy + Into<i64>>(&self, actions: &[A]) -> Result<(), ActionError> {
        if actions.len() != self.seats.len() {
            return Err(ActionError::Count { given: actions.len(), boards: self.seats.len() });
        }
        for (board, (seat, &action)) in self.seats.iter().zip(actions).enumerate() {
            let action = action.into();
            let number = u16::try_from(action).ok();
            if !number.is_some_and(|number| seat.legal.contains(&number)) {
                return Err(seat.illegal(board, action));
            }
        }
        Ok(())
    }

    /// A legal action for every board, each as likely as the others of that board.
    pub fn sample(&mut self, into: &mut [i32]) {
        self.draws += 1;
        let turn = seed::mix(self.seed.0 ^ self.draws.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for ((seat, action), board) in self.seats.iter().zip(into).zip(0_u64..) {
            let draw = seed::mix(turn ^ board.wrapping_mul(0xe703_7ed1_a0b4_28db));
            let at = (u128::from(draw) * seat.legal.len() as u128) >> 64;
            *action = seat.legal[at as usize].into();
        }
    }

    /// The numbers of all boards' legal moves one after the other, and how many each board has.
    pub fn legal_ids(&self, ids: &mut Vec<i32>, counts: &mut [i32]) {
        ids.clear();
        for (seat, count) in self.seats.iter().zip(counts) {
            ids.extend(seat.legal.iter().map(|&number| i32::from(number)));
            *count = seat.legal.len() as i32;
        }
    }

    /// All that [`Environment::load`] needs: the draws, then for every board its plies and their numbers.
    pub fn save(&self) -> Vec<u32> {
        let mut state = vec![self.draws as u32, (self.draws >> 32) as u32];
        for seat in &self.seats {
            state.push(seat.played.len() as u32);
            state.extend(seat.played.iter().map(|&number| u32::from(number)));
        }
        state
    }

    /// Puts every board where it was when `state` was saved; everything is replayed and checked, and nothing changes if
    /// it does not fit.
    pub fn load(&mut self, state: &[u32]) -> Result<(), StateError> {
        let (&[low, high], mut rest) = state.split_first_chunk::<2>().ok_or(StateError::Short)?;
        let mut seats = Vec::with_capacity(self.seats.len());
        for board in 0..self.seats.len() {
            let (&plies, moves) = rest.split_first().ok_or(StateError::Short)?;
            let (moves, others) = moves.split_at_checked(plies as usize).ok_or(StateError::Short)?;
            let mut seat = self.fresh.clone();
            for &number in moves {
                let is_legal = u16::try_from(number).is_ok_and(|number| seat.legal.contains(&number));
                let has_ended = !is_legal || seat.play(&self.game, number as usize).is_some();
                if has_ended {
                    return Err(StateError::Move { board, ply: seat.played.len(), number });
                }
            }
            seats.push(seat);
            rest = others;
        }
        if !rest.is_empty() {
            return Err(StateError::Long);
        }
        (self.seats, self.draws) = (seats, u64::from(low) | u64::from(high) << 32);
        Ok(())
    }
}

/// A saved state that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// It ends before the last board.
    #[error("the state ends early: it was saved from fewer boards, or is cut off")]
    Short,
    /// It goes on after the last board.
    #[error("the state is of more boards")]
    Long,
    /// It has a move that cannot be played.
    #[error("board {board}, ply {ply}: action {number} of the state cannot be played and gone on from")]
    Move {
        /// From 0.
        board: usize,
        /// From 0.
        ply: usize,
        /// The action number.
        number: u32,
    },
}

impl<G: Game> Seat<G> {
    /// Lists the legal moves; false if there is none.
    #[inline]
    fn list(&mut self, game: &G) -> bool {
        let mut moves = MoveList::new();
        game.moves(&self.position, &mut moves);
        self.legal.clear();
        self.legal.extend(moves.iter().map(|&mv| game.action_number(mv) as u16));
        !moves.is_empty()
    }

    /// Plays a legal action. After an ending the list of legal moves may be empty or not.
    #[inline]
    fn play(&mut self, game: &G, number: usize) -> Option<EndCause> {
        let mv = game.numbered_move(&self.position, number).expect("legal numbers stand for moves");
        let history = game.history();
        let after = game.play(&self.position, mv);
        self.played.push(number as u16);
        let mut stood = 0;
        if history.repetition > 0 {
            if game.is_irreversible(&self.position, mv) {
                self.keys.clear();
            }
            let key = game.key(&after);
            stood = 1 + self.keys.iter().filter(|&&known| known == key).count();
            self.keys.push(key);
        }
        self.position = after;
        if !self.list(game) {
            let outcome = game.outcome(&after).expect("a position without moves has ended");
            return Some(EndCause::Decided(outcome));
        }
        let is_repeated = history.repetition > 0 && stood >= history.repetition.max(2) as usize;
        let is_long = history.plies > 0 && self.played.len() >= history.plies as usize;
        match (is_repeated, is_long) {
            (true, _) => Some(EndCause::Repetition),
            (_, true) => Some(EndCause::PlyLimit),
            _ => None,
        }
    }

    fn step(&mut self, game: &G, fresh: &Seat<G>, number: usize, view: &mut Views<'_>) {
        for &number in &self.legal {
            view.masks[usize::from(number)] = false;
        }
        let mover = game.to_move(&self.position);
        let ending = self.play(game, number);
        view.end(ending, mover == game.to_move(&fresh.position));
        if ending.is_some() {
            game.observe(&self.position, view.finals);
            self.restart(fresh);
        }
        self.show(game, fresh, view);
    }

    /// Begins anew without letting go of memory.
    fn restart(&mut self, fresh: &Seat<G>) {
        self.position = fresh.position;
        self.legal.clone_from(&fresh.legal);
        self.played.clear();
        self.keys.clone_from(&fresh.keys);
    }

    /// Writes how the board stands. Trusts that its mask is empty.
    #[inline]
    fn show(&self, game: &G, fresh: &Seat<G>, view: &mut Views<'_>) {
        game.observe(&self.position, view.observations);
        for &number in &self.legal {
            view.masks[usize::from(number)] = true;
        }
        view.to_play[0] = i8::from(game.to_move(&self.position) != game.to_move(&fresh.position));
        view.plies[0] = self.played.len() as i32;
    }

    #[cold]
    fn illegal(&self, board: usize, action: i64) -> ActionError {
        const SHOWN: usize = 12;
        let shown: Vec<_> = self.legal.iter().take(SHOWN).map(u16::to_string).collect();
        let more = self.legal.len().saturating_sub(SHOWN);
        let legal = shown.join(" ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
        ActionError::Illegal { board, ply: self.played.len(), action, legal }
    }
}

impl<'v> Views<'v> {
    /// Says of the one board of these views how its game has ended for the side that moved.
    #[inline]
    fn end(&mut self, ending: Option<EndCause>, is_first: bool) {
        // The outcome is for the side to move, the reward for the one that moved.
        let reward = match ending {
            Some(EndCause::Decided(Outcome::Loss)) => 1,
            Some(EndCause::Decided(Outcome::Win)) => -1,
            _ => 0,
        };
        self.rewards[0] = f32::from(reward);
        self.results[0] = if is_first { reward } else { -reward };
        self.truncated[0] = ending == Some(EndCause::PlyLimit);
        self.terminated[0] = ending.is_some() && !self.truncated[0];
    }

    fn reborrow(&mut self) -> Views<'_> {
        Views {
            observations: self.observations,
            finals: self.finals,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            to_play: self.to_play,
            results: self.results,
            plies: self.plies,
        }
    }

    /// The views of `share` boards each.
    fn parts<'a, G: Game>(&'a mut self, share: usize) -> impl Iterator<Item = Views<'a>> + use<'a, 'v, G> {
        let size = G::OBSERVATION.iter().product::<usize>();
        let mut observations = self.observations.chunks_mut(size * share);
        let mut finals = self.finals.chunks_mut(size * share);
        let mut masks = self.masks.chunks_mut(G::ACTIONS * share);
        let mut rewards = self.rewards.chunks_mut(share);
        let mut terminated = self.terminated.chunks_mut(share);
        let mut truncated = self.truncated.chunks_mut(share);
        let mut to_play = self.to_play.chunks_mut(share);
        let mut results = self.results.chunks_mut(share);
        let mut plies = self.plies.chunks_mut(share);
        std::iter::from_fn(move || {
            Some(Views {
                observations: observations.next()?,
                finals: finals.next()?,
                masks: masks.next()?,
                rewards: rewards.next()?,
                terminated: terminated.next()?,
                truncated: truncated.next()?,
                to_play: to_play.next()?,
                results: results.next()?,
                plies: plies.next()?,
            })
        })
    }
}
