#!/usr/bin/env python3
"""Runs axe-core over every page, dialog and tab in both themes and both languages, at a desk's and a phone's width.

usage: axe.py PROGRAM AXE [NAME...]    PROGRAM is trilith; AXE the file axe.min.js of the npm package axe-core;
                                       NAME one of the sights below, all if none is given

Get axe with `npm pack axe-core && tar xzf axe-core-*.tgz`; it is no part of this repository. Prints each finding (page, rule,
element) and ends with 1 if there is one. Colours of elements that are still fading in would be measured, so motion is off.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from pictures import ABALONE, GUESTS, MORRIS, OTHELLO, PLACES, Browser, running, text  # noqa: E402

SIZES = [(1366, 768), (390, 844)]

AXE = """
    const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html.slice(0, 160), failureSummary.split('\\n').slice(1).join(' ').trim().slice(0, 200)]))));"""

GERMAN = "localStorage.setItem('language', arguments[0]); localStorage.setItem('theme', arguments[1]); localStorage.setItem('motion', 'off')"


def opened(page, *presses, there):
    """Presses one thing after another, and waits for what comes of it; a page that was just drawn anew is asked once more."""
    found = f"return Boolean(document.querySelector({there!r}))"
    for css in presses:
        page.press(css)
    time.sleep(0.5)
    if presses and not page.script(found):
        page.press(presses[-1])
    page.until(found)


def close(page):
    page.script("document.querySelectorAll('dialog[open]').forEach((one) => one.close())")


def visits(tables):
    """The name of each sight, its address, what to press there and what has then come."""
    yield from ((name, place, [], "h1") for name, place in PLACES.items())
    yield "nowhere", "#nowhere", [], ".notice h1"
    yield "player", "#arena/player/Marie", [], ".room h1"
    yield "challenge", "#arena", ["#new-challenge"], "#challenge-send"
    yield "heuristic", "#learn/heuristics", ["#new-heuristic"], "#heuristic-name"
    yield "run", "#learn", ["#new-run"], "#run-name"
    yield "settings", "#play", ["#settings"], "#set-sound"
    for name, place in tables.items():
        yield f"table {name}", place, [], "#board .cell"
    for name in ("why", "known"):
        yield f"analyse, {name}", PLACES["analyse"], [f"#tab-{name}"], f"#tab-{name}[aria-selected=true]"
    yield "analyse, paste", PLACES["analyse"], ["#paste"], "#paste-text"
    yield "analyse, share", PLACES["analyse"], ["#share"], "#analysis-link"
    yield "analyse, set up", PLACES["analyse"], ["#set-up"], "#editor"
    yield "table, menu", tables["othello"], ["#menu-button"], "#menu:popover-open"


def prepare(page):
    """Guests in the lobby, a name, tables of each game, an ended one."""
    page.later(GUESTS)
    page.go("#arena")
    page.write("#name", "Anna")
    page.press("#take-name")
    page.shows("#account-name", "Anna")
    tables = {}
    for game, moves in (("othello", " ".join(OTHELLO.split()[:20])), ("morris", MORRIS), ("abalone", ABALONE)):
        page.table(text=text(game, "belgian-daisy" if game == "abalone" else "standard", moves), clock={"initial_ms": 600_000})
        tables[game] = page.script("return location.hash")
    page.table(text=text("othello", "standard", OTHELLO))
    page.press("#resign")
    page.press("#confirm-yes")
    page.shows("#prompt", "wins")
    tables["ended"] = page.script("return location.hash")
    return tables


def check(page, axe, address, names):
    """All findings, each with its sight, theme, language and width."""
    tables = prepare(page)
    findings = []
    for language in ("en", "de"):
        for theme in ("light", "dark"):
            page.script(GERMAN, language, theme)
            for width, height in SIZES:
                page.screen(width, height, theme)
                page.send("/url", url="about:blank")
                page.send("/url", url=address)
                page.until("return document.querySelectorAll('.tile').length >= 3")
                page.script(axe + "; window.axe = axe;")
                for name, place, presses, there in visits(tables):
                    if names and name not in names:
                        continue
                    close(page)
                    page.go("#nowhere")
                    page.go(place)
                    page.until("return !document.querySelector('.notice')" if place != "#nowhere" else "return true")
                    opened(page, *presses, there=there)
                    for rule, html, why in page.later(AXE):
                        findings.append((name, language, theme, width, rule, html, why))
                        print(*findings[-1], sep=" | ", flush=True)
                print(f"{language}, {theme}, {width} pixels: looked at", flush=True)
    return findings


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    program, axe = sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8")
    with running(program) as (driver, address):
        page = Browser(driver, address)
        findings = check(page, axe, address, sys.argv[3:])
        page.quit()
    print(f"{len(findings)} findings")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
