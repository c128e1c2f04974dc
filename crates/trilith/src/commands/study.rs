//! `trilith study`: runs the published studies again and writes their reports.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Subcommand;
use trilith_base::{Seed, files};
use trilith_studies::{self as studies, Options, Report, Scale, Status, Study, StudyError, render};

use crate::{queue, stop};

/// Run the published studies again, and see their figures beside ours
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith study list\n  \
    trilith study run muehle-search --scale quick --threads 8\n  \
    trilith study report muehle-search --scale quick --open\n\n\
    A study is a list of independent cells. A killed one goes on where it was when the same command is given again, and\n  \
    the same seed gives the same numbers on any number of threads; times differ, and stand in files of their own.\n\
    Scales: smoke takes seconds, quick minutes, full the published sizes (or as near to them as studies/NAME.toml says).")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List all studies
    List,
    /// Run a study, or go on with it, and write its report
    Run(Run),
    /// Write the report of a study that has been run
    Report(Asked),
}

#[derive(clap::Args)]
struct Run {
    #[command(flatten)]
    asked: Asked,
    /// Threads that work
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue do the cells, such as nats://127.0.0.1:4222; training runs stay here
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
}

#[derive(clap::Args)]
struct Asked {
    /// As `trilith study list` shows it, or `all`
    name: String,
    /// smoke, quick or full
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    scale: Scale,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Where studies live [default: studies in $TRILITH_HOME or the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Where the report goes: a page, JSON and CSV, with an index of all that lie there [default: reports in the folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List => list(),
        Action::Run(run) => run.run(),
        Action::Report(asked) => asked.each(|study| asked.read(study)),
    }
}

fn list() -> anyhow::Result<()> {
    for study in studies::studies() {
        let plan = study.plan()?;
        println!("{:22} {:18} {}", study.name, plan.source, plan.title);
    }
    Ok(())
}

impl Run {
    fn run(&self) -> anyhow::Result<()> {
        let stop = stop::on_interrupt();
        let folder = self.asked.folder();
        self.asked.each(|study| {
            let options = Options {
                scale: self.asked.scale,
                seed: self.asked.seed,
                folder: &folder,
                workers: queue::workers(self.queue.as_deref(), self.threads)?,
                threads: self.threads.max(1),
                stop: &stop,
            };
            let mut line = ProgressLine::new(study.name);
            let report = studies::run(study, options, &mut |status| line.show(status));
            line.end();
            match report {
                Err(StudyError::Stopped) => bail!("stopped; the same command goes on"),
                report => self.asked.write(study, &report.with_context(|| study.name.to_owned())?),
            }
        })
    }
}

impl Asked {
    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| files::home().join("studies"))
    }

    fn each(&self, mut work: impl FnMut(&Study) -> anyhow::Result<()>) -> anyhow::Result<()> {
        match self.name.as_str() {
            "all" => studies::studies().iter().try_for_each(work),
            name => work(studies::find(name)?),
        }
    }

    fn read(&self, study: &Study) -> anyhow::Result<()> {
        let report = studies::read(study, &self.folder(), self.scale, self.seed);
        self.write(study, &report.with_context(|| study.name.to_owned())?)
    }

    fn write(&self, study: &Study, report: &Report) -> anyhow::Result<()> {
        let out = self.out.clone().unwrap_or_else(|| self.folder().join("reports"));
        let stem = study.stem(self.scale);
        render::write(report, &out, &stem)?;
        studies::write_index(&out)?;
        for finding in &report.findings {
            println!("{:9} {} {}", finding.verdict.name(), finding.claim, finding.evidence);
        }
        let page = out.join(format!("{stem}.html"));
        println!("{}", page.display());
        if self.open { open(&page) } else { Ok(()) }
    }
}

/// Hands a page to whatever shows pages here.
fn open(page: &Path) -> anyhow::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    Command::new(opener).arg(page).spawn().with_context(|| format!("{opener} {}", page.display()))?;
    Ok(())
}

/// One line that is written over; where nobody looks, a line now and then.
struct ProgressLine {
    study: &'static str,
    terminal: bool,
    shown: Option<Instant>,
    stage: String,
}

impl ProgressLine {
    fn new(study: &'static str) -> ProgressLine {
        ProgressLine { study, terminal: io::stderr().is_terminal(), shown: None, stage: String::new() }
    }

    fn show(&mut self, status: &Status) {
        let pause = Duration::from_millis(if self.terminal { 200 } else { 20_000 });
        let is_soon = self.shown.is_some_and(|shown| shown.elapsed() < pause);
        if is_soon && self.stage == status.stage {
            return;
        }
        self.shown = Some(Instant::now());
        self.stage = status.stage.into();
        let left = status.remaining.map_or(String::new(), |left| format!(", about {left:.0} s to go"));
        let text = format!("{}: {}, {} of {}{left}", self.study, status.stage, status.done, status.all);
        match self.terminal {
            true => eprint!("\r\x1b[K{text}"),
            false => eprintln!("{text}"),
        }
        io::stderr().flush().ok();
    }

    fn end(&self) {
        if self.terminal && self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
