//! `trilith artifacts`: learned files: what there is, what a file says of itself, whether it is whole, new ones.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use serde::Serialize;
use trilith_arena::readers::reader;
use trilith_base::Artifact;
use trilith_base::artifact::{ArtifactHeader, FORMAT};
use trilith_eval::custom_network;

use crate::output::JsonArgs;

/// List, show and check learned files, or make a new one
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith artifacts list\n  \
    trilith artifacts show artifacts/othello/polynomial-e1.safetensors\n  \
    trilith artifacts verify artifacts\n  \
    trilith artifacts new mine.toml --out mine.safetensors\n\n\
    A definition for `new`:\n  \
    game = \"morris\"\n  \
    features = \"morris-39\"\n  \
    seed = 7\n  \
    [[layers]]\n  \
    nodes = 30\n  \
    activation = \"tanh\"\n  \
    [[layers]]\n  \
    nodes = 3\n  \
    activation = \"logistic\"\n\n\
    It plays at once: `--player engine:eval=network,file=mine.safetensors`.")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// One line for each file in folders
    List {
        /// Files, or folders that are looked through to the bottom
        #[arg(default_value = "artifacts")]
        paths: Vec<PathBuf>,
        /// Print one JSON list
        #[arg(long)]
        json: bool,
    },
    /// Header, provenance and tensors of a file
    Show {
        /// The file
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check files: complete, undamaged, and fit for the evaluation they are for
    Verify {
        /// Files, or folders that are looked through to the bottom
        #[arg(default_value = "artifacts")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        json: JsonArgs,
    },
    /// Give a safetensors file of another program, such as a network trained with PyTorch, a header and a checksum
    Seal {
        /// The file; the texts of its own head become settings
        file: PathBuf,
        /// The game that it is for
        #[arg(long)]
        game: String,
        /// The evaluation that reads it, such as `nnue`; `residual` for networks with a policy (`mcts:file=`)
        #[arg(long)]
        kind: String,
        /// The feature set that the numbers weigh, where the kind asks for one
        #[arg(long, default_value = "")]
        features: String,
        /// Where the numbers come from, such as `--about source="self-play, seed 7"`; may be given several times
        #[arg(long, value_name = "NAME=TEXT", value_parser = provenance)]
        about: Vec<(String, String)>,
        /// The file to write; packed if its name ends in .zst
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        json: JsonArgs,
    },
    /// Make a network with random weights from a definition
    New {
        /// The definition, a TOML file
        definition: PathBuf,
        /// The file to write [default: the definition's name with .safetensors]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        json: JsonArgs,
    },
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List { paths, json } => list(paths, *json),
        Action::Show { file, json } => show(file, *json),
        Action::Verify { paths, json } => verify(paths, *json),
        Action::Seal { file, game, kind, features, about, out, json } => {
            let header = ArtifactHeader {
                format: FORMAT,
                kind: kind.clone(),
                game: game.clone(),
                features: features.clone(),
                provenance: about.iter().cloned().collect(),
                ..ArtifactHeader::default()
            };
            seal(file, header, out, *json)
        }
        Action::New { definition, out, json } => new(definition, out.as_deref(), *json),
    }
}

#[derive(Serialize)]
struct Row {
    file: String,
    bytes: u64,
    #[serde(flatten)]
    content: Content,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Read { kind: String, game: String, features: String, numbers: usize, source: String },
    Refused { fault: String },
}

fn list(paths: &[PathBuf], json: bool) -> anyhow::Result<()> {
    let rows = files(paths)?.iter().map(|path| row(path)).collect::<anyhow::Result<Vec<Row>>>()?;
    if json {
        println!("{}", serde_json::to_string(&rows)?);
        return Ok(());
    }
    println!("{:12} {:9} {:14} {:>9} {:>9}  file", "kind", "game", "features", "numbers", "KiB");
    for Row { file, bytes, content } in &rows {
        let size = *bytes as f64 / 1024.0;
        match content {
            Content::Read { kind, game, features, numbers, .. } => {
                println!("{kind:12} {game:9} {features:14} {numbers:>9} {size:>9.1}  {file}");
            }
            Content::Refused { fault } => println!("{:47} {size:>9.1}  {file}: {fault}", "refused"),
        }
    }
    Ok(())
}

fn row(path: &Path) -> anyhow::Result<Row> {
    let bytes = fs::metadata(path).with_context(|| path.display().to_string())?.len();
    let content = match Artifact::load(path) {
        Ok(Artifact { header, tensors, quantised }) => Content::Read {
            numbers: tensors.values().map(|tensor| tensor.data.len()).sum::<usize>()
                + quantised.values().map(|tensor| tensor.data.len()).sum::<usize>(),
            source: header.provenance.get("source").cloned().unwrap_or_default(),
            kind: header.kind,
            game: header.game,
            features: header.features,
        },
        Err(error) => Content::Refused { fault: error.to_string() },
    };
    Ok(Row { file: path.display().to_string(), bytes, content })
}

fn show(path: &Path, json: bool) -> anyhow::Result<()> {
    let artifact = Artifact::load(path).with_context(|| path.display().to_string())?;
    let shapes: Vec<(&String, &[usize])> = artifact.shapes().collect();
    let checksum = artifact.checksum()?;
    if json {
        let tensors: serde_json::Map<_, _> =
            shapes.iter().map(|(name, shape)| ((*name).clone(), serde_json::json!(shape))).collect();
        let answer =
            serde_json::json!({ "header": artifact.header, "checksum": checksum, "tensors": tensors });
        println!("{answer}");
        return Ok(());
    }
    let header = &artifact.header;
    for (name, value) in [
        ("kind", &header.kind),
        ("game", &header.game),
        ("rules", &header.rules),
        ("features", &header.features),
        ("checksum", &checksum),
    ] {
        println!("{name:12} {}", if value.is_empty() { "-" } else { value });
    }
    for (part, entries) in [("settings", &header.settings), ("provenance", &header.provenance)] {
        for (name, value) in entries {
            println!("{part:12} {name}: {value}");
        }
    }
    for (name, shape) in shapes {
        let numbers = artifact.tensors.get(name).into_iter().flat_map(|tensor| tensor.data.iter().copied());
        let bytes = artifact.quantised.get(name).into_iter().flat_map(|tensor| &tensor.data);
        let (low, high) = numbers
            .chain(bytes.map(|&byte| f32::from(byte)))
            .fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
        println!("{:12} {name} {shape:?}, from {low} to {high}", "tensor");
    }
    Ok(())
}

fn verify(paths: &[PathBuf], json: JsonArgs) -> anyhow::Result<()> {
    let (files, mut refused, mut rows) = (files(paths)?, 0, Vec::new());
    for path in &files {
        let checked = reader(path).map(|reader| reader.to_string());
        let checked = checked.map_err(|fault| crate::output::message(&fault.into()));
        let file = path.display().to_string();
        refused += usize::from(checked.is_err());
        match &checked {
            _ if json.json => {}
            Ok(said) => println!("ok       {file} ({said})"),
            Err(fault) => println!("refused  {file}: {fault}"),
        }
        rows.push(serde_json::json!({ "file": file, "fits": checked.as_ref().ok(), "fault": checked.as_ref().err() }));
    }
    if json.json || refused == 0 {
        let result = serde_json::json!({ "files": rows, "refused": refused });
        json.print(&result, format_args!("{} files, all whole", files.len()));
    }
    if refused > 0 {
        bail!("{refused} of {} files refused", files.len());
    }
    Ok(())
}

/// `NAME=TEXT`.
fn provenance(text: &str) -> Result<(String, String), String> {
    let (name, text) = text.split_once('=').ok_or("expected NAME=TEXT")?;
    Ok((name.into(), text.into()))
}

/// Writes the file with its header, and looks whether the evaluation can be built from it.
fn seal(file: &Path, header: ArtifactHeader, out: &Path, json: JsonArgs) -> anyhow::Result<()> {
    if out.exists() {
        bail!("{} is there already: choose another name with --out", out.display());
    }
    let artifact = Artifact::load_plain(file, header).with_context(|| file.display().to_string())?;
    artifact.save(out)?;
    let said = reader(out).inspect_err(|_| drop(fs::remove_file(out)))?.to_string();
    let (file, out) = (file.display().to_string(), out.display().to_string());
    json.print(&serde_json::json!({ "file": file, "out": out, "fits": said }), format_args!("{out}: {said}"));
    Ok(())
}

fn new(definition: &Path, out: Option<&Path>, json: JsonArgs) -> anyhow::Result<()> {
    let text = fs::read_to_string(definition).with_context(|| definition.display().to_string())?;
    let artifact = custom_network::make(&text).with_context(|| definition.display().to_string())?;
    let out = out.map_or_else(|| definition.with_extension("safetensors"), Path::to_owned);
    if out.exists() {
        bail!("{} is there already: choose another name with --out", out.display());
    }
    artifact.save(&out)?;
    let numbers: usize = artifact.tensors.values().map(|tensor| tensor.data.len()).sum();
    let (out, game) = (out.display().to_string(), &artifact.header.game);
    let definition = definition.display().to_string();
    let result =
        serde_json::json!({ "definition": definition, "out": out, "game": game, "numbers": numbers });
    json.print(&result, format_args!("{out}: {numbers} random weights for {game}"));
    Ok(())
}

/// The files of `paths`: files themselves, and all artifacts in folders and the folders in them, in order.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        collect(path, &mut found, true)?;
    }
    found.sort();
    Ok(found)
}

fn collect(path: &Path, found: &mut Vec<PathBuf>, is_named: bool) -> anyhow::Result<()> {
    let kind = fs::metadata(path).with_context(|| path.display().to_string())?;
    if kind.is_dir() {
        for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
            collect(&entry?.path(), found, false)?;
        }
    } else if is_named || is_artifact(path) {
        found.push(path.to_owned());
    }
    Ok(())
}

fn is_artifact(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".safetensors") || name.ends_with(".safetensors.zst")
}
