//! Plays one game: asks the players in turn, books their time, and lets who fails lose by rule.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use trilith_games::{Colour, End, Game, MoveList, Record};
use trilith_search::{Analysis, Control};

use super::adjudication::Watch;
use super::job::{GameFault, GameJob, MoveNote};
use super::pace::Budget;
use crate::player::{Decision, Player, PlayerFault, Turn};

/// A game that has been played.
pub(super) struct Played {
    pub end: End,
    pub cut_short: bool,
    pub fault: Option<GameFault>,
    /// By colour.
    pub seconds: [f64; 2],
    /// Of each move.
    pub notes: Vec<MoveNote>,
}

/// Plays `record` to its end; none if `stop` came first. Players and budgets are Black's and White's.
pub(super) fn play<G: Game>(
    job: &GameJob,
    record: &mut Record<G>,
    players: [&mut Box<dyn Player<G>>; 2],
    stop: &AtomicBool,
) -> Option<Played> {
    let mut game = Sitting {
        record,
        players,
        budgets: [Budget::new(&job.black.pace), Budget::new(&job.white.pace)],
        watch: Watch::new(&job.adjudication),
        notes: Vec::new(),
    };
    for colour in [Colour::Black, Colour::White] {
        let side = colour as usize;
        if let Err(fault) = game.players[side].prepare(game.record, &game.budgets[side].limits()) {
            return Some(game.fail(colour, fault.name(), fault.to_string()));
        }
    }
    let ending = loop {
        if let Some(end) = game.record.end() {
            break game.end(end, None, false);
        }
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(ending) = game.ply() {
            break ending;
        }
    };
    if ending.fault.is_none() {
        game.players.iter_mut().for_each(|player| player.finish(game.record, ending.end.winner));
    }
    Some(ending)
}

struct Sitting<'a, G: Game> {
    record: &'a mut Record<G>,
    players: [&'a mut Box<dyn Player<G>>; 2],
    budgets: [Budget; 2],
    watch: Watch,
    notes: Vec<MoveNote>,
}

impl<G: Game> Sitting<'_, G> {
    /// One decision; the ending, if the game does not go on.
    fn ply(&mut self) -> Option<Played> {
        let mover = self.record.game().to_move(self.record.position());
        let side = mover as usize;
        let began = Instant::now();
        let decision = ask(&mut **self.players[side], self.record, &self.budgets[side]);
        let taken = began.elapsed();
        let booked = self.budgets[side].book(taken);
        let decision = match (decision, booked) {
            (Err(Missing::Fault(PlayerFault::Resigned)), _) => {
                return Some(self.end(End::new(Some(!mover), "resignation"), None, true));
            }
            (Err(Missing::Fault(fault)), _) => {
                return Some(self.fail(mover, fault.name(), fault.to_string()));
            }
            (Err(Missing::Panic), _) => {
                return Some(self.fail(mover, "panic", "the player broke down; its message is above".into()));
            }
            (Ok(_), Err(late)) => return Some(self.fail(mover, "time", late)),
            (Ok(decision), Ok(())) => decision,
        };
        if let Err(fault) = self.push(decision.mv) {
            return Some(self.fail(mover, fault.name(), fault.to_string()));
        }
        let note = note(taken.as_secs_f64(), decision.analysis.as_ref());
        self.notes.push(note);
        let (winner, reason) = self.watch.see(mover, note.value, self.record.len())?;
        match self.record.end() {
            Some(_) => None,
            None => Some(self.end(End::new(winner, reason), None, true)),
        }
    }

    /// Plays a move that a player claims to be legal.
    fn push(&mut self, mv: G::Move) -> Result<(), PlayerFault> {
        let mut legal = MoveList::new();
        self.record.game().moves(self.record.position(), &mut legal);
        match legal.contains(&mv) {
            true => self.record.push_legal(mv),
            false => self.record.push(mv)?,
        }
        Ok(())
    }

    fn fail(&self, by: Colour, kind: &str, text: String) -> Played {
        let fault = GameFault { by, kind: kind.into(), text };
        self.end(End::new(Some(!by), format!("{kind} of {by}")), Some(fault), true)
    }

    fn end(&self, end: End, fault: Option<GameFault>, cut_short: bool) -> Played {
        let seconds = [0, 1].map(|side: usize| self.budgets[side].spent.as_secs_f64());
        Played { end, cut_short, fault, seconds, notes: self.notes.clone() }
    }
}

fn note<M: Copy>(seconds: f64, analysis: Option<&Analysis<M>>) -> MoveNote {
    MoveNote {
        seconds,
        value: analysis.map(|analysis| f64::from(analysis.value()) / f64::from(analysis.unit.one)),
        depth: analysis.map(|analysis| analysis.depth),
        nodes: analysis.map(|analysis| analysis.nodes),
    }
}

/// Why there is no decision.
enum Missing {
    Fault(PlayerFault),
    Panic,
}

fn ask<G: Game>(
    player: &mut dyn Player<G>,
    record: &Record<G>,
    budget: &Budget,
) -> Result<Decision<G::Move>, Missing> {
    let control = Control::default();
    let turn = Turn { control: &control, limits: budget.limits() };
    match catch_unwind(AssertUnwindSafe(|| player.choose(record, turn, &mut |_| ()))) {
        Ok(decision) => decision.map_err(Missing::Fault),
        Err(_) => Err(Missing::Panic),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trilith_base::Seed;
    use trilith_games::othello::Othello;
    use trilith_search::Limits;

    use super::*;
    use crate::contest::{Adjudication, GameSeat, Opening, Pace};

    /// A player of the tests: what it does at its third move.
    #[derive(Clone, Copy)]
    enum Bad {
        Nothing,
        Illegal,
        Panic,
        Slow,
        Resign,
        Fault,
        Absent,
    }

    impl Player<Othello> for Bad {
        fn prepare(&mut self, _: &Record<Othello>, _: &Limits) -> Result<(), PlayerFault> {
            match self {
                Bad::Absent => Err(PlayerFault::Start { program: "x".into(), reason: "not there".into() }),
                _ => Ok(()),
            }
        }

        fn choose(
            &mut self,
            record: &Record<Othello>,
            _: Turn<'_>,
            _: &mut dyn FnMut(&Analysis<<Othello as Game>::Move>),
        ) -> Result<Decision<<Othello as Game>::Move>, PlayerFault> {
            let mut moves = MoveList::new();
            record.game().moves(record.position(), &mut moves);
            let last = record.moves().last();
            let mv = match *self {
                _ if record.len() < 4 => moves[0],
                Bad::Nothing | Bad::Absent => moves[0],
                Bad::Illegal => last.expect("moves have been played"),
                Bad::Panic => panic!("a player of the tests breaks down"),
                Bad::Slow => {
                    std::thread::sleep(Duration::from_millis(60));
                    moves[0]
                }
                Bad::Resign => return Err(PlayerFault::Resigned),
                Bad::Fault => {
                    return Err(PlayerFault::Gone { command: "go".into(), status: "exit 1".into() });
                }
            };
            Ok(Decision { mv, analysis: None })
        }
    }

    fn job(pace: Pace) -> GameJob {
        let seat = GameSeat { player: "test".into(), pace };
        GameJob {
            number: 0,
            game: "othello".into(),
            rules: String::new(),
            opening: Opening::default(),
            black: seat.clone(),
            white: seat,
            adjudication: Adjudication::default(),
            seed: Seed(1).0,
        }
    }

    fn play_bad(black: Bad, white: Bad, pace: Pace) -> (Played, usize) {
        let mut record = Record::new(Othello::new(Default::default()));
        let (mut black, mut white): (Box<dyn Player<Othello>>, Box<dyn Player<Othello>>) =
            (Box::new(black), Box::new(white));
        let ending =
            play(&job(pace), &mut record, [&mut black, &mut white], &AtomicBool::new(false)).unwrap();
        (ending, record.len())
    }

    #[test]
    fn who_fails_has_lost_and_is_named() {
        let pace = Pace { time: Some(10), margin: Some(10), ..Pace::default() };
        for (bad, kind) in
            [(Bad::Illegal, "illegal"), (Bad::Panic, "panic"), (Bad::Slow, "time"), (Bad::Fault, "gone")]
        {
            let (ending, plies) = play_bad(bad, Bad::Nothing, pace);
            let fault = ending.fault.unwrap();
            assert_eq!(
                (fault.by, fault.kind.as_str(), ending.end.winner),
                (Colour::Black, kind, Some(Colour::White))
            );
            assert!(ending.cut_short && plies == 4);
            let (ending, plies) = play_bad(Bad::Nothing, bad, pace);
            assert_eq!((ending.fault.unwrap().by, ending.end.winner), (Colour::White, Some(Colour::Black)));
            assert_eq!((&*ending.end.reason, plies), (format!("{kind} of white").as_str(), 5));
        }
    }

    #[test]
    fn who_does_not_come_has_lost_before_the_first_move() {
        let (ending, plies) = play_bad(Bad::Nothing, Bad::Absent, Pace::default());
        assert_eq!(
            (ending.end.winner, &*ending.end.reason, plies),
            (Some(Colour::Black), "start of white", 0)
        );
    }

    #[test]
    fn resigning_is_no_fault() {
        let (ending, _) = play_bad(Bad::Resign, Bad::Nothing, Pace::default());
        assert_eq!((ending.end.winner, &*ending.end.reason), (Some(Colour::White), "resignation"));
        assert!(ending.fault.is_none() && ending.cut_short);
    }

    #[test]
    fn a_clock_runs_out_over_several_moves() {
        let clock = Some("0.0015".parse().unwrap());
        let (ending, plies) =
            play_bad(Bad::Slow, Bad::Nothing, Pace { clock, margin: Some(0), ..Pace::default() });
        assert_eq!(ending.fault.unwrap().kind, "time");
        assert_eq!(plies, 6, "90 ms are enough for one move of 60 ms, not for two");
        assert!(ending.seconds[0] > 0.12 && ending.seconds[1] < ending.seconds[0]);
    }

    #[test]
    fn nobody_fails_in_an_ordinary_game() {
        let (ending, _) = play_bad(Bad::Nothing, Bad::Nothing, Pace::default());
        assert!(ending.fault.is_none() && !ending.cut_short);
    }
}
