"""Other goals than not to lose: few points, a lead, to be among the best.

The rules stay as they are, and so does the end of the game. What changes is what the
players want: a return for the final scores, in place of a win.
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
    """Subgame-perfect play of players with another goal: made by :func:`solve_for`.

    It is a policy for :func:`win_rate`, :func:`compare` and others, as a `Solution` is.

    Attributes
    ----------
    rules : Rules
        Those of the game.
    goal : word, int or callable
        What every player wants.
    tolerance : float
        Returns that differ by no more than this were taken for equal.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Mean returns at the start of a round, in the order of ``Solution.table``.
    ties : int
        In how many positions hit and fold were equal.

    Examples
    --------
    Who wants few points plays otherwise than who wants to win, and loses more often:

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
        """Mean returns at the start of the game, of the player to move first on."""
        return tuple(self.table[-1, 0].tolist())

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return mean returns at the start of a round.

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
        """Return the first real decision, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            As for :meth:`Solution.opening_table`.

        Returns
        -------
        OpeningTable
            Its `lead` is one of returns, not of chances.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.opening_table`.
        """
        start = (0,) * self.rules.players if scores is None else scores
        return opening_from(sweep_of(self), self.rules, 0, start)

    def policy(self, view: View) -> Decisions:
        """Return where to hit, as a policy for :func:`win_rate` and others.

        Parameters
        ----------
        view : View
            As for :meth:`Solution.policy`.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position is none that can arise in this game.
        """
        return policy_of(self, view)

    @property
    def label(self) -> str:
        """What results call this policy."""
        return f"solution for {goal_name(self.goal)}"

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything, the rules included, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists; the attributes by their names, "table"
            of all decks; and "value".
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
        """Return a DataFrame of mean returns, with the full deck, by scores.

        Its columns are "score_0", "score_1", ..., from the leader on, and "return_0",
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
    """Solve a game of players who all want something else than not to lose.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None. The game ends as it always does;
        ``Rules(target=1)`` is one round.
    goal : word, int or callable
        What every player wants to be as large as possible on average.

        - "win": not to be the one who reaches the target, 1 or 0, as :func:`solve`.
        - "points": few points of one's own; what one gets is minus the final points.
        - "lead": the mean of the others' final points, less one's own.
        - a number: to be among so many players with the fewest points; players who
          are tied for the last such places share them. One less than there are players
          is "win".
        - a function of final scores, the loser's first and then from the left on, that
          returns what each of these players gets, in the same order.
    backend : {"float64", "exact"}
        As for :func:`solve`.
    tolerance : float, default 1e-12
        As for :func:`solve`, of returns; for float64 alone.
    progress, executor, max_bytes
        As for :func:`solve`; the last two for float64 alone.

    Returns
    -------
    GoalSolution or exact.Solution
        In float64 a `GoalSolution`, exactly that of the game with such returns.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, the goal's function returns something
        else than a finite number for each player, or the rules have
        ``reshuffle="essay"``, under which games may end without a loser.
    TooLargeError, TooLongError, TooManyStatesError, ModuleNotFoundError
        As for :func:`solve` and :func:`cardgames_dp.exact.solve`.

    Notes
    -----
    Two players who want a lead, or to win, want opposite things. With points they do
    not, and with more players hardly any goal makes values unique: then `rules.tie` is
    part of the answer.

    Examples
    --------
    One round: what it costs on average, when both want few points of their own, and
    when they want fewer than the other.

    >>> from cardgames_dp import pairs
    >>> one_round = pairs.Rules(target=1)
    >>> [round(points, 4) for points in pairs.solve_for(one_round, "points").value]
    [-3.0211, -1.899]
    >>> [round(lead, 4) for lead in pairs.solve_for(one_round, "lead").value]
    [-1.1024, 1.1024]

    The best of three, exactly:

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
