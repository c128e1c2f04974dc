//! The page Learn: a heuristic is made and played, its features are trained, the curve grows meanwhile, in both languages.

use serde_json::json;

use crate::page::{data_folder, with_data, with_page};

/// With how many points the curve of the loss is drawn.
const POINTS: &str = "Number(document.querySelector('[data-curve=\"loss\"]')?.dataset.points ?? 0)";

#[tokio::test(flavor = "multi_thread")]
async fn a_heuristic_is_made_played_and_its_features_trained() {
    with_data("learn", |page| async move {
        page.go("#learn/heuristics").await;
        page.press_soon("#new-heuristic").await;
        page.write("#heuristic-name", "mine").await;
        page.write(".weights .weight:nth-child(2) input[type='number']", "3").await;
        page.press("#save-heuristic").await;
        page.shows("[data-heuristic='mine']", "1 features weighed").await;

        page.press("[data-heuristic='mine'] .play-it").await;
        page.table_id().await;
        page.shows("#player-white .who-name", "heuristic:mine").await;
        page.click("f5").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;

        page.go("#learn/heuristics").await;
        page.press_soon("[data-heuristic='mine'] .train-it").await;
        page.until("return document.getElementById('run-name').value", json!("mine-1")).await;
        let config = "const area = document.getElementById('run-config');
            area.value = area.value.replace('games = 1500', 'games = 400')";
        page.script(config).await;
        page.press("#begin-run").await;
        page.until("return document.getElementById('run')?.dataset.state", json!("finished")).await;
        page.until(&format!("return {POINTS} > 1"), json!(true)).await;
        page.press("#run .play-it").await;
        page.table_id().await;
        page.shows("#player-white .who-name", "run:mine-1").await;
        page.click("f5").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;

        page.go("#learn").await;
        page.shows("[data-run='mine-1'] .state", "finished").await;
        page.press("#language").await;
        page.shows("[data-run='mine-1'] .state", "fertig").await;
        page.shows("#new-run", "Neuer Trainingslauf").await;
        page.go("#learn/studies").await;
        page.until("return Boolean(document.getElementById('studies'))", json!(true)).await;
        page.go("#learn/tournaments").await;
        page.shows("#tournaments", "trilith tournament").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_resumed_and_deleted_and_what_is_wrong_is_said() {
    with_data("runs", |page| async move {
        page.go("#learn").await;
        page.press_soon("#new-run").await;
        let config = "const area = document.getElementById('run-config');
            area.value = area.value.replace('games = 1500', 'games = 90000000')";
        page.until("return Boolean(document.getElementById('run-config')?.value)", json!(true)).await;
        page.script(config).await;
        page.write("#run-name", "No Name").await;
        page.press("#begin-run").await;
        page.shows(".dialog .fault", "a-z").await;
        page.only_logged("400").await;
        page.write("#run-name", "long").await;
        page.press("#begin-run").await;
        // The curve grows while the run goes on, which ends only when it is told to.
        page.until(&format!("return {POINTS} > 0"), json!(true)).await;
        let first = page.script(&format!("return {POINTS}")).await;
        page.until(&format!("return {POINTS} > {first}"), json!(true)).await;
        page.press_soon("#stop-run").await;
        page.until("return document.getElementById('run').dataset.state", json!("stopped")).await;
        page.press("#resume-run").await;
        page.until("return document.getElementById('run').dataset.state", json!("running")).await;
        page.press_soon("#stop-run").await;
        page.press_soon("#delete-run").await;
        page.press("#confirm-yes").await;
        page.shows("#runs", "Nothing has been trained yet").await;
    })
    .await;
}

/// The dashboard of a tournament that goes on through a queue.
#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_shows_who_works_how_fast_and_the_curve_of_its_test() {
    let player = |name: &str, elo: f64| {
        json!({ "name": name, "player": "engine", "games": 4, "wins": 1, "draws": 2, "losses": 1, "points": 2.0,
            "rate": 0.5, "p": 0.0, "elo": elo, "error": 80.0, "faults": 0 })
    };
    let none = json!({ "wins": 0, "draws": 0, "losses": 0 });
    let met = json!({ "wins": 1, "draws": 2, "losses": 1 });
    let mut standings = json!({
        "tournament": "Patch", "game": "morris", "rules": "", "games": 4, "planned": 40, "games_per_second": 1.5,
        "workers": [{ "name": "idle <b>", "jobs": 1, "silent": 300.0 }, { "name": "busy", "jobs": 3, "silent": 2.0 }],
        "players": [player("patch", 5.0), player("base", -5.0)],
        "cross": [[none, met], [met, none]],
        "tests": [{ "a": "patch", "b": "base", "test": "0,5,0.05,0.05", "llr": 0.3, "lower": -2.94, "upper": 2.94,
            "verdict": "open", "curve": [[2, 0.1], [4, 0.3]] }],
    });
    with_data("tournament", |page| async move {
        let folder = data_folder("tournament").join("tournaments");
        std::fs::create_dir_all(&folder).unwrap();
        let write = |standings: &serde_json::Value| {
            std::fs::write(folder.join("patch.json"), standings.to_string()).unwrap();
        };
        write(&standings);
        let journal = std::fs::File::create(folder.join("patch.journal")).unwrap();
        journal.lock().unwrap();
        page.go("#learn/tournament/patch").await;
        page.shows(".run-facts", "1.5 games/s").await;
        page.shows("#workers tbody tr:nth-child(1)", "busy").await;
        page.shows("#workers tbody tr:nth-child(2)", "idle <b>").await;
        page.shows("#workers tbody tr:nth-child(2)", "5 min ago").await;
        page.until("return Boolean(document.querySelector('.evidence svg'))", json!(true)).await;
        standings["workers"][1]["jobs"] = json!(17);
        write(&standings);
        page.shows("#workers [data-worker='busy'] td", "17").await;
        page.press("#language").await;
        page.shows(".room", "Wer arbeitet").await;
        // When it has ended nobody works.
        drop(journal);
        page.until("return document.getElementById('workers') === null", json!(true)).await;
    })
    .await;
}

/// A network with layers and rates is made in the page, taught by a game against it, trained on and played.
#[tokio::test(flavor = "multi_thread")]
async fn a_network_is_made_taught_by_a_game_and_trained_on() {
    with_data("network", |page| async move {
        page.go("#learn/heuristics").await;
        page.press_soon("#new-network").await;
        page.write("#network-name", "pupil").await;
        page.choose("#network-game", "morris").await;
        page.press("#add-layer").await;
        page.write("#layers li:nth-child(1) input", "8").await;
        page.write("#layers li:nth-child(2) input", "5").await;
        page.press("#layers li:nth-child(2) option[value='logistic']").await;
        page.write("#network-rate", "0.2").await;
        page.press("#save-network").await;
        page.shows("[data-heuristic='pupil']", "network 8 tanh → 5 logistic").await;
        page.shows("[data-heuristic='pupil']", "0 games learned from").await;

        // A game against it: after the end it has learned.
        page.press("[data-heuristic='pupil'] .teach-it").await;
        page.table_id().await;
        page.shows("#player-black .who-name", "heuristic:pupil").await;
        for (cell, count) in [("d6", 2), ("f4", 4), ("d2", 6), ("b4", 8), ("a7", 10), ("g1", 12)] {
            page.ready().await;
            let free = format!(
                "const cells = [...document.querySelectorAll('#board .cell')].filter((one) => one.getAttribute('aria-label').includes('legal target'));
                 (cells.find((one) => one.dataset.name === '{cell}') ?? cells[0]).dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
            );
            page.script(&free).await;
            page.until(&format!("return document.querySelectorAll('.move').length >= {count} || Boolean(document.querySelector('#board .removable'))"), json!(true)).await;
            if page.script("return Boolean(document.querySelector('#board .removable'))").await == json!(true) {
                break;
            }
        }
        page.press("#resign").await;
        page.press_soon("#confirm-yes").await;
        page.says("Black wins").await;
        page.until(
            "return fetch('/api/learn/heuristics').then((answer) => answer.json()).then(([one]) => one.network.games)",
            json!(1),
        )
        .await;

        page.go("#learn/heuristics").await;
        page.shows("[data-heuristic='pupil']", "1 game learned from").await;
        page.press("[data-heuristic='pupil'] .train-it").await;
        page.until("return document.getElementById('run-config')?.value.includes('begin = \"heuristic:pupil\"')", json!(true)).await;
        let quick = "const area = document.getElementById('run-config');
            area.value = area.value.replace('games = 400', 'games = 20').replace('depth = 2', 'depth = 1').replace('yardstick_games = 20', 'yardstick_games = 0').replace('final_games = 20', 'final_games = 2')";
        page.script(quick).await;
        page.press("#begin-run").await;
        page.until("return document.getElementById('run')?.dataset.state", json!("finished")).await;
        page.press("#run .play-it").await;
        page.table_id().await;
        page.shows("#player-black .who-name", "run:pupil-1").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_have_names_and_what_cannot_be_a_network_is_refused() {
    with_page("names-of-players", |page| async move {
        page.press(".tile[data-game='othello']").await;
        page.press("[data-side='white'] input[value='human'] + span").await;
        page.write("#name-black", "Anna").await;
        page.write("#name-white", "Bert").await;
        page.press("#start").await;
        page.table_id().await;
        page.shows("#player-black .who-name", "Anna").await;
        page.shows("#player-white .who-name", "Bert").await;
        page.go("#learn/heuristics").await;
        page.press_soon("#new-network").await;
        page.write("#network-name", "No Name").await;
        page.press("#save-network").await;
        page.until("return document.querySelector('.dialog .fault').textContent !== ''", json!(true)).await;
        page.only_logged("404").await;
    })
    .await;
}
