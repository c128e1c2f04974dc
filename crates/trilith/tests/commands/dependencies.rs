//! Dependencies: licences we may ship, the registry as the only source, a reason for each, versions in one place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const LICENCES: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
    "CC0-1.0",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether a licence expression can be met by licences of the list: every `AND` part has an `OR` part that is known.
fn is_allowed(expression: &str) -> bool {
    let parts = expression.replace('/', " OR ").replace(['(', ')'], " ");
    parts.split(" AND ").all(|part| part.split(" OR ").any(|name| LICENCES.contains(&name.trim())))
}

#[test]
fn every_package_has_a_licence_we_may_ship() {
    for package in metadata()["packages"].as_array().unwrap() {
        let licence = package["license"].as_str().unwrap_or("none stated");
        assert!(is_allowed(licence), "{} has the licence `{licence}`", package["name"]);
    }
    assert!(
        !is_allowed("GPL-3.0") && !is_allowed("MIT AND GPL-3.0") && is_allowed("(MIT OR GPL-2.0) AND ISC")
    );
}

#[test]
fn every_package_is_ours_or_from_the_registry() {
    for package in metadata()["packages"].as_array().unwrap() {
        let source = package["source"].as_str().unwrap_or("ours");
        assert!(
            source == "ours" || source.starts_with("registry+"),
            "{} comes from {source}",
            package["name"]
        );
    }
}

#[test]
fn every_dependency_has_its_reason_and_its_version_in_one_place() {
    let reasons = fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let metadata = metadata();
    let ours = |package: &&Value| package["source"].is_null();
    for package in metadata["packages"].as_array().unwrap().iter().filter(ours) {
        let manifest = fs::read_to_string(package["manifest_path"].as_str().unwrap()).unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            let inherited = manifest.contains(&format!("{name}.workspace = true"))
                || manifest.contains(&format!("{name} = {{ workspace = true"));
            assert!(inherited, "{name} in {}: its version belongs in the workspace file", package["name"]);
            let explained = name.starts_with("trilith-") || reasons.contains(&format!("`{name}`"));
            assert!(explained, "docs/dependencies.md does not say why `{name}` is there");
        }
    }
}

/// The crates that others may build on.
const LIBRARIES: [&str; 6] = ["base", "games", "eval", "search", "tablebase", "book"];

#[test]
fn libraries_can_be_packaged() {
    let target = std::env::temp_dir().join(format!("trilith-package-{}", std::process::id()));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--no-verify", "--allow-dirty", "--offline", "--target-dir"]).arg(&target);
    cargo.args(LIBRARIES.iter().flat_map(|name| ["-p".to_owned(), format!("trilith-{name}")]));
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let _ = fs::remove_dir_all(target);
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        if LIBRARIES.iter().any(|library| name == format!("trilith-{library}")) {
            for field in ["description", "readme", "license"] {
                assert!(package[field].is_string(), "{name} has no {field}");
            }
            for field in ["keywords", "categories"] {
                assert!(!package[field].as_array().unwrap().is_empty(), "{name} has no {field}");
            }
        }
    }
}

/// A file outside the crate's folder would not be in its package.
#[test]
fn libraries_include_nothing_from_outside() {
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => sources(&path, found),
                false => found.push(path),
            }
        }
    }
    let mut included = 0;
    for library in LIBRARIES {
        let crate_folder = root().join("crates").join(library);
        let mut files = Vec::new();
        sources(&crate_folder.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for place in text.split("include_").skip(1) {
                let Some(path) = place.split('"').nth(1).filter(|path| path.starts_with("..")) else {
                    continue;
                };
                let ups = path.split('/').take_while(|part| *part == "..").count();
                let depth = file.parent().unwrap().strip_prefix(&crate_folder).unwrap().components().count();
                assert!(ups <= depth, "{}: {path}", file.display());
                included += 1;
            }
        }
    }
    assert!(included > 10, "{included} files were found");
}
