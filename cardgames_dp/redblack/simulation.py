"""The result of simulated games of red/black."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _records
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

Result: TypeAlias = Literal["payoff", "duration"]
RESULTS: tuple[Result, ...] = ("payoff", "duration")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ArrayRecord):
    """What came of simulated games; made by :func:`simulate`, prints as a sentence.

    The arrays are read-only. The frequencies are those of the two empirical
    distributions, of payoff and duration.

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
        deviation is the sample's, with the divisor ``games - 1``; NaN for one game, and
        where the mean is -inf, as a player was ruined.
    paths : tuple of ndarray of float64
        The cash of each of the first games after 0, 1, 2, ... draws until it ended; as
        many as were asked for.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=100, policy="never_stop")
    >>> result
    Simulation(red=26, black=26, policy='never_stop', games=100, mean=0, \
standard_error=0)
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

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: NaN and infinities become strings,
            a utility its name.
        """
        derived = {
            "standard_error": self.standard_error,
            "mean_draws": self.mean_draws,
            "loss_frequency": self.loss_frequency,
        }
        own = _records.plain(self, json=json)
        return {
            **own,
            "paths": list(own["paths"]),
            **_records.plain(derived, json=json),
        }

    def to_pandas(self, what: Result = "payoff") -> pd.DataFrame:
        """Return how often each result came, as a DataFrame indexed by the results.

        Parameters
        ----------
        what : {"payoff", "duration"}
            The results: final cash, or numbers of cards drawn.

        Returns
        -------
        DataFrame
            With the columns "games" and "frequency".

        Raises
        ------
        TypeError, ValueError
            If `what` is something else.
        ModuleNotFoundError
            If pandas is not installed.
        """
        payoff = _checks.choice("what", what, RESULTS) == "payoff"
        results = self.payoffs if payoff else self.durations
        counts = self.payoff_counts if payoff else self.duration_counts
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(
            {"games": counts, "frequency": counts / self.games},
            index=pandas.Index(results, name=what),
        )
        return frame

    def __str__(self) -> str:
        reward = "payoff" if self.rules.utility is None else "utility"
        return (
            f"{self.games} games with {self.red} red and {self.black} black cards, "
            f"policy {self.policy}: mean {reward} {self.mean:.8g}, standard error "
            f"{self.standard_error:.2g}; {self.mean_draws:.6g} cards drawn on average, "
            f"{self.loss_frequency:.4%} of the games lost money."
        )

    def __repr__(self) -> str:
        rules = {} if self.rules == Rules() else {"rules": self.rules}
        return _records.summary(
            self,
            red=self.red,
            black=self.black,
            **rules,
            policy=self.policy,
            games=self.games,
            mean=self.mean,
            standard_error=self.standard_error,
        )

    def _repr_html_(self) -> str:
        shares = (self.payoff_counts / self.games).tolist()
        head = ("payoff", "frequency")
        return _html.histogram(str(self), head, self.payoffs.tolist(), shares)
