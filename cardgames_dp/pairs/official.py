"""The official rules of Pairs, in which scored cards stay out of the deck.

Small decks are solved by the general solvers; the published deck is simulated.
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
    """The official rules, as printed on the rule sheet of the published game.

    At each shuffle some cards are put aside, unseen. At the start of a round each
    player is dealt one card, and the player with the lowest card leads; tied players
    get another card; a dealt card that would make a pair is replaced. A player who
    makes a pair keeps one of its two cards, and one who folds takes the lowest card on
    the table: such *scored cards* stay out of the deck until the game ends. The deck is
    not shuffled between rounds.

    The value of a position therefore depends on all scored cards and discards. For the
    published deck these are too many for a table; use :func:`simulate`. Small decks are
    solved by :func:`cardgames_dp.exact.solve` or :func:`cardgames_dp.diagonal.solve`
    with `game`.

    Parameters
    ----------
    players : int, default 2
        The number of players, at least 2.
    deck : mapping of int to int, optional
        The number of cards of each rank; ``triangular(10)`` if not given.
    target : int, optional
        The score that loses; ``60 // players + 1`` if not given: 31, 21, 16, 13 and 11
        for two to six players.
    burn : int, default 5
        The number of cards put aside at each shuffle.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is outside its range, or all cards may be burned and scored, so
        that none is left to deal.

    Notes
    -----
    Where the rule sheet says nothing, these rules are used:

    - Cards are dealt beginning with the player to the left of the one who scored, at
      first with the first seat. Tied players compare only the new cards, and those who
      tie again get another one. A card that is replaced goes to the discards.
    - When the deck runs out, discards and burned cards are shuffled at once, at the
      end of the turn that draws the last card (or during a deal), and cards are burned
      again. Cards on the table and scored cards are not shuffled.
    - If even then there is no card to draw, the player has to fold. If no card can be
      dealt without making a pair, the player gets none, and does not lead if another
      player gets one; if nobody gets one, the first of them leads.

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
        """Return the game for the general solvers, as for small decks.

        Returns
        -------
        OfficialGame
            A game for :func:`cardgames_dp.exact.solve` and others. In a tie the solver
            takes the first action, a fold.

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
        """The same rules with scored cards discarded: those of a policy's `View`."""
        return _known(self.players, self.deck, self.target, self.burn)

    @property
    def solvable(self) -> Rules:
        """The nearest rules that are easy to solve: all cards return after each round.

        Deals with a tie are repeated. The policy of ``solve(rules.solvable)`` is strong
        in the official game, but not optimal.
        """
        return replace(self.without_scored_cards, reshuffle="round", burn=0)


@dataclass(frozen=True, slots=True)
class OfficialGame(Record):
    """The official game as a :class:`cardgames_dp.game.Game`.

    A player's return is 1 for winning and 0 for losing. Made by `OfficialRules.game`.

    Attributes
    ----------
    rules : OfficialRules
        The rules of the game.

    Examples
    --------
    Deal two cards, one after the other; here they are not tied:

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
        """The number of players."""
        return self.rules.players

    def initial_state(self) -> OfficialState:
        """Return the first state: no points, the full deck, a card dealt to seat 0."""
        return official.start(self.rules.without_scored_cards)

    def current_player(self, state: OfficialState) -> int:
        """Return the player to move, `CHANCE` if a card is drawn, or `TERMINAL`."""
        if max(state.scores) >= self.rules.target:
            return TERMINAL
        return CHANCE if state.drawing or state.dealing else state.player

    def legal_actions(self, state: OfficialState) -> list[Action]:
        """Return the legal actions of the player to move."""
        return official.actions(self.rules.without_scored_cards, state)

    def next_state(self, state: OfficialState, action: Action) -> OfficialState:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        return official.after_fold(self.rules.without_scored_cards, state)

    def chance_outcomes(self, state: OfficialState) -> list[tuple[int, OfficialState]]:
        """Return the states after each card that may be drawn or dealt, weighted."""
        return official.after_chance(self.rules.without_scored_cards, state)

    def returns(self, state: OfficialState) -> list[int]:
        """Return 1 for each winner and 0 for the loser."""
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


# Cached, as a game needs the same rules in every state.
_known = functools.lru_cache(maxsize=16)(_without_scored_cards)


def _most_scored(rules: Rules) -> int:
    """Return an upper bound of the number of scored cards while nobody has lost."""
    points, most = rules.players * (rules.losing_score - 1), 0
    for rank, count in zip(rules.ranks, rules.counts, strict=True):
        taken = min(count, points // rank)
        points -= taken * rank
        most += taken
    return most
