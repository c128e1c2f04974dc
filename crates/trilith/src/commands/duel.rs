//! `trilith match`: two players, many games, and what the results say.

use std::io;
use std::path::PathBuf;

use anyhow::Context;
use trilith_arena::contest::{
    Adjudication, DrawRule, Duel, DuelProgress, DuelReport, Host, Journaled, OpeningSource, Pace, ResignRule,
    SavedGames,
};
use trilith_arena::statistics::{Sprt, Tally};
use trilith_base::Seed;

use crate::choice::{known_games, rules_with_layout};
use crate::output::ProgressLine;
use crate::pace::PaceArgs;
use crate::{queue, stop};

/// Play a match between two players, both colours from each opening
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith match othello --a engine:depth=4 --b minimax:depth=4 --games 100\n  \
    trilith match morris --a engine --b engine:eval=margin --games 1000 --time 100 --threads 2 --journal m.journal --out games.txt\n  \
    trilith match abalone --a engine --b random --games 20 --depth 2 --layout belgian-daisy --json\n  \
    trilith match othello --a engine --b engine:eval=margin --games 20000 --nodes 20000 --sprt 0,5,0.05,0.05\n\n\
    Openings: `random:K` for K random plies, `all:K` for every position of K plies once in a drawn order, `start`, or\n  \
    a file with one position or list of moves on each line, such as `trilith openings balanced` writes. Games 1 and\n  \
    2 have the first opening, games 3 and 4 the second, ...\n\
    With limits by depth or nodes the same seed gives the same games on any number of threads.\n\
    Results are a's. The Elo interval is from pairs of games, each different one counted once: players without chance\n\
    repeat a game whenever its opening comes again. Ctrl-C ends the match and keeps what was played.\n\
    With --journal each game is on the disk as soon as it ends, and the same command goes on after whatever happened;\n\
    more --games are added to it. Saved games carry value/depth, nodes and seconds of each move as comments.\n\
    With --queue the games are played by `trilith worker` processes; the same command goes on with a killed match.")]
pub struct Args {
    #[arg(help = known_games())]
    game: String,
    /// The player whose results are counted, such as `engine:depth=6`
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// Its opponent
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// How many games, at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Divide the games into so many equal passes and show how far their rates lie apart
    #[arg(long, value_name = "N", default_value_t = 1)]
    passes: u64,
    /// Where the players take over: `random:K`, `all:K`, `start` or a file
    #[arg(long, value_name = "OPENINGS", default_value_t = OpeningSource::default())]
    openings: OpeningSource,
    /// Rule switches, such as `thesis` or `standard,flying=off`
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Start layout (Abalone), such as `belgian-daisy`
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue play, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
    #[command(flatten)]
    pace: PaceArgs,
    /// Stop as soon as one of two Elo differences is likely enough: elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// A side has lost that saw itself at or below -V for N of its moves, its opponent agreeing: V,N
    #[arg(long, value_name = "V,N")]
    resign: Option<ResignRule>,
    /// A game is drawn that both sides saw within V of 0 for N moves each from ply P on: V,N,P
    #[arg(long, value_name = "V,N,P")]
    draw: Option<DrawRule>,
    /// A game is drawn after so many plies
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Add each game to this file as it ends; a game that the file has is not added again
    #[arg(long, value_name = "FILE", visible_alias = "save")]
    out: Option<PathBuf>,
    /// Keep each game here as it ends, and go on from here if the match was interrupted
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let duel = args.duel();
    let stop = stop::on_interrupt();
    let workers = queue::workers(args.queue.as_deref(), args.threads)?;
    let journal = match &args.journal {
        Some(path) => Journaled::open(path, &args.game)?,
        None => Journaled::default(),
    };
    let mut saved = Saved::open(args)?;
    let mut line = ProgressLine::new();
    let (report, _) = duel.play_on(&workers, journal, &stop, |progress| {
        line.show(|| standing(&progress, args.games));
        saved.add(&progress)
    })?;
    line.clear();
    saved.complain(args);
    match args.json {
        true => println!("{}", serde_json::to_string(&report)?),
        false => print(&report, args.games),
    }
    Ok(())
}

impl Args {
    fn duel(&self) -> Duel {
        Duel {
            game: self.game.clone(),
            rules: rules_with_layout(&self.rules, self.layout.as_deref()),
            a: self.a.clone(),
            b: self.b.clone(),
            games: self.games,
            passes: self.passes,
            openings: self.openings.clone(),
            pace: Pace::from(&self.pace),
            adjudication: Adjudication { plies: self.plies, resign: self.resign, draw: self.draw },
            sprt: self.sprt,
            seed: self.seed,
            threads: self.threads,
        }
    }
}

/// The file that games are added to as they end, if there is one.
struct Saved {
    file: Option<SavedGames>,
    host: Host,
}

impl Saved {
    fn open(args: &Args) -> anyhow::Result<Saved> {
        let open = |path: &PathBuf| SavedGames::open(path).with_context(|| path.display().to_string());
        Ok(Saved { file: args.out.as_ref().map(open).transpose()?, host: Host::default() })
    }

    fn add(&mut self, progress: &DuelProgress<'_>) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let text = self.host.text(progress.job, progress.result).map_err(io::Error::other)?;
        file.add(&progress.job.key(), &text)
    }

    /// Without a journal, games are played again that the file has.
    fn complain(&self, args: &Args) {
        let known = self.file.as_ref().map_or(0, |file| file.known);
        if let (Some(path), None, 1..) = (&args.out, &args.journal, known) {
            let path = path.display();
            eprintln!(
                "{known} games were in `{path}` and were not added again: another --seed plays others, and with \
                 --journal none is played twice"
            );
        }
    }
}

/// How the match stands, in a line.
fn standing(progress: &DuelProgress<'_>, games: u64) -> String {
    let tally = progress.tally;
    format!(
        "{}/{games} games  +{} ={} -{}  {:.1}%  Elo {}",
        progress.played,
        tally.wins,
        tally.draws,
        tally.losses,
        tally.rate() * 100.0,
        tally.interval(),
    )
}

fn print(report: &DuelReport, wanted: u64) {
    for fault in &report.fault_list {
        println!("game {}: {} of {}: {}", fault.game, fault.fault.kind, fault.player, fault.fault.text);
    }
    println!("a  {}\nb  {}", report.a, report.b);
    println!(
        "{} of {wanted} games in {:.1} s, {} faults, {:.1}% of the time in players",
        report.games,
        report.seconds,
        report.faults,
        report.thinking * 100.0
    );
    report.warnings.iter().for_each(|warning| println!("note: {warning}"));
    let endings: Vec<String> = report.endings.iter().map(|(how, count)| format!("{how} {count}")).collect();
    println!("ended by {}", endings.join(", "));
    let [ll, dl, even, wd, ww] = report.pairs;
    println!("pairs with 0, 1/2, 1, 3/2, 2 points: {ll}, {dl}, {even}, {wd}, {ww}");
    if let Some(bound) = report.pair_bound {
        let verdict = if report.stronger { "a is stronger" } else { "not shown to be stronger" };
        println!("LOGISTELLO's test: {:.3} against {bound:.3} at 5%: {verdict}", report.rate);
    }
    if let Some(passes) = &report.passes {
        let (low, high) = passes.band();
        println!(
            "{} passes: mean {:.2}%, deviation {:.2} (of further passes {:.2}), 95% of them within {:.2}% and {:.2}%",
            passes.count,
            passes.mean * 100.0,
            passes.deviation * 100.0,
            passes.sample_deviation * 100.0,
            low * 100.0,
            high * 100.0,
        );
    }
    println!("with black {}, with white {}", shown(&report.as_black), shown(&report.as_white));
    if let Some(sprt) = &report.sprt {
        println!(
            "SPRT {}: LLR {:.2} (trinomial {:.2}) in ({:.2}, {:.2}): {}",
            sprt.test, sprt.llr, sprt.llr_trinomial, sprt.lower, sprt.upper, sprt.verdict
        );
    }
    println!(
        "a: +{} ={} -{}  rate {:.1}%  points {}  p {:+.3}  Elo {}  LOS {:.1}%",
        report.wins,
        report.draws,
        report.losses,
        report.rate * 100.0,
        report.points,
        report.p,
        report.interval(),
        report.los * 100.0,
    );
}

fn shown(tally: &Tally) -> String {
    format!("+{} ={} -{} ({:.1}%)", tally.wins, tally.draws, tally.losses, tally.rate() * 100.0)
}
