"""What policies are worth."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from cardgames_dp import _checks, diagonal, exact
from cardgames_dp._checks import Backend
from cardgames_dp._graph import Graph
from cardgames_dp._solution import Solution
from cardgames_dp._ties import TieBreak
from cardgames_dp._views import ByState
from cardgames_dp.explored import Explored, explore
from cardgames_dp.game import Action, Game, State
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play.policies import Profile, deciders, weighed

Played: TypeAlias = (
    Game[State, Action] | Explored[State, Action] | Solution[State, Action, Any]
)
"""A game to be played: as it is, explored, or solved."""


@overload
def evaluate(
    game: Played[State, Action],
    policies: Profile[State, Action],
    *,
    backend: Literal["float64"] = "float64",
) -> Solution[State, Action, float]: ...
@overload
def evaluate(
    game: Played[State, Action],
    policies: Profile[State, Action],
    *,
    backend: Literal["exact"],
) -> Solution[State, Action, Fraction]: ...
@overload
def evaluate(
    game: Played[State, Action], policies: Profile[State, Action], *, backend: Backend
) -> Solution[State, Action, Any]: ...
def evaluate(
    game: Played[State, Action],
    policies: Profile[State, Action],
    *,
    backend: Backend = "float64",
) -> Solution[State, Action, Any]:
    """Return what policies are worth: every player's expected returns in every state.

    Grade: exact, or certified by `Solution.error` in float64.

    Parameters
    ----------
    game : Game, Explored or Solution
        What is played.
    policies : policy, or list or tuple of policies
        What the players do, as the head of this module says.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic. Weights of mixtures must be exact (int, Fraction or Decimal)
        for the exact one.

    Returns
    -------
    Solution
        With the values under these policies. Nobody decides in it, so it has no policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong type, a policy is missing or has no action for a
        state, or gives anything but a legal action or weights of legal actions, finite,
        not negative, with a positive sum. The game is refused as by
        :func:`cardgames_dp.diagonal.solve`.

    Examples
    --------
    Toss a coin whether to draw a card of red/black or to stop:

    >>> from cardgames_dp import play, redblack
    >>> game = redblack.Rules().game(1, 1)
    >>> def toss(state):
    ...     return {"draw": 1, "stop": 1} if state.red or state.black else "stop"
    >>> play.evaluate(game, toss, backend="exact").value
    (Fraction(0, 1),)
    """
    name = _checks.backend(backend)
    found = explored_of(game)
    asked = deciders(policies, found.num_players)
    weights = weighed(found, asked, exact=name == "exact")
    return solved(found, fixed(found.graph, weights)[0], name)


def explored_of(game: Played[State, Action]) -> Explored[State, Action]:
    """Return a game explored, if it is not yet."""
    if isinstance(game, Explored):
        return game
    if isinstance(game, Solution):
        values: Any = game.values
        if isinstance(values, ByState):
            return values.explored
        raise TypeError(
            "game must be a Game, an Explored or a solution that was made by a solver, "
            "got one that was put together by hand"
        )
    return explore(game)


def solved(
    explored: Explored[State, Action],
    graph: Graph,
    backend: Backend,
    tie_break: TieBreak[State, Action] = "first",
) -> Solution[State, Action, Any]:
    """Return the solution of a game in which some of its decisions are made.

    Parameters
    ----------
    explored : Explored
        The game.
    graph : Graph
        What is left of it.
    backend : {"float64", "exact"}
        The arithmetic.
    tie_break : {"first", "last"} or callable
        Of the decisions that are left.
    """
    which = np.where(graph.players >= 0, explored.which, -1)
    left = replace(explored, which=which, graph=graph)
    solve = exact.solve if backend == "exact" else diagonal.solve
    solution: Solution[State, Action, Any] = solve(left, tie_break=tie_break)
    return solution
