"""A deck as a game, and its solution: red/black for both backends and `play`.

Cards pay when they are drawn, so the value of a state is what is still to come. It does
not depend on the cash, nor on how many cards the full deck had.

`Fast` has what a deck answers faster than any game does: its tables, play forwards, and
deals. `cardgames_dp._graph.lookup` says when it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph.by_state import ByState
from cardgames_dp._graph.solution import Solution
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import Layout, Names
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import dealing, distributions, recurrence
from cardgames_dp.redblack._kernels.stop_sets import roundings
from cardgames_dp.redblack.cards import NAMES, CardsInArrays, CardsLookup, State
from cardgames_dp.redblack.rules import TIES, Decision, Problem, Rules, cash_in_floats
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
        self, profile: Any, backend: Backend, count: Any
    ) -> tuple[tuple[Distribution[Any]], Distribution[Any], float, Any] | None:
        """Return the distributions of the return and of the moves."""
        problem = self._problem(backend)
        policy = self._policy(profile, count)
        if policy is None:
            return None
        distributions.refuse_large(problem)
        asking = policies.stop_set(policy, problem, "policies")
        stops = policies.tabulate_function(asking, problem)
        of_cash, of_draws = distributions.payoff_and_draws(
            problem, stops, roundings(asking)
        )
        (cash, shares, error), (drawn, chances, other_error) = of_cash, of_draws
        if problem.exact:
            paid = in_fractions(problem.rules.utility, cash.tolist())
            support = np.array(paid, dtype=object)
        else:
            support = in_float64(problem.rules.utility, cash)
        moves = _moves(drawn, problem, count)
        returns = Distribution("return", *distributions.merged(support, shares))
        counted = Distribution("moves", *distributions.merged(moves, chances))
        played = policies.snapshot(policy, asking, stops, problem)
        return (returns,), counted, max(error, other_error), played

    def simulate(
        self,
        profile: Any,
        games: int,
        histories: int,
        rng: np.random.Generator,
        count: Any,
        executor: Executor | None,
    ) -> tuple[Counter[float], Counter[int], tuple[tuple[State, ...], ...]] | None:
        """Return how often each return and number of moves occurred, and histories."""
        problem = self._problem("float64")
        policy = self._policy(profile, count)
        if policy is None:
            return None
        dealing.refuse_large(problem, games, histories)
        _refuse_overflow(problem)
        asking = policies.stop_set(policy, problem, "policies")
        stops = policies.tabulate_function(asking, problem, always=executor is not None)
        ends, courses = dealing.play(problem, stops, games, histories, rng, executor)
        n, r = np.divmod(np.fromiter(ends, np.int64, len(ends)), problem.red + 1)
        drawn, reds = problem.cards - n, problem.red - r
        cash = cash_in_floats(problem.rules)(reds, drawn - reds)
        paid = in_float64(problem.rules.utility, cash).tolist()
        moves = _moves(drawn, problem, count).tolist()
        returns, counted = Counter[float](), Counter[int]()
        for amount, number, times in zip(paid, moves, ends.values(), strict=True):
            returns[amount] += times
            counted[number] += times
        return returns, counted, tuple([_history(problem, x) for x in courses])

    def _problem(self, backend: Backend) -> Problem:
        return Problem(self.rules, self.red, self.black, backend == "exact")

    def _policy(self, profile: Any, count: Any) -> Any:
        """Return the policy, checked; None if it needs a graph, like a mapping."""
        if count is not None and not (count in TIES and self.red + self.black):
            return None
        policy = profile
        if isinstance(profile, (list, tuple)) and len(profile) == 1:
            [policy] = profile
        mapping = isinstance(policy, Mapping) and not isinstance(policy, ByState)
        if mapping or isinstance(policy, (list, tuple)):
            return None
        policies.check("policies", policy)
        return policy


def _moves(drawn: NDArray[Any], problem: Problem, count: str | None) -> NDArray[Any]:
    """Return the moves of plays in which so many cards are drawn.

    A draw is two, of the player and of chance. The last card needs no decision to stop.
    """
    stopped = (drawn < problem.cards).astype(np.int64)
    if count is None:
        return 2 * drawn + stopped
    return drawn if count == "draw" else stopped


def _history(problem: Problem, reds: NDArray[np.int64]) -> tuple[State, ...]:
    """Return the states of a game, given the red cards left after each draw."""
    states = list[State]()
    for left, red in zip(range(problem.cards, -1, -1), reds.tolist(), strict=False):
        state = State(red, left - red)
        states += [state, state._replace(decision="draw")] if left else [state]
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


@dataclass(frozen=True, slots=True, repr=False)
class Deck(CardsInArrays):
    """A deck of red and black cards, as an `ArrayGame`; made by :func:`game`."""

    _is_deck: ClassVar[bool] = True
    names: ClassVar[Names] = NAMES
    """States are `State`, actions "stop" and "draw"."""

    def as_policy(self, policy: Any, backend: Backend) -> Any:
        """Return a policy of red/black as a function of states, and others as None."""
        if type(self) is not Deck:
            return None
        red, black = self.counts
        problem = Problem(self.rules, red, black, backend == "exact")
        return policies.by_state(policy, problem)

    def __post_init__(self) -> None:
        self._set(worths=(self.rules.gain, -self.rules.cost))

    @property
    def fast(self) -> Fast | None:
        """The faster ways of this game; a derived class, with other rules, has none."""
        red, black = self.counts
        return Fast(self.rules, red, black) if type(self) is Deck else None

    @property
    def layout(self) -> Layout | None:
        """How solutions lie in a table: totals by the cards left, and where to stop."""
        return self._sheet(State._fields[:2]) if type(self) is Deck else None


@suggest_arguments
def game(
    red: SupportsIndex, black: SupportsIndex, *, rules: Rules | None = None
) -> Deck:
    """Return red/black as a game for either backend and `cardgames_dp.play`.

    Cards pay when they are drawn, so the value of a state is what is still to come.
    Under a utility, nothing is paid before the end: it is the expected utility.

    Grade: exact.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the full deck; up to some
        thousand of each.
    rules : Rules, optional
        The classic rules if not given. The action that their tie rule prefers comes
        first, and the solvers' default ``tie_break="first"`` takes it.

    Returns
    -------
    Deck
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "stop" and "draw".

    Examples
    --------
    What may happen with 200 cards, and what to do with 20 red and 25 black cards left:

    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.game(100, 100))
    >>> round(play.distribution(solution).returns[0].mean, 6)
    5.191092
    >>> solution.policy[20, 25], round(solution.values[20, 25], 6)
    ('draw', 0.027037)
    """
    deck = arguments.integer("red", red), arguments.integer("black", black)
    return Deck(arguments.rules(rules, Rules), (), deck)


@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Solution[State, Decision, float]: ...
@overload
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Solution[State, Decision, Fraction]: ...
@suggest_arguments
def solve(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Solution[State, Decision, float] | Solution[State, Decision, Fraction]:
    r"""Solve the game in all states that it can reach.

    This is ``solve(game(red, black, rules=rules))`` of `cardgames_dp.diagonal` or
    `cardgames_dp.exact`.

    Grade: certified, by `Solution.error`; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic. float64 computes tables by vectorised antidiagonals. The exact
        backend computes with integers and returns Fractions, for decks of up to a few
        hundred cards.

    Returns
    -------
    cardgames_dp.game.Solution
        It prints as the spreadsheet of the Problem 14 essay: totals by cards remaining,
        with a star where to stop. ``solution.table(...)`` is indexed ``[red, black]``;
        `cardgames_dp.play` has what else there is to know. With certain ruin under a
        utility, it has no graph, and only what needs none.

    Raises
    ------
    TooLargeError
        If the tables would not fit in memory. Without a table, :func:`value` returns
        the value, :func:`thresholds` the boundary and
        `cardgames_dp.play.distribution` what may happen.

    Notes
    -----
    In float64, stopping and drawing count as a possible tie if their worths differ by
    no more than a running bound on the rounding error. Under a utility, the bound of
    the error holds for the utility of the cash as float64 rounds it: that is the cash
    itself if amounts are integers, or halves. The exact backend finds every tie with
    certainty.

    References
    ----------
    The Problem 14 essay ("Problem 14 Dynamic Programming Solutions"), whose spreadsheet
    by Han Zheng is the table of totals of 26 red and 26 black cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> solution = redblack.solve(26, 26)
    >>> solution.value
    2.624475548993...
    >>> advice = solution.advice((16, 22))
    >>> advice.action, advice.collected, round(advice.margin, 6)
    ('stop', 6.0, 0.157895)
    >>> print(redblack.solve(2, 2))
    red \ black        2        1   0
              2  0.6667   0.3333   0
              1       1*     0.5   0
              0       2*       1*  0*
    (rows: red cards left, columns: black cards left; total; *: stop)
    >>> solution = redblack.solve(4, 4)
    >>> solution.table("values")[3].round(4).tolist()
    [3.0, 2.25, 1.5, 0.85, 0.3429]
    >>> solution.policy[1, 2], solution.optimal_actions[1, 2]
    ('stop', ('stop', 'draw'))
    """
    solver = exact if arguments.backend(backend) == "exact" else diagonal
    solution: Solution[State, Decision, Any] = solver.solve(
        game(red, black, rules=rules)
    )
    return solution
