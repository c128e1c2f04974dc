//! Lessons that come with the program: every step can be done, and what is called best is best.

#![allow(clippy::unwrap_used)]

use trilith_arena::player::text::{TextRecord, text_player};
use trilith_arena::table;
use trilith_base::Seed;
use trilith_search::Limits;
use trilith_teach::lesson::{Ground, Lesson, Step, shipped};

/// Plies of the search that has to agree.
const DEPTH: u32 = 6;

fn steps() -> impl Iterator<Item = (&'static str, String, Step)> {
    trilith_arena::GAMES.iter().flat_map(|game| {
        let named = |lesson: Lesson| lesson.steps.into_iter().map(move |step| (lesson.name.clone(), step));
        shipped(game).unwrap().into_iter().flat_map(named).map(|(name, step)| (*game, name, step))
    })
}

#[test]
fn every_step_can_be_done_and_not_by_every_move() {
    let mut count = 0;
    for (game, name, step) in steps() {
        let table = || {
            table::open(game, "", step.position.as_deref()).unwrap_or_else(|fault| {
                panic!("{game}, {name}: {:?}: {fault}", step.position);
            })
        };
        let legal: Vec<String> = table().view().legal.into_iter().map(|legal| legal.text).collect();
        for mv in &step.accept {
            assert!(legal.contains(mv), "{game}, {name}: {mv} is none of {legal:?}\n{}", table().diagram());
        }
        assert!(step.accept.len() < legal.len(), "{game}, {name}: leave `accept` out for any move");
        if let Some(reply) = &step.reply {
            let mut table = table();
            let first = step.accept.first().unwrap_or(&legal[0]);
            table.play(first).unwrap();
            table.play(reply).unwrap_or_else(|fault| panic!("{game}, {name}: {fault}"));
        }
        assert!(step.ground == Ground::Rules || !step.accept.is_empty(), "{game}, {name}");
        count += 1;
    }
    assert!(count >= 18, "{count} steps");
}

#[test]
fn what_is_called_best_is_best() {
    for (game, name, step) in steps().filter(|(_, _, step)| step.ground == Ground::Search) {
        let mut engine = text_player(game, "engine:hash=16", Seed(1)).unwrap();
        let record = TextRecord { start: step.position.clone(), ..TextRecord::default() };
        let best = engine.choose(&record, Limits::depth(DEPTH)).unwrap().mv;
        assert!(step.accept.contains(&best), "{game}, {name}: the search plays {best}");
    }
}

/// Each has a handful of positions.
#[test]
fn the_ideas_that_club_players_know_have_lessons() {
    let ideas = [
        ("othello", vec!["corners", "x-squares", "mobility", "quiet-moves", "parity", "edges"]),
        ("morris", vec!["double-mills", "cross-points", "blocking", "flying"]),
        ("abalone", vec!["centre", "cohesion", "threats"]),
    ];
    for (game, names) in ideas {
        let lessons = shipped(game).unwrap();
        for name in names {
            let lesson = lessons.iter().find(|lesson| lesson.name == name);
            let lesson = lesson.unwrap_or_else(|| panic!("{game} has no lesson on {name}"));
            let searched = lesson.steps.iter().filter(|step| step.ground == Ground::Search).count();
            assert!(lesson.puzzles.len() + searched >= 4, "{game}: {name} has too few positions");
        }
    }
}

#[test]
fn every_game_that_has_lessons_begins_with_first_steps_and_practises_the_others() {
    for game in trilith_arena::GAMES {
        let lessons = shipped(game).unwrap();
        assert!(lessons.is_empty() || lessons[0].name == "first-steps", "{game}");
        for lesson in lessons.iter().skip(1) {
            assert!(lesson.theme.is_some() || lesson.steps.len() >= 3, "{game}: {}", lesson.name);
        }
    }
}
