"""Tree search with a network: leaves of many games in one batch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_from

import numpy as np

from ._trilith import ACTIONS, OBSERVATION, State, Trees


def _arrays(answers):
    # A network that works elsewhere may give a function that waits for its answers.
    logits, values = answers() if callable(answers) else answers
    return _array(logits), _array(values).reshape(-1)


def _array(answer) -> np.ndarray:
    # Tensors of PyTorch, on any device, and everything that numpy takes.
    if hasattr(answer, "detach"):
        answer = answer.detach().float().cpu().numpy()
    return np.ascontiguousarray(answer, dtype=np.float32)


class MCTS:
    """PUCT over many states at once. `evaluate(obs, mask)` gives logits `[b, A]` and values `[b]` for the sides to move, or a
    function without arguments that does.

    With `reuse`, a state that has gone on from one searched before begins with the tree below its moves; call `forget` when the
    network has changed. Known endings are exact: by Othello's solver, and by Morris tables, which are built on first use; `tables`
    is `"on"`, `"off"`, or a folder.
    """

    def __init__(self, game: str, evaluate, *, rules: str = "", simulations: int = 200, batch: int = 256, threads: int = 1,
                 seed: int = 1, exploration: float = 1.25, noise: float = 0.0, in_flight: int = 8, reuse: bool = False,
                 tables: str = "on"):
        self.evaluate = getattr(evaluate, "evaluate", evaluate)
        self.reuse, self.is_fresh = reuse, True
        self.trees = Trees(game, rules, simulations=simulations, batch=batch, threads=threads, seed=seed,
                           exploration=exploration, noise=noise, in_flight=in_flight, tables=tables)

    def forget(self) -> None:
        """Lets go of all trees."""
        self.is_fresh = True

    def search(self, states: State | list[State]):
        """Shares of the visits `[n, A]` and values `[n]`; without the first axis for a single state."""
        single = isinstance(states, State)
        self.trees.plant([states] if single else list(states), self.reuse and not self.is_fresh)
        self.is_fresh = False
        while True:
            count, obs, mask = self.trees.gather()
            if count == 0:
                break
            self.trees.absorb(*_arrays(self.evaluate(obs[:count], mask[:count])))
        visits, values = self.trees.harvest()
        return (visits[0], float(values[0])) if single else (visits, values)


def selfplay(game: str, evaluate, *, rules: str = "", games: int = 256, simulations: int = 100, batch: int = 1024,
             samples: int = 4096, threads: int = 1, seed: int = 1, noise: float = 0.25, temperature: float = 1.0,
             temperature_plies: int = 20, exploration: float = 1.25, in_flight: int = 8, tables: str = "on",
             groups: int = 2, packed: bool = False, empty=np.empty) -> Iterator[dict]:
    """Plays against itself without end; yields dicts of arrays with at least `samples` decisions of finished games.

    `obs u8[k, C, H, W]`, `visits f32[k, A]` (shares), `result f32[k]` and `value f32[k]` for the side to move, `game i64[k]`,
    `ply i32[k]`, and `moves`, the games as lists of texts. If `packed`, only moves with visits are given, instead of `visits`:
    `counts i64[k]`, how many each decision has, and all of them one after the other as `actions i32` and `shares f32`.

    A graphics card is never waited for if `evaluate` gives a function that waits for its answers: the games are in `groups`,
    and while the card works for some, the others grow their trees. An object with `evaluate_legal(obs, places)` instead is asked
    about legal actions only: `places i32[m]` number them in the flattened logits `[b, A]`, and `m` logits and `b` values are
    wanted. Its arrays come from `empty(shape, dtype)`, which may give memory that a card can read. See
    `examples/python/selfplay.py` for all of this.
    """
    counts = [count for count in np.diff(np.linspace(0, games, max(1, groups) + 1).astype(int)) if count > 0]
    sources = [Trees(game, rules, simulations=simulations, batch=batch, games=int(count), threads=threads,
                     seed=len(counts) * seed + number, noise=noise, temperature=temperature,
                     temperature_plies=temperature_plies, exploration=exploration, in_flight=in_flight, tables=tables)
               for number, count in enumerate(counts)]
    if hasattr(evaluate, "evaluate_legal"):
        shape = (batch + max(1, threads), *OBSERVATION[game])
        turns = [_legal_turns(trees, evaluate.evaluate_legal, shape, empty) for trees in sources]
    else:
        turns = [_turns(trees, getattr(evaluate, "evaluate", evaluate)) for trees in sources]
    parts, kept = [], 0
    for turn in count_from(0):
        number = turn % len(turns)
        next(turns[number])
        ended = sources[number].take_finished(packed)
        if ended is not None:
            ended["game"] = ended["game"] * len(turns) + number
            parts.append(ended)
            kept += len(ended["result"])
        if kept >= samples:
            whole = {key: np.concatenate([part[key] for part in parts]) for key in parts[0] if key != "moves"}
            whole["moves"] = [moves for part in parts for moves in part["moves"]]
            parts, kept = [], 0
            yield whole


def _turns(trees, evaluate):
    """With each step: waits for the answers to the last question, asks the next one."""
    while True:
        count, obs, mask = trees.gather()
        answers = evaluate(obs[:count], mask[:count])
        yield
        trees.absorb(*_arrays(answers))


def _legal_turns(trees, evaluate, shape, empty):
    """The same about legal actions only."""
    obs, places, answers = empty(shape, np.uint8), empty(0, np.int32), ()
    while True:
        count, legal = trees.turn(obs, *answers)
        if legal > len(places):
            places = empty(2 * legal, np.int32)
        trees.places(places)
        asked = evaluate(obs[:count], places[:legal])
        yield
        answers = _arrays(asked)


def even(game: str):
    """A network that knows nothing: all moves alike, all positions even. For tests and first runs."""
    actions = ACTIONS[game]

    def evaluate(obs, mask):
        assert obs.shape[1:] == OBSERVATION[game] and mask.shape == (len(obs), actions)
        return np.zeros((len(obs), actions), np.float32), np.zeros(len(obs), np.float32)

    return evaluate
