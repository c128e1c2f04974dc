"""Files of games and positions, written, read and exported."""

import numpy as np
import pytest

import trilith
from shipped import GAMES
from trilith.mcts import even

RULES = {"othello": "", "morris": "quiet-plies=30", "abalone": "belgian-daisy,plies=30"}


def played(game, tmp_path):
    """A file of games of a network against itself, and the batch they come from."""
    rules = RULES[game]
    batch = next(trilith.selfplay(game, even(game), rules=rules, games=8, simulations=8, batch=64, samples=200, tables="off"))
    values = [batch["value"][batch["game"] == number].tolist() for number in dict.fromkeys(batch["game"].tolist())]
    path = tmp_path / f"{game}.games"
    trilith.write_games(path, game, batch["moves"], rules, values, random=2)
    return path, batch


@pytest.mark.parametrize("game", GAMES)
def test_written_games_come_back(game, tmp_path):
    pytest.importorskip("pyarrow")
    path, batch = played(game, tmp_path)
    table = trilith.read_games(path)
    assert table.schema.metadata[b"game"] == game.encode()
    assert table["moves"].to_pylist() == batch["moves"]
    for row in table.to_pylist():
        state = trilith.State(game, row["rules"])
        for text, action in zip(row["moves"], row["actions"]):
            assert state.string_to_action(text) == action
            state.apply_action(action)
        assert state.is_terminal() and state.returns()[0] == row["result"]
        sign = 1 if len(row["moves"]) % 2 == 0 else -1
        assert game != "abalone" or row["margin"] == sign * state.margin()
        assert np.isnan(row["values"][:2]).all() and np.abs(row["values"][2:]).max() <= 1 and row["random"] == 2
    assert trilith.read_games([path, path]).num_rows == 2 * table.num_rows


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_those_of_the_games(game, tmp_path):
    path, batch = played(game, tmp_path)
    rows = trilith.position_arrays(path)
    assert len(rows["game"]) == len(batch["result"]) and rows["obs"].shape == batch["obs"].shape
    # Games in a file come in the order of the batch's `moves`.
    order = np.concatenate([np.flatnonzero(batch["game"] == number) for number in dict.fromkeys(batch["game"].tolist())])
    assert (rows["obs"] == batch["obs"][order]).all() and (rows["result"] == batch["result"][order]).all()
    assert (rows["ply"] == batch["ply"][order]).all()
    searched = rows["random"] == 0
    np.testing.assert_allclose(rows["value"][searched], batch["value"][order][searched], atol=2e-3)
    assert np.isnan(rows["value"][~searched]).all() and np.isnan(rows["evaluation"]).all()
    for at in range(0, len(rows["game"]), 17):
        state = trilith.State(game, rows["rules"][at], position=rows["position"][at])
        assert (state.observation_tensor() == rows["obs"][at]).all()
        assert state.string_to_action(rows["move"][at]) == rows["action"][at]
        assert rows["to_play"][at] == rows["ply"][at] % 2


@pytest.mark.parametrize("game", GAMES)
def test_exports_hold_the_same(game, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, _ = played(game, tmp_path)
    rows = trilith.position_arrays(path)
    table = trilith.read_positions(path)
    count = len(rows["game"])
    assert table.num_rows == count and (table["obs"].combine_chunks().to_numpy_ndarray() == rows["obs"]).all()

    assert trilith.export(path, tmp_path / "positions.npz") == count
    arrays = np.load(tmp_path / "positions.npz", allow_pickle=False)
    assert sorted(arrays.files) == sorted(rows)
    for name, column in rows.items():
        assert arrays[name].dtype == column.dtype or arrays[name].dtype.kind == "S"
        np.testing.assert_array_equal(arrays[name].astype(column.dtype), column)

    assert trilith.export([path, path], tmp_path / "positions.parquet") == 2 * count
    read = parquet.read_table(tmp_path / "positions.parquet")
    assert read.num_rows == 2 * count and read.column_names == list(rows)
    assert read["position"].type == arrow.string() and read["game"].type == arrow.int64()
    for name in rows:
        if name == "obs":
            obs = np.frombuffer(b"".join(read["obs"].to_pylist()), np.uint8)
            assert (obs.reshape(2, *rows["obs"].shape) == rows["obs"]).all()
        elif name != "game":
            np.testing.assert_array_equal(read[name].to_numpy(), np.tile(rows[name], 2))
    assert read["game"].to_numpy().max() == 2 * (rows["game"].max() + 1) - 1
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []


def test_wrong_files_and_games_are_named(tmp_path):
    (tmp_path / "text.games").write_text("something else")
    with pytest.raises(ValueError, match="trilith games"):
        trilith.position_arrays(tmp_path / "text.games")
    with pytest.raises(ValueError, match="no-such-file"):
        trilith.position_arrays(tmp_path / "no-such-file")
    with pytest.raises(ValueError, match="game 0: it has not ended"):
        trilith.write_games(tmp_path / "a.games", "othello", [["f5"]])
    with pytest.raises(ValueError, match="game 0: .*a1"):
        trilith.write_games(tmp_path / "a.games", "othello", [["a1"]])
    path, _ = played("othello", tmp_path)
    with pytest.raises(ValueError, match="expected `parquet` or `npz`"):
        trilith.export(path, tmp_path / "positions.csv")
    other, _ = played("abalone", tmp_path)
    with pytest.raises(ValueError, match="not a file of othello games"):
        trilith.position_arrays([path, other])
    bytes_ = path.read_bytes()
    path.write_bytes(bytes_[:-5])
    with pytest.warns(UserWarning, match="cut off"):
        trilith.position_arrays(path)
