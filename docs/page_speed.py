#!/usr/bin/env python3
"""How long the page takes on a slow line: bytes, requests, time until a board can be played on, layout shift.

usage: page_speed.py PROGRAM [RUNS [SLOWER]]    PROGRAM is trilith; prints one JSON object a visit

The line has 1.6 Mbit/s and 150 ms, the processor a quarter of its speed unless SLOWER says otherwise (Chromium's own
throttling). A first visit has
nothing in its cache; the second one comes back to the same page.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from pictures import OPEN, Browser  # noqa: E402

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


def visit(page, address):
    page.send("/url", url="about:blank")
    page.send("/url", url=address)
    page.until("return window.usable !== undefined")
    return page.script(FOUND)


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
            found[visitor].append(visit(page, f"{address}#play/{table}"))
        page.quit()
    return found


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    slower = float(sys.argv[3]) if len(sys.argv) > 3 else SLOWER
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(
            [program, "serve", "--address", "127.0.0.1:0", "--data", home, "--tables", "0"], stdout=subprocess.PIPE, text=True
        )
        address = server.stdout.readline().split(" at ")[1].split(" ")[0]
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = next(line.rsplit(" ", 1)[1].strip(". \n") for line in driver.stdout if "started successfully" in line)
        try:
            found = measure(f"http://127.0.0.1:{port}", address, runs, slower)
        finally:
            driver.terminate()
            server.terminate()
    for visitor, all_runs in found.items():
        middle = {key: statistics.median(run[key] for run in all_runs) for key in all_runs[0]}
        print(json.dumps({"visit": visitor, "runs": runs, "slower": slower, **middle}))


if __name__ == "__main__":
    main()
