//! Who reads a learned file: the evaluation, or the player, that can be built from it.

use std::fmt;
use std::path::Path;

use trilith_base::{Artifact, ArtifactError};
use trilith_eval::catalogue::EvaluationError;
use trilith_eval::residual::{self, Residual};
use trilith_games::Game;

use crate::kit::GameKit;
use crate::registry::{UnknownGame, Visitor, with_game};

/// Whom a learned file is for, as options of a player: `eval=patterns for othello`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    option: String,
    game: &'static str,
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.option, self.game)
    }
}

/// A file that nobody can play with.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// It is damaged, or not as its reader needs it.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// It is of no game that is known.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// It is whole, but of a kind that is not read.
    #[error("kind is `{kind}`, which no evaluation of {game} reads")]
    Kind {
        /// The file's.
        kind: String,
        /// Its game.
        game: &'static str,
    },
}

/// Reads a file, builds what it is for, and says what that is.
pub fn reader(path: &Path) -> Result<Reader, ReaderError> {
    let artifact = Artifact::load(path)?;
    with_game(&artifact.header.game, Find { path, artifact: &artifact })?
}

struct Find<'a> {
    path: &'a Path,
    artifact: &'a Artifact,
}

impl Visitor for Find<'_> {
    type Output = Result<Reader, ReaderError>;

    /// Tries the evaluation called like the file's kind, then all others that could read it.
    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let kind = &*self.artifact.header.kind;
        let reader = |option: String| Ok(Reader { option, game: G::NAME });
        if kind == residual::KIND {
            Residual::read::<G>(self.artifact)?;
            return reader("mcts:file=".into());
        }
        let mut names: Vec<&str> = C::entries().iter().map(|entry| entry.name).collect();
        names.sort_by_key(|name| !name.starts_with(kind));
        let mut fault = None;
        for name in names {
            match C::named(name, Some(self.path)) {
                // Only evaluations that read files tell anything of this one.
                Ok(_) if reads_files::<G, C>(name) => return reader(format!("eval={name}")),
                Err(EvaluationError::Artifact(ArtifactError::Mismatch { what, .. })) if what == "kind" => {}
                Err(EvaluationError::Artifact(error)) => fault = fault.or(Some(error)),
                _ => {}
            }
        }
        Err(fault.map_or_else(|| ReaderError::Kind { kind: kind.into(), game: G::NAME }, ReaderError::from))
    }
}

/// Whether the evaluation called `name` looks at the file it is given: then one that is not there is a fault.
fn reads_files<G: Game, C: GameKit<G>>(name: &str) -> bool {
    C::named(name, Some(Path::new("no such file"))).is_err()
}
