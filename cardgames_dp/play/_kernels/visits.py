"""How often plays visit states, in a game without decisions that comes back to them.

The expected numbers of visits x solve ``x = b + x P``, for the probabilities P of moves
and the start b. A sweep forward finds them, with a sparse linear system for each group.
Then, however they were found, let r be the residual ``b + x P - x``. The error of x is
``r N``, for the expected numbers N of visits from each state to each other, and these
are at most those from a state to itself. So the error at a state is at most the sum of
absolute residuals times w, its expected number of visits to itself or a bound of it.

A play reaches a state with the probability that the expected number of visits, divided
by that from the state itself, gives. In Fractions, one elimination of a component gives
both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.explored import Explored, name_states_in_errors
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers, blocks_of
from cardgames_dp._loops.components import (
    Group,
    RefusedError,
    never_left,
    told_round,
    walked_round,
)
from cardgames_dp._loops.elimination import Row, solution
from cardgames_dp._loops.systems import factored
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import TooLargeError, with_progress
from cardgames_dp.play._kernels.chain import Reached, reach, whole

_UNIT = 2.0**-53
_MOST_STATES, _MOST_EXACT = 4000, 200
"""The largest component in which the chance to reach each state is computed."""

_COLUMNS = 64
"""Linear systems that are solved at once."""


class Flow(NamedTuple):
    """How plays of a game move through it, if all players follow policies.

    Attributes
    ----------
    graph : Graph
        The game without decisions, ended where plays would go on for ever: these states
        are terminal, and pay what endless play does.
    parts : ndarray of int, shape (states,)
        The class of states that play never leaves, from 0; -1 elsewhere.
    chances : ndarray of float64 or Fractions, shape (moves,)
        The probabilities of its moves.
    ends : Reached
        The probabilities of terminal states of this graph (and visits of others).
    reached : Reached or TooLargeError
        The probabilities that plays reach each place; an error if these take too long.
    visits : Reached
        The expected numbers of visits.
    """

    graph: Graph
    parts: Integers
    chances: NDArray[Any]
    ends: Reached
    reached: Reached | TooLargeError
    visits: Reached

    def at(self, places: Integers) -> tuple[Reached, Reached]:
        """Return the probabilities that plays reach some places, and their visits."""
        if isinstance(self.reached, TooLargeError):
            raise self.reached
        return self.reached.at(places), self.visits.at(places)


def flow(
    explored: Explored[Any, Any] | ExploredArrays, graph: Graph, backend: Backend
) -> Flow:
    """Return how plays of a game move through it, if all players follow policies.

    The graph is that of the game with these policies.

    Raises
    ------
    GameError
        If a play might never end and the game does not say what it pays, or it pays for
        ever; or if it ends so rarely that float64 cannot tell it.
    TooLargeError
        If too many states come back to each other.
    """
    with name_states_in_errors(explored):
        graph, parts = stopped(graph, explored.start)
    start, chances = explored.start, graph.chances(backend)
    if graph.components is None:
        same = reach(graph, start, chances)
        return Flow(graph, parts, chances, same, same, same)
    refuse_endless(explored, graph, start)
    components = graph.components[reachable(graph, start)]
    largest = int(np.bincount(components + 1)[1:].max(initial=0))
    most = _MOST_EXACT if backend == "exact" else _MOST_STATES
    too_many = TooLargeError(
        f"{largest} states come back to each other, more than {most}, for which the "
        "chance to reach each of them is computed; play.evaluate and play.simulate "
        "take the game"
    )
    if largest > _MOST_STATES:
        raise too_many
    if backend == "exact":
        few = largest <= most
        reached, visits = _exact_flow(graph, start, chances, reaching=few)
    else:
        reached, visits = _float_flow(explored, graph, chances)
    ends = reached or visits
    if (parts >= 0).any():
        passed, visits = _passed(parts, ends, visits)
        reached = reached and passed
    return Flow(graph, parts, chances, ends, reached or too_many, visits)


def _float_flow(
    explored: Explored[Any, Any] | ExploredArrays, graph: Graph, chances: Floats
) -> tuple[Reached, Reached]:
    """Return how plays move, in float64."""
    start = explored.start
    visits, returns, doubts = _swept(graph, start, chances)
    hopeless = np.flatnonzero(~(doubts < returns))
    if hopeless.size:
        with name_states_in_errors(explored):
            message = (
                "how often plays come back to {} is too hard for float64; use "
                "backend='exact'"
            )
            place = int(hopeless[0])
            raise RefusedError([place], lambda x: message.format(arguments.shown(x[0])))
    places, total = np.arange(graph.num_states), _residual(graph, start, visits)
    errors = np.where(visits > 0, total * (returns + doubts), 0.0)
    reached = np.minimum(visits / returns, 1.0)
    wrong = (errors + reached * doubts) / (returns - doubts) * (1 + 8 * _UNIT)
    wrong += reached * (2 * _UNIT)
    return Reached(places, reached, wrong), Reached(places, visits, errors)


def _exact_flow(
    graph: Graph, start: int, chances: NDArray[Any], *, reaching: bool
) -> tuple[Reached | None, Reached]:
    """Return how plays move, in Fractions."""
    components, offsets = graph.components, graph.offsets.tolist()
    following_of, shares = graph.following.tolist(), chances.tolist()
    assert components is not None

    def moves(place: int) -> Iterable[tuple[int, Fraction]]:
        own = slice(offsets[place], offsets[place + 1])
        return zip(following_of[own], shares[own], strict=True)

    visits, ones = (whole(n, graph.num_states, chances.dtype) for n in (0, 1))
    visits[start] += 1
    returns = ones if reaching else None
    alive, steps = reachable(graph, start), list(graph.steps())
    for blocks in with_progress(steps, len(steps), "diagonals"):
        places = np.flatnonzero(alive[_places(blocks)]) + blocks[0].places.start
        parts = components[places]
        if blocks[0].group >= 0:
            for part in np.unique(parts).tolist():
                _solve(moves, places[parts == part].tolist(), visits, returns)
        for place, part in zip(places.tolist(), parts.tolist(), strict=True):
            for following, share in moves(place):
                if part < 0 or components[following] != part:
                    visits[following] += visits[place] * share
    every, nothing = np.arange(graph.num_states), np.zeros(graph.num_states)
    reached = None if returns is None else Reached(every, visits / returns, nothing)
    return reached, Reached(every, visits, nothing)


def _solve(
    moves: Callable[[int], Iterable[tuple[int, Fraction]]],
    places: Sequence[int],
    visits: NDArray[Any],
    returns: NDArray[Any] | None,
) -> None:
    """Solve for the visits of a component, given how plays enter, and for returns.

    The columns are the visits of plays that enter, and of plays from each state. So
    that equations have small integers, visits are counted by the weights of moves.
    """
    starts = range(0 if returns is None else len(places))
    index, rows = {place: s for s, place in enumerate(places)}, list[Row]()
    for place in places:
        total = math.lcm(*[share.denominator for _, share in moves(place)])
        top, bottom = visits[place].as_integer_ratio()
        constants = [top, *[bottom * (len(rows) == s) for s in starts]]
        rows.append(Row(total, {}, (constants, bottom)))
    totals = [row.scale for row in rows]
    for place, s in index.items():
        for following, share in moves(place):
            if following in index:
                after = rows[index[following]].after
                after[s] = after.get(s, 0) + int(share * totals[s])
    vectors = solution(rows, 1 + len(starts))
    assert vectors is not None  # as plays end
    for s, (place, (tops, bottom)) in enumerate(zip(places, vectors, strict=True)):
        visits[place] = Fraction(tops[0] * totals[s], bottom)
        if returns is not None:
            returns[place] = Fraction(tops[s + 1] * totals[s], bottom)


def expected_moves(graph: Graph, start: int) -> float:
    """Return the expected number of moves of a play, which must end."""
    if graph.components is None:
        return float(len(graph.blocks))
    return float(expected_visits(graph, start).sum()) - 1


def expected_visits(graph: Graph, start: int) -> Floats:
    """Return the expected number of visits of each place by plays, which must end."""
    if graph.components is None:
        return reach(graph, start, graph.chances()).chances
    return _swept(graph, start, graph.chances(), returning=False)[0]


def _swept(
    graph: Graph, start: int, chances: Floats, *, returning: bool = True
) -> tuple[Floats, Floats, Floats]:
    """Return visits, visits of each state to itself, and bounds of errors of these.

    If not `returning`, visits of states to themselves are not computed.
    """
    alive = reachable(graph, start)
    visits = np.zeros(graph.num_states)
    visits[start] = 1
    returns, doubts = np.ones(graph.num_states), np.zeros(graph.num_states)
    for blocks in with_progress(graph.steps(), graph.num_steps, "diagonals"):
        if blocks[0].group >= 0 and alive[_places(blocks)].any():
            group = _Chain(graph, blocks, chances, alive)
            places = group.places
            visits[places] = group.visits(visits[places])
            if returning:
                returns[places], doubts[places] = group.returns()
            sources, p = group.leaving
            np.add.at(visits, group.exits, visits[sources] * p)
        elif blocks[0].player == CHANCE and blocks[0].group < 0:
            (block,) = blocks
            ends = graph.offsets[block.places.start : block.places.stop + 1]
            share = np.repeat(visits[block.places], np.diff(ends))
            share *= chances[block.moves]
            np.add.at(visits, graph.following[block.moves], share)
    return np.maximum(visits, 0), returns, doubts


def _places(blocks: tuple[Block, ...]) -> slice:
    return slice(blocks[0].places.start, blocks[-1].places.stop)


def _residual(graph: Graph, start: int, visits: Floats) -> float:
    """Return the sum of what flows into states less what they have, rounded up."""
    sources = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))
    share = graph.chances() * visits[sources]
    flowing = np.bincount(graph.following, share, graph.num_states)
    flowing[start] += 1
    counts = np.bincount(graph.following, minlength=graph.num_states)
    apart = np.abs(flowing - visits) + flowing * ((counts + 5) * _UNIT)
    return float(apart.sum()) * (1 + len(apart) * 2 * _UNIT)


class _Chain:
    """The states of a group that plays can reach, without decisions.

    Attributes
    ----------
    places : ndarray of int
        The places of the states.
    leaving, exits : tuple of two ndarray, and ndarray of int
        The places of the moves that leave the group with their probabilities, and the
        places to which they lead.
    stay : ndarray of float64
        Upper bounds of the expected numbers of moves until the group is left.
    """

    def __init__(
        self,
        graph: Graph,
        blocks: tuple[Block, ...],
        chances: Floats,
        alive: NDArray[np.bool_],
    ) -> None:
        from scipy.sparse import csr_array, eye_array

        group = Group.of(graph, blocks)
        alive = alive[group.places]
        index = np.cumsum(alive) - 1
        self.places: Integers = np.flatnonzero(alive) + group.places.start
        p = np.where(group.own >= 0, chances[np.maximum(group.own, 0)], 1.0)
        usable = alive[group.sources] & (group.weights > 0)
        inner = np.flatnonzero(usable & (group.inside >= 0))
        outer = np.flatnonzero(usable & (group.inside < 0))
        size = len(self.places)
        ends = index[group.sources[inner]], index[group.inside[inner]]
        self._matrix = csr_array((p[inner], ends), shape=(size, size))
        self._factor = factored((eye_array(size) - self._matrix).tocsc())
        self._parts = group.components[alive]
        self.exits = group.following[outer]
        self.leaving = group.sources[outer] + group.places.start, p[outer]
        w = np.maximum(self._factor.solve(np.ones(size)), 1.0)
        most = int(np.diff(group.offsets).max())
        ahead = self._matrix @ w
        least = (w - ahead - ahead * ((most + 6) * 2 * _UNIT)).min()
        self.stay: Floats = w / least if least > 1e-6 else np.full(size, np.inf)

    def visits(self, start: Floats) -> Floats:
        """Return the expected numbers of visits, given how plays enter."""
        x: Floats = self._factor.solve(start, trans="T")
        x += self._factor.solve(start - (x - x @ self._matrix), trans="T")
        return x

    def returns(self) -> tuple[Floats, Floats]:
        """Return the visits of each state to itself, and bounds on their errors."""
        size = len(self.places)
        order = np.argsort(self._parts, kind="stable")
        counts = np.bincount(self._parts)
        ranks = np.empty(size, dtype=np.int64)
        ranks[order] = np.arange(size) - np.repeat(np.cumsum(counts) - counts, counts)
        often, wrong = np.ones(size), np.zeros(size)
        for first in range(0, int(ranks.max()) + 1, _COLUMNS):
            here = np.flatnonzero((ranks >= first) & (ranks < first + _COLUMNS))
            start = np.zeros((size, _COLUMNS))
            start[here, ranks[here] - first] = 1
            x = self._factor.solve(start)
            apart = np.abs(start - (x - self._matrix @ x)).max(axis=0)
            apart += 2e3 * _UNIT * np.abs(x).max(axis=0)
            often[here] = np.maximum(x[here, ranks[here] - first], 1.0)
            wrong[here] = apart[ranks[here] - first] * self.stay[here]
        return often, wrong


def reachable(graph: Graph, start: int) -> NDArray[np.bool_]:
    """Return which places plays can reach from a start, in a game without decisions."""
    ones = np.ones(len(graph.following), dtype=np.int8)
    return _reached((ones, graph.following, graph.offsets), graph.num_states, start)


def _reached(entries: Any, size: int, start: int) -> NDArray[np.bool_]:
    """Return where walks from a start come, by the entries of a sparse matrix."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    matrix = csr_array(entries, shape=(size, size))
    reached = np.zeros(size, dtype=np.bool_)
    reached[breadth_first_order(matrix, start, return_predecessors=False)] = True
    return reached


def _passed(parts: Integers, ends: Reached, visits: Reached) -> tuple[Reached, Reached]:
    """Return how plays move through a game in which some states are never left."""
    ends, inside = Reached(*map(np.copy, ends)), parts >= 0
    of, size = parts[inside], int(parts.max()) + 1
    chances, errors = whole(0, size, ends.chances.dtype), np.zeros(size)
    np.add.at(chances, of, ends.chances[inside])
    np.add.at(errors, of, ends.errors[inside])
    ends.chances[inside] = chances[of]
    ends.errors[inside] = errors[of] * (1 + size * 2 * _UNIT)
    often = visits.chances.copy()
    often[inside & (ends.chances > 0)] = np.inf
    return ends, Reached(visits.places, often, np.where(inside, 0.0, visits.errors))


def stopped(graph: Graph, start: int) -> tuple[Graph, Integers]:
    """Return a game without decisions that ends where plays would go on for ever.

    It is the same if all plays from the start end, or the game does not say what others
    pay. The second value is by place the class of states that plays get to and never
    leave, from 0, or -1.

    Raises
    ------
    RefusedError
        If a game would pay for ever.
    """
    size, counts = graph.num_states, np.diff(graph.offsets)
    if graph.components is None or graph.endless is None:
        return graph, np.full(size, -1)
    sources = np.repeat(np.arange(size), counts)
    parts = np.where(reachable(graph, start), _closed(graph, sources), -1)
    inside = parts >= 0
    if not inside.any():
        return graph, parts
    moves = inside[sources]
    if graph.rewards is not None and graph.rewards.rows[moves].any():
        first = sources[moves & (graph.rewards.rows > 0)][:1]
        raise RefusedError(first.tolist(), _pays_for_ever)
    players = np.where(inside, TERMINAL, graph.players)
    number = np.repeat(
        np.arange(len(graph.blocks)),
        [block.places.stop - block.places.start for block in graph.blocks],
    )
    groups = np.array([block.group for block in graph.blocks])[number]
    starts = np.flatnonzero(
        (np.diff(number, prepend=-1) != 0) | (np.diff(players, prepend=-9) != 0)
    )
    offsets = np.append(0, np.cumsum(np.where(inside, 0, counts)))
    pairs = [Fraction(x).as_integer_ratio() for x in graph.endless]
    ends = [x.astype(object) for x in (graph.numerators, graph.denominators)]
    where = np.cumsum(graph.players == TERMINAL)[inside]
    tops, bottoms = (
        np.insert(x, where, [pair[i] for pair in pairs], axis=0)
        for i, x in enumerate(ends)
    )
    chance = (graph.players == CHANCE)[sources]
    paid = graph.rewards
    ended = replace(
        graph,
        players=players,
        offsets=offsets,
        following=graph.following[~moves],
        weights=graph.weights[~moves[chance]],
        numerators=tops,
        denominators=bottoms,
        blocks=blocks_of(starts, players, offsets, groups[starts]),
        rewards=None if paid is None else replace(paid, rows=paid.rows[~moves]),
    )
    return ended, parts


def _goes_on(cycle: Sequence[Any]) -> str:
    return (
        f"a play may go on for ever, as {told_round(cycle)}, and never leave it; "
        "the rest of play counts it as endless_returns"
    )


def _closed(graph: Graph, sources: Integers) -> Integers:
    """Return by place the class of states that play never leaves, from 0, or -1."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(sources), np.int8), (sources, graph.following)
    matrix = csr_array(ones, shape=(graph.num_states,) * 2)
    number, parts = connected_components(matrix, connection="strong")
    closed = np.ones(number, dtype=np.bool_)
    closed[parts[sources[parts[sources] != parts[graph.following]]]] = False
    closed[parts[np.diff(graph.offsets) == 0]] = False
    classes: Integers = np.where(closed, np.cumsum(closed) - 1, -1)[parts]
    return classes


def _pays_for_ever(states: Sequence[Any]) -> str:
    return (
        "a play that goes on for ever pays without end, by a move from "
        f"{arguments.shown(states[0])}"
    )


def refuse_endless(
    explored: Explored[Any, Any] | ExploredArrays, graph: Graph, start: int | None
) -> None:
    """Refuse policies under which a play from a start might go on for ever.

    The graph is that of the game with these policies. Without a start, it is any state.

    Raises
    ------
    GameError
        If such a play has a positive probability; it names a cycle.
    """
    if graph.components is None:
        return
    # Backward from the end, for which there is one more state.
    size = graph.num_states
    counts = np.diff(graph.offsets)
    sources = np.repeat(np.arange(size), counts)
    over = np.flatnonzero(counts == 0)
    ends = np.append(graph.following, np.full(len(over), size))
    entries = np.ones(len(ends), np.int8), (ends, np.append(sources, over))
    ending = _reached(entries, size + 1, size)
    alive = True if start is None else reachable(graph, start)
    stuck = np.flatnonzero(alive & ~ending[:size])
    if not stuck.size:
        return
    cycle = walked_round(
        int(stuck[0]), lambda place: int(graph.following[graph.offsets[place]])
    )
    with name_states_in_errors(explored):
        raise RefusedError(cycle, never_left if graph.endless is None else _goes_on)
