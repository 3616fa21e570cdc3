"""Stopping policies of red/black.

All that a player can know of a shuffled deck is how many cards of each colour remain;
the cash in hand follows from these numbers. So a policy is a set of states in which to
stop: `stop_set` makes that set, the form in which policies are played and simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.aliases import Alias
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack._kernels import recurrence, stop_sets
from cardgames_dp.redblack._kernels.stop_sets import StopSet, edges, in_table
from cardgames_dp.redblack._kernels.sweep import tops
from cardgames_dp.redblack.rules import TIES, Problem, in_units
from cardgames_dp.redblack.solution import Solution
from cardgames_dp.redblack.utilities import Amount

NamedPolicy: TypeAlias = Literal[
    "optimal", "first_positive", "never_stop", "quit_when_negative"
]
StopFunction: TypeAlias = Callable[
    [NDArray[np.int64], NDArray[np.int64]],
    NDArray[np.bool_] | NDArray[np.float64] | NDArray[np.object_],
]
Mixture: TypeAlias = Mapping[Any, Amount]
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

    >>> from cardgames_dp import redblack
    >>> bounds = redblack.StopAt(cash=2, loss=3)
    >>> redblack.distribution(26, 26, policy=bounds).payoff.support.tolist()
    [-3.0, 0.0, 2.0]

    An optimal player with a stop-loss:

    >>> careful = redblack.StopAt(loss=3, policy="optimal")
    >>> round(redblack.value(26, 26, policy=careful), 6)
    -0.248812

    A boundary is a function of the cards that remain:

    >>> edge = redblack.solve(26, 26).boundary.excess
    >>> def timid(red, black):
    ...     return black - red >= edge[red + black] - 2
    >>> round(redblack.value(26, 26, policy=timid), 6)
    2.039546
    """

    cash: Amount | None = None
    _: KW_ONLY
    loss: Amount | None = None
    draws: SupportsIndex | None = None
    policy: Policy = "never_stop"

    def __post_init__(self) -> None:
        _keep_limits(self, "cash", "loss", "draws")
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
        _keep_limits(self, "loss", "draws")


_Policy: TypeAlias = (
    NamedPolicy | StopAt | OptimalWithin | Solution[Any] | StopFunction | Mixture
)
if TYPE_CHECKING:
    Policy: TypeAlias = _Policy
else:
    Policy = Alias(
        "Policy",
        __name__,
        _Policy,
        """A policy: a word, a stopping rule, a solution, a function, or a mixture.

        The words are

        - "optimal": stop as the solution of the rules says, ``rules.tie`` included;
        - "first_positive": stop as soon as the cash in hand is positive;
        - "quit_when_negative": stop as soon as the cash in hand is negative;
        - "never_stop": draw until the deck is empty.

        `StopAt` stops at a limit of cash, loss or draws, alone or besides any other
        policy. `OptimalWithin` is the best policy with a limited loss or number of
        draws. A `Solution` is the policy that is optimal under its own rules; it can be
        played with its deck and, without a utility, with any part of it. A function
        takes two int64 arrays, the red and the black cards *remaining*, and returns an
        array of bool of the same shape, true where the player stops. It is called with
        states of one level ``red + black = n > 0`` at a time, more than once, and must
        not depend on chance.

        A player may also leave it to chance. A function may return the *probability* of
        stopping in each state: an array of floats from 0 to 1 or, which the exact
        backend requires, of Fractions (dtype object). A mapping gives weights, which
        are the same in all states: ``{"stop": 1, "draw": 2}`` stops one time in three.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> def timid(red, black):
        ...     return black - red >= 1
        >>> policies: list[redblack.Policy] = ["optimal", redblack.StopAt(2), timid]
        >>> for policy in policies:
        ...     print(round(redblack.value(26, 26, policy=policy), 6))
        2.624476
        1.719577
        0.962963

        A player who stops one time in three when ahead:

        >>> def wavering(red, black):
        ...     return (black > red) / 3
        >>> round(redblack.value(26, 26, policy=wavering), 6)
        1.399678
        """,
    )


def check(
    name: str,
    policy: object,
    function: str = "a callable of the red and black cards remaining",
) -> None:
    """Refuse what is not a policy.

    A policy made for another deck is refused where it is used, and the results of a
    callable are checked when it is called.
    """
    arguments.not_a_class(name, policy)
    if isinstance(policy, StopAt | OptimalWithin | Solution) or callable(policy):
        return
    if isinstance(policy, Mapping):
        _chance(policy)
        return
    if not isinstance(policy, str) or policy not in POLICIES:
        raise arguments.not_one_of(
            name,
            policy,
            POLICIES,
            "a StopAt",
            "an OptimalWithin",
            "a Solution",
            function,
            "a mapping of 'stop' and 'draw' to weights",
        )


_MIXTURE = "policy must be a mapping of 'stop' and 'draw' to weights"


def _chance(policy: Mapping[Any, Any]) -> Fraction:
    """Return the probability of stopping of a mixture."""
    must = _MIXTURE
    if not set(policy) <= set(TIES) or not policy:
        raise arguments.wrong_value(must, policy)
    stop, draw = [
        arguments.amount(f"policy[{word!r}]", policy.get(word, 0)) for word in TIES
    ]
    if not stop + draw:
        raise arguments.wrong_value(f"{must} with a positive sum", policy)
    return stop / (stop + draw)


def _keep_limits(policy: Record, *names: str) -> None:
    """Check the limits of a policy, of which it needs one, and keep them plain."""
    given = [name for name in names if getattr(policy, name) is not None]
    if not given:
        words = f"{', '.join(names[:-1])} or {names[-1]}"
        raise ValueError(f"{words} must be given, got none")
    for name in given:
        checked = arguments.integer if name == "draws" else arguments.held
        object.__setattr__(policy, name, checked(name, getattr(policy, name)))


def named(policy: object) -> str:
    """Return the name of a policy."""
    if isinstance(policy, str):
        return policy
    if callable(policy):
        return arguments.called(policy)
    return repr(policy) if isinstance(policy, Record) else arguments.shown(policy)


def stop_set(policy: object, problem: Problem) -> StopSet:
    """Return the states in which a player of a checked policy stops.

    A policy that has to be computed first is computed in the problem's arithmetic.

    Raises
    ------
    ValueError
        If the policy belongs to another deck.
    TooLargeError
        If the policy would not fit in memory.
    """
    if isinstance(policy, StopAt):
        return stop_sets.either(
            _limits(policy, problem), stop_set(policy.policy, problem)
        )
    if isinstance(policy, OptimalWithin):
        loss = None if policy.loss is None else arguments.amount("loss", policy.loss)
        draws = None if policy.draws is None else int(policy.draws)
        return stop_sets.best_within(problem, loss, draws)
    if isinstance(policy, Solution):
        return StopSet(in_table, (_table_of(policy, problem),))
    if isinstance(policy, str):
        return _by_name(policy, problem)
    if isinstance(policy, Mapping):
        return _mixed(policy, problem)
    return StopSet(stop_sets.answered, (policy, problem.exact))


def by_state(policy: Any, problem: Problem) -> Callable[[Any], Any] | None:
    """Return a policy that has a name, or is of red/black only, as one of any game.

    Others are returned as None: they are policies of any game already.
    """
    mixed = isinstance(policy, Mapping) and policy and policy.keys() <= set(TIES)
    if not mixed and not isinstance(policy, str | StopAt | OptimalWithin | Solution):
        return None
    check("policies", policy, "a callable of a state")
    return in_states(stop_set(policy, problem), problem)


def in_states(stops: StopSet, problem: Problem) -> Callable[[Any], Any]:
    """Return a stop set as a policy of any game, for states or arrays of their fields.

    Raises
    ------
    TooLargeError
        If the table of all states would not fit in memory.
    """
    recurrence.refuse_large_tables(problem)
    table = np.zeros((problem.red + 1, problem.black + 1), problem.dtype)
    for n in range(1, problem.cards + 1):
        reds = np.arange(max(0, n - problem.black), min(problem.red, n) + 1)
        ends = stops(n, int(reds[0]), int(reds[-1]))
        table[reds, n - reds] = stop_sets.chances(ends, len(reds))

    def chance(state: Any) -> Any:
        return table[np.asarray(state.red, int), np.asarray(state.black, int)]

    if ((table == 0) | (table == 1)).all():
        return lambda state: np.where(chance(state), "stop", "draw")

    def mixture(state: Any) -> dict[str, Any]:
        stop = chance(state)
        return {"stop": stop, "draw": 1 - stop}

    return mixture


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
    return StopSet(in_table, (recurrence.tables(problem)[1],))


def _mixed(policy: Mapping[Any, Any], problem: Problem) -> StopSet:
    """Return the stop set of a mixture."""
    chance = _chance(policy)
    if not problem.exact:
        return StopSet(stop_sets.anywhere, (float(chance),))
    if any(isinstance(weight, (float, np.floating)) for weight in policy.values()):
        raise TypeError(
            f"{_MIXTURE} that are exact (int, Fraction or Decimal) with "
            f"backend='exact', got {arguments.shown(policy)}"
        )
    return StopSet(stop_sets.anywhere, (chance,))


def _at_least(
    amount: Fraction, problem: Problem, units_more: int = 0
) -> NDArray[np.int64]:
    """Return for each n the largest r where the cash is at least `amount`, else -1.

    With a unit more, where it is more than that.
    """
    rules, red, black, _ = problem
    _, (gain, cost, wanted) = in_units(rules, amount)
    wanted += units_more
    found = []
    for n in range(red + black + 1):
        # The cash with r red cards is gain (red - r) - cost (black - (n - r)).
        spare = gain * red - cost * (black - n) - wanted
        if spare < 0:
            found.append(-1)
        elif gain + cost == 0:  # the cash does not depend on the colours
            found.append(n)
        else:
            found.append(min(spare // (gain + cost), n))
    return np.array(found, np.int64)


def _table_of(solution: Solution[Any], problem: Problem) -> NDArray[np.bool_]:
    """Return the stops of a solution, for its own deck or a part of it."""
    _, red, black, _ = problem
    deck, own = (red, black), (solution.red, solution.black)
    # Under a utility the cash matters, and so do the cards drawn.
    fits = deck == own if solution.rules.utility else red <= own[0] and black <= own[1]
    if not fits:
        part = "" if solution.rules.utility else ", or of one that holds it"
        raise ValueError(
            f"policy must be a solution of the deck, {red} red and {black} black "
            f"cards{part}, got one of {own[0]} and {own[1]}"
        )
    return solution.stop
