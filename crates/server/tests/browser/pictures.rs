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

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow: rewrites docs/pictures"]
async fn pictures() {
    with_page("pictures", |page| async move {
        let engine = json!({ "kind": "engine", "depth": 4 });
        let against = json!({ "black": { "kind": "human" }, "white": engine });
        screen(&page, 1200, 800, "light").await;
        picture(&page, "start").await;
        page.table(json!({ "game": "othello", "players": against })).await;
        page.click("f5").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        page.press("#hint").await;
        page.says("Hint: ").await;
        picture(&page, "othello").await;
        screen(&page, 1200, 800, "dark").await;
        page.table(json!({ "game": "abalone", "rules": "layout=belgian-daisy", "clock": { "initial_ms": 600_000, "increment_ms": 5000 } })).await;
        page.play(&["c1", "c3"], &[]).await;
        picture(&page, "abalone").await;
        screen(&page, 390, 844, "light").await;
        page.table(json!({ "game": "morris" })).await;
        let four = ["d6", "a1", "d7", "g1"];
        page.play(&four, &four).await;
        page.play(&["d5"], &four).await;
        picture(&page, "phone").await;
        screen(&page, 1200, 800, "light").await;
        page.go("#arena").await;
        page.until("return Boolean(document.getElementById('name'))", json!(true)).await;
        page.write("#name", "Anna").await;
        page.press("#take-name").await;
        page.shows("#account-name", "Anna").await;
        picture(&page, "arena").await;
    })
    .await;
}
