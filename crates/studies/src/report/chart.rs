//! Charts as plain data: what is drawn, not how.

use serde::{Deserialize, Serialize};

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChartKind {
    /// Points joined by lines.
    Lines,
    /// Points, each series with the line through it.
    Scatter,
    /// A group of bars for each place on the x axis, which has names.
    Bars,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Beside it.
    pub title: String,
    /// Whether equal steps are equal factors.
    pub is_logarithmic: bool,
}

impl Axis {
    /// An even axis.
    pub fn even(title: &str) -> Axis {
        Axis { title: title.into(), is_logarithmic: false }
    }

    /// One of factors.
    pub fn logarithmic(title: &str) -> Axis {
        Axis { title: title.into(), is_logarithmic: true }
    }
}

/// A line, a cloud or the bars of one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// From left to right; of bars the places are 0, 1, 2 and so on.
    pub points: Vec<(f64, f64)>,
    /// Whether it is theirs: lines are dashed, bars outlined.
    pub is_published: bool,
}

impl Series {
    /// One of ours; points that are no numbers are left out.
    pub fn ours(name: impl Into<String>, mut points: Vec<(f64, f64)>) -> Series {
        points.retain(|point| point.0.is_finite() && point.1.is_finite());
        Series { name: name.into(), points, is_published: false }
    }

    /// One of theirs.
    pub fn published(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { is_published: true, ..Series::ours(name, points) }
    }

    /// Whether it is theirs, also in reports of before 19 November 2026, some of which only call it so.
    pub fn is_theirs(&self) -> bool {
        self.is_published || self.name == "published"
    }
}

/// Numbers as a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Of its file of comma-separated values.
    pub name: String,
    /// Above it.
    pub caption: String,
    /// How it is drawn.
    pub kind: ChartKind,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// The names of the places of bars.
    pub places: Vec<String>,
    /// Whether it shows times.
    pub is_timed: bool,
}

impl Chart {
    /// Points joined by lines.
    pub fn lines(name: &str, caption: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
        let (name, caption) = (name.into(), caption.into());
        Chart { name, caption, kind: ChartKind::Lines, x, y, series, places: Vec::new(), is_timed: false }
    }

    /// Clouds of points.
    pub fn scatter(name: &str, caption: &str, x: Axis, y: Axis, series: Vec<Series>) -> Chart {
        Chart { kind: ChartKind::Scatter, ..Chart::lines(name, caption, x, y, series) }
    }

    /// Bars; each series has a number for each place.
    pub fn bars(
        name: &str,
        caption: &str,
        y: Axis,
        places: Vec<String>,
        series: Vec<(String, Vec<f64>)>,
    ) -> Chart {
        let numbered = |numbers: Vec<f64>| (0..).map(f64::from).zip(numbers).collect();
        let series =
            series.into_iter().map(|(name, numbers)| Series::ours(name, numbered(numbers))).collect();
        Chart { kind: ChartKind::Bars, places, ..Chart::lines(name, caption, Axis::default(), y, series) }
    }

    /// The same bars with the published numbers of a series; nothing where none is printed.
    pub fn beside(mut self, name: &str, numbers: Vec<f64>) -> Chart {
        if numbers.iter().any(|number| number.is_finite()) {
            let numbered = (0..).map(f64::from).zip(numbers).collect();
            self.series.push(Series::published(name, numbered));
        }
        self
    }

    /// The same chart, which shows times.
    pub fn timed(mut self) -> Chart {
        self.is_timed = true;
        self
    }
}
