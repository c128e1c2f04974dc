//! S4's heuristics, sets, networks and reference player, and AbaPro's evaluation.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use trilith_base::Seed;
use trilith_eval::abalone::heuristics::{Heuristic, SideView};
use trilith_eval::abalone::{AbaPro, Evaluations, reference};
use trilith_eval::contract::{self, sample};
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::features::Described;
use trilith_eval::network::Network;
use trilith_eval::{Catalogue, LeafEvaluator};
use trilith_games::abalone::cells::{self, cell_at, each, neighbour, place};
use trilith_games::abalone::{Abalone, Position};
use trilith_games::{Game, MoveList, Record, playout};

/// All counts of one side, in the order of [`Heuristic::ALL`].
fn counts(side: &SideView) -> Vec<f64> {
    Heuristic::ALL.iter().map(|(_, heuristic)| f64::from(heuristic.count(side))).collect()
}

#[test]
fn the_start_is_counted_as_by_hand() {
    let start = Abalone::default().start();
    let expected = [
        27.0,        // pairs: 11 within rows, 10 and 6 between them
        14.0,        // triples: 8 within rows, 6 across
        0.0,         // centre
        7.0,         // rim: the first row and both ends of the second
        0.0,         // ejected
        2.0,         // protected: b3 and b4
        0.0,         // isolated
        0.0,         // sumitos
        0.0,         // threats
        46.0 / 14.0, // distance: 7 marbles on ring 4, 4 on ring 3, 3 on ring 2
    ];
    for side in SideView::both(&start) {
        for (found, expected) in counts(&side).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}

fn has(set: u64, cell: Option<u8>) -> bool {
    cell.is_some_and(|cell| set >> cell & 1 == 1)
}

fn steps(a: u8, b: u8) -> i32 {
    // By walking: the least number of neighbours to pass.
    let mut reached = 1_u64 << a;
    for steps in 0.. {
        if reached >> b & 1 == 1 {
            return steps;
        }
        let next = each(reached).flat_map(|cell| (0..6).filter_map(move |way| neighbour(cell, way)));
        reached = next.fold(reached, |set, cell| set | 1 << cell);
    }
    unreachable!()
}

/// The definitions of S4, marble by marble and move by move.
fn slow(game: &Abalone, position: &Position, steps: &dyn Fn(u8, u8) -> i32) -> Vec<f64> {
    let own = position.own;
    let marbles = || each(own);
    let number = f64::from(own.count_ones());
    let friends = |cell: u8| (0..6).filter(|&way| has(own, neighbour(cell, way))).count();
    let ahead = |cell: u8, way: u8, far: u8| (0..far).try_fold(cell, |cell, _| neighbour(cell, way));
    let triple = |cell: u8, way: u8| has(own, ahead(cell, way, 1)) && has(own, ahead(cell, way, 2));
    let ring = |cell: u8| steps(cell, cells::CENTRE);
    let within =
        |from: i32, to: i32| marbles().filter(|&cell| (from..=to).contains(&ring(cell))).count() as f64;
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let mean = |part: fn((u8, u8)) -> f64| marbles().map(|cell| part(place(cell))).sum::<f64>() / number;
    let (row, column) = (mean(|place| place.0.into()), mean(|place| place.1.into()));
    let apart = |cell: u8| {
        let (up, right) = (f64::from(place(cell).0) - row, f64::from(place(cell).1) - column);
        // Two steps of the same sign go together, two of different signs add up.
        if up * right >= 0.0 { up.abs().max(right.abs()) } else { up.abs() + right.abs() }
    };
    let answer = Position { own: position.other, other: own, ..*position };
    let mut answers = MoveList::new();
    game.moves(&answer, &mut answers);
    let lost = answers.iter().map(|mv| own & !game.play(&answer, *mv).own);
    let mut threatened = 0_u64;
    for (mv, lost) in answers.iter().zip(lost) {
        if mv.ejects(&answer) {
            // The marble off the board, or the next one, which the other marbles of the line take the place of.
            let mut cell = mv.last();
            while let Some(next) = neighbour(cell, mv.direction()) {
                cell = next;
            }
            assert!(lost != 0);
            threatened |= 1 << cell;
        }
    }
    vec![
        marbles().map(friends).sum::<usize>() as f64 / 2.0,
        marbles().map(|cell| (0..3).filter(|&way| triple(cell, way)).count()).sum::<usize>() as f64,
        within(0, 1),
        within(4, 4),
        f64::from(position.other_lost),
        marbles().filter(|&cell| friends(cell) == 6).count() as f64,
        marbles().filter(|&cell| friends(cell) == 0).count() as f64,
        moves.iter().filter(|mv| game.play(position, **mv).own != position.other).count() as f64,
        moves.iter().filter(|mv| game.play(position, **mv).own_lost > position.other_lost).count() as f64,
        marbles().map(|cell| f64::from(ring(cell))).sum::<f64>() / number,
        marbles().map(apart).sum::<f64>() / number,
        within(2, 3),
        number - f64::from(position.other.count_ones()),
        f64::from(threatened.count_ones()),
        marbles().flat_map(|a| marbles().map(move |b| f64::from(steps(a, b)))).sum::<f64>() / 2.0,
    ]
}

#[test]
fn heuristics_agree_with_their_words() {
    let table: Vec<i32> = (0..61).flat_map(|a| (0..61).map(move |b| steps(a, b))).collect();
    let steps = |a: u8, b: u8| table[usize::from(a) * 61 + usize::from(b)];
    for rules in ["standard", "belgian-daisy"] {
        let game = Abalone::new(rules.parse().unwrap());
        for position in sample(&game, Seed(1), 5, 400) {
            let found = counts(&SideView::both(&position)[0]);
            let expected = slow(&game, &position, &steps);
            for ((name, _), (found, expected)) in Heuristic::ALL.iter().zip(found.iter().zip(expected)) {
                let text = game.position_text(&position);
                assert!((found - expected).abs() < 1e-4, "{name}: {found}, expected {expected} in {text}");
            }
            let turned = Position {
                own: position.other,
                other: position.own,
                own_lost: position.other_lost,
                other_lost: position.own_lost,
                ..position
            };
            assert_eq!(counts(&SideView::both(&turned)[0]), counts(&SideView::both(&position)[1]));
        }
    }
}

#[test]
fn catalogue_and_sets_keep_the_contract() {
    for rules in ["standard", "belgian-daisy,eject=3", "german-daisy,princess=on"] {
        let game = Abalone::new(rules.parse().unwrap());
        let positions = sample(&game, Seed(2), 7, 100);
        contract::check_catalogue::<Abalone, Evaluations>(&game, &positions);
        for set in Abalone::feature_sets() {
            contract::check_features(&game, &*set, &positions);
        }
    }
}

#[test]
fn sets_can_be_made_up_from_heuristics() {
    let set = Abalone::feature_set("s4:rim+threats").unwrap();
    assert_eq!(set.names(), ["own rim", "own threats", "other rim", "other threats"]);
    let sizes = ["s4-11", "s4-6", "s4-4", "abalearn", "lee-noh"]
        .map(|name| Abalone::feature_set(name).unwrap().count());
    assert_eq!(sizes, [22, 12, 8, 14, 14]);
    for wrong in ["s4:", "s4:rim+rim", "s4:edge", "s5"] {
        assert!(Abalone::feature_set(wrong).is_none(), "{wrong}");
    }
}

#[test]
fn networks_of_s4_come_from_files() {
    let game = Abalone::default();
    let positions = sample(&game, Seed(3), 9, 60);
    let folder = std::env::temp_dir().join(format!("trilith-abalone-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let units = [(16, Activation::Logistic), (1, Activation::Linear)];
    for (name, features) in [
        ("s4", "s4-4"),
        ("s4", "s4:pairs+ejected"),
        ("abalearn", "abalearn"),
        ("lee-noh", "lee-noh"),
        ("network", "board-61"),
    ] {
        let set = Abalone::feature_set(features).unwrap();
        let file =
            Dense::random(set.count(), &units, 0.01, Seed(4)).artifact("abalone", features, BTreeMap::new());
        let path = folder.join("file");
        file.save(&path).unwrap();
        contract::check_study(&game, &*Evaluations::named(name, Some(&path)).unwrap(), &positions);
        contract::round_trips(&game, &positions, &file, |file, position| {
            Network::<Abalone>::load_any(file).unwrap().value(&game, position)
        });
        let weights = file.tensors.values().flat_map(|tensor| &tensor.data);
        assert!(
            weights.clone().all(|weight| weight.abs() <= 0.01) && weights.clone().any(|&weight| weight < 0.0)
        );
    }
    let refused = Evaluations::named("s4", Some(&folder.join("file"))).err().unwrap().to_string();
    assert_eq!(refused, "feature set is `board-61`, expected `s4-11, s4-6, s4-4 or such as s4:rim+threats`");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn abapro_prefers_marbles_together_in_the_middle() {
    let game = Abalone::new("eject=1,layout=5/6/7/8/4b4/8/7/6/w4".parse().unwrap());
    let value = |text: &str| AbaPro::default().value(&game, &game.parse_position(text).unwrap());
    // Black on e5, White on a1: R = ((4 + 0 + 4) / 3, the same), so Black is 4/3 away and White 8/3.
    assert_eq!(value("5/6/7/8/4b4/8/7/6/w4 b 0 0"), 133);
    assert_eq!(value("5/6/7/8/4b4/8/7/6/w4 w 0 0"), -133);
    let game = Abalone::default();
    let start = game.start();
    assert_eq!(AbaPro::default().value(&game, &start), 0);
    let lost = Position { own_lost: 1, own: start.own & !(1 << cell_at(0, 0).unwrap()), ..start };
    assert!(AbaPro::default().value(&game, &lost) < -300, "losing a marble is no gain");
}

#[test]
fn the_reference_player_ejects_and_repeats_itself_by_seed() {
    let game = Abalone::new("belgian-daisy".parse().unwrap());
    let (mut seen, mut ejected) = (0, 0);
    contract::each_position(&game, Seed(5), 3000, |record| {
        let mut moves = MoveList::new();
        game.moves(record.position(), &mut moves);
        if record.end().is_some() || !moves.iter().any(|mv| mv.ejects(record.position())) || seen > 20 {
            return;
        }
        seen += 1;
        let mv = reference::choose(record, Seed(6)).unwrap();
        ejected += u32::from(mv.ejects(record.position()));
        assert_eq!(reference::choose(record, Seed(6)), Some(mv));
    });
    // Now and then two later ejections look better.
    assert!(seen > 20 && ejected * 10 >= seen * 7, "{ejected} of {seen}");
    let start = Record::new(game);
    let openings: std::collections::HashSet<_> =
        (0..20).map(|n| reference::choose(&start, Seed(n))).collect();
    assert!(openings.len() > 3, "ties are broken by lot");
}

#[test]
fn the_reference_player_beats_chance() {
    for number in 0..3 {
        let mut record = Record::new(Abalone::default());
        let mut rng = Seed(7).derive("game", number).rng();
        while record.end().is_none() {
            match record.len() % 2 {
                0 => record.push(reference::choose(&record, Seed(number)).unwrap()).unwrap(),
                _ => playout::play_on(&mut record, 1, &mut rng),
            }
        }
        let (black, white) = record.position().ejected();
        assert!(black > white, "game {number}: {black}:{white}, {:?}", record.end());
    }
}
