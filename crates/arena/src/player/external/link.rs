//! A running program and the lines to and from it. Nothing here waits longer than it is told to.
//!
//! Reading and writing have threads of their own: a program that neither reads nor writes blocks only them, and its end
//! frees them. Lines wait in a short queue, so that a flood stops at the program and not in our memory.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use trilith_search::Control;

use super::log::{Log, Tail};
use super::{Settings, shortened};
use crate::player::PlayerFault;
use crate::protocol::lines::{InputLine, InputLines};

/// Lines that may wait to be heard.
const QUEUE: usize = 1024;
/// Lines without meaning that a program may say before one that has.
const MOST_NOISE: usize = 10_000;
/// How often a waiting player looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(2);
/// What a program gets to go by itself.
const LEAVE: Duration = Duration::from_millis(200);
/// What the last lines of its standard error get to arrive.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// What a line means to the one who waits.
pub(crate) enum LineMeaning<T> {
    /// What was waited for.
    Answer(T),
    /// Allowed by the protocol, and of no interest.
    Chatter,
    /// Nothing that the protocol knows.
    Noise,
}

/// What is waited for.
pub(crate) struct Wait<'a> {
    /// What was asked, for reports.
    pub(crate) command: &'a str,
    pub(crate) longest: Duration,
    /// What would be right, for reports.
    pub(crate) expected: &'static str,
    /// When and how the program is told to stop.
    pub(crate) stop: Option<Stop<'a>>,
}

/// When and how a program is told to stop.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'a> {
    /// Whose stop is passed on.
    pub(crate) control: &'a Control,
    /// In which words.
    pub(crate) word: &'a str,
    /// For programs that do not look at the time themselves.
    pub(crate) after: Option<Duration>,
}

/// A running program. Dropping it ends it, and all it has started.
pub(crate) struct Link {
    child: Child,
    to: Sender<String>,
    from: Receiver<InputLine>,
    stderr: Arc<Tail>,
    log: Option<Arc<Log>>,
}

impl Link {
    pub(crate) fn start(settings: &Settings) -> Result<Link, PlayerFault> {
        let failed = |error: std::io::Error| PlayerFault::Start {
            program: settings.program.to_string_lossy().into_owned(),
            reason: error.to_string(),
        };
        let mut command = Command::new(&settings.program);
        command.args(&settings.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &settings.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let log = settings.log.as_deref().map(Log::open).transpose().map_err(failed)?;
        let mut child = command.spawn().map_err(failed)?;
        let log = log.map(|log| Arc::new(log.of(child.id())));
        let mut input = child.stdin.take().expect("its input is a pipe");
        let output = child.stdout.take().expect("its output is a pipe");
        let (to, lines) = channel::<String>();
        thread::spawn(move || lines.into_iter().all(|line| input.write_all(line.as_bytes()).is_ok()));
        let (voice, from) = sync_channel(QUEUE);
        thread::spawn(move || InputLines::new(output).all(|line| voice.send(line).is_ok()));
        let errors = child.stderr.take().expect("its standard error is a pipe");
        let stderr = Arc::new(Tail::default());
        let (tail, noted) = (Arc::clone(&stderr), log.clone());
        thread::spawn(move || {
            for line in InputLines::new(errors) {
                let text = match line {
                    InputLine::Text(text) => text,
                    InputLine::TooLong => "(a line without end)".into(),
                };
                noted.iter().for_each(|log| log.write("!", &text));
                tail.add(&text);
            }
        });
        Ok(Link { child, to, from, stderr, log })
    }

    /// The fault with what the program has written to its standard error last, if it has.
    pub(crate) fn explain(&self, fault: PlayerFault) -> PlayerFault {
        // What a program writes before it ends is read by another thread: it gets a moment.
        thread::sleep(LAST_WORDS);
        match (fault, self.stderr.text()) {
            (PlayerFault::Resigned, _) => PlayerFault::Resigned,
            (fault, Some(tail)) => PlayerFault::Explained { fault: Box::new(fault), tail },
            (fault, None) => fault,
        }
    }

    /// Says a line; whether it is heard shows in the answer.
    pub(crate) fn say(&mut self, line: &str) {
        self.note(">", line);
        let _ = self.to.send(format!("{line}\n"));
    }

    fn note(&self, sign: &str, line: &str) {
        self.log.iter().for_each(|log| log.write(sign, line));
    }

    /// The first line that `meaning` takes for the answer.
    pub(crate) fn hear<T>(
        &mut self,
        wait: &Wait,
        mut meaning: impl FnMut(&str) -> Result<LineMeaning<T>, PlayerFault>,
    ) -> Result<T, PlayerFault> {
        let (mut since, mut stop) = (Instant::now(), wait.stop);
        let (mut noise, mut last_noise) = (0, None);
        loop {
            let is_due = |stop: &mut Stop| {
                stop.control.is_stopped() || stop.after.is_some_and(|after| since.elapsed() >= after)
            };
            if let Some(stop) = stop.take_if(is_due) {
                self.say(stop.word);
                since = Instant::now();
            }
            let left = wait.longest.saturating_sub(since.elapsed());
            let heard = self.from.recv_timeout(if stop.is_some() { left.min(LOOK) } else { left });
            match heard {
                Ok(InputLine::Text(line)) => {
                    self.note("<", &line);
                    match meaning(&line)? {
                        LineMeaning::Answer(answer) => return Ok(answer),
                        LineMeaning::Noise if !line.trim().is_empty() => {
                            noise += 1;
                            last_noise = Some(line);
                        }
                        _ => {}
                    }
                }
                Ok(InputLine::TooLong) => return Err(garbage(wait, "a line without end")),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(wait)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            match last_noise {
                Some(line) if noise > MOST_NOISE || since.elapsed() >= wait.longest => {
                    return Err(garbage(wait, &line));
                }
                None if since.elapsed() >= wait.longest => {
                    return Err(PlayerFault::Timeout {
                        command: shortened(wait.command),
                        limit: wait.longest,
                    });
                }
                _ => {}
            }
        }
    }

    fn ended(&self, wait: &Wait) -> PlayerFault {
        let status = self.status().unwrap_or_else(|| "it has closed its output".into());
        PlayerFault::Gone { command: shortened(wait.command), status }
    }

    /// How the program has ended, if it does so soon. It stays a process until it is dropped, so its number stays its.
    #[cfg(unix)]
    fn status(&self) -> Option<String> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let pid = Pid::from_child(&self.child);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let until = Instant::now() + LEAVE;
        while Instant::now() < until {
            if let Ok(Some(status)) = waitid(WaitId::Pid(pid), options) {
                return status
                    .exit_status()
                    .map(|code| format!("exit code {code}"))
                    .or(status.terminating_signal().map(|signal| format!("signal {signal}")));
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    #[cfg(not(unix))]
    fn status(&self) -> Option<String> {
        None
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.kill();
    }

    /// Lets a program that has done nothing wrong go by itself: it may have something to save.
    pub(crate) fn leave(&mut self) {
        self.say("quit");
        let until = Instant::now() + LEAVE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(_) if !left.is_zero() => {}
                _ => return,
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn garbage(wait: &Wait, line: &str) -> PlayerFault {
    PlayerFault::Garbage {
        command: shortened(wait.command),
        answer: shortened(line),
        expected: wait.expected,
    }
}
