//! Colours of series: one name has one colour in all charts of a page, and a published series has that of ours.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::{Chart, Series};

/// As many as `plot` has.
const COLOURS: usize = 10;

/// The colour of each series by its name.
pub(super) struct Colours(BTreeMap<String, usize>);

impl Colours {
    /// Series of one chart differ as long as there are colours; beyond that, those that share a chart of many have the same.
    pub fn of<'a>(charts: impl Iterator<Item = &'a Chart> + Clone) -> Colours {
        let mut beside: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for chart in charts.clone() {
            let all: BTreeSet<&str> = names(chart).collect();
            for (name, other) in all.iter().flat_map(|name| all.iter().map(move |other| (name, other))) {
                *beside.entry(name).or_default().entry(other).or_default() += 1000 / all.len();
            }
        }
        let (mut chosen, mut used) = (BTreeMap::new(), [0; COLOURS]);
        for name in charts.flat_map(names) {
            if chosen.contains_key(name) {
                continue;
            }
            let mut mistaken = [0; COLOURS];
            for (other, near) in &beside[name] {
                chosen.get(*other).into_iter().for_each(|&colour: &usize| mistaken[colour] += near);
            }
            let colour = (0..COLOURS).min_by_key(|&colour| (mistaken[colour], used[colour])).unwrap_or(0);
            used[colour] += 1;
            chosen.insert(name.to_owned(), colour);
        }
        Colours(chosen)
    }

    /// The number of a series' colour.
    pub fn number(&self, chart: &Chart, series: &Series) -> usize {
        self.0.get(name(chart, series)).copied().unwrap_or(0)
    }
}

fn names(chart: &Chart) -> impl Iterator<Item = &str> {
    chart.series.iter().map(|series| name(chart, series))
}

/// Whose colour a series has: a published one that of ours of the same name, or of the only one of ours beside it.
fn name<'a>(chart: &'a Chart, series: &'a Series) -> &'a str {
    let mut ours = chart.series.iter().filter(|other| !other.is_theirs());
    match (ours.next(), ours.next()) {
        (Some(only), None) if series.is_theirs() => &only.name,
        _ => &series.name,
    }
}

#[cfg(test)]
mod tests {
    use trilith_base::plot;

    use super::*;
    use crate::report::Axis;

    fn chart(ours: &[&str], theirs: &[&str]) -> Chart {
        let series = ours.iter().map(|name| Series::ours(*name, Vec::new()));
        let series = series.chain(theirs.iter().map(|name| Series::published(*name, Vec::new())));
        Chart::lines("c", "", Axis::even(""), Axis::even(""), series.collect())
    }

    fn numbers(colours: &Colours, chart: &Chart) -> Vec<usize> {
        chart.series.iter().map(|series| colours.number(chart, series)).collect()
    }

    #[test]
    fn a_name_keeps_its_colour_and_a_published_series_has_that_of_ours() {
        let charts = [
            chart(&["all"], &["S4"]),
            chart(&["without rim", "without centre"], &["without centre"]),
            chart(&["without distance", "all", "without centre"], &[]),
        ];
        let colours = Colours::of(charts.iter());
        assert_eq!(numbers(&colours, &charts[0]), [0, 0]);
        assert_eq!(numbers(&colours, &charts[1]), [1, 2, 2]);
        assert_eq!(numbers(&colours, &charts[2]), [3, 0, 2]);
    }

    #[test]
    fn series_of_one_chart_differ_even_if_the_page_has_more_names_than_colours() {
        let all: Vec<String> = (0..24).map(|number| format!("without {number}")).collect();
        let named = |range: std::ops::Range<usize>| all[range].iter().map(String::as_str).collect::<Vec<_>>();
        let last = ["without 1", "without 11", "without 21", "all"];
        let charts = [
            chart(&named(0..9), &[]),
            chart(&named(9..18), &[]),
            chart(&named(18..24), &[]),
            chart(&last, &[]),
        ];
        let colours = Colours::of(charts.iter());
        for chart in &charts {
            let numbers = numbers(&colours, chart);
            let different: BTreeSet<usize> = numbers.iter().copied().collect();
            assert_eq!(different.len(), numbers.len(), "{numbers:?}");
        }
    }

    #[test]
    fn of_too_many_series_in_a_chart_those_are_alike_that_no_small_chart_shows_together() {
        let all: Vec<String> = (0..11).map(|number| format!("without {number}")).collect();
        let many: Vec<&str> = all.iter().map(String::as_str).collect();
        let charts =
            [chart(&["all"], &[]), chart(&many, &[]), chart(&["without 9", "without 10", "all"], &[])];
        let colours = Colours::of(charts.iter());
        let numbers = numbers(&colours, &charts[2]);
        assert!(numbers.iter().collect::<BTreeSet<_>>().len() == 3, "{numbers:?}");
    }

    #[test]
    fn there_are_as_many_colours_as_can_be_told_apart() {
        let strokes: BTreeSet<String> = (0..=COLOURS).map(plot::stroke).collect();
        assert_eq!((strokes.len(), plot::stroke(0)), (COLOURS, plot::stroke(COLOURS)));
    }
}
