//! Othello against a second, deliberately naive implementation that shares no code with the first.
//!
//! It keeps letters in an 8x8 array and walks one square at a time.

#![allow(clippy::unwrap_used)]

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{self, Othello, Position};
use trilith_games::{Game, MoveList};

#[derive(Clone)]
struct Naive {
    squares: [[char; 8]; 8],
    turn: char,
}

impl Naive {
    fn start() -> Naive {
        let mut squares = [['-'; 8]; 8];
        squares[3][3] = 'O';
        squares[3][4] = 'X';
        squares[4][3] = 'X';
        squares[4][4] = 'O';
        Naive { squares, turn: 'X' }
    }

    fn opponent(&self) -> char {
        if self.turn == 'X' { 'O' } else { 'X' }
    }

    fn turned_by(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        if self.squares[row][column] != '-' {
            return all;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let mut line = Vec::new();
            let (mut y, mut x) = (row as i32 + down, column as i32 + right);
            while (0..8).contains(&y) && (0..8).contains(&x) {
                let (here, place) = (self.squares[y as usize][x as usize], (y as usize, x as usize));
                if here == self.turn {
                    all.append(&mut line);
                    break;
                } else if here == '-' {
                    break;
                }
                line.push(place);
                (y, x) = (y + down, x + right);
            }
        }
        all
    }

    fn moves(&self) -> Vec<(usize, usize)> {
        let all = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
        all.filter(|&(row, column)| !self.turned_by(row, column).is_empty()).collect()
    }

    fn passed(&self) -> Naive {
        Naive { squares: self.squares, turn: self.opponent() }
    }

    fn played(&self, row: usize, column: usize) -> Naive {
        let mut next = self.clone();
        for (y, x) in self.turned_by(row, column) {
            next.squares[y][x] = self.turn;
        }
        next.squares[row][column] = self.turn;
        next.turn = self.opponent();
        next
    }

    /// Every position one ply on, with the name of the move; none when the game has ended.
    fn successors(&self) -> Vec<(String, Naive)> {
        let name = |row: usize, column: usize| {
            format!("{}{}", ["a", "b", "c", "d", "e", "f", "g", "h"][column], row + 1)
        };
        let moves = self.moves();
        if moves.is_empty() && !self.passed().moves().is_empty() {
            return vec![("pass".into(), self.passed())];
        }
        moves.into_iter().map(|(row, column)| (name(row, column), self.played(row, column))).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        let successors = self.successors();
        if depth == 0 || successors.is_empty() {
            return 1;
        }
        successors.iter().map(|(_, next)| next.perft(depth - 1)).sum()
    }

    fn text(&self) -> String {
        let board: String = self.squares.iter().flatten().collect();
        format!("{board} {}", self.turn)
    }

    fn count(&self, disc: char) -> i32 {
        self.squares.iter().flatten().filter(|&&square| square == disc).count() as i32
    }
}

trilith_games::per_technique! {
    /// What the single-position functions of a technique say: mobility, and flips by square.
    fn all_of(own: u64, other: u64) -> (u64, [u64; 64]) {
        let mut turned = [0; 64];
        for (square, turned) in turned.iter_mut().enumerate() {
            if (own | other) >> square & 1 == 0 {
                *turned = flips(own, other, square as u8);
            }
        }
        (mobility(own, other), turned)
    }

    /// What the last disc turns, by counting and by turning, on each square with all others occupied.
    fn last_of(own: u64) -> Vec<(u32, u32)> {
        let last = |square: u8| {
            let (own, other) = (own & !(1 << square), !own & !(1 << square));
            (last_flips(own, square), flips(own, other, square).count_ones())
        };
        (0..64).map(last).collect()
    }

    /// The bits of a number, taken out one by one.
    fn bits_of(bits: u64) -> Vec<u64> {
        (0..bits.count_ones()).map(|number| nth_bit(bits, number)).collect()
    }
}

#[test]
fn perft_agrees_with_the_naive_one() {
    let game = Othello::default();
    for depth in 0..=6 {
        assert_eq!(game.perft(&game.start(), depth), Naive::start().perft(depth), "depth {depth}");
    }
}

/// Random games in step: text, moves, ending, and every technique's view of each position.
#[test]
fn random_games_agree_with_the_naive_rules() {
    let game = Othello::default();
    let techniques: Vec<_> = Technique::available().collect();
    for number in 0..300 {
        let mut rng = Seed(11).derive("game", number).rng();
        let (mut naive, mut position) = (Naive::start(), game.start());
        loop {
            assert_eq!(position.text(), naive.text());
            techniques.iter().for_each(|&technique| technique_agrees(technique, &position, &naive));
            let successors = naive.successors();
            let mut moves = MoveList::new();
            game.moves(&position, &mut moves);
            let names: Vec<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
            assert_eq!(names, successors.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
            if successors.is_empty() {
                assert_eq!(
                    position.disc_difference(),
                    naive.count(naive.turn) - naive.count(naive.opponent())
                );
                break;
            }
            let choice = rng.random_range(0..successors.len());
            naive = successors[choice].1.clone();
            position = game.play(&position, moves[choice]);
        }
    }
}

fn technique_agrees(technique: Technique, position: &Position, naive: &Naive) {
    let (own, other) = (position.own, position.other);
    let (mobility, flips) = trilith_games::with_technique!(technique, all_of(own, other));
    let bit = |(row, column): (usize, usize)| 1_u64 << (8 * row + column);
    let expected = naive.moves().into_iter().fold(0, |bits, place| bits | bit(place));
    assert_eq!(mobility, expected, "{technique}: mobility of {}", naive.text());
    for (square, &flips) in flips.iter().enumerate() {
        let expected =
            naive.turned_by(square / 8, square % 8).into_iter().fold(0, |bits, place| bits | bit(place));
        assert_eq!(flips, expected, "{technique}: flips at {square} of {}", naive.text());
    }
}

#[test]
fn the_last_disc_turns_as_many_as_are_counted() {
    for number in 0..1000 {
        let mut rng = Seed(12).derive("board", number).rng();
        // Also few discs of one side.
        let own = rng.random::<u64>() & if number % 2 == 0 { rng.random() } else { !0 };
        for technique in Technique::available() {
            for (counted, turned) in trilith_games::with_technique!(technique, last_of(own)) {
                assert_eq!(counted, turned, "{technique}: {own:#x}");
            }
        }
    }
}

/// Boards that no game reaches: every run, at every edge, in every direction.
#[test]
fn techniques_agree_on_boards_of_random_discs() {
    let mut rng = Seed(12).rng();
    for _ in 0..200_000 {
        let (a, b, c): (u64, u64, u64) = (rng.random(), rng.random(), rng.random());
        let (own, other) = (a & c, !a & (b | c));
        let expected = trilith_games::with_technique!(Technique::PORTABLE, all_of(own, other));
        for technique in Technique::available() {
            let found = trilith_games::with_technique!(technique, all_of(own, other));
            assert_eq!(found, expected, "{technique}: own {own:#x}, other {other:#x}");
        }
        for (square, &flips) in
            expected.1.iter().enumerate().filter(|&(square, _)| (own | other) >> square & 1 == 0)
        {
            let by_bit = othello::technique::portable::flips_of_bit(own, other, 1 << square);
            assert_eq!(by_bit, flips, "by bit at {square}: own {own:#x}, other {other:#x}");
            assert_eq!(flips != 0, expected.0 >> square & 1 == 1, "mobility and flips");
        }
    }
}

#[test]
fn techniques_agree_on_naive_boards_of_random_discs() {
    let mut rng = Seed(13).rng();
    for _ in 0..3_000 {
        let density: u32 = rng.random_range(1..=9);
        let mut naive = Naive { squares: [['-'; 8]; 8], turn: 'X' };
        for square in naive.squares.iter_mut().flatten() {
            if rng.random_range(0..10) < density {
                *square = if rng.random() { 'X' } else { 'O' };
            }
        }
        let bits = |disc| {
            let squares = naive.squares.iter().flatten().enumerate();
            squares.filter(|&(_, &square)| square == disc).fold(0, |bits, (square, _)| bits | 1 << square)
        };
        let position = Position { own: bits('X'), other: bits('O'), to_move: trilith_games::Colour::Black };
        Technique::available().for_each(|technique| technique_agrees(technique, &position, &naive));
    }
}

#[test]
fn bits_are_numbered_from_below() {
    for technique in Technique::available() {
        for bits in [0_u64, 1, 1 << 63, 0x8000_0400_0020_0001, !0] {
            let found: Vec<u64> = trilith_games::with_technique!(technique, bits_of(bits));
            let expected: Vec<u64> = othello::squares(bits).map(|square| 1 << square).collect();
            assert_eq!(found, expected, "{technique}");
        }
    }
}

/// Golden games: replayed by the naive rules alone, they give the scores in the file.
#[test]
fn golden_games_end_as_noted_by_the_naive_rules() {
    for line in include_str!("data/othello/games.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        let mut naive = Naive::start();
        for square in words[0].as_bytes().chunks(2) {
            let square = std::str::from_utf8(square).expect("transcripts are ASCII");
            if naive.moves().is_empty() {
                naive = naive.passed();
            }
            let found = naive.successors().into_iter().find(|(name, _)| name == square);
            naive = found.unwrap_or_else(|| panic!("{square} in {line}")).1;
        }
        assert!(naive.successors().is_empty(), "not over: {line}");
        assert_eq!([naive.count('X').to_string(), naive.count('O').to_string()], words[1..3], "{line}");
    }
}
