"""Policies of cards in a row: whatever a player may be told to do.

A policy here is *memoryless*: what it does depends on what is left of the row alone, an
interval of it, and on luck that is drawn anew at each turn. The named ones are document
002's and a few to compare them with; `cardgames_dp.cardrow._kernels.choosers` says
what they do.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), sections 2 to
4.
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
    """The policy of following one of several others, drawn anew at each turn.

    Parameters
    ----------
    weights : mapping of policy to number
        How often each is followed, relative to the others: ints, Fractions, Decimals or
        floats >= 0, of which only the ratios matter. 7 and 3 are exactly 70 % and 30 %;
        the floats 0.7 and 0.3 are taken for the binary fractions that they are, whose
        ratio is not quite 7 to 3.

    Attributes
    ----------
    shares : tuple of pairs of policy and Fraction
        The probability of each, exactly.

    Raises
    ------
    TypeError
        If `weights` is not a mapping, a key not a policy, or a weight not a number.
    ValueError
        If a key is no policy's name, a weight negative, NaN or infinite, or none is
        positive.

    Examples
    --------
    A sister who takes the larger card, but does not look in every fifth turn:

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
        """What a player does: a word, a mixture of policies, or a function.

        The words, and what they mean, are in :func:`match`. A function takes the whole
        row and the positions of the end cards of what is left, and returns "left" or
        "right", or the chance with which to take the left card; `Mixed` follows one of
        several policies, drawn at each turn.

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
    """Return a policy that a function was given.

    Parameters
    ----------
    name : str
        What messages call it.
    policy : object
    plans : bool, default False
        Whether it may look at what has been taken so far.

    Raises
    ------
    TypeError, ValueError
        If it is none that there is; a callable's answers are checked when they are
        given.
    """
    _checks.not_a_class(name, policy)
    if getattr(policy, "looks_at_sums", False) and not plans:
        raise TypeError(
            f"{name} must be a policy that looks at the cards left alone, got a plan, "
            "which looks at the sums as well; use match or lead_law"
        )
    named = isinstance(policy, str) and policy in POLICIES
    if named or isinstance(policy, Mixed) or callable(policy):
        return policy  # type: ignore[no-any-return]
    raise _checks.not_one_of(
        name, policy, POLICIES, "a Mixed", "a callable of the cards, left and right"
    )


def name_of(policy: Policy) -> str:
    """Return how a policy is called."""
    if isinstance(policy, (str, Mixed)):
        return str(policy)
    return _checks.called(policy)


def chooser(
    policy: Policy, deals: Deals, tie: Tie, name: str, *, progress: bool = False
) -> Chooser:
    """Return what a player of a policy does with rows.

    Parameters
    ----------
    policy : Policy
        A checked one.
    deals : Deals
        The rows that it will be asked about.
    tie : {"right", "left", "larger"}
        What named policies do if both ends are equally good to them.
    name : str
        What messages call the player.
    progress : bool, default False
        Show a bar while a table is made.

    Raises
    ------
    TypeError, ValueError
        Raised by the chooser, if a callable's answer is not allowed.
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
