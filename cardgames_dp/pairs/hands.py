"""Read and check the arguments of Pairs: rules, hands, scores and decks."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.game import RuleSet

if TYPE_CHECKING:
    from cardgames_dp.pairs._kernels.positions import Positions

_MOST_RANKS = 10**6
"""The most ranks of a deck that a number stands for."""


def cards_of(deck: object) -> tuple[tuple[int, int], ...]:
    """Return ranks and counts of a deck; a number of ranks is a triangular one."""
    if isinstance(deck, Iterable):
        return rank_counts("deck", deck)
    ranks = arguments.integer("deck", deck, minimum=1)
    arguments.at_most("deck", ranks, _MOST_RANKS, "give a mapping of ranks to numbers")
    return tuple([(rank, rank) for rank in range(1, ranks + 1)])


def rank_counts(name: str, given: object) -> tuple[tuple[int, int], ...]:
    """Return ranks and counts, from a mapping or pairs, as pairs by increasing rank."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    if isinstance(pairs, (str, bytes)) or not isinstance(pairs, Iterable):
        raise TypeError(
            f"{name} must be a mapping of ranks to numbers of cards, got "
            f"{arguments.described(given)}"
        )
    checked: dict[int, int] = {}
    for pair in arguments.items(name, pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"{name} must be a mapping of ranks to numbers of cards, or pairs of "
                f"both, got the item {arguments.shown(pair)}"
            )
        rank = arguments.integer(f"a rank of {name}", pair[0], minimum=1)
        if rank in checked:
            raise ValueError(
                f"{name} must name each rank once, got {arguments.shown(rank)} again"
            )
        checked[rank] = arguments.integer(f"{name}[{rank}]", pair[1], minimum=1)
    if not checked:
        raise ValueError(f"{name} must hold at least one card, got none")
    return tuple(sorted(checked.items()))


def capacities(given: object, ranks: list[int]) -> tuple[tuple[int, int], ...]:
    """Return how many cards of each rank a hand may hold, by increasing rank."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        most = arguments.integer("capacity", given, minimum=1)
        return tuple([(rank, most) for rank in ranks])
    named = rank_counts("capacity", given)
    if [rank for rank, _ in named] != ranks:
        raise ValueError(
            f"capacity must name the ranks of the deck, {ranks}, got "
            f"{[rank for rank, _ in named]}"
        )
    return named


def refuse_impossible_rules(rules: RuleSet) -> None:
    """Refuse rules that do not go together."""
    cards, players = sum(rules.counts), rules.players
    limit = rules.kept_back - rules.burn
    needed = max(players * rules.deal, 1)
    if rules.burn + needed > cards:
        raise ValueError(
            f"burn={rules.burn} and deal={rules.deal} for {players} players need "
            f"{rules.burn + needed} cards, the deck holds {cards}"
        )
    if rules.kept_back >= cards:
        raise ValueError(
            f"burn={rules.burn} and shuffle_limit={limit} must leave a "
            f"card of the deck, which holds {cards}"
        )
    if limit and rules.reshuffle == "round":
        raise ValueError(
            f"shuffle_limit={limit} has no meaning with "
            "reshuffle='round', where the deck is shuffled before it runs low"
        )
    if rules.first == "lowest":
        _refuse_without_lowest(rules)
    if rules.reshuffle == "essay":
        _refuse_beyond_essay(rules)


def _refuse_without_lowest(rules: RuleSet) -> None:
    if not rules.deal:
        raise ValueError(
            "first='lowest' needs deal=1: without a deal nobody has the lowest card"
        )
    # One player has a card of some rank, and all others have higher cards.
    if sum(rules.counts[1:]) < rules.players - 1:
        raise ValueError(
            "first='lowest' needs a deal in which one player's card is lower than "
            f"all others'; deck={_deck(rules)} has no such deal "
            f"for {rules.players} players"
        )


def _refuse_beyond_essay(rules: RuleSet) -> None:
    if rules.burn:
        raise ValueError(
            f"burn={rules.burn} is not for reshuffle='essay': the Pairs essay's "
            "program burns no cards"
        )
    if rules.first == "lowest":
        raise ValueError(
            "first='lowest' is not for reshuffle='essay': in the Pairs essay's "
            "program the player to the left of the scorer leads"
        )
    held = [rules.players * most for most in rules.capacities]
    if all(map(operator.ge, held, rules.counts)):
        raise ValueError(
            f"reshuffle='essay' needs more cards than the hands of {rules.players} "
            "players can hold: the Pairs essay's program divides by the number of "
            "cards left to draw"
        )


def _deck(rules: RuleSet) -> dict[int, int]:
    return dict(zip(rules.ranks, rules.counts, strict=True))


def read_position(
    rules: RuleSet, hand: object, others: object, deck: object
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hands, beginning with the player to move, and the unseen cards.

    Raises
    ------
    TypeError, ValueError
        If they are not hands or a deck, or cannot arise together when players take
        turns.
    """
    n = rules.players
    hands = np.array(
        [rank_vector("hand", hand, rules)]
        + [
            rank_vector(f"others[{i}]" if n > 2 else "others", other, rules)
            for i, other in enumerate(_hands_of_others(others, n))
        ]
    )
    _refuse_impossible_hands(rules, hands)
    unseen: NDArray[np.int64] = np.array(rules.counts) - hands.sum(axis=0)
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


def rank_vector(name: str, cards: object, rules: RuleSet) -> NDArray[np.int64]:
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
            raise ValueError(
                f"{name} must hold ranks of the deck, {rules.ranks}, got "
                f"{arguments.shown(rank)}"
            )
        vector[rank] += arguments.integer(f"{name}[{rank}]", count)
        if vector[rank] > sum(rules.counts):
            raise ValueError(
                f"{name} must hold no more cards than the deck, {sum(rules.counts)}, "
                f"got {arguments.shown(vector[rank])} of rank {rank}"
            )
    return np.array(list(vector.values()))


def _hands_of_others(others: object, players: int) -> list[object]:
    if isinstance(others, (str, bytes)) or not isinstance(others, Iterable):
        raise TypeError(
            "others must be the hands of the other players, got "
            f"{arguments.described(others)}"
        )
    if players == 2:
        if isinstance(others, Mapping):
            return [others]
        listed = list(arguments.items("others", others))
        nested = [h for h in listed if isinstance(h, Iterable)]
        return listed if len(listed) == len(nested) == 1 else [listed]
    listed = list(arguments.items("others", others))
    if len(listed) != players - 1:
        raise ValueError(
            f"others must hold the hands of {players - 1} players, got {len(listed)}"
        )
    return listed


def _refuse_impossible_hands(rules: RuleSet, hands: NDArray[np.int64]) -> None:
    """Refuse hands that cannot arise; the first one is that of the player to move."""
    counts, most = np.array(rules.counts), np.array(rules.capacities)
    if (hands.sum(axis=0) > counts).any() or (hands > most).any():
        raise ValueError(
            "hand and others must hold at most "
            f"{_deck(rules)} together and "
            f"{dict(zip(rules.ranks, rules.capacities, strict=True))} each, got "
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
    if own < rules.deal:
        raise ValueError(
            f"hand must hold {rules.deal} card or more under rules with "
            f"deal={rules.deal}, as each player is dealt one before the first turn; "
            f"got {own}"
        )


def checked_scores(rules: RuleSet, scores: object) -> NDArray[np.int64]:
    """Return scores as an array, shape (players,)."""
    vector = arguments.integers("scores", scores)
    if len(vector) != rules.players or max(vector) >= rules.target:
        raise ValueError(
            f"scores must hold an integer from 0 to {rules.target - 1} for each "
            f"of {rules.players} players, got {arguments.shown(vector)}"
        )
    return np.array(vector)


def start_deck(positions: Positions, deck: object) -> int:
    """Return the number of a deck with which a round starts."""
    rules = positions.rules
    if deck is None:
        return positions.full_deck
    if rules.reshuffle == "round":
        raise ValueError(
            "deck is for rules under which discards stay out of the deck; with "
            "reshuffle='round' every round starts with the full deck"
        )
    unseen = rank_vector("deck", deck, rules)
    number = int(positions.deck_number(unseen))
    beyond = (unseen > np.array(rules.counts)).any()
    if beyond or number not in positions.layers[0].keys:
        raise ValueError(
            f"deck must be one with which a round can start, with at most "
            f"{_deck(rules)} and more than {rules.kept_back} cards, got "
            f"{arguments.shown(deck)}"
        )
    return number


def ranks_of(counts: Iterable[int], ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rank of each card, from the counts by rank."""
    return tuple(
        [rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)]
    )
