//! The rungs of the engine above those of the ladder: one technique more each time.

use std::sync::Arc;

use trilith_eval::Evaluator;
use trilith_games::Game;

use super::{Pruning, PruningError, PruningParameters};
use crate::engine::EngineOptions;
use crate::kit::SearchKit;
use crate::probcut::Cuts;

/// The engine with some techniques.
#[derive(Clone, Debug)]
pub struct EngineRung {
    /// The technique that the rung before has not: of [`PruningParameters::TECHNIQUES`], or `probcut`; none for the engine
    /// without selective search.
    pub technique: Option<&'static str>,
    /// How it works.
    pub options: EngineOptions,
}

/// The engine without selective search, then with one technique more each time by the game's own numbers or the usual ones,
/// ProbCut last. A technique that can never act in the game is left out.
pub fn engine_rungs<G: Game, C: SearchKit<G>>(
    game: &G,
    mut options: EngineOptions,
) -> Result<Vec<EngineRung>, PruningError> {
    let evaluator = C::engine_evaluator();
    (options.pruning, options.selective) = (None, None);
    let mut rungs = vec![EngineRung { technique: None, options: options.clone() }];
    let mut techniques = Vec::new();
    for technique in PruningParameters::TECHNIQUES.into_iter().filter(|technique| can_act(technique, game)) {
        techniques.push(technique);
        let parameters = PruningParameters::only(C::PRUNING.unwrap_or_default(), &techniques)?;
        options.pruning = Some(Arc::new(Pruning::new(&parameters, evaluator.unit())));
        rungs.push(EngineRung { technique: Some(technique), options: options.clone() });
    }
    if let Some(parameters) = C::probcut(&evaluator) {
        options.selective = Some(Arc::new(Cuts::new(&parameters, evaluator.unit(), None)));
        rungs.push(EngineRung { technique: Some("probcut"), options });
    }
    Ok(rungs)
}

/// Whether a technique can act in a game: null moves and threats are asked of the game.
fn can_act<G: Game>(technique: &str, game: &G) -> bool {
    match technique {
        "null-move" => game.null_move(&game.start()).is_some(),
        "threat-extension" => game.turned(&game.start()).is_some(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::{Margin, abalone, morris, othello};
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    fn names<G: Game, C: SearchKit<G>>() -> String {
        let rungs = engine_rungs::<G, C>(&G::new(G::Rules::default()), EngineOptions::default()).unwrap();
        let names: Vec<&str> = rungs.iter().map(|rung| rung.technique.unwrap_or("engine")).collect();
        names.join(" ")
    }

    #[test]
    fn each_game_has_the_rungs_that_act_in_it() {
        const FIRST: &str = "engine late-move-reductions move-count futility reverse-futility";
        const LAST: &str = "singular-extension capture-history";
        let some = format!("{FIRST} internal-reduction history-order {LAST}");
        let all = format!("{FIRST} null-move internal-reduction history-order threat-extension {LAST}");
        assert_eq!(names::<Othello, othello::Evaluations>(), format!("{some} probcut"));
        assert_eq!(names::<Othello, Margin>(), some);
        assert_eq!(names::<Morris, morris::Evaluations>(), format!("{all} probcut"));
        assert_eq!(names::<Abalone, abalone::Evaluations>(), all);
    }
}
