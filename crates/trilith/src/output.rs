//! What commands print. A reader that has gone (`| head`) ends the program quietly, as it ends `cat` or `ls`.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process;
use std::time::{Duration, Instant};

/// Writes to standard output; the macros below call it.
pub fn write(arguments: fmt::Arguments<'_>) {
    finish(io::stdout().lock().write_fmt(arguments));
}

/// A closed pipe is the end of all work that nobody will read; any other fault of the output is an error.
fn finish(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            // Standard error may be gone as well: then nobody can be told.
            let _ = writeln!(io::stderr(), "error: standard output: {error}");
            process::exit(1);
        }
    }
}

/// `print!` that ends the program quietly when nobody reads any more.
macro_rules! print {
    ($($argument:tt)*) => { $crate::output::write(format_args!($($argument)*)) };
}

/// `println!` that ends the program quietly when nobody reads any more.
macro_rules! println {
    () => { $crate::output::write(format_args!("\n")) };
    ($($argument:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($argument)*))) };
}

/// `eprint!` that goes on without a reader.
macro_rules! eprint {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($argument)*);
    }};
}

/// `eprintln!` that goes on without a reader.
macro_rules! eprintln {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($argument)*);
    }};
}

/// An error with its causes, none of them said twice: some errors already end in their cause.
pub fn message(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        _ if text.ends_with(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}

/// `--json` of a command that ends with one result.
#[derive(clap::Args, Clone, Copy)]
pub struct JsonArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl JsonArgs {
    /// Prints the result as JSON if that is asked for, else in words.
    pub fn print(self, result: &serde_json::Value, words: impl fmt::Display) {
        match self.json {
            true => println!("{result}"),
            false => println!("{words}"),
        }
    }
}

/// How long work stands: one line that is written over on a terminal, else a plain line now and then.
pub struct ProgressLine {
    is_terminal: bool,
    shown: Instant,
    is_on_screen: bool,
}

impl ProgressLine {
    /// Between two states on a terminal.
    const BLINK: Duration = Duration::from_millis(100);
    /// Between two plain lines: often enough for a log, and short work stays silent.
    const PAUSE: Duration = Duration::from_secs(10);

    pub fn new() -> ProgressLine {
        ProgressLine { is_terminal: io::stderr().is_terminal(), shown: Instant::now(), is_on_screen: false }
    }

    /// Shows `text` if it is time.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        let pause = if self.is_terminal { ProgressLine::BLINK } else { ProgressLine::PAUSE };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        match self.is_terminal {
            true => eprint!("\r\x1b[K{}", text()),
            false => eprintln!("{}", text()),
        }
        self.is_on_screen = self.is_terminal;
    }

    /// Leaves an empty line where the state was.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_on_screen) {
            eprint!("\r\x1b[K");
        }
    }
}
