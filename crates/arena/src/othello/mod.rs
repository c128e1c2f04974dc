//! What Othello has of its own: endings solved for books, files of games, its levels, its protocols and its server.

mod formats;
pub mod ggs;
mod gtp_client;
mod gtp_server;
mod known;
mod leaves;
mod nboard_client;
mod nboard_server;
mod openings;
mod prover;

use std::sync::Arc;

use trilith_base::Seed;
use trilith_book::{EndgameProver, Judge};
use trilith_eval::othello::Evaluations;
use trilith_eval::{EvaluationError, Oracle, Unknowing};
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};

use crate::book::examination::{self, Examination};
use crate::kit::{Face, GameKit};
use crate::known::{Enquiry, Knowledge};
use crate::player::endgames::EndgameSource;
use crate::player::levels::{COUNT, Level, nodes, plies};
use crate::player::{self, Player, PlayerError, PlayerFault};
use crate::protocol::GameProtocol;
use crate::protocol::server::ServerSession;
use crate::sheets::GameFormat;
use crate::spec::PlayerSpec;

impl GameKit<Othello> for Evaluations {
    type Endgames = Unknowing;

    const LEVELS: [Level; COUNT] = [
        plies(1, 17_000).rated(157),
        plies(1, 12_800).rated(358),
        plies(1, 9_000).rated(654),
        plies(2, 7_000).rated(899),
        plies(2, 4_500).rated(1102),
        plies(3, 3_100).rated(1337),
        plies(4, 1_700).rated(1660),
        plies(6, 400).rated(1874),
        plies(8, 0).rated(1989),
        nodes(30, 1_000_000).rated(2213),
    ];

    const PROTOCOLS: &'static [GameProtocol<Othello>] = &[
        GameProtocol {
            name: "gtp",
            limits: &[],
            serve: |desk, channel| ServerSession::boxed(desk, channel, gtp_server::GtpServer::default()),
            speak: || Box::new(gtp_client::GtpClient::default()),
        },
        GameProtocol {
            name: "nboard",
            limits: &["depth"],
            serve: |desk, channel| {
                ServerSession::boxed(desk, channel, nboard_server::NBoardServer::default())
            },
            speak: || Box::new(nboard_client::NBoardClient::default()),
        },
    ];

    const FORMATS: &'static [GameFormat<Othello>] = formats::FORMATS;

    const PERFT_WORKLOADS: &'static [(&'static str, u32)] = &[("", 11)];

    const STAGES: &'static [(&'static str, usize, usize)] = &[("early", 2, 20), ("late", 21, 45)];

    const WORDS: &'static str = include_str!("words.json");
    const FACES: &'static [Face] = &[
        Face::published("othilie", "minimax:depth=4,eval=polynomial-f3"),
        Face::published("reversi", "minimax:depth=1,eval=mlp"),
        Face::published("logistello", "minimax:depth=4,eval=log"),
    ];

    fn player(spec: &PlayerSpec, seed: Seed) -> Result<Box<dyn Player<Othello>>, PlayerError> {
        player::make::<Othello, Evaluations>(spec, seed)
    }

    fn judge(examination: &Examination) -> Result<Box<dyn Judge<Othello> + Send>, EvaluationError> {
        examination::make::<Othello, Evaluations>(examination)
    }

    fn phase(game: &Othello, position: &Position, _: usize) -> Option<&'static str> {
        /// Discs on the board at the most.
        const OPENING: usize = 20;
        const MIDDLEGAME: usize = 44;
        let discs = game.stones(position).into_iter().flatten().count();
        Some(match discs {
            discs if discs <= OPENING => "opening",
            discs if discs <= MIDDLEGAME => "middlegame",
            _ => "endgame",
        })
    }

    fn opening_name(moves: &[String]) -> Option<&'static str> {
        openings::name(moves)
    }

    fn prover(plies: u32) -> Option<Box<dyn EndgameProver<Othello>>> {
        Some(Box::new(prover::Endings::new(plies)))
    }

    fn leaf_oracle(tables: EndgameSource, _: &Othello) -> Result<Arc<dyn Oracle<Othello>>, PlayerFault> {
        Ok(match tables {
            EndgameSource::Off => Arc::new(Unknowing),
            EndgameSource::Usual | EndgameSource::Path(_) => Arc::new(leaves::SolvedLeaves::default()),
        })
    }

    fn known(enquiry: &Enquiry<'_>, game: &Othello, position: &Position) -> Knowledge {
        Knowledge { solver: Some(known::ask(enquiry, game, position)), ..Knowledge::default() }
    }
}
