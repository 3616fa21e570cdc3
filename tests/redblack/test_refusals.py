"""Bad input is refused before any work, in words that name it."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules

DECK_FUNCTIONS = [
    redblack.value,
    redblack.solve,
    redblack.enclosure,
    redblack.distribution,
    redblack.foresight_value,
    Rules().game,
]


NOT_COUNTS = [
    (-1, ValueError, r"must be an integer >= 0, got -1"),
    (True, TypeError, r"must be an integer >= 0, got True of type bool"),
    (np.True_, TypeError, r"of type bool"),
    (2.0, TypeError, r"must be an integer >= 0, got 2\.0 of type float"),
    (np.float64(2), TypeError, r"of type float64"),
    (float("nan"), TypeError, r"got nan of type float"),
    (Fraction(2), TypeError, r"of type Fraction"),
    ("2", TypeError, r"got '2' of type str"),
    (None, TypeError, r"got None of type NoneType"),
]


@pytest.mark.parametrize("function", DECK_FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("bad", "error", "message"), NOT_COUNTS)
def test_counts(
    function: Callable[..., Any], bad: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(
        error, match=f"red {message}" if error is ValueError else message
    ):
        function(bad, 3)
    with pytest.raises(error, match=r"^black must be"):
        function(3, bad)


@pytest.mark.parametrize("function", DECK_FUNCTIONS[:-1], ids=lambda f: f.__name__)
def test_numpy_integers_are_counts(function: Callable[..., Any]) -> None:
    assert function(np.int8(5), np.uint64(4)) == function(5, 4)


WITH_RULES = [
    redblack.value,
    redblack.solve,
    redblack.enclosure,
    redblack.distribution,
]


@pytest.mark.parametrize("function", WITH_RULES, ids=lambda f: f.__name__)
def test_rules_of_another_kind(function: Callable[..., Any]) -> None:
    with pytest.raises(
        TypeError, match=r"rules must be redblack\.Rules or None, got 'x'"
    ):
        function(2, 2, rules="x")
    with pytest.raises(TypeError, match=r"rules must be"):
        redblack.value([2], [2], rules={"win": 2})  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"rules must be"):
        redblack.thresholds(2, rules=2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "function",
    [
        redblack.value,
        redblack.solve,
        redblack.distribution,
        redblack.foresight_value,
        lambda red, black, backend: redblack.value([red], [red], backend=backend),
    ],
)
def test_backends(function: Callable[..., Any]) -> None:
    with pytest.raises(
        ValueError, match=r"backend must be one of 'float64', 'exact', got 'float32'"
    ):
        function(2, 2, backend="float32")
    with pytest.raises(TypeError, match=r"backend must be one of"):
        function(2, 2, backend=None)


@pytest.mark.parametrize(
    "function",
    [
        redblack.value,
        redblack.enclosure,
        lambda red, black, method: redblack.value([red], [red], method=method),
        lambda red, black, method: redblack.thresholds(red, method=method),
    ],
)
def test_methods(function: Callable[..., Any]) -> None:
    with pytest.raises(
        ValueError,
        match=r"method must be one of 'auto', 'diagonal', 'staircase', got 'guess'",
    ):
        function(2, 2, method="guess")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: redblack.value(2, 2, method="staircase", backend="exact"),
            r"method must not be 'staircase' with backend='exact'",
        ),
        (
            lambda: redblack.enclosure(2, 2, method="staircase", rules=Rules(win=2)),
            r"what a black one costs, .* got Rules\(win=2.*use method='diagonal'",
        ),
        (
            lambda: redblack.thresholds(2, method="staircase", rules=Rules(win=2)),
            r"what a black one costs",
        ),
        (
            lambda: redblack.value(500, 800, method="staircase"),
            r"differ by at most 4 times the root of their sum, got 500 and 800",
        ),
        (
            lambda: redblack.value([1, 2**50], [1, 2**50], method="staircase"),
            r"for more than 1125899906842624 cards, .* fitting\.asymptotic_value",
        ),
    ],
)
def test_where_the_staircase_cannot_be_used(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "function",
    [
        redblack.value,
        redblack.enclosure,
        lambda red, black, **more: redblack.value([red], [red], **more),
    ],
)
def test_checkpoints_are_of_the_staircase(
    function: Callable[..., Any], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"checkpoint is for method='staircase' only"):
        function(26, 26, checkpoint=tmp_path / "c.npz")
    with pytest.raises(TypeError, match=r"checkpoint must be the path of a file .* 3 "):
        function(26, 26, method="staircase", checkpoint=3)
    missing = tmp_path / "missing" / "c.npz"
    with pytest.raises(ValueError, match=r"in a folder that exists, got '.*missing"):
        function(26, 26, method="staircase", checkpoint=missing)
    with pytest.raises(ValueError, match=r"in a folder that exists"):
        function(26, 26, method="staircase", checkpoint=tmp_path)


@pytest.mark.parametrize("function", [redblack.value, redblack.enclosure])
def test_numbers_of_cards_are_integers_or_arrays_of_them(function: Any) -> None:
    for bad in (None, "12", b"12", {1}, 1.0):
        with pytest.raises(TypeError, match=r"red must be an integer >= 0, got"):
            function(bad, [1])
    with pytest.raises(ValueError, match=r"red\[1\] must be an integer >= 0, got -2"):
        function([1, -2], 1)
    with pytest.raises(TypeError, match=r"black\[0, 1\] must be an integer"):
        function(1, [[1, 1.0]])
    with pytest.raises(TypeError, match=r"red\[0\] must be an integer .*got \[1\]"):
        function([[1], [1, 2]], 1)
    with pytest.raises(ValueError, match=r"that broadcast, got \(2,\) and \(3,\)"):
        function([1, 2], [1, 2, 3])


def test_arrays_broadcast() -> None:
    assert redblack.value([], []).shape == (0,)
    assert redblack.value([], 3, backend="exact").dtype == object
    found = redblack.value(range(4), [[2], [5]])
    assert found.shape == (2, 4)
    assert found[1].tolist() == redblack.value(np.arange(4), 5).tolist()
    single: object = redblack.value(np.array(3), 2)
    assert type(single) is float


class Hostile(float):
    """A number that does not say which."""

    def __float__(self) -> float:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (redblack.distribution(2, 2).payoff.cdf, "x must be a real number"),
        (redblack.distribution(2, 2).payoff.quantile, "q must be a real number"),
        (lambda x: Rules().reward(x), "cash must be numbers that fit in float64"),
        (lambda x: Rules().reward([x]), "cash must be numbers that fit in float64"),
        (lambda x: Rules().exact_reward([x]), r"cash\[0\] must be a finite"),
        (redblack.utilities.log(wealth=2), "cash must be numbers"),
        (lambda x: redblack.StopAtExcess([x]), "excess must be an array"),
    ],
)
def test_numbers_that_cannot_be_read(call: Callable[[Any], Any], message: str) -> None:
    for bad in (Hostile(1), object(), "1"):
        with pytest.raises(TypeError, match=f"^{message}"):
            call(bad)


@pytest.mark.parametrize("policy", [redblack.StopAtCash, redblack.StopAtExcess])
def test_a_policy_is_no_class(policy: Any) -> None:
    with pytest.raises(TypeError, match=f"an instance of {policy.__name__}, got the"):
        redblack.simulate(2, 2, games=1, policy=policy)


def test_no_certificate_with_a_utility() -> None:
    with pytest.raises(ValueError, match="rules must be without a utility"):
        redblack.enclosure(2, 2, rules=Rules(utility=lambda cash: cash))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: redblack.solve(10**6, 10**6), r"1000001 x 1000001 states needs about"),
        (
            lambda: redblack.value(10**7, 10**7, backend="exact"),
            r"use backend='float64'",
        ),
        (lambda: redblack.distribution(10**9, 10**9).payoff, r"law of 1000000000 red"),
        (lambda: redblack.distribution(10**12, 3).moves, r"use a smaller deck"),
        (lambda: redblack.simulate(10**12, 3, games=1), r"a smaller deck"),
    ],
)
def test_what_does_not_fit(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TooLargeError, match=message) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, MemoryError)


@pytest.mark.parametrize(
    ("backend", "message"),
    [("float64", r"max_bytes, 10 bytes; .* value\("), ("exact", r"10 x 10 states")],
)
def test_tables_that_do_not_fit(backend: Any, message: str) -> None:
    with (
        pytest.raises(TooLargeError, match=message),
        cardgames_dp.running(max_bytes=10),
    ):
        redblack.solve(9, 9, backend=backend)


@pytest.mark.parametrize(
    "rules", [Rules(win=10**400), Rules(lose=10**400), Rules(win=1e200, lose=1e-200)]
)
def test_amounts_beyond_float64(rules: Rules) -> None:
    for function in (
        redblack.value,
        redblack.enclosure,
        redblack.distribution,
    ):
        with pytest.raises(ValueError, match=r"rules must have .*use backend='exact'"):
            function(2, 2, rules=rules)
    exactly = redblack.value(2, 2, rules=rules, backend="exact")
    assert exactly == redblack.solve(2, 2, rules=rules, backend="exact").value
    assert (
        exactly == redblack.distribution(2, 2, rules=rules, backend="exact").payoff.mean
    )


@pytest.mark.parametrize("rules", [Rules(win=10**400), Rules(lose=10**400)])
def test_a_float_table_of_amounts_beyond_float64(rules: Rules) -> None:
    with pytest.raises(ValueError, match=r"rules must have .*use backend='exact'"):
        redblack.solve(2, 2, rules=rules)


def test_amounts_of_different_sizes() -> None:
    rules = Rules(win=1e20, lose=0.1)
    exactly = redblack.value(9, 9, rules=rules, backend="exact")
    assert exactly in redblack.enclosure(9, 9, rules=rules)


def test_tiny_amounts_keep_their_digits() -> None:
    tiny = Rules(win=5e-324, lose=5e-324)
    assert redblack.value(26, 26, rules=tiny, backend="exact") == Fraction(
        41984711742427, 15997372030584
    ) * Fraction(5e-324)
    with pytest.raises(ValueError, match=r"amounts between 1e-270 and"):
        redblack.solve(2, 2, rules=tiny)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, TypeError, "either red and black"),
        ({"red": 1}, TypeError, "either red and black"),
        ({"red": 1, "good": 1}, TypeError, "either red and black"),
        ({"red": 1, "black": 1, "drawn": 2, "good": 1}, TypeError, "either red"),
        (
            {"red": 4, "black": 1},
            ValueError,
            r"red=4, black=1 cannot be reached from 3",
        ),
        ({"drawn": 2, "good": 3}, ValueError, r"drawn=2, good=3 cannot be reached"),
        ({"drawn": 7, "good": 3}, ValueError, "cannot be reached"),
        ({"red": -1, "black": 1}, ValueError, r"red must be an integer >= 0"),
        ({"drawn": 1.0, "good": 1}, TypeError, r"drawn must be an integer"),
    ],
)
def test_advice(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        redblack.solve(3, 3).advice(**arguments)


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (0, ValueError, "max_excess must be an integer >= 1, got 0"),
        (2.0, TypeError, "max_excess must be an integer >= 1"),
        (True, TypeError, "of type bool"),
    ],
)
def test_excess(bad: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        redblack.thresholds(bad)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(lose=2), r"win - fee = 1, lose \+ fee = 2"),
        (Rules(lose=0), r"lose \+ fee > 0"),
        (Rules(fee=1), r"win - fee = 0"),
        (Rules(utility=lambda cash: cash), "linear, without a utility"),
    ],
)
def test_rules_without_thresholds(rules: Rules, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        redblack.thresholds(3, rules=rules)
    with pytest.raises(ValueError, match=message):
        _ = redblack.solve(3, 3, rules=rules).boundary.thresholds


def test_amounts_are_refused_by_what_a_whole_deck_brings() -> None:
    """2e298 a card is a float64, a hundred cards of it are not."""
    rules = Rules(win=2e298)
    assert redblack.solve(20, 20, rules=rules).value > 0
    with pytest.raises(ValueError, match=r"1e300 / \(red \+ black\) for float64"):
        redblack.solve(50, 50, rules=rules)
