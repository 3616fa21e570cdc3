"""Other goals than winning: few points, a lead, or to be among the best.

The rules and the end of the game stay the same. The players maximise another return of
the final scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from cardgames_dp import _checks, _records, exact
from cardgames_dp._checks import Backend
from cardgames_dp.explored import explore
from cardgames_dp.pairs._arguments import checked_scores, start_deck
from cardgames_dp.pairs._engine import (
    TOLERANCE,
    checked_tolerance,
    score_columns,
    solved,
)
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._goals import Goal, goal_name, in_arrays, returns_of
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.setting import Action, Decisions, Floats
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs._kernels.turns import State
from cardgames_dp.pairs.openings import OpeningTable, opening_from
from cardgames_dp.pairs.policies import SolvedPlay, policy_of, sweep_of
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import View

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GoalSolution(SolvedPlay):
    """Subgame-perfect play of players with another goal; made by :func:`solve_for`.

    Like a `Solution`, it is a policy for :func:`win_rate`, :func:`compare` and others.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    goal : str, int or callable
        The goal of every player.
    tolerance : float
        The largest difference of returns that counts as a tie.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Mean returns at the start of a round, in the order of ``Solution.table``.
    ties : int
        The number of positions in which hit and fold were equal.

    Examples
    --------
    Players who want few points play differently from those who want to win, and lose
    more often:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> careful = pairs.solve_for(rules, "points")
    >>> careful
    GoalSolution(goal='points', value=(-7.79216, -7.1597), players=2, cards=10, \
target=10, reshuffle='round', ties=24)
    >>> pairs.compare(rules, "optimal", careful).differing
    1555
    >>> round(pairs.win_rate(rules, careful, "optimal").mean, 4)
    0.4308
    """

    rules: Rules
    goal: Goal
    tolerance: float
    table: Floats
    ties: int

    @property
    def value(self) -> tuple[float, ...]:
        """Mean returns of the players at the start of the game, the leader's first."""
        return tuple(self.table[-1, 0].tolist())

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return the mean returns of the players at the start of a round.

        Parameters
        ----------
        scores, deck
            As for :meth:`Solution.value_at`.

        Returns
        -------
        tuple of float
            In the order of `scores`.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.value_at`.
        """
        vector = checked_scores(self.rules, scores)
        sweep = sweep_of(self)
        number = start_deck(sweep.positions, deck)
        return tuple(self.table[number, sweep.index(vector)].tolist())

    def opening_table(
        self, scores: Iterable[SupportsIndex] | None = None
    ) -> OpeningTable:
        """Return the first decision with a choice, when each player has one card.

        Parameters
        ----------
        scores : iterable of int, optional
            As for :meth:`Solution.opening_table`.

        Returns
        -------
        OpeningTable
            Its `lead` is a difference of returns, not of chances.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.opening_table`.
        """
        start = (0,) * self.rules.players if scores is None else scores
        return opening_from(sweep_of(self), self.rules, 0, start)

    def policy(self, view: View) -> Decisions:
        """Return where to hit: a policy for :func:`win_rate` and others.

        Parameters
        ----------
        view : View
            The positions, as for :meth:`Solution.policy`.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position cannot arise in this game.
        """
        return policy_of(self, view)

    @property
    def label(self) -> str:
        """The name of this policy in results."""
        return f"solution for {goal_name(self.goal)}"

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists; the attributes by name, with "table"
            for all decks; and "value".
        """
        everything = {
            **self._columns(),
            "rules": self.rules,
            "goal": goal_name(self.goal),
            "tolerance": self.tolerance,
            "table": self.table,
            "ties": self.ties,
            "value": self.value,
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of mean returns, one row for each scores.

        They are for the start of a round with the full deck.

        The columns are "score_0", "score_1", ..., the leader's first, and "return_0",
        "return_1", ....

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        columns = score_columns(sweep_of(self), self.table)
        return {name.replace("win_", "return_"): x for name, x in columns.items()}

    def _filled_sweep(self) -> Sweep:
        returns = in_arrays(returns_of(self.rules, self.goal))
        return Sweep.filled(self.rules, self.tolerance, [self.table], returns=returns)

    def __repr__(self) -> str:
        return _records.summary(
            self,
            goal=goal_name(self.goal),
            value=self.value,
            players=self.rules.players,
            cards=sum(self.rules.counts),
            target=self.rules.target,
            reshuffle=self.rules.reshuffle,
            ties=self.ties,
        )


@overload
def solve_for(
    rules: Rules | None,
    goal: Goal,
    *,
    backend: Literal["float64"] = "float64",
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: SupportsIndex | None = None,
) -> GoalSolution: ...
@overload
def solve_for(
    rules: Rules | None,
    goal: Goal,
    *,
    backend: Literal["exact"],
    progress: bool = False,
) -> exact.Solution[State, Action, Fraction]: ...
def solve_for(
    rules: Rules | None,
    goal: Goal,
    *,
    backend: Backend = "float64",
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
    max_bytes: SupportsIndex | None = None,
) -> GoalSolution | exact.Solution[State, Action, Fraction]:
    """Solve a game in which all players have another goal than winning.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None. The game ends as usual; with
        ``Rules(target=1)`` it is one round.
    goal : str, int or callable
        The return that every player maximises, on average:

        - "win": 1 for the players who do not reach the target and 0 for the loser, as
          in :func:`solve`.
        - "points": minus the player's own final points.
        - "lead": the mean of the others' final points, less the player's own.
        - an int k: 1 for the k players with the fewest points and 0 for the others;
          players tied for the last of these places share them. One less than the number
          of players is "win".
        - a function of the final scores, the loser's first and then in turn order, that
          returns the return of each of these players, in the same order.
    backend : {"float64", "exact"}
        As for :func:`solve`.
    tolerance : float, default 1e-12
        The largest difference of returns that counts as a tie, as for :func:`solve`;
        for float64 only.
    progress, executor, max_bytes
        As for :func:`solve`; `executor` and `max_bytes` for float64 only.

    Returns
    -------
    GoalSolution or exact.Solution
        In float64 a `GoalSolution`; with ``backend="exact"`` the
        :class:`cardgames_dp.exact.Solution` of the game with these returns.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, the function `goal` returns anything
        but a finite number for each player, or the rules have ``reshuffle="essay"``,
        under which games may end without a loser.
    TooLargeError, TooLongError, TooManyStatesError, ModuleNotFoundError
        As for :func:`solve` and :func:`cardgames_dp.exact.solve`.

    Notes
    -----
    For two players, "win" and "lead" are constant-sum goals: values are unique. With
    "points", and with more players under nearly any goal, values depend on the choices
    in ties: then `rules.tie` is part of the result.

    Examples
    --------
    The mean returns of one round, when both players want few points of their own, and
    when both want fewer points than the other:

    >>> from cardgames_dp import pairs
    >>> one_round = pairs.Rules(target=1)
    >>> [round(points, 4) for points in pairs.solve_for(one_round, "points").value]
    [-3.0211, -1.899]
    >>> [round(lead, 4) for lead in pairs.solve_for(one_round, "lead").value]
    [-1.1024, 1.1024]

    The chance of having the fewest points of three players, exactly:

    >>> three = pairs.Rules(players=3, deck=pairs.triangular(3), target=3)
    >>> pairs.solve_for(three, 1, backend="exact").value[0]
    Fraction(1582935157, 7290000000)
    """
    rules = _checks.rules(rules, Rules)
    if rules.reshuffle == "essay":
        raise ValueError(
            "rules must not have reshuffle='essay', under which a game may end without "
            "a loser; use 'round' or 'exhausted'"
        )
    returns = returns_of(rules, goal)
    if _checks.backend(backend) == "exact":
        _refuse_float_only(tolerance, executor, max_bytes)
        game = explore(rules.game(), progress=progress)
        return exact.solve(game.with_returns(lambda state: returns(state.scores)))
    sweep = solved(
        rules,
        [optimal(rules.players)],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
        max_bytes=max_bytes,
        keep_decisions=True,
        returns=in_arrays(returns),
    )
    solution = GoalSolution(
        rules, goal, sweep.tolerance, sweep.tables[0], sweep.gaps.ties
    )
    object.__setattr__(solution, "_sweep", sweep)
    return solution


def _refuse_float_only(tolerance: float, executor: object, max_bytes: object) -> None:
    given = {
        "tolerance": checked_tolerance(tolerance) != TOLERANCE,
        "executor": executor is not None,
        "max_bytes": max_bytes is not None,
    }
    for name, there in given.items():
        if there:
            raise ValueError(f"{name} is for backend='float64', got it with 'exact'")
