"""A game in progress, on any line of play: take cards, take them back, get advice.

Values come from the `Intervals` of ``cardgames_dp.cardrow._kernels.collapse``, which
also explains their cost.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from operator import sub
from typing import Any

from cardgames_dp._results.records import PositionRecord, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.cardrow._kernels.collapse import Intervals
from cardgames_dp.cardrow._kernels.row import Cards, Exact, Instance, is_linear
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.rules import CardRowGame, Rules, Side, State, Turn
from cardgames_dp.cardrow.solution import Advice, Solution, solve

_TURNS: dict[Side, Turn] = {"left": Turn("left"), "right": Turn("right")}


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Position(PositionRecord["_Row", State, Turn]):
    """A game in progress: the cards left, the player to move, the sums.

    A position is immutable: each move returns a new one. Its length is the number of
    cards left, so it is false when the game is over. Positions of all games have the
    same members: `play`, `undo`, `history`, `over`, `value`, `advice`, `rules` and
    `state`.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float; or Solution
        The whole row from left to right, as for :func:`value`. With a solved row,
        values and advice are those of its table.
    rules : Rules, optional
        The classic rules if not given, or those of the solution. Other rules than two
        players and one card a turn need the table of :func:`solve`, which is made here.

    Notes
    -----
    Taking a card and taking it back are O(1). Without a table, a value or advice looks
    at collapsed cards: for 100,000 random cards at about twenty, at most forty; in the
    worst case, a row that rises from end to end, at all cards left. From time to time
    half of the cards left are collapsed. This takes O(n) time in a whole game of n
    cards, and O(n log n) with any number of moves taken back; memory is the same.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> game = cardrow.Position([4, 4, 6, 6, 12, 9])
    >>> game.value
    3
    >>> print(game.advice())
    cards 0 to 5: take left; value: left 3, right -3.
    >>> game.play("right").play("right")
    Position(state=State(left=0, right=3, player=0, sums=(9, 12)))
    >>> while game:
    ...     game = game.play(game.advice().action.side)
    >>> game.state.sums
    (22, 19)
    >>> game.undo().undo()
    Position(state=State(left=1, right=2, player=0, sums=(16, 15)))
    """

    def __init__(
        self, cards: Cards | Solution[Any], *, rules: Rules | None = None
    ) -> None:
        solution = cards if isinstance(cards, Solution) else None
        if isinstance(cards, Solution):
            if rules is not None and rules != cards.rules:
                raise arguments.wrong_value(
                    f"rules must be those of the solution, {cards.rules!r}", rules
                )
            rules, cards = cards.rules, cards.cards
        rules = arguments.rules(rules, Rules)
        row = read("cards", cards)
        if solution is None and not is_linear(rules):
            solution = solve(row.numbers(), rules=rules, backend="exact")
        game, instance = rules.game(row.numbers()), Instance.of(rules, row)
        more = accumulate(map(sub, instance.own(0), instance.own(1)), initial=0)
        intervals = Intervals(instance.wanted)
        shared = _Row(game, instance, solution, intervals, list(more))
        self._place(shared, game.initial_state())

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._shared.game.rules

    @property
    def player(self) -> int:
        """The player to move, 0 or 1; when no card is left, the one after the last."""
        return self.state.player

    @property
    def over(self) -> bool:
        """Whether no card is left."""
        return not len(self)

    def __len__(self) -> int:
        return self.state.right - self.state.left + 1

    def __repr__(self) -> str:
        return summary(self, state=self.state)

    @property
    def value(self) -> Exact | float:
        """The lead of the player to move *in the cards left*, under optimal play.

        With more than two players it is over the best of the others. It is 0 when no
        card is left. It is exact unless a float64 solution is played along.
        """
        if not self:
            return 0
        left, right, _, _ = self.state
        if self._shared.solution is not None:
            return self._shared.solution.lead(left, right, player=self.player)
        return self._ahead(self._shared.intervals.value(left, right))

    @property
    def lead(self) -> Exact | float:
        """The lead of player 0 *at the end of the game*, under optimal play from here.

        Optimal moves do not change it. For two players.
        """
        if self.rules.players > 2:
            raise ValueError(
                f"lead is for two players, got players={self.rules.players}; use value"
            )
        first, second = self.state.sums
        return first - second + (self.value if self.player == 0 else -self.value)

    def advice(self) -> Advice[Any]:
        """Return the best turn, all turns that are as good, and every turn's worth.

        Returns
        -------
        Advice
            As from ``solve(cards).advice(left, right, player=player)``: its values are
            leads of the player to move in the cards left.

        Examples
        --------
        >>> from cardgames_dp import cardrow
        >>> game = cardrow.Position([14, 4, 7, 2, 5, 12])
        >>> game = game.play("left").play("right").play("right")
        >>> print(game.advice())
        cards 1 to 3: take left (a tie); value: left -1, right -1.
        """
        if not self:
            raise ValueError("no card is left, so there is no turn to advise")
        left, right, row = self.state.left, self.state.right, self._shared
        if row.solution is not None:
            return row.solution.advice(left, right, player=self.player)
        turns = tuple(_TURNS.values())[: len(self)]
        cards = row.intervals.cards
        wanted = (
            cards[left] - row.intervals.value(left + 1, right),
            cards[right] - row.intervals.value(left, right - 1),
        )[: len(self)]
        most = max(wanted)
        best = tuple([t for t, x in zip(turns, wanted, strict=True) if x == most])
        turn = best[0]
        if len(best) > 1:  # legal turns come in the order of the tie rule
            turn = row.game.legal_actions(self.state)[0]
        worths = dict(zip(turns, map(self._ahead, wanted), strict=True))
        return Advice(turn, best, worths, left=left, right=right)

    def play(self, side: Side | Turn) -> Position:
        """Return the position after a turn of the player to move.

        Parameters
        ----------
        side : {"left", "right"} or Turn
            The end to take a card from, or a `Turn`, as in advice and histories.
        """
        turn = side if isinstance(side, Turn) else None
        if turn is None:
            turn = _TURNS[arguments.choice("side", side, _TURNS)]
        if not self:
            raise ValueError(f"no card is left to take from the {turn.side}")
        return self._next(turn, self._shared.game.next_state(self.state, turn))

    def _ahead(self, wanted: int) -> Exact:
        """Return the lead of the player to move in the cards left.

        Parameters
        ----------
        wanted : int
            The same in the cards that both want.
        """
        row = self._shared
        favour = row.favour[self.state.right + 1] - row.favour[self.state.left]
        return row.instance.lead(wanted, favour if self.player == 0 else -favour)


@dataclass(frozen=True, slots=True)
class _Row:
    """Data shared by all positions of a game.

    Attributes
    ----------
    game : CardRowGame
    instance : Instance
        Of the row and the rules.
    solution : Solution or None
        The solved row, where values and advice are read in its table.
    intervals : Intervals
        Of a game with the same decisions, in which larger sums are wanted.
    favour : list of int
        For each card, how much more the cards before it are worth to player 0 than to
        player 1.
    """

    game: CardRowGame
    instance: Instance = field(compare=False)
    solution: Solution[float] | Solution[Exact] | None = field(compare=False)
    intervals: Intervals = field(compare=False)
    favour: list[int] = field(compare=False)
