//! Protocols: how other programs drive ours, and ours theirs. `docs/protocols.md` says what is spoken.
//!
//! Here is the server of UGI, which every game has; those that only programs of one game speak are in the game's own
//! folder, and its kit names them ([`GameKit::PROTOCOLS`]). The clients belong to the player `external`. A server is a
//! state machine fed with lines and with what a thinking player sends; it alone writes, so answers come whole and in
//! order.

pub(crate) mod desk;
pub(crate) mod lines;
pub(crate) mod server;
#[cfg(test)]
mod tests;
pub(crate) mod uci;
mod ugi;

use std::fmt;
use std::io::{Read, Write};
use std::str::FromStr;

use trilith_base::{Seed, words};
use trilith_games::{Game, Record, RulesError};

use crate::kit::GameKit;
use crate::player::external::{self, Speak};
use crate::player::{self, PlayerError};
use crate::registry::{GAMES, UnknownGame, Visitor, with_game};
use crate::spec::PlayerSpec;
use desk::{Channel, Desk};
use server::{Served, ServerSession};

/// A language that programs play games in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Protocol(&'static str);

/// A protocol as it is spoken about one game.
pub struct GameProtocol<G: Game> {
    /// The name in commands and specs.
    pub name: &'static str,
    /// The limits of a search, `depth` and `nodes`, that it has words for.
    pub limits: &'static [&'static str],
    /// Has our player driven by another program.
    pub(crate) serve: fn(Desk<G>, Channel<G>) -> Box<dyn Served>,
    /// Drives another program.
    pub(crate) speak: Speak<G>,
}

impl<G: Game> GameProtocol<G> {
    /// UCI made general, for every game.
    const UGI: GameProtocol<G> = GameProtocol {
        name: Protocol::UGI.0,
        limits: &["depth", "nodes"],
        serve: |desk, channel| ServerSession::boxed(desk, channel, uci::UciServer::new(ugi::Ugi)),
        speak: || Box::new(external::uci::UciProgram::new(external::uci::Ugi)),
    };
}

impl<G: Game> Clone for GameProtocol<G> {
    fn clone(&self) -> GameProtocol<G> {
        *self
    }
}

impl<G: Game> Copy for GameProtocol<G> {}

/// There is no protocol of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol `{name}`: expected {expected}")]
pub struct UnknownProtocol {
    name: String,
    expected: String,
}

impl Protocol {
    /// UCI made general, for every game.
    pub const UGI: Protocol = Protocol("ugi");

    /// All of them: those of single games, and the one for every game.
    pub fn all() -> Vec<Protocol> {
        let own = GAMES.iter().filter_map(|game| with_game(game, Own).ok());
        own.flatten().chain([Protocol::UGI]).collect()
    }

    /// The names of all, for people.
    pub fn names(last: &str) -> String {
        let names: Vec<&str> = Protocol::all().into_iter().map(Protocol::name).collect();
        let (end, begin) = names.split_last().expect("there is always UGI");
        format!("{}{last}{end}", begin.join(", "))
    }

    /// The name in commands and specs.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The only game it knows, if it knows but one.
    pub fn only_game(self) -> Option<&'static str> {
        GAMES.iter().copied().find(|game| with_game(game, Own).is_ok_and(|own| own.contains(&self)))
    }

    /// Whether `game` can be played in it.
    pub fn plays(self, game: &str) -> bool {
        self.only_game().is_none_or(|only| only == game)
    }

    /// How it is spoken about the game `G`; none if it is not.
    pub(crate) fn spoken<G: Game, C: GameKit<G>>(self) -> Option<GameProtocol<G>> {
        let mut all = C::PROTOCOLS.iter().copied().chain([GameProtocol::UGI]);
        all.find(|spoken| spoken.name == self.name())
    }
}

/// The protocols that only programs of a game speak.
struct Own;

impl Visitor for Own {
    type Output = Vec<Protocol>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Vec<Protocol> {
        C::PROTOCOLS.iter().map(|spoken| Protocol(spoken.name)).collect()
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
        let all = Protocol::all();
        let names = all.iter().map(|protocol| protocol.name());
        all.iter()
            .copied()
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
pub struct ServedSeat {
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
    seat: &ServedSeat,
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
    seat: &ServedSeat,
    output: Box<dyn Write + Send>,
) -> Result<Box<dyn Served>, ServeError> {
    if let Some(only) = protocol.only_game().filter(|only| *only != seat.game) {
        return Err(ServeError::Protocol { protocol, only, game: seat.game.clone() });
    }
    with_game(&seat.game, ServerVisitor { protocol, seat, output })?
}

struct ServerVisitor<'a> {
    protocol: Protocol,
    seat: &'a ServedSeat,
    output: Box<dyn Write + Send>,
}

impl Visitor for ServerVisitor<'_> {
    type Output = Result<Box<dyn Served>, ServeError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = Record::new(G::new(self.seat.rules.parse()?));
        let (desk, events) = Desk::open(
            record,
            self.seat.player.clone(),
            self.seat.seed,
            player::player::<G, C>,
            self.output,
        )?;
        let spoken = self.protocol.spoken::<G, C>().expect("`open` has asked whether it plays the game");
        Ok((spoken.serve)(desk, events))
    }
}
