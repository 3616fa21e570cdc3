"""The session `fuzz` in small: what it calls, and how it tells faults from refusals."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import exact, pairs, redblack

from . import hostile
from .calls import tried
from .targets import Target, harvest, public_modules

pytestmark = pytest.mark.skipif(
    not hasattr(__import__("signal"), "SIGPROF"), reason="needs timers of POSIX"
)


@pytest.fixture(scope="module")
def targets() -> dict[str, Target]:
    """Return what the examples of two modules call."""
    return {target.name: target for target in harvest([exact, redblack.utilities])}


def test_every_module_is_looked_at() -> None:
    names = {module.__name__ for module in public_modules(cardgames_dp)}
    assert {pairs.__name__, redblack.utilities.__name__} < names


def test_functions_methods_and_classes_are_called(targets: dict[str, Target]) -> None:
    assert targets["exact.solve"].calls
    power = targets["redblack.utilities.power"]
    assert power.calls[0][1] != {}
    assert power.parameters() == ["risk_aversion", "wealth"]
    assert "_graph.solution.Solution.to_dict" in targets
    assert exact.solve.__module__ == "cardgames_dp.exact"  # no recorder stays


@pytest.mark.slow
def test_all_calls_end_as_documented(targets: dict[str, Target]) -> None:
    for number in range(300):
        rng = np.random.default_rng(number)
        verdict = tried(targets[sorted(targets)[number % len(targets)]], rng)
        assert not verdict.fault, verdict


def judged(function: Any) -> str:
    """Return the fault of a function of one argument."""
    target = Target("judged", function, [((1,), {})])
    return tried(target, np.random.default_rng(1)).fault


def wrong_key(_: Any) -> None:
    """Look something up.

    Raises
    ------
    KeyError
        If it is not there.
    """
    raise KeyError(1)


def test_faults_are_told_from_refusals() -> None:
    def refuses(_: Any) -> None:
        raise TypeError("it must be another")

    def silent(_: Any) -> None:
        raise ValueError

    def verbose(_: Any) -> None:
        raise ValueError("x" * 3000)

    assert judged(refuses) == judged(lambda _: 1) == ""
    assert judged(hostile.raises) == ""
    assert judged(silent) == "no message"
    assert judged(verbose).startswith("a message of 3000 characters")
    assert judged(lambda _: float("nan")) == "nan"
    assert "ZeroDivisionError" in judged(lambda _: 1 // 0)
    assert "MemoryError" in judged(lambda _: bytearray(2**62))
    assert "KeyError" in judged(lambda _: {"a": 1}["b"])
    documented = Target("f", wrong_key, [((1,), {})], wrong_key.__doc__ or "")
    about = documented.documentation.replace("\n    ", "\n")
    documented.documentation = about
    assert tried(documented, np.random.default_rng(1)).fault == ""


def test_values_are_made_anew() -> None:
    for make in hostile.VALUES:
        if isinstance(make(), types.GeneratorType):
            assert make() is not make()
