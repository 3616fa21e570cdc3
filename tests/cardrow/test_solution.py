"""The table of all intervals: its cells, its views, how it keeps, what does not fit."""

import copy
import dataclasses
import json
import pickle
import re
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, cardrow, running
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.cardrow._kernels import diagonals

from . import oracles, sources
from .oracles import brute_force, lists, small

EXACT = cardrow.solve(sources.TABLE_ROW, backend="exact")
FLOAT = cardrow.solve(sources.TABLE_ROW, backend="float64")
FRACTIONS = cardrow.solve([Fraction(1, 3), 2, Fraction(5, 7)], backend="exact")
WEIGHTED = cardrow.solve(
    [3, 1, 4], rules=Rules(weights=[2, 2, 9], take=2), backend="exact"
)
THREE = cardrow.solve([3, 1, 4, 1, 5], rules=Rules(players=3, take=2), backend="exact")


@given(lists(8))
def test_every_cell_is_the_row_that_it_stands_for(cards: list[Any]) -> None:
    exactly = [Fraction(x) for x in cards]
    table = cardrow.solve(cards, backend="exact")
    leads = table.my_sum - table.opp_sum
    for left in range(len(cards)):
        for right in range(len(cards)):
            if left > right:
                assert table.best[left, right] == 0
                assert not table.ties[left, right]
                assert table.sums[:, left, right].tolist() == [0, 0]
                continue
            part = exactly[left : right + 1]
            assert leads[left, right] == brute_force(part)
            assert table.sums[:, left, right].sum() == sum(part)
            advice = table.advice(left, right)
            alone = cardrow.Position(part).advice()
            assert (advice.left, advice.right) == (left, right)
            assert (advice.action, advice.best) == (alone.action, alone.best)
            assert [*advice.values.items()] == [*alone.values.items()]
            assert table.best_turn(left, right) == alone.action


@given(st.lists(small, min_size=1, max_size=8), oracles.rules)
def test_float_tables_of_small_integers_are_exact(
    cards: list[int], rules: Rules
) -> None:
    exactly = cardrow.solve(cards, rules=rules, backend="exact")
    floats = cardrow.solve(cards, rules=rules, backend="float64")
    assert np.array_equal(floats.best, exactly.best)
    assert np.array_equal(floats.ties, exactly.ties)
    assert np.array_equal(floats.sums, exactly.sums)
    assert floats.sums.dtype == np.float64
    assert floats.play().positions.tolist() == exactly.play().positions.tolist()
    last = len(cards) - 1
    assert floats.advice(0, last).best == exactly.advice(0, last).best
    assert type(floats.value) is float


@given(lists(8), oracles.rules)
def test_float_tables_of_any_numbers(cards: list[Any], rules: Rules) -> None:
    """Sums are right to the tolerance; ties are found, and perhaps some more."""
    cards = [Fraction(x) / 10**20 if abs(x) > 10**12 else Fraction(x) for x in cards]
    rules = dataclasses.replace(rules, players=2)
    exactly = cardrow.solve(cards, rules=rules, backend="exact")
    floats = cardrow.solve(cards, rules=rules, backend="float64")
    near = 5 * 2.0**-53 * float(max(map(abs, cards))) * len(cards) ** 2
    assert np.abs(floats.sums - exactly.sums.astype(float)).max() <= 2 * near
    assert (floats.ties >= exactly.ties).all()
    advice = floats.advice(0, len(cards) - 1)
    assert advice.action in advice.best
    assert set(exactly.advice(0, len(cards) - 1).best) <= set(advice.best)


def test_ties_to_rounding() -> None:
    """Tenths tie in floats where they tie as decimals, though their sums do not."""
    rng, found, exactly = np.random.default_rng(8), 0, 0
    for tenths in rng.integers(1, 9, (30, 8)).tolist():
        floats = cardrow.solve([x / 10 for x in tenths], backend="float64")
        decimals = cardrow.solve([Fraction(x, 10) for x in tenths], backend="exact")
        assert np.array_equal(floats.ties, decimals.ties)
        assert np.array_equal(floats.best, decimals.best)
        assert floats.advice(0, 7).best == decimals.advice(0, 7).best
        found += floats.ties.sum()
        exactly += cardrow.solve([x / 10 for x in tenths], backend="exact").ties.sum()
    assert exactly < found
    # A difference beyond the tolerance is none: 5 u x D**2, with D = 2.
    for units, tie in [(16, True), (26, False)]:
        cards = [1.0, 1 + units * 2.0**-53]
        for rules in (Rules(), Rules(misere=True), Rules(take=2), Rules(weights=cards)):
            table = cardrow.solve(cards, rules=rules, backend="float64")
            # Two cards a turn are worth more or less than one by a whole card.
            assert table.ties[0, 1] == (tie and rules.take == 1)
            assert table.advice(0, 1).tie == table.ties[0, 1]
    assert diagonals.tolerance(np.array([-3.0, 1.0]), 2) == 60 * 2.0**-53
    assert diagonals.tolerance(np.array([3, 1]), 2) == 0


@pytest.mark.slow
def test_tables_are_of_their_kind() -> None:
    assert EXACT.sums.dtype == np.int64
    assert EXACT.sums.shape == (2, 6, 6)
    assert EXACT.best.dtype == np.int8
    assert EXACT.ties.dtype == bool
    assert EXACT.sums_of_second is None
    assert EXACT.cards == sources.TABLE_ROW
    assert type(EXACT.value) is int
    assert (EXACT.backend, FLOAT.backend) == ("exact", "float64")
    assert FRACTIONS.sums.dtype == object
    assert all(type(x) is Fraction for x in FRACTIONS.sums.ravel())
    large = cardrow.solve([10**30, 1], backend="exact")
    assert large.sums.dtype == object
    assert large.value == 10**30 - 1
    assert all(type(x) is int for x in large.sums.ravel())
    many = cardrow.solve(range(200), rules=Rules(take=150), backend="exact")
    assert many.best.dtype == np.int16
    assert many.best.min() == -150
    with pytest.raises(ValueError, match="two players, got players=3; use sums"):
        _ = THREE.opp_sum


def test_with_weights_it_matters_who_moves() -> None:
    first = cardrow.solve(
        [3, 1, 4], rules=Rules(weights=[2, 5, 9], take=2), backend="exact"
    )
    second = cardrow.solve(
        [2, 5, 9], rules=Rules(weights=[3, 1, 4], take=2), backend="exact"
    )
    for one, other in ((first, second), (second, first)):
        assert one.sums_of_second is not None
        assert np.array_equal(one.sums_of_second, other.sums)
    assert np.array_equal(first.best, second.best)
    for left, right in [(0, 2), (0, 1), (1, 1)]:
        theirs = first.advice(left, right, player=1)
        assert theirs == second.advice(left, right)
        assert theirs != first.advice(left, right)


def test_the_game_along_the_table_from_every_interval() -> None:
    """The sums of a cell are what its play brings."""
    for left in range(6):
        for right in range(left, 6):
            part = cardrow.solve(
                sources.TABLE_ROW[left : right + 1], backend="exact"
            ).play()
            assert part.sums == tuple(EXACT.sums[:, left, right])


@pytest.mark.parametrize("table", [EXACT, FLOAT, FRACTIONS, WEIGHTED, THREE])
def test_tables_are_values(table: cardrow.Solution[Any]) -> None:
    for other in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), table):
        assert other == table
        assert repr(other) == repr(table)
        for array in (other.best, other.ties, other.sums, other.my_sum):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.cards = ()  # type: ignore[misc]
    assert table != cardrow.solve([9, 9], backend="exact")
    assert len(repr(table)) < 100


def test_tables_differ_by_content() -> None:
    assert EXACT != FLOAT
    assert cardrow.solve([2, 2], backend="exact") != cardrow.solve(
        [2, 2], rules=Rules(tie="left"), backend="exact"
    )
    assert (
        cardrow.solve(np.array(sources.TABLE_ROW, np.uint8), backend="exact") == EXACT
    )
    assert EXACT != 3


def test_representation() -> None:
    assert repr(EXACT) == "Solution(cards=6, backend='exact', value=8)"
    assert repr(FLOAT) == "Solution(cards=6, backend='float64', value=8)"
    assert repr(FRACTIONS).endswith("value=Fraction(-20, 21))")


def test_as_text() -> None:
    assert str(cardrow.solve([4, 7, 2], backend="exact")).splitlines()[:5] == [
        "3 cards, exact: value -1",
        "left \\ right    4      7       2",
        "4             4:0  ← 7:4  ↓ 6:7*",
        "7                    7:0  ↓ 7:2",
        "2                           2:0",
    ]
    lines = str(THREE).splitlines()
    assert lines[2].split()[:3] == ["3", "3:0:0", "↓2"]


def test_views_agree() -> None:
    page, frame = str(EXACT._repr_html_()), EXACT.to_pandas()
    found = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page)
    assert [int(label) for label, _ in found] == list(EXACT.cards)
    assert frame.index.names == ["left", "right"]
    assert list(frame.columns) == ["side", "count", "tie", "value", "sum_0", "sum_1"]
    assert len(frame) == 21
    for left, (_, row) in enumerate(found):
        cells = re.findall(r"<td( style=[^>]*)?>(?:<b>)?([^<]*)(?:</b>)?</td>", row)
        assert [cell for _, cell in cells[:left]] == [""] * left
        for right in range(left, 6):
            style, cell = cells[right]
            mine, theirs = EXACT.sums[:, left, right]
            arrow = {"left": "↓", "right": "←"}[EXACT.best_turn(left, right).side]
            best = "" if left == right else f"{arrow} "
            star = "*" * bool(EXACT.ties[left, right])
            assert cell == f"{best}{mine}:{theirs}{star}"
            assert bool(style) == EXACT.ties[left, right]
            line = dict(frame.loc[[(left, right)]].iloc[0])
            assert (line["side"], line["count"]) == EXACT.best_turn(left, right)
            assert (line["sum_0"], line["sum_1"]) == (mine, theirs)
            assert line["value"] == mine - theirs
            assert line["tie"] == EXACT.ties[left, right]


def test_data_frames_have_values_for_both_players_with_weights() -> None:
    frame = WEIGHTED.to_pandas()
    for left, right in [(0, 0), (0, len(WEIGHTED.cards) - 1)]:
        line = dict(frame.loc[[(left, right)]].iloc[0])
        for player, prefix in enumerate(["", "second_"]):
            worth = WEIGHTED.advice(left, right, player=player).value
            assert line[f"{prefix}value"] == worth
            mine, theirs = line[f"{prefix}sum_0"], line[f"{prefix}sum_1"]
            assert mine - theirs == worth


def test_values_of_several_players_and_misere() -> None:
    for rules in (Rules(players=3), Rules(players=3, misere=True), Rules(misere=True)):
        table = cardrow.solve([3, 1, 4, 1, 5], rules=rules, backend="exact")
        last = dict(table.to_pandas().loc[[(0, 4)]].iloc[0])
        assert (
            last["value"]
            == table.value
            == cardrow.value(table.cards, rules=rules, backend="exact")
        )


def test_large_tables_are_cut_in_views() -> None:
    table = cardrow.solve(range(100), backend="exact")
    lines = str(table).splitlines()
    assert len(lines) == 25
    cut = "(the first 20 rows and the last 20 columns of 100 shown)"
    assert lines[-1] == cut
    assert lines[1].split()[3:] == [str(card) for card in range(80, 100)]
    page = table._repr_html_()
    assert page is not None
    assert page.count("<tr>") == 21
    assert page.count("<td") == 20 * 20
    cut = cut[1:-1]
    assert cut in page
    (first,) = re.findall(r'<th scope="row">0</th>(.*?)</tr>', page)
    whole = ":".join(map(str, table.sums[:, 0, -1]))
    assert first.endswith(f"{whole}</td>")
    assert "shown" not in str(cardrow.solve(range(20), backend="exact"))


def test_html_is_escaped() -> None:
    def less(_cards: Any, _left: int, _right: int) -> Any:
        return "left"

    less.__name__ = "<sly>"
    page = cardrow.best_response([1, 2], less, backend="exact")._repr_html_()
    assert page is not None
    assert "response to &lt;sly&gt;: lead 1 on average" in page
    assert "<sly" not in page
    assert "6 cards, exact: value 8" in str(EXACT._repr_html_())
    assert "1 card, exact" in str(cardrow.solve([3], backend="exact")._repr_html_())


def test_numbers_are_shortened_in_views() -> None:
    assert "0.3333" in str(FRACTIONS)
    large = cardrow.solve([10**5000, 1], backend="exact")
    assert repr(large) == "Solution(cards=2, backend='exact', value=9999999999...)"
    assert "1e+5000:1" in str(large)
    assert str(large.advice(0, 1)).endswith("value: left 1e+5000, right -1e+5000.")
    assert "sums=(1000000000..., 1)" in repr(large.play())
    assert "-1.235e+12" in str(cardrow.solve([-1234567890123], backend="exact"))
    assert "-123456789012:" in str(cardrow.solve([-123456789012], backend="exact"))


@pytest.mark.parametrize("table", [EXACT, FLOAT, WEIGHTED])
def test_as_a_dictionary(table: cardrow.Solution[Any]) -> None:
    content = table.to_dict(json=True)
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    content = table.to_dict()
    assert Rules(**content["rules"]) == table.rules
    assert content["cards"] == table.cards
    assert content["sums"] == table.sums.tolist()
    assert content["best"][0][-1] == table.best[0, -1]
    assert content["value"] == table.value
    assert (content["sums_of_second"] is None) == (table.sums_of_second is None)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"to_pandas needs pandas: .*pandas\]"
    ):
        EXACT.to_pandas()


def test_turn_codes_are_signed() -> None:
    assert EXACT.best[0, 1] == -1
    assert EXACT.best[1, 2] == 1
    assert THREE.best_turn(0, 1) == Turn("left", 2)
    assert THREE.best[0, 1] == -2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"left": 2, "right": 1},
            ValueError,
            r"left <= right < 6, got left=2, right=1",
        ),
        (
            {"left": 0, "right": 6},
            ValueError,
            r"left <= right < 6, got left=0, right=6",
        ),
        ({"left": -1, "right": 3}, ValueError, "left must be an integer >= 0, got -1"),
        (
            {"left": 0, "right": 1.0},
            TypeError,
            "right must be an integer >= 0, got 1.0",
        ),
        ({"left": True, "right": 2}, TypeError, "left must be .* of type bool"),
    ],
)
def test_intervals(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    for function in (EXACT.advice, EXACT.best_turn):
        with pytest.raises(error, match=message):
            function(**arguments)


def test_players_of_advice() -> None:
    assert EXACT.advice(0, 3, player=1) == EXACT.advice(0, 3)
    with pytest.raises(ValueError, match="player must be less than 2, got 2"):
        EXACT.advice(0, 3, player=2)
    with pytest.raises(TypeError, match="player must be an integer >= 0"):
        EXACT.advice(0, 3, player="me")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(misere=True, tie="left"), Rules(take=2), Rules(players=3)]
)
def test_floats_of_integers_are_exact(rules: Rules) -> None:
    """Up to the largest ones that the notes of `solve` promise it of, ties included."""
    rng = np.random.default_rng(1)
    for most in (3, (2**49 - 1) // 8**2):
        for cards in rng.integers(-most, most, (20, 8), endpoint=True).tolist():
            cards[1] = most
            rounded = cardrow.solve(cards, rules=rules)
            exact = cardrow.solve(cards, rules=rules, backend="exact")
            assert rounded.backend == "float64"
            assert rounded.sums.dtype == np.float64
            assert (rounded.sums == exact.sums).all()
            assert (rounded.best == exact.best).all()
            assert (rounded.ties == exact.ties).all()
            assert rounded.advice(0, 7) == exact.advice(0, 7)


def test_backends() -> None:
    with pytest.raises(ValueError, match="backend must be one of 'float64', 'exact'"):
        cardrow.solve([1, 2], backend="float32")  # type: ignore[call-overload]
    for cards in ([10**400, 1], [1e308, 1e308], [Fraction(10**400, 3)]):
        with pytest.raises(
            ValueError, match="at most 1e307 for backend='float64'; use"
        ):
            cardrow.solve(cards, backend="float64")
        assert cardrow.solve(cards, backend="exact").value == cardrow.value(
            cards, backend="exact"
        )


@pytest.mark.parametrize(
    ("cards", "rules", "most", "message"),
    [
        (range(10**6), None, None, r"1000000 x 1000000 intervals needs"),
        (
            [1] * 9,
            None,
            1000,
            r"9 x 9 intervals needs about 1\.\d+ KiB .* max_bytes, 1000 bytes; use "
            r"value\(\.\.\.\)",
        ),
        ([0.5] * 9, None, 10_000, r"backend='float64'"),
        ([1] * 9, Rules(players=9), 5000, r"needs about 5\.\d+ KiB"),
    ],
)
def test_what_does_not_fit(cards: Any, rules: Any, most: Any, message: str) -> None:
    with running(max_bytes=most), pytest.raises(TooLargeError, match=message):
        cardrow.solve(cards, rules=rules, backend="exact")


def test_limit_of_a_table() -> None:
    with running(max_bytes=10_000):
        assert cardrow.solve([0.5] * 9, backend="float64").value == 0.5
    with running(max_bytes=2000):
        assert cardrow.solve([1] * 9, backend="exact").value == 1
