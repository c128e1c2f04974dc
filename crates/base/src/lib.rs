//! What knows no game: seeds, learned files, jobs, journals, files written safely, memory in large pages, text for pages, words
//! compared.
//!
//! Every random number comes from a [`Seed`], derived by name and number, so that a result depends on neither threads nor time.
//! Whatever is learned is an [`Artifact`]: numbers by name, with a header that says what they are and a checksum.
//!
//! ```
//! use trilith_base::artifact::{ArtifactHeader, Tensor};
//! use trilith_base::{Artifact, Seed};
//!
//! let match_seed = Seed(7);
//! assert_eq!(match_seed.derive("game", 17), match_seed.derive("game", 17));
//! assert_ne!(match_seed.derive("game", 17), match_seed.derive("game", 18));
//!
//! let mut learned = Artifact {
//!     header: ArtifactHeader { format: 1, kind: "polynomial".into(), game: "othello".into(), ..ArtifactHeader::default() },
//!     ..Artifact::default()
//! };
//! learned.tensors.insert("weights".into(), Tensor { shape: vec![2], data: vec![0.5, -1.0] });
//! let mut bytes = learned.bytes()?;
//! assert_eq!(Artifact::parse(&bytes)?, learned);
//!
//! *bytes.last_mut().expect("not empty") ^= 1;
//! assert!(Artifact::parse(&bytes).is_err(), "a damaged file is refused");
//! # Ok::<(), trilith_base::ArtifactError>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

pub mod artifact;
pub mod files;
pub mod job;
pub mod journal;
pub mod markup;
pub mod pages;
pub mod plot;
pub mod seed;
pub mod words;

pub use artifact::{Artifact, ArtifactError};
pub use seed::Seed;
