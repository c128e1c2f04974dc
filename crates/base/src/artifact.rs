//! Artifacts: learned files (weights, tables) that carry where they come from.
//!
//! A file is plain `safetensors`, so that any tool that reads those reads the numbers; the header stands as JSON under
//! the key `trilith` of its metadata, with a checksum over header and tensors. A file may be packed with zstd as a whole
//! (`.safetensors.zst`), as the large shipped ones are.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde::{Deserialize, Serialize};

use crate::files;

/// What the file is and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactHeader {
    /// Version of this header.
    pub format: u32,
    /// What the numbers are for, such as `polynomial` or `mlp`.
    pub kind: String,
    /// The game they belong to.
    pub game: String,
    /// The rule switches they were made for; empty if they do not matter.
    pub rules: String,
    /// The features that the numbers weigh.
    pub features: String,
    /// Shape, activations and whatever else the kind needs, in its own words.
    pub settings: BTreeMap<String, String>,
    /// Source, seed, configuration, data and parent by name.
    pub provenance: BTreeMap<String, String>,
}

/// Numbers with a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Rows first.
    pub shape: Vec<usize>,
    /// As many as the shape says.
    pub data: Vec<f32>,
}

/// Small whole numbers with a shape, a byte each: what large quantised layers are kept as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteTensor {
    /// Rows first.
    pub shape: Vec<usize>,
    /// As many as the shape says.
    pub data: Vec<i8>,
}

/// A learned file in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Artifact {
    /// What it is.
    pub header: ArtifactHeader,
    /// Its numbers by name.
    pub tensors: BTreeMap<String, Tensor>,
    /// Its small whole numbers by name; most files have none.
    pub quantised: BTreeMap<String, ByteTensor>,
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is not a complete safetensors file.
    #[error("not a complete safetensors file: {0}")]
    Broken(#[from] safetensors::SafeTensorError),
    /// It is packed and cannot be unpacked.
    #[error("cannot be unpacked: {0}")]
    Packed(#[source] io::Error),
    /// It has no header of ours.
    #[error("no Trilith header in it: expected the metadata key `trilith`")]
    Foreign,
    /// The header cannot be read.
    #[error("unreadable header: {0}")]
    Header(#[from] serde_json::Error),
    /// It was written by a later version.
    #[error("header version {found}: this program reads up to {FORMAT}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// Content and checksum disagree.
    #[error("checksum {found}, expected {expected}: the file has been damaged")]
    Checksum {
        /// Of what is there.
        found: String,
        /// As written in the file.
        expected: String,
    },
    /// It is something else than what is needed.
    #[error("{what} is `{found}`, expected `{expected}`")]
    Mismatch {
        /// Which part of the header or which tensor.
        what: String,
        /// As in the file.
        found: String,
        /// As needed.
        expected: String,
    },
    /// A tensor has numbers of another type than we use.
    #[error("tensor `{name}` has type {found}, expected F32 or I8")]
    Type {
        /// Which tensor.
        name: String,
        /// Its type.
        found: String,
    },
    /// A tensor is missing.
    #[error("no tensor `{name}` in it")]
    Missing {
        /// Which one.
        name: String,
    },
}

/// The version of headers written now.
pub const FORMAT: u32 = 1;
const HEADER: &str = "trilith";
const CHECKSUM: &str = "blake3";
/// How zstd files begin.
const PACKED: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const PACKING: i32 = 19;
/// No artifact is larger when unpacked; a hostile file cannot fill the memory.
const LARGEST: u64 = 1 << 30;

impl Artifact {
    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Artifact, ArtifactError> {
        let bytes = fs::read(path).map_err(|source| file_error(path, source))?;
        Artifact::parse(&bytes)
    }

    /// Reads a file that may come from another program: one without a header of ours gets this one, with the file's own
    /// texts as settings, and no checksum is asked for.
    pub fn load_plain(path: &Path, header: ArtifactHeader) -> Result<Artifact, ArtifactError> {
        let bytes = fs::read(path).map_err(|source| file_error(path, source))?;
        match Artifact::parse(&bytes) {
            Err(ArtifactError::Foreign) => Artifact::parse_foreign(&bytes, header),
            known => known,
        }
    }

    fn parse_foreign(bytes: &[u8], mut header: ArtifactHeader) -> Result<Artifact, ArtifactError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let texts = metadata.metadata().iter().flatten();
        header.settings.extend(texts.map(|(key, text)| (key.clone(), text.clone())));
        let (tensors, quantised) = tensors(bytes)?;
        Ok(Artifact { header, tensors, quantised })
    }

    /// Writes a file, whole or not at all; packed if its name ends in `.zst`.
    pub fn save(&self, path: &Path) -> Result<(), ArtifactError> {
        let mut bytes = self.bytes()?;
        if path.extension().is_some_and(|ending| ending == "zst") {
            bytes = zstd::encode_all(&bytes[..], PACKING).map_err(|source| file_error(path, source))?;
        }
        files::write_whole(path, &bytes).map_err(|source| file_error(path, source))
    }

    /// Reads and checks the bytes of a file, packed or not.
    pub fn parse(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
        if bytes.starts_with(&PACKED) {
            let mut plain = Vec::new();
            let reader = zstd::Decoder::with_buffer(bytes).map_err(ArtifactError::Packed)?;
            reader.take(LARGEST).read_to_end(&mut plain).map_err(ArtifactError::Packed)?;
            return Artifact::parse_plain(&plain);
        }
        Artifact::parse_plain(bytes)
    }

    fn parse_plain(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes)?;
        let texts = metadata.metadata().as_ref();
        let text = texts.and_then(|texts| texts.get(HEADER)).ok_or(ArtifactError::Foreign)?;
        let header: ArtifactHeader = serde_json::from_str(text)?;
        if header.format > FORMAT {
            return Err(ArtifactError::Version { found: header.format });
        }
        let expected = texts.and_then(|texts| texts.get(CHECKSUM)).cloned().unwrap_or_default();
        let (tensors, quantised) = tensors(bytes)?;
        let found = checksum_of_file(&header, bytes)?;
        match found == expected {
            true => Ok(Artifact { header, tensors, quantised }),
            false => Err(ArtifactError::Checksum { found, expected }),
        }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Result<Vec<u8>, ArtifactError> {
        let texts = HashMap::from([
            (HEADER.to_owned(), serde_json::to_string(&self.header)?),
            (CHECKSUM.to_owned(), self.checksum()?),
        ]);
        let data: Vec<Vec<u8>> = self.tensors.values().map(Tensor::bytes).collect();
        let views = self.tensors.iter().zip(&data).map(|((name, tensor), data)| {
            Ok((name.as_str(), TensorView::new(Dtype::F32, tensor.shape.clone(), data)?))
        });
        let small: Vec<Vec<u8>> = self.quantised.values().map(ByteTensor::bytes).collect();
        let small = self.quantised.iter().zip(&small).map(|((name, tensor), data)| {
            Ok((name.as_str(), TensorView::new(Dtype::I8, tensor.shape.clone(), data)?))
        });
        let views = views.chain(small).collect::<Result<Vec<_>, ArtifactError>>()?;
        ordered(&serialize(views, Some(texts))?)
    }

    /// Over header and tensors, in hexadecimal.
    pub fn checksum(&self) -> Result<String, ArtifactError> {
        let numbers = self.tensors.iter().map(|(name, it)| (name, &it.shape[..], Cow::Owned(it.bytes())));
        let small = self.quantised.iter().map(|(name, it)| (name, &it.shape[..], Cow::Owned(it.bytes())));
        checksum(&self.header, numbers.chain(small))
    }

    /// Refuses the artifact unless it is of this kind and for this game.
    pub fn expect(&self, kind: &str, game: &str) -> Result<(), ArtifactError> {
        for (what, found, expected) in [("kind", &self.header.kind, kind), ("game", &self.header.game, game)]
        {
            if found != expected {
                return Err(mismatch(what, found, expected));
            }
        }
        Ok(())
    }

    /// Name and shape of every tensor.
    pub fn shapes(&self) -> impl Iterator<Item = (&String, &[usize])> {
        let numbers = self.tensors.iter().map(|(name, tensor)| (name, &tensor.shape[..]));
        numbers.chain(self.quantised.iter().map(|(name, tensor)| (name, &tensor.shape[..])))
    }

    /// The numbers of a tensor that must have this shape.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<&[f32], ArtifactError> {
        let tensor = self.tensors.get(name).ok_or_else(|| ArtifactError::Missing { name: name.into() })?;
        expect_shape(name, &tensor.shape, shape)?;
        Ok(&tensor.data)
    }

    /// The small whole numbers of a tensor that must have this shape.
    pub fn byte_tensor(&self, name: &str, shape: &[usize]) -> Result<&[i8], ArtifactError> {
        let tensor = self.quantised.get(name).ok_or_else(|| ArtifactError::Missing { name: name.into() })?;
        expect_shape(name, &tensor.shape, shape)?;
        Ok(&tensor.data)
    }
}

/// The same file with the keys of its head in order, so that equal artifacts are equal files.
fn ordered(bytes: &[u8]) -> Result<Vec<u8>, ArtifactError> {
    const LENGTH: usize = size_of::<u64>();
    let (length, rest) = bytes.split_at(LENGTH);
    let length = u64::from_le_bytes(length.try_into().expect("eight bytes were split off"));
    let (head, data) = rest.split_at(length as usize);
    // Not a `Value`: whether that keeps its keys in order depends on what else is built with it.
    let head: BTreeMap<String, BTreeMap<String, serde_json::Value>> = serde_json::from_slice(head)?;
    let mut head = serde_json::to_vec(&head)?;
    head.resize(head.len().next_multiple_of(LENGTH), b' ');
    Ok([&(head.len() as u64).to_le_bytes()[..], &head, data].concat())
}

/// The tensors of a file by their type: 32-bit numbers, and bytes with a sign.
type Tensors = (BTreeMap<String, Tensor>, BTreeMap<String, ByteTensor>);

/// Over the header and the name, the shape and the bytes of each tensor, in hexadecimal.
fn checksum<'a>(
    header: &ArtifactHeader,
    tensors: impl Iterator<Item = (&'a String, &'a [usize], Cow<'a, [u8]>)>,
) -> Result<String, ArtifactError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&serde_json::to_vec(header)?);
    for (name, shape, bytes) in tensors {
        hasher.update(&serde_json::to_vec(&(name, shape))?);
        hasher.update(&bytes);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// As [`Artifact::checksum`], from the bytes as they lie in the file: the shipped network has tens of megabytes, and
/// everybody waits for it.
fn checksum_of_file(header: &ArtifactHeader, bytes: &[u8]) -> Result<String, ArtifactError> {
    let file = SafeTensors::deserialize(bytes)?;
    let mut tensors: Vec<(String, TensorView<'_>)> = file
        .tensors()
        .into_iter()
        .filter(|(_, view)| matches!(view.dtype(), Dtype::F32 | Dtype::I8))
        .collect();
    tensors
        .sort_by(|(a, one), (b, other)| (one.dtype() == Dtype::I8, a).cmp(&(other.dtype() == Dtype::I8, b)));
    let parts = tensors.iter().map(|(name, view)| (name, view.shape(), Cow::Borrowed(view.data())));
    checksum(header, parts)
}

/// All tensors of a file.
fn tensors(bytes: &[u8]) -> Result<Tensors, ArtifactError> {
    let (mut tensors, mut small) = (BTreeMap::new(), BTreeMap::new());
    for (name, view) in SafeTensors::deserialize(bytes)?.tensors() {
        let shape = view.shape().to_vec();
        match view.dtype() {
            Dtype::F32 => {
                let numbers = view.data().chunks_exact(4);
                let data = numbers.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
                tensors.insert(name, Tensor { shape, data });
            }
            Dtype::I8 => {
                let data = view.data().iter().map(|&byte| byte as i8).collect();
                small.insert(name, ByteTensor { shape, data });
            }
            // PyTorch's count of the batches that a normalisation has seen: nothing that is weighed.
            Dtype::I64 if name.ends_with("num_batches_tracked") => {}
            other => return Err(ArtifactError::Type { name, found: format!("{other:?}") }),
        }
    }
    Ok((tensors, small))
}

fn expect_shape(name: &str, found: &[usize], expected: &[usize]) -> Result<(), ArtifactError> {
    match found == expected {
        true => Ok(()),
        false => {
            let what = format!("shape of tensor {name}");
            Err(mismatch(&what, &format!("{found:?}"), &format!("{expected:?}")))
        }
    }
}

impl ByteTensor {
    fn bytes(&self) -> Vec<u8> {
        self.data.iter().map(|&number| number as u8).collect()
    }
}

impl Tensor {
    fn bytes(&self) -> Vec<u8> {
        self.data.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
}

fn mismatch(what: &str, found: &str, expected: &str) -> ArtifactError {
    ArtifactError::Mismatch { what: what.into(), found: found.into(), expected: expected.into() }
}

fn file_error(path: &Path, source: io::Error) -> ArtifactError {
    ArtifactError::File { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Artifact {
        let header = ArtifactHeader {
            format: FORMAT,
            kind: "polynomial".into(),
            game: "othello".into(),
            features: "othilie-42".into(),
            provenance: BTreeMap::from([("seed".into(), "7".into())]),
            ..ArtifactHeader::default()
        };
        let weights = Tensor { shape: vec![2, 3], data: vec![0.5, -1.0, 0.0, 1e-9, 3.25, f32::MIN] };
        Artifact { header, tensors: BTreeMap::from([("weights".into(), weights)]), ..Artifact::default() }
    }

    #[test]
    fn bytes_are_kept_beside_numbers_and_belong_to_the_checksum() {
        let mut artifact = sample();
        let rows = ByteTensor { shape: vec![2, 2], data: vec![-127, 0, 1, 127] };
        artifact.quantised.insert("rows".into(), rows);
        assert_ne!(artifact.checksum().unwrap(), sample().checksum().unwrap());
        let read = Artifact::parse(&artifact.bytes().unwrap()).unwrap();
        assert_eq!(read, artifact);
        assert_eq!(read.byte_tensor("rows", &[2, 2]).unwrap(), [-127, 0, 1, 127]);
        let refused = read.byte_tensor("rows", &[4]).unwrap_err().to_string();
        assert_eq!(refused, "shape of tensor rows is `[2, 2]`, expected `[4]`");
        assert_eq!(
            read.byte_tensor("weights", &[2, 3]).unwrap_err().to_string(),
            "no tensor `weights` in it"
        );
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = sample().bytes().unwrap();
        let read = Artifact::parse(&bytes).unwrap();
        assert_eq!(read, sample());
        assert_eq!(read.tensor("weights", &[2, 3]).unwrap()[4], 3.25);
        assert!(read.expect("polynomial", "othello").is_ok());
    }

    #[test]
    fn equal_artifacts_are_equal_files() {
        let bytes = sample().bytes().unwrap();
        assert!((0..20).all(|_| sample().bytes().unwrap() == bytes));
    }

    #[test]
    fn files_of_other_programs_are_read_where_they_may_be() {
        // As PyTorch's `save_file` lays it out: length, names with shapes and offsets, numbers.
        let text =
            r#"{"__metadata__":{"form":"any"},"0.bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes().chain([1.5_f32, -2.0].iter().flat_map(|number| number.to_le_bytes())));
        let path = std::env::temp_dir().join(format!("trilith-foreign-{}.safetensors", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(Artifact::load(&path), Err(ArtifactError::Foreign)));
        let read = Artifact::load_plain(&path, sample().header).unwrap();
        assert_eq!(read.tensor("0.bias", &[2]).unwrap(), [1.5, -2.0]);
        assert_eq!((read.header.kind.as_str(), read.header.settings["form"].as_str()), ("polynomial", "any"));
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Artifact::load_plain(&path, sample().header).is_err());
        sample().save(&path).unwrap();
        assert_eq!(Artifact::load_plain(&path, ArtifactHeader::default()).unwrap(), sample());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn packed_files_are_read_like_plain_ones() {
        let path =
            std::env::temp_dir().join(format!("trilith-packed-{}.safetensors.zst", std::process::id()));
        sample().save(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.starts_with(&PACKED));
        assert_eq!(Artifact::load(&path).unwrap(), sample());
        for cut in 4..bytes.len() {
            assert!(Artifact::parse(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let bytes = sample().bytes().unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(!Artifact::parse(&damaged).is_ok_and(|read| read != sample()), "byte {at}");
            assert!(Artifact::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn refusals_say_why() {
        let read = sample();
        let text = |error: ArtifactError| error.to_string();
        assert_eq!(text(read.expect("mlp", "othello").unwrap_err()), "kind is `polynomial`, expected `mlp`");
        assert_eq!(
            text(read.expect("polynomial", "morris").unwrap_err()),
            "game is `othello`, expected `morris`"
        );
        assert_eq!(
            text(read.tensor("weights", &[6]).unwrap_err()),
            "shape of tensor weights is `[2, 3]`, expected `[6]`"
        );
        assert_eq!(text(read.tensor("bias", &[1]).unwrap_err()), "no tensor `bias` in it");
        let later = Artifact { header: ArtifactHeader { format: 9, ..read.header.clone() }, ..read };
        assert_eq!(
            text(Artifact::parse(&later.bytes().unwrap()).unwrap_err()),
            "header version 9: this program reads up to 1"
        );
    }
}
