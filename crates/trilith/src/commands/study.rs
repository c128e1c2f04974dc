//! `trilith study`: runs the published studies again and writes their reports.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;
use trilith_base::{Seed, files};
use trilith_studies::report::Finding;
use trilith_studies::{
    self as studies, Report, Scale, Status, StudyError, StudyOptions, StudyProtocol, render,
};

use crate::output::JsonArgs;
use crate::{queue, stop};

/// Run the published studies again, and see their figures beside ours
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith study list\n  \
    trilith study run muehle-search --scale quick --threads 8\n  \
    trilith study run othilie-e --scale full --set training.depth=5\n  \
    trilith study report muehle-search --scale quick --open\n  \
    trilith study report studies/reports/othilie-e.full.json --out pages\n\n\
    A study is a list of independent cells. A killed one goes on where it was when the same command is given again, and\n  \
    the same seed gives the same numbers on any number of threads; times differ, and stand in files of their own.\n\
    Parameters are read from studies/NAME.toml in the working directory, or from the path given, else they are those that\n  \
    came with the program. Others than those make another run: its name has a sign, its report says what differs.\n\
    Scales: smoke takes seconds, quick minutes, full the published sizes (or as near to them as studies/NAME.toml says).")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List all studies
    List(JsonArgs),
    /// Run a study, or go on with it, and write its report
    Run(Run),
    /// Write the page and the tables of a study that has been run, here or by somebody who kept its JSON
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
    /// Write the JSON alone; `trilith study report` makes pages of it
    #[arg(long)]
    no_pages: bool,
}

#[derive(clap::Args)]
struct Asked {
    /// As `trilith study list` shows it, or `all`, or the path of a study's file; of a report also its JSON
    name: String,
    /// smoke, quick or full
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    scale: Scale,
    /// Set a parameter of the scale, such as games=500 or training.depth=5; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Where studies live [default: studies in $TRILITH_HOME or the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Where the report goes: JSON, a page and CSV, with an index of all that lie there [default: reports in the folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    json: JsonArgs,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List(json) => list(*json),
        Action::Run(run) => run.run(),
        Action::Report(asked) => asked.report(),
    }
}

fn list(json: JsonArgs) -> anyhow::Result<()> {
    let (mut rows, mut words) = (Vec::new(), Vec::new());
    for study in studies::studies() {
        let file = study.file()?;
        words.push(format!("{:22} {:18} {}", study.name, file.source, file.title));
        rows.push(json!({ "name": study.name, "source": file.source, "title": file.title }));
    }
    json.print(&json!({ "studies": rows }), words.join("\n"));
    Ok(())
}

impl Run {
    fn run(&self) -> anyhow::Result<()> {
        let stop = stop::on_interrupt();
        let folder = self.asked.folder();
        self.asked.each(|protocol| {
            let options = StudyOptions {
                seed: self.asked.seed,
                folder: &folder,
                workers: queue::workers(self.queue.as_deref(), self.threads)?,
                threads: self.threads.max(1),
                stop: &stop,
            };
            let name = protocol.study.name;
            let mut line = ProgressLine::new(name);
            let report = studies::run(protocol, options, &mut |status| line.show(status));
            line.end();
            match report {
                Err(StudyError::Stopped) => bail!("stopped; the same command goes on"),
                report => {
                    let report = report.with_context(|| name.to_owned())?;
                    self.asked.write(&protocol.stem(), &report, !self.no_pages)
                }
            }
        })
    }
}

impl Asked {
    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| files::home().join("studies"))
    }

    fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| self.folder().join("reports"))
    }

    fn each(&self, mut work: impl FnMut(&StudyProtocol) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let names = match self.name.as_str() {
            "all" => studies::studies().iter().map(|study| study.name).collect(),
            name => vec![name],
        };
        let here = Path::new("");
        names
            .into_iter()
            .try_for_each(|name| work(&StudyProtocol::open(name, self.scale, &self.settings, here)?))
    }

    fn report(&self) -> anyhow::Result<()> {
        let path = Path::new(&self.name);
        if path.extension().is_some_and(|extension| extension == "json") {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
            return self.write(&stem, &render::load(path)?, true);
        }
        self.each(|protocol| {
            let stem = protocol.stem();
            let known = Path::new("studies/reports").join(format!("{stem}.json"));
            let report = match studies::read(protocol, &self.folder(), self.seed) {
                Err(_) if !protocol.folder(&self.folder()).exists() && known.exists() => {
                    render::load(&known)?
                }
                report => report.with_context(|| protocol.study.name.to_owned())?,
            };
            self.write(&stem, &report, true)
        })
    }

    fn write(&self, stem: &str, report: &Report, has_pages: bool) -> anyhow::Result<()> {
        let out = self.out();
        render::save(report, &out, stem)?;
        let data = out.join(format!("{stem}.json"));
        let page = has_pages.then(|| out.join(format!("{stem}.html")));
        if has_pages {
            render::write_pages(report, &out, stem)?;
            studies::write_index(&out)?;
        }
        self.print(stem, report, &data, page.as_deref());
        match page {
            Some(page) if self.open => open(&page),
            _ => Ok(()),
        }
    }
}

impl Asked {
    /// An object a study, or its findings in words.
    fn print(&self, stem: &str, report: &Report, data: &Path, page: Option<&Path>) {
        let finding = |finding: &Finding| json!({ "verdict": finding.verdict.name(), "claim": finding.claim, "evidence": finding.evidence });
        let line = |finding: &Finding| {
            format!("{:9} {} {}\n", finding.verdict.name(), finding.claim, finding.evidence)
        };
        let findings: Vec<_> = report.findings.iter().map(finding).collect();
        let words: String = report.findings.iter().map(line).collect();
        let (data, page) = (data.display().to_string(), page.map(|page| page.display().to_string()));
        let result = json!({ "study": stem, "findings": findings, "data": data, "page": page });
        self.json.print(&result, format_args!("{words}{}", page.as_ref().unwrap_or(&data)));
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
