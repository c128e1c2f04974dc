#!/usr/bin/env python3
"""A match killed ten times against the same match left alone: docs/match_killed.py target/release/trilith [FOLDER]"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = Path(sys.argv[2] if len(sys.argv) > 2 else ".")
KILLS = 10
MATCH = "match othello --a engine:nodes=200 --b minimax:depth=2 --games 1000 --seed 7 --threads 2".split()


def command(name):
    return [PROGRAM, *MATCH, "--journal", f"{name}.journal", "--out", f"{name}.txt"]


def journaled():
    """Games in the journal of the match that is killed; its first line is a heading."""
    try:
        return (FOLDER / "killed.journal").read_bytes().count(b"\n") - 1
    except FileNotFoundError:
        return 0


def games(name):
    """The games of a file in some order, without the times of moves."""
    text = (FOLDER / f"{name}.txt").read_text()
    return sorted(" ".join(re.sub(r"\d+\.\d+s}", "}", game).split()) for game in text.split("[Game ")[1:])


def main():
    for name in ("whole", "killed"):
        for ending in ("txt", "journal"):
            (FOLDER / f"{name}.{ending}").unlink(missing_ok=True)
    quiet = {"cwd": FOLDER, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command("whole"), check=True, **quiet)
    for kill in range(1, KILLS + 1):
        process = subprocess.Popen(command("killed"), **quiet)
        while journaled() < kill * 90 and process.poll() is None:
            time.sleep(0.005)
        assert process.poll() is None, "it ended before it could be killed"
        process.kill()
        process.wait()
        print(f"kill {kill} after {journaled()} games")
    subprocess.run(command("killed"), check=True, **quiet)
    whole, killed = games("whole"), games("killed")
    print(f"{len(whole)} games, {len(set(whole))} different; after {KILLS} kills {len(killed)}, {journaled()} in the journal")
    print("the same" if whole == killed else "DIFFERENT")


main()
