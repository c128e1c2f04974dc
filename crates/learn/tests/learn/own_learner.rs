//! The example of a learner and an evaluation of one's own, `examples/own-learner`: it learns, and plays with what it learned.
//!
//! `./test` also checks that the crate stands alone.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::evaluation::{self, OwnEvaluations};
use trilith_base::Seed;
use trilith_eval::{Catalogue, LeafEvaluator};
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, MoveList, Record, playout};
use trilith_learn::run::{Folder, RunConfig, RunEnd, RunOptions, train_kind};

/// The move after which the opponent is worst off.
fn greedy(evaluation: &dyn LeafEvaluator<Othello>, record: &Record<Othello>) -> <Othello as Game>::Move {
    let mut legal = MoveList::new();
    record.game().moves(record.position(), &mut legal);
    let worth = |mv| evaluation.value(record.game(), &record.game().play(record.position(), mv));
    *legal.iter().min_by_key(|&&mv| worth(mv)).unwrap()
}

#[test]
fn it_learns_and_what_it_learned_beats_random_moves() {
    let folder = std::env::temp_dir().join(format!("trilith-own-learner-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let text = "kind = \"three\"\ngame = \"othello\"\nseed = 1\n[parameters]\ngames = 200\n";
    let config = RunConfig::parse(text).unwrap();
    let (stop, base) = (AtomicBool::new(false), Path::new(""));
    let options =
        RunOptions { folder: &folder, base, resume: false, threads: None, revision: "test", stop: &stop };
    let mut losses = Vec::new();
    let ended =
        train_kind(&crate::learner::KIND, &config, &options, |status| losses.extend(status.loss)).unwrap();
    assert!(matches!(ended, RunEnd::Finished(_)));
    assert!(losses[losses.len() - 1] < losses[0], "{losses:?}");

    let file = folder.join(Folder::ARTIFACT);
    assert!(OwnEvaluations::entries().iter().any(|entry| entry.name == evaluation::NAME));
    let evaluation = OwnEvaluations::named(evaluation::NAME, Some(&file)).unwrap();
    assert_eq!(evaluation.explain(&Othello::default(), &Othello::default().start()).terms.len(), 3);
    let (mut rng, mut points) = (Seed(2).rng(), 0.0);
    for number in 0..40 {
        let colour = if number % 2 == 0 { Colour::Black } else { Colour::White };
        let mut record = Record::new(Othello::default());
        while record.end().is_none() {
            let is_own = record.game().to_move(record.position()) == colour;
            let mv = match is_own {
                true => greedy(&*evaluation, &record),
                false => playout::random_move(record.game(), record.position(), &mut rng).unwrap(),
            };
            record.push(mv).unwrap();
        }
        points += record.end().unwrap().winner.map_or(0.5, |winner| f64::from(winner == colour));
    }
    assert!(points > 28.0, "{points} of 40");
    std::fs::remove_dir_all(folder).unwrap();
}
