"""What a deck answers faster than any game does: its tables, play forwards, deals.

`Deck.fast` has these ways; `cardgames_dp._graph.lookup` says when they are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.by_state import ByState
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import progress_bar
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import dealing, distributions, recurrence
from cardgames_dp.redblack._kernels.stop_sets import StopSet, roundings
from cardgames_dp.redblack.cards import CardsLookup, State
from cardgames_dp.redblack.rules import TIES, Problem, Rules, cash_in_floats
from cardgames_dp.redblack.utilities import in_float64, in_fractions


@dataclass(frozen=True, slots=True)
class Fast:
    """The faster ways of a deck."""

    rules: Rules
    red: int
    black: int

    def solve(self, backend: Backend, _tie_break: str) -> CardsLookup:
        """Return the solution, by the recurrence of the tables."""
        problem = self._problem(backend)
        recurrence.refuse_large_tables(problem)
        return CardsLookup(problem, *recurrence.tables(problem))

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
