"""Count the positions of a round and estimate their memory before finding any."""

from __future__ import annotations

import itertools
import math
import operator

from cardgames_dp._memory import TooLargeError, refuse_too_large
from cardgames_dp.pairs._kernels.setting import Setting, largest_holdings

_POSITION_BYTES = 40
"""About the bytes that a position takes, without its draws, and while it is found."""
_LAYER_BYTES = 3000
"""About the bytes that a layer takes, without its positions."""
_DRAW_BYTES = 6
"""Bytes that a draw takes: a column and a code, which may take two bytes."""
_KEPT_BYTES = 12
"""Additional bytes that a draw takes in a sparse array, if that is kept."""
MOST_KEPT = 2**23
"""The largest number of draws in a round of which the sparse arrays are kept."""
_MOST_COUNTED = 10**6
"""The largest number of steps in which positions are counted rank by rank."""


def decks_told_apart(rules: Setting) -> int:
    """Return an upper bound of the number of decks with which a round may start."""
    if rules.reshuffle == "round":
        return 1
    return math.prod([count + 1 for count in rules.counts])


def refuse_too_many(rules: Setting, max_bytes: int | None) -> None:
    """Refuse more positions than fit in memory."""
    decks = decks_told_apart(rules)
    what = f"Pairs with {rules.players} players and {len(rules.ranks)} ranks"
    remembers = rules.reshuffle != "round"
    fewer = "a smaller deck, reshuffle='round'" if remembers else "a smaller deck"
    instead = f"use {fewer}, or simulate(...), which needs no table"
    refuse_too_large(what, _layers_bytes(rules), instead, max_bytes)
    positions = most_positions(rules, decks)
    draws = positions * len(rules.ranks)
    needed = positions * _POSITION_BYTES + draws * _DRAW_BYTES
    needed += min(draws, MOST_KEPT) * _KEPT_BYTES
    refuse_too_large(what, needed, instead, max_bytes)


def refuse_large_numbers(rules: Setting) -> None:
    """Refuse rules whose positions or points the integers and floats cannot hold."""
    decks = decks_told_apart(rules)
    hands = math.prod([most + 1 for most in largest_holdings(rules)])
    points = rules.ranks[-1] * sum(rules.counts)
    if hands**rules.players * decks >= 2**63 or points >= 2**53:
        raise TooLargeError(
            f"Pairs with {rules.players} players, {sum(rules.counts)} cards and ranks "
            f"up to {rules.ranks[-1]} has positions whose numbers would not fit in 63 "
            "bits, or points of all cards that would not fit in 53; use fewer players, "
            "smaller ranks or fewer cards, or the exact backend with rules.game()"
        )


def _layers_bytes(rules: Setting) -> int:
    """Return about the bytes of the layers, with few positions or none in each."""
    each = [rules.players * most for most in rules.capacities]
    return sum(map(min, rules.counts, each)) * _LAYER_BYTES


def most_positions(rules: Setting, decks: int) -> int:
    """Return an upper bound of the number of positions, close to it.

    They are counted rank by rank, unless that would take long: then hands of given
    sizes are counted as if each came from its own deck, and combined with all decks.
    """
    most = largest_holdings(rules)
    hands = (sum(most) + 1) ** rules.players * len(most)
    if hands * (max(most) + 1) ** rules.players <= _MOST_COUNTED:
        return _counted(rules)
    by_size = [1]  # how many hands there are of each size
    for capacity in most:
        sums = [0, *itertools.accumulate(by_size + [0] * capacity)]
        by_size = [
            total - sums[max(size - capacity, 0)] for size, total in enumerate(sums[1:])
        ]
    by_size.append(0)
    positions, n = 0, rules.players
    for now, more in itertools.pairwise(by_size):
        positions += sum([more**ahead * now ** (n - ahead) for ahead in range(n)])
    return positions * decks


def _counted(rules: Setting) -> int:
    """Return the number of hands, with decks, that taking turns may lead to."""
    n, remembers = rules.players, rules.reshuffle != "round"
    by_sizes = {(0,) * n: 1}  # how many there are, by the sizes of the hands
    for count, most in zip(rules.counts, largest_holdings(rules), strict=True):
        found: dict[tuple[int, ...], int] = {}
        for hands in itertools.product(range(most + 1), repeat=n):
            if sum(hands) > count:
                continue
            decks = count - sum(hands) + 1 if remembers else 1
            for before, ways in by_sizes.items():
                sizes = tuple(map(operator.add, before, hands))
                found[sizes] = found.get(sizes, 0) + ways * decks
        by_sizes = found
    return sum(
        ways
        for sizes, ways in by_sizes.items()
        if sizes[0] - sizes[-1] <= 1 and sorted(sizes, reverse=True) == list(sizes)
    )
