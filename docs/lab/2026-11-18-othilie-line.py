"""Fits one test of Othilie against the other: how often polynomials beat random moves that win half of their games
against random weights. Arguments: files `tests.csv` of training runs, whose start polynomials are used."""

import csv
import math
import statistics
import sys

# S1, chapters 5 and 6: won against random weights, against random moves, in per cent.
STARTS = [(42.8, 71.0), (45.8, 64.9), (50.4, 67.3), (50.9, 76.8), (64.3, 79.9), (29.3, 56.2), (24.9, 54.5), (46.6, 66.6), (39.8, 71.5),
          (50.4, 73.2), (15.3, 27.2), (29.6, 49.3), (82.9, 92.8), (40.1, 60.1), (41.1, 62.2), (41.4, 62.3), (58.7, 78.4), (62.5, 83.6)]
ENDS = [(52.2, 78.6), (44.4, 73.4), (47.2, 74.4), (52.9, 78.0), (42.5, 72.7), (45.3, 73.7), (58.6, 81.7), (44.6, 72.3), (52.0, 79.9),
        (69.0, 86.0), (24.7, 38.1), (35.6, 63.2), (63.5, 85.0), (63.3, 85.7), (59.1, 83.2), (67.0, 86.5), (71.8, 88.7), (66.8, 85.9)]


def log_odds(percent):
    return math.log(percent / (100 - percent))


def show(name, pairs):
    xs, ys = ([log_odds(pair[side]) for pair in pairs] for side in (0, 1))
    x, y = statistics.mean(xs), statistics.mean(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    at = y - slope * x
    spread = statistics.pstdev([b - at - slope * a for a, b in zip(xs, ys)])
    share = 1 / (1 + math.exp(-at))
    error = 100 * share * (1 - share) * spread / math.sqrt(len(pairs))
    print(f"{name}: {100 * share:.1f}% +- {2 * error:.1f}, slope {slope:.2f}, {len(pairs)} polynomials")


def pairs(path):
    rates = {}
    for row in csv.DictReader(open(path)):
        games = sum(int(row[key]) for key in ("wins", "draws", "losses"))
        if row["polynomial"] == "start":
            rates.setdefault(row["experiment"], {})[row["test"]] = 100 * int(row["wins"]) / games
    return [(rate["1"], rate["3"]) for rate in rates.values()]


show("published starts", STARTS)
show("published ends", ENDS)
for path in sys.argv[1:]:
    show(path, pairs(path))
