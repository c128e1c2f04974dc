"""Othello's bit boards in PyTorch, many at a time, and the rows that `trilith data rows` writes.

A board is an int64 with bit 0 for a1 and bit 63 for h8. `own` belongs to the side to move.
"""

import numpy as np
import torch

ROW = np.dtype([("own", "<u8"), ("other", "<u8"), ("value", "<i2"), ("margin", "i1"), ("test", "u1")])
NO_VALUE, NO_MARGIN = -32768, -128

# Steps to the eight neighbours: how far a bit is shifted, and whether lines may not cross the left and right edges.
STEPS = [(1, True), (7, True), (8, False), (9, True)]
INNER = 0x7E7E7E7E7E7E7E7E


def empties(rows):
    return 64 - np.bitwise_count(rows["own"] | rows["other"]).astype(np.int16)


def read_rows(paths):
    """The rows of all files with their weights. `FILE@2@10-16` counts double and only with 10 to 16 empty squares."""
    parts, weights = [np.empty(0, ROW)], [np.empty(0, np.float32)]
    for path in paths:
        path, _, options = path.partition("@")
        weight, _, span = options.partition("@")
        weight, span = weight or "1", span or "0-60"
        least, most = map(int, span.split("-"))
        rows = np.fromfile(path, ROW)
        empty = empties(rows)
        rows = rows[(empty >= least) & (empty <= most)]
        print(f"{path}: {len(rows)} rows with {least} to {most} empty squares, weight {weight}", flush=True)
        parts.append(rows)
        weights.append(np.full(len(rows), float(weight), np.float32))
    return np.concatenate(parts), np.concatenate(weights)


def as_bits(column, device):
    return torch.from_numpy(np.ascontiguousarray(column).view(np.int64)).to(device)


def image(square, symmetry):
    """Where a square goes in one of the eight images of the board."""
    if symmetry & 4:
        square = square >> 3 | (square & 7) << 3
    if symmetry & 1:
        square ^= 7
    return square ^ 56 if symmetry & 2 else square


def symmetries(device):
    """For each of the eight images of the board, which square each of its squares comes from."""
    return torch.tensor([[image(square, symmetry) for square in range(64)] for symmetry in range(8)], device=device)


def shift(bits, by):
    """To higher squares if `by` is positive. Shifts of int64 to the right keep the sign, so that is cut off."""
    return bits << by if by > 0 else bits >> -by & (1 << (64 + by)) - 1


def directions():
    for by, edges in STEPS:
        yield by, edges
        yield -by, edges


def runs(start, other):
    """In each direction, the discs of `other` in a row next to `start`, and the squares behind them."""
    for by, edges in directions():
        between = other & INNER if edges else other
        line = shift(start, by) & between
        for _ in range(5):
            line = line | shift(line, by) & between
        yield line, shift(line, by)


def moves(own, other):
    """The squares on which the side `own` may put a disc."""
    found = torch.zeros_like(own)
    for _, behind in runs(own, other):
        found = found | behind
    return found & ~(own | other)


def flips(own, other, square):
    """What a disc of `own` on the one bit of `square` turns."""
    turned = torch.zeros_like(own)
    for line, behind in runs(square, other):
        turned = turned | torch.where(behind & own != 0, line, 0)
    return turned


def counts(bits):
    """How many bits each number has."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0xFF


def random_bit(bits, generator):
    """One of the bits of each number, each as likely; 0 of none."""
    squares = torch.arange(64, device=bits.device)
    chance = torch.rand(len(bits), 64, device=bits.device, generator=generator)
    chosen = (chance * (bits[:, None] >> squares & 1)).argmax(1)
    return torch.ones_like(bits) << chosen & bits


def play_random(own, other, generator):
    """After a random move, or a pass where there is none; seen by the side then to move."""
    square = random_bit(moves(own, other), generator)
    turned = torch.where(square != 0, flips(own, other, square), 0)
    return other & ~turned, own | turned | square
