//! What the server says, as far as a player needs it.

use std::str::FromStr;
use std::time::Duration;

use trilith_games::Colour;

use super::framing::GgsBlock;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub enum GgsMessage {
    /// It asks who we are.
    LoginPrompt,
    /// It asks for the password.
    PasswordPrompt,
    /// Somebody asks for a match.
    Request(Request),
    /// A request is over: accepted, declined or taken back.
    RequestGone(String),
    /// A match begins.
    MatchBegun {
        /// Its name, such as `.5`.
        id: String,
        /// Both players.
        players: [String; 2],
        /// Whether ratings change by it.
        is_rated: bool,
    },
    /// Where a game stands.
    Board(Box<BoardMessage>),
    /// One of two games at the same time is over; the result is that of the first player, if it is a number.
    GameEnded(GgsResult),
    /// A match is over.
    MatchEnded(GgsResult),
    /// It did not like what we said.
    Fault(String),
    /// News, help, talk.
    Other,
}

/// How a game or match has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct GgsResult {
    /// The match `.5` or the game `.5.1`.
    pub id: String,
    /// The player that the result is of, if it is said.
    pub first: Option<String>,
    /// Discs, such as `+12.00`, or words, such as `alice left`.
    pub result: String,
}

/// A request for a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its name, such as `.8`.
    pub id: String,
    /// Who asks.
    pub from: String,
    /// Who is asked; nobody if all are.
    pub to: Option<String>,
    /// The time each side would have.
    pub clock: GgsClock,
    /// What would be played.
    pub kind: GameKind,
    /// Whether ratings would change by it.
    pub is_rated: bool,
}

/// What is played: `8` is the usual game, `s8r20` two games at the same time from one random position of 20 discs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameKind {
    /// As it is written.
    pub text: String,
    /// Two games at the same time, with both colours.
    pub is_synchronised: bool,
    /// Squares of a side of the board.
    pub size: u32,
    /// By other rules than the usual ones: the fewer discs win, or colours are bid for.
    pub is_strange: bool,
    /// Discs of the random start, if there is one.
    pub random_discs: Option<u32>,
}

impl FromStr for GameKind {
    type Err = String;

    fn from_str(text: &str) -> Result<GameKind, String> {
        let fault = || format!("`{text}` is no kind of game: expected such as `8`, `8b`, `8r20`, `s8r20`");
        // What follows a colon says how a stored game ended.
        let bare = text.split(':').next().unwrap_or_default();
        let (is_synchronised, rest) = bare.strip_prefix('s').map_or((false, bare), |rest| (true, rest));
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let size = rest[..digits].parse().map_err(|_| fault())?;
        let (mut is_strange, mut random_discs) = (false, None);
        let mut letters = rest[digits..].chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                'b' | 'w' | '?' => {}
                'a' | 'k' => is_strange = true,
                'r' => {
                    let mut discs = String::new();
                    while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                        discs.push(digit);
                    }
                    random_discs = Some(discs.parse().map_err(|_| fault())?);
                }
                _ => return Err(fault()),
            }
        }
        Ok(GameKind { text: bare.into(), is_synchronised, size, is_strange, random_discs })
    }
}

/// A side's time: what is left, what each move adds, and what is added once when it is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GgsClock {
    /// For the rest of the game.
    pub left: Duration,
    /// Added by each move.
    pub increment: Duration,
    /// Added once; who needs it has lost most of the game's worth.
    pub extension: Duration,
}

impl FromStr for GgsClock {
    type Err = String;

    /// `15:00`, `15:00/00:05/02:00`, `15:00//02:00`, each part perhaps with `,` and a number of moves behind it.
    fn from_str(text: &str) -> Result<GgsClock, String> {
        let fault = || format!("`{text}` is no clock: expected such as `15:00` or `05:00/00:03/02:00`");
        let mut parts = text.split('/').map(|part| part.split(',').next().unwrap_or_default().trim());
        let first = parts.next().filter(|part| !part.is_empty()).ok_or_else(fault)?;
        let mut next = || match parts.next() {
            None | Some("") => Some(Duration::ZERO),
            Some(part) => time(part),
        };
        let left = time(first).ok_or_else(fault)?;
        let (increment, extension) = (next().ok_or_else(fault)?, next().ok_or_else(fault)?);
        Ok(GgsClock { left, increment, extension })
    }
}

/// `SS`, `MM:SS`, `HH:MM:SS` or `DD.HH:MM:SS`; who has less than nothing has nothing.
fn time(text: &str) -> Option<Duration> {
    let (is_over, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (days, text) = match text.split_once('.') {
        Some((days, rest)) => (days.trim().parse::<u64>().ok()?, rest),
        None => (0, text),
    };
    let mut seconds = 0_u64;
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 || days > 1000 {
        return None;
    }
    for part in parts {
        let number = part.trim().parse::<u64>().ok().filter(|&number| number < 1_000_000)?;
        seconds = seconds * 60 + number;
    }
    Some(Duration::from_secs(if is_over { 0 } else { seconds + 86_400 * days }))
}

/// A player of a game, as its board says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatMessage {
    /// Who.
    pub name: String,
    /// The rating, as it is written.
    pub rating: String,
    /// The time left.
    pub clock: GgsClock,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    /// From 1.
    pub number: usize,
    /// As the server writes it.
    pub text: String,
    /// What its player thought of it, if that is said.
    pub value: Option<String>,
    /// How long it took, if that is said.
    pub seconds: Option<String>,
}

/// Where a game stands: all of it after `join`, the last move after `update`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardMessage {
    /// The game, such as `.5` or `.5.1`.
    pub id: String,
    /// What is played.
    pub kind: GameKind,
    /// Whether the message has the whole game.
    pub is_whole: bool,
    /// Black and White.
    pub seats: [Option<SeatMessage>; 2],
    /// The moves of the message.
    pub moves: Vec<PlayedMove>,
    /// Positions as texts, the last one that at the board; before it perhaps the start.
    pub positions: Vec<String>,
    /// Who is to move.
    pub to_move: Option<Colour>,
}

impl GgsMessage {
    /// Understands a message.
    pub fn of(block: &GgsBlock) -> GgsMessage {
        let head = block.head.trim();
        if let Some(rest) = head.strip_prefix("/os:") {
            return service(rest.trim(), &block.body).unwrap_or(GgsMessage::Other);
        }
        let lower = head.to_lowercase();
        match lower.starts_with(": enter") {
            true if lower.contains("password") => GgsMessage::PasswordPrompt,
            true if lower.contains("login") => GgsMessage::LoginPrompt,
            _ => GgsMessage::Other,
        }
    }
}

fn service(text: &str, body: &[String]) -> Option<GgsMessage> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let owned = |at: usize| words.get(at).map(|&word| word.to_owned());
    match words[..] {
        ["+", "match", ..] => Some(GgsMessage::MatchBegun {
            id: owned(2)?,
            players: [owned(4)?, owned(6)?],
            is_rated: words.get(8).is_some_and(|&mode| mode == "R"),
        }),
        ["-", "match", ..] => {
            let result = words.get(9..).filter(|rest| !rest.is_empty())?.join(" ");
            Some(GgsMessage::MatchEnded(GgsResult { id: owned(2)?, first: owned(4), result }))
        }
        ["end", id, "(", first, "vs.", _, ")", ..] => {
            let (result, first) = (words[7..].join(" "), Some(first.to_owned()));
            Some(GgsMessage::GameEnded(GgsResult { id: id.into(), first, result }))
        }
        ["end", id, ..] => Some(GgsMessage::GameEnded(GgsResult {
            id: id.into(),
            first: None,
            result: words[2..].join(" "),
        })),
        ["join" | "update", id, kind, ..] => board(id, kind, words[0] == "join", body),
        ["error" | "err" | "ERR", ..] => Some(GgsMessage::Fault(words[1..].join(" "))),
        ["+", id, _, from, clock, kind, mode, ..] if id.starts_with('.') => {
            Some(GgsMessage::Request(Request {
                id: id.into(),
                from: from.into(),
                to: owned(8),
                clock: clock.parse().ok()?,
                kind: kind.parse().ok()?,
                is_rated: mode == "R",
            }))
        }
        ["-", id, ..] if id.starts_with('.') => Some(GgsMessage::RequestGone(id.into())),
        _ => None,
    }
}

fn board(id: &str, kind: &str, is_whole: bool, body: &[String]) -> Option<GgsMessage> {
    let kind = kind.parse().ok()?;
    let mut board = BoardMessage { id: id.into(), kind, is_whole, ..BoardMessage::default() };
    let mut squares = String::new();
    for line in body {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some((colour, seat)) = seat(line) {
            board.seats[colour as usize] = Some(seat);
        } else if let [mark, "to", "move"] = words[..] {
            let colour = colour(mark)?;
            board.to_move = Some(colour);
            let letter = if colour == Colour::Black { 'X' } else { 'O' };
            if squares.len() == 64 {
                board.positions.push(format!("{squares} {letter}"));
            }
            squares.clear();
        } else if let Some(row) = row(&words) {
            squares += &row;
        } else if let Some(played) = played(line) {
            board.moves.push(played);
        }
    }
    (!board.positions.is_empty()).then(|| GgsMessage::Board(Box::new(board)))
}

fn colour(mark: &str) -> Option<Colour> {
    match mark {
        "*" | "X" => Some(Colour::Black),
        "O" => Some(Colour::White),
        _ => None,
    }
}

/// `alice    (1720.0 *) 00:59,0:0//02:00,0:0`.
fn seat(line: &str) -> Option<(Colour, SeatMessage)> {
    let (name, rest) = line.split_once('(')?;
    let (inside, clock) = rest.split_once(')')?;
    let mut words = inside.split_whitespace();
    let (rating, mark) = (words.next()?, words.next_back()?);
    let clock = clock.trim().parse().ok()?;
    Some((colour(mark)?, SeatMessage { name: name.trim().into(), rating: rating.into(), clock }))
}

/// ` 4 - - - O * - - - 4`.
fn row(words: &[&str]) -> Option<String> {
    let [number, cells @ .., _] = words else { return None };
    if cells.len() != 8 || !number.parse().is_ok_and(|row: u32| (1..=8).contains(&row)) {
        return None;
    }
    let letter = |cell: &&str| match *cell {
        "-" => Some('-'),
        "*" => Some('X'),
        "O" => Some('O'),
        _ => None,
    };
    cells.iter().map(letter).collect()
}

/// `  1: f5/1.50/3.47`; value and time may be missing.
fn played(line: &str) -> Option<PlayedMove> {
    let (number, rest) = line.split_once(':')?;
    let number = number.trim().parse().ok().filter(|&number| number > 0)?;
    let mut parts = rest.trim().split('/').map(str::trim);
    let text = parts.next().filter(|text| !text.is_empty())?.to_owned();
    let mut next = || parts.next().filter(|part| !part.is_empty()).map(str::to_owned);
    Some(PlayedMove { number, text, value: next(), seconds: next() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> GgsMessage {
        let mut lines = text.lines().map(str::to_owned);
        let head = lines.next().unwrap();
        GgsMessage::of(&GgsBlock {
            head,
            body: lines.map(|line| line.trim_start_matches('|').to_owned()).collect(),
        })
    }

    #[test]
    fn requests_matches_and_ends_are_understood() {
        let GgsMessage::Request(request) =
            message("/os: +   .8 1720.0 alice    01:00//02:00       s8r20 R 1690.0 bob")
        else {
            panic!("a request")
        };
        assert_eq!(
            (request.id.as_str(), request.from.as_str(), request.to.as_deref()),
            (".8", "alice", Some("bob"))
        );
        assert!(request.is_rated && request.kind.is_synchronised && !request.kind.is_strange);
        assert_eq!((request.kind.size, request.kind.random_discs), (8, Some(20)));
        assert_eq!(request.clock.left, Duration::from_secs(60));
        assert_eq!(request.clock.extension, Duration::from_secs(120));
        assert_eq!(
            message("/os: -   .8 1720.0 alice 01:00//02:00 8b U 1690.0 bob"),
            GgsMessage::RequestGone(".8".into())
        );
        let begun = message("/os: + match .5 1720 alice 1690 bob s8r20 R");
        let players = ["alice", "bob"].map(str::to_owned);
        assert_eq!(begun, GgsMessage::MatchBegun { id: ".5".into(), players, is_rated: true });
        let ending = |id: &str, first: Option<&str>, result: &str| GgsResult {
            id: id.into(),
            first: first.map(str::to_owned),
            result: result.into(),
        };
        let ended = message("/os: - match .5 1720 alice 1690 bob 8 R -64.00");
        assert_eq!(ended, GgsMessage::MatchEnded(ending(".5", Some("alice"), "-64.00")));
        let left = message("/os: - match .5 1720 alice 1690 bob 8 R alice left");
        assert_eq!(left, GgsMessage::MatchEnded(ending(".5", Some("alice"), "alice left")));
        let child = message("/os: end .5.1 ( alice vs. bob ) +10.00");
        assert_eq!(child, GgsMessage::GameEnded(ending(".5.1", Some("alice"), "+10.00")));
        assert_eq!(message("/os: error .5 illegal move"), GgsMessage::Fault(".5 illegal move".into()));
        assert_eq!(message(": Enter your password."), GgsMessage::PasswordPrompt);
        for other in ["/os: + match .5", "/os: who 8", "hello", "/os: update .5", "/os: + .8 x y z s8rx R"] {
            assert_eq!(message(other), GgsMessage::Other, "{other}");
        }
    }

    #[test]
    fn a_joined_game_has_its_start_its_moves_and_its_clocks() {
        let empty = "| 1 - - - - - - - - 1\n| 2 - - - - - - - - 2\n| 3 - - - - - - - - 3\n";
        let below =
            "| 6 - - - - - - - - 6\n| 7 - - - - - - - - 7\n| 8 - - - - - - - - 8\n|   A B C D E F G H\n|\n";
        let text = format!(
            "/os: join .5.0 s8r4 K?\n|1 move(s)\n|alice (1720.0 *) 01:00,0:0//02:00,0:0\n|bob (1690.0 O) 01:00//02:00\n|\n\
             |   A B C D E F G H\n{empty}| 4 - - - O * - - - 4\n| 5 - - - * O - - - 5\n{below}|* to move\n\
             |  1: f5/1.50/3.47\n|alice (1720.0 *) 00:56,1:0//02:00,1:0\n|bob (1690.0 O) 01:00//02:00\n\
             |   A B C D E F G H\n{empty}| 4 - - - O * - - - 4\n| 5 - - - * * * - - 5\n{below}|O to move"
        );
        let GgsMessage::Board(board) = message(&text) else { panic!("a board") };
        assert_eq!((board.id.as_str(), board.is_whole, board.to_move), (".5.0", true, Some(Colour::White)));
        assert_eq!(board.positions.len(), 2);
        assert!(board.positions[0].ends_with(" X") && board.positions[1].contains("XXX"), "{board:?}");
        let expected = PlayedMove {
            number: 1,
            text: "f5".into(),
            value: Some("1.50".into()),
            seconds: Some("3.47".into()),
        };
        assert_eq!(board.moves, [expected]);
        let black = board.seats[Colour::Black as usize].as_ref().unwrap();
        assert_eq!((black.name.as_str(), black.clock.left), ("alice", Duration::from_secs(56)));
    }

    #[test]
    fn clocks_and_kinds_are_read_or_refused() {
        let clock = |text: &str| text.parse::<GgsClock>().map(|clock| clock.left.as_secs());
        assert_eq!(clock("1.02:03:04"), Ok(86_400 + 7384));
        assert_eq!((clock("-00:05"), clock("30")), (Ok(0), Ok(30)));
        for wrong in ["", "x", "1:2:3:4", "5:00/x", "99999999999999999999"] {
            assert!(wrong.parse::<GgsClock>().is_err(), "{wrong}");
        }
        let kind = |text: &str| text.parse::<GameKind>();
        assert!(kind("8a").unwrap().is_strange && kind("8k").unwrap().is_strange);
        assert_eq!((kind("10").unwrap().size, kind("s8r16:l").unwrap().text), (10, "s8r16".to_owned()));
        for wrong in ["", "s", "x8", "8z", "8r"] {
            assert!(kind(wrong).is_err(), "{wrong}");
        }
    }
}
