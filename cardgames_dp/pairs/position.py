"""A game of Pairs in progress, card by card, with advice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, SupportsIndex, TypeAlias, TypeVar

from cardgames_dp._results.records import PositionRecord, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import TERMINAL
from cardgames_dp.pairs._kernels.game import PairsGame, State
from cardgames_dp.pairs.rounds import checked_scores, ranks_of
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import Advice, Solution

Thing = TypeVar("Thing")
Move: TypeAlias = int | Literal["fold"] | tuple[int, ...]


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Position(PositionRecord[Solution, State, Move]):
    """A game in progress: the scores, the hands, the player to move, and advice.

    A position is immutable: each move returns a new one. Positions of all games have
    the same members: `play`, `undo`, `history`, `over`, `value`, `advice`, `rules` and
    `state`. Seats are counted from 0, which is the leader of the first round.

    Parameters
    ----------
    solution : Solution
        The solution of the game, from `solve` or `published`.
    scores : iterable of int, optional
        The points at the start, the leader's first; 0 if not given.

    See Also
    --------
    cardgames_dp.play.Position, cardgames_dp.cardrow.Position

    Examples
    --------
    In the published game, the first player draws a 5, the second a 9, and the first a
    2. The second player hits, against the advice, and draws another 9, a pair:

    >>> from cardgames_dp import pairs
    >>> game = pairs.Position(pairs.published())
    >>> for card in [5, 9, 2]:
    ...     game = game.play(card)
    >>> game
    Position(scores=(0, 0), hands=((2, 5), (9,)), player=1, over=False)
    >>> print(game.advice())
    fold, winning 0.477039; a hit wins 0.462935.
    >>> game = game.play(9)
    >>> game.state.scores, game.hands, game.player, round(game.value, 4)
    ((0, 9), ((), ()), 0, 0.6754)
    """

    def __init__(
        self, solution: Solution, *, scores: Iterable[SupportsIndex] | None = None
    ) -> None:
        if not isinstance(solution, Solution):
            raise arguments.wrong_type(
                "solution must be a result of pairs.solve", solution
            )
        if solution.goal != "win":
            raise ValueError(
                f"solution must be of players who want to win, got a {solution._label}"
            )
        state = solution.rules.game().initial_state()
        if scores is not None:
            points = checked_scores(solution.rules, scores).tolist()
            state = state._replace(scores=tuple(points))
        self._place(solution, state)

    @property
    def solution(self) -> Solution:
        """The solution from which the advice comes."""
        return self._shared

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.solution.rules

    @property
    def _game(self) -> PairsGame:
        return self.rules.game()

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat."""
        return self.state.scores

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of the cards in the hand of each seat."""
        return tuple([ranks_of(hand, self.rules.ranks) for hand in self.state.hands])

    @property
    def player(self) -> int:
        """The seat of the player to move, or who is dealt the next card."""
        return self.state.player

    @property
    def dealing(self) -> bool:
        """Whether the next card is dealt, without a decision."""
        return self.state.drawing and not self.over

    @property
    def over(self) -> bool:
        """Whether a player has lost."""
        return self._game.current_player(self.state) == TERMINAL

    @property
    def values(self) -> tuple[float, ...]:
        """The chance of winning of each seat, if all play optimally from here."""
        return _turned(self._values(self.state), -self.player)

    @property
    def value(self) -> float:
        """The chance of winning of the player to move, one of `values`."""
        return self.values[self.player]

    def advice(self) -> Advice:
        """Return the best action of the player to move: hit or fold.

        Raises
        ------
        ValueError
            If the game is over, or a card is dealt.
        """
        if self.over or self.dealing:
            what = "a card is dealt" if self.dealing else "the game is over"
            raise ValueError(f"{what}, so there is no action to advise")
        return self._advice(self.state)

    def play(self, move: Move) -> Position:
        """Return the position after the next card, or after a fold.

        Parameters
        ----------
        move : int, "fold", or tuple of int
            The rank of the card that the player to move draws or is dealt, or "fold".
            Under rules with ``first="lowest"`` a round begins with the ranks dealt to
            all players, beginning with the player to move.
        """
        state, game = self.state, self._game
        if self.over:
            what = arguments.shown(move)
            raise ValueError(f"the game is over, so {what} cannot be played")
        if isinstance(move, str):
            arguments.choice("move", move, ["fold"])
            if self.dealing or "fold" not in game.legal_actions(state):
                raise ValueError("nobody can fold here: the next move must be a card")
            return self._next("fold", game.next_state(state, "fold"))
        deals_all = self.rules.first == "lowest" and self.dealing
        after, played = self._dealt(move) if deals_all else self._drawn(move)
        if after is None:
            raise arguments.wrong_value(
                f"move must be {'a deal' if deals_all else 'a rank'} that the cards "
                f"unseen allow, {self._by_rank(state.unseen)}",
                move,
            )
        return self._next(played, after)

    def _drawn(self, move: object) -> tuple[State | None, Move]:
        rank = arguments.integer("move", move, minimum=1)
        if not self.dealing and "hit" not in self._game.legal_actions(self.state):
            raise ValueError("no card is left to draw: the player to move must fold")
        unseen = zip(self.rules.ranks, self.state.unseen, strict=True)
        outcomes = self._game.chance_outcomes(self.state._replace(drawing=True))
        cards = [each for each, count in unseen if count]
        after = {card: each for card, (_, each) in zip(cards, outcomes, strict=True)}
        return after.get(rank), rank

    def _dealt(self, move: object) -> tuple[State | None, Move]:
        ranks = tuple(arguments.integers("move", move, minimum=1))
        if len(ranks) != self.rules.players:
            raise arguments.wrong_value(
                f"move must be the rank dealt to each of {self.rules.players} players",
                move,
            )
        after = {}
        for _, each in self._game.chance_outcomes(self.state):
            cards = [ranks_of(hand, self.rules.ranks) for hand in each.hands]
            after[_turned([card for (card,) in cards], self.player)] = each
        return after.get(ranks), ranks

    def _by_rank(self, counts: tuple[int, ...]) -> dict[int, int]:
        return dict(zip(self.rules.ranks, counts, strict=True))

    def _deck(self, state: State) -> dict[int, int] | None:
        all_return = self.rules.reshuffle == "round"
        return None if all_return else self._by_rank(state.unseen)

    def _advice(self, state: State) -> Advice:
        hand, *others = map(self._by_rank, _turned(state.hands, state.player))
        scores = _turned(state.scores, state.player)
        deck = self._deck(state)
        return self.solution.advice(hand=hand, others=others, scores=scores, deck=deck)

    def _values(self, state: State) -> tuple[float, ...]:
        """Return the chances of winning in turn order, the player to move first."""
        game = self._game
        if game.current_player(state) == TERMINAL:
            return tuple(map(float, _turned(game.returns(state), state.player)))
        if not any(map(any, state.hands)):
            scores = _turned(state.scores, state.player)
            return self.solution.value_at(scores, deck=self._deck(state))
        if not state.drawing:
            return self._advice(state).returns
        chances = [0.0] * self.rules.players
        outcomes = game.chance_outcomes(state)
        for weight, after in outcomes:
            turned = _turned(self._values(after), state.player - after.player)
            chances = [x + weight * y for x, y in zip(chances, turned, strict=True)]
        whole = sum([weight for weight, _ in outcomes])
        return tuple([chance / whole for chance in chances])

    def __repr__(self) -> str:
        names = "scores", "hands", "player", "over"
        return summary(self, **{name: getattr(self, name) for name in names})


def _turned(things: Sequence[Thing], by: int) -> tuple[Thing, ...]:
    """Return what the seats have, beginning with some seat, in turn order."""
    by %= len(things)
    return (*things[by:], *things[:by])
