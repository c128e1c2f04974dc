//! What a review says: of each move, and of each player.

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

use super::judge::{JudgedPosition, ReviewScale};
use crate::sheets::GameSheet;

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedMove {
    /// From 1.
    pub ply: usize,
    /// As played.
    #[serde(rename = "move")]
    pub mv: String,
    /// Who played it.
    pub side: Colour,
    /// What the position was worth for Black, in the unit of the review.
    pub value_before: f64,
    /// What it was worth for Black afterwards.
    pub value_after: f64,
    /// Whether both values are the truth, not estimates.
    pub exact: bool,
    /// Plies searched before the move.
    pub depth: u32,
    /// What should have been played.
    pub best: Option<String>,
    /// What the move gave away, in the unit of losses.
    pub loss: f64,
    /// `best`, `good`, `forced`, `inaccuracy`, `mistake` or `blunder`.
    pub class: String,
    /// How play should have gone on; empty unless the move is marked.
    #[serde(default)]
    pub better: Vec<String>,
}

/// How one side played; forced moves count for nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReview {
    /// From the game's tags; empty if nobody says.
    pub player: String,
    /// Moves that were a choice.
    pub moves: u64,
    /// Points for moves that gave away less than an inaccuracy, as a share of all: from 0 to 1, 1 without moves.
    pub accuracy: f64,
    /// Given away by move.
    pub average_loss: f64,
    /// The engine's own choices.
    pub best: u64,
    /// Moves with this mark.
    pub inaccuracies: u64,
    /// Moves with this mark.
    pub mistakes: u64,
    /// Moves with this mark.
    pub blunders: u64,
}

/// How both sides played in one phase of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseReview {
    /// [`GameKit::phase`](crate::kit::GameKit::phase).
    pub phase: String,
    /// How Black played.
    pub black: SideReview,
    /// How White played.
    pub white: SideReview,
}

impl PhaseReview {
    /// All phases in the order in which they came; `phases` has one for each ply from the start on.
    pub fn all(phases: &[Option<&str>], moves: &[JudgedMove]) -> Vec<PhaseReview> {
        let mut names: Vec<&str> = Vec::new();
        for &phase in phases.iter().flatten() {
            if !names.contains(&phase) {
                names.push(phase);
            }
        }
        let review = |name: &&str| {
            let is_in = |mv: &&JudgedMove| phases.get(mv.ply - 1) == Some(&Some(*name));
            let own: Vec<JudgedMove> = moves.iter().filter(is_in).cloned().collect();
            let side = |colour| SideReview::of("", colour, &own);
            let (black, white) = (side(Colour::Black), side(Colour::White));
            PhaseReview { phase: (*name).into(), black, white }
        };
        names.iter().map(review).filter(|phase| phase.black.moves + phase.white.moves > 0).collect()
    }
}

/// A game with every move judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReview {
    /// Its place among the games reviewed, from 1.
    pub number: usize,
    /// What it was.
    pub sheet: GameSheet,
    /// What values count.
    pub unit: String,
    /// What losses count: `discs`, or `chance` from 0 to 1.
    pub loss_unit: String,
    /// In their order.
    pub moves: Vec<JudgedMove>,
    /// How Black played.
    pub black: SideReview,
    /// How White played.
    pub white: SideReview,
    /// The same by phases, in games that have some.
    #[serde(default)]
    pub phases: Vec<PhaseReview>,
    /// Positions visited.
    pub nodes: u64,
}

/// Judges the move of a ply, from 0, between two verdicts. The engine's own choice loses nothing.
pub fn judge(
    scale: ReviewScale,
    at: usize,
    mv: &str,
    side: Colour,
    is_forced: bool,
    (before, after): (&JudgedPosition, &JudgedPosition),
) -> JudgedMove {
    let best = before.line.first().cloned();
    let is_best = best.as_deref() == Some(mv);
    let loss = if is_best || is_forced { 0.0 } else { scale.loss(before, after, side) };
    let mark = scale.mark(loss);
    let class = match mark {
        Some(mark) => mark,
        None if is_forced => "forced",
        None if is_best => "best",
        None => "good",
    };
    JudgedMove {
        ply: at + 1,
        mv: mv.into(),
        side,
        value_before: before.value,
        value_after: after.value,
        exact: before.exact && after.exact,
        depth: before.depth,
        best,
        loss,
        class: class.into(),
        better: if mark.is_some() { before.line.clone() } else { Vec::new() },
    }
}

impl SideReview {
    /// How `side` played.
    pub fn of(player: &str, side: Colour, moves: &[JudgedMove]) -> SideReview {
        let own: Vec<&JudgedMove> =
            moves.iter().filter(|mv| mv.side == side && mv.class != "forced").collect();
        let count = |class: &str| own.iter().filter(|mv| mv.class == class).count() as u64;
        let number = own.len() as f64;
        let (best, good) = (count("best"), count("good"));
        SideReview {
            player: player.into(),
            moves: own.len() as u64,
            accuracy: if own.is_empty() { 1.0 } else { (best + good) as f64 / number },
            average_loss: own.iter().map(|mv| mv.loss).sum::<f64>() / number.max(1.0),
            best,
            inaccuracies: count("inaccuracy"),
            mistakes: count("mistake"),
            blunders: count("blunder"),
        }
    }

    /// The same over several games of one player.
    pub fn join(&self, other: &SideReview) -> SideReview {
        let moves = self.moves + other.moves;
        let mean =
            |a: f64, b: f64| (a * self.moves as f64 + b * other.moves as f64) / (moves as f64).max(1.0);
        SideReview {
            player: other.player.clone(),
            moves,
            accuracy: if moves == 0 { 1.0 } else { mean(self.accuracy, other.accuracy) },
            average_loss: mean(self.average_loss, other.average_loss),
            best: self.best + other.best,
            inaccuracies: self.inaccuracies + other.inaccuracies,
            mistakes: self.mistakes + other.mistakes,
            blunders: self.blunders + other.blunders,
        }
    }
}

impl GameReview {
    /// The game with what was found as comments: value for Black, class and the better move.
    pub fn annotated(&self) -> GameSheet {
        let mut sheet = self.sheet.clone();
        let mut comments = Vec::new();
        for judged in &self.moves {
            let at = judged.ply - 1;
            let earlier = sheet.comment(at).map(|text| format!("{text} ")).unwrap_or_default();
            let exact = if judged.exact { "=" } else { "" };
            let mut text = format!("{earlier}{:+.2}{exact}", judged.value_after);
            if !matches!(judged.class.as_str(), "best" | "good" | "forced") {
                let better = judged.better.join(" ");
                text +=
                    &format!(" {} ({:.2} {}), better {better}", judged.class, judged.loss, self.loss_unit);
            }
            comments.push((at, text));
        }
        sheet.comments = comments;
        sheet
    }
}
