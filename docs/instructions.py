#!/usr/bin/env python3
"""Compares two builds of the program by instructions, which do not depend on what else the machine does.

    docs/instructions.py OLD/trilith NEW/trilith        # needs valgrind; some minutes

Every row is work of a fixed size, done twice: less and more of it. The difference leaves starting and loading out. Searches
are exact, so that both programs play the same games; where counts, scores or nodes that they print differ, the row says so. A
match prints no nodes: `trilith bench depth` does.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def exact(game, low, high, more=""):
    """Games of the exact engine against itself, a depth lower and higher."""
    player = f"engine:selectivity=off{more},depth="
    return [["match", game, "--a", f"{player}{depth}", "--b", f"{player}{depth}", "--games", "2", "--seed", "5",
             "--openings", "random:8", "--plies", "24", "--threads", "1"] for depth in (low, high)]


def perft(game, low, high):
    return [["perft", game, "--depth", str(depth)] for depth in (low, high)]


def minimax(game, low, high):
    return [["match", game, "--a", f"minimax:depth={depth}", "--b", f"minimax:depth={depth}", "--games", "2", "--seed", "5",
             "--openings", "random:8", "--plies", "24", "--threads", "1"] for depth in (low, high)]


ENDGAME = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X;\n"
TABLES = "tables"


def rows(folder):
    endgame = folder / "endgame.obf"
    endgame.write_text(ENDGAME)
    tables = [["tablebase", "build", "morris", "--stones", str(stones), "--threads", "1", "--folder", str(folder / TABLES)]
              for stones in (6, 7)]
    return {
        "rules, Othello": perft("othello", 8, 9),
        "rules, Morris": perft("morris", 4, 5),
        "rules, Abalone": perft("abalone", 2, 4),
        "ladder, Othello": minimax("othello", 3, 4),
        "ladder, Morris": minimax("morris", 2, 3),
        "ladder, Abalone": minimax("abalone", 1, 2),
        "engine, Othello": exact("othello", 7, 9, ",endgame=0"),
        "engine, Morris": exact("morris", 6, 7, ",tables=off,proofs=off"),
        "engine, Abalone": exact("abalone", 3, 4),
        "solver": [["perft", "othello", "--depth", "1"], ["solve", "othello", str(endgame), "--threads", "1"]],
        "tables": tables,
    }


def count(program, arguments, folder):
    """Millions of instructions, and the counts, scores and nodes that it printed."""
    log = folder / "log"
    shutil.rmtree(folder / TABLES, ignore_errors=True)
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}", program, *arguments],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
    found = re.search(r"I\s+refs:\s+([\d,]+)", log.read_text())
    results = re.findall(r"\+\d+ =\d+ -\d+|^\d+$|\d+ nodes", done.stdout, re.M)
    return int(found[1].replace(",", "")) / 1e6, results


def main():
    old, new = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{'millions of instructions':24}{'old':>12}{'new':>12}{'new / old':>11}")
        for row, (less, more) in rows(folder).items():
            numbers, said = [], []
            for program in (old, new):
                (low, _), (high, results) = (count(program, arguments, folder) for arguments in (less, more))
                numbers.append(high - low)
                said.append(results)
            note = "" if said[0] == said[1] else "  other output"
            print(f"{row:24}{numbers[0]:12.1f}{numbers[1]:12.1f}{numbers[1] / numbers[0]:11.3f}{note}", flush=True)


main()
