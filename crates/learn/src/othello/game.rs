//! Games of Othello by their squares: 60 bytes that are replayed without a text being read.

use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Colour, Game};

use crate::data::positions::result_of;
use crate::data::{PlayedGame, PlayedGameError};

/// A game with the margin that best play from its last random move on (as far as known) leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloGame {
    /// Squares in order; passes are implied.
    pub squares: Vec<u8>,
    /// How many of them were random: positions before the last of these say nothing about the margin.
    pub random: u8,
    /// Final margin for Black, empty squares to the winner.
    pub margin: i8,
}

/// The position after a disc on `square`, passing first where that is forced; none if that is not legal.
pub fn step(rules: &Othello, position: &Position, square: u8) -> Option<Position> {
    let mut position = *position;
    if position.mobility() == 0 {
        position = position.after_pass();
    }
    (square < 64 && position.mobility() >> square & 1 == 1).then(|| rules.play(&position, Move::on(square)))
}

impl OthelloGame {
    /// What is wrong with it, if something is.
    pub fn check(&self) -> Result<(), PlayedGameError> {
        let rules = Othello::default();
        let mut position = rules.start();
        for (ply, &square) in self.squares.iter().enumerate() {
            let after = step(&rules, &position, square);
            position = after.ok_or_else(|| PlayedGameError::new(format!("move {} is not legal", ply + 1)))?;
        }
        match usize::from(self.random) <= self.squares.len() && (-64..=64).contains(&self.margin) {
            true => Ok(()),
            false => Err(PlayedGameError::new("random moves or margin out of range")),
        }
    }

    /// The positions that say something: from the last random move on, with the margin for the side to move. Trusts that
    /// the game has been checked.
    pub fn labelled(&self, mut visit: impl FnMut(&Position, i8)) {
        let rules = Othello::default();
        let mut position = rules.start();
        for (ply, &square) in self.squares.iter().enumerate() {
            position = step(&rules, &position, square).expect("checked when it was read");
            if ply + 1 >= usize::from(self.random) && !position.has_ended() {
                let is_black = position.to_move == Colour::Black;
                visit(&position, if is_black { self.margin } else { -self.margin });
            }
        }
    }

    /// The game as files have it. Trusts that it has been checked.
    pub fn to_played(&self) -> PlayedGame {
        let rules = Othello::default();
        let mut position = rules.start();
        let (mut moves, mut random) = (Vec::new(), 0);
        for (ply, &square) in self.squares.iter().enumerate() {
            if position.mobility() == 0 {
                moves.push(Move::PASS.to_string());
            }
            moves.push(Move::on(square).to_string());
            position = step(&rules, &position, square).expect("checked when it was read");
            if ply < usize::from(self.random) {
                random = moves.len();
            }
        }
        let margin = self.margin.into();
        let (moves, result) = (moves.join(" "), result_of(margin));
        PlayedGame {
            rules: rules.rules().to_string(),
            random,
            moves,
            values: Vec::new(),
            result,
            margin: Some(margin),
        }
    }

    /// The game of a file, checked.
    pub fn of(played: &PlayedGame) -> Result<OthelloGame, PlayedGameError> {
        let mut game = OthelloGame { squares: Vec::new(), random: 0, margin: 0 };
        for (ply, text) in played.plies().enumerate() {
            let mv: Move = text.parse().map_err(PlayedGameError::new)?;
            game.squares.extend(mv.square());
            game.random += u8::from(ply < played.random && mv.square().is_some());
        }
        let margin = played.margin.and_then(|margin| i8::try_from(margin).ok());
        game.margin = margin.ok_or_else(|| PlayedGameError::new("no margin, or one out of range"))?;
        game.check().map(|()| game)
    }
}

/// The games of a file, checked.
pub fn from_played(played: &[PlayedGame]) -> Result<Vec<OthelloGame>, PlayedGameError> {
    let game = |(number, played)| {
        OthelloGame::of(played).map_err(|fault| PlayedGameError::new(format!("game {}: {fault}", number + 1)))
    };
    played.iter().enumerate().map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::{Record, playout};

    #[test]
    fn games_of_files_and_of_squares_teach_the_same_positions() {
        let mut passes = 0;
        for number in 0..200 {
            let mut record = Record::new(Othello::default());
            playout::play_on(&mut record, 130, &mut Seed(number).rng());
            let squares: Vec<u8> = record.moves().filter_map(|mv| mv.square()).collect();
            let random = (1 + number as usize % 50).min(squares.len()) as u8;
            let game = OthelloGame { squares, random, margin: (number % 9) as i8 - 4 };
            let played = game.to_played();
            assert_eq!(OthelloGame::of(&played).unwrap(), game);
            let mut expected = Vec::new();
            game.labelled(|position, margin| expected.push((*position, margin)));
            let (_, taught) = played.taught::<Othello, trilith_eval::othello::Evaluations>().unwrap();
            let taught = taught.iter().map(|ended| (ended.position, ended.margin.unwrap() as i8));
            assert!(taught.eq(expected), "{played:?}");
            passes += played.plies().filter(|text| *text == "pass").count();
        }
        assert!(passes > 50, "{passes}");
    }

    #[test]
    fn games_that_cannot_be_played_are_refused() {
        let game = OthelloGame { squares: vec![0], random: 0, margin: 0 };
        assert_eq!(game.check().unwrap_err().to_string(), "move 1 is not legal");
        let played = OthelloGame { squares: vec![37, 43], random: 0, margin: 0 }.to_played();
        assert!(OthelloGame::of(&PlayedGame { margin: None, ..played.clone() }).is_err());
        assert!(OthelloGame::of(&PlayedGame { moves: "f5 f5".into(), ..played }).is_err());
    }
}
