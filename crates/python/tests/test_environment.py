"""VecEnv: shapes, rewards, endings, states, threads."""

import numpy as np
import pytest

import trilith
from shipped import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_arrays_have_their_shapes_and_are_reused(game):
    env = trilith.VecEnv(game, n=5)
    obs, mask = env.reset()
    assert obs.shape == (5, *trilith.OBSERVATION[game]) and obs.dtype == np.uint8
    assert mask.shape == (5, trilith.ACTIONS[game]) and mask.dtype == bool
    again, masks, reward, terminated, truncated, info = env.step(env.sample())
    assert again is obs and masks is mask
    assert reward.dtype == np.float32 and not terminated.any() and not truncated.any()
    assert info["final_observation"].shape == obs.shape
    assert (env.to_play == 1).all() and (env.ply == 1).all() and (env.result == 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_legal_ids_are_the_masks(game):
    env = trilith.VecEnv(game, n=16, seed=2)
    for _ in range(60):
        ids, counts = env.legal_ids()
        boards = np.repeat(np.arange(16), counts)
        dense = np.zeros_like(env.masks)
        dense[boards, ids] = True
        assert (dense == env.masks).all()
        # A random legal action by hand, in the way the guide shows.
        starts = np.cumsum(counts) - counts
        actions = ids[starts + (np.random.default_rng(1).random(16) * counts).astype(int)]
        env.step(actions)


@pytest.mark.parametrize("game,rules", [("othello", ""), ("morris", "quiet-plies=20"), ("abalone", "plies=40")])
def test_boards_agree_with_states(game, rules):
    env = trilith.VecEnv(game, n=8, rules=rules, seed=7)
    states = [trilith.State(game, rules) for _ in range(8)]
    ended = 0
    for _ in range(200):
        actions = env.sample().copy()
        obs, mask, reward, terminated, truncated, info = env.step(actions)
        for board, state in enumerate(states):
            mover = state.current_player()
            state.apply_action(int(actions[board]))
            assert state.is_terminal() == (terminated[board] or truncated[board])
            if state.is_terminal():
                assert reward[board] == state.returns()[mover]
                assert info["result"][board] == state.returns()[0]
                assert truncated[board] == (state.reason() == "ply limit")
                assert (info["final_observation"][board] == state.observation_tensor()).all()
                states[board] = state = trilith.State(game, rules)
                ended += 1
            assert (obs[board] == state.observation_tensor()).all()
            assert (mask[board] == state.legal_actions_mask()).all()
            assert env.position(board) == state.position()
            assert env.played(board).tolist() == state.history()
    assert ended > 8


def test_an_illegal_action_names_the_board():
    env = trilith.VecEnv("othello", n=3)
    with pytest.raises(ValueError, match="board 1, ply 0: action 0 is not legal; legal: 19 26 37 44"):
        env.step(np.array([19, 0, 19]))
    with pytest.raises(ValueError, match="2 actions for 3 boards"):
        env.step(np.array([19, 19], dtype=np.int32))
    with pytest.raises(TypeError, match="one whole number a board"):
        env.step(np.array([1.5, 2.5, 3.5]))
    assert (env.ply == 0).all()


def test_wrong_words_are_answered_with_the_right_ones():
    with pytest.raises(ValueError, match="`othello`?"):
        trilith.VecEnv("otello")
    with pytest.raises(ValueError, match="belgian-daisy"):
        trilith.VecEnv("abalone", rules="belgian-dasy")
    with pytest.raises(ValueError, match="expected 1 to"):
        trilith.VecEnv("abalone", n=0)
    assert trilith.VecEnv("abalone", layout="belgian-daisy").rules == "belgian-daisy"


def test_a_saved_state_goes_on_as_the_original():
    env = trilith.VecEnv("abalone", n=6, rules="eject=1", seed=4)
    for _ in range(300):
        env.step(env.sample())
    state = env.save()
    copy = trilith.VecEnv("abalone", n=6, rules="eject=1", seed=4)
    copy.load(state)
    assert (copy.observations == env.observations).all() and (copy.masks == env.masks).all()
    assert (copy.ply == env.ply).all() and (copy.to_play == env.to_play).all()
    for _ in range(300):
        for one in (env, copy):
            one.step(one.sample())
        assert (copy.observations == env.observations).all()
    assert copy.save() == env.save()
    for wrong, message in [(b"x", "not a state"), (state[:-4], "ends early"), (state + bytes(4), "more boards")]:
        with pytest.raises(ValueError, match=message):
            copy.load(wrong)
    with pytest.raises(ValueError, match="is of `abalone`"):
        trilith.VecEnv("othello", n=6).load(state)


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game):
    one, many = trilith.VecEnv(game, n=33, seed=5), trilith.VecEnv(game, n=33, seed=5, threads=4)
    for _ in range(100):
        a, b = one.step(one.sample()), many.step(many.sample())
        assert all((x == y).all() for x, y in zip(a[:5], b[:5]))


def test_arrays_go_to_other_libraries_without_a_copy():
    env = trilith.VecEnv("othello", n=2)
    obs, _ = env.reset()
    other = np.from_dlpack(obs)
    assert other.ctypes.data == obs.ctypes.data
