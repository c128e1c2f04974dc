//! A small book made from a large one: what many games went through, without the long tails that only one has seen.

use trilith_games::{Colour, Game, Record};

use crate::book::{Book, Reader};
use crate::error::BookError;
use crate::judge::Judged;
use crate::key::{layer, node_key};
use crate::node::Node;
use crate::walk::Walk;

/// Cut games added in one transaction.
const TOGETHER: usize = 4096;

/// Adds to `into` all games of a book, each cut at the first position that fewer than `least` games went through, with
/// that position's tree value as its result; and the alternatives of all positions that still have successors.
///
/// Tree values of the positions that remain are the same; the chance of a position where nobody has won is that of a
/// book that knows no deviation after the cuts.
pub fn trim<G: Game>(reader: &Reader<'_>, game: &G, least: u64, into: &mut Book) -> Result<(), BookError> {
    into.judge_by(&reader.book().head().judge)?;
    let cut: Result<Vec<_>, _> =
        reader.remembered(game)?.iter().map(|game| cut(reader, &game.record, least)).collect();
    for some in cut?.chunks(TOGETHER) {
        into.update(|draft| {
            some.iter().try_for_each(|(record, winner)| draft.add(record, *winner).map(drop))
        })?;
    }
    let mut met: Vec<(G::Position, usize, Judged<G::Move>)> = Vec::new();
    let mut missing = None;
    Walk::all(&into.reader()?, game, &mut |visit| {
        match reader.node(visit.key) {
            Ok(Some(node)) if !visit.node.edges.is_empty() => {
                let (canonical, _) = game.canonical(visit.position);
                met.push((canonical, visit.layer, judged(game, &canonical, &node)));
            }
            Ok(_) => {}
            Err(error) => missing = Some(error),
        }
        true
    })?;
    missing.map_or(Ok(()), Err)?;
    for some in met.chunks(TOGETHER) {
        into.update(|draft| {
            some.iter().try_for_each(|(canonical, layer, judged)| {
                draft.link_known(game, canonical, *layer)?;
                draft.judge(game, canonical, *layer, judged)
            })
        })?;
    }
    Ok(())
}

/// A game as far as enough others went the same way, and who wins from there by the tree.
fn cut<G: Game>(
    reader: &Reader<'_>,
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

fn judged<G: Game>(game: &G, canonical: &G::Position, node: &Node) -> Judged<G::Move> {
    let alternative = node.alternative.as_ref();
    Judged {
        proved: node.proved,
        alternative: alternative
            .and_then(|found| Some((game.parse_move(canonical, &found.mv).ok()?, found.value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Mode;
    use trilith_base::Seed;
    use trilith_games::othello::Othello;
    use trilith_games::playout;

    #[test]
    fn tree_values_and_alternatives_outlive_the_cut() {
        let folder = std::env::temp_dir().join(format!("trilith-trim-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (large, small) = (folder.join("large.book"), folder.join("small.book"));
        let game = Othello::default();
        let book = Book::create(&large, &game, false).unwrap();
        for number in 0..300 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 100, &mut Seed(3).derive("game", number).rng());
            let winner = record.end().and_then(|end| end.winner);
            book.update(|draft| draft.add(&record, winner)).unwrap();
        }
        let (canonical, _) = game.canonical(&game.start());
        let mv = game.parse_move(&canonical, "d3").unwrap();
        let found = Judged { proved: None, alternative: Some((mv, 0.25)) };
        book.update(|draft| draft.judge(&game, &canonical, 0, &found)).unwrap();
        drop(book);
        let book = Book::open(&large, Mode::Read).unwrap();
        let reader = book.reader().unwrap();
        let mut into = Book::create(&small, &game, false).unwrap();
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
        let alternative = |reader: &Reader| reader.node(root).unwrap().unwrap().alternative;
        assert_eq!(alternative(&cut), alternative(&reader));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
