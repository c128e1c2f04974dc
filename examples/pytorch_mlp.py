"""S3's perceptron in PyTorch: read weights that Trilith trained, write weights that Trilith plays with.

    pip install torch safetensors
    python examples/pytorch_mlp.py read fit/artifact.safetensors
    python examples/pytorch_mlp.py write fresh.safetensors
    trilith match othello --a minimax:depth=1,eval=mlp,file=fresh.safetensors --b random --games 100

Trilith's files are plain safetensors: `load_file` gives a state dict. What PyTorch writes needs no header of Trilith's; the
names and shapes of the tensors say what it is. The setting `form` tells whether the network wants canonical positions.
"""

import sys

import torch
from safetensors.torch import load_file, save_file
from torch import nn


class Perceptron(nn.Module):
    """64 squares (1 own, -1 other, 0 empty; a1, b1, ... h8) to the points of the side not to move."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 96), nn.Tanh(), nn.Linear(96, 34), nn.Tanh(), nn.Linear(34, 1)
        )

    def forward(self, squares):
        return self.layers(squares)


START = torch.zeros(64)
START[[28, 35]] = 1.0  # e4 and d5, Black's, who is to move
START[[27, 36]] = -1.0


def main():
    action, path = sys.argv[1:]
    network = Perceptron()
    if action == "read":
        network.load_state_dict(load_file(path))
        print("points of the side not to move at the start:", network(START).item())
    else:
        save_file(network.state_dict(), path, metadata={"form": "any"})


if __name__ == "__main__":
    main()
