//! What all charts share: axes with round marks, colours that can be told apart, light and dark.
//!
//! A colour is an attribute, so that every program that shows SVG has it, and a class, by which browsers in dark mode take
//! another one. The same series has the same colour in every chart.
//!
//! ```
//! use trilith_base::plot::{self, AxisSpan};
//!
//! let depth = AxisSpan::of([1.0, 8.0].into_iter(), false, false);
//! assert_eq!(depth.ticks.first(), Some(&0.0));
//! assert!(depth.ticks.iter().all(|tick| tick.fract() == 0.0), "depths are whole numbers");
//! assert!(plot::head(100.0, 50.0, "a chart").starts_with("<svg"));
//! ```

use std::fmt::Write;

use crate::markup::escape;

/// Colours on white and on black that can be told apart, also by most who do not see all of them.
const COLOURS: [[&str; 2]; 10] = [
    ["#0072b2", "#5ab4f0"],
    ["#d55e00", "#ff8b3d"],
    ["#009e73", "#3ecfa4"],
    ["#cc79a7", "#eda0c8"],
    ["#8c6d1f", "#d3b35a"],
    ["#56b4e9", "#9cdcff"],
    ["#7b3294", "#c58be0"],
    ["#444444", "#c4c4c4"],
    ["#e69f00", "#ffc94d"],
    ["#a6761d", "#e0ad5c"],
];

/// Text, lines of the grid, axes and paper, on white and on black.
const INK: [&str; 2] = ["#333", "#d8dbe0"];
const GRID: [&str; 2] = ["#ddd", "#3a3f46"];
const AXIS: [&str; 2] = ["#888", "#8d949d"];
const PAPER: [&str; 2] = ["#fff", "#1c1f24"];

/// Attributes of text.
pub const TEXT: &str = "class=\"ink\" fill=\"#333\"";
/// Attributes of a line of the grid.
pub const GRID_LINE: &str = "class=\"grid\" stroke=\"#ddd\"";
/// Attributes of an axis.
pub const AXIS_LINE: &str = "class=\"axis\" stroke=\"#888\"";

/// Attributes of a line of series `number`, from 0.
pub fn stroke(number: usize) -> String {
    let number = number % COLOURS.len();
    format!("class=\"s{number}\" stroke=\"{}\"", COLOURS[number][0])
}

/// Attributes of an area of series `number`, from 0.
pub fn fill(number: usize) -> String {
    let number = number % COLOURS.len();
    format!("class=\"f{number}\" fill=\"{}\"", COLOURS[number][0])
}

/// The beginning of a chart: size, title, colours, paper. `</svg>` ends it.
pub fn head(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{}</title>\n<style>{}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        escape(title),
        style(),
        PAPER[0]
    )
}

/// What differs in the dark.
fn style() -> String {
    let mut rules = format!(
        ".plot .ink{{fill:{}}}.plot .grid{{stroke:{}}}.plot .axis{{stroke:{}}}.plot .paper{{fill:{}}}",
        INK[1], GRID[1], AXIS[1], PAPER[1]
    );
    for (number, [_, dark]) in COLOURS.iter().enumerate() {
        let _ = write!(rules, ".plot .s{number}{{stroke:{dark}}}.plot .f{number}{{fill:{dark}}}");
    }
    format!("@media(prefers-color-scheme:dark){{{rules}}}")
}

/// One axis: from where to where, and where it is marked.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisSpan {
    /// Where it begins.
    pub low: f64,
    /// Where it ends, above `low`.
    pub high: f64,
    /// Whether equal steps are equal factors.
    pub is_logarithmic: bool,
    /// The marks, from `low` to `high`.
    pub ticks: Vec<f64>,
}

impl AxisSpan {
    /// An axis for these numbers; what is not finite, or not above zero on an axis of factors, is left out. Whole numbers
    /// have marks at whole numbers. `with_zero` says that zero must be on it.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone, is_logarithmic: bool, with_zero: bool) -> AxisSpan {
        let usable = numbers.filter(|number| number.is_finite() && (!is_logarithmic || *number > 0.0));
        let low = usable.clone().fold(f64::INFINITY, f64::min);
        let high = usable.clone().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return AxisSpan { low: 0.0, high: 1.0, is_logarithmic: false, ticks: vec![0.0, 1.0] };
        }
        if is_logarithmic {
            return AxisSpan::of_factors(low, high);
        }
        let are_whole = usable.clone().all(|number| number.fract() == 0.0);
        let (low, high) = if with_zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
        let least = if are_whole { 1.0 } else { (low.abs().max(high.abs()) * 1e-6).max(1e-9) };
        let step = round_step((high - low).max(least) / 5.0, if are_whole { 1.0 } else { 0.0 });
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let high = if high > low { high } else { low + step };
        let count = ((high - low) / step).round() as i64;
        let ticks = (0..=count).map(|number| low + step * number as f64).collect();
        AxisSpan { low, high, is_logarithmic: false, ticks }
    }

    fn of_factors(low: f64, high: f64) -> AxisSpan {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let last = last.max(first + 1);
        let every = ((last - first) / 7 + 1) as usize;
        let ticks = (first..=last).step_by(every).map(|power| 10f64.powi(power)).collect();
        AxisSpan { low: 10f64.powi(first), high: 10f64.powi(last), is_logarithmic: true, ticks }
    }

    /// Where a number lies: 0 at the beginning, 1 at the end.
    pub fn share(&self, number: f64) -> f64 {
        match self.is_logarithmic {
            true => (number.max(1e-300) / self.low).ln() / (self.high / self.low).ln(),
            false => (number - self.low) / (self.high - self.low),
        }
    }
}

/// The least round number from `rough` on: 1, 2 or 5 times a power of ten, and at least `least`.
fn round_step(rough: f64, least: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|&step| step >= rough * 0.999).unwrap_or(10.0 * power).max(least)
}

/// A mark's number, as short as it can be told: `0.25`, `1500`, `2M`, `3e-7`.
pub fn label(number: f64) -> String {
    let trimmed = |number: f64, end: &str| {
        let text = format!("{number:.3}");
        format!("{}{end}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match number.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e12).contains(&size) => format!("{number:.0e}"),
        size if size >= 1e9 => trimmed(number / 1e9, "G"),
        size if size >= 1e6 => trimmed(number / 1e6, "M"),
        size if size >= 1e4 => trimmed(number / 1e3, "k"),
        _ => trimmed(number, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_everything() {
        let span = AxisSpan::of([0.31, 0.93].into_iter(), false, false);
        assert!(span.low <= 0.31 && span.high >= 0.93 && span.ticks.len() < 9, "{:?}", span.ticks);
        let factors = AxisSpan::of([3.0, 20_000.0].into_iter(), true, false);
        assert_eq!((factors.low, factors.high), (1.0, 100_000.0));
        assert_eq!(AxisSpan::of([5.0, f64::NAN].into_iter(), false, false).ticks, [5.0, 6.0]);
        assert_eq!(AxisSpan::of(std::iter::empty(), true, false).ticks, [0.0, 1.0]);
        let constant = AxisSpan::of([0.5, 0.5].into_iter(), false, false);
        assert!(constant.low <= 0.5 && constant.high > constant.low && constant.share(0.5).is_finite());
    }

    #[test]
    fn whole_numbers_have_whole_marks() {
        for high in 1..40 {
            let span = AxisSpan::of([0.0, f64::from(high)].into_iter(), false, false);
            assert!(span.ticks.iter().all(|tick| tick.fract() == 0.0), "{high}: {:?}", span.ticks);
            assert!((2..9).contains(&span.ticks.len()), "{high}: {:?}", span.ticks);
        }
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(
            [0.0, 0.5, 30.0, 1500.0, 2e4, 2.5e6].map(label),
            ["0", "0.5", "30", "1500", "20k", "2.5M"]
        );
        assert_eq!([-3e9, 1e13, 2e-7].map(label), ["-3G", "1e13", "2e-7"]);
    }

    #[test]
    fn every_colour_has_one_for_the_dark() {
        let style = style();
        for number in 0..20 {
            let class = stroke(number).split('"').nth(1).unwrap().to_owned();
            assert!(style.contains(&format!(".plot .{class}{{")), "{class}");
        }
        let light: std::collections::BTreeSet<_> = COLOURS.iter().map(|pair| pair[0]).collect();
        let dark: std::collections::BTreeSet<_> = COLOURS.iter().map(|pair| pair[1]).collect();
        assert_eq!((light.len(), dark.len()), (10, 10));
    }
}
