"""The result of simulated games of red/black."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack.rules import Rules


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ArrayRecord):
    """What came of simulated games; made by :func:`simulate`, prints as a sentence.

    The arrays are read-only.

    Attributes
    ----------
    red, black : int
        Cards of each colour in the full deck.
    rules : Rules
        The amounts, in whose unit cash is.
    policy : str
        The policy in words: its name, or what it prints as.
    games : int
        How many were played.
    payoffs, payoff_counts : ndarray of float64 and of int64, same shape
        Final amounts of cash, increasing, and how many games ended with each.
    durations, duration_counts : ndarray of int64, same shape
        Numbers of cards drawn, increasing, and how many games ended after so many.
    mean, standard_deviation : float
        Of the reward: of the cash, or with a utility of ``utility(cash)``. The standard
        deviation is the sample's, with the divisor ``games - 1``; NaN for one game.
    paths : tuple of ndarray of float64
        The cash of each of the first games after 0, 1, 2, ... draws until it ended; as
        many as were asked for.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=100, policy="never_stop")
    >>> result
    <redblack.Simulation of 100 games, 26 red and 26 black, never_stop: mean 0>
    >>> result.payoffs.tolist(), result.payoff_counts.tolist(), result.mean_draws
    ([0.0], [100], 52.0)
    """

    red: int
    black: int
    rules: Rules
    policy: str
    games: int
    payoffs: NDArray[np.float64]
    payoff_counts: NDArray[np.int64]
    durations: NDArray[np.int64]
    duration_counts: NDArray[np.int64]
    mean: float
    standard_deviation: float
    paths: tuple[NDArray[np.float64], ...]

    @property
    def standard_error(self) -> float:
        """The standard deviation of `mean`, estimated from the sample."""
        return self.standard_deviation / math.sqrt(self.games)

    @property
    def mean_draws(self) -> float:
        """The average number of cards drawn."""
        return int(self.durations @ self.duration_counts) / self.games

    @property
    def loss_frequency(self) -> float:
        """The share of the games that ended with negative cash."""
        return int(self.payoff_counts[self.payoffs < 0].sum()) / self.games

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rules as plain lists and numbers."""
        return {
            "red": self.red,
            "black": self.black,
            "policy": self.policy,
            "games": self.games,
            "mean": self.mean,
            "standard_deviation": self.standard_deviation,
            "standard_error": self.standard_error,
            "mean_draws": self.mean_draws,
            "loss_frequency": self.loss_frequency,
            "payoffs": self.payoffs.tolist(),
            "payoff_counts": self.payoff_counts.tolist(),
            "durations": self.durations.tolist(),
            "duration_counts": self.duration_counts.tolist(),
            "paths": [path.tolist() for path in self.paths],
        }

    def __str__(self) -> str:
        reward = "payoff" if self.rules.utility is None else "utility"
        return (
            f"{self.games} games with {self.red} red and {self.black} black cards, "
            f"policy {self.policy}: mean {reward} {self.mean:.8g}, standard error "
            f"{self.standard_error:.2g}; {self.mean_draws:.6g} cards drawn on average, "
            f"{self.loss_frequency:.4%} of the games lost money."
        )

    def __repr__(self) -> str:
        return (
            f"<redblack.Simulation of {self.games} games, {self.red} red and "
            f"{self.black} black, {self.policy}: mean {self.mean:.6g}>"
        )

    def _repr_html_(self) -> str:
        shares = (self.payoff_counts / self.games).tolist()
        head = ("payoff", "frequency")
        return _html.histogram(str(self), head, self.payoffs.tolist(), shares)
