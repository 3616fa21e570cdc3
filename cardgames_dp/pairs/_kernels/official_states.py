"""The official rules, one turn at a time: the states after each action and card.

`states` does this for the other rules. Scored cards stay out, so a state includes them;
discards are all cards that are nowhere else. Cards in the deck and burned cards are all
unseen and equally likely to be in either place: the deck is exhausted when as many
cards are unseen as have been burned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from cardgames_dp.pairs._kernels.protocol import Action, RuleSet

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each rank, in the order of the ranks."""


class OfficialState(NamedTuple):
    """A state under the official rules: all that the players know.

    Attributes
    ----------
    scores : tuple of int
        The points of the players, by seat.
    hands : tuple of tuple of int
        The hands of the players, by seat: the number of cards of each rank.
    unseen : tuple of int
        The number of cards of each rank in the deck or burned.
    scored : tuple of int
        The number of scored cards of each rank, which are out of the game.
    player : int
        The seat of the player to move; in a deal, of the first player to be dealt a
        card.
    dealing : tuple of int
        In a deal, the seats that are still tied, in order; otherwise empty.
    dealt : tuple of int
        In a deal, the indices of the ranks that the first of these seats were dealt in
        this pass, or the number of ranks for a seat that could not get a card.
    drawing : bool
        Whether the player draws a card next.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> game = pairs.OfficialRules(deck={1: 2, 2: 3}, target=2, burn=0).game()
    >>> game.initial_state()
    OfficialState(scores=(0, 0), hands=((0, 0), (0, 0)), unseen=(2, 3), scored=(0, 0), \
player=0, dealing=(0, 1), dealt=(), drawing=False)
    """

    scores: Counts
    hands: tuple[Counts, ...]
    unseen: Counts
    scored: Counts
    player: int
    dealing: Counts
    dealt: Counts
    drawing: bool


def start(rules: RuleSet) -> OfficialState:
    """Return the first state: no points, the full deck, a card dealt to seat 0."""
    nothing = (0,) * len(rules.ranks)
    return _round(rules, (0,) * rules.players, rules.counts, nothing, 0)


def actions(rules: RuleSet, state: OfficialState) -> list[Action]:
    """Return the legal actions of the player to move."""
    if not any(map(any, state.hands)):
        return ["hit"]
    return ["fold"] if sum(state.unseen) <= rules.burn else ["fold", "hit"]


def after_fold(rules: RuleSet, state: OfficialState) -> OfficialState:
    """Return the state after the player has taken the lowest card on the table."""
    lowest = min([_first(hand) for hand in state.hands if any(hand)])
    return _scored(rules, state, lowest)


def after_chance(
    rules: RuleSet, state: OfficialState
) -> list[tuple[int, OfficialState]]:
    """Return the states after each card that may be drawn or dealt, with weights."""
    if not state.dealing:
        return [
            (count, _drawn(rules, state, index))
            for index, count in enumerate(state.unseen)
            if count
        ]
    chances = _dealt(rules, state)
    common = math.lcm(*[chance.denominator for chance in chances.values()])
    return [(int(p * common), after) for after, p in chances.items()]


def _drawn(rules: RuleSet, state: OfficialState, index: int) -> OfficialState:
    """Return the state after the player to move has drawn a card."""
    unseen = _changed(state.unseen, index, -1)
    seat, hands = state.player, list(state.hands)
    if hands[seat][index] == rules.capacities[index]:
        return _scored(rules, state._replace(unseen=unseen), index)
    hands[seat] = _changed(hands[seat], index, 1)
    return state._replace(
        hands=tuple(hands),
        unseen=_refilled(rules, unseen, hands, state.scored),
        player=(seat + 1) % rules.players,
        drawing=False,
    )


def _scored(rules: RuleSet, state: OfficialState, index: int) -> OfficialState:
    """Return the start of the next round, after the player has scored a card."""
    scores = _changed(state.scores, state.player, rules.ranks[index])
    scored = _changed(state.scored, index, 1)
    unseen = _refilled(rules, state.unseen, [], scored)
    return _round(rules, scores, unseen, scored, (state.player + 1) % rules.players)


def _round(
    rules: RuleSet, scores: Counts, unseen: Counts, scored: Counts, first: int
) -> OfficialState:
    n = rules.players
    hands = ((0,) * len(rules.ranks),) * n
    seats = tuple([(first + i) % n for i in range(n)])
    return OfficialState(scores, hands, unseen, scored, first, seats, (), drawing=False)


def _refilled(
    rules: RuleSet, unseen: Counts, hands: Iterable[Counts], scored: Counts
) -> Counts:
    """Return what is unseen after the discards have returned, if the deck is empty."""
    if sum(unseen) > rules.burn:
        return unseen
    return _elsewhere(rules, hands, scored)


def _elsewhere(rules: RuleSet, hands: Iterable[Counts], scored: Counts) -> Counts:
    """Return all cards that are neither on the table nor scored."""
    gone = map(sum, zip(scored, *hands, strict=True))
    return tuple([count - x for count, x in zip(rules.counts, gone, strict=True)])


def _dealt(rules: RuleSet, state: OfficialState) -> dict[OfficialState, Fraction]:
    """Return the chances of what the next player of a deal gets.

    A card that would make a pair is discarded, and another one dealt. The deck may run
    out meanwhile, and the discards return, any number of times: the chance to come back
    to that is a geometric series.
    """
    seat = state.dealing[len(state.dealt)]
    everything = _elsewhere(rules, state.hands, state.scored)
    fits = [h < m for h, m in zip(state.hands[seat], rules.capacities, strict=True)]
    there = any(fit and count for fit, count in zip(fits, everything, strict=True))
    if sum(state.unseen) <= rules.burn or not there:
        return {_given(rules, state, seat, None): Fraction(1)}

    def until_refilled(
        unseen: Counts, weight: Fraction, found: dict[OfficialState, Fraction]
    ) -> Fraction:
        """Add what comes before the discards return; return the chance that they do."""
        refilled = Fraction(0)
        for index, count in enumerate(unseen):
            if not count:
                continue
            part = weight * Fraction(count, sum(unseen))
            left = _changed(unseen, index, -1)
            if fits[index]:
                after = _given(rules, state._replace(unseen=left), seat, index)
                found[after] = found.get(after, Fraction(0)) + part
            elif sum(left) <= rules.burn:
                refilled += part
            else:
                refilled += until_refilled(left, part, found)
        return refilled

    found: dict[OfficialState, Fraction] = {}
    refilled = until_refilled(state.unseen, Fraction(1), found)
    if not refilled:
        return found
    if sum(everything) <= rules.burn:
        nobody = _given(rules, state._replace(unseen=everything), seat, None)
        return {**found, nobody: refilled}
    again: dict[OfficialState, Fraction] = {}
    back = until_refilled(everything, Fraction(1), again)
    for after, chance in again.items():
        share = refilled * chance / (1 - back)
        found[after] = found.get(after, Fraction(0)) + share
    return found


def _given(
    rules: RuleSet, state: OfficialState, seat: int, index: int | None
) -> OfficialState:
    """Return the state after a player of a deal has got a card, or none."""
    none = len(rules.ranks)
    dealt = (*state.dealt, none if index is None else index)
    if index is not None:
        hands = list(state.hands)
        hands[seat] = _changed(hands[seat], index, 1)
        unseen = _refilled(rules, state.unseen, hands, state.scored)
        state = state._replace(hands=tuple(hands), unseen=unseen)
    if len(dealt) < len(state.dealing):
        return state._replace(dealt=dealt)
    lowest = min(dealt)
    tied = [who for who, x in zip(state.dealing, dealt, strict=True) if x == lowest]
    if len(tied) == 1 or lowest == none:
        return state._replace(player=tied[0], dealing=(), dealt=())
    return state._replace(dealing=tuple(tied), dealt=())


def _first(hand: Counts) -> int:
    return next(i for i, count in enumerate(hand) if count)


def _changed(counts: Counts, index: int, by: int) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])
