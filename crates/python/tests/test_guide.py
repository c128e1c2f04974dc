"""Every block of docs/python.md runs, in the order of the page."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def test_every_block_of_the_guide_runs(tmp_path, monkeypatch):
    pytest.importorskip("pettingzoo")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 9
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)


def test_the_tables_of_the_formats_are_right():
    import trilith

    page = (PAGE.parent / "formats.md").read_text()
    for game, name in [("othello", "Othello"), ("morris", "Morris"), ("abalone", "Abalone")]:
        shape = " x ".join(map(str, trilith.OBSERVATION[game]))
        assert f"| {name} | {shape} |" in page
        assert f"| {name} | {trilith.ACTIONS[game]:,} |" in page
