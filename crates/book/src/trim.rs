//! Small books made from a large one: what many games went through, without the long tails that few have seen.

use trilith_games::{Colour, Game, Record};

use crate::book::{Book, BookReader};
use crate::error::BookError;
use crate::judge::BookJudgement;
use crate::key::{layer, node_key};
use crate::node::Node;
use crate::walk::Walk;

/// Cut games added in one transaction.
const TOGETHER: usize = 4096;

/// Adds to `into` all games of a book, each cut at the first position that fewer than `least` games went through, with
/// that position's tree value as its result; and the alternatives of all positions that still have successors.
///
/// Tree values of the positions that remain are the same, unless they came through a position that only tails reach by
/// another order of moves; chances are those of a book that knows no deviation after the cuts.
pub fn trim<G: Game>(
    reader: &BookReader<'_>,
    game: &G,
    least: u64,
    into: &mut Book,
) -> Result<(), BookError> {
    into.judge_by(&reader.book().head().judge)?;
    let cut: Result<Vec<_>, _> =
        reader.remembered(game)?.iter().map(|game| cut(reader, &game.record, least)).collect();
    for some in cut?.chunks(TOGETHER) {
        into.update(|draft| {
            some.iter().try_for_each(|(record, winner)| draft.add(record, *winner).map(drop))
        })?;
    }
    let mut met: Vec<(G::Position, usize, Node)> = Vec::new();
    let mut missing = None;
    Walk::all(&into.reader()?, game, &mut |visit| {
        match reader.node(visit.key) {
            Ok(Some(node)) if !visit.node.edges.is_empty() => {
                let (canonical, _) = game.canonical(visit.position);
                met.push((canonical, visit.layer, node));
            }
            Ok(_) => {}
            Err(error) => missing = Some(error),
        }
        true
    })?;
    missing.map_or(Ok(()), Err)?;
    for some in met.chunks(TOGETHER) {
        into.update(|draft| {
            some.iter().try_for_each(|(canonical, layer, node)| {
                draft.link_as(node_key(game, canonical, *layer), node)?;
                draft.judge(game, canonical, *layer, &judged(game, canonical, node))
            })
        })?;
    }
    Ok(())
}

/// Adds to `into` the positions that at least `least` games went through, without any results: a tree whose values are those
/// that searches will find, for games that were played to see where play goes, not to learn who wins.
pub fn skeleton<G: Game>(
    reader: &BookReader<'_>,
    game: &G,
    least: u64,
    into: &mut Book,
) -> Result<(), BookError> {
    let lines: Result<Vec<_>, _> =
        reader.remembered(game)?.iter().map(|game| common(reader, &game.record, least)).collect();
    for some in lines?.chunks(TOGETHER) {
        into.update(|draft| some.iter().try_for_each(|record| draft.add_line(record)))?;
    }
    Ok(())
}

/// A game as far as enough others went the same way, to the last such position.
fn common<G: Game>(reader: &BookReader<'_>, record: &Record<G>, least: u64) -> Result<Record<G>, BookError> {
    let (mut way, _) = cut(reader, record, least)?;
    let key = node_key(way.game(), way.position(), layer(&way));
    let is_rare = reader.node(key)?.is_some_and(|node| node.games() < least);
    if is_rare && !way.is_empty() {
        way.pop();
    }
    Ok(way)
}

/// A game as far as enough others went the same way, and who wins from there by the tree.
fn cut<G: Game>(
    reader: &BookReader<'_>,
    record: &Record<G>,
    least: u64,
) -> Result<(Record<G>, Option<Colour>), BookError> {
    let damaged = |fault: &str| reader.book().damaged(fault);
    let mut way = Record::from_position(record.game().clone(), *record.start())
        .map_err(|error| damaged(&error.to_string()))?;
    let mut moves = record.moves();
    loop {
        let key = node_key(record.game(), way.position(), layer(&way));
        let node = reader.node(key)?.ok_or_else(|| damaged("a game is not in the tree"))?;
        let next = moves.next().filter(|_| node.games() >= least && node.proved.is_none());
        let Some(mv) = next else {
            let winner = match node.value(node.mover).tree {
                0 => None,
                1.. => Some(node.mover),
                _ => Some(!node.mover),
            };
            return Ok((way, winner));
        };
        way.push_legal(mv);
    }
}

fn judged<G: Game>(game: &G, canonical: &G::Position, node: &Node) -> BookJudgement<G::Move> {
    let alternative = node.alternative.as_ref();
    BookJudgement {
        proved: node.proved,
        alternative: alternative
            .and_then(|found| Some((game.parse_move(canonical, &found.mv).ok()?, found.value))),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::book::BookMode;
    use trilith_base::Seed;
    use trilith_games::othello::Othello;
    use trilith_games::playout;

    /// A book of 300 random games with an alternative at its root, in a folder of its own.
    fn large(name: &str) -> (PathBuf, Othello, Book) {
        let folder = std::env::temp_dir().join(format!("trilith-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, game) = (folder.join("large.book"), Othello::default());
        let book = Book::create(&path, &game, false).unwrap();
        for number in 0..300 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 100, &mut Seed(3).derive("game", number).rng());
            let winner = record.end().and_then(|end| end.winner);
            book.update(|draft| draft.add(&record, winner)).unwrap();
        }
        let (canonical, _) = game.canonical(&game.start());
        let mv = game.parse_move(&canonical, "d3").unwrap();
        let found = BookJudgement { proved: None, alternative: Some((mv, 0.25)) };
        book.update(|draft| draft.judge(&game, &canonical, 0, &found)).unwrap();
        drop(book);
        (folder, game, Book::open(&path, BookMode::Read).unwrap())
    }

    #[test]
    fn tree_values_and_alternatives_outlive_the_cut() {
        let (folder, game, book) = large("trim");
        let reader = book.reader().unwrap();
        let mut into = Book::create(&folder.join("small.book"), &game, false).unwrap();
        trim(&reader, &game, 2, &mut into).unwrap();
        let cut = into.reader().unwrap();
        let (before, after) = (reader.statistics().unwrap(), cut.statistics().unwrap());
        assert!(after.nodes * 5 < before.nodes && after.games <= before.games, "{before:?} {after:?}");
        let mut same = 0;
        Walk::all(&cut, &game, &mut |visit| {
            let full = reader.node(visit.key).unwrap().unwrap();
            let tree = |node: &Node| node.value(node.mover).tree;
            assert_eq!(tree(&full), tree(visit.node), "after {:?}", visit.moves);
            same += 1;
            true
        })
        .unwrap();
        assert_eq!(same, after.nodes);
        let root = node_key(&game, &game.start(), 0);
        let alternative = |reader: &BookReader| reader.node(root).unwrap().unwrap().alternative;
        assert_eq!(alternative(&cut), alternative(&reader));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_skeleton_has_lines_without_games_and_learns_from_its_ends() {
        let (folder, game, book) = large("skeleton");
        let reader = book.reader().unwrap();
        let mut into = Book::create(&folder.join("bare.book"), &game, false).unwrap();
        skeleton(&reader, &game, 4, &mut into).unwrap();
        let lines = into.reader().unwrap();
        let mut ends = Vec::new();
        Walk::all(&lines, &game, &mut |visit| {
            assert!(reader.node(visit.key).unwrap().unwrap().games() >= 4, "after {:?}", visit.moves);
            assert_eq!((visit.node.games(), visit.node.value(visit.node.mover)), (0, crate::values::leaf(0)));
            if visit.node.edges.is_empty() {
                ends.push((visit.moves.to_vec(), visit.key));
            }
            true
        })
        .unwrap();
        drop(lines);
        // A good end for whoever moves there is a reason not to go there, and is seen from the start.
        let (moves, key) = ends.iter().min_by_key(|(moves, _)| moves.len()).unwrap();
        let position = moves.iter().fold(game.start(), |position, &mv| game.play(&position, mv));
        let (canonical, _) = game.canonical(&position);
        let mut legal = trilith_games::MoveList::new();
        game.moves(&canonical, &mut legal);
        let found = BookJudgement { proved: None, alternative: Some((legal[0], 0.5)) };
        into.update(|draft| {
            assert!(draft.is_open(*key)?);
            draft.judge(&game, &canonical, 0, &found)?;
            assert!(!draft.is_open(*key)?);
            Ok(())
        })
        .unwrap();
        let lines = into.reader().unwrap();
        let value = |key| lines.node(key).unwrap().map(|node| node.value(node.mover).chance);
        assert_eq!(value(*key), Some(0.5));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
