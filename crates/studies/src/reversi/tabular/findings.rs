//! What the tables of Reversi (2025), chapter 4, show.

use super::{Against, ByTable, VERSIONS, both, colour_rates};
use crate::report::Finding;
use crate::statistics::{Estimate, counted, shown};
use crate::training::Trained;

/// Table 7's surprise, judged over tables instead of over games.
pub(super) fn colours_finding(by_table: &ByTable, depth: u32) -> Finding {
    let [black, white] = ["black", "white"].map(|colour| colour_rates(&by_table[1], colour));
    let shown = |rates: &[f64]| rates.iter().map(|rate| format!("{rate:.1}")).collect::<Vec<_>>().join(", ");
    let words = "White less Black with tables of Version 2, points";
    Finding::tested(
        "White does worse than Black with the table of Version 2 against minimax of depth 4.",
        vec![Estimate::between_means(words, &white, &black).below(0.0)],
        format!("Table by table at depth {depth}: Black {}%; White {}%.", shown(&black), shown(&white)),
    )
    .published("20.85% and 9.75% with one table (table 7)")
    .differs("Several tables from different seeds; the interval is over tables.")
}

/// Table 3's last row: how many positions the epsilon table holds after a million games.
pub(super) fn positions_finding(trained: &[Trained], games: u64) -> Finding {
    const PRINTED: f64 = 28_921_926.0;
    let positions = |at: usize| trained[at].last("positions").unwrap_or(0.0);
    let is_near = (positions(0) / PRINTED - 1.0).abs() < 0.001;
    let test =
        counted("positions, as run", positions(0), "28,921,926 within 0.1%", "another number", is_near);
    let tests = if games == 1_000_000 { vec![test] } else { Vec::new() };
    Finding::tested(
        "After a million games the table of Version 1 holds 28.9 million positions.",
        tests,
        format!(
            "Greedy as the author's program was (the last legal move): {:.0} after {games} games; as described: {:.0}.",
            positions(0),
            positions(4)
        ),
    )
    .published("28,921,926 positions (table 3)")
    .differs("The policy of the author's program instead of the one that the text describes, and its positions after the last pass; other draws.")
}

pub(super) fn play_findings(against: &[[Against; 2]], depth: u32) -> [Finding; 2] {
    let words = |test: usize| {
        let one = |((version, _), tests): (&(&str, &str), &[Against; 2])| {
            format!("{version} {}", shown(&both(&tests[test])))
        };
        VERSIONS.iter().zip(against).map(one).collect::<Vec<_>>().join(", ")
    };
    let estimates = |test: usize| {
        let one = move |((version, _), tests): (&(&str, &str), &[Against; 2])| {
            Estimate::rate(format!("{version}, %"), &both(&tests[test]))
        };
        VERSIONS.iter().zip(against).take(4).map(one).collect::<Vec<_>>()
    };
    // The best rate that S3 prints of any table at any time: White against random after a million games (table 6).
    const BEST: f64 = 60.15;
    let random = estimates(0).into_iter().map(|it| it.below(BEST)).collect();
    let minimax = estimates(1).into_iter().map(|it| it.below(50.0)).collect();
    let protocol = "Rates over both colours; tables of one colour play the other by lot.";
    [
        Finding::tested(
            "A table alone plays little better than random.",
            random,
            format!("Against random: {}.", words(0)),
        )
        .published("50 to 60% (tables 3 to 6)")
        .differs(protocol),
        Finding::tested(
            "A table alone loses to minimax of depth 4.",
            minimax,
            format!("Against minimax of depth {depth}: {}.", words(1)),
        )
        .published("10 to 37% (table 7)")
        .differs(protocol),
    ]
}

pub(super) fn growth_finding(trained: &[Trained], test_games: u64) -> Finding {
    let gain = |((version, _), trained): (&(&str, &str), &Trained)| {
        let strength = trained.column("strength");
        let (first, last) = (strength.first()?.1, strength.last()?.1);
        let half = 100.0 * 1.96 * (0.5 / test_games.max(1) as f64).sqrt();
        let words = format!("{version}: last rate less first, points");
        Some(Estimate::known(words, 100.0 * (last - first), half, (test_games, "test games")))
    };
    let gains: Vec<Estimate> = VERSIONS.iter().zip(trained).take(4).filter_map(gain).collect();
    let words: Vec<String> = gains.iter().map(|gain| gain.shown(1)).collect();
    // The most that S3's tables gained from the first round to the last: White against random, 53.80 to 60.15.
    const MOST: f64 = 6.35;
    Finding::tested(
        "Ten times the games help a table only slowly.",
        gains.into_iter().map(|gain| gain.below(MOST)).collect(),
        format!("From a tenth of the games to all of them, points against random: {}.", words.join(", ")),
    )
    .published("at most 6.35 points (tables 3 to 6)")
    .differs("Rates over both colours.")
}

pub(super) fn wrong_colour_finding(against: &[[Against; 2]]) -> Finding {
    let (white, black) = (&against[2][0].white, &against[3][0].black);
    // S3's band of random games is 44.37 to 51.47 for Black (table 1).
    let tests = vec![
        Estimate::rate("White with the table of Black, %", white).within(48.53, 55.63),
        Estimate::rate("Black with the table of White, %", black).within(44.37, 51.47),
    ];
    let evidence =
        format!("White with the table of Black {}, Black with that of White {}.", shown(white), shown(black));
    Finding::tested("With the colour it has not learned a table is as good as random.", tests, evidence)
        .published("50.25% and 48.8% (table 13)")
        .differs("The claim is S3's band of random games (table 1).")
}
