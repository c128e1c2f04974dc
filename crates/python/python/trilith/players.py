"""Players and knowledge: specs as on the command line, Python's own objects, and matches between any of them."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np

from . import _trilith
from ._trilith import State


def player(spec, seed: int = 1):
    """Who decides by `choose(state)`, the number of a legal move.

    `spec` is a text such as `engine:level=5`; or an object with `choose`, which is given back; or one with `evaluate(obs, mask)`,
    a network, which then plays by tree search.
    """
    if isinstance(spec, str):
        return _trilith.SpecPlayer(spec, seed)
    if hasattr(spec, "choose"):
        return spec
    if hasattr(spec, "evaluate") or callable(spec):
        return NetworkPlayer(spec, seed=seed)
    raise TypeError(f"{spec!r} is no player: expected a text, or an object with `choose` or `evaluate`")


class NetworkPlayer:
    """A network as a player: the most visited move of a tree search, or the largest logit with `simulations=0`."""

    def __init__(self, network, simulations: int = 100, batch: int = 256, seed: int = 1):
        self.evaluate = getattr(network, "evaluate", network)
        self.simulations, self.batch, self.seed = simulations, batch, seed
        self.searches = {}

    def forget(self) -> None:
        """Lets go of all trees: for a new match, or when the network has changed."""
        self.searches = {}

    def choose(self, state: State) -> int:
        return self.choose_all([state])[0]

    def choose_all(self, states: list[State]) -> list[int]:
        """Moves for many states in common batches."""
        from .mcts import MCTS

        if not states:
            return []
        if self.simulations == 0:
            obs = np.stack([state.observation_tensor() for state in states])
            mask = np.stack([state.legal_actions_mask() for state in states])
            logits = np.asarray(self.evaluate(obs, mask)[0])
            return np.where(mask, logits, -np.inf).argmax(axis=1).tolist()
        key = (states[0].game, states[0].rules)
        if key not in self.searches:
            self.searches[key] = MCTS(*key[:1], self.evaluate, rules=key[1], simulations=self.simulations, batch=self.batch,
                                      seed=self.seed, reuse=True)
        return self.searches[key].search(states)[0].argmax(axis=1).tolist()


def analyse(state: State, player: str = "engine", *, depth=None, nodes=None, time=None, lines: int = 1) -> dict:
    """What a position is worth for the side to move and what to play, within plies, nodes or milliseconds."""
    settings = {"depth": depth, "nodes": nodes, "time": time, "lines": lines if lines > 1 else None}
    given = ",".join(f"{key}={value}" for key, value in settings.items() if value is not None)
    spec = player + ("," if ":" in player else ":") + given if given else player
    action, thought = _trilith.SpecPlayer(spec).decide(state)
    thought = json.loads(thought)
    if thought is None:
        raise ValueError(f"`{player}` does not search: expected one such as `engine`")
    return {"move": state.action_to_string(action), "action": action, **thought}


def explain(state: State, evaluation: str | None = None, file=None) -> dict:
    """The terms that add up to an evaluation's value for the side to move."""
    return json.loads(_trilith.explain_json(state, evaluation, file))


def solve(state: State, every: bool = False, threads: int = 1, hash: int = 64) -> dict:
    """How an Othello position ends under best play, in discs for the side to move; with `every`, for each move."""
    return json.loads(_trilith.solve_json(state, every, threads, hash))


class tablebase:
    """Morris endgames: `probe(state)` gives the value and plies of a position and of its moves. Small tables are built on
    first use."""

    def __init__(self, folder=None, rules: str = "", stones: int = 8):
        self.tables = _trilith.Tablebase(folder, rules, stones)

    def probe(self, state: State) -> dict:
        return json.loads(self.tables.probe_json(state))


class book:
    """A book of remembered games: `look(state)` gives what it knows of a position, or nothing."""

    def __init__(self, file):
        self.file = _trilith.Book(file)

    def look(self, state: State) -> dict | None:
        return json.loads(self.file.look_json(state))


def match(game: str, a, b, games: int = 100, *, rules: str = "", openings: str = "random:6", sprt: str | None = None,
          seed: int = 1, threads: int = 1) -> dict:
    """Games between two players, both colours from each opening, and what the results say of `a`.

    Texts play in Rust, on `threads`. Objects of Python's play all games at once, so that a network gets large batches; then
    openings are `start` or `random:PLIES`.
    """
    if isinstance(a, str) and isinstance(b, str):
        return json.loads(_trilith.match_json(game, a, b, games, rules, openings, sprt, seed, threads))
    signs = _play(game, a, b, games, rules, openings, seed)
    return json.loads(_trilith.score_json(signs, sprt))


def _play(game, a, b, games, rules, openings, seed) -> list[int]:
    plies = "0" if openings == "start" else openings.removeprefix("random:")
    if not plies.isdigit():
        raise ValueError(f"openings={openings!r}: expected `start` or `random:PLIES` with players of Python's")
    plies = int(plies)
    states = []
    for number in range(games):
        draw = random.Random(seed * 1_000_003 + number // 2)
        state = State(game, rules)
        while len(state.history()) < plies and not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
        states.append(state)
    # `a` begins the even games.
    seat_a, seat_b = _Seat(a, seed), _Seat(b, seed + 1)
    running = list(range(games))
    while running:
        for seat, side in ((seat_a, 0), (seat_b, 1)):
            turn = [number for number in running if states[number].current_player() == (number + side) % 2]
            for number, action in zip(turn, seat.choose_all([states[number] for number in turn], turn)):
                try:
                    states[number].apply_action(int(action))
                except ValueError as fault:
                    raise ValueError(f"game {number}, {seat.spec!r}: {fault}") from None
        running = [number for number in running if not states[number].is_terminal()]
    return [int(states[number].returns()[number % 2]) for number in range(games)]


def tournament(game: str, players: dict, games: int = 20, *, rules: str = "", openings: str = "random:6", seed: int = 1,
               threads: int = 1) -> dict:
    """Everybody against everybody, `games` games each; `players` are specs or objects by name.

    Gives `players`, best first, with their points and ratings, `cross`, the points of the first name against the second, and
    `advantage`, what beginning is worth in Elo points.
    """
    names = list(players)
    if len(names) < 2 or games < 1:
        raise ValueError(f"{len(names)} players, {games} games each: expected at least two players and one game")
    encounters, cross = [], {name: {} for name in names}
    points, played = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for number, (a, b) in enumerate(itertools.combinations(range(len(names)), 2)):
        report = match(game, players[names[a]], players[names[b]], games, rules=rules, openings=openings,
                       seed=seed + number, threads=threads)
        first = report["first"]
        other = {key: report[key] - first[key] for key in first}
        encounters.append((a, b, first["wins"], first["draws"], first["losses"]))
        encounters.append((b, a, other["losses"], other["draws"], other["wins"]))
        for one, two, got in ((a, b, report["points"]), (b, a, report["games"] - report["points"])):
            cross[names[one]][names[two]] = got
            points[names[one]] += got
            played[names[one]] += report["games"]
    rated = json.loads(_trilith.rate_json(len(names), encounters))
    standings = [{"name": name, "points": points[name], "games": played[name], **rating}
                 for name, rating in zip(names, rated["ratings"])]
    return {"players": sorted(standings, key=lambda row: -row["elo"]), "cross": cross, "advantage": rated["advantage"]}


class _Seat:
    """One side of a match: a player a game for texts, one for all games else."""

    def __init__(self, spec, seed):
        self.spec, self.seed, self.own = spec, seed, {}
        self.shared = None if isinstance(spec, str) else player(spec, seed)
        # Trees of an earlier match may be those of a network that has learnt since.
        getattr(self.shared, "forget", lambda: None)()

    def choose_all(self, states, numbers):
        if self.shared is None:
            return [self._own(number).choose(state) for number, state in zip(numbers, states)]
        if hasattr(self.shared, "choose_all"):
            return self.shared.choose_all(states)
        return [self.shared.choose(state) for state in states]

    def _own(self, number):
        # Two games at a time would share a table, so each has its own player.
        if number not in self.own:
            self.own[number] = player(self.spec, self.seed * 1_000_003 + number)
        return self.own[number]
