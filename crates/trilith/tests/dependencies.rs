//! Dependencies: licences we may ship, the registry as the only source, a reason for each, versions in one place.

#![allow(clippy::unwrap_used)]

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
