//! A table: one game being played, behind text and plain data, whatever the game.
//!
//! Generic inside, erased here once: app, protocols and terminal speak to a `Box<dyn Table>`.

use serde::Serialize;
use trilith_games::{
    Action, Arrangement, Board, Colour, End, FormatError, Game, MoveError, MoveList, PositionError, Record,
    RulesError, SideCounts, Stone,
    pgn::{self, PgnResult},
};

use crate::kit::GameKit;
use crate::registry::{GAMES, UnknownGame, Visitor, with_game};

/// Why a table could not be opened or a game not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The start position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move in a list of moves is wrong.
    #[error("ply {ply}: {source}")]
    Move {
        /// From 1.
        ply: usize,
        /// Why.
        source: MoveError,
    },
    /// The game text is wrong.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The text holds no game.
    #[error("no game found: expected tags such as [Game \"{}\"] and numbered moves", GAMES[0])]
    Empty,
}

/// A legal move as text and as what a person does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalMove {
    /// What [`Table::play`] takes.
    pub text: String,
    /// Stones taken up, put down and removed.
    #[serde(flatten)]
    pub action: Action,
}

/// An ended game with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalScore {
    /// Who has won, and why.
    #[serde(flatten)]
    pub end: End,
    /// The game's own count for Black: discs, stones, ejected marbles.
    pub margin: i32,
}

/// What a position counts beside its stones, and what that is: [`Game::COUNTED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PositionCounts {
    /// Such as `hand` or `ejected`.
    pub what: &'static str,
    /// One number a side.
    #[serde(flatten)]
    pub counts: SideCounts,
}

/// Everything a person at the table sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The game's name.
    pub game: &'static str,
    /// Its switches.
    pub rules: String,
    /// The position as text.
    pub position: String,
    /// Whose turn it is, or would be.
    pub to_move: Colour,
    /// The board, if it is another than that of the usual rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The stone on each cell.
    pub stones: Vec<Option<Stone>>,
    /// What the board does not show.
    pub status: String,
    /// The same as numbers, in games that count something.
    pub counts: Option<PositionCounts>,
    /// The legal moves; none when the game has ended.
    pub legal: Vec<LegalMove>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// How many undone moves can be played again.
    pub undone: usize,
    /// How the game has ended, if it has.
    pub end: Option<FinalScore>,
}

/// One game being played, in texts.
pub trait Table: Send {
    /// Where the cells lie.
    fn board(&self) -> Board;
    /// Everything a person sees.
    fn view(&self) -> View;
    /// What the position counts beside its stones; none in games that count nothing.
    fn counts(&self) -> Option<SideCounts>;
    /// The text of a position of this game set up by hand; [`open`] says whether it is one.
    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String;
    /// Plays a legal move; undone moves are forgotten.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;
    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Plays the last undone move again; false if there is none.
    fn redo(&mut self) -> bool;
    /// The board as plain text.
    fn diagram(&self) -> String;
    /// The board as a picture.
    fn svg(&self) -> String;
    /// The game as text that [`load`] reads back.
    fn text(&self) -> String {
        self.text_with(None, &[])
    }
    /// The same with what the record does not know: an end that the rules did not bring, and tags such as `Date`.
    fn text_with(&self, end: Option<&End>, tags: &[(String, String)]) -> String;
}

/// A table where `game` is played by `rules` (the usual ones if empty) from `position` (the usual start if none).
pub fn open(game: &str, rules: &str, position: Option<&str>) -> Result<Box<dyn Table>, TableError> {
    with_game(game, TableVisitor { rules, position })?
}

/// A table with the first game of a game text, as [`Table::text`] writes it.
pub fn load(text: &str) -> Result<Box<dyn Table>, TableError> {
    load_ended(text).map(|(table, _)| table)
}

/// The same, and how the game ended if the text says so and the rules do not: by a resignation, on time.
pub fn load_ended(text: &str) -> Result<(Box<dyn Table>, Option<End>), TableError> {
    let name = pgn::game_name(text)?.ok_or(TableError::Empty)?;
    with_game(&name, Load { text })?
}

/// A game by `rules` (the usual ones if empty) from `position` (the usual start if none), with `moves` played.
pub fn record<G: Game>(
    rules: &str,
    position: Option<&str>,
    moves: &[String],
) -> Result<Record<G>, TableError> {
    let game = G::new(rules.parse()?);
    let start = position.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))?;
    let mut record = Record::from_position(game, start)?;
    for (ply, mv) in (1..).zip(moves) {
        record.push_text(mv).map_err(|source| TableError::Move { ply, source })?;
    }
    Ok(record)
}

struct TableVisitor<'a> {
    rules: &'a str,
    position: Option<&'a str>,
}

impl Visitor for TableVisitor<'_> {
    type Output = Result<Box<dyn Table>, TableError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let record = record::<G>(self.rules, self.position, &[])?;
        Ok(Box::new(Seated { record, undone: Vec::new() }))
    }
}

struct Load<'a> {
    text: &'a str,
}

impl Visitor for Load<'_> {
    type Output = Result<(Box<dyn Table>, Option<End>), TableError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let first = pgn::parse::<G>(self.text)?.into_iter().next().ok_or(TableError::Empty)?;
        let stated = match first.result {
            _ if first.record.end().is_some() => None,
            PgnResult::Open => None,
            PgnResult::Draw => Some(None),
            PgnResult::Won(colour) => Some(Some(colour)),
        };
        let reason = first.tags.iter().find(|(name, _)| name == "Termination");
        let reason = reason.map_or("as recorded", |(_, reason)| reason).to_owned();
        let end = stated.map(|winner| End::new(winner, reason));
        Ok((Box::new(Seated { record: first.record, undone: Vec::new() }), end))
    }
}

/// A record with the moves that were taken back, the last one first to come again.
struct Seated<G: Game> {
    record: Record<G>,
    undone: Vec<G::Move>,
}

impl<G: Game> Seated<G> {
    fn legal(&self) -> Vec<LegalMove> {
        let (game, position) = (self.record.game(), self.record.position());
        let mut moves = MoveList::new();
        if self.record.end().is_none() {
            game.moves(position, &mut moves);
        }
        let legal = |&mv: &G::Move| LegalMove { text: game.move_text(mv), action: game.action(position, mv) };
        moves.iter().map(legal).collect()
    }

    /// The cells of the last move.
    fn last(&self) -> Vec<usize> {
        let Some(mv) = self.record.moves().next_back() else { return Vec::new() };
        let before = self.record.position_after(self.record.len() - 1).expect("there is a last move");
        let Action { from, to, remove } = self.record.game().action(before, mv);
        [from, to, remove].concat()
    }

    fn end(&self) -> Option<FinalScore> {
        let (game, position) = (self.record.game(), self.record.position());
        let margin = game.margin(position);
        self.record.end().map(|end| FinalScore {
            end,
            margin: if game.to_move(position) == Colour::Black { margin } else { -margin },
        })
    }
}

impl<G: Game> Table for Seated<G> {
    fn board(&self) -> Board {
        self.record.game().board()
    }

    fn view(&self) -> View {
        let (game, position) = (self.record.game(), self.record.position());
        View {
            game: G::NAME,
            rules: game.rules().to_string(),
            position: game.position_text(position),
            to_move: game.to_move(position),
            board: Some(game.board()).filter(|board| *board != G::new(G::Rules::default()).board()),
            stones: game.stones(position),
            status: game.status(position),
            counts: G::COUNTED.zip(self.counts()).map(|(what, counts)| PositionCounts { what, counts }),
            legal: self.legal(),
            moves: self.record.moves().map(|mv| game.move_text(mv)).collect(),
            last: self.last(),
            undone: self.undone.len(),
            end: self.end(),
        }
    }

    fn counts(&self) -> Option<SideCounts> {
        self.record.game().counts(self.record.position())
    }

    fn arrangement_text(&self, arrangement: &Arrangement<'_>) -> String {
        self.record.game().arrangement_text(arrangement)
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        self.record.push_text(text)?;
        self.undone.clear();
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let mv = self.record.pop();
        self.undone.extend(mv);
        mv.is_some()
    }

    fn redo(&mut self) -> bool {
        let mv = self.undone.pop();
        mv.into_iter().for_each(|mv| self.record.push_legal(mv));
        mv.is_some()
    }

    fn diagram(&self) -> String {
        self.record.game().diagram(self.record.position())
    }

    fn svg(&self) -> String {
        self.board().svg(&self.record.game().stones(self.record.position()), &self.last())
    }

    fn text_with(&self, end: Option<&End>, tags: &[(String, String)]) -> String {
        let game = self.record.game();
        let mut all = Vec::new();
        if let Some(End { winner, reason }) = end {
            let result = winner.map_or(PgnResult::Draw, PgnResult::Won);
            all.push(("Result".into(), result.text(game.to_move(&game.start())).into()));
            all.push(("Termination".into(), reason.to_string()));
        }
        all.extend_from_slice(tags);
        pgn::write(&self.record, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_undone_redone_saved_and_loaded_at_every_table() {
        for game in GAMES {
            let mut table = open(game, "", None).unwrap();
            for ply in 0..12 {
                let legal = table.view().legal;
                if legal.is_empty() {
                    break;
                }
                table.play(&legal[ply % legal.len()].text).unwrap();
            }
            let now = table.view();
            assert!(table.undo() && table.undo());
            assert_eq!(table.view().undone, 2);
            assert!(table.redo() && table.redo() && !table.redo());
            assert_eq!(table.view(), now);
            assert_eq!(load(&table.text()).unwrap().view(), now);
            assert!(table.svg().contains("<svg"));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |game, rules, position| open(game, rules, position).map(|_| ()).unwrap_err().to_string();
        assert!(error("go", "", None).starts_with("unknown game `go`"));
        assert!(error("morris", "flyin=on", None).contains("`flying`?"));
        assert!(error("othello", "", Some("XXXX")).starts_with("position, column 5"));
        assert_eq!(load("hello").map(|_| ()).unwrap_err(), TableError::Empty);
        let mut table = open("othello", "", None).unwrap();
        let illegal = table.play("a1").unwrap_err().to_string();
        assert!(illegal.starts_with("`a1` is not legal here; legal: "), "{illegal}");
    }
}
