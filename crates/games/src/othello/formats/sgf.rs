//! SGF with `GM[2]`: `(;FF[4]GM[2]PB[name];B[f5];W[d6])`.
//!
//! The standard leaves Othello's points open. Programs write `d3` as people do, or two letters as in Go, where `dc`
//! is column d, row 3 from the top: both are read, `d3` is written. A pass is empty, `pass`, `tt` or `--`, or is left
//! out. Discs set with `AB` and `AW` before the first move are the whole start position. Only the main line counts.

use super::Sheet;
use super::cursor::{line_of, syntax};
use super::ggf::push_of;
use super::properties::{Property, parse_games, property_text};
use crate::error::FormatError;
use crate::game::{Colour, Game};
use crate::othello::{Move, Othello, Position, squares};
use crate::record::Record;

/// Reads all games of a text.
pub fn parse_sgf(game: &Othello, text: &str) -> Result<Vec<Sheet>, FormatError> {
    parse_games(text)?.iter().map(|properties| Reader { game, text }.sheet(properties)).collect()
}

/// A game a line, as [`parse_sgf`] reads it.
pub fn sgf_text(sheets: &[Sheet]) -> String {
    sheets.iter().map(sheet_text).collect()
}

struct Reader<'a> {
    game: &'a Othello,
    text: &'a str,
}

impl Reader<'_> {
    fn sheet(&self, properties: &[Property]) -> Result<Sheet, FormatError> {
        let first_move =
            properties.iter().position(|p| p.id == "B" || p.id == "W").unwrap_or(properties.len());
        let (setup, moves) = properties.split_at(first_move);
        let mut record = self.start(setup, moves.first())?;
        let mut comments = Vec::new();
        for property in moves {
            match property.id.as_str() {
                "B" => self.push(&mut record, Colour::Black, property)?,
                "W" => self.push(&mut record, Colour::White, property)?,
                "AB" | "AW" | "AE" | "PL" => {
                    return Err(syntax(self.text, property.at, "discs set before the first move only"));
                }
                // What belongs to no move is said of the one before it, under its name.
                "C" => comments.push((record.len().saturating_sub(1), property.value.trim().to_owned())),
                id => comments
                    .push((record.len().saturating_sub(1), format!("{id}[{}]", property.value.trim()))),
            }
        }
        let is_tag = |p: &&Property| !matches!(p.id.as_str(), "FF" | "GM" | "SZ" | "AB" | "AW" | "AE" | "PL");
        let tags = setup.iter().filter(is_tag).map(|p| (p.id.clone(), p.value.clone())).collect();
        Ok(Sheet { tags, record, comments: joined(comments) })
    }

    /// The position before the first move.
    fn start(&self, setup: &[Property], first: Option<&Property>) -> Result<Record<Othello>, FormatError> {
        let (mut black, mut white) = (0, 0);
        let mut to_move = None;
        for property in setup {
            match (property.id.as_str(), property.value.as_str()) {
                ("GM", "2") => {}
                ("GM", _) => return Err(syntax(self.text, property.at, "`2`, the number of Othello")),
                ("SZ", size) if size.trim() != "8" => return Err(syntax(self.text, property.at, "size `8`")),
                ("AB", _) => black |= self.points(property)?,
                ("AW", _) => white |= self.points(property)?,
                ("PL", "B" | "b" | "black") => to_move = Some(Colour::Black),
                ("PL", "W" | "w" | "white") => to_move = Some(Colour::White),
                ("PL", _) => return Err(syntax(self.text, property.at, "`B` or `W`")),
                _ => {}
            }
        }
        if black | white == 0 {
            return Ok(Record::new(self.game.clone()));
        }
        let by_first = || first.filter(|p| p.id == "W").map_or(Colour::Black, |_| Colour::White);
        let position = Position::from_colours(black, white, to_move.unwrap_or_else(by_first));
        let line =
            setup.iter().find(|p| p.id == "AB" || p.id == "AW").map_or(1, |p| line_of(self.text, p.at));
        Record::from_position(self.game.clone(), position)
            .map_err(|source| FormatError::Position { line, source })
    }

    /// A point, or all of a rectangle given by two corners.
    fn points(&self, property: &Property) -> Result<u64, FormatError> {
        let wrong = || syntax(self.text, property.at, "a square such as `d3` or `dc`");
        let (from, to) = property.value.split_once(':').unwrap_or((&property.value, &property.value));
        let (from, to) = (point(from).ok_or_else(wrong)?, point(to).ok_or_else(wrong)?);
        let within = |a: u8, b: u8, x: u8| (a.min(b)..=a.max(b)).contains(&x);
        let inside = |&s: &u8| within(from % 8, to % 8, s % 8) && within(from / 8, to / 8, s / 8);
        Ok((0..64).filter(inside).fold(0, |bits, square| bits | 1 << square))
    }

    fn push(
        &self,
        record: &mut Record<Othello>,
        colour: Colour,
        property: &Property,
    ) -> Result<(), FormatError> {
        let value = property.value.trim();
        let mv = match value {
            "" | "tt" => Move::PASS.to_string(),
            _ => point(value).map_or(value.into(), |square| Move::on(square).to_string()),
        };
        push_of(record, colour, &mv, self.text, property.at)
    }
}

/// One comment a ply.
fn joined(comments: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for (ply, text) in comments {
        match all.last_mut() {
            Some((at, earlier)) if *at == ply => *earlier = format!("{earlier} {text}"),
            _ => all.push((ply, text)),
        }
    }
    all
}

/// `d3`, or `dc` in the letters of Go.
fn point(text: &str) -> Option<u8> {
    let text = text.trim().to_ascii_lowercase();
    let &[column @ b'a'..=b'h', row @ (b'a'..=b'h' | b'1'..=b'8')] = text.as_bytes() else {
        return None;
    };
    let row = if row.is_ascii_digit() { row - b'1' } else { row - b'a' };
    Some(8 * row + column - b'a')
}

fn sheet_text(sheet: &Sheet) -> String {
    let record = &sheet.record;
    let mut text = String::from("(;FF[4]GM[2]SZ[8]");
    text.extend(sheet.tags.iter().map(|(id, value)| property_text(id, value)));
    let start = record.start();
    if *start != record.game().start() {
        let (black, white) = start.colours();
        for (id, discs) in [("AB", black), ("AW", white)].into_iter().filter(|&(_, discs)| discs != 0) {
            text.push_str(id);
            text.extend(squares(discs).map(|square| format!("[{}]", Move::on(square))));
        }
        text.push_str(if start.to_move == Colour::Black { "PL[B]" } else { "PL[W]" });
    }
    let mut colour = start.to_move;
    for (ply, mv) in record.moves().enumerate() {
        let id = if colour == Colour::Black { "B" } else { "W" };
        let point = if mv == Move::PASS { String::new() } else { mv.to_string() };
        text.push_str(&format!(";{id}[{point}]"));
        text.extend(sheet.comment(ply).map(|comment| property_text("C", comment)));
        colour = !colour;
    }
    text.push_str(")\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout;
    use trilith_base::Seed;

    fn read(text: &str) -> Result<Vec<Sheet>, FormatError> {
        parse_sgf(&Othello::default(), text)
    }

    #[test]
    fn both_kinds_of_points_mean_the_same() {
        let digits = read("(;FF[4]GM[2]PB[x];B[f5];W[d6];B[c3])").unwrap();
        let letters = read("(;GM[2]\n;Black[fe];White[df];B[cc](;W[dc])(;W[fd]))").unwrap();
        assert_eq!(letters[0].record.len(), 4);
        assert_eq!(letters[0].record.position_after(3), Some(digits[0].record.position()));
        assert_eq!(digits[0].tag("PB"), Some("x"));
    }

    #[test]
    fn random_games_and_late_starts_round_trip() {
        let game = Othello::default();
        for number in 0..100 {
            let mut rng = Seed(4).derive("game", number).rng();
            let mut opening = Record::new(game.clone());
            playout::play_on(&mut opening, 20, &mut rng);
            let mut record = Record::from_position(game.clone(), *opening.position()).unwrap();
            playout::play_on(&mut record, 200, &mut rng);
            let sheet = Sheet {
                tags: vec![("C".into(), "[a\\b]".into())],
                record,
                comments: vec![(0, "first".into())],
            };
            let text = sgf_text(std::slice::from_ref(&sheet));
            let read = read(&text).unwrap();
            assert_eq!((&read[0].tags, &read[0].comments), (&sheet.tags, &sheet.comments));
            assert_eq!(read[0].record.start(), sheet.record.start());
            assert!(read[0].record.moves().eq(sheet.record.moves()), "{text}");
            let unpassed = text.replace(";B[]", "").replace(";W[]", "");
            assert_eq!(super::tests::read(&unpassed).unwrap()[0].record.position(), sheet.record.position());
        }
    }

    #[test]
    fn set_discs_are_the_whole_board() {
        let sheet = &read("(;GM[2]AB[e4][d5]AW[d4][e5]PL[W])").unwrap()[0];
        assert_eq!(sheet.record.position().to_move, Colour::White);
        let sheet = &read("(;GM[2]AB[dc:ee]AW[d6];W[d2])").unwrap()[0];
        assert_eq!(sheet.record.start().colours().0.count_ones(), 6);
    }

    #[test]
    fn a_property_of_small_letters_alone_is_refused() {
        let error = parse_sgf(&Othello::default(), "(;g[])").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 3: expected a property with a capital letter, such as `B[d3]`"
        );
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("(;GM[1])"), "line 1, column 6: expected `2`, the number of Othello");
        assert_eq!(error("(;SZ[10])"), "line 1, column 6: expected size `8`");
        assert_eq!(error("(;AB[z9])"), "line 1, column 6: expected a square such as `d3` or `dc`");
        assert!(error("(;AB[a1])").starts_with("line 1: impossible position: d4 is empty"));
        assert!(error("(;B[f5]\n;W[xx])").starts_with("line 2, ply 2: `xx`, column 1"));
        assert!(error("(;B[f5];AB[a1])").contains("before the first move only"));
        assert!(error("(;B[f5];B[f6])").contains("expected a move of white"));
    }
}
