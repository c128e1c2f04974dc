//! S2, chapter 4: learned heuristics against Standard, against perfect play and against each other (4.3 to 4.5), and their
//! weights (4.14 to 4.16).

use serde::Deserialize;
use toml::{Table as Toml, Value};
use trilith_eval::morris::thesis;
use trilith_games::morris::THESIS;
use trilith_learn::run::Folder;
use trilith_tablebase::{BuildPlan, Subspace, Tables, build, default_folder};

use super::perfect::{PerfectGames, PerfectScore};
use super::{contest, muehle, row, teaching, won_lost_drawn};
use crate::cell::{CellWork, StudyCell};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::MatchScore;
use crate::error::StudyError;
use crate::report::{Axis, Chart, Column, Entry, Finding, ReportTable, Section, VerdictTest};
use crate::statistics::{Estimate, half_width, shown};
use crate::training::{StudyTraining, Trained};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeuristicsParameters {
    /// Games against Standard.
    games: u64,
    /// Games against complete tables, where there are any.
    games_perfect: u64,
    /// Games of each two in the tournament.
    games_tournament: u64,
    /// Nodes a move.
    nodes: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    /// Stones on the board for which SinglePerf is taught perfect values, where complete tables are missing.
    stones: u32,
    /// Parameters that all training runs share.
    training: Toml,
    /// What differs from one to the next, by heuristic.
    learned: std::collections::BTreeMap<String, Toml>,
}

/// In the order of table 4.3; Standard is made by hand.
const NAMES: [&str; 6] = ["Multi", "Single", "Combi", "Standard", "Small", "SinglePerf"];

fn evaluation(name: &str) -> String {
    name.to_lowercase()
}

/// Learns, plays, compares.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let parameters: HeuristicsParameters = conduct.parameters()?;
    let is_complete = is_complete(conduct)?;
    let tables = tables(conduct, is_complete, parameters.stones)?;
    let trainings: Vec<(&str, StudyTraining)> = NAMES
        .into_iter()
        .filter_map(|name| Some((name, parameters.learned.get(&evaluation(name))?)))
        .map(|(name, own)| (name, training(conduct, name, &parameters.training, own, &tables)))
        .collect();
    let only: Vec<StudyTraining> = trainings.iter().map(|(_, training)| training.clone()).collect();
    let trained = conduct.train("training", &only)?;
    let runs = conduct.runs();
    let player = |name: &str| {
        let file = trainings.iter().find(|(known, _)| *known == name);
        let file = file.map_or(String::new(), |(_, training)| format!(",file={}", training.artifact(&runs)));
        let (eval, nodes) = (evaluation(name), parameters.nodes);
        muehle(&format!("eval={eval},nodes={nodes}{file}"))
    };
    let (first, standard) = against_standard(conduct, &parameters, &player)?;
    let (tournament, leads) = tournament(conduct, &parameters, &player)?;
    let (perfect, held) = perfect(conduct, &parameters, is_complete, &player)?;
    let mut sections = vec![first, perfect, tournament, weights(&trainings, &trained)];
    if let Some((_, single)) = trainings.iter().find(|(name, _)| *name == "Single") {
        let artifact = runs.join(single.place()).join(Folder::ARTIFACT);
        let known = if is_complete { default_folder(&THESIS) } else { runs.join(&tables) };
        sections.push(teaching::section(conduct, &artifact, &known)?);
    }
    let taught = match is_complete {
        true => "complete tables".into(),
        false => format!("tables with up to {} stones", parameters.stones),
    };
    let taught = format!("SinglePerf was taught by {taught}; S2 had complete ones.");
    let judged = Judged::new(conduct, &parameters);
    let mut findings = findings(&standard, &leads, &taught, &judged);
    findings.extend(perfect_findings(&held, &judged));
    sections.push(Section::new("Perfect values", vec![taught.into()]));
    Ok(StudyOutcome { findings, sections })
}

/// Everybody else against Standard, in the order of [`NAMES`].
fn against_standard(
    conduct: &mut Conduct,
    parameters: &HeuristicsParameters,
    player: &dyn Fn(&str) -> String,
) -> Result<(Section, Vec<MatchScore>), StudyError> {
    let others: Vec<&str> = NAMES.into_iter().filter(|name| *name != "Standard").collect();
    let against = |name: &&str| {
        let named = format!("{name} against Standard");
        contest(named, &player(name), &player("Standard"), parameters.games, parameters.plies)
    };
    let matches: Vec<_> = others.iter().map(against).collect();
    let scores = conduct.matches("against Standard", &matches)?;
    Ok((standard_section(conduct, &others, &scores), scores))
}

/// What the boxes of the findings say beside the numbers.
struct Judged {
    nodes: u64,
    /// Table 4.5 in words.
    tournament: String,
    /// How deep learners look, which S2 does not print.
    learning: String,
}

impl Judged {
    fn new(conduct: &Conduct, parameters: &HeuristicsParameters) -> Judged {
        let depth = parameters.training.get("depth").and_then(Value::as_integer).unwrap_or_default();
        let p = conduct.published("4.5").words("p", |p| format!("{p:+.3}"));
        Judged {
            nodes: parameters.nodes,
            tournament: format!("p: {p} (table 4.5)"),
            learning: format!(
                "S2 prints no learning depth ('a fixed depth', 4.5.2); the {depth} plies of ours are our choice."
            ),
        }
    }
}

fn findings(standard: &[MatchScore], leads: &Leads, taught: &str, judged: &Judged) -> Vec<Finding> {
    let Judged { nodes, tournament, learning } = judged;
    let of = |name: &str| leads.iter().find(|(known, _)| *known == name).map(|(_, tally)| *tally);
    let apart = |a: &str, b: &str| {
        let (one, two) = (of(a).unwrap_or_default(), of(b).unwrap_or_default());
        Estimate::between_rates(format!("{a} less {b} in the tournament, points"), &one, &two).above(0.0)
    };
    let words: Vec<String> =
        leads.iter().map(|(name, tally)| format!("{name} {:+.3}", tally.lead())).collect();
    let words = format!("p in the tournament: {}.", words.join(", "));
    let [multi, single] = [standard[0].all(), standard[1].all()];
    let protocol = format!(
        "{nodes} nodes a move, where the program of S2 visited about 820,000 in its five seconds; everybody against everybody \
         instead of pairs by lot. {taught} {learning}"
    );
    vec![
        Finding::tested(
            format!("With {nodes} nodes a move Multi and Single, learned by play, beat Standard, made by hand."),
            vec![
                Estimate::rate("Multi against Standard, %", &multi).above(50.0),
                Estimate::rate("Single against Standard, %", &single).above(50.0),
            ],
            format!("Multi {}, Single {}.", shown(&multi), shown(&single)),
        )
        .published("p: Multi +0.231, which is 61.6%, Single +0.178, which is 58.9% (table 4.3)")
        .differs(protocol.as_str()),
        Finding::tested(
            format!("With {nodes} nodes a move SinglePerf, taught perfect values, is the weakest of six in a tournament."),
            NAMES
                .into_iter()
                .filter(|name| *name != "SinglePerf")
                .map(|name| apart(name, "SinglePerf"))
                .collect(),
            words.clone(),
        )
        .published(tournament)
        .differs(protocol.as_str()),
        Finding::tested(
            format!("With {nodes} nodes a move Multi is the strongest of six in a tournament."),
            NAMES.into_iter().filter(|name| *name != "Multi").map(|name| apart("Multi", name)).collect(),
            words,
        )
        .published(tournament)
        .differs(protocol),
    ]
}

/// Whether the program's own folder has all tables of S2's rules; once found, it stays so for the study.
fn is_complete(conduct: &mut Conduct) -> Result<bool, StudyError> {
    conduct.here("complete tables", |_, _| {
        let tables = Tables::open(&default_folder(&THESIS), &THESIS)?;
        Ok(Subspace::up_to(18).into_iter().all(|subspace| tables.get(subspace).is_some()))
    })
}

/// Where the tables lie that teach SinglePerf, as its config says it.
fn tables(conduct: &mut Conduct, is_complete: bool, stones: u32) -> Result<String, StudyError> {
    if is_complete {
        return Ok("usual".into());
    }
    let name = format!("morris-thesis-{stones}");
    let folder = conduct.runs().join(&name);
    conduct.here("tables", move |threads, _| {
        build(&folder, &THESIS, &BuildPlan { threads, ..BuildPlan::up_to(stones) }, |_| ())?;
        Ok(())
    })?;
    Ok(name)
}

fn training(conduct: &Conduct, name: &str, shared: &Toml, own: &Toml, tables: &str) -> StudyTraining {
    let seed = conduct.seed().derive(name, 0).0;
    let named = format!("training {name}");
    let mut training = StudyTraining::new(named, "teaching", "morris", seed, &[]).with(shared).with(own);
    training.config.rules = super::RULES.into();
    if training.config.parameters.get("labels").and_then(Value::as_str) == Some("tables") {
        training.config.parameters.insert("tables".into(), Value::String(tables.into()));
    }
    training
}

fn standard_section(conduct: &Conduct, names: &[&str], scores: &[MatchScore]) -> Section {
    let published = conduct.published("4.3");
    let mut table = won_lost_drawn("table-4.3", "Table 4.3: against Standard", "heuristic");
    for (name, score) in names.iter().zip(scores) {
        let printed = ["won", "lost", "drawn"].map(|column| published.number(name, column));
        table.push(row(name, &score.all(), printed));
    }
    Section::new("Against Standard (table 4.3)", vec![table.into()])
}

fn perfect(
    conduct: &mut Conduct,
    parameters: &HeuristicsParameters,
    is_complete: bool,
    player: &dyn Fn(&str) -> String,
) -> Result<(Section, Vec<PerfectScore>), StudyError> {
    let title = "Against perfect play (table 4.4)";
    if !is_complete || parameters.games_perfect == 0 {
        let text = "Needs the complete tables (trilith tablebase build morris --rules thesis --stones 18 --mode wdl), \
                    which were not there when this was run.";
        let blocks = vec![text.into(), conduct.published("4.4").as_table("published-4.4").into()];
        return Ok((Section::new(title, blocks), Vec::new()));
    }
    let scores = perfect_scores(conduct, parameters, player)?;
    let columns = [Column::label("heuristic")]
        .into_iter()
        .chain(
            ["drawn", "lost", "of these while placing", "moves a mistake", "p", "\u{b1}"].map(Column::ours),
        )
        .chain(["drawn", "lost", "p"].map(Column::published))
        .collect();
    let caption = "Table 4.4: against perfect play; p is the share of games held";
    let mut table = ReportTable::new("table-4.4", caption, columns);
    let published = conduct.published("4.4");
    for (name, score) in NAMES.iter().zip(&scores) {
        let held = score.held();
        let mut row = vec![Entry::text(*name), Entry::count(score.drawn), Entry::count(held.losses)];
        row.push(Entry::count(score.lost[0]));
        row.push(Entry::maybe((held.losses > 0).then(|| score.moves as f64 / held.losses as f64), 0));
        row.extend([Entry::number(held.rate(), 3), Entry::number(half_width(&held), 3)]);
        row.extend(
            [("drawn", 0), ("lost", 0), ("p", 3)]
                .map(|(column, digits)| published.entry(name, column, digits)),
        );
        table.push(row);
    }
    let text = "The database plays any correct move, as S2's did; a game is lost once its value is. S2 reckons that Multi \
                makes a mistake in about 240 moves.";
    Ok((Section::new(title, vec![text.into(), table.into()]), scores))
}

/// Games of each against the database, in the order of [`NAMES`].
fn perfect_scores(
    conduct: &mut Conduct,
    parameters: &HeuristicsParameters,
    player: &dyn Fn(&str) -> String,
) -> Result<Vec<PerfectScore>, StudyError> {
    const PER_CELL: u64 = 4;
    let (games, plies, seed) = (parameters.games_perfect, parameters.plies, conduct.seed());
    let cell = |name: &str, first: u64| {
        let count = PER_CELL.min(games - first);
        let seed = seed.derive(&format!("{name} against perfect play"), 0).0;
        let work = CellWork::Perfect(PerfectGames {
            rules: super::RULES.into(),
            player: player(name),
            first,
            count,
            plies,
            seed,
        });
        StudyCell { name: format!("{name} against perfect play {first}"), work }
    };
    let numbers: Vec<u64> = (0..games).step_by(PER_CELL as usize).collect();
    let cells = NAMES.iter().flat_map(|name| numbers.iter().map(|&first| cell(name, first))).collect();
    let scores: Vec<PerfectScore> = conduct.cells("against perfect play", cells)?;
    let sum =
        |scores: &[PerfectScore]| scores.iter().fold(PerfectScore::default(), |sum, one| sum.merge(one));
    Ok(scores.chunks(numbers.len()).map(sum).collect())
}

/// What S2 reads from table 4.4.
fn perfect_findings(scores: &[PerfectScore], judged: &Judged) -> Vec<Finding> {
    let Judged { nodes, learning, .. } = judged;
    if scores.is_empty() {
        return Vec::new();
    }
    let held = |name: &str| {
        let place = NAMES.iter().position(|known| *known == name).unwrap_or(0);
        scores[place].held()
    };
    let apart = |a: &str, b: &str| {
        let words = format!("{a} less {b}, games held against perfect play, points");
        Estimate::between_rates(words, &held(a), &held(b)).above(0.0)
    };
    let words: Vec<String> =
        NAMES.iter().map(|name| format!("{name} {:.1}%", 100.0 * held(name).rate())).collect();
    let evidence = format!("Games held: {}.", words.join(", "));
    let protocol = format!(
        "Equal nodes instead of five seconds a move; our database takes the first correct move in an order of its own while \
         stones are placed. {learning}"
    );
    let others = |best: &'static str| NAMES.into_iter().filter(move |name| *name != best);
    let finding = |name: &str, held: &str, tests: Vec<VerdictTest>, published: &str| {
        let claim = format!(
            "With {nodes} nodes a move {name} holds {held} games against perfect play than any other heuristic."
        );
        Finding::tested(claim, tests, evidence.clone()).published(published).differs(protocol.as_str())
    };
    vec![
        finding(
            "Multi",
            "more",
            others("Multi").map(|name| apart("Multi", name)).collect(),
            "84.7%, the next 79.4% (table 4.4)",
        ),
        finding(
            "SinglePerf",
            "fewer",
            others("SinglePerf").map(|name| apart(name, "SinglePerf")).collect(),
            "52.2%, the next 58.2% (table 4.4)",
        ),
    ]
}

type Leads = Vec<(&'static str, trilith_arena::statistics::Tally)>;

fn tournament(
    conduct: &mut Conduct,
    parameters: &HeuristicsParameters,
    player: &dyn Fn(&str) -> String,
) -> Result<(Section, Leads), StudyError> {
    let pairs: Vec<(usize, usize)> = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).collect();
    let matches: Vec<_> = pairs
        .iter()
        .map(|&(a, b)| {
            let name = format!("tournament {} {}", NAMES[a], NAMES[b]);
            contest(name, &player(NAMES[a]), &player(NAMES[b]), parameters.games_tournament, parameters.plies)
        })
        .collect();
    let scores = conduct.matches("tournament", &matches)?;
    let mut leads: Leads = NAMES.map(|name| (name, Default::default())).into();
    for (&(a, b), score) in pairs.iter().zip(&scores) {
        leads[a].1 += score.all();
        leads[b].1 += score.all().reversed();
    }
    let published = conduct.published("4.5");
    let caption = "Table 4.5: tournament; ours everybody against everybody, S2's pairs by lot";
    let mut table = won_lost_drawn("table-4.5", caption, "heuristic");
    for (name, tally) in &leads {
        let printed = ["won", "lost", "drawn"].map(|column| published.number(name, column));
        table.push(row(name, tally, printed));
    }
    let numbers = leads.iter().map(|(_, tally)| tally.lead()).collect();
    let theirs = NAMES.iter().map(|name| published.number(name, "p").unwrap_or(f64::NAN)).collect();
    let chart = Chart::bars(
        "figure-4.13",
        "p of each heuristic in the tournament (figure 4.13)",
        Axis::even("p"),
        NAMES.map(Into::into).into(),
        vec![("p".into(), numbers)],
    );
    let chart = chart.beside("p", theirs);
    Ok((Section::new("Tournament (table 4.5)", vec![table.into(), chart.into()]), leads))
}

/// Weights of the single layer: win less loss, by feature.
fn weights(trainings: &[(&str, StudyTraining)], trained: &[Trained]) -> Section {
    let places: Vec<String> = (1..=thesis::COUNT).map(|number| number.to_string()).collect();
    let mut series =
        vec![("Standard".to_owned(), thesis::TABLE.iter().map(|(_, weight)| *weight).collect::<Vec<f64>>())];
    for ((name, _), trained) in trainings.iter().zip(trained) {
        if let Some(numbers) = single(trained) {
            series.push(((*name).to_owned(), numbers));
        }
    }
    let blocks = series
        .into_iter()
        .map(|(name, numbers)| {
            let figure = match name.as_str() {
                "Standard" => " (figure 4.14)",
                "Single" => " (figure 4.15)",
                "SinglePerf" => " (figure 4.16)",
                _ => "",
            };
            Chart::bars(
                &format!("weights-{}", name.to_lowercase()),
                &format!("Weights of {name} by feature of table 4.1{figure}: for a win, less for a loss"),
                Axis::even("weight"),
                places.clone(),
                vec![(name, numbers)],
            )
            .into()
        })
        .collect();
    Section::new("Weights (figures 4.14 to 4.16)", blocks)
}

/// Win less loss of a network without a hidden layer over the 39 features.
fn single(trained: &Trained) -> Option<Vec<f64>> {
    let numbers = trained.tensors.values().find(|numbers| numbers.len() == 3 * thesis::COUNT)?;
    Some(numbers.chunks_exact(3).map(|row| f64::from(row[0]) - f64::from(row[2])).collect())
}
