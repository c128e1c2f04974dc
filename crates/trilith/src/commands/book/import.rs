//! `trilith book import`: games from files of any format the program reads.

use std::any::Any;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use trilith_book::Added;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::{Sheet, ggf, sgf, transcript, wthor};
use trilith_games::{Colour, Game, Record, pgn};
use trilith_learn::data::{PlayedGame, show};

use super::GameArgs;

/// Add the games of files: WTHOR, GGF, SGF, game texts, move lists, self-play
#[derive(clap::Args)]
pub struct Import {
    /// The book; made if it is not there
    pub(super) book: PathBuf,
    /// Files with games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Add at most so many games
    #[arg(long, value_name = "N", default_value_t = usize::MAX)]
    most: usize,
}

/// Games in one transaction: this many are lost by a kill, and come again when the command is repeated.
const BATCH: usize = 2000;

/// A game and its winner; no result if nobody has said how it ended.
type Told<G> = (Record<G>, Option<Option<Colour>>);

impl Import {
    pub(super) fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = self.game.create::<G>(&self.book)?;
        let (mut added, mut known, mut open) = (0_usize, 0_usize, 0_usize);
        for path in &self.files {
            let games = read::<G>(path, &game).with_context(|| path.display().to_string())?;
            let left = self.most.saturating_sub(added + known);
            let games: Vec<_> = games.into_iter().take(left).collect();
            for some in games.chunks(BATCH) {
                book.update(|draft| {
                    for (record, result) in some {
                        match result {
                            Some(winner) => match draft.add(record, *winner)? {
                                Added::New(_) => added += 1,
                                Added::Known(_) => known += 1,
                            },
                            None => open += 1,
                        }
                    }
                    Ok(())
                })?;
                eprint!("\r{added} games");
            }
        }
        eprintln!();
        println!("{added} games added, {known} known already, {open} without a result left out");
        Ok(())
    }
}

fn read<G: Game>(path: &Path, game: &G) -> anyhow::Result<Vec<Told<G>>> {
    let bytes = std::fs::read(path)?;
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let othello = Othello::default();
    if show::game_of(path).is_ok() {
        let (name, played) = show::load_any(path, &mut |note| eprintln!("{note}"))?;
        if name != G::NAME {
            bail!("it holds games of {name}: the book is of {}", G::NAME);
        }
        return played.iter().map(self_played).collect();
    }
    if ending == "wtb" {
        let games = wthor::parse_wtb(&othello, &bytes)?.games;
        return as_game(
            games.into_iter().map(|game| (game.record, Some(by_discs(game.black_discs)))).collect(),
        );
    }
    let text = String::from_utf8(bytes).context("it is no text and no WTHOR file (.wtb)")?;
    match (text.trim_start(), ending.as_str()) {
        (start, "ggf") if start.starts_with('(') => sheets(ggf::parse_ggf(&othello, &text)?),
        (start, _) if start.starts_with("(;GM[Othello]") => sheets(ggf::parse_ggf(&othello, &text)?),
        (start, _) if start.starts_with('(') => sheets(sgf::parse_sgf(&othello, &text)?),
        (start, _) if start.starts_with('[') => game_texts(game, &text),
        _ if G::NAME == Othello::NAME => {
            let records = transcript::parse_transcripts(&othello, &text)?;
            as_game(records.into_iter().map(|record| with_own_end(record, None)).collect())
        }
        _ => bail!("no format is known by its beginning: expected tags such as [Game \"{}\"]", G::NAME),
    }
}

/// Othello's games as games of `G`, which must be Othello.
fn as_game<G: Game>(games: Vec<Told<Othello>>) -> anyhow::Result<Vec<Told<G>>> {
    let games: Box<dyn Any> = Box::new(games);
    match games.downcast() {
        Ok(games) => Ok(*games),
        Err(_) => bail!("it holds games of Othello: the book is of {}", G::NAME),
    }
}

fn game_texts<G: Game>(game: &G, text: &str) -> anyhow::Result<Vec<Told<G>>> {
    let name = pgn::game_name(text)?.unwrap_or_default();
    if name != G::NAME {
        bail!("it holds games of {name}: the book is of {}", G::NAME);
    }
    let games = pgn::parse::<G>(text)?;
    if let Some(other) = games.iter().find(|text| text.record.game().rules() != game.rules()) {
        bail!("a game has the rules `{}`: the book has `{}`", other.record.game().rules(), game.rules());
    }
    let told = games.into_iter().map(|text| {
        let result = match text.result {
            pgn::GameResult::Open => None,
            pgn::GameResult::Draw => Some(None),
            pgn::GameResult::Won(winner) => Some(Some(winner)),
        };
        (text.record, result)
    });
    Ok(told.collect())
}

fn sheets<G: Game>(sheets: Vec<Sheet>) -> anyhow::Result<Vec<Told<G>>> {
    let told = sheets.into_iter().map(|sheet| {
        let stated = sheet.tag("RE").and_then(stated);
        with_own_end(sheet.record, stated)
    });
    as_game(told.collect())
}

/// The game with what its own end says, else with what is stated.
fn with_own_end(record: Record<Othello>, stated: Option<Option<Colour>>) -> Told<Othello> {
    let end = record.end().map(|end| end.winner).or(stated);
    (record, end)
}

/// Who has won by the result of a GGF or SGF: Black's lead in discs, or the winner's letter.
fn stated(text: &str) -> Option<Option<Colour>> {
    let text = text.trim();
    if let Some(letter @ ('B' | 'W')) = text.chars().next().filter(|_| text[1..].starts_with('+')) {
        return Some(Some(if letter == 'B' { Colour::Black } else { Colour::White }));
    }
    let number = text.split(':').next()?.trim_start_matches('+');
    let lead: f64 = number.parse().ok()?;
    Some((lead != 0.0).then_some(if lead > 0.0 { Colour::Black } else { Colour::White }))
}

/// WTHOR counts empty squares for the winner, so 32 is a draw.
fn by_discs(black: u8) -> Option<Colour> {
    match black {
        0..=31 => Some(Colour::White),
        32 => None,
        _ => Some(Colour::Black),
    }
}

fn self_played<G: Game>(game: &PlayedGame) -> anyhow::Result<Told<G>> {
    let record = game.record().map_err(|fault| anyhow!("{fault}"))?;
    let winner = match game.result {
        1000 => Some(Some(Colour::Black)),
        500 => Some(None),
        0 => Some(Some(Colour::White)),
        _ => None,
    };
    Ok((record, winner))
}
