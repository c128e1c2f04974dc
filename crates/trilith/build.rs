//! Notes which state of the sources the program is built from, for the artifacts it makes.

use std::path::Path;
use std::process::Command;

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    let revision = git(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    println!("cargo::rustc-env=TRILITH_REVISION={}", revision.as_deref().unwrap_or("unknown"));
    println!("cargo::rerun-if-changed=build.rs");
    // The log of HEAD grows with every commit.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
}
