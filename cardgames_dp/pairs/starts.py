"""Scores and decks with which rounds start: those asked about, and all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp.pairs._kernels.induction import Floats
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.advice import rank_vector
from cardgames_dp.pairs.rules import Rules


def checked_scores(rules: Rules, scores: object) -> NDArray[np.int64]:
    """Return scores as an array, shape (players,)."""
    vector = _checks.integers("scores", scores)
    if len(vector) != rules.players or max(vector) >= rules.losing_score:
        raise ValueError(
            f"scores must hold an integer from 0 to {rules.losing_score - 1} for each "
            f"of {rules.players} players, got {vector}"
        )
    return np.array(vector)


def start_deck(positions: Positions, deck: object) -> int:
    """Return the number of a deck with which a round starts."""
    rules = positions.rules
    if deck is None:
        return positions.full_deck
    if rules.reshuffle == "round":
        raise ValueError(
            "deck is for rules under which cards are remembered; with "
            "reshuffle='round' every round starts with the full deck"
        )
    unseen = rank_vector("deck", deck, rules)
    number = int(positions.deck_number(unseen))
    if (unseen > np.array(rules.counts)).any() or number not in positions.layers[
        0
    ].keys:
        raise ValueError(
            f"deck must be one with which a round can start, with at most "
            f"{dict(zip(rules.ranks, rules.counts, strict=True))} and more than "
            f"{rules.kept_back} cards, got {_checks.shown(deck)}"
        )
    return number


def score_columns(sweep: Sweep, table: Floats) -> dict[str, list[Any]]:
    """Return scores, and chances with the full deck, as columns; low totals first."""
    vectors = np.concatenate(sweep.vectors())
    wins = table[-1, sweep.index(vectors)]
    players = range(sweep.rules.players)
    columns = {f"score_{i}": vectors[:, i].tolist() for i in players}
    return columns | {f"win_{i}": wins[:, i].tolist() for i in players}
