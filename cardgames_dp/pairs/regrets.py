"""The mistakes of a policy, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from cardgames_dp import _checks, _html, _records, _text
from cardgames_dp._numbers import short
from cardgames_dp._records import Record
from cardgames_dp.pairs._engine import TOLERANCE, played, solved
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.induction import (
    COPY,
    Behaviour,
    Profile,
    optimal,
)
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.comparison import KINDS, Kind
from cardgames_dp.pairs.mistakes import Mistake, found_mistakes
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.response import responses
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class Regret(Record):
    """The mistakes of a policy; made by :func:`regret`, prints as a table.

    Attributes
    ----------
    policy : str
        The policy of the player.
    against : str
        The policy of all others.
    loss_by_seat : tuple of float
        The chance of winning of a best response to the others, less the policy's, by
        seat of the player, from the one who moves first on. `loss` is the mean.
    loss_by_kind : tuple of float
        The loss of the player's chance of winning, in a random seat, by kind of
        position: no card on the table; an empty hand of the player; no pair possible
        ("safe"); a hit can make a pair ("risk"). `by_kind` names them.
    mistakes_by_kind : tuple of float
        The mean number of the player's mistakes per game, by kind of position.
    dearest : tuple of Mistake
        The positions, with scores, that cost most, beginning with the costliest. If all
        are listed, their costs sum to the loss.
    rules : Rules or None
        The rules of the game; None if not given.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> found = pairs.regret(rules, "fifty_percent")
    >>> worst = found.dearest[0]
    >>> worst.hand, worst.others, worst.scores, worst.taken
    ((3, 4), ((3, 4),), (0, 0), 'fold')
    >>> round(worst.reach, 4), round(worst.given_up, 4), round(worst.cost, 4)
    (0.0286, 0.0971, 0.0028)
    """

    policy: str
    against: str
    loss_by_seat: tuple[float, ...]
    loss_by_kind: tuple[float, ...]
    mistakes_by_kind: tuple[float, ...]
    dearest: tuple[Mistake, ...]
    rules: Rules | None = None

    @property
    def loss(self) -> float:
        """The chance of winning of a best response to the others, less the policy's.

        This is the mean over the seats; `loss_by_seat` has the loss in each seat.
        """
        return sum(self.loss_by_kind)

    @property
    def mistakes(self) -> float:
        """The mean number of the player's mistakes per game, over all seats."""
        return sum(self.mistakes_by_kind)

    @property
    def by_kind(self) -> Mapping[Kind, tuple[float, float]]:
        """For each kind of position the mean number of mistakes, and the loss."""
        both = zip(self.mistakes_by_kind, self.loss_by_kind, strict=True)
        return dict(zip(KINDS, both, strict=True))

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            The attributes by name, with each item of "dearest" as a dict; "loss",
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
        """Return a DataFrame with one row for each of the costliest mistakes.

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
        return "\n".join([*lines, *(f"({note})" for note in self._notes())])

    def __repr__(self) -> str:
        return _records.summary(
            self,
            policy=self.policy,
            against=self.against,
            loss=self.loss,
            loss_by_seat=self.loss_by_seat,
            mistakes=self.mistakes,
        )

    def _repr_html_(self) -> str:
        rows = [
            [_html.label(hand), *map(_html.cell, rest)]
            for hand, *rest in map(_row, self.dearest)
        ]
        return _html.table(repr(self), _HEAD, rows, self._notes())

    def _notes(self) -> list[str]:
        parts = [f"{kind} {short(loss)}" for kind, (_, loss) in self.by_kind.items()]
        total = f"{short(self.mistakes)} mistakes a game; loss {short(self.loss)}"
        seats = ", ".join(map(short, self.loss_by_seat))
        kinds = f"loss by kind: {', '.join(parts)}"
        return [f"means over seats: {total}", kinds, f"loss by seat: {seats}"]


_HEAD = ["hand", "others", "scores", "taken", "reach", "given up", "cost"]


def _row(mistake: Mistake) -> list[str]:
    words = (mistake.hand, mistake.others, mistake.scores, mistake.taken)
    numbers = (mistake.reach, mistake.given_up, mistake.cost)
    return [*map(str, words), *map(short, numbers)]


def regret(
    rules: Rules | None,
    policy: Policy,
    against: Policy | None = None,
    *,
    most: SupportsIndex = 10,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> Regret:
    """Return the mistakes of a policy, and what each of them costs.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        The policy of one player.
    against : Policy, optional
        The policy of all others; the same policy if not given.
    most : int, default 10
        The largest number of positions to list, beginning with the costliest.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    Regret
        The loss of the policy compared with the best response to the others, by seat
        and, as a mean over the seats, by kind of position; and the costliest mistakes.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`win_rate`.

    See Also
    --------
    best_response : The best play against the others, and its chances seat by seat.
    compare : The number of positions in which policies differ, whatever that costs.

    Notes
    -----
    In a position a policy gives up the difference in value between the two actions, if
    the best response is played after them. Weighted with how often the policy reaches
    the positions, these differences sum to the gain of the best response: a telescoping
    sum over plays that follow the policy for k decisions and then the best response.

    Against optimal play the best response is optimal play itself, and a policy gives up
    the theoretical difference of the two actions.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=pairs.triangular(4), target=6)
    >>> found = pairs.regret(rules, "expected_points")
    >>> found
    Regret(policy='expected_points', against='expected_points', loss=0.0552713, \
loss_by_seat=(0.060542, 0.0544734, 0.0507985), mistakes=0.614299)
    >>> gain = pairs.best_response(rules, "expected_points").mean - 2 / 3
    >>> abs(found.loss - gain) < 1e-14
    True

    All positions of a small game in which "fifty_percent" deviates from optimal play,
    with the cost against an optimal player:

    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> found = pairs.regret(rules, "fifty_percent", "optimal", most=1000)
    >>> len(found.dearest), round(sum(each.cost for each in found.dearest), 6)
    (63, 0.065928)
    >>> round(0.5 - pairs.win_rate(rules, "fifty_percent", "optimal").mean, 6)
    0.065928
    """
    rules = _checks.rules(rules, Rules)
    most = _checks.integer("most", most)
    own = played("policy", policy, rules)
    others = own if against is None else played("against", against, rules)
    n = rules.players
    seated, responding = _seated(own, others, n), responses(n, others)
    needed = [seated[0], responding[0]]
    sweep = solved(
        rules,
        [optimal(n), *needed] if COPY in (own, others) else needed,
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )
    lost, mistakes, dearest = found_mistakes(
        sweep, rules, seated, responding, most, progress
    )
    return Regret(
        policy_name(policy),
        policy_name(policy if against is None else against),
        _lost_by_seat(sweep, seated, responding),
        tuple(lost.tolist()),
        tuple(mistakes.tolist()),
        tuple(dearest),
        rules,
    )


def _seated(own: Behaviour, others: Behaviour, players: int) -> list[Profile]:
    """Return the profiles in which each seat in turn is the player's."""
    if own == others == COPY:
        return [optimal(players)] * players
    return [
        tuple([own if i == seat else others for i in range(players)])
        for seat in range(players)
    ]


def _lost_by_seat(
    sweep: Sweep, seated: list[Profile], responding: list[Profile]
) -> tuple[float, ...]:
    """Return the gain of the best response over the policy, by seat of the player."""
    full = sweep.positions.full_deck

    def wins(profile: Profile, seat: int) -> float:
        return float(sweep.tables[sweep.profiles.index(profile)][full, 0, seat])

    return tuple(
        [
            max(wins(best, seat) - wins(own, seat), 0.0)  # may be -1e-17 by rounding
            for seat, (own, best) in enumerate(zip(seated, responding, strict=True))
        ]
    )
