//! Claims as sentences, English and German.

use trilith_games::Colour;

use super::{Claim, WIN};
use crate::lesson::Words;

/// The words of a game for an event or a count: what somebody does (`take the corner {}`), or what a move does to
/// a count (`leaves you {one move|# moves} fewer`).
pub type GameWords = fn(&str) -> [&'static str; 2];

/// The sentence for a claim about the first move of `line`, where `better` begins with the best move.
pub fn sentence(words: GameWords, claim: &Claim, mover: Colour, line: &[String], better: &[String]) -> Words {
    let [played, best] = [line, better].map(|moves| moves.first().map_or("", String::as_str));
    match claim {
        Claim::Allows { event, cell, ply } => {
            let [en, de] = event_words(words, event).map(|text| text.replace("{}", cell));
            let [other_en, other_de] = name(!mover);
            Words {
                en: format!("{played} lets {other_en} {en} {}.", when_en(*ply)),
                de: format!("Nach {played} kann {other_de} {} {de}.", when_de(*ply)),
            }
        }
        Claim::Misses { event, cell, ply } => {
            let [en, de] = event_words(words, event).map(|text| text.replace("{}", cell));
            Words {
                en: format!("With {best} you would {en} {}.", when_en(*ply)),
                de: format!("Mit {best} könntest du {} {de}.", when_de(*ply)),
            }
        }
        Claim::Fewer { count, now, then } | Claim::Ends { count, now, then } => {
            let [en, de] = words(count).map(|text| numbered(text, then - now));
            let compared = |text: &str, than: &str| match text.contains("{best}") {
                true => text.replace("{best}", best),
                false => format!("{text} {than} {best}"),
            };
            Words {
                en: format!("{played} {}.", compared(&en, "than")),
                de: format!("Nach {played} {}.", compared(&de, "als nach")),
            }
        }
    }
}

/// Takes the first of `{one move|# moves}` for one, else the second with the number.
fn numbered(text: &str, number: i32) -> String {
    let parts = text.split_once('|').and_then(|(left, right)| {
        let (before, one) = left.rsplit_once('{')?;
        let (many, after) = right.split_once('}')?;
        Some(if number == 1 {
            format!("{before}{one}{after}")
        } else {
            format!("{before}{}{after}", many.replace('#', &number.to_string()))
        })
    });
    parts.unwrap_or_else(|| text.to_owned())
}

/// What somebody does who gets an event.
fn event_words(words: GameWords, event: &str) -> [&'static str; 2] {
    match event {
        WIN => ["win the game", "die Partie gewinnen"],
        event => words(event),
    }
}

fn name(colour: Colour) -> [&'static str; 2] {
    match colour {
        Colour::Black => ["Black", "Schwarz"],
        Colour::White => ["White", "Weiß"],
    }
}

/// A ply of a line in moves of the one who moves in it.
fn when_en(ply: usize) -> String {
    match ply.div_ceil(2) {
        1 => "at once".into(),
        moves => format!("in {moves} moves"),
    }
}

fn when_de(ply: usize) -> String {
    match ply.div_ceil(2) {
        1 => "sofort".into(),
        moves => format!("in {moves} Zügen"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_in_words_and_more_as_a_number() {
        let text = "leaves you {one move|# moves} fewer";
        assert_eq!(numbered(text, 1), "leaves you one move fewer");
        assert_eq!(numbered(text, 12), "leaves you 12 moves fewer");
        assert_eq!(numbered("lets you play last, {best} too", 1), "lets you play last, {best} too");
    }

    #[test]
    fn plies_are_told_as_moves_of_who_makes_them() {
        // The reply is ply 2 and comes at once; the move after next is ply 4.
        assert_eq!([1, 2, 3, 4].map(when_en), ["at once", "at once", "in 2 moves", "in 2 moves"]);
    }
}
