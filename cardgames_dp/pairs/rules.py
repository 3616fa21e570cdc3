"""The rules of Pairs, the games that they make, and what players want.

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

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments

Reshuffle: TypeAlias = Literal["round", "exhausted", "essay", "official"]
First: TypeAlias = Literal["rotation", "lowest"]
Action: TypeAlias = Literal["fold", "hit"]
Tie: TypeAlias = Literal["fold", "hit", "rounding"]

RankCounts: TypeAlias = (
    Mapping[Any, SupportsIndex] | Iterable[tuple[SupportsIndex, SupportsIndex]]
)
"""Ranks, and a number for each; Any is the key type as mappings are invariant in it."""

Goal: TypeAlias = (
    Literal["win", "points", "lead"]
    | int
    | Callable[[tuple[int, ...]], Sequence[int | float | Fraction]]
)
"""What players maximise: a name, a number of players, or a function of final scores."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Decisions: TypeAlias = NDArray[np.bool_]
Hits: TypeAlias = Decisions | Floats
"""Where to hit, or with what probability."""

Returns: TypeAlias = Callable[[Integers], NDArray[Any]]
"""A function from final scores to returns, both of shape (ends, players)."""

Exactly: TypeAlias = Callable[[tuple[int, ...]], tuple[Fraction, ...]]
"""A function from final scores to returns, both by seats."""

RESHUFFLES: tuple[Reshuffle, ...] = ("round", "exhausted", "essay", "official")
FIRSTS: tuple[First, ...] = ("rotation", "lowest")
TIES: tuple[Tie, ...] = ("fold", "hit", "rounding")

_MOST_RANKS = 10**6
"""The most ranks of a deck that a number stands for."""


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rules(Record):
    """The rules: players, deck, target, and when cards return to the deck.

    Parameters
    ----------
    players : int, default 2
        The number of players, at least 2.
    deck : mapping of int to int, pairs of both, or int, default 10
        The number of cards of each rank, at least 1; ranks are points, at least 1. An
        int is the number of ranks of the deck with one 1, two 2s, three 3s and so on;
        the published game has ten, and so 55 cards.
    target : int, optional
        The score that loses, at least 1; ``60 // players + 1`` if not given, which is
        31 for two players.
    reshuffle : {"round", "exhausted", "essay", "official"}
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
    tie : {"fold", "hit", "rounding"}
        The action of a player when both are equally good. With more than two players it
        can change the chances of the others. With "rounding" float64 chances are
        compared as they are, as in the Pairs essay's program, and rounding errors
        decide; where nothing is rounded it is "fold".
    capacity : int, default 1
        The number of cards of a rank that a hand may hold; one more scores.

    Attributes
    ----------
    deck : tuple of pairs of int
        Pairs of rank and count, by increasing rank.

    Raises
    ------
    ValueError
        If the rules contradict each other: more cards dealt or burned than the deck
        holds; no deal with a unique lowest card. With "essay": `burn` or "lowest",
        which its program does not have, or a deck that fits into the hands, where it
        divides by zero. With "official": no card is sure to be left to deal.

    Notes
    -----
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
    "official"
        Scored cards stay out of the deck; see :meth:`official`.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=3, target=5)
    >>> rules.deck, rules.target
    (((1, 1), (2, 2), (3, 3)), 5)
    >>> pairs.Rules(players=3).target
    21
    """

    players: int
    deck: tuple[tuple[int, int], ...]
    target: int
    reshuffle: Reshuffle
    deal: int
    first: First
    burn: int
    tie: Tie
    capacity: int

    def __init__(
        self,
        players: SupportsIndex = 2,
        deck: RankCounts | SupportsIndex = 10,
        target: SupportsIndex | None = None,
        reshuffle: Reshuffle = "round",
        deal: SupportsIndex = 0,
        first: First = "rotation",
        burn: SupportsIndex = 0,
        tie: Tie = "fold",
        capacity: SupportsIndex = 1,
    ) -> None:
        seats = arguments.integer("players", players, minimum=2)
        cards = _cards_of(deck)
        points = 60 // seats + 1 if target is None else target
        dealt = arguments.integer("deal", deal)
        if dealt > 1:
            raise arguments.wrong_value("deal must be 0 or 1", dealt)
        self._set(
            players=seats,
            deck=cards,
            target=arguments.integer("target", points, minimum=1),
            reshuffle=arguments.choice("reshuffle", reshuffle, RESHUFFLES),
            deal=dealt,
            first=arguments.choice("first", first, FIRSTS),
            burn=arguments.integer("burn", burn),
            tie=arguments.choice("tie", tie, TIES),
            capacity=arguments.integer("capacity", capacity, minimum=1),
        )
        _refuse_impossible(self)

    @classmethod
    def official(
        cls,
        players: SupportsIndex = 2,
        deck: RankCounts | SupportsIndex = 10,
        target: SupportsIndex | None = None,
        burn: SupportsIndex = 5,
    ) -> Rules:
        """Return the official rules, those of the rule sheet of the published game.

        At each shuffle some cards are put aside, unseen. At the start of a round each
        player is dealt one card, and the player with the lowest card leads; tied
        players get another card; a dealt card that would make a pair is replaced. A
        player who makes a pair keeps one of its two cards, and one who folds takes the
        lowest card on the table: such *scored cards* stay out of the deck until the
        game ends. The deck is not shuffled between rounds.

        The value of a position depends on all scored cards and discards. For the
        published deck these are too many for a table; use
        :func:`cardgames_dp.play.simulate`. Small decks are solved by
        :func:`cardgames_dp.exact.solve` or :func:`cardgames_dp.diagonal.solve` with
        :func:`game`. The solution of
        ``Rules(deal=1, first="lowest")``, where all cards return after each round, is
        strong in the official game, but not optimal.

        Parameters
        ----------
        players, deck, target
            As for `Rules`.
        burn : int, default 5
            The number of cards put aside at each shuffle.

        Notes
        -----
        Where the rule sheet says nothing, these rules are used:

        - Cards are dealt beginning with the player to the left of the one who scored,
          at first with the first seat. Tied players compare only the new cards, and
          those who tie again get another one. A card that is replaced goes to the
          discards.
        - When the deck runs out, discards and burned cards are shuffled at once, at the
          end of the turn that draws the last card (or during a deal), and cards are
          burned again. Cards on the table and scored cards are not shuffled.
        - If even then there is no card to draw, the player has to fold. If no card can
          be dealt without making a pair, the player gets none, and does not lead if
          another player gets one; if nobody gets one, the first of them leads.

        Examples
        --------
        >>> from cardgames_dp import diagonal, pairs
        >>> [pairs.Rules.official(players=n).target for n in range(2, 7)]
        [31, 21, 16, 13, 11]
        >>> rules = pairs.Rules.official(deck=4, target=3, burn=1)
        >>> diagonal.solve(pairs.game(rules))
        Solution(payoffs=(0.4969599847, 0.5030400153), num_states=11311, ties=178, \
possible_ties=236, error=2.3e-15, tie_break='first')
        """
        return cls(players, deck, target, "official", 1, "lowest", burn)

    def __repr__(self) -> str:
        try:  # with all ranks, however many
            facts = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self)]
        except ValueError:  # numbers too long for Python to print
            return Record.__repr__(self)
        return f"Rules({', '.join(facts)})"

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""
        return tuple([rank for rank, _ in self.deck])

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cards of each rank in the full deck."""
        return tuple([count for _, count in self.deck])

    def lowest(self, state: Any) -> Any:
        """Return what a fold scores in a state, or in arrays of states.

        It is one more than the highest rank if there is no card on the table, where
        nobody can fold.

        Parameters
        ----------
        state : State
            Of one state, or of many with arrays as fields.

        Examples
        --------
        Improve a simple policy by hitting if a fold would lose the game:

        >>> import numpy as np
        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=3, target=5)
        >>> def at_last(state):
        ...     loses = rules.lowest(state) + state.scores[:, 0] >= rules.target
        ...     usual = pairs.decision("fifty_percent", state, rules=rules)
        ...     return np.where(loses, "hit", usual)
        >>> round(pairs.rates(rules, [at_last, "fifty_percent"]).mean[0], 4)
        0.5427
        """
        hand = in_integers(state.hand)
        table = hand + in_integers(state.others).sum(axis=-2)
        ranks = np.array(self.ranks)
        return np.where(table > 0, ranks, ranks[-1] + 1).min(axis=-1)[()]

    def pairing(self, state: Any) -> Any:
        """Return how many of the unseen cards of each rank would make a pair.

        Parameters
        ----------
        state : State
            Of one state, or of many with arrays as fields.

        Returns
        -------
        ndarray of int, shape (..., ranks)

        Examples
        --------
        A 2 and a 3 in hand, against a 3: a 2 and a 3 are left of 10 cards.

        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=4)
        >>> state = pairs.state(hand=[2, 3], others=[3, 4], rules=rules)
        >>> rules.pairing(state), sum(state.unseen)
        (array([0, 1, 1, 0]), 6)
        """
        return np.where(
            in_integers(state.hand) == self.capacity, in_integers(state.unseen), 0
        )


def in_integers(values: Any) -> NDArray[np.int64]:
    """Return counts, or points, in an array of int64."""
    return np.asarray(values).astype(np.int64, copy=False)


def _cards_of(deck: object) -> tuple[tuple[int, int], ...]:
    """Return ranks and counts of a deck, by increasing rank."""
    must = "deck must be a mapping of ranks to numbers of cards"
    if isinstance(deck, (str, bytes)):
        raise arguments.wrong_type(must, deck)
    if not arguments.is_iterable(deck):
        ranks = arguments.integer("deck", deck, minimum=1)
        instead = "give a mapping of ranks to numbers"
        arguments.at_most("deck", ranks, _MOST_RANKS, instead)
        return tuple([(rank, rank) for rank in range(1, ranks + 1)])
    checked: dict[int, int] = {}
    pairs: Any = deck.items() if isinstance(deck, Mapping) else deck
    for pair in arguments.limited_items("deck", pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            got = arguments.shown(pair)
            raise TypeError(f"{must}, or pairs of both, got the item {got}")
        rank = arguments.integer("a rank of deck", pair[0], minimum=1)
        if rank in checked:
            got = arguments.shown(rank)
            raise ValueError(f"deck must name each rank once, got {got} again")
        checked[rank] = arguments.integer(
            f"deck[{arguments.shown(rank)}]", pair[1], minimum=1
        )
    if not checked:
        raise ValueError("deck must hold at least one card, got none")
    return tuple(sorted(checked.items()))


def _refuse_impossible(rules: Rules) -> None:
    """Refuse rules that do not go together."""
    cards, players = sum(rules.counts), rules.players
    needed = max(players * rules.deal, 1)
    if rules.burn + needed > cards:
        raise ValueError(
            f"burn={arguments.shown(rules.burn)} and deal={rules.deal} for "
            f"{arguments.shown(players)} players need "
            f"{arguments.shown(rules.burn + needed)} cards, the deck holds "
            f"{arguments.shown(cards)}"
        )
    if rules.first == "lowest":
        _refuse_without_lowest(rules)
    if rules.reshuffle == "essay":
        _refuse_beyond_essay(rules)
    if rules.reshuffle == "official":
        _refuse_beyond_sheet(rules)


def _refuse_without_lowest(rules: Rules) -> None:
    if not rules.deal:
        raise ValueError(
            "first='lowest' needs deal=1: without a deal nobody has the lowest card"
        )
    # One player has a card of some rank, and all others have higher cards.
    if sum(rules.counts[1:]) < rules.players - 1:
        raise ValueError(
            "first='lowest' needs a deal in which one player's card is lower than "
            f"all others'; deck={arguments.shown(dict(rules.deck))} has no such deal "
            f"for {arguments.shown(rules.players)} players"
        )


def _refuse_beyond_essay(rules: Rules) -> None:
    if rules.burn:
        raise ValueError(
            f"burn={arguments.shown(rules.burn)} is not for reshuffle='essay': the "
            "Pairs essay's program burns no cards"
        )
    if rules.first == "lowest":
        raise ValueError(
            "first='lowest' is not for reshuffle='essay': in the Pairs essay's "
            "program the player to the left of the scorer leads"
        )
    if max(rules.counts) <= rules.players * rules.capacity:
        raise ValueError(
            "reshuffle='essay' needs more cards than the hands of "
            f"{arguments.shown(rules.players)} players can hold: the Pairs essay's "
            "program divides by the number of cards left to draw"
        )


def _refuse_beyond_sheet(rules: Rules) -> None:
    if (rules.deal, rules.first) != (1, "lowest"):
        raise ValueError(
            "reshuffle='official' needs deal=1 and first='lowest', got "
            f"deal={rules.deal} and first={rules.first!r}; use Rules.official(...)"
        )
    points, scored = rules.players * (rules.target - 1), 0  # at most, in a game
    for rank, count in rules.deck:
        taken = min(count, points // rank)
        points -= taken * rank
        scored += taken
    cards = sum(rules.counts)
    if cards <= scored + rules.burn:
        raise ValueError(
            f"burn={arguments.shown(rules.burn)} and up to {arguments.shown(scored)} "
            f"scored cards (target={arguments.shown(rules.target)} for "
            f"{arguments.shown(rules.players)} players) must leave a card of the deck, "
            f"which holds {arguments.shown(cards)}"
        )


def tabled_rules(rules: object) -> Rules:
    """Return rules of a game that has a table; the published game if None."""
    checked = arguments.rules(rules, Rules)
    if checked.reshuffle == "official":
        raise ValueError(
            "rules must not have reshuffle='official', where scored cards stay out and "
            "positions are too many for a table; use play.simulate(pairs.game(rules), "
            "...), or for small decks exact.solve(pairs.game(rules))"
        )
    return checked


def returns_of(rules: Rules, goal: object) -> Exactly | None:
    """Return the function from final scores to returns; None if all want to win.

    It is applied to scores that begin with the loser's: a goal treats all seats alike.
    """
    if isinstance(goal, str) and goal == "win":
        return None
    if rules.reshuffle == "essay":
        raise ValueError(
            "rules must not have reshuffle='essay', under which a game may end without "
            "a loser; use 'round' or 'exhausted'"
        )
    n = rules.players
    arguments.refuse_class("goal", goal)
    if isinstance(goal, str):
        arguments.choice("goal", goal, ("win", "points", "lead"))
    elif not callable(goal):
        best = arguments.integer("goal", goal, minimum=1)
        if best >= n:
            raise ValueError(
                f"goal must be fewer players than the game has, {n}, got "
                f"{arguments.shown(best)}"
            )

    @functools.cache
    def of_loser(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        if callable(goal):
            return _call_goal(goal, scores)
        if goal == "points":
            return tuple([Fraction(-points) for points in scores])
        if goal == "lead":
            total = sum(scores)
            return tuple([Fraction(total - n * own, n - 1) for own in scores])
        # Who is tied for the last of the best places draws lots.
        places = [(sum(x < own for x in scores), scores.count(own)) for own in scores]
        shares = [(min(max(best - before, 0), tied), tied) for before, tied in places]
        return tuple([Fraction(*share) for share in shares])

    def returns(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        loser = next(i for i, points in enumerate(scores) if points >= rules.target)
        got = of_loser(scores[loser:] + scores[:loser])
        return got[n - loser :] + got[: n - loser]

    return returns


def _call_goal(
    goal: Callable[[tuple[int, ...]], Any], scores: tuple[int, ...]
) -> tuple[Fraction, ...]:
    """Return the checked answer of a user's function."""
    answer = goal(scores)
    must = f"goal must return a finite number for each of {len(scores)} players"
    numbers = arguments.iterable(must, answer)
    got = tuple([arguments.real("what goal returns", x) for x in numbers])
    if len(got) != len(scores) or not all(isinstance(x, Fraction) for x in got):
        raise ValueError(f"{must}, got {arguments.shown(answer)} for {scores}")
    return tuple([Fraction(x) for x in got])


def in_arrays(rules: Rules, goal: Goal, *, exact: bool = False) -> Returns:
    """Return the same for many final scores: ints for winning, otherwise float64.

    Or Fractions if `exact`.
    """
    returns = returns_of(rules, goal)

    def of_many(final: Integers) -> NDArray[Any]:
        if returns is None:
            over = final.max(axis=1, keepdims=True) >= rules.target
            won: NDArray[Any] = ((final < rules.target) & over).astype(np.int64)
            return won
        got = [list(returns(tuple(scores))) for scores in final.tolist()]
        kind = object if exact else np.float64
        return np.array(got, dtype=kind).reshape(final.shape)

    return of_many


# Vectors of scores


def numbers_of(rules: Rules, scores: NDArray[np.int64]) -> Integers:
    """Return the columns of tables for vectors of scores, shape (..., players)."""
    powers = rules.target ** np.arange(rules.players)[::-1]
    return scores @ powers


def vectors_of(rules: Rules) -> list[Integers]:
    """Return all vectors of scores, shape (vectors, players), by their totals."""
    n, target = rules.players, rules.target
    every = np.indices((target,) * n).reshape(n, -1).T
    totals = every.sum(axis=1)
    return [every[totals == total] for total in range(n * (target - 1) + 1)]


# What the engines use


def tolerance_of(rules: Rules) -> float:
    """Return the largest difference of two chances that counts as a tie.

    Rounding makes the two sides of an exact tie differ by up to about 1e-16; other
    differences are rarely below about 1e-12. `ScoreTable.doubtful` counts the positions
    in between.
    """
    return 0.0 if rules.tie == "rounding" else 1e-12


def largest_holdings(rules: Rules) -> list[int]:
    """Return the largest number of cards of each rank in a hand."""
    return [min(rules.capacity, count) for count in rules.counts]
