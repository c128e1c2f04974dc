"""Tree search and self-play."""

import numpy as np
import pytest

import trilith
from shipped import GAMES
from trilith.mcts import even


def test_search_finds_the_winning_move():
    state = trilith.State("abalone", "eject=1,layout=5/6/7/8/5bbbw/8/7/6/wwwww")
    winning = state.string_to_action("e6e7")
    visits, value = trilith.MCTS("abalone", even("abalone"), rules=state.rules, simulations=400).search(state)
    assert visits[winning] == visits.max() and value == 1.0
    assert visits.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("game", GAMES)
def test_many_states_share_batches(game):
    states = [trilith.State(game) for _ in range(20)]
    for number, state in enumerate(states):
        for _ in range(number % 5):
            legal = state.legal_actions()
            state.apply_action(legal[number % len(legal)])
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


def test_othello_endings_are_solved_and_morris_tables_are_asked():
    """A network that says nothing of the position is overruled by what is known."""

    def optimist(obs, mask):
        return np.zeros(mask.shape, np.float32), np.full(len(obs), 0.9, np.float32)

    rng, decided = np.random.default_rng(5), 0
    search = trilith.MCTS("othello", optimist, simulations=50)
    for _ in range(20):
        state = trilith.State("othello")
        while not state.is_terminal() and len(state.history()) < 49:
            state.apply_action(int(rng.choice(state.legal_actions())))
        if state.is_terminal():
            continue
        score = trilith.solve(state, hash=1)["score"]
        visits, value = search.search(state)
        assert value == np.sign(score), state.position()
        after = state.clone()
        after.apply_action(int(visits.argmax()))
        assert after.is_terminal() or np.sign(trilith.solve(after, hash=1)["score"]) == -np.sign(score)
        decided += 1
    assert decided > 15

    tables, search = trilith.tablebase(), trilith.MCTS("morris", optimist, simulations=50)
    for state in morris_endings(rng, 12):
        known = tables.probe(state)
        visits, value = search.search(state)
        assert value == {"win": 1.0, "draw": 0.0, "loss": -1.0}[known["value"]]
        best = {row["move"] for row in known["moves"] if row["value"] == known["value"]}
        assert {trilith.from_action("morris", int(number)) for number in np.flatnonzero(visits)} <= best


def morris_endings(rng, count):
    """Positions of three stones against three or four, all on the board."""
    states = []
    while len(states) < count:
        points = np.array(["."] * 24)
        at = rng.permutation(24)
        points[at[:3]], points[at[3 : 6 + len(states) % 2]] = "w", "b"
        rows = np.split(points, np.cumsum([3, 3, 3, 6, 3, 3]))
        text = "/".join("".join(row).replace(".", "1") for row in rows)
        try:
            states.append(trilith.State("morris", position=f"{text} w 0 0"))
        except ValueError:
            continue  # a position that cannot be played from
    return states


def test_won_endgames_are_brought_home():
    """The shortest way to win is taken: known wins do not go round in circles."""
    tables, won = trilith.tablebase(), 0
    for state in morris_endings(np.random.default_rng(3), 40):
        known = tables.probe(state)
        if known["value"] != "win" or known["plies"] < 3:
            continue
        search = trilith.MCTS("morris", even("morris"), simulations=20, reuse=True)
        played = 0
        while not state.is_terminal():
            if played % 2 == 0:
                state.apply_action(int(search.search(state)[0].argmax()))
            else:
                state.play(tables.probe(state)["moves"][0]["move"])
            played += 1
            assert played <= known["plies"], state.position()
        assert played == known["plies"] and state.returns()[0] == 1.0
        won += 1
        if won == 5:
            return
    raise AssertionError("too few won endings were drawn")


def test_batches_of_self_play_are_full():
    sizes = []

    def evaluate(obs, mask):
        sizes.append(len(obs))
        return even("othello")(obs, mask)

    games = trilith.selfplay("othello", evaluate, games=128, simulations=24, batch=256, samples=1000, tables="off")
    next(games)
    assert max(sizes) == 256 and np.mean(np.array(sizes) == 256) > 0.9


def test_trees_are_used_again_where_the_game_went_on():
    asked = []

    def evaluate(obs, mask):
        asked.append(len(obs))
        return even("othello")(obs, mask)

    def moves(reuse):
        asked.clear()
        search = trilith.MCTS("othello", evaluate, simulations=200, reuse=reuse, tables="off")
        states = [trilith.State("othello"), trilith.State("othello", moves="f5 f6")]
        for _ in range(4):
            visits, _ = search.search(states)
            for state, shares in zip(states, visits):
                state.apply_action(int(shares.argmax()))
            # One that is new stands before the others, which are still known.
            states = [trilith.State("othello", moves="d3")] + states
        return sum(asked)

    again, anew = moves(True), moves(False)
    assert again < 0.9 * anew
    search = trilith.MCTS("othello", evaluate, simulations=100, reuse=True, tables="off")
    state = trilith.State("othello")
    first = search.search(state)[0]
    asked.clear()
    assert (search.search(state)[0] == first).all() and not asked
    search.forget()
    search.search(state)
    assert sum(asked) > 50


def test_answers_may_come_later():
    order = []

    def evaluate(obs, mask):
        answers = even("othello")(obs, mask)
        order.append("asked")

        def wait():
            order.append("answered")
            return answers

        return wait

    at_once = trilith.MCTS("othello", even("othello"), simulations=60).search(trilith.State("othello"))
    later = trilith.MCTS("othello", evaluate, simulations=60).search(trilith.State("othello"))
    assert (at_once[0] == later[0]).all() and at_once[1] == later[1]
    order.clear()
    batch = next(trilith.selfplay("othello", evaluate, games=8, simulations=8, samples=50))
    assert len(batch["result"]) >= 50
    # The second group is asked about before the first one's answers are waited for.
    assert order[:3] == ["asked", "asked", "answered"]


class Hashed:
    """A network with an opinion: each number it answers depends on the whole position."""

    def __init__(self, game):
        rng = np.random.default_rng(3)
        self.size = int(np.prod(trilith.OBSERVATION[game]))
        self.policy = rng.standard_normal((self.size, trilith.ACTIONS[game])).astype(np.float32)
        self.value = rng.standard_normal(self.size).astype(np.float32)

    def evaluate(self, obs, mask):
        flat = obs.reshape(len(obs), -1).astype(np.float32)
        # Row by row: a product of matrices may differ in the last bits by how many rows it has.
        return np.stack([row @ self.policy / 9 for row in flat]), np.tanh(np.array([row @ self.value for row in flat]) / 9)


class Legal(Hashed):
    """The same, asked about legal actions only, by arrays that it has made."""

    made = 0

    def evaluate_legal(self, obs, places):
        logits, values = self.evaluate(obs, None)
        return lambda: (logits.reshape(-1)[places], values)

    def empty(self, shape, dtype):
        self.made += 1
        return np.empty(shape, dtype)


@pytest.mark.parametrize("game,rules", [("othello", ""), ("abalone", "plies=30")])
@pytest.mark.parametrize("threads", [1, 3])
def test_answers_for_legal_actions_are_enough(game, rules, threads):
    options = dict(rules=rules, games=40, simulations=10, batch=50, samples=400, threads=threads, tables="off")
    whole = next(trilith.selfplay(game, Hashed(game), **options))
    network = Legal(game)
    part = next(trilith.selfplay(game, network, **options, packed=True, empty=network.empty))
    assert network.made >= 4 and part["moves"] == whole["moves"]
    for key in ("obs", "result", "value", "game", "ply"):
        np.testing.assert_array_equal(part[key], whole[key])
    visits = np.zeros_like(whole["visits"])
    visits[np.repeat(np.arange(len(visits)), part["counts"]), part["actions"]] = part["shares"]
    np.testing.assert_array_equal(visits, whole["visits"])
    # Each game has its own number.
    assert len(set(part["game"])) == len(part["moves"])


def test_wrong_answers_for_legal_actions_are_told():
    class Wrong(Legal):
        def evaluate_legal(self, obs, places):
            return np.zeros(len(places) - 1, np.float32), np.zeros(len(obs), np.float32)

    with pytest.raises(ValueError, match="expected .* of legal actions"):
        next(trilith.selfplay("othello", Wrong("othello"), games=8, simulations=8))


@pytest.mark.parametrize("groups", [1, 3, 50])
def test_groups_take_turns(groups):
    asked = []

    def evaluate(obs, mask):
        asked.append(None)
        return lambda: (asked.pop(), even("othello")(obs, mask))[1]

    batch = next(trilith.selfplay("othello", evaluate, games=12, simulations=8, samples=100, groups=groups, tables="off"))
    assert len(batch["result"]) >= 100 and len(set(batch["game"])) == len(batch["moves"])
    assert len(asked) == min(groups, 12)


def test_a_network_that_fails_leaves_the_search_usable():
    fail = True

    def evaluate(obs, mask):
        if fail:
            raise RuntimeError("out of memory")
        return even("othello")(obs, mask)

    search = trilith.MCTS("othello", evaluate, simulations=50, reuse=True, tables="off")
    with pytest.raises(RuntimeError, match="out of memory"):
        search.search(trilith.State("othello"))
    fail = False
    assert search.search(trilith.State("othello"))[0].sum() == pytest.approx(1.0)
