"""What a person sees: solutions, advice, sheets, laws and bounds, and how they keep."""

import copy
import dataclasses
import json
import pickle
import re
import sys
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given

from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels.boundary import tops

from .strategies import decks, linear_rules

FLOAT = redblack.solve(6, 5)
EXACT = redblack.solve(6, 5, backend="exact")
PARTED = Rules(utility=lambda cash: np.where((cash > 2) & (cash < 5), 3 - cash, cash))

RESULTS = [
    FLOAT,
    EXACT,
    FLOAT.boundary,
    FLOAT.advice(red=3, black=3),
    redblack.thresholds(7),
    redblack.payoff_law(6, 5),
    redblack.duration_law(6, 5, backend="exact"),
    redblack.enclosure(6, 5),
    redblack.simulate(6, 5, games=20, paths=2, rng=1),
    redblack.StopAtExcess([0, 1]),
    Rules(win=2),
    Rules().game(3, 4),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_results_are_values(result: Any) -> None:
    """They pickle, copy, compare by content and stay read-only."""
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other == result
        assert repr(other) == repr(result)
        for name in ("values", "stop", "excess", "n", "support", "payoffs"):
            array = getattr(other, name, None)
            if isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0
    assert result != 3
    assert len(repr(result)) < 500
    field = dataclasses.fields(result)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, None)


def test_results_differ_by_content() -> None:
    assert redblack.solve(5, 6) != FLOAT != EXACT
    assert redblack.solve(6, 5, rules=Rules(tie="draw")) != FLOAT
    assert redblack.payoff_law(6, 5) != redblack.payoff_law(6, 4)
    assert redblack.payoff_law(6, 5) != redblack.duration_law(6, 5)
    assert redblack.thresholds(6) != redblack.thresholds(7)
    assert redblack.simulate(2, 2, games=1, rng=1) == redblack.simulate(
        2, 2, games=1, rng=1
    )  # the deviation of one game is NaN in both


def test_tables_are_of_their_backend() -> None:
    assert FLOAT.values.dtype == np.float64
    assert isinstance(FLOAT.value, float)
    assert EXACT.values.dtype == object
    assert all(isinstance(v, Fraction) for v in EXACT.values.ravel())
    assert isinstance(EXACT.value, Fraction)
    assert FLOAT.values.shape == FLOAT.stop.shape == FLOAT.ties.shape == (7, 6)
    assert FLOAT.backend == "float64"
    assert EXACT.totals[2, 4] == EXACT.values[2, 4] + 3


def test_boundary_in_both_forms() -> None:
    boundary = redblack.solve(26, 26).boundary
    assert boundary.thresholds.tolist() == [3, 8, 17, 28, 41]
    # 12 cards: none of the states with less than 4 more black ones stops.
    assert boundary.excess[12] == 4
    assert boundary.excess[52] == 53
    table = redblack.solve(26, 26)
    assert not table.stop[5, 7]
    assert table.stop[4, 8]


def test_boundary_in_print() -> None:
    assert str(redblack.solve(26, 26).boundary).splitlines() == [
        "cards remaining  stop at an excess of  in cash",
        "       47 to 52  never                 never",
        "       42 to 46  6 or more             6 or more",
        "       29 to 41  5 or more             5 or more",
        "       18 to 28  4 or more             4 or more",
        "        9 to 17  3 or more             3 or more",
        "         4 to 8  2 or more             2 or more",
        "         1 to 3  1 or more             1 or more",
    ]
    last = str(redblack.solve(0, 0).boundary).splitlines()[1:]
    assert [line.split() for line in last] == [["0", "any", "any"]]
    worthless = redblack.solve(6, 6, rules=Rules(win=0)).boundary
    *_, line = str(worthless).splitlines()
    assert line.split()[-1] == "any"
    assert line.lstrip().startswith("1 to 12  any  ")
    long = str(redblack.solve(600, 600).boundary).splitlines()
    assert len(long) < 25
    count = re.fullmatch(r"\((\d+) of (\d+) rows shown\)", long[-1])
    assert count
    assert int(count[1]) == len(long) - 2 < int(count[2])
    full = redblack.solve(600, 600).boundary.to_text(all_rows=True).splitlines()
    assert len(full) == int(count[2]) + 1
    assert set(long[:-1]) <= set(full)
    with pytest.raises(TypeError, match="all_rows must be True or False"):
        FLOAT.boundary.to_text(all_rows=1)  # type: ignore[arg-type]


@given(rules=linear_rules, deck=decks)
def test_boundary_in_print_tells_where_to_stop(
    rules: redblack.Rules, deck: tuple[int, int]
) -> None:
    table = redblack.solve(*deck, rules=rules, backend="exact")
    _, *lines = str(table.boundary).splitlines()
    told = set()
    for line in lines:
        cards, words, cash = re.split("  +", line.strip())
        last, _, first = cards.partition(" to ")
        for n in range(int(last), int(first or last) + 1):
            told.add(n)
            for r in range(max(0, n - deck[1]), min(n, deck[0]) + 1):
                stops = words == "any" or (
                    words != "never"
                    and n - 2 * r >= int(words.removesuffix(" or more"))
                )
                assert stops == table.stop[r, n - r]
                rounding = Fraction(1, 10**4)  # of six digits
                in_hand = rules.cash(deck[0] - r, deck[1] - (n - r))
                least, _, most = cash.removesuffix(" or more").partition(" to ")
                if stops and words != "any":
                    assert in_hand - Fraction(least) >= -rounding
                elif words not in ("any", "never"):
                    assert in_hand - Fraction(most or least) < rounding
    assert told == set(range(min(1, sum(deck)), sum(deck) + 1))


@given(rules=linear_rules, deck=decks)
@example(rules=Rules(), deck=(2, 100))  # a deck that may stop blocks before it is full
@example(rules=Rules(), deck=(2, 2))
def test_boundary_without_a_table(rules: redblack.Rules, deck: tuple[int, int]) -> None:
    """In all states of the deck, those that play cannot come to as well."""
    stop = redblack.solve(*deck, rules=rules, backend="exact").stop
    ties = redblack.solve(*deck, rules=rules).ties
    for exact in (True, False):
        highest = tops(rules, *deck, exact=exact)
        for r, b in np.ndindex(stop.shape):
            if r + b and (exact or not ties[r, b]):
                assert stop[r, b] == (r <= highest[r + b])


@pytest.mark.parametrize(
    "bad", [None, 3, [[1, 0]], np.array([True]), np.empty((0, 2), bool), [[1], [1, 2]]]
)
def test_boundary_of_what_is_no_table(bad: Any) -> None:
    with pytest.raises(TypeError, match="stop must be"):
        redblack.Boundary.of_table(Rules(), bad)
    with pytest.raises(TypeError, match=r"rules must be redblack\.Rules"):
        redblack.Boundary.of_table(3, FLOAT.stop)  # type: ignore[arg-type]


def test_a_stop_set_in_two_parts_has_no_boundary() -> None:
    """With 3 cards left, stop with 0 or 3 red ones and draw with 1 and 2 between."""
    table = redblack.solve(9, 8, rules=PARTED, backend="exact")
    stops = [bool(table.stop[r, 3 - r]) for r in range(4)]
    assert stops.index(False) < 3 - stops[::-1].index(True)
    with pytest.raises(ValueError, match="with 3 cards remaining the stop set is not"):
        _ = table.boundary
    assert table.stop.tolist() == redblack.solve(9, 8, rules=PARTED).stop.tolist()


def test_advice() -> None:
    advice = EXACT.advice(red=2, black=4)
    assert advice == EXACT.advice(drawn=5, good=4)
    assert advice.cash == advice.stop == 3
    assert advice.action == "stop"
    assert advice.draw == (2 * EXACT.totals[1, 4] + 4 * EXACT.totals[2, 3]) / 6
    assert advice.margin == advice.stop - advice.draw
    assert advice.total == 3
    assert advice.value == 0
    advice = EXACT.advice(red=6, black=5)
    assert advice.action == "draw"
    assert advice.draw == advice.total == EXACT.value
    assert advice.margin == EXACT.value
    over = EXACT.advice(red=0, black=0)
    assert (over.draw, over.margin, over.action, over.tie) == (
        None,
        None,
        "stop",
        False,
    )


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_advice_in_words(table: redblack.Solution[Any]) -> None:
    assert str(table.advice(red=6, black=5)).endswith(
        "0 in hand: draw, worth 1.90909; stopping is worth 0."
    )
    assert str(table.advice(red=1, black=2)).startswith(
        "1 red and 2 black cards left, 2 in hand: drawing and stopping are both worth 2"
    )
    assert "the game is over" in str(table.advice(red=0, black=0))
    tied = redblack.solve(2, 2, rules=Rules(tie="draw")).advice(red=1, black=2)
    assert (tied.tie, tied.action) == (True, "draw")
    assert str(tied).endswith("the tie rule says draw.")


def test_advice_of_a_utility_is_in_utility() -> None:
    rules = Rules(utility=lambda cash: 10 * cash + 1)
    for backend in ("float64", "exact"):
        table = redblack.solve(6, 5, rules=rules, backend=backend)
        advice = table.advice(red=2, black=4)
        assert advice.cash == 3
        assert advice.stop == advice.total == 31
        assert table.value == pytest.approx(float(10 * EXACT.value + 1))


def test_sheet_as_text() -> None:
    assert redblack.solve(2, 1).to_text() == (
        "red\\black     1  0\n"
        "        2 1.333  1\n"
        "        1   1.5  1\n"
        "        0     2* 1*"
    )


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_sheets_agree(table: redblack.Solution[Any]) -> None:
    """Text, HTML and DataFrame show the same numbers and mark the same stops."""
    lines = table.to_text().splitlines()
    assert lines[0].split() == ["red\\black", *map(str, range(5, -1, -1))]
    body = [line.split() for line in lines[1:]]
    frame = table.to_pandas()
    assert frame.index.name == "red"
    assert frame.columns.name == "black"
    page = table._repr_html_()
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page)
    for line, (label, row) in zip(body, rows, strict=True):
        red = int(line[0])
        assert int(label) == red
        cells = re.findall(r"<td( style=[^>]*)?>(?:<b>)?([^<]*)(?:</b>)?</td>", row)
        for j, (cell, (style, shown)) in enumerate(zip(line[1:], cells, strict=True)):
            black = 5 - j
            assert frame.loc[red, black] == table.totals[red, black]
            assert shown == cell
            assert cell.rstrip("*") == f"{float(table.totals[red, black]):.4g}"
            assert cell.endswith("*") == bool(style) == table.stop[red, black]


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_large_sheets_have_rows_and_columns_in_equal_steps(
    backend: Literal["float64", "exact"],
) -> None:
    table = redblack.solve(100, 30, backend=backend)
    totals = table.totals
    *lines, cut = table.to_text().splitlines()
    assert cut == "(35 of 101 rows and 31 of 31 columns shown)"
    assert cut in table._repr_html_()
    assert lines[0].split()[1:] == [str(black) for black in range(30, -1, -1)]
    body = [line.split() for line in lines[1:]]
    assert [int(line[0]) for line in body] == [100, *range(99, -1, -3)]
    for red, *cells in body:
        for black, cell in zip(range(30, -1, -1), cells, strict=True):
            state = int(red), black
            assert cell.rstrip("*") == f"{float(totals[state]):.4g}"
            assert cell.endswith("*") == table.stop[state]
    assert table.to_pandas().shape == (101, 31)


def test_html_is_escaped() -> None:
    page = FLOAT._repr_html_()
    assert "red \\ black" in page
    rules = Rules(utility=lambda cash: cash)
    page = redblack.solve(2, 2, rules=rules)._repr_html_()
    assert "&lt;lambda&gt;" in page
    assert "<lambda>" not in page


def test_plain_data() -> None:
    data = json.loads(json.dumps(FLOAT.to_dict()))
    assert data["values"] == FLOAT.values.tolist()
    assert data["totals"] == FLOAT.totals.tolist()
    assert data["value"] == FLOAT.value
    assert data["stop"][2][4] is True
    assert EXACT.to_dict()["value"] == EXACT.value


def test_laws_as_data() -> None:
    law = redblack.payoff_law(2, 2, backend="exact")
    assert law.to_dict() == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert law.mean == Fraction(2, 3)
    assert law.variance == Fraction(2, 9)
    assert law.standard_deviation == pytest.approx((2 / 9) ** 0.5)
    assert law.loss_probability == 0
    assert [law.cdf(x) for x in (-1, 0, Fraction(1, 2), 1)] == [
        0,
        Fraction(1, 3),
        Fraction(1, 3),
        1,
    ]
    series = law.to_pandas()
    assert isinstance(series, pd.Series)
    assert (series.index.name, series.name) == ("payoff", "probability")
    assert series.loc[1] == Fraction(2, 3)
    assert repr(law) == (
        "Law(of='payoff', red=2, black=2, results=2, mean=Fraction(2, 3), "
        "standard_deviation=0.471405)"
    )
    floats = redblack.duration_law(2, 2)
    assert floats.support.dtype == np.int64
    assert isinstance(floats.mean, float)


def test_a_loss_has_a_probability() -> None:
    """A player whom cash does not interest below -1 can end below 0."""
    rules = Rules(utility=lambda cash: np.where(cash < 0, 0 * cash, cash))
    law = redblack.payoff_law(3, 5, rules=rules, backend="exact")
    assert 0 < law.loss_probability < 1
    assert law.loss_probability == sum(p for x, p in law.to_dict().items() if x < 0)


@pytest.mark.parametrize(
    "law", [redblack.payoff_law, redblack.duration_law], ids=lambda f: f.__name__
)
def test_tie_rule_of_a_law(law: Any) -> None:
    """The rules say what the player does at a tie; they stop by default."""
    assert law(4, 4, rules=Rules(tie="draw")) != law(4, 4)
    assert law(4, 4, rules=Rules(tie="stop")) == law(4, 4)


def test_laws_of_a_large_deck() -> None:
    law = redblack.payoff_law(10_000, 10_000)
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert law.mean == pytest.approx(redblack.value(10_000, 10_000), rel=1e-12)
    assert law.loss_probability == 0


def test_enclosure_is_an_interval() -> None:
    bounds = redblack.Enclosure(1.0, 2.0, "diagonal")
    assert (bounds.width, bounds.midpoint) == (1.0, 1.5)
    assert 1 in bounds
    assert Fraction(3, 2) in bounds
    assert 2.0 in bounds
    assert Fraction(2) + Fraction(1, 10**40) not in bounds
    assert 0.999 not in bounds
    assert redblack.enclosure(3, 0).width == 0
    third = redblack.enclosure(1, 0, rules=Rules(win=Fraction(1, 3)))
    assert third.lower < Fraction(1, 3) < third.upper
    assert third.width < 1e-16


@pytest.mark.parametrize(
    "show", [FLOAT.to_pandas, redblack.payoff_law(2, 2).to_pandas], ids=["table", "law"]
)
def test_missing_pandas_is_named(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs pandas: .*dp\[pandas\]"):
        show()


# Everything as data.

PARTS: dict[str, set[str]] = {
    "Solution": {"value", "totals"},
    "Boundary": {"cash"},
    "Advice": {"actions", "margin", "tie", "worth"},
    "Enclosure": {"width", "midpoint", "digits"},
    "Simulation": {"standard_error", "mean_draws", "loss_frequency"},
    "Law": {"mean", "standard_deviation", "loss_probability"},
    "Thresholds": set(),
}


@pytest.mark.parametrize("result", RESULTS[:9], ids=lambda r: type(r).__name__)
def test_results_are_complete_as_data(result: Any) -> None:
    """All fields are there, the rules by their own fields, and JSON takes it."""
    names = {field.name for field in dataclasses.fields(result)}
    data = json.loads(json.dumps(result.to_dict(json=True), allow_nan=False))
    assert set(data) == names | PARTS[type(result).__name__]
    if "rules" in names:
        assert Rules(**data["rules"]) == result.rules
    for name in ("red", "black", "policy", "games", "lower", "exact_up_to", "of"):
        if name in names:
            assert data[name] == getattr(result, name)


def test_keys_of_data_that_is_not_for_json() -> None:
    assert FLOAT.to_dict()["rules"] == dataclasses.asdict(Rules())
    assert EXACT.boundary.to_dict()["excess"] == EXACT.boundary.excess.tolist()
    games = redblack.simulate(6, 5, games=1, paths=1, rng=1)
    assert games.to_dict()["paths"] == [games.paths[0].tolist()]
    assert np.isnan(games.to_dict()["standard_deviation"])
    assert games.to_dict(json=True)["standard_deviation"] == "nan"


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_json_is_true_or_false(result: Any) -> None:
    if hasattr(result, "to_dict"):
        with pytest.raises(TypeError, match="json must be True or False, got 1"):
            result.to_dict(json=1)


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_representations_are_of_one_form(result: Any) -> None:
    assert re.fullmatch(r"\w+\((\w+=.*)?\)", repr(result))
    assert repr(result).startswith(f"{type(result).__name__}(")


def test_representations() -> None:
    assert repr(FLOAT) == "Solution(red=6, black=5, backend='float64', value=1.90909)"
    games = redblack.simulate(6, 5, games=20, rules=Rules(fee="1/2"), rng=1)
    assert repr(games).startswith("Simulation(red=6, black=5, rules=Rules(win=1, ")
    assert "rules=Rules(win=2, " in repr(redblack.payoff_law(2, 2, rules=Rules(win=2)))
    assert "rules" not in repr(redblack.payoff_law(2, 2))


@pytest.mark.parametrize("table", [FLOAT, EXACT])
def test_tables_as_data_frames(table: redblack.Solution[Any]) -> None:
    for what in ("totals", "values", "stop", "ties"):
        frame = table.to_pandas(what)
        array = getattr(table, what)
        assert frame.shape == array.shape
        assert frame.loc[2, 4] == array[2, 4]
    whole: Any = table.to_pandas("all")
    assert len(whole) == 7 * 6
    assert whole.index.names == ["red", "black"]
    for state in [(6, 5), (2, 4), (0, 0), (1, 2)]:
        row, advice = whole.loc[state], table.advice(red=state[0], black=state[1])
        assert (row["cash"], row["value"], row["total"], row["stop"], row["tie"]) == (
            advice.cash,
            advice.value,
            advice.total,
            advice.action == "stop",
            advice.tie,
        )
    with pytest.raises(ValueError, match="what must be one of 'totals', 'values'"):
        table.to_pandas("total")  # type: ignore[arg-type]


def test_boundary_as_a_data_frame() -> None:
    rules = Rules(fee="0.05")
    boundary = redblack.solve(30, 22, rules=rules).boundary
    frame = boundary.to_pandas()
    assert frame.index.name == "n"
    assert frame["excess"].tolist() == boundary.excess.tolist()
    assert frame.loc[41, "cash"] == 10.45
    assert frame["cash"].isna().tolist() == (~frame["stops"]).tolist()
    for n in range(1, 42):
        black = (n + boundary.excess[n]) // 2
        assert boundary.cash[n] == float(rules.cash(30 - (n - black), 22 - black))


def test_thresholds_are_a_sequence() -> None:
    found: Any = redblack.thresholds(7)
    assert found[-1] == found[6] == found[np.int8(6)] == 79
    assert found[2:4] == [17, 28]
    series = found.to_pandas()
    assert series.index.name == "excess"
    assert series.loc[7] == 79
    for index in (7, -8, 10**400, np.uint64(2**63)):
        with pytest.raises(IndexError, match="index must be from 0 to 6, for the exc"):
            found[index]
    for bad in (1.0, "1", True, None, (0, 1), np.array([1])):
        with pytest.raises(TypeError, match="index must be an integer, got"):
            found[bad]


def test_simulation_as_a_data_frame() -> None:
    games = redblack.simulate(6, 5, games=50, rng=1)
    payoffs, draws = games.to_pandas(), games.to_pandas("duration")
    assert payoffs["games"].sum() == draws["games"].sum() == 50
    assert payoffs.index.tolist() == games.payoffs.tolist()
    assert draws["frequency"].tolist() == (games.duration_counts / 50).tolist()
    with pytest.raises(ValueError, match="what must be one of 'payoff', 'duration'"):
        games.to_pandas("draws")  # type: ignore[arg-type]


def test_enclosures_come_apart() -> None:
    bounds = redblack.enclosure(26, 26)
    lower, upper = bounds
    assert (lower, upper) == (bounds.lower, bounds.upper)
    assert float(bounds) == bounds.midpoint
    assert 10**400 not in bounds
    for bad in ("a", None, np.array([1.0, 2.0]), True):
        with pytest.raises(TypeError, match="number must be a real number"):
            bad in bounds  # type: ignore[operator]  # noqa: B015
    with pytest.raises(ValueError, match="number must be a real number"):
        np.float64("nan") in bounds  # noqa: B015


# Laws as distributions.


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_quantiles(backend: Literal["float64", "exact"]) -> None:
    law: Any = redblack.payoff_law(5, 7, rules=Rules(win=2), backend=backend)
    below = 0
    for x, p in zip(law.support.tolist(), law.probabilities.tolist(), strict=True):
        assert law.quantile(below + p / 2) == x
        below += p
    assert law.quantile(0) == law.support[0]
    assert law.quantile(1) == law.support[-1]
    assert law.median == law.quantile(Fraction(1, 2))
    assert law.cdf(law.median) >= 0.5
    if backend == "exact":
        assert [law.quantile(law.cdf(x)) for x in law.support] == law.support.tolist()
    for bad in (-0.1, 1.1, float("nan"), float("inf"), 10**400):
        with pytest.raises(ValueError, match="q must be"):
            law.quantile(bad)
    with pytest.raises(TypeError, match="q must be a real number"):
        law.quantile("0.5")


def test_quantiles_when_rounding_sums_to_less_than_one() -> None:
    law = redblack.Law("payoff", np.arange(10.0), np.full(10, 0.1))
    assert sum(law.probabilities.tolist()) < 1
    assert law.quantile(1) == 9


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_distribution_function(backend: Literal["float64", "exact"]) -> None:
    law = redblack.payoff_law(3, 3, backend=backend)
    total = pytest.approx(1, abs=1e-15)
    for large in (10**400, float("inf"), Fraction(10**400), np.float32("inf")):
        assert law.cdf(large) == total  # type: ignore[arg-type]
        assert law.cdf(-large) == 0  # type: ignore[arg-type]
    assert law.cdf(1) == law.cdf(1 + 1e-9) > law.cdf(1 - Fraction(1, 10**30))
    for bad in ("a", None, 1j, [1], True):
        with pytest.raises(TypeError, match="x must be a real number"):
            law.cdf(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="x must be a real number"):
        law.cdf(float("nan"))


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_samples(backend: Literal["float64", "exact"]) -> None:
    law = redblack.payoff_law(6, 6, backend=backend)
    drawn = law.sample(20_000, rng=3)
    assert drawn.shape == (20_000,)
    assert drawn.dtype == law.support.dtype
    for x, p in zip(law.support.tolist(), law.probabilities.tolist(), strict=True):
        error = (20_000 * float(p) * (1 - float(p))) ** 0.5
        assert abs(int((drawn == x).sum()) - 20_000 * p) < 5 * error
    assert law.sample(5, rng=3).tolist() == drawn[:5].tolist()
    assert law.sample(0).shape == (0,)
    with pytest.raises(ValueError, match="size must be an integer >= 0, got -1"):
        law.sample(-1)
    with pytest.raises(TooLargeError, match=r"a sample of (about )?1"):
        law.sample(10**15)


def test_a_law_in_print() -> None:
    law = redblack.payoff_law(2, 2, backend="exact")
    assert str(law).splitlines() == [
        "payoff  probability",
        "     0     0.333333",
        "     1     0.666667",
        "(mean 0.666667, standard deviation 0.471405)",
    ]
    long = redblack.duration_law(60, 60)
    *lines, grouped, moments = str(long).splitlines()
    assert grouped == f"({len(long.support)} results, 2 to a row)"
    assert moments.startswith("(mean ")
    assert len(lines) == 1 + -(-len(long.support) // 2)
    assert lines[1].split()[:3] == [str(long.support[0]), "to", str(long.support[1])]


def test_laws_know_what_they_are_of() -> None:
    law = redblack.duration_law(6, 5, rules=Rules(tie="draw"))
    assert (law.red, law.black, law.rules) == (6, 5, Rules(tie="draw"))
    alone = redblack.Law("payoff", np.array([1.0]), np.array([1.0]))
    assert (alone.red, alone.black, alone.rules) == (None, None, None)
    assert repr(alone).startswith("Law(of='payoff', results=1, mean=1, ")
