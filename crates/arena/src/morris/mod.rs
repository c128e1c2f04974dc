//! What Morris has of its own: tables of endgames, players that never err with them, its levels and its protocol.

mod building;
mod endgames;
mod known;
mod mill_client;
mod mill_server;
mod perfect;

use trilith_base::Seed;
use trilith_book::Judge;
use trilith_eval::EvaluationError;
use trilith_eval::morris::Evaluations;
use trilith_games::morris::{Morris, Position, Rules};

use crate::book::examination::{self, Examination};
use crate::kit::{Face, GameKit};
use crate::known::{Enquiry, Knowledge};
use crate::player::external::uci as client;
use crate::player::levels::{COUNT, Level, nodes, plies};
use crate::player::{self, Player, PlayerError};
use crate::protocol::GameProtocol;
use crate::protocol::server::ServerSession;
use crate::protocol::uci as server;
use crate::spec::PlayerSpec;
use crate::tablebase::Tablebase;
use mill_client::MillClient;
use mill_server::MillServer;

impl GameKit<Morris> for Evaluations {
    type Endgames = endgames::MorrisEndgames;

    const LEVELS: [Level; COUNT] = [
        plies(1, 4_000).rated(367),
        plies(1, 2_100).rated(531),
        plies(1, 1_400).rated(702),
        plies(1, 800).rated(930),
        plies(2, 800).rated(1067),
        plies(2, 300).rated(1245),
        plies(3, 250).rated(1382),
        plies(4, 0).rated(1516),
        plies(5, 0).rated(1670),
        nodes(40, 1_000_000).rated(1822),
    ];

    const PROTOCOLS: &'static [GameProtocol<Morris>] = &[GameProtocol {
        name: "uci-mill",
        limits: &["depth", "nodes"],
        serve: |desk, channel| {
            ServerSession::boxed(desk, channel, server::UciServer::new(MillServer::default()))
        },
        speak: || Box::new(client::UciProgram::new(MillClient)),
    }];

    const PERFT_WORKLOADS: &'static [(&'static str, u32)] = &[("", 7)];

    /// S2's (2.9): the first 18 plies place.
    const STAGES: &'static [(&'static str, usize, usize)] = &[("placing", 2, 16), ("moving", 19, 60)];

    const WORDS: &'static str = include_str!("words.json");
    const FACES: &'static [Face] = &[
        Face::perfect("perfect", "tablebase"),
        Face::perfect("tricky", "tricky"),
        Face::published("muehleStandard", "engine:depth=4,eval=standard"),
        Face::published("muehleMulti", "engine:depth=4,eval=multi"),
    ];

    fn player(spec: &PlayerSpec, seed: Seed) -> Result<Box<dyn Player<Morris>>, PlayerError> {
        player::make::<Morris, Evaluations>(spec, seed)
    }

    fn judge(examination: &Examination) -> Result<Box<dyn Judge<Morris> + Send>, EvaluationError> {
        examination::make::<Morris, Evaluations>(examination)
    }

    fn phase(_: &Morris, position: &Position, _: usize) -> Option<&'static str> {
        let few = position.own().count_ones().min(position.other().count_ones());
        Some(match (position.in_hand(), few) {
            (0, ..=3) => "flying",
            (0, _) => "moving",
            _ => "placing",
        })
    }

    fn perfect(spec: &PlayerSpec, seed: Seed) -> Option<Result<Box<dyn Player<Morris>>, PlayerError>> {
        Some(perfect::make(spec, seed))
    }

    fn known(enquiry: &Enquiry<'_>, game: &Morris, position: &Position) -> Knowledge {
        Knowledge { tablebase: Some(known::ask(enquiry.library, game, position)), ..Knowledge::default() }
    }

    fn tablebase(rules: &Rules) -> Option<Box<dyn Tablebase>> {
        Some(Box::new(building::Files::of(rules)))
    }
}
