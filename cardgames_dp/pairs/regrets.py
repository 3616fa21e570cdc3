"""Where a policy gives something away, and what that costs it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _records, _text
from cardgames_dp._numbers import short
from cardgames_dp._records import Record
from cardgames_dp.pairs._arguments import ranks_of
from cardgames_dp.pairs._engine import TOLERANCE, played, solved
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.flow import Met, flows
from cardgames_dp.pairs._kernels.induction import BEST, COPY, Step
from cardgames_dp.pairs._kernels.setting import Action, Decisions, Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.comparison import KINDS, Kind, kinds_by_layer
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

_MOST_LISTED = 10
"""Mistakes, the dearest ones."""


class Mistake(NamedTuple):
    """A position in which a policy gives something away: a row of :class:`Regret`.

    Attributes
    ----------
    hand : tuple of int
        The cards of the player to move.
    others : tuple of tuple of int
        Those of the others, from the left on.
    unseen : tuple of int
        The cards that nobody has seen.
    scores : tuple of int
        Points, the player to move first.
    taken : {"hit", "fold"}
        What the policy does; the other action is the better one.
    reach : float
        How often a game comes there, on average, whoever is to move.
    given_up : float
        How much more often the player would win after the other action.
    cost : float
        The product of both.

    Examples
    --------
    To fold loses at once here, and an empty hand cannot make a pair:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> mistake = pairs.regret(rules, "never_hit").dearest[0]
    >>> mistake.hand, mistake.others, mistake.taken, mistake.scores
    ((), ((3,),), 'fold', (3, 0))
    >>> mistake.given_up
    1.0
    """

    hand: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...]
    scores: tuple[int, ...]
    taken: Action
    reach: float
    given_up: float
    cost: float


@dataclass(frozen=True, slots=True, repr=False)
class Regret(Record):
    """Where a policy gives something away: made by :func:`regret`, prints as a table.

    Attributes
    ----------
    policy : str
        What all players do.
    loss_by_kind : tuple of float
        What a player loses, in chances of winning when seats are drawn by lot, by kind
        of position as in :class:`Comparison`.
    mistakes_by_kind : tuple of float
        How many decisions of a player in a game give something away, on average.
    dearest : tuple of Mistake
        The ten positions that cost most, with their scores.
    rules : Rules or None
        Those of the game; None if it was made without.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> found = pairs.regret(rules, "fifty_percent")
    >>> worst = found.dearest[0]
    >>> worst.hand, worst.others, worst.scores, worst.taken
    ((3, 4), ((3, 4),), (0, 0), 'fold')
    >>> round(worst.reach, 4), round(worst.given_up, 4), round(worst.cost, 4)
    (0.0571, 0.0971, 0.0056)
    """

    policy: str
    loss_by_kind: tuple[float, ...]
    mistakes_by_kind: tuple[float, ...]
    dearest: tuple[Mistake, ...]
    rules: Rules | None = None

    @property
    def loss(self) -> float:
        """How much more often a best response to the policy wins than the policy."""
        return sum(self.loss_by_kind)

    @property
    def mistakes(self) -> float:
        """How many decisions of a player in a game give something away, on average."""
        return sum(self.mistakes_by_kind)

    @property
    def by_kind(self) -> Mapping[Kind, tuple[float, float]]:
        """For each kind of position the mean number of mistakes, and the loss.

        A dict, in the order of the kinds in :class:`Comparison`.
        """
        both = zip(self.mistakes_by_kind, self.loss_by_kind, strict=True)
        return dict(zip(KINDS, both, strict=True))

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.

        Returns
        -------
        dict
            The attributes by their names, each of "dearest" as a dict; and "loss",
            "mistakes" and "by_kind".
        """
        more = {
            "dearest": [mistake._asdict() for mistake in self.dearest],
            "by_kind": self.by_kind,
            "loss": self.loss,
            "mistakes": self.mistakes,
        }
        return {
            **_records.plain(self, json=json),
            **_records.plain(more, json=json),
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of the dearest mistakes, a row each.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        names = Mistake._fields
        return data_frame(
            {name: [getattr(each, name) for each in self.dearest] for name in names}
        )

    def __str__(self) -> str:
        lines = _text.aligned([_HEAD, *map(_row, self.dearest)], left={0, 1, 2, 3})
        return "\n".join([*lines, f"({self._summary()})"])

    def __repr__(self) -> str:
        return _records.summary(
            self, policy=self.policy, loss=self.loss, mistakes=self.mistakes
        )

    def _repr_html_(self) -> str:
        rows = [
            [_html.label(hand), *map(_html.cell, rest)]
            for hand, *rest in map(_row, self.dearest)
        ]
        return _html.table(repr(self), _HEAD, rows, [self._summary()])

    def _summary(self) -> str:
        return f"{short(self.mistakes)} mistakes a game; loss {short(self.loss)} in all"


_HEAD = ["hand", "others", "scores", "taken", "reach", "given up", "cost"]


_cost = operator.attrgetter("cost")


def _row(mistake: Mistake) -> list[str]:
    words = (mistake.hand, mistake.others, mistake.scores, mistake.taken)
    numbers = (mistake.reach, mistake.given_up, mistake.cost)
    return [*map(str, words), *map(short, numbers)]


def regret(
    rules: Rules | None,
    policy: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> Regret:
    """Return where a policy gives something away, if all others keep to it as well.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : word or callable
        As for :func:`win_rate`.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    Regret
        What a player loses who keeps to the policy rather than to the best response, by
        kind of position, and the mistakes that cost most.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As by :func:`win_rate`.

    See Also
    --------
    best_response : what the policy would lose, seat by seat, and how.
    compare : in how many positions policies differ, whatever that costs.

    Notes
    -----
    What a policy gives up in a position is the difference of its two actions, played on
    with the best response. Weighed with how often the policy itself comes there, these
    differences add up to what the best response gains: between the two are the plays
    that keep to the policy for so many decisions and then respond.

    References
    ----------
    The question of document 004: where rules of thumb deviate, and what it costs them.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=pairs.triangular(4), target=6)
    >>> found = pairs.regret(rules, "expected_points")
    >>> found
    Regret(policy='expected_points', loss=0.0552713, mistakes=0.614299)
    >>> gain = pairs.best_response(rules, "expected_points").mean - 2 / 3
    >>> abs(found.loss - gain) < 1e-14
    True
    """
    rules = _checks.rules(rules, Rules)
    behaviour = played("policy", policy, rules)
    seat = BEST if behaviour == COPY else behaviour
    n = rules.players
    sweep = solved(
        rules,
        [(seat,) * n, (BEST, *[seat] * (n - 1))],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )
    layers: list[list[Step]] = []

    def actions(vectors: NDArray[np.int64]) -> list[Decisions]:
        layers[:] = list(sweep.steps(vectors))[::-1]
        return [by_profile[0].hits for by_profile in layers]

    kinds_of = kinds_by_layer(rules, sweep.positions)
    lost, mistakes = np.zeros(len(KINDS)), np.zeros(len(KINDS))
    dearest: list[Mistake] = []
    for flow in flows(sweep, actions, progress=progress):
        for by_profile, met in zip(layers, flow.layers, strict=True):
            given_up = _given_up(sweep, by_profile, met)
            costs = met.weights * given_up
            kinds = kinds_of[met.in_hands]
            lost += np.bincount(kinds, costs.sum(axis=1), len(KINDS))
            wrong = np.where(given_up > 0, met.weights, 0.0).sum(axis=1)
            mistakes += np.bincount(kinds, wrong, len(KINDS))
            dearest += _dearest(sweep, flow.vectors, met, given_up, costs)
        dearest = sorted(dearest, key=_cost, reverse=True)[:_MOST_LISTED]
    return Regret(
        policy_name(policy),
        tuple((lost / n).tolist()),
        tuple((mistakes / n).tolist()),
        tuple(dearest),
        rules,
    )


def _given_up(sweep: Sweep, by_profile: list[Step], met: Met) -> Floats:
    """Return what the first profile gives up in the positions of a layer."""
    place = sweep.deciding[met.in_hands % sweep.rules.players]
    lead = by_profile[place].lead
    given_up = np.where(by_profile[0].hits, -lead, lead)
    choice = met.layer.can_hit & met.layer.can_fold
    return np.where(choice[:, None] & (given_up > sweep.tolerance), given_up, 0.0)


def _dearest(
    sweep: Sweep,
    vectors: NDArray[np.int64],
    met: Met,
    given_up: Floats,
    costs: Floats,
) -> list[Mistake]:
    """Return the dearest mistakes of a layer, no more than are listed."""
    some = np.argsort(costs, axis=None)[-_MOST_LISTED:]
    found: list[Mistake] = []
    n, ranks = sweep.rules.players, sweep.rules.ranks
    for row, column in zip(*np.unravel_index(some, costs.shape), strict=True):
        if costs[row, column] == 0:
            continue
        (unseen,), (hands,) = sweep.positions.cards(met.in_hands, slice(row, row + 1))
        turned = np.roll(hands, -(met.in_hands % n), axis=0).tolist()
        hand, *others = (ranks_of(each, ranks) for each in turned)
        found.append(
            Mistake(
                hand,
                tuple(others),
                ranks_of(unseen.tolist(), ranks),
                tuple(np.roll(vectors[column], -(met.in_hands % n)).tolist()),
                "hit" if met.hits[row, column] > 0 else "fold",
                float(met.weights[row, column]),
                float(given_up[row, column]),
                float(costs[row, column]),
            )
        )
    return found
