//! A visit to the server: what is answered to what it says. No socket, no clock, no thread: all that happens outside.

use std::collections::BTreeMap;
use std::time::Duration;

use trilith_games::othello::Othello;
use trilith_games::{Colour, Game, Record};
use trilith_search::Limits;
use trilith_search::limits::GameClock;

use super::message::{BoardMessage, GgsClock, GgsMessage, GgsResult, PlayedMove, Request, SeatMessage};
use super::settings::GgsSettings;
use crate::sheets::GameSheet;

/// What is to be done.
#[derive(Clone, Debug)]
pub enum GgsStep {
    /// Say this to the server.
    Send(String),
    /// Find a move, and tell [`GgsSession::decided`].
    Think(GgsQuestion),
    /// Nobody need think about this game any more.
    Forget(String),
    /// A game is over.
    Ended(Box<EndedGame>),
    /// Something for people to know.
    Note(String),
    /// All is done.
    Quit,
}

/// A position to find a move in.
#[derive(Clone, Debug)]
pub struct GgsQuestion {
    /// The game, such as `.5.1`.
    pub id: String,
    /// The game so far.
    pub record: Record<Othello>,
    /// By the clock.
    pub limits: Limits,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedGame {
    /// As the server called it.
    pub id: String,
    /// The game with players, result and what they thought.
    pub sheet: GameSheet,
    /// As the server said it: discs of the first player, or words.
    pub result: String,
}

/// A game that goes on.
struct ActiveGame {
    kind: String,
    seats: [SeatMessage; 2],
    record: Record<Othello>,
    comments: Vec<(usize, String)>,
    /// The ply that somebody thinks about.
    asked: Option<usize>,
}

/// A match that goes on, with what is known of it.
struct ActiveMatch {
    is_rated: bool,
}

/// One visit.
pub struct GgsSession {
    settings: GgsSettings,
    is_logged_in: bool,
    has_sent_password: bool,
    is_closing: bool,
    was_refused: bool,
    matches: BTreeMap<String, ActiveMatch>,
    games: BTreeMap<String, ActiveGame>,
    /// Matches that are over.
    played: u64,
    /// Our own request, while the server has it.
    request: Option<String>,
    /// How long ago something was asked for, in ticks.
    since_request: Duration,
}

/// A request that nobody has taken up, or that the server has lost, is repeated after this.
const PATIENCE: Duration = Duration::from_secs(60);

impl GgsSession {
    /// At its beginning.
    pub fn new(settings: GgsSettings) -> GgsSession {
        GgsSession {
            settings,
            is_logged_in: false,
            has_sent_password: false,
            is_closing: false,
            was_refused: false,
            matches: BTreeMap::new(),
            games: BTreeMap::new(),
            played: 0,
            request: None,
            since_request: PATIENCE,
        }
    }

    /// Answers a message.
    pub fn hear(&mut self, message: GgsMessage) -> Vec<GgsStep> {
        match message {
            GgsMessage::LoginPrompt if self.has_sent_password => {
                self.was_refused = true;
                vec![GgsStep::Quit]
            }
            GgsMessage::LoginPrompt => vec![GgsStep::Send(self.settings.login.clone())],
            GgsMessage::PasswordPrompt => {
                self.has_sent_password = true;
                vec![GgsStep::Send(self.settings.password.clone())]
            }
            _ if self.has_sent_password && !self.is_logged_in => {
                self.is_logged_in = true;
                let mut steps = self.greeting();
                steps.extend(self.hear(message));
                steps
            }
            GgsMessage::Request(request) => self.requested(&request),
            GgsMessage::RequestGone(id) => {
                self.request = self.request.take().filter(|known| *known != id);
                Vec::new()
            }
            GgsMessage::MatchBegun { id, players, is_rated } if players.contains(&self.settings.login) => {
                let note = format!("{id}: {} against {}", players[0], players[1]);
                self.matches.insert(id, ActiveMatch { is_rated });
                vec![GgsStep::Note(note)]
            }
            GgsMessage::Board(board) => self.board(&board),
            GgsMessage::GameEnded(ending) => self.end_game(&ending.id.clone(), &ending),
            GgsMessage::MatchEnded(ending) => self.end_match(&ending),
            GgsMessage::Fault(text) => vec![GgsStep::Note(format!("the server: {text}"))],
            GgsMessage::MatchBegun { .. } | GgsMessage::Other => Vec::new(),
        }
    }

    /// Whether the server did not want name or password.
    pub fn was_refused(&self) -> bool {
        self.was_refused
    }

    /// What is said first, once the server knows us.
    fn greeting(&self) -> Vec<GgsStep> {
        let open = format!("tell /os open {}", self.settings.open);
        let commands = [
            "verbose -news -faq -help -ack",
            "tell /os client -",
            "tell /os rated +",
            "tell /os trust +",
            &open,
        ];
        commands.map(|command| GgsStep::Send(command.to_owned())).into()
    }

    /// Time has passed: asks for a match if there should be one. Silence longer than some minutes would end the visit.
    pub fn tick(&mut self, passed: Duration) -> Vec<GgsStep> {
        self.since_request = self.since_request.saturating_add(passed);
        let is_free = self.is_logged_in && self.matches.is_empty() && self.request.is_none();
        let Some(seek) = self.settings.seek.as_ref().filter(|_| is_free && !self.is_done()) else {
            return Vec::new();
        };
        if self.since_request < PATIENCE {
            return Vec::new();
        }
        self.since_request = Duration::ZERO;
        vec![GgsStep::Send(format!("tell /os ask {seek}").trim_end().to_owned())]
    }

    /// Ends the visit once all matches are over, and begins no other.
    pub fn close(&mut self) -> Vec<GgsStep> {
        self.is_closing = true;
        match self.matches.is_empty() {
            true => vec![GgsStep::Send("quit".into()), GgsStep::Quit],
            false => vec![
                GgsStep::Send("tell /os open 0".into()),
                GgsStep::Note("the visit ends after the games that go on".into()),
            ],
        }
    }

    fn is_done(&self) -> bool {
        self.is_closing || self.settings.matches.is_some_and(|most| self.played >= most)
    }

    fn requested(&mut self, request: &Request) -> Vec<GgsStep> {
        if request.from == self.settings.login {
            self.request = Some(request.id.clone());
            return Vec::new();
        }
        let is_for_us = request.to.as_ref() == Some(&self.settings.login);
        if !is_for_us && (request.to.is_some() || !self.settings.answer) {
            return Vec::new();
        }
        let is_full = self.matches.len() as u64 >= u64::from(self.settings.open) || self.is_done();
        let fault = if is_full { Some("busy".to_owned()) } else { self.settings.fault(request) };
        match fault {
            None => vec![GgsStep::Send(format!("tell /os accept {}", request.id))],
            Some(fault) if is_for_us => vec![
                GgsStep::Note(format!("{} of {} declined: {fault}", request.id, request.from)),
                GgsStep::Send(format!("tell /os decline {}", request.id)),
            ],
            Some(_) => Vec::new(),
        }
    }

    fn board(&mut self, board: &BoardMessage) -> Vec<GgsStep> {
        let [Some(black), Some(white)] = &board.seats else { return Vec::new() };
        let Some(own) = [(black, Colour::Black), (white, Colour::White)]
            .into_iter()
            .find_map(|(seat, colour)| (seat.name == self.settings.login).then_some(colour))
        else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let seats = [black.clone(), white.clone()];
        let active = match self.games.remove(&board.id).filter(|_| !board.is_whole) {
            Some(active) => follow(active, board),
            None => begin(board),
        };
        let (mut active, is_doubtful) = match active {
            Ok(active) => active,
            Err(fault) => return vec![GgsStep::Note(format!("{}: {fault}", board.id))],
        };
        if is_doubtful {
            steps
                .push(GgsStep::Note(format!("{}: moves are missing, the board is taken as it is", board.id)));
        }
        active.seats = seats;
        let record = &active.record;
        let is_own_turn = record.end().is_none() && record.game().to_move(record.position()) == own;
        if is_own_turn && active.asked != Some(record.len()) {
            active.asked = Some(record.len());
            let limits = self.settings.limits(&active.seats[own as usize].clock);
            steps.push(GgsStep::Think(GgsQuestion { id: board.id.clone(), record: record.clone(), limits }));
        }
        self.games.insert(board.id.clone(), active);
        steps
    }

    /// Plays a move that was found for the position after `ply` moves, if the game is still there.
    pub fn decided(
        &mut self,
        id: &str,
        ply: usize,
        mv: &str,
        value: Option<f64>,
        seconds: f64,
    ) -> Vec<GgsStep> {
        match self.games.get(id) {
            Some(active) if active.record.len() == ply => {
                let mv = if mv == "pass" { "pa" } else { mv };
                let value = value.map_or(String::new(), |value| format!("{value:+.2}"));
                vec![GgsStep::Send(format!("tell /os play {id} {mv}/{value}/{seconds:.2}"))]
            }
            _ => Vec::new(),
        }
    }

    /// Nobody could find a move: the game is given up rather than left hanging.
    pub fn failed(&mut self, id: &str, fault: &str) -> Vec<GgsStep> {
        vec![
            GgsStep::Note(format!("{id}: {fault}; resigning")),
            GgsStep::Send(format!("tell /os resign {id}")),
        ]
    }

    fn end_game(&mut self, id: &str, ending: &GgsResult) -> Vec<GgsStep> {
        let Some(active) = self.games.remove(id) else { return Vec::new() };
        let is_rated = self.matches.get(match_of(id)).is_some_and(|active| active.is_rated);
        let sheet = active.sheet(id, is_rated, ending, &self.settings.date);
        let ended = EndedGame { id: id.into(), sheet, result: ending.result.clone() };
        vec![GgsStep::Forget(id.into()), GgsStep::Ended(Box::new(ended))]
    }

    fn end_match(&mut self, ending: &GgsResult) -> Vec<GgsStep> {
        let ids: Vec<String> = self.games.keys().filter(|id| match_of(id) == ending.id).cloned().collect();
        let mut steps: Vec<GgsStep> = ids.iter().flat_map(|id| self.end_game(id, ending)).collect();
        if self.matches.remove(&ending.id).is_some() {
            self.played += 1;
            self.since_request = PATIENCE;
            steps.push(GgsStep::Note(format!("{} is over: {}", ending.id, ending.result)));
        }
        if self.is_done() && self.matches.is_empty() {
            steps.extend([GgsStep::Send("quit".into()), GgsStep::Quit]);
        }
        steps
    }
}

/// The match of a game: `.5` of `.5` and of `.5.1`.
fn match_of(id: &str) -> &str {
    id.get(1..).and_then(|rest| rest.find('.')).map_or(id, |dot| &id[..=dot])
}

/// A game as its message has it; true if its moves do not lead to its board.
fn begin(board: &BoardMessage) -> Result<(ActiveGame, bool), String> {
    let game = Othello::default();
    let parse = |text: &String| game.parse_position(text).map_err(|fault| fault.to_string());
    let (first, last) = match &board.positions[..] {
        [] => return Err("a game without a board".into()),
        [first, .., last] => (parse(first)?, parse(last)?),
        [only] => (parse(only)?, parse(only)?),
    };
    let open = |start| Record::from_position(game.clone(), start).map_err(|fault| fault.to_string());
    let mut active = ActiveGame {
        kind: board.kind.text.clone(),
        seats: Default::default(),
        record: open(first)?,
        comments: Vec::new(),
        asked: None,
    };
    if board.is_whole && board.positions.len() > 1 {
        let _ = board.moves.iter().try_for_each(|played| active.push(played));
    }
    let is_right = *active.record.position() == last;
    let is_doubtful = !is_right || !board.is_whole;
    if !is_right {
        (active.record, active.comments) = (open(last)?, Vec::new());
    }
    Ok((active, is_doubtful))
}

/// The game one move later; where the moves do not lead to the board, the board is right.
fn follow(mut active: ActiveGame, board: &BoardMessage) -> Result<(ActiveGame, bool), String> {
    let place = |active: &ActiveGame| active.record.game().position_text(active.record.position());
    let Some(now) = board.positions.last() else { return Err("a game without a board".into()) };
    if place(&active) != *now {
        let _ = board.moves.iter().try_for_each(|played| active.push(played));
    }
    if place(&active) == *now { Ok((active, false)) } else { begin(board) }
}

impl ActiveGame {
    fn push(&mut self, played: &PlayedMove) -> Result<(), String> {
        let ply = self.record.len();
        self.record.push_text(&played.text).map_err(|fault| fault.to_string())?;
        let words = [played.value.clone(), played.seconds.as_ref().map(|seconds| format!("{seconds}s"))];
        let words: Vec<String> = words.into_iter().flatten().collect();
        if !words.is_empty() {
            self.comments.push((ply, words.join(" ")));
        }
        Ok(())
    }

    fn sheet(&self, id: &str, is_rated: bool, ending: &GgsResult, date: &str) -> GameSheet {
        let [black, white] = &self.seats;
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut tags = vec![
            tag("Site", "GGS"),
            tag("Date", date),
            tag("Event", &format!("{} {}", self.kind, if is_rated { "rated" } else { "unrated" })),
            tag("Round", id),
            tag("Black", &black.name),
            tag("White", &white.name),
            tag("BlackElo", &black.rating),
            tag("WhiteElo", &white.rating),
            tag("Score", &ending.result),
        ];
        if self.record.end().is_none() {
            tags.push(tag("Result", self.stated(ending)));
            tags.push(tag("Termination", &ending.result));
        }
        tags.retain(|(_, value)| !value.is_empty());
        GameSheet::of(&self.record, tags, self.comments.clone())
    }

    /// The result of a game that ended before its end, for Black.
    fn stated(&self, ending: &GgsResult) -> &'static str {
        let discs = ending.result.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        let is_first = ending.first.as_ref().is_some_and(|first| *first == self.seats[0].name);
        match discs.filter(|_| ending.first.is_some()).map(|discs| if is_first { discs } else { -discs }) {
            Some(discs) if discs > 0.0 => "1-0",
            Some(discs) if discs < 0.0 => "0-1",
            Some(_) => "1/2-1/2",
            None => "*",
        }
    }
}

impl GgsSettings {
    /// What a move may take: the clock less what the network needs; the extension is there for accidents.
    fn limits(&self, clock: &GgsClock) -> Limits {
        const LEAST: Duration = Duration::from_millis(100);
        let left = if clock.left.is_zero() { clock.extension } else { clock.left };
        let left = left.saturating_sub(self.reserve).max(LEAST);
        Limits { clock: Some(GameClock { left, increment: clock.increment }), ..Limits::default() }
    }
}
