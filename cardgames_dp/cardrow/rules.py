"""The rules of cards in a row: the one place where they stand.

Cards lie face up in a row. The players take turns, and a turn takes one card from the
left end or the right end of what is left, or up to `take` cards from one end. When the
row is empty the player with the largest sum has won, by what they are ahead.

Each player wants what they are ahead by to be as large as possible; with more than two
players, their own sum. Under *misère* rules they want it as small as possible. Two
players may value the cards differently (`weights`): then each counts the own cards by
the own values, and what a player is ahead by is the difference of those two sums.

With ``Rules()`` this is the game of the report "APP2: Hold'em for
n00bs" by A. Pashevich and others, and the "coins in a row" of [1]_.

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
    """How many cards a turn, how many players, which sum wins, what is done about ties.

    Parameters
    ----------
    take : int, default 1
        The most cards that a turn takes, all from one end; at least one is taken.
    players : int, default 2
        At least two.
    misere : bool, default False
        Whether the smaller sum wins: two players want what they are ahead by to be
        small, more than two their own sum.
    weights : iterable of int, Fraction, Decimal or float, optional
        What the cards are worth to the *second* player, from left to right, one for
        each card of the row that these rules are used with; the row itself tells their
        worth to the first player. Absent, both value them alike. For two players. Kept
        as a tuple of exact numbers.
    tie : {"larger", "left", "right"}, default "larger"
        From which end to take where both are equally good. "larger" is Pashevich's
        rule: the larger of the two end cards, the right one if they are equal
        (by the sum of both players' worths, if those differ). Where different numbers
        of cards are equally good, fewer are taken. With two players who value the cards
        alike the rule never changes a sum; with `weights` or more players it can.

    Raises
    ------
    TypeError
        If `take` or `players` is not an integer, `misere` not a bool, `weights` not an
        iterable of numbers.
    ValueError
        If `take` is less than 1, `players` less than 2, `tie` another word, `weights`
        is empty or holds NaN or an infinity, or is given for more than two players.

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
        """Whether linear time is valid: one card a turn, two players.

        Misère and weights are no obstacle. Why more cards a turn and more players are
        is told in `cardgames_dp.cardrow._kernels.collapse`.
        """
        return terms_of(self).linear

    def preferred(self, best: Sequence[Turn], at_left: Any, at_right: Any) -> Turn:
        """Return the one of several equally good turns that the tie rule takes.

        Parameters
        ----------
        best : sequence of Turn
            Of the same side those of fewer cards first.
        at_left, at_right : number
            What the end cards are worth to both players.

        Returns
        -------
        Turn
            One of `best`.

        Raises
        ------
        TypeError, ValueError
            If `best` is no sequence of turns, or empty, or the worths are not numbers.
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
        """Return what each card is worth, exactly: one row a player.

        Parameters
        ----------
        cards : iterable of int, Fraction, Decimal or float
            The row from left to right.

        Raises
        ------
        TypeError
            If a card is not a number.
        ValueError
            If there is no card, one is not finite, or there are more or fewer cards
            than weights.
        """
        row = tuple(read("cards", cards).numbers())
        weights = weights_of(self, len(row))
        if weights is None:
            return (row,) * self.players
        return row, tuple(weights.numbers())

    def game(self, cards: Cards) -> CardRowGame:
        """Return the game with this row, for :func:`cardgames_dp.exact.solve`.

        Parameters
        ----------
        cards : iterable of int, Fraction, Decimal or float
            The row from left to right.

        Returns
        -------
        CardRowGame
            The `tie` rule is the order of the actions: the preferred one comes first,
            which is what the default ``tie_break="first"`` of the solver takes.

        Raises
        ------
        TypeError, ValueError
            As by `worths`.

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
    """Return what the engines need of the rules."""
    return Terms(rules.take, rules.players, rules.misere, rules.tie)


def weights_of(rules: Rules, cards: int) -> Row | None:
    """Return the weights of a row, or None if both players value the cards alike.

    Raises
    ------
    ValueError
        If there are more or fewer cards than weights.
    """
    if rules.weights is None:
        return None
    weights = read("weights", rules.weights)
    if cards != len(weights.numerators):
        raise ValueError(
            "rules.weights must hold one number for each of the cards, got "
            f"{len(weights.numerators)} for {cards}"
        )
    return weights


def instance_of(rules: Rules, row: Row) -> Instance:
    """Return a row under the rules as the engines see it.

    Raises
    ------
    ValueError
        If there are more or fewer cards than weights.
    """
    terms = terms_of(rules)
    return Instance.of(terms, row, weights_of(rules, len(row.numerators)))


@dataclass(frozen=True, slots=True, repr=False)
class CardRowGame(Record):
    """Cards in a row in the vocabulary of :class:`cardgames_dp.game.Game`.

    Of two players each one's return is what they are ahead by, of more it is their sum;
    under misère rules its negative. Made by `Rules.game`.

    Attributes
    ----------
    rules : Rules
        Those of the game, and which turn comes first.
    worths : tuple of tuples of int or Fraction
        What each card is worth, one row a player.

    Examples
    --------
    A game can be played step by step:

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
                f"worths must be {rules.players} rows of as many cards, one a player, "
                f"got {_checks.shown(self.worths)}"
            )
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "worths", tuple(map(tuple, worths)))

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self.rules.players

    def initial_state(self) -> State:
        """Return the whole row, with the first player to move."""
        return State(0, len(self.worths[0]) - 1, 0, (0,) * self.rules.players)

    def current_player(self, state: State) -> int:
        """Return the player to move, or `TERMINAL` where no card is left."""
        state = checked_state(state, len(self.worths[0]), self.num_players)
        return state.player if state.left <= state.right else TERMINAL

    def legal_actions(self, state: State) -> list[Turn]:
        """Return the turns there are, those that the tie rule prefers first."""
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
            If `state` is none of this game, as by the other methods, or `action` is no
            turn that it allows.
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
        """Return nothing: there is no chance in this game."""
        checked_state(state, len(self.worths[0]), self.num_players)
        return []

    def returns(self, state: State) -> tuple[Exact, ...]:
        """Return what the players wanted to be large."""
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
