"""What to do in one position of Pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _records
from cardgames_dp._records import Record
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.rules import Action, Rules


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Record):
    """What to do in a position; prints as a sentence.

    Attributes
    ----------
    action : {"hit", "fold"}
    tie : bool
        Whether the other is exactly as good (to the solution's tolerance).
    hit, fold : float or None
        The player's chance of winning after either, when this player goes on playing
        the best, and the others as the solution (all of them optimally) or the best
        response has it; None where it is not allowed.
    values : tuple of float
        All chances of winning if the advice is taken, the player's first, then from
        the left on.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> advice = solution.advice(hand=[2], others=[3], scores=[0, 0])
    >>> advice.action, round(advice.margin, 4)
    ('hit', 0.18)
    >>> [round(chance, 4) for chance in advice.values]  # the player's, the other's
    [0.4878, 0.5122]
    >>> print(advice)
    hit, winning 0.48779; a fold wins 0.307781.
    >>> advice = solution.advice(hand=[], others=[], scores=[0, 0])
    >>> advice.action, advice.fold, advice.margin  # on an empty table nobody can fold
    ('hit', None, None)
    >>> print(advice)
    hit, winning 0.448757; nobody can fold here.
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

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.
        """
        return {**_records.plain(self, json=json), "margin": self.margin}

    def __repr__(self) -> str:
        return _records.summary(
            self,
            action=self.action,
            tie=self.tie,
            hit=self.hit,
            fold=self.fold,
            values=self.values,
        )

    def __str__(self) -> str:
        if self.hit is None:
            return f"fold, winning {self.values[0]:.6g}; there is no card to draw."
        if self.fold is None:
            return f"hit, winning {self.hit:.6g}; nobody can fold here."
        if self.tie:
            return (
                f"hitting and folding both win {self.fold:.6g}; the tie rule says "
                f"{self.action}."
            )
        if self.action == "hit":
            return f"hit, winning {self.hit:.6g}; a fold wins {self.fold:.6g}."
        return f"fold, winning {self.fold:.6g}; a hit wins {self.hit:.6g}."

    def _repr_html_(self) -> str:
        rows = [
            [
                _html.cell(action, mark="*" if action == self.action else None),
                _html.cell(f"{chance:.6f}"),
            ]
            for action, chance in (("hit", self.hit), ("fold", self.fold))
            if chance is not None
        ]
        reason = "a tie" if self.tie else "forced"
        if self.margin is not None and not self.tie:
            reason = f"better by {self.margin:.6f}"
        head, notes = ["action", "chance of winning"], ["Marked *: to do."]
        return _html.table(f"{self.action} ({reason})", head, rows, notes)


def advice_from(
    sweep: Sweep,
    hand: object,
    others: object,
    scores: NDArray[np.int64],
    deck: object,
) -> Advice:
    """Return advice to a player who does what is best for the seat in the sweep."""
    n = sweep.rules.players
    hands, unseen = read_position(sweep.rules, hand, others, deck)
    in_hands = int(hands.sum())
    mover = in_hands % n
    by_seat = np.roll(hands, mover, axis=0)
    (key,) = sweep.positions.keys(unseen[None], by_seat[None])
    step = _step_at(sweep, in_hands, np.roll(scores, mover)[None])
    place = int(np.searchsorted(step.layer.keys, key)) if step is not None else 0
    if step is None or place == len(step.layer.keys) or step.layer.keys[place] != key:
        raise ValueError(
            f"hand={_checks.shown(hand)} and others={_checks.shown(others)} with "
            f"deck={_checks.shown(deck)} must be a position that can arise in a round"
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


def read_position(
    rules: Rules, hand: object, others: object, deck: object
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hands, the first that of the player to move, and the unseen cards.

    Raises
    ------
    TypeError, ValueError
        If they are none, or cannot lie on the table together when players take turns.
    """
    n = rules.players
    hands = np.array(
        [rank_vector("hand", hand, rules)]
        + [
            rank_vector(f"others[{i}]" if n > 2 else "others", other, rules)
            for i, other in enumerate(_hands_of_others(others, n))
        ]
    )
    _refuse_impossible(rules, hands)
    unseen: NDArray[np.int64] = np.array(rules.counts) - hands.sum(axis=0)
    if deck is None:
        return hands, unseen
    given = rank_vector("deck", deck, rules)
    all_of_them = rules.reshuffle == "round"
    if (given > unseen).any() or (all_of_them and (given != unseen).any()):
        raise ValueError(
            "deck must hold cards that are not on the table"
            + ", all of them, with reshuffle='round'" * all_of_them
            + f", got {_checks.shown(deck)}"
        )
    return hands, given


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
                f"{name} must hold ranks of the deck, {rules.ranks}, got "
                f"{_checks.shown(rank)}"
            )
        vector[rank] += _checks.integer(f"{name}[{rank}]", count)
        if vector[rank] > sum(rules.counts):
            raise ValueError(
                f"{name} must hold no more cards than the deck, {sum(rules.counts)}, "
                f"got {_checks.shown(vector[rank])} of rank {rank}"
            )
    return np.array(list(vector.values()))


def _hands_of_others(others: object, players: int) -> list[object]:
    if isinstance(others, (str, bytes)) or not isinstance(others, Iterable):
        raise TypeError(
            "others must be the hands of the other players, got "
            f"{_checks.described(others)}"
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


def _refuse_impossible(rules: Rules, hands: NDArray[np.int64]) -> None:
    """Refuse hands that cannot be there; the player to move comes first in `hands`."""
    counts, most = np.array(rules.counts), np.array(rules.capacities)
    if (hands.sum(axis=0) > counts).any() or (hands > most).any():
        raise ValueError(
            "hand and others must hold at most "
            f"{dict(zip(rules.ranks, rules.counts, strict=True))} together and "
            f"{dict(zip(rules.ranks, rules.capacities, strict=True))} each, got "
            f"{[ranks_of(hand, rules.ranks) for hand in hands.tolist()]}"
        )
    own, *held = hands.sum(axis=1).tolist()
    if held != sorted(held) or held[0] < own or held[-1] > own + 1:
        if rules.players == 2:
            who, more, got = "", "or one more", held[0]
        else:
            who, got = " each", held
            more = "and from some player on, who have had their turn already, one more"
        raise ValueError(
            f"others must hold as many cards{who} as the player to move, {more}; got "
            f"{own} in hand and {got} in others"
        )
    if own < rules.deal:
        raise ValueError(
            f"hand must hold {rules.deal} card or more under rules with "
            f"deal={rules.deal}, for each player is dealt one before the first turn; "
            f"got {own}"
        )


def _step_at(sweep: Sweep, in_hands: int, vectors: NDArray[np.int64]) -> Step | None:
    """Return a layer as the player to move plays it; None if there is none.

    `vectors` are scores, leader first.
    """
    profile = sweep.deciding[in_hands % sweep.rules.players]
    for by_profile in sweep.steps(vectors):
        if by_profile[0].in_hands == in_hands:
            return by_profile[profile]
    return None


def ranks_of(counts: Iterable[int], ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the ranks of cards, one for each, from how many there are of each."""
    return tuple(
        [rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)]
    )
