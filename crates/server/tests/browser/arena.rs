//! The arena: accounts, challenges, a rated game, ratings, archive.

use serde_json::json;

use crate::page::with_two;
use crate::people::{challenge, resign, sign_up};

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_becomes_a_rated_game_that_is_kept() {
    with_two("arena", |anna, bert| async move {
        sign_up(&anna, "Anna").await;
        sign_up(&bert, "Bert").await;
        anna.shows("#online", "Bert").await;

        // Withdrawn, and gone for both.
        anna.press("#new-challenge").await;
        anna.press("#challenge-send").await;
        bert.shows("#challenges", "Anna").await;
        anna.press("[data-do='withdraw']").await;
        bert.shows("#challenges", "Nobody is waiting").await;

        let id = challenge(&anna, &bert, "5+3").await;
        anna.shows("#rules", "Rated").await;
        anna.play(&["f5"], &["f5"]).await;
        bert.moves(&["f5"]).await;
        bert.play(&["d6"], &["f5", "d6"]).await;
        anna.moves(&["f5", "d6"]).await;
        resign(&bert).await;
        anna.says("Black wins – Resignation").await;

        anna.go("#arena/ratings/othello").await;
        anna.until(
            "return [...document.querySelectorAll('#rating-list tbody a')].map((a) => a.textContent)",
            json!(["Anna", "Bert"]),
        )
        .await;
        anna.go("#arena/archive").await;
        anna.shows("#game-list", "Black won – Resignation").await;
        anna.press("#game-list a.button").await;
        anna.sits_at(&id).await;
        anna.press("#first").await;
        anna.stones("black", &["d5", "e4"]).await;
        anna.go("#arena/player/Bert").await;
        anna.shows(".stat", "Othello").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_to_somebody_is_told_everywhere_and_a_key_is_a_person() {
    with_two("arena-told", |anna, bert| async move {
        sign_up(&anna, "Anna").await;
        sign_up(&bert, "Bert").await;

        // A challenge to somebody, and that it is accepted, is told on every page.
        anna.go("#play").await;
        bert.go("#arena/player/Anna").await;
        bert.press_soon(".head .primary").await;
        bert.press("#challenge-send").await;
        anna.shows(".toast", "Bert challenges you").await;
        bert.go("#play").await;
        bert.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len()))
            .await;
        anna.press(".toast .primary").await;
        let next = anna.table_id().await;
        bert.press_soon(".toast .primary").await;
        bert.sits_at(&next).await;

        // Another browser with the same key is the same person.
        let key = bert.script("return JSON.parse(localStorage.getItem('account')).token").await;
        anna.go("#arena").await;
        anna.press_soon("#sign-out").await;
        anna.press("#confirm-yes").await;
        anna.press_soon(".account details summary").await;
        anna.write("#key", key.as_str().unwrap()).await;
        anna.press("#use-key").await;
        anna.shows("#account-name", "Bert").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_gets_a_key_and_bad_names_are_refused() {
    with_two("bots", |page, _| async move {
        page.go("#arena/bots").await;
        page.until("return Boolean(document.getElementById('bot-name'))", json!(true)).await;
        page.write("#bot-name", "x").await;
        page.press("#bot-create").await;
        page.until("return Boolean(document.querySelector('#bot-answer .fault'))", json!(true)).await;
        page.only_logged("400").await;
        page.write("#bot-name", "deep-thought").await;
        page.press("#bot-create").await;
        page.until("return document.getElementById('bot-key').textContent.length >= 22", json!(true)).await;
    })
    .await;
}
