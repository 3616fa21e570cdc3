"""Stopping policies of red/black, and where any policy stops.

All that a player can know of a shuffled deck is how many cards of each colour remain;
the cash in hand follows from these numbers. So a policy is a set of states in which to
stop: `stop_set` makes that set, the form in which decks play and simulate policies.

Policies of any game are asked level by level. A function of a state with named fields
is asked about all states of a level at once and, if it does not take arrays, about each
of them; a mapping is looked up, and a solution is asked in rows of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, fields
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.by_state import ByState, not_a_policy_error
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp._graph.mixtures import Mixture, shares
from cardgames_dp._graph.names import PLAIN
from cardgames_dp._graph.solution import Solution, as_solution
from cardgames_dp._results.records import Record, Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack._kernels import recurrence, stop_sets
from cardgames_dp.redblack._kernels.recurrence import antidiagonal
from cardgames_dp.redblack._kernels.stop_sets import Ends, StopSet, edges, in_table
from cardgames_dp.redblack._kernels.sweep import tops
from cardgames_dp.redblack.cards import NAMES, STOP, State, is_deck
from cardgames_dp.redblack.rules import TIES, Problem, in_units
from cardgames_dp.redblack.utilities import Amount

NamedPolicy: TypeAlias = Literal[
    "optimal", "first_positive", "never_stop", "quit_when_negative"
]
POLICIES: tuple[NamedPolicy, ...] = get_args(NamedPolicy)


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False)
class StopAt(Record):
    """The policy of stopping as soon as a limit is reached, or where another one stops.

    At least one limit must be given. The player stops at the first that is reached.

    Parameters
    ----------
    cash : int, Fraction, Decimal, float or str, optional
        A target: the player stops with this cash in hand, or more. It is in the unit of
        the rules' amounts, finite and not negative, and compared exactly, as a rational
        number. Text, such as ``"0.05"``, is stored as a Fraction. With 0 the player
        does not draw at all.
    loss : int, Fraction, Decimal, float or str, optional
        A stop-loss: the player stops if at least this much is lost; as for `cash`.
    draws : int, optional
        The player stops after this number of draws, 0 or more.
    policy : Policy, default "never_stop"
        Another policy: the player also stops where it stops. "optimal" is the policy
        that is optimal without the limits. The best one with them is `OptimalWithin`.

    Examples
    --------
    Take a profit of 2, and stop at a loss of 3:

    >>> from cardgames_dp import play, redblack
    >>> bounds, deck = redblack.StopAt(cash=2, loss=3), redblack.game(26, 26)
    >>> play.distribution(deck, bounds).returns[0].support.tolist()
    [-3.0, 0.0, 2.0]

    An optimal player with a stop-loss:

    >>> careful = redblack.StopAt(loss=3, policy="optimal")
    >>> round(redblack.value(26, 26, policy=careful), 6)
    -0.248812

    A boundary is a function of the cards that remain:

    >>> import numpy as np
    >>> edge = redblack.boundary(redblack.solve(26, 26)).excess
    >>> def timid(state):
    ...     early = state.black - state.red >= edge[state.red + state.black] - 2
    ...     return np.where(early, "stop", "draw")
    >>> round(redblack.value(26, 26, policy=timid), 6)
    2.039546
    """

    cash: Amount | None = None
    _: KW_ONLY
    loss: Amount | None = None
    draws: SupportsIndex | None = None
    policy: Policy = "never_stop"

    def __post_init__(self) -> None:
        _check_limits(self, "cash", "loss", "draws")
        check("policy", self.policy)

    def __repr__(self) -> str:
        facts = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {k: x for k, x in facts.items() if x not in (None, "never_stop")}
        words = [f"{name}={arguments.shown(x)}" for name, x in given.items()]
        return f"StopAt({', '.join(words)})"


@suggest_arguments
@dataclass(frozen=True, slots=True)
class OptimalWithin(Record):
    """The best policy of a player whose loss, or whose number of draws, is limited.

    The player may draw only if even a black card would leave the cash at ``-loss`` or
    above, and only `draws` times. Among all policies within these limits it is the one
    that the rules call optimal.

    Parameters
    ----------
    loss : int, Fraction, Decimal, float or str, optional
        The largest loss allowed, in the unit of the rules' amounts; finite and not
        negative. Text, such as ``"0.05"``, is stored as a Fraction. If not given, any
        loss is allowed.
    draws : int, optional
        The largest number of draws allowed, 0 or more. If not given, any number is
        allowed.

    See Also
    --------
    StopAt : ``StopAt(draws=10, policy="optimal")`` ignores the limit until it is
        reached, which is worse.

    Notes
    -----
    If red cards pay 1, black cards cost 1 and `loss` is a whole number, the player
    stops at ``-loss``.

    Examples
    --------
    A player needs credit and patience to win the 2.62 that 52 cards are worth:

    >>> from cardgames_dp import redblack
    >>> for loss in (1, 2, 5, 10, 15):
    ...     limited = redblack.OptimalWithin(loss=loss)
    ...     print(round(redblack.value(26, 26, policy=limited), 6))
    0.0
    0.013349
    0.458886
    2.405768
    2.622625
    >>> for draws in (1, 10, 30, 45):
    ...     limited = redblack.OptimalWithin(draws=draws)
    ...     print(round(redblack.value(26, 26, policy=limited), 6))
    0.0
    0.133053
    0.802293
    1.745126
    """

    _: KW_ONLY
    loss: Amount | None = None
    draws: SupportsIndex | None = None

    def __post_init__(self) -> None:
        _check_limits(self, "loss", "draws")


Policy: TypeAlias = (
    NamedPolicy
    | StopAt
    | OptimalWithin
    | Callable[[State], Any]
    | Mapping[State, Any]
    | Solution[Any, Any, Any]
    | Result  # such as the responses of `play`, which a first value does not load
    | Mixture
)
"""Any policy that `cardgames_dp.play` takes for a deck; the words are

- "optimal": stop as the solution of the rules says, ``rules.tie`` included;
- "first_positive": stop as soon as the cash in hand is positive;
- "quit_when_negative": stop as soon as the cash in hand is negative;
- "never_stop": draw until the deck is empty.
"""


def check(name: str, policy: object) -> None:
    """Refuse what is not a policy; solutions of other decks are refused where used."""
    arguments.refuse_class(name, policy)
    if isinstance(policy, Mixture):
        for each in policy.policies:
            check(name, each)
        return
    if isinstance(policy, ByState) and policy.what != "chosen":
        raise not_a_policy_error(name, policy)
    words = [word for word in TIES if isinstance(policy, Mapping) and word in policy]
    if words and not isinstance(policy, ByState):
        raise ValueError(
            f"{name} must be a mapping of states, got one of {words[0]!r}; a "
            "function, lambda state: {'stop': 1, 'draw': 2}, gives the same "
            "weights in all states"
        )
    valid = isinstance(policy, StopAt | OptimalWithin | Mapping) or callable(policy)
    if isinstance(policy, str):
        valid = policy in POLICIES
    elif not valid:
        valid = as_solution(policy) is not None
    if not valid:
        others = (
            *("a StopAt", "an OptimalWithin", "a callable of a state"),
            *("a mapping of states to actions", "a solution", "a play.mixture"),
        )
        raise arguments.not_one_of(name, policy, POLICIES, *others)


def _check_limits(policy: Record, *names: str) -> None:
    """Check the limits of a policy, of which it needs one, and keep them plain."""
    limits = [name for name in names if getattr(policy, name) is not None]
    if not limits:
        words = f"{', '.join(names[:-1])} or {names[-1]}"
        raise ValueError(f"{words} must be given, got none")
    for name in limits:
        checked = arguments.integer if name == "draws" else arguments.stored_amount
        object.__setattr__(policy, name, checked(name, getattr(policy, name)))


def stop_set(policy: Any, problem: Problem, name: str = "policy") -> StopSet:
    """Return the states in which a player of a checked policy stops.

    A policy that has to be computed first is computed in the problem's arithmetic.
    """
    if isinstance(policy, StopAt):
        return stop_sets.either(
            _limits(policy, problem), stop_set(policy.policy, problem, name)
        )
    if isinstance(policy, OptimalWithin):
        loss = None if policy.loss is None else arguments.amount("loss", policy.loss)
        draws = None if policy.draws is None else int(policy.draws)
        return stop_sets.best_within(problem, loss, draws)
    if isinstance(policy, str):
        return _by_name(policy, problem)
    if isinstance(policy, Mixture):
        parts = [stop_set(each, problem, name) for each in policy.policies]
        shares = map(problem.number, policy.shares(exact=problem.exact))
        return StopSet(stop_sets.blended, (tuple(parts), tuple(shares)))
    solution = as_solution(policy)
    if isinstance(policy, ByState) or solution is not None:
        look_up: ByState[Any, Any] = policy if solution is None else solution.policy
        source, game = look_up.source, look_up.source.game
        refuse_other_deck(name, game, problem)
        names, width = getattr(game, "names", PLAIN), len(State._fields)
        quick = isinstance(source, LookupValues) and source.tie_break == "first"
        if quick and is_deck(game):
            return StopSet(in_table, (source.lookup.stops,))
        alike = names is PLAIN or NAMES.same_as(names)
        if not isinstance(game, Explored):
            alike &= np.shape(game.initial_states())[1:] == (width,)
        if not alike:
            deck = f"the deck, {problem.red} red and {problem.black} black cards"
            raise ValueError(
                f"{name} must be a solution of {deck}, or of one that holds it, got "
                "one of another game"
            )
        policy = look_up
    return StopSet(stops_at_level, (policy, problem.exact))


def by_state(policy: Any, problem: Problem) -> Callable[[Any], Any] | None:
    """Return a policy of red/black only as one of any game; None of any other."""
    if isinstance(policy, str | StopAt | OptimalWithin | Mapping):
        check("policies", policy)
    if isinstance(policy, str | StopAt | OptimalWithin):
        return in_states(stop_set(policy, problem, "policies"), problem)
    solution = as_solution(policy)
    if solution is not None:
        refuse_other_deck("policies", solution.game, problem)
    elif isinstance(policy, ByState) and hasattr(policy.source, "game"):
        refuse_other_deck("policies", policy.source.game, problem)
    return None


def refuse_other_deck(name: str, game: Any, problem: Problem) -> None:
    """Refuse a solution of a deck that does not hold the one that is played."""
    _, red, black, _ = problem
    if not is_deck(game):
        return
    counts = game.counts
    # Under a utility the cash matters, and so do the cards drawn.
    careful = game.rules.utility is not None
    if (red, black) == counts or (
        red <= counts[0] and black <= counts[1] and not careful
    ):
        return
    part = "" if careful else ", or of one that holds it"
    raise ValueError(
        f"{name} must be a solution of the deck, {red} red and {black} black "
        f"cards{part}, got one of {counts[0]} and {counts[1]}"
    )


def in_states(stops: StopSet, problem: Problem) -> Callable[[Any], Any]:
    """Return a stop set as a policy of any game, for states or arrays of fields."""
    table = table_of(stops, problem)

    def policy(state: Any) -> Any:
        stop = table[np.asarray(state.red, int), np.asarray(state.black, int)]
        if table.dtype == np.bool_:
            return np.where(stop, "stop", "draw")
        return {"stop": stop, "draw": 1 - stop}

    return policy


def table_of(stops: StopSet, problem: Problem) -> NDArray[Any]:
    """Return where a player stops, or how likely, indexed ``[red, black]``."""
    recurrence.refuse_large_tables(problem)
    table = np.zeros((problem.red + 1, problem.black + 1), problem.dtype)
    for n in range(problem.cards, 0, -1):  # as play goes, so that errors name its start
        first, last = max(0, n - problem.black), min(problem.red, n)
        ends = stop_sets.chances(stops(n, first, last), last - first + 1)
        antidiagonal(table, n, first, last)[:] = ends
    return table.astype(bool) if ((table == 0) | (table == 1)).all() else table


_MOST_ASKED = 2**22
"""The largest number of states in all of which a function is asked before play."""


def tabulate_function(
    stops: StopSet, problem: Problem, *, always: bool = False
) -> StopSet:
    """Return the same stops in a table if they ask a function, as it may change.

    Those of large decks stay functions unless it must be `always`, as for workers.
    """
    states = (problem.red + 1) * (problem.black + 1)
    if not _calls_function(stops) or not (always or states <= _MOST_ASKED):
        return stops
    table = table_of(stops, problem)
    return StopSet(in_table if table.dtype == np.bool_ else antidiagonal, (table,))


def snapshot(policy: Any, before: StopSet, stops: StopSet, problem: Problem) -> Any:
    """Return a policy as it was when it was asked, from its stops before and after."""
    if before is stops and not _calls_function(stops):
        return policy
    if before is not stops:
        return in_states(stops, problem)

    def refuse(_: Any) -> Any:
        raise ValueError(
            "reach and visits for a policy that is a function, which may change, need "
            f"a deck of at most {_MOST_ASKED} states"
        )

    return refuse


def _calls_function(stops: StopSet) -> bool:
    """Return whether stops ask a function."""
    parts = stops.given[0] if stops.where is stop_sets.blended else stops.given
    parts = [part for part in parts if isinstance(part, StopSet)]
    return stops.where is stops_at_level or any(map(_calls_function, parts))


def _limits(policy: StopAt, problem: Problem) -> StopSet:
    """Return where a player reaches one of the limits."""
    cards, n = problem.cards, np.arange(problem.cards + 1)
    ahead = behind = None
    if policy.cash is not None:
        ahead = _at_least(arguments.amount("cash", policy.cash), problem)
    if policy.draws is not None:
        drawn = n <= cards - min(int(policy.draws), cards + 1)
        ahead = np.where(drawn, n, -1 if ahead is None else ahead)
    if policy.loss is not None:
        behind = _at_least(-arguments.amount("loss", policy.loss), problem, 1) + 1
    return edges(cards, ahead, behind)


def _by_name(policy: str, problem: Problem) -> StopSet:
    """Return the stop set of a named policy."""
    cards, nothing = problem.cards, Fraction(0)
    if policy == "first_positive":
        return edges(cards, ahead=_at_least(nothing, problem, 1))
    if policy == "quit_when_negative":
        return edges(cards, behind=_at_least(nothing, problem) + 1)
    if policy == "never_stop":
        return edges(cards)
    if problem.rules.utility is None:
        return edges(cards, ahead=tops(problem))
    recurrence.refuse_large_tables(problem)
    _, best, _ = recurrence.tables(problem)
    return StopSet(in_table, (recurrence.stops(best, problem.rules.tie),))


def _at_least(
    amount: Fraction, problem: Problem, units_more: int = 0
) -> NDArray[np.int64]:
    """Return for each n the largest r where the cash is at least `amount`, else -1.

    With a unit more, where it is more than that.
    """
    rules, red, black, _ = problem
    _, (gain, cost, least) = in_units(rules, amount)
    # The cash with r red cards is gain (red - r) - cost (black - (n - r)).
    start, slope = gain * red - cost * black - least - units_more, gain + cost
    spare = [start + cost * n for n in range(red + black + 1)]
    if slope:
        most = [max(min(x // slope, n), -1) for n, x in enumerate(spare)]
    else:  # the cash does not depend on the colours
        most = [n if x >= 0 else -1 for n, x in enumerate(spare)]
    return np.array(most, np.int64)


def stops_at_level(policy: Any, exact: bool, n: int, first: int, last: int) -> Ends:
    """Return where a policy stops with n cards left, or how likely."""
    reds = np.arange(first, last + 1)
    count = len(reds)
    if isinstance(policy, ByState) and not isinstance(policy.source.game, Explored):
        rows = np.column_stack([reds, n - reds, np.zeros_like(reds)])
        try:
            done = policy(rows)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                "a solution must have an action for every state of the deck that is "
                f"played: {error}"
            ) from error
        return _stops_from_codes(done, count, exact)
    left = reds.astype(object) if exact else reds.copy()  # it may be changed
    fields: Any = State(left, n - left, np.full(count, "", dtype=object))  # type: ignore[arg-type]
    backend: Backend = "exact" if exact else "float64"

    def state_at(i: int) -> State:
        return State(first + i, n - first - i)

    who = "the policy of player 0"
    stops: NDArray[Any]
    stops, _ = shares(who, policy, fields, state_at, TIES, backend)
    certain = ((stops == 0) | (stops == 1)).all()
    return np.flatnonzero(stops).tolist() if certain else stops


def _stops_from_codes(done: Any, count: int, exact: bool) -> Ends:
    """Return where a solution stops, which answers with codes, or all of several."""
    if not isinstance(done, tuple):
        return np.flatnonzero(done == STOP).tolist()
    index, actions, _ = done
    stops: NDArray[Any] = np.bincount(index[actions == STOP], minlength=count)
    if exact:
        stops = stops.astype(object) * Fraction(1)
    return stops / np.bincount(index, minlength=count)
