"""Rounds with given scores: every position, and the first decision with a choice.

First come the checks of what users say of a round: hands, scores, seats and decks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.game import (
    Floats,
    Integers,
    RuleSet,
    numbers_of,
    vectors_of,
)
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.rules import Rules


def read_position(
    rules: RuleSet, hand: object, others: object, deck: object
) -> tuple[Integers, Integers]:
    """Return the hands, beginning with the player to move, and the unseen cards.

    Raises
    ------
    TypeError, ValueError
        If they are not hands or a deck, or cannot arise together when players take
        turns.
    """
    n = rules.players
    hands = np.array(
        [rank_vector("hand", hand, rules)]
        + [
            rank_vector(f"others[{i}]" if n > 2 else "others", other, rules)
            for i, other in enumerate(_hands_of_others(others, n))
        ]
    )
    _refuse_impossible_hands(rules, hands)
    unseen: Integers = np.array(rules.counts) - hands.sum(axis=0)
    if deck is None:
        return hands, unseen
    given = rank_vector("deck", deck, rules)
    all_of_them = rules.reshuffle == "round"
    if (given > unseen).any() or (all_of_them and (given != unseen).any()):
        raise ValueError(
            "deck must hold cards that are not on the table"
            + ", all of them, with reshuffle='round'" * all_of_them
            + f", got {arguments.shown(deck)}"
        )
    return hands, given


def rank_vector(name: str, cards: object, rules: RuleSet) -> Integers:
    """Return the counts of cards by rank, from ranks or a mapping to counts."""
    vector = dict.fromkeys(rules.ranks, 0)
    items: Iterable[tuple[object, object]]
    if isinstance(cards, Mapping):
        items = cards.items()
    else:
        items = [(rank, 1) for rank in arguments.integers(name, cards, minimum=1)]
    for given, count in items:
        rank = arguments.integer(f"a rank of {name}", given, minimum=1)
        if rank not in rules.ranks:
            raise arguments.wrong_value(
                f"{name} must hold ranks of the deck, {rules.ranks}", rank
            )
        vector[rank] += arguments.integer(f"{name}[{rank}]", count)
        if vector[rank] > sum(rules.counts):
            raise ValueError(
                f"{name} must hold no more cards than the deck, {sum(rules.counts)}, "
                f"got {arguments.shown(vector[rank])} of rank {rank}"
            )
    return np.array(list(vector.values()))


def _hands_of_others(others: object, players: int) -> list[object]:
    must = "others must be the hands of the other players"
    others = arguments.iterable(must, others)
    if players == 2:
        if isinstance(others, Mapping):
            return [others]
        listed = list(arguments.items("others", others))
        nested = [h for h in listed if isinstance(h, Iterable)]
        return listed if len(listed) == len(nested) == 1 else [listed]
    listed = list(arguments.items("others", others))
    if len(listed) != players - 1:
        raise ValueError(
            f"others must hold the hands of {players - 1} players, got {len(listed)}"
        )
    return listed


def _refuse_impossible_hands(rules: RuleSet, hands: Integers) -> None:
    """Refuse hands that cannot arise; the first one is that of the player to move."""
    counts = np.array(rules.counts)
    if (hands.sum(axis=0) > counts).any() or (hands > rules.capacity).any():
        raise ValueError(
            f"hand and others must hold at most {dict(rules.deck)} together and "
            f"{rules.capacity} of a rank each, got "
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
            f"deal={rules.deal}, as each player is dealt one before the first turn; "
            f"got {own}"
        )


def checked_scores(rules: RuleSet, scores: object) -> Integers:
    """Return scores as an array, shape (players,)."""
    vector = arguments.integers("scores", scores)
    if len(vector) != rules.players or max(vector) >= rules.target:
        raise ValueError(
            f"scores must hold an integer from 0 to {rules.target - 1} for each "
            f"of {rules.players} players, got {arguments.shown(vector)}"
        )
    return np.array(vector)


def seat_of(name: str, seat: object, rules: RuleSet) -> int:
    """Return the number of a seat."""
    number = arguments.integer(name, seat)
    if number >= rules.players:
        raise arguments.wrong_value(
            f"{name} must be an integer from 0 to {rules.players - 1}", number
        )
    return number


def start_of(positions: Positions, scores: Integers, deck: object) -> tuple[int, int]:
    """Return the place of the start of a round in tables: its deck and its scores."""
    rules, column = positions.rules, int(numbers_of(positions.rules, scores))
    if deck is None:
        return positions.full_deck, column
    if rules.reshuffle == "round":
        raise ValueError(
            "deck is for rules under which discards stay out of the deck; with "
            "reshuffle='round' every round starts with the full deck"
        )
    unseen = rank_vector("deck", deck, rules)
    number = int(positions.deck_number(unseen))
    beyond = (unseen > np.array(rules.counts)).any()
    if beyond or number not in positions.layers[0].keys:
        raise arguments.wrong_value(
            "deck must be one with which a round can start, with at most "
            f"{dict(rules.deck)} and more than {rules.burn} cards",
            deck,
        )
    return number, column


def score_columns(rules: RuleSet, chances: Mapping[str, Floats]) -> dict[str, Any]:
    """Return scores, low totals first, and chances by their vectors, as columns."""
    vectors = np.concatenate(vectors_of(rules))
    scores = {f"score_{i}": vectors[:, i].tolist() for i in range(rules.players)}
    here = numbers_of(rules, vectors)
    return scores | {name: each[here].tolist() for name, each in chances.items()}


def ranks_of(counts: Iterable[int], ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rank of each card, from the counts by rank."""
    return tuple(
        [rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)]
    )


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
    Round(scores=(0, 0), hits=16, ties=1)
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

    def _facts(self) -> dict[str, object]:
        choice = self.can_hit & self.can_fold
        return {
            "scores": self.scores,
            "hits": (self.hits * choice).sum().item(),
            "ties": int(self.ties.sum()),
        }

    def _columns(self, most: int | None = None) -> tuple[Any, dict[str, Any]]:
        """Return columns for the first positions, or for all."""
        ranks, few = self.rules.ranks, slice(most)
        nothing: Any = None  # where an action is not allowed
        hands = self.hands[few].tolist()
        seen = [[ranks_of(hand, ranks) for hand in row] for row in hands]
        return None, {
            "hand": [row[0] for row in seen],
            "others": [tuple(row[1:]) for row in seen],
            "unseen": [ranks_of(row, ranks) for row in self.unseen[few].tolist()],
            "action": np.select(
                [self.hits[few] == 1, self.hits[few] == 0], ["hit", "fold"], "mix"
            ).tolist(),
            "tie": self.ties[few].tolist(),
            "hit": np.where(self.can_hit[few], self.hit[few, 0], nothing).tolist(),
            "fold": np.where(self.can_fold[few], self.fold[few, 0], nothing).tolist(),
        }

    def _table(self) -> tables.Table:
        _, columns = self._columns(tables.MOST_ROWS)
        rows: list[list[object]] = []
        for hand, others, _, action, tie, *chances in zip(
            *columns.values(), strict=True
        ):
            told = action + " (tie)" * tie
            marked = tables.Marked(told) if action == "fold" else told
            numbers = ["" if x is None else f"{x:.6f}" for x in chances]
            rows.append([str(hand), ", ".join(map(str, others)), marked, *numbers])
        notes = [
            "Chances of winning after each action; marked *: fold.",
            *tables.first_of(len(self), "positions"),
        ]
        head = ("hand", "others", "action", "hit", "fold")
        return tables.Table(head, rows, notes, left=(0, 1, 2))


def round_from(
    sweep: Sweep, rules: Rules, profile: int, scores: NDArray[np.int64]
) -> Round:
    """Return a round with the decisions of one of the profiles of a sweep."""
    positions = most_positions(rules, sweep.positions.decks)
    n, ranks = rules.players, len(rules.ranks)
    each = 8 + 8 * ranks + 3 * 8 * n  # cards, unseen; hit, fold, values
    each += n * ranks + 4  # hands; can_hit, can_fold, hits, ties
    refuse_too_large(
        f"a round of {positions} positions",
        2 * positions * each,  # twice, while layers are joined
        "use advice(...), for one position, or opening_table(...)",
    )
    downwards = [by_profile[profile] for by_profile in sweep.steps(scores[None, :])]
    layers = [in_layer(sweep, step) for step in downwards[::-1]]
    arrays = [np.concatenate(parts) for parts in zip(*layers, strict=True)]
    return Round(rules, tuple(scores.tolist()), *arrays)


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
        layer.choice & even,
        values,
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpeningTable(Result):
    r"""Whether to hit when each player has one card; prints as a table.

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
    With three players there are rows for each card of the last player, who sits on the
    right of the player to move:

    >>> from cardgames_dp import pairs
    >>> three = pairs.Rules(players=3, deck=3, target=5)
    >>> print(pairs.solve(three).opening_table())
    own; last \ left  1  2  3
    1; 1
    2; 1                 =  H
    3; 1                 f  f
    1; 2                 =  H
    2; 2              =     H
    3; 2              f  f  H
    1; 3                 H  H
    2; 3              f  H  H
    3; 3              f  H  H
    (H hit, f fold (marked in pages), = tie; own and last cards down, left across.)
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

    def _table(self) -> tables.Table:
        ranks, further = self.ranks, self.hits.shape[2:]
        shown = tables.spread(len(ranks))
        every = len(ranks) * math.prod(further)
        few = tables.spread(every, tables.MOST_ROWS - 1)
        rows: list[list[object]] = []
        for number in few:
            last, own = divmod(number, len(ranks))
            beyond = np.unravel_index(last, further)
            there: Any = own, shown, *beyond
            possible, hits, ties = (
                each[there].tolist() for each in (self.possible, self.hits, self.ties)
            )
            cards = ", ".join([str(ranks[i]) for i in beyond])
            row: list[object] = [f"{ranks[own]}; {cards}" if cards else str(ranks[own])]
            for can, hit, tie in zip(possible, hits, ties, strict=True):
                mark = " " if not can else "=" if tie else "H" if hit else "f"
                row.append(tables.Marked(mark, "") if can and not hit else mark)
            rows.append(row)
        corner, whose = "own \\ other", "own card down, the other's across"
        if further:
            corner = "own; last \\ left"
            whose = "own and last cards down, left across"
        marks = [getattr(x, "cell", x) for row in rows for x in row]
        tie = ", = tie" * ("=" in marks)
        notes = [f"H hit, f fold (marked in pages){tie}; {whose}."]
        if len(shown) < len(ranks):
            notes.append(f"({len(shown)} of {len(ranks)} ranks shown)")
        if further and len(few) < every:
            notes.append(f"({len(few)} of {every} rows shown)")
        return tables.Table([corner, *(str(ranks[i]) for i in shown)], rows, notes)


def opening_from(sweep: Sweep, rules: Rules, scores: object) -> OpeningTable:
    """Return the leader's first decision with a choice, with one card each."""
    n, ranks = rules.players, rules.ranks
    vector = checked_scores(rules, (0,) * n if scores is None else scores)
    refuse_too_large(
        f"an opening table of {n} cards of {len(ranks)} ranks",
        len(ranks) ** n * 11,  # three bools and a float
        "use advice(...), for one position",
    )
    shape = (len(ranks),) * n
    hits, ties, possible = (np.zeros(shape, bool) for _ in range(3))
    lead = np.zeros(shape)
    for step in sweep.best_steps(vector[None]):
        if step.in_hands != n:
            continue
        layer = Round(rules, tuple(vector.tolist()), *in_layer(sweep, step))
        # Where discards stay out, there are positions with other decks, too.
        fresh = layer.unseen + layer.hands.sum(axis=1) == np.array(rules.counts)
        one = (layer.hands.sum(axis=2) == 1).all(axis=1)
        here = np.flatnonzero(one & fresh.all(axis=1))
        cards = tuple(layer.hands[here].argmax(axis=2).T)
        hits[cards], ties[cards] = layer.hits[here], layer.ties[here]
        possible[cards] = True
        gain = layer.hit[here, 0] - layer.fold[here, 0]
        choice = layer.can_hit[here] & layer.can_fold[here]
        lead[cards] = np.where(choice, gain, 0.0)
        break
    return OpeningTable(ranks, tuple(vector.tolist()), hits, ties, lead, possible)
