//! `external`: another program, through a protocol.
//!
//! The program is started when it is first asked and again after it has failed. Whatever it does - crash, stall, cheat,
//! flood - `choose` comes back by its deadline with a [`PlayerFault`], and the program is ended together with its children.

pub(crate) mod link;
mod log;
pub(crate) mod uci;

use std::path::{Path, PathBuf};
use std::time::Duration;

use trilith_base::Seed;
use trilith_eval::{Unit, WIN};
use trilith_games::{Game, MoveList, Record};
use trilith_search::{Analysis, Bound, Control, Limits, Line};

use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn};
use crate::kit::GameKit;
use crate::protocol::{GameProtocol, Protocol};
use crate::spec::{PlayerSpec, SpecError};
use link::Link;

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "external",
    options: &[
        "protocol",
        "run",
        "cwd",
        "init",
        "depth",
        "nodes",
        "time",
        "startup",
        "timeout",
        "log",
        "simulations",
    ],
    about: "another program: external:gtp:\"edax -gtp -q\", or protocol=gtp|nboard|uci-mill|ugi with run=COMMAND; \
            cwd=FOLDER, init=\"COMMAND; COMMAND\", depth=, nodes=, time=MS, startup=MS, timeout=MS, log=FILE (at most 64 \
            MiB, then FILE.old); a network: external:batch:\"python3 my_net.py\",simulations=N",
};

/// How long a program may take to begin, if nobody says.
const USUAL_STARTUP: u64 = 10_000;
/// What a program may take beyond its time, and for a move without one, if nobody says.
const USUAL_TIMEOUT: u64 = 10_000;

pub(super) fn make<G: Game, C: GameKit<G>>(spec: &PlayerSpec) -> Result<Box<dyn Player<G>>, PlayerError> {
    let name = spec.get("protocol").unwrap_or_default();
    let protocol: Protocol =
        name.parse().map_err(|_| spec.wrong("protocol", name, Protocol::names(" or ")))?;
    let spoken = protocol.spoken::<G, C>().ok_or_else(|| {
        let game = protocol.only_game().unwrap_or_default();
        let expected = format!("for {}: it is for {game}, and {} is for every game", G::NAME, Protocol::UGI);
        spec.wrong("protocol", name, expected)
    })?;
    let settings = Settings::read(spec, &spoken)?;
    Ok(Box::new(External { settings, speak: spoken.speak, talk: None }))
}

/// What a spec says about a program.
pub(crate) struct Settings {
    program: PathBuf,
    arguments: Vec<String>,
    folder: Option<PathBuf>,
    /// Said after the greeting.
    pub(crate) init: Vec<String>,
    limits: Limits,
    pub(crate) startup: Duration,
    timeout: Duration,
    log: Option<PathBuf>,
}

impl Settings {
    fn read<G: Game>(spec: &PlayerSpec, spoken: &GameProtocol<G>) -> Result<Settings, SpecError> {
        let run = spec.get("run").unwrap_or_default();
        let mut words =
            split(run).ok_or_else(|| spec.wrong("run", run, "a command with closed quotes"))?.into_iter();
        let program = words.next().ok_or_else(|| spec.wrong("run", run, "a command such as `edax -gtp`"))?;
        let folder = spec.get("cwd").map(PathBuf::from);
        if let Some(folder) = folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(spec.wrong("cwd", &folder.to_string_lossy(), "a folder on this machine"));
        }
        let found = find(&program, folder.as_deref())
            .ok_or_else(|| spec.wrong("run", &program, "a program on this machine"))?;
        let milliseconds = |key, usual| -> Result<Duration, SpecError> {
            Ok(Duration::from_millis(spec.number(key, 1, 86_400_000)?.unwrap_or(usual)))
        };
        let init = spec.get("init").unwrap_or_default();
        Ok(Settings {
            program: found,
            arguments: words.collect(),
            init: init.split(';').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(),
            folder,
            limits: limits(spec, spoken)?,
            startup: milliseconds("startup", USUAL_STARTUP)?,
            timeout: milliseconds("timeout", USUAL_TIMEOUT)?,
            log: spec.get("log").map(PathBuf::from),
        })
    }
}

fn limits<G: Game>(spec: &PlayerSpec, spoken: &GameProtocol<G>) -> Result<Limits, SpecError> {
    let name = spoken.name;
    for key in ["depth", "nodes"].into_iter().filter(|key| !spoken.limits.contains(key)) {
        if let Some(value) = spec.get(key) {
            return Err(spec.wrong(key, value, format!("known to {name}: say it to the program in `run`")));
        }
    }
    Ok(Limits {
        depth: spec.number("depth", 1, 128)?.map(|depth| depth as u32),
        nodes: spec.number("nodes", 1, u64::MAX)?,
        time: spec.number("time", 1, 86_400_000)?.map(Duration::from_millis),
        clock: None,
    })
}

/// The words of a command; quotes of either kind keep spaces. Nothing if a quote is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Where a program is: a path from the folder it runs in or from here, or a name on the search path.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = match program.contains(std::path::MAIN_SEPARATOR) {
        true => folder.map(Path::to_owned).into_iter().chain([PathBuf::new()]).collect(),
        false => std::env::split_paths(&std::env::var_os("PATH")?).collect(),
    };
    let found = folders.iter().map(|folder| folder.join(program)).find(|path| path.is_file())?;
    found.canonicalize().ok()
}

/// What is asked of a program for one move.
#[derive(Clone, Copy)]
pub(crate) struct MoveRequest<'a> {
    pub(crate) limits: Limits,
    pub(crate) control: &'a Control,
    pub(crate) timeout: Duration,
}

impl MoveRequest<'_> {
    /// How long the answer may take.
    pub(crate) fn longest(&self) -> Duration {
        let own = self.limits.time.or(self.limits.clock.map(|clock| clock.left)).unwrap_or_default();
        own + self.timeout
    }
}

/// A protocol as the one who asks speaks it.
pub(crate) trait Speaker<G: Game>: Send {
    /// What is said and heard before the first game.
    fn greet(&mut self, link: &mut Link, record: &Record<G>, settings: &Settings) -> Result<(), PlayerFault>;
    /// Tells of a new game, so that the first question finds the program ready.
    fn prepare(&mut self, link: &mut Link, record: &Record<G>, ask: &MoveRequest) -> Result<(), PlayerFault>;
    /// Has the program decide.
    fn ask(
        &mut self,
        link: &mut Link,
        record: &Record<G>,
        ask: &MoveRequest,
    ) -> Result<Decision<G::Move>, PlayerFault>;
    /// Whatever the program is asked next belongs to another game.
    fn forget(&mut self);
}

/// A running program that has been greeted.
struct Talk<G: Game> {
    link: Link,
    speaker: Box<dyn Speaker<G>>,
}

impl<G: Game> Talk<G> {
    fn begin(speak: Speak<G>, settings: &Settings, record: &Record<G>) -> Result<Talk<G>, PlayerFault> {
        let mut link = Link::start(settings)?;
        let mut speaker = speak();
        match speaker.greet(&mut link, record, settings) {
            Ok(()) => Ok(Talk { link, speaker }),
            Err(fault) => Err(link.explain(fault)),
        }
    }
}

/// Makes what speaks a protocol.
pub(crate) type Speak<G> = fn() -> Box<dyn Speaker<G>>;

struct External<G: Game> {
    settings: Settings,
    speak: Speak<G>,
    talk: Option<Talk<G>>,
}

impl<G: Game> External<G> {
    /// Has the running program do something.
    ///
    /// After a fault it is not asked again: what it might still say would be taken for another answer.
    fn with<T>(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        act: impl FnOnce(&mut Talk<G>, &MoveRequest) -> Result<T, PlayerFault>,
    ) -> Result<T, PlayerFault> {
        let mut talk = match self.talk.take() {
            Some(talk) => talk,
            None => Talk::begin(self.speak, &self.settings, record)?,
        };
        let limits = turn.limits_or(&self.settings.limits);
        let ask = MoveRequest { limits, control: turn.control, timeout: self.settings.timeout };
        match act(&mut talk, &ask) {
            Ok(result) => {
                self.talk = Some(talk);
                Ok(result)
            }
            Err(fault) => Err(talk.link.explain(fault)),
        }
    }
}

impl<G: Game> Player<G> for External<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        match forced_pass(record) {
            Some(mv) => Ok(Decision { mv, analysis: None }),
            None => self.with(record, turn, |talk, ask| talk.speaker.ask(&mut talk.link, record, ask)),
        }
    }

    fn prepare(&mut self, record: &Record<G>, limits: &Limits) -> Result<(), PlayerFault> {
        let control = Control::default();
        let turn = Turn { control: &control, limits: *limits };
        self.with(record, turn, |talk, ask| talk.speaker.prepare(&mut talk.link, record, ask))
    }

    /// The program goes on running and is told of a new game; what it makes of that is its own affair.
    fn renew(&mut self, _: Seed) -> bool {
        if let Some(talk) = &mut self.talk {
            talk.speaker.forget();
        }
        true
    }
}

impl<G: Game> Drop for External<G> {
    fn drop(&mut self) {
        if let Some(talk) = &mut self.talk {
            talk.link.leave();
        }
    }
}

/// The pass, where nothing else is legal: programs differ in whether they want to be asked then.
fn forced_pass<G: Game>(record: &Record<G>) -> Option<G::Move> {
    let mut moves = MoveList::new();
    record.game().moves(record.position(), &mut moves);
    moves.first().copied().filter(|&mv| record.game().move_text(mv) == "pass")
}

/// The legal move that a program has named.
pub(crate) fn legal<G: Game>(record: &Record<G>, text: &str) -> Result<G::Move, PlayerFault> {
    record.game().parse_move(record.position(), &shortened(text)).map_err(PlayerFault::Illegal)
}

/// What is kept of a text that may be very long.
pub(crate) fn shortened(text: &str) -> String {
    text.trim().chars().take(100).collect()
}

/// What a program says about its move: hundredths of its own unit, or moves to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ProgramThought {
    pub(crate) hundredths: Option<i32>,
    pub(crate) mate: Option<i32>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl ProgramThought {
    /// As the analysis behind `mv`; nothing if the program has said no value.
    pub(crate) fn analysis<M>(self, mv: M) -> Option<Analysis<M>> {
        let value = match (self.mate, self.hundredths) {
            (Some(moves), _) => moves.signum() * (WIN - 2 * moves.saturating_abs().clamp(0, 1000)),
            (None, hundredths) => hundredths?.clamp(-1_000_000, 1_000_000),
        };
        Some(Analysis {
            lines: vec![Line { value, bound: Bound::Exact, depth: self.depth, moves: vec![mv] }],
            unit: Unit { name: "points", one: 100 },
            depth: self.depth,
            seldepth: self.depth,
            nodes: self.nodes,
            seconds: self.seconds,
            hash_permille: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::{morris, othello};
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        let words = |text| split(text).unwrap();
        assert_eq!(words("edax -gtp  -q"), ["edax", "-gtp", "-q"]);
        assert_eq!(words(r#"'my engine' --name "a 'b'" ''"#), ["my engine", "--name", "a 'b'", ""]);
        assert_eq!(split("edax 'x"), None);
        assert!(words("  ").is_empty());
    }

    #[test]
    fn what_cannot_be_run_or_said_is_named() {
        fn words<G: Game, C: GameKit<G>>(text: &str) -> String {
            make::<G, C>(&text.parse().unwrap()).map(|_| ()).unwrap_err().to_string()
        }
        let fault = words::<Morris, morris::Evaluations>;
        assert!(fault("external").contains("option `protocol`"));
        assert!(fault("external:protocol=ugi").contains("a command such as `edax -gtp`"));
        assert_eq!(
            fault(r#"external:ugi:"no-such-program x""#),
            "player `external`, option `run`: `no-such-program` is not a program on this machine"
        );
        assert!(fault(r#"external:gtp:"cat""#).contains("it is for othello"));
        let depth = words::<Othello, othello::Evaluations>(r#"external:gtp:"cat",depth=4"#);
        assert!(depth.contains("known to gtp"), "{depth}");
        assert!(fault(r#"external:ugi:"cat",cwd=/no/such"#).contains("a folder"));
    }
}
