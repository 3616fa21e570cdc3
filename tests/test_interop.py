"""What goes to other packages, as far as it needs none of them.

With them, `tests/interop` holds it against what they find.
"""

import pickle
import sys
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, exact, interop, play
from cardgames_dp._results.records import plain
from cardgames_dp._support.printing import labels

from .games import RedBlack, Table, games
from .refusals import game_error, refuses, type_error, value_error

SHARED = Table(
    {
        "start": (0, {"left": "luck", "right": "end", "also": "end"}),
        "luck": ("chance", [(1, "end"), (2, "other"), (0, "never")]),
        "other": (1, {1: "end", "1": "lost"}),
        "end": ("end", [Fraction(1, 3), -2]),
        "lost": ("end", [0, 0]),
    },
    "start",
    2,
)


ROUND = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})


def efg(nodes: str) -> Any:
    """Return the game of a text of Gambit, given without its first line."""
    return interop.from_efg(f'EFG 2 R "" {{ "Ann" "Bob" }}\n{nodes}')


def test_outcomes_without_weight_are_no_nodes() -> None:
    """A player whose policy is known is chance, and takes some actions never."""
    result = play.best_response(SHARED, [lambda _: "left", None], 1)
    lines = interop.to_efg(result.solution.explored).splitlines()
    assert lines[3] == 'c "" 1 "" { "luck" 1 } 0'
    assert len(lines) == 9


@given(games())
def test_nodes_are_counted_before_they_are_made(game: Table) -> None:
    nodes = len(interop.to_efg(game).splitlines()) - 3
    assert interop.to_efg(game, max_nodes=nodes)
    if nodes > 1:
        with pytest.raises(TooLargeError, match=f"has {nodes} histories.*={nodes - 1}"):
            interop.to_efg(game, max_nodes=nodes - 1)


def test_hopeless_trees_are_refused_at_once() -> None:
    message = r"has about 1.1e36 histories, .* its 11162 states are solved"
    with pytest.raises(TooLargeError, match=message):
        interop.to_efg(RedBlack(60, 60))


@pytest.mark.parametrize(
    ("call", "package", "extra"),
    [
        (lambda: interop.to_open_spiel(SHARED), "pyspiel", "openspiel"),
        (lambda: interop.from_open_spiel("nim"), "pyspiel", "openspiel"),
    ],
)
def test_a_neighbour_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[], Any], package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for name in ("from_open_spiel", "to_open_spiel"):
        monkeypatch.delitem(sys.modules, f"cardgames_dp._interop.{name}", raising=False)
        monkeypatch.delattr(f"cardgames_dp._interop.{name}", raising=False)
    message = rf"needs {package}: python3 -m pip install 'cardgames_dp\[{extra}\]'"
    with pytest.raises(ModuleNotFoundError, match=message):
        call()


# What comes from Gambit
# ----------------------

ALL_OF_IT = r"""EFG 2 R "All of
the \"format\" {here}" { "Ann, the first" "Bob" }
"A comment,
t 1 of two lines"
c "toss" 7 "luck" { "heads" 0.25 "tails" 3/4 "edge" 0 } 1 "entry" { -1 -.5 }
  p "" 1 12 "stake" { "" "low" "low" } 0
    t "" 2 "small" { 1/3, 2.50 }
    p "inner" 2 3 "" {"yes" "no"}9"bonus"{+1e1,-2.5E-1}
      t "" 2
      c "" 7 0 t "" 0 t "" 4 "" { 5. 6 } t "" 3 "" { 100, 100 }
    t "" 4
  t "" 2 "small" { 1/3, 5/2 }
  p "" 2 12 "never" { "go" } 4
    t "" 0
"""
"""All that the format has: texts of two lines, with quotes; numbers of all kinds; what
is named by its number, before which it was described; payoffs on the way, and none."""


@pytest.mark.parametrize("text", [ALL_OF_IT, ALL_OF_IT.replace("\n", "\r\n")])
def test_all_of_the_format_of_gambit(text: str) -> None:
    """Heads: Bob takes the bonus for Ann away, or has chance decide once more."""
    game = interop.from_efg(text)
    assert game.num_players == 2
    assert game.chance_outcomes(()) == [(1, ("heads",)), (3, ("tails",))]
    assert game.legal_actions(("heads",)) == ("1: ''", "2: 'low'", "3: 'low'")
    inner = "heads", "2: 'low'"
    assert (game.current_player(inner), game.num_states) == (1, 10)
    third = Fraction(1, 3)
    payoffs = {
        ("tails",): (third - 1, 2),
        ("heads", "1: ''"): (third - 1, 2),
        ("heads", "3: 'low'"): (4, Fraction(11, 2)),
        (*inner, "yes"): (9 + third, Fraction(7, 4)),
        (*inner, "no", "heads"): (9, Fraction(-3, 4)),
        (*inner, "no", "tails"): (14, Fraction(21, 4)),
    }
    assert {path: game.returns(path) for path in payoffs} == payoffs
    solution = exact.solve(game)
    assert solution.policy[inner] == "no"
    # Ann gets 51/4 after "no", and less otherwise.
    assert solution.payoffs_at(inner) == (Fraction(51, 4), Fraction(15, 4))
    assert solution.value == Fraction(51, 16) + (third - 1) * 3 / 4


def test_a_file_of_gambit(tmp_path: Path) -> None:
    game = interop.from_efg(ALL_OF_IT)
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        file = tmp_path / f"{encoding}.efg"
        file.write_text(ALL_OF_IT.replace("Bob", "Zo\u00e9"), encoding=encoding)
        for source in (file, str(file)):
            assert interop.from_efg(source) == game


@given(games(max_players=3))
def test_what_gambit_reads_is_read_here(game: Table) -> None:
    there = interop.from_efg(interop.to_efg(game, title="A title"))
    assert exact.solve(there).payoffs == exact.solve(game).payoffs
    assert pickle.loads(pickle.dumps(there)) == there


def deep(turns: int) -> Any:
    """Return a tree with a player who may stop at each move."""
    nodes = [f'p "" 1 {i} "" {{ "stop" "go" }} 1 t "" 0' for i in range(1, turns + 1)]
    text = 'EFG 2 R "" { "Ann" }\n' + "\n".join([*nodes, 't "" 0'])
    return interop.from_efg(text.replace("} 1 t", '} 1 "" { 1 } t', 1))


def test_a_deep_tree() -> None:
    """Deeper than Python's stack."""
    game = deep(2000)
    assert exact.solve(game).value == 2000
    state = ("go",) * 1999
    path = game.next_state(state[1:], "go")
    assert path == state
    assert (repr(path), path[-1], len(path)) == (repr(state), "go", 1999)
    assert {path: 1}[state] == {state: 1}[path] == 1
    assert path != state[1:]
    assert path != "go"
    assert plain([path], json=True) == [[*state]]


def test_the_memory_of_a_deep_tree_is_linear() -> None:
    """The states of a chain were tuples of all labels, of which each has its own."""
    peaks = []
    for turns in (500, 2000):
        tracemalloc.start()
        deep(turns)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0]


WORDS = st.text("a1 \n-", max_size=3)


@given(st.lists(WORDS | st.integers(0, 3) | st.tuples(WORDS), max_size=6))
def test_labels_are_different_lines(things: list[object]) -> None:
    result = labels(things)
    assert len(set(result)) == len(result) == len(things)
    assert all(text == " ".join(text.split()) != "" for text in result)


def test_what_goes_to_other_packages_and_comes_from_them() -> None:
    game_error("Gambit, which has trees", interop.to_efg, Table({0: (0, {"a": 0})}))
    type_error("title must be a str", interop.to_efg, ROUND, title=3)
    type_error("solution must be a Solution", interop.to_html, 3, "page.html")
    type_error(
        "label must be a function of a state, or None",
        interop.to_html,
        exact.solve(RedBlack(1, 1)),
        "page.html",
        label="board",
    )
    value_error(
        "the game must have a state in which a player moves",
        interop.to_html,
        exact.solve(Table({0: ("end", [1])})),
        "page.html",
    )
    type_error("source must be the text of an .efg file, or", interop.from_efg, ROUND)
    refuses(FileNotFoundError, "[Errno 2] No such", interop.from_efg, "nowhere.efg")


def test_texts_that_are_no_games_of_gambit() -> None:
    game_error("perfect information", efg, 'p "" 1 1 "" {"a"} 0 p "" 1 1 "" {"a"} 0')
    game_error("probabilities must be at least", efg, 'c "" 1 "" { "a" .5 "b" .4 } 0')
    game_error("the game must have at", interop.from_efg, 'EFG 2 R "" { } t "" 0')
    value_error("file, with EFG 2 R at its beginning in line 1", interop.from_efg, "")
    value_error("with the title of the game in line 1", interop.from_efg, "EFG 2 R x")
    value_error("an .efg file, with { in line 1", interop.from_efg, 'EFG 2 R "" "A"')
    value_error("source must be the text of an .efg file, with a node", efg, "")
    value_error("source must be the text of an .efg file, with the name", efg, "t 3")
    value_error("the number of a player, from 1 to 2, in line 3", efg, '\np "" 3 1')
    value_error("a description of information set 1 in line 2", efg, 'p "" 1 1 0')
    value_error("with the label of an action in line 2", efg, 'p "" 1 1 "" { } 0')
    value_error("with a description of move 1 of chance in line 2", efg, 'c "" 1 0')
    value_error(".efg file, with a probability in line 2", efg, 'c "" 1 "" { "a" "b"')
    value_error("source must be the", efg, 'c "" 1 "" {"a" 1} 0 c "" 1 "" {"b" 1} 0')
    value_error(".efg file, with the number of an outcome in line 2", efg, 't "" x')
    value_error(".efg file, with a description of outcome 1 in line 2", efg, 't "" 1')
    value_error("payoffs of outcome 0 as before in line 2", efg, 't "" 0 "" { 1 2 }')
    value_error("with a payoff for each player in line 2", efg, 't "" 1 "" { 1 }')
    value_error("text of an .efg file, with } in line 2", efg, 't "" 1 "" { 1 2 3 }')
    value_error("of at most 4300 digits in line 2", efg, 't "" 1 "" { 1e99999 2 }')
    value_error("with nothing after the last node in line 2", efg, 't "" 0 t "" 0')
