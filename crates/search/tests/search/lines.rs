//! Several lines under a limit that ends an iteration in its middle: each carries the depth of its value.

use trilith_eval::{Margin, Unknowing};
use trilith_games::abalone::Abalone;
use trilith_games::{Game, Record};
use trilith_search::{Analysis, Control, Engine, EngineOptions, Limits};

fn analyse(limits: Limits) -> Analysis<<Abalone as Game>::Move> {
    let options = EngineOptions { table_mebibytes: 1, lines: 5, ..EngineOptions::default() };
    let record = Record::new(Abalone::default());
    Engine::new(Margin, Unknowing, options).analyse(&record, &limits, &Control::default(), &mut |_| ())
}

/// A search of one thread visits the same positions whatever ends it: a line that says depth N has the value that a search
/// to depth N finds for its move.
#[test]
fn lines_carry_the_depth_of_their_value() {
    let mut mixed = 0;
    for nodes in (2_000..60_000).step_by(3_000) {
        let analysis = analyse(Limits::nodes(nodes));
        let depths: Vec<u32> = analysis.lines.iter().map(|line| line.depth).collect();
        assert!(depths.is_sorted_by(|a, b| a >= b), "{depths:?}");
        assert!(
            depths.iter().all(|&depth| depth == analysis.depth || depth == analysis.depth + 1),
            "{depths:?}"
        );
        mixed += u32::from(depths.first() != depths.last());
        for line in &analysis.lines {
            let whole = analyse(Limits::depth(line.depth));
            let same = whole.lines.iter().find(|other| other.moves[0] == line.moves[0]);
            // A move that was overtaken since is not among the lines of its depth.
            assert!(same.is_none_or(|same| same.value == line.value), "{nodes}: {line:?} {same:?}");
        }
    }
    assert!(mixed > 0, "no search ended in the middle of an iteration");
}
