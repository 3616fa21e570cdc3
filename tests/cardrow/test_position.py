"""A game in progress: on any line of play it knows what a solver finds anew."""

import dataclasses
import pickle
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from cardgames_dp import cardrow, exact
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow.position import Position

from . import oracles

SIDES = ("left", "right")


@st.composite
def games(draw: st.DrawFn, longest: int = 12) -> tuple[list[Any], Rules]:
    cards = draw(oracles.lists(longest))
    weights = st.lists(oracles.small, min_size=len(cards), max_size=len(cards))
    rules = Rules(
        misere=draw(st.booleans()),
        weights=draw(st.none() | weights),
        tie=draw(st.sampled_from(["larger", "left", "right"])),
    )
    return cards, rules


class Player(RuleBasedStateMachine):
    """Takes, undoes and asks at random; the oracle and the table know the answers."""

    @initialize(game=games())
    def deal(self, game: tuple[list[Any], Rules]) -> None:
        cards, rules = game
        self.position = Position(cards, rules=rules)
        self.table = cardrow.solve(cards, rules=rules, backend="exact")
        self.game = rules.game(cards)
        self.oracle = exact.solve(self.game)
        self.states = [self.game.initial_state()]
        self.turns: list[Turn] = []

    @precondition(lambda self: self.position)
    @rule(side=st.sampled_from(SIDES))
    def take(self, side: Any) -> None:
        state = self.states[-1]
        at = state.left if side == "left" else state.right
        before, self.position = self.position, self.position.play(side)
        taken = self.position.sums[state.player] - before.sums[state.player]
        assert taken == self.game.worths[state.player][at]
        assert before.state == state
        assert before.play(Turn(side)) == self.position != before
        self.turns.append(Turn(side))
        self.states.append(self.game.next_state(state, Turn(side)))

    @precondition(lambda self: self.turns)
    @rule()
    def undo(self) -> None:
        self.states.pop()
        self.turns.pop()
        self.position = self.position.undo()

    @rule()
    def ask(self) -> None:
        position, state = self.position, self.states[-1]
        assert position.state == state
        assert (position.left, position.right, position.player) == state[:3]
        assert position.sums == state.sums
        assert position.history == tuple(self.turns)
        assert len(position) == state.right - state.left + 1
        so_far = state.sums[0] - state.sums[1]
        sign = 1 if state.player == 0 else -1
        # The oracle takes the last card from the left only.
        returns = self.oracle.values[state] if position else self.game.returns(state)
        lead = -returns[0] if position.rules.misere else returns[0]
        assert position.lead == lead
        assert position.value == sign * (lead - so_far)
        if position:
            advice = self.table.advice(state.left, state.right, player=state.player)
            assert position.advice() == advice
            assert set(advice.best) == set(self.oracle.optimal_actions[state])
            assert advice.action == self.oracle.policy[state]
            assert position.advice().value == position.value
        else:
            assert position.value == 0
        assert position.over == (not position)


Player.TestCase.settings = settings(stateful_step_count=20)
TestPlayer = Player.TestCase


ROWS: dict[str, Callable[[random.Random], list[int]]] = {
    "of 1 to 13": lambda rng: [rng.randint(1, 13) for _ in range(150)],
    "large": lambda rng: [rng.randint(-(10**30), 10**30) for _ in range(150)],
    "rising": lambda rng: list(range(150)),
    "falling": lambda rng: list(range(150, 0, -1)),
    "a peak": lambda rng: [*range(75), *range(75, 0, -1)],
    "a valley": lambda rng: [*range(75, 0, -1), *range(75)],
    "constant": lambda rng: [7] * 150,
    "zigzag": lambda rng: [1, 5] * 75,
}


@pytest.mark.parametrize("kind", ROWS)
def test_long_games(kind: str) -> None:
    """On and back across the middles of the row, where other blocks are needed."""
    rng = random.Random(1)
    cards = ROWS[kind](rng)
    table = cardrow.solve(cards, backend="exact")
    position = Position(cards)
    drift = [0.3, 0.5, 0.7][len(kind) % 3]
    while position:
        left, right = position.left, position.right
        assert position.value == collapse.value(cards[left : right + 1])
        assert position.advice() == table.advice(left, right)
        position = position.play("left" if rng.random() < drift else "right")
        while len(position) < 150 and rng.random() < 0.45:
            position = position.undo()
    assert sum(position.sums) == sum(cards)


@pytest.mark.parametrize("misere", [False, True])
def test_optimal_moves_keep_the_lead(misere: bool) -> None:
    rng = random.Random(2)
    cards = [rng.randint(-9, 9) for _ in range(60)]
    rules = Rules(misere=misere, weights=[rng.randint(-9, 9) for _ in cards])
    position = Position(cards, rules=rules)
    lead = cardrow.value(cards, rules=rules, backend="exact")
    while position:
        assert position.lead == lead
        position = position.play(position.advice().action)
    assert position.sums[0] - position.sums[1] == lead


def test_single_card() -> None:
    position = Position([Fraction(1, 2)])
    advice = position.advice()
    assert advice.best == (Turn("left"),)
    assert advice.values == {Turn("left"): Fraction(1, 2)}
    position = position.play("right")
    assert position.sums == (Fraction(1, 2), 0)
    assert (position.left, position.right, len(position)) == (0, -1, 0)
    assert not position
    assert position.value == 0
    assert position.lead == Fraction(1, 2)


def test_ties_are_exact() -> None:
    """Both ends of a peak are as good, which float arithmetic would not say."""
    assert 0.1 - (0.8 - 0.7) != 0.7 - (0.8 - 0.1)
    assert Position([0.1, 0.8, 0.7]).advice().tie
    assert Position([Decimal("0.4"), Decimal("0.7"), Decimal("0.2")]).advice().tie
    assert Position([2.0**60, 1, 2**60 + 1]).advice().best == (Turn("right"),)


def test_ints_stay_ints() -> None:
    position = Position([10**40, 1, 3])
    assert type(position.value) is type(position.play("left").sums[0]) is int
    assert all(type(x) is int for x in position.advice().values.values())


def test_rows_of_many_blocks_need_no_recursion() -> None:
    position = Position(range(20_000))
    assert position.value == 10_000
    position = position.play("right")
    assert position.advice().action == Turn("right")
    while position:
        position = position.play("left")
    assert pickle.loads(pickle.dumps(position)) == position
    assert len(position.history) == 20_000


def test_representation() -> None:
    position = Position([3, 1, 2]).play("left")
    assert repr(position) == ("Position(left=1, right=2, player=1, sums=(3, 0))")
    position = position.play("left").play("left")
    assert repr(position) == ("Position(left=3, right=2, player=1, sums=(5, 1))")


@pytest.mark.parametrize(
    "rules",
    [
        Rules(take=2),
        Rules(players=3),
        Rules(take=3, misere=True),
        Rules(take=2, tie="left"),
    ],
)
@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_other_rules_are_played_along_a_table(rules: Rules, backend: Any) -> None:
    cards = [4, 1, 3, 3, 0, 5, 2]
    table = cardrow.solve(cards, rules=rules, backend=backend)
    for start in (Position(table), Position(cards, rules=rules)):
        position = start
        assert position.value == table.value
        turns = []
        while position:
            left, right, player, _ = position.state
            advice = table.advice(left, right, player=player)
            assert position.advice() == advice
            if rules.players == 2:
                assert position.lead == table.value
                assert position.value == advice.value
            turns.append(advice.action)
            position = position.play(advice.action)
        assert tuple(turns) == table.play().turns
        assert position.sums == table.play().sums
        assert position.value == 0


def test_a_solution_by_the_classic_rules_is_played_along() -> None:
    rules = Rules(weights=[3, 1, 2], misere=True)
    exact, floats = (
        Position(cardrow.solve([1, 2, 4], rules=rules, backend=backend))
        for backend in ("exact", "float64")
    )
    alone = Position([1, 2, 4], rules=rules)
    assert floats.advice() == exact.advice() == alone.advice()
    assert exact.play("left").value == alone.play("left").value
    with pytest.raises(ValueError, match="rules must be those of the solution"):
        Position(cardrow.solve([1, 2]), rules=Rules(take=2))


def test_bad_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"cards must hold at least one card"):
        Position([])
    with pytest.raises(ValueError, match=r"cards\[1\] must be a finite"):
        Position([1, float("nan")])
    with pytest.raises(TypeError, match=r"cards must be an iterable of numbers"):
        Position(b"12")
    with pytest.raises(TypeError, match=r"rules must be cardrow\.Rules or None"):
        Position([1], rules="misere")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"rules\.weights must hold one number"):
        Position([1, 2], rules=Rules(weights=[1]))


def test_bad_turns_are_refused_and_change_nothing() -> None:
    position = Position([1, 2])
    with pytest.raises(ValueError, match=r"has just begun: there is no move to undo"):
        position.undo()
    with pytest.raises(
        ValueError, match=r"side must be one of 'left', 'right', got 'up'"
    ):
        position.play("up")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"side must be one of 'left', 'right', got -1"):
        position.play(-1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="action must be one of the legal turns, of"):
        position.play(Turn("left", 3))
    assert (len(position), position.history) == (2, ())
    position = position.play("left").play("left")
    with pytest.raises(ValueError, match=r"no card is left to take from the right"):
        position.play("right")
    with pytest.raises(ValueError, match=r"no card is left.* no turn to advise"):
        position.advice()
    assert position.undo().sums == (1, 0)
    with pytest.raises(dataclasses.FrozenInstanceError, match="Position is frozen"):
        position.state = position.undo().state  # type: ignore[misc]
