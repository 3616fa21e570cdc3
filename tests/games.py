"""Games as a user writes them, and random ones: all that tests of any game solve."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardgames_dp.game import CHANCE, TERMINAL


@dataclass
class Table:
    """A game given state by state.

    A row is ("chance", [(weight, state), ...]), ("end", [return, ...]) or
    (player, {action: state, ...}).
    """

    rows: Mapping[Any, tuple[Any, Any]]
    start: Any = 0
    num_players: Any = 1

    def initial_state(self) -> Any:
        return self.start

    def current_player(self, state: Any) -> Any:
        kind = self.rows[state][0]
        return {"chance": CHANCE, "end": TERMINAL}.get(kind, kind)

    def legal_actions(self, state: Any) -> list[Any]:
        return list(self.rows[state][1])

    def next_state(self, state: Any, action: Any) -> Any:
        return self.rows[state][1][action]

    def chance_outcomes(self, state: Any) -> Any:
        return self.rows[state][1]

    def returns(self, state: Any) -> Any:
        return self.rows[state][1]


@dataclass
class RedBlack:
    """Turn cards over while you like: red pays 1, black costs 1."""

    red: int
    black: int
    num_players: int = 1

    def initial_state(self) -> tuple[int, int, str]:
        return self.red, self.black, "decide"

    def current_player(self, state: tuple[int, int, str]) -> int:
        return {"decide": 0, "draw": CHANCE, "stop": TERMINAL}[state[2]]

    def legal_actions(self, state: tuple[int, int, str]) -> list[str]:
        return ["stop", "draw"] if state[0] or state[1] else ["stop"]

    def next_state(
        self, state: tuple[int, int, str], action: str
    ) -> tuple[int, int, str]:
        return state[0], state[1], action

    def chance_outcomes(
        self, state: tuple[int, int, str]
    ) -> list[tuple[int, tuple[int, int, str]]]:
        red, black, _ = state
        return [(red, (red - 1, black, "decide")), (black, (red, black - 1, "decide"))]

    def returns(self, state: tuple[int, int, str]) -> list[int]:
        return [(self.red - state[0]) - (self.black - state[1])]


@dataclass
class Row:
    """Take cards from either end of a row, in turn; the sums are in the states.

    An action is the number of cards, negative from the left. Of two players the lead
    counts, of more the sum.
    """

    cards: Sequence[int]
    num_players: int = 2
    take: int = 1

    def initial_state(self) -> Any:
        return 0, len(self.cards), 0, (0,) * self.num_players

    def current_player(self, state: Any) -> int:
        left, right, player, _ = state
        return int(player) if left < right else TERMINAL

    def legal_actions(self, state: Any) -> list[int]:
        left, right, _, _ = state
        rest = right - left
        codes = [code for k in range(1, self.take + 1) for code in (-k, k)]
        return [code for code in codes if -rest <= code < rest]

    def next_state(self, state: Any, action: int) -> Any:
        left, right, player, taken = state
        low, high = left + max(0, -action), right - max(0, action)
        sums = [*taken]
        sums[player] += sum(self.cards[left:low]) + sum(self.cards[high:right])
        return low, high, (player + 1) % self.num_players, tuple(sums)

    def chance_outcomes(self, state: Any) -> Any:
        raise AssertionError

    def returns(self, state: Any) -> list[int]:
        first, second, *others = state[3]
        if others:
            return [first, second, *others]
        return [first - second, second - first]


class Cards:
    """Red/black for arrays, as the documentation of `ArrayGame` has it."""

    num_players = 1

    def __init__(self, red: int, black: int) -> None:
        self.deck = np.array([red, black])

    def initial_states(self) -> NDArray[Any]:
        return np.array([[*self.deck, 0]])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        red, black, decided = states.T
        over = (decided == 1) | (red + black == 0)
        return np.where(over, TERMINAL, np.where(decided == 2, CHANCE, 0))

    def legal_actions(self, states: NDArray[Any]) -> Any:
        count = len(states)
        return np.repeat(np.arange(count), 2), np.tile([1, 2], count)

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        index, (red, black, _) = np.arange(len(states)), states.T
        after = [states - [1, 0, 2], states - [0, 1, 2]]
        return np.tile(index, 2), np.append(red, black), np.concatenate(after)

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        paid: NDArray[Any] = (self.deck - states[:, :2]) @ [1, -1]
        return paid


class Pig:
    """Roll for points until you hold; a 1 loses the turn's points.

    A state is both scores, the turn's points, who is to move, and what comes next. If
    `idle`, a player may hold at nothing, so that both could hold for ever.
    """

    num_players = 2

    def __init__(self, goal: int, faces: int = 6, idle: bool = True) -> None:
        self.goal, self.faces, self.idle = goal, faces, idle

    def initial_state(self) -> Any:
        return 0, 0, 0, 0, "decide"

    def current_player(self, state: Any) -> int:
        return int({"decide": state[3], "roll": CHANCE, "end": TERMINAL}[state[4]])

    def legal_actions(self, state: Any) -> list[str]:
        return ["hold", "roll"] if state[2] or self.idle else ["roll"]

    def next_state(self, state: Any, action: str) -> Any:
        mine, other, points, mover, _ = state
        if action == "roll":
            return mine, other, points, mover, "roll"
        if mine + points >= self.goal:
            return 0, 0, 0, mover, "end"
        return other, mine + points, 0, 1 - mover, "decide"

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        mine, other, points, mover, _ = state
        outcomes = [(1, (other, mine, 0, 1 - mover, "decide"))]
        for face in range(2, self.faces + 1):
            over = mine + points + face >= self.goal
            after = (0, 0, 0) if over else (mine, other, points + face)
            outcomes.append((1, (*after, mover, "end" if over else "decide")))
        return outcomes

    def returns(self, state: Any) -> list[int]:
        return [1 - state[3], state[3]]


@dataclass
class Paying(Table):
    """A game with rewards: outcomes may be triples, and `paid` is by state and action.

    An action that is not in `paid` pays nothing.
    """

    paid: Mapping[tuple[Any, Any], Any] = field(default_factory=dict)

    def rewards(self, state: Any, action: Any) -> Any:
        return self.paid.get((state, action), (0,) * self.num_players)


def whole(game: Table) -> Any:
    """Return a game with 12 times the numbers paid, which are integers."""
    return paying(game, lambda x: int(12 * x))


def paying(game: Table, change: Callable[[Any], Any]) -> Any:
    """Return a game in which each number paid is changed."""

    def times(numbers: Any) -> Any:
        return tuple(map(change, numbers))

    rows: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, times(row) if kind == "end" else row
        if kind == "chance":
            rows[state] = kind, [(w, s, *map(times, p)) for w, s, *p in row]
    paid = {key: times(numbers) for key, numbers in getattr(game, "paid", {}).items()}
    more = [paid] if isinstance(game, Paying) else []
    return type(game)(rows, game.start, game.num_players, *more)


class Listed:
    """A game that is given state by state, as one for arrays.

    States are 0, 1, ..., each a number, or its digits in base three; actions are the
    places of the named ones.

    Parameters
    ----------
    rows : bool
        Whether states are rows of digits.
    mixed : bool
        Whether what follows a state is not listed state by state.
    kind : type
        That of the numbers that are paid.
    levels : sequence of int, optional
        The level of each state.
    """

    def __init__(
        self,
        table: Table,
        *,
        rows: bool = False,
        mixed: bool = False,
        kind: Any = object,
        levels: Any = None,
    ) -> None:
        self.table, self.rows, self.mixed, self.kind = table, rows, mixed, kind
        self.num_players = table.num_players
        if isinstance(table, Paying):
            self.rewards = self.paid
        if levels is not None:
            self.levels = lambda states: np.array(levels)[self.read(states)]

    def written(self, numbers: Any) -> NDArray[Any]:
        states = np.array(numbers, dtype=np.int64)
        return states[:, np.newaxis] // [9, 3, 1] % 3 if self.rows else states

    def read(self, states: NDArray[Any]) -> list[int]:
        assert states.dtype == np.int64
        numbers: list[int] = (states @ [9, 3, 1] if self.rows else states).tolist()
        return numbers

    def numbers(self, rows: Any) -> NDArray[Any]:
        result = np.array(rows, dtype=self.kind).reshape(len(rows), self.num_players)
        return result[:, 0] if self.num_players == 1 and self.mixed else result

    def initial_states(self) -> NDArray[Any]:
        return self.written([self.table.start])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        players = [self.table.current_player(s) for s in self.read(states)]
        return np.array(players, dtype=np.int64)

    def legal_actions(self, states: NDArray[Any]) -> Any:
        numbers = enumerate(self.read(states))
        pairs = [(i, k) for i, s in numbers for k in range(len(self.table.rows[s][1]))]
        if self.mixed:  # each state's in order, but not state by state
            pairs.sort(key=lambda pair: pair[1])
        index, actions = np.array(pairs).T
        return index, actions

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        pairs = zip(self.read(states), actions.tolist(), strict=True)
        return self.written([list(self.table.rows[s][1].values())[k] for s, k in pairs])

    def paid(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        pairs = zip(self.read(states), actions.tolist(), strict=True)
        given: Any = self.table
        return self.numbers([given.rewards(s, f"{k}") for s, k in pairs])

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        nothing = (0,) * self.num_players
        ranked = [
            (k, (i, w, t, *(paid or [nothing])))
            for i, s in enumerate(self.read(states))
            for k, (w, t, *paid) in enumerate(self.table.rows[s][1])
        ]
        if self.mixed:  # as for actions
            ranked.sort(key=lambda pair: pair[0])
        rows = [row for _, row in ranked]
        index, weights, following, paid = zip(*rows, strict=True)
        # NumPy would make floats of some.
        wide = any(type(w) is int and w >= 2**63 for w in weights)
        heavy = np.array(weights, dtype=object if wide else None)
        given = np.array(index), heavy, self.written(following)
        return given if not any(map(any, paid)) else (*given, self.numbers(paid))

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        return self.numbers([self.table.rows[s][1] for s in self.read(states)])


# Random games
# ------------

SMALL = st.one_of(st.integers(-2, 2), st.fractions(-1, 1, max_denominator=3))
"""Few different numbers, so that ties are frequent."""


HEAVY = st.one_of(st.integers(0, 4), st.sampled_from([10**30, 2**64 - 1]))


@st.composite
def games(
    draw: st.DrawFn,
    /,
    *,
    max_states: int = 12,
    max_moves: int = 4,
    players: int | None = None,
    max_players: int = 4,
    deciders: tuple[int, ...] | None = None,
    total: int | None = None,
    pays: bool = False,
    cycles: bool = False,
    heavy: bool = False,
    decides: bool = False,
    numbers: st.SearchStrategy[Any] = SMALL,
) -> Any:
    """Return a random game, a `Table` or a `Paying` one.

    A state leads to states of higher number, or, with `cycles`, back to a few before
    it, to itself, and to all after it: often a chain of components.

    Parameters
    ----------
    deciders : tuple of int, optional
        Who decides. By default all.
    total : int, optional
        What the returns of two players sum to; rewards sum to nothing.
    heavy : bool
        Whether weights may have many digits.
    decides : bool
        Whether it begins with a decision.
    """
    count = draw(st.integers(1, max_players)) if players is None else players
    count = count if total is None else 2
    size = draw(st.integers(1 + (decides or cycles), max_states))
    back = draw(st.integers(0, size)) if cycles else -1
    weights = HEAVY if heavy else st.integers(0, 4)

    def vector(total: int | None) -> Any:
        result = [draw(numbers) for _ in range(count)]
        return result if total is None else [result[0], total - result[0]]

    rows: dict[Any, tuple[Any, Any]] = {}
    paid: dict[Any, Any] = {}
    for state in range(size):
        following = st.integers(max(state - back, 0), size - 1)
        kinds = ["end"] if state == size - 1 else ["end", "chance", "move", "move"]
        if cycles and state < min(2, size - 1):
            kinds.remove("end")
        if decides and state == 0:
            kinds = ["move"]
        kind = draw(st.sampled_from(kinds))
        if kind == "end":
            rows[state] = "end", vector(total)
        elif kind == "chance":
            drawn = draw(
                st.lists(st.tuples(weights, following), max_size=max_moves - 1)
            )
            drawn.append(draw(st.tuples(st.integers(1, 4), following)))
            if pays and draw(st.booleans()):
                none = None if total is None else 0
                rows[state] = kind, [(*outcome, vector(none)) for outcome in drawn]
            else:
                rows[state] = kind, drawn
        else:
            moves = draw(st.lists(following, min_size=1, max_size=max_moves))
            mover = draw(st.sampled_from(deciders or range(count)))
            rows[state] = mover, {f"{i}": t for i, t in enumerate(moves)}
            for action in range(len(moves)):
                if pays and draw(st.booleans()):
                    none = None if total is None else 0
                    paid[state, f"{action}"] = vector(none)
    if pays:
        return Paying(rows, num_players=count, paid=paid)
    return Table(rows, num_players=count)


@st.composite
def any_games(draw: st.DrawFn, pays: bool | None = None) -> Any:
    """Return a random game of any kind, one that the solvers refuse included."""
    total = draw(st.sampled_from([None, None, 0, 1]))
    cycles = draw(st.booleans())
    kind = games(
        max_states=9 if cycles else 12,
        max_moves=3 if cycles else 4,
        max_players=3,
        deciders=draw(st.sampled_from([None, (0,)])),
        total=total,
        pays=draw(st.booleans()) if pays is None else pays,
        cycles=cycles,
        heavy=draw(st.booleans()),
    )
    return draw(kind)
