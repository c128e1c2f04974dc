//! Positions as the program Sanmill writes and reads them.
//!
//! 17 fields: stones (`O` white, `@` black, `*` empty; inner, middle and outer ring, each clockwise from its upper
//! middle), side, phase, action, stones on board and in hand (White's, then Black's), removals owed by White and
//! Black, four fields on the last mills, mills so far, quiet plies, move number. What follows them belongs to variants
//! that this game does not have.

use super::position::{MOST_STONES, Position};
use super::text::{Field, Fields, from_sides};
use crate::error::PositionError;
use crate::game::Colour;

/// The position in this dialect; `number` counts a move of each side as one, from 1.
pub fn write(position: &Position, number: usize) -> String {
    let (white, black) = (position.side(Colour::White), position.side(Colour::Black));
    let letter = |number: usize| match (white.0 & bit(number), black.0 & bit(number)) {
        (0, 0) => '*',
        (_, 0) => 'O',
        _ => '@',
    };
    let ring = |ring: usize| (8 * ring..8 * ring + 8).map(letter).collect::<String>();
    let side = if position.to_move == Colour::White { 'w' } else { 'b' };
    let phase = if position.side(position.to_move).1 > 0 { "p p" } else { "m s" };
    format!(
        "{}/{}/{} {side} {phase} {} {} {} {} 0 0 -1 -1 -1 -1 0 {} {number}",
        ring(0),
        ring(1),
        ring(2),
        white.0.count_ones(),
        white.1,
        black.0.count_ones(),
        black.1,
        position.quiet()
    )
}

/// The point of a number in the text: rings come from the inside, and start at the upper middle, the fourth point of
/// ours.
fn bit(number: usize) -> u32 {
    1 << (8 * (2 - number / 8) + (number + 3) % 8)
}

/// Whether the text is this dialect: its first field has signs that no other has.
pub(super) fn is_dialect(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|stones| stones.contains(['*', '@', 'O']))
}

/// Reads a position, without asking whether it is possible.
pub(super) fn read(text: &str) -> Result<Position, PositionError> {
    let mut fields = Fields::of(text);
    let [white, black] = read_stones(text, fields.next("the stones")?)?;
    let to_move = fields.side()?;
    fields.next("the phase")?;
    read_action(text, fields.next("the action")?)?;
    let mut side = |colour, stones: u32| -> Result<(u32, u8), PositionError> {
        let stated = fields.number(&format!("{colour}'s stones on the board"), MOST_STONES.into())?;
        let hand = fields.number(&format!("{colour}'s stones in hand"), MOST_STONES.into())? as u8;
        same_number(colour, stated, stones.count_ones())?;
        Ok((stones, hand))
    };
    let sides = [side(Colour::White, white)?, side(Colour::Black, black)?];
    for _ in 0..2 {
        fields.number("no stone to be removed", 0)?;
    }
    for _ in 0..5 {
        fields.next("the last mills")?;
    }
    let quiet = fields.number("the plies since the last removal", u16::MAX.into())? as u16;
    fields.number("the move number", u16::MAX.into())?;
    Ok(from_sides(sides, to_move, quiet))
}

/// White's and Black's stones.
fn read_stones(text: &str, field: Field) -> Result<[u32; 2], PositionError> {
    let mut sides = [0; 2];
    let mut number = 0;
    for (offset, letter) in field.text.char_indices() {
        let fault = |expected: &str| Err(PositionError::syntax(text, field.at + offset, expected));
        match letter {
            '/' if offset == 8 || offset == 17 => continue,
            _ if offset == 8 || offset == 17 => return fault("`/` after eight points"),
            _ if number == 24 => return fault("a space after 24 points"),
            'O' => sides[0] |= bit(number),
            '@' => sides[1] |= bit(number),
            '*' => {}
            _ => return fault("`O`, `@` or `*`"),
        }
        number += 1;
    }
    match number {
        24 => Ok(sides),
        _ => Err(PositionError::syntax(text, field.at + field.text.len(), "24 points in three rings")),
    }
}

/// Sanmill splits a turn: after a mill the same side is to remove. Here that is one move.
fn read_action(text: &str, field: Field) -> Result<(), PositionError> {
    match field.text {
        "r" => Err(PositionError::syntax(text, field.at, "a position in which no removal is owed")),
        _ => Ok(()),
    }
}

fn same_number(colour: Colour, stated: u32, found: u32) -> Result<(), PositionError> {
    match stated == found {
        true => Ok(()),
        false => Err(PositionError::Impossible {
            fault: format!("{stated} {colour} stones on the board are stated, {found} stand there"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::morris::Morris;
    use crate::record::Record;

    fn convert(text: &str) -> String {
        let game = Morris::default();
        match game.parse_position(text) {
            Ok(position) => game.position_text(&position),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn reads_the_start_and_known_points() {
        let tail = "0 0 0 0 0 0 0 0 1";
        assert_eq!(
            convert(&format!("********/********/******** w p p 0 9 0 9 {tail}")),
            "3/3/3/6/3/3/3 w 9 9 0 standard"
        );
        // d5 and c5 white; f6 and a1 black, with the numbers of points and the extension of newer versions.
        assert_eq!(
            convert("O******O/*@******/*****@** w p p 2 7 2 7 0 0 -1 -1 -1 -1 0 0 3 ids:nodes"),
            "3/2b/ww1/6/3/3/b2 w 7 7 0 standard"
        );
        assert_eq!(
            convert("OOO****@/@**@**@*/******** b m s 3 0 4 0 0 0 -1 -1 -1 -1 0 10 25 ids:nodes"),
            "3/1b1/bww/1b1w2/3/2b/3 b 0 0 10 standard"
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let game = Morris::default();
        let mut record = Record::new(game);
        for mv in ["d6", "f4", "a1", "d7", "g7"] {
            record.push_text(mv).unwrap();
            let text = super::write(record.position(), record.len() / 2 + 1);
            assert_eq!(game.parse_position(&text).as_ref(), Ok(record.position()), "{text}");
        }
        let text = super::write(record.position(), 3);
        assert_eq!(text, "********/O*@*****/@O***O** b p p 3 6 2 7 0 0 -1 -1 -1 -1 0 0 3");
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(
            convert("********/*******/******** w p p"),
            "position, column 17: found `/`, expected `O`, `@` or `*`"
        );
        assert_eq!(convert("****"), "position, column 5: found the end, expected 24 points in three rings");
        assert_eq!(
            convert("OO******/********/******** b p r 2 7 0 9 0 0 0 0 0 0 0 0 1"),
            "position, column 32: found `r`, expected a position in which no removal is owed"
        );
        assert_eq!(
            convert("O*******/********/******** b p p 2 8 0 9 0 0 0 0 0 0 0 0 1"),
            "impossible position: 2 white stones on the board are stated, 1 stand there"
        );
    }
}
