#!/usr/bin/env python3
"""How long the page takes on a slow line: bytes, requests, time until a board can be played on, layout
shift, and how long a click takes until its stone stands.

usage: page_speed.py PROGRAM [RUNS [SLOWER]]    PROGRAM is trilith; prints one JSON object a visit

The line has 1.6 Mbit/s and 150 ms, the processor a quarter of its speed unless SLOWER says otherwise (Chromium's own
throttling). A first visit has nothing in its cache; the second one comes back to the same page. Ten stones are placed
at each visit's end: one that stands in the document is painted with the next frame.
"""

import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from pictures import OPEN, Browser, running  # noqa: E402

LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
SLOWER = 4

# Notes when the first cell can be clicked, and how much the page jumped until then.
WATCH = """
    window.shift = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
      .observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      if (window.usable === undefined && document.querySelector('#board .cell.active')) window.usable = performance.now();
      else requestAnimationFrame(look);
    };
    look();"""

FOUND = """
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return {
      requests: entries.length,
      bytes: entries.reduce((sum, entry) => sum + entry.transferSize, 0),
      usable_ms: Math.round(window.usable),
      shift: Number(window.shift.toFixed(4)),
    };"""

# Clicks one move after the other; what is waited for is the page's own answer, not the server's.
CLICKS = """
    const done = arguments[0];
    const stones = () => document.querySelectorAll('#board .stone:not(.gone)').length;
    const frame = () => new Promise(requestAnimationFrame);
    (async () => {
      const waits = [];
      for (const name of ['c4', 'e3', 'f5', 'e6', 'd3', 'c5', 'c6', 'd2', 'd7', 'e7']) {
        const cell = () => document.querySelector(`#board .cell.active[data-name='${name}']`);
        while (!cell() || document.getElementById('board').ariaBusy !== 'false') await frame();
        const before = stones(), start = performance.now();
        cell().dispatchEvent(new MouseEvent('click', { bubbles: true }));
        while (stones() === before) await frame();
        waits.push(performance.now() - start);
      }
      return Math.max(...waits);
    })().then(done);"""


def visit(page, address):
    page.send("/url", url="about:blank")
    page.send("/url", url=address)
    page.until("return window.usable !== undefined")
    return page.script(FOUND)


def clicks(page):
    """The longest of ten waits for a stone, in milliseconds, at a new table."""
    table = page.later(OPEN, {"game": "othello"})
    page.until(f"return location.hash.endsWith('{table}') && document.querySelectorAll('#board .cell.active').length === 4")
    return {"stone_ms": round(page.later(CLICKS), 1)}


def measure(driver, address, runs, slower):
    found = {"first": [], "again": []}
    for _ in range(runs):
        page = Browser(driver, address)
        cdp = lambda cmd, **params: page.send("/goog/cdp/execute", cmd=cmd, params=params)
        table = page.later(OPEN, {"game": "othello"})
        cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        cdp("Network.enable")
        # What the page's own worker keeps, or fetches just now, is no first visit.
        page.send("/url", url="about:blank")
        cdp("Storage.clearDataForOrigin", origin=address.rstrip("/"), storageTypes="service_workers,cache_storage")
        cdp("Network.setBypassServiceWorker", bypass=True)
        cdp("Network.clearBrowserCache")
        cdp("Network.emulateNetworkConditions", **LINE)
        cdp("Emulation.setCPUThrottlingRate", rate=slower)
        for visitor in ("first", "again"):
            found[visitor].append(visit(page, f"{address}#play/{table}") | clicks(page))
        page.quit()
    return found


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    slower = float(sys.argv[3]) if len(sys.argv) > 3 else SLOWER
    with running(program) as (driver, address):
        found = measure(driver, address, runs, slower)
    for visitor, all_runs in found.items():
        middle = {key: statistics.median(run[key] for run in all_runs) for key in all_runs[0]}
        print(json.dumps({"visit": visitor, "runs": runs, "slower": slower, **middle}))


if __name__ == "__main__":
    main()
