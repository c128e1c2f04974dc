//! The page Practise: first steps of all games played through in both languages.

use serde_json::{Value, json};

use crate::page::{Page, with_page};

/// The moves of each first step as clicks: the cells in the order in which a person picks them.
const STEPS: [(&str, &[&[&str]]); 3] = [
    ("othello", &[&["d3"], &["g4"], &["d3"], &["a5"], &["a1"], &["g8"]]),
    (
        "morris",
        &[
            &["d6"],
            &["g7", "d6"],
            &["d7"],
            &["g4", "g7", "b2"],
            &["g7", "g4"],
            &["a1", "d7", "g1"],
            &["g4", "g7", "a4"],
        ],
    ),
    (
        "abalone",
        &[
            &["c3", "d3"],
            &["e3", "e4", "e5", "e6"],
            &["e3", "e4", "e5", "f3"],
            &["e3", "e4", "e5"],
            &["e2", "e3", "e4", "e5"],
            &["e7", "e8", "e9"],
            &["e7", "e8", "e9"],
        ],
    ),
];

/// Plays the first steps of a game through; what is said is in the language of `go_on`.
async fn first_steps(page: &Page, game: &str, steps: &[&[&str]], [done, play]: [&str; 2]) {
    page.go("#teach/lessons").await;
    page.press_soon(&format!("[data-lesson='{game}/first-steps']")).await;
    page.until(
        "return document.querySelector('.practice')?.dataset.lesson",
        json!(format!("{game}/first-steps")),
    )
    .await;
    for (number, cells) in steps.iter().enumerate() {
        let count = format!("{} ", number + 1);
        page.shows("#step", &count).await;
        for cell in *cells {
            page.click(cell).await;
        }
        page.until("return document.querySelector('#said.done')?.textContent.length > 10", json!(true)).await;
        page.press_soon("#next-step").await;
    }
    page.shows("#prompt", done).await;
    page.shows("#play-level", play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn first_steps_of_all_games_are_played_through_in_both_languages() {
    with_page("first-steps", |page| async move {
        for (game, steps) in STEPS {
            first_steps(&page, game, steps, ["Done!", "Play against level 1"]).await;
        }
        page.press("#language").await;
        for (game, steps) in STEPS {
            first_steps(&page, game, steps, ["Geschafft!", "Gegen Stufe 1 spielen"]).await;
        }
        page.go("#teach/lessons").await;
        page.shows("[data-lesson='abalone/first-steps']", "erledigt").await;
        page.go("#teach/lesson/othello/first-steps").await;
        page.shows("#step", "Schritt 1 von 6").await;
        page.click("d3").await;
        page.press_soon("#next-step").await;
        page.click("b3").await;
        page.shows("#said.wrong", "b3 ist erlaubt").await;
        page.shows("#step", "Schritt 2 von 6").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_first_steps_a_game_against_the_weakest_level_begins() {
    with_page("first-game", |page| async move {
        let (game, steps) = STEPS[0];
        first_steps(&page, game, steps, ["Done!", "Play against level 1"]).await;
        page.press("#play-level").await;
        page.table_id().await;
        page.click("d3").await;
        page.until("return document.querySelectorAll('.move').length", json!(2)).await;
    })
    .await;
}

/// What the server knows of the puzzle that is shown.
async fn solution(page: &Page, game: &str, number: u64) -> Vec<String> {
    let script = format!(
        "return fetch('/api/puzzles/{game}/{number}/try', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }},
           body: JSON.stringify({{ moves: [], give_up: true }}) }}).then((answer) => answer.json())"
    );
    let answer = page.script(&script).await;
    answer["solution"]["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the shipped puzzles: see crates/teach/tests/shipped.rs"]
async fn a_puzzle_is_solved_another_missed_and_a_third_given_up() {
    with_page("puzzles", |page| async move {
        page.go("#teach/puzzle/othello/1").await;
        page.shows("#facts", "Puzzle 1").await;
        let line = solution(&page, "othello", 1).await;
        for (ply, mv) in line.iter().enumerate().filter(|(ply, _)| ply % 2 == 0) {
            page.click(mv).await;
            let expected = ply + 1 == line.len();
            page.until("return Boolean(document.getElementById('next-puzzle'))", json!(expected)).await;
            page.ready().await;
        }
        page.shows("#said.done", "Solved at the first try").await;
        page.shows("#streak", "1 (best 1)").await;
        page.until("return document.getElementById('solution').textContent", json!(line.join(" "))).await;
        let rating = "return Number.parseInt(document.getElementById('rating').textContent.replace(',', ''), 10)";
        let after_one = page.script(rating).await;

        page.go("#teach/puzzle/othello/500").await;
        page.shows("#facts", "Puzzle 500").await;
        let right = solution(&page, "othello", 500).await[0].clone();
        let wrong = format!(
            "return [...document.querySelectorAll('#board .cell')].filter((cell) =>
               cell.getAttribute('aria-label').includes('legal target') && cell.dataset.name !== '{right}')[0].dataset.name"
        );
        page.ready().await;
        let Value::String(wrong) = page.script(&wrong).await else { panic!("there is another move") };
        page.click(&wrong).await;
        page.shows("#said.wrong", &wrong).await;
        page.shows("#streak", "0 (best 1)").await;
        let after_two = page.script(rating).await;
        assert!(after_two.as_i64() < after_one.as_i64(), "{after_two} is not below {after_one}");

        page.go("#teach/puzzle/morris/300").await;
        page.shows("#facts", "Puzzle 300").await;
        page.press("#give-up").await;
        page.shows("#said.done", "This is the solution").await;
        page.shows("#proof", "tablebase probe morris").await;
        page.press("#next-puzzle").await;
        page.until("return Boolean(document.getElementById('give-up'))", json!(true)).await;
        page.choose("#theme-choice", "block").await;
        page.until("return Boolean(document.getElementById('give-up'))", json!(true)).await;
        page.press("#give-up").await;
        page.shows("#facts", "Blocking").await;
        page.press("#daily").await;
        page.shows("#facts", "Puzzle of the day").await;
        page.press("#language").await;
        page.shows("#daily", "Aufgabe des Tages").await;
    })
    .await;
}
