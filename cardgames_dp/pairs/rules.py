"""The rules of Pairs: the one place where they stand.

A deck holds some cards of each rank. The players, in turn, *hit*, which is to draw a
card, or *fold*. Who draws a rank that they hold already has made a pair and scores its
rank; who folds scores the lowest rank on the table. Either ends the round, and all
hands go away. The first player whose score reaches the target has lost, and all others
have won. Points are bad.

With no card on the table nobody can fold; with no card to draw nobody can hit.

What happens to the cards between rounds is what the rule sets differ in:

"round"
    Everything returns to the deck after each round. Nothing but the scores is carried
    from one round to the next. This is document 004's prose.
"exhausted"
    Hands go to a pile of discards, which returns to the deck when that is exhausted: at
    the end of the turn that draws the last card, with the hands of a round that this
    card ends, not before it reaches a hand ("essay") and not only when somebody has to
    draw again. Players remember all discards.
"essay"
    What the program in document 004's appendix does, for reproducing it. As
    "exhausted", but the discards return *before* the card just drawn reaches a hand, so
    a pair made by the last card stays out; folding never brings discards back; and if a
    round is to start with an empty deck, the game ends without any winner.

References
----------
Document 004 ("Probability and Game Theory in the Card Game Pairs", an extended essay).
The published game: J. Ernest and others, *Pairs*, Cheapass Games, 2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._records import Record

if TYPE_CHECKING:
    from cardgames_dp.pairs.game import PairsGame

Reshuffle: TypeAlias = Literal["round", "exhausted", "essay"]
First: TypeAlias = Literal["rotation", "lowest"]
Action: TypeAlias = Literal["fold", "hit"]
RankCounts: TypeAlias = Mapping[int, int] | Iterable[tuple[int, int]]

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


@dataclass(frozen=True, slots=True)
class Rules(Record):
    """Players, deck, target, and what becomes of the cards.

    Parameters
    ----------
    players : int, default 2
        At least two.
    deck : mapping of int to int, optional
        How many cards there are of each rank; ranks are points, at least 1, and counts
        at least 1. ``triangular(10)`` if not given. Pairs (rank, count) will do as
        well, and are what is kept, by increasing rank.
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
        The deck counts as exhausted when so many cards are left.

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
        round is shuffled; `burn`, "lowest" or more hands than the deck can fill with
        "essay", whose program knows the first two not and divides by zero in the third.

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

    players: int = 2
    deck: RankCounts | None = None
    target: int | None = None
    reshuffle: Reshuffle = "round"
    deal: int = 0
    first: First = "rotation"
    burn: int = 0
    tie: Action = "fold"
    capacity: int | RankCounts = 1
    shuffle_limit: int = 0

    def __post_init__(self) -> None:
        players = _checks.integer("players", self.players, minimum=2)
        deck = _rank_counts("deck", triangular(10) if self.deck is None else self.deck)
        target = 60 // players + 1 if self.target is None else self.target
        deal = _checks.integer("deal", self.deal)
        if deal > 1:
            raise ValueError(f"deal must be 0 or 1, got {_checks.shown(deal)}")
        fields: dict[str, object] = {
            "players": players,
            "deck": deck,
            "target": _checks.integer("target", target, minimum=1),
            "reshuffle": _checks.choice("reshuffle", self.reshuffle, RESHUFFLES),
            "deal": deal,
            "first": _checks.choice("first", self.first, FIRSTS),
            "burn": _checks.integer("burn", self.burn),
            "tie": _checks.choice("tie", self.tie, ACTIONS),
            "capacity": _capacities(self.capacity, [rank for rank, _ in deck]),
            "shuffle_limit": _checks.integer("shuffle_limit", self.shuffle_limit),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._refuse_impossible()

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""
        return tuple([rank for rank, _ in self.deck])  # type: ignore[union-attr,misc]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards the full deck has of each rank."""
        return tuple([count for _, count in self.deck])  # type: ignore[union-attr,misc]

    @property
    def capacities(self) -> tuple[int, ...]:
        """How many cards of each rank a hand may hold."""
        return tuple([most for _, most in self.capacity])  # type: ignore[union-attr,misc]

    @property
    def losing_score(self) -> int:
        """The target, which is an int once the rules are made."""
        assert self.target is not None
        return self.target

    @property
    def kept_back(self) -> int:
        """The deck counts as exhausted when so many cards are unseen.

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
        from cardgames_dp.pairs.game import PairsGame

        return PairsGame(self)

    def _refuse_impossible(self) -> None:
        cards, players = sum(self.counts), self.players
        needed = max(players * self.deal, 1)
        if self.burn + needed > cards:
            raise ValueError(
                f"burn={self.burn} and deal={self.deal} for {players} players need "
                f"{self.burn + needed} cards, the deck holds {cards}"
            )
        if self.kept_back >= cards:
            raise ValueError(
                f"burn={self.burn} and shuffle_limit={self.shuffle_limit} must leave a "
                f"card of the deck, which holds {cards}"
            )
        if self.shuffle_limit and self.reshuffle == "round":
            raise ValueError(
                f"shuffle_limit={self.shuffle_limit} has no meaning with "
                "reshuffle='round', where the deck is shuffled before it runs low"
            )
        if self.first == "lowest":
            self._refuse_without_lowest()
        if self.reshuffle == "essay":
            self._refuse_beyond_essay()

    def _refuse_without_lowest(self) -> None:
        if not self.deal:
            raise ValueError(
                "first='lowest' needs deal=1: without a card nobody has the lowest one"
            )
        # Someone has one card of a rank, all others have higher ones.
        if sum(self.counts[1:]) < self.players - 1:
            raise ValueError(
                "first='lowest' needs a deal in which one player's card is lower than "
                f"all others', which deck={dict(self.deck)} has not "  # type: ignore[arg-type]
                f"for {self.players} players"
            )

    def _refuse_beyond_essay(self) -> None:
        if self.burn:
            raise ValueError(
                f"burn={self.burn} is not for reshuffle='essay': document 004's "
                "program burns no cards"
            )
        if self.first == "lowest":
            raise ValueError(
                "first='lowest' is not for reshuffle='essay': in document 004's "
                "program the player to the left of the scorer leads"
            )
        held = np.multiply(self.capacities, self.players)
        if (held >= self.counts).all():
            raise ValueError(
                f"reshuffle='essay' needs a card that cannot be in the hands of "
                f"{self.players} players: document 004's program divides by the number "
                "of cards left to draw"
            )


def _rank_counts(name: str, given: object) -> tuple[tuple[int, int], ...]:
    """Return a mapping, or pairs, of ranks and counts as pairs by increasing rank."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    if isinstance(pairs, (str, bytes)) or not isinstance(pairs, Iterable):
        raise TypeError(
            f"{name} must be a mapping of ranks to numbers of cards, got "
            f"{_checks.described(given)}"
        )
    checked: dict[int, int] = {}
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"{name} must be a mapping of ranks to numbers of cards, or pairs of "
                f"both, got the item {_checks.shown(pair)}"
            )
        rank = _checks.integer(f"a rank of {name}", pair[0], minimum=1)
        if rank in checked:
            raise ValueError(
                f"{name} must name each rank once, got {_checks.shown(rank)} again"
            )
        checked[rank] = _checks.integer(f"{name}[{rank}]", pair[1], minimum=1)
    if not checked:
        raise ValueError(f"{name} must hold at least one card, got none")
    return tuple(sorted(checked.items()))


def _capacities(given: object, ranks: list[int]) -> tuple[tuple[int, int], ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        most = _checks.integer("capacity", given, minimum=1)
        return tuple([(rank, most) for rank in ranks])
    capacities = _rank_counts("capacity", given)
    if [rank for rank, _ in capacities] != ranks:
        raise ValueError(
            f"capacity must name the ranks of the deck, {ranks}, got "
            f"{[rank for rank, _ in capacities]}"
        )
    return capacities
