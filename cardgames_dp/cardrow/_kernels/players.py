"""Players in the form in which the kernels ask them: the probabilities of their turns.

A *player* is a function of hands (what is left in several games, side by side) and a
seat, and returns the probability of every legal turn in each of these games, as parts
of a whole: integers, not floats, so that exact results are possible.

The simple rules are those of Pashevich's report, for up to k cards a turn, any number
of players, and two who value the cards differently:

- "larger" and "smaller" take the turn that is worth most or least to the player now;
- "greedy" takes the turn that exceeds by most the next player's best turn after it,
  each by their own values (under misère rules, with negated values);
- "greedy_literal" compares the absolute values of these two amounts, as the report
  prints it, and so takes the 1 of [2, 1];
- "random" takes any legal turn, all with the same chance;
- "optimal" follows the table of the rules.

Of turns that are equally good the tie rule prefers a side, and then fewer cards.

Responses
---------
For two players who take one card a turn, let W(i, j) be the mean lead of one who
responds, on the cards from i to j, and p(i, j) the probability that the opponent takes
the left card::

    W(i, j) = max(x[i] + W(i+1, j), x[j] + W(i, j-1))        on the responder's turn,
    W(i, j) = p (W(i+1, j) - x[i]) + (1 - p) (W(i, j-1) - x[j])   on the opponent's.

Whose turn it is follows from the length. Exact values stay integers: those of a
diagonal are carried over one common denominator, which each turn of the opponent
multiplies by that of the chances. The general backends take 30 to 85 times as long for
rows of 52 to 1,500 cards.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), section 2.1.
"""

from __future__ import annotations

import functools
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels import diagonals, row
from cardgames_dp.cardrow._kernels.row import Exact, Instance, Row, RuleSet, Tie


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Rows of one length under rules, side by side.

    `instances` has one a row, all over one denominator; `rows` has the rows in the
    form that callables get. `shared`, of shape (rows, cards): the worths of the cards
    to all players together, in the unit of the instances. `gains`: for each player and
    each number of cards a turn what they are worth, by the row and the place where they
    begin.
    """

    rules: RuleSet
    instances: list[Instance]
    rows: tuple[tuple[Exact, ...], ...]
    shared: NDArray[Any]
    gains: tuple[list[NDArray[Any]], ...]

    @classmethod
    def of(cls, rules: RuleSet, rows: Sequence[Row]) -> Deals:
        """Return rows of one length side by side."""
        denominator = math.lcm(*{each.denominator for each in rows})
        cards = len(rows[0].numerators)
        refuse_too_large(
            f"players of {len(rows)} rows of {cards} cards with up to {rules.take} a "
            "turn",
            8 * len(rows) * cards * min(rules.take, cards),
            "allow fewer cards a turn, or use shorter rows",
        )
        instances = [
            Instance.of(rules, Row(each.over(denominator), denominator, each.integral))
            for each in rows
        ]
        given = tuple([each.numbers() for each in rows])
        own = [
            row.exact_array(*every)
            for every in zip(*[x.worths for x in instances], strict=True)
        ]
        gains = [diagonals.runs(worths, rules.take) for worths in own[1:] or own]
        each = tuple(gains) if own[1:] else (*gains * rules.players,)
        return cls(rules, instances, given, own[0], each)

    @property
    def unit(self) -> Any:
        """It converts the integers of all rows to results."""
        return self.instances[0].unit


class Hands(NamedTuple):
    """What is left in several games: intervals, all of one length.

    `cells` are their indices in an array of shape (rows, cards + 1 - length) with a
    cell for each interval of this length, by the position of its left card; slices of
    positions name their ends, as tables may have more columns.
    `tallies` is what has been taken so far, as `RowSums` encodes it, where it is known.
    """

    deals: Deals
    length: int
    cells: tuple[Any, Any]
    tallies: NDArray[Any] | None = None

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal turns."""
        return row.turn_orders(self.length, self.deals.rules.take)[0]

    def of_each(self, table: NDArray[Any]) -> NDArray[Any]:
        """Return the cells of a table, or of one with more columns than it needs."""
        chosen: NDArray[Any] = table[self.cells]
        return chosen

    def worth(self, seat: int, start: int, count: int) -> NDArray[Any]:
        """Return what some cards of each interval are worth to a player."""
        return self.of_each(self.deals.gains[seat][count - 1][:, start:])

    def ends(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the worths of the end cards to all players together."""
        shared = self.deals.shared
        return self.of_each(shared), self.of_each(shared[:, self.length - 1 :])

    def places(self) -> Iterable[tuple[int, int]]:
        """Return for each interval the number of its row and its left position."""
        rows, cards = self.deals.shared.shape
        places = np.indices((rows, cards + 1 - self.length))
        numbers = [self.of_each(table).ravel().tolist() for table in places]
        return zip(*numbers, strict=True)


class Odds(NamedTuple):
    """The probabilities of all turns.

    `parts`, of shape (turns, ...), has them times `whole`, in the order of
    `Hands.codes`. `whole` is 1 if the player is deterministic.
    """

    parts: NDArray[Any]
    whole: int = 1


Player: TypeAlias = Callable[[Hands, int], Odds]
"""A function from hands and a seat to the odds of a player."""


def certain_odds(hands: Hands, turns: NDArray[Any]) -> Odds:
    """Return the odds of a player who takes these turns for certain."""
    return Odds(np.array([turns == code for code in hands.codes]))


def goes_left(
    by_left: NDArray[Any],
    by_right: Any,
    tie: Tie,
    first: NDArray[Any],
    last: NDArray[Any],
) -> NDArray[np.bool_]:
    """Return where to take the left card, from what either end brings.

    `first` and `last` are the worths of the end cards to all players together.
    """
    left: NDArray[np.bool_] = by_left > by_right
    left |= (by_left == by_right) & np.logical_not(row.prefers_right(tie, first, last))
    return left


def _best_by(scores: Sequence[NDArray[Any]], hands: Hands) -> Odds:
    """Return the turns of a player who takes one of the highest score."""
    codes, tie = hands.codes, hands.deals.rules.tie
    if len(codes) == 2:  # one card a turn, the usual case
        left = goes_left(scores[0], scores[1], tie, *hands.ends())
        return Odds(np.array([left, ~left]))
    every = np.stack(scores)
    best = every == every.max(axis=0)
    left_first = np.arange(len(codes))
    right_first = np.roll(left_first, sum(code > 0 for code in codes))
    by_left, by_right = (
        order[best[order].argmax(axis=0)] for order in (left_first, right_first)
    )
    chosen = np.where(row.prefers_right(tie, *hands.ends()), by_right, by_left)
    return Odds(np.stack([chosen == i for i in range(len(codes))]))


def _gains(
    hands: Hands, seat: int, start: int = 0, end: int | None = None
) -> list[NDArray[Any]]:
    """Return the immediate worths of all turns at each interval, or at a part of it."""
    end = hands.length if end is None else end
    return [
        hands.worth(seat, start if code < 0 else end - code, abs(code))
        for code in row.turn_orders(end - start, hands.deals.rules.take)[0]
    ]


def _uniform(hands: Hands, seat: int) -> Odds:
    turns = len(hands.codes)
    shape = (turns, *hands.worth(seat, 0, 1).shape)
    return Odds(np.ones(shape, np.int64), turns)


def _lead_over_best_reply(hands: Hands, seat: int) -> list[NDArray[Any]]:
    """Return what each turn is worth beyond the best answer to it."""
    rules, n = hands.deals.rules, hands.length
    worst, scores = np.minimum if rules.misere else np.maximum, []
    for code, gain in zip(hands.codes, _gains(hands, seat), strict=True):
        score, (start, end) = gain, (-code, n) if code < 0 else (0, n - code)
        if start < end:
            answers = _gains(hands, (seat + 1) % rules.players, start, end)
            score = gain - functools.reduce(worst, answers)
        scores.append(-score if rules.misere else score)
    return scores


def _best(
    scores: Callable[[Hands, int], list[NDArray[Any]]],
    change: Callable[[NDArray[Any]], NDArray[Any]] = np.positive,
) -> Player:
    """Return a player who takes a turn of the highest score, changed by a function."""
    return lambda hands, seat: _best_by([*map(change, scores(hands, seat))], hands)


RULES_OF_THUMB: dict[str, Player] = {
    "random": _uniform,
    "larger": _best(_gains),
    "smaller": _best(_gains, np.negative),
    "greedy": _best(_lead_over_best_reply),
    "greedy_literal": _best(_lead_over_best_reply, lambda score: -abs(score)),
}


def player_by_table(codes: Sequence[NDArray[Any]]) -> Player:
    """Return a player who follows tables of turns: for each length, (rows, lefts)."""
    return lambda hands, _seat: certain_odds(hands, hands.of_each(codes[hands.length]))


def player_by_function(
    turns_at: Callable[[NDArray[Any], int, Any], NDArray[Any]],
) -> Player:
    """Return a player whose turns a function looks up: by ends, seat and tallies."""

    def player(hands: Hands, seat: int) -> Odds:
        left = np.array([left for _, left in hands.places()])
        ends = np.column_stack([left, left + hands.length - 1])
        turns = turns_at(ends, seat, hands.tallies)
        return certain_odds(hands, turns.reshape(hands.worth(0, 0, 1).shape))

    return player


def optimal(deals: Deals) -> Player:
    """Return a player who follows the tables of the rules."""
    (rows, n), rules = deals.shared.shape, deals.rules
    refuse_too_large(
        f"an optimal player of {rows} rows of {n} cards",
        rows * n * (n + 1) // 2,
        "use shorter rows" + "; match(cards) needs no table" * row.is_linear(rules),
    )
    if row.is_linear(rules):
        return player_by_table(_turns_of_two(deals))
    tables = [
        [
            np.broadcast_to(codes, n - i)
            for i, (_, codes) in enumerate(diagonals.sweep(x))
        ]
        for x in deals.instances
    ]
    lengths = [np.stack(codes) for codes in zip(*tables, strict=True)]
    return player_by_table([np.zeros((rows, n + 1), np.int8), *lengths])


def _turns_of_two(deals: Deals) -> list[NDArray[np.int8]]:
    """Return for each length the turns of two players who take one card a turn."""
    shared, rules = deals.shared, deals.rules
    rows, n = shared.shape
    codes = [np.zeros((rows, n + 1), np.int8)]
    objective = -shared if rules.misere else shared
    after = np.zeros_like(objective, shape=(rows, n + 1))
    for leads in diagonals.leads(objective, take=1):
        left, right = slice(leads.shape[1]), slice(n - leads.shape[1], n)
        by_left, by_right = (
            objective[:, left] - after[:, 1:],
            objective[:, right] - after[:, :-1],
        )
        goes = goes_left(
            by_left, by_right, rules.tie, shared[:, left], shared[:, right]
        )
        codes.append(np.where(goes, np.int8(-1), np.int8(1)))
        after = leads
    codes[1][:] = -1  # a single card is taken from the left
    return codes


def mixture_odds(every: Sequence[Odds], shares: Sequence[Fraction]) -> Odds:
    """Return the odds of following one of several players, drawn by their shares."""
    factors = [share / one.whole for share, one in zip(shares, every, strict=True)]
    whole = math.lcm(*[factor.denominator for factor in factors])
    largest = max(whole, *[one.whole for one in every])
    dtype: Any = np.int64 if largest < row.LARGEST_SUM else object
    parts = sum(
        one.parts.astype(dtype) * int(factor * whole)
        for one, factor in zip(every, factors, strict=True)
    )
    return Odds(np.asarray(parts), whole)


def odds_from_chances(chances: Sequence[dict[int, Fraction]], hands: Hands) -> Odds:
    """Return the odds of turns, given for each interval by their codes."""
    whole = math.lcm(*[x.denominator for some in chances for x in some.values()])
    parts = [
        [some.get(code, 0) for some in chances]
        if whole == 1
        else [int(some.get(code, 0) * whole) for some in chances]
        for code in hands.codes
    ]
    dtype: Any = np.int64 if whole < row.LARGEST_SUM else object
    shape = (len(parts), *hands.worth(0, 0, 1).shape)
    return Odds(np.array(parts, dtype).reshape(shape), whole)


def in_arrays(
    player: Player,
    deals: Deals,
    left: NDArray[Any],
    right: NDArray[Any],
    seats: NDArray[Any],
    tallies: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the turns of a player, on one row and in one seat, as a mixture in arrays.

    It is the index of the state of each turn, its code, and its weight.
    """
    lengths, parts = right - left + 1, list[tuple[NDArray[Any], ...]]()
    for length in np.unique(lengths).tolist():
        (here,) = np.nonzero(lengths == length)
        some = None if tallies is None else tallies[here]
        hands = Hands(deals, length, (np.zeros_like(here), left[here]), some)
        weights, _ = player(hands, int(seats[0]))
        turns, at = np.nonzero(weights)
        parts.append((here[at], np.array(hands.codes)[turns], weights[turns, at]))
    index, codes, shares = map(np.concatenate, zip(*parts, strict=True))
    return index, codes, shares * 1  # as integers, if they are bool


def best_replies(
    deals: Deals, opponent: Player, seat: int, backend: Backend
) -> list[Any]:
    """Return the mean leads of best responses on rows, by the classic rules."""
    both: list[Player | None] = [opponent, opponent]
    both[seat] = None
    leads, scale = deque(mean_leads(deals, both, seat, backend), maxlen=1).pop()
    means: list[Any] = leads[:, 0].tolist()
    if backend == "float64":
        return means
    return [
        its.unit.exact(x) if scale == 1 else Fraction(x, scale * its.unit.denominator)
        for its, x in zip(deals.instances, means, strict=True)
    ]


def mean_leads(
    deals: Deals, players: Sequence[Player | None], seat: int, backend: Backend
) -> Iterator[tuple[NDArray[Any], int]]:
    """Yield the mean leads of a seat, one of two, in the intervals of each length.

    Leads are of the cards of `Instance.objective`, of which both want more; one is
    taken a turn. A seat without a player takes the better one. For lengths from 1 on,
    an array of shape (rows, intervals) times a scale, in the unit of the instances, and
    the scale. In float64 it is 1, and the unit that of the cards.
    """
    n, rounded = deals.shared.shape[1], backend == "float64"
    worths = -deals.shared if deals.rules.misere else deals.shared
    if rounded:
        cards = [its.objective for its in deals.instances]
        worths = row.float_array(*cards, denominator=deals.unit.denominator)
    total = max(1, *[sum(map(abs, each)) for each in deals.shared.tolist()])
    leads, scale = worths if (n - 1) % 2 == seat else -worths, 1
    yield leads, scale
    for length in diagonals.lengths(n, first=2):
        mover = (n - length) % 2
        first, last = worths[:, : n + 1 - length], worths[:, length - 1 :]
        if scale > 1:
            first, last = first * scale, last * scale
        if mover != seat:
            first, last = -first, -last
        by_left, by_right = leads[:, 1:] + first, leads[:, :-1] + last
        player = players[mover]
        if player is None:
            better = np.maximum if mover == seat else np.minimum
            leads = better(by_left, by_right)
        else:
            hands = Hands(deals, length, (slice(None), slice(n + 1 - length)))
            odds = player(hands, mover)
            if not rounded and scale * odds.whole * total >= row.LARGEST_SUM:
                worths, by_left, by_right = (
                    array.astype(object) for array in (worths, by_left, by_right)
                )
            leads, factor = _expected(odds, by_left, by_right, rounded)
            scale *= factor
        yield leads, scale


def _expected(
    odds: Odds, by_left: NDArray[Any], by_right: NDArray[Any], rounded: bool
) -> tuple[NDArray[Any], int]:
    """Return the means over a player's chances, times a factor, and this factor."""
    left, right = odds.parts
    if odds.whole == 1:
        return np.where(left, by_left, by_right), 1
    if not rounded:
        return left * by_left + right * by_right, odds.whole
    by_left = by_left * (left / odds.whole).astype(np.float64)
    by_right = by_right * (right / odds.whole).astype(np.float64)
    return by_left + by_right, 1
