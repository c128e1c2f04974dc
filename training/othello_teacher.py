"""A large network that teaches Othello's evaluation. Needs PyTorch, and a graphics card to be of use.

    trilith data rows --positions exact.positions --out exact.bin
    python3 training/othello_teacher.py train --rows exact.bin@1@0-18 judged.bin@2@19-60 --net teacher.pt --seconds 300
    python3 training/othello_teacher.py answer --net teacher.pt --rows games.bin --count 100000000 --out answers.bin
    trilith data ask --games g1.games --out taught.positions -- python3 training/othello_teacher.py label --net teacher.pt

A search judges some thousand positions a second, which is too few for the millions of weights of an evaluation that is
quick to ask. A large network learns more from few positions, and a graphics card answers a million a second: `answer`
values positions some random plies beside given ones and writes rows to learn from; `label` answers `trilith data ask`.

The network sees the board from the side to move and says two things: what a search will think of the position, and how
the game will end, both in discs. Values of searches are too small or too large where the evaluation was; they are set right
by the straight line that foretells results without bias (`lines`). Exact values, which are whole discs, stay as they are.

A search ends where its evaluation is mistaken in favour of who moved last. So `answer --pupil` lets the network that is to
learn choose the last of the random moves in every second case: it is taught about the positions that it likes too much.
"""

import argparse
import math
import os
import sys
import time

import numpy as np
import torch
from safetensors.numpy import load_file
from torch import nn
from torch.nn import functional

import boards
import othello_nnue
from boards import NO_MARGIN, NO_VALUE, ROW, as_bits

ASKED = np.dtype([("own", "<u8"), ("other", "<u8")])
ANSWER = np.dtype([("value", "<i2"), ("margin", "i1")])
# Positions are valued in parts of one size, for which the fastest kernels are looked for only once.
PART = 32768
# Targets are divided by this, so that they are about as large as what a fresh network says.
SCALE = 16.0


class Block(nn.Module):
    """Two convolutions whose sum with what came in goes on."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(y)))


class Teacher(nn.Module):
    """Residual convolutions over the board; two values at the end: the search's and the result."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.shape = (channels, blocks)
        self.begin = nn.Conv2d(4, channels, 3, padding=1, bias=False)
        self.begin_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.reduce = nn.Conv2d(channels, 32, 1)
        self.hidden = nn.Linear(32 * 64, 256)
        self.values = nn.Linear(256, 2)

    def forward(self, planes):
        x = functional.relu(self.begin_norm(self.begin(planes)))
        x = functional.relu(self.reduce(self.blocks(x)))
        x = functional.relu(self.hidden(x.flatten(1)))
        return self.values(x).float()


def folded(net):
    """The same network for asking only: norms are part of the convolutions before them, all in 16 bits."""
    net = net.eval()
    join = nn.utils.fusion.fuse_conv_bn_eval
    asked = Teacher(*net.shape).eval()
    asked.load_state_dict(net.state_dict())
    asked.begin, asked.begin_norm = join(net.begin, net.begin_norm), nn.Identity()
    for new, old in zip(asked.blocks, net.blocks):
        new.first, new.first_norm = join(old.first, old.first_norm), nn.Identity()
        new.second, new.second_norm = join(old.second, old.second_norm), nn.Identity()
    device = next(net.parameters()).device
    return asked.to(device, torch.bfloat16, memory_format=torch.channels_last)


def planes(own, other, order=None):
    """Own discs, other discs, empty squares and the share of discs on the board, as the network sees them."""
    squares = torch.arange(64, device=own.device) if order is None else order
    mine = (own[:, None] >> squares & 1).to(torch.bfloat16)
    theirs = (other[:, None] >> squares & 1).to(torch.bfloat16)
    empty = 1 - mine - theirs
    filled = (1 - empty.mean(1, keepdim=True)).expand(-1, 64)
    stacked = torch.stack([mine, theirs, empty, filled], 1).reshape(-1, 4, 8, 8)
    return stacked.contiguous(memory_format=torch.channels_last)


def device_at_hand():
    torch.backends.cudnn.benchmark = True
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def lines(rows, judged, width=6):
    """Slope and height of the lines from search values to results, by the number of discs."""
    usable = judged & (rows["margin"] != NO_MARGIN)
    discs = 64 - boards.empties(rows)[usable]
    value, margin = rows["value"][usable] / 100.0, rows["margin"][usable].astype(np.float64)

    # Of the same parity: what having the last move is worth is where evaluations differ from results most.
    neighbours = np.arange(-width, width + 1) % 2 == 0

    def near(what):
        return np.convolve(np.bincount(discs, what, 65), neighbours.astype(np.float64), "same")

    # Ten rows a hundred discs from even that are right as they are: few rows change little.
    count, one, square = near(np.ones(len(value))) + 10, near(value), near(value * value) + 1e5
    other, both = near(margin), near(value * margin) + 1e5
    slope = ((both - one * other / count) / (square - one * one / count)).clip(0.8, 1.6)
    return slope, ((other - slope * one) / count).clip(-4, 4)


def load(paths, device):
    """The rows to learn from and those kept for testing, on the device. What is not known is not a number."""
    rows, weights = boards.read_rows(paths)
    discs = 64 - boards.empties(rows)
    known = rows["value"] != NO_VALUE
    judged = known & (rows["value"] % 100 != 0)
    slope, height = lines(rows, judged)
    said = ", ".join(f"{slope[at]:.2f} {height[at]:+.2f} at {at}" for at in (10, 11, 20, 21, 30, 31, 40, 41, 48, 49))
    print(f"search values become {said} discs", flush=True)
    value = rows["value"] / np.float32(100)
    value = np.where(judged, slope[discs] * value + height[discs], value)
    margin = np.where(rows["margin"] != NO_MARGIN, rows["margin"].astype(np.float32), np.nan)
    # Where nothing was searched, the result is the best there is.
    value = np.where(known, value.clip(-64, 64), margin).astype(np.float32)
    parts = []
    for test in (0, 1):
        here = rows["test"] == test
        columns = {"own": as_bits(rows["own"][here], device), "other": as_bits(rows["other"][here], device)}
        for name, column in (("value", value), ("margin", margin), ("weight", weights)):
            columns[name] = torch.from_numpy(column[here].astype(np.float32)).to(device)
        parts.append(columns)
    return parts


def loss(says, target, weight):
    """The error of one value where it is known."""
    weight = weight * ~target.isnan()
    wrong = functional.smooth_l1_loss(says, target.nan_to_num() / SCALE, beta=0.25, reduction="none")
    return (wrong * weight).sum() / weight.sum().clamp(min=1)


def compiled(net, device, learns=True):
    """The network as PyTorch compiles it, to learn or to be asked only, or as it is where that does not work."""
    if device.type != "cuda":
        return net
    try:
        quick = torch.compile(net)
        empty = torch.zeros(256 if learns else PART, dtype=torch.int64, device=device)
        if not learns:
            with torch.no_grad():
                quick(planes(empty, empty))
            return quick
        with torch.autocast(device.type, torch.bfloat16):
            quick(planes(empty, empty)).sum().backward()
        net.zero_grad(set_to_none=True)
        return quick
    except Exception as error:  # noqa: BLE001 - whatever is missing, learning goes on without it
        print(f"not compiled: {error}", file=sys.stderr)
        return net


def read_net(path, device):
    kept = torch.load(path, map_location=device)
    net = Teacher(*kept["shape"]).to(device, memory_format=torch.channels_last)
    net.load_state_dict(kept["weights"])
    return net


def write_net(net, path):
    torch.save({"shape": net.shape, "weights": net.state_dict()}, path + ".part")
    os.replace(path + ".part", path)


def train(arguments):
    started = time.time()
    device = device_at_hand()
    torch.manual_seed(arguments.seed)
    training, test = load(arguments.rows, device)
    count, size = len(training["own"]), arguments.batch
    print(f"{count} rows to learn from, {len(test['own'])} to test with, {device}", flush=True)
    net = Teacher(arguments.channels, arguments.blocks).to(device, memory_format=torch.channels_last)
    if arguments.start:
        net = read_net(arguments.start, device)
    optimiser = torch.optim.AdamW(net.parameters(), lr=arguments.rate, weight_decay=1e-4, fused=device.type == "cuda")
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    checkpoint, state = arguments.net + ".checkpoint", {"done": 0.0, "step": 0}
    if arguments.resume and os.path.exists(checkpoint):
        kept = torch.load(checkpoint, map_location=device)
        average.load_state_dict(kept["average"])
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        state = kept["state"]
    quick = compiled(net, device)
    orders = boards.symmetries(device)
    # Reading the rows counts as well: a machine may be lent for so long and not longer.
    began = started - state["done"] * arguments.seconds
    told = saved = time.time()
    while state["done"] < 1:
        state["done"] = (time.time() - began) / arguments.seconds
        # Warm up, then fall as a cosine: how fast the machine is decides how many steps there are.
        rate = arguments.rate * min(1, (state["step"] + 1) / 200) * 0.5 * (1 + math.cos(math.pi * min(1, state["done"])))
        for group in optimiser.param_groups:
            group["lr"] = rate
        chosen = torch.randint(count, (size,), device=device)
        order = orders[torch.randint(8, (1,)).item()]
        with torch.autocast(device.type, torch.bfloat16):
            says = quick(planes(training["own"][chosen], training["other"][chosen], order))
        weight = training["weight"][chosen]
        search = loss(says[:, 0], training["value"][chosen], weight)
        result = loss(says[:, 1], training["margin"][chosen], weight)
        optimiser.zero_grad(set_to_none=True)
        (search + arguments.result * result).backward()
        optimiser.step()
        average.update_parameters(net)
        state["step"] += 1
        if time.time() - told >= 20:
            told = time.time()
            print(f"{told - began:.0f} s, {state['step'] * size / count:.2f} epochs, {search.item():.4f} {result.item():.4f}", flush=True)
        if time.time() - saved >= arguments.keep:
            saved = time.time()
            parts = {"net": net, "average": average, "optimiser": optimiser}
            torch.save({name: part.state_dict() for name, part in parts.items()} | {"state": state}, checkpoint + ".part")
            os.replace(checkpoint + ".part", checkpoint)
    write_net(average.module, arguments.net)
    report(average.module, test, device)


@torch.no_grad()
def values(net, own, other, images=1):
    """What the folded network says, in discs, the mean over some images of each board."""
    orders = boards.symmetries(own.device)[:images]
    says = []
    for start in range(0, len(own), PART):
        part = [functional.pad(board[start : start + PART], (0, max(0, start + PART - len(own)))) for board in (own, other)]
        seen = [net(planes(*part, order)) for order in orders]
        says.append(torch.stack(seen).mean(0))
    return SCALE * torch.cat(says)[: len(own)] if says else torch.empty(0, 2)


def report(net, test, device):
    """Root mean squared errors on rows not learned from, by the number of discs."""
    for name in test:
        test[name] = test[name][: 1 << 20]
    says = values(folded(net), test["own"], test["other"])
    discs = boards.counts(test["own"] | test["other"])

    def error(of, name, where):
        wrong = (says[:, of] - test[name])[where]
        return wrong[~wrong.isnan()].pow(2).mean().sqrt().item()

    print("discs   search  result")
    for least in range(4, 64, 4):
        here = (discs >= least) & (discs < least + 4)
        print(f"{least:2}-{least + 3:2} {error(0, 'value', here):8.3f} {error(1, 'margin', here):7.3f}")
    everywhere = discs > 0
    print(f"all   {error(0, 'value', everywhere):8.3f} {error(1, 'margin', everywhere):7.3f}", flush=True)


def liked(own, other, pupil, generator, tries=6):
    """After the move that the pupil likes most of some random ones."""
    best, liked = torch.full(own.shape, math.inf, device=own.device), (own, other)
    for _ in range(tries):
        further = boards.play_random(own, other, generator)
        value = torch.cat([pupil.values_of(*part) for part in zip(*(board.split(PART) for board in further))])
        liked = tuple(torch.where(value < best, new, old) for new, old in zip(further, liked))
        best = torch.minimum(best, value)
    return liked


def asked(rows, plies, most, pupil, generator, device):
    """Boards up to so many random plies beside the rows', without those of ended games; and whether they are for tests.

    With a pupil, the last move is its choice in every second case.
    """
    own, other = as_bits(rows["own"], device), as_bits(rows["other"], device)
    test = torch.from_numpy(rows["test"]).to(device)
    left = torch.randint(plies[0], plies[1] + 1, (len(own),), device=device, generator=generator)
    for ply in range(plies[1]):
        further = boards.play_random(own, other, generator)
        own, other = (torch.where(left > ply, new, old) for new, old in zip(further, (own, other)))
    if pupil:
        half = len(own) // 2
        chosen = liked(own[:half], other[:half], pupil, generator)
        own, other = (torch.cat([new, old[half:]]) for new, old in zip(chosen, (own, other)))
    goes_on = (boards.moves(own, other) | boards.moves(other, own)) != 0
    goes_on &= boards.counts(own | other) <= 64 - most
    return own[goes_on], other[goes_on], test[goes_on]


def read_pupil(path, device):
    net = othello_nnue.Network()
    net.load(load_file(path))
    return net.to(device).eval()


def answer(arguments):
    device = device_at_hand()
    net = compiled(folded(read_net(arguments.net, device)), device, learns=False)
    pupil = read_pupil(arguments.pupil, device) if arguments.pupil else None
    rows, _ = boards.read_rows(arguments.rows)
    rng, generator = np.random.default_rng(arguments.seed), torch.Generator(device).manual_seed(arguments.seed)
    began, written = time.time(), 0
    with open(arguments.out + ".part", "wb") as file:
        while written < arguments.count and time.time() - began < arguments.seconds:
            chosen = rows[rng.integers(len(rows), size=min(16 * PART, arguments.count - written + PART))]
            own, other, test = asked(chosen, arguments.plies, arguments.least, pupil, generator, device)
            says = values(net, own, other, arguments.images).float()
            block = np.empty(len(own), ROW)
            block["own"], block["other"] = own.cpu().numpy().view(np.uint64), other.cpu().numpy().view(np.uint64)
            # No answer is exact: a whole number of discs would be taken for an exact value.
            value = (100 * says[:, 0]).round().clamp(-6399, 6399)
            block["value"] = torch.where(value % 100 == 0, value + 1, value).cpu().numpy()
            block["margin"] = says[:, 1].round().clamp(-64, 64).cpu().numpy()
            block["test"] = test.cpu().numpy()
            file.write(block.tobytes())
            written += len(block)
    os.replace(arguments.out + ".part", arguments.out)
    print(f"{written} answers, {written / (time.time() - began):.0f} a second", flush=True)


def read_exactly(count):
    data = sys.stdin.buffer.read(count)
    if len(data) not in (0, count):
        sys.exit("the input ends within a batch")
    return data


def label(arguments):
    device = device_at_hand()
    net = folded(read_net(arguments.net, device))
    while head := read_exactly(4):
        count = int.from_bytes(head, "little")
        rows = np.frombuffer(read_exactly(count * ASKED.itemsize), ASKED)
        says = values(net, as_bits(rows["own"], device), as_bits(rows["other"], device), arguments.images)
        answers = np.empty(count, ANSWER)
        answers["value"] = (100 * says[:, 0]).round().clamp(-6400, 6400).cpu().numpy()
        answers["margin"] = says[:, 1].round().clamp(-64, 64).cpu().numpy()
        sys.stdout.buffer.write(answers.tobytes())
        sys.stdout.buffer.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learn = commands.add_parser("train", help="learn from judged positions")
    learn.add_argument("--rows", required=True, nargs="+", help="what `trilith data rows` wrote; FILE@2@10-16 counts double, with 10 to 16 empty squares")
    learn.add_argument("--net", required=True, help="the file to write")
    learn.add_argument("--start", help="a network to begin with")
    learn.add_argument("--resume", action="store_true", help="go on from the checkpoint beside the file to write")
    learn.add_argument("--seconds", type=float, default=300)
    learn.add_argument("--channels", type=int, default=128)
    learn.add_argument("--blocks", type=int, default=10)
    learn.add_argument("--batch", type=int, default=8192)
    learn.add_argument("--rate", type=float, default=2e-3)
    learn.add_argument("--result", type=float, default=0.5, help="how much errors of the result count in learning")
    learn.add_argument("--keep", type=float, default=120, help="seconds between checkpoints")
    learn.add_argument("--seed", type=int, default=1)
    learn.set_defaults(run=train)
    many = commands.add_parser("answer", help="value many positions beside given ones")
    many.add_argument("--net", required=True)
    many.add_argument("--rows", required=True, nargs="+", help="positions to begin with, as for `train`")
    many.add_argument("--out", required=True, help="the file of rows to write")
    many.add_argument("--pupil", help="the network that is to learn, as othello_nnue.py writes it: it chooses every second last move")
    many.add_argument("--count", type=int, default=10_000_000)
    many.add_argument("--seconds", type=float, default=math.inf, help="stop after so many seconds")
    many.add_argument("--plies", type=int, nargs=2, default=(0, 4), help="fewest and most random plies")
    many.add_argument("--least", type=int, default=4, help="fewest empty squares")
    many.add_argument("--images", type=int, default=1, choices=range(1, 9), help="images of a board to average over")
    many.add_argument("--seed", type=int, default=1)
    many.set_defaults(run=answer)
    ask = commands.add_parser("label", help="value positions from standard input")
    ask.add_argument("--net", required=True)
    ask.add_argument("--images", type=int, default=1, choices=range(1, 9), help="images of a board to average over")
    ask.set_defaults(run=label)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
