//! The page in a real browser: headless Chromium, driven by clicks, drags, touches and keys as a person would.
//!
//! Each test ends by asking the browser for console errors, which include violations of the content security policy.

#![allow(clippy::unwrap_used)]

mod page;

use page::with_page;
use serde_json::json;
use thirtyfour::Key;

#[tokio::test(flavor = "multi_thread")]
async fn othello_is_played_undone_redone_flipped_and_reloaded() {
    with_page("othello", |page| async move {
        page.called("legal target", &["c4", "d3", "e6", "f5"]).await;
        page.play(&["f5"], &["f5"]).await;
        page.stones("black", &["d5", "e4", "e5", "f5"]).await;
        page.says("White to move").await;
        page.play(&["a1"], &["f5"]).await;
        page.play(&["d6", "c3", "d3"], &["f5", "d6", "c3", "d3"]).await;
        page.called("last move", &["d3"]).await;

        page.press("#undo").await;
        page.moves(&["f5", "d6", "c3"]).await;
        page.press("#undo").await;
        page.moves(&["f5", "d6"]).await;
        page.press("#redo").await;
        page.moves(&["f5", "d6", "c3"]).await;

        page.driver.refresh().await.unwrap();
        page.moves(&["f5", "d6", "c3"]).await;
        page.press("#redo").await;
        page.moves(&["f5", "d6", "c3", "d3"]).await;

        let left = "return document.querySelector('[data-name=a1]').getBoundingClientRect().x \
                    < document.querySelector('[data-name=h8]').getBoundingClientRect().x";
        page.until(left, json!(true)).await;
        page.press("#flip").await;
        page.until(left, json!(false)).await;
        page.play(&["c4"], &["f5", "d6", "c3", "d3", "c4"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morris_mill_takes_a_stone_by_click_and_escape_gives_it_up() {
    with_page("morris", |page| async move {
        page.enter("morris").await;
        let four = ["d6", "a1", "d7", "g1"];
        page.play(&four, &four).await;
        page.play(&["d5"], &four).await;
        page.says("Remove one of Black").await;
        page.stones("provisional", &["d5"]).await;
        page.called("can be removed", &["a1", "g1"]).await;

        page.keys(&[Key::Escape]).await;
        page.stones("provisional", &[]).await;
        page.says("White to move").await;

        page.play(&["d5", "g1"], &["d6", "a1", "d7", "g1", "d5xg1"]).await;
        page.stones("black", &["a1"]).await;
        page.stones("white", &["d5", "d6", "d7"]).await;
    })
    .await;
}

/// All stones are placed; e3-d3 closes a mill.
const SLIDING: &str = "[Game \"morris\"]\n\n1. a1 g7 2. d1 f4 3. a7 d6 4. b4 g4 5. c5 e4xb4 6. b2 f6 \
                       7. b6 b4 8. d2 d7 9. e3 c3 *\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_game_is_loaded_and_its_stones_are_dragged() {
    with_page("load", |page| async move {
        page.load(SLIDING).await;
        let placed: Vec<_> = "a1 g7 d1 f4 a7 d6 b4 g4 c5 e4xb4 b2 f6 b6 b4 d2 d7 e3 c3".split(' ').collect();
        page.moves(&placed).await;
        page.called("can move", &["a1", "a7", "c5", "d1", "d2", "e3"]).await;

        page.drag("e3", "g7").await;
        page.says("White to move").await;
        page.drag("e3", "d3").await;
        page.stones("provisional", &["d3"]).await;
        page.called("can be removed", &["b4", "c3", "d6", "d7", "f6", "g7"]).await;
        page.play(&["c3"], &[&placed[..], &["e3-d3xc3"]].concat()).await;
        page.stones("white", &["a1", "a7", "b2", "b6", "c5", "d1", "d2", "d3"]).await;

        let saved = "return fetch(document.getElementById('save').href).then((answer) => answer.text())";
        let saved = page.script(saved).await.as_str().unwrap().to_owned();
        page.press("#undo").await;
        page.moves(&placed).await;
        page.load(&saved).await;
        page.moves(&[&placed[..], &["e3-d3xc3"]].concat()).await;

        page.load("not a game").await;
        page.says("expected tags").await;
        page.only_logged("400").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn abalone_moves_rows_by_cells_arrows_and_drags() {
    with_page("abalone", |page| async move {
        page.enter("abalone").await;
        page.play(&["c3", "c5"], &[]).await;
        page.called("chosen", &["c3", "c4", "c5"]).await;
        page.called("legal target", &["c2", "c6", "d3", "d4", "d5", "d6"]).await;

        page.play(&["d4"], &[]).await;
        page.says("one more").await;
        page.called("legal target", &["d3", "d6"]).await;
        page.play(&["d6"], &["c3c5d4"]).await;
        page.stones("provisional", &[]).await;

        page.play(&["i9"], &["c3c5d4"]).await;
        page.called("chosen", &["i9"]).await;
        page.drag("i8", "e4").await;
        page.called("chosen", &["i9"]).await;
        page.drag("i8", "h8").await;
        page.moves(&["c3c5d4", "i8h8"]).await;

        page.play(&["b2", "b3"], &["c3c5d4", "i8h8"]).await;
        page.press(".arrow[data-move='b2b3c2']").await;
        page.moves(&["c3c5d4", "i8h8", "b2b3c2"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_marbles_push_two_and_win() {
    with_page("push", |page| async move {
        page.load("[Game \"abalone\"]\n[Rules \"layout=5/6/7/8/4bbbww/8/7/6/5,eject=1\"]\n\n*\n").await;
        page.stones("white", &["e8", "e9"]).await;
        page.play(&["e5", "e6", "e7"], &[]).await;
        page.called("chosen", &["e5", "e6", "e7"]).await;
        page.play(&["e8"], &["e5e6"]).await;
        page.stones("black", &["e6", "e7", "e8"]).await;
        page.stones("white", &["e9"]).await;
        page.says("Black wins").await;
        page.says("One marble ejected").await;

        page.press("#again").await;
        page.moves(&[]).await;
        page.stones("white", &["e8", "e9"]).await;
        page.drag("e5", "e6").await;
        page.says("Black wins").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_of_a_new_game_can_be_chosen() {
    with_page("rules", |page| async move {
        page.enter("abalone").await;
        page.press("#new").await;
        page.press("option[value='layout=belgian-daisy']").await;
        page.press("option[value='princess=on']").await;
        page.press("#setup-start").await;
        let rules = "return document.getElementById('rules').textContent";
        page.until(rules, json!("Rules: belgian-daisy,princess=on")).await;
        page.stones("neutral", &["e5"]).await;
        page.enter("morris").await;
        page.play(&["d6"], &["d6"]).await;
        page.enter("abalone").await;
        page.until(rules, json!("Rules: belgian-daisy,princess=on")).await;
        page.enter("morris").await;
        page.moves(&["d6"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_is_played_by_keys_alone() {
    with_page("keys", |page| async move {
        page.script("document.querySelector('.cell[tabindex=\"0\"]').focus()").await;
        let at = "return document.activeElement.dataset.name";
        page.until(at, json!("a1")).await;
        page.keys(&vec![Key::Right; 5]).await;
        page.keys(&vec![Key::Down; 4]).await;
        page.until(at, json!("f5")).await;
        page.until(
            "return document.activeElement.getAttribute('aria-label')",
            json!("f5, empty, legal target"),
        )
        .await;
        page.keys(&[Key::Enter]).await;
        page.moves(&["f5"]).await;
        page.until(
            "return document.activeElement.getAttribute('aria-label')",
            json!("f5, Black disc, last move"),
        )
        .await;
        page.keys(&[Key::Down, Key::Space]).await;
        page.moves(&["f5", "f6"]).await;
        let undo =
            page.driver.action_chain().key_down(Key::Control).key_down('z').key_up('z').key_up(Key::Control);
        undo.perform().await.unwrap();
        page.moves(&["f5"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forced_pass_is_a_button() {
    with_page("pass", |page| async move {
        let empty = "--------".repeat(3);
        let rows = format!("{empty}OXXXX------XX---{empty}");
        page.load(&format!("[Game \"othello\"]\n[Position \"{rows} X\"]\n\n*\n")).await;
        page.says("Black has no move and must pass").await;
        page.press("#pass").await;
        page.moves(&["pass"]).await;
        page.play(&["f4"], &["pass", "f4"]).await;
        page.stones("white", &["a4", "b4", "c4", "d4", "e4", "f4"]).await;
        page.until("return document.getElementById('pass').hidden", json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_cannot_play_the_same_turn() {
    with_page("tabs", |page| async move {
        page.play(&["f5"], &["f5"]).await;
        let id = page.script("return location.hash.slice(1)").await;
        let other = format!(
            "return fetch('/api/tables/{}/moves', {{method: 'POST',
               headers: {{'content-type': 'application/json'}},
               body: JSON.stringify({{move: 'f6', ply: 1}})}}).then((r) => r.status)",
            id.as_str().unwrap()
        );
        assert_eq!(page.script(&other).await, json!(200));
        page.play(&["d6"], &["f5", "f6"]).await;
        page.says("moved on").await;
        page.only_logged("409").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn german_and_dark_are_kept_over_a_reload() {
    with_page("german", |page| async move {
        page.says("Black to move").await;
        page.press("#language").await;
        page.says("Schwarz ist am Zug").await;
        page.until("return document.documentElement.lang", json!("de")).await;
        page.called("erlaubtes Ziel", &["c4", "d3", "e6", "f5"]).await;
        let theme = "return document.documentElement.dataset.theme";
        let page_colour = "return getComputedStyle(document.body).backgroundColor";
        page.until(theme, json!("light")).await;
        let light = page.script(page_colour).await;
        for system in ["dark", "light"] {
            let wish = json!({ "features": [{ "name": "prefers-color-scheme", "value": system }] });
            page.driver.cdp().send_raw("Emulation.setEmulatedMedia", wish).await.unwrap();
            page.until(theme, json!(system)).await;
        }
        page.press("#theme").await;
        page.until(theme, json!("dark")).await;
        assert_ne!(page.script(page_colour).await, light);
        page.driver.refresh().await.unwrap();
        page.says("Schwarz ist am Zug").await;
        page.until(theme, json!("dark")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_fits_a_phone_and_is_tapped() {
    with_page("phone", |page| async move {
        page.phone().await;
        for game in ["othello", "morris", "abalone"] {
            page.enter(game).await;
            let over = "return document.documentElement.scrollWidth - window.innerWidth";
            page.until(over, json!(0)).await;
            let shown = "const board = document.getElementById('board').getBoundingClientRect();
                         return board.top >= 0 && board.bottom <= innerHeight && board.width > 340";
            page.until(shown, json!(true)).await;
        }
        page.touch(&["a1", "b2"]).await;
        page.moves(&["a1b2"]).await;
        page.enter("othello").await;
        page.touch(&["f5"]).await;
        page.moves(&["f5"]).await;
        page.touch(&["f6"]).await;
        page.moves(&["f5", "f6"]).await;
    })
    .await;
}
