//! What a worker gets from a queue, and what players are asked for by others.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Once};

use trilith_arena::book::BookJudgeJob;
use trilith_arena::contest::{GameJob, Host};
use trilith_arena::player::{self, Permission};
use trilith_arena::review::{Judges, ReviewJob};
use trilith_arena::spec::PlayerSpec;
use trilith_base::Artifact;
use trilith_base::artifact::{ArtifactHeader, Tensor};
use trilith_base::job::Skills;
use trilith_eval::features::Described;
use trilith_eval::network::Network;
use trilith_eval::{LeafEvaluator, custom_network};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_learn::data::games::GenerationJob;
use trilith_learn::data::judge::PositionJudgeJob;
use trilith_learn::run::RunConfig;
use trilith_learn::run::grid::RunJob;

use super::edits::edited;

/// As a worker does before its first job: no programs, no files, little memory.
fn be_careful() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| player::restrict(Permission { commands: Vec::new(), hash: 1 }));
}

/// Names that players would read files by: what lies on this machine is not what is tried here.
fn names_files(text: &str) -> bool {
    text.contains('/') || text.contains('\\')
}

/// A job as it arrives: read as every kind, and begun by a worker that is just being stopped.
pub fn queue_job(text: &str) {
    be_careful();
    if names_files(text) {
        return;
    }
    let stop = AtomicBool::new(true);
    if let Ok(job) = serde_json::from_str::<GameJob>(text) {
        let _ = job.key();
        let _ = Host::default().check(&job);
        let _ = Host::default().play(&job, &stop);
    }
    if let Ok(job) = serde_json::from_str::<ReviewJob>(text) {
        let _ = job.key();
        let _ = Judges::default().review(&job, &stop);
    }
    if let Ok(job) = serde_json::from_str::<RunJob>(text) {
        let _ = RunConfig::parse(&job.config);
    }
    let _ = serde_json::from_str::<BookJudgeJob>(text);
    let _ = serde_json::from_str::<GenerationJob>(text);
    let _ = serde_json::from_str::<PositionJudgeJob>(text);
    let stranger = Skills::default().bench().run(text.as_bytes(), &stop);
    assert!(stranger.is_some_and(|answer| answer.is_err()), "nobody does what it has not learnt");
}

/// Texts of players.
pub fn player_spec(text: &str) {
    be_careful();
    let Ok(spec) = text.parse::<PlayerSpec>() else { return };
    assert_eq!(spec.to_string().parse::<PlayerSpec>().as_ref(), Ok(&spec));
}

/// A table as it is stored.
pub fn table_load(text: &str) {
    if let Ok(table) = trilith_arena::table::load(text) {
        let again = trilith_arena::table::load(&table.text()).map(|table| table.view());
        assert_eq!(again, Ok(table.view()));
    }
}

/// What is pasted on the page.
pub fn import_text(text: &str) {
    let Ok(read) = trilith_arena::import::read(text, None, None) else { return };
    let mut table = trilith_arena::table::open(read.game, &read.rules, read.start.as_deref())
        .expect("what was read is a game");
    for mv in &read.moves {
        table.play(mv).expect("what was read can be played");
    }
}

/// Run files and what the page makes of settings.
pub fn run_config(text: &str) {
    let Ok(config) = RunConfig::parse(text) else { return };
    let again = RunConfig::parse(&config.text()).expect("what was written can be read");
    assert_eq!(again.text(), config.text());
}

/// Learned networks: the header and the shapes of a whole one edited, with a checksum that is right again.
pub fn learned_network(edits: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let text = "game = \"morris\"\nfeatures = \"morris-39\"\n[[layers]]\nnodes = 3\nactivation = \"tanh\"\n\
                    [[layers]]\nnodes = 3\nactivation = \"logistic\"\n";
        let file = custom_network::make(text).expect("a network");
        let shapes: BTreeMap<_, _> =
            file.tensors.iter().map(|(name, tensor)| (name, &tensor.shape)).collect();
        serde_json::to_vec(&(&file.header, shapes)).expect("plain data")
    });
    let Ok((header, shapes)) =
        serde_json::from_slice::<(ArtifactHeader, BTreeMap<String, Vec<usize>>)>(&edited(&WHOLE, edits))
    else {
        return;
    };
    let mut file = Artifact { header, ..Artifact::default() };
    for (name, shape) in shapes {
        let Some(count) = shape.iter().try_fold(1_usize, |all, &next| all.checked_mul(next)) else { return };
        if count > 1 << 12 {
            return;
        }
        file.tensors.insert(name, Tensor { shape, data: vec![0.5; count] });
    }
    let bytes = file.bytes().expect("what has sizes can be written");
    let Ok(again) = Artifact::parse(&bytes) else { return };
    judge::<Morris>(&again);
    judge::<Othello>(&again);
    judge::<Abalone>(&again);
}

fn judge<G: Described>(file: &Artifact) {
    let Ok(network) = Network::<G>::load_any(file) else { return };
    let game = G::new(G::Rules::default());
    let _ = network.value(&game, &game.start());
}
