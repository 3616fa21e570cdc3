"""How often policies win against each other, and how often one hits and folds."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _records
from cardgames_dp._records import Record
from cardgames_dp.pairs._engine import (
    TOLERANCE,
    kept_to,
    played,
    solved,
    tables_by_leader,
)
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.flow import flows, upwards
from cardgames_dp.pairs._kernels.induction import BEST, COPY
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class WinRate(Record):
    """The chance that a policy wins against others who all follow another one.

    Made by :func:`win_rate`.

    Attributes
    ----------
    a, b : str
        The names of the policies.
    values : tuple of float
        The chance that `a` wins in each seat, the first to move first.
    rules : Rules or None
        The rules of the game; None if not given.

    Examples
    --------
    The first seat is worse for a player who always hits, against another such player:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> rate = pairs.win_rate(rules, "always_hit", "always_hit")
    >>> round(rate.first, 4), round(rate.second, 4), round(rate.mean, 4)
    (0.453, 0.547, 0.5)
    """

    a: str
    b: str
    values: tuple[float, ...]
    rules: Rules | None = None

    @property
    def first(self) -> float:
        """The chance that `a` wins in the first seat."""
        return self.values[0]

    @property
    def second(self) -> float:
        """The chance that `a` wins in the second seat."""
        return self.values[1]

    @property
    def mean(self) -> float:
        """The chance that `a` wins in a random seat: the mean of `values`.

        It is 1 - 1/players if all players follow the same policy, as one of them loses.
        """
        return sum(self.values) / len(self.values)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: NaN becomes a string, tuples lists.
        """
        return {**_records.plain(self, json=json), "mean": self.mean}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row: the policies, and the chances by seat.

        The columns are "a", "b", "win_0", "win_1", ... and "mean".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        by_seat = {f"win_{seat}": [win] for seat, win in enumerate(self.values)}
        return data_frame(
            {"a": [self.a], "b": [self.b], **by_seat, "mean": [self.mean]}
        )

    def __repr__(self) -> str:
        return _records.summary(
            self, a=self.a, b=self.b, values=self.values, mean=self.mean
        )


def win_rate(
    rules: Rules | None,
    a: Policy,
    b: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> WinRate:
    """Return the chance that a policy wins against others who all follow another one.

    These are the chances of `a` alone, for each seat that it may have. :func:`evaluate`
    has the chances of all seats of one game, each with its own policy.

    Grade: float64; exact except for rounding.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    a : Policy
        The policy of one player; `Policy` lists the named ones.
    b : Policy
        The policy of all other players.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    WinRate
        The chance for each seat of the first player, and their mean.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, a policy does not return an array of
        bool of the right shape, or a `Solution` or `BestResponse` is for rules in which
        some position of this game cannot arise.
    TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`solve`.

    See Also
    --------
    evaluate : The chances of all seats, to win and to lose.

    References
    ----------
    The Pairs essay ("Probability and Game Theory in the Card Game Pairs"), which has
    the policies "fifty_percent" and "expected_points" in its text and in its program.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> rate = pairs.win_rate(rules, "optimal", "fifty_percent")
    >>> round(rate.first, 4), round(rate.second, 4), round(rate.mean, 4)
    (0.5774, 0.6531, 0.6153)

    One of three players loses, so equal players win two games of three:

    >>> three = pairs.Rules(players=3, deck=pairs.triangular(4), target=6)
    >>> pairs.win_rate(three, "optimal", "fifty_percent")
    WinRate(a='optimal', b='fifty_percent', values=(0.713343, 0.762578, 0.795493), \
mean=0.757138)
    """
    rules = _checks.rules(rules, Rules)
    own, others = played("a", a, rules), played("b", b, rules)
    n = rules.players
    profile = (own, *[others] * (n - 1))
    sweep = kept_to(
        rules, profile, tolerance=tolerance, progress=progress, executor=executor
    )
    # In seat k the policy is that of the player who sits k to the left of the leader.
    tables, full = tables_by_leader(sweep, profile), sweep.positions.full_deck
    values = [float(tables[-seat][full, 0, seat]) for seat in range(n)]
    return WinRate(policy_name(a), policy_name(b), tuple(values), rules)


@dataclass(frozen=True, slots=True, repr=False)
class Frequencies(Record):
    """Mean numbers of rounds and decisions in a game; made by :func:`frequencies`.

    The numbers are means per game, for all players together.

    Attributes
    ----------
    policy : str
        The name of the policy of all players.
    rounds : float
        The mean number of rounds.
    choices : float
        The mean number of decisions in which both actions are allowed.
    hits : float
        The mean number of hits among these.
    folds : float
        The mean number of rounds that end with a fold; all others end with a pair.
    rules : Rules or None
        The rules of the game; None if not given.

    Examples
    --------
    Players who always fold when they can never make a pair:

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
        """The share of hits among decisions in which both actions are allowed.

        It is NaN if there are none.
        """
        return self.hits / self.choices if self.choices else math.nan

    @property
    def pairs(self) -> float:
        """The mean number of rounds that end with a pair."""
        return self.rounds - self.folds

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: NaN becomes a string, tuples lists.
        """
        derived = {"pairs": self.pairs, "hit_rate": self.hit_rate}
        return {
            **_records.plain(self, json=json),
            **_records.plain(derived, json=json),
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row: the policy, and the means.

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
    """Return how often a policy hits and folds if all players follow it.

    Grade: float64.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players if not given.
    policy : Policy, default "optimal"
        The policy of all players.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    Frequencies
        The means, exact except for rounding.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`win_rate`, for any number of players.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> usual = pairs.frequencies(rules)
    >>> round(usual.rounds, 3), round(usual.hit_rate, 3), round(usual.pairs, 3)
    (7.763, 0.822, 3.276)
    """
    rules = _checks.rules(rules, Rules)
    seat = played("policy", policy, rules)
    sweep = solved(
        rules,
        [(BEST if seat == COPY else seat,) * rules.players],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )

    def actions(vectors: NDArray[np.int64]) -> list[list[NDArray[np.bool_]]]:
        return [[step.hits for step in upwards(sweep, vectors)]]

    rounds = choices = hits = folds = 0.0
    for flow in flows(sweep, actions, progress=progress):
        rounds += flow.rounds
        for met in flow.layers:
            choice = met.layer.can_hit & met.layer.can_fold
            choices += float(met.weights[choice].sum())
            hits += float(met.hits[choice].sum())
            folds += float(met.folds.sum())
    return Frequencies(policy_name(policy), rounds, choices, hits, folds, rules)
