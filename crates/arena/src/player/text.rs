//! Players behind texts: who asks one need not know which game it is, and its engine is compiled once, here.

use trilith_base::Seed;
use trilith_games::{Game, Record};
use trilith_search::{Control, Limits};

use super::{Player, PlayerError, PlayerFault, Turn, player};
use crate::kit::GameKit;
use crate::registry::{UnknownGame, Visitor, with_game};
use crate::spec::{PlayerSpec, SpecError};
use crate::table::{self, TableError};

/// A game so far, in texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRecord {
    /// Rule switches; the usual ones if empty.
    pub rules: String,
    /// Where it begins; the usual start if none.
    pub start: Option<String>,
    /// The moves from there on.
    pub moves: Vec<String>,
}

impl TextRecord {
    /// A game that begins in a position of the usual rules.
    pub fn at(position: impl Into<String>) -> TextRecord {
        TextRecord { start: Some(position.into()), ..TextRecord::default() }
    }

    /// The same for a game whose type is known.
    pub fn record<G: Game>(&self) -> Result<Record<G>, TableError> {
        table::record(&self.rules, self.start.as_deref(), &self.moves)
    }
}

/// What a player decided, in texts.
#[derive(Clone, Debug, PartialEq)]
pub struct TextDecision {
    /// A legal move.
    pub mv: String,
    /// What it searched: each line with its value for the side to move in units, best first.
    pub lines: Vec<TextLine>,
    /// Plies searched to the full.
    pub depth: u32,
}

/// A line of play, in texts.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLine {
    /// For the side to move at its root, in units of the evaluation.
    pub value: f64,
    /// Best play.
    pub moves: Vec<String>,
}

/// Why a player in texts cannot be had or does not answer.
#[derive(Debug, thiserror::Error)]
pub enum TextPlayerError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The player's text is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The game so far is wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It failed.
    #[error(transparent)]
    Fault(#[from] PlayerFault),
}

/// A player that takes and gives texts.
pub trait TextPlayer: Send {
    /// Decides on the next move of a game that goes on.
    fn choose(&mut self, record: &TextRecord, limits: Limits) -> Result<TextDecision, TextPlayerError>;

    /// Forgets all it has seen and takes its draws from `seed` from now on.
    fn renew(&mut self, seed: Seed) -> Result<(), TextPlayerError>;
}

/// The player that `spec` describes, for `game`.
pub fn text_player(game: &str, spec: &str, seed: Seed) -> Result<Box<dyn TextPlayer>, TextPlayerError> {
    with_game(game, PlayerVisitor { spec: spec.parse()?, seed })?
}

struct PlayerVisitor {
    spec: PlayerSpec,
    seed: Seed,
}

impl Visitor for PlayerVisitor {
    type Output = Result<Box<dyn TextPlayer>, TextPlayerError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let spec = self.spec;
        let make = Box::new(move |seed| player::<G, C>(&spec, seed));
        Ok(Box::new(Reader { player: make(self.seed)?, make }))
    }
}

type MakePlayer<G> = Box<dyn Fn(Seed) -> Result<Box<dyn Player<G>>, PlayerError> + Send>;

struct Reader<G: Game> {
    player: Box<dyn Player<G>>,
    make: MakePlayer<G>,
}

impl<G: Game> TextPlayer for Reader<G> {
    fn choose(&mut self, record: &TextRecord, limits: Limits) -> Result<TextDecision, TextPlayerError> {
        let record: Record<G> = record.record()?;
        let control = Control::default();
        let decision = self.player.choose(&record, Turn { control: &control, limits }, &mut |_| ())?;
        let text = |mv: &G::Move| record.game().move_text(*mv);
        let analysis = decision.analysis.as_ref();
        let lines = analysis.iter().flat_map(|analysis| {
            analysis.lines.iter().map(|line| TextLine {
                value: f64::from(line.value) / f64::from(analysis.unit.one),
                moves: line.moves.iter().map(text).collect(),
            })
        });
        Ok(TextDecision {
            mv: text(&decision.mv),
            lines: lines.collect(),
            depth: analysis.map_or(0, |analysis| analysis.depth),
        })
    }

    fn renew(&mut self, seed: Seed) -> Result<(), TextPlayerError> {
        if !self.player.renew(seed) {
            self.player = (self.make)(seed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_in_texts_plays_legal_moves_and_says_what_is_wrong() {
        for game in crate::GAMES {
            let mut player = text_player(game, "engine:depth=2,hash=1", Seed(1)).unwrap();
            let decision = player.choose(&TextRecord::default(), Limits::default()).unwrap();
            assert_eq!((decision.depth, decision.lines[0].moves[0].as_str()), (2, decision.mv.as_str()));
            let after = TextRecord { moves: vec![decision.mv], ..TextRecord::default() };
            assert!(player.choose(&after, Limits::default()).is_ok());
            player.renew(Seed(2)).unwrap();
            let wrong = TextRecord { moves: vec!["nowhere".into()], ..TextRecord::default() };
            assert!(player.choose(&wrong, Limits::default()).unwrap_err().to_string().starts_with("ply 1"));
        }
        assert!(text_player("go", "engine", Seed(1)).is_err());
        assert!(text_player("othello", "engin", Seed(1)).is_err());
    }
}
