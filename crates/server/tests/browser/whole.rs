//! Whole games of each kind against the computer, by somebody who plays anything that is legal.

use serde_json::{Value, json};
use trilith_base::Seed;

use crate::page::{Page, with_page};

/// What can be clicked on now: the names of cells that do something, `pass`, or how the game stands.
const CHOICES: &str = "
    if (document.querySelector('#message.ended')) return 'over';
    if (document.getElementById('board').ariaBusy !== 'false') return 'wait';
    if (document.getElementById('pass')) return ['pass'];
    const cells = [...document.querySelectorAll('#board .cell.active')];
    const named = (words) => cells.filter((cell) => cell.getAttribute('aria-label').includes(words)).map((cell) => cell.dataset.name);
    for (const words of ['can be removed', 'legal target', 'can move']) if (named(words).length > 0) return named(words);
    return 'wait';";

/// Clicks on one thing after another until the game is over; gives how many clicks it took.
async fn play_on(page: &Page, seed: Seed) -> u64 {
    for clicks in 0..4000 {
        match page.script(CHOICES).await {
            Value::Array(names) => {
                let name = names[seed.derive("click", clicks).0 as usize % names.len()].as_str().unwrap();
                let css =
                    if name == "pass" { "#pass".into() } else { format!("#board .cell[data-name='{name}']") };
                // As a pointer would; a click of the driver itself waits for animations and takes ten times as long.
                let click = format!(
                    "document.querySelector({}).dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))",
                    json!(css)
                );
                page.script(&click).await;
            }
            Value::String(state) if state == "over" => return clicks,
            _ => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    }
    panic!("the game does not end");
}

async fn whole_game(game: &'static str, rules: &'static str) {
    with_page(&format!("whole-{game}"), move |page| async move {
        page.table(json!({ "game": game, "rules": rules,
            "players": { "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } } }))
            .await;
        play_on(&page, Seed(7)).await;
        page.until("return document.querySelectorAll('#again, #fresh').length", json!(2)).await;
        let moves = page.script("return document.querySelectorAll('.move').length").await;
        assert!(moves.as_u64().unwrap() > 8, "{moves}");
        // The end looks the same to somebody who comes later.
        let said = page.script("return document.getElementById('prompt').textContent").await;
        page.driver.refresh().await.unwrap();
        page.until("return document.getElementById('prompt')?.textContent", said).await;
        page.press("#again").await;
        page.until("return document.querySelectorAll('#message.ended').length", json!(0)).await;
        page.until("return document.querySelectorAll('.move').length < 3", json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_othello() {
    whole_game("othello", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_morris() {
    whole_game("morris", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_abalone() {
    whole_game("abalone", "eject=3").await;
}
