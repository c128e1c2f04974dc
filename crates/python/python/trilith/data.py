"""Files of games and positions as tables; the same columns as `trilith data export` writes."""

from __future__ import annotations

import os

import numpy as np

from . import _trilith

TEXTS = ("rules", "position", "move")


def _paths(files) -> list[str]:
    return [os.fspath(files)] if isinstance(files, (str, os.PathLike)) else [os.fspath(file) for file in files]


def position_arrays(files) -> dict[str, np.ndarray]:
    """The positions of a file, or of several of one game, as arrays by column; texts are arrays of `str`."""
    blocks = _trilith.position_blocks(_paths(files))
    if not blocks:
        return {}
    return {name: np.concatenate([np.asarray(block[name], dtype=str if name in TEXTS else None) for block in blocks])
            for name in blocks[0]}


def read_positions(files):
    """The positions of a file of games or judged positions, or of several of one game, as an Arrow table.

    A row a position; numbers are for the side to move. `obs` is a tensor column:
    `table["obs"].combine_chunks().to_numpy_ndarray()` gives `u8[n, C, H, W]`. docs/python.md describes the columns.
    """
    arrow = _arrow()

    def column(name, part):
        return arrow.FixedShapeTensorArray.from_numpy_ndarray(part) if name == "obs" else arrow.array(part)

    blocks = _trilith.position_blocks(_paths(files))
    tables = [arrow.table({name: column(name, part) for name, part in block.items()}) for block in blocks]
    return arrow.concat_tables(tables) if tables else arrow.table({})


def read_games(files):
    """The games of a file, or of several of one game, as an Arrow table: a row a game.

    `rules`; `moves` and `actions`, the plies as texts and numbers; `values`, the result that the search expected at each ply for
    the side to move, NaN where there was none; `random`, how many of the first plies were drawn by lot; `result` and `margin` for
    the side that began.
    """
    arrow = _arrow()
    types = {"rules": arrow.string(), "moves": arrow.list_(arrow.string()), "actions": arrow.list_(arrow.int32()),
             "values": arrow.list_(arrow.float32()), "random": arrow.int32(), "result": arrow.float32(), "margin": arrow.float32()}
    tables, name = [], None
    for path in _paths(files):
        game, lists = _trilith.game_lists(path)
        if name not in (None, game):
            raise ValueError(f"{path}: games of {game} among games of {name}")
        name = game
        tables.append(arrow.table({key: arrow.array(lists[key], kind) for key, kind in types.items()}))
    table = arrow.concat_tables(tables) if tables else arrow.table({})
    return table.replace_schema_metadata({"game": name or ""})


def export(files, out) -> int:
    """Writes positions as `.parquet` or `.npz`, by the ending of `out`; how many rows."""
    return _trilith.export_positions(_paths(files), os.fspath(out))


def _arrow():
    try:
        import pyarrow
    except ImportError:
        raise ImportError("tables need pyarrow (`pip install pyarrow`); `position_arrays` does without") from None
    return pyarrow
