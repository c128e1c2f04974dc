//! Languages, themes, motion, screens: how the page looks to different people.

use serde_json::json;

use crate::page::with_page;

#[tokio::test(flavor = "multi_thread")]
async fn german_and_dark_are_kept_over_a_reload() {
    with_page("german", |page| async move {
        page.table(json!({ "game": "othello" })).await;
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
        page.press("#resign").await;
        page.press("#confirm-yes").await;
        page.says("Weiß gewinnt – Aufgabe").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_fits_a_phone_and_is_tapped() {
    with_page("phone", |page| async move {
        page.phone().await;
        let over = "return document.documentElement.scrollWidth - window.innerWidth";
        page.until(over, json!(0)).await;
        for game in ["othello", "morris", "abalone"] {
            page.table(json!({ "game": game, "clock": { "initial_ms": 300_000 } })).await;
            page.until(over, json!(0)).await;
            let shown = "const board = document.getElementById('board').getBoundingClientRect();
                         return board.top >= 0 && board.bottom <= innerHeight && board.width > 340";
            page.until(shown, json!(true)).await;
        }
        page.touch(&["a1", "b2"]).await;
        page.moves(&["a1b2"]).await;
        page.table(json!({ "game": "othello" })).await;
        page.touch(&["f5"]).await;
        page.moves(&["f5"]).await;
        page.touch(&["f6"]).await;
        page.moves(&["f5", "f6"]).await;
        for room in ["", "/ratings", "/archive", "/bots"] {
            page.go(&format!("#arena{room}")).await;
            page.until("return document.querySelectorAll('.room > *').length > 0", json!(true)).await;
            page.until(over, json!(0)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_languages_say_everything() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/words");
    let files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    with_page("words", |page| async move {
        for file in files {
            let script = format!(
                "const shape = (words) => typeof words === 'object'
                   ? Object.fromEntries(Object.keys(words).sort().map((key) => [key, shape(words[key])]))
                   : typeof words === 'function' ? `function of ${{words.length}}` : words === '' ? 'nothing' : 'text';
                 return import('/assets/words/{file}').then(({{ default: words }}) =>
                   [Object.keys(words).sort().join(), JSON.stringify(shape(words.en)), JSON.stringify(shape(words.de))])"
            );
            let found = page.script(&script).await;
            assert_eq!(found[0], json!("de,en"), "{file}");
            assert!(found[1].as_str().unwrap().len() > 2, "{file} is empty");
            assert_eq!(found[1], found[2], "{file}: English and German differ in their keys");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn motion_can_be_turned_off_and_follows_the_system() {
    with_page("motion", |page| async move {
        page.table(json!({ "game": "abalone" })).await;
        let motion = "return document.documentElement.dataset.motion";
        let glides = "return getComputedStyle(document.querySelector('.stone')).transitionDuration !== '0s'";
        page.until(glides, json!(true)).await;
        let wish = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        page.driver.cdp().send_raw("Emulation.setEmulatedMedia", wish).await.unwrap();
        page.until(motion, json!("off")).await;
        page.until(glides, json!(false)).await;
        page.press("#motion").await;
        page.until(glides, json!(true)).await;
        page.press("#motion").await;
        page.until(glides, json!(false)).await;
        page.drag("a1", "b2").await;
        page.moves(&["a1b2"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_control_has_a_name() {
    with_page("names", |page| async move {
        let nameless = "return [...document.querySelectorAll('button, a, input, select, textarea, [role=button], [role=img], svg[role]')]
            .filter((one) => !one.closest('[aria-hidden=true]') && !one.closest('[hidden]'))
            .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length || one.title))
            .map((one) => one.outerHTML.slice(0, 120))";
        for language in ["en", "de"] {
            page.go("#play").await;
            page.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len())).await;
            page.until(nameless, json!([])).await;
            page.table(json!({ "game": "morris" })).await;
            page.until(nameless, json!([])).await;
            page.go("#arena").await;
            page.until("return Boolean(document.getElementById('name'))", json!(true)).await;
            page.until(nameless, json!([])).await;
            if language == "en" {
                page.press("#language").await;
            }
        }
    })
    .await;
}
