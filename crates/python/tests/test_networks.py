"""Networks as files and behind pipes."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trilith
from shipped import GAMES

EXAMPLE = Path(__file__).parents[3] / "examples" / "python" / "selfplay.py"


def tensors(game, channels=4, blocks=1, narrow=2, hidden=3, seed=1):
    """A small residual network by names and shapes, without PyTorch."""
    rng = np.random.default_rng(seed)
    planes, rows, columns = trilith.OBSERVATION[game]
    seen = narrow * rows * columns
    shapes = {"stem.0.weight": (channels, planes, 3, 3), "narrow.0.weight": (narrow, channels, 1, 1),
              "policy.weight": (trilith.ACTIONS[game], seen), "policy.bias": (trilith.ACTIONS[game],),
              "value.0.weight": (hidden, seen), "value.0.bias": (hidden,), "value.2.weight": (1, hidden), "value.2.bias": (1,)}
    norms = {"stem.1": channels, "narrow.1": narrow}
    for block in range(blocks):
        shapes |= {f"body.{block}.{part}.weight": (channels, channels, 3, 3) for part in ("first", "second")}
        norms |= {f"body.{block}.norms.{norm}": channels for norm in (0, 1)}
    arrays = {name: rng.standard_normal(shape).astype(np.float32) * 0.3 for name, shape in shapes.items()}
    for name, size in norms.items():
        arrays |= {f"{name}.{part}": np.full(size, value, np.float32)
                   for part, value in [("weight", 1), ("bias", 0), ("running_mean", 0), ("running_var", 1)]}
    arrays["scale"] = np.ones((1, planes, 1, 1), np.float32)
    return arrays


@pytest.mark.parametrize("game", GAMES)
def test_a_saved_network_plays(game, tmp_path):
    path = tmp_path / "net.safetensors"
    trilith.save_network(path, game, tensors(game), provenance={"source": "a test"})
    network = trilith.load_network(path)
    env = trilith.VecEnv(game, n=3)
    logits, values = network.evaluate(env.observations, env.masks)
    assert logits.shape == env.masks.shape and values.shape == (3,) and (np.abs(values) <= 1).all()
    with pytest.raises(ValueError, match="expected"):
        network.evaluate(env.observations[:, :1].copy())
    player = trilith.player(f"mcts:file={path},simulations=20,tables=off")
    state = trilith.State(game)
    for _ in range(4):
        action = player.choose(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_a_network_that_does_not_fit_is_refused(tmp_path):
    wrong = tensors("othello")
    del wrong["policy.bias"]
    with pytest.raises(ValueError, match="no tensor `policy.bias`"):
        trilith.save_network(tmp_path / "net.safetensors", "othello", wrong)
    with pytest.raises(ValueError, match="policy.weight"):
        trilith.save_network(tmp_path / "net.safetensors", "morris", tensors("othello") | {"scale": np.ones((1, 7, 1, 1)), "stem.0.weight": np.zeros((4, 7, 3, 3))})
    assert not (tmp_path / "net.safetensors").exists()


NET = """
import sys
import numpy as np
import trilith

def evaluate(obs, mask):
    # Its own stones against the other's.
    lead = obs[:, 0].sum(axis=(1, 2), dtype=int) - obs[:, 1].sum(axis=(1, 2), dtype=int)
    return np.arange(mask.shape[1]) * 0.01 * mask, np.tanh(lead / 8)

trilith.serve(evaluate)
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_program_behind_a_pipe_plays(game, tmp_path):
    script = tmp_path / "net.py"
    script.write_text(NET)
    rules = {"morris": "quiet-plies=20", "abalone": "plies=40"}.get(game, "")
    report = trilith.match(game, f'external:batch:"{sys.executable} {script}",simulations=20', "random", games=2, rules=rules)
    assert report["faults"] == 0 and report["games"] == 2
    script.write_text("raise SystemExit(1)\n")
    report = trilith.match(game, f'external:batch:"{sys.executable} {script}",simulations=20', "random", games=2, rules=rules)
    assert report["losses"] == 2 and report["faults"] == 2, "who fails has lost"


@pytest.mark.parametrize("game", GAMES)
def test_a_program_behind_a_pipe_evaluates(game, tmp_path):
    script = tmp_path / "net.py"
    script.write_text(NET)
    env = trilith.VecEnv(game, n=9, seed=3)
    for _ in range(7):
        env.step(env.sample())
    with trilith.Program([sys.executable, str(script)], game) as program:
        for count in (9, 1):
            obs, mask = env.observations[:count], env.masks[:count]
            logits, values = program.evaluate(obs, mask)
            assert logits.shape == mask.shape and values.shape == (count,)
            np.testing.assert_allclose(logits, np.arange(mask.shape[1]) * 0.01 * mask, rtol=1e-6)
            lead = obs[:, 0].sum(axis=(1, 2), dtype=int) - obs[:, 1].sum(axis=(1, 2), dtype=int)
            np.testing.assert_allclose(values, np.tanh(lead / 8), rtol=1e-6)
        assert trilith.player(program).choose(trilith.State(game)) in trilith.State(game).legal_actions()
    with trilith.Program([sys.executable, "-c", "import sys; sys.stdin.buffer.read(50); sys.exit(3)"], game) as program:
        with pytest.raises(RuntimeError, match="status 3"):
            program.evaluate(env.observations, env.masks)


def example_module():
    spec = importlib.util.spec_from_file_location("selfplay", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


def test_the_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 300


@pytest.mark.parametrize("game,rules", [("othello", ""), ("morris", "quiet-plies=20"), ("abalone", "plies=30")])
def test_the_example_remembers_what_was_played(game, rules, monkeypatch):
    torch = pytest.importorskip("torch")
    rng, memory = np.random.default_rng(4), example_module().Memory(game, 10_000, torch.device("cpu"))

    class Network:
        def evaluate_legal(self, obs, places):
            return rng.standard_normal(len(places)).astype(np.float32), np.zeros(len(obs), np.float32)

    games = trilith.selfplay(game, Network(), rules=rules, games=12, simulations=12, batch=64, samples=200, packed=True, tables="off")
    batches = [next(games), next(games)]
    for batch in batches:
        memory.add(batch)
    obs, counts, actions, shares = (np.concatenate([batch[key] for batch in batches]) for key in ("obs", "counts", "actions", "shares"))
    visits = np.zeros((len(counts), trilith.ACTIONS[game]), np.float32)
    visits[np.repeat(np.arange(len(counts)), counts), actions] = shares
    at = rng.integers(len(counts), size=40)
    monkeypatch.setattr(torch, "randint", lambda *_, **__: torch.from_numpy(at))
    for symmetry, (images, policies) in enumerate(zip(*trilith.symmetries(game, obs[at], visits[at]))):
        monkeypatch.setattr(np.random, "randint", lambda _, symmetry=symmetry: symmetry)
        drawn = memory.draw(40)
        np.testing.assert_array_equal(drawn[0], images)
        np.testing.assert_array_equal(drawn[1], policies)


def test_pytorch_and_this_program_agree(tmp_path):
    torch = pytest.importorskip("torch")
    example = example_module()
    torch.manual_seed(1)
    for game in GAMES:
        network = example.Network(game, channels=8, blocks=2).eval()
        # Normalisation that has seen something.
        for name, tensor in network.state_dict().items():
            if "running" in name or name.endswith("bias"):
                tensor.copy_(torch.rand_like(tensor) + 0.5)
        path = tmp_path / f"{game}.safetensors"
        trilith.save_network(path, game, network)
        env = trilith.VecEnv(game, n=6, seed=2)
        for _ in range(20):
            env.step(env.sample())
        ours = trilith.load_network(path)
        theirs = example.Evaluator(network, torch.device("cpu"))
        for answer, expected in zip(ours.evaluate(env.observations, env.masks), theirs.evaluate(env.observations, env.masks)):
            np.testing.assert_allclose(answer, expected.numpy(), rtol=1e-3, atol=1e-4)
        assert ours.game == game


def test_the_example_learns_and_goes_on(tmp_path):
    torch = pytest.importorskip("torch")
    command = [sys.executable, EXAMPLE, "othello", "--out", str(tmp_path / "run"), "--minutes", "0", "--games", "16", "--simulations", "8",
               "--samples", "256", "--channels", "8", "--blocks", "1", "--match-every", "2", "--match-games", "2", "--match-simulations", "8",
               "--opponent", "random"]
    for number in (1, 2):
        subprocess.run(command, check=True, capture_output=True)
        assert torch.load(tmp_path / "run" / "network.pt")["state"]["round"] == number
    assert trilith.player(f"mcts:file={tmp_path}/run/network.safetensors,simulations=8").choose(trilith.State("othello")) in (19, 26, 37, 44)
    assert len((tmp_path / "run" / "log.csv").read_text().splitlines()) == 3
