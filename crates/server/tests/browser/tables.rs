//! Tables of endgames built from the page, on a home where there are none: progress, stop, go on; then every move is known.
//!
//! The home of a process is an environment variable, so the test runs itself again with one of its own.

use std::process::Command;

use serde_json::json;

use crate::page::{Page, with_page};

const HOME: &str = "TRILITH_HOME";
const INNER: &str = "tables::in_a_fresh_home";

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_built_stopped_and_gone_on_with_from_the_page() {
    let home = std::env::temp_dir().join(format!("trilith-fresh-home-{}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", INNER, "--ignored", "--nocapture"])
        .env(HOME, &home)
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&again.stdout), String::from_utf8_lossy(&again.stderr));
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
    let folder = home.join("tablebases").join("morris-standard");
    let tables = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    assert!(tables.count() > 10);
    std::fs::remove_dir_all(home).unwrap();
}

async fn analysis(page: &Page, position: &str) {
    let position = position.replace('/', "%2F").replace(' ', "%20");
    page.go(&format!("#analyse/at/morris/-/{position}/-/-")).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs in a process of its own, begun by the test above"]
async fn in_a_fresh_home() {
    with_page("tables", |page| async move {
        analysis(&page, "www/bbb/3/6/3/b2/3 w 0 0").await;
        page.press_soon("#tab-known").await;
        page.until("return document.getElementById('build-tables')?.textContent", json!("Build tables")).await;
        // Everything is offered; a smaller set is enough here.
        page.shows("#tables-choice", "Everything, placing too").await;
        page.choose("#tables-choice", "10").await;
        page.press("#build-tables").await;
        page.until("return Boolean(document.querySelector('#tables progress'))", json!(true)).await;
        page.press_soon("#stop-tables").await;
        page.until("return document.getElementById('build-tables')?.textContent", json!("Go on building")).await;
        let part = page.script("return fetch('/api/tablebases', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'morris' }) }).then((answer) => answer.json())").await;
        assert!(part["sets"][1]["built"].as_f64().unwrap() < 1.0, "it was stopped before its end: {part}");
        page.choose("#tables-choice", "9").await;
        page.press("#build-tables").await;
        let built = "return Boolean(document.getElementById('build-tables')) && !document.querySelector('#tables-choice option[value=\"9\"]')";
        page.until(built, json!(true)).await;

        // Moving: outcome and distance of every move, in the list and on the board.
        page.shows("#danger", "moves hold the draw").await;
        page.shows("#tablebase .chip", "5 of 5 replies hold").await;
        page.until("return document.querySelectorAll('#board .note.known').length > 2", json!(true)).await;
        // Placing, as far as these stones go.
        analysis(&page, "w1w/bb1/3/6/3/b2/w2 w 1 1").await;
        page.until("return document.querySelectorAll('#tablebase .chip').length", json!(22)).await;
        page.until("return document.querySelectorAll('#board .note.known').length", json!(18)).await;
        // More stones than there are tables for.
        analysis(&page, "www/bbb/www/bbb3/bb1/ww1/3 w 0 0").await;
        page.shows("#known", "makes it").await;

        in_play(&page).await;
    })
    .await;
}

/// At a table the same is seen by who asks for it.
async fn in_play(page: &Page) {
    page.table(json!({ "game": "morris", "position": "www/bbb/3/6/3/3/3 w 0 0" })).await;
    page.until("return document.getElementById('certain').hidden", json!(true)).await;
    page.press("#menu-button").await;
    page.press("#show-certain").await;
    page.shows("#certain", "win in").await;
    page.shows("#certain", "moves win").await;
    page.until("return document.querySelectorAll('#board .note.known').length > 0", json!(true)).await;
    // With a stone taken up the notes stand where it can go.
    page.click("a7").await;
    let targets = "const legal = [...document.querySelectorAll('#board .cell')].filter((cell) => cell.getAttribute('aria-label').includes('legal target'));
        return legal.length > 0 && legal.length === document.querySelectorAll('#board .note.known').length";
    page.until(targets, json!(true)).await;
}
