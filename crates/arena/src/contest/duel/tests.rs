use super::*;

fn duel(a: &str, b: &str, games: u64) -> Duel {
    Duel { seed: Seed(7), ..Duel::new("othello", a, b, games) }
}

/// All that must not depend on machine and threads.
fn play(duel: &Duel) -> (DuelReport, Vec<GameReport>) {
    let (mut report, games) = duel.play(&Arc::default(), |_| ()).unwrap();
    (report.seconds, report.thinking) = (0.0, 0.0);
    (report, games.into_iter().map(|(_, result)| result.timeless()).collect())
}

#[test]
fn games_are_the_same_on_any_number_of_threads() {
    for (game, a) in [
        ("othello", "engine:nodes=300,radius=1,hash=1"),
        ("morris", "minimax:depth=2"),
        ("abalone", "engine:depth=1,hash=1"),
    ] {
        let rules = if game == "abalone" { "plies=60".into() } else { String::new() };
        let one = Duel { game: game.into(), rules, ..duel(a, "random", 13) };
        let (report, games) = play(&one);
        for threads in [2, 5] {
            let (again, games_again) = play(&Duel { threads, ..one.clone() });
            assert_eq!(games_again, games);
            assert_eq!(again, report);
        }
        assert_eq!((report.games, games.len(), report.pairs.iter().sum::<u64>()), (13, 13, 6));
        let other = play(&Duel { seed: Seed(8), ..one });
        assert_ne!(other.1, games, "another seed gives other games");
    }
}

#[test]
fn both_colours_are_played_from_each_opening() {
    let (_, games) = duel("random", "minimax:depth=1", 10).play(&Arc::default(), |_| ()).unwrap();
    for pair in games.chunks(2) {
        let [(first, _), (second, _)] = pair else { panic!("ten games are five pairs") };
        assert_eq!(first.opening, second.opening);
        assert_eq!((&first.black, &first.white), (&second.white, &second.black));
    }
}

#[test]
fn a_test_ends_a_clear_match_early_and_at_the_same_game() {
    let sprt = Some("0,100,0.05,0.05".parse().unwrap());
    let clear = Duel { sprt, ..duel("minimax:depth=2", "random", 2000) };
    let (report, games) = play(&clear);
    assert_eq!(report.sprt.as_ref().unwrap().verdict, "H1");
    assert!(report.games < 400 && games.len() as u64 == report.games, "{}", report.games);
    assert_eq!(play(&Duel { threads: 3, ..clear }), (report, games));
    let even = Duel { sprt, ..duel("random", "random", 2000) };
    assert_eq!(play(&even).0.sprt.unwrap().verdict, "H0");
}

#[test]
fn passes_and_colours_are_told_apart() {
    let (report, games) = play(&Duel { passes: 3, ..duel("minimax:depth=1", "random", 31) });
    let passes = report.passes.unwrap();
    assert_eq!(passes.count, 3, "ten games each, the last one belongs to none");
    let mean = games[..30].iter().map(|result| f64::from(1 + result.sign(colour_of_a(result.number))) / 60.0);
    assert!((passes.mean - mean.sum::<f64>()).abs() < 1e-12);
    assert_eq!((report.as_black.games(), report.as_white.games()), (16, 15));
    assert_eq!(report.as_black.wins + report.as_white.wins, report.wins);
    assert_eq!(play(&duel("random", "random", 4)).0.passes, None);
}

#[test]
fn a_stopped_match_keeps_what_was_played() {
    let stop: Arc<AtomicBool> = Arc::default();
    let (report, games) = duel("random", "random", 1_000_000)
        .play(&stop, |progress| stop.store(progress.played >= 20, std::sync::atomic::Ordering::Relaxed))
        .unwrap();
    assert!((20..1000).contains(&report.games) && games.len() as u64 == report.games, "{}", report.games);
}

#[test]
fn saved_games_read_back() {
    let mut host = Host::default();
    let played = Duel { game: "morris".into(), ..duel("random", "minimax:depth=1", 4) };
    for (job, result) in played.play(&Arc::default(), |_| ()).unwrap().1 {
        let text = host.text(&job, &result).unwrap();
        let games = trilith_games::pgn::parse::<trilith_games::morris::Morris>(&text).unwrap();
        assert_eq!(games[0].record.len(), result.plies());
        assert!(text.contains("[White \"") && text.contains("[OpeningPlies \"6\"]"), "{text}");
    }
}

#[test]
fn what_cannot_be_played_is_said_before_the_first_game() {
    let fault = |duel: Duel| duel.play(&Arc::default(), |_| ()).unwrap_err().to_string();
    assert!(fault(duel("randm", "random", 2)).contains("`random`?"));
    assert!(fault(Duel { game: "go".into(), ..duel("random", "random", 2) }).contains("unknown game `go`"));
    assert!(fault(Duel { rules: "x=1".into(), ..duel("random", "random", 2) }).contains("unknown rule"));
    let openings = OpeningSource::File("no/such/file".into());
    assert!(fault(Duel { openings, ..duel("random", "random", 2) }).contains("no/such/file"));
}

/// Five openings for fifteen pairs of players without chance: ten games differ, and the other twenty prove nothing.
#[test]
fn games_that_come_again_are_counted_but_are_no_evidence() {
    let folder = std::env::temp_dir().join(format!("trilith-openings-{}", std::process::id()));
    std::fs::write(&folder, "f5d6c3d3c4\nf5d6c4\nf5f6e6f4\nf5f6e6d6\nf5d6c5\n").unwrap();
    let five = Duel {
        openings: OpeningSource::File(folder.clone()),
        ..duel("engine:depth=2,hash=1", "engine:depth=1,hash=1", 10)
    };
    let (once, _) = play(&five);
    assert_eq!((once.variety.distinct_games, once.variety.distinct_pairs), (10, 5));
    assert!(once.warnings.is_empty(), "{:?}", once.warnings);
    let (thrice, _) = play(&Duel { games: 30, ..five.clone() });
    assert_eq!((thrice.games, thrice.wins, thrice.losses), (30, once.wins * 3, once.losses * 3));
    assert_eq!(thrice.variety, once.variety);
    assert_eq!(
        (thrice.elo, thrice.elo_low, thrice.elo_high, thrice.los),
        (once.elo, once.elo_low, once.elo_high, once.los)
    );
    assert!(thrice.warnings[0].contains("ran out: 5 different ones for 15 pairs"), "{:?}", thrice.warnings);
    assert!(thrice.warnings[1].contains("only 10 of 30 games differ"), "{:?}", thrice.warnings);
    let sprt = Some("0,30,0.05,0.05".parse().unwrap());
    let (tested, _) = play(&Duel { games: 400, sprt, ..five });
    assert_eq!(tested.games, 400, "the same five pairs are no answer, however often they come");
    std::fs::remove_file(folder).unwrap();
}

#[test]
fn players_that_never_differ_are_found_out() {
    let (report, _) = play(&duel("engine:depth=2,hash=1", "engine:depth=2,hash=1", 12));
    assert_eq!((report.variety.identical_pairs, report.elo), (6, 0.0));
    assert!(
        report.warnings.iter().any(|warning| warning.contains("never differed")),
        "{:?}",
        report.warnings
    );
    let (report, _) = play(&duel("minimax:depth=2", "random", 12));
    assert!(report.warnings.is_empty() && report.variety.identical_pairs == 0, "{:?}", report.warnings);
    assert_eq!(report.endings.values().sum::<u64>(), 12);
}

#[test]
fn a_journal_gives_back_its_games_and_takes_more() {
    let path = std::env::temp_dir().join(format!("trilith-duel-journal-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let whole = Duel { games: 20, ..duel("minimax:depth=1", "random", 20) };
    let (expected, games) = play(&whole);
    let run = |games: u64, until: u64| {
        let stop = AtomicBool::new(false);
        let journal = Journaled::open(&path, "othello").unwrap();
        let (mut new, mut played) = (0, 0);
        let duel = Duel { games, ..whole.clone() };
        let (mut report, games) = duel
            .play_on(&Workers::Threads(2), journal, &stop, |progress| {
                new += u64::from(progress.played > played);
                played = progress.played;
                stop.store(played >= until, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            })
            .unwrap();
        (report.seconds, report.thinking) = (0.0, 0.0);
        (report, games.into_iter().map(|(_, result)| result.timeless()).collect::<Vec<_>>())
    };
    let (part, _) = run(12, 5);
    assert!((5..12).contains(&part.games), "{}", part.games);
    assert_eq!(run(12, 1000).0.games, 12);
    assert_eq!(
        run(20, 1000),
        (expected, games),
        "prolonged, with the same games as one that was not interrupted"
    );
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    assert_eq!(lines, 21, "a head, and each game once");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn moves_carry_what_the_players_said() {
    let played = duel("engine:depth=3,hash=1", "random", 2);
    let mut host = Host::default();
    for (job, result) in played.play(&Arc::default(), |_| ()).unwrap().1 {
        assert_eq!(result.notes.len(), result.plies() - 6);
        let said = result.notes.iter().filter(|note| note.depth.is_some() && note.nodes.is_some()).count();
        assert!(said * 2 + 3 > result.notes.len() && said < result.notes.len(), "one of two says something");
        let text = host.text(&job, &result).unwrap();
        assert!(text.contains("/3 "), "{text}");
        let again = trilith_games::pgn::parse::<trilith_games::othello::Othello>(&text).unwrap();
        assert_eq!(again[0].record.len(), result.plies());
    }
}
