"""Solved rounds, looked up by states: behind solutions, values of policies, responses.

Only the chances at the starts of rounds are kept, which is a small table. What a state
within a round is worth follows from it by solving what may follow in that round.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._results.tables import Table as Sheet, spread
from cardgames_dp._support import executors
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp.pairs._kernels import induction
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.rules import (
    Floats,
    Goal,
    Integers,
    Rules,
    in_arrays,
    largest_holdings,
    numbers_of,
    returns_of,
    tolerance_of,
)
from cardgames_dp.pairs.state import HIT, Table

_FEW = 2**8
"""The largest number of states of which each layer is solved on its own."""

_MOST_POSITIONS = 2**22
"""The largest number of positions that are solved for more states than that."""

_CELLS = 2**22
"""About the number of values of a layer at a time."""

_UNIT = 2.0**-53

_MOST_SCORES = 16


class DecidedStates(NamedTuple):
    """What is known of some states with cards on the table, a row for each.

    `hit`, `fold` and `values`, of shape (count, players), are by seat: after either
    action, where it is allowed, and by what is done. `lead`: by how much a hit is
    better for the player to move; `hits`: its probability; `choice`: whether both
    actions are allowed.
    """

    hit: Floats
    fold: Floats
    values: Floats
    lead: Floats
    hits: Floats
    choice: NDArray[np.bool_]


def all_best(policies: tuple[Any, ...], *_: Any) -> list[induction.Profile]:
    """Return the profile of players who all do what is best."""
    return [induction.optimal(len(policies))]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolvedRounds(ArrayRecord):
    """The tables of a sweep, looked up by states: a `Lookup`, or `Chances`.

    The tie rule of `rules` decides here, whatever that of the game is. `policies` has
    one for each seat, None where it does what is best. `tables` and `gaps` are those of
    a `Sweep`, which `make_profiles` says how to make again, given policies, rules and
    goal.
    """

    rules: Rules
    goal: Goal
    policies: tuple[Any, ...]
    tables: tuple[Floats, ...]
    gaps: induction.Gaps
    make_profiles: Callable[..., list[induction.Profile]] = field(
        default=all_best, compare=False
    )
    _sweep: list[Sweep] = field(init=False, compare=False)
    _recent: dict[bytes, DecidedStates] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._set(_sweep=[], _recent={})
        ArrayRecord.__post_init__(self)

    @classmethod
    def of(
        cls,
        sweep: Sweep,
        policies: tuple[Any, ...] | None = None,
        make_profiles: Callable[..., list[induction.Profile]] = all_best,
    ) -> SolvedRounds:
        """Return what a sweep, whose tables are filled, has found."""
        seats = (None,) * sweep.rules.players if policies is None else policies
        tables = tuple(sweep.tables)
        given: Any = sweep.rules, sweep.goal, seats, tables, sweep.gaps, make_profiles
        lookup = cls(*given)
        lookup._sweep.append(sweep)
        return lookup

    @property
    def sweep(self) -> Sweep:
        """The sweep, made again from its tables after a pickle."""
        if not self._sweep:
            profiles = self.make_profiles(self.policies, self.rules, self.goal)
            sweep = Sweep(Positions(self.rules), profiles, self.goal)
            sweep.tables = list(self.tables)
            sweep.gaps = self.gaps
            self._sweep.append(sweep)
        return self._sweep[0]

    @property
    def decides(self) -> bool:
        """Whether some seat does what is best."""
        return None in self.policies

    def at_start(self, leader: int = 0) -> Floats:
        """Return the table of starts of rounds that a seat leads, its chances first."""
        return self.tables[self.sweep.place(self.sweep.played, leader)]

    # As a Lookup.

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether a round can come to each of some states."""
        rules, n = self.rules, self.rules.players
        table = Table.of(rules, states)
        valid = (states >= 0).all(axis=1) & (table.player < n) & (table.drawing <= 1)
        some = np.flatnonzero(valid)
        table = table.at(some)
        sizes, on_table = table.hands.sum(axis=2), table.hands.sum(axis=1)
        cards, counts = sizes.sum(axis=1), np.array(rules.counts)
        good = (table.hands <= largest_holdings(rules)).all(axis=(1, 2))
        good &= (table.unseen <= counts - on_table).all(axis=1)
        good &= (np.diff(sizes, axis=1) >= 0).all(axis=1)
        good &= sizes[:, -1] - sizes[:, 0] <= 1
        out = table.scores >= rules.target
        over = out.any(axis=1)
        # Who has lost has had the last turn, and scored no more than the highest rank.
        lost = ~out[:, :-1].any(axis=1) & (cards == 0)
        lost &= table.scores[:, -1] < rules.target + rules.ranks[-1]
        good &= np.where(over, lost, True)
        dealt = n * rules.deal
        if rules.first == "lowest":
            good &= (cards == 0) | (cards >= n)
            must_draw = cards == 0
        else:
            must_draw = cards < dealt
        left = table.unseen.sum(axis=1)
        can_draw = (left > rules.burn) | (cards == 0)
        good &= np.where(table.drawing == 1, can_draw & ~over | must_draw, ~must_draw)
        if rules.reshuffle == "round":
            good &= (table.unseen == counts - on_table).all(axis=1)
            good &= left >= np.where(cards > 0, rules.burn, 0)
        else:
            good &= self._has_position(table, cards)
        valid[some] = good
        return valid

    def _has_position(self, table: Table, cards: Integers) -> NDArray[np.bool_]:
        """Return which states have a position among those of the rounds."""
        positions, n = self.sweep.positions, self.rules.players
        have = np.zeros(len(cards), dtype=np.bool_)
        for in_hands in np.unique(cards).tolist():
            here = np.flatnonzero(cards == in_hands)
            if in_hands >= len(positions.layers):
                continue
            hands = np.roll(table.hands[here], in_hands % n, axis=1)
            keys = positions.keys(table.unseen[here], hands, in_hands)
            have[here] = np.isin(keys, positions.layers[in_hands].keys)
        if self.rules.reshuffle == "essay":  # its dead end has a place in the table
            have |= ~table.unseen.any(axis=1) & (cards == 0)
        return have

    def values(self, states: Integers) -> Floats:
        """Return what each seat can expect in some states."""
        rules, n = self.rules, self.rules.players
        table = Table.of(rules, states)
        values = np.zeros((len(states), n))
        cards = table.hands.sum(axis=(1, 2))
        over = table.scores.max(axis=1) >= rules.target
        over |= (cards == 0) & ~table.unseen.any(axis=1)
        if over.any():
            points = table.at(over).rotated(-table.player[over]).scores
            values[over] = in_arrays(rules, self.goal)(points)
        started = np.flatnonzero((cards == 0) & ~over)
        if started.size:
            values[started] = self._at_starts(table.at(started))
        inside = np.flatnonzero(cards > 0)
        if inside.size:
            decided = self.decisions_in(states[inside])
            drawing = table.drawing[inside, np.newaxis] == 1
            values[inside] = np.where(drawing, decided.hit, decided.values)
        return values

    def _at_starts(self, table: Table) -> Floats:
        """Return what each seat can expect at the starts of rounds."""
        n = self.rules.players
        values = np.empty((len(table.player), n))
        columns = numbers_of(self.rules, table.scores)
        decks = np.zeros(len(columns), dtype=np.int64)
        if self.rules.reshuffle != "round":
            decks = self.sweep.positions.deck_number(table.unseen)
        for leader in range(n):
            here = np.flatnonzero(table.player == leader)
            if here.size:
                chances = self.at_start(leader)[decks[here], columns[here]]
                values[here] = np.roll(chances, leader, axis=1)
        return values

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the errors of these values.

        Where several players decide and care about more than their own share of a
        constant sum, the choice in a tie matters to the others. Then no bound is known
        but the range of all returns.
        """
        rules, n = self.rules, self.rules.players
        constant = n == 2 and self.goal in ("win", "lead", 1)
        constant &= rules.reshuffle != "essay"
        # Rounding may decide where two actions differ by less than values may be wrong.
        bound = rounding(rules, self.goal, self.gaps.largest_tie)
        unsure = self.gaps.ties > 0 or self.gaps.smallest_lead <= 2 * bound
        if self.decides and unsure and not constant:
            spread = 1 if self.goal == "win" or isinstance(self.goal, int) else 2
            return np.full(len(states), spread * largest_return(rules, self.goal))
        table = Table.of(rules, states)
        tie = self.gaps.largest_tie if self.decides else 0.0
        left = np.maximum(rules.target - 1 - table.scores, 0) // rules.ranks[0]
        each = rounding(rules, self.goal, tie) / rounds_left(rules)
        errors: Floats = each * (left.sum(axis=1) + 1)
        over = table.scores.max(axis=1) >= rules.target
        errors[over] = _UNIT * largest_return(rules, self.goal) * (self.goal != "win")
        return errors

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether actions are optimal in states, up to the tolerance."""
        cards = Table.of(self.rules, states).hands.any(axis=(1, 2))
        best = np.ones(len(states), dtype=np.bool_)
        inside = np.flatnonzero(cards)
        if inside.size:
            # States that follow each other may be the same.
            new = np.append(
                True, (states[inside][1:] != states[inside][:-1]).any(axis=1)
            )
            decided, each = self.decisions_in(states[inside][new]), np.cumsum(new) - 1
            lead = decided.lead[each]
            lead = np.where(actions[inside] == HIT, lead, -lead)
            best[inside] = ~decided.choice[each] | (lead >= -tolerance_of(self.rules))
        return best

    def chances(self, states: Integers, actions: Integers) -> Floats:
        """Return the probability of each action in its state, by the policies."""
        cards = Table.of(self.rules, states).hands.any(axis=(1, 2))
        hits = np.ones(len(states))
        inside = np.flatnonzero(cards)
        if inside.size:
            hits[inside] = self.decisions_in(states[inside]).hits
        return np.where(actions == HIT, hits, 1 - hits)

    def rows(self, hands: Integers, unseen: Integers, scores: Integers) -> Integers:
        """Return states in which the player to move is one who decides."""
        seat = self.policies.index(None)
        return Table.to_move(hands, unseen, scores, seat).rows()

    def decisions_in(self, states: Integers) -> DecidedStates:
        """Return what is known of states with cards on the table."""
        table = Table.of(self.rules, states)
        plain = table._replace(drawing=np.zeros_like(table.drawing)).rows()
        key = plain.tobytes()
        decided = self._recent.get(key)
        if decided is None:
            decided = self._decisions_in(table)
            self._recent.clear()
            if len(states) <= _FEW:  # such as those of one position on a table
                self._recent[key] = decided
        return decided

    def _decisions_in(self, table: Table) -> DecidedStates:
        """Return the same, solved now."""
        n = self.rules.players
        cards = table.hands.sum(axis=(1, 2))
        mover = cards % n
        leader = (table.player - mover) % n
        turn = (np.arange(n) - mover[:, np.newaxis]) % n
        hands = np.take_along_axis(table.hands, turn[:, :, np.newaxis], axis=1)
        scores = np.take_along_axis(table.scores, turn, axis=1)
        seats = (np.arange(n) - leader[:, np.newaxis]) % n
        count = len(cards)
        by_seat = [np.zeros((count, n)) for _ in range(3)]
        lead, hits = np.zeros(count), np.zeros(count)
        hit, fold, values = by_seat
        choice = np.zeros(count, dtype=np.bool_)
        result = DecidedStates(hit, fold, values, lead, hits, choice)
        for positions, here in self._groups(table, hands, cards):
            keys = np.empty(count, dtype=np.int64)
            for in_hands in np.unique(cards[here]).tolist():
                some = here[cards[here] == in_hands]
                keys[some] = positions.keys(table.unseen[some], hands[some], in_hands)
            vectors, column = np.unique(scores[here], axis=0, return_inverse=True)
            width = max(_CELLS // (positions.widest * n), 1)
            for first in range(0, len(vectors), width):
                block = vectors[first : first + width]
                within = (column.ravel() >= first) & (column.ravel() < first + width)
                some, columns = here[within], column.ravel()[within] - first
                given = some, columns, keys, cards, leader
                self._fill(result, positions, block, given, seats)
        return result

    def _groups(
        self, table: Table, hands: Integers, cards: Integers
    ) -> list[tuple[Positions, Integers]]:
        """Return positions, and the states that are among them."""
        positions = self.sweep.positions
        if positions.decks > 1 or (
            len(cards) > _FEW and most_positions(self.rules, 1) <= _MOST_POSITIONS
        ):
            return [(positions, np.arange(len(cards)))]
        groups = []
        for in_hands in np.unique(cards).tolist():
            here = np.flatnonzero(cards == in_hands)
            keys = positions.keys(table.unseen[here], hands[here], in_hands)
            groups.append((positions.after(in_hands, np.unique(keys)), here))
        return groups

    def _fill(
        self,
        result: DecidedStates,
        positions: Positions,
        block: Integers,
        given: tuple[Integers, ...],
        seats: Integers,
    ) -> None:
        """Fill in the states of a block of scores."""
        some, columns, keys, cards, leader = given
        n, sweep = self.rules.players, self.sweep
        profiles = np.array([sweep.place(sweep.played, seat) for seat in range(n)])
        for by_profile in sweep.steps(block, positions):
            in_hands = by_profile[0].in_hands
            for place in np.unique(profiles).tolist():
                at = (cards[some] == in_hands) & (profiles[leader[some]] == place)
                if not at.any():
                    continue
                rows, step, at_columns = some[at], by_profile[place], columns[at]
                places = np.searchsorted(step.layer.keys, keys[rows])
                for into, chances in (
                    (result.hit, step.hit),
                    (result.fold, step.fold),
                    (result.values, step.values),
                ):
                    by_turn = chances[places, :, at_columns]
                    every = induction.all_players(by_turn[:, :, np.newaxis], n)[:, :, 0]
                    into[rows] = np.take_along_axis(every, seats[rows], axis=1)
                result.lead[rows] = step.lead[places, at_columns]
                result.hits[rows] = step.hits[places, at_columns]
                result.choice[rows] = step.layer.choice[places]
            if in_hands == cards[some].min():
                return

    def sheet(self) -> Sheet:
        """Return the chances of the leader by the scores of two players."""
        n, target = self.rules.players, self.rules.target
        shown = spread(target, _MOST_SCORES)
        leader = self.at_start()[-1, :, 0].reshape(target, target, -1)[:, :, 0]
        rows = [
            [own, *(f"{leader[own, other]:.4f}" for other in shown)] for own in shown
        ]
        what = "chance of winning" if self.goal == "win" else "mean return"
        rest = ", all others at 0" * (n > 2)
        more = f" ({len(shown)} of {target} shown)" * (len(shown) < target)
        seat = ", who is the first player" * (self.policies != (None,) * n)
        note = (
            f"The leader's {what}{seat}, by the leader's points (down) and those of "
            f"the player on the left{rest}{more}."
        )
        return Sheet(["own \\ left", *map(str, shown)], rows, [note])


def run_sweep(
    rules: Rules,
    goal: Goal,
    profiles: list[induction.Profile],
    executor: Executor | None = None,
    *,
    keep_decisions: bool = True,
    checkpoint: Checkpoint | None = None,
) -> Sweep:
    """Return a sweep with its tables filled; what is best is kept on request."""
    executor = executors.check_executor(executor)
    # It refuses a file of something else before any work.
    saved = None if checkpoint is None else checkpoint.load()
    sweep = Sweep(Positions(rules), profiles, goal)
    keep = keep_decisions and induction.BEST in profiles[-1] and checkpoint is None
    sweep.run(executor, keep, checkpoint, saved)
    return sweep


def rounds_left(rules: Rules) -> int:
    """Return the largest number of rounds in a game."""
    return rules.players * ((rules.target - 1) // rules.ranks[0]) + 1


def rounding(rules: Rules, goal: Goal, tie: float) -> float:
    """Return a bound on the error of values at the start, given the largest tie.

    In each turn, and in each deal, a value is a mean or the larger one of others. A
    mean is a sum of a term for each rank, of a rounded probability and a value; this
    rounds at most twice as often, plus four times where a policy mixes. The last
    player's chance is a sum over the others. A tie by the tolerance costs at most the
    largest difference that counted as one. All this is added up over the turns that are
    left: each round scores the lowest rank or more, and has a turn for each card.
    """
    n, ranks = rules.players, len(rules.ranks)
    turns = sum([min(count, n * rules.capacity) for count in rules.counts]) + 1
    units = turns * n * (2 * ranks + 12)
    if rules.first == "lowest":
        units += n * (2 * ranks**n + 2 * n * ranks + 16)
    each = units * _UNIT * largest_return(rules, goal) + turns * tie
    return rounds_left(rules) * each


def largest_return(rules: Rules, goal: Goal) -> float:
    """Return a bound of the absolute values of all returns."""
    of_goal = returns_of(rules, goal)
    if of_goal is None or isinstance(goal, int):
        return 1.0
    n, highest = rules.players, rules.ranks[-1]
    if isinstance(goal, str):
        return 2.0 * (rules.target - 1 + highest)
    largest, most = 0.0, (highest, *[rules.target] * (n - 1))
    for more, *others in np.indices(most).reshape(n, -1).T.tolist():
        got = of_goal((rules.target + more, *others))
        largest = max(largest, *[abs(float(x)) for x in got])
    return largest
