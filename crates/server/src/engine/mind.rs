//! Minds: players of the arena behind texts, so that a table need not know which game it is.

use std::path::{Path, PathBuf};

use serde::Serialize;
use trilith_arena::player::{self, Player, PlayerError, Turn};
use trilith_arena::{GameKit, PlayerSpec, TableError, Visitor, table, with_game};
use trilith_base::Seed;
use trilith_eval::LeafEvaluator;
use trilith_games::{Colour, Game, Record};
use trilith_search::{Analysis, Control, Limits};

use super::learning;

/// A game so far, in texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    pub(crate) game: String,
    pub(crate) rules: String,
    /// The usual start if none.
    pub(crate) start: Option<String>,
    pub(crate) moves: Vec<String>,
}

impl Situation {
    /// The same as a record of `G`, which must be the game it names.
    pub(crate) fn record<G: Game>(&self) -> Result<Record<G>, TableError> {
        table::record(&self.rules, self.start.as_deref(), &self.moves)
    }
}

/// What a mind thinks, or has thought, for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Thought {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// In units, for the side to move.
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) line: Vec<String>,
    /// What a network says of the position at the board, output by output; nothing for other evaluations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) outputs: Vec<Output>,
}

/// One output of a network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Output {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
}

impl Thought {
    /// The best line of an analysis.
    pub(crate) fn of<G: Game>(game: &G, analysis: &Analysis<G::Move>) -> Thought {
        let line = analysis.lines.first();
        Thought {
            depth: analysis.depth,
            nodes: analysis.nodes,
            seconds: analysis.seconds,
            value: f64::from(analysis.value()) / f64::from(analysis.unit.one),
            unit: analysis.unit.name,
            line: line.map_or(Vec::new(), |line| line.moves.iter().map(|&mv| game.move_text(mv)).collect()),
            outputs: Vec::new(),
        }
    }

    /// What is behind a move: the line that begins with it, which need not be the best for a level that strays.
    pub(crate) fn behind<G: Game>(game: &G, analysis: &Analysis<G::Move>, mv: G::Move) -> Thought {
        let best = Thought::of(game, analysis);
        match analysis.lines.iter().find(|line| line.moves.first() == Some(&mv)) {
            Some(line) => Thought {
                value: f64::from(line.value) / f64::from(analysis.unit.one),
                line: line.moves.iter().map(|&mv| game.move_text(mv)).collect(),
                ..best
            },
            None => Thought { line: vec![game.move_text(mv)], ..best },
        }
    }
}

/// A player that takes and gives texts.
pub(crate) trait Mind: Send {
    /// A legal move of a game that goes on, or why there is none; `report` hears of deeper and deeper thoughts.
    fn choose(
        &mut self,
        situation: &Situation,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(Thought),
    ) -> Result<(String, Option<Thought>), String>;

    /// Hears how a game has ended. May take seconds if it learns.
    fn finish(&mut self, situation: &Situation, winner: Option<Colour>) -> Result<(), String>;
}

/// The mind of `spec` for `game`; with a book it looks there first and learns into it after each game.
pub(crate) fn make(
    game: &str,
    spec: &PlayerSpec,
    seed: Seed,
    book: Option<PathBuf>,
) -> Result<Box<dyn Mind>, MindError> {
    Ok(with_game(game, MindVisitor { spec, seed, book })??)
}

/// Why a mind cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MindError {
    #[error(transparent)]
    Game(#[from] trilith_arena::UnknownGame),
    #[error(transparent)]
    Player(#[from] PlayerError),
}

struct MindVisitor<'a> {
    spec: &'a PlayerSpec,
    seed: Seed,
    book: Option<PathBuf>,
}

impl Visitor for MindVisitor<'_> {
    type Output = Result<Box<dyn Mind>, PlayerError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let player = player::player::<G, C>(self.spec, self.seed)?;
        // The player has its evaluation inside; this one only shows what a network says.
        let file = self.spec.get("file").map(Path::new);
        let study = self.spec.get("eval").and_then(|name| C::named(name, file).ok());
        let catalogue = std::marker::PhantomData::<fn() -> C>;
        Ok(Box::new(MindOf { player, study, spec: self.spec.clone(), book: self.book, catalogue }))
    }
}

struct MindOf<G: Game, C> {
    player: Box<dyn Player<G>>,
    study: Option<Box<dyn LeafEvaluator<G>>>,
    spec: PlayerSpec,
    book: Option<PathBuf>,
    catalogue: std::marker::PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Mind for MindOf<G, C> {
    fn choose(
        &mut self,
        situation: &Situation,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(Thought),
    ) -> Result<(String, Option<Thought>), String> {
        let record = situation.record::<G>().map_err(|error| error.to_string())?;
        let game = record.game();
        let book = self.book.as_deref().filter(|_| learning::pupil(&self.spec).is_none());
        if let Some(mv) = book.and_then(|path| learning::advice(path, &record)) {
            return Ok((game.move_text(mv), None));
        }
        let turn = Turn { control, limits };
        let outputs = self.study.as_ref().map_or(Vec::new(), |study| study.outputs(game, record.position()));
        let outputs: Vec<_> = outputs.into_iter().map(|(name, value)| Output { name, value }).collect();
        let mut hear = |analysis: &Analysis<G::Move>| {
            report(Thought { outputs: outputs.clone(), ..Thought::of(game, analysis) });
        };
        let decision = self.player.choose(&record, turn, &mut hear).map_err(|fault| fault.to_string())?;
        let thought = decision.analysis.as_ref().map(|analysis| Thought::behind(game, analysis, decision.mv));
        Ok((game.move_text(decision.mv), thought))
    }

    fn finish(&mut self, situation: &Situation, winner: Option<Colour>) -> Result<(), String> {
        let record = situation.record::<G>().map_err(|error| error.to_string())?;
        self.player.finish(&record, winner);
        match (learning::pupil(&self.spec), &self.book) {
            (_, None) => Ok(()),
            // A network that was made to learn does so itself.
            (Some(path), _) => learning::teach::<G, C>(&path, &record, winner),
            (None, Some(path)) => learning::learn::<G, C>(path, &self.spec, &record, winner),
        }
    }
}
