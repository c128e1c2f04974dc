"""A residual network learns a game from nothing, by playing against itself. Needs PyTorch; a graphics card helps.

    pip install ./crates/python torch safetensors
    python examples/python/selfplay.py othello --minutes 30 --out othello-run
    python examples/python/selfplay.py othello --out othello-run --play "engine:level=5"
    trilith play othello --white "mcts:file=othello-run/network.safetensors,simulations=200"

The three parts of AlphaZero (Silver et al., 2018) in one file: a network with a policy and a value, games of that network against
itself by tree search, and training on these games. Everything is kept in OUT after each round, so a killed run goes on where it was
by the same command, with its network and optimiser; only the memory of past games fills anew. `log.csv` has a line for each round;
every few rounds the network plays a match. With a graphics card, it is what limits the speed.
"""

import argparse
import csv
import itertools
import json
import os
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


def graphed(work, *examples):
    """The same work as one order to the card (a CUDA graph): hundreds of small ones from Python would keep it waiting."""
    inputs, graph, aside = [example.clone() for example in examples], torch.cuda.CUDAGraph(), torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):
            work(*inputs)
    torch.cuda.current_stream().wait_stream(aside)
    try:
        with torch.cuda.graph(graph):
            answers = work(*inputs)
    except RuntimeError as error:
        print(f"No CUDA graph, which costs speed: {error}")
        graph = None

    def again(*given):
        for place, value in zip(inputs, given):
            place[:len(value)].copy_(value, non_blocking=True)
        if graph is not None:
            graph.replay()
        return work(*inputs) if graph is None else answers

    return again


class Evaluator:
    """The network as tree search wants it; self-play asks for `batch` positions at once."""

    def __init__(self, network, device, batch=1):
        self.network, self.device, self.batch, self.positions, self.answer = network, device, batch, 0, None

    @torch.inference_mode()
    def forward(self, obs):
        self.network.eval()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return self.network(obs.to(memory_format=torch.channels_last))

    def evaluate(self, obs, mask):
        """In matches."""
        return self.forward(torch.from_numpy(obs).to(self.device))

    @torch.inference_mode()
    def evaluate_legal(self, obs, places):
        """In self-play. The card is given its work and the way back, and nobody waits: only the logits of legal actions come
        back, into memory that it writes by itself while other trees grow."""
        self.positions += len(obs)
        obs, places = torch.from_numpy(obs), torch.from_numpy(places)
        if self.device.type != "cuda":
            logits, values = self.forward(obs)
            return logits.flatten()[places], values
        if self.answer is None:
            shape = (self.batch, *obs.shape[1:])
            self.answer = graphed(self.forward, torch.zeros(shape, dtype=torch.uint8, device=self.device))
        logits, values = self.answer(obs)
        legal = logits.flatten().index_select(0, places.to(self.device, non_blocking=True))
        fetched = [answer.float().to("cpu", non_blocking=True) for answer in (legal, values[:len(obs)])]
        arrived = torch.cuda.Event()
        arrived.record()

        def wait():
            arrived.synchronize()
            return fetched

        return wait

    def empty(self, shape, dtype):
        """Memory that the card can read by itself."""
        kind = {np.uint8: torch.uint8, np.int32: torch.int32}[dtype]
        return torch.empty(shape, dtype=kind, pin_memory=self.device.type == "cuda").numpy()


class Memory:
    """The last decisions, each seen through a random symmetry when it is drawn. They are kept where the network is."""

    def __init__(self, game, size, device):
        self.size, self.device, self.actions, self.parts = size, device, trilith.ACTIONS[game], deque()
        self.symmetries = [torch.from_numpy(table).long().to(device) for table in trilith.symmetry_tables(game)]

    def add(self, batch):
        # Only moves with visits are kept, in rows filled up with zeros: of Morris' 21,024 actions few are legal.
        width = batch["counts"].max()
        moves = np.zeros((2, len(batch["counts"]), width), np.float32)
        moves[:, np.arange(width) < batch["counts"][:, None]] = batch["actions"], batch["shares"]
        target = 0.75 * batch["result"] + 0.25 * batch["value"]
        self.parts.append([torch.from_numpy(array).to(self.device) for array in (batch["obs"], *moves, target.astype(np.float32))])
        while sum(len(part[0]) for part in self.parts) > self.size and len(self.parts) > 1:
            self.parts.popleft()
        widest = max(part[1].shape[1] for part in self.parts)
        self.obs, self.moves, self.shares, self.targets = (
            torch.cat([F.pad(part[at], (0, widest - part[at].shape[1])) if at in (1, 2) else part[at] for part in self.parts])
            for at in range(4))

    def draw(self, count):
        at = torch.randint(len(self.targets), (count,), device=self.device)
        visits = torch.zeros(count, self.actions, device=self.device).scatter_add_(1, self.moves[at].long(), self.shares[at])
        symmetry = np.random.randint(len(self.symmetries[0]))
        obs, places, actions = self.obs[at], *(table[symmetry] for table in self.symmetries)
        return obs.flatten(2)[..., places].view_as(obs), visits[:, actions], self.targets[at]


class Trainer:
    """Steps of gradient descent."""

    def __init__(self, network, optimiser, device):
        self.network, self.optimiser, self.device, self.once = network, optimiser, device, None

    def step(self, obs, visits, values):
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, guess = self.network(obs.to(memory_format=torch.channels_last))
        policy = -(visits * F.log_softmax(logits.float(), dim=1)).sum(dim=1).mean()
        value = F.mse_loss(guess.float(), values)
        self.optimiser.zero_grad(set_to_none=True)
        (policy + value).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        return torch.stack([policy.detach(), value.detach()])

    def train(self, memory, steps, size):
        """The mean losses of policy and value."""
        if self.once is None:
            self.once = graphed(self.step, *memory.draw(size)) if self.device.type == "cuda" else self.step
        losses = torch.zeros(2, device=self.device)
        for _ in range(steps):
            losses += self.once(*memory.draw(size))
        return (losses / steps).tolist()


def measure(args, evaluator, opponent, games):
    """A match against a player of the program's, from random openings."""
    player = trilith.NetworkPlayer(evaluator, simulations=args.match_simulations, batch=1024)
    return trilith.match(args.game, player, opponent, games=games, rules=args.rules, seed=7)


def learn(args, network, optimiser, state, device):
    """Rounds of play and training until the time is over."""
    out, began = Path(args.out), time.monotonic()
    memory, trainer = Memory(args.game, args.memory, device), Trainer(network, optimiser, device)
    evaluator = Evaluator(network, device, args.batch)
    # Three groups of games: one is with the card, one waits for it, one grows its trees.
    games = trilith.selfplay(args.game, evaluator, rules=args.rules, games=args.games, simulations=args.simulations,
                             batch=args.batch, samples=args.samples, threads=args.threads, seed=int(time.time()),
                             temperature_plies=args.temperature_plies, groups=3, packed=True, empty=evaluator.empty)
    for number in itertools.count(state["round"] + 1):
        start, asked = time.monotonic(), evaluator.positions
        batch = next(games)
        played = time.monotonic() - start
        memory.add(batch)
        steps = max(1, args.reuse * len(batch["result"]) // args.batch_size)
        policy, value = trainer.train(memory, steps, args.batch_size)
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


def arguments(has_card):
    def by_machine(card, without):
        return {"type": int, "default": card if has_card else without}

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=trilith.GAMES)
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--rules", default="")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--channels", **by_machine(128, 64))
    parser.add_argument("--blocks", **by_machine(10, 4))
    parser.add_argument("--games", **by_machine(6144, 256), help="games at the same time")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--batch", **by_machine(8192, 256), help="positions the network is asked about at once")
    parser.add_argument("--samples", **by_machine(32768, 8192), help="decisions a round")
    parser.add_argument("--temperature-plies", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--memory", **by_machine(600_000, 300_000), help="decisions to learn from")
    parser.add_argument("--reuse", type=int, default=4, help="how often each decision is learnt from")
    parser.add_argument("--batch-size", **by_machine(2048, 512))
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--opponent", default="engine:level=3")
    parser.add_argument("--match-every", type=int, default=10)
    parser.add_argument("--match-games", type=int, default=40)
    parser.add_argument("--match-simulations", type=int, default=100)
    parser.add_argument("--play", metavar="PLAYER", help="only play a match against PLAYER")
    return parser.parse_args()


def main():
    has_card = torch.cuda.is_available()
    args, device = arguments(has_card), torch.device("cuda" if has_card else "cpu")
    torch.backends.cudnn.benchmark = True
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    network = Network(args.game, args.channels, args.blocks).to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-4, fused=has_card, capturable=has_card)
    state = {"round": 0, "seconds": 0.0, "games": 0}
    if (out / "network.pt").exists():
        kept = torch.load(out / "network.pt", map_location=device)
        network.load_state_dict(kept["network"])
        optimiser.load_state_dict({**kept["optimiser"], "param_groups": optimiser.state_dict()["param_groups"]})
        state = kept["state"]
    if args.play:
        print(json.dumps(measure(args, Evaluator(network, device), args.play, args.match_games), indent=1))
    else:
        learn(args, network, optimiser, state, device)


if __name__ == "__main__":
    main()
