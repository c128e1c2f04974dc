"""Trains Othello's network on patterns (NNUE). Needs PyTorch and safetensors; a graphics card makes it quick.

    trilith data rows --positions p1.positions p2.positions --out rows.bin
    python3 training/othello_nnue.py train --rows rows.bin --out run --seconds 600
    python3 training/othello_nnue.py train --rows rows.bin --out run --seconds 600 --resume   # goes on where it was
    python3 training/othello_nnue.py level --rows odd.bin@5 even.bin@6 --start run/nnue.safetensors --out level
    trilith artifacts seal run/nnue.safetensors --game othello --kind nnue --out nnue.safetensors.zst

The value of a position is the sum of two parts, both read from patterns of squares:

* linear: the pattern weights of the engine's older evaluation, one table a phase (`patterns`);
* network: each pattern's content selects a row of WIDTH numbers. The rows are added up, clipped to 0..1, and the
  first half is multiplied by the second. Two small layers and the output have weights of their own for every ply.

All numbers of the network are learned as the small integers that the engine calculates with: forward passes round,
gradients pass through (straight-through estimation). `docs/nnue.md` has the arithmetic.
"""

import argparse
import json
import math
import os
import sys
import time

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from torch import nn
from torch.nn import functional

import boards
from boards import NO_MARGIN, NO_VALUE, ROW, as_bits, image

# What the network looks at: a shape stands for all its images on the board, each of which has rows of its own.
NETWORK_SHAPES = [
    "a1b1c1a2b2c2a3b3c3",
    "a1b1c1d1e1f1g1h1",
    "a2b2c2d2e2f2g2h2",
    "a3b3c3d3e3f3g3h3",
    "a4b4c4d4e4f4g4h4",
    "a1b2c3d4e5f6g7h8",
    "a2b3c4d5e6f7g8",
    "b1c1d1e1b2c2d2e2",
]
# The shapes of the linear part, in the order of crates/eval/src/othello/patterns/layout.rs.
LINEAR_SHAPES = {
    "corner3x3": "a1b1c1a2b2c2a3b3c3",
    "corner2x5": "a1b1c1d1e1a2b2c2d2e2",
    "edge2x": "b2a1b1c1d1e1f1g1h1g2",
    "triangle": "a1b1c1d1a2b2c2a3b3a4",
    "block": "a1c1d1e1f1h1c2d2e2f2",
    "kite": "a1b1a2b2c2b3c3d3c4d4",
    "row2": "a2b2c2d2e2f2g2h2",
    "row3": "a3b3c3d3e3f3g3h3",
    "row4": "a4b4c4d4e4f4g4h4",
    "diagonal8": "a1b2c3d4e5f6g7h8",
    "diagonal7": "a2b3c4d5e6f7g8",
    "diagonal6": "a3b4c5d6e7f8",
    "diagonal5": "a4b5c6d7e8",
    "diagonal4": "a5b6c7d8",
}
BIASES = 61
WIDTH, HIDDEN, SECOND = 128, 16, 32
HALF = WIDTH // 2
INPUTS = HALF + 2  # and the numbers of moves of both sides
STACKS = 60  # one for every number of discs from 4 to 63
ONE = 127.0  # the integer that stands for 1 in rows and activations
FINE = 64.0  # the integer that stands for 1 in the weights of the small layers
MOVE = 4.0  # the integer that one move counts
LINEAR_ONE = 128.0  # the integer that stands for a disc in the linear part
SCALE = 32.0  # discs that an output of 1 stands for


def squares(text):
    return [ord(text[at]) - ord("a") + 8 * (int(text[at + 1]) - 1) for at in range(0, len(text), 2)]


def instances(shape):
    """The different square sets among the images of a shape, each in the order of the shape's squares."""
    seen, lists = set(), []
    for symmetry in range(8):
        turned = [image(square, symmetry) for square in squares(shape)]
        if frozenset(turned) not in seen:
            seen.add(frozenset(turned))
            lists.append(turned)
    return lists


def powers(lists):
    """What a disc on each square adds to the balanced ternary number of each list."""
    table = np.zeros((64, len(lists)), np.float32)
    for lane, squares_of in enumerate(lists):
        for place, square in enumerate(squares_of):
            table[square, lane] = 3**place
    return torch.from_numpy(table)


def packing(shape):
    """For each content of a shape, the smallest one that its own symmetries carry into it, renumbered."""
    own = squares(shape)
    orders = []
    for symmetry in range(8):
        turned = [image(square, symmetry) for square in own]
        if set(turned) == set(own):
            orders.append([own.index(square) for square in turned])
    codes = np.arange(3 ** len(own))
    least = codes.copy()
    for order in orders:
        turned = sum(codes // 3**k % 3 * 3**place for k, place in enumerate(order))
        least = np.minimum(least, turned)
    first = np.unique(least)
    return np.searchsorted(first, least), len(first)


class Round(torch.autograd.Function):
    """Rounds on the way forward, lets gradients through on the way back."""

    @staticmethod
    def forward(_, x):
        return x.round()

    @staticmethod
    def backward(_, gradient):
        return gradient


def rounded(x, unit, most=127):
    """A parameter as the integer weight that it becomes, divided by its unit again."""
    return Round.apply(x * unit).clamp(-most, most) / unit


def rounded_rows(x):
    """The same for rows in one kernel, since their table is large: gradients pass through where nothing is cut off."""
    return torch.fake_quantize_per_tensor_affine(x, 1 / ONE, 0, -127, 127)


def floor_to(x, unit):
    return x + ((x * unit).floor() / unit - x).detach()


class Chosen(torch.autograd.Function):
    """Sums of single weights: many times as fast as a bag of embeddings with one number each."""

    @staticmethod
    def forward(context, weights, chosen):
        context.save_for_backward(chosen)
        context.count = len(weights)
        return weights[chosen, 0].sum(1)

    @staticmethod
    def backward(context, gradient):
        (chosen,) = context.saved_tensors
        table = torch.zeros(context.count, device=gradient.device)
        table.index_add_(0, chosen.flatten(), gradient[:, None].expand_as(chosen).flatten())
        return table[:, None], None


class Linear(nn.Module):
    """Sums of pattern weights by phase, in discs."""

    def __init__(self, phases=30):
        super().__init__()
        self.phases = phases
        lists, packed, starts, first = [], [], [], 0
        self.sections, at = {}, 0
        for name, shape in LINEAR_SHAPES.items():
            codes, count = packing(shape)
            for found in instances(shape):
                lists.append(found)
                starts.append(first + 3 ** len(squares(shape)) // 2)
            packed.append(codes + at)
            self.sections[name] = (at, at + count)
            at += count
            first += 3 ** len(squares(shape))
        self.sections["discs"] = (at, at + BIASES)
        self.count = at + BIASES
        self.register_buffer("powers", powers(lists), persistent=False)
        self.register_buffer("packed", torch.from_numpy(np.concatenate(packed)), persistent=False)
        self.register_buffer("starts", torch.tensor(starts), persistent=False)
        self.weights = nn.EmbeddingBag(phases * self.count, 1, mode="sum")
        nn.init.zeros_(self.weights.weight)

    def load(self, tensors):
        """Weights in discs by the name of their shape, `[phases, weights]` each."""
        table = np.concatenate([tensors[name] for name in self.sections], 1).astype(np.float32)
        with torch.no_grad():
            self.weights.weight.copy_(torch.from_numpy(table.reshape(-1, 1)))

    def forward(self, digits, discs):
        """`digits` are 1, -1, 0 for own, other and empty squares."""
        numbers = (digits @ self.powers).long() + self.starts
        phase = (discs - 4).clamp(min=0) * self.phases // BIASES * self.count
        chosen = torch.cat([self.packed[numbers], (self.count - BIASES + discs - 4)[:, None]], 1)
        return Chosen.apply(self.weights.weight, chosen + phase[:, None])

    def tensors(self):
        table = self.weights.weight.detach().float().cpu().numpy().reshape(self.phases, self.count)
        table = np.round(table * LINEAR_ONE) / LINEAR_ONE  # as the engine reads it; packs into a fifth
        return {f"linear.{name}": np.ascontiguousarray(table[:, a:b]) for name, (a, b) in self.sections.items()}


class Stacked(nn.Module):
    """A dense layer with weights of its own for every ply."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = nn.Parameter(torch.empty(1, outputs, inputs).uniform_(-1, 1) / math.sqrt(inputs) * torch.ones(STACKS, 1, 1))
        self.bias = nn.Parameter(torch.zeros(STACKS, outputs))

    def forward(self, x, stacks, unit=FINE, most=127):
        """`x` holds equally many rows for each of `stacks`, a slice of all, one stack after the other."""
        weights = rounded(self.weights[stacks], unit, most)
        bias = rounded(self.bias[stacks], ONE * unit, 1 << 24)
        each = x.view(len(weights), -1, x.shape[1])
        return torch.baddbmm(bias[:, None], each, weights.transpose(1, 2)).flatten(0, 1)

    def rounded(self, unit=FINE, most=127):
        """Weights and biases as the engine has them."""
        return rounded(self.weights, unit, most), rounded(self.bias, ONE * unit, 1 << 24)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        lists, starts, images, first, shared = [], [], [], 0, 0
        for shape in NETWORK_SHAPES:
            codes, count = packing(shape)
            for found in instances(shape):
                lists.append(found)
                starts.append(first + 3 ** len(found) // 2)
                images.append(codes + shared)
                first += 3 ** len(found)
            shared += count
        self.lists = lists
        self.register_buffer("images", torch.from_numpy(np.concatenate(images)), persistent=False)
        self.register_buffer("powers", powers(lists), persistent=False)
        self.register_buffer("starts", torch.tensor(starts), persistent=False)
        # A row is what all images of its content on the board have in common and what is its own. The file has the sums.
        self.shared = nn.Parameter(torch.zeros(shared, WIDTH))
        self.own = nn.Parameter(torch.empty(first, WIDTH).uniform_(-0.02, 0.02))
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.4))
        self.first = Stacked(INPUTS, HIDDEN)
        self.second = Stacked(2 * HIDDEN, SECOND)
        self.output = Stacked(SECOND + HALF, 1)
        with torch.no_grad():
            self.output.weights.zero_()
        self.linear = Linear()

    def forward(self, digits, mobility, stacks=slice(0, STACKS)):
        """The value for the side to move in discs. `mobility` are the numbers of moves of both sides.

        There are equally many positions for each of `stacks`, sorted by stack.
        """
        def layer(layer, x, unit=FINE, most=127):
            return layer(x, stacks, unit, most)

        return self.through(digits, mobility, layer)

    @torch.no_grad()
    def values_of(self, own, other, order=None):
        """What the network says of any boards, in discs; of their images in the `order` of squares if there is one."""
        digits, mobility = batch_of(own, other, torch.arange(64, device=own.device) if order is None else order)
        stack = (digits.abs().sum(1).long() - 4).clamp(0, STACKS - 1)

        def layer(layer, x, unit=FINE, most=127):
            weights, bias = layer.rounded(unit, most)
            return torch.baddbmm(bias[stack][:, :, None], weights[stack], x[:, :, None])[:, :, 0]

        return self.through(digits, mobility, layer)

    def rows(self):
        # Rows that have nothing in common are not looked for, since that takes as long as the rest of the table.
        return self.shared.index_select(0, self.images) + self.own if self.shared.requires_grad else self.own

    @torch.no_grad()
    def share(self):
        """Takes the mean of all images out of the rows as what they have in common; no row changes."""
        rows = self.rows()
        common = torch.zeros_like(self.shared).index_add_(0, self.images, rows)
        self.shared.copy_(common / torch.bincount(self.images, minlength=len(common))[:, None])
        self.own.copy_(rows - self.shared[self.images])

    def through(self, digits, mobility, layer):
        # The linear part is kept, since a search takes it for a rough value.
        x, self.rough = self.inputs(digits, mobility)
        return SCALE * self.small(x, layer) + self.rough

    def inputs(self, digits, mobility):
        """What the small layers see, and the linear part in discs."""
        chosen = (digits @ self.powers).long() + self.starts
        table = rounded_rows(self.rows())
        total = functional.embedding_bag(chosen, table, mode="sum") + rounded(self.bias, ONE, 32767)
        clipped = total.clamp(0, 1)
        half = floor_to(clipped[:, :HALF] * clipped[:, HALF:] * (ONE / 128), ONE)
        x = torch.cat([half, (mobility * (MOVE / ONE)).clamp(max=1)], 1)
        return x, self.linear(digits, digits.abs().sum(1).long())

    def small(self, x, layer):
        """What the small layers make of it."""
        y = floor_to(layer(self.first, x), ONE).clamp(-1, 1)
        y = torch.cat([y.clamp(min=0), floor_to(y * y * (ONE / 128), ONE)], 1)
        z = floor_to(layer(self.second, y), ONE).clamp(0, 1)
        return layer(self.output, torch.cat([z, x[:, :HALF]], 1), 2048.0, 32767)[:, 0]

    @torch.no_grad()
    def silence(self, discs, linear):
        """Leaves positions with at most so many discs to other pattern weights: games have too few different ones to learn from."""
        stacks = slice(0, max(discs - 3, 0))
        self.output.weights[stacks] = 0
        self.output.bias[stacks] = 0
        others = Linear()
        others.load(linear)
        here = slice(0, max(discs - 3, 0) * self.linear.phases // BIASES * self.linear.count)  # no position with more discs has these
        self.linear.weights.weight[here] = others.weights.weight[here]

    @torch.no_grad()
    def load(self, tensors):
        """Goes on from the whole numbers of a file that was written."""
        def put(parameter, name, unit):
            parameter.copy_(torch.from_numpy(tensors[name].astype(np.float32) / unit).reshape(parameter.shape))

        put(self.own, "rows", ONE)
        self.shared.zero_()
        put(self.bias, "bias", ONE)
        for name, layer, unit in (("first", self.first, FINE), ("second", self.second, FINE), ("output", self.output, 2048)):
            put(layer.weights, name, unit)
            put(layer.bias, f"{name}.bias", ONE * unit)
        self.linear.load({name.removeprefix("linear."): tensor for name, tensor in tensors.items() if name.startswith("linear.")})

    @torch.no_grad()
    def tensors(self):
        def whole(x, unit, most, kind=np.float32):
            return (x.detach().float() * unit).round().clamp(-most, most).cpu().numpy().astype(kind)

        return {
            "rows": whole(self.rows(), ONE, 127, np.int8),
            "bias": whole(self.bias, ONE, 32767),
            "first": whole(self.first.weights, FINE, 127),
            "first.bias": whole(self.first.bias, ONE * FINE, 1 << 24),
            "second": whole(self.second.weights, FINE, 127),
            "second.bias": whole(self.second.bias, ONE * FINE, 1 << 24),
            "output": whole(self.output.weights[:, 0], 2048, 32767),
            "output.bias": whole(self.output.bias, ONE * 2048, 1 << 28),
            **self.linear.tensors(),
        }


def moved(values, results, empties, what):
    """What is to be added to values with each number of empty squares, so that they foretell results on average.

    A result has much chance in it, but the mean of many has none. Searches are mistaken in favour of who moved last, and games
    with good play tell what having the last move is worth. Few games tell nothing: a result is off by some 14 discs, what is
    to be added by one, so it takes as many games as the square of that before it counts by half.
    """
    by = np.bincount(empties, results - values, 61) / (np.bincount(empties, minlength=61) + 200)
    print(f"{what} moved by discs:", " ".join(f"{n}:{by[n]:+.2f}" for n in np.unique(empties)), flush=True)
    return by.astype(np.float32)


def targets(rows, share):
    """What is to be learned, in discs: the result counts for `share` where a search was not exact."""
    value = rows["value"].astype(np.float32) / 100
    margin = rows["margin"].astype(np.float32)
    known, ended = rows["value"] != NO_VALUE, rows["margin"] != NO_MARGIN
    searched, empties = known & (rows["value"] % 100 != 0), boards.empties(rows)
    both = searched & ended
    if both.any():
        value += np.where(searched, moved(value[both], margin[both], empties[both], "searches")[empties], 0)
    mixed = np.where(both, value + share * (margin - value), value)
    return np.where(known, mixed, margin), known | ended


@torch.no_grad()
def anchored(net, rows, target, exact, share, device, part=1 << 16):
    """What the network says itself, moved to be right on average, where no search has said anything and play was not perfect.

    The result counts for `share`, where there is one.
    """
    empties, ended = boards.empties(rows), rows["margin"] != NO_MARGIN
    unsearched = np.flatnonzero((rows["value"] == NO_VALUE) & ((empties > exact) | ~ended))
    says = np.empty(len(unsearched), np.float32)
    for start in range(0, len(unsearched), part):
        here = unsearched[start : start + part]
        own, other = as_bits(rows["own"][here], device), as_bits(rows["other"][here], device)
        says[start : start + part] = net.values_of(own, other).cpu().numpy()
    empties, results, ended = empties[unsearched], target[unsearched], ended[unsearched]
    says += moved(says[ended], results[ended], empties[ended], "own values")[empties]
    target[unsearched] = np.where(ended, says + share * (results - says), says)


def digits_of(own, other, order):
    return (own[:, None] >> order & 1).float() - (other[:, None] >> order & 1).float()


def mobility_of(own, other):
    return torch.stack([boards.counts(boards.moves(own, other)), boards.counts(boards.moves(other, own))], 1)


def batch_of(own, other, order):
    return digits_of(own, other, order), mobility_of(own, other).float()


class Rows:
    """Positions with their targets on the device, sorted by stack, from which batches are drawn."""

    def __init__(self, rows, target, weights, device):
        own, other = as_bits(rows["own"], device), as_bits(rows["other"], device)
        stack = (boards.counts(own | other) - 4).clamp(0, STACKS - 1).byte()
        order = torch.sort(stack, stable=True).indices
        self.own, self.other = own[order], other[order]
        self.target = torch.from_numpy(target.astype(np.float32)).to(device)[order]
        self.weight = torch.from_numpy(weights.astype(np.float32)).to(device)[order]
        self.counts = torch.bincount(stack, minlength=STACKS)
        self.firsts = self.counts.cumsum(0) - self.counts
        count = self.counts.cpu().numpy()
        # The same in all images of a board, and slow to count.
        parts = [mobility_of(*part).byte() for part in zip(self.own.split(1 << 20), self.other.split(1 << 20))]
        self.mobility = torch.cat(parts) if parts else torch.empty(0, 2, dtype=torch.uint8, device=device)
        # Where a stack has no rows, it learns from those of the nearest that has.
        there = np.flatnonzero(count)
        nearest = there[np.abs(there[None] - np.arange(STACKS)[:, None]).argmin(1)] if len(there) else np.arange(STACKS)
        self.nearest = torch.from_numpy(nearest).to(device)

    def __len__(self):
        return len(self.own)

    def draw(self, each, stacks):
        """`each` rows for every one of these stacks."""
        nearest = self.nearest[stacks, None]
        part = torch.rand(len(nearest), each, device=self.own.device)
        return (self.firsts[nearest] + (part * self.counts[nearest]).long()).flatten()


def stacks_of(text):
    """The stacks of positions with LEAST-MOST empty squares."""
    least, most = map(int, text.split("-"))
    return slice(max(60 - most, 0), min(60 - least, STACKS - 1) + 1)


@torch.no_grad()
def report(net, test, device, out, part=32768):
    """Root mean squared and mean absolute errors on rows not learned from, by empty squares."""
    net.eval()
    identity = torch.arange(64, device=device)
    lines, everything = ["empty   rows    rms   mean"], []
    for least in range(0, 60, 4):
        wrong = []
        for stack in range(60 - least - 3, 60 - least + 1):
            if not 0 <= stack < STACKS:
                continue
            first, count = int(test.firsts[stack]), int(test.counts[stack])
            for start in range(first, first + count, part):
                here = slice(start, min(start + part, first + count))
                says = net(*batch_of(test.own[here], test.other[here], identity), slice(stack, stack + 1))
                wrong.append(says - test.target[here])
        if wrong:
            wrong = torch.cat(wrong)
            everything.append(wrong)
            lines.append(f"{least:2}-{least + 3:2} {len(wrong):7} {wrong.pow(2).mean().sqrt():6.3f} {wrong.abs().mean():6.3f}")
    wrong = torch.cat(everything)
    lines.append(f"all   {len(wrong):7} {wrong.pow(2).mean().sqrt():6.3f} {wrong.abs().mean():6.3f}")
    print("\n".join(lines), flush=True)
    with open(os.path.join(out, "errors.txt"), "w") as file:
        file.write("\n".join(lines) + "\n")
    net.train()


def save(net, optimiser, state, out):
    """A checkpoint beside the one before, then in its place."""
    path = os.path.join(out, "checkpoint.pt")
    torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, path + ".part")
    os.replace(path + ".part", path)


def write(net, out, about):
    path = os.path.join(out, "nnue.safetensors")
    lanes = [" ".join(map(str, squares_of)) for squares_of in net.lists]
    save_file(net.tensors(), path + ".part", {"lanes": json.dumps(lanes), "training": json.dumps(about)})
    os.replace(path + ".part", path)


def training_of(path):
    """How a network was trained, by its file, sealed or not."""
    with safe_open(path, "numpy") as file:
        about = file.metadata() or {}
    settings = json.loads(about["trilith"])["settings"] if "trilith" in about else about
    return json.loads(settings.get("training", "{}"))


def read_all(arguments):
    """The rows to learn from with their weights. How the games of `--values` ended says nothing."""
    (rows, weights), (valued, others) = (boards.read_rows(paths) for paths in (arguments.rows, arguments.values))
    valued["margin"] = NO_MARGIN
    return np.concatenate([rows, valued]), np.concatenate([weights, others])


def linear_before(arguments):
    """The linear part's weights that a run began with, to which it is pulled back."""
    beginning = Network()
    if arguments.start:
        beginning.load(load_file(arguments.start))
    if arguments.linear:
        beginning.linear.load(load_file(arguments.linear))
    return beginning.linear.weights.weight.detach()


def train(arguments):
    started = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = False  # pattern numbers must be exact
    torch.manual_seed(arguments.seed)
    os.makedirs(arguments.out, exist_ok=True)
    rows, weights = read_all(arguments)
    target, useful = targets(rows, arguments.result)
    net = Network().to(device)
    if arguments.linear:
        net.linear.load(load_file(arguments.linear))
    if arguments.start:
        net.load(load_file(arguments.start))
    net.shared.requires_grad_(arguments.images)
    if arguments.images:
        net.share()
    if arguments.anchor:
        anchored(net, rows, target, arguments.exact, arguments.result, device)
        useful[:] = True
    kept_apart = useful & (rows["test"] == 1)
    kept_apart[np.flatnonzero(kept_apart)[1 << 21 :]] = False
    training, test = (
        Rows(rows[here], target[here], weights[here], device) for here in (useful & (rows["test"] == 0), kept_apart)
    )
    count, everything = len(training), slice(0, STACKS)
    print(f"{count} rows to learn from, {len(test)} to test with, {device}", flush=True)
    optimiser = torch.optim.Adam(
        [
            {"params": [net.shared, net.own] if arguments.images else [net.own], "factor": 1.0},
            {"params": list(net.linear.parameters()), "factor": 0.3},
            {"params": [net.bias, *net.first.parameters(), *net.second.parameters(), *net.output.parameters()], "factor": 1.0},
        ],
        lr=arguments.rate,
        fused=device.type == "cuda",
    )
    state = {"done": 0.0, "step": 0}
    checkpoint = os.path.join(arguments.out, "checkpoint.pt")
    if arguments.resume and os.path.exists(checkpoint):
        kept = torch.load(checkpoint, map_location=device)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        state = kept["state"]
    before = linear_before(arguments).to(device)
    if not state["step"]:
        print("before training:")
        report(net, test, device, arguments.out)
    orders = boards.symmetries(device)
    # Reading the rows counts as well: a machine may be lent for so long and not longer.
    began, told = started - state["done"] * arguments.seconds, time.time()
    kept_at, total, steps = time.time(), 0.0, 0
    while state["done"] < 1:
        state["done"] = (time.time() - began) / arguments.seconds
        rate = arguments.rate * min(1, (state["step"] + 1) / 500) * max(0.5 * (1 + math.cos(math.pi * min(1, state["done"]))), 1e-3)
        for group in optimiser.param_groups:
            group["lr"] = rate * group["factor"]
        stacks = arguments.focus if arguments.focus and state["step"] % 4 else everything
        chosen = training.draw(arguments.batch // (stacks.stop - stacks.start), stacks)
        digits = digits_of(training.own[chosen], training.other[chosen], orders[state["step"] % 8])
        mobility = training.mobility[chosen].float()
        wanted = training.target[chosen]
        says = net(digits, mobility, stacks)
        wrong = functional.smooth_l1_loss(says, wanted, beta=4.0, reduction="none")
        if arguments.rough:
            wrong = wrong + arguments.rough * functional.smooth_l1_loss(net.rough, wanted, beta=4.0, reduction="none")
        weight = training.weight[chosen] / (1 + (wanted / arguments.near) ** 2)
        loss = (wrong * weight).sum() / weight.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            # What is seldom seen goes back to where it came from instead of learning single games by heart.
            net.shared.mul_(1 - rate * arguments.decay)
            net.own.mul_(1 - rate * arguments.decay)
            net.linear.weights.weight.lerp_(before, rate * arguments.decay)
        state["step"] += 1
        steps += 1
        total += loss.detach()
        if time.time() - told >= arguments.tell:
            told = time.time()
            print(f"{100 * state['done']:.0f}%, {state['step']} steps, {state['step'] * arguments.batch / count:.2f} epochs, loss {total.item() / steps:.4f}", flush=True)
            total, steps = 0.0, 0
        if time.time() - kept_at >= arguments.keep:
            kept_at = time.time()
            save(net, optimiser, state, arguments.out)
            write(net, arguments.out, {"step": state["step"]})
    save(net, optimiser, state, arguments.out)
    report(net, test, device, arguments.out)
    about = {name: str(value) if name == "focus" else value for name, value in vars(arguments).items() if name != "run"} | {"steps": state["step"], "rows": count}
    write(net, arguments.out, about)


def level(arguments, window=4):
    """Moves what the network says with each number of empty squares, so that searches of both parities are right on average.

    Rows are positions of games searched by the network to an odd and to an even depth. The mean error of a search belongs
    to the positions where it ended; numbers of empty squares of the same parity nearby are taken together.
    """
    wrong, count = np.zeros(61), np.zeros(61)
    for text in arguments.rows:
        path, depth = text.rsplit("@", 1)
        rows = np.fromfile(path, ROW)
        rows = rows[(rows["margin"] != NO_MARGIN) & (rows["value"] != NO_VALUE) & (abs(rows["value"]) < 100 * arguments.near)]
        ends = boards.empties(rows) - int(depth)
        rows, ends = rows[ends >= 0], ends[ends >= 0]
        sign = 1 if int(depth) % 2 else -1
        wrong += np.bincount(ends, sign * (rows["value"] / 100 - rows["margin"]), 61)
        count += np.bincount(ends, minlength=61)
    by = np.zeros(61)
    for n in range(61):
        near = [m for m in range(n - window, n + window + 1, 2) if 0 <= m <= 60]
        by[n] = wrong[near].sum() / max(count[near].sum(), 1)
    print("moved by discs:", " ".join(f"{n}:{by[n]:+.2f}" for n in range(1, 61)))
    net = Network()
    net.load(load_file(arguments.start))
    with torch.no_grad():
        for stack in range(STACKS):
            net.output.bias[stack] += by[60 - stack] / SCALE
        net.silence(arguments.silent, load_file(arguments.linear))
    os.makedirs(arguments.out, exist_ok=True)
    write(net, arguments.out, {"levelled": [round(float(discs), 3) for discs in by], "silent": arguments.silent, "before": training_of(arguments.start)})


@torch.no_grad()
def seen_by_small_layers(net, rows, part=1 << 15):
    """What the small layers see of an image of each position, as whole numbers, and the discs that they are to add to the linear part."""
    orders = boards.symmetries("cpu")
    seen, missing = np.empty((len(rows), INPUTS), np.uint8), np.empty(len(rows), np.float32)
    for number, start in enumerate(range(0, len(rows), part)):
        here = slice(start, start + part)
        own, other = as_bits(rows["own"][here], "cpu"), as_bits(rows["other"][here], "cpu")
        x, rough = net.inputs(*batch_of(own, other, orders[number % 8]))
        seen[here] = (x * ONE).round().numpy().astype(np.uint8)
        missing[here] = rows["value"][here] / 100 - rough.numpy()
    return torch.from_numpy(seen), torch.from_numpy(missing)


def ends(arguments):
    """Trains the small layers alone for positions near the end. Exact values are cheap there, and what the layers see of a
    position does not change, so a processor does.
    """
    started = time.time()
    torch.manual_seed(arguments.seed)
    rows, _ = boards.read_rows(arguments.rows)
    empties = boards.empties(rows)
    rows = rows[(rows["value"] != NO_VALUE) & (rows["value"] % 100 == 0) & (empties >= 1) & (empties <= arguments.most)]
    rows = rows[np.argsort(-boards.empties(rows), kind="stable")]
    net = Network()
    net.load(load_file(arguments.start))
    seen, missing = seen_by_small_layers(net, rows)
    weight = 1 / (1 + (torch.from_numpy(rows["value"].astype(np.float32) / 100) / arguments.near) ** 2)
    empties, tests = boards.empties(rows), torch.from_numpy(rows["test"] == 1)
    bands = []
    for left in range(arguments.most, 0, -1):
        there = torch.from_numpy(np.flatnonzero(empties == left))
        bands.append((there[~tests[there]], there[tests[there]]))
        if not len(bands[-1][0]):
            sys.exit(f"no exact value with {left} empty squares to learn from: expected some with each number up to {arguments.most}")
    stacks = slice(STACKS - arguments.most, STACKS)
    print(f"{int((~tests).sum())} rows to learn from, {int(tests.sum())} to test with, {time.time() - started:.0f} s", flush=True)

    def says(chosen, stacks):
        return SCALE * net.small(seen[chosen].float() / ONE, lambda layer, x, unit=FINE, most=127: layer(x, stacks, unit, most))

    @torch.no_grad()
    def errors():
        for at, (_, there) in enumerate(bands):
            stack = stacks.start + at
            wrong = says(there[:100_000], slice(stack, stack + 1)) - missing[there[:100_000]]
            print(f"{STACKS - stack:2} {len(there):8} {wrong.pow(2).mean().sqrt():6.3f} {wrong.mean():+6.3f}", flush=True)

    errors()
    optimiser = torch.optim.Adam([*net.first.parameters(), *net.second.parameters(), *net.output.parameters()])
    began = time.time()
    while (done := (time.time() - began) / arguments.seconds) < 1:
        optimiser.param_groups[0]["lr"] = arguments.rate * max(0.5 * (1 + math.cos(math.pi * done)), 1e-3)
        chosen = torch.cat([band[torch.randint(len(band), (arguments.batch,))] for band, _ in bands])
        wrong = functional.smooth_l1_loss(says(chosen, stacks), missing[chosen], beta=4.0, reduction="none")
        loss = (wrong * weight[chosen]).sum() / weight[chosen].sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
    errors()
    os.makedirs(arguments.out, exist_ok=True)
    write(net, arguments.out, {"ends": arguments.most, "rows": len(rows), "seed": arguments.seed, "before": training_of(arguments.start)})


@torch.no_grad()
def mean(arguments):
    """The weighted mean of networks that were trained on from each other: it often judges better than each."""
    parts = [text.partition(":")[::2] for text in arguments.nets]
    try:
        together = sum(float(weight) for weight, _ in parts)
    except ValueError:
        sys.exit(f"{' '.join(arguments.nets)}: expected WEIGHT:FILE of each network, such as 0.3:first.safetensors 0.7:second.safetensors")
    if abs(together - 1) > 1e-6:
        sys.exit(f"the weights are {together:g} together: expected 1")
    net, sums = Network(), {}
    for weight, path in parts:
        net.load(load_file(path))
        for name, parameter in net.named_parameters():
            sums[name] = sums.get(name, 0) + float(weight) * parameter
    for name, parameter in net.named_parameters():
        parameter.copy_(sums[name])
    os.makedirs(arguments.out, exist_ok=True)
    write(net, arguments.out, {"mean": [[float(weight), training_of(path)] for weight, path in parts]})


def spread(arguments, width=4):
    """How far values of a board's eight images lie apart, and whether their mean is nearer to exact values."""
    rows, _ = boards.read_rows(arguments.rows)
    rows = rows[(rows["value"] != NO_VALUE) & (rows["value"] % 100 == 0)]
    net = Network()
    net.load(load_file(arguments.start))
    net.eval()
    own, other, exact = as_bits(rows["own"], "cpu"), as_bits(rows["other"], "cpu"), rows["value"] / 100.0
    says = np.stack([net.values_of(own, other, order).numpy() for order in boards.symmetries("cpu")])
    empties = boards.empties(rows)
    print("empty   rows  rms of one  of the mean  spread")
    for least in range(0, 60, width):
        here = (empties >= least) & (empties < least + width)
        if not here.any():
            continue
        one, mean = ((values[here] - exact[here]) for values in (says[0], says.mean(0)))
        apart = says[:, here].std(0).mean()
        print(f"{least:2}-{least + width - 1:2} {here.sum():7} {np.sqrt((one**2).mean()):11.2f} {np.sqrt((mean**2).mean()):12.2f} {apart:7.2f}")


def check(arguments):
    """Values of the first test rows by the integer network, to compare with the program's."""
    rows = np.fromfile(arguments.rows, ROW)[: arguments.count]
    net = Network()
    net.load_state_dict(torch.load(os.path.join(arguments.out, "checkpoint.pt"), map_location="cpu")["net"])
    net.eval()
    own, other = as_bits(rows["own"], "cpu"), as_bits(rows["other"], "cpu")
    stacks = (60 - boards.empties(rows)).clip(0, STACKS - 1)
    identity = torch.arange(64)
    for row, at, stack in zip(rows, range(len(rows)), stacks):
        with torch.no_grad():
            value = net(*batch_of(own[at : at + 1], other[at : at + 1], identity), slice(stack, stack + 1)).item()
        board = "".join("X" if int(row["own"]) >> at & 1 else "O" if int(row["other"]) >> at & 1 else "-" for at in range(64))
        print(board, f"{value:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learn = commands.add_parser("train", help="learn from rows of judged positions")
    learn.add_argument("--rows", required=True, nargs="+", help="what `trilith data rows` wrote; FILE@2 counts double")
    learn.add_argument("--values", default=[], nargs="+", help="more rows, whose games were played too badly for their results to say anything; what no search has judged is of use with --anchor")
    learn.add_argument("--out", required=True, help="the folder of the run")
    learn.add_argument("--linear", help="pattern weights to begin with, an unpacked safetensors file")
    learn.add_argument("--start", help="a network to begin with, as this program writes it")
    learn.add_argument("--anchor", action="store_true", help="where nothing was searched, keep the values of the network to begin with, moved to be right on average, instead of learning results")
    learn.add_argument("--exact", type=int, default=0, help="with --anchor: results of positions with at most so many empty squares are true, since play was perfect; not of --values")
    learn.add_argument("--focus", type=stacks_of, help="LEAST-MOST: three of four steps learn positions with so many empty squares alone")
    learn.add_argument("--resume", action="store_true")
    learn.add_argument("--seconds", type=float, default=300)
    learn.add_argument("--batch", type=int, default=60 * 1024)
    learn.add_argument("--rate", type=float, default=1e-3)
    learn.add_argument("--images", action="store_true", help="learn what all images of a pattern's content have in common as well, from up to eight times as many positions as a row of its own is")
    learn.add_argument("--near", type=float, default=30, help="positions this far from even count for half")
    learn.add_argument("--result", type=float, default=0.2, help="share of the game's result where the value is not exact")
    learn.add_argument("--decay", type=float, default=0.1, help="pull of rows to zero and of the linear part to its beginning")
    learn.add_argument("--rough", type=float, default=0, help="how much errors of the linear part alone count: searches take it for a rough value")
    learn.add_argument("--seed", type=int, default=1)
    learn.add_argument("--tell", type=float, default=15)
    learn.add_argument("--keep", type=float, default=120)
    learn.set_defaults(run=train)
    flat = commands.add_parser("level", help=level.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flat.add_argument("--rows", required=True, nargs="+", help="FILE@DEPTH: judged positions of games and how deep they were searched")
    flat.add_argument("--start", required=True, help="the network that searched, an unpacked safetensors file")
    flat.add_argument("--near", type=float, default=20, help="positions further from even are left out")
    flat.add_argument("--silent", type=int, default=8, help="leave positions with at most so many discs to the weights of --linear")
    flat.add_argument("--linear", required=True, help="pattern weights, an unpacked safetensors file")
    flat.add_argument("--out", required=True, help="the folder of the run")
    flat.set_defaults(run=level)
    joint = commands.add_parser("mean", help=mean.__doc__)
    joint.add_argument("nets", nargs="+", metavar="WEIGHT:FILE", help="the weight of each network, which together are 1, and its unpacked safetensors file")
    joint.add_argument("--out", required=True, help="the folder of the run")
    joint.set_defaults(run=mean)
    late = commands.add_parser("ends", help=ends.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    late.add_argument("--rows", required=True, nargs="+", help="positions with exact values, as for `train`")
    late.add_argument("--start", required=True, help="the network, an unpacked safetensors file")
    late.add_argument("--most", type=int, default=12, help="the most empty squares of a position near the end")
    late.add_argument("--seconds", type=float, default=200)
    late.add_argument("--batch", type=int, default=1024, help="positions with each number of empty squares")
    late.add_argument("--rate", type=float, default=1e-3)
    late.add_argument("--near", type=float, default=20, help="positions this far from even count for half")
    late.add_argument("--seed", type=int, default=1)
    late.add_argument("--out", required=True, help="the folder of the run")
    late.set_defaults(run=ends)
    apart = commands.add_parser("spread", help=spread.__doc__)
    apart.add_argument("--rows", required=True, nargs="+", help="positions with exact values, as for `train`")
    apart.add_argument("--start", required=True, help="the network, an unpacked safetensors file")
    apart.set_defaults(run=spread)
    compare = commands.add_parser("check", help=check.__doc__)
    compare.add_argument("--rows", required=True)
    compare.add_argument("--out", required=True)
    compare.add_argument("--count", type=int, default=100)
    compare.set_defaults(run=check)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
