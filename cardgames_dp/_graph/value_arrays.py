"""The values and decisions of all states of an explored game, in arrays by place.

This is what a sweep of either backend gives, and what a solution of any game can be
laid out in.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.by_state import ByPlace
from cardgames_dp._graph.graph import Floats, Integers, fractions, joined_ranges
from cardgames_dp._results.records import ArrayRecord


class Moves(NamedTuple):
    """The moves from a state.

    Attributes
    ----------
    player : int
        Who moves, or `CHANCE` or `TERMINAL`.
    actions : tuple
        The actions of a decision state.
    places : list
        The places to which the moves lead.
    paid : list of tuple of Fraction
        What the moves pay to each player.
    """

    player: int
    actions: tuple[Any, ...]
    places: list[Any]
    paid: list[tuple[Fraction, ...]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ValueArrays(ArrayRecord, ByPlace):
    """The values and decisions of all states, by place: fields of `Solution`.

    Of many variants, arrays of values, errors and decisions have a last axis of them.

    Attributes
    ----------
    explored : Explored or ExploredArrays
    tie_break : str
    numerators, denominators, optimal, chosen
        As in `Solution`.
    errors : ndarray of float64, shape (states,), or None
        Bounds for all players; None for exact values.
    open, turned : ndarray of int
        The places where rounding leaves open which actions are optimal, and where the
        tie rule would let play go on for ever.
    """

    explored: Any
    tie_break: str
    numerators: NDArray[Any]
    denominators: NDArray[Any] | None
    optimal: NDArray[np.bool_]
    chosen: Integers
    errors: Floats | None
    open: Integers
    turned: Integers

    @property
    def game(self) -> Any:
        """The game that was explored or, if it is none for arrays, itself explored."""
        return getattr(self.explored, "game", self.explored)

    @property
    def decides(self) -> bool:
        """Whether a player decides anywhere, and not only policies that were given."""
        return bool((self.explored.graph.players >= 0).any())

    @property
    def start(self) -> int:
        """The place of the initial state."""
        start: int = self.explored.start
        return start

    @property
    def num_variants(self) -> int | None:
        """The number of variants, if there are many; otherwise None."""
        count: int | None = self.explored.num_variants
        return count

    def state(self, place: int) -> Any:
        """Return the state at a place."""
        return self.explored.state(place)

    @property
    def largest_error(self) -> float:
        """A bound on the error of the values of all states."""
        return 0.0 if self.errors is None else float(self.errors.max())

    def ties(self) -> Integers:
        """Return the places that certainly have more than one optimal action."""
        self.refuse_variants("ties")
        graph = self.explored.graph
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        several = np.flatnonzero(np.diff(until[graph.offsets]) > 1)
        several = several[graph.players[several] >= 0]
        return np.setdiff1d(several, self.open, assume_unique=True)

    def states_at(self, places: Integers) -> tuple[Any, ...]:
        """Return the states at some places, each once."""
        every = self.explored.representatives
        states: tuple[Any, ...] = self.explored.named_states(np.unique(every[places]))
        return states

    # Of one state.

    def value_at(self, place: int) -> Any:
        """Return what the first player can expect."""
        top = self.numerators[0, place]
        if self.denominators is not None:
            return Fraction(top, self.denominators[place])
        return top if top.ndim else top.item()

    def payoffs_at(self, place: int) -> Any:
        """Return what each player can expect."""
        tops = self.numerators[:, place]
        if tops.ndim == 2:
            return tops.T
        if self.denominators is None:
            return tuple(tops.tolist())
        bottom = self.denominators[place]
        return tuple([Fraction(top, bottom) for top in tops.tolist()])

    def error_at(self, place: int) -> Any:
        """Return a bound on the error of all players' values."""
        if self.errors is None:
            return 0.0
        error = self.errors[place]
        return error if error.ndim else error.item()

    def best_at(self, place: int) -> tuple[Any, ...]:
        """Return the optimal actions."""
        self.refuse_variants("a look-up of a single state")
        first, last = self.explored.graph.offsets[place : place + 2].tolist()
        actions = self.explored.actions_at(place)
        return tuple(compress(actions, self.optimal[first:last].tolist()))

    def chosen_at(self, place: int) -> Any:
        """Return what the policy does: an action, or a mixture."""
        if self.tie_break == "uniform":
            return dict.fromkeys(self.best_at(place), 1)
        self.refuse_variants("a look-up of a single state")
        return self.explored.actions_at(place)[self.chosen[place]]

    def moves_at(self, place: int) -> Moves:
        """Return the moves from a state."""
        node = self.explored.node(place)
        nothing = (Fraction(0),) * self.explored.num_players
        paid = node.rewards or [nothing] * len(node.following)
        return Moves(node.player, node.actions, node.following, paid)

    def is_open(self, place: int) -> bool:
        """Return whether rounding leaves open which actions are optimal."""
        return bool(np.isin(place, self.open))

    # Of some states, of an array game.

    def value_of(self, places: Integers) -> NDArray[Any]:
        """Return what the first player can expect."""
        values: NDArray[Any] = self.payoffs_of(places)[..., 0]
        return values

    def payoffs_of(self, places: Integers) -> NDArray[Any]:
        """Return what each player can expect, in rows."""
        tops = self.numerators[:, places].T
        if self.denominators is None:
            return tops
        return fractions(tops, self.denominators[places][:, np.newaxis])

    def error_of(self, places: Integers) -> Floats:
        """Return bounds on the errors of all players' values."""
        if self.errors is None:
            return np.zeros(len(places))
        return self.errors[places].T

    def chosen_of(self, places: Integers) -> Any:
        """Return the actions of the policy; by chance, (index, actions, weights)."""
        if self.tie_break == "uniform" and self.num_variants is not None:
            index, actions, _, best = self.advice_of(places)
            return index, actions, best.astype(np.int64)
        if self.tie_break == "uniform":
            index, tied = self.best_of(places)
            return index, tied, np.ones(len(index), dtype=np.int64)
        index, actions, starts = self._moves_of(places)
        if self.chosen.size:
            taken: Integers = actions[starts + self.chosen[places].T]
            return taken
        _, best = self.worth_of(places, index, starts)
        return first_or_last(self.tie_break, actions, best, starts)

    def best_of(self, places: Integers) -> tuple[Integers, Integers]:
        """Return the optimal actions, with the index of the state of each."""
        self.refuse_variants("optimal_actions")
        index, actions, _, best = self.advice_of(places)
        return index[best], actions[best]

    def advice_of(
        self, places: Integers
    ) -> tuple[Integers, Integers, NDArray[Any], NDArray[np.bool_]]:
        """Return of all actions: index, action, value, and whether it is optimal."""
        index, actions, starts = self._moves_of(places)
        return index, actions, *self.worth_of(places, index, starts)

    def _moves_of(self, places: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the index of the state of each move, the action, and first moves."""
        columns = self.explored.columns[:, places]
        index, actions, counts = CheckedGame(self.explored.game).actions(columns)
        return index, actions, np.cumsum(counts) - counts

    def worth_of(
        self, places: Integers, index: Integers, starts: Integers
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the values of all moves for who moves, and whether each is best."""
        graph = self.explored.graph
        counts = np.diff(np.append(starts, len(index)))
        moves = joined_ranges(graph.offsets[places].astype(np.int64), counts)
        after, players = graph.following[moves], graph.players[places][index]
        values = self.numerators[players, after].T
        if self.denominators is not None:
            values = fractions(values, self.denominators[after])
        if graph.rewards is not None:
            rows = graph.rewards.rows[moves]
            paid = graph.rewards.in_type(self.numerators.dtype)
            values = values + paid[rows, players].T
        if self.optimal.size or self.num_variants is None:
            return values, self.optimal[moves].T
        assert self.errors is not None
        error = self.errors[places].T * (1 + 2.0**-50)
        error = np.repeat(error, counts, axis=1)
        least = np.maximum.reduceat(values - error, starts, axis=1)
        return values, values + error >= np.repeat(least, counts, axis=1)

    def refuse_variants(self, what: str) -> None:
        """Refuse what cannot be said of many variants."""
        if self.num_variants is not None:
            raise ValueError(
                f"{what} is for one variant, and this is a solution of "
                f"{self.num_variants}; solve explored.at(variant)"
            )


def first_or_last(
    tie_break: str, actions: Integers, best: NDArray[np.bool_], starts: Integers
) -> Integers:
    """Return for each state the first or the last of its optimal actions."""
    ranks = np.arange(len(actions))
    if tie_break == "first":
        ranks = np.where(best, ranks, len(actions))
        return actions[np.minimum.reduceat(ranks, starts, axis=-1)]
    return actions[np.maximum.reduceat(ranks * best, starts, axis=-1)]
