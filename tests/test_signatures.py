"""Calls that fit no signature, and unknown words: the message says what was meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from cardgames_dp import cardrow, exact, pairs, play, redblack

from .refusals import type_error
from .test_package import PUBLIC_OBJECTS


class Careful:
    """A policy whose class is given in its place."""


def message(call: Callable[[], object]) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert caught.value.__cause__ is caught.value.__context__ is None
    return str(caught.value)


def is_called(member: Any) -> bool:
    """Tell whether it is a function, or a class that users make objects of."""
    return inspect.isfunction(member) or "\nParameters\n---" in (
        inspect.getdoc(member) or ""
    )


CALLED = [each for each in PUBLIC_OBJECTS if is_called(each.values[0])]


def takes_any_word(member: Any) -> bool:
    parameters = inspect.signature(member).parameters.values()
    return any(each.kind == each.VAR_KEYWORD for each in parameters)


@pytest.mark.parametrize(
    "member", [each for each in CALLED if not takes_any_word(each.values[0])]
)
def test_every_public_function_and_class_explains_itself(member: Any) -> None:
    assert message(lambda: member(zzz=1)).startswith(
        f"{member.__name__}() has no argument 'zzz'; it is called as {member.__name__}("
    )


def test_errors_of_the_code_itself_are_left_alone() -> None:
    def wrong(state: pairs.State) -> Any:
        return state.no_such()  # type: ignore[attr-defined]

    def misfit() -> None:
        """Take no cash."""

    utility: Any = misfit
    with pytest.raises(AttributeError, match="no_such"):
        pairs.decision(wrong, pairs.state(hand=[1], others=[2]))
    with pytest.raises(TypeError, match=r"misfit\(\) takes 0 positional arguments but"):
        redblack.solve(1, 1, rules=redblack.Rules(utility=utility)).value  # noqa: B018


def test_calls_that_fit_no_signature() -> None:
    type_error("rates() missing 1 required", pairs.rates, pairs.HitBelow(".2"))
    type_error("value() got 3, and takes only 2 by", redblack.value, 1, 2, 3)
    type_error("Rules() has no argument 'fees'; did you mean", redblack.Rules, fees=1)
    type_error(
        "simulate() has no", play.simulate, redblack.game(3, 3), "optimal", seed=1
    )
    type_error("rates() has no argument", pairs.rates, None, "optimal", parallel=3)
    type_error("rates() has no argument", pairs.rates, None, "optimal", verbose=3)
    type_error("solve() has no argument", exact.solve, redblack.game(1, 1), max_state=9)
    type_error("match() has no argument 'who'", cardrow.match, [1, 2], who="larger")
    type_error("policy must be an instance of", redblack.value, 3, 3, policy=Careful)
    type_error(
        "a policy in first must be an instance of Careful",
        lambda: cardrow.match([1, 2], play.mixture({Careful: 1}), "optimal"),
    )
