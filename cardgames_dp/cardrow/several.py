"""One game on several rows, some of them open at one end only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple, overload

from cardgames_dp import _checks
from cardgames_dp._advice import AdviceRecord
from cardgames_dp._checks import Backend
from cardgames_dp.cardrow._cards import read, read_rows
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels import stacks as engine
from cardgames_dp.cardrow._kernels.instance import Instance
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Row
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Side
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
    """Return what the first player wins by in one game on several rows.

    A turn takes a card from either end of any row, or from the open end of any stack;
    :func:`values` is for many games, each with a row of its own. Linear time, and the
    sorting of what the rows collapse to, which is little unless they are in special
    order.

    Grade: float64, rounded once; exact with ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards
        Each as for :func:`value`.
    stacks : iterable of rows of cards
        Rows with one end only: cards are taken from the right. With stacks there need
        not be any rows.
    rules : Rules, optional
        The classic ones if not given; with one card a turn and two players. Weights
        are those of the rows one after the other, then of the stacks.
    backend : {"float64", "exact"}
        As for :func:`value`.

    Returns
    -------
    float, int or Fraction
        As from :func:`value`.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`; also if there is neither a row nor a stack, or for other
        rules.

    Notes
    -----
    Collapsing does not see whether cards lie in one row or in several; closed ends need
    one more rule: `cardgames_dp.cardrow._kernels.stacks`.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.value_of_rows([[1, 5, 1], [2, 3]])
    -2.0

    Closed to the left, the same row may be worth something else:

    >>> cardrow.value([5, 1, 1]), cardrow.value_of_rows([], stacks=[[5, 1, 1]])
    (5.0, 5.0)
    >>> cardrow.value([5, 1]), cardrow.value_of_rows([], stacks=[[5, 1]])
    (4.0, -4.0)
    """
    backend = _checks.backend(backend)
    table = _table(rows, stacks, rules)
    parts = [*map(engine.row, table.rows), *map(engine.stack, table.stacks)]
    return in_backend(backend, table.instance.lead(engine.value(parts)))


class End(NamedTuple):
    """An end of one of several rows.

    Attributes
    ----------
    row : int
        The number of the row, from 0 on; stacks are counted on after the rows.
    side : {"left", "right"}
        Which end of it; the open end of a stack is its right one, and a single card is
        taken from the left of a row.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.best_move_of_rows([[1, 5, 1], [2, 3]]).action
    End(row=1, side='right')
    """

    row: int
    side: Side

    def __str__(self) -> str:
        return f"row {self.row} {self.side}"


@dataclass(frozen=True, slots=True, repr=False)
class RowsAdvice(AdviceRecord[End, Exact]):
    """What to do with several rows; made by :func:`best_move_of_rows`.

    Attributes
    ----------
    action : End
        An optimal end to take from, the one that the tie rule takes.
    best : tuple of End
        All optimal ones.
    worths : mapping of End to int or Fraction
        What the player to move wins by after taking each, if both play optimally then.
        Under misère rules the smallest is the best.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.best_move_of_rows([[1, 5, 1], [2, 3]]))
    take row 1 right (a tie); worth: row 0 left -2, row 0 right -2, row 1 left -4, \
row 1 right -2.
    """

    def _summary(self) -> str:
        return f"take {self.action}{' (a tie)' * self.tie}"


def best_move_of_rows(
    rows: Iterable[Cards],
    *,
    stacks: Iterable[Cards] = (),
    rules: Rules | None = None,
) -> RowsAdvice:
    """Return the best end to take from in one game on several rows, and all worths.

    Grade: exact.

    Parameters
    ----------
    rows, stacks, rules
        As for :func:`value_of_rows`. With weights, the player to move is the one to
        whom the cards are worth what the rows say.

    Returns
    -------
    RowsAdvice
        Of equally good ends, the tie rule "left" takes the first one, "right" the last
        one, and "larger" the one with the largest card, the last of equal ones.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value_of_rows`.

    Notes
    -----
    Each row is collapsed three times, each stack twice; then each end takes a sort of
    what all of them collapse to.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> advice = cardrow.best_move_of_rows([[2, 9]], stacks=[[1, 5, 1]])
    >>> advice.best, advice.worth
    ((End(row=0, side='right'),), 4)
    """
    table = _table(rows, stacks, rules)
    rules, found = _checks.rules(rules, Rules), []
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
    """What lies on the table.

    Attributes
    ----------
    rows, stacks : list of lists of int
        The cards that both players want.
    instance : Instance
        It knows what these integers stand for.
    """

    rows: list[list[int]]
    stacks: list[list[int]]
    instance: Instance


def _table(
    rows: Iterable[Cards], stacks: Iterable[Cards], rules: Rules | None
) -> _Table:
    """Return what lies on the table, checked."""
    rules = _checks.rules(rules, Rules)
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


def collapsed(cards: Cards) -> tuple[Exact, ...]:
    """Return a shorter row that is worth the same, wherever it stands in another row.

    Of each peak, three neighbours a <= b >= c, it leaves a - b + c, until there is none
    (with one card a turn and two players, of whom each wants the larger sum). The value
    of a long row so follows from those of its pieces: it is the value of what the
    pieces collapse to, one after the other. Linear time.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.

    Returns
    -------
    tuple of int or Fraction
        A row that falls and then rises, with as many cards fewer as is an even number:
        of random rows about ten are left.

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`.

    References
    ----------
    Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the Coins in a
    Row Game", 2010.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.collapsed([4, 4, 6, 6, 12, 9, 3, 8, 2, 7, 7, 1])
    (4, 1, -3, 1)

    A row a thousand times over, from ten doublings and no long row:

    >>> row = piece = (3, 1, 4, 1, 5, 9, 2, 6)
    >>> for _ in range(10):
    ...     row = cardrow.collapsed(row + row)
    >>> row, cardrow.value(row) == cardrow.value(piece * 1024)
    ((3, -2, -3071, 6), True)
    """
    row = read("cards", cards)
    return tuple([row.exact(x) for x in collapse.collapsed(row.numerators)])
