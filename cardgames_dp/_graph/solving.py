"""What both backends do: check the tie rule, sweep a game, and keep its solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, name_states_in_errors
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._results.records import Action, State
from cardgames_dp._support import arguments
from cardgames_dp._support.running import with_progress

TieBreak: TypeAlias = (
    Literal["first", "last", "uniform"] | Callable[[State, tuple[Action, ...]], Action]
)
"""Which of several optimal actions is taken: the first, the last, any of them by equal
chances, or what a function of the state and of these actions returns."""

Word: TypeAlias = Literal["first", "last", "uniform"]

WORDS: tuple[Word, ...] = ("first", "last", "uniform")

Pick: TypeAlias = Word | Callable[[int, list[int]], int]
"""A tie rule for sweeps: takes a place and its optimal actions, 0, 1, ..."""


def check_tie_break(tie_break: Any) -> Any:
    """Return the argument `tie_break`, checked."""
    if callable(tie_break):
        return tie_break
    also = "a callable of a state and its optimal actions"
    return arguments.choice("tie_break", tie_break, WORDS, also)


def tie_rule(tie_break: Any, explored: Explored[Any, Any] | ExploredArrays) -> Pick:
    """Return a tie rule in terms of places."""
    if not callable(tie_break):
        return tie_break  # type: ignore[no-any-return]

    def choose(place: int, among: list[int]) -> int:
        state, actions = explored.state(place), explored.actions_at(place)
        optimal = tuple([actions[k] for k in among])
        action = arguments.call("tie_break", tie_break, state, optimal)
        if action not in optimal:
            raise ValueError(
                f"tie_break must return one of the optimal actions "
                f"{arguments.shown(optimal)} at state {arguments.shown(state)}, got "
                f"{arguments.shown(action)}"
            )
        return among[optimal.index(action)]

    return choose


class SolvedValues(NamedTuple):
    """What a sweep finds: fields of a solution, which describes them.

    The errors are bounds for all players, by place; None for exact values.
    """

    numerators: NDArray[Any]
    denominators: NDArray[Any] | None
    optimal: NDArray[np.bool_]
    chosen: Integers
    errors: Floats | None


class Sweep(Protocol):
    """The values and decisions of the states solved so far, in either arithmetic.

    Attributes
    ----------
    open : list of int
        The places where rounding leaves open which actions are optimal.
    turned : list of int
        The places where the tie rule's action would make play endless.
    """

    open: list[int]
    turned: list[int]

    def step(self, blocks: tuple[Block, ...]) -> None:
        """Solve the states of a block, or of all blocks of a group."""

    def result(self) -> SolvedValues:
        """Return values and decisions, once all steps are taken."""
        ...


def solve_by_sweep(
    explored: Explored[Any, Any] | ExploredArrays,
    tie_break: Any,
    sweep_of: Callable[[Graph, Pick], Sweep],
) -> Solution[Any, Any, Any]:
    """Return the solution of a game.

    Parameters
    ----------
    explored : Explored or ExploredArrays
        The game.
    tie_break : {"first", "last", "uniform"} or callable
        The tie rule, checked.
    sweep_of : callable
        Returns the sweep of a backend.
    """
    graph = explored.graph
    sweep = sweep_of(graph, tie_rule(tie_break, explored))
    steps = graph.steps(backward=True)
    with name_states_in_errors(explored):
        for step in with_progress(steps, graph.num_steps, "diagonals"):
            sweep.step(step)
    ties = [np.array(sorted(places), np.int64) for places in (sweep.open, sweep.turned)]
    arrays = sweep.result()
    return Solution(ValueArrays(explored, rule_name(tie_break), *arrays, *ties))


def rule_name(tie_break: Any) -> str:
    """Return the word of a tie rule, or the name of a callable."""
    if not callable(tie_break):
        return str(tie_break)
    name = arguments.function_name(tie_break)
    return name + "()" * (name in WORDS)  # a function of the name is not the word
