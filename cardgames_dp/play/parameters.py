"""The value of a game for one player as an exact function of an amount.

If returns and rewards are affine in an amount (a fee, a prize), so is the value of any
policy; the value of the game is the largest of finitely many lines, hence convex and
piecewise linear. Its pieces are found as by M. J. Eisner and D. G. Severance [1]_: the
lines of two optimal policies are intersected, and the game is solved there. Either
neither line can be improved, and there is a breakpoint, or there is another line
between them. So each piece and each breakpoint takes about one solution.

The line of a policy comes from the solution of one game: its only player who decides
is paid what the game pays at an amount, and a second player is paid the slope of it.

References
----------
.. [1] M. J. Eisner and D. G. Severance, "Mathematical techniques for efficient record
   segmentation in large shared databases", Journal of the ACM 23 (1976), 619-635.
"""

from __future__ import annotations

import inspect
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._graph.answers import TERMINAL, GameError
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import Graph, Integers, fractions, zero_rewards
from cardgames_dp._graph.payments import build_rewards, distinct_rows, ratios
from cardgames_dp._graph.solution import Solution
from cardgames_dp._results import figures
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import vector_text, with_noun
from cardgames_dp.play.evaluation import as_explored

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Line: TypeAlias = tuple[Fraction, Fraction]
"""The value of a policy at amount 0, and its slope."""

_CHECK = Fraction(5, 13)
"""Where between the ends it is checked that payments are affine."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Breakpoints(Result):
    """The value of a game as a function of an amount; made by :func:`breakpoints`.

    It prints as a table of its pieces.

    Attributes
    ----------
    amount : str
        The name of the amount: the parameter of the function that makes the game.
    ends : tuple of Fraction
        The ends of the pieces: the lowest amount, the breakpoints, the highest.
    lines : tuple of pair of Fraction
        For each piece, the intercept and the slope of the value: between its ends it is
        ``intercept + slope * amount``.
    make : callable
        The function of the amount that makes the game.

    Examples
    --------
    >>> from cardgames_dp import play, redblack
    >>> def deck(fee):
    ...     return redblack.game(5, 5, rules=redblack.Rules(fee=fee))
    >>> found = play.breakpoints(deck, 0, 1)
    >>> found.value("1/10"), found.solution("1/10").policy[redblack.State(5, 4)]
    (Fraction(197, 420), 'draw')
    """

    amount: str
    ends: tuple[Fraction, ...]
    lines: tuple[Line, ...]
    make: Callable[[Fraction], Any] = field(repr=False, compare=False)

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The amounts at which the slope of the value changes."""
        return self.ends[1:-1]

    _derived = ("breakpoints",)
    _repr_fields = ("amount", "ends")

    def value(self, amount: float | Fraction | str) -> Fraction:
        """Return the value of the game at an amount, exactly.

        Parameters
        ----------
        amount : int, Fraction, Decimal, float or str
            Between the ends. A float stands for the binary fraction that it is; a tenth
            is ``"0.1"`` or ``"1/10"``.

        Raises
        ------
        TypeError, ValueError
            If it is not such a number.
        """
        exactly = self._checked(amount)
        piece = bisect_right(self.breakpoints, exactly)
        return _at(self.lines[piece], exactly)

    def solution(self, amount: float | Fraction | str) -> Solution[Any, Any, Fraction]:
        """Make and solve the game at an amount.

        The policy of an amount between two breakpoints is optimal at the start for all
        amounts between them; in states that it never reaches it need not be.

        Parameters
        ----------
        amount : int, Fraction, Decimal, float or str
            As for :meth:`value`.

        Raises
        ------
        TypeError, ValueError
            If it is not such a number.
        """
        return exact.solve(arguments.call("make", self.make, self._checked(amount)))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the value over the amount, with a dot at each breakpoint.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If there are numbers beyond 1e100.
        ModuleNotFoundError
            If matplotlib is not installed (the extra ``plot``).
        """
        points = [*self.ends], [*map(self.value, self.ends)]
        x, y = (figures.drawable("ends", np.array(p, dtype=object)) for p in points)
        ax = figures.axes(ax)
        ax.plot(x, y, color=figures.COLOURS[0])
        ax.plot(x[1:-1], y[1:-1], "o", color=figures.COLOURS[0], markersize=4)
        ax.set_xlabel(self.amount)
        ax.set_ylabel("value")
        count = with_noun(len(self.breakpoints), "breakpoint")
        figures.title(ax, f"Value by {self.amount}: {count}")
        return ax

    def _checked(self, amount: Any) -> Fraction:
        exactly, (low, *_, high) = _number("amount", amount), self.ends
        if not low <= exactly <= high:
            raise arguments.wrong_value(
                f"amount must be from {vector_text(low)} to {vector_text(high)}", amount
            )
        return exactly

    def _columns(self) -> tuple[Any, dict[str, list[Any]]]:
        return None, {
            f"{self.amount} from": [*self.ends[:-1]],
            "to": [*self.ends[1:]],
            "value": [*map(_at, self.lines, self.ends[:-1])],
            "slope": [slope for _, slope in self.lines],
        }

    def _table(self) -> Table:
        _, columns = self._columns()
        cells = [[vector_text(x) for x in column] for column in columns.values()]
        note = f"value: at the first {self.amount}; slope: from there to the second"
        return Table([*columns], [*zip(*cells, strict=True)], [note], left=(), most=100)


@suggest_arguments
def breakpoints(
    make: Callable[[Fraction], Any],
    low: float | Fraction | str,
    high: float | Fraction | str,
) -> Breakpoints:
    """Return the value of a game for one player as an exact function of an amount.

    The value is convex and piecewise linear. Between two breakpoints one policy is
    optimal; at a breakpoint two are.

    Grade: exact.

    Parameters
    ----------
    make : callable
        A function of an amount, a Fraction, that returns a game in any form. The amount
        may change only what the game pays, and its returns and rewards must be affine
        in it: an intercept plus a slope times the amount. This is checked at the ends
        and at one amount between them.
    low, high : int, Fraction, Decimal, float or str
        The least and the largest amount. A float stands for the binary fraction that it
        is; a tenth is ``"0.1"`` or ``"1/10"``.

    Returns
    -------
    Breakpoints
        The breakpoints, the lines between them, and solutions; prints as a table.

    Raises
    ------
    TypeError
        If an argument has the wrong type, or returns or rewards are floats.
    GameError
        If the game has several players (then the value is neither convex nor concave);
        if its states, moves or probabilities depend on the amount, or what it pays is
        not affine; and as for :func:`cardgames_dp.exact.solve`.
    ValueError
        If `low` is not below `high`.

    Examples
    --------
    Red/black with a fee for each card drawn. A slope is minus the mean number of cards:
    6.6 if the fee is at most 1/12, and none from 105/491 on.

    >>> from cardgames_dp import play, redblack
    >>> def deck(fee):
    ...     return redblack.game(5, 5, rules=redblack.Rules(fee=fee))
    >>> print(play.breakpoints(deck, 0, 1))
    fee from       to     value     slope
           0     1/12     47/42  -829/126
        1/12     5/47  863/1512  -769/126
        5/47   21/184   283/658    -75/14
      21/184  105/491   143/368  -491/126
     105/491        1         0         0
    (value: at the first fee; slope: from there to the second)
    """
    if not callable(make):
        raise arguments.wrong_type("make must be a function that returns a game", make)
    first, last = _number("low", low), _number("high", high)
    if first >= last:
        raise arguments.wrong_value(f"high must be above low, {low}", high)
    lines = _lines(_family(make, first, last), first, last)
    ends = [first, *[_crossing(*pair) for pair in pairwise(lines)], last]
    # A policy that is optimal at one amount only, by a tie, has no piece.
    pieces = [i for i, (x, y) in enumerate(pairwise(ends)) if x < y]
    return Breakpoints(
        amount=_name(make),
        ends=(*[ends[i] for i in pieces], last),
        lines=tuple([lines[i] for i in pieces]),
        make=make,
    )


def _number(name: str, value: object) -> Fraction:
    accepted = "a finite int, Fraction, Decimal or float, or one written as text, '0.1'"
    return arguments.finite(name, value, accepted, text=True)


def _name(make: Any) -> str:
    """Return the name of the first parameter, if it has one."""
    try:
        return next(iter(inspect.signature(make).parameters), "amount")
    except ValueError:  # a function of C may have no signature
        return "amount"


def _at(line: Line, amount: Fraction) -> Fraction:
    intercept, slope = line
    return intercept + slope * amount


def _crossing(one: Line, other: Line) -> Fraction:
    """Return the amount at which two lines with different slopes meet."""
    return (one[0] - other[0]) / (other[1] - one[1])


def _lines(family: _Family, low: Fraction, high: Fraction) -> list[Line]:
    """Return lines of optimal policies by slope, among them one of every piece.

    If two of them have the same slope they are the same, as both touch the value.
    """
    lines = {family.line(low), family.line(high)}
    between = [sorted(lines, key=lambda line: line[1])]
    while between:
        left, *rest = between.pop()
        for right in rest:
            amount = _crossing(left, right)
            middle = family.line(amount)
            if _at(middle, amount) > _at(left, amount):
                lines.add(middle)
                between += [[left, middle], [middle, right]]
    return sorted(lines, key=lambda line: line[1])


class _Affine(NamedTuple):
    """What moves or ends pay by an amount.

    Attributes
    ----------
    row_of : ndarray of int
        By move or end: the row of what it pays.
    rows : ndarray of Fraction, shape (rows, 2)
        Different pairs of an intercept and a slope; the first is nothing.
    """

    row_of: Integers
    rows: NDArray[Any]

    def at(self, amount: Fraction) -> NDArray[Any]:
        """Return what the rows pay, times the amount's denominator, and the slopes."""
        top, bottom = amount.as_integer_ratio()
        intercepts, slopes = self.rows.T
        return np.stack([intercepts * bottom + slopes * top, slopes], axis=1)


@dataclass(frozen=True, slots=True)
class _Family:
    """A game by an amount: its states and moves, and what these pay."""

    explored: Explored[Any, Any] | ExploredArrays
    returns: _Affine
    rewards: _Affine

    def line(self, amount: Fraction) -> Line:
        """Return the line of a policy that is optimal at an amount."""
        # Integers if intercepts and slopes are, which is faster than fractions.
        tops, bottoms, _ = ratios(self.returns.at(amount))
        rows = self.returns.row_of
        game = self.explored._with(
            numerators=tops[rows],
            denominators=bottoms[rows],
            rewards=build_rewards(self.rewards.row_of, self.rewards.at(amount)),
        )
        try:
            value, slope = exact.solve(game).payoffs
        except GameError as error:
            error.add_note(
                f"raised by exact.solve for the amount {vector_text(amount)}"
            )
            raise
        return value / amount.denominator - slope * amount, slope


def _family(make: Any, low: Fraction, high: Fraction) -> _Family:
    """Return the games that a function makes, checked."""
    amounts = (low, high, low + (high - low) * _CHECK)
    games: list[Explored[Any, Any] | ExploredArrays] = []
    for amount in amounts:
        game = as_explored(arguments.call("make", make, amount))
        if game.num_players > 1:
            raise GameError(
                f"make must return games for one player, got {game.num_players}: with "
                "more, the value is neither convex nor concave; see play.variants"
            )
        game.graph.refuse_floats()
        games.append(game)
        _refuse_other(games[0], game, low, amount)
    return _Family(
        games[0],
        returns=_affine("returns", games, amounts),
        rewards=_affine("rewards", games, amounts),
    )


def _affine(what: str, games: list[Any], amounts: tuple[Fraction, ...]) -> _Affine:
    """Return the returns or rewards of a game by the amount.

    The games are those at the lowest amount, at the highest, and at one between.
    """
    graph, (low, high, between) = games[0].graph, amounts
    rows_of, numbers = zip(*[_payments(x.graph, what) for x in games], strict=True)
    nothing = np.full((1, 2), Fraction(0))
    if not rows_of[0].size:
        return _Affine(rows_of[0], nothing)
    kinds, index = distinct_rows(np.stack(rows_of, axis=1))
    x, y, z = (each[kind] for each, kind in zip(numbers, kinds.T, strict=True))
    slopes = (y - x) / (high - low)
    wrong = (x + slopes * (between - low) != z)[index]
    if wrong.any():
        places = np.flatnonzero(graph.players == TERMINAL)
        if what == "rewards":
            places = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))
        first = int(wrong.argmax())
        pairs = zip((low, between, high), (x, z, y), strict=True)
        got = [f"{vector_text(n[index[first]])} at {vector_text(a)}" for a, n in pairs]
        raise GameError(
            f"{what} must be an intercept plus a slope times the amount, got in state "
            f"{arguments.shown(games[0].state(int(places[first])))} {', '.join(got)}"
        )
    rows, kind = distinct_rows(np.stack([x - slopes * low, slopes], axis=1))
    return _Affine(kind[index] + 1, np.concatenate([nothing, rows]))


def _payments(graph: Graph, what: str) -> tuple[Integers, NDArray[Any]]:
    """Return by end or move the row of what it pays, and the numbers in rows."""
    part: Any = graph
    if what == "rewards":
        part = graph.rewards or zero_rewards(graph)
    numbers = fractions(part.numerators[:, 0], part.denominators[:, 0])
    return getattr(part, "rows", np.arange(len(numbers))), numbers


def _refuse_other(one: Any, other: Any, low: Fraction, amount: Fraction) -> None:
    """Refuse a game that differs from that at the lowest amount in more than payments.

    Raises
    ------
    GameError
        It names the first state in which they differ.
    """
    if _is_same(one, other):
        return

    def facts(game: Any, place: int) -> dict[str, Any]:
        node, total = game.node(place), sum(game.node(place).weights)
        return {
            "another state in place of": game.state(place),
            "another player in state": node.player,
            "other actions in state": node.actions,
            "other moves in state": node.following,
            "other probabilities in state": [Fraction(w, total) for w in node.weights],
        }

    for place in range(min(one.num_states, other.num_states)):
        mine, its = facts(one, place), facts(other, place)
        if mine != its:
            what = next(name for name in mine if mine[name] != its[name])
            raise GameError(
                f"make must return games that differ only in what they pay, got {what} "
                f"{arguments.shown(one.state(place))} at {vector_text(amount)} than at "
                f"{vector_text(low)}"
            )
    raise GameError("make must return games with the same states")


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two explored games have the same states, moves and chances."""
    if type(one) is not type(other):
        return False
    mine, its = one.graph, other.graph
    names = ("players", "offsets", "following")
    pairs = [(getattr(mine, name), getattr(its, name)) for name in names]
    if isinstance(one, Explored):
        pairs.append((one.action_index, other.action_index))
        same = (one.states, one.actions) == (other.states, other.actions)
    else:
        pairs.append((one.columns, other.columns))
        same = True
    if not same or not all(np.array_equal(*pair) for pair in pairs):
        return False
    return np.array_equal(mine.weights, its.weights) or np.array_equal(
        mine.chances("exact"), its.chances("exact")
    )
