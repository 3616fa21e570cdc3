"""What a deck answers faster than any game does: its tables, play forwards, deals.

`Deck.fast` has these ways; `cardgames_dp._graph.lookup` says when they are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.by_state import ByState
from cardgames_dp._graph.graph import Floats, Integers
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import progress_bar
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import dealing, distributions, recurrence
from cardgames_dp.redblack._kernels.stop_sets import StopSet, roundings
from cardgames_dp.redblack.cards import ASK, DRAW, STOP, State, pay_of_stop
from cardgames_dp.redblack.rules import TIES, Problem, Rules, cash_in_floats
from cardgames_dp.redblack.utilities import in_float64, in_fractions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DeckLookup(ArrayRecord):
    """The tables of a deck, looked up by states: a `Lookup` of its solution."""

    problem: Problem
    table: NDArray[Any]
    stop: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    doubts: NDArray[np.float64] | None

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached."""
        red, black, moment = states.T
        inside = (red >= 0) & (red <= self.problem.red) & (black >= 0)
        inside &= (black <= self.problem.black) & (moment >= ASK) & (moment <= DRAW)
        # The empty deck leaves no decision.
        reached: NDArray[np.bool_] = inside & ((red + black > 0) | (moment == ASK))
        return reached

    def values(self, states: Integers) -> NDArray[Any]:
        """Return what is still to come in states."""
        rules, (red, black, moment) = self.problem.rules, states.T
        values: NDArray[Any] = self.table[red, black]
        stopped, drawing = moment == STOP, moment == DRAW
        if stopped.any():
            values[stopped] = self._stopped(states[stopped])
        if drawing.any():
            amounts: list[Any] = [rules.gain, -rules.cost]
            if rules.utility is not None:
                amounts = [Fraction(0)] * 2
            if not self.problem.exact:
                amounts = list(map(float, amounts))
            values[drawing] = self._mean(states[drawing], self._after, amounts)
        return values[:, np.newaxis]

    def errors(self, states: Integers) -> Floats:
        """Return bounds of the rounding errors of these values."""
        if self.doubts is None:
            return np.zeros(len(states))
        rules, (red, black, moment) = self.problem.rules, states.T
        errors = self._doubts(red, black)
        stopped, drawing = moment == STOP, moment == DRAW
        if stopped.any():
            errors[stopped] = recurrence.ROUNDINGS * recurrence.sizes(
                self._stopped(states[stopped])
            )
        if drawing.any():
            amounts = [abs(float(rules.gain)), float(rules.cost)]
            if rules.utility is not None:
                amounts = [0.0, 0.0]
            some = states[drawing]
            terms = self._mean(
                some, lambda *x: recurrence.sizes(self.table[x]), amounts
            )
            carried = self._mean(some, self._doubts)
            errors[drawing] = carried + recurrence.ROUNDINGS * terms
        return errors

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether actions are optimal in states, or may be."""
        red, black, _ = states.T
        best: NDArray[np.bool_] = self.stop[red, black] == (actions == STOP)
        best |= self.ties[red, black]
        return best

    def _after(self, red: Integers, black: Integers) -> NDArray[Any]:
        return self.table[red, black]

    def _doubts(self, red: Integers, black: Integers) -> Floats:
        """Return bounds of the errors of cells of the table."""
        assert self.doubts is not None
        if self.doubts.ndim == 2:
            return self.doubts[red, black]
        doubts: Floats = self.doubts[red + black]
        ties = self.ties[red, black]
        # Where stopping is better for certain, it is worth exactly nothing.
        doubts[self.stop[red, black] & ~ties] = 0
        doubts[ties] *= 2
        return doubts

    def _mean(
        self,
        states: Integers,
        after: Callable[[Integers, Integers], NDArray[Any]],
        amounts: Any = (0.0, 0.0),
    ) -> NDArray[Any]:
        """Return the mean, after the next card, of a function and of what it pays."""
        red, black, _ = states.T
        of_red = after(np.maximum(red - 1, 0), black) + amounts[0]
        of_black = after(red, np.maximum(black - 1, 0)) + amounts[1]
        # A colour that is used up may have -inf.
        of_red, of_black = (
            np.where(red > 0, of_red, 0),
            np.where(black > 0, of_black, 0),
        )
        if self.problem.exact:
            red, black = red.astype(object), black.astype(object)
        mean: NDArray[Any] = (red * of_red + black * of_black) / (red + black)
        return mean

    def _stopped(self, states: Integers) -> Any:
        """Return what stopping pays: the utility of the cash, if there is one."""
        rules, full_red, full_black, exact = self.problem
        red, black = full_red - states[:, 0], full_black - states[:, 1]
        return pay_of_stop(rules, red, black, exact=exact)


@dataclass(frozen=True, slots=True)
class Fast:
    """The faster ways of a deck."""

    rules: Rules
    red: int
    black: int

    def solve(self, backend: Backend, _tie_break: str) -> DeckLookup:
        """Return the solution, by the recurrence of the tables."""
        problem = self._problem(backend)
        recurrence.refuse_large_tables(problem)
        return DeckLookup(problem, *recurrence.tables(problem))

    def distribution(
        self, policy: Any, backend: Backend, count: Any
    ) -> tuple[tuple[Distribution[Any]], Distribution[Any], float, Any] | None:
        """Return the distributions of the return and of the moves."""
        problem = self._problem(backend)
        if not (self._counts(count) and self._is_known(policy)):
            return None
        distributions.refuse_large(problem)
        one, given = self._stops(policy, problem)
        stops, more = policies.settled(given, problem), roundings(given)
        cash, drawn = distributions.payoff_and_draws(problem, stops, more)
        utility, support = problem.rules.utility, cash.support
        if utility is not None and problem.exact:
            support = np.array(in_fractions(utility, support.tolist()), dtype=object)
        elif utility is not None:
            support = in_float64(utility, support)
        moves = _moves(drawn.support, problem, count)
        returns = Distribution("return", *distributions.merged(support, cash.chances))
        counted = Distribution("moves", *distributions.merged(moves, drawn.chances))
        played = policies.frozen(one, given, stops, problem)
        return (returns,), counted, max(cash.error, drawn.error), played

    def simulate(
        self,
        policy: Any,
        games: int,
        histories: int,
        rng: np.random.Generator,
        count: Any,
        executor: Executor | None,
    ) -> tuple[Counter[float], Counter[int], tuple[tuple[State, ...], ...]] | None:
        """Return how often each return and number of moves occurred, and histories."""
        problem = self._problem("float64")
        if not (self._counts(count) and self._is_known(policy)):
            return None
        dealing.refuse_large(problem, games, histories)
        _refuse_overflow(problem)
        _, given = self._stops(policy, problem)
        stops = policies.settled(given, problem, always=executor is not None)
        ends, courses = _dealt(problem, stops, games, histories, rng, executor)
        n, r = np.divmod(np.fromiter(ends, np.int64, len(ends)), problem.red + 1)
        drawn = problem.cards - n
        reds = problem.red - r
        cash = cash_in_floats(problem.rules)(reds, drawn - reds)
        paid, moves = (
            in_float64(problem.rules.utility, cash),
            _moves(drawn, problem, count),
        )
        returns, counted = Counter[float](), Counter[int]()
        for one, number, times in zip(
            paid.tolist(), moves.tolist(), ends.values(), strict=True
        ):
            returns[one] += times
            counted[number] += times
        return returns, counted, tuple([_history(problem, x) for x in courses])

    def _problem(self, backend: Backend) -> Problem:
        return Problem(self.rules, self.red, self.black, backend == "exact")

    def _counts(self, count: Any) -> bool:
        """Return whether these moves can be counted."""
        return count is None or (count in TIES and self.red + self.black > 0)

    def _is_known(self, policy: Any) -> bool:
        """Return whether a policy is one that is played without a graph, checked.

        A mapping of states is not: what it lacks is found with all states.
        """
        one = policy
        if isinstance(policy, (list, tuple)) and len(policy) == 1:
            one = policy[0]
        mapping = isinstance(one, Mapping) and not isinstance(one, ByState)
        if mapping or isinstance(one, (list, tuple)):
            return False
        policies.check("policies", one)
        return True

    def _stops(self, policy: Any, problem: Problem) -> tuple[Any, StopSet]:
        """Return a policy that is played without a graph, and where it stops."""
        one = policy[0] if isinstance(policy, (list, tuple)) else policy
        return one, policies.stop_set(one, problem, "policies")


def _moves(drawn: NDArray[Any], problem: Problem, count: str | None) -> NDArray[Any]:
    """Return the moves of plays in which so many cards are drawn.

    A draw is the player's decision and a move of chance. The last card needs no
    decision to stop.
    """
    stopped = (drawn < problem.cards).astype(np.int64)
    if count is None:
        return 2 * drawn + stopped
    return drawn if count == "draw" else stopped


def _dealt(
    problem: Problem,
    stops: StopSet,
    games: int,
    histories: int,
    rng: np.random.Generator,
    executor: Executor | None,
) -> tuple[Counter[int], list[NDArray[np.int64]]]:
    """Return how often games ended in each state, and the red cards of some by draw."""
    full = problem.red, problem.black, stops
    chunks = executors.chunks(games, dealing.CHUNK, rng)
    most = dealing.chunks_a_task(problem)
    tasks = executors.batches(chunks, -(-games // dealing.CHUNK), most, executor)
    ends: Counter[int] = Counter()
    courses: dict[int, list[NDArray[np.int64]]] = {}
    with progress_bar(games, "games") as bar:
        played = 0
        for task, (states, counts, trails) in executors.each(
            dealing.dealt,
            (full, histories, bar if executor is None else None),
            tasks,
            executor=executor,
            name=executors.games_of,
        ):
            ends.update(dict(zip(states.tolist(), counts.tolist(), strict=True)))
            courses[task] = trails
            played += int(counts.sum())
            if bar is not None:
                bar.update(played - bar.n)
    return ends, [trail for _, some in sorted(courses.items()) for trail in some]


def _history(problem: Problem, reds: NDArray[np.int64]) -> tuple[State, ...]:
    """Return the states of a game, given the red cards left after each draw."""
    states = list[State]()
    for left, red in zip(range(problem.cards, -1, -1), reds.tolist(), strict=False):
        asked = State(red, left - red)
        states += [asked, asked._replace(decision="draw")] if left else [asked]
    if len(reds) <= problem.cards:
        states[-1] = states[-1]._replace(decision="stop")
    return tuple(states)


def _refuse_overflow(problem: Problem) -> None:
    """Refuse amounts whose sums are too large for float64."""
    rules = problem.rules
    most = abs(rules.gain) * problem.red + rules.cost * problem.black
    if most > Fraction(np.finfo(np.float64).max):
        raise ValueError(
            "rules must have amounts whose sums over the deck fit in a float64, got "
            f"win={arguments.shown(rules.win)}, lose={arguments.shown(rules.lose)}, "
            f"fee={arguments.shown(rules.fee)}"
        )
