//! Visits to a small GGS of our own: requests, synchronised and rated games, clocks, and what goes wrong.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ggs_server::{Plan, start};
use trilith_arena::ggs::{EndedGame, GgsError, GgsEvent, GgsSettings, GgsVisit};
use trilith_arena::sheets::{self, Format};
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game};

fn visit(address: String) -> GgsVisit {
    let settings = GgsSettings {
        login: "guest".into(),
        password: "secret".into(),
        open: 1,
        seek: None,
        answer: false,
        rated_only: true,
        least_time: Duration::from_secs(2),
        matches: Some(1),
        reserve: Duration::from_millis(300),
        date: "2026.11.16".into(),
    };
    GgsVisit { address, settings, player: "engine:depth=3,hash=1".parse().unwrap() }
}

fn run(visit: &GgsVisit) -> (Result<(), GgsError>, Vec<EndedGame>) {
    let mut games = Vec::new();
    let ended = visit.run(&AtomicBool::new(false), |event| {
        if let GgsEvent::Ended(game) = event {
            games.push(game.clone());
        }
        Ok(())
    });
    (ended, games)
}

#[test]
fn a_rated_synchronised_match_is_accepted_played_and_kept() {
    // Another game, too short, unrated: only the last is what we want.
    let requests = vec!["15:00//02:00 8a R", "00:01 8 R", "15:00 8 U", "15:00//02:00 s8r14 R"];
    let (address, server) = start(Plan { requests, ..Plan::default() });
    let (ended, games) = run(&visit(address));
    ended.unwrap();
    let guest = server.join().unwrap();
    let declined = guest.lines.iter().filter(|line| line.starts_with("tell /os decline")).count();
    assert_eq!((declined, guest.games.len(), games.len()), (3, 2, 2), "{:?}", guest.lines);
    for (record, colour) in &guest.games {
        let sheet = &games
            .iter()
            .find(|game| {
                game.sheet.tag(if *colour == Colour::Black { "Black" } else { "White" }) == Some("guest")
            })
            .unwrap()
            .sheet;
        let moves: Vec<String> = record.moves().map(|mv| record.game().move_text(mv)).collect();
        assert_eq!(sheet.moves, moves);
        assert_eq!(sheet.start, Some(record.game().position_text(record.start())));
        assert!(sheet.record::<Othello>().unwrap().end().is_some());
        assert_eq!((sheet.tag("Event"), sheet.tag("Date")), (Some("s8r14 rated"), Some("2026.11.16")));
    }
    assert_eq!(games[0].sheet.start, games[1].sheet.start, "both colours from one position");
    let all: Vec<_> = games.into_iter().map(|game| game.sheet).collect();
    let text = String::from_utf8(sheets::write(Format::TEXT, &all).unwrap().files.remove(0).1).unwrap();
    let again = trilith_games::pgn::parse::<Othello>(&text).unwrap();
    assert!(again.len() == 2 && again.iter().all(|game| game.record.end().is_some()), "{text}");
}

#[test]
fn a_match_that_was_asked_for_is_played_by_the_clock() {
    let (address, server) = start(Plan { seconds: 6, ..Plan::default() });
    let mut visit = visit(address);
    visit.settings.seek = Some("8 00:06 robot".parse().unwrap());
    visit.player = "engine:hash=1".parse().unwrap();
    let (ended, games) = run(&visit);
    ended.unwrap();
    let guest = server.join().unwrap();
    assert!(guest.lines.contains(&"tell /os ask 8 00:06 robot".to_owned()), "{:?}", guest.lines);
    assert_eq!((games.len(), guest.games.len()), (1, 1));
    assert!(games[0].result.starts_with('+'), "against random moves: {}", games[0].result);
    let left = guest.least_left.unwrap();
    assert!(left > Duration::ZERO && left < Duration::from_secs(5), "it thought, and in time: {left:?}");
}

#[test]
fn what_goes_wrong_is_said() {
    let (address, server) = start(Plan { password: "another", ..Plan::default() });
    assert!(matches!(run(&visit(address)).0, Err(GgsError::Refused)));
    drop(server);
    let (address, server) =
        start(Plan { requests: vec!["15:00 8 R"], hangs_up_after: Some(5), ..Plan::default() });
    assert!(matches!(run(&visit(address.clone())).0, Err(GgsError::Lost(_))));
    server.join().unwrap();
    assert!(matches!(run(&visit(address)).0, Err(GgsError::Connect { .. })));
    let nobody = GgsVisit { player: "nobody".parse().unwrap(), ..visit("127.0.0.1:1".into()) };
    assert!(matches!(run(&nobody).0, Err(GgsError::Player(_))));
}
