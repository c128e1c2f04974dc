//! `trilith players`: who can play, with which options and evaluations.

use serde::Serialize;
use trilith_arena::player::{KINDS, levels};
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_games::Game;

/// List the kinds of players with their options, and the evaluations and levels of each game
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith players\n  \
    trilith players othello --json\n\n\
    A player is written `kind:option=value,option=value`, such as `engine:depth=6,eval=margin`.")]
pub struct Args {
    /// Only this game's evaluations and levels
    game: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PlayersAnswer {
    players: Vec<ShownKind>,
    games: Vec<Offered>,
}

#[derive(Serialize)]
struct ShownKind {
    name: &'static str,
    options: &'static [&'static str],
    about: &'static str,
}

#[derive(Serialize)]
struct Offered {
    game: &'static str,
    evaluations: Vec<Evaluation>,
    levels: Vec<Level>,
}

#[derive(Serialize)]
struct Evaluation {
    name: &'static str,
    about: &'static str,
    needs_file: bool,
}

#[derive(Serialize)]
struct Level {
    number: u8,
    /// Elo, random moves have 0.
    rating: Option<i32>,
    depth: u32,
    nodes: u64,
    /// In units of the evaluation.
    radius: f64,
}

/// Lists and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let games = match &args.game {
        Some(game) => vec![with_game(game, List)?],
        None => GAMES.iter().map(|game| with_game(game, List)).collect::<Result<_, _>>()?,
    };
    let kind = |kind: &trilith_arena::player::PlayerKind| ShownKind {
        name: kind.name,
        options: kind.options,
        about: kind.about,
    };
    let answer = PlayersAnswer { players: KINDS.iter().map(kind).collect(), games };
    match args.json {
        true => println!("{}", serde_json::to_string(&answer)?),
        false => print(&answer),
    }
    Ok(())
}

struct List;

impl Visitor for List {
    type Output = Offered;

    fn visit<G: Game, C: GameKit<G>>(self) -> Offered {
        let entry = |entry: trilith_eval::catalogue::EvaluationEntry| Evaluation {
            name: entry.name,
            about: entry.about,
            needs_file: entry.needs_artifact,
        };
        let level = |number: u8| {
            let levels::Level { depth, nodes, radius_permille, rating } = levels::pick(&C::LEVELS, number);
            Level { number, rating, depth, nodes, radius: f64::from(radius_permille) / 1000.0 }
        };
        Offered {
            game: G::NAME,
            evaluations: C::entries().into_iter().map(entry).collect(),
            levels: levels::LEVELS.map(level).collect(),
        }
    }
}

fn print(answer: &PlayersAnswer) {
    for player in &answer.players {
        println!("{:10} {}", player.name, player.about);
        if !player.options.is_empty() {
            println!("{:10} options: {}", "", player.options.join(", "));
        }
    }
    for game in &answer.games {
        println!("\neval= for {}:", game.game);
        for evaluation in &game.evaluations {
            let needs = if evaluation.needs_file { " (needs file=WEIGHTS)" } else { "" };
            println!("  {:12} {}{needs}", evaluation.name, evaluation.about);
        }
        println!("\nlevel= for {}, with their ratings (random moves: 0):", game.game);
        for level in &game.levels {
            let rating = level.rating.map_or_else(|| "-".into(), |rating| rating.to_string());
            println!("  {:2} {rating:>5}  {}", level.number, level.effort());
        }
    }
}

impl Level {
    /// What it may do, in words.
    fn effort(&self) -> String {
        let plies = if self.depth == 1 { "1 ply".into() } else { format!("{} plies", self.depth) };
        let stray = match self.radius > 0.0 {
            true => format!(", moves up to {} below the best by lot", self.radius),
            false => String::new(),
        };
        match self.nodes == levels::PLENTY {
            true => plies + &stray,
            false => format!("at most {plies} and {} positions{stray}", self.nodes),
        }
    }
}
