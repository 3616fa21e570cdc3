"""Rules for Hypothesis, small enough for the oracle to visit all states."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from cardgames_dp import pairs
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs.rules import RESHUFFLES

LARGEST = 5000  # positions


@st.composite
def small_rules(
    draw: st.DrawFn,
    *,
    players: st.SearchStrategy[int] = st.integers(2, 3),  # noqa: B008
    reshuffle: st.SearchStrategy[Any] = st.sampled_from(RESHUFFLES),  # noqa: B008
    count: st.SearchStrategy[int] = st.integers(1, 3),  # noqa: B008
) -> pairs.Rules:
    """Rules of every kind."""
    n, shuffled = draw(players), draw(reshuffle)
    ranks = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True))
    counts = draw(st.lists(count, min_size=len(ranks), max_size=len(ranks)))
    deal = draw(st.integers(0, 1))
    lowest = deal and shuffled != "essay" and draw(st.booleans())
    try:
        rules = pairs.Rules(
            players=n,
            deck=zip(ranks, counts, strict=True),
            target=draw(st.integers(1, 4 if n == 2 else 3)),
            reshuffle=shuffled,
            deal=deal,
            first="lowest" if lowest else "rotation",
            burn=0 if shuffled == "essay" else draw(st.integers(0, 2)),
            tie=draw(st.sampled_from(["fold", "hit"])),
            capacity=draw(st.integers(1, 2)),
            shuffle_limit=0 if shuffled == "round" else draw(st.integers(0, 2)),
        )
    except ValueError:
        assume(False)
        raise
    assume(Positions(rules).size * rules.losing_score**n <= LARGEST)
    return rules
