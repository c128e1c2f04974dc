//! What everybody needs to use a page: a heading, names for controls, words that can be read on their ground, known roles.
//!
//! These are the checks that an accessibility checker makes most of; the checker itself is not kept here.

use serde_json::json;

use crate::page::with_page;

/// Everything that is wrong with the page, as a list of words.
const FAULTS: &str = r#"
    const seen = (one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !one.closest('[aria-hidden=true]');
    const all = [...document.querySelectorAll('body *')].filter(seen);
    const faults = [];
    const short = (one) => one.outerHTML.slice(0, 90);
    if (!document.documentElement.lang) faults.push('no language');
    if (!all.some((one) => one.matches('h1'))) faults.push('no h1');
    const ids = all.map((one) => one.id).filter(Boolean);
    for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) faults.push(`twice: #${id}`);
    const ROLES = ['alert', 'button', 'checkbox', 'dialog', 'group', 'img', 'link', 'list', 'radiogroup', 'region', 'status', 'switch',
      'tab', 'tablist', 'tabpanel', 'timer', 'toolbar', 'presentation', 'none'];
    for (const one of all) {
      const role = one.getAttribute('role');
      if (role && !ROLES.includes(role)) faults.push(`role ${role}`);
      if (!one.matches('button, a[href], input, select, textarea, [role=button], [role=img], [role=tab]')) continue;
      const name = one.getAttribute('aria-label') || (one.innerText ?? one.textContent).trim() || one.labels?.[0]?.textContent.trim() || one.title;
      if (!name && one.type !== 'file') faults.push(`no name: ${short(one)}`);
      // Who says what stands on a button must be understood: the words in sight are part of its name.
      const [label, words] = [one.getAttribute('aria-label'), one.innerText].map((text) => text?.trim().toLowerCase().replace(/\s+/g, ' '));
      if (one.matches('button, a') && label && words && !label.includes(words)) faults.push(`other words: ${short(one)}`);
    }
    const parse = (text) => {
      const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
      return text.startsWith('color(srgb') ? [...numbers.slice(0, 3).map((part) => part * 255), numbers[3] ?? 1] : [...numbers.slice(0, 3), numbers[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3])).concat(1);
    const ground = (one) => {
      const layers = [];
      for (let at = one; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
      return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const light = (colour) => {
      const [r, g, b] = colour.map((part) => { const c = part / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    for (const one of all) {
      if (one.closest('svg') || one.closest(':disabled') || one.matches('option') || getComputedStyle(one).backgroundImage !== 'none') continue;
      if (one.closest('.value-bar, .swatch')) continue;
      const words = [...one.childNodes].filter((child) => child.nodeType === 3 && child.textContent.trim());
      if (words.length === 0) continue;
      const style = getComputedStyle(one);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const below = ground(one);
      const found = ratio(over(parse(style.color), below), below);
      if (found < least) faults.push(`contrast ${found.toFixed(2)}: ${short(one)}`);
    }
    // Digits on stones: dark on white ones, light on black ones.
    for (const note of document.querySelectorAll('#board .note')) {
      const fill = light(parse(getComputedStyle(note).fill));
      if (note.classList.contains('white') && fill > 0.2) faults.push('light digits on a white stone');
      if (note.classList.contains('black') && fill < 0.4) faults.push('dark digits on a black stone');
    }
    return faults.slice(0, 12)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn every_page_can_be_read_and_used_in_both_themes() {
    with_page("accessible", |page| async move {
        let id = page.table(json!({ "game": "othello", "clock": { "initial_ms": 300_000 } })).await;
        page.play(&["f5", "d6", "c3"], &["f5", "d6", "c3"]).await;
        let pages = [
            ("#play", ".tile"),
            (&format!("#play/{id}"), "#board .cell"),
            (&format!("#analyse/{id}"), "#lines li"),
            ("#teach", ".room h1"),
            ("#teach/lessons", ".lesson-card"),
            ("#teach/lesson/morris/first-steps", "#board .cell"),
            ("#teach/opponents", ".face"),
            ("#teach/mistakes", ".room h1"),
            ("#learn", ".room h1"),
            ("#learn/heuristics", ".room h1"),
            ("#learn/studies", ".room h1"),
            ("#learn/tournaments", ".room h1"),
            ("#arena", "#name"),
            ("#arena/ratings", ".room h1"),
            ("#arena/archive", ".room h1"),
            ("#arena/bots", ".room h1"),
            ("#games", "#my-games li"),
            ("#nowhere", ".notice h1"),
        ];
        for theme in ["light", "dark"] {
            page.script(&format!("localStorage.setItem('theme', '{theme}')")).await;
            page.driver.refresh().await.unwrap();
            for (hash, there) in pages {
                page.go(hash).await;
                page.until(&format!("return Boolean(document.querySelector({}))", json!(there)), json!(true))
                    .await;
                if hash.starts_with("#analyse") {
                    page.press("#tab-known").await;
                    page.until("return Boolean(document.querySelector('#known h2'))", json!(true)).await;
                    assert_eq!(page.script(FAULTS).await, json!([]), "what is known in the {theme}");
                    page.press("#tab-why").await;
                    page.until(
                        "return document.querySelectorAll('#board .note.white').length > 0",
                        json!(true),
                    )
                    .await;
                }
                let faults = page.script(FAULTS).await;
                assert_eq!(faults, json!([]), "{hash} in the {theme}");
            }
            page.press("#settings").await;
            assert_eq!(page.script(FAULTS).await, json!([]), "settings in the {theme}");
            page.script("document.querySelector('dialog').close()").await;
        }
        // On a phone buttons lose their words, but not their names.
        page.phone().await;
        for (hash, there) in pages {
            page.go(hash).await;
            page.until(&format!("return Boolean(document.querySelector({}))", json!(there)), json!(true))
                .await;
            assert_eq!(page.script(FAULTS).await, json!([]), "{hash} on a phone");
        }
    })
    .await;
}
