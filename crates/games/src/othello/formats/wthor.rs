//! WTHOR, the data base of the French federation: games by year (`.wtb`), players (`.jou`), tournaments (`.trn`).
//!
//! All numbers are little-endian. Each file opens with 16 bytes: century, year, month and day of making; games (4
//! bytes); names (2); year of the games (2); board size (0 means 8); kind; empties at which the theoretical score was
//! reckoned; one unused. A game is 68 bytes: tournament, black, white (2 each), discs of Black, theoretical discs of
//! Black, and 60 moves of `10 * row + column`, rows and columns from 1, filled up with 0. Passes are left out.

use super::transcript::pass_if_forced;
use crate::error::FormatError;
use crate::game::Game;
use crate::othello::{Move, Othello};
use crate::record::Record;

/// What a file says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WthorHeader {
    /// Year, month and day when the file was made, as written.
    pub made: (u16, u8, u8),
    /// Games in a `.wtb`.
    pub games: u32,
    /// Names in a `.jou` or `.trn`.
    pub names: u16,
    /// The year the games were played in.
    pub year: u16,
    /// Empties from which the theoretical scores were reckoned.
    pub depth: u8,
}

/// A `.wtb` file.
#[derive(Clone, Debug)]
pub struct Wtb {
    /// The year of the games is here.
    pub header: WthorHeader,
    /// In the order of the file.
    pub games: Vec<WthorGame>,
}

/// A game; names are numbers in the lists of the other two files.
#[derive(Clone, Debug)]
pub struct WthorGame {
    /// Line in the list of tournaments, from 0.
    pub tournament: u16,
    /// Line in the list of players, from 0.
    pub black: u16,
    /// Line in the list of players, from 0.
    pub white: u16,
    /// Black's final discs as noted, empties to the winner; a game given up need not have been played out.
    pub black_discs: u8,
    /// Black's discs with best play from [`WthorHeader::depth`] empties on.
    pub best_black_discs: u8,
    /// The moves, with their passes.
    pub record: Record<Othello>,
}

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// Reads the games of a `.wtb` file.
pub fn parse_wtb(game: &Othello, bytes: &[u8]) -> Result<Wtb, FormatError> {
    let header = header(bytes)?;
    let records = entries(bytes, header.games as usize, GAME, "game")?;
    let games = records.map(|(at, entry)| read_game(game, at, entry)).collect::<Result<_, _>>()?;
    Ok(Wtb { header, games })
}

/// Reads the names of a `.jou` file.
pub fn parse_players(bytes: &[u8]) -> Result<Vec<String>, FormatError> {
    parse_names(bytes, PLAYER)
}

/// Reads the names of a `.trn` file.
pub fn parse_tournaments(bytes: &[u8]) -> Result<Vec<String>, FormatError> {
    parse_names(bytes, TOURNAMENT)
}

fn parse_names(bytes: &[u8], width: usize) -> Result<Vec<String>, FormatError> {
    let header = header(bytes)?;
    Ok(entries(bytes, usize::from(header.names), width, "name")?.map(|(_, entry)| latin(entry)).collect())
}

fn fault(offset: usize, fault: impl Into<String>) -> FormatError {
    FormatError::Binary { offset, fault: fault.into() }
}

fn header(bytes: &[u8]) -> Result<WthorHeader, FormatError> {
    let Some(&[century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, size, _, depth, _]) =
        bytes.first_chunk::<HEADER>()
    else {
        return Err(fault(bytes.len(), "the file ends inside its header of 16 bytes"));
    };
    match size {
        0 | 8 => Ok(WthorHeader {
            made: (u16::from(century) * 100 + u16::from(year), month, day),
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            depth,
        }),
        10 => Err(fault(12, "the games are on 10x10 boards, only 8x8 is read")),
        _ => Err(fault(12, format!("board size {size}, expected 8 (or 0, which means 8)"))),
    }
}

/// The entries behind the header with their offsets; there are exactly `count`.
fn entries<'a>(
    bytes: &'a [u8],
    count: usize,
    width: usize,
    what: &str,
) -> Result<impl Iterator<Item = (usize, &'a [u8])>, FormatError> {
    let body = &bytes[HEADER..];
    let whole = body.len() / width;
    if whole < count {
        return Err(fault(bytes.len(), format!("the file ends inside {what} {} of {count}", whole + 1)));
    }
    if body.len() > count * width {
        let at = HEADER + count * width;
        return Err(fault(at, format!("{} bytes behind the last of {count} {what}s", bytes.len() - at)));
    }
    Ok(body.chunks_exact(width).enumerate().map(move |(number, entry)| (HEADER + number * width, entry)))
}

fn read_game(game: &Othello, at: usize, entry: &[u8]) -> Result<WthorGame, FormatError> {
    let number = |from: usize| u16::from_le_bytes([entry[from], entry[from + 1]]);
    Ok(WthorGame {
        tournament: number(0),
        black: number(2),
        white: number(4),
        black_discs: entry[6],
        best_black_discs: entry[7],
        record: read_moves(game, at + 8, &entry[8..])?,
    })
}

fn read_moves(game: &Othello, at: usize, codes: &[u8]) -> Result<Record<Othello>, FormatError> {
    let mut record = Record::new(game.clone());
    let played = codes.iter().position(|&code| code == 0).unwrap_or(codes.len());
    if let Some(stray) = codes[played..].iter().position(|&code| code != 0) {
        return Err(fault(at + played + stray, "a move behind the end of its game"));
    }
    for (number, &code) in codes[..played].iter().enumerate() {
        let (row, column) = (code / 10, code % 10);
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            return Err(fault(at + number, format!("{code} is no square, expected 11 to 88")));
        }
        pass_if_forced(&mut record);
        let mv = Move::on(8 * (row - 1) + column - 1);
        record.push(mv).map_err(|error| fault(at + number, error.to_string()))?;
    }
    Ok(record)
}

/// A `.wtb` file of these games, made in the header's year.
///
/// What the format cannot hold is refused: more than 60 moves or another start than the usual one.
pub fn wtb_bytes(wtb: &Wtb) -> Result<Vec<u8>, FormatError> {
    let mut bytes = header_bytes(&WthorHeader { games: wtb.games.len() as u32, names: 0, ..wtb.header });
    for game in &wtb.games {
        if *game.record.start() != game.record.game().start() {
            return Err(fault(
                bytes.len(),
                "the game does not begin at the usual start, which WTHOR has no place for",
            ));
        }
        for number in [game.tournament, game.black, game.white] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([game.black_discs, game.best_black_discs]);
        let squares = game.record.moves().filter_map(Move::square);
        let mut codes: Vec<u8> = squares.map(|square| 10 * (square / 8 + 1) + square % 8 + 1).collect();
        codes.resize(60, 0);
        bytes.extend(codes);
    }
    Ok(bytes)
}

/// A `.jou` file of these players.
pub fn players_bytes(header: &WthorHeader, names: &[String]) -> Vec<u8> {
    names_bytes(header, names, PLAYER)
}

/// A `.trn` file of these tournaments.
pub fn tournaments_bytes(header: &WthorHeader, names: &[String]) -> Vec<u8> {
    names_bytes(header, names, TOURNAMENT)
}

fn header_bytes(header: &WthorHeader) -> Vec<u8> {
    let (year, month, day) = header.made;
    let mut bytes = vec![(year / 100) as u8, (year % 100) as u8, month, day];
    bytes.extend(header.games.to_le_bytes());
    bytes.extend(header.names.to_le_bytes());
    bytes.extend(header.year.to_le_bytes());
    bytes.extend([8, 0, header.depth, 0]);
    bytes
}

/// Names in Latin-1, cut to their width with a zero behind them; letters beyond Latin-1 become `?`.
fn names_bytes(header: &WthorHeader, names: &[String], width: usize) -> Vec<u8> {
    let mut bytes = header_bytes(&WthorHeader { games: 0, names: names.len() as u16, ..*header });
    for name in names {
        let mut entry: Vec<u8> =
            name.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).take(width - 1).collect();
        entry.resize(width, 0);
        bytes.extend(entry);
    }
    bytes
}

/// Latin-1 up to the first zero byte.
fn latin(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take_while(|&&byte| byte != 0)
        .map(|&byte| char::from(byte))
        .collect::<String>()
        .trim()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout;
    use trilith_base::Seed;

    fn raw_header(games: u32, names: u16, size: u8) -> Vec<u8> {
        let mut bytes = vec![20, 25, 12, 31];
        bytes.extend(games.to_le_bytes());
        bytes.extend(names.to_le_bytes());
        bytes.extend(2024_u16.to_le_bytes());
        bytes.extend([size, 0, 22, 0]);
        bytes
    }

    fn game_bytes(record: &Record<Othello>) -> Vec<u8> {
        let mut bytes = vec![1, 0, 2, 1, 3, 0, 33, 34];
        let squares = record.moves().filter_map(Move::square);
        bytes.extend(squares.map(|square| 10 * (square / 8) + square % 8 + 11));
        bytes.resize(GAME, 0);
        bytes
    }

    fn sample() -> (Vec<Record<Othello>>, Vec<u8>) {
        let records: Vec<_> = (0..50)
            .map(|number| {
                let mut record = Record::new(Othello::default());
                playout::play_on(&mut record, 200, &mut Seed(6).derive("game", number).rng());
                record
            })
            .collect();
        let mut bytes = raw_header(50, 0, 8);
        bytes.extend(records.iter().flat_map(game_bytes));
        (records, bytes)
    }

    fn error(bytes: &[u8]) -> String {
        parse_wtb(&Othello::default(), bytes).unwrap_err().to_string()
    }

    #[test]
    fn games_come_back_with_their_passes() {
        let (records, bytes) = sample();
        let file = parse_wtb(&Othello::default(), &bytes).unwrap();
        assert_eq!((file.header.made, file.header.year, file.header.depth), ((2025, 12, 31), 2024, 22));
        assert_eq!(file.games.len(), records.len());
        for (game, record) in file.games.iter().zip(&records) {
            assert_eq!((game.tournament, game.black, game.white), (1, 258, 3));
            assert_eq!((game.black_discs, game.best_black_discs), (33, 34));
            assert!(game.record.moves().eq(record.moves()));
        }
        assert_eq!(wtb_bytes(&file).unwrap(), bytes);
    }

    #[test]
    fn f5_is_row_five_column_six() {
        let mut bytes = raw_header(1, 0, 0);
        let mut entry = vec![0; GAME];
        entry[8] = 56;
        bytes.extend(entry);
        let file = parse_wtb(&Othello::default(), &bytes).unwrap();
        assert_eq!(file.games[0].record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["f5"]);
    }

    #[test]
    fn names_are_latin_and_end_at_zero() {
        let mut bytes = raw_header(0, 2, 0);
        for name in [b"Andr\xe9\0rubbish".as_slice(), b"B"] {
            let mut entry = name.to_vec();
            entry.resize(PLAYER, 0);
            bytes.extend(entry);
        }
        let names = parse_players(&bytes).unwrap();
        assert_eq!(names, ["André", "B"]);
        let header = header(&bytes).unwrap();
        assert_eq!(parse_players(&players_bytes(&header, &names)).unwrap(), names);
        let long = ["x".repeat(40), "Łukasz".into()];
        assert_eq!(
            parse_tournaments(&tournaments_bytes(&header, &long)).unwrap(),
            ["x".repeat(25), "?ukasz".into()]
        );
        assert_eq!(
            parse_tournaments(&bytes).unwrap_err().to_string(),
            "byte 56: the file ends inside name 2 of 2"
        );
    }

    #[test]
    fn errors_name_the_byte() {
        let (_, bytes) = sample();
        assert_eq!(error(&bytes[..7]), "byte 7: the file ends inside its header of 16 bytes");
        assert_eq!(error(&bytes[..100]), "byte 100: the file ends inside game 2 of 50");
        let long = [bytes.as_slice(), &[0, 0]].concat();
        assert_eq!(error(&long), "byte 3416: 2 bytes behind the last of 50 games");
        assert!(error(&raw_header(0, 0, 10)).starts_with("byte 12: the games are on 10x10 boards"));
        assert_eq!(error(&raw_header(0, 0, 6)), "byte 12: board size 6, expected 8 (or 0, which means 8)");
        let changed = |at: usize, to: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = to;
            error(&bytes)
        };
        assert_eq!(changed(24, 99), "byte 24: 99 is no square, expected 11 to 88");
        assert!(changed(24, 11).starts_with("byte 24: `a1` is not legal here"));
        assert_eq!(changed(25, 0), "byte 26: a move behind the end of its game");
    }
}
