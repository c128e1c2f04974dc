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

/// Answers for the page's questions about puzzles, as a server with two of them would give: f5 from the start, then d6.
const TWO_PUZZLES: &str = "
    const real = window.fetch;
    const lines = { 1: [['f5'], []], 2: [['d6'], ['f5']] };
    const answer = (body) => Promise.resolve(new Response(JSON.stringify(body), { status: 200 }));
    window.fetch = async (path, asked = {}) => {
      const number = Number(/puzzles\\/othello\\/(\\d+)/.exec(path)?.[1]);
      const body = asked.body ? JSON.parse(asked.body) : null;
      if (path === '/api/puzzles') return answer([{ game: 'othello', count: 2, themes: { corner: 2 } }]);
      if (path === '/api/lessons/othello') return answer([{ name: 'corners', title: { en: 'Corners', de: 'Ecken' }, about: { en: 'a', de: 'b' }, steps: [], theme: 'corner', puzzles: [1, 2] }]);
      if (path.endsWith('/try')) {
        const [line] = lines[number];
        const right = line[0] === body.moves[0];
        const solution = right || body.give_up ? { line, right: '+2', next: '-4', command: 'trilith solve' } : null;
        return answer({ right, solved: right, reply: null, solution });
      }
      if (path.endsWith('/rate')) return answer({ rating: body.solved ? 900 : 700, deviation: 100, volatility: 0.06, games: 1 });
      if (path.startsWith('/api/puzzles/')) {
        const at = number || 2;
        const look = await real('/api/look', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'othello', moves: lines[at][1] }) });
        const { view } = await look.json();
        return answer({ game: 'othello', number: at, position: view.position, goal: 'win', theme: 'corner', rating: 800, level: 3, plies: 10, is_length: false, moves: 1, ...(path.includes('daily') ? { day: 1 } : {}) });
      }
      return real(path, asked);
    };";

/// A lesson on an idea is its puzzles, one after the other; with the last one it is done.
#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_of_puzzles_is_done_when_all_are_solved() {
    with_page("lesson-of-puzzles", |page| async move {
        page.script(TWO_PUZZLES).await;
        page.go("#teach/lesson/othello/corners").await;
        page.shows("#prompt", "Solve these").await;
        page.press_soon("#practise a:nth-child(1)").await;
        page.shows("#facts", "Puzzle 1").await;
        page.click("c4").await;
        page.shows("#said.wrong", "c4 is not it").await;
        page.shows("#streak", "0 (best 0)").await;
        page.click("f5").await;
        page.shows("#said.done", "Only the first try counts").await;
        page.press_soon("#next-puzzle").await;
        page.shows("#facts", "Puzzle 2").await;
        page.click("d6").await;
        page.shows("#said.done", "Solved at the first try").await;
        page.shows("#streak", "1 (best 1)").await;
        page.shows("#rating", "900").await;
        page.shows("#next-puzzle", "Back to the lesson").await;
        page.press("#next-puzzle").await;
        page.shows("#prompt", "Done!").await;
        page.until("return document.querySelectorAll('#practise .done').length", json!(2)).await;
        page.go("#teach/lessons").await;
        page.shows("[data-lesson='othello/corners'].done", "done").await;
        // Themes and the puzzle of the day.
        page.go("#teach").await;
        page.shows("#theme-choice", "Corner (2)").await;
        page.press("#daily").await;
        page.shows("#facts", "Puzzle of the day").await;
    })
    .await;
}
