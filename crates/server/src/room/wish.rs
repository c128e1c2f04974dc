//! What the opener of a table wishes for: who sits where. Specs from clients are checked before anything is made.

use serde::Deserialize;
use trilith_arena::PlayerSpec;
use trilith_arena::player::levels;

use super::seat::{Holder, Kind, Seat};
use crate::fault::Fault;
use crate::names;

/// Who is to sit at one side.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Wish {
    Human {
        #[serde(default)]
        name: Option<String>,
    },
    Open {},
    Engine(Strength),
    Learning(Strength),
}

/// How an engine is to play: a spec, or the parts of one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strength {
    spec: Option<String>,
    level: Option<u8>,
    depth: Option<u32>,
    time_ms: Option<u64>,
    eval: Option<String>,
    quiescence: Option<u32>,
}

/// The players a client may ask for and the options it may give: none that names a file, starts a program, takes
/// threads of others or memory without bound.
const ALLOWED: &[(&str, &[&str])] = &[
    ("random", &[]),
    ("reference", &[]),
    ("tablebase", &[]),
    ("tricky", &[]),
    ("minimax", &["depth", "time", "eval", "file", "rung", "radius", "round"]),
    (
        "engine",
        &[
            "level",
            "depth",
            "nodes",
            "time",
            "eval",
            "file",
            "quiescence",
            "noise",
            "radius",
            "selectivity",
            "endgame",
        ],
    ),
];

/// The longest an engine may think about a move, if a client says how long.
const LONGEST_MS: u64 = 60_000;

/// The player of networks with a policy, instead of an evaluation that the engine searches with.
pub(crate) const TREE_SEARCH: &str = "mcts";

/// A learned evaluation of the server's own: its name in the catalogue, or [`TREE_SEARCH`], and the file of its weights.
pub(crate) struct WishedWeights {
    pub(crate) evaluation: String,
    pub(crate) file: String,
}

/// Finds what a client calls `run:NAME` or `heuristic:NAME`; clients never name paths.
pub(crate) type Resolve<'a> = &'a dyn Fn(&str) -> Option<WishedWeights>;

/// The spec that `text` from a client stands for, as the server may use it. Names of files are still the client's.
pub(crate) fn checked(text: &str) -> Result<PlayerSpec, Fault> {
    let spec: PlayerSpec = text.parse().map_err(|error| Fault::bad_request(format!("{error}")))?;
    let allowed = ALLOWED.iter().find(|(name, _)| *name == spec.name);
    let Some((_, options)) = allowed else {
        let names = ALLOWED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        return Err(Fault::bad_request(format!(
            "player `{}` cannot be had here: expected {names}",
            spec.name
        )));
    };
    spec.checked(options).map_err(|error| Fault::bad_request(error.to_string()))?;
    spec.number("time", 1, LONGEST_MS).map_err(|error| Fault::bad_request(error.to_string()))?;
    Ok(spec)
}

/// `spec` with its file, if it names one or an evaluation such as `run:NAME`, in the words of the file system.
pub(crate) fn resolved(spec: &PlayerSpec, resolve: Resolve<'_>) -> Result<PlayerSpec, Fault> {
    let mut options = Vec::new();
    for (key, value) in &spec.options {
        let is_learned = key == "eval" && value.contains(':');
        if key != "file" && !is_learned {
            options.push((key.clone(), value.clone()));
            continue;
        }
        let weights = resolve(value).ok_or_else(|| {
            Fault::bad_request(format!(
                "{key} `{value}`: expected what was learned here, such as `run:NAME` or `heuristic:NAME`"
            ))
        })?;
        if weights.evaluation == TREE_SEARCH {
            return Ok(PlayerSpec { name: TREE_SEARCH.into(), options: vec![("file".into(), weights.file)] });
        }
        options.extend(is_learned.then(|| ("eval".into(), weights.evaluation)));
        options.push(("file".into(), weights.file));
    }
    Ok(PlayerSpec { name: spec.name.clone(), options })
}

impl Wish {
    /// The name that a person wants to be called.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Wish::Human { name } => name.as_deref(),
            _ => None,
        }
    }

    /// The seat; a person's is held by `holder`.
    pub(crate) fn seat(&self, holder: &Holder, shown: Option<&str>) -> Result<Seat, Fault> {
        let seat = |kind, name: String, spec, holder| Seat { kind, name, spec, holder };
        Ok(match self {
            Wish::Human { name } => {
                let name = name.as_deref().or(shown).map(names::parse).transpose()?.unwrap_or_default();
                seat(Kind::Human, name, None, holder.clone())
            }
            Wish::Open {} => seat(Kind::Open, String::new(), None, Holder::default()),
            Wish::Engine(strength) => {
                let spec = strength.spec()?;
                seat(Kind::Engine, name(&spec), Some(spec.to_string()), Holder::default())
            }
            Wish::Learning(strength) => {
                let spec = strength.spec()?;
                let name = format!("{}, learning", name(&spec));
                seat(Kind::Learning, name, Some(spec.to_string()), Holder::default())
            }
        })
    }
}

/// What people call a player.
fn name(spec: &PlayerSpec) -> String {
    let mut words = vec![match spec.name.as_str() {
        "engine" => "Trilith".to_owned(),
        other => other.to_owned(),
    }];
    let parts = [("level", "level "), ("depth", "depth "), ("eval", ""), ("file", "")];
    for (key, word) in parts {
        words.extend(spec.get(key).map(|value| format!("{word}{value}")));
    }
    words.extend(spec.get("time").map(|time| format!("{time} ms")));
    words.join(", ")
}

impl Strength {
    fn spec(&self) -> Result<PlayerSpec, Fault> {
        let mut spec = checked(self.spec.as_deref().unwrap_or("engine"))?;
        if let Some(level) = self.level.filter(|level| !levels::LEVELS.contains(level)) {
            return Err(Fault::bad_request(format!("level {level}: expected 1 to 10")));
        }
        let options = [
            ("level", self.level.map(|level| level.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("time", self.time_ms.map(|time| time.to_string())),
            ("eval", self.eval.clone()),
            ("quiescence", self.quiescence.map(|plies| plies.to_string())),
        ];
        for (key, value) in options {
            spec.options.extend(value.map(|value| (key.to_owned(), value)));
        }
        checked(&spec.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(json: &str) -> Result<Seat, Fault> {
        serde_json::from_str::<Wish>(json).unwrap().seat(&Holder::default(), None)
    }

    #[test]
    fn wishes_become_seats() {
        let made = seat(r#"{"kind":"engine","level":5}"#).unwrap();
        assert_eq!((made.name.as_str(), made.spec.as_deref()), ("Trilith, level 5", Some("engine:level=5")));
        let made = seat(r#"{"kind":"learning","depth":4,"eval":"margin","quiescence":2}"#).unwrap();
        assert_eq!(made.spec.as_deref(), Some("engine:depth=4,eval=margin,quiescence=2"));
        assert_eq!(made.kind, Kind::Learning);
        assert_eq!(seat(r#"{"kind":"open"}"#).unwrap().kind, Kind::Open);
        assert_eq!(seat(r#"{"kind":"human","name":" Anna\n "}"#).unwrap().name, "Anna");
    }

    #[test]
    fn no_client_names_a_program_a_path_or_all_the_memory() {
        for spec in [
            "external:gtp:\\\"rm -rf /\\\"",
            "book:x.book+engine",
            "engine:tables=/etc",
            "engine:probcut=/etc/passwd",
            "engine:hash=100000",
            "engine:threads=256",
            "engine:time=3600000",
            "tablebase:folder=/etc",
            "tricky:folder=/etc",
        ] {
            assert!(seat(&format!(r#"{{"kind":"engine","spec":"{spec}"}}"#)).is_err(), "{spec}");
        }
        let spec = checked("engine:eval=mlp,file=/etc/passwd").unwrap();
        assert!(resolved(&spec, &|_| None).is_err());
        assert!(resolved(&checked("engine:eval=run:../x").unwrap(), &|_| None).is_err());
        let weights = |_: &str| Some(WishedWeights { evaluation: "network".into(), file: "w".into() });
        let spec = resolved(&checked("engine:depth=3,eval=run:mine").unwrap(), &weights).unwrap();
        assert_eq!(spec.to_string(), "engine:depth=3,eval=network,file=w");
        let weights = |_: &str| Some(WishedWeights { evaluation: TREE_SEARCH.into(), file: "w".into() });
        let spec = resolved(&checked("engine:depth=3,eval=run:mine").unwrap(), &weights).unwrap();
        assert_eq!(spec.to_string(), "mcts:file=w", "a network with a policy plays by tree search");
    }
}
