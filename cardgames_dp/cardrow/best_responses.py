"""Best responses to opponents whose policies are known: records that are policies.

`cardgames_dp.cardrow._kernels.responses` finds those that look at the cards left, and
`cardgames_dp.cardrow._kernels.plans` those that look at the sums taken, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_solution import ArraySolution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels import plans, players, responses as engine
from cardgames_dp.cardrow._kernels.plans import Goal
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.row import (
    Cards,
    Exact,
    Number,
    Real,
    Row,
    float_array,
)
from cardgames_dp.cardrow._kernels.states import Board, RowArrays, most_states
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.policies import (
    Policy,
    checked,
    name_of,
    player_of,
    refuse_other_games,
)
from cardgames_dp.cardrow.rules import (
    Rules,
    Seat,
    State,
    Turn,
    checked_state,
    deals_of,
    instance_of,
    is_classic,
    seat_of,
)
from cardgames_dp.cardrow.solution import cells


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
        found: Any = self.win if self.goal == "win" else self.lead
        return found  # type: ignore[no-any-return]

    @property
    def lose(self) -> Real | None:
        """The probability that another player wins; None where `win` is."""
        lost: Any = None
        if self.win is not None and self.draw is not None:
            lost = 1 - self.win - self.draw
        return lost  # type: ignore[no-any-return]

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
        if given.player != self.seat or given.left > given.right:
            raise ValueError(
                f"state must have player {self.seat} to move, the seat of this "
                f"response, got {arguments.shown(state)}"
            )
        found = None
        if self.best is not None:
            code = int(np.sign(self.best[given.left, given.right]))
            found = [code] * bool(code)
        else:
            found = self._found(given.left, given.right, [self._tally(given)])
        if not found:
            raise ValueError(
                "state must be one that can come up on the row of this response, by "
                f"its rules, got {arguments.shown(state)}"
            )
        return Turn.of_code(found[0])

    def _tally(self, state: State) -> int | Fraction:
        """Return the sums taken so far, encoded as one number, as the kernels do."""
        instance = instance_of(self.rules, read("cards", self.cards))
        unit = instance.unit.denominator
        sums = [x * unit * (-1 if self.rules.misere else 1) for x in state.sums]
        if self.rules.players > 2:
            steps = Board.of(instance).steps
            return sum([x * step for x, step in zip(sums, steps, strict=True)])
        tally = sums[0] - sums[1]
        if instance.weighted:
            both = list(zip(instance.own(0), instance.own(1), strict=True))
            taken = both[: state.left] + both[state.right + 1 :]
            favour = sum([p - q for p, q in taken])
            tally = 2 * tally - (-favour if self.rules.misere else favour)
        return tally

    @property
    def __name__(self) -> str:
        """The name of this player in matches."""
        return f"response to {', '.join(self.opponents)}"

    def __str__(self) -> str:
        sure = "" if self.guaranteed is None else f" (surely {self.guaranteed})"
        text = f"{self.__name__}: lead {float(self.lead):.6g}{sure} on average"
        if self.win is not None and self.draw is not None:
            won, drawn = float(self.win), float(self.draw)
            lost = float(1 - self.win - self.draw)
            text += f"; wins {won:.6g}, draws {drawn:.6g}, loses {lost:.6g}"
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
            table = players.tabled(players.by_length(np.sign(self.best)))

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
            assert found is not None  # the row and the rules are those of the response
            return Odds(np.array(hands.codes)[:, None] == np.array(found))

        return player

    def _found(self, left: Any, right: Any, tallies: Any) -> list[int] | None:
        """Return the turns in some states; None if one cannot come up."""
        assert self.plan is not None
        game: Any = self.plan.explored.game
        try:
            states = game.rows(left, right, self.seat, tallies)
            turns: list[int] = self.plan.policy(states).tolist()
        except (KeyError, TypeError, OverflowError):
            return None
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
        return _by_cards(row, checked("opponent", opponent), rules, seat, backend)
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


def _by_cards(
    row: Row, opponent: Policy, rules: Rules, seat: object, backend: Backend
) -> Response[Any]:
    """Return the best response that looks at the cards left alone."""
    n, place = len(row.numerators), seat_of(seat, rules)
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
    deals, exact = deals_of(rules, [row]), backend == "exact"
    game = RowArrays.of(deals.instances[0])
    others: list[Any] = [None] * rules.players
    for i, policy in enumerate(opponents):
        name = f"{arguments.shown(name_of(policy))}, the opponent,"
        other = player_of(policy, deals, name)
        others[(seat + 1 + i) % rules.players] = game.policy(other, deals)
    _refuse_large(game.board, exact=exact)
    found = plans.solve(game, others, seat, goal, slack, backend)
    sign = -1 if rules.misere else 1

    def number(ahead: Any) -> Exact:
        """Return a mean return as a lead or a sum: an int if it is one."""
        lead = sign * Fraction(ahead)
        whole = deals.unit.integral and lead.denominator == 1
        return int(lead) if whole else lead

    return Response(
        cards=deals.given[0],
        rules=rules,
        opponents=tuple(map(name_of, opponents)),
        seat=seat,
        goal=goal,
        backend=backend,
        lead=number(found.ahead) if exact else sign * float(found.ahead),
        win=Fraction(found.win) if exact else float(found.win),
        draw=Fraction(found.draw) if exact else float(found.draw),
        guaranteed=None if found.guaranteed is None else number(found.guaranteed),
        plan=found.plan,
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
    refuse_too_large(what, 220 * least, instead)
    states = min(most_states(board), 1e300)
    what = f"a response for {board.cards} cards with up to {states:.3g} states"
    refuse_too_large(what, int(states * (500 if exact else 220)), instead)
