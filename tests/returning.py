"""Random games that come back to states, and their solution by trying all policies."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import strategies as st

from cardgames_dp.game import CHANCE, TERMINAL
from tests.written import Table

Values = dict[Any, tuple[Fraction, ...]]
Rows = dict[Any, tuple[Any, Any]]


@dataclass
class Pig:
    """Roll a die and add up, or hold; a one loses the turn. One may hold at nothing.

    A state has the points of the mover, of the other, those of this turn, who moves,
    and what comes next.
    """

    goal: int
    num_players: int = 2

    def initial_state(self) -> Any:
        return 0, 0, 0, 0, "turn"

    def current_player(self, state: Any) -> int:
        mover: int = state[3]
        return {"turn": mover, "roll": CHANCE, "won": TERMINAL}[state[4]]

    def legal_actions(self, state: Any) -> list[str]:
        return ["hold", "roll"]

    def next_state(self, state: Any, action: str) -> Any:
        own, other, turn, mover, _ = state
        if action == "roll":
            return *state[:4], "roll"
        if own + turn >= self.goal:
            return 0, 0, 0, mover, "won"
        return other, own + turn, 0, 1 - mover, "turn"

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        own, other, turn, mover, _ = state
        rolled = [turn + points for points in range(2, 7)]
        won = 0, 0, 0, mover, "won"
        after = [(own, other, k, mover, "turn") for k in rolled]
        after = [won if own + s[2] >= self.goal else s for s in after]
        return [(1, s) for s in ((other, own, 0, 1 - mover, "turn"), *after)]

    def returns(self, state: Any) -> list[int]:
        return [1 - state[3], state[3]]


@st.composite
def returning(
    draw: st.DrawFn,
    *,
    max_states: int = 6,
    players: int | None = None,
    heavy: bool = False,
) -> Table:
    """Return a random game in which plays can come back to states.

    With two players its sum is constant. Weights have many digits if `heavy`.
    """
    count = draw(st.integers(1, 2)) if players is None else players
    size = draw(st.integers(1, max_states))
    anywhere = st.one_of(
        st.integers(0, size - 1), st.sampled_from(["lost", "even", "won"])
    )
    weights = st.one_of(st.integers(1, 3), st.just(0))
    if heavy:
        weights = st.one_of(st.integers(10**17, 10**18), st.just(0))
    rows: Rows = {}
    for state in range(size):
        kind = draw(st.sampled_from(["chance", *range(count)]))
        if kind == "chance":
            outcomes = draw(st.lists(st.tuples(weights, anywhere), max_size=3))
            rows[state] = (
                "chance",
                [*outcomes, (10**17 if heavy else 1, draw(anywhere))],
            )
        else:
            moves = draw(st.lists(anywhere, min_size=1, max_size=3))
            rows[state] = (kind, {f"{i}": t for i, t in enumerate(moves)})
    for name, worth in (("lost", 0), ("even", Fraction(1, 3)), ("won", 1)):
        rows[name] = ("end", [worth, 1 - worth][:count])
    return Table(rows, num_players=count)


def brute(game: Table) -> tuple[Values, dict[Any, set[Any]]] | None:
    """Return exact values and optimal actions, or None if play need not end.

    Actions count as optimal if their value for the mover is that of the state. Values
    of others follow the first of them. It is independent of the library: strong
    components by reachability, all policies tried, linear systems in Fractions.
    """
    rows = dict(game.rows)
    reach = _reachable(rows)
    values: Values = {}
    best: dict[Any, set[Any]] = {}
    left = reach[game.start] | {game.start}
    while left:
        # A state all of whose successors are solved, or in its component.
        for state in left:
            part = {s for s in reach[state] if state in reach[s]} | {state}
            if all(t in values or t in part for s in part for t in _after(rows[s])):
                break
        found = _component(rows, part, values, game.num_players)
        if found is None:
            return None
        values |= found
        for state in part:
            who, moves = rows[state]
            if isinstance(who, int):
                worth = {a: values[t][who] for a, t in moves.items()}
                best[state] = {a for a, x in worth.items() if x == values[state][who]}
        left -= part
    return values, best


def _after(row: tuple[Any, Any]) -> list[Any]:
    kind, moves = row
    if kind == "end":
        return []
    if kind == "chance":
        return [t for w, t in moves if w]
    return list(moves.values())


def _reachable(rows: Rows) -> dict[Any, set[Any]]:
    reach = {s: set(_after(row)) for s, row in rows.items()}
    for middle in rows:
        for s in rows:
            if middle in reach[s]:
                reach[s] |= reach[middle]
    return reach


def _policies(rows: Rows, part: set[Any], player: int) -> Iterator[dict[Any, Any]]:
    own = [s for s in part if rows[s][0] == player]
    for chosen in product(*[rows[s][1] for s in own]):
        yield dict(zip(own, chosen, strict=True))


def _component(
    rows: Rows, part: set[Any], values: Values, players: int
) -> Values | None:
    deciders = {rows[s][0] for s in part if len(_after(rows[s])) > 1} - {"chance"}
    if any(rows[s][0] == "end" for s in part):
        (state,) = part
        return {state: tuple(map(Fraction, rows[state][1]))}
    mine = list(_policies(rows, part, 0))
    theirs = list(_policies(rows, part, 1)) if players > 1 else [{}]
    table = [[_chain(rows, part, s | t, values) for t in theirs] for s in mine]
    ends = [[each is not None for each in row] for row in table]
    if deciders == {0, 1}:
        sure = [row for row, ok in zip(table, ends, strict=True) if all(ok)]
        sure_too = [t for t in range(len(theirs)) if all(row[t] for row in ends)]
        if not sure or not sure_too:
            return None
        found: Values = {}
        for s in part:
            first = [[each[s][0] for each in row if each] for row in sure]
            other = [
                [each[s][0] for row in table if (each := row[t])] for t in sure_too
            ]
            low, high = max(map(min, first)), min(map(max, other))
            if low < high:  # whoever ends the play loses by that
                return None
            assert low == high
            found[s] = (low, 1 - low)
        return found
    every = [each for row in table for each in row if each is not None]
    if not every:
        return None
    lead = next(iter(deciders), 0)
    return {s: max((each[s] for each in every), key=lambda v: v[lead]) for s in part}


def _chain(
    rows: Rows, part: set[Any], policy: dict[Any, Any], values: Values
) -> Values | None:
    """Return the values of a policy in a component, or None if play need not end."""
    states = sorted(part, key=str)
    index = {s: i for i, s in enumerate(states)}
    matrix = []
    players = len(next(iter(values.values()), (0,)))
    for s in states:
        kind, moves = rows[s]
        outcomes = moves if kind == "chance" else [(1, moves[policy[s]])]
        total = sum(w for w, _ in outcomes)
        row = [Fraction(0)] * (len(states) + players)
        row[index[s]] += 1
        for w, t in outcomes:
            if t in index:
                row[index[t]] -= Fraction(w, total)
            elif w:
                for i, x in enumerate(values[t]):
                    row[len(states) + i] += Fraction(w, total) * x
        matrix.append(row)
    if not eliminated(matrix):
        return None  # some policies never end
    return {s: tuple(matrix[i][len(states) :]) for s, i in index.items()}


def eliminated(matrix: list[list[Fraction]]) -> bool:
    """Solve a linear system in place, right sides last; return whether it can be."""
    for k in range(len(matrix)):
        pivot = next((i for i in range(k, len(matrix)) if matrix[i][k]), None)
        if pivot is None:
            return False
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        matrix[k] = [x / matrix[k][k] for x in matrix[k]]
        for i in range(len(matrix)):
            if i != k and matrix[i][k]:
                factor = matrix[i][k]
                pairs = zip(matrix[i], matrix[k], strict=True)
                matrix[i] = [x - factor * y for x, y in pairs]
    return True


def visits(game: Table, policy: Any) -> dict[Any, Fraction] | None:
    """Return the expected visits of all states that plays reach, if they end."""
    shares: dict[Any, dict[Any, Fraction]] = {}
    ahead = [game.start]
    while ahead:
        state = ahead.pop()
        kind, moves = game.rows[state]
        outcomes = [] if kind == "end" else moves
        if isinstance(kind, int):
            outcomes = [(1, moves[policy[state]])]
        total = sum(w for w, _ in outcomes)
        shares[state] = {}
        for w, t in outcomes:
            if w:
                shares[state][t] = shares[state].get(t, 0) + Fraction(w, total)
        ahead += [t for t in shares[state] if t not in shares and t not in ahead]
    states = list(shares)
    matrix = [
        [(s == t) - shares[t].get(s, Fraction(0)) for t in states]
        + [Fraction(s == game.start)]
        for s in states
    ]
    if not eliminated(matrix):
        return None
    return {s: row[-1] for s, row in zip(states, matrix, strict=True)}
