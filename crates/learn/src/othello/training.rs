//! Othello's answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::{Rng, RngExt};
use trilith_base::Artifact;
use trilith_eval::Evaluator;
use trilith_eval::othello::{Evaluations, OthelloPatterns};
use trilith_games::Colour;
use trilith_games::othello::{Move, Othello, Position};
use trilith_search::probcut::Cuts;
use trilith_search::{EngineOptions, SearchKit};

use super::bootstrap::Bootstrap;
use super::exact::ExactEndgames;
use super::game::{OthelloGame, from_played};
use super::{fit, old_file};
use crate::data::positions::result_of;
use crate::data::{DataError, LabelledPosition, OldGames, PlayedGame, PlayedGameError};
use crate::fit::{FitError, FitMethod, FitRequest, Fitted, Reports};
use crate::logistello::tree;
use crate::training::{Boards, ExactPlay, Training};

/// Sixty-four discs, in hundredths.
const MOST: i16 = 6400;

impl Training<Othello> for Evaluations {
    type Bootstrap = Bootstrap;
    const FIT_METHOD: Option<FitMethod> = Some(fit::METHOD);

    fn bootstrap() -> Bootstrap {
        Bootstrap
    }

    const GAMES_PER_JOB: u64 = 16;
    const ENDS_BY_ITSELF: bool = true;
    const KEEPS_VALUES: bool = false;
    const HAS_EXACT_PLAY: bool = true;

    /// One set of rules is not drawn.
    fn draw_rules(count: usize, rng: &mut impl Rng) -> usize {
        if count > 1 { rng.random_range(0..count) } else { 0 }
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    fn for_mover(position: Position) -> Position {
        Position { to_move: Colour::Black, ..position }
    }

    /// Selective where the program brings what has been measured for this evaluation.
    fn self_play_options<E: Evaluator<Othello>>(evaluator: &E) -> EngineOptions {
        let shipped = <Evaluations as SearchKit<Othello>>::probcut(evaluator);
        let cuts = shipped.map(|parameters| Arc::new(Cuts::new(&parameters, evaluator.unit(), None)));
        EngineOptions { table_mebibytes: 4, quiescence: None, selective: cuts, ..EngineOptions::default() }
    }

    fn exact_play(empties: u32) -> Option<Box<dyn ExactPlay<Othello>>> {
        Some(Box::new(ExactEndgames::new(empties)))
    }

    fn parse_old_games(bytes: &[u8], path: &str) -> Option<Result<OldGames, DataError>> {
        old_file::parse(bytes, path)
    }

    /// The discs of the side to move and those of its opponent: all first bytes, then all second ones, and so on.
    fn pack(rows: &[LabelledPosition<Othello>]) -> Vec<u8> {
        let planes = |of: fn(&Position) -> u64| {
            let plane = move |byte: usize| rows.iter().map(move |row| of(&row.position).to_le_bytes()[byte]);
            (0..8).flat_map(plane)
        };
        planes(|position| position.own).chain(planes(|position| position.other)).collect()
    }

    fn unpack(column: &[u8], count: usize) -> Result<Vec<(Othello, Position)>, String> {
        if column.len() != 16 * count {
            return Err("columns of different lengths".into());
        }
        let (own, other) = column.split_at(8 * count);
        let board = |planes: &[u8], at: usize| {
            u64::from_le_bytes(std::array::from_fn(|byte| planes[byte * count + at]))
        };
        let position = |at: usize| {
            let (own, other) = (board(own, at), board(other, at));
            match own & other == 0 && (own | other).count_ones() >= 4 {
                true => Ok((Othello::default(), Position { own, other, to_move: Colour::Black })),
                false => Err("two discs on one square, or fewer than four in all".into()),
            }
        };
        (0..count).map(position).collect()
    }

    fn boards(_: &Othello, position: &Position) -> Boards {
        Boards { own: position.own, other: position.other, hand: [0; 2] }
    }

    /// The margin in discs.
    fn ending(_: Option<u16>, margin: Option<i16>) -> Option<i8> {
        margin.map(|margin| margin as i8)
    }

    fn read_ending(ending: i8) -> (u16, Option<i16>) {
        let margin = i16::from(ending.clamp(-64, 64));
        (result_of(margin), Some(margin))
    }

    fn in_range(value: i16) -> i16 {
        value.clamp(-MOST, MOST)
    }

    /// By NegaMax over the tree of all games (S5).
    fn relabel(games: Vec<PlayedGame>) -> Result<Vec<PlayedGame>, PlayedGameError> {
        let games = tree::relabelled(&from_played(&games)?);
        Ok(games.iter().map(OthelloGame::to_played).collect())
    }

    fn by_hand() -> Option<Artifact> {
        Some(OthelloPatterns::by_hand().to_artifact(BTreeMap::new()))
    }

    fn fit(request: &FitRequest, reports: Reports) -> Result<Fitted, FitError> {
        fit::fit(request, reports)
    }
}
