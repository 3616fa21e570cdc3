"""The stopping rule by black cards: how many red cards make a draw right."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.redblack.boundary import Thresholds, thresholds
from cardgames_dp.redblack.rules import Rules

_BYTES = 40
"""The memory for an entry, intermediate results included."""


def least_red(
    max_black: SupportsIndex, *, rules: Rules | None = None, progress: bool = False
) -> NDArray[np.int64]:
    """Return how many red cards make a draw right, for each number of black cards.

    With b black cards left, the player draws exactly when at least
    ``least_red(max_black)[b]`` red cards are left. This is the rule of
    :func:`thresholds` in another form: a state with r red cards has excess k = b - r,
    and the player stops there if ``r + b <= n_k``.

    Grade: certified.

    Parameters
    ----------
    max_black : int
        The largest number of black cards.
    rules : Rules, optional
        As for :func:`thresholds`. The classic rules if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    ndarray of int64, shape (max_black + 1,)
        The numbers of red cards for 0, 1, ..., `max_black` black cards; they never
        decrease.

    Raises
    ------
    TypeError, ValueError, TooLongError, ModuleNotFoundError
        As for :func:`thresholds`.
    TooLargeError
        If the result would not fit in memory.
    ArithmeticError
        If a threshold that is needed is not known: from about 330 million black cards
        on, under the classic rules.

    References
    ----------
    W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5 (1973),
    297-312, tabulates the boundary in this form. "If 3 <= b <= 4, play while
    r >= b - 1" is a rule of the Dynamic Card Game note (:doc:`/notation`); it holds for
    5 as well.

    Examples
    --------
    >>> import numpy as np
    >>> from cardgames_dp import redblack
    >>> least = redblack.least_red(12)
    >>> least.tolist()
    [1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9]
    >>> (np.arange(13) - least).tolist()
    [-1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]
    """
    max_black = _checks.integer("max_black", max_black)
    rules = _checks.rules(rules, Rules)
    progress = _checks.boolean("progress", progress)
    size = _BYTES * (max_black + 1)
    refuse_too_large("the rule by black cards", size, "use thresholds(...)")
    found = _enough(max_black, rules, progress)
    known = found.n[: found.exact_up_to]
    # With b black cards, stop at excess k if 2 b - k <= n_k: from some k on.
    sums = known + np.arange(1, len(known) + 1)
    first = np.searchsorted(sums, 2 * np.arange(max_black + 1)) + 1
    least = np.arange(max_black + 1) - first + 1
    least[0] = 1  # with no black card left, draw any red card
    if first.max() > len(known):
        raise ArithmeticError(
            f"the threshold at excess {found.exact_up_to + 1} is not known, but "
            f"max_black={max_black} needs it; use a smaller max_black"
        )
    result: NDArray[np.int64] = least
    return result


def _enough(max_black: int, rules: Rules, progress: bool) -> Thresholds:
    """Return enough thresholds for all states with up to `max_black` black cards."""
    wanted = 4 + int(1.2 * np.sqrt(max_black))
    while True:
        found = thresholds(wanted, rules=rules, progress=progress)
        known = found.n[: found.exact_up_to]
        if wanted >= max_black or (known[-1:] + len(known) >= 2 * max_black).any():
            return found
        if found.undecided:
            return found
        wanted = min(2 * wanted, max_black)
