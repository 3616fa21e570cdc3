"""Solve a game: in float64 layer by layer, or exactly state by state; solved games.

Some tables come with the package. A table is small, however long it took to compute,
and can be checked without computing it again: every entry follows from those with
higher total scores, by one round. The files are checkpoints of `solve`:
``pairs.solve(rules, checkpoint=file)`` makes such a file, or continues from it. The
tables of three players with nine and ten ranks were computed with a compiled version of
the loop over a layer, with the same order of operations; with six and with eight ranks
it gives the same bits as the solver.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor
from fractions import Fraction
from importlib import resources
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

from cardgames_dp import exact
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp._graph.solution import Solution
from cardgames_dp._results import records
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.fast import most_states
from cardgames_dp.pairs.game import game
from cardgames_dp.pairs.lookup import SolvedRounds, run_sweep
from cardgames_dp.pairs.rules import (
    Action,
    Goal,
    Rules,
    returns_of,
    tabled_rules,
    tolerance_of,
)
from cardgames_dp.pairs.state import State

Solved: TypeAlias = Solution[State, Action, float] | Solution[State, Action, Fraction]

_STATE_BYTES = 1024
"""About the bytes that a state takes in the exact backend."""


@overload
def solve(
    rules: Rules | None = None,
    *,
    goal: Goal = "win",
    backend: Literal["float64"] = "float64",
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution[State, Action, float]: ...
@overload
def solve(
    rules: Rules | None = None, *, goal: Goal = "win", backend: Literal["exact"]
) -> Solution[State, Action, Fraction]: ...
@suggest_arguments
def solve(
    rules: Rules | None = None,
    *,
    goal: Goal = "win",
    backend: Backend = "float64",
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solved:
    """Solve a game of Pairs: subgame-perfect play of all players.

    This is ``solve(pairs.game(rules, goal=goal))`` of `cardgames_dp.diagonal` or
    `cardgames_dp.exact`.

    Grade: certified, by `Solution.error`, for two players who want the same sum;
    otherwise float64. Exact with ``backend="exact"``.

    Parameters
    ----------
    rules : Rules, optional
        The published game of two players, to 31 points, if not given.
    goal : str, int or callable, default "win"
        The return that every player maximises, on average, in a game that ends as
        usual (with ``Rules(target=1)`` after one round):

        - "win": 1 for the players who do not reach the target and 0 for the loser.
        - "points": minus the player's own final points.
        - "lead": the mean of the others' final points, less the player's own.
        - an int k: 1 for the k players with the fewest points and 0 for the others;
          players tied for the last of these places share them. One less than the number
          of players is "win".
        - a function of the final scores, the loser's first and then in turn order, that
          returns the return of each of these players, in the same order.
    backend : {"float64", "exact"}
        The arithmetic. "exact" works in Fractions, state by state, for small decks and
        low targets.
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total in parallel, best by
        threads; the result is the same, bit for bit. For float64 only.
    checkpoint : path, optional
        A file to which the table is saved after each total of scores. If the file
        exists, the solver continues from it, on any machine, and the result is the
        same, bit for bit. For float64 only, and the goal "win".

    Returns
    -------
    Solution
        The values and decisions in all states. In float64 only the chances at the
        starts of rounds are kept: what a state of :func:`state` is worth is found by
        solving its round. The game is explored where all its states are needed.

    See Also
    --------
    score_table, opening_table, positions : What only solutions of Pairs have.

    Raises
    ------
    ValueError
        If `checkpoint` is a damaged file, or one of other rules, which is left
        unchanged; or if the rules have ``reshuffle="essay"``, under which games may end
        without a loser, and the goal is another than "win".
    TooLargeError
        If positions or tables would not fit in memory.

    Notes
    -----
    :doc:`/theory/pairs` explains the algorithm. The time is proportional to the number
    of draws in all positions times the number of vectors of scores, at 1 to 2 ns for
    each player: the published game of two players takes about ten seconds. The exact
    backend takes about 50 µs and 1 kB for each state, of which there are up to
    ``2 * players`` times as many as positions with scores.

    Values that differ by at most 1e-12 count as a tie, in which ``rules.tie`` decides.
    For two players, "win" and "lead" are constant-sum goals: values are unique. With
    "points", and with more players, values depend on the choices in ties.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> solution.payoffs
    (0.44875669568..., 0.55124330431...)
    >>> exact = pairs.solve(pairs.Rules(deck=3, target=5), backend="exact")
    >>> exact.value, abs(exact.value - solution.value) < 1e-15
    (Fraction(27261969263, 60750000000), True)

    The mean returns of one round, when both players want few points:

    >>> one_round = pairs.Rules(target=1)
    >>> [round(x, 4) for x in pairs.solve(one_round, goal="points").payoffs]
    [-3.0211, -1.899]

    Players who want few points play differently, and win less often:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> careful = pairs.solve(rules, goal="points")
    >>> round(pairs.rates(rules, [careful, "optimal"]).mean[0], 4)
    0.4308

    The chance of having the fewest points of three players, exactly:

    >>> three = pairs.Rules(players=3, deck=3, target=3)
    >>> pairs.solve(three, goal=1, backend="exact").value
    Fraction(1582935157, 7290000000)
    """
    rules = tabled_rules(rules)
    returns = returns_of(rules, goal)
    if arguments.backend(backend) == "exact":
        for name, given, why in (
            ("executor", executor, "solves one state after another"),
            ("checkpoint", checkpoint, "writes none"),
        ):
            if given is not None:
                raise ValueError(
                    f"{name} is for backend='float64': the exact backend {why}, got "
                    f"{arguments.described(given)}"
                )
        states = most_states(rules)
        what = f"the exact solution of up to {arguments.shown(states)} states"
        instead = "use backend='float64', or a smaller deck or target"
        refuse_too_large(what, states * _STATE_BYTES, instead)
        exactly: Solution[State, Action, Fraction] = exact.solve(
            game(rules, goal=goal), max_states=states
        )
        return exactly
    if returns is not None and checkpoint is not None:
        raise ValueError(
            f"checkpoint is for goal='win', got it with goal={arguments.shown(goal)}"
        )
    file = None if checkpoint is None else checkpoint_of(checkpoint, rules)
    profiles = [optimal(rules.players)]
    sweep = run_sweep(rules, goal, profiles, executor, checkpoint=file)
    solution: Solution[State, Action, float] = _solution(rules, goal, sweep)
    return solution


def _solution(rules: Rules, goal: Goal, sweep: Sweep) -> Any:
    """Return the solution with the table of a sweep, computed or loaded."""
    lookup = SolvedRounds.of(sweep)
    return Solution(LookupValues(game(rules, goal=goal), lookup, "first"))


def checkpoint_of(path: object, rules: Rules) -> Checkpoint:
    """Return the checkpoint, in a file, of optimal play under rules."""
    return Checkpoint.of(path, _parameters(rules))


def _parameters(rules: Rules) -> dict[str, object]:
    return {
        "game": "pairs",
        "rules": records.plain(rules, json=True),
        "tolerance": tolerance_of(rules),
    }


_FOLDER = resources.files(__package__) / "_data"

SOLVED = ((2, 10), (3, 8), (3, 9), (3, 10))
"""Players and ranks of the games whose tables come with the package."""


@suggest_arguments
def published(
    players: SupportsIndex = 2, ranks: SupportsIndex = 10
) -> Solution[State, Action, float]:
    """Return the solution of the published game, or of one with fewer ranks.

    Its table comes with the package; nothing is computed.

    Grade: float64.

    Parameters
    ----------
    players : int, default 2
        2, for a game to 31 points, or 3, for a game to 21.
    ranks : int, default 10
        The number of ranks of the deck: 10 for two players; 8, 9 or 10 for three.

    Returns
    -------
    Solution
        The result of :func:`solve` for ``Rules(players, deck=ranks)``, bit for bit. Its
        advice solves the positions of one round that can follow the given one.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.published()
    >>> [round(chance, 6) for chance in solution.payoffs]
    [0.480468, 0.519532]
    >>> three = pairs.published(players=3, ranks=8)
    >>> [round(chance, 4) for chance in three.payoffs]
    [0.6446, 0.6676, 0.6878]
    >>> rules = pairs.Rules(players=3, deck=8)
    >>> table = pairs.state(hand=[1, 5], others=[[2, 3], [4, 8]], rules=rules)
    >>> three.advice(table).action
    'fold'
    """
    size = arguments.integer("players", players), arguments.integer("ranks", ranks)
    if size not in SOLVED:
        choices = ", ".join(map(str, SOLVED))
        raise ValueError(
            f"players and ranks must be one of {choices}, got {arguments.shown(size)}; "
            "use solve(...) for other games"
        )
    seats, number = size
    rules = Rules(seats, number)
    sweep = Sweep(Positions(rules), [optimal(seats)])
    data = _FOLDER / f"{seats}_players_{number}_ranks.npz"
    if not data.is_file():
        raise FileNotFoundError(f"{data} is not there; install cardgames_dp again")
    with resources.as_file(data) as file:  # a copy, where the package is in a zip
        state = Checkpoint(file, _parameters(rules)).load()
    assert state is not None
    sweep.restore(state)
    solution: Solution[State, Action, float] = _solution(rules, "win", sweep)
    return solution
