"""A residual network learns a game from nothing, by playing against itself. Needs PyTorch; a graphics card helps.

    pip install ./crates/python torch safetensors
    python examples/python/selfplay.py othello --minutes 30 --out othello-run
    python examples/python/selfplay.py othello --out othello-run --play "engine:level=5"
    trilith play othello --white "mcts:file=othello-run/network.safetensors,simulations=200"

The three parts of AlphaZero (Silver et al., 2018) in one file: a network with a policy and a value, games of that network against
itself by tree search, and training on these games. Everything is kept in OUT after each round, so a killed run goes on where it was
by the same command, with its network and optimiser; only the memory of past games fills anew. `log.csv` has a line for each round;
every few rounds the network plays a match.
"""

import argparse
import csv
import itertools
import json
import time
from collections import deque
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import trilith


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)])

    def forward(self, x):
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(x + self.norms[1](self.second(y)))


class Network(nn.Module):
    """Observations to logits of all actions and a value from -1 to 1, both for the side to move."""

    def __init__(self, game, channels=64, blocks=4):
        super().__init__()
        planes, rows, columns = trilith.OBSERVATION[game]
        self.stem = nn.Sequential(nn.Conv2d(planes, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())
        self.body = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.narrow = nn.Sequential(nn.Conv2d(channels, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten())
        self.policy = nn.Linear(32 * rows * columns, trilith.ACTIONS[game])
        self.value = nn.Sequential(nn.Linear(32 * rows * columns, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        # Numbers in planes, such as stones in hand, are brought near to those of stones.
        scale = {"othello": [1, 1, 1], "morris": [1, 1, 9, 9, 1, 1, 100], "abalone": [1, 1, 1, 6, 6]}[game]
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32).view(1, -1, 1, 1))

    def forward(self, obs):
        x = self.narrow(self.body(self.stem(obs.float() / self.scale)))
        return self.policy(x), self.value(x).squeeze(1)


class Evaluator:
    """The network as tree search wants it."""

    def __init__(self, network, device):
        self.network, self.device, self.positions = network, device, 0

    @torch.inference_mode()
    def evaluate(self, obs, mask):
        self.network.eval()
        self.positions += len(obs)
        if self.device.type != "cuda":
            return self.network(torch.from_numpy(obs))
        # The card is given its work and the way back, and nobody waits: pinned memory is copied while other trees grow. Answers
        # that were only fetched when they are needed would queue up behind the next batch.
        sent = torch.from_numpy(obs).pin_memory().to(self.device, non_blocking=True)
        with torch.autocast("cuda", torch.bfloat16):
            answers = self.network(sent.to(memory_format=torch.channels_last))
        fetched = [answer.float().to("cpu", non_blocking=True) for answer in answers]
        arrived = torch.cuda.Event()
        arrived.record()

        def wait():
            arrived.synchronize()
            return fetched

        return wait


class Memory:
    """The last decisions, each seen through a random symmetry when it is drawn."""

    def __init__(self, game, size):
        self.game, self.size, self.parts = game, size, deque()
        self.places, self.actions = (torch.from_numpy(table).long() for table in trilith.symmetry_tables(game))

    def add(self, batch):
        # Visits are kept as their few numbers that are not zero: a row of Morris has 21,024.
        rows, columns = np.nonzero(batch["visits"])
        counts = np.bincount(rows, minlength=len(batch["result"]))
        target = 0.75 * batch["result"] + 0.25 * batch["value"]
        self.parts.append((batch["obs"], counts, columns, batch["visits"][rows, columns], target))
        while sum(len(part[4]) for part in self.parts) > self.size and len(self.parts) > 1:
            self.parts.popleft()
        self.obs, self.counts, self.columns, self.shares, self.targets = (
            np.concatenate([part[number] for part in self.parts]) for number in range(5))
        self.starts = np.cumsum(self.counts) - self.counts

    def draw(self, count, rng, device):
        at = rng.integers(len(self.targets), size=count)
        counts = self.counts[at]
        row = np.repeat(np.arange(count), counts)
        entry = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(self.starts[at], counts)
        visits = np.zeros((count, trilith.ACTIONS[self.game]), np.float32)
        visits[row, self.columns[entry]] = self.shares[entry]
        obs, visits, values = (torch.from_numpy(array).to(device) for array in (self.obs[at], visits, self.targets[at].astype(np.float32)))
        symmetry = int(rng.integers(len(self.places)))
        places, actions = self.places[symmetry].to(device), self.actions[symmetry].to(device)
        return obs.flatten(2)[..., places].view_as(obs), visits[:, actions], values


def train(network, optimiser, memory, steps, size, rng, device):
    """Steps of gradient descent; the mean losses of policy and value."""
    network.train()
    losses = np.zeros(2)
    for _ in range(steps):
        obs, visits, values = memory.draw(size, rng, device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            logits, guess = network(obs)
        policy = -(visits * F.log_softmax(logits.float(), dim=1)).sum(dim=1).mean()
        value = F.mse_loss(guess.float(), values)
        optimiser.zero_grad(set_to_none=True)
        (policy + value).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        losses += policy.item(), value.item()
    return losses / steps


def measure(args, evaluator, opponent, games):
    """A match against a player of the program's, from random openings."""
    player = trilith.NetworkPlayer(evaluator, simulations=args.match_simulations, batch=1024)
    return trilith.match(args.game, player, opponent, games=games, rules=args.rules, seed=7)


def learn(args, network, optimiser, state, device):
    """Rounds of play and training until the time is over."""
    out, began = Path(args.out), time.monotonic()
    rng, memory = np.random.default_rng(), Memory(args.game, args.memory)
    evaluator = Evaluator(network, device)
    games = trilith.selfplay(args.game, evaluator, rules=args.rules, games=args.games, simulations=args.simulations,
                             batch=args.batch, samples=args.samples, threads=args.threads, seed=int(time.time()),
                             temperature_plies=args.temperature_plies)
    for number in itertools.count(state["round"] + 1):
        start, asked = time.monotonic(), evaluator.positions
        batch = next(games)
        played = time.monotonic() - start
        memory.add(batch)
        steps = max(1, args.reuse * len(batch["result"]) // args.batch_size)
        policy, value = train(network, optimiser, memory, steps, args.batch_size, rng, device)
        state = {"round": number, "seconds": state["seconds"] + time.monotonic() - start, "games": state["games"] + len(batch["moves"])}
        line = {"round": number, "minutes": round(state["seconds"] / 60, 2), "games": state["games"],
                "games_per_second": round(len(batch["moves"]) / played, 1),
                "positions_per_second": round((evaluator.positions - asked) / played),
                "policy_loss": round(policy, 4), "value_loss": round(value, 4), "match": ""}
        if number % args.match_every == 0:
            report = measure(args, evaluator, args.opponent, args.match_games)
            line["match"] = f"{report['rate']:.3f}"
        save(out, args.game, network, optimiser, state)
        log(out / "log.csv", line)
        if time.monotonic() - began > 60 * args.minutes:
            return


def save(out, game, network, optimiser, state):
    """Beside the old file, then in its place: a kill leaves one of the two whole."""
    torch.save({"network": network.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, out / "new.pt")
    (out / "new.pt").rename(out / "network.pt")
    trilith.save_network(out / "network.safetensors", game, network, provenance={"learner": "selfplay.py", **{key: str(text) for key, text in state.items()}})


def log(path, line):
    print("  ".join(f"{key} {value}" for key, value in line.items()), flush=True)
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, line)
        if is_new:
            writer.writeheader()
        writer.writerow(line)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=trilith.GAMES)
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--rules", default="")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--games", type=int, default=256, help="games at the same time")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--batch", type=int, default=1024, help="positions the network is asked about at once")
    parser.add_argument("--samples", type=int, default=8192, help="decisions a round")
    parser.add_argument("--temperature-plies", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=int, default=300_000, help="decisions to learn from")
    parser.add_argument("--reuse", type=int, default=4, help="how often each decision is learnt from")
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--opponent", default="engine:level=3")
    parser.add_argument("--match-every", type=int, default=10)
    parser.add_argument("--match-games", type=int, default=40)
    parser.add_argument("--match-simulations", type=int, default=100)
    parser.add_argument("--play", metavar="PLAYER", help="only play a match against PLAYER")
    return parser.parse_args()


def main():
    args = arguments()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = Network(args.game, args.channels, args.blocks).to(device)
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-4)
    state = {"round": 0, "seconds": 0.0, "games": 0}
    if (out / "network.pt").exists():
        kept = torch.load(out / "network.pt", map_location=device)
        network.load_state_dict(kept["network"])
        optimiser.load_state_dict(kept["optimiser"])
        state = kept["state"]
    if args.play:
        print(json.dumps(measure(args, Evaluator(network, device), args.play, args.match_games), indent=1))
    else:
        learn(args, network, optimiser, state, device)


if __name__ == "__main__":
    main()
