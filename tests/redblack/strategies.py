"""Decks and rules for Hypothesis."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from cardgames_dp.redblack import Rules

decks = st.tuples(st.integers(0, 9), st.integers(0, 9))

amounts = st.one_of(
    st.integers(0, 4),
    st.fractions(0, 3, max_denominator=6),
    st.integers(0, 24).map(lambda eighths: eighths / 8),
)

ties = st.sampled_from(["stop", "draw"])

linear_rules = st.builds(Rules, win=amounts, lose=amounts, fee=amounts, tie=ties)
"""Zero amounts and fees above the win among them."""

UTILITIES = {
    "identity": lambda cash: cash,
    "capped": lambda cash: np.minimum(cash, 2),
    "losses hurt": lambda cash: np.where(cash < 0, 2 * cash, cash),
    "two regions": lambda cash: np.where((cash > 2) & (cash < 5), 3 - cash, cash),
    "constant": lambda cash: (
        0 * cash + Fraction(1, 3) if cash.dtype == object else 0 * cash + 1 / 3
    ),
    "square": lambda cash: cash * cash,
}

utility_rules = st.builds(
    Rules,
    win=st.integers(0, 3),
    lose=st.integers(0, 3),
    fee=st.integers(0, 1),
    utility=st.sampled_from(list(UTILITIES.values())),
    tie=ties,
)
