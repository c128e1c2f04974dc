//! What people stumbled over, each with the step that showed it: one browser for many of them.

use serde_json::{Value, json};

use crate::page::{Page, with_page, with_two};
use crate::people::{challenge, resign, sign_up};

/// Opens a table for one person whose link the other follows.
async fn meet(black: &Page, white: &Page, mut wish: Value) {
    wish["players"] = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let id = black.table(wish).await;
    black.until("return Boolean(document.querySelector('#link'))", json!(true)).await;
    white.go(&format!("#play/{id}")).await;
    white.press_soon("#join").await;
}

const HUMAN_AND_ENGINE: &str =
    r#"{ "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } }"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_table_says_what_is_and_not_what_was() {
    with_page("mended-table", |page| async move {
        // A refused draw is not what the end card says, nor does it stay after a lost connection.
        let players: Value = serde_json::from_str(HUMAN_AND_ENGINE).unwrap();
        page.table(json!({ "game": "othello", "players": players })).await;
        page.click("f5").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        page.ready().await;
        page.press("#offerDraw").await;
        page.press("#confirm-yes").await;
        page.says("does not take draws").await;
        page.only_logged("409").await;
        resign(&page).await;
        page.says("White wins – Resignation").await;
        page.shows("#ended .winner .ended-name", "Computer, level 1").await;
        page.until("return document.querySelectorAll('#ended .ended-score').length", json!(2)).await;

        // A rematch changes the colours, against engines too.
        page.press("#again").await;
        page.until("return document.querySelector('#player-white .who-name')?.textContent", json!("You"))
            .await;
        page.until("return document.querySelectorAll('.move').length >= 1", json!(true)).await;

        // On one's own turn nobody thinks aloud.
        page.until("return document.querySelectorAll('#thinking-body .fact').length", json!(0)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_clicks_say_so_and_leave_what_was_begun() {
    with_page("mended-clicks", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        page.click("a1").await;
        page.says("not a legal move").await;
        page.press("#flip").await;
        let top = "const y = (name) => document.querySelector(`#board .cell[data-name='${name}'] .hit`).getBoundingClientRect().y;
                   return y('a8') < y('a1')";
        page.until(top, json!(true)).await;
        page.press("#menu-button").await;
        page.press("#picture").await;
        page.until("return document.querySelector('#menu').matches(':popover-open')", json!(false)).await;

        page.table(json!({ "game": "morris", "position": "3/bb1/3/w3bw/3/3/ww1 w 0 0" })).await;
        page.click("g4").await;
        page.click("g1").await;
        page.says("Mill!").await;
        page.click("a4").await;
        page.says("cannot be removed").await;
        page.stones("provisional", &["g1"]).await;
        page.click("b6").await;
        page.moves(&["g4-g1xb6"]).await;

        // Marbles of a row are chosen one by one; the end that came along is confirmed.
        page.table(json!({ "game": "abalone" })).await;
        for cell in ["a1", "b2", "c3"] {
            page.click(cell).await;
        }
        page.called("chosen", &["a1", "b2", "c3"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_links_say_so() {
    with_page("mended-links", |page| async move {
        page.go("#nowhere").await;
        page.shows(".notice", "not there").await;
        page.press(".notice a").await;
        page.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len()))
            .await;
        page.go("#arena/nowhere").await;
        page.shows(".notice", "not there").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_drawn_at_once_and_taken_back_if_it_is_refused() {
    with_page("mended-swift", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        // A server 150 ms away: the stone stands long before it answers.
        page.script(
            "const real = window.fetch;
             window.fetch = (...asked) => new Promise((done) => setTimeout(done, 150)).then(() => real(...asked));",
        )
        .await;
        let drawn = "const cell = document.querySelector(\"#board .cell[data-name='f5']\");
            const stones = () => document.querySelectorAll('#board .stone.black:not(.gone)').length;
            const start = performance.now();
            cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
            return [stones(), performance.now() - start]";
        let found = page.script(drawn).await;
        assert_eq!(found[0], json!(3), "{found}");
        // Some milliseconds on a quiet machine; before any answer on one whose cores others use.
        assert!(found[1].as_f64().unwrap() < 150.0, "{found}");
        page.moves(&["f5"]).await;
        page.script("window.fetch = async () => new Response(JSON.stringify({ error: 'the game is paused' }), { status: 409 })").await;
        page.click("d6").await;
        page.says("paused").await;
        page.until("return document.querySelectorAll('#board .stone:not(.gone)').length", json!(5)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_owns_every_screen() {
    with_page("mended-screens", |page| async move {
        let board = "const box = (css) => document.querySelector(css).getBoundingClientRect();
            const field = box('#board');
            const strips = [...document.querySelectorAll('.player')].map((strip) => strip.getBoundingClientRect().width);";
        for game in ["othello", "morris", "abalone"] {
            page.table(json!({ "game": game, "clock": { "initial_ms": 300_000 } })).await;
            for (width, height) in [
                (1280, 600),
                (1366, 768),
                (1920, 1080),
                (2560, 1440),
                (844, 390),
                (390, 844),
                (320, 640),
            ] {
                page.screen(width, height).await;
                let same = format!("{board} return strips.every((strip) => Math.abs(strip - field.width) < 1)");
                page.until(&same, json!(true)).await;
                page.until("return document.documentElement.scrollWidth <= innerWidth", json!(true)).await;
                if height == 768 || height == 1080 {
                    let high = format!("{board} return field.height >= 0.8 * innerHeight");
                    page.until(&high, json!(true)).await;
                }
                if width < 400 {
                    let wide = format!("{board} return Math.round(field.width) === innerWidth");
                    page.until(&wide, json!(true)).await;
                    let below = "return document.querySelector('.stage').contains(document.querySelector('.steps'))";
                    page.until(below, json!(true)).await;
                }
            }
        }
        let pits = "return document.querySelectorAll('#player-black .captured .pit').length";
        page.until(pits, json!(6)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_narrow_screen_shows_whole_labels_and_scrolls_from_the_board() {
    with_page("mended-narrow", |page| async move {
        page.screen(320, 640).await;
        // Seat labels are whole at 320 pixels.
        page.go("#play").await;
        page.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len())).await;
        let cut = "return [...document.querySelectorAll('.segment > span')].filter((one) => one.scrollWidth > one.clientWidth + 1).length";
        page.until(cut, json!(0)).await;

        // A swipe that begins on the board scrolls, where nothing can be dragged.
        page.phone().await;
        page.screen(390, 500).await;
        page.table(json!({ "game": "othello" })).await;
        let spot = |y: i32| json!({ "x": 60, "y": y });
        page.finger("touchStart", vec![spot(350)]).await;
        for y in [330, 300, 260, 220, 180] {
            page.finger("touchMove", vec![spot(y)]).await;
        }
        page.finger("touchEnd", vec![]).await;
        page.until("return scrollY > 40", json!(true)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_abort_take_back_and_move_in_advance() {
    with_two("mended-two", |anna, bert| async move {
        meet(&anna, &bert, json!({ "game": "othello", "clock": { "initial_ms": 300_000 } })).await;
        // Nobody's clock runs before the first move, and the game can still be left.
        anna.until("return document.querySelectorAll('.clock.running').length", json!(0)).await;
        anna.shows("#resign", "Abort").await;
        anna.play(&["f5"], &["f5"]).await;
        anna.until("return document.querySelectorAll('#player-white .clock.running').length", json!(1)).await;
        bert.moves(&["f5"]).await;
        bert.until("return document.title.includes('Your turn')", json!(true)).await;

        // Black asks for its move back; White says no, then yes.
        anna.press("#undo").await;
        anna.says("You asked for your move back").await;
        bert.says("would like a move back").await;
        bert.press("#decline").await;
        anna.says("Your move stays").await;
        anna.press("#undo").await;
        bert.press_soon("#grant").await;
        anna.moves(&[]).await;
        anna.play(&["f5"], &["f5"]).await;

        // A move in advance is played as soon as it can be.
        anna.click("c3").await;
        anna.says("In advance: c3").await;
        bert.play(&["d6"], &["f5", "d6", "c3"]).await;
        anna.moves(&["f5", "d6", "c3"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_talk_end_and_play_again() {
    with_two("mended-again", |anna, bert| async move {
        meet(&anna, &bert, json!({ "game": "othello" })).await;
        anna.play(&["f5"], &["f5"]).await;
        bert.play(&["d6"], &["f5", "d6"]).await;

        // A refused draw is told to who offered it.
        anna.press("#offerDraw").await;
        anna.press("#confirm-yes").await;
        bert.press_soon("#decline").await;
        anna.says("declined").await;

        bert.press("#talk").await;
        bert.press("[data-phrase='hello']").await;
        anna.shows("#player-white .bubble", "Hello!").await;

        resign(&bert).await;
        anna.says("Black wins").await;
        anna.press("#again").await;
        bert.shows("#again", "Accept").await;
        bert.press("#again").await;
        for (person, side) in [(&anna, "white"), (&bert, "black")] {
            let sits = format!("return document.querySelector('#player-{side} .who-name')?.textContent");
            person.until(&sits, json!("You")).await;
        }
        bert.play(&["f5"], &["f5"]).await;
        anna.moves(&["f5"]).await;

        // Ended games stay in the list.
        anna.go("#games").await;
        anna.until("return document.querySelectorAll('#my-games li').length", json!(2)).await;
        anna.shows("#my-games li.won", "Resignation").await;
        anna.press("[name='which'][value='lost'] + span").await;
        anna.until("return document.querySelectorAll('#my-games li').length", json!(0)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_is_closed_to_its_players_and_changes_their_ratings() {
    with_two("mended-rated", |anna, bert| async move {
        for (person, name) in [(&anna, "Anna"), (&bert, "Bert")] {
            person.go("#arena").await;
            if name == "Anna" {
                person.press_soon("#new-challenge").await;
                person.shows("#lobby-said", "Choose a name").await;
            }
            sign_up(person, name).await;
            // Who has a name is not asked for one any more.
            person.until("return document.querySelector('#lobby-said').textContent", json!("")).await;
        }
        let id = challenge(&anna, &bert, "").await;
        anna.play(&["f5"], &["f5"]).await;
        bert.play(&["d6"], &["f5", "d6"]).await;

        // Elsewhere one hears that it is one's turn: a game without a clock takes days.
        anna.go("#learn").await;
        anna.until("return Boolean(document.querySelector('.room'))", json!(true)).await;
        anna.go(&format!("#play/{id}")).await;
        anna.sits_at(&id).await;
        anna.play(&["c3"], &["f5", "d6", "c3"]).await;
        anna.press("#menu-button").await;
        anna.until("return document.querySelector('#analyse').disabled", json!(true)).await;
        anna.go(&format!("#analyse/{id}")).await;
        anna.shows("#engine-facts", "You play this rated game").await;
        anna.go(&format!("#play/{id}")).await;
        anna.sits_at(&id).await;

        resign(&bert).await;
        anna.until("return Boolean(document.querySelector('#ended .ended-rating.plus'))", json!(true)).await;
        bert.until("return Boolean(document.querySelector('#ended .ended-rating.minus'))", json!(true)).await;
        bert.go("#games").await;
        bert.shows("#my-games li.lost", "Anna").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_has_one_convention_branches_and_is_shared() {
    with_two("mended-analysis", |anna, bert| async move {
        anna.go("#analyse/at/othello/-/-/f5_d6_c3_d3_c4_f4_f6_f3/5").await;
        anna.until("return document.querySelectorAll('#lines li').length", json!(3)).await;
        anna.shows("#opening", "Tiger").await;
        // White is to move: what is good for White is minus, in the list and on the board alike.
        let signs = "const number = (text) => Math.round(Number(text.replace('−', '-').replace(',', '.')));
            const lines = [...document.querySelectorAll('#lines .worth')].map((one) => number(one.textContent)).sort();
            const notes = [...document.querySelectorAll('#board .note.rank')].map((one) => number(one.textContent)).sort();
            return lines.length === 3 && lines.every((value, at) => Math.abs(value - notes[at]) <= 1)";
        anna.until(signs, json!(true)).await;
        anna.shows("#curve", "+ is good for Black").await;

        // A variation with a comment, kept and shared.
        anna.click("b5").await;
        anna.shows("#status", "A line of your own").await;
        anna.write("#comment", "what if").await;
        anna.script("document.getElementById('comment').blur()").await;
        anna.shows(".variation", "what if").await;
        anna.press("#share").await;
        let link = anna.script("return document.getElementById('analysis-link').value").await;
        anna.until("return document.querySelectorAll('.qr').length", json!(1)).await;
        bert.driver.goto(link.as_str().unwrap()).await.unwrap();
        bert.driver.refresh().await.unwrap();
        bert.shows(".variation", "what if").await;
        bert.until("return document.querySelector('.branch[aria-current]')?.textContent", json!("b5")).await;
        let picture = "return import('/assets/analyse/pictures.js').then(async ({ still, playing, png }) => {
            const { games } = await import('/assets/api.js');
            const [{ board, stones }] = await games();
            const scene = { board, stones };
            const blob = await png(still(scene));
            return [blob.type, blob.size > 5000, (playing([scene, scene]).match(/<animate/g) ?? []).length];
        })";
        assert_eq!(bert.script(picture).await, json!(["image/png", true, 2]));

        // Stones of Morris come from the hand and go back there.
        bert.choose("#game", "morris").await;
        bert.until("return document.querySelectorAll('#board .cell').length", json!(24)).await;
        bert.press("#set-up").await;
        bert.until("return document.querySelector('#count-black')?.value", json!("9")).await;
        bert.cell("a7").await.click().await.unwrap();
        bert.until("return document.querySelector('#count-black').value", json!("8")).await;
        bert.press("#clear").await;
        bert.until("return document.querySelector('#count-black').value", json!("9")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn german_reaches_terms_titles_numbers_and_faults() {
    with_page("mended-german", |page| async move {
        page.press("#language").await;
        page.go("#analyse/at/othello/-/-/f5_d6_c3/3").await;
        page.until("return document.querySelectorAll('#lines li').length", json!(3)).await;
        page.press("#tab-why").await;
        page.until("return document.querySelectorAll('#terms tbody tr').length > 3", json!(true)).await;
        let english = "return [...document.querySelectorAll('#terms td:first-child')].map((one) => one.textContent)
            .filter((name) => /corner|diagonal|row|edge|discs|mobility|block|kite|right to move/.test(name))";
        page.until(english, json!([])).await;
        // Numbers have commas, and the scale says whose they are.
        page.until("return [...document.querySelectorAll('#terms td')].some((one) => /\\d,\\d/.test(one.textContent))", json!(true)).await;
        page.shows("#curve", "+ ist gut für Schwarz").await;
        page.press("#paste").await;
        page.write("#paste-text", "Unsinn").await;
        page.press("#read").await;
        page.until("return document.querySelector('.dialog .fault').textContent !== ''", json!(true)).await;
        page.only_logged("400").await;
        let translated = "return import('/assets/said.js').then(({ said, termName }) => [
            said('the game has ended: resignation'), termName('other marbles to lose: 10'), termName('corner2x5 a1-b5')])";
        let expected = ["Die Partie ist zu Ende: Aufgabe", "andere: Kugeln bis zur Niederlage: 10", "Ecke 2x5 a1-b5"];
        assert_eq!(page.script(translated).await, json!(expected));
        // The code of an address, as a reader of QR codes read it.
        let code = "return import('/assets/parts/qr.js').then(({ matrix }) => {
            const grid = matrix('http://127.0.0.1:4680/#play/0123456789abcdef0123456789abcdef');
            return [grid.length, grid.flat().reduce((sum, dark) => (sum * 31 + Number(dark)) % 1000003, 0)];
        })";
        assert_eq!(page.script(code).await, json!([33, 20369]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn looks_are_chosen_and_the_page_says_when_the_server_is_away() {
    with_page("mended-looks", |page| async move {
        page.table(json!({ "game": "othello" })).await;
        let felt = "return getComputedStyle(document.querySelector('.felt-0')).stopColor";
        let classic = page.script(felt).await;
        page.until("return document.querySelectorAll('#board .label').length", json!(16)).await;
        page.press("#settings").await;
        page.press("[name='look-board'][value='walnut'] + span").await;
        page.press("#set-coordinates").await;
        page.script("document.querySelector('dialog').close()").await;
        assert_ne!(page.script(felt).await, classic);
        page.until("return document.querySelectorAll('#board .label').length", json!(0)).await;
        page.driver.refresh().await.unwrap();
        page.ready().await;
        assert_ne!(page.script(felt).await, classic);

        let manifest = "return fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())
            .then(({ start_url, icons }) => [start_url, icons.length > 2])";
        assert_eq!(page.script(manifest).await, json!(["/#play", true]));
        // Nobody answers: it is said, and what this browser remembers can be read.
        page.script("window.away = true; const real = fetch; window.fetch = (...asked) => window.away ? Promise.reject(new TypeError('away')) : real(...asked)").await;
        page.click("f5").await;
        page.shows("#away", "server is away").await;
        page.until("return document.querySelectorAll('#board .stone:not(.gone)').length", json!(4)).await;
        page.go("#games").await;
        page.until("return document.querySelectorAll('#my-games li').length", json!(1)).await;
        page.script("window.away = false").await;
        page.shows("#away", "server is back").await;
    })
    .await;
}
