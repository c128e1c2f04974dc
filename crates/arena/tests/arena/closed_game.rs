//! A game of Abalone that stands still: both sides have a block and no reason to leave it.
use trilith_arena::player::{Turn, player};
use trilith_base::Seed;
use trilith_eval::abalone::Evaluations;
use trilith_games::abalone::Abalone;
use trilith_games::{Colour, Game, Record};
use trilith_search::{Control, Limits};

/// As in games against a program that builds a block and waits. Black is a marble ahead: only who is ahead seeks mobility.
const CLOSED: &str = "5/1wwww1/1wwwww1/2wwww2/3bbb3/2bbbb2/1bbbbb1/2bb2/5 b 1 0";

/// Marbles that `black` has ejected more than a player who waits, after so many plies from the closed position.
fn gained(black: &str, plies: usize) -> i32 {
    let game = Abalone::default();
    let position = game.parse_position(CLOSED).unwrap();
    let mut record = Record::from_position(game.clone(), position).unwrap();
    let mut players = [black, "engine:depth=2,mobility=0"]
        .map(|spec| player::<Abalone, Evaluations>(&spec.parse().unwrap(), Seed(1)).unwrap());
    while record.end().is_none() && record.len() < plies {
        let control = Control::default();
        let turn = Turn { control: &control, limits: Limits::default() };
        let decision = players[record.len() % 2].choose(&record, turn, &mut |_| ()).unwrap();
        record.push(decision.mv).unwrap();
    }
    let margin = game.margin(record.position());
    println!("{black}: {} plies, {:?}, margin {margin}", record.len(), record.end());
    if game.to_move(record.position()) == Colour::Black { margin } else { -margin }
}

#[test]
fn an_engine_that_seeks_mobility_breaks_up_a_closed_game() {
    let total = |temper: &str| -> i32 {
        [3000, 5000, 10_000].map(|nodes| gained(&format!("engine:nodes={nodes}{temper}"), 250)).iter().sum()
    };
    // With the usual mobility term this game stands still for longer than a test should take.
    let (mobile, calm) = (total(",mobility=1000"), total(",mobility=0"));
    assert!(calm < 4 && mobile > calm + 3, "{mobile} {calm}: without it both wait");
}

#[test]
fn values_of_a_closed_game_do_not_depend_on_mobility_at_first() {
    let game = Abalone::default();
    let position = game.parse_position(CLOSED).unwrap();
    let record = Record::from_position(game, position).unwrap();
    let value = |spec: &str| {
        let mut player = player::<Abalone, Evaluations>(&spec.parse().unwrap(), Seed(1)).unwrap();
        let control = Control::default();
        let turn = Turn { control: &control, limits: Limits::default() };
        player.choose(&record, turn, &mut |_| ()).unwrap().analysis.unwrap().value()
    };
    assert_eq!(value("engine:depth=3"), value("engine:depth=3,mobility=0"));
    assert_eq!(value("engine:depth=3"), value("engine:depth=3,restless=0"), "the old spelling");
}
