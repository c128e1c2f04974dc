//! What the page promises beside what people stumbled over: saved ends, found games, turned boards, rematches of every kind,
//! games that take days, nothing that jumps, few requests.

use serde_json::{Value, json};

use crate::page::{with_page, with_two};
use crate::people::{challenge, resign, sign_up};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_again_is_not_called_out_of_reach() {
    with_page("promised-back", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        page.script(
            "window.away = true; const real = fetch;
             window.fetch = (...asked) => (window.away ? Promise.reject(new TypeError('away')) : real(...asked))",
        )
        .await;
        page.click("f5").await;
        page.says("cannot be reached").await;
        page.script("window.away = false").await;
        page.says("Black to move").await;
        page.until("return document.getElementById('away')", json!(null)).await;
        page.play(&["f5"], &["f5"]).await;

        // The same when the socket was lost too.
        page.script("window.away = true").await;
        page.cut_off().await;
        page.click("d6").await;
        page.says("cannot be reached").await;
        page.script("window.away = false").await;
        page.reconnect().await;
        page.says("White to move").await;
        page.until("return document.querySelectorAll('#message .fault').length", json!(0)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_is_chosen_by_its_ends_and_an_end_that_came_along_is_confirmed() {
    with_page("promised-row", |page| async move {
        page.table(json!({ "game": "abalone" })).await;
        let row = ["a1", "b2", "c3"];
        // In any order, with what came along clicked once more: the row stays.
        for clicks in [&row[..], &["a1", "c3", "b2"], &["c3", "b2", "a1"], &["b2", "c3", "a1"]] {
            for cell in clicks {
                page.click(cell).await;
            }
            page.called("chosen", &row).await;
            // One that was clicked itself is let go; with all of them nothing is chosen any more.
            for cell in ["b2", "a1", "c3"] {
                page.click(cell).await;
            }
            page.called("chosen", &[]).await;
        }
        for cell in ["a1", "c3", "b2"] {
            page.click(cell).await;
        }
        page.play(&["d4"], &["a1b2"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resigned_game_is_saved_with_result_names_and_date_and_stays_ended() {
    with_page("promised-saved", |page| async move {
        let players = json!({ "black": { "kind": "human", "name": "Anna" }, "white": { "kind": "human", "name": "Bert" } });
        page.table(json!({ "game": "othello", "players": players })).await;
        page.play(&["f5", "d6"], &["f5", "d6"]).await;
        resign(&page).await;
        page.says("White wins – Resignation").await;
        let saved = "return fetch(document.getElementById('save').href).then((answer) => answer.text())";
        let saved = page.script(saved).await.as_str().unwrap().to_owned();
        for tag in ["[Black \"Anna\"]", "[White \"Bert\"]", "[Date \"20", "[Result \"0-1\"]"] {
            assert!(saved.contains(tag), "{tag} is not in\n{saved}");
        }
        page.table(json!({ "game": "morris" })).await;
        page.load(&saved).await;
        page.moves(&["f5", "d6"]).await;
        page.says("White wins").await;
        page.called("legal target", &[]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_games_are_filtered_and_searched() {
    with_page("promised-games", |page| async move {
        let engine = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } });
        page.table(json!({ "game": "othello", "players": engine })).await;
        page.click("f5").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        resign(&page).await;
        page.table(json!({ "game": "morris" })).await;
        page.play(&["d6", "f4"], &["d6", "f4"]).await;
        page.go("#games").await;
        let names = "return [...document.querySelectorAll('#my-games .terms')].map((one) => one.textContent.split(' · ')[0])";
        page.until(names, json!(["Nine Men’s Morris", "Othello"])).await;
        let today = "return document.querySelector('#my-games li.lost .terms').textContent.includes(String(new Date().getFullYear()))";
        page.until(today, json!(true)).await;
        page.shows("#my-games li.lost", "Computer, level 1").await;
        for (which, expected) in [("running", "Nine Men’s Morris"), ("lost", "Othello")] {
            page.press(&format!("[name='which'][value='{which}'] + span")).await;
            page.until(names, json!([expected])).await;
        }
        page.press("[name='which'][value='all'] + span").await;
        for (query, expected) in
            [("morris", json!(["Nine Men’s Morris"])), ("level 1", json!(["Othello"])), ("resign", json!(["Othello"])), ("abalone", json!([]))]
        {
            page.write("#search", query).await;
            page.until(names, expected).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_board_turns_with_its_cells_stones_and_strips() {
    with_page("promised-flip", |page| async move {
        for (game, near, far) in [("othello", "a8", "a1"), ("morris", "a1", "a7"), ("abalone", "a1", "i9")] {
            page.table(json!({ "game": game })).await;
            let order = format!(
                "const y = (css) => document.querySelector(css).getBoundingClientRect().y;
                 const cell = (name) => y(`#board .cell[data-name='${{name}}'] .hit`);
                 return [cell('{far}') < cell('{near}'), y('#player-white') < y('#player-black')]"
            );
            page.until(&order, json!([true, true])).await;
            page.press("#flip").await;
            page.until(&order, json!([false, false])).await;
            page.press("#flip").await;
            page.until(&order, json!([true, true])).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_changes_colours_at_one_screen_and_between_programs() {
    with_page("promised-rematch", |page| async move {
        let names = "return ['black', 'white'].map((side) => document.querySelector(`#player-${side} .who-name`).textContent)";
        let players = json!({ "black": { "kind": "human", "name": "Anna" }, "white": { "kind": "human", "name": "Bert" } });
        page.table(json!({ "game": "morris", "players": players })).await;
        page.until(names, json!(["Anna", "Bert"])).await;
        page.play(&["d6", "f4"], &["d6", "f4"]).await;
        resign(&page).await;
        page.press("#again").await;
        page.until(names, json!(["Bert", "Anna"])).await;
        page.moves(&[]).await;

        let level = |level: u32| json!({ "kind": "engine", "level": level });
        page.table(json!({ "game": "othello", "players": { "black": level(1), "white": level(2) } })).await;
        page.until(names, json!(["Computer, level 1", "Computer, level 2"])).await;
        page.until("return document.querySelectorAll('#message.ended').length", json!(1)).await;
        page.press("#again").await;
        page.until(names, json!(["Computer, level 2", "Computer, level 1"])).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_without_a_clock_goes_on_after_pages_were_closed_and_is_played_again() {
    with_two("promised-days", |anna, bert| async move {
        sign_up(&anna, "Anna").await;
        sign_up(&bert, "Bert").await;
        let id = challenge(&anna, &bert, "").await;
        anna.shows("#rules", "Rated").await;
        anna.until("return document.querySelectorAll('.clock').length", json!(0)).await;
        // Both are somewhere else; whoever is to move hears of it, wherever that is.
        anna.play(&["f5"], &["f5"]).await;
        anna.go("#learn").await;
        anna.until("return Boolean(document.querySelector('.room'))", json!(true)).await;
        bert.driver.goto("about:blank").await.unwrap();
        bert.driver.goto(&format!("{}/#games", bert.address)).await.unwrap();
        bert.shows("#my-games li.running", "Anna").await;
        bert.press("#my-games li.running a.button").await;
        bert.sits_at(&id).await;
        bert.play(&["d6"], &["f5", "d6"]).await;
        anna.shows(".toast", "your turn: Othello").await;
        anna.press(".toast .primary").await;
        anna.sits_at(&id).await;
        anna.play(&["c3"], &["f5", "d6", "c3"]).await;
        bert.moves(&["f5", "d6", "c3"]).await;
        resign(&bert).await;
        anna.until("return Boolean(document.querySelector('#ended .ended-rating.plus'))", json!(true)).await;

        anna.press("#again").await;
        bert.shows("#again", "Accept").await;
        bert.press("#again").await;
        anna.shows("#player-white .who-name", "Anna").await;
        bert.shows("#player-black .who-name", "Bert").await;
        bert.shows("#rules", "Rated").await;
        // Before both have moved a game can be left without a result.
        resign(&bert).await;
        anna.says("bort").await;
        let shown = "return [Boolean(document.querySelector('#ended')), document.querySelectorAll('#ended .ended-rating').length]";
        anna.until(shown, json!([true, 0])).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_weak_level_shows_what_it_plays_and_is_quiet_on_ones_turn() {
    with_page("promised-thinking", |page| async move {
        // All that is shown while the computer thinks, by the move that it is about.
        page.script(
            "window.thoughts = [];
             new MutationObserver(() => {
               const line = document.querySelector('#thinking-body .line')?.textContent;
               if (line) thoughts.push([document.querySelectorAll('.move').length, line.split(' ')[0]]);
             }).observe(document.body, { childList: true, subtree: true, characterData: true });",
        )
        .await;
        let players = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } });
        page.table(json!({ "game": "othello", "players": players })).await;
        for _ in 0..6 {
            page.until("return document.title.includes('Your turn')", json!(true)).await;
            page.ready().await;
            page.until("return document.querySelectorAll('#thinking-body .fact').length", json!(0)).await;
            let target = "return [...document.querySelectorAll('#board .cell')].find((cell) => cell.getAttribute('aria-label').includes('legal target')).dataset.name";
            let Value::String(cell) = page.script(target).await else { panic!("nothing can be played") };
            let before = page.script("return document.querySelectorAll('.move').length").await.as_u64().unwrap();
            page.click(&cell).await;
            page.until(&format!("return document.querySelectorAll('.move').length >= {}", before + 2), json!(true)).await;
        }
        // The last thing shown before each of its moves is that move.
        let wrong = "const moves = [...document.querySelectorAll('.move')].map((move) => move.textContent);
            const last = new Map(thoughts.filter(([ply]) => ply % 2 === 1));
            return [last.size > 0, [...last].filter(([ply, move]) => moves[ply] !== move)]";
        page.until(wrong, json!([true, []])).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_jumps_while_a_page_comes_and_a_table_is_few_requests() {
    with_page("promised-still", |page| async move {
        let watch = "window.shift = 0; window.moved = [];
            const name = ({ node }) => node && `${node.nodeName}#${node.id}.${node.className}`;
            new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
              window.shift += entry.value; window.moved.push(...entry.sources.map(name)); } })
              .observe({ type: 'layout-shift', buffered: true });";
        let script = json!({ "source": watch });
        page.driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", script).await.unwrap();
        let id = page.table(json!({ "game": "othello", "clock": { "initial_ms": 300_000 } })).await;
        page.play(&["f5", "d6"], &["f5", "d6"]).await;
        for (width, height) in [(1366, 768), (390, 844)] {
            page.screen(width, height).await;
            for place in ["#play".to_owned(), format!("#play/{id}"), format!("#analyse/{id}"), "#games".to_owned()] {
                page.driver.goto("about:blank").await.unwrap();
                page.driver.goto(&format!("{}/{place}", page.address)).await.unwrap();
                page.until("return Boolean(document.querySelector('.tile, #board .cell, #my-games li'))", json!(true)).await;
                tokio::time::sleep(std::time::Duration::from_millis(500)).await;
                let shift = page.script("return window.shift").await.as_f64().unwrap();
                let moved = page.script("return window.moved").await;
                assert!(shift < 0.01, "{place} at {width} pixels: {shift} by {moved}");
                let requests = "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)";
                let Value::Array(requests) = page.script(requests).await else { panic!("a list") };
                assert!(requests.len() <= 14, "{place}: {requests:?}");
                if place.starts_with("#play") {
                    assert!(!requests.iter().any(|path| path.as_str().unwrap().ends_with("/more.js")), "{requests:?}");
                }
            }
        }
    })
    .await;
}
