//! What can be played: every game with its board and the choices it offers people.

use serde::Serialize;
use trilith_games::{Board, Colour, Game, Stone};

use crate::kit::{Face, GameKit};
use crate::registry::{GAMES, Visitor, with_game};

/// One game, as it is offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// The game's name.
    pub name: &'static str,
    /// The usual rules.
    pub rules: String,
    /// [`Game::CHOICES`].
    pub choices: &'static [&'static [&'static str]],
    /// Where the cells lie.
    pub board: Board,
    /// Who has the first move.
    pub first: Colour,
    /// [`Game::STONES`].
    pub kinds: &'static [Stone],
    /// [`Game::COUNTED`].
    pub counted: Option<&'static str>,
    /// [`GameKit::FACES`].
    pub faces: &'static [Face],
}

/// All games.
pub fn offers() -> Vec<Offer> {
    GAMES.iter().filter_map(|name| with_game(name, Describe).ok()).collect()
}

struct Describe;

impl Visitor for Describe {
    type Output = Offer;

    fn visit<G: Game, C: GameKit<G>>(self) -> Offer {
        let game = G::new(G::Rules::default());
        Offer {
            name: G::NAME,
            rules: game.rules().to_string(),
            choices: G::CHOICES,
            board: game.board(),
            first: game.to_move(&game.start()),
            kinds: G::STONES,
            counted: G::COUNTED,
            faces: C::FACES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;

    struct ReadWords;

    impl Visitor for ReadWords {
        type Output = ();

        /// Both languages say the same things, and nobody with a story lacks it. A game may have no words at all.
        fn visit<G: Game, C: GameKit<G>>(self) {
            use serde_json::{Map, Value};
            use std::collections::BTreeMap;

            let words: BTreeMap<&str, BTreeMap<&str, Map<String, Value>>> =
                serde_json::from_str(C::WORDS).unwrap();
            let keys = |language: &str| -> Vec<(&str, &String)> {
                let parts = words.get(language).into_iter().flatten();
                let mut keys: Vec<_> =
                    parts.flat_map(|(part, texts)| texts.keys().map(move |key| (*part, key))).collect();
                keys.sort_unstable();
                keys
            };
            assert_eq!(keys("en"), keys("de"), "{}", G::NAME);
            let texts = words.values().flat_map(|parts| parts.values()).flat_map(Map::values);
            assert!(texts.into_iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty())));
            let faces =
                C::FACES.iter().flat_map(|face| ["Name", "About"].map(|part| format!("{}{part}", face.name)));
            let named = (!words.is_empty()).then(|| G::NAME.to_owned());
            for key in faces.chain(named) {
                assert!(words["en"]["texts"].contains_key(&key), "{}: {key}", G::NAME);
            }
        }
    }

    #[test]
    fn games_bring_their_words_in_both_languages() {
        GAMES.iter().for_each(|name| with_game(name, ReadWords).unwrap());
    }

    struct Seat(&'static str);

    impl Visitor for Seat {
        type Output = Result<(), String>;

        fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
            let spec = self.0.parse().map_err(|error| format!("{error}"))?;
            crate::player::player::<G, C>(&spec, trilith_base::Seed(1))
                .map(drop)
                .map_err(|error| error.to_string())
        }
    }

    #[test]
    fn every_face_is_a_player() {
        for Offer { name, faces, .. } in offers() {
            for face in faces {
                assert_eq!(with_game(name, Seat(face.spec)).unwrap(), Ok(()), "{name}: {}", face.spec);
            }
        }
    }

    #[test]
    fn every_choice_is_a_rule_and_the_first_ones_are_the_usual_rules() {
        for Offer { name, rules, choices, .. } in offers() {
            let view = |rules: &str| table::open(name, rules, None).map(|table| table.view());
            let usual: Vec<_> = choices.iter().map(|group| group[0]).collect();
            assert_eq!(view(&usual.join(",")).unwrap().rules, rules);
            for (number, group) in choices.iter().enumerate() {
                for choice in *group {
                    let mut taken = usual.clone();
                    taken[number] = choice;
                    let taken = taken.join(",");
                    assert!(view(&taken).is_ok(), "{name}: {taken}");
                }
            }
        }
    }
}
