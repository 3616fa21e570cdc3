"""Games as a user writes them, and random ones, for the tests of both backends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
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


@st.composite
def games(
    draw: st.DrawFn,
    *,
    max_states: int = 12,
    max_players: int = 4,
    max_moves: int = 4,
    decides: bool = False,
) -> Table:
    """Return a random acyclic game: a state leads to states of higher number only.

    If `decides`, it begins with a decision.
    """
    players = draw(st.integers(1, max_players))
    size = draw(st.integers(1 + decides, max_states))
    # Few different returns, so that ties are frequent.
    payoffs = st.lists(
        st.one_of(st.integers(-2, 2), st.fractions(-1, 1, max_denominator=3)),
        min_size=players,
        max_size=players,
    )
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        following = st.integers(state + 1, size - 1)
        kinds = ["end"] if state == size - 1 else ["end", "chance", "move", "move"]
        if decides and state == 0:
            kinds = ["move"]
        kind = draw(st.sampled_from(kinds))
        if kind == "end":
            rows[state] = ("end", draw(payoffs))
        elif kind == "chance":
            outcomes = st.tuples(st.integers(0, 4), following)
            drawn = draw(st.lists(outcomes, max_size=max_moves - 1))
            certain = draw(st.tuples(st.integers(1, 4), following))
            rows[state] = ("chance", [*drawn, certain])
        else:
            moves = draw(st.lists(following, min_size=1, max_size=max_moves))
            mover = draw(st.integers(0, players - 1))
            rows[state] = (mover, {f"{i}": t for i, t in enumerate(moves)})
    return Table(rows, num_players=players)


@dataclass
class Paying(Table):
    """A game with rewards: outcomes may be triples, and `paid` is by state and action.

    An action that is not in `paid` pays nothing.
    """

    paid: Mapping[tuple[Any, Any], Any] = field(default_factory=dict)

    def rewards(self, state: Any, action: Any) -> Any:
        return self.paid.get((state, action), (0,) * self.num_players)


@dataclass
class Carried:
    """A game with rewards as one without: its states carry what was paid so far."""

    game: Any
    num_players: int = field(init=False)

    def __post_init__(self) -> None:
        self.num_players = self.game.num_players

    def initial_state(self) -> Any:
        return self.game.initial_state(), (Fraction(0),) * self.num_players

    def current_player(self, state: Any) -> Any:
        return self.game.current_player(state[0])

    def legal_actions(self, state: Any) -> Any:
        return self.game.legal_actions(state[0])

    def next_state(self, state: Any, action: Any) -> Any:
        paid = added(state[1], self.game.rewards(state[0], action))
        return self.game.next_state(state[0], action), paid

    def chance_outcomes(self, state: Any) -> Any:
        for weight, following, *paid in self.game.chance_outcomes(state[0]):
            yield weight, (following, added(state[1], *paid))

    def returns(self, state: Any) -> Any:
        return added(state[1], self.game.returns(state[0]))


def added(*paid: Any) -> tuple[Fraction, ...]:
    """Return the sums of what is paid to each player, floats as they are."""
    return tuple(
        [sum(map(Fraction, each), Fraction(0)) for each in zip(*paid, strict=True)]
    )


@st.composite
def paying(
    draw: st.DrawFn, /, *, sums: int | None = None, floats: bool = False, **limits: Any
) -> Paying:
    """Return a random acyclic game with rewards of actions and outcomes.

    If `sums` is given, there are two players whose returns have this sum, and whose
    rewards sum to zero. If `floats`, some numbers may be floats.
    """
    game = draw(games(**{**limits, **({} if sums is None else {"max_players": 2})}))
    players = game.num_players if sums is None else 2
    numbers = st.one_of(
        st.just(0), st.integers(-2, 2), st.fractions(-1, 1, max_denominator=4)
    )
    if floats:
        numbers |= st.sampled_from([0.1, 0.2, -0.3, 0.5, 1e-9])

    def vector() -> Any:
        if sums is None:
            return draw(st.tuples(*[numbers] * players))
        first = draw(numbers)
        return first, -first

    rows: dict[Any, tuple[Any, Any]] = {}
    paid = {}
    for state, (kind, row) in game.rows.items():
        if kind == "chance":
            pairs = draw(st.booleans())
            rows[state] = kind, [w if pairs else (*w, vector()) for w in row]
        elif kind == "end":
            first, second = vector() if sums is not None else (0, 0)
            end = row if sums is None else (first, sums + second)
            rows[state] = (
                kind,
                draw(st.sampled_from([end, vector()])) if floats else end,
            )
        else:
            rows[state] = kind, row
            for action in row:
                if draw(st.booleans()):
                    paid[state, action] = vector()
    return Paying(rows, num_players=players, paid=paid)
