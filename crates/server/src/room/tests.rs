//! The state of a room is what replaying its events gives, whatever was asked of it on the way.

use serde_json::json;
use trilith_arena::GAMES;
use trilith_base::Seed;
use trilith_games::Colour;

use super::command::Command;
use super::event::Event;
use super::seat::{Holder, Kind, Seat, Sides};
use super::snapshot::Presence;
use super::{ClockSetup, Room, Setup};
use crate::token::Asker;

fn asker(token: &str) -> Asker {
    Asker { hash: Some(token.into()), ..Asker::default() }
}

fn person(token: &str) -> Seat {
    let holder = Holder { token: Some(token.into()), account: None };
    Seat { kind: Kind::Human, name: token.into(), spec: None, holder }
}

fn setup(game: &str, black: Seat, white: Seat) -> Setup {
    let view = trilith_arena::table::open(game, "", None).unwrap().view();
    Setup {
        game: game.into(),
        rules: view.rules,
        start: view.position,
        moves: Vec::new(),
        seats: Sides { black, white },
        clock: Some(ClockSetup { initial_ms: 600_000, increment_ms: 500 }),
        rated: false,
        public: false,
        owner: None,
        over: None,
    }
}

/// Something that may or may not be allowed now.
fn draw_command(room: &Room, draw: u64) -> Command {
    let view = room.view();
    let ply = view.moves.len();
    match draw % 20 {
        0 => Command::Undo { ply },
        1 => Command::Redo { ply },
        2 if draw.is_multiple_of(13) => Command::Draw { ply: None },
        3 => Command::Decline {},
        4 => Command::Pause {},
        5 => Command::Continue {},
        6 if draw.is_multiple_of(11) => Command::Resign { side: None },
        8 => Command::Takeback { ply },
        9 => Command::Rematch {},
        7 => Command::Move { mv: "nonsense".into(), ply },
        _ => {
            let place = (draw >> 8) as usize % view.legal.len().max(1);
            Command::Move { mv: view.legal.get(place).map_or_else(String::new, |mv| mv.text.clone()), ply }
        }
    }
}

fn seen(room: &Room, now: u64) -> serde_json::Value {
    serde_json::to_value(room.snapshot(now, &Presence::default(), false)).unwrap()
}

#[test]
fn replaying_the_events_gives_the_same_room() {
    let mut happened = 0;
    for (game, seats) in GAMES.iter().flat_map(|game| [(game, ["a", "a"]), (game, ["a", "b"])]) {
        let setup = setup(game, person(seats[0]), person(seats[1]));
        let mut room = Room::new("id".into(), setup.clone(), 1000).unwrap();
        let (mut log, mut now): (Vec<(u64, String)>, u64) = (Vec::new(), 1000);
        for step in 0..200 {
            let draw = Seed(3).derive(game, step).0;
            now += draw % 700;
            let command = draw_command(&room, draw);
            let by = asker(seats[(draw >> 16) as usize % 2]);
            let before = seen(&room, now);
            let done = room.decide(&by, &command, now).and_then(|events| {
                events.iter().try_for_each(|event| {
                    room.apply(event, now)?;
                    log.push((now, serde_json::to_string(event).unwrap()));
                    Ok(())
                })
            });
            assert!(
                done.is_ok() || seen(&room, now) == before,
                "{command:?} was refused and changed something"
            );
        }
        let mut again = Room::new("id".into(), setup, 1000).unwrap();
        for (at, body) in &log {
            again.apply(&serde_json::from_str::<Event>(body).unwrap(), *at).unwrap();
        }
        assert_eq!(seen(&again, now), seen(&room, now));
        happened += log.len();
    }
    assert!(happened > 200, "only {happened} events in six games");
}

#[test]
fn an_offer_lives_until_it_is_answered_or_the_other_moves() {
    let mut room = Room::new("id".into(), setup("othello", person("a"), person("b")), 0).unwrap();
    let mut obey = |by: &str, command: serde_json::Value| {
        let command: Command = serde_json::from_value(command).unwrap();
        let events = room.decide(&asker(by), &command, 1)?;
        events.iter().try_for_each(|event| room.apply(event, 1))?;
        Ok::<_, crate::fault::Fault>(seen(&room, 1)["offer"].clone())
    };
    assert_eq!(obey("a", json!({ "do": "draw" })).unwrap(), "black");
    assert!(obey("a", json!({ "do": "draw" })).is_err());
    assert_eq!(obey("a", json!({ "do": "move", "move": "f5", "ply": 0 })).unwrap(), "black");
    assert_eq!(obey("b", json!({ "do": "move", "move": "d6", "ply": 1 })).unwrap(), json!(null));
    assert_eq!(obey("b", json!({ "do": "draw" })).unwrap(), "white");
    assert_eq!(obey("a", json!({ "do": "decline" })).unwrap(), json!(null));
    assert!(obey("a", json!({ "do": "decline" })).is_err());
    assert_eq!(room.sides_of(&asker("b")), [Colour::White]);
}
