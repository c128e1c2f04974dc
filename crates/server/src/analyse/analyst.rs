//! Analysts: engines behind texts that find several lines and remember what they saw from one position to the next.

use serde::Serialize;
use trilith_arena::player::{self, Player, Turn};
use trilith_arena::review::{self, JudgedPosition};
use trilith_arena::{GameKit, PlayerSpec, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Action, Colour, Game, Record};
use trilith_search::analysis::{FAR, plies_to_end};
use trilith_search::{Analysis, Control, Limits, Line};

use crate::app::App;
use crate::engine::{Client, Situation, shelf::Shelf};
use crate::fault::Fault;
use crate::room::wish;

/// One line of play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysedLine {
    /// In units, for the side to move.
    pub(super) value: f64,
    /// The same for Black.
    pub(super) black_value: f64,
    pub(super) bound: &'static str,
    /// `win` or `loss` for the side to move if it is proved; then the value is beyond all estimates.
    pub(super) proved: Option<&'static str>,
    /// To the end, where that is known too.
    pub(super) plies_to_end: Option<u32>,
    pub(super) moves: Vec<String>,
    actions: Vec<Action>,
}

/// What an analyst has found so far.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Findings {
    pub(super) unit: &'static str,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    seconds: f64,
    pub(super) lines: Vec<AnalysedLine>,
    /// What a review keeps of it.
    #[serde(skip)]
    pub(super) judged: JudgedPosition,
}

/// An engine that takes and gives texts.
pub(crate) trait Analyst: Send {
    /// Thinks about a game that goes on; `report` hears of every iteration.
    fn analyse(
        &mut self,
        situation: &Situation,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(Findings),
    ) -> Result<Findings, String>;
}

struct AnalystOf<G: Game>(Box<dyn Player<G>>);

impl<G: Game> Analyst for AnalystOf<G> {
    fn analyse(
        &mut self,
        situation: &Situation,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(Findings),
    ) -> Result<Findings, String> {
        let record = situation.record::<G>().map_err(|error| error.to_string())?;
        let turn = Turn { control, limits };
        let mut hear = |analysis: &Analysis<G::Move>| report(findings(&record, analysis));
        let decision = self.0.choose(&record, turn, &mut hear).map_err(|fault| fault.to_string())?;
        let analysis = decision.analysis.ok_or("this player does not search")?;
        Ok(findings(&record, &analysis))
    }
}

fn findings<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>) -> Findings {
    Findings {
        unit: analysis.unit.name,
        depth: analysis.depth,
        seldepth: analysis.seldepth,
        nodes: analysis.nodes,
        seconds: analysis.seconds,
        lines: analysis.lines.iter().map(|line| found(record, analysis, line)).collect(),
        judged: review::verdict(record, analysis),
    }
}

fn found<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>, line: &Line<G::Move>) -> AnalysedLine {
    let game = record.game();
    let value = f64::from(line.value) / f64::from(analysis.unit.one);
    let black = game.to_move(record.position()) == Colour::Black;
    let end = plies_to_end(line.value);
    let mut position = *record.position();
    let mut actions = Vec::new();
    for &mv in &line.moves {
        actions.push(game.action(&position, mv));
        position = game.play(&position, mv);
    }
    AnalysedLine {
        value,
        black_value: if black { value } else { -value },
        bound: line.bound.name(),
        proved: end.map(|plies| if plies >= 0 { "win" } else { "loss" }),
        plies_to_end: end.map(i32::unsigned_abs).filter(|&plies| plies < FAR),
        moves: line.moves.iter().map(|&mv| game.move_text(mv)).collect(),
        actions,
    }
}

/// Which engine: the game, and a spec with its files in the words of the file system.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnalystChoice {
    game: String,
    spec: PlayerSpec,
}

impl AnalystChoice {
    /// So many lines with the evaluation called `eval`, the usual one if none.
    pub(super) fn new(
        app: &App,
        game: &str,
        lines: usize,
        eval: Option<&str>,
    ) -> Result<AnalystChoice, Fault> {
        let mut spec = PlayerSpec { name: "engine".into(), options: Vec::new() };
        spec.options.extend(eval.map(|eval| ("eval".into(), eval.into())));
        let mut spec = wish::resolved(&spec, &|name| app.resolve_file(name))?;
        spec.options.push(("lines".into(), lines.to_string()));
        Ok(AnalystChoice { game: game.into(), spec })
    }

    fn make(&self) -> Result<Box<dyn Analyst>, String> {
        with_game(&self.game, AnalystVisitor { spec: &self.spec }).map_err(|error| error.to_string())?
    }
}

struct AnalystVisitor<'a> {
    spec: &'a PlayerSpec,
}

impl Visitor for AnalystVisitor<'_> {
    type Output = Result<Box<dyn Analyst>, String>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let player = player::player::<G, C>(self.spec, Seed(1)).map_err(|error| error.to_string())?;
        Ok(Box::new(AnalystOf(player)))
    }
}

/// An analyst and what was asked of it.
type Seated = (AnalystChoice, Box<dyn Analyst>);

/// Analysts that wait for the next question of whom they have served: they hold memory, so there are few of them.
pub(crate) type Analysts = Shelf<Seated>;

/// A conversation with an analyst, by a name that nobody else has.
#[derive(Clone)]
pub(super) struct Talk {
    pub(super) analysts: Analysts,
    pub(super) name: String,
    pub(super) client: Client,
}

impl Talk {
    /// Thinks with the analyst of this talk, if it is still there and the right one, or with a new one.
    pub(super) fn analyse(
        &self,
        choice: &AnalystChoice,
        situation: &Situation,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(Findings),
    ) -> Result<Findings, String> {
        let known = self.analysts.take(&self.name).filter(|(known, _)| known == choice);
        let mut analyst = match known {
            Some((_, analyst)) => analyst,
            None => choice.make()?,
        };
        let findings = analyst.analyse(situation, limits, control, report);
        self.analysts.put(&self.name, self.client.address(), (choice.clone(), analyst));
        findings
    }
}
