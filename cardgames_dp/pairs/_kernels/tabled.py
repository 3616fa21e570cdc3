"""Play that somebody has solved, as a policy for other games.

A :class:`Solution` and a :class:`BestResponse` keep tables of chances, from which their
decisions follow for a whole round at once. Asked about one position after another, as
other policies are, they would solve the round again for every layer of it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._kernels.positions import Positions, largest_holdings
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.policies import (
    ByRounds,
    Decisions,
    Integers,
    View,
    require_view,
)
from cardgames_dp.pairs.rounds import Round
from cardgames_dp.pairs.rules import Rules


class WithSweep(ArrayRecord):
    """What :func:`solve` and :func:`best_response` return: tables, and play from them.

    There is room for what is made from the fields when first needed, and not compared.
    """

    __slots__ = ("_sweep",)
    _sweep: Sweep
    rules: Rules

    @property
    def sweep(self) -> Sweep:
        """The solver with its tables filled, for a closer look."""
        if not hasattr(self, "_sweep"):
            object.__setattr__(self, "_sweep", self._filled_sweep())
        return self._sweep

    @property
    @abstractmethod
    def label(self) -> str:
        """What results call this play."""

    @abstractmethod
    def round(self, scores: Iterable[int]) -> Round:
        """Return all positions of a round with certain scores."""

    @abstractmethod
    def policy(self, view: View) -> Decisions:
        """Return where to hit."""

    @abstractmethod
    def _filled_sweep(self) -> Sweep: ...


def solved_play(policy: object) -> WithSweep | None:
    """Return the result that a policy is, or is the method `policy` of; else None."""
    source = getattr(policy, "__self__", policy)
    if isinstance(source, WithSweep) and (policy is source or policy == source.policy):
        return source
    return None


class Tabled(ByRounds):
    """The best play that a sweep has found, in any game with the same hands.

    Parameters
    ----------
    sweep : Sweep
        Its tables are filled.

    Raises
    ------
    ValueError
        By the methods: if a position is none that can arise in the sweep's game.
    """

    __slots__ = ("_places", "_positions", "_sweep")

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._positions: Positions | None = None
        self._places: dict[int, Any] = {}

    def __call__(self, view: View) -> Decisions:
        """Return where to hit, shape (positions, vectors)."""
        require_view(view)
        self._refuse_other(view.rules, view.scores)
        hands = np.concatenate([view.hand[:, None], view.others], axis=1)
        cards, n = hands.sum(axis=(1, 2)), self._sweep.rules.players
        hits = np.zeros((len(hands), len(view.scores)), bool)
        for mover in np.unique(cards % n).tolist():
            in_layers = self._sweep.hits(np.roll(view.scores, mover, axis=1))
            for in_hands in np.unique(cards[cards % n == mover]).tolist():
                here = np.flatnonzero(cards == in_hands)
                by_seat = np.roll(hands[here], mover, axis=1)
                found = self._found(in_hands, view.unseen[here], by_seat)
                hits[here] = in_layers[in_hands][found]
        return hits

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Decisions]:
        """Return where to hit; see `ByRounds`."""
        self._refuse_other(positions.rules, vectors)
        if self._positions is not positions:
            self._positions, self._places = positions, {}
        in_layers = self._sweep.hits(vectors)

        def in_layer(in_hands: int) -> Decisions:
            places = self._places.get(in_hands)
            if places is None:
                cards = positions.cards(positions.layers[in_hands].keys)
                places = self._found(in_hands, *cards)
                if np.array_equal(places, np.arange(len(in_layers[in_hands]))):
                    places = slice(None)  # the same positions: nothing to reorder
                self._places[in_hands] = places
            hits: Decisions = in_layers[in_hands][places]
            return hits

        return in_layer

    def _found(
        self, in_hands: int, unseen: NDArray[Any], hands: NDArray[Any]
    ) -> NDArray[np.int64]:
        """Return the places of positions in their layer; `hands` are leader first."""
        positions = self._sweep.positions
        known = (hands <= largest_holdings(positions.rules)).all()
        if positions.decks > 1:
            known &= (unseen <= np.array(positions.rules.counts)).all()
        if known and self._sweep.first <= in_hands < len(positions.layers):
            keys, own = positions.keys(unseen, hands), positions.layers[in_hands].keys
            places: NDArray[np.int64] = np.searchsorted(own, keys)
            if (own[np.minimum(places, len(own) - 1)] == keys).all():
                return places
        raise self._refusal()

    def _refuse_other(self, rules: Rules, scores: Integers) -> None:
        own = self._sweep.rules
        alike = all(
            getattr(rules, name) == getattr(own, name)
            for name in ("players", "ranks", "capacities")
        )
        if not alike or scores.max(initial=0) >= own.losing_score:
            raise self._refusal()

    def _refusal(self) -> ValueError:
        return ValueError(
            f"view must be of positions that can arise under "
            f"{_checks.shown(self._sweep.rules)}"
        )
