//! Feature sets by name: what users' own evaluations and learners weigh.

use trilith_games::Game;

/// Numbers that describe a position for the side to move.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// The name in files, such as `morris-39`.
    fn name(&self) -> &str;

    /// What each number counts; as many as [`FeatureSet::count`].
    fn names(&self) -> Vec<String>;

    /// How many numbers there are.
    fn count(&self) -> usize;

    /// Writes the numbers of `position`. Trusts that `into` has room for exactly [`FeatureSet::count`].
    fn fill(&self, game: &G, position: &G::Position, into: &mut [f32]);

    /// Whether symmetric positions have equal numbers.
    fn is_symmetric(&self) -> bool {
        true
    }
}

/// The numbers of one position; allocates, so not for leaves.
pub fn of<G: Game>(set: &(impl FeatureSet<G> + ?Sized), game: &G, position: &G::Position) -> Vec<f32> {
    let mut numbers = vec![0.0; set.count()];
    set.fill(game, position, &mut numbers);
    numbers
}

/// Games whose positions can be described by feature sets with names.
pub trait Described: Game {
    /// The sets with fixed names.
    fn feature_sets() -> Vec<Box<dyn FeatureSet<Self>>>;

    /// The set called `name`; games override it where names can be made up from parts.
    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Self>>> {
        Self::feature_sets().into_iter().find(|set| set.name() == name)
    }
}
