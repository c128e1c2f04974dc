//! What people do with each other on the page: names, challenges, resignations.

use serde_json::json;

use crate::page::Page;

/// Takes a name in the arena.
pub async fn sign_up(page: &Page, name: &str) {
    page.go("#arena").await;
    page.until("return Boolean(document.getElementById('name'))", json!(true)).await;
    page.write("#name", name).await;
    page.press("#take-name").await;
    page.shows("#account-name", name).await;
}

/// Anna challenges with Black; gives the table where Bert accepted.
pub async fn challenge(anna: &Page, bert: &Page, clock: &str) -> String {
    anna.press_soon("#new-challenge").await;
    anna.until("return Boolean(document.querySelector('#challenge-send'))", json!(true)).await;
    anna.choose("#challenge-game", "othello").await;
    anna.choose("#challenge-clock", clock).await;
    anna.press("[name='challenge-colour'][value='black'] + span").await;
    anna.press("#challenge-send").await;
    bert.press_soon("[data-do='accept']").await;
    let id = bert.table_id().await;
    anna.sits_at(&id).await;
    id
}

/// Resigns at the table that is shown.
pub async fn resign(page: &Page) {
    page.press("#resign").await;
    page.press_soon("#confirm-yes").await;
    page.until("return document.querySelectorAll('#message.ended').length", json!(1)).await;
}
