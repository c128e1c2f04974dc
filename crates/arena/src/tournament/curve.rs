//! The evidence of a test game by game: the curve of its log-likelihood ratio between the two bounds.

use std::fmt::Write;

use trilith_base::plot::{self, AXIS_LINE, AxisSpan, GRID_LINE, TEXT, label};

use super::standings::PairingTest;

/// Points of a curve that are kept, evenly spread.
const KEPT: usize = 200;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 90.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = HEIGHT - 34.0;

/// Some points of a long curve, the last one among them.
pub(super) fn thinned(curve: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let apart = curve.len().div_ceil(KEPT).max(1);
    let last = curve.len().saturating_sub(1);
    curve
        .iter()
        .enumerate()
        .filter(|(at, _)| at % apart == 0 || *at == last)
        .map(|(_, &point)| point)
        .collect()
}

/// The picture of a test's curve; empty before its first pair of games.
pub(super) fn picture(test: &PairingTest) -> String {
    let Some(&(games, _)) = test.curve.last() else { return String::new() };
    let title = format!("{} against {}: log-likelihood ratio", test.a, test.b);
    let bounds = [test.sprt.lower, test.sprt.upper];
    let across = AxisSpan::of([0.0, games as f64].into_iter(), false, true);
    let up = AxisSpan::of(test.curve.iter().map(|point| point.1).chain(bounds), false, true);
    let x = |games: f64| LEFT + (RIGHT - LEFT) * across.share(games);
    let y = |ratio: f64| BOTTOM - (BOTTOM - TOP) * up.share(ratio);
    let mut svg = plot::head(WIDTH, HEIGHT, &title);
    let mut write = |text: String| svg.push_str(&text);
    write(format!("<text x=\"{LEFT}\" y=\"16\" {TEXT}>{}</text>\n", trilith_base::markup::escape(&title)));
    for &tick in &up.ticks {
        let (at, label) = (y(tick), label(tick));
        let line = if tick == 0.0 { AXIS_LINE } else { GRID_LINE };
        write(format!(
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" {line}/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" {TEXT}>{label}</text>\n",
            LEFT - 6.0,
            at + 4.0
        ));
    }
    for &tick in &across.ticks {
        let (at, label, below) = (x(tick), label(tick), BOTTOM + 16.0);
        write(format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\" {TEXT}>{label}</text>\n"));
    }
    for (bound, word) in bounds.into_iter().zip(["H0", "H1"]) {
        let (at, stroke) = (y(bound), plot::stroke(1));
        write(format!(
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" {stroke} stroke-dasharray=\"5 4\"/><text x=\"{:.1}\" y=\"{:.1}\" {TEXT}>{word} {bound:+.2}</text>\n",
            RIGHT + 6.0,
            at + 4.0
        ));
    }
    let mut line = String::new();
    for &(games, ratio) in &test.curve {
        let _ = write!(line, "{:.1},{:.1} ", x(games as f64), y(ratio));
    }
    let stroke = plot::stroke(0);
    write(format!(
        "<polyline points=\"{}\" fill=\"none\" {stroke} stroke-width=\"1.8\"/>\n<text x=\"{RIGHT}\" y=\"{:.1}\" \
         text-anchor=\"end\" {TEXT}>games</text>\n</svg>\n",
        line.trim_end(),
        HEIGHT - 4.0
    ));
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::SprtReport;
    use crate::statistics::{Pairs, Sprt, Tally};

    #[test]
    fn the_curve_lies_between_its_bounds_and_ends_with_the_last_game() {
        let sprt: Sprt = "0,50,0.05,0.05".parse().unwrap();
        let curve: Vec<(u64, f64)> = (1..=1001).map(|pair| (2 * pair, 0.001 * pair as f64)).collect();
        let thin = thinned(&curve);
        assert!(thin.len() <= KEPT + 1 && thin.last() == curve.last(), "{}", thin.len());
        let report = SprtReport::new(&sprt, &Pairs::default(), &Tally::default());
        let test = PairingTest { a: "<a>".into(), b: "b".into(), curve: thin, sprt: report };
        let svg = picture(&test);
        assert!(
            svg.contains("&lt;a&gt; against b") && svg.contains("H1 +2.94") && svg.contains("H0 -2.94"),
            "{svg}"
        );
        assert!(!svg.contains("NaN") && svg.ends_with("</svg>\n"));
        assert_eq!(picture(&PairingTest { curve: Vec::new(), ..test }), "");
    }
}
