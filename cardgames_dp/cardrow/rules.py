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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, SupportsIndex

from cardgames_dp import _checks
from cardgames_dp._records import Record, short_repr
from cardgames_dp.cardrow._cards import read, read_rows
from cardgames_dp.cardrow._kernels.instance import Instance, Terms, Tie
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Row
from cardgames_dp.cardrow.turns import State, Turn, checked_state
from cardgames_dp.game import TERMINAL

TIES: tuple[Tie, ...] = ("larger", "left", "right")


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Rules(Record):
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
        The end to take from where both are equally good. "larger" is the rule of
        Pashevich's report: the larger of the two end cards, the right one if they are
        equal (with `weights`, by the sum of both players' worths). If different numbers
        of cards are equally good, the smallest number is taken. With two players who
        value the cards alike the rule never changes a sum; with `weights` or more
        players it can.

    Raises
    ------
    TypeError
        If `take` or `players` is not an integer, `misere` is not a bool, or `weights`
        is not an iterable of numbers.
    ValueError
        If `take` is less than 1, `players` is less than 2, `tie` is not one of the
        above, `weights` is empty or holds NaN or an infinity, or `weights` is given for
        more than two players.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [4, 4, 6, 6, 12, 9]
    >>> cardrow.value(row), cardrow.value(row, rules=cardrow.Rules(misere=True))
    (3.0, -3.0)
    >>> cardrow.value(row, rules=cardrow.Rules(weights=[1, 2, 3, 4, 5, 6]))
    10.0
    """

    take: int
    players: int
    misere: bool
    weights: tuple[Exact, ...] | None
    tie: Tie

    def __init__(
        self,
        take: SupportsIndex = 1,
        players: SupportsIndex = 2,
        misere: bool = False,
        weights: Cards | None = None,
        tie: Tie = "larger",
    ) -> None:
        seats = _checks.integer("players", players, minimum=2)
        fields: dict[str, object] = {
            "take": _checks.integer("take", take, minimum=1),
            "players": seats,
            "misere": _checks.boolean("misere", misere),
            "weights": None,
            "tie": _checks.choice("tie", tie, TIES),
        }
        if weights is not None:
            fields["weights"] = tuple(read("weights", weights).numbers())
            if seats != 2:
                raise ValueError(
                    "weights are what the cards are worth to the second of two "
                    f"players, got players={seats}"
                )
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def linear(self) -> bool:
        """Whether the linear-time method is valid: one card a turn, two players.

        Misère rules and weights are allowed. :doc:`/theory/cardrow` explains why more
        cards a turn and more players are not.
        """
        return terms_of(self).linear

    def preferred(self, best: Sequence[Turn], at_left: Any, at_right: Any) -> Turn:
        """Return the turn that the tie rule chooses among several equally good ones.

        Parameters
        ----------
        best : sequence of Turn
            The turns; on the same side, those of fewer cards first.
        at_left, at_right : number
            The worths of the end cards to both players together.

        Returns
        -------
        Turn
            One of `best`.

        Raises
        ------
        TypeError, ValueError
            If `best` is not a sequence of turns, or empty, or a worth is not a number.
        """
        given: Any = best
        alike = isinstance(given, Sequence) and all(isinstance(t, Turn) for t in given)
        if not alike:
            raise TypeError(
                "best must be a sequence of cardrow.Turn, got "
                f"{_checks.described(given)}"
            )
        if not best:
            raise ValueError("best must hold at least one turn, got none")
        prefers_right = self.tie == "right"
        if self.tie == "larger":
            prefers_right = _checks.finite("at_right", at_right) >= _checks.finite(
                "at_left", at_left
            )
        side = "right" if prefers_right else "left"
        return next((turn for turn in best if turn.side == side), best[0])

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

        Raises
        ------
        TypeError
            If a card is not a number.
        ValueError
            If there is no card, one is not finite, or the weights are not one for each
            card.
        """
        row = tuple(read("cards", cards).numbers())
        weights = weights_of(self, len(row))
        if weights is None:
            return (row,) * self.players
        return row, tuple(weights.numbers())

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

        Raises
        ------
        TypeError, ValueError
            As for `worths`.

        Examples
        --------
        >>> from cardgames_dp import cardrow, exact
        >>> exact.solve(cardrow.Rules().game([1, 5, 1])).value
        (Fraction(-3, 1), Fraction(3, 1))
        >>> exact.solve(cardrow.Rules(players=3).game([1, 1, 2, 1])).value
        (Fraction(2, 1), Fraction(2, 1), Fraction(1, 1))
        """
        return CardRowGame(self, self.worths(cards))


def terms_of(rules: Rules) -> Terms:
    """Return the part of the rules that the engines use."""
    return Terms(rules.take, rules.players, rules.misere, rules.tie)


def weights_of(rules: Rules, cards: int) -> Row | None:
    """Return the weights of a row, or None if both players value the cards alike.

    Raises
    ------
    ValueError
        If the weights are not one for each card.
    """
    if rules.weights is None:
        return None
    weights = read("weights", rules.weights)
    if cards != len(weights.numerators):
        raise ValueError(
            "rules.weights must hold one number for each card, got "
            f"{len(weights.numerators)} for {cards}"
        )
    return weights


def instance_of(rules: Rules, row: Row) -> Instance:
    """Return a row under the rules in the form that the engines use.

    Raises
    ------
    ValueError
        If the weights are not one for each card.
    """
    terms = terms_of(rules)
    return Instance.of(terms, row, weights_of(rules, len(row.numerators)))


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

    def __post_init__(self) -> None:
        rules = _checks.rules(self.rules, Rules)
        worths = [row.numbers() for row in read_rows("worths", self.worths)]
        if [len(row) for row in worths] != [len(worths[0])] * rules.players:
            raise ValueError(
                f"worths must be {rules.players} rows of equal length, one a player, "
                f"got {_checks.shown(self.worths)}"
            )
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "worths", tuple(map(tuple, worths)))

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.rules.players

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
        most = min(self.rules.take, cards)
        left = [Turn("left", count) for count in range(1, most + 1)]
        right = [Turn("right", count) for count in range(1, min(most, cards - 1) + 1)]
        return right + left if self._prefers_right(state) else left + right

    def next_state(self, state: State, action: Turn) -> State:
        """Return the state after a turn.

        Raises
        ------
        TypeError, ValueError
            If `state` is not a state of this game (all methods check this), or `action`
            is not a legal turn there.
        """
        state = checked_state(state, len(self.worths[0]), self.num_players)
        left, right, player, sums = state
        if not isinstance(action, Turn):
            raise TypeError(
                f"action must be a cardrow.Turn, got {_checks.described(action)}"
            )
        most = min(self.rules.take, right - left + 1)
        if action.count > most:
            raise ValueError(
                f"action must be one of the legal turns, of at most {most} with the "
                f"cards {left} to {right}, got {_checks.shown(action)}"
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

    def _prefers_right(self, state: State) -> bool:
        if self.rules.tie != "larger":
            return self.rules.tie == "right"
        at_left, at_right = (
            sum([row[i] for row in self.worths], Fraction(0))
            for i in (state.left, state.right)
        )
        return at_right >= at_left
