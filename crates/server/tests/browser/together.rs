//! Two people with a browser each: one sends the link, the other sits down; connections break and come back.

use serde_json::json;

use crate::page::with_two;

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_play_by_link_through_lost_connections() {
    with_two("link", |anna, bert| async move {
        anna.press(".tile[data-game='othello']").await;
        anna.press("[data-side='white'] input[value='open'] + span").await;
        anna.press("#start").await;
        let id = anna.table_id().await;
        anna.says("Waiting").await;
        let link = anna.script("return document.getElementById('link').value").await;
        assert_eq!(link, json!(format!("{}/#play/{id}", bert.address)));

        bert.driver.goto(link.as_str().unwrap()).await.unwrap();
        bert.says("A seat is free").await;
        bert.press("#join").await;
        anna.says("Your turn").await;
        anna.play(&["f5"], &["f5"]).await;
        bert.moves(&["f5"]).await;
        bert.says("Your turn").await;

        // Nobody moves for the other side.
        bert.play(&["d6"], &["f5", "d6"]).await;
        bert.called("legal target", &[]).await;
        anna.moves(&["f5", "d6"]).await;

        // A socket that broke comes back and brings what was missed.
        bert.cut_off().await;
        bert.shows("#lost", "Connection lost").await;
        anna.play(&["c3"], &["f5", "d6", "c3"]).await;
        bert.moves(&["f5", "d6"]).await;
        bert.reconnect().await;
        bert.moves(&["f5", "d6", "c3"]).await;
        bert.play(&["d3"], &["f5", "d6", "c3", "d3"]).await;

        // A page that was loaded again still holds its seat.
        anna.driver.refresh().await.unwrap();
        anna.moves(&["f5", "d6", "c3", "d3"]).await;
        anna.play(&["c4"], &["f5", "d6", "c3", "d3", "c4"]).await;
        bert.moves(&["f5", "d6", "c3", "d3", "c4"]).await;
        for person in [&anna, &bert] {
            // Nothing is taken back without the other: the button asks.
            person
                .until(
                    "return document.getElementById('undo').title",
                    json!("Ask for your last move back (U)"),
                )
                .await;
            person.until("return document.querySelectorAll('.presence.here').length", json!(1)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_offered_declined_offered_again_and_taken() {
    with_two("draw", |anna, bert| async move {
        let players = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
        let id = anna.table(json!({ "game": "othello", "players": players })).await;
        bert.go(&format!("#play/{id}")).await;
        bert.press_soon("#join").await;
        anna.play(&["f5"], &["f5"]).await;
        bert.play(&["d6"], &["f5", "d6"]).await;
        bert.press("#offerDraw").await;
        bert.press("#confirm-yes").await;
        anna.says("White offers a draw").await;
        anna.press("#decline").await;
        bert.says("Your draw offer was declined").await;
        bert.press("#offerDraw").await;
        bert.press("#confirm-yes").await;
        bert.says("You offered a draw").await;
        anna.press("#accept").await;
        bert.says("Draw").await;
        anna.says("Draw").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_the_link_watches() {
    with_two("watch", |player, watcher| async move {
        let id = player.table(json!({ "game": "morris" })).await;
        watcher.go(&format!("#play/{id}")).await;
        watcher.sits_at(&id).await;
        player.shows("#rules", "1 watching").await;
        player.play(&["d6"], &["d6"]).await;
        watcher.moves(&["d6"]).await;
        watcher.called("legal target", &[]).await;
        for button in ["undo", "hint", "offerDraw", "resign"] {
            watcher.until(&format!("return document.getElementById('{button}').disabled"), json!(true)).await;
        }
    })
    .await;
}
