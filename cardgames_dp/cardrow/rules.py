"""The rules of cards in a row, the states of a game, and its turns.

Cards lie face up in a row. The players take turns. A turn takes one card from the left
or the right end of the cards left, or up to `take` cards from one end. When no card is
left, the player with the largest sum wins, by the difference to the next best one.

With two players, each maximises their lead, the difference of the sums; with more
players, each maximises their own sum. Under *misère* rules they minimise it. Two
players may value the cards differently (`weights`): then each player's sum is by their
own values, and the lead is the difference of these two sums.

The kernels write a turn as the number of cards that it takes, negative from the left. A
array game needs codes from 0 on: 0 takes one card from the left, 1 one from the
right, 2 two from the left, and so on.

``Rules()`` are the rules of the report "APP2: Hold'em for n00bs" by A. Pashevich and
others, and of "coins in a row" in [1]_.

References
----------
.. [1] P. Winkler, *Mathematical Puzzles: A Connoisseur's Collection*, A K Peters, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.cardrow._kernels.row import Cards, Exact, RuleSet, Tie, weights_of
from cardgames_dp.cardrow.cards import parse_row

SEATS: tuple[Literal["first", "second"], ...] = ("first", "second")
Seat: TypeAlias = Literal["first", "second"] | SupportsIndex


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
            weights=None
            if weights is None
            else parse_row("weights", weights).numbers(),
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
        row = parse_row("cards", cards).numbers()
        weights = weights_of(self, len(row))
        return (row,) * self.players if weights is None else (row, weights.numbers())


def seat_of(seat: object, rules: Rules) -> int:
    """Return the number of a seat."""
    if isinstance(seat, str):
        return SEATS.index(arguments.choice("seat", seat, SEATS))
    number = arguments.integer("seat", seat)
    if number >= rules.players:
        must = f"seat must be less than the number of players, {rules.players}"
        raise arguments.wrong_value(must, seat)
    return number


def is_classic(rules: Rules) -> bool:
    """Return whether the rules are the classic ones, whatever the tie rule is."""
    return rules == Rules(tie=rules.tie)


class State(NamedTuple):
    """A state of a game: the cards left, and the player to move.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0; no card is left if left > right.
    player : int, default 0
        The player to move, counted from 0; when no card is left, the one after the
        last.

    Examples
    --------
    Solutions are looked up by states; a plain tuple works as well:

    >>> from cardgames_dp import cardrow, exact
    >>> solution = exact.solve(cardrow.game([1, 5, 1]))
    >>> solution.policy[cardrow.State(left=1, right=2, player=1)]
    'left'
    >>> solution.payoffs_at((1, 2, 1))
    (Fraction(-4, 1), Fraction(4, 1))
    """

    left: int
    right: int
    player: int = 0


def words(take: int) -> tuple[str, ...]:
    """Return the turns that take up to some cards as words, in the order of codes."""
    many = range(2, take + 1)
    several = [f"{k} from the {side}" for k in many for side in ("left", "right")]
    return ("left", "right", *several)


def codes_of(turns: Any) -> Any:
    """Return the codes of numbers of cards, an array or an integer."""
    return 2 * abs(turns) - 2 + (turns > 0)


def signed(codes: Any) -> Any:
    """Return the numbers of cards of codes, an array or an integer."""
    return (codes // 2 + 1) * (2 * (codes % 2) - 1)


def word_of(turn: int) -> str:
    """Return a number of cards as a word."""
    side = "left" if turn < 0 else "right"
    return side if abs(turn) == 1 else f"{abs(turn)} from the {side}"
