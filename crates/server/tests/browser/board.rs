//! Boards of the three games: clicks, drags, keys, undo, save and load, two people at one screen.

use serde_json::json;
use thirtyfour::Key;

use crate::page::with_page;

#[tokio::test(flavor = "multi_thread")]
async fn othello_is_played_undone_redone_flipped_and_reloaded() {
    with_page("othello", |page| async move {
        page.table(json!({ "game": "othello" })).await;
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

        page.press("#flip").await;
        page.until("return document.querySelector('.stage').firstChild.id", json!("player-black")).await;
        page.play(&["c4"], &["f5", "d6", "c3", "d3", "c4"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morris_mill_takes_a_stone_by_click_and_escape_gives_it_up() {
    with_page("morris", |page| async move {
        page.table(json!({ "game": "morris" })).await;
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
        page.table(json!({ "game": "morris" })).await;
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
        page.table(json!({ "game": "abalone" })).await;
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
        page.table(json!({ "game": "morris" })).await;
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
async fn the_board_is_played_by_keys_alone() {
    with_page("keys", |page| async move {
        page.table(json!({ "game": "othello" })).await;
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
        page.table(json!({ "game": "morris" })).await;
        let empty = "--------".repeat(3);
        let rows = format!("{empty}OXXXX------XX---{empty}");
        page.load(&format!("[Game \"othello\"]\n[Position \"{rows} X\"]\n\n*\n")).await;
        page.says("Black has no move and must pass").await;
        page.press("#pass").await;
        page.moves(&["pass"]).await;
        page.play(&["f4"], &["pass", "f4"]).await;
        page.stones("white", &["a4", "b4", "c4", "d4", "e4", "f4"]).await;
        page.until("return document.getElementById('pass')", json!(null)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_cannot_play_the_same_turn() {
    with_page("tabs", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        page.play(&["f5"], &["f5"]).await;
        page.cut_off().await;
        page.elsewhere("moves", json!({ "move": "f6", "ply": 1 })).await;
        page.play(&["d6"], &["f5", "f6"]).await;
        page.says("moved on").await;
        page.only_logged("409").await;
    })
    .await;
}
