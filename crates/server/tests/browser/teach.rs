//! The page Practise: first steps of all games played through in both languages, puzzles and lessons, one's own mistakes,
//! opponents.

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

/// A game of fourteen moves by lot, in which both sides err badly.
const ERRING: [&str; 14] =
    ["c4", "c3", "e6", "f6", "g6", "c5", "b3", "e3", "e2", "g7", "b6", "h6", "b2", "a1"];

/// The page's calendar goes on by so many days.
async fn days_later(page: &Page, days: u32) {
    page.script(&format!("const now = Date.now; Date.now = () => now() + {days} * 86400000")).await;
    page.go("#teach/lessons").await;
    page.shows(".room h1", "First steps").await;
    page.go("#teach/mistakes").await;
}

/// Tries the mistake that is shown, first as it was played if it is to be missed; the best move is among those kept.
async fn try_mistake(page: &Page, is_missed: bool) {
    page.shows("#said", "Find the better move").await;
    let shown = "const { textContent } = document.getElementById('said');
        return JSON.parse(localStorage.getItem('set-mistakes')).filter(({ due }) => due <= Math.floor(Date.now() / 86400000))
          .sort((a, b) => a.due - b.due).map(({ played, best }) => [played, best, textContent.includes(`played ${played}.`)])[0]";
    let found = page.script(shown).await;
    let (played, best) = (found[0].as_str().unwrap(), found[1].as_str().unwrap());
    assert_eq!(found[2], json!(true), "{found}");
    if is_missed {
        page.click(played).await;
        page.shows("#said.wrong", &format!("{played} is what you played")).await;
    }
    page.click(best).await;
    page.shows("#said.done", if is_missed { "It comes back tomorrow" } else { "found!" }).await;
    page.press_soon("#next-mistake").await;
}

/// After a review the mistakes of a side are tried again, and come back some days later: the missed ones sooner.
#[tokio::test(flavor = "multi_thread")]
async fn mistakes_of_a_reviewed_game_are_tried_again_and_come_back_days_later() {
    with_page("mistakes", |page| async move {
        page.go(&format!("#analyse/at/othello/-/-/{}/14", ERRING.join("_"))).await;
        page.press_soon("#tab-review").await;
        page.press_soon("#begin-review").await;
        page.press_soon("#next-mark").await;
        // Each mistake says why.
        page.until("return document.querySelectorAll('#reasons li').length > 0", json!(true)).await;
        page.press_soon("#keep-black").await;
        page.shows(".practice h1", "My mistakes").await;
        let count = page.script("return JSON.parse(localStorage.getItem('set-mistakes')).length").await;
        let count = count.as_u64().unwrap();
        assert!(count >= 2, "{count} mistakes of Black");
        page.shows("#waiting", &format!("{count} to try today")).await;
        try_mistake(&page, true).await;
        page.shows("#waiting", &format!("{} to try today", count - 1)).await;
        page.phone().await;
        for _ in 1..count {
            try_mistake(&page, false).await;
        }
        page.shows("#said", &format!("{count} mistakes come back on another day")).await;
        // All of them tomorrow; then the one that was missed after a day, the others after three.
        days_later(&page, 1).await;
        for waiting in (1..=count).rev() {
            page.shows("#waiting", &format!("{waiting} to try today")).await;
            try_mistake(&page, false).await;
        }
        days_later(&page, 1).await;
        page.shows("#waiting", "1 to try today").await;
        try_mistake(&page, false).await;
        page.shows("#said", "Nothing to do today").await;
        days_later(&page, 2).await;
        page.shows("#waiting", &format!("{} to try today", count - 1)).await;
    })
    .await;
}

/// Plays 240 games of persons as strong as some levels against the level that adapts, each won as often as the ratings say:
/// which share of the last 200 they win.
const PERSONS: &str = "
    return (async () => {
      const adaptive = await import('/assets/teach/adaptive.js');
      const real = window.fetch;
      const results = {};
      window.fetch = (path, asked) => path.startsWith('/api/tables/')
        ? Promise.resolve(new Response(JSON.stringify({ result: results[path.split('/').at(-1)] }), { status: 200 }))
        : real(path, asked);
      let seed = 27;
      const lot = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
      const shares = [];
      for (const { name, levels } of await (await real('/api/games')).json()) {
        for (const place of [1, 4, 7]) {
          localStorage.removeItem('set-practice');
          let won = 0;
          for (let game = 0; game < 240; game += 1) {
            const level = await adaptive.level(name, levels.length);
            const chance = 1 / (1 + 10 ** ((levels[level - 1].rating - levels[place].rating) / 400));
            const isWon = lot() < chance;
            results[game] = { winner: isWon ? 'black' : 'white' };
            adaptive.begun(name, String(game), 'black');
            if (game >= 40 && isWon) won += 1;
          }
          shares.push([name, place + 1, won / 200]);
        }
      }
      window.fetch = real;
      return shares;
    })()";

#[tokio::test(flavor = "multi_thread")]
async fn against_the_level_that_adapts_about_half_is_won() {
    with_page("adaptive", |page| async move {
        let answer = page.script(PERSONS).await;
        let shares = answer.as_array().unwrap();
        let rated: Vec<&Value> = shares.iter().filter(|one| one[0] != "tictactoe").collect();
        assert_eq!(rated.len(), 9, "{shares:?}");
        println!("{rated:?}");
        for one in rated {
            assert!((0.42..=0.58).contains(&one[2].as_f64().unwrap()), "{one}");
        }
    })
    .await;
}

/// Everybody to play against has a name and a line; the one that adapts and the trickster answer a move.
#[tokio::test(flavor = "multi_thread")]
async fn opponents_have_names_ratings_styles_and_a_story() {
    with_page("opponents", |page| async move {
        let shelves = [
            ("othello", "Othello", vec!["othilie", "reversi", "logistello"]),
            ("morris", "Morris", vec!["perfect", "tricky", "muehleStandard", "muehleMulti"]),
            ("abalone", "Abalone", vec!["abaloneReference"]),
        ];
        for (game, title, faces) in shelves {
            page.go("#teach/opponents").await;
            page.press_soon(&format!("label:has(input[name='opponent-game'][value='{game}'])")).await;
            let shown = format!("return document.querySelector('[data-face=adaptive] button')?.ariaLabel.includes('{title}')");
            page.until(&shown, json!(true)).await;
            let levels = "return [...document.querySelectorAll('[data-face^=level-] .facts')].filter((one) => /^Level \\d+ · rated \\d+ · \\S.* · \\S/.test(one.textContent)).length";
            page.until(levels, json!(10)).await;
            for face in faces {
                let said = format!("return document.querySelector('[data-face={face}] .facts').textContent.length > 20");
                page.until(&said, json!(true)).await;
            }
        }
        page.press_soon("label:has(input[name='opponent-game'][value='morris'])").await;
        for face in ["adaptive", "tricky"] {
            page.go("#teach/opponents").await;
            page.press_soon(&format!("[data-face={face}] button")).await;
            page.table_id().await;
            page.click("d6").await;
            page.until("return document.querySelectorAll('.move').length", json!(2)).await;
        }
        page.phone().await;
        for place in ["opponents", "lessons", "mistakes", "puzzle/abalone/7", "lesson/othello/first-steps"] {
            page.go(&format!("#teach/{place}")).await;
            page.until("return document.querySelectorAll('.room h1, .practice h1').length", json!(1)).await;
            let fits = "return document.documentElement.scrollWidth <= innerWidth";
            page.until(fits, json!(true)).await;
        }
    })
    .await;
}
