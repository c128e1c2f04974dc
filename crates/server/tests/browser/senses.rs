//! What calls a person back: sounds, notifications; and the page as an app that opens without its server.

use serde_json::{Value, json};

use crate::page::{Page, with_page};

/// Counts the sources of sound that are started.
const EARS: &str = "window.heard = [];
    const begin = AudioScheduledSourceNode.prototype.start;
    const count = (kind) => function (...how) { heard.push(kind); return begin.apply(this, how); };
    OscillatorNode.prototype.start = count('tone');
    const knock = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...how) { heard.push('knock'); return knock.apply(this, how); };";

async fn settings(page: &Page, switch: &str) {
    page.press("#settings").await;
    page.press(switch).await;
    page.script("document.querySelector('dialog').close()").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_captures_and_ends_are_heard_until_sounds_are_turned_off() {
    with_page("sounds", |page| async move {
        page.script(EARS).await;
        let position = "3/bb1/3/w3bw/3/b2/ww1 w 0 0";
        page.table(json!({ "game": "morris", "position": position })).await;
        page.play(&["a4", "a7"], &["a4-a7"]).await;
        page.until("return heard", json!(["knock"])).await;
        page.script("heard.length = 0").await;
        page.table(json!({ "game": "morris", "position": position })).await;
        for cell in ["g4", "g1", "b6"] {
            page.click(cell).await;
        }
        page.moves(&["g4-g1xb6"]).await;
        page.until("return heard", json!(["knock", "knock"])).await;

        settings(&page, "#set-sound").await;
        page.script("heard.length = 0").await;
        page.table(json!({ "game": "othello" })).await;
        page.play(&["f5"], &["f5"]).await;
        page.until("return heard", json!([])).await;
        // Turned on again it says so; the end of a game sounds otherwise than a move.
        settings(&page, "#set-sound").await;
        page.until("return heard", json!(["knock"])).await;
        page.press("#resign").await;
        page.press_soon("#confirm-yes").await;
        page.until("return heard.slice(1)", json!(["tone", "tone"])).await;
    })
    .await;
}

/// Remembers what the browser is asked to show, and lets the tab be in the background.
const NOTES: &str = "window.notes = [];
    window.Notification = new Proxy(window.Notification, {
      construct(real, given) { notes.push([given[0], given[1].body]); return Reflect.construct(real, given); },
    });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => Boolean(window.isAway) });";

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_notified_only_where_it_is_wanted_and_nobody_looks() {
    with_page("notes", |page| async move {
        let leave = json!({ "origin": page.address, "permissions": ["notifications"] });
        page.driver.cdp().send_raw("Browser.grantPermissions", leave).await.unwrap();
        page.script(NOTES).await;
        let players = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } });
        page.table(json!({ "game": "othello", "players": players })).await;
        let moves = "return document.querySelectorAll('.move').length";
        // Not wanted yet.
        page.script("window.isAway = true").await;
        page.click("f5").await;
        page.until(moves, json!(2)).await;
        page.until("return document.title.includes('Your turn')", json!(true)).await;
        assert_eq!(page.script("return notes").await, json!([]));
        page.script("window.isAway = false").await;
        settings(&page, "#set-notify").await;
        page.until("return JSON.parse(localStorage.getItem('set-notifications'))", json!(true)).await;

        // Somebody looks: nothing is shown.
        legal_move(&page).await;
        page.until("return document.querySelectorAll('.move').length >= 4", json!(true)).await;
        assert_eq!(page.script("return notes").await, json!([]));
        page.script("window.isAway = true").await;
        legal_move(&page).await;
        page.until("return notes.length", json!(1)).await;
        let Value::String(title) = page.script("return notes[0][0]").await else { panic!("a title") };
        assert!(title.contains("Your turn") && title.contains("Othello"), "{title}");
        page.until("return notes[0][1].startsWith('Computer, level 1 played ')", json!(true)).await;
    })
    .await;
}

/// Any move that is marked.
async fn legal_move(page: &Page) {
    page.until("return document.title.includes('Your turn')", json!(true)).await;
    page.ready().await;
    let target = "return [...document.querySelectorAll('#board .cell')].find((cell) => cell.getAttribute('aria-label').includes('legal target'))?.dataset.name ?? null";
    let Value::String(cell) = page.script(target).await else { panic!("nothing can be played") };
    page.click(&cell).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_an_app_that_opens_without_its_server() {
    with_page("app", |page| async move {
        // What a browser asks of a page before it offers to install it.
        let manifest = page.driver.cdp().send_raw("Page.getAppManifest", json!({})).await.unwrap();
        assert_eq!(manifest["errors"], json!([]), "{manifest}");
        let faults = page.driver.cdp().send_raw("Page.getInstallabilityErrors", json!({})).await.unwrap();
        let faults = faults["installabilityErrors"].as_array().unwrap();
        let is_known = |fault: &&Value| fault["errorId"] != "in-incognito";
        assert_eq!(faults.iter().filter(is_known).count(), 0, "{faults:?}");
        let sizes = "return fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json()).then(({ icons }) =>
            Promise.all(icons.filter(({ type }) => type === 'image/png').map(({ src, sizes }) => new Promise((done) => {
              const picture = new Image();
              picture.onload = () => done(`${picture.naturalWidth}x${picture.naturalHeight}` === sizes);
              picture.onerror = () => done(false);
              picture.src = new URL(src, document.querySelector('link[rel=manifest]').href);
            }))))";
        assert_eq!(page.script(sizes).await, json!([true, true, true]));

        page.table(json!({ "game": "othello" })).await;
        page.play(&["f5"], &["f5"]).await;
        let worker = "return import('/assets/away.js').then(({ keepShell }) => keepShell())
            .then(() => navigator.serviceWorker.ready).then(({ active }) => Boolean(active))";
        assert_eq!(page.script(worker).await, json!(true));
        page.until("return Boolean(navigator.serviceWorker.controller)", json!(true)).await;
        page.go("#play").await;
        page.stop_server().await;

        page.driver.refresh().await.unwrap();
        page.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len())).await;
        page.go("#games").await;
        page.until("return document.querySelectorAll('#my-games li').length", json!(1)).await;
        page.shows("#away", "server is away").await;
        page.forget_log("ERR_CONNECTION_REFUSED").await;
    })
    .await;
}
