//! The page Practise: first steps of all games played through in both languages.

use serde_json::json;

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
