//! The techniques of pruning: what they must not change, and what they save.

use std::sync::Arc;

use trilith_base::Seed;
use trilith_eval::abalone::Evaluations;
use trilith_eval::{Catalogue, Evaluator, Unknowing, WIN, morris};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::{Game, Record, playout};
use trilith_search::pruning::{Pruning, PruningParameters};
use trilith_search::{Analysis, Control, Engine, EngineOptions, Limits, SearchKit};

const USUAL: &str = match <Evaluations as SearchKit<Abalone>>::PRUNING {
    Some(text) => text,
    None => panic!("Abalone prunes"),
};

/// Positions of random games that go on.
fn records<G: Game>(rules: &str, count: usize) -> Vec<Record<G>> {
    let games = (0..).filter_map(|number| {
        let mut record = Record::new(G::new(rules.parse().ok().unwrap()));
        playout::play_on(
            &mut record,
            8 + 2 * (number as usize % 20),
            &mut Seed(4).derive("pruning", number).rng(),
        );
        record.end().is_none().then_some(record)
    });
    games.take(count).collect()
}

fn search(
    record: &Record<Abalone>,
    pruning: Option<&str>,
    depth: u32,
) -> Analysis<trilith_games::abalone::Move> {
    search_with::<Abalone, Evaluations>((record, depth), pruning, 1)
}

fn search_with<G: Game, C: SearchKit<G>>(
    (record, depth): (&Record<G>, u32),
    pruning: Option<&str>,
    threads: usize,
) -> Analysis<G::Move> {
    let evaluator = C::engine_evaluator();
    let unit = evaluator.unit();
    let pruning = pruning.map(|text| Arc::new(Pruning::new(&PruningParameters::parse(text).unwrap(), unit)));
    let options = EngineOptions { table_mebibytes: 4, pruning, threads, ..EngineOptions::default() };
    let mut engine = Engine::new(evaluator, Unknowing, options);
    engine.analyse(record, &Limits::depth(depth), &Control::default(), &mut |_| ())
}

#[test]
fn techniques_that_never_apply_leave_the_exact_value() {
    let never = "[late-move-reductions]\nfirst = 3\ndepth = 3\nbase = -1000.0\ndivisor = 2.0\nhistory = 0.0\n\
                 principal = 0.0\n[move-count]\ndepth = 9\nbase = 1000.0\ngrowth = 0.0\n[futility]\ndepth = 9\n\
                 base = 1000.0\nmargin = 0.0\n[reverse-futility]\ndepth = 9\nmargin = 1000.0\n[null-move]\n\
                 depth = 99\nbase = 2.0\ndivisor = 4.0\n[internal-reduction]\ndepth = 99\n";
    for record in records::<Abalone>("belgian-daisy", 4) {
        assert_eq!(search(&record, Some(never), 4).value(), search(&record, None, 4).value());
    }
}

#[test]
fn each_technique_saves_nodes() {
    each_saves_nodes::<Abalone, Evaluations>("belgian-daisy");
    each_saves_nodes::<Morris, morris::Evaluations>("standard");
}

fn each_saves_nodes<G: Game, C: SearchKit<G>>(rules: &str) {
    let records = records::<G>(rules, 4);
    let nodes = |text: Option<&str>| {
        records.iter().map(|record| search_with::<G, C>((record, 6), text, 1).nodes).sum::<u64>()
    };
    let all = nodes(None);
    let table: toml::Table = toml::from_str(C::PRUNING.unwrap()).unwrap();
    assert!(table.len() >= 4, "several techniques are used");
    for (name, mut section) in table {
        // Near the root the search before has left a best move everywhere.
        if name == "internal-reduction" {
            section["depth"] = 2.into();
        }
        let text = toml::to_string(&toml::Table::from_iter([(name.clone(), section)])).unwrap();
        let left = nodes(Some(&text));
        // Another order of moves acts, but saves nothing for sure.
        let acts = if name == "capture-history" { left != all } else { left < all };
        assert!(acts, "{}, {name}: {left} of {all} nodes", G::NAME);
    }
}

/// A win in so many plies is one whatever was pruned: where all moves seem to lose, all are searched.
#[test]
fn proved_ends_are_true() {
    let mut proved = 0;
    for record in records::<Abalone>("belgian-daisy,eject=1", 40) {
        let value = search(&record, Some(USUAL), 5).value();
        if value.abs() < WIN - 100 {
            continue;
        }
        proved += 1;
        let plies = (WIN - value.abs()) as u32;
        assert!(plies <= 5);
        let exact = search(&record, None, plies).value();
        assert_eq!(exact, value, "after {} plies of {:?}", plies, record.len());
    }
    assert!(proved > 5, "{proved} ends were proved");
}

/// Moves that other threads are busy with are put off, each once, whatever is left out or reduced.
#[test]
fn several_threads_prune_together() {
    for record in records::<Abalone>("belgian-daisy", 3) {
        for threads in [2, 4] {
            let analysis = search_with::<Abalone, Evaluations>((&record, 8), Some(USUAL), threads);
            assert_eq!(analysis.depth, 8);
            assert!(record.game().is_legal(record.position(), analysis.best().unwrap()));
        }
    }
}

/// Extensions are bounded: a search with all techniques comes to its end, and proved ends stay true.
#[test]
fn all_techniques_together_come_to_an_end() {
    let all = PruningParameters::only(USUAL, &PruningParameters::TECHNIQUES).unwrap();
    let unit = Evaluator::<Abalone>::unit(&Evaluations::engine_evaluator());
    let pruning = Some(Arc::new(Pruning::new(&all, unit)));
    let mut proved = 0;
    for record in records::<Abalone>("belgian-daisy,eject=1", 20) {
        let options =
            EngineOptions { table_mebibytes: 4, pruning: pruning.clone(), ..EngineOptions::default() };
        let mut engine = Engine::new(Evaluations::engine_evaluator(), Unknowing, options);
        let value = engine.analyse(&record, &Limits::depth(6), &Control::default(), &mut |_| ()).value();
        if value.abs() >= WIN - 100 {
            proved += 1;
            let plies = (WIN - value.abs()) as u32;
            let exact = search(&record, None, plies.min(5)).value();
            assert!(plies > 5 || exact == value, "{value} and {exact} after {plies} plies");
        }
    }
    assert!(proved > 2, "{proved} ends were proved");
}
