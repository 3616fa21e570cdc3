"""The published rules of Pairs, which remember scored cards.

Small decks are solved as any game is; the published deck is simulated.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import SupportsIndex

from cardgames_dp._records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs._kernels import official
from cardgames_dp.pairs._kernels.official import OfficialState
from cardgames_dp.pairs._kernels.setting import Action
from cardgames_dp.pairs.rules import RankCounts, Rules


@dataclass(frozen=True, slots=True, init=False)
class OfficialRules(Record):
    """The rules as they are printed on the sheet of the published game.

    At each shuffle some cards are put aside, unseen. A round starts with one card each,
    and the lowest card leads; tied players get another card; a card that would make a
    pair in this is replaced. A player who makes a pair keeps one of its two cards, and
    one who folds takes the lowest on the table: such *scored cards* stay out of the
    deck until the game ends. The deck is not shuffled between rounds.

    What a position is worth so depends on all scored cards and discards. For the
    published deck no table holds that, and it is for :func:`simulate`; small decks are
    solved by :func:`cardgames_dp.exact.solve` or :func:`cardgames_dp.diagonal.solve`
    with `game`.

    Parameters
    ----------
    players : int, default 2
        At least two.
    deck : mapping of int to int, optional
        How many cards there are of each rank; ``triangular(10)`` if not given.
    target : int, optional
        The score that loses; ``60 // players + 1`` if not given: 31, 21, 16, 13 and 11
        for two to six players.
    burn : int, default 5
        How many cards are put aside at each shuffle.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If an argument is outside its range, or all cards may be burned and scored, so
        that none is left to deal.

    Notes
    -----
    Where the sheet is silent, this is done:

    - Cards are dealt from the player to the left of the one who scored on, at first
      from the first seat on. Tied players compare the new cards alone, and those who
      are tied again get another one. A card that is replaced goes to the discards.
    - When the deck runs out, discards and burned cards are shuffled at once, at the
      end of the turn that draws the last card (or in the midst of a deal), and cards
      are burned again. Cards on the table and scored cards are not among them.
    - When there is no card to draw even then, the player has to fold. When there is
      none to deal that would not make a pair, the player gets none, and does not
      lead if anyone else gets one; among players who all get none the first one leads.

    References
    ----------
    The game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> [pairs.OfficialRules(players=n).target for n in range(2, 7)]
    [31, 21, 16, 13, 11]
    """

    players: int
    deck: tuple[tuple[int, int], ...]
    target: int
    burn: int

    def __init__(
        self,
        players: SupportsIndex = 2,
        deck: RankCounts | None = None,
        target: SupportsIndex | None = None,
        burn: SupportsIndex = 5,
    ) -> None:
        rules = _without_scored_cards(players, deck, target, burn)
        for name in ("players", "deck", "target", "burn"):
            object.__setattr__(self, name, getattr(rules, name))
        scored, cards = _most_scored(rules), sum(rules.counts)
        if cards <= scored + rules.burn:
            raise ValueError(
                f"burn={rules.burn} and up to {scored} scored cards (target="
                f"{rules.target} for {rules.players} players) must leave a card of the "
                f"deck, which holds {cards}"
            )

    def game(self) -> OfficialGame:
        """Return the game for :func:`cardgames_dp.exact.solve`, for small decks.

        Returns
        -------
        OfficialGame
            Where both actions are as good, the solver takes the first, a fold.

        Examples
        --------
        >>> from cardgames_dp import diagonal, pairs
        >>> rules = pairs.OfficialRules(deck=pairs.triangular(4), target=3, burn=1)
        >>> diagonal.solve(rules.game())
        Solution(value=(0.4969599847, 0.5030400153), num_states=11311, ties=178, \
possible_ties=236, error=3e-15, tie_break='first')
        """
        return OfficialGame(self)

    @property
    def without_scored_cards(self) -> Rules:
        """The same, but that scored cards are discarded: what a `View` shows."""
        return _known(self.players, self.deck, self.target, self.burn)

    @property
    def solvable(self) -> Rules:
        """The nearest rules that are solved easily: all returns after each round.

        Deals with a tie are repeated. The policy of ``solve(rules.solvable)`` is
        a strong one for the official game, if not the best.
        """
        return replace(self.without_scored_cards, reshuffle="round", burn=0)


@dataclass(frozen=True, slots=True)
class OfficialGame(Record):
    """The published game; a player's return is 1 for winning and 0 for losing.

    In the vocabulary of :class:`cardgames_dp.game.Game`; made by `OfficialRules.game`.

    Attributes
    ----------
    rules : OfficialRules
        Those of the game.

    Examples
    --------
    Two cards are dealt, one after the other; here they are not tied:

    >>> from cardgames_dp import pairs
    >>> game = pairs.OfficialRules(deck={1: 2, 2: 3}, target=2, burn=0).game()
    >>> _, (_, second) = game.chance_outcomes(game.initial_state())
    >>> (_, dealt), _ = game.chance_outcomes(second)
    >>> dealt.hands, dealt.player, game.legal_actions(dealt)
    (((0, 1), (1, 0)), 1, ['fold', 'hit'])
    """

    rules: OfficialRules

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self.rules.players

    def initial_state(self) -> OfficialState:
        """Return the start: no points, the full deck, the first seat is dealt to."""
        return official.start(self.rules.without_scored_cards)

    def current_player(self, state: OfficialState) -> int:
        """Return who decides, `CHANCE` where a card is drawn, or `TERMINAL`."""
        if max(state.scores) >= self.rules.target:
            return TERMINAL
        return CHANCE if state.drawing or state.dealing else state.player

    def legal_actions(self, state: OfficialState) -> list[Action]:
        """Return what the player may do."""
        return official.actions(self.rules.without_scored_cards, state)

    def next_state(self, state: OfficialState, action: Action) -> OfficialState:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        return official.after_fold(self.rules.without_scored_cards, state)

    def chance_outcomes(self, state: OfficialState) -> list[tuple[int, OfficialState]]:
        """Return the cards that may be drawn, or dealt to the next player."""
        return official.after_chance(self.rules.without_scored_cards, state)

    def returns(self, state: OfficialState) -> list[int]:
        """Return 1 for the winners, 0 for the loser."""
        return [int(score < self.rules.target) for score in state.scores]


def _without_scored_cards(
    players: SupportsIndex,
    deck: RankCounts | None,
    target: SupportsIndex | None,
    burn: SupportsIndex,
) -> Rules:
    return Rules(
        players,
        deck,
        target,
        reshuffle="exhausted",
        deal=1,
        first="lowest",
        burn=burn,
    )


# A game asks for the same ones in every state.
_known = functools.lru_cache(maxsize=16)(_without_scored_cards)


def _most_scored(rules: Rules) -> int:
    """Return a bound of how many cards can be scored while nobody has lost."""
    points, most = rules.players * (rules.losing_score - 1), 0
    for rank, count in zip(rules.ranks, rules.counts, strict=True):
        taken = min(count, points // rank)
        points -= taken * rank
        most += taken
    return most
