//! The 18 result polynomials of S1, appendix B, from the tables in `data/othilie`.
//!
//! The same as files are in `artifacts/othello`; `UPDATE_GOLDEN=1 cargo test -p trilith-eval published` writes them.

use std::collections::BTreeMap;

use trilith_base::Artifact;

use super::{FEATURES, Polynomial};

const TABLES: [(&str, &str); 6] = [
    ("a", include_str!("../../../data/othilie/a.txt")),
    ("b", include_str!("../../../data/othilie/b.txt")),
    ("c", include_str!("../../../data/othilie/c.txt")),
    ("d", include_str!("../../../data/othilie/d.txt")),
    ("e", include_str!("../../../data/othilie/e.txt")),
    ("f", include_str!("../../../data/othilie/f.txt")),
];
const EXPERIMENTS: usize = 3;

/// All of them by name, `a1` to `f3`. Those of group A lack feature 2, whose row the source's text does not have; it
/// weighs nothing and the header says so.
pub fn all() -> Vec<(String, Artifact)> {
    let experiments =
        TABLES.into_iter().flat_map(|table| (1..=EXPERIMENTS).map(move |number| (table, number)));
    experiments
        .map(|((group, text), number)| (format!("{group}{number}"), artifact(group, text, number)))
        .collect()
}

fn artifact(group: &str, text: &str, experiment: usize) -> Artifact {
    let (weights, missing) = column(text, experiment);
    let table = group.bytes().next().map_or(0, |letter| letter - b'a' + 1);
    let source = format!("S1, appendix B.{table}, group {}, experiment {experiment}", group.to_uppercase());
    let provenance = BTreeMap::from([("source".into(), source)]);
    let mut artifact = Polynomial::new(weights).to_artifact(provenance);
    if !missing.is_empty() {
        let missing = missing.iter().map(|number| format!("feature {number}")).collect::<Vec<_>>().join(", ");
        artifact.header.settings.insert("incomplete".into(), format!("weight unknown: {missing}"));
    }
    artifact
}

/// The weights of an experiment and the numbers of features that the table lacks.
fn column(text: &str, experiment: usize) -> ([f64; FEATURES], Vec<usize>) {
    let mut weights = [None; FEATURES];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut numbers =
            line.split(' ').map(|word| word.parse::<f64>().expect("a shipped table of numbers"));
        let feature = numbers.next().expect("a shipped table with feature numbers") as usize;
        weights[feature - 1] = numbers.nth(experiment - 1);
    }
    let missing = (1..=FEATURES).filter(|&number| weights[number - 1].is_none()).collect();
    (weights.map(Option::unwrap_or_default), missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn tables_are_complete_but_for_feature_2_of_group_a() {
        for (group, text) in TABLES {
            let (weights, missing) = column(text, 1);
            assert_eq!(missing, if group == "a" { vec![2] } else { vec![] });
            assert!(weights.iter().all(|weight| weight.abs() <= 1.0));
        }
        assert_eq!(column(TABLES[4].1, 1).0[41], -1.0);
        assert_eq!(column(TABLES[4].1, 3).0[14], 8.98e-4);
    }

    #[test]
    fn shipped_files_are_those_of_the_tables() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/othello");
        for (name, artifact) in all() {
            let path = folder.join(format!("polynomial-{name}.safetensors"));
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                artifact.save(&path).unwrap();
            }
            assert_eq!(Artifact::load(&path).unwrap(), artifact, "{name}");
        }
    }
}
