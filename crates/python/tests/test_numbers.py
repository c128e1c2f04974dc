"""Action numbers, observations and symmetries."""

import numpy as np
import pytest

import trilith
from shipped import GAMES


def test_numbers_mean_the_same_for_ever():
    known = {
        "othello": {"a1": 0, "f5": 37, "h8": 63, "pass": 64},
        "morris": {"a1": 0, "d6": 11 * 25, "a1-a4": 1, "d6xb4": 576 * 10 + 11 * 25, "a1-a4xa7": 576 * 3 + 1},
        "abalone": {"a1b2": 81 + 72, "a1b1": 2 * 81 + 72, "a1a2": 72},
    }
    for game, numbers in known.items():
        for text, number in numbers.items():
            assert trilith.action(game, text) == number, text
            assert trilith.from_action(game, number) == text


@pytest.mark.parametrize("game", GAMES)
def test_texts_and_numbers_are_one_to_one(game):
    texts = set()
    for number in range(trilith.ACTIONS[game]):
        try:
            text = trilith.from_action(game, number)
        except ValueError:
            continue
        assert trilith.action(game, text) == number
        texts.add(text)
    # Morris: moves without, with one and with two stones taken; Abalone: in line and broadside.
    counts = {"othello": 65, "morris": 576 + 24 * 23 + 24 * 23 * 22 + 24 * 253, "abalone": 312 + 960}
    assert len(texts) == counts[game]


def test_wrong_numbers_and_texts_are_named():
    with pytest.raises(ValueError, match="no move of othello"):
        trilith.action("othello", "z9")
    with pytest.raises(ValueError, match="has 0 to 64"):
        trilith.from_action("othello", 65)
    with pytest.raises(ValueError, match="stands for no move"):
        trilith.from_action("abalone", 0)


def test_observations_are_as_pictured():
    obs = trilith.State("othello").observation_tensor()
    assert obs[0].nonzero()[0].tolist() == [3, 4] and obs[0][3, 4] == 1 and obs[1][3, 3] == 1 and obs[2].sum() == 0
    obs = trilith.State("morris", moves="d6 f4 d2").observation_tensor()
    assert obs[1][1, 3] == 1 and obs[1][5, 3] == 1 and obs[0][3, 5] == 1
    assert (obs[2] == 8).all() and (obs[3] == 7).all() and obs[4:].sum() == 0
    obs = trilith.State("abalone").observation_tensor()
    assert obs[0][8, 0] == 1 and obs[1][0, 8] == 1 and obs[0].sum() == obs[1].sum() == 14


@pytest.mark.parametrize("game", GAMES)
def test_symmetries_turn_observations_and_masks_together(game):
    env = trilith.VecEnv(game, n=4, seed=3)
    for _ in range(9):
        env.step(env.sample())
    images, masks = trilith.symmetries(game, env.observations, env.masks)
    count = {"othello": 8, "morris": 16, "abalone": 12}[game]
    assert images.shape == (count, *env.observations.shape) and masks.shape == (count, *env.masks.shape)
    assert (images[0] == env.observations).all() and (masks[0] == env.masks).all()
    assert (masks.sum(axis=2) == env.masks.sum(axis=1)).all()
    assert (images.sum(axis=(3, 4)) == env.observations.sum(axis=(2, 3))).all()
    assert len({image.tobytes() for image in images[:, 0]}) > 1
    with pytest.raises(ValueError, match="end in"):
        trilith.symmetries(game, env.observations[..., :-1])


def test_a_turned_game_is_a_game():
    """Actions of a turned policy are legal on the turned board."""
    rng = np.random.default_rng(2)
    for game in GAMES:
        _, table = trilith.symmetry_tables(game)
        for symmetry in range(len(table)):
            back = np.argsort(table[symmetry])
            state, turned = trilith.State(game), trilith.State(game)
            if not (state.legal_actions_mask()[table[symmetry]] == turned.legal_actions_mask()).all():
                continue  # the start is not symmetric to itself in this way
            for _ in range(20):
                action = int(rng.choice(state.legal_actions()))
                state.apply_action(action)
                turned.apply_action(int(back[action]))
                if state.is_terminal():
                    break
                assert (state.legal_actions_mask()[table[symmetry]] == turned.legal_actions_mask()).all()
