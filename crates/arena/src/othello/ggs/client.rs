//! A visit over a socket: one thread listens, one for each game thinks, and this one decides.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use trilith_base::Seed;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record};
use trilith_search::{Control, Limits};

use super::framing::Framer;
use super::message::GgsMessage;
use super::session::{EndedGame, GgsQuestion, GgsSession, GgsStep};
use super::settings::GgsSettings;
use crate::player::{self, Player, PlayerError, Turn};
use crate::spec::PlayerSpec;

/// A visit that went wrong.
#[derive(Debug, thiserror::Error)]
pub enum GgsError {
    /// Nobody is there.
    #[error("no connection to `{address}`: {source}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// The connection broke.
    #[error("the connection to the server broke: {0}")]
    Lost(#[source] io::Error),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Who was told of a game failed.
    #[error(transparent)]
    Report(io::Error),
    /// Name or password are wrong.
    #[error("the server refuses name or password")]
    Refused,
}

/// What is told on the way.
#[derive(Clone, Copy, Debug)]
pub enum GgsEvent<'a> {
    /// A line of the server.
    Received(&'a str),
    /// A line of ours; not the password.
    Sent(&'a str),
    /// Something for people to know.
    Note(&'a str),
    /// A game is over.
    Ended(&'a EndedGame),
}

/// Where and how.
#[derive(Clone, Debug)]
pub struct GgsVisit {
    /// Host and port.
    pub address: String,
    /// What we want there.
    pub settings: GgsSettings,
    /// Who plays.
    pub player: PlayerSpec,
}

enum Event {
    Bytes(Vec<u8>),
    Closed(io::Error),
    Decided { id: String, ply: usize, mv: String, value: Option<f64>, seconds: f64 },
    Failed { id: String, fault: String },
}

/// How often we look for what no event tells.
const LOOK: Duration = Duration::from_millis(100);
/// A message without an end is over after such a silence.
const SILENCE: Duration = Duration::from_millis(300);
/// The server ends visits of who says nothing.
const KEEP_ALIVE: Duration = Duration::from_secs(120);
const PATIENCE: Duration = Duration::from_secs(30);

impl GgsVisit {
    /// Visits until all matches are played, or until `stop`: then the games that go on are played to their end.
    pub fn run(
        &self,
        stop: &AtomicBool,
        mut told: impl FnMut(GgsEvent<'_>) -> io::Result<()>,
    ) -> Result<(), GgsError> {
        drop(make(&self.player)?);
        let refuse = |source| GgsError::Connect { address: self.address.clone(), source };
        let stream = TcpStream::connect(&self.address).map_err(refuse)?;
        stream.set_nodelay(true).and_then(|()| stream.set_write_timeout(Some(PATIENCE))).map_err(refuse)?;
        let (sender, events) = channel();
        listen(stream.try_clone().map_err(refuse)?, sender.clone());
        let mut connection = Connection {
            stream,
            password: self.settings.password.clone(),
            sent: Instant::now(),
            thinkers: Thinkers { player: self.player.clone(), sender, by_game: HashMap::new() },
        };
        let mut session = GgsSession::new(self.settings.clone());
        let ended = connection.talk(&mut session, &events, stop, &mut told);
        let _ = connection.stream.shutdown(std::net::Shutdown::Both);
        ended
    }
}

struct Connection {
    stream: TcpStream,
    password: String,
    sent: Instant,
    thinkers: Thinkers,
}

type EventSink<'a> = &'a mut dyn FnMut(GgsEvent<'_>) -> io::Result<()>;

impl Connection {
    fn talk(
        &mut self,
        session: &mut GgsSession,
        events: &Receiver<Event>,
        stop: &AtomicBool,
        told: EventSink<'_>,
    ) -> Result<(), GgsError> {
        let mut framer = Framer::default();
        let (mut looked, mut heard, mut is_closing) = (Instant::now(), Instant::now(), false);
        loop {
            let mut steps = Vec::new();
            let blocks = match events.recv_timeout(LOOK) {
                Ok(Event::Bytes(bytes)) => {
                    heard = Instant::now();
                    framer.feed(&bytes)
                }
                Ok(Event::Closed(fault)) => return Err(GgsError::Lost(fault)),
                Ok(Event::Decided { id, ply, mv, value, seconds }) => {
                    steps.extend(session.decided(&id, ply, &mv, value, seconds));
                    Vec::new()
                }
                Ok(Event::Failed { id, fault }) => {
                    steps.extend(session.failed(&id, &fault));
                    Vec::new()
                }
                Err(RecvTimeoutError::Timeout) if heard.elapsed() > SILENCE => framer.silence(),
                Err(_) => Vec::new(),
            };
            for block in blocks {
                told(GgsEvent::Received(&block.head)).map_err(GgsError::Report)?;
                steps.extend(session.hear(GgsMessage::of(&block)));
            }
            steps.extend(session.tick(looked.elapsed()));
            looked = Instant::now();
            if stop.load(Relaxed) && !std::mem::replace(&mut is_closing, true) {
                steps.extend(session.close());
            }
            if self.sent.elapsed() > KEEP_ALIVE {
                steps.push(GgsStep::Send(String::new()));
            }
            for step in steps {
                if self.step(step, told)? {
                    return if session.was_refused() { Err(GgsError::Refused) } else { Ok(()) };
                }
            }
        }
    }

    /// Does one thing; true if it was the last.
    fn step(&mut self, step: GgsStep, told: EventSink<'_>) -> Result<bool, GgsError> {
        let mut tell = |event: GgsEvent<'_>| told(event).map_err(GgsError::Report);
        match step {
            GgsStep::Send(text) => {
                self.sent = Instant::now();
                self.stream.write_all(format!("{text}\n").as_bytes()).map_err(GgsError::Lost)?;
                tell(GgsEvent::Sent(if text == self.password { "(the password)" } else { &text }))?;
            }
            GgsStep::Think(question) => self.thinkers.ask(question),
            GgsStep::Forget(id) => self.thinkers.forget(&id),
            GgsStep::Ended(ended) => tell(GgsEvent::Ended(&ended))?,
            GgsStep::Note(text) => tell(GgsEvent::Note(&text))?,
            GgsStep::Quit => return Ok(true),
        }
        Ok(false)
    }
}

/// Tells of all bytes that come.
fn listen(mut stream: TcpStream, sender: Sender<Event>) {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let event = match stream.read(&mut buffer) {
                Ok(0) => Event::Closed(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => Event::Bytes(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Event::Closed(error),
            };
            let is_over = matches!(event, Event::Closed(_));
            if sender.send(event).is_err() || is_over {
                return;
            }
        }
    });
}

fn make(spec: &PlayerSpec) -> Result<Box<dyn Player<Othello>>, PlayerError> {
    player::player::<Othello, Evaluations>(spec, Seed(1))
}

/// A player for each game, each on a thread of its own: games of a match are played at the same time.
struct Thinkers {
    player: PlayerSpec,
    sender: Sender<Event>,
    by_game: HashMap<String, Thinker>,
}

struct Thinker {
    questions: Sender<(Record<Othello>, Limits, Arc<Control>)>,
    control: Arc<Control>,
}

impl Thinkers {
    fn ask(&mut self, question: GgsQuestion) {
        let GgsQuestion { id, record, limits } = question;
        let control = Arc::new(Control::default());
        let thinker = self.by_game.entry(id.clone()).or_insert_with(|| {
            let (questions, asked) = channel();
            think(id, self.player.clone(), asked, self.sender.clone());
            Thinker { questions, control: Arc::clone(&control) }
        });
        // Whatever it still thinks about is over.
        thinker.control.stop();
        thinker.control = Arc::clone(&control);
        let _ = thinker.questions.send((record, limits, control));
    }

    fn forget(&mut self, id: &str) {
        if let Some(thinker) = self.by_game.remove(id) {
            thinker.control.stop();
        }
    }
}

type Asked = Receiver<(Record<Othello>, Limits, Arc<Control>)>;

/// Thinks about one game until nobody asks any more.
fn think(id: String, spec: PlayerSpec, asked: Asked, sender: Sender<Event>) {
    thread::spawn(move || {
        let mut player = make(&spec);
        for (record, limits, control) in asked {
            let event = match &mut player {
                Ok(player) => decide(&id, &mut **player, &record, limits, &control),
                Err(fault) => Event::Failed { id: id.clone(), fault: fault.to_string() },
            };
            if sender.send(event).is_err() {
                return;
            }
        }
    });
}

fn decide(
    id: &str,
    player: &mut dyn Player<Othello>,
    record: &Record<Othello>,
    limits: Limits,
    control: &Control,
) -> Event {
    let began = Instant::now();
    match player.choose(record, Turn { control, limits }, &mut |_| ()) {
        Ok(decision) => Event::Decided {
            id: id.into(),
            ply: record.len(),
            mv: record.game().move_text(decision.mv),
            value: decision
                .analysis
                .map(|analysis| f64::from(analysis.value()) / f64::from(analysis.unit.one)),
            seconds: began.elapsed().as_secs_f64(),
        },
        Err(fault) => Event::Failed { id: id.into(), fault: fault.to_string() },
    }
}
