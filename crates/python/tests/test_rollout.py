"""A million random plies of each game beside Rust's record: the same legal moves, endings and results."""

import itertools
import os

import numpy as np
import pytest

import trilith
from shipped import GAMES

PLIES = int(os.environ.get("TRILITH_ROLLOUT_PLIES", 1_000_000))


@pytest.mark.parametrize("game", GAMES)
def test_a_million_plies_agree_with_records(game):
    n = 200
    env = trilith.VecEnv(game, n=n, seed=11)
    _, mask = env.reset()
    states = [trilith.State(game) for _ in range(n)]
    plies = ended = 0
    while plies < PLIES:
        actions = env.sample()
        _, mask, reward, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        for board, (state, action) in enumerate(zip(states, actions.tolist())):
            # A record refuses what is not legal.
            state.apply_action(action)
            assert state.is_terminal() == over[board]
        for board in np.flatnonzero(over):
            state = states[board]
            first, second = state.returns()
            mover = len(state.history()) % 2 == 1
            assert info["result"][board] == first and reward[board] == (first if mover else second)
            assert truncated[board] == (state.reason() == "ply limit")
            states[board] = trilith.State(game)
            ended += 1
        legal = [state.legal_actions() for state in states]
        counts = np.fromiter(map(len, legal), np.int64, n)
        numbers = np.fromiter(itertools.chain.from_iterable(legal), np.int64, counts.sum())
        assert mask[np.repeat(np.arange(n), counts), numbers].all() and np.count_nonzero(mask) == len(numbers)
        plies += n
    assert ended > PLIES // 2000
