//! Protocols: how other programs drive ours, and ours theirs. `docs/protocols.md` says what is spoken.
//!
//! Here are the servers; the clients belong to the player `external`. A server is a state machine fed with lines and
//! with what a thinking player sends; it alone writes, so answers come whole and in order.

mod desk;
mod gtp;
pub(crate) mod lines;
pub(crate) mod mill;
mod nboard;
mod server;
#[cfg(test)]
mod tests;
mod uci;
mod ugi;

use std::fmt;
use std::io::{Read, Write};
use std::str::FromStr;

use trilith_base::{Seed, words};
use trilith_games::{Game, Record, RulesError};

use crate::kit::GameKit;
use crate::player::{self, PlayerError};
use crate::registry::{GAMES, UnknownGame, Visitor, with_game};
use crate::spec::PlayerSpec;
use desk::Desk;
use server::Session;

/// A language that programs play games in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// The Go Text Protocol, version 2, as Othello programs speak it.
    Gtp,
    /// The protocol of the Othello board NBoard, version 2.
    NBoard,
    /// The dialect of UCI that Sanmill speaks for Nine Men's Morris.
    UciMill,
    /// UCI made general, for every game.
    Ugi,
}

/// There is no protocol of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol `{name}`: expected {expected}")]
pub struct UnknownProtocol {
    name: String,
    expected: String,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 4] = [Protocol::Gtp, Protocol::NBoard, Protocol::UciMill, Protocol::Ugi];

    /// The name in commands and specs.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
            Protocol::UciMill => "uci-mill",
            Protocol::Ugi => "ugi",
        }
    }

    /// The only game it knows, if it knows but one.
    pub fn only_game(self) -> Option<&'static str> {
        GAMES.iter().copied().find(|game| with_game(game, Speaks(self)) == Ok(true))
    }

    /// Whether `game` can be played in it.
    pub fn plays(self, game: &str) -> bool {
        self.only_game().is_none_or(|only| only == game)
    }
}

/// Whether it is a protocol of the game's own.
struct Speaks(Protocol);

impl Visitor for Speaks {
    type Output = bool;

    fn visit<G: Game, C: GameKit<G>>(self) -> bool {
        C::PROTOCOLS.contains(&self.0)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Protocol, UnknownProtocol> {
        let names = Protocol::ALL.map(Protocol::name);
        Protocol::ALL
            .into_iter()
            .find(|protocol| protocol.name() == text)
            .ok_or_else(|| UnknownProtocol { name: text.into(), expected: words::expected(text, names) })
    }
}

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The player cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The protocol knows another game only.
    #[error("{protocol} is for {only}, not for {game}: expected `ugi` for other games")]
    Protocol {
        /// As asked for.
        protocol: Protocol,
        /// What it knows.
        only: &'static str,
        /// As asked for.
        game: String,
    },
}

/// Who plays what in a server.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The game's name.
    pub game: String,
    /// Its switches; the usual ones if empty.
    pub rules: String,
    /// Who plays.
    pub player: PlayerSpec,
    /// Where the player's draws come from.
    pub seed: Seed,
}

/// Lets a player be driven through a protocol until the driver says so or goes away.
///
/// Reading happens on a thread of its own, which stays behind if the driver keeps its end open after `quit`.
pub fn serve(
    protocol: Protocol,
    seat: &Seat,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let mut session = open(protocol, seat, Box::new(output))?;
    session.listen(Box::new(input));
    session.run();
    Ok(())
}

/// A server that has heard nothing yet.
fn open(
    protocol: Protocol,
    seat: &Seat,
    output: Box<dyn Write + Send>,
) -> Result<Box<dyn server::Served>, ServeError> {
    if let Some(only) = protocol.only_game().filter(|only| *only != seat.game) {
        return Err(ServeError::Protocol { protocol, only, game: seat.game.clone() });
    }
    with_game(&seat.game, Open { protocol, seat, output })?
}

struct Open<'a> {
    protocol: Protocol,
    seat: &'a Seat,
    output: Box<dyn Write + Send>,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn server::Served>, ServeError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = Record::new(G::new(self.seat.rules.parse()?));
        let (desk, events) = Desk::open(
            record,
            self.seat.player.clone(),
            self.seat.seed,
            player::player::<G, C>,
            self.output,
        )?;
        Ok(match self.protocol {
            Protocol::Gtp => Box::new(Session::new(desk, events, gtp::Gtp::default())),
            Protocol::NBoard => Box::new(Session::new(desk, events, nboard::NBoard::default())),
            Protocol::UciMill => Box::new(Session::new(desk, events, uci::Uci::new(mill::Mill::default()))),
            Protocol::Ugi => Box::new(Session::new(desk, events, uci::Uci::new(ugi::Ugi))),
        })
    }
}
