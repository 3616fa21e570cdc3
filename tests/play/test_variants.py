"""Variants of a game by parameters: against solving them one by one."""

import operator
import re
from collections.abc import Callable
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import GameError, explore

from ..games import Cards, Listed, Pig, RedBlack, Table, games


def deck(red: Any, fee: Any) -> Any:
    return redblack.game(red, 3, rules=redblack.Rules(fee=fee))


def pig(goal: int, faces: int) -> Any:
    return Pig(goal, faces, idle=False)


@given(
    drawn=st.lists(games(max_states=8, max_players=3), min_size=1, max_size=4),
    solve=st.sampled_from([exact.solve, diagonal.solve]),
    form=st.sampled_from([lambda game: game, explore, Listed]),
)
def test_games_that_have_little_in_common(drawn: Any, solve: Any, form: Any) -> None:
    table = play.variants(
        lambda number: form(drawn[number]), number=range(len(drawn)), solve=solve
    )
    alone = [solve(form(game)) for game in drawn]
    assert len(table) == len(drawn)
    assert [*table] == [*range(len(drawn))] == [*table.combinations]
    assert [table[i] for i in table] == alone == [*table.solutions.values()]
    assert [*table.values.values()] == [each.value for each in alone]
    for i, j in product(table, repeat=2):
        mine, its = alone[i].optimal_actions, alone[j].optimal_actions
        assert table.changed(i, j) == {
            state: (mine[state], its[state])
            for state in mine
            if state in its and not {*mine[state]} & {*its[state]}
        }
    frame = table.to_pandas()
    changes = [len(table.changed(i - 1, i)) for i in range(1, len(drawn))]
    if len(drawn) > 1:
        assert frame["changed"].tolist()[1:] == changes
    assert len(str(table).splitlines()) == 1 + len(drawn) + bool(changes)


def test_the_last_axis_is_the_fastest(executor: Executor) -> None:
    table = play.variants(deck, red=[3, 4], fee=["1/5", 0])
    assert table.axes == ("red", "fee")
    assert [*table] == [(3, "1/5"), (3, 0), (4, "1/5"), (4, 0)]
    for key in table:
        assert table[key] == exact.solve(deck(*key))
    # A process may not be able to import this module, so it gets a function of another.
    spread = play.variants(redblack.game, red=[3, 4], black=[1, 2], executor=executor)
    assert [*spread] == [(3, 1), (3, 2), (4, 1), (4, 2)]
    for key in spread:
        assert spread[key] == exact.solve(redblack.game(*key))
    other = play.variants(deck, fee=["1/5", 0], red=[3, 4])
    assert [*other][:2] == [("1/5", 3), ("1/5", 4)]
    assert other["1/5", 4] == table[4, "1/5"]


def test_axes_of_many_kinds() -> None:
    """Arrays hold NumPy's numbers, which become Python's, and dice are tuples."""
    table = play.variants(deck, red=np.arange(2, 4), fee=(x for x in [Fraction(1, 5)]))
    assert [type(red) for red, _ in table] == [int, int]
    dice = {"fair": (1, 1), "bent": (1, 3)}
    coins = play.variants(
        lambda coin: Table(
            {
                0: ("chance", [*zip(dice[coin], (1, 2), strict=True)]),
                1: ("end", [0]),
                2: ("end", [1]),
            }
        ),
        coin=dice,
    )
    assert coins.values == {"fair": Fraction(1, 2), "bent": Fraction(3, 4)}


def test_games_with_loops_and_two_players() -> None:
    table = play.variants(pig, solve=diagonal.solve, goal=[5, 9], faces=[3, 6])
    for key in table:
        assert table[key].payoffs == diagonal.solve(pig(*key)).payoffs
    head = str(table).splitlines()[0].split("  ")
    assert [x.strip() for x in head if x] == [
        *("goal", "faces", "player 0", "player 1", "best at the start", "changed")
    ]
    frame = table.to_pandas()
    assert frame.index.names == ["goal", "faces"]
    assert frame["player 1"].tolist() == [table[key].payoffs[1] for key in table]


@pytest.mark.parametrize(
    "solve",
    [
        lambda game: play.best_response(game, [None], 0, backend="exact"),
        partial(exact.solve, tie_break="last"),
        lambda game: play.evaluate(game, "never_stop", backend="exact"),
    ],
)
def test_other_ways_to_solve(solve: Callable[[Any], Any]) -> None:
    table = play.variants(deck, red=[2, 3], fee=[0], solve=solve)
    for key in table:
        assert table[key].value == solve(deck(*key)).value
    assert str(table)


def test_what_is_refused_is_a_row() -> None:
    table = play.variants(deck, fee=[0, -1], red=[3, -2])
    assert [*table.solutions] == [(0, 3)]
    assert [*table.refused] == [(0, -2), (-1, 3), (-1, -2)]
    assert table.refused[-1, 3].startswith("fee must be a finite int")
    assert table.refused[0, -2] == "red must be an integer >= 0, got -2"
    rows = str(table).splitlines()
    assert rows[2].split(maxsplit=2)[2] == table.refused[0, -2]
    assert rows[3].endswith("…")
    with pytest.raises(KeyError, match=r"variant \(0, -2\) was refused: red must be"):
        table[0, -2]
    with pytest.raises(KeyError, match="was refused"):
        table.changed((0, 3), (-1, 3))
    stuck = play.variants(
        lambda state: Table({state: (0, {"on": state})}, state), state=[2]
    )
    with pytest.raises(GameError, match=re.escape(stuck.refused[2])):
        exact.solve(Table({2: (0, {"on": 2})}, 2))
    assert "refused" in str(stuck)


def test_large_games_are_not_compared() -> None:
    """Neither explored: these have solvers of their own."""
    large = play.variants(
        lambda cards: redblack.game(cards, cards),
        cards=[3, 2000],
        solve=diagonal.solve,
    )
    assert "changed" not in large.to_pandas()
    assert str(large).endswith(
        "(changes are not counted: over 100000 states; see changed)"
    )
    small = play.variants(lambda cards: redblack.game(cards, 9), cards=[3, 9])
    assert "changed" in small.to_pandas()


# Pictures
# --------


def test_a_picture_has_a_line_for_the_other_axes() -> None:
    table = play.variants(deck, red=[3, 2], fee=[0, "1/5", -1])
    ax: Any = table.plot()
    assert (ax.get_xlabel(), ax.get_title()) == ("red", "Value by red")
    assert [line.get_label() for line in ax.lines] == ["fee=0", "fee=1/5", "fee=-1"]
    for line, fee in zip(ax.lines, (0, "1/5"), strict=False):
        right = [[red, float(table[red, fee].value)] for red in (2, 3)]
        assert line.get_xydata().tolist() == right
    assert np.isnan(ax.lines[2].get_xydata()[:, 1]).all()
    assert len({(line.get_marker(), line.get_color()) for line in ax.lines}) == 3
    # Of two axes of numbers, that which has several.
    assert play.variants(deck, red=[3], fee=[0, 1]).plot(ax) is ax
    assert ax.get_xlabel() == "fee"
    one = play.variants(lambda red: RedBlack(red, 2), red=[1, 2]).plot()
    assert one.get_legend() is None
    for kind in ("0", False):
        words = play.variants(lambda **kind: RedBlack(1, 1), kind=[kind])
        with pytest.raises(ValueError, match="needs an axis of numbers, got kind only"):
            words.plot()


# What is refused
# ---------------


def no_name(*red: Any) -> Any:
    return RedBlack(*red)


AXES: dict[str, Any] = {"red": [3], "fee": [0]}
REFUSED: list[tuple[Any, Any, type[Exception], str]] = [
    (3, {"red": [1]}, TypeError, "make must be a function that returns a game, got 3"),
    (deck, {}, TypeError, r"variants needs an axis, such as fee=\[0, 1\], got none"),
    (
        deck,
        {"red": [1], "fees": [1]},
        TypeError,
        "make must take the axes by name, red, fees, and nothing else: got an "
        r"unexpected keyword argument 'fees'; it is deck\(red: Any, fee: Any\)",
    ),
    (deck, {"red": [1]}, TypeError, "missing a required argument: 'fee'; it is deck"),
    (no_name, {"red": [1]}, TypeError, "argument 'red'; it is no_name"),
    (deck, AXES | {"red": "12"}, TypeError, "axis red must be an iterable of values"),
    (deck, AXES | {"red": 3}, TypeError, "axis red must be .* got 3 of type int"),
    (deck, AXES | {"fee": []}, ValueError, "axis fee must have at least one value"),
    (deck, AXES | {"red": [3, 3.0]}, ValueError, "different values, got 3.0 twice"),
    (deck, AXES | {"red": [[3]]}, TypeError, r"hashable values, got \[3\] of type"),
    (deck, AXES | {"red": [([],)]}, TypeError, r"hashable values, got \(\[\],\)"),
    (deck, AXES | {"solve": 3}, TypeError, "solve must be a function"),
    (deck, AXES | {"executor": 3}, TypeError, "executor must be a conc"),
    (deck, AXES | {"solve": str}, TypeError, "solve must return a Sol"),
]


@pytest.mark.parametrize(("make", "options", "error", "words"), REFUSED)
def test_bad_arguments(
    make: Any, options: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        play.variants(make, **options)


def test_nothing_is_made_before_arguments_are_checked() -> None:
    made = []

    def make(red: Any, fee: Any) -> Any:
        made.append((red, fee))
        return deck(red, fee)

    for _, options, _, _ in REFUSED[1:-1]:
        with pytest.raises((TypeError, ValueError)):
            play.variants(make, **options)
    assert made == []


def test_a_function_without_a_signature_is_tried() -> None:
    with pytest.raises(TypeError) as caught:
        play.variants(operator.itemgetter, x=[1])
    assert caught.value.__notes__ == ["This happened with x=1."]


def test_solutions_of_many_games_are_refused() -> None:
    def many(count: int) -> Any:
        return explore(Cards(2, 2)).with_returns(
            lambda ends: np.ones((count, len(ends), 1))
        )

    with pytest.raises(TypeError, match="solve must return a Solution of one game"):
        play.variants(many, count=[2], solve=diagonal.solve)


def test_errors_of_games_are_no_rows() -> None:
    with pytest.raises(TypeError) as caught:
        play.variants(deck, red=["x"], fee=[0])
    assert caught.value.__notes__ == ["This happened with red='x', fee=0."]
    with pytest.raises(KeyError, match=r"with red, fee = 3, but with \(\(3, 0\)"):
        play.variants(deck, red=[3], fee=[0])[3]
