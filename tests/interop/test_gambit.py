"""Games that go to Gambit, held against what it finds there."""

from fractions import Fraction
from typing import Any

import pygambit
import pytest
from hypothesis import assume, example, given

from cardgames_dp import cardrow, exact, explored, interop, redblack
from cardgames_dp.game import CHANCE, TERMINAL, Game

from ..written import RedBlack, Table, games

ODD_NAMES = Table(
    {
        0: (0, {'say "x"': 1, "say 'x'": 2, "a\\": 1, "  b \n c": 2, "é→": 1, "": 2}),
        1: (1, {1: 3, "1": 4}),
        2: ("chance", [(1, 3), (0, 1), (2, 4), (3, 3)]),
        3: ("end", [Fraction(1, 3), Fraction(-7, 2)]),
        4: ("end", [2, 10**30]),
    },
    num_players=2,
)


def at_random(game: Game[Any, Any]) -> tuple[Fraction, ...]:
    """Return what each player gets if everybody plays any action, all as likely."""
    state = game.initial_state()

    def value(state: Any) -> tuple[Fraction, ...]:
        player = game.current_player(state)
        if player == TERMINAL:
            return tuple(map(Fraction, game.returns(state)))
        outcomes = list(game.chance_outcomes(state)) if player == CHANCE else []
        for action in game.legal_actions(state) if player >= 0 else ():
            outcomes.append((1, game.next_state(state, action)))
        total = sum(weight for weight, _ in outcomes)
        columns = zip(*[value(after) for _, after in outcomes], strict=True)
        weights = [weight for weight, _ in outcomes]
        return tuple(
            sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0))
            / total
            for column in columns
        )

    return value(state)


def payoffs(profile: Any) -> tuple[Fraction, ...]:
    return tuple(
        Fraction(str(profile.payoffs[player])) for player in profile.game.players
    )


@given(game=games(max_states=8, max_players=3, decides=True))
@example(game=ODD_NAMES)
def test_gambit_reads_the_same_tree(game: Table) -> None:
    """Chances, payoffs and moves: all of them matter when everybody plays at random."""
    there = interop.to_gambit(game)
    uniform = there.mixed_behavior_profile(rational=True)
    assert payoffs(uniform) == at_random(game)


@given(game=games(max_states=6, max_players=3, max_moves=2, decides=True))
def test_subgame_perfect_play_is_among_gambits_equilibria(game: Table) -> None:
    found = explored.explore(game)
    assume((found.which >= 0).sum() <= 4)
    result = pygambit.nash.enumpure_solve(interop.to_gambit(game))
    assert exact.solve(game).value in {payoffs(one) for one in result.equilibria}


@pytest.mark.parametrize(
    "game",
    [
        cardrow.Rules().game([3, 1, 2, 5]),
        cardrow.Rules(take=2).game([4, 1, 3]),
        redblack.Rules().game(2, 1),
        RedBlack(1, 2),
    ],
    ids=lambda game: type(game).__name__,
)
def test_the_value_is_gambits(game: Any) -> None:
    """Of a lone player, or two with opposed interests, that of all equilibria."""
    result = pygambit.nash.enumpure_solve(interop.to_gambit(game, title="A game"))
    assert result.equilibria
    assert {payoffs(one) for one in result.equilibria} == {exact.solve(game).value}
    assert result.game.title == "A game"
