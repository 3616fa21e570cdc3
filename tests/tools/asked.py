"""What a question of the record is, and what several of them record of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True)
class Within:
    """A question whose floats may differ by more, on another kind of machine.

    `bound` is relative to the largest float of the result.
    """

    bound: float
    ask: Callable[[], object]


Questions: TypeAlias = Mapping[str, Callable[[], object] | Within]


def each(
    name: str, over: Iterable[Any], ask: Callable[[Any], object]
) -> dict[str, Callable[[], object]]:
    """Return a question for each word, or each item of a mapping, named by its key."""
    items = over.items() if isinstance(over, Mapping) else ((x, x) for x in over)
    return {name.format(key): partial(ask, item) for key, item in items}


def of(result: Any, *names: str) -> dict[str, Any]:
    """Return some attributes of a result."""
    return {name: getattr(result, name) for name in names}


def law(found: Any) -> dict[str, Any]:
    """Return a distribution with its summary."""
    return of(found, "support", "probabilities", "mean", "variance", "median")


def counts(found: Any, games: int) -> Any:
    """Return how many of so many games had each of the results."""
    return np.rint(found.probabilities * games).astype(np.int64)


def summary(found: Any) -> dict[str, Any]:
    """Return what stands for a long distribution."""
    return {
        "results": len(found.support),
        **of(found, "mean", "variance", "median", "loss_probability"),
        "quantiles": [found.quantile(q) for q in (0.01, 0.1, 0.9, 0.99)],
        "cdf": found.cdf(found.median),
    }


def advice(found: Any) -> dict[str, Any]:
    """Return what to do, and what each action is worth."""
    return {
        "action": found.action,
        "best": found.best,
        "values": {str(action): value for action, value in found.values.items()},
        "margin": found.margin,
    }
