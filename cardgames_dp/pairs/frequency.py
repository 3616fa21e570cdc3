"""How often a policy hits and folds, when all players keep to it."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _records
from cardgames_dp._records import Record
from cardgames_dp.pairs._kernels.flow import flows, upwards
from cardgames_dp.pairs._kernels.induction import BEST
from cardgames_dp.pairs.deciders import Policy, decider, policy_name
from cardgames_dp.pairs.export import data_frame
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.table import TOLERANCE, solved

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class Frequencies(Record):
    """What happens in a game, on average: made by :func:`frequencies`.

    Means over all games, in numbers for each; those of decisions are of all players
    together.

    Attributes
    ----------
    policy : str
        What all players do.
    rounds : float
        Rounds of a game.
    choices : float
        Decisions where both actions are allowed.
    hits : float
        How many of these are hits.
    folds : float
        Rounds that end by a fold; all others end by a pair.
    rules : Rules or None
        Those of the game; None if it was made without.

    Examples
    --------
    Of those who fold whenever they may nobody ever makes a pair:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> careful = pairs.frequencies(rules, "never_hit")
    >>> careful.hits, careful.pairs, careful.rounds == careful.folds
    (0.0, 0.0, True)
    >>> round(careful.rounds, 4)
    2.4498
    """

    policy: str
    rounds: float
    choices: float
    hits: float
    folds: float
    rules: Rules | None = None

    @property
    def hit_rate(self) -> float:
        """The share of hits among decisions where both actions are allowed.

        NaN if there are none.
        """
        return self.hits / self.choices if self.choices else math.nan

    @property
    def pairs(self) -> float:
        """Rounds that end by a pair."""
        return self.rounds - self.folds

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: NaN becomes a string, tuples lists.
        """
        derived = {"pairs": self.pairs, "hit_rate": self.hit_rate}
        return {
            **_records.plain(self, json=json),
            **_records.plain(derived, json=json),
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row: what is played, and the means.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame({name: [x] for name, x in self._facts().items()})

    def __repr__(self) -> str:
        return _records.summary(self, **self._facts())

    def _facts(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "rounds": self.rounds,
            "choices": self.choices,
            "hits": self.hits,
            "folds": self.folds,
            "pairs": self.pairs,
            "hit_rate": self.hit_rate,
        }


def frequencies(
    rules: Rules | None = None,
    policy: Policy = "optimal",
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> Frequencies:
    """Return how often a policy hits and folds when all players keep to it.

    Grade: float64.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players if not given.
    policy : word or callable, default "optimal"
        As for :func:`win_rate`.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    Frequencies
        Exact means, but for rounding.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As by :func:`win_rate`, for any number of players.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> usual = pairs.frequencies(rules)
    >>> round(usual.rounds, 3), round(usual.hit_rate, 3), round(usual.pairs, 3)
    (7.763, 0.822, 3.276)
    """
    rules = _checks.rules(rules, Rules)
    decide = decider("policy", policy)
    played = BEST if decide is None else decide
    sweep = solved(
        rules,
        [(played,) * rules.players],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )

    def actions(vectors: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
        return [step.hits for step in upwards(sweep, vectors)]

    rounds = choices = hits = folds = 0.0
    for flow in flows(sweep, actions, progress=progress):
        rounds += flow.rounds
        for met in flow.layers:
            choice = met.layer.can_hit & met.layer.can_fold
            choices += float(met.weights[choice].sum())
            hits += float(met.hits[choice].sum())
            folds += float(met.folds.sum())
    return Frequencies(policy_name(policy), rounds, choices, hits, folds, rules)
