"""Steps a second, one thread, random legal actions; beside OpenSpiel and pgx where they are installed.

    pip install ./crates/python && python crates/python/bench.py [--threads N]

`step` only steps; `read` also reads all masks and observations, as a learner does.
"""

import argparse
import time

import numpy as np

import trilith


def rate(work, steps_a_call, seconds, clock=time.process_time):
    """The best of three by this process' own time, so that a busy machine says the same; wall time for threads."""
    best = 0.0
    for _ in range(3):
        calls, began = 0, clock()
        while clock() - began < seconds:
            work()
            calls += 1
        best = max(best, calls * steps_a_call / (clock() - began))
    return best


def ours(game, n, threads=1, read=False, seconds=1.0):
    env = trilith.VecEnv(game, n=n, threads=threads)
    env.reset()
    rng = np.random.default_rng(1)

    def step():
        # Actions drawn in numpy, as a program outside would.
        ids, counts = env.legal_ids()
        starts = np.cumsum(counts) - counts
        obs, mask, *_ = env.step(ids[starts + (rng.random(n) * counts).astype(np.int32)])
        if read:
            obs.sum(dtype=np.uint32), mask.any()

    def sample():
        env.step(env.sample())

    clock = time.process_time if threads == 1 else time.perf_counter
    return rate(sample if n == 1 else step, n, seconds, clock)


def open_spiel(name, seconds=1.0):
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(1)

    def play():
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal() and plies < 200:
            actions = state.legal_actions()
            state.apply_action(actions[rng.integers(len(actions))])
            plies += 1
        play.plies += plies

    play.plies, began = 0, time.process_time()
    while time.process_time() - began < 2 * seconds:
        play()
    return play.plies / (time.process_time() - began)


def pgx(name, n, seconds=1.0):
    import jax
    import jax.numpy as jnp
    import pgx as library

    env = library.make(name)

    def turn(state, key):
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        keys = jax.random.split(key, n + 1)
        actions = jax.vmap(jax.random.categorical)(keys[1:], logits)
        return jax.vmap(library.experimental.auto_reset(env.step, env.init))(state, actions, keys[1:]), keys[0]

    turn, key = jax.jit(turn), jax.random.PRNGKey(1)
    box = [jax.jit(jax.vmap(env.init))(jax.random.split(key, n)), key]

    def step():
        box[:] = turn(*box)
        jax.block_until_ready(box[0].current_player)

    step()
    return rate(step, n, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="also with so many threads at n = 16,384")
    parser.add_argument("--seconds", type=float, default=1.0)
    args = parser.parse_args()
    print(f"{'':22}{'step, n=1024':>14}{'read, n=1024':>14}{'n=1':>12}{'n=16384':>12}{'threads':>12}   (thousands a second)")
    for game in trilith.GAMES:
        numbers = [ours(game, 1024, seconds=args.seconds), ours(game, 1024, read=True, seconds=args.seconds),
                   ours(game, 1, seconds=args.seconds), ours(game, 16384, seconds=args.seconds),
                   ours(game, 16384, args.threads, seconds=args.seconds)]
        print(f"{'trilith ' + game:22}" + "".join(f"{number / 1000:>{width},.0f}" for number, width in zip(numbers, (14, 14, 12, 12, 12))), flush=True)
    for name, measure in [("OpenSpiel othello", lambda: open_spiel("othello", args.seconds)),
                          ("OpenSpiel morris", lambda: open_spiel("nine_mens_morris", args.seconds)),
                          ("pgx othello, n=1024", lambda: pgx("othello", 1024, args.seconds))]:
        try:
            print(f"{name:22}{measure() / 1000:>14,.0f}", flush=True)
        except ImportError as missing:
            print(f"{name:22}  not installed ({missing.name})")


if __name__ == "__main__":
    main()
