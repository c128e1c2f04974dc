//! Players that know: the engine with tables, `tablebase` and `tricky`.

use std::path::PathBuf;
use std::sync::Arc;

use trilith_arena::player::{Player, Turn, player};
use trilith_base::Seed;
use trilith_eval::Margin;
use trilith_eval::morris::Evaluations;
use trilith_games::morris::{Morris, Position, Rules};
use trilith_games::othello::Othello;
use trilith_games::{Game, Outcome, Record};
use trilith_search::analysis::plies_to_end;
use trilith_search::{Analysis, Control, Limits};
use trilith_tablebase::placing::{Effort, PlacingSolver};
use trilith_tablebase::{Subspace, Tables, default_folder, ensure, sample};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(std::env::temp_dir().join(format!("trilith-perfect-{name}-{}", std::process::id())))
    }

    fn tables(&self, stones: u32) -> Tables {
        ensure(&self.0, &Rules::default(), stones).unwrap()
    }

    fn player(&self, kind: &str) -> Box<dyn Player<Morris>> {
        let text = kind.replace("HERE", self.0.to_str().unwrap());
        player::<Morris, Evaluations>(&text.parse().unwrap(), Seed(3)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn turn(control: &Control) -> Turn<'_> {
    Turn { control, limits: Limits::default() }
}

/// Positions of `subspace` with `outcome`, with some plies to the end where there is an end.
fn positions(tables: &Tables, subspace: &str, outcome: Outcome, count: u64) -> Vec<Position> {
    let table = tables.require(subspace.parse::<Subspace>().unwrap()).unwrap();
    (0..count).map(|number| sample::sample(table, outcome, Seed(4), number).unwrap().unwrap()).collect()
}

/// The winner shortens the way at every move, whatever it may still search; the loser takes the longest.
#[test]
fn the_engine_takes_the_shortest_win_and_the_longest_loss() {
    let folder = Folder::new("engine");
    let tables = folder.tables(7);
    let game = Morris::default();
    for limits in ["depth=1", "nodes=500", "time=1000"] {
        let mut engine = folder.player(&format!("engine:tables=HERE,{limits}"));
        for outcome in [Outcome::Win, Outcome::Loss] {
            for position in positions(&tables, "4-3", outcome, 10) {
                let value = tables.value(&position).unwrap();
                if value.plies == Some(0) {
                    continue;
                }
                let record = Record::from_position(game, position).unwrap();
                let decision = engine.choose(&record, turn(&Control::default()), &mut |_| ()).unwrap();
                let after = tables.value(&game.play(&position, decision.mv)).unwrap();
                assert_eq!(after.before(), value, "{}", game.position_text(&position));
                let told = plies_to_end(decision.analysis.unwrap().value()).unwrap();
                assert_eq!(told.unsigned_abs(), value.plies.unwrap());
                assert_eq!(told > 0, outcome == Outcome::Win);
            }
        }
    }
}

#[test]
fn in_a_drawn_position_the_engine_keeps_the_draw_and_says_so() {
    let folder = Folder::new("draws");
    let tables = folder.tables(7);
    let game = Morris::default();
    let mut engine = folder.player("engine:tables=HERE,depth=4");
    for position in positions(&tables, "3-4", Outcome::Draw, 20) {
        let record = Record::from_position(game, position).unwrap();
        let decision = engine.choose(&record, turn(&Control::default()), &mut |_| ()).unwrap();
        assert_eq!(tables.value(&game.play(&position, decision.mv)).unwrap().outcome, Outcome::Draw);
        assert_eq!(decision.analysis.unwrap().value(), 0);
    }
}

/// From drawn positions against a fallible opponent nobody who knows loses; from won ones all win.
#[test]
fn who_knows_does_not_lose() {
    let folder = Folder::new("games");
    let tables = folder.tables(7);
    let game = Morris::default();
    for kind in ["tablebase:folder=HERE", "tricky:folder=HERE", "engine:tables=HERE,depth=2"] {
        let mut opponent = folder.player("minimax:depth=2,eval=standard");
        for outcome in [Outcome::Draw, Outcome::Win] {
            for position in positions(&tables, "4-3", outcome, 6) {
                let mut perfect = folder.player(kind);
                let mut record = Record::from_position(game, position).unwrap();
                let colour = game.to_move(&position);
                let mut moves = Vec::new();
                while record.end().is_none() {
                    let is_own = game.to_move(record.position()) == colour;
                    let player = if is_own { &mut perfect } else { &mut opponent };
                    moves.push(player.choose(&record, turn(&Control::default()), &mut |_| ()).unwrap().mv);
                    record.push(moves[moves.len() - 1]).unwrap();
                }
                let winner = record.end().unwrap().winner;
                let text = game.position_text(&position);
                assert_ne!(winner, Some(!colour), "{kind} lost from {text}");
                assert!(outcome == Outcome::Draw || winner == Some(colour), "{kind} did not win from {text}");
            }
        }
    }
}

#[test]
fn who_knows_tells_the_value_it_plays_by() {
    let folder = Folder::new("values");
    let tables = folder.tables(7);
    let game = Morris::default();
    for kind in ["tablebase:folder=HERE", "tricky:folder=HERE"] {
        let mut perfect = folder.player(kind);
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
            for position in positions(&tables, "4-3", outcome, 10) {
                let value = tables.value(&position).unwrap();
                if value.plies == Some(0) {
                    continue;
                }
                let record = Record::from_position(game, position).unwrap();
                let mut reported = Vec::new();
                let mut hear = |analysis: &Analysis<_>| reported.push(analysis.clone());
                let decision = perfect.choose(&record, turn(&Control::default()), &mut hear).unwrap();
                let analysis = decision.analysis.unwrap();
                assert_eq!((analysis.best(), &reported[..]), (Some(decision.mv), &[analysis.clone()][..]));
                let told = plies_to_end(analysis.value());
                match outcome {
                    Outcome::Win => assert_eq!(told, value.plies.map(|plies| plies as i32)),
                    Outcome::Draw => assert_eq!((told, analysis.value()), (None, 0)),
                    Outcome::Loss => {
                        assert!(told.unwrap() < 0, "any move that keeps a loss, not the longest")
                    }
                }
            }
        }
    }
}

/// Where tables do not reach, the engine plays; the same seed and limits give the same moves.
#[test]
fn without_tables_the_engine_takes_over() {
    let folder = Folder::new("fallback");
    let play = || {
        let mut player = folder.player("tricky:folder=HERE,stones=6,nodes=300");
        let mut record = Record::new(Morris::default());
        player.prepare(&record, &Limits::default()).unwrap();
        for _ in 0..24 {
            let decision = player.choose(&record, turn(&Control::default()), &mut |_| ()).unwrap();
            record.push(decision.mv).unwrap();
        }
        record.moves().collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}

#[test]
fn what_cannot_be_had_is_said() {
    let folder = Folder::new("refused");
    let error = player::<Othello, Margin>(&"tablebase".parse().unwrap(), Seed(1)).err().unwrap();
    assert_eq!(error.to_string(), "player `tablebase` does not play othello: expected morris");
    folder.tables(6);
    let path = folder.0.join("3-3.distance");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    for kind in ["tablebase:folder=HERE,stones=6", "engine:tables=HERE,depth=1"] {
        let record = Record::new(Morris::default());
        let fault = folder.player(kind).prepare(&record, &Limits::default()).unwrap_err().to_string();
        assert!(fault.starts_with("cannot start `tablebase`") && fault.contains("truncated"), "{fault}");
    }
}

fn answer(player: &mut dyn Player<Morris>, text: &str) -> (Position, String) {
    let game = Morris::default();
    let position = game.parse_position(text).unwrap();
    let record = Record::from_position(game, position).unwrap();
    let mv = player.choose(&record, turn(&Control::default()), &mut |_| ()).unwrap().mv;
    (game.play(&position, mv), game.move_text(mv))
}

/// Positions of the placing phase in which the engine once made the move that lost, with all moves that do not.
#[test]
fn the_engine_finds_the_moves_that_hold_the_placing_phase() {
    for (text, holds) in [
        ("3/1b1/3/wb3w/3/3/bw1 w 6 6", "b2 b6 f6 f2 c3 c5 d5 e5 e3 d3"),
        ("b2/wb1/3/bw1wb1/3/1bw/wwb w 3 3", "d7"),
        ("3/bww/3/1b1b1w/1b1/wwb/3 w 4 4", "a4 a7 c3 c4 c5 e5 e3"),
        ("3/bbw/3/1w1bw1/3/wbb/2w w 4 4", "a7 d7 g7 c3 c4 d5 e5 e3 d3"),
    ] {
        let spec = "engine:nodes=20000,tables=off".parse().unwrap();
        let mut engine = player::<Morris, Evaluations>(&spec, Seed(3)).unwrap();
        let (_, mv) = answer(&mut *engine, text);
        assert!(holds.split(' ').any(|hold| hold == mv), "{text}: {mv}, expected one of {holds}");
    }
}

/// A position in which 200,000 visits settle nothing, and in which the player then left the move to the engine.
#[test]
#[ignore = "needs the complete tables in $TRILITH_HOME"]
fn the_perfect_player_keeps_a_draw_that_is_hard_to_prove() {
    let game = Morris::default();
    let tables = Tables::open(&default_folder(game.rules()), game.rules()).unwrap();
    assert!(tables.is_complete(), "`trilith tablebase build morris --stones 18 --mode wdl` makes them");
    let solver = PlacingSolver::new(Arc::new(tables), game, 1, 64);
    for seed in 0..10 {
        let mut perfect = player::<Morris, Evaluations>(&"tablebase".parse().unwrap(), Seed(seed)).unwrap();
        let (after, mv) = answer(&mut *perfect, "3/ww1/3/1w2b1/3/1b1/3 b 6 7");
        let outcome = solver.outcome(&after, Effort::ENDLESS).unwrap();
        assert_eq!(outcome, Some(Outcome::Draw), "{mv}");
    }
}
