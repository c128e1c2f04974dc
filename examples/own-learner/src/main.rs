//! Trains a learner that Trilith does not know, and plays with an evaluation that it does not know either.
//!
//! `cargo run --release -- FOLDER`: checkpoints, curves and the artifact lie in FOLDER, as with `trilith train`.

mod evaluation;
mod learner;

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use evaluation::OwnEvaluations;
use trilith_arena::player::{Player, Turn, player};
use trilith_base::Seed;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record};
use trilith_learn::run::{Folder, RunConfig, RunEnd, RunOptions, train_kind};
use trilith_search::{Control, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder for the run")?;
    let folder = Path::new(&folder);
    train(folder)?;
    let file = folder.join(Folder::ARTIFACT);
    println!("{} of 20 games against random moves", play(&file, 20)?);
    Ok(())
}

/// Trains; run it again with `resume` to go on with a run that was stopped.
fn train(folder: &Path) -> Result<(), Box<dyn Error>> {
    let config = RunConfig::parse("kind = \"three\"\ngame = \"othello\"\nseed = 1\n")?;
    let stop = AtomicBool::new(false);
    let here = Path::new("");
    let options =
        RunOptions { folder, base: here, resume: false, threads: None, revision: "own-learner", stop: &stop };
    let ended = train_kind(&learner::KIND, &config, &options, |status| {
        println!("{:3.0}% loss {:.3}", 100.0 * status.done, status.loss.unwrap_or_default());
    })?;
    match ended {
        RunEnd::Finished(_) => Ok(()),
        RunEnd::Stopped => Err("stopped".into()),
    }
}

/// Points of a search of two plies with the learned weights against random moves.
fn play(file: &Path, games: u64) -> Result<f64, Box<dyn Error>> {
    let own = format!("engine:eval=three,file={},depth=2", file.display()).parse()?;
    let mut points = 0.0;
    for number in 0..games {
        let mut players: [Box<dyn Player<Othello>>; 2] = [
            player::<Othello, OwnEvaluations>(&own, Seed(number))?,
            player::<Othello, OwnEvaluations>(&"random".parse()?, Seed(number))?,
        ];
        let colour = if number.is_multiple_of(2) { Colour::Black } else { Colour::White };
        let mut record = Record::new(Othello::default());
        while record.end().is_none() {
            let is_own = record.game().to_move(record.position()) == colour;
            let control = Control::default();
            let turn = Turn { control: &control, limits: Limits::default() };
            let decision = players[usize::from(!is_own)].choose(&record, turn, &mut |_| ())?;
            record.push(decision.mv)?;
        }
        let winner = record.end().and_then(|end| end.winner);
        points += winner.map_or(0.5, |winner| if winner == colour { 1.0 } else { 0.0 });
    }
    Ok(points)
}
