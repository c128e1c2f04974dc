"""Networks outside: written as files that play, and served to the program in batches."""

from __future__ import annotations

import struct
import sys

import numpy as np

from ._trilith import ACTIONS, OBSERVATION, save_residual


def save_network(path, game: str, network, *, rules: str = "", provenance: dict[str, str] | None = None) -> None:
    """Writes a residual network as an artifact that plays: `mcts:file=PATH`, in matches, in the app, everywhere.

    `network` is a module of PyTorch or its state dict, with the names and shapes of `examples/python/selfplay.py`.
    """
    tensors = network.state_dict() if hasattr(network, "state_dict") else network
    arrays = {}
    for name, tensor in tensors.items():
        if name.endswith("num_batches_tracked"):
            continue
        if hasattr(tensor, "detach"):
            tensor = tensor.detach().float().cpu().numpy()
        arrays[name] = np.ascontiguousarray(tensor, dtype=np.float32)
    save_residual(str(path), game, arrays, rules, provenance or {})


def serve(evaluate, input=None, output=None) -> None:
    """Answers batches for `external:batch:"python my_net.py"` until the input ends.

    `evaluate(obs, mask)` is as for `MCTS`; it may be an object with that method. Print nothing else to standard output.
    """
    evaluate = getattr(evaluate, "evaluate", evaluate)
    input, output = input or sys.stdin.buffer, output or sys.stdout.buffer
    greeting = input.readline().decode().split()
    if len(greeting) != 3 or greeting[:2] != ["trilith-batch", "1"] or greeting[2] not in ACTIONS:
        raise ValueError(f"asked with {greeting!r}: expected `trilith-batch 1 GAME`")
    game = greeting[2]
    shape, size = OBSERVATION[game], int(np.prod(OBSERVATION[game]))
    while head := input.read(4):
        (count,) = struct.unpack("<I", head)
        obs = np.zeros((count, *shape), np.uint8)
        mask = np.zeros((count, ACTIONS[game]), bool)
        legal = []
        for row in range(count):
            obs[row] = np.frombuffer(input.read(size), np.uint8).reshape(shape)
            (moves,) = struct.unpack("<H", input.read(2))
            legal.append(np.frombuffer(input.read(2 * moves), "<u2"))
            mask[row, legal[-1]] = True
        logits, values = (_array(answer) for answer in evaluate(obs, mask))
        for row, numbers in enumerate(legal):
            output.write(values.reshape(-1)[row : row + 1].astype("<f4").tobytes())
            output.write(logits[row, numbers].astype("<f4").tobytes())
        output.flush()


def _array(answer) -> np.ndarray:
    if hasattr(answer, "detach"):
        answer = answer.detach().float().cpu().numpy()
    return np.asarray(answer, dtype=np.float32)
