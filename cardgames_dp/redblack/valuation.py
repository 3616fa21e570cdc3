"""The value of a game of red/black, of one deck or many, and the lowest cash."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend, Count, Counts
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import distributions, methods, recurrence
from cardgames_dp.redblack._kernels.digits import decimals
from cardgames_dp.redblack._kernels.methods import METHODS, Method, chosen
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Problem, Rules

Checkpoint: TypeAlias = str | os.PathLike[str] | None

_Values: TypeAlias = (
    float | Fraction | Decimal | NDArray[np.float64] | NDArray[np.object_]
)

_MOST_DIGITS = 100_000

_DECK_BYTES = 500
"""The memory for a deck among many, and for its value."""

_CELLS_A_DECK, _MOST_CELLS = 1000, 10**7
"""Many small decks are read off one table, if it has no more cells than that."""


_EXACT = "with backend='exact', as it computes in float64; use 'diagonal'"
_ANOTHER_POLICY = "for a policy other than 'optimal'; use method='diagonal'"
"""Why the staircase cannot be used, whatever the deck."""


class _Options(TypedDict, total=False):
    """What does not change the type of a value."""

    policy: Policy
    rules: Rules | None
    method: Method
    checkpoint: Checkpoint


@overload
def value(  # type: ignore[overload-overlap]
    red: Count,
    black: Count,
    *,
    backend: Literal["float64"] = ...,
    digits: None = ...,
    **how: Unpack[_Options],
) -> float: ...
@overload
def value(  # type: ignore[overload-overlap]
    red: Count, black: Count, *, backend: Literal["exact"], **how: Unpack[_Options]
) -> Fraction: ...
@overload
def value(  # type: ignore[overload-overlap]
    red: Count, black: Count, *, digits: SupportsIndex, **how: Unpack[_Options]
) -> Decimal: ...
@overload
def value(
    red: Counts,
    black: Counts,
    *,
    backend: Literal["float64"] = ...,
    digits: None = ...,
    **how: Unpack[_Options],
) -> NDArray[np.float64]: ...
@overload
def value(
    red: Counts, black: Counts, *, backend: Literal["exact"], **how: Unpack[_Options]
) -> NDArray[np.object_]: ...
@overload
def value(
    red: Counts, black: Counts, *, digits: SupportsIndex, **how: Unpack[_Options]
) -> NDArray[np.object_]: ...
@suggest_arguments
def value(
    red: Counts,
    black: Counts,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    digits: SupportsIndex | None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> _Values:
    """Return the value of a deck: the expected winnings before the first card is drawn.

    Of arrays of decks, it returns the value of each.

    Grade: float64; certified with `digits`; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int, or array_like of int
        Numbers of red and black cards in the deck: any numbers, equal or not. Arrays,
        lists and ranges broadcast.
    policy : Policy, default "optimal"
        When the player stops: any policy that `cardgames_dp.play` takes for the deck,
        such as "never_stop", `StopAt` or a function of a state, which is asked only
        about states that play can come to. A value other than the optimal one takes as
        long to compute as `cardgames_dp.play.distribution`.
    rules : Rules, optional
        The classic rules (a red card pays 1, a black card costs 1) if not given.
    backend : {"float64", "exact"}
        The arithmetic. Without a utility, float64 is accurate to 13 digits or more in
        all cases that were compared, and to 12 if the staircase is used for a deck
        whose red cards prevail by more than 3 times the square root of the number of
        cards. A value close to 0 is accurate to 1e-13 times that root. `enclosure`
        returns a bound on the error. The exact backend takes O(l**2) additions of
        integers of up to 2 l bits.
    digits : int, optional
        The number of significant digits of the result, from 1 to 100,000; all of them
        are right. The result is the exact value rounded to the nearest Decimal of that
        many digits. For linear rules only. The diagonal algorithm then computes with
        integers of as many bits as needed; 50 digits for 10,000 + 10,000 cards take
        half a second.
    method : {"auto", "diagonal", "staircase"}
        The algorithm for float64. Both need O(sqrt(l)) memory for l + l cards.
        "diagonal" takes O(l**1.5) time, and almost no time for a deck that is far from
        fair under its rules. "staircase" takes about O(l**0.63) time; it needs rules
        under which a red card gains what a black card costs, and numbers of red and
        black cards that differ by at most 4 times the square root of their sum. "auto"
        uses the staircase where it can be used and is faster, from 4000 cards on; from
        20,000 on where it would be less accurate, with far more red cards. For many
        balanced decks it is used if the largest has at least 100 times as many cards as
        there are decks.
    checkpoint : path, optional
        A file to which the staircase writes its state every ten seconds, and which is
        kept, with the results. A later call with the same deck or a larger one
        continues from it. The result is the same, bit for bit, as without an
        interruption, on the same machine with as many threads. Without a checkpoint
        last digits may differ, within the error stated.

    Returns
    -------
    float, Fraction or Decimal, or ndarray of these
        The expected winnings, in the unit of the rules' amounts; for arrays, an array
        of float64, or of Fractions or Decimals (dtype object), of the shape to which
        both broadcast. Under a utility, the expected utility of the final cash; -inf if
        ruin is certain. Python prints no Fraction with a number of more than 4300
        digits (from about 7200 + 7200 cards on) before a call of
        ``sys.set_int_max_str_digits(0)``; `digits` returns a Decimal of any length.

    Raises
    ------
    ValueError
        Also if the amounts of the rules are too large, or too different in size, for
        float64; if `method`, `digits` and `checkpoint` do not go with the other
        arguments; if the checkpoint is damaged or of another kind (it is left as it
        is).
    ArithmeticError
        If a threshold of the boundary is not where the staircase expects it.
    TooLargeError
        If the numbers of an exact sweep would not fit in memory.

    Notes
    -----
    The recurrence is ``v(r, b) = max(0, r/n (1 + v(r-1, b)) + b/n (v(r, b-1) - 1))``
    with n = r + b. The modules ``cardgames_dp.redblack._kernels.sweep`` and
    ``cardgames_dp.redblack._kernels.staircase`` describe how it is solved.

    One sweep or climb passes all balanced decks of an array, and one table serves for
    many small decks of any kind, but under a utility or for a policy other than
    "optimal". So an element may differ from the value of the same deck alone, by no
    more than the error stated above; exact values and those with `digits` are the same.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010. The 52 cards: N. Coldwell's "Problem
    14", solved by Han Zheng's spreadsheet, as the Problem 14 essay reports.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.value(26, 26)
    2.624475548993925
    >>> redblack.value(26, 26, backend="exact")
    Fraction(41984711742427, 15997372030584)
    >>> print(f"{redblack.value(1_000_000, 1_000_000):.6f}")
    522.033533
    >>> redblack.value(1000, 1000, digits=40)
    Decimal('16.48949586640435662161395385158815094869')

    Decks of one to three red cards, and of one or two black ones:

    >>> redblack.value([[1], [2], [3]], [1, 2]).round(4)
    array([[0.5   , 0.    ],
           [1.3333, 0.6667],
           [2.25  , 1.5   ]])
    """
    decks, shape = decks_of(red, black)
    policies.check("policy", policy)
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    whole = Problem(
        rules,
        max([deck.red for deck in decks], default=0),
        max([deck.black for deck in decks], default=0),
        exact,
    )
    best = isinstance(policy, str) and policy == "optimal"
    values: dict[Deck, Any] = {}
    if digits is not None:
        count = _digits(digits, whole, method, checkpoint, best=best)
        for group in group_decks(decks):
            values |= decimals(rules, group, count)
        return _in_shape([values[deck] for deck in decks], shape, object)
    groups = [decks] if shape is None else group_decks(decks)
    obstacle = _ANOTHER_POLICY if not best else _EXACT if exact else ""
    ways = [chosen(method, rules, group, obstacle) for group in groups]
    refuse_checkpoint_without_staircase(checkpoint, ways)
    if not best or rules.utility is not None:
        each = [deck for group in groups for deck in group]
        values = _one_by_one(None if best else policy, whole, each)
    else:
        others = []
        for group, way in zip(groups, ways, strict=True):
            if way == "staircase":
                values |= methods.by_staircase(rules, group, checkpoint)
            else:
                others.append(group)
        values |= _by_diagonal(whole, others)
    return _in_shape([whole.number(values[deck]) for deck in decks], shape, whole.dtype)


def decks_of(red: object, black: object) -> tuple[list[Deck], tuple[int, ...] | None]:
    """Return the decks of these sizes, and the shape of their array; None if single."""
    if arguments.is_single(red) and arguments.is_single(black):
        deck = Deck(arguments.integer("red", red), arguments.integer("black", black))
        return [deck], None
    reds, blacks = arguments.counts("red", red), arguments.counts("black", black)
    reds, blacks = arguments.broadcast("red and black", reds, blacks)
    what = f"the values of {short(reds.size)} decks"
    refuse_too_large(what, _DECK_BYTES * reds.size, "give fewer")
    both = zip(reds.ravel().tolist(), blacks.ravel().tolist(), strict=True)
    return [Deck(*cards) for cards in both], reds.shape


def group_decks(decks: Iterable[Deck]) -> list[list[Deck]]:
    """Return groups of decks that one sweep or climb passes, from small to large.

    These are all balanced decks, of which there may be none, and each other one.
    """
    each = sorted(set(decks), key=lambda deck: (deck.cards, deck.excess))
    others = [[deck] for deck in each if deck.excess]
    return [[deck for deck in each if not deck.excess], *others]


def _one_by_one(
    policy: Policy | None, whole: Problem, decks: list[Deck]
) -> dict[Deck, float | Fraction]:
    """Return the values of decks for a policy; without one, of optimal play."""
    problems = [whole._replace(red=deck.red, black=deck.black) for deck in decks]
    refuse_large = (recurrence if policy is None else distributions).refuse_large
    for problem in problems:
        refuse_large(problem)

    def worth(problem: Problem) -> float | Fraction:
        if policy is None:
            return recurrence.best(problem)
        return distributions.worth(problem, policies.stop_set(policy, problem))

    many = with_progress(problems, len(decks), "decks") if len(decks) > 1 else problems
    return dict(zip(decks, map(worth, many), strict=True))


def _by_diagonal(whole: Problem, groups: list[list[Deck]]) -> dict[Deck, Fraction]:
    """Return the values of groups of decks, parts of a whole one, by the diagonal."""
    cells = (whole.red + 1) * (whole.black + 1)
    # Balanced decks are passed by one sweep, which takes less time than a table.
    if len(groups) > 1 and cells <= min(_CELLS_A_DECK * len(groups), _MOST_CELLS):
        draw, _, _ = recurrence.tables(whole)
        decks = [deck for group in groups for deck in group]
        return {d: max(Fraction(draw[d.red, d.black]), Fraction(0)) for d in decks}
    values: dict[Deck, Fraction] = {}
    for group in groups:
        values |= methods.by_diagonal(whole, group)
    return values


def _in_shape(numbers: list[Any], shape: tuple[int, ...] | None, dtype: Any) -> _Values:
    """Return numbers as an array, or the single one of them."""
    if not shape:
        single: float | Fraction | Decimal = numbers[0]
        return single
    return np.array(numbers, dtype=dtype).reshape(shape)


def digits_up_to(digits: object, most: int, hint: str, instead: str) -> int:
    """Return a number of digits, if it is in range."""
    result = arguments.integer("digits", digits, minimum=1)
    if result > most:
        raise ValueError(
            f"digits must be an integer from 1 to {most}{hint}, got "
            f"{arguments.shown(result)}; {instead}"
        )
    return result


def _digits(
    digits: object, problem: Problem, method: object, checkpoint: object, *, best: bool
) -> int:
    """Return the number of digits, if it is compatible with the other arguments."""
    instead = "backend='exact' returns all of them"
    result = digits_up_to(digits, _MOST_DIGITS, "", instead)
    obstacle = ""
    if problem.exact:
        obstacle = "with backend='exact'"
    elif problem.rules.utility is not None:
        obstacle = (
            "for rules with a utility, whose rounding errors cannot be bounded; use "
            "backend='exact'"
        )
    elif not best:
        obstacle = "for a policy other than 'optimal'; use backend='exact'"
    if obstacle:
        raise ValueError(f"digits must not be given {obstacle}")
    if arguments.choice("method", method, METHODS) == "staircase":
        raise ValueError(
            "method must not be 'staircase' with digits, which need integers; use "
            "'diagonal', or enclosure(..., digits=) for at most 15 digits"
        )
    refuse_checkpoint_without_staircase(checkpoint, ["diagonal"])
    return result


def refuse_checkpoint_without_staircase(
    checkpoint: object, ways: Sequence[str]
) -> None:
    """Refuse a checkpoint that would never be written."""
    if checkpoint is not None and "staircase" not in ways:
        raise ValueError(
            "checkpoint is for method='staircase' only, but this call uses 'diagonal'"
        )


@overload
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Distribution[float]: ...
@overload
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Distribution[Fraction]: ...
@suggest_arguments
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distribution[Any]:
    """Return the distribution of the smallest of all amounts in hand; never positive.

    ``lowest_cash(...).cdf(-x)`` is the probability that the player is x or more behind
    at some time. For other distributions see `cardgames_dp.play.distribution`.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : Policy, default "optimal"
        When the player stops: any policy that `cardgames_dp.play` takes for the deck.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic. In float64, depths whose states are all reached with a
        probability of at most 2**-64 / (red + black) are left out.

    Returns
    -------
    Distribution
        In the unit of the rules' amounts, also under a utility.

    Raises
    ------
    ValueError
        Also if more than a million depths would be followed one by one, as with amounts
        that differ.
    TooLargeError
        If it would not fit in memory.

    Notes
    -----
    Play is run forwards with the lowest cash so far: O(l**2) time for l + l cards, half
    a second for 1000 + 1000. If a red card does not gain what a black card costs,
    almost each state has a depth of its own, and large decks take long. In exact
    arithmetic l + l cards take O(l**3) additions.

    References
    ----------
    The Problem 14 essay says that "optimal play can go quite negative before quitting",
    without a figure.

    Examples
    --------
    Half of all optimal players are 4 or more behind at some time, although none of them
    ends with a loss:

    >>> from cardgames_dp import redblack
    >>> lowest = redblack.lowest_cash(26, 26)
    >>> [round(lowest.cdf(-x), 4) for x in (1, 2, 4, 8)]
    [0.8669, 0.7487, 0.502, 0.0852]
    """
    problem = Problem.of(red, black, rules, backend)
    policies.check("policy", policy)
    distributions.refuse_large(problem)
    stops = policies.stop_set(policy, problem)
    return Distribution("lowest cash", *distributions.lowest_cash(problem, stops))
