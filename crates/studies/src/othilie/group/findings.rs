//! What groups of experiments say about S1's conclusions: how alike their results are, and how strong.

use super::{Group, counted_groups, measured, range};
use crate::conduct::Conduct;
use crate::report::Finding;
use crate::statistics::{Estimate, mean};

/// What our protocol does otherwise in all groups.
const PROTOCOL: &str = "Five levels of the search are four plies (S1, 6.1 and footnote 14). Values are divided by stones as in \
                        S1's text; its listings divide by moves (valuation = \"relative-to-moves\"). Starts are drawn anew.";

/// What is said against chance: S1 has one group, and its conclusions are about experiments that are much alike.
fn over_groups(groups: &[Group]) -> String {
    format!(
        "{PROTOCOL} {} of three experiments, S1 has one; the interval is over groups.",
        counted_groups(groups.len())
    )
}

/// The end of learning by likeness: published A to C end at 5.8 or more, E and F at 2.4 or less.
pub(super) fn likeness_finding(conduct: &Conduct, letter: char, groups: &[Group]) -> Finding {
    const APART: f64 = 5.8;
    const ALIKE: f64 = 2.4;
    let (start, ends) = (measured(groups, 0), measured(groups, 1));
    let words = format!("Q at the end, {}", counted_groups(groups.len()).to_lowercase());
    let end = Estimate::mean(words, &ends).of("groups");
    let shown: Vec<String> = ends.iter().map(|q| format!("{q:.2}")).collect();
    let published = conduct.published("likeness").number(&letter.to_string(), "Q_6500");
    let within = published.map_or(String::new(), |published| {
        let below = ends.iter().filter(|&&q| q <= published).count();
        format!(" {below} of them are as small as the published Q or smaller.")
    });
    let evidence = format!("Q from {:.2} in the mean to {}.{within}", mean(&start), shown.join(", "));
    let (claim, test) = match letter {
        'E' => (
            "With a differentiation factor of 1.5 the three experiments end in similar polynomials.",
            end.below(APART),
        ),
        'F' => (
            "With the modified difference the three experiments end in similar polynomials.",
            end.below(APART),
        ),
        _ => ("Without either change the three experiments end in different polynomials.", end.above(ALIKE)),
    };
    let published = published.map_or("not computed".into(), |q| format!("Q to {q:.3}"));
    Finding::tested(claim, vec![test], evidence)
        .published(format!("{published}; groups A to C end at 5.8 or more, E and F at 2.4 or less"))
        .differs(over_groups(groups))
}

/// The two random players of S1's tests.
pub(super) fn searcher_finding(groups: &[Group]) -> Finding {
    let experiments: Vec<&super::Experiment> = groups.iter().flat_map(|group| &group.experiments).collect();
    let won = |test: usize| experiments.iter().map(|it| it.won(test, true)).collect::<Vec<f64>>();
    let (weights, moves) = (won(0), won(1));
    let apart: Vec<f64> = moves.iter().zip(&weights).map(|(moves, weights)| moves - weights).collect();
    let words =
        "games won against random moves less those against random weights, mean of the results, points";
    Finding::tested(
        "The random player that searches four plies is stronger than the one that moves at random.",
        vec![Estimate::mean(words, &apart).of("experiments").above(0.0)],
        format!(
            "Against it the {} results win {:.1}% of games, against random moves {:.1}%.",
            weights.len(),
            mean(&weights),
            mean(&moves)
        ),
    )
    .published("group E: 59 to 64% against the searcher, 83 to 86% against random moves")
    .differs(format!("{PROTOCOL} The interval is over experiments."))
}

/// Strength at the end of learning, in test 1 against random weights. Published ranges of three results: A to D 7.8 points
/// or more, E and F 5.0 or less (tables 5.3 to 6.3, C.1).
pub(super) fn strength_finding(conduct: &Conduct, letter: char, groups: &[Group]) -> Finding {
    const APART: f64 = 7.8;
    const ALIKE: f64 = 5.0;
    let ends: Vec<f64> = groups.iter().flat_map(Group::ends).collect();
    let published: Vec<String> =
        conduct.published("test-1").column("end").iter().map(|rate| format!("{rate:.1}%")).collect();
    let ranges: Vec<f64> = groups.iter().map(|group| range(&group.ends())).collect();
    let apart =
        Estimate::mean("strongest less weakest of three results, mean of the groups, points", &ranges);
    let shown: Vec<String> = ranges.iter().map(|range| format!("{range:.1}")).collect();
    let evidence = format!(
        "The {} results win {:.1}% of games against random weights in the mean; strongest less weakest by group: {}.",
        ends.len(),
        mean(&ends),
        shown.join(", ")
    );
    let of_three =
        format!("{}; A to D lie 7.8 points or more apart, E and F 5.0 or less", published.join(", "));
    let (claim, test, evidence, published) = match letter {
        'F' => {
            let gains: Vec<f64> = groups
                .iter()
                .flat_map(|group| &group.experiments)
                .map(|it| it.won(0, true) - it.won(0, false))
                .collect();
            let gained = gains.iter().filter(|&&gain| gain > 0.0).count();
            let test = Estimate::mean("end less start, mean of the experiments, points", &gains);
            (
                "With the modified difference the results beat random weights more often than their starts.",
                test.of("experiments").above(0.0),
                format!("{gained} of {} experiments do.", gains.len()),
                published.join(", "),
            )
        }
        'E' => (
            "With a differentiation factor of 1.5 the results are equally strong against random weights.",
            apart.of("groups").below(APART),
            evidence,
            of_three,
        ),
        _ => (
            "Without either change the results differ in strength against random weights.",
            apart.of("groups").above(ALIKE),
            evidence,
            of_three,
        ),
    };
    Finding::tested(claim, vec![test], evidence).published(published).differs(over_groups(groups))
}
