"""The best response: a policy that wins by the most, or most often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp.cardrow._kernels import players
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player
from cardgames_dp.cardrow._kernels.responses import Goal
from cardgames_dp.cardrow._kernels.row import (
    Exact,
    Real,
)
from cardgames_dp.cardrow._kernels.states import Board
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.policies import (
    refuse_other_games,
)
from cardgames_dp.cardrow.rules import (
    Rules,
    State,
    Turn,
    checked_state,
    instance_of,
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
    places : ndarray of int64, shape (places, 2)
        Where it looks at sums: the end cards of each interval at which it can come to
        move, in order.
    starts : ndarray of int64, shape (places + 1,)
        Where the entries of each interval begin in `tallies` and `turns`.
    tallies, turns : ndarray of integers
        The sums taken so far, as `tally` encodes them, in order at each interval; and
        the turn for each of these, as `Turn.code`.

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
    places: NDArray[np.int64] | None = None
    starts: NDArray[np.int64] | None = None
    tallies: NDArray[Any] | None = None
    turns: NDArray[np.int64] | None = None

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
            found = self._found((given.left, given.right), [self.tally(given)])
        if not found:
            raise ValueError(
                "state must be one that can come up on the row of this response, by "
                f"its rules, got {arguments.shown(state)}"
            )
        return Turn.of_code(found[0])

    def tally(self, state: State) -> int | Fraction:
        """Return the sums taken so far, encoded as one number, as in `tallies`.

        With two players it is the lead of the first player, in units of the least
        common denominator of the cards, negated under misère rules; with weights it is
        twice that, less the amount by which the first player values the cards taken
        more than the second does. With more players the sums are the digits of the
        number.
        """
        state = checked_state(state, len(self.cards), self.rules.players)
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
        assert self.places is not None
        assert self.starts is not None
        assert self.turns is not None
        assert self.tallies is not None
        left, right = np.repeat(self.places, np.diff(self.starts), axis=0).T
        turns = [str(Turn.of_code(code)) for code in self.turns.tolist()]
        index = {"left": left, "right": right, "tally": self.tallies}
        return index, {"turn": turns}

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
            ((_, left),) = {*hands.places()}
            right = left + hands.length - 1
            found = self._found((left, right), hands.tallies.tolist())
            assert found is not None  # the row and the rules are those of the response
            return Odds(np.array(hands.codes)[:, None] == np.array(found))

        return player

    def _found(self, ends: tuple[int, int], tallies: Sequence[Any]) -> list[int] | None:
        """Return the turns at an interval; None if a tally cannot come up there."""
        assert self.places is not None
        assert self.starts is not None
        assert self.turns is not None
        assert self.tallies is not None
        n = len(self.cards)
        number = self.places[:, 0] * n + self.places[:, 1]
        at = int(np.searchsorted(number, ends[0] * n + ends[1]))
        if at == len(number) or number[at] != ends[0] * n + ends[1]:
            return None
        part = slice(self.starts[at], self.starts[at + 1])
        pairs = zip(self.tallies[part].tolist(), self.turns[part].tolist(), strict=True)
        known = dict(pairs)
        if not {*tallies} <= known.keys():
            return None
        return [known[tally] for tally in tallies]
