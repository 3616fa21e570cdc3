"""Rounds of Pairs with given scores: decisions and values in every position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html, _records
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._arguments import ranks_of
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.counting import most_positions
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.setting import Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Round(ArrayRecord):
    """Every position of a round; made by :meth:`Solution.round`.

    In all arrays the player to move comes first, then the others in turn order. The
    arrays are read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    scores : tuple of int
        The points at the start of the round, the leader's first.
    cards : ndarray of int64, shape (positions,)
        The number of cards in all hands. The player to move sits that many seats to the
        left of the leader, counted around the table.
    hands : ndarray of int8, shape (positions, players, ranks)
        The number of cards of each rank in each hand.
    unseen : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank that nobody has seen.
    can_hit, can_fold : ndarray of bool, shape (positions,)
        Whether the action is allowed.
    hit, fold : ndarray of float64, shape (positions, players)
        Chances of winning after the action; 0 where it is not allowed.
    hits : ndarray of bool, shape (positions,)
        Whether to hit.
    ties : ndarray of bool, shape (positions,)
        Whether both actions are allowed and equally good.
    values : ndarray of float64, shape (positions, players)
        Chances of winning.

    Examples
    --------
    The position of the first round in which hit and fold are equally good:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> first = solution.round([0, 0])
    >>> first
    Round(scores=(0, 0), positions=25, choices=24, hits=16, ties=1)
    >>> columns, tied = first.to_dict(), first.ties.argmax()
    >>> columns["hand"][tied], columns["others"][tied], columns["unseen"][tied]
    ((2,), ((1, 2),), (3, 3, 3))
    """

    rules: Rules
    scores: tuple[int, ...]
    cards: NDArray[np.int64]
    hands: NDArray[np.int8]
    unseen: NDArray[np.int64]
    can_hit: NDArray[np.bool_]
    can_fold: NDArray[np.bool_]
    hit: Floats
    fold: Floats
    hits: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    values: Floats

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def choice(self) -> NDArray[np.bool_]:
        """Whether both actions are allowed, an array of shape (positions,)."""
        both: NDArray[np.bool_] = self.can_hit & self.can_fold
        return both

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists with one entry for each position; the
            lists "cards", and "values", "values_hit" and "values_fold" with the chances
            of all players, the player to move first; "rules" and "scores".
        """
        everything = {
            **self._columns(),
            "cards": self.cards,
            "values": self.values,
            "values_hit": _where_allowed(self.hit, self.can_hit),
            "values_fold": _where_allowed(self.fold, self.can_fold),
            "scores": self.scores,
            "rules": self.rules,
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each position.

        The columns are "hand", "others" and "unseen" as tuples of ranks, "action",
        "tie", and the chances "hit" and "fold" of the player to move, NaN where the
        action is not allowed.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        ranks = self.rules.ranks
        hands = [[ranks_of(hand, ranks) for hand in row] for row in self.hands.tolist()]
        return {
            "hand": [row[0] for row in hands],
            "others": [tuple(row[1:]) for row in hands],
            "unseen": [ranks_of(row, ranks) for row in self.unseen.tolist()],
            "action": np.where(self.hits, "hit", "fold").tolist(),
            "tie": self.ties.tolist(),
            "hit": _where_allowed(self.hit[:, 0], self.can_hit),
            "fold": _where_allowed(self.fold[:, 0], self.can_fold),
        }

    def __repr__(self) -> str:
        return _records.summary(
            self,
            scores=self.scores,
            positions=len(self),
            choices=int(self.choice.sum()),
            hits=int((self.hits & self.choice).sum()),
            ties=int(self.ties.sum()),
        )

    def _repr_html_(self) -> str:
        shown = slice(0, _html.MOST_ROWS)
        few = Round(
            self.rules,
            self.scores,
            *(getattr(self, name)[shown] for name in self.__slots__[2:]),
        )
        rows = [
            [
                _html.cell(str(hand)),
                _html.cell(", ".join(map(str, others))),
                _html.cell(
                    f"{action} (tie)" if tie else action,
                    mark="*" if action == "fold" else None,
                ),
                _html.cell(_written(hit)),
                _html.cell(_written(fold)),
            ]
            for hand, others, _, action, tie, hit, fold in zip(
                *few._columns().values(), strict=True
            )
        ]
        head = ["hand", "others", "action", "hit", "fold"]
        notes = [
            "Chances of winning after each action; marked *: fold.",
            *_html.first_of(len(self), "positions"),
        ]
        return _html.table(repr(self), head, rows, notes)


def round_from(
    sweep: Sweep, rules: Rules, profile: int, scores: NDArray[np.int64]
) -> Round:
    """Return a round with the decisions of one of the profiles of a sweep."""
    positions = most_positions(rules, sweep.positions.decks)
    refuse_too_large(
        f"a round of {positions} positions",
        2 * positions * _position_bytes(rules),  # twice, while layers are joined
        "use advice(...), for one position, or opening_table(...)",
    )
    downwards = [by_profile[profile] for by_profile in sweep.steps(scores[None, :])]
    layers = [in_layer(sweep, step) for step in downwards[::-1]]
    arrays = [np.concatenate(parts) for parts in zip(*layers, strict=True)]
    return Round(rules, tuple(scores.tolist()), *arrays)


def _position_bytes(rules: Rules) -> int:
    """Return the bytes of a position in a `Round`."""
    ranks, n = len(rules.ranks), rules.players
    numbers = 8 + 8 * ranks + 3 * 8 * n  # cards, unseen; hit, fold, values
    return numbers + n * ranks + 4  # hands; can_hit, can_fold, hits, ties


def in_layer(sweep: Sweep, step: Step) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a `Round` for one layer."""
    n, layer = sweep.rules.players, step.layer
    order = np.roll(np.arange(n), -(step.in_hands % n))
    unseen, hands = sweep.positions.cards(step.in_hands, step.rows)
    hit, fold, values = (
        all_players(chances, n)[:, order, 0]
        for chances in (step.hit, step.fold, step.values)
    )
    hit, fold = hit * layer.can_hit[:, None], fold * layer.can_fold[:, None]
    even = np.abs(hit[:, 0] - fold[:, 0]) <= sweep.tolerance
    return (
        np.full(len(hands), step.in_hands),
        hands[:, order].astype(np.int8),
        unseen,
        layer.can_hit,
        layer.can_fold,
        hit,
        fold,
        step.hits[:, 0],
        layer.can_hit & layer.can_fold & even,
        values,
    )


def _where_allowed(chances: Floats, allowed: NDArray[np.bool_]) -> list[Any]:
    listed = chances.tolist()
    return [x if ok else None for x, ok in zip(listed, allowed.tolist(), strict=True)]


def _written(chance: float | None) -> str:
    return "" if chance is None else f"{chance:.6f}"
