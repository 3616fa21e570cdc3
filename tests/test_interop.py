"""What goes to other packages, as far as it needs none of them.

With them, `tests/interop` holds it against what they find.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames_dp import TooLargeError, explored, interop, redblack
from cardgames_dp._labels import labels
from cardgames_dp.game import GameError, TooManyStatesError

from .written import Cards, RedBlack, Table, games

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


def test_efg_of_a_game_with_shared_states() -> None:
    """Each history is a node; an outcome of Gambit is a terminal state."""
    assert interop.to_efg(SHARED, title="Shared").splitlines() == [
        'EFG 2 R "Shared" { "Player 1" "Player 2" }',
        '""',
        "",
        'p "" 1 1 "" { "left" "right" "also" } 0',
        'c "" 1 "" { "end" 1/3 "other" 2/3 } 0',
        't "" 1 "" { 1/3, -2 }',
        'p "" 2 1 "" { "1" "\'1\'" } 0',
        't "" 1 "" { 1/3, -2 }',
        't "" 2 "" { 0, 0 }',
        't "" 1 "" { 1/3, -2 }',
        't "" 1 "" { 1/3, -2 }',
    ]


def test_outcomes_without_weight_are_no_nodes() -> None:
    """An explored game that is given other weights may have them."""
    game = explored.explore(SHARED)
    always = game.with_weights(lambda _: [(1, "other")])
    assert len(interop.to_efg(game).splitlines()) == 11
    luck = 'c "" 1 "" { "other" 1 } 0'
    assert interop.to_efg(always).splitlines()[4] == luck
    assert len(interop.to_efg(always).splitlines()) == 10


@pytest.mark.parametrize(
    ("title", "written"),
    [('say "x"', "say 'x'"), ("a\\b\n", "a/b?"), ("♥ é", "&#9829; &#233;"), ("", "")],
)
def test_titles_are_what_gambit_reads(title: str, written: str) -> None:
    text = interop.to_efg(Table({0: ("end", [1])}), title=title)
    assert text == f'EFG 2 R "{written}" {{ "Player 1" }}\n""\n\nt "" 1 "" {{ 1 }}\n'


@given(games())
def test_nodes_are_counted_before_they_are_made(game: Table) -> None:
    nodes = len(interop.to_efg(game).splitlines()) - 3
    assert interop.to_efg(game, max_nodes=nodes)
    if nodes > 1:
        with pytest.raises(TooLargeError, match=f"has {nodes} histories.*={nodes - 1}"):
            interop.to_efg(game, max_nodes=nodes - 1)


def test_hopeless_trees_are_refused_at_once() -> None:
    message = r"has about 9e59 histories, .* its 30601 states are solved"
    with pytest.raises(TooLargeError, match=message):
        interop.to_efg(redblack.Rules().game(100, 100))


@pytest.mark.parametrize("convert", [interop.to_efg, interop.to_open_spiel])
@pytest.mark.parametrize(
    ("game", "options", "kind", "message"),
    [
        (3, {}, TypeError, "game must have the members of"),
        (
            Cards(1, 1),
            {},
            TypeError,
            "game must be a Game, or an Explored, not",
        ),
        (RedBlack, {}, TypeError, "game must be an instance"),
        (
            RedBlack(1, 1),
            {"max_states": 0},
            ValueError,
            "max_states must be an integer",
        ),
        (RedBlack(1, 1), {"max_states": 3}, TooManyStatesError, "max_states=3 allows"),
        (Table({0: (0, {"a": 0})}), {}, GameError, "must be acyclic"),
    ],
)
def test_refusals(
    convert: Callable[..., Any],
    game: Any,
    options: dict[str, Any],
    kind: type[Exception],
    message: str,
) -> None:
    if convert is interop.to_open_spiel:
        pytest.importorskip("pyspiel")
    with pytest.raises(kind, match=message):
        convert(game, **options)


@pytest.mark.parametrize(
    ("convert", "options", "kind", "message"),
    [
        (interop.to_efg, {"max_nodes": 0}, ValueError, "max_nodes must be an integer"),
        (interop.to_efg, {"title": 3}, TypeError, "title must be a str, got 3 of type"),
        (interop.to_open_spiel, {"name": 3}, TypeError, "name must be a str, got 3 of"),
        (interop.to_open_spiel, {"progress": 3}, TypeError, "progress must be True or"),
        (interop.from_open_spiel, {"max_states": 0.5}, TypeError, "max_states must be"),
        (interop.from_open_spiel, {"key": "str"}, TypeError, "key must be a callable"),
    ],
)
def test_arguments(
    convert: Callable[..., Any],
    options: dict[str, Any],
    kind: type[Exception],
    message: str,
) -> None:
    with pytest.raises(kind, match=message):
        convert(SHARED, **options)


@pytest.mark.parametrize(
    ("call", "package", "extra"),
    [
        (lambda: interop.to_gambit(SHARED), "pygambit", "gambit"),
        (lambda: interop.to_open_spiel(SHARED), "pyspiel", "openspiel"),
        (lambda: interop.from_open_spiel("nim"), "pyspiel", "openspiel"),
    ],
)
def test_a_neighbour_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[], Any], package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for name in ("reading", "writing"):
        monkeypatch.delitem(sys.modules, f"cardgames_dp._interop.{name}", raising=False)
        monkeypatch.delattr(f"cardgames_dp._interop.{name}", raising=False)
    message = rf"needs {package}: python3 -m pip install 'cardgames_dp\[{extra}\]'"
    with pytest.raises(ModuleNotFoundError, match=message):
        call()


@given(st.lists(st.text() | st.integers() | st.tuples(st.text())))
def test_labels_are_different_lines(things: list[object]) -> None:
    found = labels(things)
    assert len(set(found)) == len(found) == len(things)
    assert all(text == " ".join(text.split()) != "" for text in found)


@pytest.mark.parametrize(
    ("things", "expected"),
    [
        (["a", 1, (2, "b")], ["a", "1", "(2, 'b')"]),
        (["1", 1], ["'1'", "1"]),
        ([1, 1.0, "x"], ["1", "1.0", "x"]),
        (["a", "a"], ["1: 'a'", "2: 'a'"]),
        (["", " a\n b"], ["-", "a b"]),
        ([], []),
    ],
)
def test_labels(things: list[object], expected: list[str]) -> None:
    assert labels(things) == expected
