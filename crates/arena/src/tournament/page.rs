//! The tournament as one page that needs nothing else, and its ratings as a chart.

use std::fmt::Write;

use trilith_base::job::SeenWorker;
use trilith_base::markup;
use trilith_base::plot::{self, AXIS_LINE, AxisSpan, GRID_LINE, TEXT};

use super::curve;
use super::standings::Standings;

/// Ratings as points with their 95% intervals, the strongest first, as SVG.
pub fn chart(standings: &Standings) -> String {
    const ROW: f64 = 30.0;
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 520.0;
    let ranking = standings.ranking();
    let ends = ranking.iter().flat_map(|&place| {
        let player = &standings.players[place];
        let error = player.error.min(2000.0);
        [(player.elo - error).floor(), (player.elo + error).ceil()]
    });
    let span = AxisSpan::of(ends, false, true);
    let x = |elo: f64| LEFT + span.share(elo.clamp(span.low, span.high)) * WIDTH;
    let height = ROW * ranking.len() as f64 + 56.0;
    let mut svg = plot::head(LEFT + WIDTH + 70.0, height, "Ratings with 95% intervals");
    let bottom = height - 34.0;
    for &elo in &span.ticks {
        let (at, line) = (x(elo), if elo == 0.0 { AXIS_LINE } else { GRID_LINE });
        let label = if elo == 0.0 { "0 Elo".into() } else { format!("{elo:+.0}") };
        let _ = writeln!(svg, r#"<line x1="{at:.1}" y1="10" x2="{at:.1}" y2="{bottom}" {line}/>"#);
        let below = bottom + 18.0;
        let _ = writeln!(svg, r#"<text x="{at:.1}" y="{below}" text-anchor="middle" {TEXT}>{label}</text>"#);
    }
    let (stroke, fill) = (plot::stroke(0), plot::fill(0));
    for (number, &place) in ranking.iter().enumerate() {
        let player = &standings.players[place];
        let y = 10.0 + ROW * (number as f64 + 0.5);
        let (from, to) = (x(player.elo - player.error), x(player.elo + player.error));
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{:.1}" text-anchor="end" {TEXT}>{}</text><line x1="{from:.1}" y1="{y:.1}" x2="{to:.1}" y2="{y:.1}" {stroke} stroke-width="3"/><circle cx="{:.1}" cy="{y:.1}" r="5" {fill}/><text x="{:.1}" y="{:.1}" {TEXT}>{:+.0}</text>"##,
            LEFT - 10.0,
            y + 4.0,
            escape(&player.name),
            x(player.elo),
            to + 8.0,
            y + 4.0,
            player.elo,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Standings, cross table and chart as HTML without any other file; a live one looks for news by itself.
pub fn page(standings: &Standings, is_live: bool) -> String {
    let mut html = String::new();
    let title = escape(&standings.tournament);
    let refresh = if is_live { "<meta http-equiv=\"refresh\" content=\"5\">\n" } else { "" };
    let _ = writeln!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n{refresh}<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    );
    let rules =
        if standings.rules.is_empty() { String::new() } else { format!(" ({})", escape(&standings.rules)) };
    let _ = writeln!(
        html,
        "<p>{}{rules}: {} of {} games, {} faults. Beginning is worth {:+.0} Elo points.</p>",
        escape(&standings.game),
        standings.games,
        standings.planned,
        standings.faults,
        standings.advantage,
    );
    if let Some(rate) = standings.games_per_second {
        let _ = writeln!(html, "<p>{rate:.2} games a second.</p>");
    }
    for warning in &standings.warnings {
        let _ = writeln!(html, "<p><strong>Note:</strong> {}</p>", escape(warning));
    }
    html += &chart(standings);
    workers_table(standings, &mut html);
    ratings_table(standings, &mut html);
    cross_table(standings, &mut html);
    tests_table(standings, &mut html);
    if !standings.fault_list.is_empty() {
        html += "<h2>Faults</h2>\n<ul>\n";
        for line in standings.fault_summary() {
            let _ = writeln!(html, "<li><strong>{}</strong></li>", escape(&line));
        }
        for fault in &standings.fault_list {
            let (name, text) = (escape(&fault.name), escape(&fault.fault.text));
            let _ = writeln!(
                html,
                "<li>game {}: {} of {name}: {text}</li>",
                fault.game,
                escape(&fault.fault.kind)
            );
        }
        html += "</ul>\n";
    }
    html += "</body>\n</html>\n";
    html
}

const STYLE: &str = "body{font:15px/1.4 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
    table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #ddd}\
    th:nth-child(2),td:nth-child(2){text-align:left}td.own{background:#eee}svg{max-width:100%;height:auto}\
    code{font-size:85%;overflow-wrap:anywhere}";

fn workers_table(standings: &Standings, html: &mut String) {
    if standings.workers.is_empty() {
        return;
    }
    *html += "<h2>Who works</h2>\n<table>\n<tr><th></th><th>worker</th><th>games</th><th>last one, seconds ago</th></tr>\n";
    for (number, SeenWorker { name, jobs, silent }) in standings.workers.iter().enumerate() {
        let name = escape(name);
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{name}</td><td>{jobs}</td><td>{silent:.0}</td></tr>",
            number + 1
        );
    }
    *html += "</table>\n";
}

fn ratings_table(standings: &Standings, html: &mut String) {
    *html += "<h2>Ratings</h2>\n<table>\n<tr><th></th><th>player</th><th>Elo</th><th>&plusmn;</th><th>games</th><th>wins</th><th>draws</th><th>losses</th><th>points</th><th>%</th><th>p</th><th>faults</th></tr>\n";
    for (number, &place) in standings.ranking().iter().enumerate() {
        let player = &standings.players[place];
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}<br><code>{}</code></td><td>{:+.1}</td><td>{:.1}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:+.3}</td><td>{}</td></tr>",
            number + 1,
            escape(&player.name),
            escape(&player.player),
            player.elo,
            player.error,
            player.games,
            player.tally.wins,
            player.tally.draws,
            player.tally.losses,
            player.points,
            player.rate * 100.0,
            player.p,
            player.faults,
        );
    }
    *html += "</table>\n";
}

fn tests_table(standings: &Standings, html: &mut String) {
    if standings.tests.is_empty() {
        return;
    }
    *html += "<h2>Tests</h2>\n<table>\n<tr><th></th><th>players</th><th>LLR</th><th>bounds</th><th>answer</th></tr>\n";
    for (number, test) in standings.tests.iter().enumerate() {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{} &ndash; {}</td><td>{:.2}</td><td>{:.2}, {:.2}</td><td>{}</td></tr>",
            number + 1,
            escape(&test.a),
            escape(&test.b),
            test.sprt.llr,
            test.sprt.lower,
            test.sprt.upper,
            test.sprt.verdict,
        );
    }
    *html += "</table>\n";
    standings.tests.iter().for_each(|test| *html += &curve::picture(test));
}

fn cross_table(standings: &Standings, html: &mut String) {
    let ranking = standings.ranking();
    *html +=
        "<h2>Row against column: wins &ndash; draws &ndash; losses</h2>\n<table>\n<tr><th></th><th></th>";
    for number in 1..=ranking.len() {
        let _ = write!(html, "<th>{number}</th>");
    }
    *html += "</tr>\n";
    for (number, &row) in ranking.iter().enumerate() {
        let _ = write!(html, "<tr><td>{}</td><td>{}</td>", number + 1, escape(&standings.players[row].name));
        for &column in &ranking {
            let tally = standings.cross[row][column];
            match row == column {
                true => *html += "<td class=\"own\"></td>",
                false => {
                    let _ =
                        write!(html, "<td>{}&ndash;{}&ndash;{}</td>", tally.wins, tally.draws, tally.losses);
                }
            }
        }
        *html += "</tr>\n";
    }
    *html += "</table>\n";
}

/// Text of others on one line, as it is.
fn escape(text: &str) -> String {
    markup::escape(&text.replace(char::is_control, " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::plan::tests::small;

    #[test]
    fn names_cannot_break_out_and_everybody_is_there() {
        let mut plan = small();
        plan.players[0].name = "<script>\"&".into();
        let mut standings = Standings::new(&plan, &[]).unwrap();
        let worker = SeenWorker { name: "<b>bench".into(), jobs: 7, silent: 2.6 };
        standings.workers.push(worker);
        let page = page(&standings, false);
        assert!(page.contains("<td>&lt;b&gt;bench</td><td>7</td><td>3</td>"), "{page}");
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;&quot;&amp;"));
        assert!(page.contains("<td>two") && page.contains("<svg") && page.ends_with("</html>\n"));
        assert!(!page.contains("http:") || page.matches("http").count() == 1, "only the name space of SVG");
    }
}
