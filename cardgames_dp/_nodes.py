"""An explored game as a list of nodes, each a state with its moves."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from cardgames_dp import _checks
from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp.arrays import ExploredArrays
from cardgames_dp.explored import Explored, explore


def explored_one_by_one(game: Any, **options: Any) -> Explored[Any, Any]:
    """Return a game explored, if it is not a game for arrays.

    Raises
    ------
    TypeError
        If it is a game for arrays, or what `cardgames_dp.explored.explore` raises.
    """
    found = explore(game, **options)
    if isinstance(found, ExploredArrays):
        raise TypeError(
            "game must be a Game, or an Explored, not a game for arrays, got "
            f"{_checks.described(game)}"
        )
    one_by_one: Explored[Any, Any] = found
    return one_by_one


class Node(NamedTuple):
    """A state and its moves.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`.
    actions : tuple
        The actions of a decision state; otherwise empty.
    following : list of int
        The places to which the moves lead, without outcomes of weight 0.
    weights : list of int
        The weights of the outcomes of a chance state; otherwise empty.
    returns : tuple of Fraction
        The returns of a terminal state; otherwise empty.
    """

    player: int
    actions: tuple[Hashable, ...]
    following: list[int]
    weights: list[int]
    returns: tuple[Fraction, ...]


def nodes(found: Explored[Any, Any]) -> list[Node]:
    """Return the states of a game in the order of their places."""
    graph = found.graph
    following, weights = graph.following.tolist(), iter(graph.weights.tolist())
    ratios = zip(graph.numerators.tolist(), graph.denominators.tolist(), strict=True)
    made = []
    moves = pairwise(graph.offsets.tolist())
    for place, (player, (first, last)) in enumerate(
        zip(graph.players.tolist(), moves, strict=True)
    ):
        after, shares = following[first:last], []
        returns: tuple[Fraction, ...] = ()
        if player == TERMINAL:
            returns = tuple(map(Fraction, *next(ratios)))
        elif player == CHANCE:
            drawn = [(w, i) for i in after if (w := next(weights))]
            after, shares = [i for _, i in drawn], [w for w, _ in drawn]
        made.append(Node(player, found.actions_at(place), after, shares, returns))
    return made
