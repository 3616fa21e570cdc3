"""Rounds with given scores: every position, and the first decision with a choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.game import Floats
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.positions import most_positions
from cardgames_dp.pairs.hands import checked_scores, ranks_of
from cardgames_dp.pairs.rules import Rules


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Round(Result):
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
    hits : ndarray of bool or float64, shape (positions,)
        Whether to hit; if a player mixes, with what probability.
    ties : ndarray of bool, shape (positions,)
        Whether both actions are allowed and equally good.
    values : ndarray of float64, shape (positions, players)
        Chances of winning.

    Examples
    --------
    The position of the first round in which hit and fold are equally good:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> first = solution.round([0, 0])
    >>> first
    Round(scores=(0, 0), positions=25, choices=24, hits=16, ties=1)
    >>> tied = first.ties.argmax()  # a 2 against a 1 and a 2; three 3s are left
    >>> first.hands[tied].tolist(), first.unseen[tied].tolist()
    ([[0, 1, 0], [1, 1, 0]], [0, 0, 3])
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
    hits: NDArray[Any]
    ties: NDArray[np.bool_]
    values: Floats

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def choice(self) -> NDArray[np.bool_]:
        """Whether both actions are allowed, an array of shape (positions,)."""
        both: NDArray[np.bool_] = self.can_hit & self.can_fold
        return both

    def _facts(self) -> dict[str, object]:
        return {
            "scores": self.scores,
            "positions": len(self),
            "choices": int(self.choice.sum()),
            "hits": (self.hits * self.choice).sum().item(),
            "ties": int(self.ties.sum()),
        }

    def _columns(self, most: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Return columns for the first positions, or for all."""
        ranks, few = self.rules.ranks, slice(most)
        hands = self.hands[few].tolist()
        seen = [[ranks_of(hand, ranks) for hand in row] for row in hands]
        return None, {
            "hand": [row[0] for row in seen],
            "others": [tuple(row[1:]) for row in seen],
            "unseen": [ranks_of(row, ranks) for row in self.unseen[few].tolist()],
            "action": _words(self.hits[few]),
            "tie": self.ties[few].tolist(),
            "hit": _where_allowed(self.hit[few, 0], self.can_hit[few]),
            "fold": _where_allowed(self.fold[few, 0], self.can_fold[few]),
        }

    def _table(self) -> tables.Table:
        _, columns = self._columns(tables.MOST_ROWS)
        rows = [
            (
                str(hand),
                ", ".join(map(str, others)),
                _marked(action, tie=tie),
                *("" if x is None else f"{x:.6f}" for x in (hit, fold)),
            )
            for hand, others, _, action, tie, hit, fold in zip(
                *columns.values(), strict=True
            )
        ]
        notes = [
            "Chances of winning after each action; marked *: fold.",
            *tables.first_of(len(self), "positions"),
        ]
        head = ("hand", "others", "action", "hit", "fold")
        return tables.Table(head, rows, notes, left=(0, 1, 2))


def _words(hits: NDArray[Any]) -> list[str]:
    """Return what is done as words."""
    words: list[str] = np.select(
        [hits == 1, hits == 0], ["hit", "fold"], "mix"
    ).tolist()
    return words


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


def _marked(action: str, *, tie: bool) -> object:
    told = f"{action} (tie)" if tie else action
    return tables.Marked(told) if action == "fold" else told


_ENTRY_BYTES = 3 + 8
"""Bytes that an entry takes in the four arrays."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(Result):
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
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> opening = solution.opening_table()
    >>> own, other = opening.ranks.index(2), opening.ranks.index(1)
    >>> bool(opening.hits[own, other]), round(float(opening.lead[own, other]), 4)
    (False, -0.032)

    With three players there is a table for each card of the last player, who sits on
    the right of the player to move:

    >>> three = pairs.Rules(players=3, deck=3, target=5)
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

    def _facts(self) -> dict[str, object]:
        counted = ("possible", "hits", "ties")
        counts = {name: int(getattr(self, name).sum()) for name in counted}
        return {"scores": self.scores, **counts}

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        there, ranks = np.nonzero(self.possible), np.array(self.ranks)
        others = [f"other_{i}" for i in range(len(there) - 1)]
        names = ["own", *(others if len(others) > 1 else ["other"])]
        cards = {name: ranks[i] for name, i in zip(names, there, strict=True)}
        decided = {
            "action": np.where(self.hits, "hit", "fold")[there],
            "tie": self.ties[there],
            "lead": self.lead[there],
        }
        return None, cards | decided

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
            lines += tables.aligned([head, *rows], gap=1)
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

    def _table(self) -> tables.Table:
        shown = tables.spread(len(self.ranks))
        folds = self.possible & ~self.hits
        every = [(i, x) for x in self._further() for i in range(len(self.ranks))]
        few = [every[i] for i in tables.spread(len(every), tables.MOST_ROWS - 1)]
        rows = []
        for i, further in few:
            marks, bold = self._marks(i, further), folds[_row(i, further)]
            cells = [
                tables.Marked(marks[j], "") if bold[j] else marks[j] for j in shown
            ]
            beside = f"; {self._cards(further)}" * bool(further)
            rows.append([f"{self.ranks[i]}{beside}", *cells])
        more = self.hits.ndim > 2
        head = ["own; last \\ left" if more else "own \\ other"]
        head += [str(self.ranks[j]) for j in shown]
        whose = "the other's"
        if more:
            whose = "that of the player on the left (across), and those of the last"
        notes = [
            f"H hit, f fold, = tie, by own card (down) and {whose}; marked and bold: "
            "fold."
        ]
        if len(shown) < len(self.ranks):
            notes.append(f"({len(shown)} of {len(self.ranks)} ranks shown)")
        if more and len(few) < len(every):
            notes.append(f"({len(few)} of {len(every)} rows shown)")
        return tables.Table(head, rows, notes)


def _row(own: int, further: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the index of a row, by the card of the player on the left."""
    return (own, slice(None), *further)


def opening_from(sweep: Sweep, rules: Rules, scores: object) -> OpeningTable:
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
        step = by_profile[sweep.deciding[0]]
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
