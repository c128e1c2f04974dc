#!/usr/bin/env python3
"""Makes the pictures of README and guides from the running app, in headless Chromium (docs/pictures.sh calls it).

usage: pictures.py PROGRAM [NAME...]    PROGRAM is trilith; NAME one of the scenes below, all if none is given

Speaks WebDriver to chromedriver with nothing but the standard library. Games are fixed, so that pictures change only
when the page does. With pngquant installed the files are a third as large.
"""

import base64
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

PICTURES = Path(__file__).resolve().parent / "pictures"
PATIENCE = 120  # seconds
FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--lang=en"]

# Games between levels 4 to 8, in which both sides err.
OTHELLO = "c4 e3 f5 e6 d3 c5 c6 d2 d7 e7 c2 d6 d1 f4 f3 e2 f1 d8 f2 g5 f6 e1 h4 c1 b1 c3 b4 g3 c8 g4 f7 b8"
MORRIS = "d6 d2 a1 c5 g1 d1 d3 f4 b4 c3 c4 a4 f6 b6 e5 e4 g4 g7 d6-d7 b6-d6 b4-b2 c5-d5 b2-b4 d2-b2 d3-d2 e4-e3"
ABALONE = "g7h7f6 h5g5 a1b2 a5b5 g8i8f7 c5c6d6 f7f6 f4e4 h7g6 b4b6c4 e4d4 c5d5 a2b3 g5f4 b3c4 h4g4 h9i9g8 e4e5"

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

OPEN = """
    const [wish, done] = arguments;
    fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) })
      .then((answer) => answer.json())
      .then(async (table) => {
        (await import('/assets/keep.js')).own(table);
        location.hash = `#play/${table.id}`;
        done(table.id ?? JSON.stringify(table));
      });"""

# Accounts that challenge and play, so that the lobby is not empty.
GUESTS = """
    const done = arguments[0];
    (async () => {
      const post = async (path, body, token) => (await fetch(path, { method: 'POST', body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) } })).json();
      const [marie, jonas, stone] = await Promise.all(['Marie', 'Jonas', 'deep-stone'].map((name) => post('/api/accounts', { name })));
      const clock = (minutes, seconds) => ({ initial_ms: minutes * 60000, increment_ms: seconds * 1000 });
      await post('/api/challenges', { game: 'othello', clock: clock(5, 3), rated: true, colour: 'random' }, marie.token);
      await post('/api/challenges', { game: 'abalone', rules: 'layout=belgian-daisy', clock: clock(10, 5), rated: false, colour: 'white' }, jonas.token);
      for (const game of ['morris', 'othello']) {
        const { id } = await post('/api/challenges', { game, clock: clock(3, 2), rated: true, colour: 'black' }, stone.token);
        await post(`/api/challenges/${id}/accept`, {}, marie.token);
      }
    })().then(() => done(true));"""


class Refused(SystemExit):
    """The browser could not do it."""


class Browser:
    """A page in Chromium, and what a person does on it."""

    def __init__(self, driver, address):
        self.driver = driver
        options = {"browserName": "chrome", "goog:chromeOptions": {"args": FLAGS}}
        self.session = ""
        self.session = f"/session/{self.send('/session', capabilities={'alwaysMatch': options})['sessionId']}"
        self.send("/timeouts", script=PATIENCE * 1000)
        self.send("/url", url=address)
        self.until("return document.querySelectorAll('.tile').length >= 3")

    def send(self, path, **body):
        request = urllib.request.Request(
            self.driver + self.session + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE + 30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Refused(f"{path} {body}: {json.load(error)['value']['message']}") from error

    def script(self, script, *args):
        return self.send("/execute/sync", script=script, args=list(args))

    def later(self, script, *args):
        return self.send("/execute/async", script=script, args=list(args))

    def until(self, script):
        """Asks again and again until the answer is true."""
        end = time.monotonic() + PATIENCE
        while not self.script(f"try {{ {script} }} catch {{ return false }}"):
            if time.monotonic() > end:
                raise SystemExit(f"this has not come true: {script}")
            time.sleep(0.05)

    def shows(self, css, words):
        css, words = json.dumps(css), json.dumps(words)
        self.until(f"return [...document.querySelectorAll({css})].some((one) => one.textContent.includes({words}))")

    def press(self, css):
        for _ in range(20):
            self.until(f"return Boolean(document.querySelector({json.dumps(css)}))")
            try:
                found = self.send("/element", using="css selector", value=css)[ELEMENT]
                return self.send(f"/element/{found}/click")
            except Refused as refused:
                # What is drawn again in between, or still covered, is looked for again.
                last = refused
                time.sleep(0.2)
        raise last

    def write(self, css, words):
        self.until(f"return Boolean(document.querySelector({json.dumps(css)}))")
        found = self.send("/element", using="css selector", value=css)[ELEMENT]
        self.send(f"/element/{found}/clear")
        self.send(f"/element/{found}/value", text=words)

    def go(self, place):
        self.script("location.hash = arguments[0]", place)

    def table(self, **wish):
        """Opens a table as POST /api/tables takes it and sits down there."""
        table = self.later(OPEN, wish)
        self.until(f"return document.querySelector('.table')?.dataset.id === '{table}'")
        self.until("return document.querySelector('#board .cell') && document.getElementById('board').ariaBusy === 'false'")

    def screen(self, width, height, theme):
        cdp = lambda cmd, **params: self.send("/goog/cdp/execute", cmd=cmd, params=params)
        cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def picture(self, name):
        time.sleep(1)  # until everything that moves has arrived
        path = PICTURES / f"{name}.png"
        path.write_bytes(base64.b64decode(self.send_get("/screenshot")))
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--ext", ".png", str(path)], check=False)
        print(path.relative_to(PICTURES.parent.parent))

    def send_get(self, path):
        with urllib.request.urlopen(self.driver + self.session + path, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def quit(self):
        urllib.request.urlopen(urllib.request.Request(self.driver + self.session, method="DELETE"), timeout=30)


def text(game, rules, moves):
    """A game as text."""
    return f'[Game "{game}"]\n[Rules "{rules}"]\n\n{moves} *\n'


def start(page):
    page.screen(1200, 800, "light")
    page.picture("start")


def othello(page):
    page.screen(1200, 800, "light")
    moves = " ".join(OTHELLO.split()[:20])
    players = {"black": {"kind": "human"}, "white": {"kind": "engine", "level": 6}}
    page.table(text=text("othello", "standard", moves), players=players)
    page.shows("#prompt", "Your turn")
    page.press("#hint")
    page.shows("#prompt", "Hint: ")
    page.picture("othello")


def morris(page):
    page.screen(1200, 800, "light")
    page.table(text=text("morris", "standard", MORRIS))
    page.picture("morris")


def abalone(page):
    page.screen(1200, 800, "dark")
    clock = {"initial_ms": 600_000, "increment_ms": 5000}
    page.table(text=text("abalone", "belgian-daisy", ABALONE), clock=clock)
    page.press("#hint")
    page.shows("#prompt", "Hint: ")
    page.picture("abalone")


def phone(page):
    page.screen(390, 844, "light")
    page.table(text=text("morris", "standard", "d6 a1 d7 g1"))
    page.press("#board .cell[data-name='d5']")
    page.picture("phone")


def arena(page):
    page.screen(1200, 800, "light")
    page.later(GUESTS)
    page.go("#arena")
    page.write("#name", "Anna")
    page.press("#take-name")
    page.shows("#account-name", "Anna")
    page.shows("#challenges", "Jonas")
    page.picture("arena")


def analyse(page):
    page.screen(1200, 960, "light")
    page.go("#analyse")
    page.press("#paste")
    page.write("#paste-text", OTHELLO)
    page.press("#read")
    page.until("return document.querySelectorAll('.move').length >= 32")
    page.press("#begin-review")
    page.press("#next-mark")
    page.shows("#verdict", "Better was")
    page.until("return document.querySelectorAll('#lines li').length === 3")
    time.sleep(4)  # so that the lines have some depth
    page.script("scrollTo(0, 0)")
    page.picture("analyse")


def why(page):
    analysed = page.script("return document.querySelectorAll('.move').length >= 32 && location.hash.startsWith('#analyse')")
    if not analysed:
        analyse(page)
    page.screen(1200, 960, "dark")
    page.press("#tab-why")
    page.until("return document.querySelectorAll('#terms tbody tr').length > 3")
    page.picture("why")


def learn(page):
    page.screen(1200, 800, "light")
    page.go("#learn")
    page.press("#new-run")
    page.until("return Boolean(document.getElementById('run-config')?.value)")
    page.write("#run-name", "first-steps")
    page.press("#begin-run")
    page.until("return document.getElementById('run')?.dataset.state === 'finished'")
    page.script("scrollTo(0, 0)")
    page.picture("learn")


# Every page at every size in both themes: to be looked at, not kept in the repository.
SIZES = [(320, 640), (390, 844), (1366, 768), (1920, 1080)]
PLACES = {
    "start": "#play", "analyse": f"#analyse/at/othello/-/-/{'_'.join(OTHELLO.split())}/20", "learn": "#learn",
    "heuristics": "#learn/heuristics", "arena": "#arena", "ratings": "#arena/ratings", "archive": "#arena/archive",
    "bots": "#arena/bots", "games": "#games", "puzzles": "#teach", "lessons": "#teach/lessons",
    "lesson": "#teach/lesson/morris/first-steps", "opponents": "#teach/opponents", "mistakes": "#teach/mistakes",
    "studies": "#learn/studies", "tournaments": "#learn/tournaments",
}


def every(page):
    """`every`: all pages at all sizes in both themes, into docs/pictures/every (not part of the usual pictures)."""
    (PICTURES / "every").mkdir(exist_ok=True)
    page.screen(1366, 768, "light")
    tables = {}
    for game, moves in (("othello", " ".join(OTHELLO.split()[:20])), ("morris", MORRIS), ("abalone", ABALONE)):
        rules = "belgian-daisy" if game == "abalone" else "standard"
        page.table(text=text(game, rules, moves), clock={"initial_ms": 600_000})
        tables[game] = page.script("return location.hash")
    page.press("#resign")
    page.press("#confirm-yes")
    page.shows("#prompt", "wins")
    for theme in ("light", "dark"):
        for width, height in SIZES:
            page.screen(width, height, theme)
            for name, place in {**PLACES, **tables}.items():
                page.go("#nowhere")
                page.go(place)
                page.until("return !document.querySelector('.notice')")
                page.picture(f"every/{name}-{width}-{theme}")


SCENES = [start, othello, morris, abalone, phone, arena, analyse, why, learn]


def line(process, words):
    """The first line of a process' output that holds these words."""
    for found in process.stdout:
        if words in found:
            return found
    raise SystemExit(f"{process.args[0]} has ended without saying `{words}`")


@contextlib.contextmanager
def running(program):
    """The app with nothing in it, and a driver: gives the driver's address and the app's."""
    with tempfile.TemporaryDirectory() as data:
        serve = [program, "serve", "--address", "127.0.0.1:0", "--data", data, "--tables", "0"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        try:
            address = "http" + line(server, "http").split("http")[1].split()[0]
            port = line(driver, "successfully on port ").split("on port ")[1].strip(" .\n")
            yield f"http://127.0.0.1:{port}", address
        finally:
            driver.terminate()
            server.terminate()
            server.wait()


def main():
    program, *names = sys.argv[1:] or [None]
    known = {scene.__name__: scene for scene in [*SCENES, every]}
    if program is None or any(name not in known for name in names):
        raise SystemExit(__doc__)
    with running(program) as (driver, address):
        page = Browser(driver, address)
        for scene in [known[name] for name in names] or SCENES:
            scene(page)
        page.quit()


if __name__ == "__main__":
    main()
