"""The value of a game of red/black: of one deck and of many decks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.printing import printable, printable_array
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import tracked
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import (
    digits as _decimals,
    distributions,
    limits,
    methods,
    recurrence,
)
from cardgames_dp.redblack._kernels.methods import METHODS, Method, chosen
from cardgames_dp.redblack._kernels.rules import as_float
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Rules

Checkpoint: TypeAlias = str | os.PathLike[str] | None

_MOST_DIGITS = 100_000


@overload
def value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    digits: None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> float: ...
@overload
def value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
    digits: None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> Fraction: ...
@overload
def value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Literal["optimal"] = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    digits: SupportsIndex,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> Decimal: ...
def value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    digits: SupportsIndex | None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> float | Fraction | Decimal:
    """Return the value of a deck: the expected winnings before the first card is drawn.

    Grade: float64; certified with `digits`; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck: any numbers, equal or not.
    policy : str, StopAtCash, StopAtLoss, ..., Solution or callable
        When the player stops: any `Policy`; optimal if not given. The value of another
        policy takes as long to compute as its :func:`distribution`, of which it is the
        mean under linear rules.
    rules : Rules, optional
        The classic rules (a red card pays 1, a black card costs 1) if not given.
    backend : {"float64", "exact"}
        The arithmetic. Without a utility, float64 is accurate to 13 digits or more in
        all cases that were compared, and to 12 if the staircase is used for a deck
        whose red cards prevail by more than 3 times the square root of the number of
        cards. A value close to 0 is accurate to 1e-13 times that root. `enclosure`
        returns a bound of the error. The exact backend takes O(l**2) additions of
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
        20,000 on where it would be less accurate, with far more red cards.
    checkpoint : path, optional
        A file to which the staircase writes its state every ten seconds. A later call
        with the same deck or a larger one continues from it. The result is the same,
        bit for bit, as without an interruption, and for whatever other decks the file
        was used, on the same machine with as many threads. A climb without a checkpoint
        has narrower windows, without room for larger decks, and may have other last
        digits, within the error stated. The file is kept, with the results.

    Returns
    -------
    float, Fraction or Decimal
        The expected winnings, in the unit of the rules' amounts. Under a utility, the
        expected utility of the final cash; -inf if ruin is certain. The value of
        optimal play is never below that of not playing. A Fraction with too many digits
        for Python to print shows the first ones; its method ``digits()`` returns all of
        them.

    Raises
    ------
    ValueError
        If the amounts of the rules are too large, or too different in size, for
        float64; if their utility returns anything but finite real numbers; if `method`
        is "staircase" where it cannot be used; if `digits` is given with a utility, a
        policy other than "optimal", the exact backend or the staircase; if `checkpoint`
        is given without the staircase, names a damaged file or a file of another kind
        (which is left unchanged), or is in a folder that does not exist.
    ArithmeticError
        If a threshold of the boundary is not where the staircase expects it.
    TooLargeError
        If the numbers of an exact sweep would not fit in memory.

    Notes
    -----
    The recurrence is ``v(r, b) = max(0, r/n (1 + v(r-1, b)) + b/n (v(r, b-1) - 1))``
    with n = r + b. The modules `cardgames_dp.redblack._kernels.sweep` and
    `cardgames_dp.redblack._kernels.staircase` describe how it is solved.

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
    """
    red, black = arguments.integer("red", red), arguments.integer("black", black)
    policies.check("policy", policy)
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    deck, best = Deck(red, black), _is_optimal(policy)
    if digits is not None:
        wanted = _digits(digits, rules, method, checkpoint, exact=exact, best=best)
        return _decimals.decimals(rules, [deck], wanted)[deck]
    method = chosen(method, rules, [deck], exact=exact, best=best)
    refuse_checkpoint_without_staircase(checkpoint, method)
    if not best:
        found = _of_policy(policy, rules, deck, exact=exact)
    elif rules.utility is not None:
        limits.refuse_recurrence(rules, red, black, exact=exact)
        found = recurrence.best(rules, red, black, exact=exact)
    elif method == "staircase":
        [found] = methods.climbed(rules, [deck], checkpoint)
    else:
        found = methods.value(rules, red, black, exact=exact)
    return printable(Fraction(found)) if exact else as_float(found)


@overload
def values(
    sizes: Iterable[SupportsIndex],
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    digits: None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> NDArray[np.float64]: ...
@overload
def values(
    sizes: Iterable[SupportsIndex],
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    digits: SupportsIndex | None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> NDArray[np.object_]: ...
def values(
    sizes: Iterable[SupportsIndex],
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    digits: SupportsIndex | None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> NDArray[np.float64] | NDArray[np.object_]:
    """Return the values of many balanced decks.

    The values of states do not depend on the deck that play began with, so the sweep or
    the climb for the largest deck passes all smaller ones. (Under a utility they do
    depend on it, and each deck is solved on its own.)

    Grade: float64; certified with `digits`; exact with ``backend="exact"``.

    Parameters
    ----------
    sizes : iterable of int
        The sizes l of decks of l red and l black cards, in any order.
    policy, rules, backend, digits, method, checkpoint
        As for :func:`value`. "auto" uses the staircase if the largest deck has at least
        4000 cards and at least 100 times as many cards as there are decks. For a policy
        other than "optimal", each deck is computed on its own.

    Returns
    -------
    ndarray of float64, or of Fractions or Decimals (dtype object), shape (len(sizes),)
        ``values(sizes)[i]`` is the value of a deck of ``sizes[i]`` red and ``sizes[i]``
        black cards.

    References
    ----------
    As for :func:`value`; the Problem 14 essay has the values of all decks up to l =
    22,974.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.values([1, 2, 26]).round(9)
    array([0.5       , 0.66666667, 2.62447555])
    """
    asked = arguments.integers("sizes", sizes)
    policies.check("policy", policy)
    rules = arguments.rules(rules, Rules)
    exact = arguments.backend(backend) == "exact"
    wanted = sorted(set(asked))
    balanced = [Deck(size, size) for size in wanted]
    best = _is_optimal(policy)
    if digits is not None:
        many = _digits(digits, rules, method, checkpoint, exact=exact, best=best)
        rounded = _decimals.decimals(rules, balanced, many)
        return _array([rounded[Deck(size, size)] for size in asked])
    method = chosen(method, rules, balanced, exact=exact, best=best)
    refuse_checkpoint_without_staircase(checkpoint, method)
    found: Mapping[int, float | Fraction]
    if not best:
        found = {
            deck.red: _of_policy(policy, rules, deck, exact=exact)
            for deck in tracked(balanced, len(balanced), "decks")
        }
    elif rules.utility is not None:
        for size in wanted:
            limits.refuse_recurrence(rules, size, size, exact=exact)
        found = {
            size: recurrence.best(rules, size, size, exact=exact)
            for size in tracked(wanted, len(wanted), "decks")
        }
    elif method == "staircase":
        climbed = methods.climbed(rules, balanced, checkpoint)
        found = dict(zip(wanted, climbed, strict=True))
    else:
        found = methods.of_balanced(rules, wanted, exact=exact)
    result = [found[size] for size in asked]
    if exact:
        return printable_array(_array(result))
    return np.array([as_float(v) for v in result], dtype=np.float64)


def _array(numbers: list[Any]) -> NDArray[np.object_]:
    """Return numbers as an array of objects."""
    result = np.empty(len(numbers), dtype=object)
    result[:] = numbers
    return result


def _digits(
    digits: object,
    rules: Rules,
    method: object,
    checkpoint: object,
    *,
    exact: bool,
    best: bool,
) -> int:
    """Return the number of digits, if it is compatible with the other arguments."""
    result = arguments.integer("digits", digits, minimum=1)
    if result > _MOST_DIGITS:
        raise ValueError(
            f"digits must be an integer from 1 to {_MOST_DIGITS}, got "
            f"{arguments.shown(result)}; backend='exact' returns all of them"
        )
    if exact:
        raise ValueError("digits must not be given with backend='exact'")
    if rules.utility is not None:
        raise ValueError(
            "digits must not be given for rules with a utility, whose rounding errors "
            "cannot be bounded; use backend='exact'"
        )
    if not best:
        raise ValueError(
            "digits must not be given for a policy other than 'optimal'; use "
            "backend='exact'"
        )
    if arguments.choice("method", method, METHODS) == "staircase":
        raise ValueError(
            "method must not be 'staircase' with digits, which need integers; use "
            "'diagonal', or enclosure(..., digits=) for at most 15 digits"
        )
    refuse_checkpoint_without_staircase(checkpoint, "diagonal")
    return result


def _is_optimal(policy: object) -> bool:
    """Return whether the policy is the optimal one, whose value a sweep finds."""
    return isinstance(policy, str) and policy == "optimal"


def _of_policy(
    policy: object, rules: Rules, deck: Deck, *, exact: bool
) -> float | Fraction:
    """Return the value of a deck for a given policy, by running play forwards."""
    red, black = deck.red, deck.black
    limits.refuse_law(red, black, exact=exact)
    stops = policies.stop_set(policy, rules, red, black, exact=exact)
    return distributions.worth(rules, red, black, stops, exact=exact)


def refuse_checkpoint_without_staircase(checkpoint: object, method: str) -> None:
    """Refuse a checkpoint that would never be written."""
    if checkpoint is not None and method != "staircase":
        raise ValueError(
            "checkpoint is for method='staircase' only, but this call uses 'diagonal'"
        )
