"""Rules for Hypothesis, small enough for the oracle to visit all states."""

import dataclasses
from typing import Any

from hypothesis import assume, strategies as st

from cardgames_dp import pairs
from cardgames_dp.pairs._kernels.positions import Positions

RESHUFFLES = ("round", "exhausted", "essay")

LARGEST = 2000  # positions


@st.composite
def small_rules(
    draw: st.DrawFn,
    *,
    players: st.SearchStrategy[int] = st.integers(2, 4),  # noqa: B008
    reshuffle: st.SearchStrategy[Any] = st.sampled_from(RESHUFFLES),  # noqa: B008
    left: int = 0,
) -> pairs.Rules:
    """Rules of every kind, drawn so that hardly any are discarded.

    At least `left` cards remain in the deck, however many lie on the table.
    """
    n, shuffled = draw(players), draw(reshuffle)
    ranks = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True))
    size = len(ranks)
    counts = draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
    capacity = draw(st.integers(1, 2))
    essay = shuffled == "essay"  # which divides by the number of cards left
    lacking = max(left, essay) - sum(max(count - n * capacity, 0) for count in counts)
    if lacking > 0:
        rank = draw(st.integers(0, size - 1))
        counts[rank] = max(counts[rank], n * capacity) + lacking
    cards, deck = sum(counts), dict(zip(sorted(ranks), counts, strict=True))
    deal = draw(st.integers(0, 1)) if cards >= n else 0
    may_be_lowest = deal and not essay and sum(counts[1:]) >= n - 1
    most_burned = 0 if essay else min(2, cards - max(n * deal, 1))
    burn = draw(st.integers(0, most_burned))
    rules = pairs.Rules(
        players=n,
        deck=deck,
        target=1,
        reshuffle=shuffled,
        deal=deal,
        first="lowest" if may_be_lowest and draw(st.booleans()) else "rotation",
        burn=burn,
        tie=draw(st.sampled_from(["fold", "hit"])),
        capacity=capacity,
    )
    positions = Positions(rules).size
    assume(positions <= LARGEST)
    targets = range(1, 5 if n == 2 else 4)
    small = [target for target in targets if positions * target**n <= LARGEST]
    return dataclasses.replace(rules, target=draw(st.sampled_from(small)))
