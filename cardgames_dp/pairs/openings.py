"""The first decision with a choice in a round of Pairs: each player has one card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html, _records, _text
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._arguments import checked_scores
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.setting import Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.rounds import Round, in_layer
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

_ENTRY_BYTES = 3 + 8
"""Bytes that an entry takes in the four arrays."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(ArrayRecord):
    """Whether to hit when each player has one card; prints as a table.

    Made by :meth:`Solution.opening_table`. The arrays are read-only and have one axis
    for each player's card: the player to move first, then the others in turn order.

    Attributes
    ----------
    ranks : tuple of int
        The ranks to which the indices of the arrays belong, increasing.
    scores : tuple of int
        The points of the player to move, then of the others in turn order.
    hits, ties : ndarray of bool, shape (ranks, ranks, ...)
        Whether to hit, and whether hit and fold are equally good. False where the deck
        does not have these cards.
    lead : ndarray of float64, shape (ranks, ranks, ...)
        The chance of winning after a hit less that after a fold; 0 where the deck does
        not have these cards.
    possible : ndarray of bool, shape (ranks, ranks, ...)
        Whether the deck has these cards.

    Examples
    --------
    With a 2 against a 1, folding, which scores 1, wins more often, by 3.2 percentage
    points:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> opening = solution.opening_table()
    >>> own, other = opening.ranks.index(2), opening.ranks.index(1)
    >>> bool(opening.hits[own, other]), round(float(opening.lead[own, other]), 4)
    (False, -0.032)

    With three players there is a table for each card of the last player, who sits on
    the right of the player to move:

    >>> three = pairs.Rules(players=3, deck=pairs.triangular(3), target=5)
    >>> print(pairs.solve(three).opening_table())
    last: 1
       1 2 3
     1
     2   = H
     3   f f
    last: 2
       1 2 3
     1   = H
     2 =   H
     3 f f H
    last: 3
       1 2 3
     1   H H
     2 f H H
     3 f H H
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    hits: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    lead: Floats
    possible: NDArray[np.bool_]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain objects, arrays as lists of lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.
        """
        plain: dict[str, Any] = _records.plain(self, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each possible combination of cards.

        The columns are the ranks "own" and "other" (with more players "other_0",
        "other_1", ..., in turn order), "action", "tie" and "lead".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        there, ranks = np.nonzero(self.possible), np.array(self.ranks)
        others = [f"other_{i}" for i in range(len(there) - 1)]
        names = ["own", *(others if len(others) > 1 else ["other"])]
        cards = {name: ranks[i] for name, i in zip(names, there, strict=True)}
        decided = {
            "action": np.where(self.hits, "hit", "fold")[there],
            "tie": self.ties[there],
            "lead": self.lead[there],
        }
        return data_frame(cards | decided)

    def __repr__(self) -> str:
        return _records.summary(
            self,
            scores=self.scores,
            possible=int(self.possible.sum()),
            hits=int(self.hits.sum()),
            ties=int(self.ties.sum()),
        )

    def __str__(self) -> str:
        width = len(str(self.ranks[-1]))
        head = ["", *(f"{rank:{width}}" for rank in self.ranks)]
        lines: list[str] = []
        for further in self._further():
            if further:
                lines.append(f"last: {self._cards(further)}")
            rows = [
                [f" {rank:{width}}", *self._marks(i, further)]
                for i, rank in enumerate(self.ranks)
            ]
            lines += _text.aligned([head, *rows], gap=1)
        return "\n".join(lines)

    def _further(self) -> Iterator[tuple[int, ...]]:
        """Yield the cards, by index, of all players but the first two."""
        return np.ndindex(self.hits.shape[2:])

    def _cards(self, indices: tuple[int, ...]) -> str:
        return ", ".join([str(self.ranks[i]) for i in indices])

    def _marks(self, own: int, further: tuple[int, ...]) -> list[str]:
        """Return the actions with a card, by the card of the player on the left."""
        there = _row(own, further)
        return [
            " " if not possible else "=" if tie else "H" if hit else "f"
            for possible, tie, hit in zip(
                self.possible[there], self.ties[there], self.hits[there], strict=True
            )
        ]

    def _repr_html_(self) -> str:
        shown = _html.spread(len(self.ranks))
        folds = self.possible & ~self.hits
        own = range(len(self.ranks))
        every = [(i, further) for further in self._further() for i in own]
        few = [every[i] for i in _html.spread(len(every))]
        rows = []
        for i, further in few:
            marks, bold = self._marks(i, further), folds[_row(i, further)]
            cells = [_html.cell(marks[j], mark="" if bold[j] else None) for j in shown]
            beside = f"; {self._cards(further)}" * bool(further)
            rows.append([_html.label(f"{self.ranks[i]}{beside}"), *cells])
        head = ["own; last \\ left" if self.hits.ndim > 2 else "own \\ other"]
        head += [str(self.ranks[j]) for j in shown]
        whose = "the other's"
        if self.hits.ndim > 2:
            whose = "that of the player on the left (across), and those of the last"
        notes = [
            f"H hit, f fold, = tie, by own card (down) and {whose}; marked and bold: "
            "fold."
        ]
        if len(shown) < len(self.ranks):
            notes.append(f"({len(shown)} of {len(self.ranks)} ranks shown)")
        if self.hits.ndim > 2 and len(few) < len(every):
            notes.append(f"({len(few)} of {len(every)} rows shown)")
        return _html.table(repr(self), head, rows, notes)


def _row(own: int, further: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the index of a row, by the card of the player on the left."""
    return (own, slice(None), *further)


def opening_from(
    sweep: Sweep, rules: Rules, profile: int, scores: object
) -> OpeningTable:
    """Return the leader's first decision with a choice, with one card each."""
    n, ranks = rules.players, rules.ranks
    given = (0,) * n if scores is None else scores
    vector = checked_scores(rules, given)
    refuse_too_large(
        f"an opening table of {n} cards of {len(ranks)} ranks",
        len(ranks) ** n * _ENTRY_BYTES,
        "use advice(...), for one position",
    )
    shape = (len(ranks),) * n
    hits, ties, possible = (np.zeros(shape, bool) for _ in range(3))
    lead = np.zeros(shape)
    for by_profile in sweep.steps(vector[None, :]):
        step = by_profile[profile]
        if step.in_hands > n:
            continue
        if step.in_hands == n:
            layer = Round(rules, tuple(vector.tolist()), *in_layer(sweep, step))
            here = _one_each(layer)
            cards = tuple(layer.hands[here].argmax(axis=2).T)
            hits[cards], ties[cards] = layer.hits[here], layer.ties[here]
            possible[cards] = True
            lead[cards] = np.where(
                layer.choice[here], layer.hit[here, 0] - layer.fold[here, 0], 0.0
            )
        break
    return OpeningTable(ranks, tuple(vector.tolist()), hits, ties, lead, possible)


def _one_each(layer: Round) -> NDArray[np.int64]:
    """Return the positions with one card each, dealt from the full deck.

    Where discards stay out, there are positions with other decks, too.
    """
    one = (layer.hands.sum(axis=2) == 1).all(axis=1)
    everything = np.array(layer.rules.counts)
    fresh = (layer.unseen + layer.hands.sum(axis=1) == everything).all(axis=1)
    return np.flatnonzero(one & fresh)
