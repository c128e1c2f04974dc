//! The program: parses the command line, calls a library, prints. One file a sub-command, no logic of its own.

#[macro_use]
mod output;

mod choice;
mod commands;
mod pace;
mod positions;
mod queue;
mod stop;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A workbench for three games of stones: Othello, Nine Men's Morris and Abalone.
#[derive(Parser)]
#[command(
    version,
    after_help = "Without a sub-command the web app starts on loopback and prints its address.\n\
    Exit codes: 0 done, 1 it went wrong on the way (a file, the network), 2 the input was wrong."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The sub-commands: each is a variant, a module with `Args` and `run`, and a line here.
macro_rules! commands {
    ($($(#[$when:meta])? $name:ident => $module:ident,)+) => {
        #[derive(Subcommand)]
        #[allow(clippy::large_enum_variant, reason = "there is only one, and it does not move")]
        enum Command {
            $($(#[$when])? $name(commands::$module::Args),)+
        }

        impl Command {
            fn run(&self) -> anyhow::Result<()> {
                match self {
                    $($(#[$when])? Command::$name(args) => commands::$module::run(args),)+
                }
            }
        }
    };
}

commands! {
    Serve => serve,
    Backup => backup,
    Restore => restore,
    Admin => admin,
    Doctor => doctor,
    Play => play,
    Analyse => analyse,
    Review => review,
    Convert => convert,
    Match => duel,
    Tournament => tournament,
    Tune => tune,
    #[cfg(feature = "queue")]
    Worker => worker,
    Ggs => ggs,
    Puzzles => puzzles,
    Openings => openings,
    Players => players,
    Perft => perft,
    Engine => engine,
    Tablebase => tablebase,
    Solve => solve,
    Book => book,
    Data => data,
    Fit => fit,
    Artifacts => artifacts,
    Train => train,
    Study => study,
    Bench => bench,
}

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| Command::Serve(commands::serve::Args::default()));
    match command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", output::message(&error));
            ExitCode::from(if is_input_fault(&error) { 2 } else { 1 })
        }
    }
}

/// Whether nothing but the given text was wrong: everything else begins with an I/O error.
fn is_input_fault(error: &anyhow::Error) -> bool {
    !error.chain().any(|cause| cause.is::<std::io::Error>())
}
