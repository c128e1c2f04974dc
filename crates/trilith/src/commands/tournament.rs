//! `trilith tournament`: plays the plan of a TOML file, however often it is interrupted.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use trilith_arena::contest::{GameReport, Host};
use trilith_arena::tournament::{self, Schedule, Standings, TournamentPlan};
use trilith_base::files;
use trilith_base::job::Workers;

use crate::output::ProgressLine;
use crate::{queue, stop};

/// Play a tournament from a TOML file; run it again to go on where it was interrupted
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith tournament tournaments/muehle-2.11.toml --threads 2\n  \
    trilith tournament my.toml --out results --json\n\n\
    A plan:\n    \
    name = \"My tournament\"\n    \
    game = \"morris\"                  # as `trilith play --help` names them\n    \
    rules = \"thesis\"                 # rule switches, if not the usual ones\n    \
    kind = \"round-robin\"             # the usual one; or gauntlet (the first against all), random-pairs\n    \
    games = 100                      # of each two players; in all for random-pairs\n    \
    openings = \"random:6\"            # or start, or a file beside the plan\n    \
    seed = 1\n    \
    sprt = \"0,5,0.05,0.05\"          # each two players stop when this test has an answer; then a gauntlet is the usual kind\n    \
    [pace]                           # any of these, for all players\n    \
    depth = 6                        # or nodes = 10000, time = 1000 (ms), clock = \"3+2\"; margin = 100 (ms)\n    \
    [adjudication]\n    \
    plies = 300                      # or resign = { value = 10, moves = 3 }, draw = { value = 0.1, moves = 8, after = 60 }\n    \
    [[players]]\n    \
    name = \"one\"\n    \
    player = \"engine:eval=margin\"\n    \
    time-factor = 1.5                # this much more time than the others\n    \
    [[players]]\n    \
    name = \"two\"\n    \
    player = \"minimax:depth=4\"\n\n\
    Beside the plan, or in --out, are written: NAME.journal (each game, on the disk as soon as it ends), NAME.json and\n\
    NAME.html (every three seconds), and in the end NAME.svg and NAME.games.txt. A journal is good for more games and\n\
    more players: the games it has are not played again. To begin anew, move the journal away.")]
pub struct Args {
    /// The plan
    #[arg(value_name = "FILE.toml")]
    plan: PathBuf,
    /// Where the journal and the results go [default: beside the plan]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue play, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let plan = TournamentPlan::load(&args.plan)?;
    let folder = args.out.as_deref().or(args.plan.parent()).unwrap_or(Path::new(""));
    if args.out.is_some() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let stem = args.plan.file_stem().context("the plan must be a file")?;
    let output = |ending: &str| folder.join(format!("{}.{ending}", stem.to_string_lossy()));
    let planned = Schedule::len(&plan);
    let mut line = ProgressLine::new();
    let workers = queue::workers(args.queue.as_deref(), args.threads)?;
    let mut so_far = SoFar::new(&plan, &workers, [output("json"), output("html")]);
    let results = tournament::play(
        &plan,
        &output("journal"),
        &workers,
        &stop::on_interrupt(),
        |job, result, played| {
            so_far.add(result);
            let (black, white) = (&job.black.player, &job.white.player);
            line.show(|| format!("{played}/{planned} games  {black} - {white}: {}", result.end.reason));
        },
    )?;
    line.clear();
    let standings = Standings::new(&plan, &results)?;
    let json = serde_json::to_string(&standings)?;
    let write = |ending: &str, text: &str| {
        let path = output(ending);
        files::write_whole(&path, text.as_bytes()).with_context(|| path.display().to_string())
    };
    write("json", &json)?;
    write("svg", &tournament::chart(&standings))?;
    write("html", &tournament::page(&standings, false))?;
    write("games.txt", &games(&plan, &results)?)?;
    match args.json {
        true => println!("{json}"),
        false => print(&standings, &output("html")),
    }
    Ok(())
}

/// The standings so far, written now and then, so that the app can show a tournament that goes on.
struct SoFar<'a> {
    plan: &'a TournamentPlan,
    workers: &'a Workers,
    /// Of the JSON and of the page.
    paths: [PathBuf; 2],
    results: Vec<GameReport>,
    began: Instant,
    /// Games of the journal, which took no time now.
    known: usize,
    written: Option<Instant>,
}

/// Games of the journal are told within this time; what comes later was played.
const RECALL: Duration = Duration::from_millis(500);
/// How often they are written.
const PAUSE: Duration = Duration::from_secs(3);

impl<'a> SoFar<'a> {
    fn new(plan: &'a TournamentPlan, workers: &'a Workers, paths: [PathBuf; 2]) -> SoFar<'a> {
        SoFar { plan, workers, paths, results: Vec::new(), began: Instant::now(), known: 0, written: None }
    }

    /// A view for those who watch: if it cannot be written, the tournament goes on without it.
    fn add(&mut self, result: &GameReport) {
        self.results.push(result.clone());
        if self.began.elapsed() < RECALL {
            self.known = self.results.len();
        }
        if self.written.is_some_and(|written| written.elapsed() < PAUSE) {
            return;
        }
        self.written = Some(Instant::now());
        let played = (self.results.len() - self.known) as f64;
        let rate = (played > 0.0).then(|| played / self.began.elapsed().as_secs_f64());
        let Ok(standings) = Standings::new(self.plan, &self.results) else { return };
        let standings = Standings { games_per_second: rate, workers: self.workers.seen(), ..standings };
        let Ok(json) = serde_json::to_string(&standings) else { return };
        let [data, page] = &self.paths;
        let _ = files::write_whole(data, json.as_bytes());
        let _ = files::write_whole(page, tournament::page(&standings, true).as_bytes());
    }
}

/// All games in the game's standard format.
fn games(plan: &TournamentPlan, results: &[GameReport]) -> anyhow::Result<String> {
    let mut host = Host::default();
    let mut text = String::new();
    let mut results = results.iter().peekable();
    for job in Schedule::new(plan)?.into_jobs() {
        if let Some(result) = results.next_if(|result| result.number == job.number) {
            if !text.is_empty() {
                text.push('\n');
            }
            text += &host.text(&job, result)?;
        }
        if results.peek().is_none() {
            break;
        }
    }
    Ok(text)
}

/// Faults that are printed one by one.
const SHOWN_FAULTS: usize = 10;

fn print(standings: &Standings, page: &Path) {
    println!(
        "{}: {} of {} games, {} faults",
        standings.tournament, standings.games, standings.planned, standings.faults
    );
    for fault in standings.fault_list.iter().take(SHOWN_FAULTS) {
        println!("game {}: {} of {}: {}", fault.game, fault.fault.kind, fault.name, fault.fault.text);
    }
    if standings.fault_list.len() > SHOWN_FAULTS {
        println!("... and {} more, all of them in the JSON", standings.fault_list.len() - SHOWN_FAULTS);
    }
    standings.fault_summary().iter().for_each(|line| println!("faults of {line}"));
    standings.warnings.iter().for_each(|warning| println!("note: {warning}"));
    for test in &standings.tests {
        let sprt = &test.sprt;
        println!(
            "{} - {}: SPRT {}: LLR {:.2} in ({:.2}, {:.2}): {}",
            test.a, test.b, sprt.test, sprt.llr, sprt.lower, sprt.upper, sprt.verdict
        );
    }
    print!("{standings}");
    println!("beginning is worth {:+.1} Elo; page: {}", standings.advantage, page.display());
}
