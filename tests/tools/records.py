"""Several facts of a result, as the questions of `frozen` record them."""

from __future__ import annotations

from typing import Any

import numpy as np


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
