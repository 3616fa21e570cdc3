"""What is counted of policies: wins, and positions in which they differ."""

import runpy
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from cardgames_dp import pairs
from cardgames_dp.pairs.players import decider

_EXAMPLE = Path(__file__).parents[2] / "examples" / "pairs_complete.py"

with mock.patch.object(sys, "argv", [str(_EXAMPLE)]):
    _found = runpy.run_path(str(_EXAMPLE))

met, views, inverted = (_found[name] for name in ("met", "views", "inverted"))
"""All positions that can be reached, and the essay's rule, as the example has them."""


class Rate(NamedTuple):
    """How often a policy wins in each seat, against others who share another one."""

    a: str
    b: str
    values: tuple[float, ...]

    @property
    def first(self) -> float:
        return self.values[0]

    @property
    def second(self) -> float:
        return self.values[1]

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


def win_rate(rules: pairs.Rules | None, a: Any, b: Any, **options: Any) -> Rate:
    """Return how often `a` wins in each seat, against others who all follow `b`."""
    rules = pairs.Rules() if rules is None else rules
    found = pairs.evaluate(rules, [a, *[b] * (rules.players - 1)], **options)
    values = tuple([found.by_leader[-seat][0] for seat in range(rules.players)])
    assert found.mean[0] == sum(values) / len(values)
    return Rate(found.policies[0], found.policies[1], values)


class Counted(NamedTuple):
    """Positions that can be reached, those in which policies differ, and both where
    there is no card on the table."""

    visited: int
    differing: int
    bare: tuple[int, int]


def compared(rules: pairs.Rules, a: Any, b: Any) -> Counted:
    """Count the positions in which two policies differ."""
    rules_of: list[Any] = [
        decider("policy", policy) or pairs.solve(rules).policy for policy in (a, b)
    ]
    counts = np.zeros(4, int)
    for view in views(rules):
        shape = len(view.hand), len(view.scores)
        one, other = (
            np.broadcast_to(hits if hits.ndim == 2 else hits[:, None], shape)
            for hits in [rule(view) for rule in rules_of]
        )
        bare = ~view.table.any(axis=1)
        differ = one != other
        counts += [differ.size, differ.sum(), bare.sum(), differ[bare].sum()]
    visited, differing, *empty = counts.tolist()
    return Counted(visited, differing, (empty[0], empty[1]))
