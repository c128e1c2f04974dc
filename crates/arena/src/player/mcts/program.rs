//! A program that answers batches of positions; any language will do, `trilith.serve` is one in Python.
//!
//! On its standard input it gets the line `trilith-batch 1 GAME`, then batches: the number of rows (four bytes), and for
//! each row the observation, the number of legal actions (two bytes) and these (two bytes each). To each batch it answers on
//! its standard output, for each row, with a value from -1 to 1 for the side to move and a logit for each of the legal
//! actions, as `f32`. All numbers have their little end first. It ends with its input.

use std::io::{Read, Write};
use std::marker::PhantomData;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use trilith_games::Game;
use trilith_search::mcts::Batch;

use super::Network;
use crate::player::PlayerFault;
use crate::player::external::{find, split};
use crate::spec::{PlayerSpec, SpecError};

/// The program, started when it is first asked and again after it has failed.
pub(super) struct Program<G> {
    words: Vec<String>,
    timeout: Duration,
    running: Option<Running>,
    game: PhantomData<fn() -> G>,
}

struct Running {
    child: Child,
    /// A batch, and how many bytes its answer has.
    to: Sender<(Vec<u8>, usize)>,
    from: Receiver<std::io::Result<Vec<u8>>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<G: Game> Program<G> {
    pub(super) fn new(spec: &PlayerSpec, run: &str, timeout: Duration) -> Result<Program<G>, SpecError> {
        let words = split(run).ok_or_else(|| spec.wrong("run", run, "a command with closed quotes"))?;
        let first =
            words.first().ok_or_else(|| spec.wrong("run", run, "a command such as `python3 my_net.py`"))?;
        find(first, None).ok_or_else(|| spec.wrong("run", first, "a program on this machine"))?;
        Ok(Program { words, timeout, running: None, game: PhantomData })
    }

    fn start(&self) -> Result<Running, PlayerFault> {
        let failed = |error: std::io::Error| PlayerFault::Start {
            program: self.words[0].clone(),
            reason: error.to_string(),
        };
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let mut input = child.stdin.take().expect("its input is a pipe");
        let mut output = child.stdout.take().expect("its output is a pipe");
        let (to, batches) = channel::<(Vec<u8>, usize)>();
        let (answers, from) = channel();
        let greeting = format!("trilith-batch 1 {}\n", G::NAME);
        thread::spawn(move || {
            let mut greeted = input.write_all(greeting.as_bytes());
            for (batch, length) in batches {
                let mut answer = vec![0; length];
                let asked = std::mem::replace(&mut greeted, Ok(()))
                    .and_then(|()| input.write_all(&batch))
                    .and_then(|()| input.flush())
                    .and_then(|()| output.read_exact(&mut answer));
                if answers.send(asked.map(|()| answer)).is_err() {
                    return;
                }
            }
        });
        Ok(Running { child, to, from })
    }

    fn ask(&mut self, batch: &Batch) -> Result<Vec<u8>, PlayerFault> {
        let command = || format!("a batch of {}", batch.len());
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let length = 4 * (batch.len() + batch.legal.len());
        let gone = |status: String| PlayerFault::Gone { command: command(), status };
        running.to.send((bytes::<G>(batch), length)).map_err(|_| gone("it has closed its input".into()))?;
        let heard = running.from.recv_timeout(self.timeout);
        let answer = heard.map_err(|_| PlayerFault::Timeout { command: command(), limit: self.timeout })?;
        let answer = answer.map_err(|error| gone(error.to_string()))?;
        // Only one that has answered is asked again.
        self.running = Some(running);
        Ok(answer)
    }
}

/// The batch as it goes to the program.
fn bytes<G: Game>(batch: &Batch) -> Vec<u8> {
    let size = G::OBSERVATION.iter().product();
    let mut bytes = (batch.len() as u32).to_le_bytes().to_vec();
    let mut legal = batch.legal.iter();
    for (observation, &count) in batch.observations.chunks_exact(size).zip(&batch.counts) {
        bytes.extend_from_slice(observation);
        bytes.extend_from_slice(&(count as u16).to_le_bytes());
        bytes.extend(legal.by_ref().take(count).flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

impl<G: Game> Network for Program<G> {
    fn answer(&mut self, batch: &Batch) -> Result<(Vec<f32>, Vec<f32>), PlayerFault> {
        let answer = self.ask(batch)?;
        let mut numbers =
            answer.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let mut legal = batch.legal.iter();
        let mut logits = vec![0.0; batch.len() * G::ACTIONS];
        let mut values = Vec::with_capacity(batch.len());
        for (row, &count) in logits.chunks_exact_mut(G::ACTIONS).zip(&batch.counts) {
            values.extend(numbers.next());
            for &number in legal.by_ref().take(count) {
                row[usize::from(number)] = numbers.next().unwrap_or_default();
            }
        }
        if let Some(wrong) = values.iter().find(|value| !(-1.001..=1.001).contains(*value)) {
            self.running = None;
            let (command, expected) = (format!("a batch of {}", batch.len()), "values from -1 to 1");
            return Err(PlayerFault::Garbage { command, answer: wrong.to_string(), expected });
        }
        Ok((logits, values))
    }
}
