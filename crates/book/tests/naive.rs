//! The values of books against a second, naive reckoning from the games themselves, for all games.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use rand::RngExt;
use trilith_base::Seed;
use trilith_base::seed::Rng;
use trilith_book::{Book, BookJudgement, BookMode, Walk, layer, node_key};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, MoveList, Record, playout};

fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("trilith-book-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Canonical position as text without its counters, and layer: no hash.
type Place = (String, usize);

/// A position as the definitions see it.
#[derive(Default)]
struct Naive {
    mover: Option<Colour>,
    successors: HashSet<Place>,
    proved: Option<i8>,
    ended: Option<i8>,
    /// No alternative any more once it is played.
    alternative: Option<(Place, f32)>,
}

impl Naive {
    fn follow(&mut self, next: Place) {
        self.alternative.take_if(|(place, _)| *place == next);
        self.successors.insert(next);
    }
}

/// Counters are no part of a book's positions, but of their text: the least text of the same key stands for all.
struct Names {
    by_key: HashMap<u64, String>,
}

impl Names {
    fn place<G: Game>(&mut self, game: &G, position: &G::Position, layer: usize) -> Place {
        let images = (0..G::SYMMETRIES).map(|symmetry| game.image(position, symmetry));
        let canonical = images.min().unwrap();
        let name = self.by_key.entry(game.key(&canonical)).or_insert_with(|| game.position_text(&canonical));
        (name.clone(), layer)
    }
}

type Tree = HashMap<Place, Naive>;

fn sign(winner: Option<Colour>, mover: Colour) -> i8 {
    winner.map_or(0, |winner| if winner == mover { 1 } else { -1 })
}

/// V_T and V_C straight from their definitions.
fn value(tree: &Tree, place: &Place, asker: Colour, draws_lose: bool) -> (i8, f32) {
    let node = &tree[place];
    let own = node.proved.or(node.ended.filter(|_| node.successors.is_empty()));
    if let Some(result) = own {
        let result = match (result, draws_lose) {
            (0, true) if node.mover == Some(asker) => -1,
            (0, true) => 1,
            (result, _) => result,
        };
        return (result, [f32::NEG_INFINITY, 0.0, f32::INFINITY][(result + 1) as usize]);
    }
    let all: Vec<(i8, f32)> =
        node.successors.iter().map(|place| value(tree, place, asker, draws_lose)).collect();
    let tree_value = all.iter().map(|(tree, _)| -tree).max().unwrap();
    let allowed = all.iter().filter(|(tree, _)| match tree_value {
        1 => *tree < 0,
        0 => *tree == 0,
        _ => *tree > 0,
    });
    let mut chances: Vec<f32> = allowed.map(|(_, chance)| -chance).collect();
    if tree_value <= 0 {
        chances.extend(node.alternative.as_ref().map(|(_, value)| *value));
    }
    (tree_value, chances.into_iter().fold(f32::NEG_INFINITY, f32::max))
}

/// Adds a game to the naive tree.
fn remember<G: Game>(tree: &mut Tree, names: &mut Names, record: &Record<G>, winner: Option<Colour>) {
    let game = record.game();
    let mut way = Record::from_position(game.clone(), *record.start()).unwrap();
    let mut moves = record.moves();
    loop {
        let place = names.place(game, way.position(), layer(&way));
        let mover = game.to_move(way.position());
        let node = tree.entry(place).or_default();
        node.mover = Some(mover);
        let Some(mv) = moves.next() else {
            match game.outcome(way.position()) {
                Some(_) => node.proved = Some(sign(winner, mover)),
                None => node.ended = Some(sign(winner, mover)),
            }
            return;
        };
        way.push_legal(mv);
        node.follow(names.place(game, way.position(), layer(&way)));
    }
}

/// A game of a few random plies, all of them among the first legal ones so that lines meet, with a result by lot unless
/// the rules have one.
fn short_game<G: Game>(game: &G, rng: &mut Rng) -> (Record<G>, Option<Colour>) {
    let mut record = Record::new(game.clone());
    for _ in 0..rng.random_range(1..9) {
        let mut legal = MoveList::new();
        game.moves(record.position(), &mut legal);
        if record.end().is_some() {
            break;
        }
        record.push_legal(legal[rng.random_range(0..legal.len().min(3))]);
    }
    let lot = [None, Some(Colour::Black), Some(Colour::White)][rng.random_range(0..3)];
    let winner = record.end().map_or(lot, |end| end.winner);
    (record, winner)
}

fn values_are_those_of_the_definitions<G: Game>(name: &str, seed: u64, draws_lose: bool) {
    let game = G::new(G::Rules::default());
    let mut rng = Seed(seed).derive(name, 0).rng();
    let path = path(&format!("naive-{name}-{seed}"));
    let book = Book::create(&path, &game, draws_lose).unwrap();
    let (mut tree, mut names) = (Tree::new(), Names { by_key: HashMap::new() });
    for round in 0..12 {
        for _ in 0..rng.random_range(1..6) {
            let (record, winner) = short_game(&game, &mut rng);
            let added = book.update(|draft| draft.add(&record, winner)).unwrap();
            if matches!(added, trilith_book::Added::New(_)) {
                remember(&mut tree, &mut names, &record, winner);
            }
        }
        if round % 3 == 2 {
            judge_some(&book, &game, &mut tree, &mut names, &mut rng);
        }
        let mut reached = 0;
        Walk::all(&book.reader().unwrap(), &game, &mut |visit| {
            reached += 1;
            let place = names.place(&game, visit.position, visit.layer);
            for asker in [Colour::Black, Colour::White] {
                let found = visit.node.value(asker);
                let expected = value(&tree, &place, asker, draws_lose);
                assert_eq!((found.tree, found.chance), expected, "{place:?} for {asker}");
            }
            true
        })
        .unwrap();
        assert_eq!(reached, tree.len(), "each position once");
    }
    drop(book);
    std::fs::remove_file(path).unwrap();
}

/// Gives some nodes alternatives by lot, links them to what they lead to, and proves a few.
fn judge_some<G: Game>(book: &Book, game: &G, tree: &mut Tree, names: &mut Names, rng: &mut Rng) {
    let mut met = Vec::new();
    Walk::all(&book.reader().unwrap(), game, &mut |visit| {
        met.push((*visit.position, visit.layer));
        true
    })
    .unwrap();
    for (position, layer) in met {
        let place = names.place(game, &position, layer);
        let is_open = book.update(|draft| draft.is_open(node_key(game, &position, layer))).unwrap();
        if !is_open || rng.random_range(0..3) == 0 {
            continue;
        }
        let (canonical, inside) = book.update(|draft| draft.link_known(game, &position, layer)).unwrap();
        let mut legal = MoveList::new();
        game.moves(&canonical, &mut legal);
        let after = |names: &mut Names, mv: G::Move| {
            let layer = if game.is_irreversible(&canonical, mv) { 0 } else { layer + 1 };
            names.place(game, &game.play(&canonical, mv), layer)
        };
        for &mv in &inside {
            let next = after(names, mv);
            assert!(tree.contains_key(&next), "only what is in the book is linked");
            tree.get_mut(&place).unwrap().follow(next);
        }
        let out = legal.iter().copied().find(|mv| !inside.contains(mv));
        let proved = (rng.random_range(0..8) == 0).then(|| rng.random_range(-1..=1));
        let alternative = out.map(|mv| (mv, rng.random_range(-30..30) as f32 / 10.0));
        book.update(|draft| draft.judge(game, &canonical, layer, &BookJudgement { proved, alternative }))
            .unwrap();
        let node = tree.get_mut(&place).unwrap();
        node.proved = proved;
        node.alternative = alternative.map(|(mv, value)| (after(names, mv), value));
    }
}

#[test]
fn othello_values_are_those_of_the_definitions() {
    for seed in 0..4 {
        values_are_those_of_the_definitions::<Othello>("othello", seed, seed % 2 == 1);
    }
}

#[test]
fn morris_values_are_those_of_the_definitions() {
    for seed in 0..4 {
        values_are_those_of_the_definitions::<Morris>("morris", seed, seed % 2 == 1);
    }
}

#[test]
fn abalone_values_are_those_of_the_definitions() {
    for seed in 0..4 {
        values_are_those_of_the_definitions::<Abalone>("abalone", seed, seed % 2 == 1);
    }
}

/// A whole random game in all its images is one game, and advice comes back in the frame of who asks.
fn images_are_one<G: Game>(name: &str) {
    let game = G::new(G::Rules::default());
    let path = path(&format!("images-{name}"));
    let book = Book::create(&path, &game, false).unwrap();
    let mut record = Record::new(game.clone());
    playout::play_on(&mut record, 60, &mut Seed(5).rng());
    let first = game.to_move(&game.start());
    let mut images = 0;
    for symmetry in 0..G::SYMMETRIES {
        let mut image = Record::new(game.clone());
        if game.image(record.start(), symmetry) != *image.start() {
            continue;
        }
        images += 1;
        record.moves().for_each(|mv| image.push_legal(game.image_move(mv, symmetry)));
        let added = book.update(|draft| draft.add(&image, Some(first))).unwrap();
        assert_eq!(added == trilith_book::Added::New(1), images == 1);
        let mut way = Record::new(game.clone());
        for mv in image.moves() {
            let reading = book.reader().unwrap().look(&way).unwrap().expect("it is in the book");
            if game.to_move(way.position()) == first {
                let advice = reading.advice.expect("a win is repeated").mv;
                let after = |mv| node_key(&game, &game.play(way.position(), mv), 0);
                assert_eq!(after(advice), after(mv), "up to symmetry");
            }
            way.push_legal(mv);
        }
    }
    assert!(images > 1);
    assert_eq!(book.reader().unwrap().statistics().unwrap().games, 1);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn symmetric_games_are_one_game() {
    images_are_one::<Othello>("othello");
    images_are_one::<Morris>("morris");
    images_are_one::<Abalone>("abalone");
}

#[test]
fn books_say_what_is_wrong() {
    let path = path("wrong");
    std::fs::write(&path, "no book at all, but long enough to be looked at as one".repeat(100)).unwrap();
    let error = Book::open(&path, BookMode::Read).err().unwrap().to_string();
    assert!(error.contains("wrong"), "{error}");
    std::fs::remove_file(&path).unwrap();
    assert!(Book::open(&path, BookMode::Read).err().unwrap().to_string().contains("No such file"));
    let othello = Othello::default();
    let book = Book::create(&path, &othello, false).unwrap();
    assert!(Book::open(&path, BookMode::Write).err().unwrap().to_string().contains("in use"));
    let morris = Morris::new(Default::default());
    let error = book.expect(&morris).unwrap_err().to_string();
    assert!(error.contains("is of othello standard: expected morris"), "{error}");
    drop(book);
    let reading = [Book::open(&path, BookMode::Read).unwrap(), Book::open(&path, BookMode::Read).unwrap()];
    assert!(reading[0].update(|_| Ok(())).is_err());
    std::fs::remove_file(path).unwrap();
}

/// A page that nobody can have written makes the store below books panic; fuzzing found byte 32768. Readers hear of it.
#[test]
fn a_damaged_book_is_refused_wherever_the_damage_is() {
    let path = path("damaged");
    let _ = std::fs::remove_file(&path);
    drop(Book::create(&path, &Othello::default(), false).unwrap());
    let whole = std::fs::read(&path).unwrap();
    let read = || {
        let book = Book::open(&path, BookMode::Read)?;
        let reader = book.reader()?;
        reader.statistics()?;
        reader.roots()?;
        reader.node(1)
    };
    let mut refused = Vec::new();
    let places = (0..whole.len()).filter(|&at| whole[at] != 0).step_by(97);
    for at in [32_768].into_iter().chain(places) {
        for value in [0, !whole[at]] {
            let mut damaged = whole.clone();
            damaged[at] = value;
            std::fs::write(&path, damaged).unwrap();
            if let Err(error) = read() {
                assert!(error.to_string().contains(path.to_str().unwrap()), "byte {at}: {error}");
                refused.push(at);
            }
        }
    }
    assert!(refused.contains(&32_768) && refused.len() > 3, "{refused:?}");
    // The number of a page says how large it is: here 16 MiB in a file of one. Fuzzing found a page of 4 GiB, the store's largest.
    let mut damaged = whole.clone();
    damaged[0x9037] = 12 << 3;
    std::fs::write(&path, damaged).unwrap();
    assert!(read().unwrap_err().to_string().ends_with("lies beyond its end; restore it from a copy"));
    std::fs::remove_file(&path).unwrap();
}
