"""Calls that fit no signature, and unknown words: the message says what was meant."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgames_dp
from cardgames_dp import cardrow, exact, pairs, redblack
from cardgames_dp._support import calls

from .test_package import PUBLIC_OBJECTS


def message(call: Callable[[], object]) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert caught.value.__cause__ is caught.value.__context__ is None
    return str(caught.value)


GAME = redblack.Rules().game(1, 1)

TOLD: dict[str, Callable[[], object]] = {
    "best_response() missing 1 required positional argument: 'policy' (it took "
    "HitBelow('0.2') as rules); it is called as best_response(rules, policy, *, "
    "executor)": (
        lambda: pairs.best_response(pairs.HitBelow(".2"))  # type: ignore[call-arg, arg-type]
    ),
    "value() got 'exact', and takes only 2 by position; did you mean "
    "backend='exact'? It is called as value(red, black, *, policy, ": (
        lambda: redblack.value(26, 26, "exact")  # type: ignore[call-overload]
    ),
    "value() got 3, and takes only 2 by position; it is called as value(red, bl": (
        lambda: redblack.value(1, 2, 3)  # type: ignore[call-overload]
    ),
    "Rules() has no argument 'fees'; did you mean fee? It is called as "
    "Rules(win, lose, fee, utility, tie)": (
        lambda: redblack.Rules(fees=1)  # type: ignore[call-arg]
    ),
    "simulate() has no argument 'seed'; did you mean rng? It is called as simulate(": (
        lambda: redblack.simulate(3, 3, games=1, seed=1)  # type: ignore[call-arg]
    ),
    "simulate() has no argument 'parallel'; did you mean executor? It is called as": (
        lambda: pairs.simulate(None, "optimal", parallel=3)  # type: ignore[call-arg]
    ),
    "simulate() has no argument 'verbose'; it is called as simulate(rules, polici": (
        lambda: pairs.simulate(None, "optimal", verbose=3)  # type: ignore[call-arg]
    ),
    "solve() has no argument 'max_state'; did you mean max_states? It is called": (
        lambda: exact.solve(GAME, max_state=9)  # type: ignore[call-overload]
    ),
    "match() has no argument 'who'; it is called as match(cards, *players, rules, ": (
        lambda: cardrow.match([1, 2], who="larger")  # type: ignore[call-arg]
    ),
    "value() got multiple values for argument 'red' (it took 26 as red and 26 as ": (
        lambda: redblack.value(26, 26, red=26)  # type: ignore[call-overload]
    ),
    "policies must be one of 'optimal', 'fifty_percent', 'expected_points', "
    "'never_hit', 'always_hit', a Solution or Response, or a callable of a View, "
    "got 'optimall'; did you mean 'optimal'?": (
        lambda: pairs.simulate(None, "optimall", games=1)  # type: ignore[arg-type]
    ),
    "backend must be one of 'float64', 'exact', got 'EXACT'; did you mean 'exact'?": (
        lambda: redblack.value(1, 1, backend="EXACT")  # type: ignore[call-overload]
    ),
}


@pytest.mark.parametrize("start", TOLD)
def test_what_was_meant_is_said(start: str) -> None:
    assert message(TOLD[start]).startswith(start)


def test_words_like_none_bring_no_guess() -> None:
    call = lambda: redblack.value(1, 1, backend="fast")  # type: ignore[call-overload]  # noqa: E731
    assert message(call).endswith("got 'fast'")


def refuses_keywords(member: Any) -> bool:
    """Tell whether it is a function or class with arguments that have names."""
    init = None if inspect.isfunction(member) else vars(member).get("__init__")
    if not inspect.isfunction(init or member):
        return False
    kinds = [p.kind for p in inspect.signature(member).parameters.values()]
    return inspect.Parameter.VAR_KEYWORD not in kinds


EXPLAINING = [each for each in PUBLIC_OBJECTS if refuses_keywords(each.values[0])]


def test_most_are_looked_at() -> None:
    assert len(EXPLAINING) > 0.8 * len(PUBLIC_OBJECTS)


@pytest.mark.parametrize("member", EXPLAINING)
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
    root = Path(cardgames_dp.__file__).parents[1]
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, check=True
    )
    assert told.stdout.startswith(b"solve() has no argument 'games'; ")


def test_errors_of_the_code_itself_are_left_alone() -> None:
    def wrong(view: pairs.View) -> Any:
        return view.no_such()  # type: ignore[attr-defined]

    def misfit() -> None:
        """Take no cash."""

    utility: Any = misfit
    with pytest.raises(AttributeError, match="no_such"):
        pairs.decision(wrong, hand=[1], others=[[2]], scores=(0, 0))
    with pytest.raises(TypeError, match=r"misfit\(\) takes 0 positional arguments but"):
        redblack.solve(1, 1, rules=redblack.Rules(utility=utility)).value  # noqa: B018


@pytest.mark.parametrize(
    "public", [redblack.value, exact.solve, redblack.utilities.log, cardrow.solve]
)
def test_they_are_pickled_and_read_as_before(public: Any) -> None:
    assert pickle.loads(pickle.dumps(public)) is public
    assert inspect.signature(public).parameters
    assert "Examples" in (inspect.getdoc(public) or "")
    assert calls.helped(public) is public, "once is enough"
