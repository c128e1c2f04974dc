"""Othello, Nine Men's Morris and Abalone for learning programs.

`VecEnv` steps many boards in one call, `State` is one game with its history. `pettingzoo` and `gymnasium` give environments
of those libraries. See docs/python.md for a guide in which every block runs.
"""

from __future__ import annotations

from ._trilith import ACTIONS, GAMES, OBSERVATION, State, VecEnv, symmetry_tables, write_games
from .data import export, position_arrays, read_games, read_positions
from .mcts import MCTS, selfplay
from .networks import Program, load_network, save_network, serve
from .numbers import action, from_action, symmetries
from .players import NetworkPlayer, analyse, book, explain, match, player, solve, tablebase, tournament

__all__ = [
    "ACTIONS",
    "GAMES",
    "MCTS",
    "NetworkPlayer",
    "OBSERVATION",
    "Program",
    "State",
    "VecEnv",
    "action",
    "analyse",
    "book",
    "explain",
    "export",
    "from_action",
    "gymnasium",
    "load_network",
    "match",
    "pettingzoo",
    "player",
    "position_arrays",
    "read_games",
    "read_positions",
    "save_network",
    "selfplay",
    "serve",
    "solve",
    "symmetries",
    "symmetry_tables",
    "tablebase",
    "tournament",
    "write_games",
]


def pettingzoo(game: str, rules: str = "", render_mode: str | None = None):
    """An AEC environment of PettingZoo, which must be installed."""
    from .pettingzoo_env import Environment

    return Environment(game, rules, render_mode)


def gymnasium(game: str, opponent="random", rules: str = "", seed: int = 1):
    """A Gymnasium environment for one agent; `opponent` is a player's spec or object. Sides change every game."""
    from .gymnasium_env import Environment

    return Environment(game, opponent, rules, seed)
