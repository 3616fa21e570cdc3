"""The result of simulated games of Pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardgames_dp import _html, _records
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs.export import data_frame
from cardgames_dp.pairs.official import OfficialRules
from cardgames_dp.pairs.policies import Integers
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


class Tally(NamedTuple):
    """What came of games, in counts; they are added to in place.

    Attributes
    ----------
    final_scores : ndarray of int64, shape (players, scores)
        How many games each seat ended with so many points.
    durations : ndarray of int64, shape (rounds,)
        How many games had so many rounds.
    choices, hits, folds, pairs : ndarray of int64, shape (players,)
        Decisions of each seat where both actions are allowed, how many of these are
        hits, and the rounds that the seat ended by a fold and by a pair.
    """

    final_scores: Integers
    durations: Integers
    choices: Integers
    hits: Integers
    folds: Integers
    pairs: Integers

    @classmethod
    def empty(cls, rules: Rules) -> Tally:
        """Return one with room for every way that a game may end."""
        n, scores, rounds = tally_shape(rules)
        arrays = [np.zeros(n, np.int64) for _ in range(4)]
        return cls(np.zeros((n, scores), np.int64), np.zeros(rounds, np.int64), *arrays)


def tally_shape(rules: Rules) -> tuple[int, int, int]:
    """Return how many players, final scores and numbers of rounds there may be."""
    n, most = rules.players, rules.losing_score - 1
    # Each round scores the lowest rank or more, and the last one makes someone lose.
    return n, most + rules.ranks[-1] + 1, n * (most // rules.ranks[0]) + 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ArrayRecord):
    """What came of simulated games: made by :func:`simulate`, read-only.

    Seats are counted from the one that starts the first round (with a deal of which the
    lowest card leads, from any one), to the left. All counts are exact.

    Attributes
    ----------
    rules : Rules or OfficialRules
        Those of the games.
    policies : tuple of str
        What each seat does.
    games : int
        How many were played.
    final_scores : ndarray of int64, shape (players, scores)
        How many games each seat ended with so many points, from 0 on.
    durations : ndarray of int64, shape (rounds,)
        How many games had so many rounds, from 0 on.
    choices, hits, folds, pairs : ndarray of int64, shape (players,)
        Decisions of each seat where both actions are allowed; how many of these are
        hits; and the rounds that the seat ended by a fold, allowed or forced, and by a
        pair.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> result = pairs.simulate(rules, "never_hit", games=1000, rng=1)
    >>> result.wins, result.losses, result.hit_rate
    ((1000, 0), (0, 1000), 0.0)
    >>> {n: games for n, games in enumerate(result.durations.tolist()) if games}
    {2: 597, 3: 373, 4: 30}
    """

    rules: Rules | OfficialRules
    policies: tuple[str, ...]
    games: int
    final_scores: Integers
    durations: Integers
    choices: Integers
    hits: Integers
    folds: Integers
    pairs: Integers

    @property
    def losses(self) -> tuple[int, ...]:
        """How many games each seat lost."""
        target = self.rules.target
        return tuple(self.final_scores[:, target:].sum(axis=1).tolist())

    @property
    def wins(self) -> tuple[int, ...]:
        """How many games each seat won: those that another one lost.

        A game without a loser, which `reshuffle="essay"` knows, has no winner.
        """
        losses = self.losses
        return tuple([sum(losses) - lost for lost in losses])

    @property
    def win_rates(self) -> tuple[float, ...]:
        """The share of games that each seat won."""
        return tuple([won / self.games for won in self.wins])

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard deviation of each of `win_rates`, estimated from it."""
        return tuple([math.sqrt(p * (1 - p) / self.games) for p in self.win_rates])

    @property
    def mean_rounds(self) -> float:
        """The average number of rounds of a game."""
        rounds = np.arange(len(self.durations))
        return int(rounds @ self.durations) / self.games

    @property
    def mean_rounds_error(self) -> float:
        """The standard error of `mean_rounds`; NaN for one game."""
        if self.games == 1:
            return math.nan
        away = np.arange(len(self.durations)) - self.mean_rounds
        variance = float(away**2 @ self.durations) / (self.games - 1)
        return math.sqrt(variance / self.games)

    @property
    def hit_rate(self) -> float:
        """The share of hits among decisions where both actions are allowed.

        NaN if there are none.
        """
        choices = int(self.choices.sum())
        return int(self.hits.sum()) / choices if choices else math.nan

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: NaN becomes a string, tuples lists.
        """
        derived = {
            "wins": self.wins,
            "win_rates": self.win_rates,
            "standard_errors": self.standard_errors,
            "losses": self.losses,
            "mean_rounds": self.mean_rounds,
            "mean_rounds_error": self.mean_rounds_error,
            "hit_rate": self.hit_rate,
        }
        plain = _records.plain(self, json=json) | _records.plain(derived, json=json)
        return {k: list(x) if isinstance(x, tuple) else x for k, x in plain.items()}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each seat.

        Its columns are "policy", "wins", "win_rate", "standard_error", "losses",
        "choices", "hits", "folds" and "pairs".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        columns = {
            "policy": self.policies,
            "wins": self.wins,
            "win_rate": self.win_rates,
            "standard_error": self.standard_errors,
            "losses": self.losses,
            "choices": self.choices,
            "hits": self.hits,
            "folds": self.folds,
            "pairs": self.pairs,
        }
        return data_frame(columns, index=("seat", range(len(self.policies))))

    def __repr__(self) -> str:
        return _records.summary(
            self,
            policies=self.policies,
            games=self.games,
            win_rates=self.win_rates,
            standard_errors=self.standard_errors,
        )

    def __str__(self) -> str:
        seats = zip(self.policies, self.win_rates, self.standard_errors, strict=True)
        shown = ", ".join([f"{name} {p:.4f} ± {error:.2g}" for name, p, error in seats])
        return (
            f"{self.games} games of {self.mean_rounds:.4g} rounds on average; chances "
            f"of winning: {shown}."
        )

    def _repr_html_(self) -> str:
        head = ["seat", "policy", "wins", "chance", "±", "hits", "folds", "pairs"]
        columns = zip(
            self.policies,
            self.wins,
            [f"{rate:.4f}" for rate in self.win_rates],
            [f"{error:.2g}" for error in self.standard_errors],
            self.hits.tolist(),
            self.folds.tolist(),
            self.pairs.tolist(),
            strict=True,
        )
        rows = (
            [
                _html.label(str(seat)),
                _html.cell(name),
                *(_html.cell(str(count)) for count in counts),
            ]
            for seat, (name, *counts) in enumerate(columns)
        )
        title = f"{self.games} games, {self.mean_rounds:.4g} rounds each on average"
        return _html.table(title, head, rows, ["± is the standard error."])
