"""What holds for every deck: all the ways to solve a game give the same answer."""

import decimal
import math
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import explore
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels.methods import Method
from cardgames_dp.redblack._kernels.sweep import Sweep, tops
from cardgames_dp.redblack.rules import Problem

from . import oracles
from .strategies import decks, linear_rules, utility_rules

any_rules = st.one_of(linear_rules, utility_rules)


@given(deck=decks, rules=any_rules, tie_break=st.sampled_from(["first", "last"]))
def test_ways_agree(deck: tuple[int, int], rules: Rules, tie_break: Any) -> None:
    """The definition, the sweep, the solver of decks, and that of any game."""
    game = redblack.game(*deck, rules=rules)
    one, other = [
        exact.solve(each, tie_break=tie_break) for each in (game, explore(game))
    ]
    assert one == other
    near, far = [
        diagonal.solve(each, tie_break=tie_break) for each in (game, explore(game))
    ]
    best = oracles.Game(*deck, replace_tie(rules, tie_break))
    assert one.value == best.total(*deck)
    assert redblack.value(*deck, rules=rules, backend="exact") == one.value
    assert redblack.value(*deck, rules=rules) == pytest.approx(
        float(one.value), rel=1e-12, abs=1e-14
    )
    assert len(one.policy) == math.prod([n + 1 for n in deck]) - 1
    for state, value in other.values.items():
        cards, stop = (state.red, state.black), best.stop(state.red, state.black)
        paid = stop if rules.utility is None else 0  # on the way, or at the end
        worth = stop
        if state.decision == "draw":
            worth = best.draw(*cards)
        elif not state.decision:
            worth = best.total(*cards)
        assert one.values[state] == value == worth - paid
        for floats in (near, far):
            assert abs(Fraction(floats.values[state]) - value) <= floats.errors[state]
            assert floats.errors[state] < 1e-10
        if state in other.policy:
            assert (one.policy[state] == "stop") == best.stops(*cards)
            assert (len(one.optimal_actions[state]) == 2) == best.ties(*cards)
            assert one.advice(state) == other.advice(state)
            assert one.advice(state).collected == (paid if paid is stop else None)
            # Here what is exactly a tie is one to rounding, and nothing else.
            assert near.policy[state] == one.policy[state]
            assert near.optimal_actions[state] == one.optimal_actions[state]
            assert {*one.optimal_actions[state]} <= {*far.optimal_actions[state]}
            advice, exactly = near.advice(state), one.advice(state)
            assert advice.certain != exactly.tie or not advice.error
            for action, worth in exactly.values.items():
                assert abs(Fraction(advice.values[action]) - worth) <= advice.error
    rows = explore(game).states_at(np.arange(one.num_states))
    for result in (one, near) if any(deck) else ():  # else nobody decides
        assert result.values(rows).tolist() == [*map(result.values.get, result.values)]
        assert result.errors(rows).tolist() == [*map(result.errors.get, result.errors)]
        deciding = rows[(rows[:, 2] == 0) & rows[:, :2].any(axis=1)]
        assert [("", "stop", "draw")[x] for x in result.policy(deciding).tolist()] == (
            [*map(result.policy.get, result.policy)]
        )
    for floats, exactly in ((near, one), (far, other)):
        assert_tables(floats, exactly, best)


def replace_tie(rules: Rules, tie_break: str) -> Rules:
    """Return the rules of a player who takes the first or the last of two best."""
    tie = rules.tie
    if tie_break == "last":
        tie = "stop" if tie == "draw" else "draw"
    return Rules(rules.win, rules.lose, rules.fee, rules.utility, tie)


def assert_tables(near: Any, exactly: Any, best: oracles.Game) -> None:
    """Assert that the tables of two solutions are those of the best player."""
    cells = [*np.ndindex(best.red + 1, best.black + 1)]
    linear = best.rules.utility is None
    expected: dict[str, list[Any]] = {
        "values": [best.total(*x) - (best.stop(*x) if linear else 0) for x in cells],
        "total": [best.total(*x) for x in cells],
        "stop": [any(x) and best.stops(*x) for x in cells],
        "draw": [not best.stops(*x) for x in cells],
        "ties": [best.ties(*x) for x in cells],
    }
    for what, each in expected.items():
        table = exactly.table(what)
        assert table.ravel().tolist() == each
        assert table.shape == (best.red + 1, best.black + 1)
        rounded = near.table(what)
        kind = np.float64 if what in ("values", "total") else np.bool_
        assert rounded.dtype == kind
        if kind is np.float64:
            scale = 1e-13 * (1 + max(map(abs, each)))
            assert np.allclose(rounded, table.astype(float), rtol=0, atol=float(scale))


OUTSIDE: list[Any] = [
    *((-1, 2), (2, -1), (4, 2), (2, 3), (2**70, 1), (0, 0, "stop"), (0, 0, "draw")),
    *((2, 1, "hold"), (1.5, 1), (1,), (1, 1, "", 0), "no", None),
]


@pytest.mark.parametrize("state", OUTSIDE)
@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_what_is_outside_has_no_entry(solve: Any, state: Any) -> None:
    game = redblack.game(3, 2)
    for solution in (solve(game), solve(explore(game))):
        for entries in (solution.values, solution.errors, solution.policy):
            assert state not in entries
            with pytest.raises(KeyError):
                entries[state]
        with pytest.raises(ValueError, match="one in which a player moves"):
            solution.advice(state)
        if {*map(type, state or ())} == {int} and len(state) == 2 and max(state) < 9:
            with pytest.raises(KeyError, match="cannot be reached"):
                solution.values(np.array([(3, 2, 0), (*state, 0)]))
    with pytest.raises(KeyError, match="nobody decides"):
        solve(game).policy(np.array([(1, 1, 0), (0, 0, 0)]))
    with pytest.raises(KeyError):
        solve(game).policy[0, 0]


STEEP = [
    Rules(utility=lambda cash, a=a: -np.exp(-a * cash.astype(float)))  # type: ignore[misc]
    for a in (2, 20)
]


@pytest.mark.parametrize(
    ("deck", "rules"),
    [
        # What stopping at a great loss is worth is rounded, which is nobody's business.
        *[(deck, rules) for deck in ((10, 10), (15, 22)) for rules in STEEP],
        # Drawing is behind by 1.8e-14, from errors of cells worth 70 times as much.
        ((5, 150), Rules(win=10, lose=0, fee=Fraction(1, 7))),
        # Here a tie is far below a rounding of what a black card costs.
        ((9, 1), Rules(win=Fraction(1, 10**6), lose=10**12)),
        # 3 red and 8 black cards: drawing comes out as 6e-17 or so, not 0.
        ((12, 12), Rules(win=5, lose=3)),
        ((12, 12), Rules(win=5, lose=3, tie="draw")),
    ],
)
def test_ties_that_rounding_could_hide(deck: tuple[int, int], rules: Rules) -> None:
    exactly = redblack.solve(*deck, rules=rules, backend="exact")
    floats = redblack.solve(*deck, rules=rules)
    for what in ("stop", "draw", "ties"):
        assert np.array_equal(floats.table(what), exactly.table(what))
    assert rules.utility or exactly.table("ties").any() or deck == (9, 1)
    assert abs(Fraction(floats.value) - exactly.value) <= floats.error
    assert floats.error <= 1e-12 * abs(exactly.value) + 1e-14
    if rules.utility:
        law = play.distribution(floats).returns[0]
        certain = play.distribution(exactly, backend="exact").returns[0]
        assert law.support == pytest.approx(certain.support.astype(float), rel=1e-15)
        expected = certain.probabilities.astype(float)
        assert law.probabilities == pytest.approx(expected)


@given(deck=decks, rules=linear_rules)
@example(deck=(2, 100), rules=Rules())  # a deck that may stop blocks before it is full
def test_boundary_is_the_table_s(deck: tuple[int, int], rules: Rules) -> None:
    """In all states of the deck, those that play cannot come to as well."""
    solution = redblack.solve(*deck, rules=rules, backend="exact")
    excess = redblack.boundary(solution).excess
    stops, ties = solution.table("stop"), solution.table("ties")
    stops[0, 0] = True
    for exactly in (False, True):
        top = tops(Problem(rules, *deck, exact=exactly))
        for (red, black), stop in np.ndenumerate(stops):
            if red + black and (exactly or not ties[red, black]):
                assert (red <= top[red + black]) == stop
            assert (black - red >= excess[red + black]) == stop


sizes = st.lists(st.integers(0, 60), max_size=8)


@given(
    decks=st.one_of(
        sizes.map(lambda balanced: (balanced, balanced)),
        st.tuples(st.integers(0, 60), sizes),  # some of them are read off one table
        st.tuples(sizes, sizes.filter(bool).map(lambda many: [[one] for one in many])),
    ),
    rules=linear_rules,
)
def test_many_decks_are_single_decks(decks: tuple[Any, Any], rules: Rules) -> None:
    exactly = redblack.value(*decks, rules=rules, backend="exact")
    floats = redblack.value(*decks, rules=rules)
    digits = redblack.value(*decks, rules=rules, digits=33)
    assert (exactly.dtype, floats.dtype) == (object, np.float64)
    both = np.broadcast(*(np.array(cards, dtype=object) for cards in decks))
    assert both.shape == exactly.shape == floats.shape == digits.shape
    for deck, value, number, text in zip(
        both, exactly.flat, floats.flat, digits.flat, strict=True
    ):
        assert value == redblack.value(*deck, rules=rules, backend="exact")
        assert number == pytest.approx(float(value), rel=1e-12, abs=1e-12)
        assert text == rounded(value, 33)


uneven_rules = st.builds(
    Rules,
    win=st.integers(1, 40),
    lose=st.integers(1, 40),
    fee=st.sampled_from([0, "1/10", 1]),
)


@given(
    deck=st.tuples(st.integers(0, 300), st.integers(0, 300)),
    rules=linear_rules | uneven_rules,
    digits=st.integers(1, 60),
)
def test_large_and_uneven_decks(
    deck: tuple[int, int], rules: Rules, digits: int
) -> None:
    """Tilted windows, boundaries that leave the band, and decks that stop for good."""
    value = redblack.value(*deck, rules=rules, backend="exact")
    if rules.gain > 0 < rules.cost and all(deck):
        sweep = Sweep.of(Problem(rules, *deck, exact=True))
        once = by_one_sweep(sweep)
        stop = sweep.stakes.reward(sum(deck), deck[0])
        assert (once - stop) * sweep.stakes.unit == value
    bounds = redblack.enclosure(*deck, rules=rules)
    assert value in bounds
    assert bounds.lower <= bounds.midpoint <= bounds.upper
    assert bounds.width <= 1e-12 * (1 + float(rules.gain + rules.cost) * sum(deck))
    result = redblack.value(*deck, rules=rules)
    assert result in bounds
    scale = 1e-11 * float(rules.cost) * deck[1]
    assert result == pytest.approx(float(value), rel=1e-12, abs=scale)
    text = redblack.value(*deck, rules=rules, digits=digits)
    assert isinstance(text, Decimal)
    assert text == rounded(value, digits)


def rounded(exact: Fraction, digits: int) -> Decimal:
    context = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    return context.divide(Decimal(exact.numerator), Decimal(exact.denominator))


def by_one_sweep(sweep: Sweep) -> Fraction:
    """Read the full deck off the last level, or off the rules where the deck stops."""
    for level in sweep.levels():
        if level.top >= sweep.red:
            return Fraction(sweep.stakes.reward(sweep.red + sweep.black, sweep.red))
    number = level.cells.item(sweep.red - level.base)
    return Fraction(number, math.comb(sweep.red + sweep.black, sweep.red))


@pytest.mark.parametrize("win", [2**61, 2**63, 10**400, "1e-400"])
@pytest.mark.parametrize("lose", [1, "1/3", 2**63])
@pytest.mark.parametrize("utility", [None, lambda cash: cash])
def test_amounts_of_any_size(win: Any, lose: Any, utility: Any) -> None:
    """In games of cards that pay, and of cash in the end."""
    rules = Rules(win=win, lose=lose, utility=utility)
    game = redblack.game(4, 4, rules=rules)
    one, other = exact.solve(game), exact.solve(explore(game))
    assert one == other
    laws = [play.distribution(each, backend="exact") for each in (one, other)]
    assert laws[0].returns == laws[1].returns


def test_arrays_broadcast() -> None:
    assert redblack.value([], []).shape == (0,)
    assert redblack.value([], [], digits=5).tolist() == []
    assert redblack.value([], 3, backend="exact").dtype == object
    result = redblack.value(range(4), [[2], [5]])
    assert result.shape == (2, 4)
    assert result[1].tolist() == redblack.value(np.arange(4), 5).tolist()
    single: object = redblack.value(np.array(3), 2)
    assert type(single) is float


# Which digits are promised, whichever method "auto" chooses.


@cache
def precise(red: int, black: int) -> Decimal:
    return redblack.value(red, black, digits=25)


def error(red: int, black: int, method: Method) -> float:
    """Return the error of a value, relative to it or to sqrt(N) if it is close to 0."""
    exact = precise(red, black)
    result = redblack.value(red, black, method=method)
    root = Decimal(red + black).sqrt() if black > red else 0
    return float(abs(Decimal(result) - exact) / max(exact, root))


@settings(max_examples=settings().max_examples // 2)
@given(cards=st.integers(3900, 4500), uneven=st.floats(-4.1, 0.9))
@example(cards=3541 + 3213, uneven=(3213 - 3541) / math.sqrt(3541 + 3213))
@example(cards=2130 + 1880, uneven=(1880 - 2130) / math.sqrt(2130 + 1880))
def test_a_value_has_thirteen_digits(cards: int, uneven: float) -> None:
    red = round((cards - uneven * math.sqrt(cards)) / 2)
    assert error(red, cards - red, "auto") <= 1e-13


def test_small_decks_have_them_in_the_climb_of_a_large_one() -> None:
    sizes = [1, 26, 300, 2345, 4642]
    exact = redblack.value(sizes, sizes, digits=25).astype(float)
    result = redblack.value([*sizes, 10**5], [*sizes, 10**5], method="staircase")[:-1]
    assert result == pytest.approx(exact, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("deck", "method"),
    [
        ((2000, 1999), "diagonal"),
        ((2000, 2000), "staircase"),
        ((2100, 1905), "diagonal"),  # -3.08 sqrt(N)
        ((2090, 1910), "staircase"),  # -2.85 sqrt(N)
        ((1900, 2150), "staircase"),  # 3.93 sqrt(N)
        ((10_250, 9_749), "diagonal"),
        ((10_250, 9_750), "staircase"),
    ],
)
def test_auto(deck: tuple[int, int], method: Method) -> None:
    assert redblack.enclosure(*deck).method == method
    value = redblack.value(*deck)
    assert value == redblack.value(*deck, method=method)
    if deck == (2000, 2000):
        assert redblack.enclosure(*deck, rules=Rules(fee=1)).method == "diagonal"
