//! The options by which every command chooses game, rules and position.

use anyhow::Context;
use clap::Args;
use trilith_arena::GAMES;
use trilith_games::Game;

/// The names of all games, for people who read the help.
pub fn known_games() -> String {
    let (last, others) = GAMES.split_last().expect("there are games");
    format!("{} or {last}", others.join(", "))
}

/// Which game, by which rules, from where.
#[derive(Args, Clone)]
pub struct Choice {
    #[arg(help = known_games())]
    pub game: String,
    /// Rule switches, such as `thesis` or `standard,flying=off`
    #[arg(long, value_name = "RULES", default_value = "")]
    pub rules: String,
    /// Start layout (Abalone), such as `belgian-daisy`
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// Start from this position instead of the usual one
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
}

impl Choice {
    /// The rule text with the layout in it.
    pub fn rules(&self) -> String {
        rules_with_layout(&self.rules, self.layout.as_deref())
    }

    /// The game and its start position.
    pub fn parse<G: Game>(&self) -> anyhow::Result<(G, G::Position)> {
        let game = G::new(self.rules().parse().with_context(|| format!("--rules for {}", G::NAME))?);
        let position = match &self.position {
            Some(text) => game.parse_position(text).context("--position")?,
            None => game.start(),
        };
        Ok((game, position))
    }
}

/// Rule switches with a layout among them.
pub fn rules_with_layout(rules: &str, layout: Option<&str>) -> String {
    match layout {
        Some(layout) => format!("{rules},layout={layout}"),
        None => rules.into(),
    }
}
