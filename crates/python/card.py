"""Who waits for whom when `examples/python/selfplay.py` plays on a graphics card: us or the card?

    python crates/python/card.py --seconds 120 --out selfplay-card.txt

For several networks: positions a second in self-play; the ceiling, which is the same network asked about the same positions again and
again with nothing else to do; the share of time in which the card has work, by its own clock and by nvidia-smi; and the share in
which we do nothing but wait for it. The card limits us if self-play is near the ceiling. Without a card everything runs on the
processor, to see that it runs.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np
import torch

import trilith

HERE = Path(__file__).resolve().parent
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HAS_CARD = DEVICE.type == "cuda"


class Enough(Exception):
    """The time is over."""


class Report:
    """Lines for the screen and a file."""

    def __init__(self, path):
        self.path, self.lines, self.began = path, [], time.monotonic()

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)
        if self.path:
            self.path.write_text("\n".join(self.lines) + "\n")

    def attempt(self, what, work):
        """What fails is said, and the rest goes on."""
        try:
            return work()
        except Exception as error:
            self.say(f"{what} failed: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
            traceback.print_exc()
            if HAS_CARD:
                torch.cuda.empty_cache()
            return None


class Utilisation:
    """What nvidia-smi says meanwhile, in per cent."""

    def __enter__(self):
        command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "200"]
        has_tool = HAS_CARD and shutil.which("nvidia-smi")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) if has_tool else None
        return self

    def __exit__(self, *_):
        self.numbers = []
        if self.process:
            self.process.terminate()
            self.numbers = [int(line) for line in self.process.communicate()[0].split() if line.isdigit()]
        self.mean = float(np.mean(self.numbers[2:])) if len(self.numbers) > 2 else float("nan")


def synchronise():
    if HAS_CARD:
        torch.cuda.synchronize()


def watched(example, network, batch):
    """The example's evaluator, which also notes times, from `begin` on until `end`."""

    class Watched(example.Evaluator):
        def watch(self, warm, seconds):
            self.begin = time.perf_counter() + warm
            self.end, self.began = self.begin + seconds, None

        def evaluate_legal(self, obs, places):
            now = time.perf_counter()
            if self.began is None and now > self.begin:
                self.began, self.processor = now, time.process_time()
                self.positions, self.waited, self.asked = 0, 0.0, []
            if now > self.end:
                synchronise()
                self.wall, self.cores = time.perf_counter() - self.began, time.process_time() - self.processor
                raise Enough
            first, last = (torch.cuda.Event(enable_timing=True) if HAS_CARD else None for _ in range(2))
            if HAS_CARD:
                first.record()
            answers = super().evaluate_legal(obs, places)
            if self.began is None:
                return answers
            if not HAS_CARD:
                self.asked.append(time.perf_counter() - now)
                return answers
            last.record()
            self.asked.append((first, last))

            def wait():
                start = time.perf_counter()
                fetched = answers()
                self.waited += time.perf_counter() - start
                return fetched

            return wait

        def busy(self):
            """Seconds in which the card had work of ours."""
            return sum(self.asked) if not HAS_CARD else sum(first.elapsed_time(last) for first, last in self.asked) / 1000

    return Watched(network, DEVICE, batch)


def ceiling(evaluator, batch, seconds):
    """Positions a second of the network alone: a fixed batch, nothing to copy, nothing to think about."""
    obs = torch.randint(2, (batch, *trilith.OBSERVATION["othello"]), dtype=torch.uint8, device=DEVICE)
    work = evaluator.answer if HAS_CARD else evaluator.forward
    for _ in range(3):
        work(obs)
    synchronise()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for _ in range(10 if HAS_CARD else 1):
            work(obs)
            count += batch
        synchronise()
    return count / (time.perf_counter() - start)


def measure(example, blocks, channels, games, batch, simulations, threads, seconds):
    """A line of the table."""
    network = example.Network("othello", channels, blocks).to(DEVICE, memory_format=torch.channels_last)
    evaluator = watched(example, network, batch)
    if HAS_CARD:
        zeros = torch.zeros((batch, *trilith.OBSERVATION["othello"]), dtype=torch.uint8, device=DEVICE)
        evaluator.answer = example.graphed(evaluator.forward, zeros)
    before = ceiling(evaluator, batch, seconds / 16)
    play = trilith.selfplay("othello", evaluator, games=games, simulations=simulations, batch=batch, samples=1, threads=threads,
                            groups=3, packed=True, empty=evaluator.empty)
    evaluator.watch(seconds / 4, 3 * seconds / 4)
    ended = []
    with Utilisation() as used:
        try:
            for batches in play:
                ended.append((time.perf_counter(), len(batches["moves"])))
        except Enough:
            pass
    wall, asked = evaluator.wall, max(1, len(evaluator.asked))
    rate, best = evaluator.positions / wall, max(before, ceiling(evaluator, batch, seconds / 16))
    finished = sum(count for at, count in ended if at > evaluator.began)
    return {"network": f"{blocks}x{channels}", "games": games, "batch": batch, "positions/s": f"{rate:,.0f}", "ceiling": f"{best:,.0f}",
            "of ceiling": f"{rate / best:.1%}", "rows full": f"{evaluator.positions / asked / batch:.1%}",
            "card busy": f"{evaluator.busy() / wall:.1%}", "nvidia-smi": f"{used.mean:.0f}%",
            "we wait": f"{evaluator.waited / wall:.1%}", "cores": f"{evaluator.cores / wall:.1f}",
            # All games begin together: only when the first ones are long over do as many end as in the long run.
            "games/s": finished / wall if ended and ended[0][0] - evaluator.begin < wall / 4 else None, "rate": rate}


def training(example, blocks, channels, size, seconds):
    """Positions learnt from a second, and how many if the same ones are given again and again."""
    network = example.Network("othello", channels, blocks).to(DEVICE, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), fused=HAS_CARD, capturable=HAS_CARD)
    trainer, memory = example.Trainer(network, optimiser, DEVICE), example.Memory("othello", 50_000, DEVICE)
    samples = next(trilith.selfplay("othello", even, games=256, simulations=8, batch=1024, samples=20_000, packed=True, tables="off"))
    memory.add(samples)
    trainer.train(memory, 2, size)
    rates = []
    fixed = memory.draw(size)
    for work in (lambda: trainer.train(memory, 20, size), lambda: [trainer.once(*fixed) for _ in range(20)]):
        synchronise()
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < seconds / 2:
            work()
            steps += 20
            synchronise()
        rates.append(steps * size / (time.perf_counter() - start))
    return rates


def whole(example, blocks, channels, minutes, extra):
    """The example as it is, play and training: what nvidia-smi says once the first games have ended, and its last line."""
    with tempfile.TemporaryDirectory() as out:
        sys.argv = ["selfplay.py", "othello", "--out", out, "--minutes", str(minutes), "--blocks", str(blocks), "--channels", str(channels),
                    "--match-every", "1000000", *extra]
        with Utilisation() as used:
            example.main()
        lines = [line.split(",") for line in (Path(out) / "log.csv").read_text().splitlines()]
    # From the second round on: the first one waits until games end.
    names, first, last = lines[0], lines[min(2, len(lines) - 1)], lines[-1]
    share = 1 - (60 * float(first[1])) / (60 * float(last[1])) if float(last[1]) else 0
    known = used.numbers[-max(1, int(share * len(used.numbers))):]
    return f"{len(lines) - 1} rounds, nvidia-smi {np.mean(known) if known else float('nan'):.0f}% after the first, " + ", ".join(
        f"{name} {value}" for name, value in zip(names, last) if value)


def even(obs, mask):
    return np.zeros(mask.shape, np.float32), np.zeros(len(obs), np.float32)


def kernels(example, blocks, channels, batch, say):
    """What the card spends its time on, for whoever wants it to be faster."""
    network = example.Network("othello", channels, blocks).to(DEVICE, memory_format=torch.channels_last)
    evaluator = example.Evaluator(network, DEVICE, batch)
    obs = torch.zeros((batch, *trilith.OBSERVATION["othello"]), dtype=torch.uint8, device=DEVICE)
    for _ in range(3):
        evaluator.forward(obs)
    synchronise()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(5):
            evaluator.forward(obs)
        synchronise()
    rows = sorted(profile.key_averages(), key=lambda row: -row.self_device_time_total)
    whole = sum(row.self_device_time_total for row in rows)
    for row in rows[:12]:
        say(f"  {row.self_device_time_total / whole:6.1%}  {row.count / 5:5.1f} a pass  {row.key[:110]}")


def compiled(example, blocks, channels, batch, seconds):
    """Positions a second of the same network through `torch.compile`, in a graph."""
    network = example.Network("othello", channels, blocks).to(DEVICE, memory_format=torch.channels_last)
    evaluator = example.Evaluator(torch.compile(network), DEVICE, batch)
    zeros = torch.zeros((batch, *trilith.OBSERVATION["othello"]), dtype=torch.uint8, device=DEVICE)
    evaluator.answer = example.graphed(evaluator.forward, zeros)
    return ceiling(evaluator, batch, seconds)


def table(rows):
    """Rows of dicts as lines of equal columns."""
    widths = {key: max(len(key), *(len(str(row[key])) for row in rows)) for key in rows[0]}
    lines = ["  ".join(key.rjust(width) for key, width in widths.items())]
    return lines + ["  ".join(str(row[key]).rjust(width) for key, width in widths.items()) for row in rows]


def load(path):
    spec = importlib.util.spec_from_file_location("selfplay", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="for everything")
    parser.add_argument("--out", type=Path, help="file of the report")
    parser.add_argument("--example", type=Path, default=HERE.parents[1] / "examples" / "python" / "selfplay.py")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--compile", action="store_true", help="also try torch.compile, which takes its time")
    parser.add_argument("--tiny", action="store_true", help="small networks and few games")
    args = parser.parse_args()
    end, report = time.monotonic() + args.seconds, Report(args.out)
    example = load(args.example)
    torch.backends.cudnn.benchmark = True
    card = torch.cuda.get_device_name() if HAS_CARD else "no card, on the processor"
    report.say(f"{card}; {args.threads} threads; PyTorch {torch.__version__}; {args.simulations} simulations a move; Othello")
    # Blocks, channels, games, positions a batch, share of the time.
    plan = [(5, 64, 6144, 8192, 0.18), (10, 128, 6144, 8192, 0.1), (20, 256, 3072, 4096, 0.08), (5, 64, 12288, 16384, 0.1)]
    if args.tiny:
        plan = [(1, 8, 96, 128, 0.3), (2, 16, 48, 64, 0.3)]
    rows = []
    for blocks, channels, games, batch, share in plan:
        if end - time.monotonic() < share * args.seconds + 4:
            report.say(f"{blocks}x{channels}, {games} games: left out, the time is over")
            continue
        row = report.attempt(f"{blocks}x{channels}, {games} games", lambda: measure(
            example, blocks, channels, games, batch, args.simulations, args.threads, share * args.seconds))
        if row:
            rows.append(row)
            report.say(", ".join(f"{key} {value}" for key, value in row.items() if key not in ("rate", "games/s")))
    if rows:
        lengths = [row["rate"] / row["games/s"] for row in rows if row["games/s"]]
        for row in rows:
            rate, count = row.pop("rate"), row["games/s"]
            row["games/s"] = f"{count:.1f}" if count else f"~{rate / np.mean(lengths):.1f}" if lengths else "-"
        report.say()
        for line in table(rows):
            report.say(line)
    report.say()
    blocks, channels, extra = (1, 8, ["--games", "48", "--batch", "64", "--samples", "500", "--simulations", "8"]) if args.tiny else (5, 64, [])
    if end - time.monotonic() > args.seconds / 6 + 3:
        line = report.attempt("the example", lambda: whole(example, blocks, channels, args.seconds / 7 / 60, extra))
        report.say(f"the example, {blocks}x{channels}: {line}")
    for blocks, channels, size in [(1, 8, 128)] if args.tiny else [(5, 64, 2048), (10, 128, 2048)]:
        if end - time.monotonic() > 6 or args.tiny:
            rates = report.attempt("training", lambda: training(example, blocks, channels, size, 3))
            if rates:
                report.say(f"training {blocks}x{channels}, {size} a step: {rates[0]:,.0f} positions/s, the steps alone {rates[1]:,.0f}: {rates[0] / rates[1]:.1%}")
    if HAS_CARD and end - time.monotonic() > 6:
        report.say("\nWhat the card does, 5x64, 8192 positions:")
        report.attempt("profile", lambda: kernels(example, 5, 64, 8192, report.say))
    if HAS_CARD and args.compile:
        rate = report.attempt("torch.compile", lambda: compiled(example, 5, 64, 8192, 1.5))
        if rate:
            report.say(f"\nceiling of 5x64 through torch.compile, 8192 positions: {rate:,.0f} positions/s")
    report.say(f"\n{time.monotonic() - report.began:.0f} seconds")


if __name__ == "__main__":
    main()
