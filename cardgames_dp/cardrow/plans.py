"""Best play against known players that depends on the sums taken so far.

:func:`cardgames_dp.cardrow.best_response` makes these plans where `rules`, a `goal` or
`slack` is given. The recursion is in `cardgames_dp.cardrow._kernels.plans`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import plans as engine
from cardgames_dp.cardrow._kernels import solvers
from cardgames_dp.cardrow._kernels.courses import (
    Actor,
    Board,
    Place,
    most_states,
    reached,
)
from cardgames_dp.cardrow._kernels.instance import Instance, Tie
from cardgames_dp.cardrow._kernels.odds import Odds, Player, Setting, Spots, turn_codes
from cardgames_dp.cardrow._kernels.plans import Goal
from cardgames_dp.cardrow._kernels.row import Exact, Real, Row
from cardgames_dp.cardrow._seats import player_of, setting_of
from cardgames_dp.cardrow.policies import Policy, name_of
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import State, Turn, checked_state


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan(ArrayRecord, Generic[Real]):
    """The best play against known players; made by :func:`best_response`.

    Its turns depend on the cards left and on the sums that all players have taken so
    far. Call it with a `State` to get a turn; play it with
    ``match(cards, plan, opponent, rules=plan.rules)``. It is also a policy for
    `cardgames_dp.play` in the game ``plan.rules.game(plan.cards)``. The arrays are
    read-only.

    Attributes
    ----------
    cards : tuple of int or Fraction
        The row from left to right.
    rules : Rules
        The rules; their `tie` is the one of the plan.
    opponents : tuple of str
        The names of the other players, in the order in which they move after the plan.
    seat : int
        The seat of the plan, counted from 0.
    goal : {"lead", "win"}
        What the plan maximises.
    guaranteed : int, Fraction or None
        The lead that the plan guarantees against any opponent: at least this much, or
        at most under misère rules. None if no `slack` was given.
    backend : {"float64", "exact"}
        The arithmetic.
    lead : float, int or Fraction
        The mean lead of the plan; with more than two players, its mean sum.
    win, draw : float, int or Fraction
        The probability that the plan wins, and that nobody wins because the best sum is
        shared.
    places : ndarray of int64, shape (places, 2)
        The end cards of each interval at which the plan can come to move, in order.
    starts : ndarray of int64, shape (places + 1,)
        Where the entries of each interval begin in `tallies` and `turns`.
    tallies : ndarray of integers
        The sums taken so far, as `tally` encodes them, in order at each interval.
    turns : ndarray of int64
        The turn for each of these, as `Turn.code`.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [2, 7, 5, 3, 8, 1, 4]
    >>> plan = cardrow.best_response(row, "random", goal="win", backend="exact")
    >>> plan
    Plan(cards=7, opponents=('random',), seat=0, goal='win', value=Fraction(7, 8))
    >>> plan(cardrow.State(left=0, right=6, player=0, sums=(0, 0)))
    Turn(side='right', count=1)
    """

    looks_at_sums = True
    """Whether it depends on the sums that all players have taken so far."""

    cards: tuple[Exact, ...]
    rules: Rules
    opponents: tuple[str, ...]
    seat: int
    goal: Goal
    guaranteed: Exact | None
    backend: Backend
    lead: Real
    win: Real
    draw: Real
    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    tallies: NDArray[Any]
    turns: NDArray[np.int64]

    @property
    def value(self) -> Real:
        """The maximum that was found: `lead` or `win`, depending on the goal."""
        return self.win if self.goal == "win" else self.lead

    @property
    def lose(self) -> Real:
        """The probability that another player wins."""
        return 1 - self.win - self.draw

    def __call__(self, state: State) -> Turn:
        """Return the turn of the plan in a state.

        Parameters
        ----------
        state : State
            A state of this row and these rules in which the plan is to move.

        Raises
        ------
        TypeError
            If `state` is not a state.
        ValueError
            If `state` cannot come up, or another player is to move.
        """
        given = checked_state(state, len(self.cards), self.rules.players)
        if given.player != self.seat:
            raise ValueError(
                f"state must have player {self.seat} to move, the seat of this plan, "
                f"got {_checks.shown(state)}"
            )
        tally = self.tally(given)
        found = self._found((given.left, given.right), [tally])
        if found is None:
            raise ValueError(
                "state must be one that can come up on the row of this plan, by its "
                f"rules, got {_checks.shown(state)}"
            )
        return Turn.of_code(found[0])

    def tally(self, state: State) -> int | Fraction:
        """Return the sums taken so far, encoded as one number, as in `tallies`.

        With two players it is the lead of the first player, in units of the least
        common denominator of the cards, negated under misère rules; with weights it is
        twice that, less the amount by which the first player values the cards taken
        more than the second does. With more players the sums are the digits of the
        number.

        Raises
        ------
        TypeError, ValueError
            If `state` is not a state of this row.
        """
        state = checked_state(state, len(self.cards), self.rules.players)
        row = read("cards", self.cards)
        instance = instance_of(self.rules, row)
        unit = instance.unit.denominator
        sums = [x * unit * (-1 if self.rules.misere else 1) for x in state.sums]
        board = Board.of(instance)
        if self.rules.players > 2:
            return sum([x * step for x, step in zip(sums, board.steps, strict=True)])
        tally = sums[0] - sums[1]
        if instance.weighted:
            both = list(zip(instance.own(0), instance.own(1), strict=True))
            taken = both[: state.left] + both[state.right + 1 :]
            favour = sum([p - q for p, q in taken])
            tally = 2 * tally - (-favour if self.rules.misere else favour)
        return tally

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        held = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        derived = {"value": self.value, "lose": self.lose}
        found: dict[str, Any] = plain({**held, **derived}, json=json)
        return found

    @property
    def __name__(self) -> str:
        """The name of this player in matches."""
        return f"plan against {', '.join(self.opponents)}"

    def __str__(self) -> str:
        sure = "" if self.guaranteed is None else f" (surely {self.guaranteed})"
        return (
            f"{self.__name__}: lead {float(self.lead):.6g}{sure} on average; wins "
            f"{float(self.win):.6g}, draws {float(self.draw):.6g}, loses "
            f"{float(self.lose):.6g}"
        )

    def __repr__(self) -> str:
        return summary(
            self,
            cards=len(self.cards),
            opponents=self.opponents,
            seat=self.seat,
            goal=self.goal,
            value=self.value,
        )

    def _found(self, ends: tuple[int, int], tallies: Sequence[Any]) -> list[int] | None:
        """Return the turns at an interval; None if a tally cannot come up there."""
        n = len(self.cards)
        number = self.places[:, 0] * n + self.places[:, 1]
        at = int(np.searchsorted(number, ends[0] * n + ends[1]))
        if at == len(number) or number[at] != ends[0] * n + ends[1]:
            return None
        part = slice(self.starts[at], self.starts[at + 1])
        known = dict(
            zip(self.tallies[part].tolist(), self.turns[part].tolist(), strict=True)
        )
        found = [known.get(tally) for tally in tallies]
        return None if None in found else found  # type: ignore[return-value]


_LARGEST = 10**307
"""The largest base of tallies whose sums surely fit in a float."""


def planned(
    row: Row,
    opponents: Sequence[Policy],
    rules: Rules,
    *,
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
    tie: Tie,
    progress: bool,
) -> Plan[Any]:
    """Return the best play; the arguments are those of `best_response`, checked."""
    setting = setting_of(rules, [row], tie)
    instance = setting.instances[0]
    board, exact = Board.of(instance), backend == "exact"
    players = _players(opponents, rules, seat, setting)
    _refuse_large(board, exact=exact, progress=progress)
    states = reached(board)
    floor = None if slack is None else _floor(instance, slack, seat)
    offset, misere = offset_of(instance), rules.misere
    task = engine.Task(
        board, states, players, seat, goal, floor, offset, tie, misere, exact
    )
    found = engine.solve(task)
    order = sorted(found.codes, key=lambda place: place[1:])
    turns = [found.codes[place] for place in order]
    lead = _lead(instance, found.lead, seat)
    return Plan(
        cards=setting.given[0],
        rules=dataclasses.replace(rules, tie=tie),
        opponents=tuple(map(name_of, opponents)),
        seat=seat,
        goal=goal,
        guaranteed=None if floor is None else _lead(instance, floor, seat),
        backend=backend,
        lead=lead if exact else float(lead),
        win=Fraction(found.win) if exact else float(found.win),
        draw=Fraction(found.draw) if exact else float(found.draw),
        places=np.array([place[1:] for place in order], np.int64).reshape(-1, 2),
        starts=np.cumsum([0, *map(len, turns)]),
        tallies=_joined([states[place] for place in order]),
        turns=_joined(turns),
    )


def _refuse_large(board: Board, *, exact: bool, progress: bool) -> None:
    """Refuse a plan that would take too much memory or time, or overflow floats."""
    if not exact and board.base > _LARGEST:
        raise ValueError(
            "cards must have sums of at most 1e306, in units of their least common "
            "denominator, for backend='float64'; use backend='exact'"
        )
    instead = "use a shorter row or smaller integers"
    least = board.cards * (board.cards + 1) // 2  # intervals
    what = f"a plan for {board.cards} cards with at least {least} states"
    refuse_too_large(what, 80 * least, instead)
    states = min(most_states(board), 1e300)
    what = f"a plan for {board.cards} cards with up to {states:.3g} states"
    refuse_too_large(what, int(states * (500 if exact else 80)), instead)
    seconds = states * board.take * (1e-5 if exact else 4e-7)
    refuse_too_long(what, seconds, instead, progress=progress)


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays joined into one; there may be none."""
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _players(
    opponents: Sequence[Policy], rules: Rules, seat: int, setting: Setting
) -> list[Player]:
    """Return all players by their seats; the plan's own seat is never asked."""
    players: list[Any] = [None] * rules.players
    for i, policy in enumerate(opponents):
        name = f"{_checks.shown(name_of(policy))}, the opponent,"
        place = (seat + 1 + i) % rules.players
        players[place] = player_of(policy, setting, name)
    return players


def offset_of(instance: Instance) -> int:
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
    offset = offset_of(instance) * (1 if seat == 0 else -1)
    scale = instance.unit.denominator * (2 if instance.weighted else 1)
    lead = Fraction(wanted + offset) / (-scale if instance.terms.misere else scale)
    return int(lead) if instance.unit.integral and lead.denominator == 1 else lead


def _floor(instance: Instance, slack: Fraction, seat: int) -> int:
    """Return the lead that a player must guarantee, in units of the tally."""
    worth = solvers.wanted_lead(instance)
    scale = instance.unit.denominator * (2 if instance.weighted else 1)
    return math.ceil((worth if seat == 0 else -worth) - slack * scale)


def actor_of_plan(plan: Plan[Any], take: int) -> Actor:
    """Return a plan as a function of places and tallies."""

    def act(place: Place, tallies: NDArray[Any]) -> tuple[NDArray[Any], int]:
        _, left, right = place
        found = plan._found((left, right), tallies.tolist())
        assert found is not None  # the row and the rules are those of the plan
        codes = np.array(turn_codes(right - left + 1, take))
        return (codes[:, None] == np.array(found)).astype(np.int64), 1

    return act


def player_of_plan(plan: Plan[Any], setting: Setting) -> Player:
    """Return a plan as a player of one game, in which the sums taken are known."""
    unit = setting.instances[0].unit

    def player(spots: Spots, seat: int) -> Odds:
        assert spots.taken is not None
        sums = tuple([unit.exact(x) for x in spots.taken[:, 0].tolist()])
        left = int(spots.lefts[0])
        turn = plan(State(left, left + spots.length - 1, seat, sums))
        codes = turn_codes(spots.length, setting.terms.take)
        return Odds((np.array(codes) == turn.code).astype(np.int64)[:, None], 1)

    return player


def refuse_other_games(
    plan: Plan[Any], cards: tuple[Exact, ...], rules: Rules, seat: int, name: str
) -> None:
    """Refuse a plan that is for another row, other rules or another seat."""
    same = dataclasses.replace(plan.rules, tie=rules.tie) == rules
    if plan.cards != cards or not same or plan.seat != seat:
        raise ValueError(
            f"player {name} must be a plan for this row, these rules and seat {seat}; "
            f"it is one for seat {plan.seat}, by {plan.rules!r}"
        )
