"""A solved deck: its sheet, its boundary, and games in progress."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import Solution, explore
from cardgames_dp.redblack import Rules

FLOAT = redblack.solve(6, 5)
EXACT = redblack.solve(6, 5, backend="exact")


@pytest.mark.parametrize(
    "solution",
    [FLOAT, EXACT, *(redblack.solve(*deck) for deck in ((100, 30), (40, 50), (3, 0)))],
)
def test_sheets_agree(solution: Solution[Any, Any, Any]) -> None:
    """Text, HTML and table show the same numbers and mark the same stops.

    A large sheet has rows and columns in equal steps, and says how many are shown. It
    is that of the explored game.
    """
    page = str(solution._repr_html_())
    head, *lines = str(solution).splitlines()
    notes = [lines.pop() for line in lines[::-1] if line.startswith("(")]
    assert all(note.strip("()") in page for note in notes)
    columns = [int(label) for label in head.split()[3:]]
    red, black = solution.game.counts
    assert (columns[0], columns[-1]) == (black, 0)
    assert len({*np.diff(columns[1:]).tolist()}) <= 1
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page)
    labels = [int(label) for label, _ in rows]
    assert (labels[0], labels[-1]) == (red, 0)
    assert len({*np.diff(labels[1:]).tolist()}) == 1
    thinned = len(labels) <= red or len(columns) <= black
    of = f"{len(labels)} of {red + 1} rows and {len(columns)} of {black + 1} columns"
    assert any(of in note for note in notes) == thinned
    totals, stop = solution.table("total"), solution.table("stop")
    stop[0, 0] = True
    for line, (label, row) in zip(map(str.split, lines), rows, strict=True):
        assert line[0] == label
        cells = re.findall(r"<td( style=[^>]*)?>(?:<b>)?([^<]*)(?:</b>)?</td>", row)
        for column, cell, (style, shown) in zip(columns, line[1:], cells, strict=True):
            state = int(label), column
            assert shown == cell
            assert cell.rstrip("*") == f"{float(totals[state]):.4g}"
            assert cell.endswith("*") == bool(style) == stop[state]
    if red + black < 80:
        solve: Any = exact.solve if solution is EXACT else diagonal.solve
        assert str(solve(explore(solution.game))) == str(solution)


# Where to stop.


def test_boundary_in_both_forms() -> None:
    boundary = redblack.boundary(redblack.solve(26, 26))
    # 12 cards: none of the states with less than 4 more black ones stops.
    assert (boundary.excess[12], boundary.excess[52]) == (4, 53)
    rules = Rules(fee="0.05")
    boundary = redblack.boundary(redblack.solve(30, 22, rules=rules))
    frame = boundary.to_pandas()
    assert frame.index.name == "n"
    assert frame["excess"].tolist() == boundary.excess.tolist()
    assert frame.loc[41, "cash"] == 10.45
    assert frame["cash"].isna().tolist() == (~frame["stops"]).tolist()
    for n in range(1, 42):
        black = (n + boundary.excess[n]) // 2
        assert boundary.cash[n] == float(rules.cash(30 - (n - black), 22 - black))


def test_a_stop_set_in_two_parts_has_no_boundary() -> None:
    """With 3 cards left, stop with 0 or 3 red ones and draw with 1 and 2 between."""
    rules = Rules(utility=lambda c: np.where((c > 2) & (c < 5), 3 - c, c))
    solution = redblack.solve(9, 8, rules=rules, backend="exact")
    stop = solution.table("stop")
    stops = [bool(stop[r, 3 - r]) for r in range(4)]
    assert stops.index(False) < 3 - stops[::-1].index(True)
    with pytest.raises(ValueError, match="with 3 cards remaining the stop set is not"):
        redblack.boundary(solution)
    assert np.array_equal(stop, redblack.solve(9, 8, rules=rules).table("stop"))
    general = exact.solve(explore(redblack.game(6, 7)))
    assert redblack.boundary(general) == redblack.boundary(redblack.solve(6, 7))


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(tie="draw"), Rules(win=2), Rules(win="3/2", fee="1/10")],
)
def test_the_rule_by_black_cards_is_the_boundary(rules: Rules) -> None:
    stop = redblack.solve(45, 45, rules=rules, backend="exact").table("stop")
    stop[0, 0] = True
    least = redblack.thresholds(45, rules=rules).least_red(range(46))
    for black in range(46):
        expected = np.arange(46) < least[black]
        assert np.array_equal(stop[:, black], expected), black


def test_the_rule_of_any_number_of_black_cards() -> None:
    result = redblack.thresholds(400)
    least = result.least_red(np.arange(20).reshape(4, 5))
    assert least.shape == (4, 5)
    assert least.dtype == np.int64
    # The Dynamic Card Game note's rule, and two numbers of black cards more.
    assert least.ravel()[:7].tolist() == [1, 1, 2, 2, 3, 4, 4]
    assert type(result.least_red(7)) is int
    assert result.least_red(7) == least.flat[7]
    assert result.least_red([]).shape == (0,)
    for black in np.random.default_rng(1).integers(10, 10**5, 50).tolist():
        red = result.least_red(black)
        for r, stops in ((red - 1, True), (red, False)):
            assert (r + black <= result.n[black - r - 1]) == stops


def test_the_rule_ends_where_thresholds_are_unknown() -> None:
    known = redblack.thresholds(6)
    assert known.n[5] == 58
    assert known.least_red(32) == 32 - 6 + 1  # 26 + 32 cards are 58
    n = np.where(np.arange(6) == 4, -1, known.n)
    gap = redblack.Thresholds(n, known.rules)
    with pytest.raises(ValueError, match=r"at most 16 for .* up to excess 4, got 17"):
        gap.least_red(17)
    assert gap.least_red(range(6)).tolist() == [1, 1, 2, 2, 3, 4]


# What to do now.


def test_nothing_is_worth_something_past_ruin() -> None:
    rules = Rules(utility=redblack.utilities.log(wealth=1))
    solution: Any = redblack.solve(0, 2, rules=rules)
    assert solution.values[0, 1, "stop"] == solution.values[0, 1] == -np.inf
    assert solution.value == 0
    position = play.Position(solution).play("draw").play(redblack.State(0, 1))
    assert position.play("stop").returns == (-np.inf,)


def test_cash_is_rounded_once_under_a_utility() -> None:
    rules = Rules(win="0.1", lose="0.3", utility=lambda cash: 1 if cash > 0 else 0)
    deck = redblack.game(3, 1, rules=rules)
    assert diagonal.solve(deck).value == exact.solve(deck).value == 0.75
    urn = redblack.urns.game([0, 0, 0, 1, 0], rules=rules)
    assert diagonal.solve(urn).value == 0.75


class Tenfold(type(redblack.game(1, 1))):  # type: ignore[misc]
    """A deck whose cards pay ten times, which its faster ways do not know."""

    __slots__ = ()

    def chance_outcomes(self, states: Any) -> Any:
        *parts, paid = super().chance_outcomes(states)
        return *parts, 10 * paid


class PassedOn:
    """A game that passes on what another one has."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def chance_outcomes(self, states: Any) -> Any:
        *parts, paid = self._game.chance_outcomes(states)
        return *parts, 10 * paid


def test_other_rules_do_not_take_the_ways_of_a_deck() -> None:
    deck = redblack.game(4, 4)
    best = exact.solve(deck).value
    for game in (Tenfold(deck.rules, deck.worths, deck.counts), PassedOn(deck)):
        assert exact.solve(game).value == 10 * best
        with pytest.raises(TypeError, match="other words name policies"):
            play.evaluate(game, "optimal")
        with pytest.raises(TypeError, match="a layout"):
            exact.solve(game).table()
    other = replace(deck, rules=Rules(win=5))
    assert exact.solve(other).value == exact.solve(explore(other)).value
