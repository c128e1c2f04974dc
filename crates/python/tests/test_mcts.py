"""Tree search and self-play."""

import numpy as np
import pytest

import trilith
from trilith.mcts import even


def test_search_finds_the_winning_move():
    state = trilith.State("abalone", "eject=1,layout=5/6/7/8/5bbbw/8/7/6/wwwww")
    winning = state.string_to_action("e6e7")
    visits, value = trilith.MCTS("abalone", even("abalone"), rules=state.rules, simulations=400).search(state)
    assert visits[winning] == visits.max() and value == 1.0
    assert visits.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("game", trilith.GAMES)
def test_many_states_share_batches(game):
    states = [trilith.State(game) for _ in range(20)]
    for number, state in enumerate(states):
        for _ in range(number % 5):
            state.apply_action(state.legal_actions()[number % 3])
    sizes = []

    def evaluate(obs, mask):
        sizes.append(len(obs))
        assert (mask.sum(axis=1) > 0).all()
        return even(game)(obs, mask)

    visits, values = trilith.MCTS(game, evaluate, simulations=50, batch=128).search(states)
    assert max(sizes) > 60 and visits.shape == (20, trilith.ACTIONS[game]) and values.shape == (20,)
    for state, shares in zip(states, visits):
        assert not shares[~state.legal_actions_mask()].any() and shares.sum() == pytest.approx(1.0)


def test_search_is_told_what_is_wrong():
    search = trilith.MCTS("othello", even("othello"))
    with pytest.raises(ValueError, match="not the search's"):
        search.search(trilith.State("morris"))
    with pytest.raises(ValueError, match="expected .* x 65"):
        trilith.MCTS("othello", lambda obs, mask: (np.zeros((1, 3)), np.zeros(1))).search(trilith.State("othello"))
    with pytest.raises(ValueError, match="batch=0"):
        trilith.MCTS("othello", even("othello"), batch=0)


@pytest.mark.parametrize("game,rules", [("othello", ""), ("morris", "quiet-plies=30"), ("abalone", "plies=40")])
def test_selfplay_yields_what_training_needs(game, rules):
    games = trilith.selfplay(game, even(game), rules=rules, games=16, simulations=12, batch=64, samples=300, threads=2)
    for batch in (next(games), next(games)):
        count = len(batch["result"])
        assert count >= 300 and batch["obs"].shape == (count, *trilith.OBSERVATION[game])
        assert batch["visits"].shape == (count, trilith.ACTIONS[game])
        np.testing.assert_allclose(batch["visits"].sum(axis=1), 1.0, atol=1e-4)
        assert set(np.unique(batch["result"])) <= {-1.0, 0.0, 1.0} and (np.abs(batch["value"]) <= 1).all()
    # Replaying a game gives its observations and its result.
    moves = batch["moves"][0]
    state = trilith.State(game, rules)
    number = batch["game"][0]
    of_game = np.flatnonzero(batch["game"] == number)
    for ply, move in enumerate(moves):
        sample = of_game[ply]
        assert batch["ply"][sample] == ply and (batch["obs"][sample] == state.observation_tensor()).all()
        mover = state.current_player()
        final = batch["result"][sample] if mover == 0 else -batch["result"][sample]
        assert batch["visits"][sample][state.string_to_action(move)] > 0
        state.play(move)
    assert state.is_terminal() and state.returns()[0] == final
