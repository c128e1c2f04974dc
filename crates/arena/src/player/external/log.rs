//! What programs say, kept: all of it in a log of limited size, the last lines of their standard error for reports.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::shortened;

/// A log that has grown to so many bytes is put aside as `FILE.old`, in the place of the one before, and begun anew.
const LIMIT: u64 = 64 << 20;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that lines are added to, each with the time (UTC) and the process: `12:34:56.789 4711 > go depth 3`.
pub(super) struct Log {
    path: PathBuf,
    process: u32,
    file: Mutex<(File, u64)>,
    limit: u64,
}

impl Log {
    pub(super) fn open(path: &Path) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let length = file.metadata()?.len();
        Ok(Log { path: path.to_owned(), process: 0, file: Mutex::new((file, length)), limit: LIMIT })
    }

    /// The same log for the program with this number.
    pub(super) fn of(self, process: u32) -> Log {
        Log { process, ..self }
    }

    /// Adds a line; a log that cannot be written is not worth a game.
    pub(super) fn write(&self, sign: &str, line: &str) {
        let text = format!("{} {} {sign} {line}\n", time_of_day(SystemTime::now()), self.process);
        let mut file = lock(&self.file);
        if file.1 + text.len() as u64 > self.limit
            && let Ok(new) = self.begin_anew()
        {
            *file = (new, 0);
        }
        if file.0.write_all(text.as_bytes()).is_ok() {
            file.1 += text.len() as u64;
        }
    }

    fn begin_anew(&self) -> io::Result<File> {
        let mut old = self.path.as_os_str().to_owned();
        old.push(".old");
        fs::rename(&self.path, old)?;
        OpenOptions::new().create(true).append(true).open(&self.path)
    }
}

/// `HH:MM:SS.mmm`, UTC.
fn time_of_day(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let second = since.as_secs() % 86_400;
    format!("{:02}:{:02}:{:02}.{:03}", second / 3600, second / 60 % 60, second % 60, since.subsec_millis())
}

/// The last lines that a program has written to its standard error.
#[derive(Default)]
pub(super) struct Tail(Mutex<VecDeque<String>>);

impl Tail {
    const LINES: usize = 5;

    pub(super) fn add(&self, line: &str) {
        let line = shortened(line);
        if line.is_empty() {
            return;
        }
        let mut lines = lock(&self.0);
        if lines.len() == Tail::LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// All of them in one line; nothing if there are none.
    pub(super) fn text(&self) -> Option<String> {
        let lines = lock(&self.0);
        (!lines.is_empty()).then(|| lines.iter().map(String::as_str).collect::<Vec<_>>().join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_log_has_time_and_process_and_does_not_grow_without_end() {
        let path = std::env::temp_dir().join(format!("trilith-log-{}", std::process::id()));
        let old = path.with_extension("old");
        let log = Log { limit: 200, ..Log::open(&path).unwrap().of(4711) };
        (0..20).for_each(|number| log.write(">", &format!("go {number}")));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.len() <= 200 && text.ends_with(" 4711 > go 19\n"), "{text}");
        assert_eq!(text.lines().next().unwrap().find(' '), Some("12:34:56.789".len()), "{text}");
        assert!(fs::metadata(&old).unwrap().len() <= 200);
        fs::remove_file(path).unwrap();
        fs::remove_file(old).unwrap();
        assert_eq!(time_of_day(UNIX_EPOCH + Duration::from_millis(86_400_000 + 45_296_789)), "12:34:56.789");
    }

    #[test]
    fn a_tail_is_the_last_lines_shortened() {
        let tail = Tail::default();
        assert_eq!(tail.text(), None);
        (0..9).for_each(|number| tail.add(&format!("line {number}")));
        tail.add(" ");
        tail.add(&"x".repeat(1000));
        let text = tail.text().unwrap();
        assert!(text.starts_with("line 5 | line 6 | line 7 | line 8 | xxx") && text.len() < 200, "{text}");
    }
}
