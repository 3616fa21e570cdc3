"""The rules of Pairs, and the game that they make.

A deck holds some cards of each rank. In turn, the players *hit* (draw a card) or
*fold*. A player who draws a rank already in hand makes a pair and scores its rank; a
player who folds scores the lowest rank on the table. Either ends the round, and all
hands are cleared. The first player whose score reaches the target loses, and all others
win. Points are bad.

Nobody can fold on an empty table, and nobody can hit if no card is left to draw.

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
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import short
from cardgames_dp._records import Record
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.pairs import _arguments
from cardgames_dp.pairs._kernels import turns
from cardgames_dp.pairs._kernels.setting import Action, First, Reshuffle
from cardgames_dp.pairs._kernels.turns import State

RankCounts: TypeAlias = (
    Mapping[Any, SupportsIndex] | Iterable[tuple[SupportsIndex, SupportsIndex]]
)
"""Ranks, and a number for each; Any is the key type as mappings are invariant in it."""

RESHUFFLES: tuple[Reshuffle, ...] = ("round", "exhausted", "essay")
FIRSTS: tuple[First, ...] = ("rotation", "lowest")
ACTIONS: tuple[Action, ...] = ("fold", "hit")


def triangular(ranks: int) -> dict[int, int]:
    """Return the deck with one 1, two 2s, three 3s and so on.

    Grade: exact.

    Parameters
    ----------
    ranks : int
        The number of ranks, at least 1. The published game has ten, and so 55 cards.

    Returns
    -------
    dict of int to int
        The number of cards of each rank.

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
    refuse_too_large(f"a deck of {short(ranks)} ranks", 150 * ranks, "use fewer")
    return {rank: rank for rank in range(1, ranks + 1)}


@dataclass(frozen=True, slots=True, init=False)
class Rules(Record):
    """The rules: players, deck, target, and when cards return to the deck.

    Parameters
    ----------
    players : int, default 2
        The number of players, at least 2.
    deck : mapping of int to int, or pairs of both, optional
        The number of cards of each rank, at least 1; ranks are points, at least 1.
        ``triangular(10)`` if not given.
    target : int, optional
        The score that loses, at least 1; ``60 // players + 1`` if not given, which is
        31 for two players.
    reshuffle : {"round", "exhausted", "essay"}
        When cards return to the deck; see the notes.
    deal : {0, 1}
        The number of cards dealt to each player when a round starts.
    first : {"rotation", "lowest"}
        Who leads in the next round. "rotation": the player to the left of the one who
        scored (in the first round, the first seat). "lowest", which needs ``deal=1``:
        the player who is dealt the lowest card. A deal in which several players have
        the lowest card is repeated, from the full deck if the cards left allow no other
        deal. The deal begins with the player who would lead by rotation.
    burn : int, default 0
        The number of cards put aside, unseen, at each shuffle. All unseen cards are
        equally likely to be burned, so burning only makes the deck run out earlier.
    tie : {"fold", "hit"}
        The action of a player when both are equally good. With more than two players it
        can change the chances of the others.
    capacity : int or mapping of int to int, default 1
        The number of cards of a rank that a hand may hold; one more scores. In Pairs it
        is 1.
    shuffle_limit : int, default 0
        The deck counts as exhausted when this many cards are left.

    Attributes
    ----------
    deck, capacity : tuple of pairs of int
        Pairs of rank and count, and of rank and capacity, by increasing rank.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is outside its range, or the rules contradict each other: more
        cards dealt, burned or kept back than the deck holds; "lowest" without a deal,
        or if no deal has a unique lowest card; `shuffle_limit` if every round is
        shuffled. With "essay": `burn` or "lowest", which its program does not have, or
        a deck that fits into the hands, where it divides by zero.

    Notes
    -----
    Rule sets differ in when cards return to the deck:

    "round"
        After each round all cards return to the deck. Only the scores carry over to the
        next round. These are the rules of the Pairs essay's text.
    "exhausted"
        Hands go to a pile of discards, which return to the deck when it is exhausted:
        at the end of the turn that draws the last card, together with the hands if this
        card ends the round. Players remember all discards.
    "essay"
        The rules of the program in the Pairs essay's appendix, to reproduce it. As
        "exhausted", but discards return *before* the card just drawn reaches a hand, so
        a pair made by the last card stays out; a fold never brings discards back; and
        if a round would start with an empty deck, the game ends without a winner.

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
    ValueError: first='lowest' needs deal=1: without a deal nobody has the lowest card
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
        """The number of cards of each rank in the full deck."""
        return tuple([count for _, count in self.deck])

    @property
    def capacities(self) -> tuple[int, ...]:
        """The number of cards of each rank that a hand may hold."""
        return tuple([most for _, most in self.capacity])

    @property
    def losing_score(self) -> int:
        """The target: a player who reaches it loses."""
        return self.target

    @property
    def kept_back(self) -> int:
        """The number of unseen cards at which the deck counts as exhausted.

        Burned cards and those still in the deck are unseen, and equally likely to be in
        either place.
        """
        return self.burn + self.shuffle_limit

    def game(self) -> PairsGame:
        """Return the game for the general solvers and `cardgames_dp.play`.

        Returns
        -------
        PairsGame
            A game for :func:`cardgames_dp.exact.solve`. The `tie` rule orders the
            actions: the preferred one comes first, and the solver takes it by default
            (``tie_break="first"``).

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
    """Pairs as a :class:`cardgames_dp.game.Game`; made by `Rules.game`.

    A player's return is 1 for winning and 0 for losing.

    Attributes
    ----------
    rules : Rules
        The rules of the game; their `tie` orders the legal actions.

    Examples
    --------
    Play a game step by step:

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
        """The number of players."""
        return self.rules.players

    def initial_state(self) -> State:
        """Return the first state: no points, the full deck, the first seat leads."""
        return turns.start(self.rules)

    def current_player(self, state: State) -> int:
        """Return the player to move, `CHANCE` if a card is drawn, or `TERMINAL`."""
        if turns.is_over(self.rules, state):
            return TERMINAL
        return CHANCE if state.drawing else state.player

    def legal_actions(self, state: State) -> list[Action]:
        """Return the legal actions, the one that the tie rule prefers first."""
        return turns.actions(self.rules, state)

    def next_state(self, state: State, action: Action) -> State:
        """Return the state after a decision."""
        if action == "hit":
            return state._replace(drawing=True)
        return turns.after_fold(self.rules, state)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return the states after each possible card or deal, with weights."""
        return turns.after_chance(self.rules, state)

    def returns(self, state: State) -> list[int]:
        """Return 1 for each winner and 0 for the loser.

        It is 0 for all if a round starts with an empty deck, with reshuffle="essay".
        """
        if max(state.scores) < self.rules.losing_score:
            return [0] * self.rules.players
        return [int(score < self.rules.losing_score) for score in state.scores]
