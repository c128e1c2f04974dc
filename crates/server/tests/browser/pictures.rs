//! Pictures of the pages for the guides. Made anew by
//! `cargo test -p trilith-server --test browser pictures -- --ignored`, which writes into `docs/pictures/`; with `pngquant` installed they are
//! a third as large.

use serde_json::json;

use crate::page::{Page, with_page};

async fn picture(page: &Page, name: &str) {
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let path = format!("{}/../../docs/pictures/{name}.png", env!("CARGO_MANIFEST_DIR"));
    page.driver.screenshot(path.as_ref()).await.unwrap();
    // Without it the pictures are only larger.
    let _ = std::process::Command::new("pngquant").args(["--force", "--ext", ".png", &path]).status();
}

async fn screen(page: &Page, width: u32, height: u32, theme: &str) {
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
    page.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await.unwrap();
    let wish = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
    page.driver.cdp().send_raw("Emulation.setEmulatedMedia", wish).await.unwrap();
}

/// A game that two engines have begun, as text.
async fn begun(page: &Page, game: &str, rules: &str, plies: usize) -> String {
    let engine = json!({ "kind": "engine", "time_ms": 60 });
    page.table(json!({ "game": game, "rules": rules, "players": { "black": engine, "white": engine } }))
        .await;
    page.until(&format!("return document.querySelectorAll('.move').length >= {plies}"), json!(true)).await;
    page.elsewhere("pause", json!({})).await;
    let text = "return fetch(document.getElementById('save').href).then((answer) => answer.text())";
    page.script(text).await.as_str().unwrap().to_owned()
}

/// Accounts that challenge and play, so that the lobby is not empty.
const GUESTS: &str = "return (async () => {
    const post = async (path, body, token) => (await fetch(path, { method: 'POST', body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) } })).json();
    const [marie, jonas, stone] = await Promise.all(['Marie', 'Jonas', 'deep-stone'].map((name) => post('/api/accounts', { name })));
    const clock = (minutes, seconds) => ({ initial_ms: minutes * 60000, increment_ms: seconds * 1000 });
    await post('/api/challenges', { game: 'othello', clock: clock(5, 3), rated: true, colour: 'random' }, marie.token);
    await post('/api/challenges', { game: 'abalone', rules: 'layout=belgian-daisy', clock: clock(10, 5), rated: false, colour: 'white' }, jonas.token);
    for (const game of ['morris', 'othello']) {
        const { id } = await post('/api/challenges', { game, clock: clock(3, 2), rated: true, colour: 'black' }, stone.token);
        await post(`/api/challenges/${id}/accept`, {}, marie.token);
    }
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow: rewrites docs/pictures"]
async fn pictures() {
    with_page("pictures", |page| async move {
        screen(&page, 1200, 800, "light").await;
        picture(&page, "start").await;
        let seats = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "depth": 5 } });
        let text = begun(&page, "othello", "", 18).await;
        page.table(json!({ "text": text, "players": seats })).await;
        page.says("Your turn").await;
        let before = page.script("return document.querySelectorAll('.move').length").await;
        page.script("document.querySelector('#board .cell.active').dispatchEvent(new MouseEvent('click', { bubbles: true }))").await;
        page.until("return document.querySelectorAll('.move').length", json!(before.as_u64().unwrap() + 2)).await;
        page.press("#hint").await;
        page.says("Hint: ").await;
        picture(&page, "othello").await;

        let text = begun(&page, "morris", "", 22).await;
        page.table(json!({ "text": text })).await;
        picture(&page, "morris").await;

        screen(&page, 1200, 800, "dark").await;
        let text = begun(&page, "abalone", "layout=belgian-daisy", 14).await;
        let clock = json!({ "initial_ms": 600_000, "increment_ms": 5000 });
        page.table(json!({ "text": text, "clock": clock })).await;
        page.press("#hint").await;
        page.says("Hint: ").await;
        picture(&page, "abalone").await;

        screen(&page, 390, 844, "light").await;
        page.table(json!({ "game": "morris" })).await;
        let four = ["d6", "a1", "d7", "g1"];
        page.play(&four, &four).await;
        page.play(&["d5"], &four).await;
        picture(&page, "phone").await;

        screen(&page, 1200, 800, "light").await;
        page.script(GUESTS).await;
        page.go("#arena").await;
        page.until("return Boolean(document.getElementById('name'))", json!(true)).await;
        page.write("#name", "Anna").await;
        page.press("#take-name").await;
        page.shows("#account-name", "Anna").await;
        page.shows("#challenges", "Jonas").await;
        picture(&page, "arena").await;
    })
    .await;
}
