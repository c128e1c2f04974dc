//! Reading game texts.

use super::tokens::{Place, Token, Tokens};
use super::{GAME, GameText, POSITION, PgnResult, RESULT, RULES, TERMINATION, first_colour};
use crate::error::FormatError;
use crate::game::Game;
use crate::record::Record;

/// Reads all games of a text. Where a tag is missing, the game is played by the default rules from the usual start.
///
/// A stated result that the record's own end contradicts is an error; one that goes beyond the record, such as after
/// a resignation, is kept.
pub fn parse<G: Game>(text: &str) -> Result<Vec<GameText<G>>, FormatError> {
    let mut tokens = Tokens::of(text);
    let mut games = Vec::new();
    let mut next = tokens.next()?;
    while next.is_some() {
        let mut tags = Vec::new();
        while let Some((Token::Tag(name, value), place)) = next {
            tags.push(Tag { name, value, place });
            next = tokens.next()?;
        }
        let mut reading = Reading::<G>::begin(tags)?;
        reading.comment(tokens.take_comments());
        while let Some((Token::Word(word), place)) = next {
            reading.word(word, place)?;
            next = tokens.next()?;
            reading.comment(tokens.take_comments());
            if reading.stated.is_some() {
                break;
            }
        }
        games.push(reading.finish()?);
    }
    Ok(games)
}

/// The name of the game that a text says it holds, so that the right reader can be chosen.
pub fn game_name(text: &str) -> Result<Option<String>, FormatError> {
    let mut tokens = Tokens::of(text);
    while let Some((Token::Tag(name, value), _)) = tokens.next()? {
        if name == GAME {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

struct Tag<'a> {
    name: &'a str,
    value: String,
    place: Place,
}

/// One game on its way from tokens to [`GameText`].
struct Reading<'a, G: Game> {
    record: Record<G>,
    tags: Vec<Tag<'a>>,
    stated: Option<(PgnResult, Place)>,
    comments: Vec<(usize, String)>,
}

impl<'a, G: Game> Reading<'a, G> {
    fn begin(tags: Vec<Tag<'a>>) -> Result<Reading<'a, G>, FormatError> {
        let find = |name| tags.iter().find(|tag| tag.name == name);
        if let Some(tag) = find(GAME).filter(|tag| !tag.value.eq_ignore_ascii_case(G::NAME)) {
            return Err(tag.place.expected(format!("a game of {}, not of `{}`", G::NAME, tag.value)));
        }
        let rules = match find(RULES) {
            None => G::Rules::default(),
            Some(tag) => {
                let line = tag.place.line;
                tag.value.parse().map_err(|source| FormatError::Rules { line, source })?
            }
        };
        let game = G::new(rules);
        let record = match find(POSITION) {
            None => Record::new(game),
            Some(tag) => {
                let start = game.parse_position(&tag.value);
                start
                    .and_then(|start| Record::from_position(game, start))
                    .map_err(|source| FormatError::Position { line: tag.place.line, source })?
            }
        };
        Ok(Reading { record, tags, stated: None, comments: Vec::new() })
    }

    fn word(&mut self, word: &str, place: Place) -> Result<(), FormatError> {
        if let Some(result) = PgnResult::read(word, first_colour(self.record.game())) {
            self.check(result, place)?;
            self.stated = Some((result, place));
            return Ok(());
        }
        let mv = without_number(word).trim_end_matches(['!', '?']);
        if mv.is_empty() {
            return Ok(());
        }
        let ply = self.record.len() + 1;
        self.record.push_text(mv).map_err(|source| FormatError::Move { line: place.line, ply, source })
    }

    /// Takes over what stands in braces behind the last word.
    fn comment(&mut self, found: Vec<&str>) {
        let ply = self.record.len().saturating_sub(1);
        for text in found.into_iter().filter(|text| !text.is_empty()) {
            match self.comments.last_mut() {
                Some((at, earlier)) if *at == ply => *earlier = format!("{earlier} {text}"),
                _ => self.comments.push((ply, text.to_owned())),
            }
        }
    }

    /// Whether a stated result agrees with the record, if that has ended.
    fn check(&self, stated: PgnResult, place: Place) -> Result<(), FormatError> {
        let first = first_colour(self.record.game());
        let (found, Some(end)) = (PgnResult::of(&self.record), self.record.end()) else { return Ok(()) };
        if stated == found || stated == PgnResult::Open {
            return Ok(());
        }
        let (stated, found) = (stated.text(first), found.text(first));
        Err(place.expected(format!("the result `{found}` ({}), not `{stated}`", end.reason)))
    }

    fn finish(self) -> Result<GameText<G>, FormatError> {
        let own = PgnResult::of(&self.record);
        let stated = self.stated_result()?;
        let has_ended = own != PgnResult::Open;
        let result = if has_ended { own } else { stated };
        let tags = self.free_tags(has_ended, result);
        Ok(GameText { tags, record: self.record, result, comments: self.comments })
    }

    /// What the tag or the end of the moves says; they must not contradict each other.
    fn stated_result(&self) -> Result<PgnResult, FormatError> {
        let first = first_colour(self.record.game());
        let below = self.stated.map_or(PgnResult::Open, |(result, _)| result);
        let Some(tag) = self.tags.iter().find(|tag| tag.name == RESULT) else { return Ok(below) };
        let above = PgnResult::read(&tag.value, first)
            .ok_or_else(|| tag.place.expected("the result `1-0`, `0-1`, `1/2-1/2` or `*`"))?;
        self.check(above, tag.place)?;
        match (above, self.stated) {
            (PgnResult::Open, _) => Ok(below),
            (_, Some((below, place))) if below != PgnResult::Open && below != above => {
                let line = tag.place.line;
                Err(place.expected(format!("`{}` as in the tag of line {line}", above.text(first))))
            }
            _ => Ok(above),
        }
    }

    fn free_tags(&self, has_ended: bool, result: PgnResult) -> Vec<(String, String)> {
        let is_free = |tag: &&Tag| match tag.name {
            GAME | RULES | POSITION | RESULT => false,
            TERMINATION => !has_ended,
            _ => true,
        };
        let mut tags: Vec<(String, String)> = Vec::new();
        if !has_ended && result != PgnResult::Open {
            tags.push((RESULT.into(), result.text(first_colour(self.record.game())).into()));
        }
        tags.extend(self.tags.iter().filter(is_free).map(|tag| (tag.name.to_owned(), tag.value.clone())));
        tags
    }
}

/// `12.d6` is a number and a move; `12`, `12.` and `...` are but numbers.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let after_dots = after_digits.trim_start_matches('.');
    let is_number = after_digits.is_empty() || after_dots.len() < after_digits.len();
    if is_number { after_dots } else { word }
}
