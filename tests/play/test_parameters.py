"""The value as a function of an amount, against all policies and exact solutions."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import cardrow, diagonal, exact, play, redblack
from cardgames_dp.game import GameError, explore

from .. import oracles
from ..games import Listed, Paying, Table, games
from ..refusals import game_error, refuses, type_error, value_error

F = Fraction


def at(game: Table, amount: Fraction) -> Table:
    """Return a game of one player whose payments are lines: pairs in another game."""

    def worth(pair: Any) -> tuple[Fraction]:
        return (F(pair[0]) + amount * F(pair[1]),)

    rows: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, worth(row) if kind == "end" else row
        if kind == "chance":
            rows[state] = kind, [(w, s, *map(worth, p)) for w, s, *p in row]
    if not isinstance(game, Paying):
        return Table(rows)
    return Paying(rows, paid={key: worth(pair) for key, pair in game.paid.items()})


LINES = st.builds(
    dict,
    pays=st.booleans(),
    cycles=st.booleans(),
    players=st.just(2),
    deciders=st.just((0,)),
    max_states=st.just(7),
    max_moves=st.just(3),
).flatmap(lambda options: games(**options))
"""Games in which one player decides: one column has intercepts, the other slopes."""


@pytest.mark.slow
@settings(max_examples=2 * settings().max_examples)
@given(
    game=LINES,
    low=st.fractions(-2, 1, max_denominator=3),
    width=st.sampled_from([F(1, 7), 1, 3, 10]),
    form=st.sampled_from(["game", "explored", "arrays", "rows"]),
)
def test_the_envelope_of_all_policies(
    game: Any, low: Fraction, width: Fraction, form: str
) -> None:
    def make(amount: Fraction) -> Any:
        one = at(game, amount)
        if form in ("arrays", "rows"):
            return Listed(one, rows=form == "rows")
        return explore(one) if form == "explored" else one

    high = low + width
    try:
        ends = [exact.solve(make(amount)).value for amount in (low, high)]
    except GameError:
        with pytest.raises(GameError):
            play.breakpoints(make, low, high)
        return
    result: Any = play.breakpoints(make, low, high)
    policies = oracles.policies(game, (0,))
    ending = [policy for policy in policies if oracles.ends(game, policy)]
    lines = {oracles.values(game, policy)[0] for policy in ending}

    def best(amount: Fraction) -> Fraction:
        return max(x + slope * amount for x, slope in lines)

    meetings = {
        (a[0] - b[0]) / (b[1] - a[1]) for a, b in combinations(lines, 2) if a[1] != b[1]
    }
    inside = sorted({low, high, *[x for x in meetings if low < x < high]})
    middles = [(x + y) / 2 for x, y in pairwise(inside)]
    for amount in inside + middles:
        assert result.value(amount) == best(amount)
    # A breakpoint is where the value is below the chord, and every piece is a policy's.
    for (x, y), amount in zip(pairwise(middles), inside[1:-1], strict=True):
        left, here, right = map(result.value, (x, amount, y))
        below = (here - left) * (y - x) < (right - left) * (amount - x)
        assert below == (amount in result.breakpoints)
    assert set(result.breakpoints) <= set(inside[1:-1])
    assert set(result.lines) <= lines
    assert (result.ends[0], result.ends[-1]) == (low, high)
    assert [result.value(low), result.value(high)] == ends
    for x, y in pairwise(result.ends):
        for amount in (x, (x + y) / 2, y):
            assert result.solution(amount).value == result.value(amount)


def deck(cards: int) -> Callable[[Any], Any]:
    def make(fee: Any) -> Any:
        return redblack.game(cards, cards, rules=redblack.Rules(fee=fee))

    return make


def test_a_whole_deck() -> None:
    result = play.breakpoints(deck(26), 0, "1/2")
    assert len(result.breakpoints) == 66
    assert result.value(0) == redblack.value(26, 26, backend="exact")
    assert float(result.breakpoints[-1]) == pytest.approx(0.106657540853)
    slopes = [slope for _, slope in result.lines]
    assert slopes == sorted(set(slopes))
    for x, y in [*pairwise(result.ends)][::13]:
        law = play.distribution(result.solution((x + y) / 2), count="draw").moves
        line = result.lines[result.ends.index(x)]
        assert law.mean == pytest.approx(float(-line[1]), abs=1e-9)


def _end(prize: Fraction) -> Any:
    return Table({0: ("end", [prize])})


def test_one_policy_has_one_piece() -> None:
    result: Any = play.breakpoints(_end, -1, 1)
    assert (result.ends, result.breakpoints, result.lines) == ((-1, 1), (), ((0, 1),))
    assert result.value(0.1) == F(0.1)  # the binary fraction
    assert result.value("0.1") == F(1, 10)
    assert result.amount == "prize"
    constant: Any = play.breakpoints(lambda *_: _end(F(2)), 0, 1)
    assert constant.lines == ((2, 0),)
    assert pickle.loads(pickle.dumps(result)) == result


def test_ties_at_an_end_hide_no_piece() -> None:
    """Of three policies that tie at 0, the first two are best there only."""

    def make(amount: Fraction) -> Any:
        ends = {f"{k}": k for k in (1, 2, 3)}
        return Table(
            {0: (0, ends), **{k: ("end", [amount * (k - 2)]) for k in (1, 2, 3)}}
        )

    for low, high, slope in ((0, 1, 1), (-1, 0, -1)):
        result: Any = play.breakpoints(make, low, high)
        assert result.lines == ((0, slope),)
    both: Any = play.breakpoints(make, -1, 1)
    assert (both.breakpoints, both.lines) == ((0,), ((0, -1), (0, 1)))


# What is refused
# ---------------


def choice(first: Any, second: Any) -> Any:
    rows = {0: (0, {"a": 1, "b": 2}), 1: ("end", [first]), 2: ("end", [second])}
    return Table(rows)


def coin(heads: int) -> Any:
    rows = {0: ("chance", [(heads, 1), (1, 2)]), 1: ("end", [1]), 2: ("end", [0])}
    return Table(rows)


def paying(reward: Any) -> Any:
    rows = {"start": (0, {"on": "end"}), "end": ("end", [0])}
    return Paying(rows, "start", paid={("start", "on"): [reward]})


def loop(gain: Any) -> Any:
    rows = {0: (0, {"stay": 0, "end": 1}), 1: ("end", [0])}
    return Paying(rows, paid={(0, "stay"): [gain]})


REFUSED: list[tuple[Any, Any, Any, type[Exception], str]] = [
    (3, 0, 1, TypeError, "make must be a function that returns a game, got 3 of"),
    (choice, "x", 1, ValueError, "low must be a finite int, .* got 'x'"),
    (choice, 0, None, TypeError, "high must be a finite int, .* got None"),
    (choice, 1, 1, ValueError, "high must be above low, 1, got 1"),
    (lambda x: 5, 0, 1, TypeError, "lacks|must"),
    (
        lambda x: cardrow.game([1, x]),
        0,
        1,
        GameError,
        "must return games for one player",
    ),
    (lambda x: choice(float(x), 0), 0, 1, TypeError, "returns must be integers or"),
    (lambda x: paying(float(x)), 0, 1, TypeError, "rewards must be integers or"),
    (lambda x: Listed(coin(2), kind=float), 0, 1, TypeError, "returns must be"),
    (lambda x: choice(x * x, 0), 0, 13, GameError, "state 1 0 at 0, 25 at 5, 169 at"),
    (lambda x: paying(abs(x - 1)), 0, 26, GameError, "'start' 1 at 0, 9 at 10, 25 at"),
    (loop, -1, 1, GameError, "somebody gains each time round"),
]

OTHERS: list[tuple[Any, str]] = [
    (lambda x: coin(1 + int(x)), "probabilities in state 0"),
    (lambda x: Listed(coin(1 + int(x))), "probabilities in state 0"),
    (
        lambda x: redblack.game(3 + int(x), 3),
        r"state in place of State\(red=3, black=3.*",
    ),
    (lambda x: Table({x: ("end", [0])}, x), r"state in place of Fraction\(0, 1\)"),
    (
        lambda x: Table({0: (0, {"ab"[int(x)]: 1}), 1: ("end", [0])}),
        "actions in state 0",
    ),
    (
        lambda x: Table({0: (0, {"a": int(x), "b": 1}), 1: ("end", [0])}),
        "moves in state 0",
    ),
]
REFUSED += [
    (make, 0, 1, GameError, f"what they pay, got (an)?other {what} at 1 than at 0")
    for make, what in OTHERS
]


@pytest.mark.parametrize(("make", "low", "high", "error", "words"), REFUSED)
def test_what_is_refused(
    make: Any, low: Any, high: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        play.breakpoints(make, low, high)


def test_amounts_that_are_refused() -> None:
    result = play.breakpoints(_end, 0, 1)
    for ask in (result.value, result.solution):
        value_error("amount must be from 0 to 1, got 2", ask, 2)
        value_error("amount must be from 0 to 1, got '-1/2'", ask, "-1/2")
        type_error("amount must be a finite int", ask, None)


def test_weights_in_other_units_are_the_same_chances() -> None:
    def make(prize: Fraction) -> Any:
        times = 1 + prize.denominator
        rows = {0: ("chance", [(times, 1), (3 * times, 2)]), 1: ("end", [prize])}
        return Table({**rows, 2: ("end", [0])})

    result: Any = play.breakpoints(make, 0, 1)
    assert result.lines == ((0, F(1, 4)),)


def test_errors_say_for_what_amount() -> None:
    def make(amount: Any) -> Any:
        raise RuntimeError(f"no such game: {amount}")

    caught = refuses(RuntimeError, "no such game", play.breakpoints, make, "1/2", 1)
    assert caught.__notes__ == ["raised by make for Fraction(1, 2)"]
    refused = game_error("somebody gains", play.breakpoints, loop, -1, "1/2")
    assert refused.__notes__ == ["raised by exact.solve for the amount 1/2"]


def test_a_solution_in_floats_is_a_game_as_any() -> None:
    """What it was solved by does not matter."""
    result = play.breakpoints(lambda fee: diagonal.solve(deck(2)(fee)), 0, 1)
    assert result.lines == play.breakpoints(deck(2), 0, 1).lines


def test_a_picture() -> None:
    result = play.breakpoints(deck(3), 0, "1/2")
    ax: Any = result.plot()
    assert ax.get_title() == "Value by fee: 2 breakpoints"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("fee", "value")
    line, dots = ax.lines
    for drawn, right in ((line, result.ends), (dots, result.breakpoints)):
        points = [[float(x), float(result.value(x))] for x in right]
        assert drawn.get_xydata().tolist() == points
    assert result.plot(ax) is ax
