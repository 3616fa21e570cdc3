"""How often a policy wins; what examples/pairs_complete.py has for the essay."""

import runpy
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from cardgames_dp import pairs

_EXAMPLE = Path(__file__).parents[2] / "examples" / "pairs_complete.py"

with mock.patch.object(sys, "argv", [str(_EXAMPLE)]):
    _found = runpy.run_path(str(_EXAMPLE))

met, inverted = _found["met"], _found["inverted"]
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
