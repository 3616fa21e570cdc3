"""The best response to opponents whose policies are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, overload

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
    seat: Seat | SupportsIndex = "first",
    backend: Literal["float64"] = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Response[float]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy,
    *,
    seat: Seat | SupportsIndex = "first",
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
    seat: Seat | SupportsIndex = "first",
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
    seat: Seat | SupportsIndex = "first",
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
    seat: Seat | SupportsIndex = "first",
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
    seat: Seat | SupportsIndex = "first",
    backend: Backend = "float64",
    tie: Tie = "right",
    progress: bool = False,
) -> Response[float] | Response[Exact] | Plan[Any]:
    """Return the best response to given opponents: win by the most, or most often.

    Under the classic rules (two players, one card a turn), and for the largest mean
    lead, the result is a :class:`Response`: a policy that looks only at the cards left.
    If `rules`, `goal` or `slack` is given, it is a :class:`Plan`, which also looks at
    the sums taken so far.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    opponent : Policy or sequence of Policy
        The opponent: a name, a :class:`Mixed` or a callable; see `Policy`. A callable
        is asked once about each interval at which the opponent can be to move; its
        answer, which may be a probability, must depend on nothing else and must not be
        random. With more than two players, a sequence with one policy for each of the
        others, in the order in which they move after you; a single policy stands for
        all of them.
    rules : Rules, optional
        The classic rules if not given; their `tie` is replaced by the argument of that
        name.
    goal : {"lead", "win"}, optional
        What to maximise: your mean lead (with more than two players, your mean sum), or
        your probability of winning and then that of a draw.
    slack : int, Fraction, Decimal or float, optional
        The response must guarantee, against any opponent, the value of the game less
        this. With 0, it risks only what the opponent has given away so far. If not
        given, it may risk anything. For two players.
    seat : {"first", "second"} or int
        Your seat: whether you move first or second; or its number, counted from 0.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers and Fractions. Against deterministic
        opponents "exact" is as fast; random ones lead to long integers.
    tie : {"right", "left", "larger"}
        What you and the named opponents do where both ends are equally good, as for
        :func:`match`. Your choice changes only the response, the opponent's also the
        value.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Response or Plan
        The value of the response, and its turn wherever you are to move. The value of a
        Response is its mean lead. A Plan also has the probabilities of winning and of a
        draw; its value is what `goal` maximises.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, a callable returns anything but a
        move, or, in float64, sums of the cards are too large.
    TooLargeError
        If the table of turns would not fit in memory. The table of a plan has an entry
        for every combination of sums that can come up at each interval.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    See Also
    --------
    response_values : The values of best responses on many rows.

    Notes
    -----
    A Response takes O(n**2) time for n cards. In float64, with u = 2**-53 and x the
    largest card in absolute value, an interval of D cards adds at most ``8 u x D`` to
    the error, so the error stays below ``8 u x n**2``. Two ends count as a tie if their
    worths differ by less than twice this bound at their length.

    A Plan also takes time for each combination of sums: O(n**3 x) for n cards that are
    integers up to x, two players and one card a turn; a tenth of a second for 52 cards
    of 1 to 13. With `slack`, it is the best among all plans with the same guarantee,
    not only among those that keep to optimal turns; :doc:`/theory/cardrow` has the
    proof.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), who play against such opponents
    and ask whether the row of section 2.3 can be won.

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

    Three responses on one row: the first wins by the most on average; the second wins
    most often, by less; the third wins by the most among those that guarantee 3, the
    value of the row:

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
            SEATS[_seat(seat, Rules())],
            backend,
            tie,
            progress=progress,
        )
    rules = _checks.rules(rules, Rules)
    goal = "lead" if goal is None else _checks.choice("goal", goal, GOALS)
    risked = None if slack is None else _checks.amount("slack", slack)
    if risked is not None and rules.players > 2:
        raise ValueError(
            "slack is for two players, as with more of them no lead is guaranteed, got "
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
    """Return the number of a seat, which may be given in words."""
    if isinstance(seat, str):
        return SEATS.index(_checks.choice("seat", seat, SEATS))
    number = _checks.integer("seat", seat)
    if number >= rules.players:
        raise ValueError(
            f"seat must be less than the number of players, {rules.players}, got "
            f"{_checks.shown(seat)}"
        )
    return number
