"""Count the positions in which two policies differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _records
from cardgames_dp._records import Record
from cardgames_dp.pairs._asking import view_of
from cardgames_dp.pairs._engine import TOLERANCE, played, solved
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.flow import flows, upwards
from cardgames_dp.pairs._kernels.induction import InRounds, Step, optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs.policies import Policy, policy_name
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import View

if TYPE_CHECKING:
    import pandas as pd

Kind: TypeAlias = Literal["empty_table", "empty_hand", "safe", "risk"]
KINDS: tuple[Kind, ...] = ("empty_table", "empty_hand", "safe", "risk")


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Record):
    """The numbers of positions in which two policies differ; made by :func:`compare`.

    A position here is the cards on the table and in the deck, with the scores. All
    positions count that some play of the players can reach.

    Attributes
    ----------
    a, b : str
        The names of the policies.
    tolerance : float
        The largest difference of chances of winning that counts as a tie.
    visited : int
        The number of positions that can be reached.
    differing : int
        The number of these in which one policy would hit and the other would fold, also
        where this is not allowed: on an empty table all must hit.
    ties : int
        The number of these in which both actions are allowed and, under optimal play,
        equally good.
    visited_by_kind, differing_by_kind : tuple of int
        The same by kind of position: "empty_table"; "empty_hand", where the player to
        move has no card, but another player has; "safe", where no card left makes a
        pair; and "risk", all others.
    rules : Rules or None
        The rules of the game; None if not given.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> result = pairs.compare(rules, "optimal", "fifty_percent")
    >>> result.differing, result.visited
    (91, 525)
    >>> result.by_kind["risk"]  # visited, differing
    (294, 68)
    """

    a: str
    b: str
    tolerance: float
    visited: int
    differing: int
    ties: int
    visited_by_kind: tuple[int, ...]
    differing_by_kind: tuple[int, ...]
    rules: Rules | None = None

    @property
    def by_kind(self) -> Mapping[Kind, tuple[int, int]]:
        """For each kind of position the numbers of visited and of differing ones."""
        counts = zip(self.visited_by_kind, self.differing_by_kind, strict=True)
        return dict(zip(KINDS, counts, strict=True))

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: NaN becomes a string, tuples lists.
        """
        by_kind = _records.plain(self.by_kind, json=json)
        return {**_records.plain(self, json=json), "by_kind": by_kind}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row for each kind of position.

        The columns are "visited" and "differing".

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame(
            {"visited": self.visited_by_kind, "differing": self.differing_by_kind},
            index=("kind", KINDS),
        )

    def __repr__(self) -> str:
        return _records.summary(
            self,
            a=self.a,
            b=self.b,
            visited=self.visited,
            differing=self.differing,
            ties=self.ties,
        )

    def _repr_html_(self) -> str:
        counts = [*self.by_kind.items(), ("all", (self.visited, self.differing))]
        rows = [
            [
                _html.label(kind.replace("_", " ")),
                _html.cell(str(visited)),
                _html.cell(str(differing)),
                _html.cell(f"{differing / visited:.3%}" if visited else ""),
            ]
            for kind, (visited, differing) in counts
        ]
        title = f"{self.a} and {self.b}: positions in which they differ"
        head = ["kind", "visited", "differing", "share"]
        notes = [f"{self.ties} positions in which hit and fold are equally good."]
        return _html.table(title, head, rows, notes)


def compare(
    rules: Rules | None,
    a: Policy,
    b: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> Comparison:
    """Count the positions in which two policies differ.

    Grade: float64; the counts are right if no tie is doubtful.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    a, b : Policy
        The policies.
    tolerance : float, default 1e-12
        As for :func:`solve`. With 0 and ``reshuffle="essay"`` the counts are those of
        the Pairs essay, in whose program rounding errors decide ties.
    progress, executor
        As for :func:`solve`.

    Returns
    -------
    Comparison
        The counts, in total and by kind of position.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`win_rate`, for any number of players.

    References
    ----------
    The Pairs essay ("Probability and Game Theory in the Card Game Pairs"), the table in
    "Comparing the Strategies".

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5, reshuffle="essay")
    >>> result = pairs.compare(rules, "optimal", "fifty_percent_code", tolerance=0)
    >>> result.visited, result.differing
    (2306, 1916)
    >>> pairs.compare(rules, "optimal", "fifty_percent").differing
    413
    """
    rules = _checks.rules(rules, Rules)
    seats = played("a", a, rules), played("b", b, rules)
    sweep = solved(
        rules,
        [optimal(rules.players)],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )
    positions, kinds_of = sweep.positions, kinds_by_layer(rules, sweep.positions)
    visited, differing = np.zeros(len(KINDS), int), np.zeros(len(KINDS), int)
    ties = 0
    for flow in flows(sweep, None, progress=progress):
        in_round = [_in_round(seat, positions, flow.vectors) for seat in seats]
        for step, met in zip(upwards(sweep, flow.vectors), flow.layers, strict=True):
            if step.in_hands < rules.players * rules.deal:
                continue  # cards are dealt; there is no decision
            there = met.weights > 0
            hits_a, hits_b = (hits_of(step) for hits_of in in_round)
            differ = there & (hits_a != hits_b)
            kinds = kinds_of[step.in_hands]
            visited += _counted(kinds, there)
            differing += _counted(kinds, differ)
            choice = (step.layer.can_hit & step.layer.can_fold)[:, None]
            tied = there & choice & (np.abs(step.lead) <= sweep.tolerance)
            ties += int(tied.sum())
    return Comparison(
        policy_name(a),
        policy_name(b),
        sweep.tolerance,
        int(visited.sum()),
        int(differing.sum()),
        ties,
        tuple(visited.tolist()),
        tuple(differing.tolist()),
        rules,
    )


def _in_round(
    seat: str | InRounds, positions: Positions, vectors: NDArray[np.int64]
) -> Callable[[Step], NDArray[np.bool_]]:
    """Return the decisions of a seat in the steps of a round with these scores."""
    if isinstance(seat, str):
        return lambda step: step.hits  # the first profile is optimal play
    decisions = seat.in_round(positions, vectors)
    return lambda step: decisions(step.in_hands)


def kinds_by_layer(rules: Rules, positions: Positions) -> list[NDArray[np.int64]]:
    """Return the kinds of the positions of each layer."""
    scores = np.zeros((1, rules.players), np.int64)
    return [
        _kinds(view_of(rules, positions, in_hands, scores))
        for in_hands in range(len(positions.layers))
    ]


def _kinds(view: View) -> NDArray[np.int64]:
    """Return the kind of each position as an index of `KINDS`."""
    bare = ~view.table.any(axis=1)
    empty = ~view.hand.any(axis=1)
    risk = (view.scoring & (view.unseen > 0)).any(axis=1)
    return np.select([bare, empty, ~risk], [0, 1, 2], 3)


def _counted(kinds: NDArray[np.int64], where: NDArray[np.bool_]) -> NDArray[np.int64]:
    by_position = where.sum(axis=1)
    counts = np.bincount(kinds, weights=by_position, minlength=len(KINDS))
    return counts.astype(np.int64)
