//! What every game must keep, as checks that panic with the position that breaks them.
//!
//! Tests call [`check`] for each game and rule set; a new game that passes works in search, arena and app.

use std::collections::HashSet;

use trilith_base::Seed;

use crate::arrangement::Arrangement;
use crate::game::{Game, MoveList, Noise};
use crate::perft;
use crate::playout;
use crate::record::Record;

/// Checks the whole contract over `games` random games of at most `plies` plies each.
pub fn check<G: Game>(game: &G, seed: Seed, games: u64, plies: usize) {
    assert!(size_of::<G::Position>() <= 64, "a position is copied at every node: at most 64 bytes");
    rules_round_trip(game);
    numbers_turn_with_the_board(game);
    check_position(game, &game.start());
    for number in 0..games {
        let mut rng = seed.derive("contract", number).rng();
        let mut record = Record::new(game.clone());
        while record.len() < plies && record.end().is_none() {
            playout::play_on(&mut record, 1, &mut rng);
            check_position(game, record.position());
        }
        replays_from_text(&record);
    }
}

/// Checks everything that can be said of one position.
pub fn check_position<G: Game>(game: &G, position: &G::Position) {
    if let Err(error) = game.validate(position) {
        panic!("reached a position that does not validate: {error}\n{}", game.diagram(position));
    }
    position_round_trips(game, position);
    moves_are_distinct_and_counted(game, position);
    moves_round_trip(game, position);
    symmetry_commutes(game, position);
    numbers_name_the_moves(game, position);
    observations_turn_with_the_board(game, position);
    hints_agree(game, position);
    display_is_complete(game, position);
    can_be_set_up_by_hand(game, position);
}

fn rules_round_trip<G: Game>(game: &G) {
    let text = game.rules().to_string();
    assert_eq!(text.parse::<G::Rules>().as_ref(), Ok(game.rules()), "rules `{text}`");
    let nonsense = "no-such-rule".parse::<G::Rules>();
    assert!(nonsense.is_err(), "an unknown rule must be refused");
}

fn position_round_trips<G: Game>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    let read = game.parse_position(&text);
    assert_eq!(read.as_ref(), Ok(position), "`{text}`");
    assert_eq!(game.key(&read.expect("just compared")), game.key(position), "key kept = key fresh, `{text}`");
    for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        // A truncated text may be refused or complete by itself, but reading it never panics.
        let _ = game.parse_position(&text[..cut]);
    }
}

fn can_be_set_up_by_hand<G: Game>(game: &G, position: &G::Position) {
    let (stones, counts) = (game.stones(position), game.counts(position));
    assert!(stones.iter().flatten().all(|stone| G::STONES.contains(stone)), "{stones:?}");
    assert_eq!(counts.is_some(), G::COUNTED.is_some(), "what is counted has a word, and the other way round");
    let (to_move, counts) = (game.to_move(position), counts.unwrap_or_default());
    let text = game.arrangement_text(&Arrangement { stones: &stones, to_move, counts });
    let read = game.parse_position(&text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
    assert_eq!(game.key(&read), game.key(position), "`{text}`");
}

fn moves_are_distinct_and_counted<G: Game>(game: &G, position: &G::Position) {
    let moves = legal(game, position);
    let text = || game.position_text(position);
    assert_eq!(
        moves.iter().collect::<HashSet<_>>().len(),
        moves.len(),
        "a move listed twice in `{}`",
        text()
    );
    assert_eq!(game.count_moves(position), moves.len(), "count_moves in `{}`", text());
    assert_eq!(
        game.outcome(position).is_some(),
        moves.is_empty(),
        "moves and ending disagree in `{}`",
        text()
    );
    for depth in 0..=2 {
        assert_eq!(game.perft(position, depth), perft::perft(game, position, depth), "perft of `{}`", text());
    }
}

fn moves_round_trip<G: Game>(game: &G, position: &G::Position) {
    let mut actions = HashSet::new();
    for mv in legal(game, position) {
        let text = game.move_text(mv);
        assert!(!text.contains(char::is_whitespace), "`{text}` has a space");
        assert_eq!(game.parse_move(position, &text), Ok(mv), "in `{}`", game.position_text(position));
        let action = game.action(position, mv);
        assert!(actions.insert(action), "two moves with the action of `{text}`");
    }
    for nonsense in ["", "zz", "a", "9999", "é5", "a1-", "a1xx", "passs", "\u{1F600}"] {
        assert!(game.parse_move(position, nonsense).is_err(), "`{nonsense}` read as a move");
    }
}

fn symmetry_commutes<G: Game>(game: &G, position: &G::Position) {
    let moves = legal(game, position);
    let (canonical, _) = game.canonical(position);
    assert_eq!(game.image(position, 0), *position, "symmetry 0 is the identity");
    for symmetry in 0..G::SYMMETRIES {
        let image = game.image(position, symmetry);
        let context = || format!("symmetry {symmetry} of `{}`", game.position_text(position));
        assert_eq!(game.image(&image, game.inverse(symmetry)), *position, "inverse of {}", context());
        assert_eq!(game.canonical(&image).0, canonical, "canonical form of {}", context());
        assert_eq!(game.outcome(&image), game.outcome(position), "outcome of {}", context());
        assert_eq!(game.margin(&image), game.margin(position), "margin of {}", context());
        let expected: HashSet<_> = moves.iter().map(|&mv| game.image_move(mv, symmetry)).collect();
        let found: HashSet<_> = legal(game, &image).into_iter().collect();
        assert_eq!(found, expected, "moves of {}", context());
        for &mv in &moves {
            let there = game.play(&image, game.image_move(mv, symmetry));
            let here = game.image(&game.play(position, mv), symmetry);
            assert_eq!(there, here, "`{}`, {}", game.move_text(mv), context());
        }
    }
}

/// Every symmetry permutes the action numbers and the places of a plane; the inverse undoes it.
fn numbers_turn_with_the_board<G: Game>(game: &G) {
    let [_, rows, columns] = G::OBSERVATION;
    let is_permutation = |count: usize, image: &dyn Fn(usize) -> usize| {
        (0..count).map(image).filter(|&number| number < count).collect::<HashSet<_>>().len() == count
    };
    for symmetry in 0..G::SYMMETRIES {
        let inverse = game.inverse(symmetry);
        let image = |number| game.image_number(number, symmetry);
        assert!(is_permutation(G::ACTIONS, &image), "action numbers, symmetry {symmetry}");
        assert!((0..G::ACTIONS).all(|number| game.image_number(image(number), inverse) == number));
        let image = |place| game.image_place(place, symmetry);
        assert!(is_permutation(rows * columns, &image), "places, symmetry {symmetry}");
        assert!((0..rows * columns).all(|place| game.image_place(image(place), inverse) == place));
    }
    let none = [G::ACTIONS, G::ACTIONS + 1, usize::MAX];
    assert!(none.iter().all(|&number| game.numbered_move(&game.start(), number).is_none()));
}

/// Legal moves and their numbers are one to one; the image of a number is the number of the image.
fn numbers_name_the_moves<G: Game>(game: &G, position: &G::Position) {
    let moves = legal(game, position);
    let context = |mv| format!("`{}` in `{}`", game.move_text(mv), game.position_text(position));
    let numbers: HashSet<_> = moves.iter().map(|&mv| game.action_number(mv)).collect();
    assert_eq!(numbers.len(), moves.len(), "two moves of one number in `{}`", game.position_text(position));
    for &mv in &moves {
        let number = game.action_number(mv);
        assert!(number < G::ACTIONS, "number {number} of {}", context(mv));
        assert_eq!(game.numbered_move(position, number), Some(mv), "number {number} of {}", context(mv));
        for symmetry in 0..G::SYMMETRIES {
            let image = game.action_number(game.image_move(mv, symmetry));
            assert_eq!(game.image_number(number, symmetry), image, "symmetry {symmetry}, {}", context(mv));
        }
    }
}

/// The observation of an image is the image of the observation, and says more than stones only of the side to move.
fn observations_turn_with_the_board<G: Game>(game: &G, position: &G::Position) {
    let [planes, rows, columns] = G::OBSERVATION;
    let observed = |position: &G::Position| {
        // Filled with nonsense first: everything has to be written.
        let mut bytes = vec![0xa5; planes * rows * columns];
        game.observe(position, &mut bytes);
        bytes
    };
    let here = observed(position);
    let stones = game.stones(position).into_iter().flatten().count();
    let ones = here[..2 * rows * columns].iter().filter(|&&byte| byte == 1).count();
    assert!(
        ones == stones || ones + 1 == stones,
        "own and other stones in `{}`",
        game.position_text(position)
    );
    for symmetry in 0..G::SYMMETRIES {
        let there = observed(&game.image(position, symmetry));
        for (at, &byte) in here.iter().enumerate() {
            let (plane, place) = (at / (rows * columns), at % (rows * columns));
            let image = plane * rows * columns + game.image_place(place, symmetry);
            assert_eq!(there[image], byte, "symmetry {symmetry} of `{}`", game.position_text(position));
        }
    }
}

fn hints_agree<G: Game>(game: &G, position: &G::Position) {
    let moves = legal(game, position);
    let context = || format!("in `{}`", game.position_text(position));
    assert!(game.phase(position) < 64, "phase {}", context());
    for noise in [Noise::Captures, Noise::Forks] {
        let expected: HashSet<_> =
            moves.iter().copied().filter(|&mv| game.is_noisy(position, mv, noise)).collect();
        let mut noisy = MoveList::new();
        game.noisy_moves(position, noise, &mut noisy);
        assert_eq!(noisy.len(), expected.len(), "{noise:?} listed twice or left out {}", context());
        let is_lasting = noise == Noise::Forks || noisy.iter().all(|&mv| game.is_irreversible(position, mv));
        assert!(is_lasting, "what is taken can come back {}", context());
        assert_eq!(noisy.into_iter().collect::<HashSet<_>>(), expected, "{noise:?} {}", context());
    }
    stages_are_the_moves(game, position, &moves);
    turns_change(game, position);
    for symmetry in 0..G::SYMMETRIES {
        let image = game.image(position, symmetry);
        assert_eq!(game.phase(&image), game.phase(position), "phase of image {symmetry} {}", context());
        for &mv in &moves {
            let there = game.ordering_score(&image, game.image_move(mv, symmetry));
            let text = game.move_text(mv);
            assert_eq!(there, game.ordering_score(position, mv), "`{text}`, image {symmetry} {}", context());
            assert!(
                there.abs() < 1 << 14,
                "ordering_score {there} of `{text}`: a search needs room below it"
            );
        }
    }
}

/// A turned position is turned back into itself, and a null move is a turn.
fn turns_change<G: Game>(game: &G, position: &G::Position) {
    let context = || format!("in `{}`", game.position_text(position));
    if let Some(turned) = game.turned(position) {
        assert_ne!(game.to_move(&turned), game.to_move(position), "turned {}", context());
        assert!(game.turned(&turned).as_ref() == Some(position), "turned twice {}", context());
    }
    let passed = game.null_move(position);
    assert!(passed.is_none() || passed == game.turned(position), "null move {}", context());
}

/// Each legal move is in one stage, the irreversible ones in the first, and a move of another position is known for one
/// that is legal or not.
fn stages_are_the_moves<G: Game>(game: &G, position: &G::Position, moves: &[G::Move]) {
    let context = || format!("in `{}`", game.position_text(position));
    let (mut staged, mut stage_moves) = (Vec::new(), MoveList::new());
    for stage in 0..G::MOVE_STAGES {
        game.stage_moves(position, stage, &mut stage_moves);
        for &mv in &stage_moves {
            let fits = G::MOVE_STAGES == 1 || game.is_irreversible(position, mv) == (stage == 0);
            assert!(fits, "`{}` is no move of stage {stage} {}", game.move_text(mv), context());
            staged.push(mv);
        }
    }
    assert_eq!(staged.len(), moves.len(), "moves in stages {}", context());
    let all: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(staged.into_iter().collect::<HashSet<_>>(), all, "moves in stages {}", context());
    if moves.is_empty() {
        return;
    }
    let numbered = (0..G::ACTIONS).step_by(1 + G::ACTIONS / 100);
    for mv in numbered.filter_map(|number| game.numbered_move(position, number)).chain(moves.iter().copied())
    {
        assert_eq!(game.is_legal(position, mv), all.contains(&mv), "`{}` {}", game.move_text(mv), context());
    }
}

fn display_is_complete<G: Game>(game: &G, position: &G::Position) {
    let board = game.board();
    let stones = game.stones(position);
    assert_eq!(stones.len(), board.cells.len());
    assert!(board.svg(&stones, &[0]).ends_with("</svg>\n"));
    assert!(!game.diagram(position).is_empty() && !game.status(position).is_empty());
    for mv in legal(game, position) {
        let action = game.action(position, mv);
        assert_eq!(action.from.len(), if action.from.is_empty() { 0 } else { action.to.len() });
        for cell in action.from.iter().chain(&action.to).chain(&action.remove) {
            assert!(*cell < board.cells.len());
        }
    }
}

fn replays_from_text<G: Game>(record: &Record<G>) {
    let game = record.game();
    let mut again = Record::new(game.clone());
    for mv in record.moves() {
        again.push_text(&game.move_text(mv)).expect("a game's own text replays");
    }
    assert_eq!((again.position(), again.end()), (record.position(), record.end()));
}

fn legal<G: Game>(game: &G, position: &G::Position) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves
}
