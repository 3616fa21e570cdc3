"""Games that go to Gambit, held against what it finds there."""

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit
import pytest
from hypothesis import assume, example, given

from cardgames_dp import cardrow, exact, interop, redblack
from cardgames_dp.game import CHANCE, TERMINAL, explore

from ..games import Paying, RedBlack, Table, games

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


def to_gambit(game: Any, title: str = "") -> Any:
    return pygambit.read_efg(io.StringIO(interop.to_efg(game, title=title)))


def at_random(game: Any) -> tuple[Fraction, ...]:
    """Return what each player gets if everybody plays any action, all as likely."""

    def value(state: Any) -> list[Fraction]:
        player, nothing = game.current_player(state), (0,) * game.num_players
        if player == TERMINAL:
            return [*map(Fraction, game.returns(state))]
        paid = getattr(game, "rewards", lambda *_: nothing)
        outcomes: list[Any] = [
            (1, game.next_state(state, action), paid(state, action))
            for action in ([] if player == CHANCE else game.legal_actions(state))
        ] or [
            (weight, after, *(more or [nothing]))
            for weight, after, *more in game.chance_outcomes(state)
        ]
        total = sum(weight for weight, *_ in outcomes)
        rows = [
            [
                Fraction(weight * (x + Fraction(y)), total)
                for x, y in zip(value(t), p, strict=True)
            ]
            for weight, t, p in outcomes
        ]
        return [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]

    return tuple(value(game.initial_state()))


@given(game=games(pays=True, max_states=8, max_players=3, decides=True))
def test_rewards_are_paid_at_the_end_of_the_tree(game: Paying) -> None:
    there = to_gambit(game)
    assert payoffs(there.mixed_behavior_profile(rational=True)) == at_random(game)
    again = interop.from_efg(there.to_efg())
    assert again.graph.rewards is None
    assert exact.solve(again).payoffs == exact.solve(game).payoffs


def payoffs(profile: Any) -> tuple[Fraction, ...]:
    return tuple(
        Fraction(str(profile.payoffs[player])) for player in profile.game.players
    )


@given(game=games(max_states=8, max_players=3, decides=True))
@example(game=ODD_NAMES)
def test_gambit_reads_the_same_tree(game: Table) -> None:
    """Chances, payoffs and moves: all of them matter when everybody plays at random."""
    there = to_gambit(game)
    uniform = there.mixed_behavior_profile(rational=True)
    assert payoffs(uniform) == at_random(game)


@given(game=games(max_states=6, max_players=3, max_moves=2, decides=True))
def test_subgame_perfect_play_is_among_gambits_equilibria(game: Table) -> None:
    explored = explore(game)
    assume((explored.action_index >= 0).sum() <= 4)
    result = pygambit.nash.enumpure_solve(to_gambit(game))
    assert exact.solve(game).payoffs in {payoffs(one) for one in result.equilibria}


@pytest.mark.parametrize(
    "game",
    [
        explore(cardrow.game([3, 1, 2, 5])),
        cardrow.game([4, 1, 3], rules=cardrow.Rules(take=2)),
        redblack.game(2, 1),
        RedBlack(1, 2),
    ],
    ids=lambda game: type(game).__name__,
)
def test_the_value_is_gambits(game: Any) -> None:
    """Of a lone player, or two with opposed interests, that of all equilibria."""
    result = pygambit.nash.enumpure_solve(to_gambit(game, title="A game"))
    assert result.equilibria
    assert {payoffs(one) for one in result.equilibria} == {exact.solve(game).payoffs}
    assert result.game.title == "A game"


ON_THE_WAY = """EFG 2 R "Paid on the way" { "Ann" "Bob" } "A comment"
c "" 1 "" { "rain" 0.2 "sun" 4/5 } 1 "both" { .5 -0.5 }
  p "" 1 1 "in" { "stay" "leave" } 2 "fee" { -1/3, 1 }
    p "" 2 1 "out" { "yes" "no" } 0
      t "" 3 "" { 3 1 }
      t "" 1
    c "" 2 "" { "rain" 1/3 "sun" 2/3 } 0
      t "" 2
      t "" 3
  p "" 2 2 "warm" { "share" "keep" } 3
    t "" 0
    t "" 1
"""
"""Outcomes of inner nodes, some of them met again, as a move of chance is."""


def test_payoffs_on_the_way_add_up_as_in_gambit() -> None:
    """If everybody plays at random, and in the equilibrium that is found here."""
    there = pygambit.read_efg(io.StringIO(ON_THE_WAY))
    game = interop.from_efg(there.to_efg())
    assert game == interop.from_efg(ON_THE_WAY)
    assert payoffs(there.mixed_behavior_profile(rational=True)) == at_random(game)
    solution = exact.solve(game)
    profile = there.mixed_behavior_profile(played(there, game, solution), rational=True)
    assert payoffs(profile) == solution.payoffs
    assert profile.max_regret() == profile.agent_max_regret() == 0
    assert solution.payoffs not in {(0, 0), at_random(game)}


def played(there: Any, game: Any, solution: Any) -> list[list[list[int]]]:
    """Return a policy as the probabilities that Gambit wants."""
    sets = [there.get_infosets(player) for player in there.players]
    paths = [[tuple(history.actions) for history in each] for each in sets]
    return [
        [[int(a == solution.policy[p]) for a in game.legal_actions(p)] for p in each]
        for each in paths
    ]


@given(game=games(max_states=8, max_players=3))
def test_what_comes_back_is_the_same_game(game: Table) -> None:
    assume(any(kind not in ("chance", "end") for kind, _ in game.rows.values()))
    there = interop.from_efg(to_gambit(game, title="Again").to_efg())
    assert exact.solve(there).payoffs == exact.solve(game).payoffs
    assert at_random(there) == at_random(game)


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_read_over(code: str, tmp_path: Path) -> None:
    text = 'EFG 2 R "Größe" { "Ann" }\nt "" 1 "" { 3 }\n'
    (tmp_path / "game.efg").write_text(text, encoding=code)
    for source in (tmp_path / "game.efg", "\ufeff" + text, "\ufeff" + text.rstrip()):
        assert exact.solve(interop.from_efg(source)).value == 3


@pytest.mark.parametrize("number", ["9" * 5000, "1/" + "9" * 5000, "1e99999"])
def test_numbers_of_many_digits_are_refused(number: str) -> None:
    with pytest.raises(ValueError, match="at most 4300 digits in line 2, got"):
        interop.from_efg(f'EFG 2 R "" {{ "Ann" }}\nt "" 1 "" {{ {number} }}')


@pytest.mark.parametrize("number", ["\u0663", "1_0", "1/0", "nan", "0x1"])
def test_what_is_no_number(number: str) -> None:
    with pytest.raises(ValueError, match="in line 2, got"):
        interop.from_efg(f'EFG 2 R "" {{ "Ann" }}\nt "" 1 "" {{ {number} }}')
