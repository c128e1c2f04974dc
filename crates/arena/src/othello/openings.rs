//! What openings are called: the name of the longest known line that a game follows.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A line each: the moves from c4 on without gaps, then the name.
const LIST: &str = include_str!("openings.txt");

static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// A square as column and row from 0.
type Square = [u8; 2];

/// The four ways to look at the start position.
const TURNS: [fn(Square) -> Square; 4] =
    [|[x, y]| [x, y], |[x, y]| [7 - x, 7 - y], |[x, y]| [y, x], |[x, y]| [7 - y, 7 - x]];

/// What a game with these moves from the usual start is called; none if it has passes or nobody has named it.
pub(super) fn name(moves: &[String]) -> Option<&'static str> {
    let squares: Vec<Square> = moves.iter().map(|mv| square(mv)).collect::<Option<_>>()?;
    let first = *squares.first()?;
    let turn = TURNS.iter().find(|turn| turn(first) == [2, 3])?;
    let line: String = squares.iter().flat_map(|&square| letters(turn(square))).collect();
    (2..=moves.len()).rev().find_map(|count| NAMES.get(&line[..2 * count]).copied())
}

fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some([column - b'a', row - b'1']),
        _ => None,
    }
}

fn letters([x, y]: Square) -> [char; 2] {
    [char::from(b'a' + x), char::from(b'1' + y)]
}

#[cfg(test)]
mod tests {
    use trilith_games::Record;
    use trilith_games::othello::Othello;

    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn every_named_line_can_be_played_and_is_found_however_it_is_turned() {
        assert!(NAMES.len() > 70);
        for (line, expected) in NAMES.iter() {
            let played: Vec<String> = (0..line.len() / 2).map(|at| line[2 * at..2 * at + 2].into()).collect();
            let mut record = Record::new(Othello::default());
            played.iter().for_each(|mv| record.push_text(mv).unwrap());
            for turn in TURNS {
                let turned = |mv: &String| letters(turn(square(mv).unwrap())).iter().collect::<String>();
                let turned: Vec<String> = played.iter().map(turned).collect();
                assert_eq!(name(&turned), Some(*expected), "{line}");
            }
        }
    }

    #[test]
    fn the_longest_line_counts_and_other_games_have_no_name() {
        assert_eq!(name(&moves("f5 d6 c3 d3 c4")), Some("Tiger"));
        assert_eq!(name(&moves("f5 d6 c3 d3 c4 a1")), Some("Tiger"));
        assert_eq!(name(&moves("f5 d6 c3 d3 c4 f4 f6 f3")), Some("Comp'Oth"));
        assert_eq!(name(&moves("f5")), None);
        assert_eq!(name(&moves("f5 pass")), None);
        assert_eq!(name(&[]), None);
    }
}
