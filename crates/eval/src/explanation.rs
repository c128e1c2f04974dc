//! Why a position has its value: terms that add up to it, and a picture by cell.

use std::fmt;

use serde::Serialize;

/// One summand of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    /// What is counted, such as `own corners`.
    pub name: String,
    /// How much of it there is.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
    /// What it adds to the whole.
    pub contribution: f64,
}

impl Term {
    /// A term of a weighted sum.
    pub fn weighted(name: impl Into<String>, value: f64, weight: f64) -> Term {
        Term { name: name.into(), value, weight, contribution: value * weight }
    }
}

/// All terms of a value, for the side to move, in the evaluator's unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// What the value counts, in the plural.
    pub unit: &'static str,
    /// In the evaluation's own order.
    pub terms: Vec<Term>,
    /// What each cell of the board adds, by cell number; empty where that has no meaning.
    pub cells: Vec<f64>,
    /// The value: the sum of the contributions, or what the evaluation makes of that sum.
    pub total: f64,
    /// What is done with the sum, such as `logistic`; empty if nothing.
    pub link: &'static str,
}

impl Explanation {
    /// A plain sum.
    pub fn sum(unit: &'static str, terms: Vec<Term>) -> Explanation {
        let total = terms.iter().map(|term| term.contribution).sum();
        Explanation { unit, terms, total, ..Explanation::default() }
    }
}

impl fmt::Display for Explanation {
    /// A table of the terms that are not zero, largest contribution first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<&Term> = self.terms.iter().filter(|term| term.contribution != 0.0).collect();
        terms.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
        writeln!(f, "{:32} {:>10} {:>10} {:>12}", "term", "value", "weight", "contribution")?;
        for Term { name, value, weight, contribution } in terms {
            writeln!(f, "{name:32} {value:10.4} {weight:10.4} {contribution:+12.4}")?;
        }
        let link = if self.link.is_empty() { String::new() } else { format!(" ({} of the sum)", self.link) };
        writeln!(f, "{:32} {:>10} {:>10} {:+12.4} {}{link}", "total", "", "", self.total, self.unit)
    }
}
