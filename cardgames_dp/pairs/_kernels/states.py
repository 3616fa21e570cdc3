"""The turns of Pairs, one at a time: the states after each action and each card.

It follows the rules literally, from state to state, and independently of the tables of
`positions`, `induction` and `backward`: the exact backend uses it to check them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from cardgames_dp.pairs._kernels.protocol import Action, RuleSet

Counts = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""


class State(NamedTuple):
    """A state of the game: all that the players know.

    Attributes
    ----------
    scores : tuple of int
        The points of the players, by seat.
    hands : tuple of tuple of int
        The hands of the players, by seat: the number of cards of each rank.
    unseen : tuple of int
        The number of cards of each rank in the deck or burned.
    player : int
        The seat of the player to move.
    drawing : bool
        Whether that player draws a card next, or (with ``first="lowest"``) cards are
        dealt next.

    Examples
    --------
    With a deck of a 1 and two 2s, the first player has a 1 and the second a 2:

    >>> from cardgames_dp import exact, pairs
    >>> solution = exact.solve(pairs.Rules(deck={1: 1, 2: 2}, target=3).game())
    >>> state = pairs.State((0, 0), ((1, 0), (0, 1)), (0, 1), player=0, drawing=False)
    >>> solution.policy[state], solution.values[state]
    ('hit', (Fraction(19, 27), Fraction(8, 27)))
    """

    scores: Counts
    hands: tuple[Counts, ...]
    unseen: Counts
    player: int
    drawing: bool


def start(rules: RuleSet) -> State:
    """Return the first state: no points, the full deck, the first seat leads."""
    return _round(rules, (0,) * rules.players, rules.counts, leader=0)


def is_over(rules: RuleSet, state: State) -> bool:
    """Return whether someone has lost, or there is neither a deck nor a card seen."""
    return max(state.scores) >= rules.target or not (
        any(state.unseen) or any(map(any, state.hands))
    )


def actions(rules: RuleSet, state: State) -> list[Action]:
    """Return the legal actions, the one that the tie rule prefers first."""
    if not any(map(any, state.hands)):
        return ["hit"]
    if sum(state.unseen) <= rules.burn:
        return ["fold"]
    return ["hit", "fold"] if rules.tie == "hit" else ["fold", "hit"]


def after_fold(rules: RuleSet, state: State) -> State:
    """Return the state after the player to move has folded."""
    lowest = min([rules.ranks[_first(hand)] for hand in state.hands if any(hand)])
    unseen = state.unseen
    if rules.reshuffle == "exhausted" and _exhausted(rules, unseen):
        unseen = rules.counts  # nothing was discarded until now
    return _scored(rules, state, lowest, unseen)


def after_chance(rules: RuleSet, state: State) -> list[tuple[int, State]]:
    """Return the states after each possible card or deal, with their weights."""
    if rules.first == "lowest" and not any(map(any, state.hands)):
        # If the deck has no deal with one lowest card, everything returns to it first.
        everything = state._replace(unseen=rules.counts)
        return _deals(rules, state) or _deals(rules, everything)
    return [
        (count, _drawn(rules, state, index))
        for index, count in enumerate(state.unseen)
        if count
    ]


def after_card(rules: RuleSet, state: State, rank: int) -> State | None:
    """Return the state after a card of a rank is drawn, None if there is no such."""
    index = rules.ranks.index(rank) if rank in rules.ranks else None
    if index is None or not state.unseen[index]:
        return None
    return _drawn(rules, state, index)


def after_deal(rules: RuleSet, state: State, dealt: Counts) -> State | None:
    """Return the state after a deal with one lowest card, None if there is no such.

    The ranks are dealt from the player's seat on.
    """
    lowest = min(dealt)
    if dealt.count(lowest) > 1 or not {*dealt} <= {*rules.ranks}:
        return None
    indices = tuple([rules.ranks.index(rank) for rank in dealt])
    found = _deals(rules, state)
    if not found:
        state = state._replace(unseen=rules.counts)
    weight, after = _deal(rules, state, indices)
    leader = (state.player + dealt.index(lowest)) % rules.players
    return after._replace(player=leader) if weight else None


def _exhausted(rules: RuleSet, unseen: Counts) -> bool:
    return sum(unseen) <= rules.kept_back


def _drawn(rules: RuleSet, state: State, index: int) -> State:
    """Return the state after the player to move has got a card."""
    hand = state.hands[state.player]
    unseen = _changed(state.unseen, index, -1)
    exhausted = _exhausted(rules, unseen)
    if hand[index] == rules.capacities[index]:
        if rules.reshuffle == "essay" and exhausted:
            unseen = _others(rules, state.hands)
            unseen = _changed(unseen, index, -1)  # drawn, in no hand yet
        elif rules.reshuffle == "exhausted" and exhausted:
            unseen = rules.counts
        return _scored(rules, state, rules.ranks[index], unseen)
    hands = list(state.hands)
    hands[state.player] = _changed(hand, index, 1)
    if rules.reshuffle != "round" and exhausted:
        unseen = _others(rules, hands)
    player = (state.player + 1) % rules.players
    dealing = sum(map(sum, hands)) < rules.players * rules.deal
    return State(state.scores, tuple(hands), unseen, player, dealing)


def _others(rules: RuleSet, hands: Iterable[Counts]) -> Counts:
    """Return all cards but those in hands."""
    held = map(sum, zip(*hands, strict=True))
    return tuple([count - h for count, h in zip(rules.counts, held, strict=True)])


def _scored(rules: RuleSet, state: State, points: int, unseen: Counts) -> State:
    """Return the start of the round after one that ended with these points."""
    scores = _changed(state.scores, state.player, points)
    if rules.reshuffle == "round":
        unseen = rules.counts
    return _round(rules, scores, unseen, (state.player + 1) % rules.players)


def _round(rules: RuleSet, scores: Counts, unseen: Counts, leader: int) -> State:
    hands = ((0,) * len(rules.ranks),) * rules.players
    return State(scores, hands, unseen, leader, drawing=rules.deal > 0)


def _deals(rules: RuleSet, state: State) -> list[tuple[int, State]]:
    """Return all deals with one lowest card, dealt from the player's seat on."""
    outcomes = []
    for dealt in itertools.product(range(len(rules.ranks)), repeat=rules.players):
        lowest = min(dealt)
        if dealt.count(lowest) > 1:
            continue
        weight, after = _deal(rules, state, dealt)
        if weight:
            leader = (state.player + dealt.index(lowest)) % rules.players
            outcomes.append((weight, after._replace(player=leader)))
    return outcomes


def _deal(rules: RuleSet, state: State, dealt: Counts) -> tuple[int, State]:
    """Return the weight of a deal, and the state after it."""
    weight = 1
    for index in dealt:
        if not state.unseen[index]:
            return 0, state
        weight *= state.unseen[index]
        state = _drawn(rules, state, index)
    # Weights are over the same denominator: all deals see the same numbers of cards.
    return weight, state._replace(drawing=False)


def _first(hand: Counts) -> int:
    return next(i for i, count in enumerate(hand) if count)


def _changed(counts: Counts, index: int, by: int) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])
