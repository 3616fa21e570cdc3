"""Solutions by a game's own solver, which tell their game in the general form."""

from __future__ import annotations

from typing import Any

from cardgames_dp._graph.solution import Solution
from cardgames_dp._results.records import Result


class OwnSolution(Result):
    """A base of solutions by a game's own solver: each tells its game and policy.

    So all functions of `cardgames_dp.play` take them.
    """

    __slots__ = ("_general",)
    _general: Solution[Any, Any, Any]

    def in_general(self) -> Solution[Any, Any, Any]:
        """Return the solution of the same game as any game has one.

        It is made when it is first needed, from all states of the game.
        """
        if not hasattr(self, "_general"):
            object.__setattr__(self, "_general", self._solved_in_general())
        return self._general

    def _solved_in_general(self) -> Solution[Any, Any, Any]:
        raise NotImplementedError


def general(result: Any) -> Solution[Any, Any, Any] | None:
    """Return the solution that a result is or has; None if it is no such result."""
    if isinstance(result, OwnSolution):
        return result.in_general()
    if isinstance(result, Result) and not isinstance(result, Solution):
        result = getattr(result, "solution", None)
    return result if isinstance(result, Solution) else None
