"""A large network as the teacher of Othello's pattern weights. Needs PyTorch, and a graphics card to be of use.

    trilith data rows --positions p1.positions p2.positions --games g1.games --out rows.bin
    python3 examples/pytorch_teacher.py train --rows rows.bin --net teacher.pt --seconds 300
    trilith data ask --games g1.games --out taught.positions -- python3 examples/pytorch_teacher.py label --net teacher.pt
    trilith fit patterns --positions taught.positions --near 5 --out patterns.safetensors.zst

The network sees the board from the side to move and says two things: what a search will think of the position, and how
the game will end, both in discs; `trilith fit patterns --lambda` says how much the latter counts. Rows and batches are
described by `trilith data rows --help` and `trilith data ask --help`.
"""

import argparse
import math
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

ROW = np.dtype([("own", "<u8"), ("other", "<u8"), ("value", "<i2"), ("margin", "i1"), ("test", "u1")])
ASKED = np.dtype([("own", "<u8"), ("other", "<u8")])
ANSWER = np.dtype([("value", "<i2"), ("margin", "i1")])
NO_VALUE = -32768
NO_MARGIN = -128
# Positions are valued in parts of one size, for which the fastest kernels are looked for only once.
PART = 16384
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


def symmetries(device):
    """For each of the eight images of the board, which square each of its squares comes from."""
    board = torch.arange(64).reshape(8, 8)
    images = []
    for turned in (board, board.t()):
        images += [turned, turned.flip(0), turned.flip(1), turned.flip(0, 1)]
    return torch.stack([image.flatten() for image in images]).to(device)


def planes(own, other, order=None):
    """Own discs, other discs, empty squares and the share of discs on the board, as the network sees them."""
    squares = torch.arange(64, device=own.device) if order is None else order
    mine = (own[:, None] >> squares & 1).to(torch.bfloat16)
    theirs = (other[:, None] >> squares & 1).to(torch.bfloat16)
    empty = 1 - mine - theirs
    filled = (1 - empty.mean(1, keepdim=True)).expand(-1, 64)
    stacked = torch.stack([mine, theirs, empty, filled], 1).reshape(-1, 4, 8, 8)
    return stacked.contiguous(memory_format=torch.channels_last)


def bits(column, device):
    return torch.from_numpy(np.ascontiguousarray(column).view(np.int64)).to(device)


def device_at_hand():
    torch.backends.cudnn.benchmark = True
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def known(column, unknown, unit, device):
    """Numbers in discs, not a number where there is none."""
    discs = np.where(column == unknown, np.nan, column.astype(np.float32) / unit)
    return torch.from_numpy(discs.astype(np.float32)).to(device)


def load(path, device):
    """The rows to learn from and those kept for testing, on the device."""
    rows = np.fromfile(path, ROW)
    parts = []
    for part in (rows[rows["test"] == 0], rows[rows["test"] == 1]):
        columns = {
            "own": bits(part["own"], device),
            "other": bits(part["other"], device),
            "value": known(part["value"], NO_VALUE, 100, device),
            "margin": known(part["margin"], NO_MARGIN, 1, device),
        }
        parts.append(columns)
    return parts


def loss(says, target):
    """The error of one value where it is known."""
    known = ~target.isnan()
    wrong = functional.smooth_l1_loss(says, target.nan_to_num() / SCALE, beta=0.5, reduction="none")
    return (wrong * known).sum() / known.sum().clamp(min=1)


def train(arguments):
    device = device_at_hand()
    torch.manual_seed(arguments.seed)
    training, test = load(arguments.rows, device)
    count, size = len(training["own"]), arguments.batch
    print(f"{count} rows to learn from, {len(test['own'])} to test with, {device}", flush=True)
    net = Teacher(arguments.channels, arguments.blocks).to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=arguments.rate, weight_decay=1e-4)
    orders, began, told = symmetries(device), time.time(), time.time()
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999), use_buffers=True
    )
    step, seen = 0, 0
    shuffled, at = torch.randperm(count, device=device), 0
    while True:
        done = (time.time() - began) / arguments.seconds
        if done >= 1:
            break
        # Warm up, then fall as a cosine: how fast the machine is decides how many steps there are.
        rate = arguments.rate * min(1, (step + 1) / 200) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = rate
        if at + size > count:
            shuffled, at = torch.randperm(count, device=device), 0
        chosen, at = shuffled[at : at + size], at + size
        order = orders[torch.randint(8, (1,)).item()]
        with torch.autocast(device.type, torch.bfloat16):
            says = net(planes(training["own"][chosen], training["other"][chosen], order))
        search = loss(says[:, 0], training["value"][chosen])
        result = loss(says[:, 1], training["margin"][chosen])
        optimiser.zero_grad(set_to_none=True)
        (search + arguments.result * result).backward()
        optimiser.step()
        average.update_parameters(net)
        step, seen = step + 1, seen + size
        if time.time() - told >= 20:
            told = time.time()
            print(f"{told - began:.0f} s, {seen / count:.2f} epochs, {search.item():.4f} {result.item():.4f}", flush=True)
    net = average.module
    report(net, test, device)
    torch.save({"shape": net.shape, "weights": net.state_dict()}, arguments.net)


@torch.no_grad()
def values(net, own, other, images=1):
    """What the network says, in discs, the mean over some images of each board."""
    net.eval()
    orders = symmetries(own.device)[:images]
    says = []
    for start in range(0, len(own), PART):
        part = [functional.pad(board[start : start + PART], (0, max(0, start + PART - len(own)))) for board in (own, other)]
        with torch.autocast(own.device.type, torch.bfloat16):
            seen = [net(planes(*part, order)) for order in orders]
        says.append(torch.stack(seen).mean(0))
    return SCALE * torch.cat(says)[: len(own)] if says else torch.empty(0, 2)


def report(net, test, device):
    """Root mean squared errors on rows not learned from, by the number of discs."""
    says = values(net, test["own"], test["other"])
    boards = test["own"] | test["other"]
    discs = (boards[:, None] >> torch.arange(64, device=device) & 1).sum(1)

    def error(of, name, where):
        wrong = (says[:, of] - test[name])[where]
        return wrong[~wrong.isnan()].pow(2).mean().sqrt().item()

    print("discs   search  result")
    for least in range(4, 64, 4):
        here = (discs >= least) & (discs < least + 4)
        print(f"{least:2}-{least + 3:2} {error(0, 'value', here):8.3f} {error(1, 'margin', here):7.3f}")
    everywhere = discs > 0
    print(f"all   {error(0, 'value', everywhere):8.3f} {error(1, 'margin', everywhere):7.3f}", flush=True)


def read_exactly(count):
    data = sys.stdin.buffer.read(count)
    if len(data) not in (0, count):
        sys.exit("the input ends within a batch")
    return data


def label(arguments):
    device = device_at_hand()
    kept = torch.load(arguments.net, map_location=device)
    net = Teacher(*kept["shape"]).to(device, memory_format=torch.channels_last)
    net.load_state_dict(kept["weights"])
    while head := read_exactly(4):
        count = int.from_bytes(head, "little")
        rows = np.frombuffer(read_exactly(count * ASKED.itemsize), ASKED)
        says = values(net, bits(rows["own"], device), bits(rows["other"], device), arguments.images)
        answer = np.empty(count, ANSWER)
        answer["value"] = (100 * says[:, 0]).round().clamp(-6400, 6400).cpu().numpy()
        answer["margin"] = says[:, 1].round().clamp(-64, 64).cpu().numpy()
        sys.stdout.buffer.write(answer.tobytes())
        sys.stdout.buffer.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learn = commands.add_parser("train", help="learn from judged positions")
    learn.add_argument("--rows", required=True, help="what `trilith data rows` wrote")
    learn.add_argument("--net", required=True, help="the file to write")
    learn.add_argument("--seconds", type=float, default=300)
    learn.add_argument("--channels", type=int, default=128)
    learn.add_argument("--blocks", type=int, default=8)
    learn.add_argument("--batch", type=int, default=4096)
    learn.add_argument("--rate", type=float, default=2e-3)
    learn.add_argument("--result", type=float, default=0.5, help="how much errors of the result count in learning")
    learn.add_argument("--seed", type=int, default=1)
    learn.set_defaults(run=train)
    answer = commands.add_parser("label", help="value positions from standard input")
    answer.add_argument("--net", required=True)
    answer.add_argument("--images", type=int, default=1, choices=range(1, 9), help="images of a board to average over")
    answer.set_defaults(run=label)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
