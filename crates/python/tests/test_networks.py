"""Networks as files and behind pipes."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trilith

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


@pytest.mark.parametrize("game", trilith.GAMES)
def test_a_saved_network_plays(game, tmp_path):
    path = tmp_path / "net.safetensors"
    trilith.save_network(path, game, tensors(game), provenance={"source": "a test"})
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


def test_a_program_behind_a_pipe_plays(tmp_path):
    script = tmp_path / "net.py"
    script.write_text("import trilith\nfrom trilith.mcts import even\ntrilith.serve(even('othello'))\n")
    report = trilith.match("othello", f'external:batch:"{sys.executable} {script}",simulations=60', "random", games=4)
    assert report["faults"] == 0 and report["games"] == 4 and report["wins"] >= 2
    script.write_text("raise SystemExit(1)\n")
    report = trilith.match("othello", f'external:batch:"{sys.executable} {script}",simulations=60', "random", games=2)
    assert report["losses"] == 2 and report["faults"] == 2, "who fails has lost"


def test_pytorch_and_this_program_agree(tmp_path):
    torch = pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("selfplay", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    torch.manual_seed(1)
    network = example.Network("othello", channels=8, blocks=2).eval()
    path = tmp_path / "net.safetensors"
    trilith.save_network(path, "othello", network)
    state = trilith.State("othello", moves="f5")
    ours = trilith.player(f"mcts:file={path},simulations=100")
    theirs = trilith.NetworkPlayer(example.Evaluator(network, torch.device("cpu")), simulations=100, batch=16)
    assert ours.choose(state) == theirs.choose(state)


def test_the_example_learns_and_goes_on(tmp_path):
    pytest.importorskip("torch")
    command = [sys.executable, EXAMPLE, "othello", "--out", str(tmp_path / "run"), "--minutes", "0", "--games", "16", "--simulations", "8",
               "--samples", "256", "--channels", "8", "--blocks", "1", "--match-every", "2", "--match-games", "2", "--match-simulations", "8",
               "--opponent", "random"]
    for number in (1, 2):
        subprocess.run(command, check=True, capture_output=True)
        assert json.loads((tmp_path / "run" / "state.json").read_text())["round"] == number
    assert trilith.player(f"mcts:file={tmp_path}/run/network.safetensors,simulations=8").choose(trilith.State("othello")) in (19, 26, 37, 44)
    assert len((tmp_path / "run" / "log.csv").read_text().splitlines()) == 3
