//! The network as a file: what `training/othello_nnue.py` writes, sealed with a header of ours.
//!
//! `rows` are bytes; all other tensors are whole numbers written as 32-bit ones, and the linear part in discs under its
//! usual names behind `linear.`. The setting `lanes` is a JSON list: the squares of each lane, 0 (a1) to 63 (h8), in the
//! order of their powers of three.

use std::collections::BTreeMap;

use rand::RngExt;
use trilith_base::artifact::{ByteTensor, Tensor};
use trilith_base::{Artifact, ArtifactError, Seed, pages};
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::cache::ValueCache;
use super::kernel::{PairSums, Stack, WeightRow};
use super::lanes::{self, Lanes};
use super::{HALF, HIDDEN, LANES, Nnue, REST, SECOND, STACKS, WIDTH};
use crate::othello::patterns::OthelloPatterns;

/// The kind in headers.
pub const KIND: &str = "nnue";
/// The most squares of a lane: the numbers of more do not fit.
const LONGEST: usize = 10;
const LINEAR: &str = "linear.";

impl Nnue {
    /// Reads a sealed file.
    pub fn from_artifact(artifact: &Artifact) -> Result<Nnue, ArtifactError> {
        artifact.expect(KIND, Othello::NAME)?;
        let lanes = Lanes::new(lanes(artifact)?);
        let weights = artifact.byte_tensor("rows", &[lanes.count(), WIDTH])?;
        let mut rows = pages::defaults::<WeightRow>(lanes.count());
        for (row, number) in rows.iter_mut().zip(lanes.order()) {
            *row = WeightRow::new(weights[number * WIDTH..][..WIDTH].try_into().expect("a whole row"));
        }
        let bias = whole(artifact, "bias", &[WIDTH])?.try_into().expect("the shape was checked");
        Ok(Nnue {
            linear: OthelloPatterns::from_tensors(artifact, LINEAR)?,
            bias: PairSums::new(bias, lanes.squares().len()),
            powers: lanes.powers(),
            lanes,
            rows,
            stacks: stacks(artifact)?,
            kernel: super::kernel_for_cpu(),
            cache: ValueCache::new(),
        })
    }
}

/// A network with random weights, as a file: for benchmarks and tests.
pub fn fresh(seed: Seed) -> Artifact {
    let mut rng = seed.rng();
    let lanes: Vec<Vec<u8>> = fresh_lanes();
    let count = Lanes::new(lanes.clone()).count();
    let data = (0..count * WIDTH).map(|_| rng.random_range(-12..=12)).collect();
    let mut artifact =
        OthelloPatterns::zero(1).to_artifact(BTreeMap::from([("source".into(), "random".into())]));
    artifact.header.kind = KIND.into();
    let texts: Vec<String> = lanes.iter().map(|lane| lane_text(lane)).collect();
    artifact.header.settings.insert("lanes".into(), serde_json::json!(texts).to_string());
    artifact.tensors =
        artifact.tensors.into_iter().map(|(name, tensor)| (format!("{LINEAR}{name}"), tensor)).collect();
    artifact.quantised.insert("rows".into(), ByteTensor { shape: vec![count, WIDTH], data });
    let tensors: [(&str, &[usize], i32); 7] = [
        ("bias", &[WIDTH], 100),
        ("first", &[STACKS, HIDDEN, HALF + 2], 30),
        ("first.bias", &[STACKS, HIDDEN], 2000),
        ("second", &[STACKS, SECOND, 2 * HIDDEN], 60),
        ("second.bias", &[STACKS, SECOND], 2000),
        ("output", &[STACKS, SECOND + HALF], 900),
        ("output.bias", &[STACKS, 1], 9000),
    ];
    for (name, shape, most) in tensors {
        let numbers = shape.iter().product();
        let data = (0..numbers).map(|_| rng.random_range(-most..=most) as f32).collect();
        artifact.tensors.insert(name.into(), Tensor { shape: shape.to_vec(), data });
    }
    artifact
}

/// All rows, columns and long diagonals, and the four corners.
fn fresh_lanes() -> Vec<Vec<u8>> {
    let row = |row: u8| (0..8).map(|column| 8 * row + column).collect();
    let column = |column: u8| (0..8).map(|row| 8 * row + column).collect();
    let diagonals = [(0..8).map(|at| 9 * at).collect(), (0..8).map(|at| 7 * at + 7).collect()];
    let corner = |at: u8| (0..9).map(|cell| at % 2 * 5 + at / 2 * 40 + cell / 3 * 8 + cell % 3).collect();
    (0..8).map(row).chain((0..8).map(column)).chain(diagonals).chain((0..4).map(corner)).collect()
}

fn lane_text(lane: &[u8]) -> String {
    lane.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// The squares of each lane, none twice in one.
fn lanes(artifact: &Artifact) -> Result<Vec<Vec<u8>>, ArtifactError> {
    let text = artifact.header.settings.get("lanes").map_or("", String::as_str);
    let refused = || ArtifactError::Mismatch {
        what: "setting lanes".into(),
        found: text.chars().take(60).collect(),
        expected: format!(
            "a JSON list of 1 to {LANES} texts, each 1 to {LONGEST} different squares from 0 to 63, at most {REST} of them none of \
             the linear patterns"
        ),
    };
    let texts: Vec<String> = serde_json::from_str(text).map_err(|_| refused())?;
    let lane =
        |text: &String| text.split(' ').map(|square| square.parse().ok().filter(|&s| s < 64)).collect();
    let lanes: Option<Vec<Vec<u8>>> = texts.iter().map(lane).collect();
    let is_set = |lane: &Vec<u8>| {
        let set = lane.iter().fold(0_u64, |set, square| set | 1 << square);
        (1..=LONGEST).contains(&lane.len()) && set.count_ones() as usize == lane.len()
    };
    let is_counted = |lanes: &Vec<Vec<u8>>| {
        let rest = lanes.iter().filter(|lane| lanes::pattern(lane).is_none());
        (1..=LANES).contains(&lanes.len()) && rest.count() <= REST
    };
    lanes.filter(|lanes| is_counted(lanes) && lanes.iter().all(is_set)).ok_or_else(refused)
}

/// A tensor of whole numbers that fit `T`.
fn whole<T: TryFrom<i32>>(artifact: &Artifact, name: &str, shape: &[usize]) -> Result<Vec<T>, ArtifactError> {
    let number = |&number: &f32| {
        let whole = number as i32;
        let fits = T::try_from(whole).ok().filter(|_| whole as f32 == number);
        fits.ok_or_else(|| ArtifactError::Mismatch {
            what: format!("a number of tensor {name}"),
            found: number.to_string(),
            expected: format!("a whole number of {} bits", 8 * size_of::<T>()),
        })
    };
    artifact.tensor(name, shape)?.iter().map(number).collect()
}

fn stacks(artifact: &Artifact) -> Result<Box<[Stack]>, ArtifactError> {
    const INPUTS: usize = HALF + 2;
    let first: Vec<i8> = whole(artifact, "first", &[STACKS, HIDDEN, INPUTS])?;
    let first_bias: Vec<i32> = whole(artifact, "first.bias", &[STACKS, HIDDEN])?;
    let second: Vec<i8> = whole(artifact, "second", &[STACKS, SECOND, 2 * HIDDEN])?;
    let second_bias: Vec<i32> = whole(artifact, "second.bias", &[STACKS, SECOND])?;
    let output: Vec<i16> = whole(artifact, "output", &[STACKS, SECOND + HALF])?;
    let output_bias: Vec<i32> = whole(artifact, "output.bias", &[STACKS, 1])?;
    let stack = |at: usize| Stack {
        first: by_four(|out, four| {
            let row = &first[(at * HIDDEN + out) * INPUTS..][..INPUTS];
            std::array::from_fn(|byte| row.get(4 * four + byte).copied().unwrap_or(0))
        }),
        first_bias: part(&first_bias, at, HIDDEN, 0),
        second: by_four(|out, four| part(&second, at * SECOND + out, 2 * HIDDEN, 4 * four)),
        second_bias: part(&second_bias, at, SECOND, 0),
        output_second: part(&output, at, SECOND + HALF, 0),
        output_products: part(&output, at, SECOND + HALF, SECOND),
        output_bias: output_bias[at],
    };
    Ok((0..STACKS).map(stack).collect())
}

/// A layer's weights by four inputs, from those of each output.
fn by_four<const OUT: usize, const FOURS: usize>(
    weights: impl Fn(usize, usize) -> [i8; 4],
) -> [[[i8; 4]; OUT]; FOURS] {
    std::array::from_fn(|four| std::array::from_fn(|out| weights(out, four)))
}

/// `N` numbers of row `row`, from `skip` on.
fn part<T: Copy, const N: usize>(numbers: &[T], row: usize, width: usize, skip: usize) -> [T; N] {
    std::array::from_fn(|at| numbers[row * width + skip + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_survives_its_bytes_and_wrong_ones_are_refused() {
        let artifact = fresh(Seed(3));
        let read = Artifact::parse(&artifact.bytes().unwrap()).unwrap();
        assert_eq!(read, artifact);
        assert!(Nnue::from_artifact(&read).is_ok());
        let refusal = |change: &dyn Fn(&mut Artifact)| {
            let mut artifact = artifact.clone();
            change(&mut artifact);
            Nnue::from_artifact(&artifact).err().unwrap().to_string()
        };
        assert_eq!(refusal(&|a| a.header.kind = "patterns".into()), "kind is `patterns`, expected `nnue`");
        assert_eq!(refusal(&|a| a.quantised.clear()), "no tensor `rows` in it");
        assert_eq!(refusal(&|a| drop(a.tensors.remove("linear.kite"))), "no tensor `linear.kite` in it");
        assert_eq!(
            refusal(&|a| a.tensors.get_mut("output").unwrap().data[5] = 0.5),
            "a number of tensor output is `0.5`, expected `a whole number of 16 bits`"
        );
        for lanes in ["", "[]", "[\"1 1\"]", "[\"64\"]", "[\"0 1 2 3 4 5 6 7 8 9 10\"]", "{"] {
            let text = refusal(&|a| drop(a.header.settings.insert("lanes".into(), lanes.into())));
            assert!(
                text.starts_with(&format!("setting lanes is `{lanes}`, expected `a JSON list of 1 to 48")),
                "{text}"
            );
        }
        let fewer = refusal(&|a| drop(a.header.settings.insert("lanes".into(), "[\"0 1\"]".into())));
        assert!(fewer.starts_with("shape of tensor rows is `["), "{fewer}");
    }
}
