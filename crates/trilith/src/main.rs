//! The program: parses the command line, calls a library, prints. One file a sub-command, no logic of its own.

mod choice;
mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{analyse, bench, data, fit, perft, play, serve, solve};

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

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Perft(perft::Args),
    Play(play::Args),
    Analyse(analyse::Args),
    Bench(bench::Args),
    Solve(solve::Args),
    Data(data::Args),
    Fit(fit::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        None => serve::run(&serve::Args::default()),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Data(args)) => data::run(&args),
        Some(Command::Fit(args)) => fit::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if is_input_fault(&error) { 2 } else { 1 })
        }
    }
}

/// Whether nothing but the given text was wrong: everything else begins with an I/O error.
fn is_input_fault(error: &anyhow::Error) -> bool {
    !error.chain().any(|cause| cause.is::<std::io::Error>())
}
