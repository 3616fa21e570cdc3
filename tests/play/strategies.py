"""Random policies of random games."""

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ..written import Table, games
from .oracles import Behaviour, decisions

WEIGHTS = st.one_of(
    st.integers(0, 4),
    st.fractions(0, 2, max_denominator=7),
    st.just(10**30),
)


class Case(NamedTuple):
    """A game, what its players do, and the same as an argument of the library."""

    game: Table
    behaviour: Behaviour
    policies: list[Any]


@st.composite
def cases(draw: st.DrawFn, /, **limits: Any) -> Case:
    """Return a random game with a random policy for each player, of any form."""
    game = draw(games(**limits))
    behaviour: dict[Any, dict[str, Fraction]] = {}
    policies: list[Any] = []
    for player in range(game.num_players):
        done: dict[Any, Any] = {}
        for state in decisions(game, player):
            actions = list(game.rows[state][1])
            if draw(st.booleans()):
                done[state] = draw(st.sampled_from(actions))
                behaviour[state] = {done[state]: Fraction(1)}
            else:
                weights = [draw(WEIGHTS) for _ in actions]
                weights[draw(st.integers(0, len(actions) - 1))] += 1
                done[state] = dict(zip(actions, weights, strict=True))
                total = Fraction(sum(weights))
                behaviour[state] = {a: w / total for a, w in done[state].items()}
        policies.append(done if draw(st.booleans()) else done.__getitem__)
    return Case(game, behaviour, policies)
