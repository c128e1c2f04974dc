//! The report of a calibration: one page with clouds, lines and a table, that needs nothing else.

use std::fmt::Write;

use trilith_base::markup::escape;
use trilith_base::plot::{self, GRID_LINE, TEXT};
use trilith_search::probcut::{Fit, PairFits, ProbCutParameters};

use super::estimate::points;
use super::samples::ProbCutSample;

/// Clouds of each pair are drawn for so many phases.
const CLOUDS: usize = 3;
/// Points drawn of a cloud.
const DRAWN: usize = 400;
const SIDE: f64 = 240.0;
const MARGIN: f64 = 34.0;

const STYLE: &str = "body{font:15px/1.4 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
    table{border-collapse:collapse;margin:1rem 0}th,td{padding:.15rem .5rem;text-align:right;border-bottom:1px solid #ddd}\
    svg{margin:.3rem}code{overflow-wrap:anywhere}";

/// The page.
pub fn page(parameters: &ProbCutParameters, samples: &[ProbCutSample]) -> String {
    let ProbCutParameters { game, evaluation, fingerprint, unit, percentile, provenance, pairs, .. } =
        parameters;
    let title = format!("ProbCut for {}, evaluation {}", escape(game), escape(evaluation));
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let _ = writeln!(
        html,
        "<p>{} positions. Values in {}; the value of the deep search is <i>a</i> times that of the shallow one plus <i>b</i>, with an error of spread &sigma;. Fingerprint of the evaluation: <code>{fingerprint}</code>; percentile {percentile}.</p>\n<ul>",
        samples.len(),
        escape(unit)
    );
    for (name, value) in provenance {
        let _ = writeln!(html, "<li>{}: <code>{}</code></li>", escape(name), escape(value));
    }
    html += "</ul>\n";
    overview(pairs, &mut html);
    for pair in pairs {
        let _ = writeln!(html, "<h2>Depth {} for depth {}</h2>", pair.shallow, pair.deep);
        for fit in spread(&pair.fits) {
            html += &cloud(pair, fit, &points(samples, (pair.shallow, pair.deep), fit.phase));
        }
        table(pair, &mut html);
    }
    html += "</body>\n</html>\n";
    html
}

/// Means of each pair over its phases.
fn overview(pairs: &[PairFits], html: &mut String) {
    *html += "<h2>Means over all phases</h2>\n<table>\n<tr><th>shallow</th><th>deep</th><th>phases</th><th>a</th><th>b</th><th>&sigma;</th><th>r&sup2;</th></tr>\n";
    for PairFits { shallow, deep, fits } in pairs {
        let mean = |of: fn(&Fit) -> f64| fits.iter().map(of).sum::<f64>() / fits.len().max(1) as f64;
        let _ = writeln!(
            html,
            "<tr><td>{shallow}</td><td>{deep}</td><td>{}</td><td>{:.3}</td><td>{:+.3}</td><td>{:.3}</td><td>{:.3}</td></tr>",
            fits.len(),
            mean(|fit| fit.a),
            mean(|fit| fit.b),
            mean(|fit| fit.sigma),
            mean(|fit| fit.r2)
        );
    }
    *html += "</table>\n";
}

fn table(pair: &PairFits, html: &mut String) {
    *html +=
        "<table>\n<tr><th>phase</th><th>n</th><th>a</th><th>b</th><th>&sigma;</th><th>r&sup2;</th></tr>\n";
    for Fit { phase, n, a, b, sigma, r2 } in &pair.fits {
        let _ = writeln!(
            html,
            "<tr><td>{phase}</td><td>{n}</td><td>{a:.3}</td><td>{b:+.3}</td><td>{sigma:.3}</td><td>{r2:.3}</td></tr>"
        );
    }
    *html += "</table>\n";
}

/// Some phases, evenly spread.
fn spread(fits: &[Fit]) -> impl Iterator<Item = &Fit> {
    let count = CLOUDS.min(fits.len());
    (0..count).map(move |number| &fits[(2 * number + 1) * fits.len() / (2 * count)])
}

/// The points of a phase, the line through them, and the line that all would lie on if both searches agreed.
fn cloud(pair: &PairFits, fit: &Fit, points: &[(f64, f64)]) -> String {
    let most = points.iter().flat_map(|point| [point.0.abs(), point.1.abs()]).fold(1.0, f64::max);
    let scale = (SIDE - 2.0 * MARGIN) / (2.0 * most);
    let x = |value: f64| SIDE / 2.0 + value * scale;
    let y = |value: f64| SIDE / 2.0 - value * scale;
    let (low, high) = (MARGIN, SIDE - MARGIN);
    let title = format!("depth {} and depth {}, phase {}", pair.shallow, pair.deep, fit.phase);
    let mut svg = plot::head(SIDE, SIDE, &title);
    let (cloud, line, side) = (plot::stroke(0), plot::stroke(1), high - low);
    let _ = write!(
        svg,
        r##"<rect x="{low}" y="{low}" width="{side}" height="{side}" fill="none" {GRID_LINE}/><path d="M{low} {high}L{high} {low}" {GRID_LINE}/>"##
    );
    let _ =
        write!(svg, r##"<path {cloud} stroke-width="2.4" stroke-linecap="round" stroke-opacity=".45" d=""##);
    let step = points.len().div_ceil(DRAWN).max(1);
    for &(shallow, deep) in points.iter().step_by(step) {
        let _ = write!(svg, "M{:.1} {:.1}h0", x(shallow), y(deep));
    }
    let ends = [-most, most].map(|at| (x(at), y((fit.a * at + fit.b).clamp(-1.2 * most, 1.2 * most))));
    let _ = write!(
        svg,
        r##""/><path d="M{:.1} {:.1}L{:.1} {:.1}" {line} stroke-width="1.5"/><text x="{low}" y="14" {TEXT} font-size="11">phase {}: a {:.2}, b {:+.2}, σ {:.2}</text><text x="{low}" y="28" {TEXT} font-size="11">n {}, r² {:.3}</text><text x="{low}" y="{}" {TEXT} font-size="11">±{most:.0}: depth {} across, depth {} up</text></svg>"##,
        ends[0].0,
        ends[0].1,
        ends[1].0,
        ends[1].1,
        fit.phase,
        fit.a,
        fit.b,
        fit.sigma,
        fit.n,
        fit.r2,
        SIDE - 14.0,
        pair.shallow,
        pair.deep,
    );
    svg.push('\n');
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_pair_with_its_clouds_and_numbers() {
        let values = |number: usize| vec![number as f32 / 10.0, 0.0, number as f32 / 8.0];
        let samples: Vec<ProbCutSample> = (0..500)
            .map(|number| ProbCutSample { game: 0, phase: number % 5, values: values(number) })
            .collect();
        let pairs = super::super::estimate(&samples, &[(1, 3)]);
        let parameters = ProbCutParameters {
            game: "othello".into(),
            evaluation: "<a>".into(),
            pairs,
            ..ProbCutParameters::default()
        };
        let html = page(&parameters, &samples);
        assert_eq!(html.matches("<svg").count(), CLOUDS);
        assert!(html.contains("Depth 1 for depth 3") && html.contains("&lt;a&gt;") && !html.contains("<a>"));
        assert!(html.contains("<td>1.250</td>"), "the slope of every phase");
        assert!(!html.contains("NaN"));
    }
}
