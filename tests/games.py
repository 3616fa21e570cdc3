"""Random games in which plays come back to a state."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from .written import Paying, Table

SMALL = st.one_of(st.integers(-2, 2), st.fractions(-1, 1, max_denominator=3))
"""Few different numbers, so that ties are frequent."""

NEAR = st.sampled_from(
    [Fraction(k) + e * Fraction(1, 10**20) for k in (0, 1) for e in (-1, 0, 1)]
)
"""Numbers that differ by less than floats can tell."""

WEIGHTS = st.one_of(st.integers(0, 3), st.sampled_from([10**30, 2**64 - 1]))


@st.composite
def cyclic_games(
    draw: st.DrawFn,
    *,
    deciders: tuple[int, ...] = (0,),
    num_players: int = 1,
    opposed: bool = False,
    max_states: int = 7,
    max_moves: int = 3,
) -> Table:
    """Return a random game, most of which come back to states.

    A state leads back to a few states before it, to itself, and to all after it: often
    a chain of components.

    Parameters
    ----------
    deciders : tuple of int
        Who decides.
    opposed : bool
        Whether the returns of two players sum to zero.
    """
    size = draw(st.integers(2, max_states))
    back = draw(st.integers(0, size))
    numbers = draw(st.sampled_from([SMALL, SMALL, NEAR]))
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        following = st.integers(max(state - back, 0), size - 1)
        kinds = ["end"] if state == size - 1 else ["end", "chance", "chance", *deciders]
        if state < 2 and state < size - 1:
            kinds.remove("end")
        kind = draw(st.sampled_from([*kinds, *deciders] if len(kinds) > 1 else kinds))
        if kind == "end":
            returns = [draw(numbers) for _ in range(num_players)]
            rows[state] = ("end", [returns[0], -returns[0]] if opposed else returns)
        elif kind == "chance":
            outcomes = st.tuples(WEIGHTS, following)
            drawn = draw(st.lists(outcomes, max_size=max_moves - 1))
            certain = draw(st.tuples(st.integers(1, 4), following))
            rows[state] = ("chance", [*drawn, certain])
        else:
            moves = draw(st.lists(following, min_size=1, max_size=max_moves))
            rows[state] = (kind, {f"{i}": t for i, t in enumerate(moves)})
    return Table(rows, num_players=num_players)


@st.composite
def paying_cycles(
    draw: st.DrawFn, /, *, opposed: bool = False, **limits: Any
) -> Paying:
    """Return a random game with cycles in which moves pay."""
    game = draw(cyclic_games(opposed=opposed, **limits))
    numbers = st.one_of(st.just(0), st.just(0), SMALL, st.integers(-3, -1))

    def vector() -> Any:
        found = [draw(numbers) for _ in range(game.num_players)]
        return [found[0], -found[0]] if opposed else found

    rows: dict[Any, tuple[Any, Any]] = {}
    paid: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, row
        if kind == "chance" and draw(st.booleans()):
            rows[state] = kind, [(*outcome, vector()) for outcome in row]
        elif kind not in ("chance", "end"):
            paid |= {(state, action): vector() for action in row}
    return Paying(rows, num_players=game.num_players, paid=paid)
