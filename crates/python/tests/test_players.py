"""Players, knowledge and matches."""

import pytest

import trilith
from shipped import GAMES


class First:
    """Plays the first legal move."""

    def choose(self, state):
        return state.legal_actions()[0]


def test_players_choose_legal_moves():
    for game in GAMES:
        state = trilith.State(game)
        for spec in ("random", "engine:depth=2,hash=1", First(), trilith.mcts.even(game)):
            assert trilith.player(spec).choose(state) in state.legal_actions()
    engine = trilith.player("engine:depth=2,hash=1")
    assert engine.choose(trilith.State("othello")) in (19, 26, 37, 44)
    assert engine.choose(trilith.State("abalone")) in trilith.State("abalone").legal_actions()
    with pytest.raises(ValueError, match="`random`?"):
        trilith.player("randm").choose(trilith.State("othello"))
    with pytest.raises(TypeError, match="is no player"):
        trilith.player(7)


def test_analyse_explain_and_solve():
    state = trilith.State("othello", moves="f5 f6 e6 f4")
    found = trilith.analyse(state, depth=6, lines=2)
    assert found["depth"] >= 6 and len(found["lines"]) == 2 and found["pv"][0] == found["move"]
    assert found["action"] == state.string_to_action(found["move"])
    terms = trilith.explain(state)
    assert terms["terms"] and isinstance(terms["total"], float)
    with pytest.raises(ValueError, match="does not search"):
        trilith.analyse(state, "random")
    end = trilith.State("othello", position="XXXXXXXX" * 6 + "XXXXXOO-" + "XXXXXO-- X")
    solved = trilith.solve(end, every=True)
    assert solved["score"] == max(solved["moves"].values()) and solved["best"] in solved["moves"]
    with pytest.raises(ValueError, match="expected one of othello"):
        trilith.solve(trilith.State("morris"))


def test_matches_between_texts_and_objects():
    report = trilith.match("othello", "minimax:depth=2", "random", games=20)
    assert report["games"] == 20 and report["wins"] > 14 and report["elo"] > 0 and sum(report["pairs"]) == 10
    report = trilith.match("othello", First(), "engine:depth=3,hash=1", games=10, sprt="0,50,0.05,0.05")
    assert report["games"] == 10 and report["losses"] > 5 and report["sprt"]["verdict"] in ("H0", "H1", "open")
    network = trilith.NetworkPlayer(trilith.mcts.even("othello"), simulations=60)
    report = trilith.match("othello", network, "random", games=10)
    assert report["wins"] > report["losses"], "a search that knows nothing but the rules beats chance"


def test_tables_and_books(tmp_path, monkeypatch):
    monkeypatch.setenv("TRILITH_HOME", str(tmp_path))
    tables = trilith.tablebase(folder=str(tmp_path / "tables"), stones=6)
    state = trilith.State("morris", position="ww1/3/3/6/w2/1bb/2b w 0 0")
    known = tables.probe(state)
    assert known["value"] == "win" and known["moves"][0]["plies"] == known["plies"] == 1
    with pytest.raises(ValueError):
        trilith.book(str(tmp_path / "none.book"))


def test_a_tournament_of_texts_and_objects():
    players = {"first": First(), "random": "random", "depth 2": "minimax:depth=2", "tree": trilith.NetworkPlayer(trilith.mcts.even("othello"), simulations=30)}
    table = trilith.tournament("othello", players, games=8)
    rows = {row["name"]: row for row in table["players"]}
    assert all(row["games"] == 24 and row["error"] > 0 for row in rows.values()) and len(rows) == 4
    assert sum(row["points"] for row in rows.values()) == 48
    assert table["cross"]["first"]["random"] + table["cross"]["random"]["first"] == 8
    assert rows["depth 2"]["elo"] > rows["random"]["elo"] and table["players"][0]["elo"] == max(row["elo"] for row in rows.values())
    with pytest.raises(ValueError, match="at least two players"):
        trilith.tournament("othello", {"alone": "random"})


@pytest.mark.parametrize("game", GAMES)
def test_objects_play_every_game(game):
    rules = {"morris": "quiet-plies=20", "abalone": "plies=30"}.get(game, "")
    report = trilith.match(game, First(), "random", games=4, rules=rules, openings="start")
    assert report["games"] == 4 and report["wins"] + report["draws"] + report["losses"] == 4


def test_a_player_that_cheats_is_named():
    class Cheat:
        def choose(self, state):
            return 0

    with pytest.raises(ValueError, match="game 0, .*Cheat.*not legal"):
        trilith.match("othello", Cheat(), "random", games=2)
    with pytest.raises(ValueError, match="random:PLIES"):
        trilith.match("othello", Cheat(), "random", games=2, openings="book.pgn")
