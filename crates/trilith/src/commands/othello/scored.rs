//! A file of positions with the scores of all their moves, which grows while they are solved.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use trilith_base::files;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::{Problem, obf_text, parse_obf};

/// What is solved already, and where it is kept.
pub struct ScoredFile {
    path: PathBuf,
    text: String,
    known: HashSet<String>,
}

impl ScoredFile {
    /// The file as it is; empty if it is not there.
    pub fn open(path: PathBuf) -> anyhow::Result<ScoredFile> {
        let name = || path.display().to_string();
        let text = if path.exists() { fs::read_to_string(&path).with_context(name)? } else { String::new() };
        let problems = parse_obf(&Othello::default(), &text).with_context(name)?;
        let known = problems.iter().map(|problem| problem.position.text()).collect();
        Ok(ScoredFile { path, text, known })
    }

    /// Whether this position is in it.
    pub fn has(&self, problem: &Problem) -> bool {
        self.known.contains(&problem.position.text())
    }

    /// Adds a position, its moves best first. It is on the disk afterwards, and a kill never leaves half a line.
    pub fn add(&mut self, mut problem: Problem) -> anyhow::Result<()> {
        problem.scores.sort_by_key(|&(_, score)| -score);
        self.known.insert(problem.position.text());
        self.text.push_str(&obf_text(&[problem]));
        files::write_whole(&self.path, self.text.as_bytes()).with_context(|| self.path.display().to_string())
    }
}
