//! A game that is nothing but its rules and one line in the registry plays everywhere.
//!
//! `cargo test -p trilith-arena --features tictactoe --test fourth_game`.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, Mutex};

use trilith_arena::contest::{Duel, OpeningSource};
use trilith_arena::player::{self, Turn, levels};
use trilith_arena::protocol::{ServedSeat, serve};
use trilith_arena::tournament::{self, Standings, TournamentPlan};
use trilith_arena::{GAMES, GameKit, Protocol, Visitor, offer, table, with_game};
use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_eval::Evaluator;
use trilith_games::{Game, Record, contract, perft};
use trilith_search::{Control, Ladder, Limits, Rung};

const NAME: &str = "tictactoe";

/// Positions by ply, games that have ended left out: the well-known numbers of the game.
const PERFT: [u64; 10] = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];

struct Rules;

impl Visitor for Rules {
    type Output = ();

    fn visit<G: Game, C: GameKit<G>>(self) {
        let game = G::new(G::Rules::default());
        contract::check(&game, Seed(4), 20, 9);
        for (depth, number) in (0..).zip(PERFT) {
            assert_eq!(perft::perft(&game, &game.start(), depth), number, "depth {depth}");
        }
    }
}

#[test]
fn it_keeps_the_contract_and_counts_right() {
    with_game(NAME, Rules).unwrap();
}

struct Searches;

impl Visitor for Searches {
    type Output = ();

    fn visit<G: Game, C: GameKit<G>>(self) {
        let (game, evaluator) = (G::new(G::Rules::default()), C::engine_evaluator());
        for rung in Rung::ALL {
            let mut ladder = Ladder::new(&game, &evaluator, rung.techniques(evaluator.unit().one, 1));
            assert_eq!(ladder.search(&game.start(), 9).value(), 0, "{}", rung.name());
        }
        for (position, best) in [("XX-OO----", "c1"), ("XX--O----", "c1"), ("X---O---X", "b1")] {
            let record = Record::from_position(game.clone(), game.parse_position(position).unwrap()).unwrap();
            for spec in ["engine:depth=9", "engine:level=10", "minimax:depth=9,rung=history"] {
                let mut player = player::player::<G, C>(&spec.parse().unwrap(), Seed(1)).unwrap();
                let control = Control::default();
                let turn = Turn { control: &control, limits: Limits::default() };
                let decision = player.choose(&record, turn, &mut |_| ()).unwrap();
                let is_edge = |text: &str| ["b1", "a2", "c2", "b3"].contains(&text);
                let text = game.move_text(decision.mv);
                // Against the opposite corners every edge holds.
                assert!(text == best || best == "b1" && is_edge(&text), "{spec} in {position}: {text}");
            }
        }
    }
}

#[test]
fn every_rung_and_the_engine_play_it_perfectly() {
    with_game(NAME, Searches).unwrap();
}

fn duel(a: &str, b: &str) -> Duel {
    Duel { openings: OpeningSource::Random(1), seed: Seed(7), ..Duel::new(NAME, a, b, 20) }
}

#[test]
fn matches_are_played_and_perfect_players_draw() {
    let (report, games) = duel("engine:depth=9", "minimax:depth=9").play(&Arc::default(), |_| ()).unwrap();
    assert_eq!((report.games, games.len()), (20, 20));
    assert!(games.iter().all(|(_, result)| result.fault.is_none()));
    let (_, games) = duel("engine:depth=9", "random").play(&Arc::default(), |_| ()).unwrap();
    let mine = |number: u64| if number.is_multiple_of(2) { 1 } else { -1 };
    assert!(
        games.iter().all(|(job, result)| mine(job.number) * result.sign(trilith_games::Colour::Black) >= 0)
    );
}

#[test]
fn tournaments_are_played() {
    let plan = r#"
        name = "fourth"
        game = "tictactoe"
        kind = "round-robin"
        games = 4
        openings = "random:1"
        [[players]]
        name = "engine"
        player = "engine:depth=9"
        [[players]]
        name = "lot"
        player = "random"
        [[players]]
        name = "level"
        player = "engine:level=1"
    "#;
    let plan = TournamentPlan::parse(plan, Path::new("")).unwrap();
    let folder = std::env::temp_dir().join(format!("fourth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let journal = folder.join("journal");
    let results =
        tournament::play(&plan, &journal, &Workers::Threads(1), &Default::default(), |_, _, _| ()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let standings = Standings::new(&plan, &results).unwrap();
    assert_eq!((results.len(), standings.ranking().len()), (12, 3));
    assert!(tournament::page(&standings, false).contains("engine"));
}

#[test]
fn it_is_in_every_list_and_at_every_table() {
    assert!(GAMES.contains(&NAME) && offer::offers().iter().any(|offer| offer.name == NAME));
    let levels: Vec<_> = levels::LEVELS.map(|number| levels::level(NAME, number).unwrap()).collect();
    assert!(levels.iter().all(|level| level.rating.is_none()), "nobody has measured them");
    let mut table = table::open(NAME, "", None).unwrap();
    for mv in ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"] {
        assert!(table.view().end.is_none());
        table.play(mv).unwrap();
    }
    let view = serde_json::to_value(table.view()).unwrap();
    assert_eq!(view["end"]["reason"], "board full");
    assert!(view["end"]["winner"].is_null());
    let again = table::load(&table.text()).unwrap();
    assert_eq!(again.view().moves, table.view().moves);
    assert_eq!(Protocol::all().into_iter().filter(|protocol| protocol.plays(NAME)).count(), 1, "ugi");
}

/// What a server says.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn programs_play_it_through_ugi() {
    let seat = ServedSeat {
        game: NAME.into(),
        rules: String::new(),
        player: "engine".parse().unwrap(),
        seed: Seed(1),
    };
    let (input, answers) = (Cursor::new("ugi\nposition fen XX-OO----\ngo depth 3\n"), Answers::default());
    serve(Protocol::UGI, &seat, input, answers.clone()).unwrap();
    let text = String::from_utf8(answers.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("bestmove c1"), "{text}");
}
