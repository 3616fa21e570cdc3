"""A round of Pairs with given scores: every position in it, and what to do there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs.rules import Action, Rules
from cardgames_dp.pairs.sweep import Floats, Step, Sweep, all_players

if TYPE_CHECKING:
    import pandas as pd

_HTML_ROWS = 20


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do in a position.

    Attributes
    ----------
    action : {"hit", "fold"}
    tie : bool
        Whether the other is exactly as good (to the solution's tolerance).
    hit, fold : float or None
        The player's chance of winning after either, when all play on optimally; None
        where it is not allowed.
    values : tuple of float
        All chances of winning if the advice is taken, the player's first, then from
        the left on.
    """

    action: Action
    tie: bool
    hit: float | None
    fold: float | None
    values: tuple[float, ...]

    @property
    def margin(self) -> float | None:
        """By how much the action is better than the other; None if it is forced."""
        if self.hit is None or self.fold is None:
            return None
        return abs(self.hit - self.fold)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(ArrayRecord):
    """Whether to hit with one card against one card.

    Attributes
    ----------
    ranks : tuple of int
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
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    hits: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    lead: Floats
    possible: NDArray[np.bool_]

    def __repr__(self) -> str:
        return (
            f"OpeningTable(scores={self.scores}, hits={int(self.hits.sum())} of "
            f"{int(self.possible.sum())})"
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
        head = "".join([f"<th>{rank}</th>" for rank in self.ranks])
        rows = [
            f"<tr><th>{rank}</th>"
            + "".join([f"<td>{escape(mark)}</td>" for mark in self._marks(i)])
            + "</tr>"
            for i, rank in enumerate(self.ranks)
        ]
        return (
            f"<table><caption>{escape(repr(self))}<br>H hit, f fold, = tie, by the own "
            "card (down) and the other's</caption><thead><tr><th></th>"
            f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Round(ArrayRecord):
    """Every position of a round: made by :meth:`Solution.round`, read-only.

    In all arrays the player to move comes first, then the others from the left on.

    Attributes
    ----------
    rules : Rules
    scores : tuple of int
        Points at its start, the leader's first.
    cards : ndarray of int64, shape (positions,)
        How many cards are in hands; the player to move is that many seats to the left
        of the leader, counted around the table.
    hands : ndarray of int8, shape (positions, players, ranks)
        How many cards of each rank each player has.
    unseen : ndarray of int64, shape (positions, ranks)
        How many cards of each rank nobody has seen.
    can_hit, can_fold : ndarray of bool, shape (positions,)
        What is allowed.
    hit, fold : ndarray of float64, shape (positions, players)
        Chances of winning after either action; 0 where it is not allowed.
    hits : ndarray of bool, shape (positions,)
        Whether to hit.
    ties : ndarray of bool, shape (positions,)
        Whether both are allowed and as good.
    values : ndarray of float64, shape (positions, players)
        Chances of winning.
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
        """Whether both actions are allowed, shape (positions,)."""
        both: NDArray[np.bool_] = self.can_hit & self.can_fold
        return both

    def to_dict(self) -> dict[str, list[Any]]:
        """Return plain columns, a row for each position.

        Returns
        -------
        dict of str to list
            "hand", "others" and "unseen" as tuples of ranks, "action", "tie", and the
            player's chances "hit" and "fold", None where not allowed.
        """
        ranks = self.rules.ranks
        hands = [
            [_ranks_of(hand, ranks) for hand in row] for row in self.hands.tolist()
        ]
        return {
            "hand": [row[0] for row in hands],
            "others": [tuple(row[1:]) for row in hands],
            "unseen": [_ranks_of(row, ranks) for row in self.unseen.tolist()],
            "action": np.where(self.hits, "hit", "fold").tolist(),
            "tie": self.ties.tolist(),
            "hit": _where_allowed(self.hit, self.can_hit),
            "fold": _where_allowed(self.fold, self.can_fold),
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns of `to_dict` as a DataFrame.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(self.to_dict())
        return frame

    def __repr__(self) -> str:
        choices = int(self.choice.sum())
        hits = int((self.hits & self.choice).sum())
        return (
            f"Round(scores={self.scores}, positions={len(self)}, hits={hits} of "
            f"{choices} choices, ties={int(self.ties.sum())})"
        )

    def _repr_html_(self) -> str:
        shown = slice(0, _HTML_ROWS)
        names = ("hand", "others", "action", "hit", "fold")
        few = Round(
            self.rules,
            self.scores,
            *(getattr(self, name)[shown] for name in self.__slots__[2:]),
        )
        columns = few.to_dict()
        rows = [
            "".join([f"<td>{escape(_text(columns[name][i]))}</td>" for name in names])
            for i in range(len(few))
        ]
        if len(self) > len(few):
            rows.append(f"<td>… of {len(self)} positions</td>")
        return (
            f"<table><caption>{escape(repr(self))}</caption><thead><tr>"
            + "".join([f"<th>{name}</th>" for name in names])
            + f"</tr></thead><tbody>{''.join([f'<tr>{row}</tr>' for row in rows])}"
            "</tbody></table>"
        )


def round_from(sweep: Sweep, profile: int, scores: NDArray[np.int64]) -> Round:
    """Return a round as one of the profiles of a sweep plays it."""
    solved = [by_profile[profile] for by_profile in sweep.steps(scores[None, :])][::-1]
    rules, columns = sweep.rules, []
    for step in solved:
        mover = step.in_hands % rules.players
        order = np.roll(np.arange(rules.players), -mover)
        unseen, hands = sweep.positions.cards(step.layer.keys)
        choice = step.layer.can_hit & step.layer.can_fold
        hit, fold, values = (
            all_players(chances, rules.players)[:, order, 0]
            for chances in (step.hit, step.fold, step.values)
        )
        hit, fold = (
            hit * step.layer.can_hit[:, None],
            fold * step.layer.can_fold[:, None],
        )
        columns.append(
            (
                np.full(len(hands), step.in_hands),
                hands[:, order].astype(np.int8),
                unseen,
                step.layer.can_hit,
                step.layer.can_fold,
                hit,
                fold,
                step.hits[:, 0],
                choice & (np.abs(hit[:, 0] - fold[:, 0]) <= sweep.tolerance),
                values,
            )
        )
    arrays = [np.concatenate(parts) for parts in zip(*columns, strict=True)]
    return Round(rules, tuple(scores.tolist()), *arrays)


def advice_from(
    sweep: Sweep,
    hand: object,
    others: object,
    scores: NDArray[np.int64],
    deck: object,
) -> Advice:
    """Return advice from a sweep whose first profile is optimal play."""
    rules, n = sweep.rules, sweep.rules.players
    hands = np.array(
        [rank_vector("hand", hand, rules)]
        + [
            rank_vector(f"others[{i}]" if n > 2 else "others", other, rules)
            for i, other in enumerate(_hands_of_others(others, n))
        ]
    )
    in_hands = int(hands.sum())
    mover = in_hands % n
    by_seat = np.roll(hands, mover, axis=0)
    _refuse_impossible(rules, hands, by_seat)
    unseen = np.array(rules.counts) - hands.sum(axis=0)
    if deck is not None:
        given = rank_vector("deck", deck, rules)
        if (given > unseen).any() or (
            rules.reshuffle == "round" and (given != unseen).any()
        ):
            raise ValueError(
                "deck must hold cards that are not on the table"
                + (
                    ", all of them, with reshuffle='round'"
                    * (rules.reshuffle == "round")
                )
                + f", got {deck!r}"
            )
        unseen = given
    (key,) = sweep.positions.keys(unseen[None], by_seat[None])
    step = step_at(sweep, in_hands, np.roll(scores, mover)[None])
    place = int(np.searchsorted(step.layer.keys, key)) if step is not None else 0
    if step is None or place == len(step.layer.keys) or step.layer.keys[place] != key:
        raise ValueError(
            f"hand={hand!r} and others={others!r} with deck={deck!r} must be a "
            "position that can arise in a round"
        )
    order = np.roll(np.arange(n), -mover)
    can_hit, can_fold = step.layer.can_hit[place], step.layer.can_fold[place]
    hits, folds, values = (
        all_players(chances[place : place + 1], n)[0, order, 0].tolist()
        for chances in (step.hit, step.fold, step.values)
    )
    hit, fold = hits[0] if can_hit else None, folds[0] if can_fold else None
    tie = hit is not None and fold is not None and abs(hit - fold) <= sweep.tolerance
    return Advice(
        "hit" if step.hits[place, 0] else "fold",
        tie,
        hit,
        fold,
        tuple(values),
    )


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


def rank_vector(name: str, cards: object, rules: Rules) -> NDArray[np.int64]:
    """Return cards, as ranks or a mapping of ranks to counts, by rank."""
    vector = dict.fromkeys(rules.ranks, 0)
    items: Iterable[tuple[object, object]]
    if isinstance(cards, Mapping):
        items = cards.items()
    else:
        items = [(rank, 1) for rank in _checks.integers(name, cards, minimum=1)]
    for given, count in items:
        rank = _checks.integer(f"a rank of {name}", given, minimum=1)
        if rank not in rules.ranks:
            raise ValueError(
                f"{name} must hold ranks of the deck, {rules.ranks}, got {rank!r}"
            )
        vector[rank] += _checks.integer(f"{name}[{rank}]", count)
        if vector[rank] > sum(rules.counts):
            raise ValueError(
                f"{name} must hold no more cards than the deck, {sum(rules.counts)}, "
                f"got {vector[rank]} of rank {rank}"
            )
    return np.array(list(vector.values()))


def _hands_of_others(others: object, players: int) -> list[object]:
    if isinstance(others, (str, bytes)) or not isinstance(others, Iterable):
        raise TypeError(
            f"others must be the hands of the other players, got {others!r} of type "
            f"{type(others).__name__}"
        )
    if players == 2:
        if isinstance(others, Mapping):
            return [others]
        listed = list(others)
        nested = [h for h in listed if isinstance(h, Iterable)]
        return listed if len(listed) == len(nested) == 1 else [listed]
    listed = list(others)
    if len(listed) != players - 1:
        raise ValueError(
            f"others must hold the hands of {players - 1} players, got {len(listed)}"
        )
    return listed


def _refuse_impossible(
    rules: Rules, hands: NDArray[np.int64], by_seat: NDArray[np.int64]
) -> None:
    """Refuse hands that cannot be there; the player to move comes first in `hands`."""
    counts, most = np.array(rules.counts), np.array(rules.capacities)
    if (hands.sum(axis=0) > counts).any() or (hands > most).any():
        raise ValueError(
            "hand and others must hold at most "
            f"{dict(zip(rules.ranks, rules.counts, strict=True))} together and "
            f"{dict(zip(rules.ranks, rules.capacities, strict=True))} each, got "
            f"{[_ranks_of(hand, rules.ranks) for hand in hands.tolist()]}"
        )
    n, in_hands = rules.players, int(hands.sum())
    taken = [in_hands // n + (seat < in_hands % n) for seat in range(n)]
    if by_seat.sum(axis=1).tolist() != taken or in_hands < n * rules.deal:
        raise ValueError(
            "hand and others must hold as many cards as taking turns leads to: all as "
            "many, or the players nearest on the right of the one to move one more; "
            f"got {hands.sum(axis=1).tolist()}"
            + (" where each is dealt a card" if rules.deal else "")
        )


def step_at(sweep: Sweep, in_hands: int, vectors: NDArray[np.int64]) -> Step | None:
    """Return a layer as the first profile plays it, or None if there is no such layer.

    `vectors` are scores, leader first.
    """
    for by_profile in sweep.steps(vectors):
        if by_profile[0].in_hands == in_hands:
            return by_profile[0]
    return None


def _ranks_of(counts: Iterable[int], ranks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        [rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)]
    )


def _where_allowed(chances: Floats, allowed: NDArray[np.bool_]) -> list[float | None]:
    listed = chances[:, 0].tolist()
    return [x if ok else None for x, ok in zip(listed, allowed.tolist(), strict=True)]


def _text(cell: object) -> str:
    return (
        "" if cell is None else f"{cell:.6f}" if isinstance(cell, float) else str(cell)
    )
