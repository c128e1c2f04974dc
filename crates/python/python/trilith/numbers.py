"""Action numbers as texts, and symmetries of observations and policies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ._trilith import ACTIONS, OBSERVATION, action_names, symmetry_tables


@lru_cache(maxsize=None)
def _names(game: str) -> list[str | None]:
    return action_names(game)


@lru_cache(maxsize=None)
def _numbers(game: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(_names(game)) if name is not None}


def action(game: str, text: str) -> int:
    """The number of a move as this program writes it, such as `d6xb4`, whatever the position."""
    try:
        return _numbers(game)[text.strip().lower()]
    except KeyError:
        raise ValueError(f"`{text}` is no move of {game}: expected one such as `{from_action(game, 0)}`") from None


def from_action(game: str, number: int) -> str:
    """The move that a number stands for, as text."""
    names = _names(game)
    name = names[number] if 0 <= number < len(names) else None
    if name is not None:
        return name
    if 0 <= number < len(names):
        raise ValueError(f"action {number} of {game} stands for no move")
    raise ValueError(f"action {number}: {game} has 0 to {len(names) - 1}")


@lru_cache(maxsize=None)
def _tables(game: str):
    return symmetry_tables(game)


def symmetries(game: str, obs, policy=None):
    """All images of observations `[..., C, H, W]`, and of policies or masks `[..., A]`: `(S, ...)` arrays, the originals first."""
    places, actions = _tables(game)
    planes, rows, columns = OBSERVATION[game]
    obs = np.asarray(obs)
    if obs.shape[-3:] != (planes, rows, columns):
        raise ValueError(f"observations of {game} end in {(planes, rows, columns)}, not {obs.shape[-3:]}")
    flat = obs.reshape(*obs.shape[:-2], rows * columns)
    images = np.stack([flat[..., table] for table in places]).reshape(len(places), *obs.shape)
    if policy is None:
        return images
    policy = np.asarray(policy)
    if policy.shape[-1] != ACTIONS[game]:
        raise ValueError(f"policies of {game} end in {ACTIONS[game]}, not {policy.shape[-1]}")
    return images, np.stack([policy[..., table] for table in actions])
