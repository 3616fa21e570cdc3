"""Against players whose policies are known: how games end, and what wins most.

The opponents' turns are chance, which leaves a decision problem of one player. For two
players who take one card a turn and value the cards alike, the largest mean lead needs
only a look at the cards left (``cardgames_dp.cardrow._kernels.players``). A *plan*
looks at the sums taken as well, by any rules: `cardgames_dp.play` finds it in the game
with sums, ``rules.arrays(cards)``.

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
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, Literal, TypeAlias, overload

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
from cardgames_dp.cardrow._kernels.players import (
    Deals,
    Hands,
    Odds,
    Player,
    best_replies,
    by_length,
    in_arrays,
    tabled,
)
from cardgames_dp.cardrow._kernels.row import (
    LARGEST_SUM,
    Cards,
    Exact,
    Instance,
    Number,
    Real,
    Row,
    RowArrays,
)
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.policies import (
    Policy,
    checked,
    name_of,
    player_of,
    refuse_other_games,
    seated,
)
from cardgames_dp.cardrow.rules import (
    Rules,
    Seat,
    State,
    Turn,
    checked_state,
    is_classic,
    seat_of,
)
from cardgames_dp.cardrow.solution import cells
from cardgames_dp.game import TERMINAL, explore

Goal: TypeAlias = Literal["lead", "win"]
Aim: TypeAlias = Literal["win", "draw", "lead"]

_ORDER: dict[Goal, tuple[Aim, ...]] = {
    "lead": ("lead",),
    "win": ("win", "draw", "lead"),
}
"""What each goal maximises, in lexicographic order."""

_LARGEST = 10**307
"""The largest base of tallies whose sums surely fit in a float."""


@suggest_arguments
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distribution[Any]:
    """Return the probability distribution of the first player's lead.

    All courses of the game are counted; none is simulated.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    *players : Policy
        One for each seat, as for :func:`match`.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic of the probabilities. The possible leads are exact with either.

    Returns
    -------
    Distribution
        Of the first player's sum less the best of the others'. `loss_probability` is
        the probability of losing, and ``sf(0)`` that of winning (the other way round
        under misère rules).

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> print(cardrow.distribution([8, 4, 2, 2, 4, 8], "greedy", "random"))
    lead  probability
       0         0.25
       4         0.25
       8         0.25
      12         0.25
    (mean 6, standard deviation 4.47214)
    """
    from cardgames_dp import play

    rules, backend = arguments.rules(rules, Rules), arguments.backend(backend)
    deals = Deals.of(rules, [read("cards", cards)])
    instance, precise = deals.instances[0], backend == "exact"
    instance.array(backend)  # leads are floats
    game = RowArrays(instance)
    _refuse_large("a distribution", game, 200 if precise else 40)
    asked = [in_arrays(game, player, deals) for player in seated(players, rules, deals)]
    found: Any = explore(game)
    law: Any = play.distribution(found, asked, backend=backend)
    reach = law.reach.source.reach_of(np.arange(found.num_states))
    (ends,) = np.nonzero((found.graph.players == TERMINAL) & (reach > 0))
    ends = ends[np.argsort(game.tallies(found.states_at(ends)))]
    own, *others = game.returns(found.states_at(ends)).T
    if rules.players > 2:
        own = own - np.max(others, axis=0)
    leads = [_exact(-x if rules.misere else x, instance) for x in own.tolist()]
    support = sorted(set(leads))
    place = {lead: i for i, lead in enumerate(support)}
    probabilities = np.zeros(len(support), reach.dtype)
    np.add.at(probabilities, [place[lead] for lead in leads], reach[ends])
    whole = all(isinstance(x, int) and abs(x) < 2**63 for x in support)
    dtype: Any = np.int64 if whole else (object if precise else np.float64)
    return Distribution("lead", np.array(support, dtype), probabilities)


def _exact(number: Any, instance: Instance) -> Exact:
    """Return a lead or a sum, or a mean: an int if all cards are, and it is one."""
    found = Fraction(number)
    whole = instance.unit.integral and found.denominator == 1
    return int(found) if whole else found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(Result, Generic[Real]):
    """A best response to known opponents; made by :func:`best_response`.

    It is itself a policy, in its seat, on its row and by its rules: of cards in a row,
    ``match(cards, response, opponent, rules=response.rules)``, and of
    ``response.rules.game(cards)``, as a function of a `State` that returns a turn. The
    arrays are read-only.

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
    lead : float, int or Fraction
        Its mean lead; with more than two players, its mean sum.
    win, draw : float, int, Fraction or None
        The probability that it wins, and that the best sum is shared. None where it
        looks at the cards left alone.
    guaranteed : int, Fraction or None
        The lead that it guarantees against any opponent (under misère rules at most
        this). None if no `slack` was given.
    best : ndarray of int8, shape (cards, cards), or None
        The turn at the interval ``[left, right]``: negative for the left card, positive
        for the right one, 0 where the response is not to move. The absolute value is 2
        in a tie, and 1 otherwise. None where it looks at sums.
    plan : Solution or None
        Where it looks at sums: its turns in all states of ``rules.arrays(cards)``.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> response = cardrow.best_response([8, 4, 2, 2, 4, 8], "random")
    >>> response.best[[0, 0], [3, 5]].tolist()  # the second one is a tie
    [-1, 2]
    >>> response(cardrow.State(left=0, right=3, player=0, sums=(8, 4)))
    Turn(side='left', count=1)
    >>> cardrow.best_response([2, 7, 5, 3, 8, 1, 4], "random", goal="win")
    Response(cards=7, opponents=('random',), seat=0, goal='win', value=0.875)
    """

    _derived: ClassVar[tuple[str, ...]] = ("value",)

    cards: tuple[Exact, ...]
    rules: Rules
    opponents: tuple[str, ...]
    seat: int
    goal: Goal
    backend: Backend
    lead: Real
    win: Real | None = None
    draw: Real | None = None
    guaranteed: Exact | None = None
    best: NDArray[np.int8] | None = None
    plan: Solution[Any, Any, Any] | None = None

    @property
    def value(self) -> Real:
        """The maximum that was found: `lead` or `win`, depending on the goal."""
        return self.lead if self.goal == "lead" or self.win is None else self.win

    def __call__(self, state: State) -> Turn:
        """Return its turn in a state of its game in which it is to move.

        Raises
        ------
        ValueError
            If `state` cannot come up, or another player is to move.
        """
        given = checked_state(state, len(self.cards), self.rules.players)
        left, right, player, _ = given
        if player != self.seat or left > right:
            raise ValueError(
                f"state must have player {self.seat} to move, the seat of this "
                f"response, got {arguments.shown(state)}"
            )
        if self.best is not None:
            found = [int(np.sign(self.best[left, right]))]
        else:
            found = self._found(left, right, [self._tally(given)])
        if not found[0]:
            raise ValueError(
                "state must be one that can come up on the row of this response, by "
                f"its rules, got {arguments.shown(state)}"
            )
        return Turn.of_code(found[0])

    def _tally(self, state: State) -> int | Fraction:
        """Return the sums taken so far, encoded as one number, as the kernels do."""
        assert self.plan is not None
        game: Any = self.plan.explored.game
        left = slice(state.left, state.right + 1)
        gone = game.instance.favour() - game.instance.favour(left)
        taken = sum([x * step for x, step in zip(state.sums, game.steps, strict=True)])
        tally: int | Fraction = taken * game.instance.scale - gone
        return -tally if self.rules.misere else tally

    @property
    def __name__(self) -> str:
        """The name of this player in matches."""
        return f"response to {', '.join(self.opponents)}"

    def __str__(self) -> str:
        sure = "" if self.guaranteed is None else f" (surely {self.guaranteed})"
        text = f"{self.__name__}: lead {float(self.lead):.6g}{sure} on average"
        if self.best is None:
            win, draw, lose = self._chances()
            text += f"; wins {win:.6g}, draws {draw:.6g}, loses {lose:.6g}"
        return text

    def _chances(self) -> tuple[float, ...]:
        """Return those of winning, of a draw and of losing."""
        won: Any = self.win
        drawn: Any = self.draw
        return float(won), float(drawn), float(1 - won - drawn)

    _told = ("opponents", "seat", "goal", "value")

    def _facts(self) -> dict[str, object]:
        return {"cards": len(self.cards), **Result._facts(self)}

    def _table(self) -> Table:
        if self.best is not None:
            return cells(str(self), self.cards, np.sign(self.best), abs(self.best) == 2)
        head, lead = ["wins", "draws", "loses", "lead"], float(self.lead)
        return Table(head, [[*self._chances(), lead]], title=str(self), left=())

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        if self.best is None:
            return Result._columns(self)
        left, right = np.nonzero(self.best)
        side = np.where(self.best[left, right] < 0, "left", "right")
        columns = {"side": side, "tie": abs(self.best[left, right]) == 2}
        return {"left": left, "right": right}, columns

    def _player(self, deals: Deals, name: str) -> Player:
        """Return it as the kernels ask it."""
        refuse_other_games(self.cards, self.rules, deals, name)
        table = None
        if self.best is not None:
            table = tabled(by_length(np.sign(self.best)))

        def player(hands: Hands, seat: int) -> Odds:
            if seat != self.seat:
                raise ValueError(
                    f"player {name} must be in seat {self.seat}, for which this "
                    "response was made (a tournament plays all seats; use match)"
                )
            if table is not None:
                return table(hands, seat)
            assert hands.tallies is not None
            left = np.array([left for _, left in hands.places()])
            found = self._found(left, left + hands.length - 1, hands.tallies)
            return Odds(np.array(hands.codes)[:, None] == np.array(found))

        return player

    def _found(self, left: Any, right: Any, tallies: Any) -> list[int]:
        """Return the codes of turns in some states; 0 if one cannot come up."""
        assert self.plan is not None
        game: Any = self.plan.explored.game
        try:
            states = game.rows(left, right, self.seat, tallies)
            turns: list[int] = self.plan.policy(states).tolist()
        except (KeyError, TypeError, OverflowError):
            return [0]
        return turns


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
    """Return the best response to given opponents: win by the most, or most often.

    By the classic rules, whatever the tie rule is, the largest mean lead needs only a
    look at the cards left. With other `rules`, a `goal` or `slack` the response looks
    at the sums taken so far as well.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    opponent : Policy or sequence of Policy
        The opponent: a name, a callable or a mixture; see `Policy`. The answers of a
        callable must not be random. With more than two players, one policy for all
        others, or one for each, in the order in which they move after you.
    rules : Rules, optional
        The classic rules if not given. Their `tie` holds for you and for named
        opponents; only theirs can change the value.
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
        The arithmetic: floats, or integers and Fractions.

    Returns
    -------
    Response
        Its value, and its turn wherever you are to move.

    Raises
    ------
    TooLargeError
        If the table of turns would not fit in memory. One that looks at sums has an
        entry for every combination that can come up at each interval.

    Notes
    -----
    By the cards alone it takes O(n**2) time for n cards. In float64, with u = 2**-53
    and x the largest card in absolute value, an interval of D cards adds at most
    ``8 u x D`` to the error, so the error stays below ``8 u x n**2``. Two ends count as
    a tie if their worths differ by less than twice this bound at their length.

    With a look at the sums it also takes time for each combination of them:
    O(n**3 x) for n cards that are integers up to x, two players and one card a turn;
    half a second for 52 cards of 1 to 13, or one to two with `slack`. It is then the
    best plan of all with the same guarantee, not only of those that keep to optimal
    turns; :doc:`/theory/cardrow` has the proof. Where its own turns have lost the
    guarantee, it returns to it as far as it can.

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
        policy = checked("opponent", opponent)
        return _by_cards(row, policy, rules, seat_of(seat, rules), backend)
    goal = "lead" if goal is None else arguments.choice("goal", goal, _ORDER)
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


def _opponent(policy: Policy, deals: Deals) -> Player:
    """Return the policy of an opponent as the kernels ask it."""
    return player_of(
        policy, deals, f"{arguments.shown(name_of(policy))}, the opponent,"
    )


def _by_cards(
    row: Row, opponent: Policy, rules: Rules, seat: int, backend: Backend
) -> Response[Any]:
    """Return the best response that looks at the cards left alone."""
    n = len(row.numerators)
    refuse_too_large(f"a best response on {n} cards", n * n, "use a shorter row")
    deals, best = Deals.of(rules, [row]), np.zeros((n, n), np.int8)
    other, names = _opponent(opponent, deals), (name_of(opponent),)
    (lead,) = best_replies(deals, other, seat, backend, best)
    cards = deals.given[0]
    return Response(cards, rules, names, seat, "lead", backend, lead, best=best)


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
    from cardgames_dp import play

    deals = Deals.of(rules, [row])
    game = RowArrays(deals.instances[0])
    others: list[Any] = [None] * rules.players
    for i, policy in enumerate(opponents, seat + 1):
        others[i % rules.players] = in_arrays(game, _opponent(policy, deals), deals)
    if backend == "float64" and game.base > _LARGEST:
        raise ValueError(
            "cards must have sums of at most 1e306, in units of their least common "
            "denominator, for backend='float64'; use backend='exact'"
        )
    _refuse_large("a response", game, 500 if backend == "exact" else 220)
    plan, guaranteed = _plan(game, others, seat, goal, slack, backend)
    both = plan.explored.with_returns(partial(_paid, game, seat, ("win", "draw")))
    number: Any = Fraction if backend == "exact" else float
    ends = play.evaluate(both, plan, backend=backend).payoffs
    win, draw, lead = map(number, (*ends[:2], plan.payoffs[seat]))
    if rules.misere:
        lead, guaranteed = -lead, guaranteed and -guaranteed
    return Response(
        cards=deals.given[0],
        rules=rules,
        opponents=tuple(map(name_of, opponents)),
        seat=seat,
        goal=goal,
        backend=backend,
        lead=_exact(lead, game.instance) if backend == "exact" else lead,
        win=win,
        draw=draw,
        guaranteed=None if guaranteed is None else _exact(guaranteed, game.instance),
        plan=plan,
    )


def _plan(
    game: RowArrays,
    others: Sequence[Any],
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> tuple[Solution[Any, Any, Any], Fraction | None]:
    """Return the best plan of a seat, and the return that it guarantees, with slack.

    `others` are the policies of the other players, in arrays.
    """
    from cardgames_dp import play

    given: Any = explore(game)
    floor: Fraction | None = None
    good: tuple[Solution[Any, Any, Any], Fraction | None] | None = None
    if slack is not None:
        worst, scale = exact.solve(given), game.instance.scale
        floor = Fraction(math.ceil((worst.payoffs[seat] - slack) * scale), scale)
        good = worst, floor
    for aim in _ORDER[goal]:
        given = given.with_returns(partial(_paid, game, seat, (aim,)))
        if good is not None:
            most = game.most if aim == "lead" else 1
            given = given.with_rewards(partial(_fines, *good, seat, 4 * most))
        plan: Any = play.best_response(given, others, seat, backend=backend).solution
        given, good = plan.explored, (plan, None)
    return plan, floor


def _paid(
    game: RowArrays, seat: int, aims: Sequence[Aim], ends: NDArray[Any]
) -> NDArray[Any]:
    """Return what is aimed at, for each player the last aim that is left."""
    won, drawn = game.results(ends, seat)
    known = {"win": won * 1, "draw": drawn * 1}
    if "lead" in aims:
        known["lead"] = game.returns(ends)[:, seat]
    players = [*aims, *[aims[-1]] * game.num_players][: game.num_players]
    return np.stack([known[aim] for aim in players], axis=1)


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
    dtype: Any = np.int64 if fine < LARGEST_SUM else object
    fined = np.zeros((len(states), solution.explored.num_players), dtype)
    (ours,) = np.nonzero(states[:, 2] == seat)
    if ours.size:
        index, every, values, good = solution.advice(states[ours])
        if floor is not None:
            good = values >= floor
        here = every == turns[ours][index]
        fined[ours[~good[here]]] = -fine
    return fined


def _refuse_large(what: str, game: RowArrays, each: int) -> None:
    """Refuse what would take too much memory, with some bytes for each state."""
    intervals = game.cards * (game.cards + 1) // 2
    for how, states in (("at least", lambda: intervals), ("up to", game.most_states)):
        refuse_too_large(
            f"{what} for {game.cards} cards with {how} {states():.3g} states",
            int(states() * each),
            "use a shorter row or smaller integers",
        )
