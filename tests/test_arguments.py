"""Refusals stay short and of a documented kind, whatever they are given."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import cardrow, exact, pairs, play, redblack
from cardgames_dp._support import arguments
from cardgames_dp.fitting.regression import VALUES

from . import hostile
from .refusals import value_error

HUGE = 10**5000  # of which Python prints no digits


MEGABYTES = [
    "x" * 10**6,
    b"x" * 10**6,
    [0.5] * 10**6,
    dict.fromkeys(map(str, range(1000)), "x" * 1000),
    [["x" * 1000] * 1000] * 1000,
    np.zeros((100, 100)),
    hostile.nested(100_000),
    Fraction(HUGE, 3),
    Fraction(10**4000, 3),
]


@pytest.mark.parametrize("value", MEGABYTES, ids=lambda v: type(v).__name__)
def test_a_value_is_shown_in_one_short_line(value: object) -> None:
    text = arguments.shown(value)
    assert 0 < len(text) <= 160
    assert "\n" not in text


def refuse(*_: object) -> str:
    raise RuntimeError


@pytest.mark.parametrize(
    ("name", "method", "text"),
    [
        ("Silent", "__repr__", "<Silent instance at 0x"),
        ("dict", "__len__", ".dict object at 0x"),  # it looks like one that is built in
    ],
)
def test_a_value_without_a_repr_is_shown_by_its_type(
    name: str, method: str, text: str
) -> None:
    value: Any = type(name, (), {method: refuse})()
    assert text in arguments.shown(value)
    with pytest.raises(TypeError, match=f"^red must be .* got <.*{text[1:]}"):
        redblack.value(value, 1)


@pytest.mark.parametrize("value", MEGABYTES, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda bad: redblack.value(bad, 1),
        lambda bad: redblack.value(1, 1, rules=bad),
        lambda bad: redblack.value(1, 1, backend=bad),
        lambda bad: redblack.value(1, 1, method=bad),
        lambda bad: cardgames_dp.running(progress=bad),
        lambda bad: redblack.value(bad, [1]),
        lambda bad: redblack.value(1, 1, policy=bad),
        lambda bad: play.simulate(redblack.game(1, 1), "optimal", rng=bad),
        lambda bad: redblack.Rules(utility=bad),
        lambda bad: redblack.Rules(win=-bad if isinstance(bad, Fraction) else bad),
        lambda bad: cardrow.value([bad, *hostile.nested(2)], backend="exact"),
        lambda bad: cardrow.match([1, 2], bad, "optimal"),
        lambda bad: pairs.Rules(players=bad),
        lambda bad: pairs.rates(None, [bad, "optimal"]),
        lambda bad: arguments.floats_in("values", [bad], VALUES),
        exact.solve,
    ],
    ids=range(16),
)
def test_messages_are_short(call: Callable[[Any], Any], value: object) -> None:
    with pytest.raises((TypeError, ValueError)) as refusal:
        call(value)
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize(
    "rng", [5, 2**1000, [1, 2, 3], (4, 5), np.arange(7)], ids=range(5)
)
def test_seeds_are_numpys(rng: Any) -> None:
    assert arguments.generator(rng).random() == np.random.default_rng(rng).random()


def test_what_is_accepted() -> None:
    """As the usual kinds: an integer and a word of a class of its own, infinities."""

    assert type(arguments.integer("n", hostile.IntOf(3))) is int
    assert arguments.choice("tie", hostile.TextOf("stop"), ("stop",)) == "stop"
    kinds: list[Any] = [float, Decimal, np.float32, np.float64]
    for kind in kinds:
        for text in ("inf", "-inf"):
            number = arguments.real("x", kind(text))
            assert type(number) is float
            assert number == float(text)


def test_what_results_call_a_callable() -> None:
    class Cautious:
        def __call__(self) -> None: ...

    class Nameless(Cautious):
        __name__ = 7

    callables: list[Any] = [max, Cautious(), Nameless()]
    assert [*map(arguments.function_name, callables)] == ["max", "Cautious", "Nameless"]


def test_arguments_of_any_kind() -> None:
    value_error("rng must be a seed of at most 32768", arguments.generator, HUGE**100)
    value_error("rng must be None, a seed (an", arguments.generator, range(10**30))
    value_error(
        "tie must be one of 'stop",
        arguments.choice,
        "tie",
        hostile.TextOf("x"),
        ("stop",),
    )
    value_error("backend must be one of 'float64'", arguments.backend, "Fraction")
    error = arguments.not_one_of("policy", "x", ["a", "b"], "a number", "a callable")
    assert (
        str(error) == "policy must be one of 'a', 'b', a number, or a callable, got 'x'"
    )
    assert str(arguments.not_one_of("tie", 3, ["a"])) == "tie must be one of 'a', got 3"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-5, "-5"),
        ("a", "'a'"),
        (Decimal("0.1"), "Decimal('0.1')"),
        (10**30 - 1, "9" * 30),
        (10**31, "about 1e31"),
        (-(25 * 10**39), "about -2.5e40"),
        (HUGE, "about 1e5000"),
        (-(3**100_000), "about -1.3e47712"),
    ],
    ids=range(8),  # Python would not print them
)
def test_long_numbers_are_shown_by_their_size(value: Any, words: str) -> None:
    assert arguments.shown(value) == words
