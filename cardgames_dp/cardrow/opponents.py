"""Responses that look at the sums taken: to win most often, or without risk.

The opponents' turns are chance, which leaves a decision problem of one player. The
largest mean lead needs a look at the cards left only: it is `cardgames_dp.play`'s
question. A *plan* looks at the sums taken as well: `cardgames_dp.play` finds it in the
game with sums, `cardgames_dp.cardrow._kernels.sums`.

The goal of a plan is the mean lead, or the chance of winning and then that of a draw:
three games, in each of which turns that are not optimal in the last one are fined so
much that they are never taken. A guarantee forbids turns in the same way: with the sums
known, a response guarantees g against any opponent if and only if each of its turns
leads to a position whose value, if both play optimally, is at least g
(:doc:`/theory/cardrow`). So the best response with these fines has this guarantee, and
may spend all that the opponent has given away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._graph.solution import Solution
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow import policies
from cardgames_dp.cardrow._kernels import row
from cardgames_dp.cardrow._kernels.players import (
    Deals,
    Player,
    in_arrays,
    player_by_function,
)
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, Number, Real, Row
from cardgames_dp.cardrow._kernels.sums import RowSums
from cardgames_dp.cardrow.cards import parse_row
from cardgames_dp.cardrow.policies import Policy, checked, name_of, player_of
from cardgames_dp.cardrow.rules import Rules, Seat, seat_of
from cardgames_dp.game import TERMINAL, explore

Goal: TypeAlias = Literal["lead", "win"]
Aim: TypeAlias = Literal["win", "draw", "lead"]

_ORDER: dict[Goal, tuple[Aim, ...]] = {
    "lead": ("lead",),
    "win": ("win", "draw", "lead"),
}
"""What each goal maximises, in lexicographic order."""

_BYTES: dict[Backend, int] = {"float64": 220, "exact": 500}
"""About the bytes that a state takes in either backend."""

_LARGEST = 2**990
"""The largest base of tallies whose sums the float64 backend takes."""


def _exact(number: Any, instance: Instance) -> Exact:
    """Return a lead or a sum, or a mean: an int if all cards are, and it is one."""
    ratio = Fraction(number)
    whole = instance.unit.integral and ratio.denominator == 1
    return int(ratio) if whole else ratio


@dataclass(frozen=True, slots=True, repr=False)
class Response(Result, Generic[Real]):
    """A response that looks at the sums taken; made by :func:`best_response`.

    It is itself a policy of :func:`match`, in its seat, on its row and by its rules:
    ``match(cards, response, opponent, rules=response.rules)``.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    rules : Rules
        The rules; their `tie` is also that of the response.
    opponents : tuple of str
        The names of the other players, in the order in which they move after it.
    seat : int
        The seat of the response, counted from 0.
    goal, backend : str
        As given to :func:`best_response`.
    win, draw : float or Fraction
        The probability that it wins, and that the best sum is shared.
    lead : float, int or Fraction
        Its mean lead; with more than two players, its mean sum.
    leads : Distribution
        How far it is ahead at the end: of its lead; with more than two players, of its
        sum less the best of the others'.
    guaranteed : int, Fraction or None
        The lead that it guarantees against any opponent (under misère rules at most
        this). None if no `slack` was given.
    plan : Solution
        Its turns in all states of a game whose states have the sums taken as well.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> response = cardrow.best_response([2, 7, 5, 3, 8, 1, 4], "random")
    >>> response
    Response(cards=7, opponents=('random',), seat=0, goal='win', win=0.875, lead=13)
    >>> print(response.leads)
    lead  probability
       0        0.125
       8        0.125
      14        0.375
      18        0.375
    (mean 13, standard deviation 5.83095)
    """

    cards: tuple[Exact, ...]
    rules: Rules
    opponents: tuple[str, ...]
    seat: int
    goal: Goal
    backend: Backend
    win: Any
    draw: Any
    lead: Real
    leads: Distribution[Any]
    guaranteed: Exact | None
    plan: Solution[Any, Any, Any]

    @property
    def __name__(self) -> str:
        """The name of this player in matches."""
        return f"response to {', '.join(self.opponents)}"

    def __str__(self) -> str:
        sure = "" if self.guaranteed is None else f" (surely {self.guaranteed})"
        win, draw, lose = self._chances()
        return (
            f"{self.__name__}: lead {float(self.lead):.6g}{sure} on average; "
            f"wins {win:.6g}, draws {draw:.6g}, loses {lose:.6g}"
        )

    def _chances(self) -> tuple[float, ...]:
        """Return those of winning, of a draw and of losing."""
        lose = float(1 - self.win - self.draw)
        lose = lose if lose > 1e-12 else 0.0  # else it is what was rounded
        return float(self.win), float(self.draw), lose

    _repr_fields = ("opponents", "seat", "goal", "win", "lead")

    def _facts(self) -> dict[str, object]:
        return {"cards": len(self.cards), **Result._facts(self)}

    def _table(self) -> Table:
        head, lead = ["wins", "draws", "loses", "lead"], float(self.lead)
        return Table(head, [[*self._chances(), lead]], title=str(self), left=())

    def _player(self, deals: Deals, name: str) -> Player:
        """Return it as the kernels ask it."""
        policies.refuse_other_games(self, deals, name)

        def turns_at(ends: NDArray[Any], seat: int, tallies: Any) -> NDArray[Any]:
            if seat != self.seat:
                raise ValueError(
                    f"player {name} must be in seat {self.seat}, for which this "
                    "response was made"
                )
            game: Any = self.plan.explored.game
            turns: NDArray[Any] = self.plan.policy(game.rows(*ends.T, seat, tallies))
            return turns

        return player_by_function(turns_at)


@overload
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat = "first",
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
    seat: Seat = "first",
    backend: Literal["exact"],
) -> Response[Exact]: ...
@suggest_arguments
def best_response(
    cards: Cards,
    opponent: Policy | Sequence[Policy],
    *,
    rules: Rules | None = None,
    goal: Goal | None = None,
    slack: Number | None = None,
    seat: Seat = "first",
    backend: Backend = "float64",
) -> Response[float] | Response[Exact]:
    """Return the response that wins most often, or by the most at a limited risk.

    It looks at the sums taken so far. The response with the largest mean lead, at any
    risk, need not: that is ``play.best_response(cardrow.game(cards), [None, opponent],
    0)``.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    opponent : Policy or sequence of Policy
        The opponent, as for :func:`match`. The answers of a function must not be
        random. With more than two players, one policy for all others, or one for each,
        in the order in which they move after you.
    rules : Rules, optional
        The classic rules if not given. Their `tie` holds for you and for named
        opponents; only theirs can change the value.
    goal : {"win", "lead"}, optional
        What to maximise: your probability of winning and then that of a draw, the
        default without `slack`; or your mean lead, the default with it.
    slack : int, Fraction, Decimal or float, optional
        The response must guarantee, against any opponent, the value of the game less
        this. With 0, it risks only what the opponent has given away so far. If not
        given, it may risk anything. For two players.
    seat : {"first", "second"} or int
        Your seat: whether you move first or second; or its number, counted from 0.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers and Fractions.

    Returns
    -------
    Response
        Its chances, and its turn wherever you are to move.

    Raises
    ------
    TooLargeError
        If the table of turns would not fit in memory. It has an entry for every
        combination of sums that can come up at each interval.

    Notes
    -----
    It takes O(n**3 x) time for n cards that are integers up to x, two players and one
    card a turn; half a second for 52 cards of 1 to 13, or one to two with `slack`. It
    is the best plan of all with the same guarantee, not only of those that keep to
    optimal turns; :doc:`/theory/cardrow` has the proof. Where its own turns have lost
    the guarantee, it returns to it as far as it can.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), who play against such opponents
    and ask whether the row of section 2.3 can be won.

    Examples
    --------
    Three responses on one row: the first wins by the most on average; the second wins
    most often, by less; the third wins by the most among those that guarantee 3, the
    value of the row:

    >>> from cardgames_dp import cardrow, play
    >>> row = [5, 2, 9, 12, 10, 11, 4, 4]
    >>> play.best_response(cardrow.game(row), [None, "random"], 0).value
    8.0
    >>> print(cardrow.best_response(row, "random"))
    response to random: lead 6.75 on average; wins 1, draws 0, loses 0
    >>> print(cardrow.best_response(row, "random", slack=0))
    response to random: lead 5 (surely 3) on average; wins 1, draws 0, loses 0
    """
    row = parse_row("cards", cards)
    backend = arguments.backend(backend)
    rules = arguments.rules(rules, Rules)
    if goal is None:
        goal = "win" if slack is None else "lead"
    goal = arguments.choice("goal", goal, _ORDER)
    if goal == "lead" and slack is None:
        raise ValueError(
            "goal='lead' is for a response with slack=; without, the cards left are "
            "enough: play.best_response(cardrow.game(cards), [None, opponent], 0)"
        )
    risked = None if slack is None else arguments.amount("slack", slack)
    if risked is not None and rules.players > 2:
        raise ValueError(
            "slack is for two players, as with more of them no lead is guaranteed, got "
            f"players={rules.players}"
        )
    others, place = _others(opponent, rules), seat_of(seat, rules)
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


def _by_sums(
    row: Row,
    opponents: Sequence[Policy],
    rules: Rules,
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> Response[Any]:
    """Return the best response that looks at the sums."""
    deals = Deals.of(rules, [row])
    game = RowSums(deals.instances[0])
    others: list[Any] = [None] * rules.players
    for i, policy in enumerate(opponents, seat + 1):
        name = f"{arguments.shown(name_of(policy))}, the opponent,"
        player = player_of(policy, deals, name, exact=backend == "exact")
        # As a policy of the game with sums, which it does not look at.
        others[i % rules.players] = lambda states, player=player: in_arrays(
            player, deals, *states.T[:3]
        )
    if backend == "float64" and game.base > _LARGEST:
        raise ValueError(
            "cards must have sums of at most 1e297, in units of their least common "
            "denominator, for backend='float64'; use backend='exact'"
        )
    intervals, each = game.cards * (game.cards + 1) // 2, _BYTES[backend]
    for how, count in (("at least", lambda: intervals), ("up to", game.most_states)):
        refuse_too_large(
            f"a response for {game.cards} cards with {how} {count():.3g} states",
            int(count() * each),
            "use a shorter row or smaller integers",
        )
    plan, guaranteed = _plan(game, others, seat, goal, slack, backend)
    lead: Any = plan.payoffs[seat]
    leads, win, draw = _ends(game, plan, seat, backend)
    if rules.misere:
        lead, guaranteed = -lead, guaranteed and -guaranteed
    return Response(
        cards=deals.rows[0],
        rules=rules,
        opponents=tuple(map(name_of, opponents)),
        seat=seat,
        goal=goal,
        backend=backend,
        win=win,
        draw=draw,
        lead=_exact(lead, game.instance) if backend == "exact" else lead,
        leads=leads,
        guaranteed=None if guaranteed is None else _exact(guaranteed, game.instance),
        plan=plan,
    )


def _ends(
    game: RowSums, plan: Solution[Any, Any, Any], seat: int, backend: Backend
) -> tuple[Distribution[Any], Any, Any]:
    """Return how far a plan is ahead at the end, and its chances to win and draw."""
    from cardgames_dp import play

    explored: Any = plan.explored
    explored = replace(explored, graph=replace(explored.graph, rewards=None))
    law: Any = play.distribution(explored, plan, backend=backend)
    reach = law.reach.source.reach_of(np.arange(explored.num_states))
    (ends,) = np.nonzero((explored.graph.players == TERMINAL) & (reach > 0))
    states, reach = explored.states_at(ends), reach[ends]
    ahead = game.ahead(states, seat)
    sign = -1 if game.instance.rules.misere else 1
    leads = [_exact(sign * x, game.instance) for x in ahead.tolist()]
    whole = all(isinstance(x, int) and abs(x) < 2**63 for x in leads)
    dtype: Any = np.int64 if whole else (object if backend == "exact" else np.float64)
    support, place = np.unique(np.array(leads, dtype), return_inverse=True)
    chances = np.zeros(len(support), reach.dtype)
    np.add.at(chances, place, reach)
    none: Any = Fraction(0) if backend == "exact" else 0.0
    win, draw = [sum(reach[some].tolist(), none) for some in (ahead > 0, ahead == 0)]
    return Distribution("lead", support, chances), win, draw


def _plan(
    game: RowSums,
    others: Sequence[Any],
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> tuple[Solution[Any, Any, Any], Fraction | None]:
    """Return the best plan of a seat, and the return that it guarantees, with slack."""
    from cardgames_dp import play

    explored: Any = explore(game)
    floor: Fraction | None = None
    good: tuple[Solution[Any, Any, Any], Fraction | None] | None = None
    if slack is not None:
        worst, scale = exact.solve(explored), game.instance.scale
        floor = Fraction(math.ceil((worst.payoffs[seat] - slack) * scale), scale)
        good = worst, floor
    for aim in _ORDER[goal]:
        explored = explored.with_returns(partial(_rewards_of, game, seat, aim))
        if good is not None:
            most = game.most if aim == "lead" else 1
            explored = explored.with_rewards(partial(_fines, *good, seat, 4 * most))
        plan: Any = play.best_response(explored, others, seat, backend=backend).solution
        explored, good = plan.explored, (plan, None)
    return plan, floor


def _rewards_of(game: RowSums, seat: int, aim: Aim, ends: NDArray[Any]) -> NDArray[Any]:
    """Return what is aimed at, for each player."""
    if aim == "lead":
        amounts = game.returns(ends)[:, seat]
    else:
        ahead = game.ahead(ends, seat)
        amounts = (ahead > 0 if aim == "win" else ahead == 0).astype(np.int64)
    return np.stack([amounts] * game.num_players, axis=1)


def _fines(
    solution: Solution[Any, Any, Any],
    floor: Fraction | None,
    seat: int,
    fine: int,
    states: NDArray[Any],
    turns: NDArray[Any],
) -> NDArray[Any]:
    """Return rewards that fine a player's turns that are not good enough.

    These are all but the best ones in a solution or, with a floor, all of which the
    values are less. Best play has no fines if they exceed all differences of returns.
    """
    dtype: Any = np.int64 if fine < row.LARGEST_SUM else object
    fined = np.zeros((len(states), solution.explored.num_players), dtype)
    (ours,) = np.nonzero(states[:, 2] == seat)
    if ours.size:
        index, every, values, good = solution.advice(states[ours])
        if floor is not None:
            good = values >= floor
        here = every == turns[ours][index]
        fined[ours[~good[here]]] = -fine
    return fined
