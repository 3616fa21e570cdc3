"""One game on several rows, some of which are open at one end only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple, overload

from cardgames_dp._results.advice import AdviceRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp.cardrow._kernels import stacks as engine
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, Row
from cardgames_dp.cardrow.cards import read_rows
from cardgames_dp.cardrow.rules import Rules, Side, instance_of
from cardgames_dp.cardrow.valuation import in_backend


@overload
def value_of_rows(
    rows: Iterable[Cards],
    *,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> float: ...
@overload
def value_of_rows(
    rows: Iterable[Cards],
    *,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Exact: ...
def value_of_rows(
    rows: Iterable[Cards],
    *,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> float | Exact:
    """Return the value of one game that is played on several rows.

    A turn takes a card from either end of any row, or from the open end of any stack.
    For many games, each with its own row, use :func:`values`. It takes linear time,
    plus the time to sort the collapsed cards, which are few unless the cards are in
    special order.

    Grade: float64, rounded once; exact with ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards
        The rows, each as for :func:`value`. There may be none if there are stacks.
    stacks : iterable of rows of cards
        Rows that are open at the right end only.
    rules : Rules, optional
        The classic rules if not given. Only rules for two players and one card a turn
        are supported. Their weights are for the rows one after the other, then for the
        stacks.
    backend : {"float64", "exact"}
        The arithmetic of the result, as for :func:`value`.

    Returns
    -------
    float, int or Fraction
        What the first player wins by, as from :func:`value`.

    Raises
    ------
    TypeError, ValueError
        As for :func:`value`; also if there is neither a row nor a stack, or the rules
        are not supported.

    Notes
    -----
    Collapsing works in the same way on one row and on several. Closed ends need one
    more rule; see :doc:`/theory/cardrow`.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.value_of_rows([[1, 5, 1], [2, 3]])
    -2.0

    Closing the left end of a row can change its value:

    >>> cardrow.value([5, 1, 1]), cardrow.value_of_rows([], stacks=[[5, 1, 1]])
    (5.0, 5.0)
    >>> cardrow.value([5, 1]), cardrow.value_of_rows([], stacks=[[5, 1]])
    (4.0, -4.0)
    """
    backend = arguments.backend(backend)
    table = _table(rows, stacks, rules)
    parts = [*map(engine.row, table.rows), *map(engine.stack, table.stacks)]
    return in_backend(backend, table.instance.lead(engine.value(parts)))


class End(NamedTuple):
    """An end of one of several rows.

    Attributes
    ----------
    row : int
        The number of the row, counted from 0; the stacks follow the rows.
    side : {"left", "right"}
        The end of the row. The open end of a stack is its right one; the last card of a
        row counts as taken from the left.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.advice_of_rows([[1, 5, 1], [2, 3]]).action
    End(row=1, side='right')
    """

    row: int
    side: Side

    def __str__(self) -> str:
        return f"row {self.row} {self.side}"


@dataclass(frozen=True, slots=True, repr=False)
class RowsAdvice(AdviceRecord[End, Exact]):
    """The best turns on several rows; made by :func:`advice_of_rows`.

    Attributes
    ----------
    action : End
        An optimal end to take from, chosen by the tie rule.
    best : tuple of End
        All optimal ends.
    values : mapping of End to int or Fraction
        The lead of the player to move after taking from each end, if both players play
        optimally after it. Under misère rules the smallest is the best.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.advice_of_rows([[1, 5, 1], [2, 3]]))
    take row 1 right (a tie); value: row 0 left -2, row 0 right -2, row 1 left -4, \
row 1 right -2.
    """

    def _summary(self) -> str:
        return f"take {self.action}{' (a tie)' * self.tie}"


def advice_of_rows(
    rows: Iterable[Cards],
    *,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
) -> RowsAdvice:
    """Return the best end to take from in a game on several rows, and all values.

    Grade: exact.

    Parameters
    ----------
    rows, stacks, rules
        As for :func:`value_of_rows`. With weights, the player to move is the first
        player, who values the cards as the rows say.

    Returns
    -------
    RowsAdvice
        Among equally good ends, the tie rule "left" takes the first, "right" the last,
        and "larger" the one with the largest card, the last of equal ones.

    Notes
    -----
    Each row is collapsed three times, and each stack twice. Then the collapsed cards
    are sorted once for each end.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> advice = cardrow.advice_of_rows([[2, 9]], stacks=[[1, 5, 1]])
    >>> advice.best, advice.value
    ((End(row=0, side='right'),), 4)
    """
    table = _table(rows, stacks, rules)
    rules, found = arguments.rules(rules, Rules), []
    worths = engine.worths_of_ends(table.rows, table.stacks)
    every = [*table.rows, *table.stacks]
    for i, (cards, (left, right)) in enumerate(zip(every, worths, strict=True)):
        is_row = i < len(table.rows)
        if is_row:
            found.append((End(i, "left"), left, cards[0]))
        if not is_row or len(cards) > 1:
            found.append((End(i, "right"), right, cards[-1]))
    most = max([wanted for _, wanted, _ in found])
    best = [(end, card) for end, wanted, card in found if wanted == most]
    action = best[0 if rules.tie == "left" else -1][0]
    if rules.tie == "larger":
        sign = -1 if rules.misere else 1
        action = max(best, key=lambda x: (sign * x[1], x[0].row, x[0].side))[0]
    by_end = {end: table.instance.lead(wanted) for end, wanted, _ in found}
    return RowsAdvice(action, tuple([end for end, _ in best]), by_end)


class _Table(NamedTuple):
    """The rows and stacks of a game, as integers.

    Attributes
    ----------
    rows, stacks : list of lists of int
        The cards that both players want.
    instance : Instance
        It converts these integers to results.
    """

    rows: list[list[int]]
    stacks: list[list[int]]
    instance: Instance


def _table(
    rows: Iterable[Cards], stacks: Iterable[Cards], rules: Rules | None
) -> _Table:
    """Return the rows and stacks of a game, checked."""
    rules = arguments.rules(rules, Rules)
    if not rules.linear:
        raise ValueError(
            "several rows need rules with take=1 and players=2, got "
            f"take={rules.take}, players={rules.players}"
        )
    closed = list(read_rows("stacks", stacks, least=0))
    parts = list(read_rows("rows", rows, least=0 if closed else 1))
    instance = instance_of(rules, Row.joined([*parts, *closed]))
    wanted = iter(instance.wanted)
    lists = [list(islice(wanted, len(part.numerators))) for part in [*parts, *closed]]
    return _Table(lists[: len(parts)], lists[len(parts) :], instance)
