"""The first real decision of Pairs: whether to hit with one card each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html, _records
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._kernels.induction import Floats
from cardgames_dp.pairs.export import data_frame
from cardgames_dp.pairs.rounds import Round

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(ArrayRecord):
    """Whether to hit with one card against one card; prints as a table.

    Made by :meth:`Solution.opening_table`; arrays are read-only.

    Attributes
    ----------
    ranks : tuple of int
        The ranks, increasing, to which the indices of the arrays belong.
    scores : tuple of int
        Points of the player to move, and of the other.
    hits, ties : ndarray of bool, shape (ranks, ranks)
        Whether to hit, and whether it is as good as folding, by the own card (first
        index) and the other's. False where the deck has no such two cards.
    lead : ndarray of float64, shape (ranks, ranks)
        The chance of winning after a hit less that after a fold; 0 where the deck has
        no such two cards.
    possible : ndarray of bool, shape (ranks, ranks)
        Whether the deck has them.

    Examples
    --------
    With a 2 against a 1 a fold, which scores 1, wins more often, by 3.2 in a hundred:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> opening = solution.opening_table()
    >>> own, other = opening.ranks.index(2), opening.ranks.index(1)
    >>> bool(opening.hits[own, other]), round(float(opening.lead[own, other]), 4)
    (False, -0.032)
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    hits: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    lead: Floats
    possible: NDArray[np.bool_]

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain objects, arrays as lists of lists.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.
        """
        plain: dict[str, Any] = _records.plain(self, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each two cards that the deck has.

        Its columns are the ranks "own" and "other", "action", "tie" and "lead".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        own, other = np.nonzero(self.possible)
        ranks = np.array(self.ranks)
        columns = {
            "own": ranks[own],
            "other": ranks[other],
            "action": np.where(self.hits, "hit", "fold")[own, other],
            "tie": self.ties[own, other],
            "lead": self.lead[own, other],
        }
        return data_frame(columns)

    def __repr__(self) -> str:
        return _records.summary(
            self,
            scores=self.scores,
            possible=int(self.possible.sum()),
            hits=int(self.hits.sum()),
            ties=int(self.ties.sum()),
        )

    def __str__(self) -> str:
        width = max(len(str(self.ranks[-1])), 1) + 1
        lines = [" " * width + "".join([f"{rank:>{width}}" for rank in self.ranks])]
        lines += [
            f"{rank:>{width}}"
            + "".join([f"{mark:>{width}}" for mark in self._marks(i)])
            for i, rank in enumerate(self.ranks)
        ]
        return "\n".join(lines)

    def _marks(self, own: int) -> list[str]:
        return [
            " " if not possible else "=" if tie else "H" if hit else "f"
            for possible, tie, hit in zip(
                self.possible[own], self.ties[own], self.hits[own], strict=True
            )
        ]

    def _repr_html_(self) -> str:
        shown = _html.spread(len(self.ranks))
        folds = self.possible & ~self.hits
        rows = []
        for i in shown:
            marks = self._marks(i)
            cells = [
                _html.cell(marks[j], mark="" if folds[i, j] else None) for j in shown
            ]
            rows.append([_html.label(str(self.ranks[i])), *cells])
        head = ["own \\ other", *(str(self.ranks[j]) for j in shown)]
        notes = [
            "H hit, f fold, = tie, by the own card (down) and the other's; marked and "
            "bold: fold."
        ]
        if len(shown) < len(self.ranks):
            notes.append(f"({len(shown)} of {len(self.ranks)} ranks shown)")
        return _html.table(repr(self), head, rows, notes)


def opening_from(opening: Round) -> OpeningTable:
    """Return the table of a round of two players with one card each."""
    ranks = opening.rules.ranks
    here = np.flatnonzero(
        (opening.cards == 2) & (opening.hands.sum(axis=2) == 1).all(1)
    )
    # Decks that are remembered are told apart; what is asked is a fresh one.
    everything = np.array(opening.rules.counts)
    fresh = (opening.unseen + opening.hands.sum(axis=1) == everything).all(axis=1)
    here = here[fresh[here]]
    own, other = opening.hands[here].argmax(axis=2).T
    shape = (len(ranks), len(ranks))
    hits, ties, possible = (np.zeros(shape, bool) for _ in range(3))
    lead = np.zeros(shape)
    hits[own, other], ties[own, other] = opening.hits[here], opening.ties[here]
    possible[own, other] = True
    lead[own, other] = np.where(
        opening.choice[here], opening.hit[here, 0] - opening.fold[here, 0], 0.0
    )
    return OpeningTable(ranks, opening.scores, hits, ties, lead, possible)
