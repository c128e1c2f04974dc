//! The form for a new game, and what one does against the computer: hint, undo, replay, thinking, draw, resign, clock.

use serde_json::json;
use thirtyfour::Key;

use crate::page::with_page;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_the_computer_is_set_up_hinted_undone_and_replayed() {
    with_page("computer", |page| async move {
        page.press(".tile[data-game='othello']").await;
        page.press("[data-side='white'] details.more summary").await;
        page.choose("#strength-white", "time").await;
        page.press("#start").await;
        page.table_id().await;
        page.shows("#player-white .who-name", "Computer, 1 s a move").await;
        page.shows("#player-black .who-name", "You").await;

        page.press("#hint").await;
        page.says("Hint: ").await;
        page.until("return document.querySelectorAll('#board .pointer.hint').length", json!(1)).await;

        // It thinks aloud, and is quiet on one's own turn.
        page.click("f5").await;
        page.shows("#thinking .facts", "Depth").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        page.says("Your turn").await;
        page.until("return document.querySelectorAll('#thinking .facts').length", json!(0)).await;
        page.press("#thinking summary").await;
        page.until("return document.querySelector('#thinking').open", json!(false)).await;

        page.press("#undo").await;
        page.moves(&[]).await;
        page.press("#redo").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;

        page.press(".move[data-ply='1']").await;
        page.says("Move 1 of 2").await;
        page.called("legal target", &[]).await;
        page.stones("black", &["d5", "e4", "e5", "f5"]).await;
        page.keys(&[Key::Left]).await;
        page.stones("black", &["d5", "e4"]).await;
        page.press("#back").await;
        page.says("Your turn").await;
        page.keys(&[Key::Up]).await;
        page.says("Move 0 of 2").await;
        page.driver.refresh().await.unwrap();
        page.says("Your turn").await;
        page.press("#first").await;
        page.stones("black", &["d5", "e4"]).await;
        page.keys(&[Key::Down]).await;

        page.press("#resign").await;
        page.press("#confirm-yes").await;
        page.says("White wins").await;
        // A rematch changes the colours.
        page.press("#again").await;
        page.shows("#player-black .who-name", "Computer, 1 s a move").await;
        page.until("return document.querySelectorAll('.move').length", json!(1)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_position_and_clock_are_chosen_and_what_is_wrong_is_said() {
    with_page("form", |page| async move {
        page.press(".tile[data-game='abalone']").await;
        page.press("[data-side='white'] input[value='human'] + span").await;
        page.press(".options summary").await;
        page.choose("[data-choice='layout=standard']", "layout=belgian-daisy").await;
        page.choose("[data-choice='princess=off']", "princess=on").await;
        page.choose("#clock", "5+3").await;
        page.write("#position", "nonsense").await;
        page.press("#start").await;
        page.until("return document.getElementById('start-fault').textContent !== ''", json!(true)).await;
        page.write("#position", " ").await;
        page.press("#start").await;
        page.table_id().await;
        page.shows("#rules", "Belgian daisy, Save the princess: Yes").await;
        page.stones("neutral", &["e5"]).await;
        page.shows("#player-black .clock", "5:0").await;

        // The form is as it was left, and the table is offered again.
        page.press("#new").await;
        page.until(
            "return document.querySelector('[data-choice=\"princess=off\"]').value",
            json!("princess=on"),
        )
        .await;
        page.press(".recent a").await;
        page.shows("#rules", "Belgian daisy, Save the princess: Yes").await;
        page.only_logged("400").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_play_while_one_watches_and_pauses() {
    with_page("programs", |page| async move {
        let engine = json!({ "kind": "engine", "time_ms": 200 });
        page.table(json!({ "game": "othello", "players": { "black": engine, "white": engine } })).await;
        page.until("return document.querySelectorAll('.move').length > 4", json!(true)).await;
        page.called("legal target", &[]).await;
        page.until("return document.getElementById('resign').disabled", json!(true)).await;
        page.press("#menu-button").await;
        page.press("#pause").await;
        page.says("paused").await;
        page.press("#continue").await;
        page.until("return document.querySelectorAll('.move').length > 9", json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_learning_computer_plays_with_an_evaluation_of_choice() {
    with_page("learning", |page| async move {
        page.press(".tile[data-game='morris']").await;
        page.press("#swap").await;
        page.press("[data-side='black'] input[value='learning'] + span").await;
        page.press("[data-side='black'] details.more summary").await;
        page.choose("#evaluation-black", "klein").await;
        page.choose("#quiescence-black", "2").await;
        page.choose("#strength-black", "depth").await;
        page.press("#start").await;
        page.table_id().await;
        page.shows("#player-black .who-name", "Learning computer").await;
        let spec = "return document.querySelector('#player-black .who-name').title";
        page.until(spec, json!("engine:depth=6,eval=klein,quiescence=2")).await;
        page.click("d6").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        page.press("#offerDraw").await;
        page.press("#confirm-yes").await;
        page.says("plays on").await;
        page.only_logged("409").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_agreed_and_a_clock_runs_out() {
    with_page("clock", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        page.play(&["f5"], &["f5"]).await;
        page.press("#offerDraw").await;
        page.press("#confirm-yes").await;
        page.says("Draw").await;

        page.table(json!({ "game": "othello", "clock": { "initial_ms": 1500, "increment_ms": 0 } })).await;
        page.play(&["f5"], &["f5"]).await;
        page.until("return document.querySelectorAll('.clock.low').length", json!(2)).await;
        page.until(
            "return document.querySelector('#player-white .clock').classList.contains('running')",
            json!(true),
        )
        .await;
        page.says("Black wins – Time").await;
        page.called("legal target", &[]).await;
    })
    .await;
}

const FULL_GAME: &str = "f5f4e3f6d3c4b3d2f3f2d1c3c2c1g5a3b1d6d7e6g2e2g4c8g1g6c5h1h6f7g3h3f8c7h4f1b8h5e7b2h2h7e1b6b4a4a5a6d8g8b5a2g7e8h8c6a1b7a7a8";

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_printed_as_board_and_moves() {
    with_page("print", |page| async move {
        // A game given: one that is played now may end after any number of moves.
        let moves: Vec<_> = (0..FULL_GAME.len()).step_by(2).map(|at| &FULL_GAME[at..at + 2]).collect();
        page.table(json!({ "game": "othello", "moves": moves })).await;
        page.until("return document.querySelectorAll('#message.ended').length", json!(1)).await;
        let paper = json!({ "width": 794, "height": 1123, "deviceScaleFactor": 1, "mobile": false });
        page.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", paper).await.unwrap();
        page.driver.cdp().send_raw("Emulation.setEmulatedMedia", json!({ "media": "print" })).await.unwrap();
        let shown = "return ['#board', '.moves', '.print-only', '.bar', '.buttons', '#message', '.steps']
            .map((css) => getComputedStyle(document.querySelector(css)).display !== 'none')";
        page.until(shown, json!([true, true, true, false, false, false, false])).await;
        page.shows(".print-only", "Othello").await;
        let inside = "const paper = document.querySelector('.record').getBoundingClientRect();
            const moves = [...document.querySelectorAll('.move')].map((move) => move.getBoundingClientRect());
            return moves.length === 60 && moves.every(({ right, bottom }) => right <= innerWidth && bottom <= paper.bottom)";
        page.until(inside, json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_the_server_does_not_know_keeps_nobody_from_playing() {
    with_page("stranger", |page| async move {
        let account = "localStorage.setItem('account', JSON.stringify({ name: 'Nemo', token: 'a_gone' }))";
        page.script(account).await;
        page.press("#start").await;
        page.table_id().await;
        page.says("Your turn").await;
        page.only_logged("401").await;
    })
    .await;
}
