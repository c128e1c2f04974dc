//! Our server against our client: whole games through every protocol, move for move those of the player itself.

use std::time::{Duration, Instant};

use trilith_arena::player::{self, Player, Turn};
use trilith_arena::{GAMES, GameKit, Protocol, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Game, Record, playout};
use trilith_search::{Control, Limits};

const PROGRAM: &str = env!("CARGO_BIN_EXE_trilith");
const PLAYER: &str = "minimax:depth=1,eval=margin";
const PLIES: usize = 300;

/// A whole game between `PLAYER` behind a protocol and by itself, against `random`.
struct WholeGame {
    protocol: Protocol,
    rules: &'static str,
    /// Random plies before the position that the game starts from.
    set_up: usize,
    /// Whether the program has the first move.
    begins: bool,
}

fn make<G: Game, C: GameKit<G>>(spec: &str, seed: Seed) -> Box<dyn Player<G>> {
    player::player::<G, C>(&spec.parse().unwrap(), seed).unwrap()
}

fn play<G: Game>(mut record: Record<G>, mut players: [Box<dyn Player<G>>; 2]) -> Vec<String> {
    let control = Control::default();
    let start = record.len();
    while record.end().is_none() && record.len() < start + PLIES {
        let player = &mut players[record.len() % 2];
        let turn = Turn { control: &control, limits: Limits::default() };
        let decision = player.choose(&record, turn, &mut |_| ()).unwrap();
        record.push(decision.mv).unwrap();
    }
    record.moves().map(|mv| record.game().move_text(mv)).collect()
}

impl Visitor for WholeGame {
    type Output = ();

    fn visit<G: Game, C: GameKit<G>>(self) {
        let game = G::new(self.rules.parse().unwrap());
        let mut start = game.start();
        for ply in 0..self.set_up {
            let mut rng = Seed(5).derive("ply", ply as u64).rng();
            start = game.play(&start, playout::random_move(&game, &start, &mut rng).unwrap());
        }
        let record = Record::from_position(game, start).unwrap();
        let run =
            format!("'{PROGRAM}' engine {} --protocol {} --player {PLAYER} --seed 3", G::NAME, self.protocol);
        let depth = if self.protocol.name() == "gtp" { "" } else { ",depth=1" };
        let external = format!("external:protocol={},run=\"{run}\",timeout=60000{depth}", self.protocol);
        let seated = |program: Box<dyn Player<G>>| {
            let random = make::<G, C>("random", Seed(9));
            if self.begins { [program, random] } else { [random, program] }
        };
        let through = play(record.clone(), seated(make::<G, C>(&external, Seed(0))));
        let direct = play(record, seated(make::<G, C>(PLAYER, Seed(3))));
        assert!(through.len() > 2);
        assert_eq!(through, direct, "{} {} {}", self.protocol, G::NAME, self.rules);
    }
}

fn named(name: &str) -> Protocol {
    name.parse().unwrap()
}

fn whole_game(game: &str, protocol: Protocol, rules: &'static str, set_up: usize, begins: bool) {
    with_game(game, WholeGame { protocol, rules, set_up, begins }).unwrap();
}

#[test]
fn whole_games_through_every_protocol_are_those_of_the_player_itself() {
    for protocol in Protocol::all() {
        for game in GAMES.iter().filter(|game| protocol.plays(game)) {
            whole_game(game, protocol, "", 0, true);
            whole_game(game, protocol, "", 0, false);
        }
    }
}

#[test]
fn games_from_set_up_positions_and_under_other_rules_as_well() {
    whole_game("othello", named("nboard"), "", 8, true);
    whole_game("othello", Protocol::UGI, "score=discs", 8, false);
    whole_game("morris", named("uci-mill"), "", 9, true);
    whole_game("morris", named("uci-mill"), "flying=off,double-mill=two,quiet-plies=40", 0, false);
    whole_game("morris", Protocol::UGI, "thesis", 6, true);
    whole_game("abalone", Protocol::UGI, "layout=belgian-daisy", 7, true);
}

/// A program behind a program: what was asked of the first is asked of the last.
#[test]
fn limits_and_stops_pass_through() {
    let run = format!("'{PROGRAM}' engine abalone --protocol ugi");
    let mut player = make::<trilith_games::abalone::Abalone, trilith_eval::Margin>(
        &format!("external:ugi:\"{run}\""),
        Seed(0),
    );
    let record = Record::new(trilith_games::abalone::Abalone::default());
    let mut choose = |limits: Limits, stop: Option<Duration>| {
        let control = Control::default();
        let since = Instant::now();
        let turn = Turn { control: &control, limits };
        let decision = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(stop.unwrap_or_default());
                if stop.is_some() {
                    control.stop();
                }
            });
            player.choose(&record, turn, &mut |_| ()).unwrap()
        });
        (decision.analysis.unwrap(), since.elapsed())
    };
    assert_eq!(choose(Limits::depth(3), None).0.depth, 3);
    assert!(choose(Limits::nodes(5000), None).0.nodes <= 6000);
    let (_, elapsed) = choose(Limits::time(Duration::from_millis(300)), None);
    assert!((Duration::from_millis(200)..Duration::from_secs(3)).contains(&elapsed), "{elapsed:?}");
    let (_, elapsed) = choose(Limits::depth(100), Some(Duration::from_millis(200)));
    assert!((Duration::from_millis(200)..Duration::from_secs(3)).contains(&elapsed), "{elapsed:?}");
}
