"""State in OpenSpiel's words, PettingZoo by its own test, Gymnasium by its own checker."""

import copy

import pytest

import trilith
from shipped import GAMES


def test_a_state_in_openspiels_words():
    state = trilith.State("othello")
    assert state.current_player() == 0 and not state.is_terminal() and state.returns() == (0.0, 0.0)
    assert state.legal_actions() == [19, 26, 37, 44]
    assert state.action_to_string(37) == "f5" and state.string_to_action("f5") == 37
    state.apply_action(37)
    other, third = state.clone(), copy.deepcopy(state)
    other.play("d6")
    assert state.moves() == ["f5"] == third.moves() and other.history() == [37, 43] and state.current_player() == 1
    assert other.undo() and other.position() == state.position()
    assert "X" in str(state) and state.game == "othello" and state.rules == "standard"
    with pytest.raises(ValueError, match="not legal here"):
        state.apply_action(0)
    with pytest.raises(ValueError, match="stands for no move"):
        state.apply_action(65)
    short = trilith.State("othello", position="XXXXXXXX" * 7 + "XXXXXXO- X")
    short.play("h8")
    assert short.is_terminal() and short.returns() == (1.0, -1.0) and short.current_player() == -4
    assert short.reason() == "board full" and short.legal_actions() == []


@pytest.mark.parametrize("game,rules", [("othello", ""), ("morris", ""), ("abalone", "eject=1,plies=80")])
def test_pettingzoo_passes_its_own_test(game, rules):
    test = pytest.importorskip("pettingzoo.test")
    test.api_test(trilith.pettingzoo(game, rules), num_cycles=300, verbose_progress=False)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_plays_both_sides(game):
    pytest.importorskip("gymnasium")
    env = trilith.gymnasium(game, opponent="random", rules={"abalone": "plies=60"}.get(game, ""))
    sides = set()
    for _ in range(4):
        obs, info = env.reset()
        sides.add(info["side"])
        ended = False
        while not ended:
            assert env.observation_space.contains(obs)
            obs, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
            ended = terminated or truncated
        assert reward in (-1, 0, 1) and info["action_mask"].sum() == 0
    assert sides == {0, 1}
