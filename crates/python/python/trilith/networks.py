"""Networks outside: written as files that play, served to the program in batches, and asked in other programs."""

from __future__ import annotations

import shlex
import struct
import subprocess
import sys

import numpy as np

from ._trilith import ACTIONS, OBSERVATION, ResidualNetwork, save_residual


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


def load_network(path) -> ResidualNetwork:
    """The network of such a file, asked on the CPU without PyTorch: `evaluate(obs, mask)`, for searches and matches."""
    return ResidualNetwork(str(path))


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


class Program:
    """A network in another program, as `serve` has it: `evaluate(obs, mask)` asks it in batches, in any search or match."""

    def __init__(self, command: str | list[str], game: str):
        self.game = game
        words = shlex.split(command) if isinstance(command, str) else list(command)
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send(f"trilith-batch 1 {game}\n".encode())

    def evaluate(self, obs, mask):
        mask = np.asarray(mask, bool)
        legal = [np.flatnonzero(row).astype("<u2") for row in mask]
        rows = [row.tobytes() + struct.pack("<H", len(numbers)) + numbers.tobytes()
                for row, numbers in zip(np.asarray(obs, np.uint8), legal)]
        self._send(struct.pack("<I", len(rows)) + b"".join(rows))
        counts = np.array([len(numbers) for numbers in legal])
        answer = self.child.stdout.read(4 * int(counts.sum() + len(counts)))
        if len(answer) != 4 * (counts.sum() + len(counts)):
            raise self._gone()
        numbers = np.frombuffer(answer, "<f4")
        heads = np.cumsum(counts + 1) - counts - 1
        logits = np.zeros(mask.shape, np.float32)
        logits[mask] = np.delete(numbers, heads)
        return logits, numbers[heads]

    def _send(self, data):
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except OSError:
            raise self._gone() from None

    def _gone(self):
        status = self.close()
        return RuntimeError(f"the program has ended with status {status}: expected an answer for each batch")

    def close(self) -> int:
        """Ends the program; its status."""
        try:
            self.child.stdin.close()
        except OSError:
            pass
        self.child.stdout.close()
        try:
            return self.child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            return self.child.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _array(answer) -> np.ndarray:
    if hasattr(answer, "detach"):
        answer = answer.detach().float().cpu().numpy()
    return np.asarray(answer, dtype=np.float32)
