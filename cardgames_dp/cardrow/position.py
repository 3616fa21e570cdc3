"""A game in progress, on any line of play: take cards, take them back, get advice.

Worths come from `cardgames_dp.cardrow._kernels.intervals`, which also tells what they
cost.
"""

from __future__ import annotations

from itertools import accumulate
from operator import sub

from cardgames_dp import _checks
from cardgames_dp._records import summary
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.intervals import Intervals
from cardgames_dp.cardrow._kernels.row import Cards, Exact
from cardgames_dp.cardrow.advice import Advice
from cardgames_dp.cardrow.rules import Rules, instance_of
from cardgames_dp.cardrow.turns import Side, State, Turn

_TURNS: dict[Side, Turn] = {"left": Turn("left"), "right": Turn("right")}


class Position:
    """A game in progress: what is left of a row, the player to move, the sums.

    It changes as cards are taken. Its length is the number of cards left, so that it is
    false when the game is over.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The whole row from left to right, of which nothing is taken yet.
    rules : Rules, optional
        The classic ones if not given; with one card a turn and two players.

    Raises
    ------
    TypeError
        If `cards` is not a row of numbers, or `rules` not Rules.
    ValueError
        If there is no card, one is NaN or infinite, the weights of the rules are not
        one for each card, or for other rules: for those, `solve` has every interval.

    Notes
    -----
    Taking a card and taking it back are O(1). A question looks at collapsed cards: of
    100,000 random ones at about twenty, forty at most; in the worst case, a row that
    rises from end to end, at all that are left. Now and then half of what is left is
    collapsed, which is O(n) in a whole game and, with any number of moves taken back,
    O(n log n); so is memory.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> game = cardrow.Position([4, 4, 6, 6, 12, 9])
    >>> game.value
    3
    >>> print(game.best_move())
    cards 0 to 5: take left; worth: left 3, right -3.
    >>> game.take("right"), game.take("right")
    (9, 12)
    >>> game
    Position(left=0, right=3, player=0, sums=(9, 12))
    >>> game.undo(), game.undo()
    (12, 9)
    >>> while game:
    ...     card = game.take(game.best_move().action.side)
    >>> game.sums
    (22, 19)
    """

    __slots__ = (
        "_favour",
        "_game",
        "_instance",
        "_intervals",
        "_states",
        "_turns",
        "_wanted",
    )

    def __init__(self, cards: Cards, *, rules: Rules | None = None) -> None:
        rules = _checks.rules(rules, Rules)
        if not rules.linear:
            raise ValueError(
                "a Position needs rules with take=1 and players=2, got "
                f"take={rules.take}, players={rules.players}; use cardrow.solve"
            )
        row = read("cards", cards)
        self._instance = instance_of(rules, row)
        self._wanted = self._instance.wanted
        self._intervals = Intervals(self._wanted)
        # What the cards up to each are worth to player 0, more than to player 1.
        more = map(sub, self._instance.own(0), self._instance.own(1))
        self._favour = list(accumulate(more, initial=0))
        self._game = rules.game(row.numbers())
        self._states = [self._game.initial_state()]
        self._turns: list[Turn] = []

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._game.rules

    @property
    def state(self) -> State:
        """What a player sees, as the states of ``rules.game(cards)``."""
        return self._states[-1]

    @property
    def left(self) -> int:
        """Position of the leftmost card left, counted from 0."""
        return self.state.left

    @property
    def right(self) -> int:
        """Position of the rightmost card left; `left` - 1 if none is."""
        return self.state.right

    @property
    def player(self) -> int:
        """The player to move, 0 or 1; the next one where no card is left."""
        return self.state.player

    @property
    def sums(self) -> tuple[Exact, ...]:
        """What each player has taken so far, by the own values."""
        return self.state.sums

    @property
    def history(self) -> tuple[Turn, ...]:
        """The turns that led here from the whole row."""
        return tuple(self._turns)

    def __len__(self) -> int:
        return self.right - self.left + 1

    def __repr__(self) -> str:
        return summary(
            self, left=self.left, right=self.right, player=self.player, sums=self.sums
        )

    @property
    def value(self) -> Exact:
        """What the player to move will be ahead by *in the cards left*.

        If both play optimally from here; 0 when no card is left.
        """
        return self._ahead(self._intervals.value(self.left, self.right))

    @property
    def lead(self) -> Exact:
        """What player 0 will be ahead by *in the end* if both play optimally from here.

        It stays the same with each optimal move.
        """
        first, second = self.sums
        return first - second + (self.value if self.player == 0 else -self.value)

    def best_move(self) -> Advice[Exact]:
        """Return the best turn, all that are as good, and what every turn is worth.

        Returns
        -------
        Advice
            As from ``solve(cards).advice(left, right, player=player)``: its worths are
            what the player to move will be ahead by in the cards left.

        Raises
        ------
        ValueError
            If no card is left.

        Examples
        --------
        >>> from cardgames_dp import cardrow
        >>> game = cardrow.Position([14, 4, 7, 2, 5, 12])
        >>> game.take("left"), game.take("right"), game.take("right")
        (14, 12, 5)
        >>> print(game.best_move())
        cards 1 to 3: take left (a tie); worth: left -1, right -1.
        """
        if not self:
            raise ValueError("no card is left, so that there is no best move")
        left, right = self.left, self.right
        turns = tuple(_TURNS.values())[: len(self)]
        wanted = (
            self._wanted[left] - self._intervals.value(left + 1, right),
            self._wanted[right] - self._intervals.value(left, right - 1),
        )[: len(self)]
        most = max(wanted)
        best = tuple([t for t, x in zip(turns, wanted, strict=True) if x == most])
        shared = self._instance.worths[0]
        turn = self.rules.preferred(best, shared[left], shared[right])
        worths = dict(zip(turns, map(self._ahead, wanted), strict=True))
        return Advice(turn, best, worths, left=left, right=right)

    def take(self, side: Side) -> Exact:
        """Take the card at an end, for the player to move.

        Parameters
        ----------
        side : {"left", "right"}

        Returns
        -------
        int or Fraction
            What the card is worth to the player who takes it.

        Raises
        ------
        TypeError, ValueError
            If `side` is not one of these words, or no card is left.
        """
        turn = _TURNS[_checks.choice("side", side, _TURNS)]
        if not self:
            raise ValueError(f"no card is left to take from the {side}")
        self._states.append(self._game.next_state(self.state, turn))
        self._turns.append(turn)
        return self._card(turn, self.state)

    def undo(self) -> Exact:
        """Take back the last turn.

        Returns
        -------
        int or Fraction
            What the card that is in the row again was worth to its taker.

        Raises
        ------
        ValueError
            If no card has been taken.
        """
        if not self._turns:
            raise ValueError("no card has been taken, so that there is no turn to undo")
        return self._card(self._turns.pop(), self._states.pop())

    def _card(self, turn: Turn, after: State) -> Exact:
        """Return the card that a turn took, which led to a state."""
        taker = 1 - after.player
        at = after.left - 1 if turn.side == "left" else after.right + 1
        return self._game.worths[taker][at]

    def _ahead(self, wanted: int) -> Exact:
        """Return what the player to move is ahead by in the cards left.

        Parameters
        ----------
        wanted : int
            The same with the cards that both want.
        """
        favour = self._favour[self.right + 1] - self._favour[self.left]
        return self._instance.ahead(wanted, favour if self.player == 0 else -favour)
