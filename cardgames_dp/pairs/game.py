"""The turns of Pairs, as an array game: what a hit, a fold and a deal lead to.

States are rows of integers, as `cardgames_dp.pairs.State` names them. The rules are
followed literally, and independently of the tables of the engines: the general backends
use them to check these.

Discards are all cards that are nowhere else. Cards in the deck and burned cards are all
unseen and equally likely to be in either place: the deck is exhausted when as many
cards are unseen as have been burned. By the official rules scored cards stay out, so a
state includes them, and cards are dealt one after the other.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import TooLargeError
from cardgames_dp.game import CHANCE, TERMINAL, Names
from cardgames_dp.pairs.fast import Fast, most_states
from cardgames_dp.pairs.rules import Goal, Rules, in_arrays, returns_of
from cardgames_dp.pairs.seats import by_state
from cardgames_dp.pairs.state import FOLD, HIT, Counts, Rows, Table, names_for

_MOST = 2**62


@dataclass(frozen=True, slots=True, repr=False)
class PairsGame(Record):
    """A game of Pairs, as a `cardgames_dp.game.ArrayGame`; made by :func:`game`.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.
    goal : str, int or callable
        What players maximise.
    """

    rules: Rules
    goal: Goal = "win"

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

    @property
    def names(self) -> Names:
        """States are `State`, actions "fold" and "hit", outcomes the cards drawn."""
        return names_for(self.rules)

    @property
    def _official(self) -> bool:
        return self.rules.reshuffle == "official"

    @property
    def _num_states(self) -> int:
        # For `explore`, which so refuses a large game before it finds its states.
        return most_states(self.rules) if self.rules.reshuffle == "round" else 0

    def as_policy(self, policy: Any, backend: str) -> Any:
        """Return a policy of Pairs as a function of states, and others as None."""
        return by_state(policy, self, backend) if type(self) is PairsGame else None

    @property
    def fast(self) -> Fast | None:
        """The faster ways of this game; a derived class, with other rules, has none."""
        if type(self) is not PairsGame:
            return None
        return Fast(self.rules, self.goal)

    def initial_states(self) -> Rows:
        """Return the only one: no points, the full deck, the first seat leads."""
        rules = self.rules
        n, ranks = rules.players, len(rules.ranks)
        row = [0] * (n * ranks + n) + [*rules.counts, 0, int(rules.deal > 0)]
        if self._official:
            row += [0] * ranks + [1] * n + [0] * n
        return np.array([row])

    def levels(self, states: Rows) -> Rows:
        """Return the points of all players, which only grow."""
        levels: Rows = Table.of(self.rules, states).scores.sum(axis=1)
        return levels

    def current_players(self, states: Rows) -> Rows:
        """Return who moves: a player, or the deck, until somebody has lost.

        With reshuffle="essay" a game also ends if a round starts with an empty deck.
        """
        table = Table.of(self.rules, states)
        over = table.scores.max(axis=1) >= self.rules.target
        over |= (table.unseen.sum(axis=1) == 0) & (table.hands.sum(axis=(1, 2)) == 0)
        mover = np.where(table.drawing, CHANCE, table.player)
        return np.where(over, TERMINAL, mover)

    def legal_actions(self, states: Rows) -> tuple[Rows, Rows]:
        """Return the actions, the one that the tie rule prefers first."""
        table = Table.of(self.rules, states)
        fold = table.hands.sum(axis=(1, 2)) > 0
        hit = ~fold | (table.unseen.sum(axis=1) > self.rules.burn)
        legal = np.stack([fold, hit], axis=1)
        order = [HIT, FOLD] if self.rules.tie == "hit" else [FOLD, HIT]
        index, column = np.nonzero(legal[:, order])
        return index, np.array(order)[column]

    def next_states(self, states: Rows, actions: Rows) -> Rows:
        """Return the states in which a card is drawn, or after a fold."""
        table = Table.of(self.rules, states)
        lowest = table.hands.any(axis=1).argmax(axis=1)
        drawing = table._replace(drawing=np.ones_like(table.drawing))
        folded = self._scored(table, lowest, table.unseen).rows()
        return np.where((actions == HIT)[:, np.newaxis], drawing.rows(), folded)

    def chance_outcomes(self, states: Rows) -> tuple[Rows, Rows, Rows]:
        """Return the states after each card, or each deal, weighted."""
        table = Table.of(self.rules, states)
        if self._official:
            dealing = table.dealing.any(axis=1)
        else:
            dealing = ~table.hands.any(axis=(1, 2)) & (self.rules.first == "lowest")
        if not dealing.any():
            index, weights, after, _ = self._drawn(table)
            return index, weights, after.rows()
        deal = self._deal_on if self._official else self._deals
        parts = []
        for here, way in ((dealing, deal), (~dealing, self._drawn)):
            index, weights, after, _ = way(table.at(here))
            parts.append((np.flatnonzero(here)[index], weights, after.rows()))
        indices, weights, rows = map(np.concatenate, zip(*parts, strict=True))
        return indices, weights, rows

    def returns(self, states: Rows) -> Rows:
        """Return what each seat gets: 1 for winning and 0 for losing, or by the goal.

        It is 0 for all if a round starts with an empty deck, with reshuffle="essay".
        """
        table = Table.of(self.rules, states)
        points = table.rotated(-table.player).scores
        return in_arrays(self.rules, self.goal, exact=True)(points)

    def _drawn(self, table: Table) -> tuple[Rows, Rows, Table, Rows]:
        """Return index, weight, state and rank after the player to move has a card."""
        rules = self.rules
        index, rank = np.nonzero(table.unseen)
        before, each = table.at(index), np.arange(len(index))
        weights = before.unseen[each, rank]
        pair = before.hands[each, 0, rank] == rules.capacity
        before.unseen[each, rank] -= 1
        unseen = before.unseen
        if rules.reshuffle == "essay":
            # What is drawn is in no hand yet, and stays out.
            empty = unseen.sum(axis=1) <= rules.burn
            others = np.array(rules.counts) - before.hands.sum(axis=1)
            others[each, rank] -= 1
            unseen = np.where(empty[:, np.newaxis], others, unseen)
        scored = self._scored(before, rank, unseen)
        before.hands[each, 0, rank] += 1
        if rules.reshuffle != "round":
            before = before._replace(unseen=self._refilled(before, before.hands))
        few = before.hands.sum(axis=(1, 2)) < rules.players * rules.deal
        drawing = (few & (not self._official)).astype(np.int64)
        going_on = before._replace(drawing=drawing).rotated(1)
        rows = np.where(pair[:, np.newaxis], scored.rows(), going_on.rows())
        return index, weights, Table.of(rules, rows), rank

    def _scored(self, table: Table, rank: Rows, unseen: Rows) -> Table:
        """Return the starts of next rounds, after the player to move has scored."""
        rules, each = self.rules, np.arange(len(rank))
        scores, scored = table.scores.copy(), table.scored.copy()
        scores[:, 0] += np.array(rules.ranks)[rank]
        if self._official:
            scored[each, rank] += 1
        after = table._replace(
            hands=np.zeros_like(table.hands),
            scores=scores,
            unseen=unseen,
            drawing=np.full_like(table.drawing, rules.deal > 0),
            scored=scored,
            dealing=np.ones_like(table.dealing),
            dealt=np.zeros_like(table.dealt),
        )
        if rules.reshuffle == "round":
            full = np.broadcast_to(rules.counts, table.unseen.shape)
            after = after._replace(unseen=full)
        elif rules.reshuffle != "essay":
            after = after._replace(unseen=self._refilled(after, after.hands))
        return after.rotated(1)

    def _refilled(self, table: Table, hands: Rows) -> Rows:
        """Return what is unseen after discards have returned to an exhausted deck."""
        elsewhere = np.array(self.rules.counts) - hands.sum(axis=1)
        if self._official:
            elsewhere = elsewhere - table.scored
        exhausted = table.unseen.sum(axis=1, keepdims=True) <= self.rules.burn
        return np.where(exhausted, elsewhere, table.unseen)

    def _deals(self, table: Table) -> tuple[Rows, Rows, Table, Rows]:
        """Return all deals with one lowest card; if none, those from the full deck."""
        index, weights, after, leads = self._deals_from(table)
        without = np.ones(len(table.player), dtype=np.bool_)
        without[index] = False
        if without.any():
            full = np.broadcast_to(self.rules.counts, table.unseen.shape)
            fresh = table._replace(unseen=full).at(without)
            more = self._deals_from(fresh)
            index = np.concatenate([index, np.flatnonzero(without)[more[0]]])
            weights, leads = (
                np.concatenate(both) for both in ((weights, more[1]), (leads, more[3]))
            )
            after = Table(*map(np.concatenate, zip(after, more[2], strict=True)))
        return index, weights, after, leads

    def _deals_from(self, table: Table) -> tuple[Rows, Rows, Table, Rows]:
        """Return the deals with one lowest card from decks as they are, of one size."""
        n, cards = self.rules.players, sum(self.rules.counts)
        index, dealt = np.arange(len(table.player)), np.empty((len(table.player), 0))
        weights = np.ones(len(index), dtype=np.int64 if cards**n < 2**62 else object)
        for _ in range(n):
            before, more, table, rank = self._drawn(table)
            index, weights = index[before], weights[before] * more
            dealt = np.column_stack([dealt[before], rank])
        lowest = dealt.min(axis=1, keepdims=True)
        one = (dealt == lowest).sum(axis=1) == 1
        leads = dealt.argmin(axis=1)[one]
        after = table.at(one)
        after = after._replace(drawing=np.zeros_like(after.drawing)).rotated(leads)
        return index[one], weights[one], after, leads

    def _deal_on(self, table: Table) -> tuple[Rows, Rows, Table, Rows]:
        """Return what the next players of official deals get, state by state."""
        rules = self.rules
        none = len(rules.ranks)
        indices, weights, ranks = list[int](), list[int](), list[int]()
        unseen = list[Counts]()
        seats = ((table.dealing > 0) & (table.dealt == 0)).argmax(axis=1)
        elsewhere = np.array(rules.counts) - table.hands.sum(axis=1) - table.scored
        for i, seat in enumerate(seats.tolist()):
            cards = table.unseen[i], elsewhere[i], table.hands[i, seat] < rules.capacity
            chances = next_card(*[tuple(x.tolist()) for x in cards], rules.burn)
            common = math.lcm(*[chance.denominator for chance in chances.values()])
            for (rank, left), chance in chances.items():
                indices.append(i)
                weights.append(int(chance * common))
                ranks.append(none if rank is None else rank)
                unseen.append(left)
        index, rank_of = np.array(indices), np.array(ranks)
        after, each = table.at(index)._replace(unseen=np.array(unseen)), len(index)
        got, seats = rank_of < none, seats[index]
        some = np.flatnonzero(got)
        after.hands[some, seats[some], rank_of[some]] += 1
        refilled = self._refilled(after, after.hands)
        after = after._replace(
            unseen=np.where(got[:, np.newaxis], refilled, after.unseen)
        )
        after.dealt[np.arange(each), seats] = rank_of + 1
        tied = after.dealing > 0
        done: Rows = np.asarray((~tied | (after.dealt > 0)).all(axis=1))
        newest = np.where(tied, after.dealt, none + 2)
        lowest = newest.min(axis=1, keepdims=True)
        still = newest == lowest
        ends = done & ((still.sum(axis=1) == 1) | (lowest[:, 0] == none + 1))
        again = np.where((done & ~ends)[:, np.newaxis], still, after.dealing)
        after = after._replace(
            drawing=np.where(ends, 0, after.drawing),
            dealing=np.where(ends[:, np.newaxis], 0, again),
            dealt=np.where(done[:, np.newaxis], 0, after.dealt),
        ).rotated(np.where(ends, still.argmax(axis=1), 0))
        whole = np.array(weights, dtype=object)
        small = max(weights, default=0) < 2**40
        return index, whole.astype(np.int64) if small else whole, after, rank_of


@functools.lru_cache(maxsize=2**12)
def next_card(
    unseen: Counts, everything: Counts, fits: tuple[bool, ...], burn: int
) -> dict[tuple[int | None, Counts], Fraction]:
    """Return the chances of the card that a player of an official deal gets.

    A card that would make a pair is discarded, and another one dealt. The deck may run
    out meanwhile, and the discards return, any number of times: a geometric series.
    Given are the cards unseen now, and when the discards have returned, and which ranks
    make no pair. The chances are those of ranks, None for no card, and of the cards
    then unseen.
    """
    there = any(fit and count for fit, count in zip(fits, everything, strict=True))
    if sum(unseen) <= burn or not there:
        return {(None, unseen): Fraction(1)}

    def until_refilled(
        unseen: Counts, weight: Fraction, chances: dict[Any, Fraction]
    ) -> Fraction:
        """Add what comes before the discards return; return the chance of that."""
        refilled = Fraction(0)
        for rank, count in enumerate(unseen):
            if not count:
                continue
            part = weight * Fraction(count, sum(unseen))
            left = (*unseen[:rank], count - 1, *unseen[rank + 1 :])
            if fits[rank]:
                chances[rank, left] = chances.get((rank, left), Fraction(0)) + part
            elif sum(left) <= burn:
                refilled += part
            else:
                refilled += until_refilled(left, part, chances)
        return refilled

    chances: dict[Any, Fraction] = {}
    refilled = until_refilled(unseen, Fraction(1), chances)
    if not refilled:
        return chances
    if sum(everything) <= burn:
        return {**chances, (None, everything): refilled}
    again: dict[Any, Fraction] = {}
    back = until_refilled(everything, Fraction(1), again)
    for card, chance in again.items():
        share = refilled * chance / (1 - back)
        chances[card] = chances.get(card, Fraction(0)) + share
    return chances


@suggest_arguments
def game(rules: Rules | None = None, *, goal: Goal = "win") -> PairsGame:
    """Return Pairs as a game for either backend and `cardgames_dp.play`.

    The `tie` rule orders the actions: the preferred one comes first, which solvers take
    by default.

    Grade: exact.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players, to 31 points, if not given; the official
        rules as well.
    goal : str, int or callable, default "win"
        What players maximise; see :func:`solve`. With "points" the returns are minus
        the final scores.

    Returns
    -------
    PairsGame
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "fold" and "hit". What chance does is named by the card that is drawn or, in a
        deal, by a tuple of the cards that are dealt, from the first player's on.

    Notes
    -----
    Unless the rules are official, `cardgames_dp.play` evaluates policies, responds to
    them and finds their mistakes by the sweeps of :func:`solve`, without exploring the
    game, and simulates games under all rules. Its `count` may be "fold" or "hit", or
    "round": how many rounds a game has. (Where discards stay out of the deck, the game
    is explored for distributions.)

    Examples
    --------
    >>> from cardgames_dp import exact, pairs, play
    >>> game = pairs.game(pairs.Rules(deck=3, target=5))
    >>> exact.solve(game).value
    Fraction(27261969263, 60750000000)

    What policies win, and how many rounds they play:

    >>> policies = ["fifty_percent", pairs.FoldUpTo(1)]
    >>> round(play.evaluate(game, policies).value, 6)
    0.495664
    >>> round(play.distribution(game, policies, count="round").moves.mean, 6)
    4.922014

    A game of optimal players, card by card:

    >>> position = play.Position(pairs.solve(game.rules))
    >>> position = position.play(2).play(3)
    >>> position.state.hand, position.advice().action
    ((0, 1, 0), 'hit')
    """
    checked = arguments.rules(rules, Rules)
    returns_of(checked, goal)
    points = checked.target + checked.ranks[-1] * sum(checked.counts)
    if max(sum(checked.counts), points) >= _MOST:
        raise TooLargeError(
            "rules have cards or points that an int64 does not hold; use a smaller deck"
        )
    return PairsGame(checked, goal)
