//! Positions beside games, valued by a program that is asked.
//!
//! A pattern evaluation has far more weights than there are positions that a search can judge in reasonable time. A large
//! network learns more from as few, since all its weights serve every position, and on a graphics card it values
//! hundreds of thousands a second: so it is asked about what the few did not show, and the patterns learn from that.
//!
//! The program may be anything. It gets the number of rows of a batch (four bytes) and the rows (the discs of the side to
//! move and of its opponent, eight bytes each), answers for each with what a search would think of it (two bytes,
//! hundredths of a disc for the side to move) and how the game will end (one byte, discs), and ends with its input. All
//! numbers have their little end first.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rand::{Rng, RngExt};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, MoveList, playout};

use super::positions::Judged;
use super::store::Played;

/// Which positions are asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Which part of the moves in a game's positions is followed: 0 to 1.
    pub share: f64,
    /// Random plies after each of these: as many as drawn, from none to this.
    pub further: u32,
}

/// Games whose positions are asked about at once, and are one block of a file.
pub const PER_BATCH: usize = 256;

/// Adds the positions about a game that `plan` draws, those in which the side to move has a move.
pub fn beside(game: &Played, plan: &Plan, rng: &mut impl Rng, into: &mut Vec<Position>) {
    let rules = Othello::default();
    game.labelled(|position, _| {
        for mv in legal_moves(&rules, position) {
            if !rng.random_bool(plan.share) {
                continue;
            }
            let mut after = rules.play(position, mv);
            for _ in 0..rng.random_range(0..=plan.further) {
                if let Some(mv) = playout::random_move(&rules, &after, rng) {
                    after = rules.play(&after, mv);
                }
            }
            if after.mobility() != 0 {
                into.push(after);
            }
        }
    });
}

fn legal_moves(rules: &Othello, position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    rules.moves(position, &mut moves);
    moves
}

/// A program that values positions.
pub struct Labeller {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Labeller {
    /// Starts the program; what it says on standard error goes where ours does.
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Labeller> {
        let mut command = Command::new(program);
        let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = (input.expect("it is piped"), output.expect("it is piped"));
        Ok(Labeller { child, input, output: BufReader::new(output) })
    }

    /// The positions with what it says of them; an error if it ends before it has said all.
    pub fn ask(&mut self, positions: &[Position]) -> io::Result<Vec<Judged>> {
        let mut rows = Vec::with_capacity(4 + 16 * positions.len());
        rows.extend_from_slice(&(positions.len() as u32).to_le_bytes());
        for position in positions {
            rows.extend_from_slice(&position.own.to_le_bytes());
            rows.extend_from_slice(&position.other.to_le_bytes());
        }
        self.input.write_all(&rows)?;
        self.input.flush()?;
        let mut answers = vec![0; 3 * positions.len()];
        self.output.read_exact(&mut answers)?;
        let judged = positions.iter().zip(answers.chunks_exact(3)).map(|(position, answer)| Judged {
            own: position.own,
            other: position.other,
            value: i16::from_le_bytes([answer[0], answer[1]]).clamp(-6400, 6400),
            margin: Some((answer[2] as i8).clamp(-64, 64)),
        });
        Ok(judged.collect())
    }
}

impl Drop for Labeller {
    fn drop(&mut self) {
        // One that is not yet done with its work would be waited for without end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The bytes of a position for other programs.
pub const ROW: usize = 20;

/// A position as bytes for other programs: own, other, value, margin (the least numbers if there is none), and one
/// byte that says whether it is kept for testing.
pub fn row(position: &Position, value: Option<i16>, margin: Option<i8>, is_test: bool) -> [u8; ROW] {
    let mut row = [0; ROW];
    row[..8].copy_from_slice(&position.own.to_le_bytes());
    row[8..16].copy_from_slice(&position.other.to_le_bytes());
    row[16..18].copy_from_slice(&value.unwrap_or(i16::MIN).to_le_bytes());
    row[18] = margin.unwrap_or(i8::MIN) as u8;
    row[19] = is_test.into();
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::bootstrap::Bootstrap;
    use crate::othello::generate;
    use std::collections::HashSet;
    use trilith_base::Seed;

    fn game(number: u64) -> Played {
        let plan =
            generate::Plan { random_least: 20, random_most: 20, depth: 1, exact: 6, all: 0, seed: Seed(5) };
        generate::Generator::new(plan, Bootstrap, None).play(number)
    }

    #[test]
    fn all_successors_are_found_and_those_further_on_have_more_discs() {
        let (game, rules) = (game(1), Othello::default());
        let (mut near, mut far) = (Vec::new(), Vec::new());
        beside(&game, &Plan { share: 1.0, further: 0 }, &mut Seed(1).rng(), &mut near);
        beside(&game, &Plan { share: 1.0, further: 3 }, &mut Seed(1).rng(), &mut far);
        let mut expected = Vec::new();
        game.labelled(|position, _| {
            expected.extend(legal_moves(&rules, position).into_iter().map(|mv| rules.play(position, mv)))
        });
        expected.retain(|after| after.mobility() != 0);
        assert_eq!(near, expected);
        let discs = |list: &[Position]| list.iter().map(|p| 64 - p.empties().count_ones()).sum::<u32>();
        assert!(near.len() > 100 && discs(&far) / far.len() as u32 > discs(&near) / near.len() as u32);
        assert!(far.iter().collect::<HashSet<_>>().len() > far.len() / 2);
    }

    #[test]
    fn a_row_has_all_columns() {
        let position = Position { own: 1, other: 2, to_move: trilith_games::Colour::White };
        let searched = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 253, 255, 128, 1];
        assert_eq!(row(&position, Some(-3), None, true), searched);
        assert_eq!(row(&position, None, Some(-2), false)[16..], [0, 128, 254, 0]);
    }

    #[test]
    #[cfg(unix)]
    fn a_program_gets_batches_and_its_answers_are_kept_in_range() {
        let path = std::env::temp_dir().join(format!("trilith-asked-{}", std::process::id()));
        // Says 513 hundredths and 3 discs of the first, 7000 and -128 of the second, then ends.
        let script = format!("head -c 36 > {}; printf '\\001\\002\\003\\130\\033\\200'", path.display());
        let mut labeller = Labeller::start("sh", &["-c".into(), script]).unwrap();
        let position = |own, other| Position { own, other, to_move: trilith_games::Colour::Black };
        let judged = labeller.ask(&[position(1, 2), position(3, 4)]).unwrap();
        let expected = [(1, 2, 513, Some(3)), (3, 4, 6400, Some(-64))];
        let kept = judged.iter().map(|judged| (judged.own, judged.other, judged.value, judged.margin));
        assert!(kept.eq(expected), "{judged:?}");
        assert!(labeller.ask(&[position(1, 2)]).is_err(), "it has ended");
        let rows: Vec<u8> = [1_u64, 2, 3, 4].iter().flat_map(|board| board.to_le_bytes()).collect();
        assert_eq!(std::fs::read(&path).unwrap(), [&[2, 0, 0, 0], &rows[..]].concat());
        std::fs::remove_file(&path).unwrap();
    }
}
