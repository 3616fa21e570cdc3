"""Calls that fit no signature, and unknown words: the message says what was meant."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from cardgames_dp import cardrow, exact, pairs, redblack

from .test_package import PUBLIC_OBJECTS, in_a_fresh_interpreter


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


def test_functions_and_classes_are_found() -> None:
    assert len(CALLED) > 70
    assert redblack.Rules in [each.values[0] for each in CALLED]


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


@pytest.mark.parametrize(
    "way",
    [
        "from cardgames_dp.exact import solve",
        "from cardgames_dp import exact; solve = exact.solve",
        "import cardgames_dp.exact as e; solve = e.solve",
        "import cardgames_dp.cardrow.rules; from cardgames_dp.exact import solve",
        "import importlib as i; solve = i.import_module('cardgames_dp.exact').solve",
        "from cardgames_dp.redblack import *",
    ],
)
def test_however_it_is_imported(way: str) -> None:
    code = f"{way}\ntry: solve(games=1)\nexcept TypeError as error: print(error)"
    told = in_a_fresh_interpreter(code)
    assert told.startswith("solve() has no argument 'games'; ")


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


@pytest.mark.parametrize(
    "public", [redblack.value, exact.solve, redblack.utilities.log, cardrow.solve]
)
def test_they_are_pickled_and_read_as_before(public: Any) -> None:
    assert pickle.loads(pickle.dumps(public)) is public
    assert inspect.signature(public).parameters
    assert "Examples" in (inspect.getdoc(public) or "")
