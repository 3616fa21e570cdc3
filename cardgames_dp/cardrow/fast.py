"""What a row answers faster than any game does: its values and best turns.

`Fast` has these ways; `cardgames_dp._graph.lookup` says when they are asked. All is
computed in integers, so ties are certain, and values in float64 are rounded once.

Solved rows print as the table of Pashevich's report. Rows are the left end of what is
left, columns its right end. A cell has an arrow to the cell that the best turn leads
to, down for a card from the left and to the left for one from the right, and what the
players take, the one to move first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Floats, Integers, fractions
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._results.tables import MOST_ROWS, Marked, Table
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.printing import short, with_noun
from cardgames_dp.cardrow._kernels import diagonals, row
from cardgames_dp.cardrow._kernels.collapse import Intervals
from cardgames_dp.cardrow._kernels.players import Deals, in_arrays, mean_leads
from cardgames_dp.cardrow._kernels.row import Instance
from cardgames_dp.cardrow.policies import is_named, name_of, player_of
from cardgames_dp.cardrow.rules import codes_of, signed

_UNIT, _TINY = 2.0**-53, 2.0**-1074

_SHORT = 1000
"""The most cards of a row whose table is made at once."""

_CELLS = 10_000
"""How many cells of a table are made in the time in which an interval is collapsed."""


@dataclass(frozen=True, slots=True)
class Fast:
    """The faster ways of a row."""

    instance: Instance

    def solve(self, backend: Backend, tie_break: str) -> SolvedRow | None:
        """Return the solution, unless sums of several players need another tie rule."""
        if self.instance.rules.players > 2 and tie_break != "first":
            return None
        return SolvedRow(self.instance, backend)

    def evaluate(self, policies: Any, backend: Backend) -> PlayLookup | None:
        """Return the values of policies with names, by the diagonals of a table."""
        both = self._pair(policies, backend, None)
        return None if both is None else PlayLookup(self.instance, backend, both)

    def best_response(
        self, policies: Any, player: int, backend: Backend, _tie_break: str
    ) -> tuple[PlayLookup, tuple[Any, ...] | None] | None:
        """Return the best response to a policy with a name, and the payoffs before."""
        both = self._pair(policies, backend, player)
        if both is None:
            return None
        response = (None, both[1]) if player == 0 else (both[0], None)
        lookup = PlayLookup(self.instance, backend, response)
        if both[player] is None:
            return lookup, None
        whole = np.array([[0, len(self.instance.objective) - 1, 0]])
        usual = PlayLookup(self.instance, backend, both).values(whole)
        return lookup, tuple(usual[0].tolist())

    def _pair(
        self, policies: Any, backend: Backend, free: int | None
    ) -> tuple[Any, Any] | None:
        """Return two policies that are words, if a turn takes one card."""
        both = policies if isinstance(policies, (list, tuple)) else [policies] * 2
        if len(both) != 2 or free not in (None, 0, 1):
            return None
        words = [
            (one is None and seat == free) or is_named(one, exact=backend == "exact")
            for seat, one in enumerate(both)
        ]
        linear = row.is_linear(self.instance.rules)
        return (both[0], both[1]) if linear and all(words) else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RowLookup(ArrayRecord):
    """What the states of a row are worth: a base of `Lookup` classes.

    `sums`: what the first cards are worth in the unit of `Instance.objective`.
    `surplus`: with weights, how much more to the first player than to the second.
    """

    instance: Instance
    backend: Backend
    sums: NDArray[Any] = field(init=False, compare=False)
    surplus: NDArray[Any] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.instance.array(self.backend)  # refuses what floats cannot hold
        sums = row.sums_of(self.instance.objective)
        self._set(sums=sums, surplus=row.sums_of(self.instance.surplus))

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached.

        The numbers of turns that lead to an interval are all from the fewest, with as
        many cards a turn as possible, to one for each card. All cards cannot be taken
        from the right, as the last turn counts as one from the left.
        """
        left, right, player = states.T
        rules, cards = self.instance.rules, len(self.instance.objective)
        before, behind = left, cards - 1 - right
        valid: NDArray[np.bool_] = (left >= 0) & (behind >= 0) & (left <= right + 1)
        valid &= (left <= right) | (left > 0)
        valid &= (player >= 0) & (player < rules.players)
        fewest = -(-before // rules.take) - (-behind // rules.take)
        wait = (player - fewest) % rules.players
        valid &= fewest + wait <= before + behind
        return valid

    def _taken(
        self, states: Integers, actions: Integers
    ) -> tuple[NDArray[Any], Integers, Integers]:
        """Return what turns take, and the ends of the intervals that they leave."""
        (left, right, _), turns = states.T, signed(actions)
        low, high = left - np.minimum(turns, 0), right - np.maximum(turns, 0)
        sums = self.sums
        return sums[low] - sums[left] + sums[right + 1] - sums[high + 1], low, high


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolvedRow(RowLookup):
    """The solution of a row, in integers.

    Leads and sums are in the unit of `Instance.objective`, of which all want more. In
    long rows they are found one by one, by collapsing peaks, until many are needed.
    """

    _table: NDArray[Any] | None = field(init=False, compare=False)
    _intervals: Intervals = field(init=False, compare=False)

    certain: ClassVar[bool] = True
    """Ties are, as all is computed in integers."""

    def __post_init__(self) -> None:
        RowLookup.__post_init__(self)
        cards = self.instance.objective
        long = len(cards) > _SHORT and row.is_linear(self.instance.rules)
        table = None if long else diagonals.sum_table(self.instance)
        self._set(_table=table, _intervals=Intervals(cards))

    def values(self, states: Integers) -> NDArray[Any]:
        """Return what is still to come in states."""
        units = self._payoffs(states)
        if self.backend == "exact":
            return fractions(units, np.array(self.instance.scale, dtype=object))
        return self._rounded(units)

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the rounding errors of these values."""
        if self.backend == "exact":
            return np.zeros(len(states))
        units, scale = self._payoffs(states), self.instance.scale
        # Dividing a float by a power of two is exact, if the result is not tiny.
        halves = scale & (scale - 1) == 0 and scale < 2**900
        rounds = (abs(units) >= 2**53) | (not halves)
        bounds = 3 * _UNIT * abs(self._rounded(units)) + _TINY
        errors: Floats = np.where(rounds, bounds, 0.0).max(axis=1)
        return errors

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether actions are optimal in states."""
        left, right, _ = states.T
        taken, low, high = self._taken(states, actions)
        after, now = self._gets(-1, low, high), self._gets(0, left, right)
        best: NDArray[np.bool_] = taken + after == now
        return best

    def _rounded(self, units: NDArray[Any]) -> Floats:
        """Return integers over the scale in float64."""
        if self.instance.scale >= 2**53:
            units = units.astype(object)
        return (units / self.instance.scale).astype(np.float64) + 0.0  # not -0.0

    def _payoffs(self, states: Integers) -> NDArray[Any]:
        """Return what each player gets in states, in integers."""
        left, right, player = states.T
        players = self.instance.rules.players
        turn = (np.arange(players) - player[:, np.newaxis]) % players
        if players == 2:
            lead = self._gets(0, left, right)[:, np.newaxis]
            payoffs = np.where(turn, -lead, lead)
        else:
            ends = left[:, np.newaxis], right[:, np.newaxis]
            payoffs = self._gets(turn, *ends)
        if self.instance.weighted:
            extra = self.surplus[right + 1] - self.surplus[left]
            payoffs = payoffs + np.stack([extra, -extra], axis=1)
        return payoffs

    def _gets(self, turn: Any, left: Integers, right: Integers) -> NDArray[Any]:
        """Return what the player to move gets in intervals, or the one so many on."""
        few = len(left) <= len(self.instance.objective) ** 2 // _CELLS
        if self._table is None and few:
            pairs = zip(left.tolist(), right.tolist(), strict=True)
            values = [self._intervals.value(*pair) for pair in pairs]
            leads = np.array(values, dtype=self.sums.dtype)
            return -leads if turn else leads
        if self._table is None:
            self._set(_table=diagonals.sum_table(self.instance))
        table: Any = self._table
        if self.instance.rules.players > 2:
            return np.asarray(table[turn, left, right + 1])
        leads = table[left, right + 1]
        return np.negative(leads) if turn else np.asarray(leads)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlayLookup(RowLookup):
    """Two players who take one card a turn, of whom at least one follows a policy.

    Leads are those of the player who decides, if there is one, or of the first.
    """

    policies: tuple[Any, Any]
    _deals: Deals = field(init=False, compare=False)
    _players: list[Any] = field(init=False, compare=False)
    _table: NDArray[Any] = field(init=False, compare=False)
    _scales: list[int] = field(init=False, compare=False)

    certain: ClassVar[bool] = False

    def __post_init__(self) -> None:
        RowLookup.__post_init__(self)
        instance, exact = self.instance, self.backend == "exact"
        deals = Deals.of(instance.rules, [instance.row()])
        players = [one and player_of(one, deals, name_of(one)) for one in self.policies]
        table = diagonals.table((), instance, exact=exact)
        scales = [instance.unit.denominator]
        every = mean_leads(deals, players, self._seat, self.backend)
        for length, (leads, scale) in enumerate(every, 1):
            diagonals.diagonal(table, length)[...] = leads[0]
            scales.append(instance.unit.denominator * scale)
        self._set(_deals=deals, _players=players, _table=table, _scales=scales)

    @property
    def _seat(self) -> int:
        return 1 if self.policies[1] is None else 0

    def values(self, states: Integers) -> NDArray[Any]:
        """Return what is still to come in states."""
        left, right, _ = states.T
        first = self._leads(left, right) * (1, -1)[self._seat]
        if self.instance.weighted:
            extra = self._in_unit(self.surplus[right + 1] - self.surplus[left])
            first = (first + extra) / 2
        payoffs: NDArray[Any] = np.stack([first, 0 - first], axis=1)
        return payoffs + 0  # not -0.0

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the rounding errors of these values.

        Each length adds at most 8 units in the last place of its largest possible lead,
        and weights what is rounded of the values themselves.
        """
        if self.backend == "exact":
            return np.zeros(len(states))
        sizes: Floats = abs(self.values(states)[:, 0])
        return 8 * self._rounding(states[:, 0], states[:, 1]) + 3 * _UNIT * sizes

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether actions are optimal in states, or may be."""
        left, right, _ = states.T
        taken, low, high = self._taken(states, actions)
        worth = self._in_unit(taken) + self._leads(low, high)
        ahead = abs(worth - self._leads(left, right))
        near: Any = 0
        if self.backend == "float64":
            near = 16 * self._rounding(left, right)
        return np.asarray(ahead <= near, dtype=np.bool_)

    def chances(self, states: Integers, actions: Integers) -> Floats:
        """Return the probability of each action of players who follow policies."""
        some, index = np.unique(states, axis=0, return_inverse=True)
        chances = np.zeros((len(some), 2), dtype=object)
        for seat, player in enumerate(self._players):
            (here,) = np.nonzero(some[:, 2] == seat)
            if player is not None and len(here):
                places, codes, weights = in_arrays(player, self._deals, *some[here].T)
                chances[here[places], codes_of(codes)] = weights
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1)
        return chances[index.ravel(), actions].astype(np.float64)

    def _leads(self, left: Integers, right: Integers) -> NDArray[Any]:
        """Return the mean leads in intervals, in the unit of the cards."""
        leads: NDArray[Any] = self._table[left, right + 1]
        if self.backend == "exact":
            scales = np.array(self._scales, dtype=object)[right + 1 - left]
            leads = fractions(leads, scales)
        return leads

    def _in_unit(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """Return integers in the unit of the cards."""
        unit = self.instance.unit.denominator
        if self.backend == "exact":
            return fractions(amounts, np.array(unit, dtype=object))
        return (amounts.astype(object) / unit).astype(np.float64)

    def _rounding(self, left: Integers, right: Integers) -> Floats:
        """Return the last place of the largest possible lead, times the length."""
        largest = (
            max(map(abs, self.instance.objective)) / self.instance.unit.denominator
        )
        lengths = (right + 1 - left).astype(np.float64)
        return _UNIT * largest * lengths**2 + _TINY * (lengths + 1)


# Tables

_MOST_SUMS = 2400
"""Sums shown: with many players there are fewer rows and columns, but at least one."""


def cells(solution: Any, left: NDArray[Any], right: NDArray[Any]) -> tuple[Any, ...]:
    """Return what a solution of a row knows of intervals, from the ends of each.

    Leads: what the player to move wins by or, of more than two, takes more than the
    best of the others. Sums: of the player to move, of the next one and so on; with
    weights the lead only, as it does not determine both. Turns: how many cards the
    policy takes, negative from the left. Ties: whether several turns are optimal.
    """
    game, source = solution.game, solution._source
    taken = len(game.cards) - 1 - right + left
    player = taken % game.num_players
    states = np.column_stack([left, right, player])
    places = source.places(states)
    seats = (player[:, np.newaxis] + np.arange(game.num_players)) % game.num_players
    payoffs = np.take_along_axis(source.payoffs_of(places), seats, axis=1).T
    if game.rules.misere:
        payoffs = 0 - payoffs
    sums = [*payoffs]
    if game.num_players == 2:
        leads = payoffs[0]
        sums = [leads]
        if game.rules.weights is None:
            exact = np.array([0, *game.cards], dtype=object).cumsum()
            total = (exact[right + 1] - exact[left]).astype(leads.dtype)
            sums = [(total + leads) / 2, (total - leads) / 2]
    else:
        best = np.min if game.rules.misere else np.max
        leads = payoffs[0] - best(payoffs[1:], axis=0)
    index, _ = source.best_of(places)
    chosen = source.chosen_of(places)
    if isinstance(chosen, tuple):  # the first of the optimal turns of a mixture
        first = np.unique(chosen[0], return_index=True)[1]
        chosen = chosen[1][first]
    ties = np.bincount(index, minlength=len(left)) > 1
    return leads, sums, signed(chosen), ties


def sheet(solution: Any) -> Table:
    """Return the table of the intervals of a row; a star marks ties.

    Of a long row it is the corner of the intervals that are met first: arrows lead from
    cell to cell, so that no rows between them can be left out.
    """
    cards = solution.game.cards
    n = len(cards)
    most = math.isqrt(_MOST_SUMS // max(2, solution.game.num_players))
    most = min(n, MOST_ROWS, max(1, most))
    rights = range(n - most, n)
    left, right = np.indices((most, most)).reshape(2, -1)
    right = right + n - most
    some = left <= right
    left, right = left[some], right[some]
    leads, sums, turns, ties = cells(solution, left, right)
    texts: dict[tuple[int, int], object] = {}
    for i, place in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        text = ":".join([_short(each[i]) for each in sums])
        if place[0] < place[1]:
            turn = int(turns[i])
            text = (
                f"{'↓' if turn < 0 else '←'}{'' if turn**2 == 1 else abs(turn)} {text}"
            )
        texts[place] = Marked(text) if ties[i] else text
    rows = [
        [_short(cards[i]), *[texts.get((i, j), "") for j in rights]]
        for i in range(most)
    ]
    tie = "; *: a tie" * bool(ties.any())
    after = " and the sums of the player to move and of the others"
    if len(sums) == 1:
        after = " and what the player to move wins by"
    notes = [
        "rows: left end card; columns: right end card",
        f"cells: turn (↓ left, ← right{tie}){after}",
    ]
    cut = f"the first {most} rows and the last {most} columns of {n} shown"
    head = ["left \\ right", *[_short(cards[j]) for j in rights]]
    whole = leads[(left == 0) & (right == n - 1)]
    backend = "float64" if isinstance(solution.value, float) else "exact"
    word = "value" if whole[0] == solution.value else "lead"
    title = f"{with_noun(n, 'card')}, {backend}: {word} {_short(whole[0])}"
    return Table(head, rows, [*notes, *[cut] * (most < n)], title)


def _short(number: Any) -> str:
    return short(number.item() if isinstance(number, np.generic) else number, digits=4)
