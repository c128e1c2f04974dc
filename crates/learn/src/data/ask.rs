//! Positions beside games, valued by a program that is asked; and positions as plain rows for other programs.
//!
//! A pattern evaluation has far more weights than there are positions that a search can judge in reasonable time. A large
//! network learns more from as few, since all its weights serve every position, and on a graphics card it values
//! hundreds of thousands a second: so it is asked about what the few did not show, and the patterns learn from that.
//!
//! The program may be anything. It gets the number of rows of a batch (four bytes) and the rows: the stones of the side to
//! move and of its opponent (eight bytes each, one bit a cell) and, in games with stones in hand, how many each has there (one
//! byte each). It answers for each with what a search would think of it (two bytes, hundredths of the evaluation's unit for
//! the side to move) and how the game will end (one byte, [`Training::ending`]), and ends with its input. All numbers have
//! their little end first.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rand::{Rng, RngExt};
use trilith_games::{Game, MoveList, playout};

use super::error::DataError;
use super::game::{PlayedGame, PlayedGameError};
use super::positions::LabelledPosition;
use super::settings::AskSettings;
use crate::training::{Training, has_choice};

/// Games whose positions are asked about at once, and are one block of a file.
pub const GAMES_PER_BATCH: usize = 256;

/// Adds the positions about a game that `settings` draw, those in which the side to move has a choice.
pub fn beside<G: Game, C: Training<G>>(
    played: &PlayedGame,
    settings: &AskSettings,
    rng: &mut impl Rng,
    into: &mut Vec<(G, G::Position)>,
) -> Result<(), PlayedGameError> {
    let (game, taught) = played.taught::<G, C>()?;
    for ended in taught {
        let mut moves = MoveList::new();
        game.moves(&ended.position, &mut moves);
        for mv in moves {
            if !rng.random_bool(settings.share) {
                continue;
            }
            let mut after = game.play(&ended.position, mv);
            for _ in 0..rng.random_range(0..=settings.further) {
                if let Some(mv) = playout::random_move(&game, &after, rng) {
                    after = game.play(&after, mv);
                }
            }
            if has_choice::<G, C>(&game, &after) {
                into.push((game.clone(), after));
            }
        }
    }
    Ok(())
}

/// A program that values positions.
pub struct Labeller {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Labeller {
    /// Starts the program with its arguments; what it says on standard error goes where ours does.
    pub fn start(program: &[String]) -> Result<Labeller, DataError> {
        let name = program.first().cloned().unwrap_or_default();
        let mut command = Command::new(&name);
        let arguments = program.get(1..).unwrap_or_default();
        let child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let fault =
            |source| DataError::Program { program: name.clone(), what: "it cannot be started", source };
        let mut child = child.map_err(fault)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = (input.expect("it is piped"), output.expect("it is piped"));
        Ok(Labeller { name, child, input, output: BufReader::new(output) })
    }

    /// The positions with what it says of them; an error if it ends before it has said all.
    pub fn ask<G: Game, C: Training<G>>(
        &mut self,
        positions: Vec<(G, G::Position)>,
    ) -> Result<Vec<LabelledPosition<G>>, DataError> {
        let mut rows = (positions.len() as u32).to_le_bytes().to_vec();
        positions.iter().for_each(|(game, position)| push_boards::<G, C>(game, position, &mut rows));
        let answers = self.exchange(&rows, 3 * positions.len()).map_err(|source| DataError::Program {
            program: self.name.clone(),
            what: "no values from it",
            source,
        })?;
        let judged = positions.into_iter().zip(answers.chunks_exact(3)).map(|((game, position), answer)| {
            let (result, margin) = C::read_ending(answer[2] as i8);
            let value = C::in_range(i16::from_le_bytes([answer[0], answer[1]]));
            LabelledPosition { game, position: C::for_mover(position), value, result: Some(result), margin }
        });
        Ok(judged.collect())
    }

    /// Writes and reads at once: a program may answer before it has read all.
    fn exchange(&mut self, question: &[u8], length: usize) -> io::Result<Vec<u8>> {
        let Labeller { child, input, output, .. } = self;
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| input.write_all(question).and_then(|()| input.flush()));
            let mut answers = vec![0; length];
            let read = output.read_exact(&mut answers);
            if read.is_ok() {
                writer.join().expect("writing does not panic")?;
            } else {
                // It has ended, or is about to: a writer that waits for it would wait without end.
                let _ = child.kill();
            }
            read.map(|()| answers)
        })
    }
}

impl Drop for Labeller {
    fn drop(&mut self) {
        // One that is not yet done with its work would be waited for without end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn push_boards<G: Game, C: Training<G>>(game: &G, position: &G::Position, into: &mut Vec<u8>) {
    let boards = C::boards(game, position);
    into.extend_from_slice(&boards.own.to_le_bytes());
    into.extend_from_slice(&boards.other.to_le_bytes());
    if C::HAS_HAND {
        into.extend_from_slice(&boards.hand);
    }
}

/// Adds a position as bytes for other programs: its boards as in a question, the value, the ending (the least numbers if
/// there is none), and one byte that says whether it is kept for testing.
pub fn push_row<G: Game, C: Training<G>>(
    (game, position): (&G, &G::Position),
    value: Option<i16>,
    (result, margin): (Option<u16>, Option<i16>),
    is_test: bool,
    into: &mut Vec<u8>,
) {
    push_boards::<G, C>(game, position, into);
    into.extend_from_slice(&value.unwrap_or(i16::MIN).to_le_bytes());
    into.push(C::ending(result, margin).unwrap_or(i8::MIN) as u8);
    into.push(is_test.into());
}

/// The bytes of a row of [`push_row`].
pub fn row_length<G: Game, C: Training<G>>() -> usize {
    if C::HAS_HAND { 22 } else { 20 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{GenerationSettings, games};
    use std::collections::HashSet;
    use trilith_base::Seed;
    use trilith_base::job::Workers;
    use trilith_eval::{morris, othello};
    use trilith_games::Colour;
    use trilith_games::morris::Morris;
    use trilith_games::othello::{Othello, Position};

    type OthelloSet = othello::Evaluations;

    fn game() -> PlayedGame {
        let (random, seed) = (20, Seed(5));
        let usual = GenerationSettings::default();
        let settings = GenerationSettings {
            random_least: random,
            random_most: random,
            depth: 1,
            exact: 6,
            seed,
            ..usual
        };
        let never = false.into();
        let games =
            games::collect::<Othello, OthelloSet>(&settings, None, (1, 2), &Workers::Threads(1), &never);
        games.unwrap().remove(0)
    }

    #[test]
    fn all_successors_are_found_and_those_further_on_have_more_discs() {
        let played = game();
        let positions = |further| {
            let mut into = Vec::new();
            let settings = AskSettings { share: 1.0, further, seed: Seed(1) };
            beside::<Othello, OthelloSet>(&played, &settings, &mut Seed(1).rng(), &mut into).unwrap();
            into.into_iter().map(|(_, position)| position).collect::<Vec<Position>>()
        };
        let (near, far) = (positions(0), positions(3));
        let (rules, taught) = played.taught::<Othello, OthelloSet>().unwrap();
        let mut expected = Vec::new();
        for ended in taught {
            let mut moves = MoveList::new();
            rules.moves(&ended.position, &mut moves);
            expected.extend(moves.into_iter().map(|mv| rules.play(&ended.position, mv)));
        }
        expected.retain(|after| after.mobility() != 0);
        assert_eq!(near, expected);
        let discs = |list: &[Position]| list.iter().map(|p| 64 - p.empties().count_ones()).sum::<u32>();
        assert!(near.len() > 100 && discs(&far) / far.len() as u32 > discs(&near) / near.len() as u32);
        assert!(far.iter().collect::<HashSet<_>>().len() > far.len() / 2);
    }

    #[test]
    fn a_row_has_all_columns() {
        let (game, position) = (Othello::default(), Position { own: 1, other: 2, to_move: Colour::White });
        let row = |value, ended, is_test| {
            let mut row = Vec::new();
            push_row::<Othello, OthelloSet>((&game, &position), value, ended, is_test, &mut row);
            assert_eq!(row.len(), row_length::<Othello, OthelloSet>());
            row
        };
        let searched = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 253, 255, 128, 1];
        assert_eq!(row(Some(-3), (None, None), true), searched);
        assert_eq!(row(None, (Some(0), Some(-2)), false)[16..], [0, 128, 254, 0]);
        let (game, mut row) = (Morris::default(), Vec::new());
        let start = game.start();
        push_row::<Morris, morris::Evaluations>((&game, &start), None, (Some(0), None), true, &mut row);
        assert_eq!(row[14..], [0, 0, 9, 9, 0, 128, 156, 1], "nine stones in hand each, and a loss");
        assert_eq!(row.len(), row_length::<Morris, morris::Evaluations>());
    }

    #[test]
    #[cfg(unix)]
    fn a_program_gets_batches_and_its_answers_are_kept_in_range() {
        let path = std::env::temp_dir().join(format!("trilith-asked-{}", std::process::id()));
        // Says 513 hundredths and 3 discs of the first, 7000 and -128 of the second, then ends.
        let script = format!("head -c 36 > {}; printf '\\001\\002\\003\\130\\033\\200'", path.display());
        let mut labeller = Labeller::start(&["sh".into(), "-c".into(), script]).unwrap();
        let position = |own, other| (Othello::default(), Position { own, other, to_move: Colour::Black });
        let judged = labeller.ask::<Othello, OthelloSet>(vec![position(1, 2), position(3, 4)]).unwrap();
        let expected = [(1, 2, 513, Some(1000), Some(3)), (3, 4, 6400, Some(0), Some(-64))];
        let kept = judged
            .iter()
            .map(|row| (row.position.own, row.position.other, row.value, row.result, row.margin));
        assert!(kept.eq(expected), "{judged:?}");
        assert!(labeller.ask::<Othello, OthelloSet>(vec![position(1, 2)]).is_err(), "it has ended");
        let rows: Vec<u8> = [1_u64, 2, 3, 4].iter().flat_map(|board| board.to_le_bytes()).collect();
        assert_eq!(std::fs::read(&path).unwrap(), [&[2, 0, 0, 0], &rows[..]].concat());
        std::fs::remove_file(&path).unwrap();
    }
}
