"""Red/black: values and enclosures, what to do, what will happen."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules, kinds

from ..records import advice, counts, of

TWO_FOR_ONE = Rules(win=2)
FEE = Rules(fee="1/10")
ODD = Rules(win="3/2", lose="5/4", fee="1/8", tie="draw")


def timid(red: Any, black: Any) -> Any:
    return black - red >= 1


def patient(red: Any, black: Any) -> Any:
    return (black > red) & (red + black < 18)


def root(cash: float) -> float:
    """A user's own utility, of one number at a time."""
    return math.sqrt(100 + cash)


def steps(cash: Fraction) -> Fraction:
    """A utility in fractions, which is not concave."""
    return cash if cash < 2 else cash**2


POLICIES: dict[str, redblack.Policy] = {
    "first_positive": "first_positive",
    "quit_when_negative": "quit_when_negative",
    "never_stop": "never_stop",
    "at_cash": redblack.StopAt(cash=3),
    "at_loss": redblack.StopAt(loss=5),
    "after": redblack.StopAt(draws=20),
    "at_excess": lambda red, black: black - red >= 2 + (red + black) // 12,
    "at_first": redblack.StopAt(loss=1, policy="optimal"),
    "bounds": redblack.StopAt(cash=2, loss=3),
    "within_loss": redblack.OptimalWithin(loss=8),
    "within_draws": redblack.OptimalWithin(draws=30),
    "within_both": redblack.OptimalWithin(loss="5/2", draws=40),
    "callable": timid,
}
VALUED = {name: policy for name, policy in POLICIES.items() if name != "at_excess"}


@cache
def table(red: int, black: int, backend: Any = "float64", rules: Any = None) -> Any:
    return redblack.solve(red, black, rules=rules, backend=backend)


def sheet(found: Any) -> dict[str, Any]:
    """Return a full table."""
    return of(found, "value", "values", "totals", "stop", "ties")


def bounds(*found: Any) -> list[Any]:
    """Return enclosures, of one deck each or of many."""
    rows = (
        zip(*map(np.ravel, (e.lower, e.upper, e.method)), strict=True) for e in found
    )
    return [[cell.item() for cell in row] for each in rows for row in each]


def simulated(found: Any) -> dict[str, Any]:
    return {
        **of(found, "mean", "standard_deviation", "standard_error"),
        "payoffs": found.payoff.support,
        "payoff_counts": counts(found.payoff, found.games),
        "loss_frequency": found.payoff.loss_probability,
        "mean_draws": found.moves.mean,
        "durations": found.moves.support,
        "duration_counts": counts(found.moves, found.games),
        "paths": [path[-1] for path in found.paths],
    }


def settled(found: Any) -> dict[str, Any]:
    """Return thresholds, and the excesses of those that are not known."""
    unknown = tuple((np.flatnonzero(found.n < 0) + 1).tolist())
    return {**of(found, "n", "exact_up_to"), "undecided": unknown}


def played(*cards: Any, good: Any = "red") -> Any:
    """Return a game followed card by card."""
    game = redblack.Position(table(26, 26), good=good)
    for card in cards:
        game = game.play(card)
    return {
        **of(game, "red", "black", "cash"),
        "value": 0.0 if game.over else float(table(26, 26).values[game.state[:2]]),
        **of(game, "over", "history"),
        "advice": None if game.over else advice(game.advice()),
        "undone": game.undo().cash,
    }


class AtTheEnd:
    """A game of cards that pays at its end, so that other floats are summed."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def chance_outcomes(self, states: Any) -> Any:
        return self._game.chance_outcomes(states)[:3]

    def returns(self, states: Any) -> Any:
        drawn = np.array(self._game.counts) - states[:, :-1]
        return drawn @ np.array(self._game.worths, dtype=int)


def _all_states(
    deck: dict[int, int], solve: Any, *, at_the_end: bool = False
) -> dict[str, Any]:
    """Return what playing on is worth with all cards left, and where to stop."""
    counts = [deck[worth] for worth in sorted(deck, reverse=True)]
    left = np.indices([count + 1 for count in counts]).reshape(len(counts), -1)
    rows = np.column_stack([left.T, np.zeros(left.shape[1], dtype=int)])
    game = kinds.game(deck)
    solution = solve(AtTheEnd(game) if at_the_end else game)
    values = solution.values(rows)
    if at_the_end:
        values = values - AtTheEnd(game).returns(rows)
    shape = [count + 1 for count in counts]
    index, _ = solution.optimal_actions(rows[left.any(axis=0)])
    ties = np.zeros(left.shape[1], dtype=bool)
    ties[left.any(axis=0)] = np.bincount(index) > 1
    tables = {"values": values, "ties": ties, "stop": values <= 1e-12}
    return {name: table.reshape(shape) for name, table in tables.items()}


def given_up(found: Any) -> Any:
    """Return what a policy gives up, indexed by the cards left."""
    table = np.zeros((27, 27))
    for state, amount in zip(found.states, found.given_up, strict=True):
        table[state[:2]] = amount
    return table
