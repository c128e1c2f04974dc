//! Opponents that crash, stall, cheat and flood: each loses by rule, in time, with its fault reported, and leaves no
//! process behind.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use trilith_arena::player::{self, Player, Turn};
use trilith_arena::{GameKit, PlayerFault};
use trilith_base::Seed;
use trilith_eval::{morris, othello};
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record};
use trilith_search::{Control, Limits};

const NEIGHBOUR: &str = env!("CARGO_BIN_EXE_trilith-neighbour");

/// A game with what it has of its own: some protocols are spoken for one game alone.
trait Seated: Game {
    type Kit: GameKit<Self>;
}

impl Seated for Othello {
    type Kit = othello::Evaluations;
}

impl Seated for Morris {
    type Kit = morris::Evaluations;
}

fn make<G: Seated>(spec: &str) -> Box<dyn Player<G>> {
    player::player::<G, G::Kit>(&spec.parse().unwrap(), Seed(7)).unwrap()
}

/// How a game between a program with the first move and `random` ends: who has won, and the program's fault.
fn play<G: Seated>(program: &mut dyn Player<G>) -> (Option<Colour>, Option<PlayerFault>) {
    let mut record = Record::new(G::new(G::Rules::default()));
    let mut opponent = make::<G>("random");
    let control = Control::default();
    let first = record.game().to_move(record.start());
    loop {
        if let Some(end) = record.end() {
            return (end.winner, None);
        }
        let to_move = record.game().to_move(record.position());
        let turn = Turn { control: &control, limits: Limits::default() };
        let decision = match to_move == first {
            true => program.choose(&record, turn, &mut |_| ()),
            false => opponent.choose(&record, turn, &mut |_| ()),
        };
        match decision {
            Ok(decision) => record.push(decision.mv).unwrap(),
            Err(fault) => return (Some(!to_move), Some(fault)),
        }
    }
}

fn spec(protocol: &str, misbehaviour: &str, more: &str) -> String {
    format!("external:protocol={protocol},run=\"'{NEIGHBOUR}' {misbehaviour}\",depth=1{more}")
        .replace(if protocol == "gtp" { ",depth=1" } else { "\u{0}" }, "")
}

fn loses<G: Seated>(protocol: &str, misbehaviour: &str, more: &str, kind: &str, report: &str) {
    let since = Instant::now();
    let mut program = make::<G>(&spec(protocol, misbehaviour, more));
    let (winner, fault) = play::<G>(program.as_mut());
    drop(program);
    let fault = fault.unwrap_or_else(|| panic!("{misbehaviour}: no fault, {winner:?} won"));
    let game = G::new(G::Rules::default());
    assert_eq!(winner, Some(!game.to_move(&game.start())), "{misbehaviour}");
    assert_eq!(fault.name(), kind, "{misbehaviour}: {fault}");
    assert!(fault.to_string().contains(report), "{misbehaviour}: {fault}");
    assert!(since.elapsed() < Duration::from_secs(20), "{misbehaviour}: {:?}", since.elapsed());
}

/// The misbehaviour, the protocol, what more is said in the spec; the kind of fault and a part of its report.
macro_rules! losers {
    ($($name:ident: $game:ty, $protocol:literal, $misbehaviour:literal, $more:literal => $kind:literal, $report:literal;)+) => {
        $(#[test]
        fn $name() {
            loses::<$game>($protocol, $misbehaviour, $more, $kind, $report);
        })+
    };
}

losers! {
    exits_at_once: Othello, "ugi", "exit-at-once", "" => "gone", "exit code 3";
    never_greets: Othello, "ugi", "silent", ",startup=300" => "timeout", "no answer to `ugi` within 300 ms";
    greets_in_prose: Othello, "ugi", "chatty", ",startup=300" => "garbage", "finest engine";
    closes_its_output: Othello, "ugi", "close-output", "" => "gone", "closed its output";
    is_never_ready: Othello, "ugi", "never-ready", ",startup=500" => "timeout", "`isready`";
    crashes_when_asked: Othello, "ugi", "crash", "" => "gone", "signal 6";
    says_why_it_ends: Othello, "ugi", "crash-loudly", "" => "gone", "exit code 4; the end of its standard error: out of memory, line 3 | out";
    ends_in_the_middle: Othello, "ugi", "crash-later", "" => "gone", "exit code 0";
    stalls: Othello, "ugi", "stall", ",timeout=500" => "timeout", "`go depth 1` within 500 ms";
    plays_an_illegal_move: Othello, "ugi", "illegal", "" => "illegal", "`a1` is not legal here";
    plays_nonsense: Othello, "ugi", "nonsense", "" => "illegal", "castle-kingside";
    names_no_move: Othello, "ugi", "empty", "" => "garbage", "expected a move";
    gives_no_move: Othello, "ugi", "none", "" => "refused", "bestmove none";
    shouts: Othello, "ugi", "shout", ",timeout=500" => "garbage", "BESTMOVE";
    answers_late: Othello, "ugi", "late", ",timeout=500" => "timeout", "within 500 ms";
    drips: Othello, "ugi", "drip", ",timeout=500" => "timeout", "within 500 ms";
    floods_with_lines: Othello, "ugi", "flood-lines", "" => "garbage", "la la la";
    floods_with_chatter: Othello, "ugi", "flood-info", ",timeout=500" => "timeout", "within 500 ms";
    floods_with_one_line: Othello, "ugi", "flood-line", "" => "garbage", "a line without end";
    sends_bytes: Othello, "ugi", "binary", ",timeout=500" => "garbage", "expected `bestmove`";
    does_not_listen: Othello, "ugi", "deaf", ",timeout=500" => "timeout", "within 500 ms";
    speaks_another_version: Othello, "gtp", "wrong-version", "" => "garbage", "version 2";
    refuses: Othello, "gtp", "refuse", "" => "refused", "I would rather not";
    resigns: Othello, "gtp", "resign", "" => "resigned", "resigned";
    does_not_end_its_answer: Othello, "gtp", "half-answer", ",timeout=500" => "timeout", "`genmove black`";
    answers_another_question: Othello, "gtp", "wrong-number", ",timeout=500" => "garbage", "=999 d3";
    cheats_in_gtp: Othello, "gtp", "illegal", "" => "illegal", "`a1` is not legal here";
    takes_an_occupied_square: Othello, "nboard", "occupied", "" => "illegal", "E4";
    removes_without_a_mill: Morris, "uci-mill", "no-mill", "" => "illegal", "xa1";
    removes_its_own_stone: Morris, "uci-mill", "wrong-removal", "" => "illegal", "is not legal here";
}

#[test]
fn a_program_that_cannot_be_run_has_failed_to_start() {
    let file = std::env::temp_dir().join(format!("trilith-not-a-program-{}", std::process::id()));
    std::fs::write(&file, "no program").unwrap();
    let mut program = make::<Othello>(&format!("external:protocol=ugi,run=\"'{}'\"", file.display()));
    let (winner, fault) = play::<Othello>(program.as_mut());
    std::fs::remove_file(&file).unwrap();
    assert_eq!((winner, fault.map(|fault| fault.name())), (Some(Colour::White), Some("start")));
}

/// Faults of manner only: the game is played to its end.
#[test]
fn harmless_oddities_cost_nothing() {
    for oddity in ["upper-case", "twice", "answer-unasked", "stay"] {
        let mut program = make::<Othello>(&spec("ugi", oddity, ""));
        let (_, fault) = play::<Othello>(program.as_mut());
        assert_eq!(fault, None, "{oddity}");
    }
}

#[test]
fn a_fault_ends_one_game_and_the_program_is_started_anew_for_the_next() {
    let mut program = make::<Othello>(&spec("ugi", "crash-later", ""));
    for _ in 0..3 {
        let (winner, fault) = play::<Othello>(program.as_mut());
        assert_eq!((winner, fault.map(|fault| fault.name())), (Some(Colour::White), Some("gone")));
    }
}

#[test]
fn what_a_program_has_started_ends_with_it() {
    let file: PathBuf = std::env::temp_dir().join(format!("trilith-child-{}", std::process::id()));
    let mut program =
        make::<Othello>(&spec("ugi", &format!("leave-child '{}'", file.display()), ",startup=1000"));
    let (_, fault) = play::<Othello>(program.as_mut());
    // The child keeps the output open, so that the end of the program is not seen before its time is over.
    assert_eq!(fault.map(|fault| fault.name()), Some("timeout"));
    let child = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let alive = || {
        let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    let until = Instant::now() + Duration::from_secs(2);
    while alive() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!alive(), "process {child} lives");
}
