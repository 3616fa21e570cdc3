"""The best response to opponents whose policies are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.plans import Goal
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Number
from cardgames_dp.cardrow.memoryless import SEATS, Response, Seat, memoryless
from cardgames_dp.cardrow.plans import Plan, planned
from cardgames_dp.cardrow.policies import Policy, checked
from cardgames_dp.cardrow.rules import TIES, Rules

GOALS: tuple[Goal, ...] = ("lead", "win")


@overload
def best_response(
    cards: Cards,
    opponent: Policy,
    *,
    seat: Seat = "first",
    backend: Literal["float64"] = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Response[float]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy,
    *,
    seat: Seat = "first",
    backend: Literal["exact"],
    tie: Tie = "right",
    progress: bool = False,
) -> Response[Exact]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat | int = "first",
    backend: Backend = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Plan[Any]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal,
    slack: Number | None = None,
    seat: Seat | int = "first",
    backend: Backend = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Plan[Any]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number,
    seat: Seat | int = "first",
    backend: Backend = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Plan[Any]: ...
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat | int = "first",
    backend: Backend = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Response[float] | Response[Exact] | Plan[Any]:
    """Return how to win by the most, or most often, against a given opponent.

    By the classic rules, two players and one card a turn, and for the mean lead, this
    is a policy that looks at the cards left alone. With `rules`, a `goal` or `slack` it
    is a plan, which looks at what has been taken so far as well.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    opponent : word, Mixed or callable
        Any player that :func:`match` knows. A callable is asked once about each
        interval that the opponent can be left with, and must not depend on chance or
        on anything else; it may return a probability.
        With more than two players, one for each of the others, in the order in which
        they move after us; a single one stands for all of them.
    rules : Rules, optional
        Any; their `tie` is replaced by the argument of that name.
    goal : {"lead", "win"}, optional
        What to make as large as can be: what we win by on average (with more than two
        players, our own sum), or the chance of winning, and then that of a draw.
    slack : int, Fraction, Decimal or float, optional
        The response must be sure, against any opponent, to win by the value of the game
        less this. With 0, nothing is risked but what the opponent has given away by
        then. If not given, anything may be risked. For two players.
    seat : {"first", "second"} or int
        Whether we start, or the opponent does; or our number, counted from 0.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers and Fractions. Against opponents who leave
        nothing to chance, "exact" is as fast; the others make long integers.
    tie : {"right", "left", "larger"}
        What both we and the opponent do where both ends are equally good; "larger" is
        the larger card, of equal ones the right one. Ours changes the policy only, the
        opponent's the value.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Response or Plan
        What it is worth, and what to do wherever we are to move. A Response's value
        is what it wins by on average. If `rules`, `goal` or `slack` is given, it is a
        Plan, which knows the chances of winning as well; its value is what the goal
        makes large, the lead or the chance of a win.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, or a callable returns something else
        than a move; in float64 also if sums of the cards are too large for it.
    TooLargeError
        If the table of our turns would not fit in memory. That of a plan has an entry
        for every sum that can come up at each interval.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    O(n**2) time. In float64, with u = 2**-53 and x the largest card, an interval of
    length D adds at most ``8 u x D`` to the error, which so stays below
    ``8 u x n**2``; worths of both ends that are closer than twice this, at their
    length, are taken for a tie.

    A plan takes time for each sum that can come up, too: O(n**3 x) for n cards that are
    integers of up to x, two players and one card a turn, and a tenth of a second for 52
    of 1 to 13. Among all plans that are sure of as much, it is the best one, not only
    among those that keep to optimal turns: the page "Cards in a row" has the proof.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs") plays
    against such sisters and asks whether its row of section 2.3 can be won.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [4, 4, 6, 6, 12, 9]
    >>> response = cardrow.best_response(row, "larger")
    >>> response
    Response(cards=6, opponent='larger', seat='first', value=3)
    >>> cardrow.match(row, response, "larger").sums
    (22, 19)
    >>> cardrow.best_response([8, 4, 2, 2, 4, 8], "random", backend="exact").value
    Fraction(6, 1)

    More often, though by less; and what may be won by a player who wants to be sure of
    3, the value of this row, all the same:

    >>> row = [5, 2, 9, 12, 10, 11, 4, 4]
    >>> print(cardrow.best_response(row, "random", goal="lead"))
    plan against random: lead 8 on average; wins 0.75, draws 0, loses 0.25
    >>> print(cardrow.best_response(row, "random", goal="win"))
    plan against random: lead 6.75 on average; wins 1, draws 0, loses 0
    >>> print(cardrow.best_response(row, "random", slack=0))
    plan against random: lead 5 (surely 3) on average; wins 1, draws 0, loses 0
    """
    row = read("cards", cards)
    backend = _checks.backend(backend)
    tie = _checks.choice("tie", tie, TIES)
    progress = _checks.boolean("progress", progress)
    if rules is None and goal is None and slack is None:
        opponent = checked("opponent", opponent)
        return memoryless(
            row,
            opponent,
            _checks.choice("seat", seat, SEATS),
            backend,
            tie,
            progress=progress,
        )
    rules = _checks.rules(rules, Rules)
    goal = "lead" if goal is None else _checks.choice("goal", goal, GOALS)
    risked = None if slack is None else _checks.amount("slack", slack)
    if risked is not None and rules.players > 2:
        raise ValueError(
            "slack is for two players, of whom each can be sure of something, got "
            f"players={rules.players}"
        )
    return planned(
        row,
        _others(opponent, rules),
        rules,
        seat=_seat(seat, rules),
        goal=goal,
        slack=risked,
        backend=backend,
        tie=tie,
        progress=progress,
    )


def _others(opponent: object, rules: Rules) -> list[Policy]:
    """Return a policy for each of the other players, checked."""
    others = rules.players - 1
    if not isinstance(opponent, (list, tuple)):
        return [checked("opponent", opponent)] * others
    if len(opponent) != others:
        raise ValueError(
            f"opponent must be one policy, or one for each of {others} other players, "
            f"got {len(opponent)}"
        )
    return [checked(f"opponent[{i}]", policy) for i, policy in enumerate(opponent)]


def _seat(seat: object, rules: Rules) -> int:
    """Return the number of a seat."""
    if isinstance(seat, str):
        return SEATS.index(_checks.choice("seat", seat, SEATS))
    number = _checks.integer("seat", seat)
    if number >= rules.players:
        raise ValueError(
            f"seat must be less than the number of players, {rules.players}, got "
            f"{_checks.shown(seat)}"
        )
    return number
