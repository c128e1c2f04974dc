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
