//! Matches in cells: a few games each, added up afterwards.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_arena::contest::{
    Adjudication, Duel, GameReport, Host, JobError, Opening, OpeningSource, colour_of_a, openings, push_moves,
};
use trilith_arena::statistics::{Pairs, Tally};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Colour, Game, MoveList, Record};

use crate::cell::{CellWork, StudyCell};

/// Two players and how often they meet: both colours from each opening, the first with Black in games of even number.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What its cells are called.
    pub name: String,
    /// The game's name.
    pub game: &'static str,
    /// Rule switches.
    pub rules: String,
    /// The player whose results are counted.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// How many games.
    pub games: u64,
    /// Where the players take over.
    pub openings: From,
    /// A game is drawn after so many plies.
    pub plies: Option<u32>,
    /// Games in a cell; even.
    pub per_cell: u64,
}

/// Where the players of a match take over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum From {
    /// The usual start.
    Start,
    /// So many random plies.
    Random(u32),
    /// These, from the first again when they are used up.
    List(Vec<Opening>),
}

impl Match {
    /// A game from the usual start.
    pub fn new(game: &'static str, name: impl Into<String>, a: &str, b: &str, games: u64) -> Match {
        Match {
            name: name.into(),
            game,
            rules: String::new(),
            a: a.into(),
            b: b.into(),
            games,
            openings: From::Start,
            plies: None,
            per_cell: 20,
        }
    }

    /// Its cells.
    pub fn cells(&self, seed: Seed) -> Vec<StudyCell> {
        let per_cell = self.per_cell.max(1);
        let cell = |number: u64| {
            let first = number * per_cell;
            let work = Games {
                game: self.game.into(),
                rules: self.rules.clone(),
                a: self.a.clone(),
                b: self.b.clone(),
                first,
                count: per_cell.min(self.games - first),
                openings: self.openings.clone(),
                plies: self.plies,
                seed: seed.derive(&self.name, 0).0,
            };
            StudyCell { name: format!("{} {number}", self.name), work: CellWork::Games(work) }
        };
        (0..self.games.div_ceil(per_cell)).map(cell).collect()
    }
}

/// Some games of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Games {
    game: String,
    rules: String,
    a: String,
    b: String,
    first: u64,
    count: u64,
    openings: From,
    plies: Option<u32>,
    seed: u64,
}

/// What came of games, from the first player's side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchScore {
    /// With Black.
    pub black: Tally,
    /// With White.
    pub white: Tally,
    /// Pairs of games from one opening.
    pub pairs: Pairs,
    /// The game's own count at the end, summed: with Black, with White.
    pub margins: [i64; 2],
    /// Plies of all games, openings included.
    pub plies: u64,
    /// Of the shortest and the longest game.
    pub extremes: Option<(u64, u64)>,
    /// Legal moves of all positions from the opening on, and how many positions that were.
    pub choices: (u64, u64),
    /// Games ended by the limit of plies.
    pub cut_short: u64,
    /// Who led by the game's own count at the end, however the game has ended (S4, 6.4).
    #[serde(default)]
    pub leads: Tally,
}

impl MatchScore {
    /// With both colours.
    pub fn all(&self) -> Tally {
        let mut all = self.black;
        all += self.white;
        all
    }

    /// Both together.
    pub fn merge(mut self, more: &MatchScore) -> MatchScore {
        self.black += more.black;
        self.white += more.white;
        self.pairs.0.iter_mut().zip(more.pairs.0).for_each(|(own, more)| *own += more);
        self.margins.iter_mut().zip(more.margins).for_each(|(own, more)| *own += more);
        self.plies += more.plies;
        self.choices = (self.choices.0 + more.choices.0, self.choices.1 + more.choices.1);
        self.cut_short += more.cut_short;
        self.leads += more.leads;
        self.extremes = match (self.extremes, more.extremes) {
            (Some(own), Some(more)) => Some((own.0.min(more.0), own.1.max(more.1))),
            (own, more) => own.or(more),
        };
        self
    }

    /// Mean plies of a game.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.all().games().max(1) as f64
    }

    /// Mean legal moves of a position.
    pub fn branching(&self) -> f64 {
        self.choices.0 as f64 / self.choices.1.max(1) as f64
    }

    /// The first player's points of 64 a game in Othello, with Black and with White.
    pub fn points(&self) -> [u64; 2] {
        let of = |tally: Tally, margin: i64| ((64 * tally.games() as i64 + margin) / 2) as u64;
        [of(self.black, self.margins[0]), of(self.white, self.margins[1])]
    }
}

impl Games {
    /// Plays them; nothing if stopped before the end.
    pub fn run(&self, host: &mut Host, stop: &AtomicBool) -> Result<Option<MatchScore>, JobError> {
        let (openings, duel) = (self.openings()?, self.duel());
        let (mut score, mut last) = (MatchScore::default(), 0);
        for number in self.first..self.first + self.count {
            let opening = openings[((number - self.first) / 2) as usize].clone();
            let Some(result) = host.play(&duel.job(number, opening), stop)? else { return Ok(None) };
            let sign = result.sign(colour_of_a(number));
            with_game(&self.game, Count { games: self, score: &mut score, result: &result })??;
            match number % 2 {
                0 => last = sign,
                _ => score.pairs.add(last + sign),
            }
        }
        Ok(Some(score))
    }

    fn openings(&self) -> Result<Vec<Opening>, JobError> {
        let wanted = self.count.div_ceil(2) as usize;
        Ok(match &self.openings {
            From::List(list) => {
                let first = (self.first / 2) as usize;
                (first..first + wanted).map(|at| list[at % list.len()].clone()).collect()
            }
            From::Start => vec![Opening::default(); wanted],
            From::Random(plies) => {
                let seed = Seed(self.seed).derive("openings", self.first);
                with_game(&self.game, ContestVisitor { rules: &self.rules, plies: *plies, seed, wanted })??
            }
        })
    }

    fn duel(&self) -> Duel {
        Duel {
            rules: self.rules.clone(),
            adjudication: Adjudication { plies: self.plies, ..Adjudication::default() },
            seed: Seed(self.seed),
            ..Duel::new(&self.game, &self.a, &self.b, self.count)
        }
    }
}

struct ContestVisitor<'a> {
    rules: &'a str,
    plies: u32,
    seed: Seed,
    wanted: usize,
}

impl Visitor for ContestVisitor<'_> {
    type Output = Result<Vec<Opening>, JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.rules.parse()?);
        Ok(openings(&game, &OpeningSource::Random(self.plies), self.seed)?.take(self.wanted).collect())
    }
}

/// Replays a game and counts it.
struct Count<'a> {
    games: &'a Games,
    score: &'a mut MatchScore,
    result: &'a GameReport,
}

impl Visitor for Count<'_> {
    type Output = Result<(), JobError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let Count { games, score, result } = self;
        let game = G::new(games.rules.parse()?);
        let mut record = Record::new(game.clone());
        push_moves(&mut record, &result.moves)?;
        let plies = record.len();
        let mut moves = MoveList::new();
        for at in 0..plies {
            if let Some(position) = record.position_after(at) {
                game.moves(position, &mut moves);
                score.choices = (score.choices.0 + moves.len() as u64, score.choices.1 + 1);
            }
        }
        let end = record.position();
        let own = colour_of_a(result.number);
        let margin = i64::from(game.margin(end));
        let margin = if game.to_move(end) == own { margin } else { -margin };
        let sign = result.sign(own);
        match own {
            Colour::Black => {
                score.black.count(sign);
                score.margins[0] += margin;
            }
            Colour::White => {
                score.white.count(sign);
                score.margins[1] += margin;
            }
        }
        score.leads.count(margin.signum() as i32);
        let plies = plies as u64;
        score.plies += plies;
        let (least, most) = score.extremes.unwrap_or((plies, plies));
        score.extremes = Some((least.min(plies), most.max(plies)));
        score.cut_short += u64::from(result.cut_short);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cover_a_match_and_add_up() {
        let contest = Match { per_cell: 4, ..Match::new("othello", "m", "random", "random", 10) };
        let cells = contest.cells(Seed(1));
        let counts: Vec<u64> = cells
            .iter()
            .map(|cell| match &cell.work {
                CellWork::Games(games) => games.count,
                _ => 0,
            })
            .collect();
        assert_eq!(counts, [4, 4, 2]);
        let mut host = Host::default();
        let never = AtomicBool::new(false);
        let mut score = MatchScore::default();
        for cell in &cells {
            if let CellWork::Games(games) = &cell.work {
                score = score.merge(&games.run(&mut host, &never).unwrap().unwrap());
            }
        }
        assert_eq!((score.all().games(), score.pairs.count(), score.black.games()), (10, 5, 5));
        assert!(score.branching() > 3.0 && score.mean_plies() > 30.0);
        let points = score.points();
        let margin = 2 * points[0] as i64 - 64 * 5;
        assert_eq!(margin, score.margins[0], "a game's points are 64");
        assert_eq!(score.leads, score.all(), "in Othello the leader wins");
    }
}
