"""The directive ``estimates``: how long red/black takes, as the library estimates it.

The table is of the very estimates by which the library refuses what would take too
long: operations counted, times constants. What it refuses has no time, as nobody will
wait for it. Nothing is measured in a build.
"""

from __future__ import annotations

from collections.abc import Callable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from cardgames_dp._effort import MOST_SECONDS, duration
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import costs

RULES = Rules()

COLUMNS: dict[str, Callable[[int], float]] = {
    "``value``, staircase": lambda n: costs.climb(n, n),
    "``value``, diagonal": lambda n: costs.sweep(RULES, n, n, exact=False),
    "``value``, exact": lambda n: costs.sweep(RULES, n, n, exact=True),
    "``payoff_law``": lambda n: costs.forward(n, n, exact=False),
    "``simulate``, a million games": lambda n: costs.simulation(n, n, 10**6),
}
"""Calls, and the seconds that they take with n cards of each colour."""

POWERS = (2, 4, 6, 8, 10, 12)


def cell(seconds: float) -> str:
    """Return a cell: a time of one digit, as the estimates are not better than that."""
    if seconds > MOST_SECONDS:
        return "refused"
    return f'"{duration(float(f"{seconds:.1g}"))}"'


class Estimates(SphinxDirective):  # type: ignore[misc, unused-ignore]
    """Shows the estimates, a line for each size of deck."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        text = [".. csv-table::", "   :header-rows: 1", ""]
        text += [",".join(["   *l*", *[f'"{call}"' for call in COLUMNS]])]
        for power in POWERS:
            seconds = [column(10**power) for column in COLUMNS.values()]
            text += [",".join([f"   10\\ :sup:`{power}`", *map(cell, seconds)])]
        shown: list[nodes.Node] = self.parse_text_to_nodes("\n".join(text))
        return shown


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directive known."""
    app.add_directive("estimates", Estimates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
