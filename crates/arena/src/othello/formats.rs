//! The formats that only Othello has: transcripts, GGF, SGF, OBF and WTHOR.

use trilith_games::othello::formats::obf::{Problem, obf_text, parse_obf};
use trilith_games::othello::formats::transcript::{parse_transcripts, transcript_text};
use trilith_games::othello::formats::wthor::{self, Wtb, WthorGame, WthorHeader};
use trilith_games::othello::formats::{Sheet, ggf, sgf};
use trilith_games::othello::{Move, Othello};
use trilith_games::pgn::{GameText, PgnResult};
use trilith_games::{Colour, FormatError, Game, Record};

use crate::sheets::{Content, GameFormat, GameSheet, SheetError, Written};
use crate::table::TableError;

/// What GGF calls things.
const GGF_NAMES: &[(&str, &str)] = &[
    ("Site", "PC"),
    ("Date", "DT"),
    ("Black", "PB"),
    ("White", "PW"),
    ("BlackElo", "RB"),
    ("WhiteElo", "RW"),
    ("TimeControl", "TI"),
    ("Variant", "TY"),
    ("Score", "RE"),
];

/// What SGF calls things.
const SGF_NAMES: &[(&str, &str)] = &[
    ("Site", "PC"),
    ("Date", "DT"),
    ("Black", "PB"),
    ("White", "PW"),
    ("BlackElo", "BR"),
    ("WhiteElo", "WR"),
    ("TimeControl", "TM"),
    ("Event", "EV"),
    ("Round", "RO"),
    ("Score", "RE"),
    ("Comment", "C"),
    ("Annotator", "AN"),
    ("Source", "SO"),
];

pub(super) const FORMATS: &[GameFormat<Othello>] = &[
    GameFormat {
        name: "transcript",
        title: "transcript",
        ending: None,
        is_plain: true,
        is_like: is_transcript,
        read: read_transcripts,
        write: |sheets| write("transcript", sheets, |game, lost| game.to_transcript(lost)),
    },
    GameFormat {
        name: "ggf",
        title: "GGF",
        ending: Some("ggf"),
        is_plain: false,
        is_like: |start| start.contains("GM[Othello]") || start.contains("GM[othello]"),
        read: |game, content| Ok(from_sheets(ggf::parse_ggf(game, &content.text())?, GGF_NAMES)),
        write: |sheets| {
            write("ggf", sheets, |game, lost| Ok(ggf::ggf_text(&[game.to_sheet(GGF_NAMES, true, lost)])))
        },
    },
    GameFormat {
        name: "sgf",
        title: "SGF",
        ending: Some("sgf"),
        is_plain: false,
        is_like: |start| start.starts_with('('),
        read: |game, content| Ok(from_sheets(sgf::parse_sgf(game, &content.text())?, SGF_NAMES)),
        write: |sheets| {
            write("sgf", sheets, |game, lost| Ok(sgf::sgf_text(&[game.to_sheet(SGF_NAMES, false, lost)])))
        },
    },
    GameFormat {
        name: "obf",
        title: "OBF",
        ending: Some("obf"),
        is_plain: false,
        is_like: is_obf,
        read: read_problems,
        write: |sheets| write("obf", sheets, |game, lost| game.to_obf(lost)),
    },
    GameFormat {
        name: "wthor",
        title: "WTHOR",
        ending: Some("wtb"),
        is_plain: false,
        is_like: |_| false,
        read: read_wthor,
        write: |sheets| to_wthor(&numbered(sheets)?),
    },
];

type Games = Vec<GameText<Othello>>;

fn first_line(start: &str) -> &str {
    start.lines().next().unwrap_or_default().trim()
}

/// Squares without spaces, a game a line.
fn is_transcript(start: &str) -> bool {
    let first = first_line(start);
    first.len() >= 2 && first.chars().all(|letter| letter.is_ascii_alphanumeric())
}

/// A board, and after a semicolon what is known of it.
fn is_obf(start: &str) -> bool {
    first_line(start).split_once(';').is_some_and(|(board, _)| board.len() >= 64)
}

fn read_transcripts(game: &Othello, content: Content<'_>) -> Result<Games, FormatError> {
    let records = parse_transcripts(game, &content.text())?.into_iter();
    Ok(records.map(|record| game_text(record, Vec::new(), Vec::new(), PgnResult::Open)).collect())
}

fn from_sheets(sheets: Vec<Sheet>, names: &[(&str, &str)]) -> Games {
    sheets.into_iter().map(|sheet| from_sheet(sheet, names)).collect()
}

/// The game with what its own end says, else with what is stated.
fn game_text(
    record: Record<Othello>,
    tags: Vec<(String, String)>,
    comments: Vec<(usize, String)>,
    stated: PgnResult,
) -> GameText<Othello> {
    let result = match PgnResult::of(&record) {
        PgnResult::Open => stated,
        own => own,
    };
    GameText { record, tags, result, comments }
}

fn from_sheet(sheet: Sheet, names: &[(&str, &str)]) -> GameText<Othello> {
    let ours =
        |id: String| names.iter().find(|(_, theirs)| *theirs == id).map_or(id, |(ours, _)| (*ours).into());
    let mut tags: Vec<(String, String)> =
        sheet.tags.into_iter().map(|(id, value)| (ours(id), value)).collect();
    let score = tags.iter().find(|(name, _)| name == "Score").and_then(|(_, value)| outcome(value));
    let mut stated = PgnResult::Open;
    if let Some((result, why)) = score.filter(|_| sheet.record.end().is_none()) {
        stated = result;
        tags.push(("Result".into(), result.text(Colour::Black).into()));
        tags.extend(why.map(|why| ("Termination".into(), why.into())));
    }
    game_text(sheet.record, tags, sheet.comments, stated)
}

/// Who has won by a score such as `+2.00:r`, `-4`, `B+12`, `W+R` or `0`, and why, if that is said.
fn outcome(score: &str) -> Option<(PgnResult, Option<&'static str>)> {
    let (number, suffix) = score.split_once(':').unwrap_or((score, ""));
    let (sign, rest) = match number.trim() {
        text if text.starts_with("B+") => (1.0, &text[2..]),
        text if text.starts_with("W+") => (-1.0, &text[2..]),
        text => (text.parse::<f64>().ok()?, ""),
    };
    let why = match (suffix, rest.to_ascii_lowercase().as_str()) {
        ("r", _) | (_, "r" | "resign") => Some("resignation"),
        ("t" | "l", _) | (_, "t" | "time") => Some("time"),
        ("s", _) => Some("agreement"),
        _ => None,
    };
    let result = match sign {
        sign if sign > 0.0 => PgnResult::Won(Colour::Black),
        sign if sign < 0.0 => PgnResult::Won(Colour::White),
        _ => PgnResult::Draw,
    };
    Some((result, why))
}

fn read_problems(game: &Othello, content: Content<'_>) -> Result<Games, FormatError> {
    let problems = parse_obf(game, &content.text())?;
    (1..).zip(&problems).map(|(line, problem)| from_problem(game, line, problem)).collect()
}

fn from_problem(game: &Othello, line: usize, problem: &Problem) -> Result<GameText<Othello>, FormatError> {
    let mut tags = Vec::new();
    if !problem.scores.is_empty() {
        let scores: Vec<String> =
            problem.scores.iter().map(|(mv, score)| format!("{mv}:{score:+}")).collect();
        tags.push(("Scores".into(), scores.join(" ")));
    }
    if !problem.comment.is_empty() {
        tags.push(("Comment".into(), problem.comment.clone()));
    }
    let record = Record::from_position(game.clone(), problem.position)
        .map_err(|source| FormatError::Position { line, source })?;
    Ok(game_text(record, tags, Vec::new(), PgnResult::Open))
}

/// Names are looked up in `NAME.jou` and `NAME.trn` beside the file, else in `WTHOR.JOU` and `WTHOR.TRN`.
fn read_wthor(game: &Othello, content: Content<'_>) -> Result<Games, FormatError> {
    let Wtb { header, games } = wthor::parse_wtb(game, content.bytes)?;
    let beside = |ending: &str| {
        let path = content.path?;
        let shared = path.with_file_name(format!("WTHOR.{}", ending.to_ascii_uppercase()));
        [path.with_extension(ending), shared].into_iter().find_map(|path| std::fs::read(path).ok())
    };
    let players = beside("jou").map(|bytes| wthor::parse_players(&bytes)).transpose()?;
    let events = beside("trn").map(|bytes| wthor::parse_tournaments(&bytes)).transpose()?;
    let name = |list: &Option<Vec<String>>, number: u16| {
        let found = list.as_ref().and_then(|list| list.get(usize::from(number)));
        found.cloned().unwrap_or_else(|| format!("#{number}"))
    };
    let sheet = |game: &WthorGame| {
        let tags = [
            ("Event", name(&events, game.tournament)),
            ("Date", header.year.to_string()),
            ("Black", name(&players, game.black)),
            ("White", name(&players, game.white)),
            ("BlackDiscs", game.black_discs.to_string()),
            ("BestBlackDiscs", game.best_black_discs.to_string()),
            ("BestFrom", header.depth.to_string()),
        ];
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let result = by_discs(game.black_discs);
        GameText { record: game.record.clone(), tags, result, comments: Vec::new() }
    };
    Ok(games.iter().map(sheet).collect())
}

/// WTHOR counts empty squares for the winner, so 32 is a draw.
fn by_discs(black: u8) -> PgnResult {
    match black {
        0..=31 => PgnResult::Won(Colour::White),
        32 => PgnResult::Draw,
        _ => PgnResult::Won(Colour::Black),
    }
}

fn numbered(sheets: &[GameSheet]) -> Result<Vec<Numbered<'_>>, SheetError> {
    (1..).zip(sheets).map(|(number, sheet)| Ok(Numbered { number, sheet, record: sheet.record()? })).collect()
}

/// Writes games one after the other.
fn write(
    ending: &'static str,
    sheets: &[GameSheet],
    text: impl Fn(&Numbered<'_>, &mut Vec<String>) -> Result<String, SheetError>,
) -> Result<Written, SheetError> {
    let mut lost = Vec::new();
    let games = numbered(sheets)?;
    let text: String = games.iter().map(|game| text(game, &mut lost)).collect::<Result<_, _>>()?;
    Ok(Written { files: vec![(ending, text.into_bytes())], lost })
}

struct Numbered<'a> {
    /// From 1.
    number: usize,
    sheet: &'a GameSheet,
    record: Record<Othello>,
}

impl Numbered<'_> {
    fn lose(&self, lost: &mut Vec<String>, what: impl std::fmt::Display) {
        lost.push(format!("game {}: {what}", self.number));
    }

    /// `+4` for Black, by the rules if the game has ended, else from the stated result.
    fn score(&self) -> Option<String> {
        let (game, position) = (self.record.game(), self.record.position());
        if self.record.end().is_some() {
            let own = game.margin(position);
            let black = if game.to_move(position) == Colour::Black { own } else { -own };
            return Some(format!("{black:+}"));
        }
        let result = self.sheet.tag("Result")?;
        let sign =
            [("1-0", "+1"), ("0-1", "-1"), ("1/2-1/2", "0")].into_iter().find(|(text, _)| *text == result)?.1;
        let why = match self.sheet.tag("Termination") {
            Some("resignation") => ":r",
            Some("time") => ":t",
            _ => "",
        };
        Some(format!("{sign}{why}"))
    }

    fn to_sheet(&self, names: &[(&str, &str)], is_ggf: bool, lost: &mut Vec<String>) -> Sheet {
        let mut tags = Vec::new();
        for (name, value) in &self.sheet.tags {
            let theirs = names.iter().find(|(ours, _)| ours == name).map(|(_, theirs)| *theirs);
            let is_id = name.len() <= 3 && name.chars().all(|letter| letter.is_ascii_uppercase());
            match theirs {
                Some(id) => tags.push((id.to_owned(), value.clone())),
                None if is_id => tags.push((name.clone(), value.clone())),
                // They are in the score.
                None if matches!(name.as_str(), "Result" | "Termination") => {}
                None => self.lose(lost, format_args!("no place for the tag {name} \"{value}\"")),
            }
        }
        if self.sheet.tag("Score").is_none() {
            tags.extend(self.score().map(|score| ("RE".to_owned(), score)));
        }
        if is_ggf {
            for (ply, comment) in self.sheet.comments.iter().filter(|(_, comment)| ggf::slashes(comment).1) {
                self.lose(lost, format_args!("ply {}: no place for all of {{{comment}}}", ply + 1));
            }
        }
        Sheet { tags, record: self.record.clone(), comments: self.sheet.comments.clone() }
    }

    fn lose_the_rest(&self, kept: &[&str], lost: &mut Vec<String>) {
        let is_lost = |(name, _): &&(String, String)| !kept.contains(&name.as_str());
        let names: Vec<&str> =
            self.sheet.tags.iter().filter(is_lost).map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            self.lose(lost, format_args!("no place for the tags {}", names.join(", ")));
        }
        if !self.sheet.comments.is_empty() {
            self.lose(lost, format_args!("no place for {} comments on moves", self.sheet.comments.len()));
        }
    }

    fn to_transcript(&self, lost: &mut Vec<String>) -> Result<String, SheetError> {
        if self.sheet.start.is_some() {
            let fault = "a transcript begins at the usual start, and this game does not".into();
            return Err(SheetError::Unfit { number: self.number, fault });
        }
        self.lose_the_rest(&[], lost);
        Ok(transcript_text(&self.record) + "\n")
    }

    /// A position as it is; of a game every position with the move that was played in it.
    fn to_obf(&self, lost: &mut Vec<String>) -> Result<String, SheetError> {
        let wrong = |source| TableError::Move { ply: 1, source };
        let mut problems = Vec::new();
        if self.record.is_empty() {
            let mut scores = Vec::new();
            for word in self.sheet.tag("Scores").unwrap_or_default().split_whitespace() {
                if let Some((mv, score)) = word.split_once(':')
                    && let Ok(score) = score.parse()
                {
                    scores.push((mv.parse::<Move>().map_err(wrong)?, score));
                }
            }
            let comment = self.sheet.tag("Comment").unwrap_or_default().into();
            problems.push(Problem { position: *self.record.position(), scores, comment });
            self.lose_the_rest(&["Scores", "Comment"], lost);
            return Ok(obf_text(&problems));
        }
        for (ply, mv) in self.record.moves().enumerate() {
            let position = *self.record.position_after(ply).expect("a position before each move");
            let comment = format!("game {} ply {}: {mv}", self.number, ply + 1);
            problems.push(Problem { position, scores: Vec::new(), comment });
        }
        self.lose_the_rest(&[], lost);
        Ok(obf_text(&problems))
    }

    /// Black's discs: as noted, by the rules, or of a stated winner one more than the other side.
    fn black_discs(&self) -> u8 {
        let noted = self.sheet.tag("BlackDiscs").and_then(|text| text.parse().ok());
        let score = || {
            self.score().and_then(|score| score.split(':').next().and_then(|text| text.parse::<i32>().ok()))
        };
        noted.unwrap_or_else(|| ((64 + score().unwrap_or(0)).clamp(0, 128) / 2) as u8)
    }
}

/// The three files of WTHOR.
fn to_wthor(games: &[Numbered<'_>]) -> Result<Written, SheetError> {
    let mut lost = Vec::new();
    let (mut players, mut events) = (Vec::new(), Vec::new());
    let number = |list: &mut Vec<String>, name: Option<&str>| -> u16 {
        let name = name.unwrap_or("?");
        let place = list.iter().position(|known| known == name).unwrap_or_else(|| {
            list.push(name.to_owned());
            list.len() - 1
        });
        place.min(usize::from(u16::MAX)) as u16
    };
    let first = games.first().map(|game| game.sheet);
    let part = |name: &str| first.and_then(|sheet| sheet.tag(name)).unwrap_or_default();
    let year: u16 = part("Date").get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
    let year_text = year.to_string();
    let depth = part("BestFrom").parse().unwrap_or(0);
    let header = WthorHeader { made: (year, 1, 1), games: 0, names: 0, year, depth };
    let mut entries = Vec::new();
    for game in games {
        let sheet = game.sheet;
        let kept = ["Event", "Date", "Black", "White", "BlackDiscs", "BestBlackDiscs", "BestFrom", "Result"];
        game.lose_the_rest(&kept, &mut lost);
        let date =
            sheet.tag("Date").filter(|date| date.get(..4) != Some(year_text.as_str()) || date.len() > 4);
        if let Some(date) = date {
            game.lose(&mut lost, format_args!("no place for the date {date}: the file has the year {year}"));
        }
        let black_discs = game.black_discs();
        entries.push(WthorGame {
            tournament: number(&mut events, sheet.tag("Event")),
            black: number(&mut players, sheet.tag("Black")),
            white: number(&mut players, sheet.tag("White")),
            black_discs,
            best_black_discs: sheet
                .tag("BestBlackDiscs")
                .and_then(|text| text.parse().ok())
                .unwrap_or(black_discs),
            record: game.record.clone(),
        });
    }
    let wtb = wthor::wtb_bytes(&Wtb { header, games: entries })
        .map_err(|error| SheetError::Unfit { number: 1, fault: error.to_string() })?;
    let names = [
        ("jou", wthor::players_bytes(&header, &players)),
        ("trn", wthor::tournaments_bytes(&header, &events)),
    ];
    Ok(Written { files: [("wtb", wtb)].into_iter().chain(names).collect(), lost })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        let [black, white] = [Colour::Black, Colour::White].map(PgnResult::Won);
        for (text, result) in [
            ("B+12", Some(black)),
            ("W+R", Some(white)),
            ("+4.00", Some(black)),
            ("-10.0:l", Some(white)),
            ("0", Some(PgnResult::Draw)),
            ("", None),
            ("\u{e9}+", None),
            ("?", None),
        ] {
            assert_eq!(outcome(text).map(|(result, _)| result), result, "{text}");
        }
        assert_eq!([31, 32, 33].map(by_discs), [white, PgnResult::Draw, black]);
    }
}
