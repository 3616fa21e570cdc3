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

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import Rules, State, best_response, values
from cardgames_dp.cardrow._kernels.row import Instance
from cardgames_dp.cardrow._kernels.sums import RowSums
from cardgames_dp.cardrow.cards import parse_row
from cardgames_dp.game import explore

from ..refusals import type_error
from . import oracles
from .oracles import CLASSIC, Slow, brute_force, games, player, rows_of, seats, ties

goals = st.sampled_from(["lead", "win"])


@dataclass(frozen=True)
class Goal:
    """A game of cards in a row whose returns are one seat's alone, by a goal."""

    game: Any
    seat: int
    goal: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def returns(self, state: oracles.Sums) -> list[Any]:
        own = self.game.returns(state)
        mine = own[self.seat]
        best = max(x for j, x in enumerate(own) if j != self.seat)
        if self.goal != "win":
            return [mine] * len(own)
        # Of more, then a draw, then the lead: none of them makes up for what is before.
        return [10**6 * (mine > best) + 10**3 * (mine == best)] * len(own)


@given(st.data(), games(5))
def test_plans_are_those_of_any_game(data: Any, game: Any) -> None:
    """A seat's chance of winning against drawn policies, by any rules."""
    cards, rules = game
    seat = data.draw(st.integers(0, rules.players - 1))
    policies = data.draw(oracles.seated(rules))
    order = [(seat + i) % rules.players for i in range(1, rules.players)]
    opponents = [policies[i] for i in order]
    how: Any = {"rules": rules, "goal": "win", "seat": seat}
    how["opponent"] = opponents if rules.players > 2 else opponents[0]
    plan: Any = best_response(cards, backend="exact", **how)
    aim: Any = Goal(Slow(cards, rules), seat, "win")
    others: list[Any] = [player(policy, rules, cards) for policy in policies]
    others[seat] = None
    oracle = play.best_response(aim, others, seat, backend="exact")
    assert 10**6 * plan.win + 10**3 * plan.draw == oracle.payoffs[seat]
    law = plan.leads.to_dict()
    sign = -1 if rules.misere else 1
    assert sum(law.values()) == 1
    assert sum(p for x, p in law.items() if sign * x > 0) == plan.win
    assert law.get(0, 0) == plan.draw
    if rules.players == 2:
        assert plan.leads.mean == plan.lead
    rounded = best_response(cards, **how)
    assert float(rounded.lead) == pytest.approx(float(plan.lead), abs=1e-9)
    assert rounded.win == pytest.approx(float(plan.win), abs=1e-9)
    assert pickle.loads(pickle.dumps(plan)) == plan


@given(st.data(), games(6, players=2) | games(4), st.booleans())
def test_responses_by_the_cards_left_are_those_of_the_slow_game(
    data: Any, game: Any, words: bool
) -> None:
    """By words, which go by the row's own way, and by functions, which do not."""
    cards, rules = game
    seat = data.draw(st.integers(0, rules.players - 1))
    policies = data.draw(oracles.seated(rules))
    slow: list[Any] = [player(policy, rules, cards) for policy in policies]
    given: list[Any] = policies if words else list(slow)
    aim = Goal(Slow(cards, rules), seat, "lead")
    before = play.evaluate(Slow(cards, rules), slow, backend="exact").payoffs
    slow[seat] = None
    oracle = play.best_response(aim, slow, seat, backend="exact")
    row = cardrow.game(cards, rules=rules)
    response: Any = play.best_response(row, given, seat, backend="exact")
    assert response.payoffs[seat] == oracle.payoffs[seat]
    assert response.before == before
    general: Any = play.best_response(explore(row), given, seat, backend="exact")
    assert response.payoffs == general.payoffs
    for state in general.policy:
        assert response.policy[state] == general.policy[state]
        best = general.solution.optimal_actions[state]
        assert response.solution.optimal_actions[state] == best
        assert response.solution.values[state] == general.solution.values[state]
    rounded: Any = play.best_response(row, given, seat)
    for x, y in zip(rounded.payoffs, response.payoffs, strict=True):
        assert abs(Fraction(x) - y) <= Fraction(rounded.solution.error)
    usual = play.evaluate(row, given, backend="exact")
    assert usual.payoffs == before
    floats = play.evaluate(row, given)
    for x, y in zip(floats.payoffs, before, strict=True):
        assert abs(Fraction(x) - y) <= Fraction(floats.error)


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
        weights = answer(State(left, right, int(first)))
        return Fraction(weights.get("left", 0)) / sum(weights.values())

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
    goal = "win" if slack is None else goal
    how: Any = {"goal": goal, "slack": slack, "seat": seat, "rules": rules}
    plan = best_response(cards, opponent, backend="exact", **how)
    best = max(sure) if goal == "win" else max(sure, key=lambda each: each[2])
    assert plan.lead == best[2]
    equal = {best[:2]} if goal == "win" else {x[:2] for x in sure if x[2] == best[2]}
    assert (plan.win, plan.draw) in equal
    rounded = best_response(cards, opponent, **how)
    assert rounded.lead == pytest.approx(float(plan.lead), abs=1e-9)


@given(st.data(), games(6, players=2), st.integers(0, 1), goals, st.integers(0, 4))
def test_guarantees_hold_against_anybody(
    data: Any, game: Any, seat: int, goal: Any, slack: int
) -> None:
    """A response's, an optimal player's and a solution's, on any line of play."""
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

    def anybody(state: State) -> str:
        turns = oracles.turns_of(state.left, state.right, rules.take)
        turn: str = data.draw(st.sampled_from(turns))
        return turn

    solution = cardrow.solve(cards, rules=rules, backend="exact")
    for ours, least in ((plan, sure), ("optimal", worth), (solution, worth)):
        both: list[Any] = [anybody, ours] if seat else [ours, anybody]
        lead = sign * cardrow.match(cards, *both, rules=rules).lead
        assert (-lead if seat else lead) >= least


@given(
    st.lists(rows_of(7), min_size=1, max_size=3), st.sampled_from(CLASSIC), seats, ties
)
def test_what_is_sure_is_what_the_best_reply_leaves(
    several: Any, policy: Any, seat: Any, tie: Any
) -> None:
    rules = Rules(tie=tie)
    other = int(seat == "first")
    of_row = (lambda cards: policy) if callable(policy) else policy
    result = values(several, of_row, seat=seat, rules=rules, backend="exact")
    for cards, sure in zip(several, result.tolist(), strict=True):
        policies: Any = [policy, None] if other else [None, policy]
        row = cardrow.game(cards, rules=rules)
        response = play.best_response(row, policies, other, backend="exact")
        assert -sure == response.payoffs[other]
        worth = brute_force(cards) * (1 if seat == "first" else -1)
        assert sure == worth if policy == "optimal" else sure <= worth
    rounded = values(several, of_row, seat=seat, rules=rules)
    assert rounded.dtype == np.float64
    assert rounded == pytest.approx(result.astype(float), abs=1e-12)
    assert not np.signbit(values([[0, 0]], of_row, seat=seat)).any()


def test_response_to_a_response() -> None:
    row = [4, 1, 7, 7, 2, 9, 3]
    game = cardrow.game(row)
    sister = play.best_response(game, ["greedy", None], 1, backend="exact")
    ours = play.best_response(game, [None, sister], 0, backend="exact")
    match = cardrow.match(row, ours, sister)
    assert match.lead == ours.value >= cardrow.value(row)
    plan = best_response(row, sister)
    assert plan.opponents == ("response",)
    assert cardrow.match(row, plan, sister).lead > 0 or plan.win == 0


def test_large_numbers_take_more_words() -> None:
    row = parse_row("row", [3 * 10**25, 10**25, -7, 10**25 + 1, 2])
    game = RowSums(Instance.of(Rules(), row))
    result: Any = explore(game)
    states = result.states_at(np.arange(result.num_states))
    left, right, seat, *words = states.T
    assert len(words) == 2
    assert (game.rows(left, right, seat, game.tallies(states)) == states).all()


TINY = Fraction(1, 2**1074)


def test_chances_are_those_of_the_exact_leads() -> None:
    """Which floats may not tell: tiny ones are 0, and near ones are equal."""
    rows: list[Any] = [[Fraction(1, 10**400), 0], [TINY / 3, 0, 0, 0]]
    for cards in rows:
        response = best_response(cards, "random")
        assert (response.win, response.draw) == (1, 0)
        assert best_response(cards, "random", backend="exact").win == 1
    near = best_response([1, Fraction(1, 2**60), Fraction(1, 2**61), 0], "random")
    assert near.leads.to_dict() == {1.0: 1.0}


def test_the_tie_rule_of_large_cards() -> None:
    """Integers beyond an int64 beside negative ones are not floats to NumPy."""
    cards = [2**63 + 1, 2**63 + 2, 2**63 + 1, -2, 2**63]
    plan = best_response(cards, "larger", slack=2**70, backend="exact")
    response = play.best_response(
        cardrow.game(cards), [None, "larger"], 0, backend="exact"
    )
    turn = cardrow.match(cards, plan, "larger").turns[0]
    assert turn == response.policy[State(0, 4)] == "left"


@pytest.mark.parametrize("share", [Fraction(49, 100), Fraction(2, 5), 1])
def test_errors_among_the_smallest_floats(share: Any) -> None:
    row = cardrow.game([TINY * share] * 30 + [0] * 30)
    policies: list[Any] = ["larger", "smaller"]
    rounded = play.evaluate(row, policies)
    exactly = play.evaluate(row, policies, backend="exact").value
    assert abs(Fraction(rounded.value) - exactly) <= Fraction(rounded.error)


def test_float_weights_are_not_exact() -> None:
    halves = play.mixture({"larger": 0.5, "random": 0.5})
    for policy in (halves, lambda state: {"left": 0.5, "right": 0.5}):
        assert best_response([1, 5, 2], policy).win < 1
        type_error("exact", best_response, [1, 5, 2], policy, backend="exact")
    assert values([[1, 5, 2]], halves).shape == (1,)
    type_error("exact", values, [[1, 5, 2]], halves, backend="exact")


def test_a_list_of_policies_may_change_later() -> None:
    game = cardrow.game([1, 2, 2, 6, 3, 5])
    policies: list[Any] = [None, "smaller"]
    response = play.best_response(game, policies, 0)
    policies[:] = [response, "larger"]
    played = play.evaluate(explore(game), [response.policy, "smaller"])
    assert played.value == response.value == 9
    assert play.distribution(game, policies).returns[0].mean <= response.value


@pytest.mark.parametrize("opponent", ["greedy", oracles.BLEND], ids=str)
def test_ties_of_responses_in_float64(opponent: Any) -> None:
    """What is optimal is found optimal, and errors are bounds."""
    tenths = [Fraction(x, 10) for x in np.random.default_rng(5).integers(-20, 99, 80)]
    precise, rounded = (
        play.best_response(cardrow.game(tenths), [None, opponent], 0, backend=backend)
        for backend in ("exact", "float64")
    )
    error = abs(Fraction(precise.value) - Fraction(rounded.value))
    assert error <= rounded.solution.error
    explored = precise.solution.explored
    states = explored.states_at(np.flatnonzero(explored.graph.players == 0))
    best, may_be = (x.solution.advice(states)[3] for x in (precise, rounded))
    assert (best <= may_be).all()
