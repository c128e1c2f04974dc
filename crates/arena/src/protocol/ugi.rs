//! UGI, the Universal Game Interface: UCI with clocks of player 1 and 2 and questions about the game, for every game.

use trilith_games::{Colour, Game, MoveList, Record};
use trilith_search::Analysis;

use super::desk::Desk;
use super::uci::{Dialect, first_word, score, shortened};
use crate::player::Decision;

pub(super) struct Ugi;

impl<G: Game> Dialect<G> for Ugi {
    const WORD: &'static str = "ugi";
    const CLOCKS: [&'static str; 2] = ["p1time", "p2time"];
    const INCREMENTS: [&'static str; 2] = ["p1inc", "p2inc"];

    fn options(&self, desk: &Desk<G>) -> Vec<String> {
        let mut options = vec![
            format!("option name player type string default {}", desk.player()),
            format!("option name rules type string default {}", desk.record.game().rules()),
        ];
        let spins = [("threads", "1", "256"), ("hash", "64", "1048576")];
        for (name, usual, most) in spins.into_iter().filter(|(name, ..)| desk.has_option(name)) {
            let value = desk.player().get(name).unwrap_or(usual);
            options.push(format!("option name {name} type spin default {value} min 1 max {most}"));
        }
        options
    }

    fn set_option(&mut self, desk: &mut Desk<G>, name: &str, value: &str) -> Result<(), String> {
        match name {
            "player" => {
                let spec = value.parse().map_err(|error: crate::spec::SpecError| error.to_string())?;
                desk.set_player(spec).map_err(|error| error.to_string())
            }
            "rules" => {
                let rules = value.parse().map_err(|error: trilith_games::RulesError| error.to_string())?;
                desk.record = Record::new(G::new(rules));
                Ok(())
            }
            name => desk.set_option(name, value).map_err(|error| error.to_string()),
        }
    }

    fn play(&mut self, record: &mut Record<G>, moves: &[&str]) -> Result<(), String> {
        for (ply, text) in (1..).zip(moves) {
            record.push_text(text).map_err(|error| format!("ply {ply}: {error}"))?;
        }
        Ok(())
    }

    fn thought(&self, desk: &Desk<G>, analysis: &Analysis<G::Move>) -> Vec<String> {
        let game = desk.record.game();
        let speed = analysis.nodes as f64 / analysis.seconds.max(1e-6);
        let line = |number: usize| {
            let several = analysis.lines.len() > 1;
            let number_text = if several { format!("multipv {} ", number + 1) } else { String::new() };
            let moves: Vec<_> = analysis.lines[number].moves.iter().map(|&mv| game.move_text(mv)).collect();
            let timed = analysis.seconds > 0.0;
            let speed = if timed { format!("nps {} ", speed as u64) } else { String::new() };
            format!(
                "info depth {} seldepth {} {number_text}score {} nodes {} {speed}hashfull {} time {} pv {}",
                analysis.depth,
                analysis.seldepth,
                score(analysis, number, 1),
                analysis.nodes,
                analysis.hash_permille,
                (analysis.seconds * 1000.0) as u64,
                moves.join(" ")
            )
        };
        (0..analysis.lines.len()).map(line).collect()
    }

    fn answer(&mut self, desk: &Desk<G>, decision: Option<Decision<G::Move>>) -> Vec<String> {
        let game = desk.record.game();
        let Some(decision) = decision else { return vec!["bestmove none".into()] };
        let line = decision.analysis.as_ref().and_then(|analysis| analysis.lines.first());
        let reply =
            line.filter(|line| line.moves.first() == Some(&decision.mv)).and_then(|line| line.moves.get(1));
        let ponder = reply.map(|&mv| format!(" ponder {}", game.move_text(mv))).unwrap_or_default();
        vec![format!("bestmove {}{ponder}", game.move_text(decision.mv))]
    }

    fn other(&mut self, desk: &mut Desk<G>, word: &str, rest: &str) -> bool {
        match word {
            "query" => {
                let response = query(&desk.record, first_word(rest).0);
                match response {
                    Some(response) => desk.say(&format!("response {response}")),
                    None => desk.say(&format!(
                        "info string error: unknown query `{}`: expected gameover, p1turn, result, position or moves",
                        shortened(rest)
                    )),
                }
            }
            "d" => {
                let diagram = desk.record.game().diagram(desk.record.position());
                diagram.lines().for_each(|line| desk.say(&format!("info string {line}")));
            }
            _ => return false,
        }
        true
    }
}

fn query<G: Game>(record: &Record<G>, question: &str) -> Option<String> {
    let (game, position) = (record.game(), record.position());
    let first = game.to_move(&game.start());
    let winner = |winner: Option<Colour>| match winner {
        None => "draw",
        Some(colour) if colour == first => "p1win",
        Some(_) => "p2win",
    };
    Some(match question {
        "gameover" => record.end().is_some().to_string(),
        "p1turn" => (game.to_move(position) == first).to_string(),
        "result" => record.end().map_or("none", |end| winner(end.winner)).into(),
        "position" => game.position_text(position),
        "moves" => {
            let mut moves = MoveList::new();
            if record.end().is_none() {
                game.moves(position, &mut moves);
            }
            moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
        }
        _ => return None,
    })
}
