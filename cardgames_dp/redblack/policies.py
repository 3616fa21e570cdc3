"""Stopping policies of red/black.

All that a player can know of a shuffled deck is how many cards of each colour remain;
the cash in hand follows from these numbers. So a policy is a set of states in which to
stop: `stop_set` makes that set, the form in which policies are played and simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._results.records import ArrayRecord, Record
from cardgames_dp._support import arguments
from cardgames_dp._support.door import Alias
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack._kernels.stop_sets import (
    Always,
    Asked,
    Edges,
    StopSet,
    Table,
    best_within,
    either,
)
from cardgames_dp.redblack._kernels.sweep import tops
from cardgames_dp.redblack.rules import TIES, Amount, Problem, in_units
from cardgames_dp.redblack.solution import Solution

NamedPolicy: TypeAlias = Literal[
    "optimal", "first_positive", "never_stop", "quit_when_negative"
]
StopFunction: TypeAlias = Callable[
    [NDArray[np.int64], NDArray[np.int64]],
    NDArray[np.bool_] | NDArray[np.float64] | NDArray[np.object_],
]
Mixture: TypeAlias = Mapping[Any, Amount]
POLICIES: tuple[NamedPolicy, ...] = (
    "optimal",
    "first_positive",
    "never_stop",
    "quit_when_negative",
)


@dataclass(frozen=True, slots=True)
class StopAtCash(Record):
    """The policy of stopping as soon as the cash in hand is at least `amount`.

    Cash and amount are compared exactly, as rational numbers.

    Parameters
    ----------
    amount : int, Fraction, Decimal, float or str
        An amount in the unit of the rules' amounts; finite and not negative. With 0 the
        player does not draw at all. Text, such as ``"0.05"``, is stored as a Fraction.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=1000, policy=redblack.StopAtCash(3))
    >>> result.payoffs.tolist()
    [0.0, 3.0]
    """

    amount: Amount

    def __post_init__(self) -> None:
        _keep_amount(self)


@dataclass(frozen=True, slots=True)
class StopAtLoss(Record):
    """The policy of stopping as soon as at least `amount` is lost: a stop-loss.

    The player stops as soon as the cash in hand is ``-amount`` or less, and for no
    other reason. `StopAtFirst` combines a stop-loss with another policy.

    Parameters
    ----------
    amount : int, Fraction, Decimal, float or str
        As for `StopAtCash`. With 0 the player does not draw at all.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> print(redblack.distribution(3, 3, policy=redblack.StopAtLoss(2)))
    payoff  probability
        -2          0.3
         0          0.7
    (mean -0.6, standard deviation 0.916515)
    """

    amount: Amount

    def __post_init__(self) -> None:
        _keep_amount(self)


@dataclass(frozen=True, slots=True)
class StopAfter(Record):
    """The policy of stopping when a given number of cards has been drawn.

    Parameters
    ----------
    cards : int
        The number of cards, 0 or more.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.distribution(2, 2, policy=redblack.StopAfter(2)).payoff.to_dict()
    {-2.0: 0.16666666666666666, 0.0: 0.6666666666666666, 2.0: 0.16666666666666666}
    """

    cards: SupportsIndex

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", arguments.integer("cards", self.cards))


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class StopAtExcess(ArrayRecord):
    """The policy of stopping at a given boundary, in the form of ``Boundary.excess``.

    Parameters
    ----------
    excess : int, or array_like of int, shape (red + black + 1,)
        For each number n of cards remaining, the smallest excess (black less red cards
        remaining) at which the player stops: with r red and b black cards remaining the
        player stops exactly when ``b - r >= excess[r + b]``. (The excess of a state is
        even or odd as n is, so two different boundaries differ by 2 or more.) With
        n + 1 or more the player never stops at n. The empty deck ends the game whatever
        ``excess[0]`` is. Stored as a read-only copy. A single integer is used for all
        n.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> best = redblack.solve(26, 26).boundary.excess
    >>> timid = redblack.simulate(
    ...     26, 26, games=10_000, policy=redblack.StopAtExcess(best - 2), rng=1
    ... )
    >>> timid.mean < redblack.simulate(26, 26, games=10_000, rng=1).mean
    True
    """

    excess: NDArray[np.int64]

    def __init__(self, excess: ArrayLike) -> None:
        array = arguments.array("excess", excess)
        if array.dtype.kind not in "iu" or not np.can_cast(array.dtype, np.int64):
            raise TypeError(
                "excess must be an array of int64 or shorter integers, got one of "
                f"dtype {array.dtype}"
            )
        if array.ndim > 1:
            raise ValueError(
                "excess must be an integer, or have one dimension, got an array of "
                f"shape {array.shape}"
            )
        object.__setattr__(self, "excess", array.astype(np.int64))  # a copy
        self.__post_init__()


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
    StopAtFirst : ``StopAtFirst("optimal", StopAfter(10))`` ignores the limit until
        it is reached, which is worse.

    Notes
    -----
    If red cards pay 1, black cards cost 1 and `loss` is a whole number, the player
    stops at ``-loss``. `StopAtLoss` is a stop-loss for a player who is not optimal.

    Examples
    --------
    A player needs credit and patience to win the 2.62 that 52 cards are worth:

    >>> from cardgames_dp import redblack
    >>> for loss in (1, 2, 5, 10, 15):
    ...     print(round(redblack.value(26, 26, policy=redblack.OptimalWithin(loss)), 6))
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

    loss: Amount | None = None
    _: KW_ONLY
    draws: SupportsIndex | None = None

    def __post_init__(self) -> None:
        if self.loss is None and self.draws is None:
            raise ValueError("loss or draws must be given, got neither")
        if self.loss is not None:
            _keep_amount(self, "loss")
        if self.draws is not None:
            object.__setattr__(self, "draws", arguments.integer("draws", self.draws))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class StopAtFirst(Record):
    """The policy of stopping as soon as any of several policies stops.

    Among them, "optimal" is the policy that is optimal without the others. The best
    policy under a limit of the loss, or of the number of draws, is `OptimalWithin`.

    Parameters
    ----------
    *policies : str, StopAtCash, StopAtLoss, StopAfter, ... or callable
        The policies, at least one; any `Policy`.

    Examples
    --------
    Take a profit of 2, and stop at a loss of 3:

    >>> from cardgames_dp import redblack
    >>> bounds = redblack.StopAtFirst(redblack.StopAtCash(2), redblack.StopAtLoss(3))
    >>> redblack.distribution(26, 26, policy=bounds).payoff.support.tolist()
    [-3.0, 0.0, 2.0]
    """

    policies: tuple[Policy, ...]

    def __init__(self, *policies: Policy) -> None:
        if not policies:
            raise ValueError("policies must be at least one policy, got none")
        for i, policy in enumerate(policies):
            check(f"policies[{i}]", policy)
        object.__setattr__(self, "policies", policies)

    def __repr__(self) -> str:
        return f"StopAtFirst({', '.join(map(arguments.shown, self.policies))})"


_Policy: TypeAlias = (
    NamedPolicy
    | StopAtCash
    | StopAtLoss
    | StopAfter
    | StopAtExcess
    | StopAtFirst
    | OptimalWithin
    | Solution[Any]
    | StopFunction
    | Mixture
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

        `StopAtCash`, `StopAtLoss`, `StopAfter` and `StopAtExcess` are ready-made
        stopping rules. `StopAtFirst` combines several policies. `OptimalWithin` is the
        best policy with a limited loss or number of draws. A `Solution` is the policy
        that is optimal under its own rules; it can be played with its deck and, without
        a utility, with any part of it. A function takes two int64 arrays, the red and
        the black cards *remaining*, and returns an array of bool of the same shape,
        true where the player stops. It is called with states of one level ``red + black
        = n > 0`` at a time, more than once, and must not depend on chance.

        A player may also leave it to chance. A function may return the *probability* of
        stopping in each state: an array of floats from 0 to 1 or, which the exact
        backend requires, of Fractions (dtype object). A mapping gives weights, which
        are the same in all states: ``{"stop": 1, "draw": 2}`` stops one time in three.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> def timid(red, black):
        ...     return black - red >= 1
        >>> policies: list[redblack.Policy] = ["optimal", redblack.StopAtCash(2), timid]
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

_READY_MADE = (StopAtCash, StopAtLoss, StopAfter, StopAtExcess, StopAtFirst)


def check(name: str, policy: object) -> None:
    """Refuse what is not a policy.

    A policy made for another deck is refused where it is used, and the results of a
    callable are checked when it is called.
    """
    arguments.not_a_class(name, policy)
    if isinstance(policy, (*_READY_MADE, OptimalWithin, Solution)) or callable(policy):
        return
    if isinstance(policy, Mapping):
        _chance(policy)
        return
    if not isinstance(policy, str) or policy not in POLICIES:
        raise arguments.not_one_of(
            name,
            policy,
            POLICIES,
            "a StopAtCash",
            "a StopAtLoss",
            "a StopAfter",
            "a StopAtExcess",
            "a StopAtFirst",
            "an OptimalWithin",
            "a Solution",
            "a callable of the red and black cards remaining",
            "a mapping of 'stop' and 'draw' to weights",
        )


_MIXTURE = "policy must be a mapping of 'stop' and 'draw' to weights"


def _chance(policy: Mapping[Any, Any]) -> Fraction:
    """Return the probability of stopping of a mixture."""
    must = _MIXTURE
    if not set(policy) <= set(TIES) or not policy:
        raise ValueError(f"{must}, got {arguments.shown(policy)}")
    stop, draw = [
        arguments.amount(f"policy[{word!r}]", policy.get(word, 0)) for word in TIES
    ]
    if not stop + draw:
        raise ValueError(f"{must} with a positive sum, got {arguments.shown(policy)}")
    return stop / (stop + draw)


def _keep_amount(policy: Record, name: str = "amount") -> None:
    """Check the amount of a policy, and keep it as rules keep theirs."""
    object.__setattr__(policy, name, arguments.held(name, getattr(policy, name)))


def named(policy: object) -> str:
    """Return the name of a policy."""
    if isinstance(policy, str):
        return policy
    if isinstance(policy, StopAtExcess | StopAtFirst | Solution):
        return repr(policy)
    if callable(policy):
        return arguments.called(policy)
    return arguments.shown(policy)


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
    cards = problem.cards
    if isinstance(policy, StopAtFirst):
        return either([stop_set(part, problem) for part in policy.policies])
    if isinstance(policy, OptimalWithin):
        loss = None if policy.loss is None else arguments.amount("loss", policy.loss)
        draws = None if policy.draws is None else int(policy.draws)
        return best_within(problem, loss, draws)
    if isinstance(policy, Solution):
        return Table(_table_of(policy, problem))
    if isinstance(policy, StopAtExcess):
        return Edges.of(cards, ahead=_excess_tops(policy.excess, cards + 1))
    if isinstance(policy, StopAfter):
        n = np.arange(cards + 1)
        drawn = min(int(policy.cards), cards + 1)
        return Edges.of(cards, ahead=np.where(n <= cards - drawn, n, -1))
    if isinstance(policy, StopAtCash):
        amount = arguments.amount("amount", policy.amount)
        return Edges.of(cards, ahead=_at_least(amount, problem))
    if isinstance(policy, StopAtLoss):
        amount = arguments.amount("amount", policy.amount)
        return Edges.of(cards, behind=_at_least(-amount, problem, 1) + 1)
    if isinstance(policy, str):
        return _by_name(policy, problem)
    if isinstance(policy, Mapping):
        return _mixed(policy, problem)
    return Asked(cast("StopFunction", policy), problem.exact)


def _by_name(policy: str, problem: Problem) -> StopSet:
    """Return the stop set of a named policy."""
    cards, nothing = problem.cards, Fraction(0)
    if policy == "first_positive":
        return Edges.of(cards, ahead=_at_least(nothing, problem, 1))
    if policy == "quit_when_negative":
        return Edges.of(cards, behind=_at_least(nothing, problem) + 1)
    if policy == "never_stop":
        return Edges.of(cards)
    if problem.rules.utility is None:
        return Edges.of(cards, ahead=tops(problem))
    recurrence.refuse_large_tables(problem)
    return Table(recurrence.tables(problem)[1])


def _mixed(policy: Mapping[Any, Any], problem: Problem) -> Always:
    """Return the stop set of a mixture."""
    chance = _chance(policy)
    if not problem.exact:
        return Always(float(chance))
    if any(isinstance(weight, (float, np.floating)) for weight in policy.values()):
        raise TypeError(
            f"{_MIXTURE} that are exact (int, Fraction or Decimal) with "
            f"backend='exact', got {arguments.shown(policy)}"
        )
    return Always(chance)


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


def _excess_tops(excess: NDArray[np.int64], levels: int) -> NDArray[np.int64]:
    """Return for each n the largest r with ``(n - r) - r >= excess[n]``."""
    if excess.ndim and len(excess) != levels:
        raise ValueError(
            f"policy.excess must have red + black + 1 = {levels} entries, one for each "
            f"number of cards remaining, got {len(excess)}"
        )
    n = np.arange(levels)
    # Clipped to avoid overflow: -n stops everywhere, n + 2 nowhere.
    highest: NDArray[np.int64] = (n - excess.clip(-n, n + 2)) // 2
    return highest


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
