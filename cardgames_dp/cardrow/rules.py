"""The rules of cards in a row, and the game that they make of a row.

Cards lie face up in a row. The players take turns. A turn takes one card from the left
or the right end of the cards left, or up to `take` cards from one end. When no card is
left, the player with the largest sum wins, by the difference to the next best one.

With two players, each maximises their lead, the difference of the sums; with more
players, each maximises their own sum. Under *misère* rules they minimise it. Two
players may value the cards differently (`weights`): then each player's sum is by their
own values, and the lead is the difference of these two sums.

``Rules()`` are the rules of the report "APP2: Hold'em for n00bs" by A. Pashevich and
others, and of "coins in a row" in [1]_.

References
----------
.. [1] P. Winkler, *Mathematical Puzzles: A Connoisseur's Collection*, A K Peters, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.cardrow._kernels.row import (
    Cards,
    Exact,
    Instance,
    RowArrays,
    RuleSet,
    Tie,
    prefers_right,
    turn_orders,
    weights_of,
)
from cardgames_dp.cardrow.cards import read
from cardgames_dp.game import TERMINAL

Side: TypeAlias = Literal["left", "right"]
SIDES: tuple[Side, ...] = ("left", "right")
SEATS: tuple[Literal["first", "second"], ...] = ("first", "second")
Seat: TypeAlias = Literal["first", "second"] | SupportsIndex


class Turn(NamedTuple("Turn", [("side", Side), ("count", int)])):
    """A player's turn: taking one card or several from one end.

    A turn that takes all cards left counts as one from the left, so that it is one turn
    and not two.

    Attributes
    ----------
    side : {"left", "right"}
        The end to take from.
    count : int, default 1
        The number of cards, at least 1.

    Examples
    --------
    Tables encode turns as integers:

    >>> from cardgames_dp import cardrow
    >>> cardrow.Turn("left", 2).code
    -2
    >>> table = cardrow.solve([0, 1, 0, 5], rules=cardrow.Rules(take=2))
    >>> cardrow.Turn.of_code(table.best[0, 3])
    Turn(side='right', count=1)
    """

    __slots__ = ()

    def __new__(cls, side: Side, count: SupportsIndex = 1) -> Turn:
        """Return a turn, checked."""
        return super().__new__(
            cls,
            arguments.choice("side", side, SIDES),
            arguments.integer("count", count, minimum=1),
        )

    def __str__(self) -> str:
        return self.side if self.count == 1 else f"{self.count} from the {self.side}"

    @property
    def code(self) -> int:
        """The turn as an integer, as in tables: the count, negative for the left."""
        return -self.count if self.side == "left" else self.count

    @classmethod
    def of_code(cls, code: SupportsIndex) -> Turn:
        """Return the turn that an integer in a table stands for; 0 is none."""
        # A table's cell is a short NumPy integer, which -(-128) would overflow.
        count = arguments.integer("code", code, minimum=None)
        if not count:
            raise ValueError("code must not be 0, which stands for no turn")
        return cls("left", -count) if count < 0 else cls("right", count)


class State(NamedTuple):
    """The state of a game: the cards left, the player to move, the sums taken.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0; no card is left if left > right.
    player : int
        The player to move, counted from 0; when no card is left, the one after the
        last.
    sums : tuple of int or Fraction
        The sum that each player has taken so far, each by their own values.

    Examples
    --------
    The tables of the exact solver are indexed by states, or by plain tuples:

    >>> from cardgames_dp import cardrow, exact
    >>> solution = exact.solve(cardrow.Rules().game([1, 5, 1]))
    >>> after = cardrow.State(left=1, right=2, player=1, sums=(1, 0))
    >>> solution.policy[after]
    Turn(side='left', count=1)
    >>> solution.payoffs_at((0, 1, 1, (1, 0)))
    (Fraction(-3, 1), Fraction(3, 1))
    """

    left: int
    right: int
    player: int
    sums: tuple[Exact, ...]


def checked_state(state: object, cards: int, players: int) -> State:
    """Return a state, checked against the number of cards and of players."""
    must = "state must be a cardrow.State"
    if not isinstance(state, tuple) or len(state) != len(State._fields):
        raise arguments.wrong_type(must, state)
    *places, sums = state
    known = isinstance(sums, tuple) and all(isinstance(x, Real) for x in sums)
    if not known or not all(isinstance(x, (int, np.integer)) for x in places):
        raise arguments.wrong_type(must, state)
    left, right, player = places
    inside = 0 <= left <= right + 1 <= cards and 0 <= player < players
    if not inside or len(sums) != players:
        raise arguments.wrong_value(
            f"{must} of a game with {cards} cards and {players} players", state
        )
    return State(left, right, player, sums)


TIES: tuple[Tie, ...] = ("larger", "left", "right")


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False, init=False)
class Rules(RuleSet):
    """The rules: cards a turn, number of players, which sum wins, choices in ties.

    Parameters
    ----------
    take : int, default 1
        The largest number of cards that a turn may take, all from one end, at least 1.
    players : int, default 2
        The number of players, at least 2.
    misere : bool, default False
        Whether the smaller sum wins: two players minimise their lead, more than two
        their own sum.
    weights : iterable of int, Fraction, Decimal or float, optional
        The worths of the cards to the *second* player, from left to right, one for each
        card of the row; the row itself has their worths to the first player. If not
        given, both players value the cards alike. For two players. Stored as a tuple of
        exact numbers.
    tie : {"larger", "left", "right"}, default "larger"
        The end to take from where both are equally good, in optimal play and to named
        players (see `Policy`). "larger" is the rule of the table of Pashevich's report:
        the larger of the two end cards, the right one if they are equal (with
        `weights`, by the sum of both players' worths); the players of the report take
        the right one. If different numbers of cards are equally good, the smallest
        number is taken. With two optimal players who value the cards alike the rule
        never changes a sum; with `weights` or more players it can.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [4, 4, 6, 6, 12, 9]
    >>> cardrow.value(row), cardrow.value(row, rules=cardrow.Rules(misere=True))
    (3.0, -3.0)
    >>> cardrow.value(row, rules=cardrow.Rules(weights=[1, 2, 3, 4, 5, 6]))
    10.0
    """

    def __init__(
        self,
        take: SupportsIndex = 1,
        players: SupportsIndex = 2,
        misere: bool = False,
        weights: Cards | None = None,
        tie: Tie = "larger",
    ) -> None:
        seats = arguments.integer("players", players, minimum=2)
        self._set(
            take=arguments.integer("take", take, minimum=1),
            players=seats,
            misere=arguments.boolean("misere", misere),
            weights=None if weights is None else read("weights", weights).numbers(),
            tie=arguments.choice("tie", tie, TIES),
        )
        if weights is not None and seats != 2:
            raise ValueError(
                "weights are what the cards are worth to the second of two players, "
                f"got players={seats}"
            )

    def worths(self, cards: Cards) -> tuple[tuple[Exact, ...], ...]:
        """Return the exact worths of the cards to each player.

        Parameters
        ----------
        cards : iterable of int, Fraction, Decimal or float
            The row from left to right, as for :func:`value`.

        Returns
        -------
        tuple of tuples of int or Fraction
            One row of worths for each player.
        """
        row = read("cards", cards).numbers()
        weights = weights_of(self, len(row))
        return (row,) * self.players if weights is None else (row, weights.numbers())

    def game(self, cards: Cards) -> CardRowGame:
        """Return the game on a row, for the general solvers and `cardgames_dp.play`.

        Parameters
        ----------
        cards : iterable of int, Fraction, Decimal or float
            The row from left to right, as for :func:`value`.

        Returns
        -------
        CardRowGame
            A game for :func:`cardgames_dp.exact.solve`. The `tie` rule orders the
            actions: the preferred one comes first, and the solver takes it by default
            (``tie_break="first"``).

        Examples
        --------
        >>> from cardgames_dp import cardrow, exact
        >>> exact.solve(cardrow.Rules().game([1, 5, 1])).payoffs
        (Fraction(-3, 1), Fraction(3, 1))
        >>> exact.solve(cardrow.Rules(players=3).game([1, 1, 2, 1])).payoffs
        (Fraction(2, 1), Fraction(2, 1), Fraction(1, 1))
        """
        return CardRowGame(self, self.worths(cards))

    def arrays(self, cards: Cards) -> RowArrays:
        """Return the game on a row in arrays, for long rows.

        Parameters
        ----------
        cards : iterable of int, Fraction, Decimal or float
            The row from left to right, as for :func:`value`.

        Returns
        -------
        RowArrays
            An `cardgames_dp.game.ArrayGame` for the same solvers. A state is a row of
            integers: the positions of the end cards, the player to move, and what has
            been taken, which with two players is the first one's lead in units of the
            least common denominator of the cards. An action is a `Turn.code`.

        Examples
        --------
        >>> from cardgames_dp import cardrow, diagonal
        >>> diagonal.solve(cardrow.Rules().arrays(range(30)))
        Solution(payoffs=(15, -15), num_states=..., ties=..., tie_break='first')
        """
        return RowArrays(Instance.of(self, read("cards", cards)))


def seat_of(seat: object, rules: Rules, name: str = "seat") -> int:
    """Return the number of a seat, or of the player in it."""
    if isinstance(seat, str):
        return SEATS.index(arguments.choice(name, seat, SEATS))
    number = arguments.integer(name, seat)
    if number >= rules.players:
        raise arguments.wrong_value(
            f"{name} must be less than the number of players, {rules.players}", seat
        )
    return number


def is_classic(rules: Rules) -> bool:
    """Return whether the rules are the classic ones, whatever the tie rule is."""
    return rules == Rules(tie=rules.tie)


@dataclass(frozen=True, slots=True, repr=False)
class CardRowGame(Record):
    """Cards in a row as a :class:`cardgames_dp.game.Game`; made by `Rules.game`.

    The return of each of two players is their lead; with more players it is their sum.
    Under misère rules it is the negative of that.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.
    worths : tuple of tuples of int or Fraction
        The worths of the cards, one row for each player.

    Examples
    --------
    Play a game step by step:

    >>> from cardgames_dp import cardrow
    >>> game = cardrow.Rules().game([1, 5, 1])
    >>> state = game.initial_state()
    >>> game.legal_actions(state)
    [Turn(side='right', count=1), Turn(side='left', count=1)]
    >>> state = game.next_state(state, cardrow.Turn("left"))
    >>> state
    State(left=1, right=2, player=1, sums=(1, 0))
    >>> game.current_player(state)
    1
    """

    rules: Rules
    worths: tuple[tuple[Exact, ...], ...]

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

    def as_policy(self, policy: Any, backend: Backend) -> Any:
        """Return a policy with a name as a function of states, and others as None."""
        from cardgames_dp import cardrow  # whose policies know this game

        return cardrow.policies.by_state(
            policy, self.rules, read("cards", self.worths[0])
        )

    def initial_state(self) -> State:
        """Return the state with the whole row, and the first player to move."""
        return State(0, len(self.worths[0]) - 1, 0, (0,) * self.rules.players)

    def current_player(self, state: State) -> int:
        """Return the player to move, or `TERMINAL` if no card is left."""
        state = checked_state(state, len(self.worths[0]), self.num_players)
        return state.player if state.left <= state.right else TERMINAL

    def legal_actions(self, state: State) -> list[Turn]:
        """Return the legal turns, in the order in which the tie rule prefers them."""
        state = checked_state(state, len(self.worths[0]), self.num_players)
        cards = state.right - state.left + 1
        ends = [sum([row[i] for row in self.worths]) for i in (state.left, state.right)]
        orders = turn_orders(cards, self.rules.take)
        return [*map(Turn.of_code, orders[prefers_right(self.rules.tie, *ends)])]

    def next_state(self, state: State, action: Turn) -> State:
        """Return the state after a turn."""
        state = checked_state(state, len(self.worths[0]), self.num_players)
        left, right, player, sums = state
        if not isinstance(action, Turn):
            raise arguments.wrong_type("action must be a cardrow.Turn", action)
        most = min(self.rules.take, right - left + 1)
        if action.count > most:
            raise ValueError(
                f"action must be one of the legal turns, of at most {most} with the "
                f"cards {left} to {right}, got {arguments.shown(action)}"
            )
        if action.side == "left":
            taken = slice(left, left + action.count)
            left += action.count
        else:
            right -= action.count
            taken = slice(right + 1, right + action.count + 1)
        gain = sum(self.worths[player][taken])
        after = (*sums[:player], sums[player] + gain, *sums[player + 1 :])
        return State(left, right, (player + 1) % self.rules.players, after)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return an empty list: this game has no chance events."""
        checked_state(state, len(self.worths[0]), self.num_players)
        return []

    def returns(self, state: State) -> tuple[Exact, ...]:
        """Return each player's lead or, with more than two, sum; negated in misère."""
        state = checked_state(state, len(self.worths[0]), self.num_players)
        sign = -1 if self.rules.misere else 1
        if self.rules.players == 2:
            ahead: Exact = state.sums[0] - state.sums[1]
            return sign * ahead, -sign * ahead
        return tuple([sign * x for x in state.sums])
