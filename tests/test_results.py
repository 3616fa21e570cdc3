"""What holds for the results of all games: data, one line, a table in a notebook."""

import copy
import importlib
import inspect
import json
import pickle
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from fractions import Fraction
from itertools import chain, pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    interop,
    pairs,
    play,
    redblack,
)
from cardgames_dp._results import tables
from cardgames_dp._results.records import Advice, Result
from cardgames_dp.game import Solution
from cardgames_dp.redblack import kinds, urns

from .games import Table
from .notebook_html import Page, html_of
from .results import NASTY, RESULTS, result

MODULES: list[ModuleType] = [
    *(cardgames_dp, cardrow, fitting, pairs, redblack),
    *(diagonal, exact, game, interop, kinds, play, urns),
]
OTHERS = {
    *(cardgames_dp.running, play.Position),
    *(pairs.FoldUpTo, pairs.HitBelow, pairs.SumBelow),
    *(redblack.StopAt, redblack.OptimalWithin),
    *(game.Game, game.ArrayGame, game.Explored, game.ExploredArrays),
    *(game.Layout, game.Names, interop.DecisionProcess),
    *(room.Rules for room in (cardrow, pairs, redblack)),
    *(room.State for room in (cardrow, pairs, redblack, urns)),
}
"""Public classes whose instances are rules, states, players or rows, not results."""

each = pytest.mark.parametrize("name", RESULTS)


def test_no_result_is_left_out() -> None:
    public = {
        member
        for module in MODULES
        for member in [getattr(module, name) for name in module.__all__]
        if inspect.isclass(member) and not issubclass(member, Exception)
    }
    assert public - OTHERS <= {type(result(name)) for name in RESULTS}
    modules = [
        importlib.import_module(info.name)
        for info in pkgutil.walk_packages(cardgames_dp.__path__, "cardgames_dp.")
        # Engines of `interop`, which is gone through, need other packages.
        if not info.name.startswith("cardgames_dp._interop.")
    ]
    with_tables = {
        cls
        for module in modules
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if "_repr_html_" in vars(cls) or inspect.isfunction(vars(cls).get("_table"))
    }
    assert with_tables <= {
        kind for name in RESULTS for kind in type(result(name)).mro()
    }


# Data
# ----


@each
def test_a_result_is_plain_data(name: str) -> None:
    made = result(name)
    plain = made.to_dict()
    assert isinstance(plain, dict)
    assert plain
    assert len(made.to_pandas())
    written = json.dumps(made.to_dict(json=True), allow_nan=False)
    assert json.loads(written) == made.to_dict(json=True)
    if type(made).to_dict is Result.to_dict:
        names = {item.name for item in fields(made) if item.repr}
        names |= {*made._derived}
        assert plain.keys() == names
        for field in names:
            value, there = getattr(made, field), plain[field]
            if isinstance(value, np.ndarray):
                assert repr(there) == repr(value.tolist())
            elif isinstance(value, int | float | Fraction | str):
                assert repr(there) == repr(value)


def arrays_of(thing: Any) -> Iterator[NDArray[Any]]:
    """Yield the arrays that a result shows, in whatever it holds."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple | list):
        yield from chain.from_iterable(map(arrays_of, thing))
    elif is_dataclass(thing):
        shown = [f.name for f in fields(thing) if not f.name.startswith("_")]
        yield from chain.from_iterable(arrays_of(getattr(thing, x)) for x in shown)


@each
def test_a_result_that_pickles_is_equal_to_itself(name: str) -> None:
    made = result(name)
    assert copy.copy(made) == made
    try:
        written = pickle.dumps(made)
    except (AttributeError, pickle.PicklingError) as error:
        told = str(error)  # a function given by the user, or a class of the tests
        assert "lambda" in told or NASTY in told
    else:
        read = pickle.loads(written)
        assert read == made
        for copied in (made, read, copy.deepcopy(made)):
            assert not any(array.flags.writeable for array in arrays_of(copied))


def public_dataclasses() -> Iterator[type]:
    for module in MODULES:
        for name in dir(module):
            actual = getattr(module, name)
            if isinstance(actual, type) and is_dataclass(actual):
                yield actual


@pytest.mark.parametrize(
    "kind", [*dict.fromkeys(public_dataclasses())], ids=lambda kind: kind.__name__
)
def test_results_are_frozen_and_say_so(kind: type) -> None:
    made: object = object.__new__(kind)
    for name in ["anything", "value", fields(kind)[0].name]:
        with pytest.raises(
            FrozenInstanceError, match=f"{kind.__name__} is frozen: cannot set '{name}'"
        ):
            setattr(made, name, 1)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete '{name}'"):
            delattr(made, name)


# In a line
# ---------


@each
def test_a_result_is_summed_up_in_a_line(name: str) -> None:
    made = result(name)
    text, kind = repr(made), type(made).__name__
    assert re.fullmatch(rf"{kind}\(\w+=.*\)", text)
    assert " at 0x" not in text
    assert "array" not in text
    assert len(text) < 250 + 2 * len(NASTY)
    assert str(made)


# In a notebook
# -------------


@each
def test_html_is_sound(name: str) -> None:
    made = result(name)
    text = html_of(made)
    if text is None:
        return
    page = Page(text)
    assert page.caption[0]
    assert len({len(row) for row in page.rows}) == 1
    # A heading without words heads nothing, and would be read aloud as one.
    assert all((tag == "th") == bool(words) for tag, words, _ in page.rows[0])
    assert page.texts
    assert len(text) < 15_000
    # The page's text colour and its own rules are left alone.
    assert "color:inherit" in text
    for style in page.styles:
        assert {part.split(":")[0] for part in style.split(";") if part} <= {
            *("margin", "overflow-x", "color", "border-spacing", "text-align"),
            *("font-variant-numeric", "background", "width", "height", "opacity"),
        }
    # What a mark means is said where there is one.
    if any(map(any, page.marks)):
        told = "\n".join(page.caption).lower()
        assert "marked " in told or "*: " in told
    if "<script" in repr(made):
        texts = chain(page.caption, page.head, *page.texts)
        assert any(NASTY in text or repr(NASTY) in text for text in texts)


TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]), max_size=60
) | st.sampled_from([NASTY, "&lt;", "</td>", "<!--", "]]>", "<?", "&#60", "\"'>"])


@given(TEXTS, st.lists(TEXTS, min_size=2, max_size=2), TEXTS, TEXTS, TEXTS, TEXTS)
def test_any_text_is_escaped(
    title: str, head: list[str], label: str, text: str, mark: str, note: str
) -> None:
    mark = mark[:40]  # a cell has at most 100 letters
    rows: list[list[object]] = [[label, text], [tables.Marked(text, mark)] * 2]
    page = Page(tables.Table(head, rows, [note], title).html(""))
    assert page.caption == [title, note]
    assert page.head == head
    assert page.texts == [[label, text], [text + mark] * 2]
    assert page.marks == [[False], [True, True]]


@pytest.mark.parametrize("length", [100, 101, 10_000])
def test_long_text_is_cut_before_it_is_escaped(length: int) -> None:
    made = tables.Table(["<" * length], [["<" * length]]).html("<" * 2000)
    cut = "<" * 100 if length == 100 else "<" * 99 + "…"
    assert Page(made).head == [cut]
    assert Page(made).texts == [[cut]]
    assert Page(made).caption == ["<" * 999 + "…"]


@given(st.integers(1, 10_000), st.integers(2, 50))
def test_spread(count: int, most: int) -> None:
    kept = tables.spread(count, most)
    assert (kept[0], kept[-1]) == (0, count - 1)
    assert len(kept) <= most + 1
    steps = np.diff(kept)
    assert len({*steps[:-1].tolist()}) <= 1
    assert (steps > 0).all()
    if count <= most:
        assert kept == list(range(count))
    elif count > 2:
        assert len(kept) > most / 2
        assert steps[-1] <= steps[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: redblack.solve(40, 40),
        lambda: redblack.solve(95, 30, backend="exact"),
        lambda: redblack.solve(7, 300, rules=redblack.Rules(3, 2, tie="draw")),
    ],
)
def test_stop_cells_are_marked(make: Callable[[], Solution[Any, Any, Any]]) -> None:
    table = make()
    page, totals = Page(html_of(table) or ""), table.table("total")
    stop = table.table("stop")
    stop[0, 0] = True  # the empty deck
    columns = page.head[1:]
    states = [[(int(row[0]), int(b)) for b in columns] for row in page.texts]
    assert page.marks == [[bool(stop[s]) for s in row] for row in states]
    assert [row[1:] for row in page.texts] == [
        [f"{float(totals[s]):.4g}" + "*" * bool(stop[s]) for s in row] for row in states
    ]


def test_a_large_deck_s_sheet_shows_stops_and_draws() -> None:
    """The corner at the full deck, 60 by 60, has no stop cell."""
    table = redblack.solve(400, 400)
    assert not table.table("stop")[-25:, -25:].all(axis=1).any()
    page = Page(html_of(table) or "")
    assert page.head[1:] == [str(black) for black in range(400, -1, -10)]
    assert 0.4 < np.mean(page.marks) < 0.6


# The largest ones: nothing is shown that grows with them.


def large_row(cards: int, players: int) -> Solution[Any, Any, Any]:
    rules = cardrow.Rules(players=players)
    return cardrow.solve(range(-(10**9) * cards, 0, 10**9), rules=rules)


def large_opening(ranks: int, players: int = 2) -> pairs.OpeningTable:
    shape = (ranks,) * players
    no, yes = (np.broadcast_to(x, shape) for x in (np.False_, np.True_))
    lead, scores = np.broadcast_to(np.float64(-1), shape), (0,) * players
    return pairs.OpeningTable(tuple(range(1, ranks + 1)), scores, no, no, lead, yes)


def large_states() -> Solution[Any, Any, Fraction]:
    states = [(i, NASTY * 100) for i in range(100)]
    rows: Any = {s: (0, {NASTY * 100: t, 0: t}) for s, t in pairwise(states)}
    rows[states[-1]] = "end", (Fraction(1, 3),) * 1000
    return exact.solve(Table(rows, states[0], 1000))


LARGE = "the first {0} rows and the last {0} columns of {1} shown"


@pytest.mark.parametrize(
    ("make", "note"),
    [
        (
            lambda: redblack.solve(600, 600),
            "41 of 601 rows and 41 of 601 columns shown",
        ),
        (lambda: large_row(500, 2), LARGE.format(20, 500)),
        (lambda: large_row(200, 25), LARGE.format(9, 200)),
        (lambda: large_row(50, 4000), LARGE.format(1, 50)),
        (lambda: large_opening(400), "(41 of 400 ranks shown)"),
        (lambda: large_opening(60, 3), "(19 of 3600 rows shown)"),
        (large_states, "(the first 20 of 100 states shown)"),
        (lambda: redblack.boundary(redblack.solve(600, 600)), None),
    ],
)
def test_html_of_the_largest_is_small(
    make: Callable[[], Any], note: str | None
) -> None:
    result = make()
    text = html_of(result) or ""
    assert len(text.encode()) < 95_000
    told = note or str(result).splitlines()[-1]
    assert told.strip("()") == Page(text).caption[-1].strip("()")


# Tables of plain text
# --------------------


def histogram(*given: Any) -> list[str]:
    return tables.table_of_shares(("lead", "chance"), *given).text().splitlines()


def test_shares_are_fractions_too_where_these_are_short() -> None:
    third = Fraction(1, 3)
    shares = [1 / 3, 2 / 3]
    assert histogram([0, 10], shares, [third, 1 - third]) == [
        "lead    chance  exact",
        "   0  0.333333    1/3",
        "  10  0.666667    2/3",
    ]
    floats = ["lead    chance", "   0  0.333333", "  10  0.666667"]
    long = Fraction(10**9, 3 * 10**9 + 1)  # it would make all of them hard to read
    for exactly in ((), ([long, 1 - long],)):
        assert histogram([0, 10], shares, *exactly) == floats
    # Where results share a row there is no fraction of the row.
    many = [Fraction(1, 200)] * 200
    lines = histogram(range(200), list(map(float, many)), many)
    assert lines[0].split() == ["lead", "chance"]
    assert lines[-1].startswith("(200 results, ")


# Advice
# ------


def test_worths_are_read_only() -> None:
    given = {"a": 1.0}
    advice, same = (
        Advice("a", ("a",), values, "here", 0, (1.0,), True, 0.0)
        for values in (given, {"a": 1.0})
    )
    given["a"] = 2.0
    assert advice.value == 1
    with pytest.raises(TypeError, match="does not support item assignment"):
        advice.values["a"] = 3  # type: ignore[index]
    assert hash(advice) == hash(same)


OF_USERS: list[Callable[[], Any]] = [
    lambda: redblack.Rules(fee=1),
    lambda: redblack.StopAt(2),
    lambda: redblack.OptimalWithin(loss=1),
    lambda: cardrow.Rules(take=2),
    lambda: play.Position(cardrow.solve([1, 5, 2])),
    lambda: pairs.Rules(deck=2),
    lambda: pairs.HitBelow(0.5, or_equal=True),
    lambda: play.Position(pairs.solve(pairs.Rules(deck=2, target=2))),
    lambda: pairs.game(pairs.Rules(deck=2, target=2)),
    lambda: play.Position(exact.solve(redblack.game(2, 2))),
    lambda: game.explore(redblack.game(2, 2)),
]


@pytest.mark.parametrize("make", [*RESULTS.values(), *OF_USERS])
def test_what_a_repr_tells_is_an_attribute(make: Callable[[], Any]) -> None:
    """By the name that it has there."""
    thing = make()
    text = repr(thing).partition("(")[2].removesuffix(")")
    while text != (text := re.sub(r"\([^()]*\)|\[[^][]*\]|'[^']*'|<[^<>]*>", "", text)):
        pass
    names = re.findall(r"(\w+)=", text)
    assert names
    assert [name for name in names if not hasattr(thing, name)] == []
