"""Against players whose policies are known: how games end, and what wins most.

Best responses are records that are policies: those that look at the cards left, and
those that look at the sums taken, too (``cardgames_dp.cardrow._kernels.responses``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.solution import ArraySolution
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels import players as kernel, responses as engine
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.responses import Goal
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, Number, Real, Row
from cardgames_dp.cardrow._kernels.states import RowArrays, most_states
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
    deals_of,
    is_classic,
    seat_of,
)
from cardgames_dp.cardrow.solution import cells
from cardgames_dp.game import TERMINAL, explore
from cardgames_dp.play import distributions


@overload
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Distribution[float]: ...
@overload
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Distribution[Any]: ...
def distribution(
    cards: Cards,
    *players: Policy,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distribution[Any]:
    """Return the probability distribution of the first player's lead.

    It says who wins how often, and by how much, where players play at random. All
    courses of the game are counted; none is simulated.

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
        Of the first player's sum less the opponent's; with more players, less the best
        of the others' sums, as for :func:`value`. Its `mean` is what the players are
        expected to end with, `loss_probability` the probability of losing, and
        ``1 - cdf(0)`` that of winning (the other way round under misère rules).

    Raises
    ------
    TooLargeError
        If the possible sums are too many to fit in memory.

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
    rules, backend = arguments.rules(rules, Rules), arguments.backend(backend)
    deals = deals_of(rules, [read("cards", cards)])
    instance, exact = deals.instances[0], backend == "exact"
    instance.array(backend)  # leads are floats
    game = RowArrays(instance)
    states = most_states(game)
    refuse_too_large(
        f"the distribution of a game with {game.cards} cards and up to {states:.3g} "
        "states",
        int(states * (200 if exact else 40)),
        "use a shorter row or smaller integers",
    )
    asked = [game.policy(player, deals) for player in seated(players, rules, deals)]
    found: Any = explore(game)
    reach: Any = distributions.distribution(found, asked, backend=backend).reach
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
    dtype: Any = np.int64 if whole else (object if exact else np.float64)
    return Distribution("lead", np.array(support, dtype), probabilities)


def _exact(number: Any, instance: Instance) -> Exact:
    """Return a lead or a sum, or a mean: an int if all cards are, and it is one."""
    exact = Fraction(number)
    whole = instance.unit.integral and exact.denominator == 1
    return int(exact) if whole else exact


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Response(Result, Generic[Real]):
    """A best response to known opponents; made by :func:`best_response`.

    Call it with a `State` to get a turn. It is itself a policy:
    ``match(cards, response, opponent, rules=response.rules)`` plays it, on its row and
    in its seat, and `cardgames_dp.play` in the game ``response.rules.game(cards)``. It
    looks at the cards left alone (then it has a table `best`, and an opponent may know
    it), or also at the sums taken so far. The arrays are read-only.

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
    goal : {"lead", "win"}
        What it maximises.
    backend : {"float64", "exact"}
        The arithmetic.
    lead : float, int or Fraction
        Its mean lead; with more than two players, its mean sum.
    win, draw : float, int, Fraction or None
        The probability that it wins, and that nobody wins because the best sum is
        shared. None where it looks at the cards alone; see :func:`distribution`.
    guaranteed : int, Fraction or None
        The lead that it guarantees against any opponent: at least this much, or at most
        under misère rules. None if no `slack` was given.
    best : ndarray of int8, shape (cards, cards), or None
        The turn at the interval ``[left, right]``: negative for the left card, positive
        for the right one, 0 where the response is not to move. The absolute value is 2
        in a tie, and 1 otherwise. None where it looks at sums.
    plan : ArraySolution or None
        Where it looks at sums: its turns in all states of ``rules.arrays(cards)`` in
        which it is to move; `cardgames_dp.play` plays it there.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> response = cardrow.best_response([8, 4, 2, 2, 4, 8], "random")
    >>> int(response.best[0, 3]), bool(response.ties[0, 5])
    (-1, True)
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
    plan: ArraySolution[Any] | None = None

    @property
    def value(self) -> Real:
        """The maximum that was found: `lead` or `win`, depending on the goal."""
        found: Any = self.win
        value: Real = found if self.goal == "win" else self.lead
        return value

    @property
    def lose(self) -> Real | None:
        """The probability that another player wins; None where `win` is."""
        won: Any = self.win
        lost: Real | None = None if won is None else 1 - won - self.draw
        return lost

    @property
    def ties(self) -> NDArray[np.bool_]:
        """Where it is to move and both ends tie; indexed as `best` is.

        Raises
        ------
        ValueError
            If it looks at sums.
        """
        if self.best is None:
            raise ValueError("a response that looks at sums has no table of ties")
        ties: NDArray[np.bool_] = np.abs(self.best) == 2
        return ties

    @property
    def looks_at_sums(self) -> bool:
        """Whether it depends on the sums that all players have taken so far."""
        return self.best is None

    def __call__(self, state: State) -> Turn:
        """Return its turn in a state.

        Parameters
        ----------
        state : State
            A state of this row and these rules in which it is to move.

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
            ends: Any = (self.win, self.draw, self.lose)
            text += "; wins {:.6g}, draws {:.6g}, loses {:.6g}".format(
                *map(float, ends)
            )
        return text

    def _facts(self) -> dict[str, object]:
        names = ("opponents", "seat", "goal", "value")
        return {
            "cards": len(self.cards),
            **{name: getattr(self, name) for name in names},
        }

    def _table(self) -> Table:
        if self.best is not None:
            return cells(str(self), self.cards, np.sign(self.best), self.ties)
        index, columns = self._columns()
        every: dict[str, Any] = {**index, **columns}
        rows = [*zip(*every.values(), strict=True)]
        return Table([*every], rows, title=str(self), first="states")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        if self.best is not None:
            left, right = np.nonzero(self.best)
            side = np.where(self.best[left, right] < 0, "left", "right")
            columns = {"side": side, "tie": self.ties[left, right]}
            return {"left": left, "right": right}, columns
        assert self.plan is not None
        explored: Any = self.plan.explored
        (places,) = np.nonzero(explored.graph.players == self.seat)
        states = explored.states_at(places)
        codes = self.plan.policy(states).tolist() if len(states) else []
        tallies = explored.game.tallies(states)
        index = {"left": states[:, 0], "right": states[:, 1], "tally": tallies}
        return index, {"turn": [str(Turn.of_code(code)) for code in codes]}

    def _player(self, deals: Deals, name: str) -> Player:
        """Return it as the kernels ask it."""
        refuse_other_games(self.cards, self.rules, deals, name)
        table = None
        if self.best is not None:
            table = kernel.tabled(kernel.by_length(np.sign(self.best)))

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


GOALS: tuple[Goal, ...] = ("lead", "win")


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

    With two players who take one card a turn and value the cards alike, the largest
    mean lead needs only a look at the cards left. With other `rules`, a `goal` or
    `slack` the response looks at the sums taken so far as well.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`.
    opponent : Policy or sequence of Policy
        The opponent: a name, a callable or a mixture; see `Policy`. A callable
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
    values : What best responses leave a policy, on many rows.

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
        policy = checked("opponent", opponent)
        return _by_cards(row, policy, rules, seat_of(seat, rules), backend)
    goal = "lead" if goal is None else arguments.choice("goal", goal, GOALS)
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
    deals, best = deals_of(rules, [row]), np.zeros((n, n), np.int8)
    other, names = _opponent(opponent, deals), (name_of(opponent),)
    (lead,) = engine.by_cards(deals, other, seat, backend, best)
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
    deals = deals_of(rules, [row])
    game = RowArrays(deals.instances[0])
    others: list[Any] = [None] * rules.players
    for i, policy in enumerate(opponents, seat + 1):
        others[i % rules.players] = game.policy(_opponent(policy, deals), deals)
    _refuse_large(game, backend)
    *found, guaranteed, plan = engine.by_sums(game, others, seat, goal, slack, backend)
    number: Any = Fraction if backend == "exact" else float
    win, draw, lead = map(number, found)
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


_LARGEST = 10**307
"""The largest base of tallies whose sums surely fit in a float."""


def _refuse_large(game: RowArrays, backend: Backend) -> None:
    """Refuse a response that would take too much memory, or overflow floats."""
    if backend == "float64" and game.base > _LARGEST:
        raise ValueError(
            "cards must have sums of at most 1e306, in units of their least common "
            "denominator, for backend='float64'; use backend='exact'"
        )
    instead = "use a shorter row or smaller integers"
    least = game.cards * (game.cards + 1) // 2  # intervals
    what = f"a response for {game.cards} cards with at least {least} states"
    refuse_too_large(what, 220 * least, instead)
    states = most_states(game)
    what = f"a response for {game.cards} cards with up to {states:.3g} states"
    each = 500 if backend == "exact" else 220
    refuse_too_large(what, int(states * each), instead)
