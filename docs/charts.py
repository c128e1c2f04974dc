#!/usr/bin/env python3
"""Draws the charts of the guides from results in the repository (docs/pictures.sh calls it).

strength.svg comes from the promotion matches in tournaments/results/: each bar adds up the steps so far, and its interval
is that of the last step. selfplay.svg is the curve of a network of examples/python/selfplay.py. The others are figures of
study reports.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("TRILITH", ROOT / "target/release/trilith")
COLOURS = {"othello": "#2f6f4f", "morris": "#8a5a2b", "abalone": "#3b5b92"}
# Name of the picture: the study report, and a word of the figure's title.
FIGURES = {
    "ladder": ("muehle-search.full", "Nodes by depth, placing"),
    "probcut": ("logistello-selective.full", "at 28 discs"),
}
LEFT, ROW, WIDTH = 210, 22, 820
# Promotion matches whose files have names of their own: Abalone's on the Belgian daisy, Othello's networks at
# 100 ms a move and at 20,000 nodes.
MATCHES = {
    ("abalone", 6): "abalone-generation-6-belgian-daisy",
    ("abalone", 7): "abalone-generation-7-belgian-daisy",
    ("othello", 6): "othello-network-3-version-5-100-ms",
    ("othello", 7): "othello-round-six-no-weaker-20000-nodes",
    ("othello", 8): "othello-round-seven-mean-shipped-sprt-20000-nodes",
}
SCALE = 0.46  # pixels an Elo point


def steps(game):
    """The versions of a game with the Elo of each over the one before, and the interval of that step."""
    for version in range(1, 100):
        name = MATCHES.get((game, version), f"strength-{game}-generation-{version}")
        path = ROOT / f"tournaments/results/{name}.json"
        if path.exists():
            match = json.loads(path.read_text())
            yield version, match["elo"], match["elo_low"], match["elo_high"]
        elif version > 2:
            return


def bar(y, label, elo, low, high, colour):
    """A row: label, bar, interval, number."""
    right = LEFT + elo * SCALE
    rows = [
        f'<text x="{LEFT - 10}" y="{y + 11}" text-anchor="end">{label}</text>',
        f'<rect x="{LEFT}" y="{y}" width="{max(1, right - LEFT):.1f}" height="14" fill="{colour}" opacity="0.75"/>',
    ]
    if high > low:
        a, b = LEFT + low * SCALE, LEFT + high * SCALE
        rows.append(f'<line x1="{a:.1f}" x2="{b:.1f}" y1="{y + 7}" y2="{y + 7}" stroke="#222" stroke-width="1.5"/>')
        right = b
    rows.append(f'<text x="{right + 6:.1f}" y="{y + 11}">{f"+{elo:.0f}" if elo else "0"}</text>')
    return rows


def chart():
    """The whole picture."""
    rows, y = [], 26
    for game, colour in COLOURS.items():
        rows.append(f'<text x="8" y="{y + 11}" font-weight="bold">{game.capitalize()}</text>')
        y += ROW
        rows += bar(y, "by hand", 0, 0, 0, colour)
        total = 0.0
        for version, elo, low, high in steps(game):
            y += ROW
            rows += bar(y, f"version {version}", total + elo, total + low, total + high, colour)
            total += elo
        y += ROW + 4
    grid = []
    for elo in range(0, 1201, 200):
        x = LEFT + elo * SCALE
        grid.append(f'<line x1="{x}" x2="{x}" y1="24" y2="{y}" stroke="{"#ddd" if elo else "#888"}"/>')
        label = f"+{elo}" if elo else "0"
        grid.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#555">{label}</text>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 28}" font-family="sans-serif" font-size="13">',
        "<title>Elo of the promoted evaluations, by version; hand-tuned weights have 0</title>",
        f'<rect width="{WIDTH}" height="{y + 28}" fill="#fff"/>',
        *grid, *rows, "</svg>", "",
    ])


def figure(report, title):
    """A figure of a report."""
    folder = tempfile.mkdtemp()
    kept = ROOT / f"studies/reports/{report}.json"
    subprocess.run([PROGRAM, "study", "report", kept, "--out", folder], check=True, stdout=subprocess.DEVNULL)
    page = (Path(folder) / f"{report}.html").read_text()
    shutil.rmtree(folder)
    found = next(svg for svg in re.findall(r"<svg.*?</svg>", page, re.S) if title in svg.split("</title>")[0])
    return found + "\n"


def curve(log):
    """Points of a network against its opponent by minutes of self-play."""
    with log.open() as file:
        points = [(float(row["minutes"]), float(row["match"])) for row in csv.DictReader(file) if row["match"]]
    left, bottom, width, height = 60, 250, 640, 220
    last = max(minutes for minutes, _ in points)
    place = lambda minutes, rate: f"{left + minutes / last * width:.1f},{bottom - rate * height:.1f}"
    rows = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = bottom - share * height
        rows.append(f'<line x1="{left}" x2="{left + width}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        rows.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end" fill="#555">{share:.0%}</text>')
    for minutes in range(int(last) + 1):
        x = left + minutes / last * width
        rows.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="#555">{minutes}</text>')
    rows.append(f'<polyline points="{" ".join(place(*point) for point in points)}" fill="none" stroke="{COLOURS["othello"]}" stroke-width="2"/>')
    rows += [f'<circle r="3" cx="{at[0]}" cy="{at[1]}" fill="{COLOURS["othello"]}"/>' for at in (place(*point).split(",") for point in points)]
    return "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 300" font-family="sans-serif" font-size="13">',
        "<title>A network from nothing: points against engine:level=5 in Othello, by minutes of self-play</title>",
        '<rect width="760" height="300" fill="#fff"/>', *rows,
        f'<text x="{left + width / 2}" y="{bottom + 40}" text-anchor="middle" fill="#555">minutes of self-play and training</text>',
        "</svg>", "",
    ])


if __name__ == "__main__":
    pictures = ROOT / "docs/pictures"
    (pictures / "strength.svg").write_text(chart())
    (pictures / "selfplay.svg").write_text(curve(ROOT / "docs/lab/2026-11-16-python-selfplay.csv"))
    for name, (report, title) in FIGURES.items():
        (pictures / f"{name}.svg").write_text(figure(report, title))
