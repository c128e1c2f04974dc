//! A game that is nothing but its rules works in the terminal too.
//!
//! `cargo test -p trilith --features tictactoe --test fourth_game`.

#![allow(clippy::unwrap_used)]

mod program;

/// What a command given as words prints.
fn trilith(words: &str, input: &str) -> String {
    program::text(&program::trilith_with(&words.split_whitespace().collect::<Vec<_>>(), input))
}

#[test]
fn it_is_counted_played_analysed_and_listed() {
    assert_eq!(trilith("perft tictactoe --depth 9", "").lines().last(), Some("127872"));
    let text = trilith("play tictactoe --black human --white human", "b2\na1\nnonsense\nc1\na3\na2\nquit\n");
    assert!(text.contains("Not played: `nonsense`") && text.contains("2 XX-"), "{text}");
    let text = trilith("play tictactoe --black engine:depth=9 --white minimax:depth=9 --seed 3", "");
    assert!(text.lines().last().unwrap().starts_with("The game has ended: "), "{text}");
    let text = trilith("analyse tictactoe --depth 9 --json", "");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["value"], 0.0, "{text}");
    assert!(trilith("players", "").contains("level= for tictactoe"));
}

#[test]
fn a_match_and_its_book() {
    let folder = std::env::temp_dir().join(format!("trilith-fourth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = at("games.txt");
    trilith(
        &format!(
            "match tictactoe --a engine:depth=9 --b random --games 6 --openings random:1 --save {games}"
        ),
        "",
    );
    let text = trilith(&format!("book import {} {games} --game tictactoe", at("x.book")), "");
    assert!(text.contains("games added"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn its_games_are_generated_and_counted_and_programs_ask_about_it() {
    let folder = std::env::temp_dir().join(format!("trilith-fourth-data-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let games = folder.join("a.games").to_str().unwrap().to_owned();
    trilith(
        &format!("data generate --game tictactoe --games 30 --random-most 4 --depth 2 --out {games}"),
        "",
    );
    let text = trilith(&format!("data show {games}"), "");
    assert!(text.contains("30 games"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
    let text = trilith("engine tictactoe --protocol ugi", "ugi\nposition fen XX-OO----\ngo depth 3\n");
    assert!(text.contains("bestmove c1"), "{text}");
}
