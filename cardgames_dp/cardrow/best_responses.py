"""Best responses to opponents whose policies are known, and what policies guarantee.

The recursions are in `cardgames_dp.cardrow._kernels.responses`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import progress_bar, refuse_too_large
from cardgames_dp.cardrow._kernels import responses as engine, values
from cardgames_dp.cardrow._kernels.responses import Goal
from cardgames_dp.cardrow._kernels.row import (
    Cards,
    Exact,
    Instance,
    Number,
    Row,
    alike,
    float_array,
)
from cardgames_dp.cardrow._kernels.states import Board, most_states, reached
from cardgames_dp.cardrow.cards import read, read_rows
from cardgames_dp.cardrow.policies import (
    Policy,
    checked,
    name_of,
    player_of,
)
from cardgames_dp.cardrow.response import Response
from cardgames_dp.cardrow.rules import (
    Rules,
    deals_of,
    is_classic,
)

GOALS: tuple[Goal, ...] = ("lead", "win")
Seat: TypeAlias = Literal["first", "second"]
SEATS: tuple[Seat, ...] = ("first", "second")


@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat | SupportsIndex = "first",
    backend: Literal["float64"] = "float64",
) -> Response[float]: ...
@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat | SupportsIndex = "first",
    backend: Literal["exact"],
) -> Response[Exact]: ...
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat | SupportsIndex = "first",
    backend: Backend = "float64",
) -> Response[float] | Response[Exact]:
    """Return the best response to given opponents: win by the most, or most often.

    With two players who take one card a turn and value the cards alike, the largest
    mean lead needs only a look at the cards left. With other `rules`, a `goal` or
    `slack` the response looks at the sums taken so far as well.

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
        The classic rules if not given. Where both ends are equally good their `tie`
        says what you and the named opponents do; your choice changes only the response,
        the opponent's also the value.
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

    Returns
    -------
    Response
        Its value, and its turn wherever you are to move; with the probabilities of
        winning and of a draw if it looks at sums.

    Raises
    ------
    TypeError, ValueError
        If a callable returns anything but a move, or, in float64, sums of the cards are
        too large.
    TooLargeError
        If the table of turns would not fit in memory. One that looks at sums has an
        entry for every combination that can come up at each interval.

    See Also
    --------
    guarantees : What policies guarantee on many rows: what best responses leave them.

    Notes
    -----
    By the cards alone it takes O(n**2) time for n cards. In float64, with u = 2**-53
    and x the largest card in absolute value, an interval of D cards adds at most
    ``8 u x D`` to the error, so the error stays below ``8 u x n**2``. Two ends count as
    a tie if their worths differ by less than twice this bound at their length.

    With a look at the sums it also takes time for each combination of them:
    O(n**3 x) for n cards that are integers up to x, two players and one card a turn; a
    tenth of a second for 52 cards of 1 to 13. With `slack`, it is the best among all
    plans with the same guarantee, not only among those that keep to optimal turns;
    :doc:`/theory/cardrow` has the proof.

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
    Response(cards=6, opponents=('larger',), seat=0, goal='lead', value=3)
    >>> cardrow.match(row, response, "larger").sums
    (22, 19)
    >>> cardrow.best_response([8, 4, 2, 2, 4, 8], "random", backend="exact").value
    Fraction(6, 1)

    Three responses on one row: the first wins by the most on average; the second wins
    most often, by less; the third wins by the most among those that guarantee 3, the
    value of the row:

    >>> row = [5, 2, 9, 12, 10, 11, 4, 4]
    >>> print(cardrow.best_response(row, "random", goal="lead"))
    response to random: lead 8 on average; wins 0.75, draws 0, loses 0.25
    >>> print(cardrow.best_response(row, "random", goal="win"))
    response to random: lead 6.75 on average; wins 1, draws 0, loses 0
    >>> print(cardrow.best_response(row, "random", slack=0))
    response to random: lead 5 (surely 3) on average; wins 1, draws 0, loses 0
    """
    row = read("cards", cards)
    backend = arguments.backend(backend)
    rules = arguments.rules(rules, Rules)
    if goal is None and slack is None and is_classic(rules):
        return _by_cards(row, checked("opponent", opponent), rules, seat, backend)
    goal = "lead" if goal is None else arguments.choice("goal", goal, GOALS)
    risked = None if slack is None else arguments.amount("slack", slack)
    if risked is not None and rules.players > 2:
        raise ValueError(
            "slack is for two players, as with more of them no lead is guaranteed, got "
            f"players={rules.players}"
        )
    others, place = _others(opponent, rules), _seat(seat, rules)
    return _by_sums(row, others, rules, place, goal, risked, backend)


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
        return SEATS.index(arguments.choice("seat", seat, SEATS))
    number = arguments.integer("seat", seat)
    if number >= rules.players:
        raise ValueError(
            f"seat must be less than the number of players, {rules.players}, got "
            f"{arguments.shown(seat)}"
        )
    return number


def _by_cards(
    row: Row, opponent: Policy, rules: Rules, seat: object, backend: Backend
) -> Response[Any]:
    """Return the best response that looks at the cards left alone."""
    n, place = len(row.numerators), _seat(seat, rules)
    refuse_too_large(f"a best response on {n} cards", n * n, "use a shorter row")
    deals, name = deals_of(rules, [row]), name_of(opponent)
    other = player_of(opponent, deals, f"{arguments.shown(name)}, the opponent,")
    worths = deals.shared
    if backend == "float64":
        worths = float_array(row.numerators, denominator=row.denominator)
    found = engine.reply(worths, deals, other, seat=place)
    lead: Any = float(found.value)
    if backend == "exact":
        lead = row.exact(int(found.value))
        if found.scale > 1:  # something was left to chance
            lead = Fraction(int(found.value), found.scale * row.denominator)
    given = deals.given[0]
    return Response(
        given, rules, (name,), place, "lead", backend, lead, best=found.best
    )


def _by_sums(
    row: Row,
    opponents: Sequence[Policy],
    rules: Rules,
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> Response[Any]:
    """Return the best response that looks at the sums as well."""
    deals = deals_of(rules, [row])
    instance, exact = deals.instances[0], backend == "exact"
    board = Board.of(instance)
    others: list[Any] = [None] * rules.players  # the response itself is never asked
    for i, policy in enumerate(opponents):
        name = f"{arguments.shown(name_of(policy))}, the opponent,"
        others[(seat + 1 + i) % rules.players] = player_of(policy, deals, name)
    _refuse_large(board, exact=exact)
    states = reached(board)
    floor = None if slack is None else _floor(instance, slack, seat)
    offset = _offset(instance)
    task = engine.Task(board, deals, states, others, seat, goal, floor, offset, exact)
    found = engine.solve(task)
    order = sorted(found.codes, key=lambda place: place[1:])
    turns = [found.codes[place] for place in order]
    lead = _lead(instance, found.lead, seat)
    return Response(
        cards=deals.given[0],
        rules=rules,
        opponents=tuple(map(name_of, opponents)),
        seat=seat,
        goal=goal,
        backend=backend,
        lead=lead if exact else float(lead),
        win=Fraction(found.win) if exact else float(found.win),
        draw=Fraction(found.draw) if exact else float(found.draw),
        guaranteed=None if floor is None else _lead(instance, floor, seat),
        places=np.array([place[1:] for place in order], np.int64).reshape(-1, 2),
        starts=np.cumsum([0, *map(len, turns)]),
        tallies=_joined([states[place] for place in order]),
        turns=_joined(turns),
    )


_LARGEST = 10**307
"""The largest base of tallies whose sums surely fit in a float."""


def _refuse_large(board: Board, *, exact: bool) -> None:
    """Refuse a response that would take too much memory, or overflow floats."""
    if not exact and board.base > _LARGEST:
        raise ValueError(
            "cards must have sums of at most 1e306, in units of their least common "
            "denominator, for backend='float64'; use backend='exact'"
        )
    instead = "use a shorter row or smaller integers"
    least = board.cards * (board.cards + 1) // 2  # intervals
    what = f"a response for {board.cards} cards with at least {least} states"
    refuse_too_large(what, 80 * least, instead)
    states = min(most_states(board), 1e300)
    what = f"a response for {board.cards} cards with up to {states:.3g} states"
    refuse_too_large(what, int(states * (500 if exact else 80)), instead)


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays joined into one; there may be none."""
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _offset(instance: Instance) -> int:
    """Return the lead of the first of two players at the start, in the tallies."""
    if not instance.weighted:
        return 0
    favour = sum(instance.own(0)) - sum(instance.own(1))
    return -favour if instance.terms.misere else favour


def _lead(instance: Instance, wanted: Any, seat: int) -> Exact:
    """Return the final lead of a player; with more than two players, its sum.

    Parameters
    ----------
    instance : Instance
    wanted : int, Fraction or float
        The same in units of the tally.
    seat : int
    """
    offset = _offset(instance) * (1 if seat == 0 else -1)
    scale = instance.unit.denominator * (2 if instance.weighted else 1)
    lead = Fraction(wanted + offset) / (-scale if instance.terms.misere else scale)
    return int(lead) if instance.unit.integral and lead.denominator == 1 else lead


def _floor(instance: Instance, slack: Fraction, seat: int) -> int:
    """Return the lead that a player must guarantee, in units of the tally."""
    worth = values.wanted_lead(instance)
    scale = instance.unit.denominator * (2 if instance.weighted else 1)
    return math.ceil((worth if seat == 0 else -worth) - slack * scale)


def guarantees(
    rows: Iterable[Cards] | NDArray[Any],
    policy: Policy = "optimal",
    *,
    rules: Rules | None = None,
    seat: Seat | SupportsIndex = "first",
    backend: Backend = "float64",
) -> NDArray[Any]:
    """Return what a policy is guaranteed to win by on each of many rows.

    This is its lead against the worst opponent: one who knows the policy and plays the
    best response to it. If the policy is random, it is the mean lead, and the opponent
    does not know the draws. An optimal policy guarantees the value; no policy
    guarantees more. The negative is the value of the :func:`best_response` to the
    policy in the other seat.

    Grade: float64, with the bound of :func:`best_response`; exact with
    ``backend="exact"``.

    Parameters
    ----------
    rows : iterable of rows of cards
        Or a two-dimensional array, as from :func:`deal`. The rows may have different
        lengths.
    policy : Policy, default "optimal"
        A name, a :class:`Mixed` or a callable; see `Policy`.
    rules : Rules, optional
        The classic rules, with another `tie` if you like.
    seat : {"first", "second"} or int
        Whether the policy moves first or second.
    backend : {"float64", "exact"}
        The arithmetic. Decisions of named policies are exact with either.

    Returns
    -------
    ndarray, shape (rows,)
        float64; if exact, ints and Fractions (dtype object).

    Raises
    ------
    ValueError
        If the rules are not the classic ones, or a callable returns anything but a
        move.
    TooLargeError
        If the table of an optimal player would not fit in memory.

    Notes
    -----
    :doc:`/theory/cardrow` has the theorem. It takes O(n**2) time for n cards.

    Examples
    --------
    The greedy player can lose the first of these rows:

    >>> from cardgames_dp import cardrow
    >>> rows = [[4, 4, 6, 6, 12, 9], [14, 4, 7, 2, 5, 12]]
    >>> cardrow.guarantees(rows, "greedy")
    array([-3.,  8.])
    >>> cardrow.guarantees(rows) == cardrow.values(rows)
    array([ True,  True])

    How much more the best response to the greedy player wins than optimal play
    guarantees, on average over deals of twelve cards:

    >>> deals = cardrow.deal(2000, 12, rng=1)
    >>> best = -cardrow.guarantees(deals, "greedy", seat="second")
    >>> bool(cardrow.best_response(deals[0], "greedy").value == best[0])
    True
    >>> float((best - cardrow.values(deals)).mean())
    0.637
    """
    policy = checked("policy", policy)
    rules = arguments.rules(rules, Rules)
    if not is_classic(rules):
        raise ValueError(
            "rules must be the classic ones, two players who take one card a turn and "
            f"want the larger sum, got {rules!r}"
        )
    place = _seat(seat, rules)
    exact = arguments.backend(backend) == "exact"
    listed = list(read_rows("rows", rows))
    found = np.empty(len(listed), object if exact else np.float64)
    with progress_bar(len(listed), "rows") as bar:
        for numbers, chunk in alike(listed):
            found[numbers] = _sure(chunk, policy, rules, place, exact)
            if bar is not None:
                bar.update(len(numbers))
    return found


def _sure(
    rows: list[Row], policy: Policy, rules: Rules, seat: int, exact: bool
) -> list[Any]:
    """Return what a policy guarantees on rows of one length."""
    deals = deals_of(rules, rows)
    worths = deals.shared
    if not exact:
        worths = np.concatenate(
            [float_array(row.numerators, denominator=row.denominator) for row in rows]
        )
    name = f"{arguments.shown(name_of(policy))}, the policy,"
    player = player_of(policy, deals, name)
    lost, scale = engine.leads(worths, deals, player, seat=1 - seat)
    if not exact:
        return [0.0 - x for x in lost.tolist()]
    shares = [Fraction(-x, scale * deals.unit.denominator) for x in lost.tolist()]
    return [
        int(share) if row.integral and scale == 1 else share
        for row, share in zip(rows, shares, strict=True)
    ]
