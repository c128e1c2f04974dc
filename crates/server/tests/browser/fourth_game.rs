//! A game that the page has never heard of: everything it draws and offers comes from the server.

use serde_json::{Value, json};

use crate::page::{Page, with_data, with_page};

/// What a person can click on now.
const FREE: &str = "[...document.querySelectorAll('#board .cell.active')]
    .filter((cell) => cell.getAttribute('aria-label').includes('legal target')).map((cell) => cell.dataset.name)";

/// Plays anything until the game is over.
async fn play_on(page: &Page) {
    let turn = format!(
        "return document.querySelector('#message.ended') !== null || document.getElementById('board').ariaBusy === 'false'
           && {FREE}.length > 0"
    );
    for _ in 0..9 {
        page.until(&turn, json!(true)).await;
        let free = page.script(&format!("return {FREE}[0] ?? null")).await;
        match (free.as_str(), page.script("return document.querySelector('#message.ended') !== null").await) {
            (Some(name), Value::Bool(false)) => page.click(name).await,
            _ => return,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_only_tests_know_is_chosen_set_up_played_and_analysed() {
    with_page("fourth", |page| async move {
        page.press(".tile[data-game='tictactoe']").await;
        page.press("#start").await;
        page.table_id().await;
        page.until("return document.querySelectorAll('#board .cell').length", json!(9)).await;
        page.click("b2").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        page.stones("black", &["b2"]).await;
        play_on(&page).await;
        page.until("return document.querySelectorAll('#again, #fresh').length", json!(2)).await;

        page.script("localStorage.setItem('set-analysis', JSON.stringify({ game: 'tictactoe' }))").await;
        page.go("#analyse").await;
        page.until("return document.querySelectorAll('#board .cell').length", json!(9)).await;
        page.play(&["a1", "b2"], &["a1", "b2"]).await;
        page.until("return document.querySelectorAll('#lines li').length > 0", json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_features_are_weighed_and_trained_on_the_page() {
    with_data("fourth-learn", |page| async move {
        page.go("#learn/heuristics").await;
        page.press_soon("#new-heuristic").await;
        page.choose("#heuristic-game", "tictactoe").await;
        page.write("#heuristic-name", "squares").await;
        page.write(".weights .weight:nth-child(2) input[type='number']", "3").await;
        page.press("#save-heuristic").await;
        page.shows("[data-heuristic='squares']", "1 features weighed").await;
        page.press("[data-heuristic='squares'] .train-it").await;
        page.until("return document.getElementById('run-config')?.value.includes('outcomes')", json!(true))
            .await;
        let config = "const area = document.getElementById('run-config');
            area.value = area.value.replace('games = 1500', 'games = 100')";
        page.script(config).await;
        page.press("#begin-run").await;
        page.until("return document.getElementById('run')?.dataset.state", json!("finished")).await;
        page.press("#run .play-it").await;
        page.table_id().await;
        page.click("b2").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
    })
    .await;
}
