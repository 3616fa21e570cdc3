"""The values of policies."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.array_solution import ArraySolution
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, explore
from cardgames_dp._graph.graph import Graph
from cardgames_dp._graph.solution import ByState, Solution
from cardgames_dp._graph.ties import TieBreak
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp.game import Action, ArrayGame, Game, State
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play.policies import Profile, deciders, weighed

Played: TypeAlias = (
    Game[State, Action] | Explored[State, Action] | Solution[State, Action, Any]
)
"""A game to be played: a game, an explored game, or a solution."""

PlayedArrays: TypeAlias = ArrayGame | ExploredArrays | ArraySolution[Any]
"""A game for arrays to be played."""


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
@overload
def evaluate(
    game: PlayedArrays, policies: Any, *, backend: Literal["float64"] = "float64"
) -> ArraySolution[float]: ...
@overload
def evaluate(
    game: PlayedArrays, policies: Any, *, backend: Backend
) -> ArraySolution[Any]: ...
def evaluate(game: Any, policies: Any, *, backend: Backend = "float64") -> Any:
    """Return the values of policies: all players' expected returns in every state.

    Grade: exact, or certified by `Solution.error` in float64.

    Parameters
    ----------
    game : Game, Explored or Solution; or one for arrays
        The game that is played.
    policies : Policy, or list or tuple of Policy
        One policy for all players, or one for each player: callables of a state,
        mappings from states, or solutions, that give an action or a mapping of actions
        to weights; see `cardgames_dp.play`.
    backend : {"float64", "exact"}, default "float64"
        The arithmetic. For "exact", the weights of mixtures must be exact (int,
        Fraction or Decimal).

    Returns
    -------
    Solution
        The values under these policies; its own `policy` is empty, as nobody decides.
        For a game for arrays, an `ArraySolution`.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or a policy is missing, has no action for a
        state, or gives anything but a legal action or weights of legal actions that are
        finite, not negative, and have a positive sum. The game is checked as by
        :func:`cardgames_dp.diagonal.solve`.

    Examples
    --------
    Toss a coin to decide whether to draw a card of red/black or to stop:

    >>> from cardgames_dp import play, redblack
    >>> game = redblack.Rules().game(1, 1)
    >>> def toss(state):
    ...     return {"draw": 1, "stop": 1} if state.red or state.black else "stop"
    >>> play.evaluate(game, toss, backend="exact").value
    (Fraction(0, 1),)
    """
    name = arguments.backend(backend)
    found = explored_of(game)
    asked = deciders(policies, found)
    weights = weighed(found, asked, exact=name == "exact")
    return solved(found, fixed(found.graph, weights)[0], name)


def explored_of(game: Any) -> Any:
    """Return a game in any form as an `Explored` or `ExploredArrays`."""
    if isinstance(game, ArraySolution):
        game = game.explored
    if not isinstance(game, Solution):
        found = explore(game)
        if isinstance(found, ExploredArrays) and found.num_positions is not None:
            raise ValueError(
                f"game must be of one position, got one of {found.num_positions}; "
                "explored.at(position) is the game in one"
            )
        return found
    values: Any = game.values
    if isinstance(values, ByState):
        return values.explored
    raise TypeError(
        "game must be a Game, an Explored or a solution that was made by a solver, got "
        "one that was constructed by hand"
    )


def solved(
    explored: Explored[Any, Any] | ExploredArrays,
    graph: Graph,
    backend: Backend,
    tie_break: TieBreak[Any, Any] = "first",
) -> Any:
    """Return the solution of a game in which some of its decisions are made.

    Parameters
    ----------
    explored : Explored or ExploredArrays
        The game.
    graph : Graph
        The game with these decisions made.
    backend : {"float64", "exact"}
        The arithmetic.
    tie_break : {"first", "last", "uniform"} or callable
        The tie rule of the decisions that are left.
    """
    left: Any
    if isinstance(explored, Explored):
        which = np.where(graph.players >= 0, explored.which, -1)
        left = replace(explored, which=which, graph=graph)
    else:
        left = replace(explored, graph=graph)
    solve: Any = exact.solve if backend == "exact" else diagonal.solve
    return solve(left, tie_break=tie_break)
