//! `trilith ggs`: plays Othello on the Generic Game Server.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;
use trilith_arena::PlayerSpec;
use trilith_arena::contest::{KEY, SavedGames};
use trilith_arena::ggs::{EndedGame, GgsError, GgsEvent, GgsSettings, GgsVisit, Seek, today};
use trilith_arena::sheets::{self, Format};

use crate::output::JsonArgs;
use crate::stop;

/// Play Othello on GGS, the Generic Game Server (service /os), by its clocks
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    TRILITH_GGS_PASSWORD=... trilith ggs --login myname --out ggs.txt\n  \
    trilith ggs --login myname --password-file secret --seek \"s8r20 15:00//02:00\" --matches 10 --out ggs.txt\n  \
    trilith ggs --login myname --password-file secret --seek \"8 05:00 friend\" --player book:my.book+engine:threads=2\n\n\
    Requests for Othello on eight by eight squares are accepted, rated or not, synchronised or not; others are declined.\n\
    Both games of a synchronised match (s8r20) are played at the same time, each by a player of its own.\n\
    --out keeps each game as it ends: `trilith review ggs.txt` judges them, `trilith book import my.book ggs.txt` remembers\n\
    them. Ctrl-C ends the visit after the games that go on. The protocol is written from public descriptions and tested\n\
    against a server of our own, not against the real one: docs/ggs.md.")]
pub struct Args {
    /// Your name on the server
    #[arg(long, value_name = "NAME")]
    login: String,
    /// A file whose first line is the password [default: the variable TRILITH_GGS_PASSWORD]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Where the server is
    #[arg(long, value_name = "HOST:PORT", default_value = "skatgame.net:5000")]
    server: String,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: PlayerSpec,
    /// Ask for matches when none goes on: kind, clock and perhaps whom, such as `s8r20 15:00//02:00 bob`
    #[arg(long, value_name = "MATCH")]
    seek: Option<Seek>,
    /// Also accept requests that go to everybody
    #[arg(long)]
    answer: bool,
    /// Decline unrated matches
    #[arg(long)]
    rated: bool,
    /// Decline matches with less than so many seconds a side
    #[arg(long, value_name = "S", default_value_t = 60)]
    least_time: u64,
    /// Matches at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    open: u32,
    /// End the visit after so many matches
    #[arg(long, value_name = "N")]
    matches: Option<u64>,
    /// Milliseconds of each clock that are kept back for the network
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    reserve: u64,
    /// Add each game to this file as it ends
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write all lines of both sides, but for the password, to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Connect again so many times if the connection breaks
    #[arg(long, value_name = "N", default_value_t = 5)]
    retries: u32,
    #[command(flatten)]
    json: JsonArgs,
}

/// Where the password is, if no file is named.
const PASSWORD: &str = "TRILITH_GGS_PASSWORD";

/// Visits, again if the connection breaks.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let visit =
        GgsVisit { address: args.server.clone(), settings: args.settings()?, player: args.player.clone() };
    let mut kept = VisitLog::open(args)?;
    let stop = stop::on_interrupt();
    let mut retries = 0;
    loop {
        let began = Instant::now();
        let left = args.matches.map(|most| most.saturating_sub(kept.matches()));
        let settings = GgsSettings { matches: left, ..visit.settings.clone() };
        match (GgsVisit { settings, ..visit.clone() }).run(&stop, |event| kept.hear(event)) {
            Err(GgsError::Lost(fault)) if retries < args.retries => {
                // Who was there for a while may come back as often as it takes.
                retries = if began.elapsed() > Duration::from_secs(600) { 1 } else { retries + 1 };
                let pause = Duration::from_secs(5 << retries.min(6));
                eprintln!("the connection broke ({fault}); again in {} s", pause.as_secs());
                thread::sleep(pause);
            }
            done => return Ok(done?),
        }
    }
}

impl Args {
    fn settings(&self) -> anyhow::Result<GgsSettings> {
        let password = match &self.password_file {
            Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => {
                std::env::var(PASSWORD).with_context(|| format!("--password-file or {PASSWORD} is needed"))?
            }
        };
        let password = password.lines().next().unwrap_or_default().trim().to_owned();
        let is_word = |text: &str| !text.is_empty() && !text.contains(|letter: char| letter.is_whitespace());
        if !is_word(&self.login) || !is_word(&password) {
            bail!("name and password must be one word each");
        }
        Ok(GgsSettings {
            login: self.login.clone(),
            password,
            open: self.open,
            seek: self.seek.clone(),
            answer: self.answer,
            rated_only: self.rated,
            least_time: Duration::from_secs(self.least_time),
            matches: self.matches,
            reserve: Duration::from_millis(self.reserve),
            date: today(),
        })
    }
}

/// What is left of a visit.
struct VisitLog {
    out: Option<SavedGames>,
    log: Option<File>,
    json: JsonArgs,
    began: u64,
    /// Matches of which a game has ended.
    matches: std::collections::HashSet<String>,
}

impl VisitLog {
    fn open(args: &Args) -> anyhow::Result<VisitLog> {
        let out = |path: &PathBuf| SavedGames::open(path).with_context(|| path.display().to_string());
        let log = |path: &PathBuf| {
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.with_context(|| path.display().to_string())
        };
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(VisitLog {
            out: args.out.as_ref().map(out).transpose()?,
            log: args.log.as_ref().map(log).transpose()?,
            json: args.json,
            began: since.as_secs(),
            matches: std::collections::HashSet::new(),
        })
    }

    fn matches(&self) -> u64 {
        self.matches.len() as u64
    }

    fn hear(&mut self, event: GgsEvent<'_>) -> io::Result<()> {
        let mut log = |mark: &str, text: &str| match &mut self.log {
            Some(file) => writeln!(file, "{mark} {text}"),
            None => Ok(()),
        };
        match event {
            GgsEvent::Received(text) => log("<", text),
            GgsEvent::Sent(text) => log(">", text),
            GgsEvent::Note(text) => {
                eprintln!("{text}");
                log("#", text)
            }
            GgsEvent::Ended(ended) => self.keep(ended),
        }
    }

    fn keep(&mut self, ended: &EndedGame) -> io::Result<()> {
        // Names come again when the server is started anew.
        let key = format!("ggs{}-{}", ended.id, self.began);
        let mut sheet = ended.sheet.clone();
        sheet.tags.push((KEY.into(), key.clone()));
        let written = sheets::write(Format::TEXT, &[sheet.clone()]).map_err(io::Error::other)?;
        if let (Some(out), Some((_, text))) = (&mut self.out, written.files.first()) {
            out.add(&key, &String::from_utf8_lossy(text))?;
        }
        self.matches.insert(ended.id.split('.').nth(1).unwrap_or_default().to_owned());
        let (black, white) = (sheet.tag("Black"), sheet.tag("White"));
        let result = json!({
            "id": ended.id,
            "black": black,
            "white": white,
            "result": ended.result,
            "start": sheet.start,
            "moves": sheet.moves,
        });
        let words = format!("{} {} - {}", ended.id, black.unwrap_or_default(), white.unwrap_or_default());
        self.json.print(&result, format_args!("{words}: {}, {} plies", ended.result, sheet.moves.len()));
        Ok(())
    }
}
