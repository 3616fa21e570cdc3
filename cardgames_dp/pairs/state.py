"""States of a game of Pairs: what the players know, named, and made from a table.

All that belongs to players is in turn order, beginning with the player to move, so a
policy need not ask who that is.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import Names
from cardgames_dp.pairs.rules import Integers, Rules

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""

Hand: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[SupportsIndex]
"""The cards of a hand: its ranks, one for each card, or a mapping of rank to count."""

Rows: TypeAlias = NDArray[Any]

FOLD, HIT = 0, 1
WORDS = ("fold", "hit")
"""The actions, by their codes."""


class State(NamedTuple):
    """A state of Pairs, in turn order from the player to move; made by :func:`state`.

    Cards are counted by rank, in the order of ``rules.ranks``. A policy that is asked
    about many states at once gets one `State` of arrays, whose first axis are the
    states: `hand` has the shape (states, ranks), `others` (states, players - 1, ranks).

    Attributes
    ----------
    hand : tuple of int
        The cards of the player to move.
    others : tuple of tuple of int
        The hands of the others.
    scores : tuple of int
        The points, the player's own first.
    unseen : tuple of int
        The cards that nobody has seen: neither on the table, nor among the discards
        that players remember.
    player : int
        The seat of the player to move; in a deal, of the first player to be dealt one.
    drawing : bool
        Whether a card is drawn next, or cards are dealt.
    scored : tuple of int
        The scored cards, which stay out under the official rules; empty under others.
    dealing, dealt : tuple of int
        In a deal by the official rules, for each player: whether the player is still
        tied, and what the player got in this pass: 0 if nothing yet, 1 for the lowest
        rank and so on, and one more than the number of ranks for no card.

    Examples
    --------
    With a deck of a 1 and two 2s, the player to move has a 1 and the other a 2:

    >>> from cardgames_dp import exact, pairs
    >>> rules = pairs.Rules(deck={1: 1, 2: 2}, target=3)
    >>> state = pairs.state(hand=[1], others=[2], rules=rules)
    >>> state
    State(hand=(1, 0), others=((0, 1),), scores=(0, 0), unseen=(0, 1), player=0, \
drawing=False)
    >>> solution = exact.solve(pairs.game(rules))
    >>> solution.policy[state], solution.payoffs_at(state)
    ('hit', (Fraction(19, 27), Fraction(8, 27)))
    """

    hand: Counts
    others: tuple[Counts, ...]
    scores: Counts
    unseen: Counts
    player: int
    drawing: bool
    scored: Counts = ()
    dealing: Counts = ()
    dealt: Counts = ()

    def __repr__(self) -> str:
        parts = self._asdict().items()
        shown = [f"{name}={part!r}" for name, part in parts if np.shape(part) != (0,)]
        return f"State({', '.join(shown)})"


class Table(NamedTuple):
    """The columns of many states: `State` with the hands of all players together."""

    hands: Rows
    scores: Rows
    unseen: Rows
    player: Rows
    drawing: Rows
    scored: Rows
    dealing: Rows
    dealt: Rows

    @classmethod
    def of(cls, rules: Rules, states: Rows) -> Table:
        """Return the columns of states, as views."""
        n, ranks = rules.players, len(rules.ranks)
        widths = [n * ranks, n, ranks, 1, 1, *[0] * 3]
        if rules.reshuffle == "official":
            widths[5:] = ranks, n, n
        parts = np.split(states, np.cumsum(widths)[:-1], axis=1)
        hands, scores, unseen, player, drawing, *more = parts
        hands = hands.reshape(len(states), n, ranks)
        return cls(hands, scores, unseen, player[:, 0], drawing[:, 0], *more)

    @classmethod
    def to_move(cls, hands: Rows, unseen: Rows, scores: Rows, player: int) -> Table:
        """Return states in which a player is to move, from that player on."""
        zero = np.zeros(len(hands), dtype=np.int64)
        none = zero[:, np.newaxis][:, :0]
        return cls(hands, scores, unseen, zero + player, zero, none, none, none)

    def rows(self) -> Rows:
        """Return the states as rows."""
        count, players, ranks = self.hands.shape
        hands = self.hands.reshape(count, players * ranks)
        return np.column_stack([hands, *self[1:]])

    def at(self, index: Any) -> Table:
        """Return some of the states, as copies."""
        return Table(*[part[index] for part in self])

    def rotated(self, by: Any) -> Table:
        """Return the states in which it is the turn of the player so many seats on."""
        n = self.scores.shape[1]
        by = np.broadcast_to(by, len(self.scores))
        seats = (by[:, np.newaxis] + np.arange(n)) % n
        return self._replace(
            hands=np.take_along_axis(self.hands, seats[:, :, np.newaxis], axis=1),
            scores=np.take_along_axis(self.scores, seats, axis=1),
            player=(self.player + by) % n,
        )


def names_for(rules: Rules) -> Names:
    """Return the names of the states and actions of a game."""
    n, ranks = rules.players, len(rules.ranks)
    official = rules.reshuffle == "official"
    blocks: dict[str, tuple[int, ...]] = {
        "hand": (ranks,),
        "others": (n - 1, ranks),
        "scores": (n,),
        "unseen": (ranks,),
        "scored": (ranks * official,),
        "dealing": (n * official,),
        "dealt": (n * official,),
    }
    outcome = functools.partial(_outcome, rules)
    return Names(State, WORDS, {"drawing": (False, True)}, blocks, outcome)


def _outcome(rules: Rules, before: State, after: State) -> Any:
    """Return what happened between two states: a card, a deal, or an action."""
    by = rules.players - (after.player - before.player) % rules.players
    hands = (after.hand, *after.others)
    hands = hands[by:] + hands[:by]  # in the order of the state before
    if not before.drawing:
        return "hit" if after.player == before.player else "fold"
    if after.scores[by:] + after.scores[:by] != before.scores:  # a pair
        return sum(after.scores) - sum(before.scores)
    held = (before.hand, *before.others)
    got = np.subtract(hands, held)
    official = rules.reshuffle == "official"
    few = np.sum(held) < rules.players * rules.deal
    if any(before.dealing) if official else few:
        return tuple([rules.ranks[i] for hand in got for i in np.flatnonzero(hand)])
    return rules.ranks[int(got[0].argmax())]


@suggest_arguments
def state(
    hand: Hand = (),
    others: Iterable[Hand] | Hand | None = None,
    scores: Iterable[SupportsIndex] | None = None,
    *,
    deck: Mapping[Any, SupportsIndex] | None = None,
    leader: SupportsIndex = 0,
    rules: Rules | None = None,
) -> State:
    """Return the state in which a player is to move, from the cards on the table.

    Grade: exact.

    Parameters
    ----------
    hand : iterable of int, or mapping of int to int
        The cards of the player to move: the rank of each, or the number of each rank.
    others : iterable of such hands, optional
        The hands of the others in turn order, beginning with the player on the left.
        With two players you may give the other's hand itself. As players take turns,
        each other hand has as many cards as `hand`, or one more if its player, one of
        the last in turn order, has already had this turn. Nobody has a card if not
        given: then it is the start of a round, and cards are dealt first under rules
        with a deal.
    scores : iterable of int, optional
        The points in the same order, the player to move first; 0 if not given.
    deck : mapping of int to int, optional
        The cards that nobody has seen, for rules under which discards stay out of the
        deck; all cards that are not on the table if not given.
    leader : int, default 0
        The seat of the player who leads the round, from which the seat of the player to
        move follows. Seats matter for the order of payoffs only.
    rules : Rules, optional
        The published game of two players if not given.

    Returns
    -------
    State
        A key of `Solution.values`, `Solution.policy` and the like, and an argument of
        `Solution.advice`.

    Raises
    ------
    TypeError, ValueError
        If the position cannot arise: more cards of a rank than there are, a hand with
        more than it may hold, or numbers of cards that do not fit to taking turns; or
        if the rules are official, under which a state has scored cards as well.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> solution = pairs.solve(rules)
    >>> table = pairs.state(hand=[2, 3], others=[4, 1], scores=[3, 5], rules=rules)
    >>> advice = solution.advice(table)
    >>> advice.action, round(advice.values["hit"], 4), round(advice.value, 4)
    ('fold', 0.5973, 0.6325)
    """
    rules = arguments.rules(rules, Rules)
    if rules.reshuffle == "official":
        raise ValueError(
            "rules must not have reshuffle='official', where a state has scored cards "
            "as well; use pairs.State(...)"
        )
    n = rules.players
    nobody: Any = ((),) * (n - 1)
    given = nobody if others is None else others
    hands, unseen = read_position(rules, hand, given, deck)
    points = checked_scores(rules, (0,) * n if scores is None else scores)
    lead = arguments.index("leader", leader, "players", n)
    own, *rest = [tuple(each) for each in hands.tolist()]
    in_hands = int(hands.sum())
    return State(
        hand=own,
        others=tuple(rest),
        scores=tuple(points.tolist()),
        unseen=tuple(unseen.tolist()),
        player=(lead + in_hands) % n,
        drawing=bool(rules.deal) and not in_hands,
    )


def read_position(
    rules: Rules, hand: object, others: object, deck: object
) -> tuple[Integers, Integers]:
    """Return hands, the mover's first, and unseen cards; refuse what cannot arise."""
    n = rules.players
    hands = np.array(
        [rank_vector("hand", hand, rules)]
        + [
            rank_vector(f"others[{i}]" if n > 2 else "others", other, rules)
            for i, other in enumerate(_hands_of_others(others, n))
        ]
    )
    _refuse_impossible_hands(rules, hands)
    unseen: Integers = np.array(rules.counts) - hands.sum(axis=0)
    if deck is None:
        return hands, unseen
    given = rank_vector("deck", deck, rules)
    all_of_them = rules.reshuffle == "round"
    if (given > unseen).any() or (all_of_them and (given != unseen).any()):
        raise ValueError(
            "deck must hold cards that are not on the table"
            + ", all of them, with reshuffle='round'" * all_of_them
            + f", got {arguments.shown(deck)}"
        )
    return hands, given


def rank_vector(name: str, cards: object, rules: Rules) -> Integers:
    """Return the counts of cards by rank, from ranks or a mapping to counts."""
    vector = dict.fromkeys(rules.ranks, 0)
    items: Iterable[tuple[object, object]]
    if isinstance(cards, Mapping):
        items = cards.items()
    else:
        items = [(rank, 1) for rank in arguments.integers(name, cards, minimum=1)]
    for given, count in items:
        rank = arguments.integer(f"a rank of {name}", given, minimum=1)
        if rank not in rules.ranks:
            raise arguments.wrong_value(
                f"{name} must hold ranks of the deck, {rules.ranks}", rank
            )
        vector[rank] += arguments.integer(f"{name}[{rank}]", count)
        if vector[rank] > sum(rules.counts):
            raise ValueError(
                f"{name} must hold no more cards than the deck, {sum(rules.counts)}, "
                f"got {arguments.shown(vector[rank])} of rank {rank}"
            )
    return np.array(list(vector.values()))


def _hands_of_others(others: object, players: int) -> list[object]:
    must = "others must be the hands of the other players"
    others = arguments.iterable(must, others)
    if players == 2:
        if isinstance(others, Mapping):
            return [others]
        hands = list(arguments.limited_items("others", others))
        nested = [h for h in hands if isinstance(h, Iterable)]
        return hands if len(hands) == len(nested) == 1 else [hands]
    hands = list(arguments.limited_items("others", others))
    if len(hands) != players - 1:
        raise ValueError(
            f"others must hold the hands of {players - 1} players, got {len(hands)}"
        )
    return hands


def _refuse_impossible_hands(rules: Rules, hands: Integers) -> None:
    """Refuse hands that cannot arise; the first one is that of the player to move."""
    counts = np.array(rules.counts)
    if (hands.sum(axis=0) > counts).any() or (hands > rules.capacity).any():
        raise ValueError(
            f"hand and others must hold at most {dict(rules.deck)} together and "
            f"{rules.capacity} of a rank each, got "
            f"{[ranks_of(hand, rules.ranks) for hand in hands.tolist()]}"
        )
    own, *held = hands.sum(axis=1).tolist()
    if held != sorted(held) or held[0] < own or held[-1] > own + 1:
        if rules.players == 2:
            who, more, got = "", "or one more", held[0]
        else:
            who, got = " each", held
            more = "and from some player on, who have had their turn already, one more"
        raise ValueError(
            f"others must hold as many cards{who} as the player to move, {more}; got "
            f"{own} in hand and {got} in others"
        )
    if own < rules.deal and any(held):
        raise ValueError(
            f"hand must hold {rules.deal} card or more under rules with "
            f"deal={rules.deal}, as each player is dealt one before the first turn; "
            f"got {own}"
        )


def checked_scores(rules: Rules, scores: object) -> Integers:
    """Return scores as an array, shape (players,)."""
    vector = arguments.integers("scores", scores)
    if len(vector) != rules.players or max(vector) >= rules.target:
        raise ValueError(
            f"scores must hold an integer from 0 to {rules.target - 1} for each "
            f"of {rules.players} players, got {arguments.shown(vector)}"
        )
    return np.array(vector)


def ranks_of(counts: Iterable[int], ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rank of each card, from the counts by rank."""
    return tuple(
        [rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)]
    )
