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
from typing import Literal, SupportsIndex, overload

from cardgames_dp import exact, game
from cardgames_dp._graph.explored import explore
from cardgames_dp._results import records
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.checkpoints import Checkpoint
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.game import Action, Returns, State, tolerance_of
from cardgames_dp.pairs._kernels.induction import Profile, optimal
from cardgames_dp.pairs._kernels.positions import (
    Positions,
    decks_told_apart,
    most_positions,
)
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.rules import Exactly, Goal, Rules, in_arrays, returns_of, tabled
from cardgames_dp.pairs.solution import Solution, solution_of

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
) -> Solution: ...
@overload
def solve(
    rules: Rules | None = None, *, goal: Goal = "win", backend: Literal["exact"]
) -> game.Solution[State, Action, Fraction]: ...
@suggest_arguments
def solve(
    rules: Rules | None = None,
    *,
    goal: Goal = "win",
    backend: Backend = "float64",
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution | game.Solution[State, Action, Fraction]:
    """Solve a game of Pairs: subgame-perfect play of all players.

    Grade: float64; exact with ``backend="exact"``.

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
        The arithmetic. "exact" uses the general solver :func:`cardgames_dp.exact.solve`
        with ``rules.game()``: in Fractions, state by state, for small decks and low
        targets.
    executor : concurrent.futures.Executor, optional
        Where to solve vectors of scores with the same total in parallel, best by
        threads; the result is the same, bit for bit. For float64 only.
    checkpoint : path, optional
        A file to which the table is saved after each total of scores. If the file
        exists, the solver continues from it, on any machine, and the result is the
        same, bit for bit. For float64 only, and the goal "win".

    Returns
    -------
    Solution or game.Solution
        In float64 a `Solution`. With ``backend="exact"`` the
        :class:`cardgames_dp.game.Solution` of the game, with tables of every `State`
        that play can reach; its `value` has the same meaning.

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
    >>> solution
    Solution(payoffs=(0.448757, 0.551243), rules=Rules(players=2, \
deck=((1, 1), (2, 2), (3, 3)), target=5, ...), ties=57)
    >>> exact = pairs.solve(solution.rules, backend="exact")
    >>> exact.value, abs(exact.value - solution.value) < 1e-15
    (Fraction(27261969263, 60750000000), True)

    The mean returns of one round, when both players want few points:

    >>> one_round = pairs.Rules(target=1)
    >>> [round(x, 4) for x in pairs.solve(one_round, goal="points").payoffs]
    [-3.0211, -1.899]

    The chance of having the fewest points of three players, exactly:

    >>> three = pairs.Rules(players=3, deck=3, target=3)
    >>> pairs.solve(three, goal=1, backend="exact").value
    Fraction(1582935157, 7290000000)
    """
    rules = tabled(rules)
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
        return _solved_exactly(rules, returns)
    if returns is not None and checkpoint is not None:
        raise ValueError(
            f"checkpoint is for goal='win', got it with goal={arguments.shown(goal)}"
        )
    sweep = solved(
        rules,
        [optimal(rules.players)],
        executor=executor,
        keep_decisions=True,
        checkpoint=checkpoint,
        returns=in_arrays(returns),
    )
    return solution_of(rules, sweep, goal)


def _solved_exactly(
    rules: Rules, returns: Exactly | None
) -> game.Solution[State, Action, Fraction]:
    states = _most_states(rules)
    what = f"the exact solution of up to {arguments.shown(states)} states"
    instead = "use backend='float64', or a smaller deck or target"
    refuse_too_large(what, states * _STATE_BYTES, instead)
    if returns is None:
        return exact.solve(rules.game(), max_states=states)
    game = explore(rules.game(), max_states=states)
    return exact.solve(game.with_returns(lambda state: returns(state.scores)))


def _most_states(rules: Rules) -> int:
    """Return an upper bound of the number of states.

    A state is a position with scores and a leader, before a decision or a draw; or the
    end of the game, with the loser beyond the target by less than the highest rank.
    """
    n, target, decks = rules.players, rules.target, decks_told_apart(rules)
    going_on: int = 2 * n * target**n * most_positions(rules, decks)
    over: int = n * target ** (n - 1) * rules.ranks[-1] * decks
    return going_on + over


def solved(
    rules: Rules,
    profiles: list[Profile],
    *,
    executor: Executor | None,
    keep_decisions: bool = False,
    checkpoint: object = None,
    returns: Returns | None = None,
) -> Sweep:
    """Return a sweep with the tables of profiles and of their turns filled."""
    executor = executors.checked(executor)
    file = saved = None
    if checkpoint is not None:
        file = checkpoint_of(checkpoint, rules)
        saved = file.load()  # refuses a file of something else before any work
        keep_decisions = False
    sweep = Sweep(Positions(rules), profiles, returns)
    sweep.run(executor, keep_decisions, file, saved)
    return sweep


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
def published(players: SupportsIndex = 2, ranks: SupportsIndex = 10) -> Solution:
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
        advice computes the positions of one round that can follow the given one.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> pairs.published()
    Solution(payoffs=(0.480468, 0.519532), ties=430)
    >>> three = pairs.published(players=3, ranks=8)
    >>> [round(chance, 4) for chance in three.payoffs]
    [0.6446, 0.6676, 0.6878]
    >>> print(three.advice(hand=[1, 5], others=[[2, 3], [4, 8]], scores=[0, 0, 0]))
    fold, winning 0.659125; a hit wins 0.646018.
    """
    asked = arguments.integer("players", players), arguments.integer("ranks", ranks)
    if asked not in SOLVED:
        known = ", ".join(map(str, SOLVED))
        raise ValueError(
            f"players and ranks must be one of {known}, got {arguments.shown(asked)}; "
            "use solve(...) for other games"
        )
    seats, number = asked
    rules = Rules(seats, number)
    sweep = Sweep(Positions(rules), [optimal(seats)])
    data = _FOLDER / f"{seats}_players_{number}_ranks.npz"
    if not data.is_file():
        raise FileNotFoundError(f"{data} is not there; install cardgames_dp again")
    with resources.as_file(data) as file:  # a copy, where the package is in a zip
        state = Checkpoint(file, _parameters(rules)).load()
    assert state is not None
    sweep.restore(state)
    return solution_of(rules, sweep)
