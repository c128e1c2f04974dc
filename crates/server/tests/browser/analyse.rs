//! The page Analyse: positions pasted and set up, lines with arrows, the curve, the review, reasons, what is known.

use serde_json::json;
use thirtyfour::Key;

use crate::page::{Page, with_page};

const ENDGAME: &str = "OXXX--O-XOXXXOOX--OXOOOXOOOOXXOXOOOXXXXXOOOOOOXXXXOOOXXX--OOX-XO X";

/// Pastes a text into the dialog, as a person would.
async fn paste(page: &Page, text: &str) {
    page.press_soon("#paste").await;
    page.write("#paste-text", text).await;
    page.press("#read").await;
}

async fn lines(page: &Page, count: usize) {
    page.until("return document.querySelectorAll('#lines li').length", json!(count)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_position_of_each_game_is_analysed() {
    with_page("analyse", |page| async move {
        page.go("#analyse").await;
        for (text, game) in [
            ("---------------------------OX------XO--------------------------- X", "othello"),
            ("3/3/3/6/3/3/3 w 9 9", "morris"),
            ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone"),
        ] {
            paste(&page, text).await;
            page.shows("#said", "Read as position").await;
            page.until("return document.getElementById('game').value", json!(game)).await;
            lines(&page, 3).await;
            page.until("return document.querySelectorAll('#board .pointer.line-1').length > 0", json!(true))
                .await;
            page.until("return document.querySelectorAll('#board .note').length > 0", json!(true)).await;
        }
        paste(&page, "nonsense").await;
        page.shows(".dialog .fault", "no position or game").await;
        page.only_logged("400").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_stepped_through_left_explained_and_reviewed() {
    with_page("review", |page| async move {
        page.go("#analyse").await;
        // Moves drawn by lot: somebody errs.
        let moves = ["f5", "f6", "e6", "f4", "g6", "d7", "c3", "c5", "d3", "g4", "c6", "c4"];
        paste(&page, &moves.concat()).await;
        page.moves(&moves).await;
        lines(&page, 3).await;
        page.keys(&[Key::Up]).await;
        page.stones("black", &["d5", "e4"]).await;
        lines(&page, 3).await;
        // Space plays the best move: here all four are equal by symmetry, so it may be the game's or a line of its own.
        page.script("document.activeElement.blur()").await;
        page.keys(&[Key::Space]).await;
        page.until("return document.querySelectorAll('#board .stone.black:not(.gone)').length", json!(4))
            .await;
        // If that began a line of its own, back to the game.
        page.script("document.getElementById('to-game').click()").await;
        page.moves(&moves).await;
        page.keys(&[Key::Up]).await;
        page.keys(&['f', 'f']).await;
        page.keys(&[Key::Right]).await;
        page.click("d6").await;
        page.shows("#status", "A line of your own").await;
        page.until("return [...document.querySelectorAll('.branch')].at(-1)?.textContent", json!("d6")).await;
        page.press("#to-game").await;
        page.moves(&moves).await;

        page.press("#tab-why").await;
        page.until("return document.querySelectorAll('#terms tbody tr').length > 3", json!(true)).await;
        page.until("return document.querySelectorAll('#board .heat').length", json!(64)).await;
        page.press("#tab-review").await;

        page.press("#begin-review").await;
        page.until("return document.querySelectorAll('#tallies').length", json!(1)).await;
        page.until("return Boolean(document.querySelector('#next-mark'))", json!(true)).await;
        // How well each side played, in all and by phases.
        let rows = "return [...document.querySelectorAll('#accuracy tbody tr')].map((row) => row.dataset.phase)";
        page.until(rows, json!(["whole", "opening"])).await;
        page.until("return [...document.querySelectorAll('#accuracy tbody td')].every((one) => one.textContent.endsWith('%'))", json!(true)).await;
        page.press("#next-mark").await;
        page.until("return document.querySelectorAll('.move .sign').length > 0", json!(true)).await;
        page.shows("#verdict", "Better was").await;
        page.until("return document.querySelectorAll('#curve .dot').length > 0", json!(true)).await;
        page.press("#verdict .better button").await;
        page.shows("#status", "A line of your own").await;
        page.press("#language").await;
        page.shows("#begin-review", "durchsehen").await;
        page.shows("#engine .switch", "Computer").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exact_scores_are_known_and_a_position_is_set_up_by_hand() {
    with_page("known", |page| async move {
        page.go("#analyse").await;
        paste(&page, ENDGAME).await;
        page.press_soon("#tab-known").await;
        page.until("return document.querySelectorAll('#solved .chip').length > 3", json!(true)).await;
        page.press("#solved .chip").await;
        page.until("return document.querySelectorAll('.move').length", json!(1)).await;

        page.press("#game option[value='morris']").await;
        page.until("return document.querySelectorAll('#board .cell').length", json!(24)).await;
        page.shows("#known", "Tablebase").await;
        page.press("#set-up").await;
        page.press_soon("#clear").await;
        page.press("#editor input[value='white'] + span").await;
        for name in ["a7", "d7", "a4"] {
            page.cell(name).await.click().await.unwrap();
        }
        page.press("#editor input[name='brush'][value='black'] + span").await;
        for name in ["g1", "g4", "d1"] {
            page.cell(name).await.click().await.unwrap();
        }
        page.write("#count-black", "0").await;
        page.write("#count-white", "0").await;
        page.press("#editor input[name='to-move'][value='white'] + span").await;
        page.press("#use").await;
        page.stones("white", &["a4", "a7", "d7"]).await;
        page.until("return document.querySelectorAll('#tablebase .chip').length > 3", json!(true)).await;
        page.shows("#tablebase", "win").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tables_game_is_analysed_on_a_phone_in_the_dark() {
    with_page("analyse-phone", |page| async move {
        page.phone().await;
        let id = page.table(json!({ "game": "morris" })).await;
        page.play(&["d6", "f4"], &["d6", "f4"]).await;
        page.press("#theme").await;
        page.go(&format!("#analyse/{id}")).await;
        page.moves(&["d6", "f4"]).await;
        lines(&page, 3).await;
        let wide = "return document.documentElement.scrollWidth <= innerWidth";
        page.until(wide, json!(true)).await;
    })
    .await;
}
