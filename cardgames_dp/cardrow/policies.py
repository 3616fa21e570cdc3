"""Policies of cards in a row: the rules by which a player chooses turns.

A policy here is *memoryless*: its turn depends only on the cards left, an interval of
the row, and on random draws made anew at each turn. The named policies are those of
Pashevich's report and a few others for comparison; `Policy` lists them.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), sections 2 to 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from cardgames_dp import _checks
from cardgames_dp._aliases import Alias
from cardgames_dp._records import Record
from cardgames_dp.cardrow._kernels import choosers
from cardgames_dp.cardrow._kernels.choosers import Chooser, Deals
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Exact, Number
from cardgames_dp.cardrow.turns import Side

NamedPolicy: TypeAlias = Literal[
    "optimal", "greedy", "greedy_literal", "larger", "smaller", "random"
]
POLICIES: tuple[NamedPolicy, ...] = get_args(NamedPolicy)
PolicyFunction: TypeAlias = Callable[
    [tuple[Exact, ...], int, int], Side | Fraction | Decimal | float
]
"""``policy(cards, left, right)``: the whole row, and the positions of its end cards."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Mixed(Record):
    """A random mixture of policies: one of them is drawn anew at each turn.

    Parameters
    ----------
    weights : mapping of Policy to number
        How often each policy is followed, relative to the others: ints, Fractions,
        Decimals or floats >= 0. Only the ratios matter. 7 and 3 are exactly 70 % and
        30 %; the floats 0.7 and 0.3 are binary fractions, whose ratio is not exactly 7
        to 3.

    Attributes
    ----------
    shares : tuple of pairs of Policy and Fraction
        The policies with their exact probabilities.

    Raises
    ------
    TypeError
        If `weights` is not a mapping, a key is not a policy, or a weight is not a
        number.
    ValueError
        If a key is not the name of a policy, a weight is negative, NaN or infinite, or
        no weight is positive.

    Examples
    --------
    A sister who takes the larger card, but plays at random in one turn of five:

    >>> from cardgames_dp import cardrow
    >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
    >>> sister
    Mixed(0.8 larger, 0.2 random)
    >>> cardrow.best_response([8, 4, 2, 2, 4, 8], sister, backend="exact").value
    Fraction(6, 5)
    """

    shares: tuple[tuple[Policy, Fraction], ...]

    def __init__(self, weights: Mapping[Policy, Number]) -> None:
        if not isinstance(weights, Mapping):
            raise TypeError(
                "weights must be a mapping of policies to numbers, got "
                f"{_checks.described(weights)}"
            )
        policies = [checked("a policy in weights", policy) for policy in weights]
        amounts = [
            _checks.amount(f"weights[{name_of(policy)}]", weights[policy])
            for policy in policies
        ]
        total = sum(amounts)
        if not total:
            raise ValueError(f"weights must not all be 0, got {_checks.shown(weights)}")
        shares = [(p, x / total) for p, x in zip(policies, amounts, strict=True)]
        object.__setattr__(self, "shares", tuple(shares))

    def __repr__(self) -> str:
        parts = [f"{float(x):.4g} {name_of(policy)}" for policy, x in self.shares]
        return f"Mixed({', '.join(parts)})"


if TYPE_CHECKING:
    Policy: TypeAlias = NamedPolicy | Mixed | PolicyFunction
else:
    Policy = Alias(
        "Policy",
        __name__,
        NamedPolicy | Mixed | PolicyFunction,
        """A policy: a name, a mixture of policies, or a function.

        The named policies are:

        ====================  =======================================================
        ``"optimal"``         Plays optimally: guarantees the value of the cards left.
        ``"greedy"``          Looks one turn ahead: maximises the card taken less the
                              best card that the opponent can take next.
        ``"greedy_literal"``  The greedy player as Pashevich's report prints it, with a
                              mistake: it compares the absolute values of these two
                              differences, and takes the left card if its is smaller.
        ``"larger"``          Takes the larger of the two end cards.
        ``"smaller"``         Takes the smaller of the two end cards.
        ``"random"``          Takes either end card, with probability 1/2 each.
        ====================  =======================================================

        ``Mixed({policy: weight, ...})`` follows one of several policies, drawn anew at
        each turn.

        A function ``policy(cards, left, right)`` gets the whole row as a tuple of exact
        numbers, and the positions of the end cards of the interval that is left. It
        returns "left", "right", or the probability of taking the left card. A
        :class:`Response` is such a function.

        Under rules with several cards a turn, "larger" and "smaller" take the turn that
        is worth most or least at once, "greedy" subtracts the next player's best turn,
        and "random" takes every legal turn with the same probability; "greedy_literal"
        is not defined. Functions may then also return a :class:`Turn`, or a mapping of
        turns to weights. Each player counts the cards by their own values.

        The `tie` argument of the functions that take policies says what the named ones
        do where both ends are equally good to them.

        Examples
        --------
        >>> from cardgames_dp import cardrow
        >>> def sweet_tooth(cards, left, right):
        ...     return "right" if cards[right] == 8 else "left"
        >>> sister = cardrow.Mixed({"larger": 4, "random": 1})
        >>> policies: list[cardrow.Policy] = ["optimal", sister, sweet_tooth]
        """,
    )


def checked(name: str, policy: Any, *, plans: bool = False) -> Policy:
    """Return a policy given as an argument, checked.

    Parameters
    ----------
    name : str
        The name of the argument in error messages.
    policy : object
    plans : bool, default False
        Whether it may look at what has been taken so far.

    Raises
    ------
    TypeError, ValueError
        If it is not a policy. What a callable returns is checked when it is called.
    """
    _checks.not_a_class(name, policy)
    if getattr(policy, "looks_at_sums", False) and not plans:
        raise TypeError(
            f"{name} must be a policy that looks only at the cards left, got a plan, "
            "which looks at the sums as well; match and lead_law play it, and its "
            "attribute `guaranteed` is its worst case, if it was made with slack="
        )
    named = isinstance(policy, str) and policy in POLICIES
    if named or isinstance(policy, Mixed) or callable(policy):
        return policy  # type: ignore[no-any-return]
    raise _checks.not_one_of(
        name, policy, POLICIES, "a Mixed", "a callable of the cards, left and right"
    )


def name_of(policy: Policy) -> str:
    """Return the name of a policy."""
    if isinstance(policy, (str, Mixed)):
        return str(policy)
    return _checks.called(policy)


def chooser(
    policy: Policy, deals: Deals, tie: Tie, name: str, *, progress: bool = False
) -> Chooser:
    """Return a policy in the form in which the engines play it.

    Parameters
    ----------
    policy : Policy
        A checked one.
    deals : Deals
        The rows that are played.
    tie : {"right", "left", "larger"}
        What named policies do where both ends are equally good to them.
    name : str
        The player's name in error messages.
    progress : bool, default False
        Show a bar while a table is made.

    Raises
    ------
    TypeError, ValueError
        Raised by the chooser, if a callable returns anything but a move.
    TooLargeError
        If a table that it needs would not fit in memory.
    """
    if isinstance(policy, Mixed):
        parts = [
            chooser(part, deals, tie, name, progress=progress)
            for part, _ in policy.shares
        ]
        shares = [share for _, share in policy.shares]
        return lambda hands: choosers.mixed([ask(hands) for ask in parts], shares)
    if callable(policy):
        return lambda hands: choosers.asked(policy, name, hands)
    if policy == "random":
        return choosers.even
    if policy == "optimal":
        optimal = choosers.optimal_preferences(deals.rows, progress)
        return lambda hands: choosers.taken(
            hands.of_each(optimal[hands.length]), hands, tie
        )
    preference = choosers.RULES_OF_THUMB[policy]
    return lambda hands: choosers.taken(preference(hands), hands, tie)
