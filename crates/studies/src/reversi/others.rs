//! S3, 5.2, 5.3.1 and 5.3.2.4: other perceptrons than the one it settled on, and one that was fitted to random images.

use toml::Value;
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::reversi::tabular::FILE;

use super::minimax;
use super::networks::{Fitted, NetworksParameters};
use crate::conduct::Conduct;
use crate::contest::{Match, MatchScore};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::{counted, half_width};
use crate::training::{StudyTraining, Trained};

/// Fits the others to the same table, plays them against minimax of depth 4, and puts them beside the usual one.
pub(super) fn compare(
    conduct: &mut Conduct,
    parameters: &NetworksParameters,
    table: &StudyTraining,
    usual: &Fitted,
    played: &[MatchScore; 4],
) -> Result<(Section, Finding), StudyError> {
    let file = format!("{}/{FILE}", table.place());
    let shared = parameters.fit.get("mlp").cloned().unwrap_or_default();
    let seed = conduct.seed().derive("mlp", 0).0;
    let training = |(name, own): (&String, &toml::Table)| {
        let base = [
            ("table", Value::String(file.clone())),
            ("network", Value::String("mlp".into())),
            ("yardstick_games", Value::Integer(0)),
        ];
        let training = StudyTraining::new(format!("other {name}"), "table-fit", Othello::NAME, seed, &base);
        training.with(&shared).with(own)
    };
    let trainings: Vec<StudyTraining> = parameters.others.iter().map(training).collect();
    conduct.remake(
        std::slice::from_ref(table),
        FILE,
        trainings.iter().map(|training| training.name.as_str()),
    )?;
    let trained = conduct.train("other networks", &trainings)?;
    let runs = conduct.runs();
    let against = |training: &StudyTraining| {
        let player = format!("minimax:depth=1,eval=mlp,file={}", training.artifact(&runs));
        Match::new(
            "othello",
            format!("{} against depth 4", training.name),
            &player,
            &minimax(4),
            parameters.games,
        )
    };
    let scores = conduct.matches("other networks", &trainings.iter().map(against).collect::<Vec<_>>())?;
    let columns = ["R^2, %", "against depth 4, %", "\u{b1}"].map(Column::ours);
    let columns = [Column::label("perceptron")].into_iter().chain(columns).collect();
    let mut report =
        ReportTable::new("others", "Other perceptrons fitted to the table of Version 2", columns);
    let names = parameters.others.keys().map(String::as_str);
    let rows = names.zip(trained.iter().zip(&scores));
    for (name, (trained, score)) in
        [("64-96-34-1, tanh", (&usual.trained, &played[1]))].into_iter().chain(rows)
    {
        let all = score.all();
        report.push(vec![
            Entry::text(name),
            Entry::maybe(fit(trained), 2),
            Entry::percent(all.rate()),
            Entry::number(100.0 * half_width(&all), 1),
        ]);
    }
    let text = "A convolutional network of one plane without activations between its filters is a perceptron with its 300 units.";
    let section =
        Section::new("Other networks (sections 5.2, 5.3.1 and 5.3.2.4)", vec![text.into(), report.into()]);
    Ok((section, finding(parameters, usual, &trained)))
}

/// The best coefficient of determination, in per cent.
fn fit(trained: &Trained) -> Option<f64> {
    trained.last("best r2").map(|fit| 100.0 * fit)
}

fn finding(parameters: &NetworksParameters, usual: &Fitted, trained: &[Trained]) -> Finding {
    let base = fit(&usual.trained).unwrap_or(f64::NAN);
    let gains = parameters.others.keys().zip(trained).filter(|(name, _)| !name.contains("image"));
    let tests = gains.filter_map(|(name, trained)| Some((name, fit(trained)? - base))).map(|(name, gain)| {
        let words = format!("R^2 of {name} less the usual one's, points");
        counted(&words, gain, "below 2", "2 or more", gain < 2.0)
    });
    Finding::tested(
        "Other perceptrons fit the table of Version 2 hardly better: by less than two points of R^2.",
        tests.collect(),
        format!("The usual one: {base:.2}%."),
    )
    .published("minimal deviations (5.3.1); ReLU clearly worse (5.2)")
    .differs("Our shapes are those that the text names; the same epochs and rate for all.")
}
