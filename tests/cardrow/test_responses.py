"""Best responses, guarantees and laws, against solvers of any game and every plan."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from cardgames_dp import cardrow, diagonal, play
from cardgames_dp.cardrow import Rules, State, Turn, best_response, values
from cardgames_dp.game import explore

from . import oracles
from .oracles import CLASSIC, brute_force, games, player, rows_of, seats, ties

goals = st.sampled_from(["lead", "win"])


@dataclass(frozen=True)
class Goal:
    """A game of cards in a row whose returns are one seat's alone, by a goal."""

    game: Any
    seat: int
    goal: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def returns(self, state: State) -> list[Any]:
        own = self.game.returns(state)
        mine = own[self.seat]
        best = max(x for j, x in enumerate(own) if j != self.seat)
        if self.goal != "win":
            return [mine] * len(own)
        # Of more, then a draw, then the lead: none of them makes up for what is before.
        return [10**6 * (mine > best) + 10**3 * (mine == best)] * len(own)


@given(st.data(), games(5), goals)
def test_plans_are_those_of_any_game(data: Any, game: Any, goal: Any) -> None:
    cards, rules = game
    responds(data, cards, rules, goal)


@given(st.data(), rows_of(6), ties)
def test_responses_are_those_of_any_game(data: Any, cards: Any, tie: Any) -> None:
    responds(data, cards, Rules(tie=tie), None)


def responds(data: Any, cards: Any, rules: Rules, goal: Any) -> None:
    """Hold the best response of some seat to drawn policies against any game's."""
    seat = data.draw(st.integers(0, rules.players - 1))
    policies = data.draw(oracles.seated(rules))
    order = [(seat + i) % rules.players for i in range(1, rules.players)]
    opponents = [policies[i] for i in order]
    how: Any = {"rules": rules, "goal": goal, "seat": seat}
    how["opponent"] = opponents if rules.players > 2 else opponents[0]
    plan: Any = best_response(cards, backend="exact", **how)
    aim: Any = Goal(rules.game(cards), seat, goal)
    others = [player(policy, rules, cards) for policy in policies]
    others[seat] = None  # type: ignore[call-overload]
    oracle = play.best_response(aim, others, seat, backend="exact")
    sign = -1 if rules.misere else 1
    told: Any = sign * plan.lead
    if goal == "win":
        told = 10**6 * plan.win + 10**3 * plan.draw
    assert told == oracle.payoffs[seat]
    attained = play.evaluate(aim, [*others[:seat], plan, *others[seat + 1 :]])
    assert attained.payoffs[seat] == pytest.approx(float(told), rel=1e-12, abs=1e-9)
    if plan.best is not None:
        ours = np.zeros_like(plan.best, bool)
        for state in oracle.policy:
            best = oracle.solution.optimal_actions[state]
            assert plan(state) in best
            assert abs(plan.best[state.left, state.right]) == 1 + (len(best) > 1)
            ours[state.left, state.right] = True
            if len(best) > 1:
                larger = "left" if cards[state.left] > cards[state.right] else "right"
                side = larger if rules.tie == "larger" else rules.tie
                assert plan(state).side == side
        assert (ours <= (plan.best != 0)).all()
        taken_before = len(cards) - 1 - np.subtract.outer(*[-np.arange(len(cards))] * 2)
        can_be = np.triu(taken_before % 2 == seat)
        assert ((plan.best != 0) == can_be).all()
    policies[seat] = plan
    law = cardrow.distribution(cards, *policies, rules=rules, backend="exact")
    if seat == 0 and plan.win is not None:
        assert sum(p for x, p in law.to_dict().items() if sign * x > 0) == plan.win
        assert law.to_dict().get(0, 0) == plan.draw
    if rules.players == 2:
        assert law.mean == (plan.lead if seat == 0 else -plan.lead)
    rounded = best_response(cards, **how)
    assert float(rounded.lead) == pytest.approx(float(plan.lead), abs=1e-9)
    if plan.win is not None:
        assert rounded.win == pytest.approx(float(plan.win), abs=1e-9)
    assert pickle.loads(pickle.dumps(plan)) == plan


def all_plans(
    cards: Any, chance: Any, left: int, right: int, lead: Any, ours: bool
) -> Iterator[list[tuple[Any, Any]]]:
    """Yield every plan: for each line of the opponent's turns, its chance and lead."""
    if left > right:
        yield [(Fraction(1), lead)]
        return
    sides = [(left + 1, right, cards[left]), (left, right - 1, cards[right])]
    if ours:
        for low, high, card in sides:
            yield from all_plans(cards, chance, low, high, lead + card, False)
        return
    if left == right:
        yield from all_plans(cards, chance, left + 1, right, lead - cards[left], True)
        return
    p = chance(left, right)
    lines = [
        [*all_plans(cards, chance, low, high, lead - card, True)]
        for low, high, card in sides
    ]
    for one, other in product(*lines):
        yield [(p * x, y) for x, y in one] + [((1 - p) * x, y) for x, y in other]


@given(
    rows_of(5), st.sampled_from(CLASSIC), seats, goals,
    st.sampled_from([None, 0, 1, "1/2", 99]), ties,
)  # fmt: skip
@example([1, 5, 2, 0, 4], "random", "second", "win", None, "larger")  # or no draws
def test_no_plan_at_all_is_better(
    cards: Any, opponent: Any, seat: Any, goal: Any, slack: Any, tie: Any
) -> None:
    """Of those that keep to the slack; of equal ones by the goal, any."""
    rules, first = Rules(tie=tie), seat == "first"
    answer = player(opponent, rules, cards)

    def chance(left: int, right: int) -> Fraction:
        weights = answer(State(left, right, int(first), (0, 0)))
        return Fraction(weights.get(Turn("left"), 0)) / sum(weights.values())

    judged = [
        (
            sum(p for p, lead in plan if lead > 0),
            sum(p for p, lead in plan if lead == 0),
            sum(p * lead for p, lead in plan),
            min(lead for _, lead in plan),
        )
        for plan in all_plans(cards, chance, 0, len(cards) - 1, Fraction(0), first)
    ]
    worth = brute_force(cards) * (1 if first else -1)
    sure = [x for x in judged if slack is None or x[3] >= worth - Fraction(slack)]
    how: Any = {"goal": goal, "slack": slack, "seat": seat, "rules": rules}
    plan = best_response(cards, opponent, backend="exact", **how)
    best = max(sure) if goal == "win" else max(sure, key=lambda each: each[2])
    assert plan.lead == best[2]
    if goal == "win":
        assert (plan.win, plan.draw) == best[:2]
    elif plan.win is not None:
        assert (plan.win, plan.draw) in {x[:2] for x in sure if x[2] == plan.lead}
    rounded = best_response(cards, opponent, **how)
    assert rounded.lead == pytest.approx(float(plan.lead), abs=1e-9)


@given(st.data(), games(6, players=2), st.integers(0, 1), goals, st.integers(0, 4))
def test_guarantees_hold_against_anybody(
    data: Any, game: Any, seat: int, goal: Any, slack: int
) -> None:
    """A response's, an optimal player's and a table's, on any line of play."""
    cards, rules = game
    sign = -1 if rules.misere else 1
    worth = sign * cardrow.value(cards, rules=rules, backend="exact")
    worth = -worth if seat else worth
    plan = best_response(
        *(cards, "random"), goal=goal, slack=slack, seat=seat, rules=rules
    )
    assert plan.guaranteed is not None
    sure = sign * plan.guaranteed
    assert sure >= worth - slack
    state = rules.game(cards).initial_state()
    while state.left <= state.right:
        legal = rules.game(cards).legal_actions(state)
        turn = (
            plan(state) if state.player == seat else data.draw(st.sampled_from(legal))
        )
        state = rules.game(cards).next_state(state, turn)
    lead = sign * (state.sums[0] - state.sums[1])
    assert (-lead if seat else lead) >= sure

    def anybody(_cards: Any, left: int, right: int) -> Turn:
        most = min(rules.take, right - left)
        count = data.draw(st.integers(1, most))
        return Turn(data.draw(st.sampled_from(["left", "right"])), count)

    for ours in ("optimal", cardrow.solve(cards, rules=rules, backend="exact")):
        both: list[Any] = [anybody, ours] if seat else [ours, anybody]
        lead = sign * cardrow.match(cards, *both, rules=rules).lead
        assert (-lead if seat else lead) >= worth


@given(
    st.lists(rows_of(7), min_size=1, max_size=3), st.sampled_from(CLASSIC), seats, ties
)
def test_what_is_sure_is_what_the_best_reply_leaves(
    several: Any, policy: Any, seat: Any, tie: Any
) -> None:
    rules = Rules(tie=tie)
    other: Any = "second" if seat == "first" else "first"
    found = values(several, policy, seat=seat, rules=rules, backend="exact")
    for cards, sure in zip(several, found.tolist(), strict=True):
        how: Any = {"seat": other, "rules": rules, "backend": "exact"}
        assert -sure == best_response(cards, policy, **how).value
        worth = brute_force(cards) * (1 if seat == "first" else -1)
        assert sure == worth if policy == "optimal" else sure <= worth
    rounded = values(several, policy, seat=seat, rules=rules)
    assert rounded.dtype == np.float64
    assert rounded == pytest.approx(found.astype(float), abs=1e-12)
    assert not np.signbit(values([[0, 0]], policy, seat=seat)).any()


def test_greed_has_no_limit_but_zero() -> None:
    for k in (3, 4, 10):
        row = [0, 1, *[1, 0] * (k - 1)]
        for tie, cards in [("right", row), ("larger", row), ("left", row[::-1])]:
            rules = Rules(tie=tie)  # type: ignore[arg-type]
            (sure,) = values([cards], "greedy", rules=rules, backend="exact")
            assert (k + sure, k + cardrow.value(cards)) == (2, 2 * (k - 1))
    for m in (2, 3, 10, 1000):
        row = [1, 1, 2 * m - 1, m]
        (sure,) = values([row], "greedy", backend="exact")
        share = Fraction(sum(row) + sure, sum(row) + int(cardrow.value(row)))
        assert share == Fraction(m + 1, 2 * m)


@pytest.mark.parametrize(
    "opponent", CLASSIC, ids=lambda p: getattr(p, "__name__", f"{p}")
)
def test_backends_agree_on_long_rows(opponent: Any) -> None:
    tenths = [Fraction(x, 10) for x in np.random.default_rng(5).integers(-20, 99, 80)]
    for seat in (0, 1):
        precise = best_response(tenths, opponent, seat=seat, backend="exact")
        rounded = best_response(tenths, opponent, seat=seat)
        difference = Fraction(precise.value) - Fraction(rounded.value)
        assert abs(difference) < 8 * 2**-53 * 10 * 80**2
        assert np.array_equal(precise.best, rounded.best)  # type: ignore[arg-type]


def test_numbers_of_any_size() -> None:
    row = [3 * 10**25, 10**25, -7, 10**25 + 1, 2]
    seated: list[Any] = [(0, [None, oracles.third]), (1, ["larger", None])]
    for seat, policies in seated:
        players = [p and player(p, Rules(), row) for p in policies]
        oracle = play.best_response(Rules().game(row), players, seat, backend="exact")
        found = best_response(row, policies[1 - seat], seat=seat, backend="exact")
        assert found.value == oracle.payoffs[seat]
    nothing = best_response([1] * 151, "random", backend="exact")
    assert (nothing.value, nothing.value.denominator) == (1, 1)
    assert best_response([0] * 150, "random", backend="exact").value == 0


def test_response_to_a_response() -> None:
    row = [4, 1, 7, 7, 2, 9, 3]
    sister = best_response(row, "greedy", seat="second", backend="exact")
    ours = best_response(row, sister, backend="exact")
    game = cardrow.match(row, ours, sister)
    assert game.lead == ours.value >= cardrow.value(row)
    assert ours.opponents == ("response to greedy",)


def test_any_game_plays_a_response_in_arrays() -> None:
    row = cardrow.deal(1, 16, rng=1)[0]
    response = best_response(row, "random", goal="win", backend="exact")
    plan: Any = response.plan

    def either(states: Any) -> Any:
        index, turns = plan.explored.game.legal_actions(states)
        return index, turns, np.ones(len(index), np.int64)

    game = explore(Rules().arrays(row))
    assert diagonal.solve(game).value == cardrow.value(row)
    found = play.distribution(game, [plan.policy, either], backend="exact")
    assert found.returns[0].mean == response.lead
    assert 1 - found.returns[0].cdf(0) == response.win
