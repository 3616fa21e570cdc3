"""The rules of Pairs: the one place where they stand.

A deck holds some cards of each rank. The players, in turn, *hit*, which is to draw a
card, or *fold*. A player who draws a rank held already has made a pair and scores its
rank; one who folds scores the lowest rank on the table. Either ends the round, and all
hands go away. The first player whose score reaches the target has lost, and all others
have won. Points are bad.

With no card on the table nobody can fold; with no card to draw nobody can hit.

What happens to the cards between rounds is what the rule sets differ in:

"round"
    Everything returns to the deck after each round. Nothing but the scores is carried
    from one round to the next. This is the Pairs essay's prose.
"exhausted"
    Hands go to a pile of discards, which returns to the deck when that is exhausted: at
    the end of the turn that draws the last card, with the hands of a round that this
    card ends, not before it reaches a hand ("essay") and not only when somebody has to
    draw again. Players remember all discards.
"essay"
    What the program in the Pairs essay's appendix does, for reproducing it. As
    "exhausted", but the discards return *before* the card just drawn reaches a hand, so
    a pair made by the last card stays out; folding never brings discards back; and if a
    round is to start with an empty deck, the game ends without any winner.

References
----------
The Pairs essay ("Probability and Game Theory in the Card Game Pairs", an extended
essay). The published game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeAlias

from cardgames_dp import _checks
from cardgames_dp._records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs import _arguments
from cardgames_dp.pairs._kernels import turns
from cardgames_dp.pairs._kernels.setting import Action, First, Reshuffle
from cardgames_dp.pairs._kernels.turns import State

RankCounts: TypeAlias = (
    Mapping[Any, SupportsIndex] | Iterable[tuple[SupportsIndex, SupportsIndex]]
)
"""Ranks, and a number for each; mappings are of keys of one type, and any will do."""

RESHUFFLES: tuple[Reshuffle, ...] = ("round", "exhausted", "essay")
FIRSTS: tuple[First, ...] = ("rotation", "lowest")
ACTIONS: tuple[Action, ...] = ("fold", "hit")


def triangular(ranks: int) -> dict[int, int]:
    """Return the deck with one 1, two 2s, three 3s and so on.

    Grade: exact.

    Parameters
    ----------
    ranks : int
        How many ranks, at least 1; the published game has ten, which is 55 cards.

    Returns
    -------
    dict of int to int
        How many cards there are of each rank.

    Raises
    ------
    TypeError, ValueError
        If `ranks` is not an integer >= 1.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> pairs.triangular(4)
    {1: 1, 2: 2, 3: 3, 4: 4}
    """
    ranks = _checks.integer("ranks", ranks, minimum=1)
    return {rank: rank for rank in range(1, ranks + 1)}


@dataclass(frozen=True, slots=True, init=False)
class Rules(Record):
    """Players, deck, target, and what becomes of the cards.

    Parameters
    ----------
    players : int, default 2
        At least two.
    deck : mapping of int to int, or pairs of both, optional
        How many cards there are of each rank; ranks are points, at least 1, and counts
        at least 1. ``triangular(10)`` if not given.
    target : int, optional
        The score that loses, at least 1; ``60 // players + 1`` if not given, as for two
        players 31.
    reshuffle : {"round", "exhausted", "essay"}
        When cards return to the deck; see `cardgames_dp.pairs.rules`.
    deal : {0, 1}
        How many cards each player is dealt when a round starts.
    first : {"rotation", "lowest"}
        Who leads in the next round: the player to the left of the one who scored (and
        the player in the first seat in the first round); or the player dealt the lowest
        card, where a deal in which several have the lowest card is repeated, from the
        full deck if what is left of it has no other deals. "lowest" needs ``deal=1``.
        Cards are dealt from the player on who would lead by rotation.
    burn : int, default 0
        How many cards are put aside, unseen, at each shuffle. What nobody has seen is
        as likely to be anywhere, so they only make the deck run out earlier.
    tie : {"fold", "hit"}
        What a player does when both are exactly as good. With more than two players it
        can change the chances of the others.
    capacity : int or mapping of int to int, default 1
        How many cards of a rank a hand may hold: one more scores. 1 is Pairs.
    shuffle_limit : int, default 0
        The deck counts as exhausted when this many cards are left.

    Attributes
    ----------
    deck, capacity : tuple of pairs of int
        Rank and count, rank and capacity, by increasing rank.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If an argument is outside its range, or the rules do not go together: more cards
        dealt, burned or kept back than the deck holds; "lowest" without a deal, or
        where no deal has a lowest card that is unique; `shuffle_limit` where every
        round is shuffled. With "essay": `burn` or "lowest", which its program does not
        have, or a deck that can all be in hands, where it divides by zero.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> rules.deck, rules.target
    (((1, 1), (2, 2), (3, 3)), 5)
    >>> pairs.Rules(players=3).target
    21
    >>> pairs.Rules(first="lowest")
    Traceback (most recent call last):
        ...
    ValueError: first='lowest' needs deal=1: without a card nobody has the lowest one
    """

    players: int
    deck: tuple[tuple[int, int], ...]
    target: int
    reshuffle: Reshuffle
    deal: int
    first: First
    burn: int
    tie: Action
    capacity: tuple[tuple[int, int], ...]
    shuffle_limit: int

    def __init__(
        self,
        players: SupportsIndex = 2,
        deck: RankCounts | None = None,
        target: SupportsIndex | None = None,
        reshuffle: Reshuffle = "round",
        deal: SupportsIndex = 0,
        first: First = "rotation",
        burn: SupportsIndex = 0,
        tie: Action = "fold",
        capacity: SupportsIndex | RankCounts = 1,
        shuffle_limit: SupportsIndex = 0,
    ) -> None:
        seats = _checks.integer("players", players, minimum=2)
        cards = _arguments.rank_counts("deck", triangular(10) if deck is None else deck)
        points = 60 // seats + 1 if target is None else target
        dealt = _checks.integer("deal", deal)
        if dealt > 1:
            raise ValueError(f"deal must be 0 or 1, got {_checks.shown(dealt)}")
        fields = {
            "players": seats,
            "deck": cards,
            "target": _checks.integer("target", points, minimum=1),
            "reshuffle": _checks.choice("reshuffle", reshuffle, RESHUFFLES),
            "deal": dealt,
            "first": _checks.choice("first", first, FIRSTS),
            "burn": _checks.integer("burn", burn),
            "tie": _checks.choice("tie", tie, ACTIONS),
            "capacity": _arguments.capacities(capacity, [rank for rank, _ in cards]),
            "shuffle_limit": _checks.integer("shuffle_limit", shuffle_limit),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        _arguments.refuse_impossible_rules(self)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""
        return tuple([rank for rank, _ in self.deck])

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards the full deck has of each rank."""
        return tuple([count for _, count in self.deck])

    @property
    def capacities(self) -> tuple[int, ...]:
        """How many cards of each rank a hand may hold."""
        return tuple([most for _, most in self.capacity])

    @property
    def losing_score(self) -> int:
        """The target: who reaches it has lost."""
        return self.target

    @property
    def kept_back(self) -> int:
        """The deck counts as exhausted when this many cards are unseen.

        Burned cards and those still in the deck are all unseen, and as likely to be in
        either place.
        """
        return self.burn + self.shuffle_limit

    def game(self) -> PairsGame:
        """Return the game for :func:`cardgames_dp.exact.solve`.

        Returns
        -------
        PairsGame
            The `tie` rule is the order of the actions: what it prefers comes first,
            which is what the default ``tie_break="first"`` of the solver takes.

        Examples
        --------
        >>> from cardgames_dp import exact, pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
        >>> exact.solve(rules.game()).value[0]
        Fraction(27261969263, 60750000000)
        """
        return PairsGame(self)


@dataclass(frozen=True, slots=True)
class PairsGame(Record):
    """Pairs as a game of which a player's return is 1 for winning and 0 for losing.

    In the vocabulary of :class:`cardgames_dp.game.Game`; made by `Rules.game`.

    Attributes
    ----------
    rules : Rules
        Those of the game, and which action comes first.

    Examples
    --------
    A game can be played step by step:

    >>> from cardgames_dp import pairs
    >>> game = pairs.Rules(deck={1: 1, 2: 2}, target=3).game()
    >>> state = game.initial_state()
    >>> game.legal_actions(state)  # nobody has a card
    ['hit']
    >>> for weight, after in game.chance_outcomes(game.next_state(state, "hit")):
    ...     print(weight, after.hands, game.legal_actions(after))
    1 ((1, 0), (0, 0)) ['fold', 'hit']
    2 ((0, 1), (0, 0)) ['fold', 'hit']
    """

    rules: Rules

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self.rules.players

    def initial_state(self) -> State:
        """Return the start: no points, the full deck, the first seat leads."""
        return turns.start(self.rules)

    def current_player(self, state: State) -> int:
        """Return who decides, `CHANCE` where a card is drawn, or `TERMINAL`."""
        if turns.is_over(self.rules, state):
            return TERMINAL
        return CHANCE if state.drawing else state.player

    def legal_actions(self, state: State) -> list[Action]:
        """Return what the player may do, first what the tie rule prefers."""
        return turns.actions(self.rules, state)

    def next_state(self, state: State, action: Action) -> State:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        return turns.after_fold(self.rules, state)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the cards that may be drawn, or the deals."""
        return turns.after_chance(self.rules, state)

    def returns(self, state: State) -> list[int]:
        """Return 1 for the winners, 0 for the loser; 0 for all in the essay's dead end.

        That end is a round which starts with an empty deck.
        """
        if max(state.scores) < self.rules.losing_score:
            return [0] * self.rules.players
        return [int(score < self.rules.losing_score) for score in state.scores]
