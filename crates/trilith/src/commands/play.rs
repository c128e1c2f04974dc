//! `trilith play`: a game in the terminal, people and programs on either side.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::Context;
use trilith_arena::player::{self, Player, Turn};
use trilith_arena::{GameKit, PlayerSpec, Visitor, with_game};
use trilith_base::{Seed, files, words};
use trilith_games::{Colour, Game, Record, pgn};
use trilith_search::analysis::{FAR, plies_to_end};
use trilith_search::{Analysis, Control, Limits};

use crate::choice::Choice;

/// Play in the terminal, against a program or with a friend
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith play othello\n  \
    trilith play morris --white human --black engine:level=3 --rules thesis\n  \
    trilith play abalone --layout belgian-daisy --black random --seed 7\n  \
    trilith play morris --load game.txt\n\n\
    At the prompt type a move, or: moves, board, undo, redo, save FILE, load FILE, resign, help, quit.")]
pub struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Who plays Black: `human` or a player such as `random` or `engine:level=3` [default: human if Black begins, else random]
    #[arg(long, value_name = "PLAYER")]
    black: Option<String>,
    /// Who plays White: `human` or a player such as `random` or `engine:level=3` [default: human if White begins, else random]
    #[arg(long, value_name = "PLAYER")]
    white: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
}

/// Plays until the game or the input ends.
pub fn run(args: &Args) -> anyhow::Result<()> {
    with_game(&args.choice.game, args)?
}

impl Visitor for &Args {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let (game, start) = self.choice.parse::<G>()?;
        let first = game.to_move(&start);
        let seat = |spec: &Option<String>, colour: Colour| {
            let usual = if colour == first { "human" } else { "random" };
            match spec.as_deref().unwrap_or(usual) {
                "human" => Ok::<_, anyhow::Error>(None),
                spec => {
                    let spec: PlayerSpec = spec.parse()?;
                    Ok(Some(player::player::<G, C>(&spec, self.seed.derive(&colour.to_string(), 0))?))
                }
            }
        };
        let mut session = Session {
            seats: [seat(&self.black, Colour::Black)?, seat(&self.white, Colour::White)?],
            record: Record::from_position(game, start)?,
            undone: Vec::new(),
            input: io::stdin().lock(),
        };
        if let Some(path) = &self.load {
            session.record = load(path)?;
        }
        session.run()
    }
}

/// The game at the terminal; a seat without a player is a person's.
struct Session<G: Game, I> {
    record: Record<G>,
    undone: Vec<G::Move>,
    seats: [Option<Box<dyn Player<G>>>; 2],
    input: I,
}

/// What a typed line asks for.
enum Typed<'a> {
    Moves,
    Board,
    Undo,
    Redo,
    Save(&'a str),
    Load(&'a str),
    Resign,
    Help,
    Quit,
    Move(&'a str),
}

const COMMANDS: &[&str] =
    &["moves", "board", "undo", "redo", "save FILE", "load FILE", "resign", "help", "quit"];

fn typed(line: &str) -> Typed<'_> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("moves", "") => Typed::Moves,
        ("board", "") => Typed::Board,
        ("undo", "") => Typed::Undo,
        ("redo", "") => Typed::Redo,
        ("save", file) if !file.is_empty() => Typed::Save(file),
        ("load", file) if !file.is_empty() => Typed::Load(file),
        ("resign", "") => Typed::Resign,
        ("help", _) => Typed::Help,
        ("quit" | "exit", "") => Typed::Quit,
        _ => Typed::Move(line),
    }
}

impl<G: Game, I: BufRead> Session<G, I> {
    fn run(&mut self) -> anyhow::Result<()> {
        self.show();
        loop {
            if let Some(end) = self.record.end() {
                let result = end.winner.map_or("a draw".into(), |winner| format!("{winner} wins"));
                println!("The game has ended: {result} ({}).", end.reason);
                if !self.has_person() {
                    return Ok(());
                }
            } else if let Some(player) =
                &mut self.seats[self.record.game().to_move(self.record.position()) as usize]
            {
                let control = Control::default();
                let turn = Turn { control: &control, limits: Limits::default() };
                let game = self.record.game();
                let decision = match player.choose(&self.record, turn, &mut |_| ()) {
                    Ok(decision) => decision,
                    Err(fault) => {
                        let winner = !game.to_move(self.record.position());
                        println!("The game has ended: {winner} wins ({fault}).");
                        return Ok(());
                    }
                };
                match &decision.analysis {
                    Some(analysis) => {
                        println!("{}  ({})", game.move_text(decision.mv), thought(analysis))
                    }
                    None => println!("{}", game.move_text(decision.mv)),
                }
                self.record.push(decision.mv).context("a player's move")?;
                self.show();
                continue;
            }
            let Some(line) = self.ask()? else { return Ok(()) };
            if !self.obey(line.trim()) {
                return Ok(());
            }
        }
    }

    fn has_person(&self) -> bool {
        self.seats.iter().any(Option::is_none)
    }

    /// The next line, or none at the end of the input.
    fn ask(&mut self) -> io::Result<Option<String>> {
        let game = self.record.game();
        print!("{} {}> ", self.record.len() + 1, game.to_move(self.record.position()));
        io::stdout().flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            println!();
            return Ok(None);
        }
        Ok(Some(line))
    }

    /// Does what a line asks for; false to stop. What goes wrong is said and changes nothing.
    fn obey(&mut self, line: &str) -> bool {
        match typed(line) {
            _ if line.is_empty() => {}
            Typed::Quit => return false,
            Typed::Resign => {
                let winner = !self.record.game().to_move(self.record.position());
                println!("The game has ended: {winner} wins (resignation).");
                return false;
            }
            Typed::Help => println!("A move, or one of: {}", COMMANDS.join(", ")),
            Typed::Board => self.show(),
            Typed::Moves => self.list_moves(),
            Typed::Undo => self.undo(),
            Typed::Redo => self.redo(),
            Typed::Save(path) => match self.save(path) {
                Ok(()) => println!("Saved to {path}."),
                Err(error) => println!("Not saved: {error:#}"),
            },
            Typed::Load(path) => match load(path) {
                Ok(record) => {
                    self.record = record;
                    self.undone.clear();
                    self.show();
                }
                Err(error) => println!("Not loaded: {error:#}"),
            },
            Typed::Move(text) => self.play(text),
        }
        true
    }

    fn play(&mut self, text: &str) {
        match self.record.push_text(text) {
            Ok(()) => {
                self.undone.clear();
                self.show();
            }
            Err(error) => match words::nearest(text, COMMANDS.iter().copied()) {
                Some(command) => println!("Not a move: {error}; did you mean `{command}`?"),
                None => println!("Not played: {error}"),
            },
        }
    }

    /// Takes moves back to the last decision of a person.
    fn undo(&mut self) {
        let before = self.undone.len();
        while let Some(mv) = self.record.pop() {
            self.undone.push(mv);
            if self.person_to_move() {
                break;
            }
        }
        if self.undone.len() == before {
            println!("Nothing to undo.");
        }
        self.show();
    }

    /// Plays undone moves again up to the next decision of a person.
    fn redo(&mut self) {
        if self.undone.is_empty() {
            println!("Nothing to redo.");
        }
        while let Some(mv) = self.undone.pop() {
            self.record.push_legal(mv);
            if self.person_to_move() {
                break;
            }
        }
        self.show();
    }

    fn person_to_move(&self) -> bool {
        self.seats[self.record.game().to_move(self.record.position()) as usize].is_none()
    }

    fn show(&self) {
        let (game, position) = (self.record.game(), self.record.position());
        println!("\n{}\n{}", game.diagram(position).trim_end(), game.status(position));
    }

    fn list_moves(&self) {
        let (game, mut moves) = (self.record.game(), trilith_games::MoveList::new());
        game.moves(self.record.position(), &mut moves);
        println!("{}", moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" "));
    }

    fn save(&self, path: &str) -> anyhow::Result<()> {
        files::write_whole(Path::new(path), pgn::write(&self.record, &[]).as_bytes()).context(path.to_owned())
    }
}

/// A search in a few words.
fn thought<M: Copy>(analysis: &Analysis<M>) -> String {
    let value = analysis.value();
    let value = match plies_to_end(value) {
        Some(plies) if plies.unsigned_abs() >= FAR => if plies > 0 { "wins" } else { "loses" }.into(),
        Some(plies) if plies >= 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {}", -plies),
        None => format!("{:+.2} {}", f64::from(value) / f64::from(analysis.unit.one), analysis.unit.name),
    };
    format!("{value}, depth {}, {} nodes", analysis.depth, analysis.nodes)
}

/// The first game of a file.
fn load<G: Game>(path: &str) -> anyhow::Result<Record<G>> {
    let text = fs::read_to_string(path).with_context(|| path.to_owned())?;
    let games = pgn::parse::<G>(&text).with_context(|| path.to_owned())?;
    games.into_iter().next().map(|game| game.record).with_context(|| format!("{path}: no game in this file"))
}
