//! The two seats of a table and who holds them.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

use crate::token::Asker;

/// Something for each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sides<T> {
    pub(crate) black: T,
    pub(crate) white: T,
}

/// Both colours.
pub(crate) const COLOURS: [Colour; 2] = [Colour::Black, Colour::White];

impl<T> Sides<T> {
    /// What `make` gives for each side.
    pub(crate) fn from_fn(mut make: impl FnMut(Colour) -> T) -> Sides<T> {
        Sides { black: make(Colour::Black), white: make(Colour::White) }
    }
}

impl<T> Index<Colour> for Sides<T> {
    type Output = T;

    fn index(&self, colour: Colour) -> &T {
        match colour {
            Colour::Black => &self.black,
            Colour::White => &self.white,
        }
    }
}

impl<T> IndexMut<Colour> for Sides<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        match colour {
            Colour::Black => &mut self.black,
            Colour::White => &mut self.white,
        }
    }
}

/// Who or what sits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A person, or somebody's program.
    Human,
    /// The server's own engine.
    Engine,
    /// An engine that learns from every game.
    Learning,
    /// Nobody yet: whoever has the link may sit down.
    Open,
}

/// One seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) kind: Kind,
    /// What is shown.
    pub(crate) name: String,
    /// The player's spec, for an engine.
    pub(crate) spec: Option<String>,
    #[serde(flatten)]
    pub(crate) holder: Holder,
}

/// What proves that a seat is one's own. Never sent to anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    /// The hash of the seat's token.
    pub(crate) token: Option<String>,
    pub(crate) account: Option<String>,
}

impl Holder {
    /// Whether `asker` may move for the seat.
    pub(crate) fn is(&self, asker: &Asker) -> bool {
        let same = |own: &Option<String>, brought: &Option<String>| own.is_some() && own == brought;
        same(&self.token, &asker.hash) || same(&self.account, &asker.account)
    }
}

impl Seat {
    /// Whether the server moves for it.
    pub(crate) fn is_engine(&self) -> bool {
        matches!(self.kind, Kind::Engine | Kind::Learning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_or_the_account_opens_a_seat() {
        let asker = |hash: Option<&str>, account: Option<&str>| Asker {
            hash: hash.map(Into::into),
            account: account.map(Into::into),
            ..Asker::default()
        };
        let holder = Holder { token: Some("t".into()), account: Some("anna".into()) };
        assert!(holder.is(&asker(Some("t"), None)) && holder.is(&asker(Some("x"), Some("anna"))));
        assert!(!holder.is(&asker(Some("x"), Some("bert"))) && !holder.is(&Asker::default()));
        assert!(!Holder::default().is(&Asker::default()));
    }
}
