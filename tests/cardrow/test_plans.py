"""Plans against every plan there is, against solvers of any game, and as played."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, cardrow, play
from cardgames_dp.cardrow import Mixed, Rules, State, Turn, best_response

from .opponents import NAMES, TIES, chance_of_left, value

MIXED = Mixed({"larger": 2, "random": 1})
numbers = st.one_of(st.integers(-3, 9), st.fractions(0, 3, max_denominator=3))
rows = st.lists(numbers, min_size=1, max_size=6)
opponents = st.sampled_from([*NAMES, MIXED])
seats = st.sampled_from(["first", "second"])
goals = st.sampled_from(["lead", "win"])
ties = st.sampled_from(TIES)


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


def judged(plan: list[tuple[Any, Any]]) -> tuple[Any, Any, Any, Any]:
    """Return the chances of winning and drawing, the mean lead, and what is sure."""
    return (
        sum(p for p, lead in plan if lead > 0),
        sum(p for p, lead in plan if lead == 0),
        sum(p * lead for p, lead in plan),
        min(lead for _, lead in plan),
    )


@pytest.mark.slow
@given(rows, opponents, seats, goals, st.sampled_from([None, 0, 1, "1/2"]), ties)
def test_no_plan_at_all_is_better(
    cards: Any, opponent: Any, seat: Any, goal: Any, slack: Any, tie: Any
) -> None:
    chance = chance_of_left(opponent, cards, tie)
    first = seat == "first"
    every = map(judged, all_plans(cards, chance, 0, len(cards) - 1, Fraction(0), first))
    worth = value([*map(Fraction, cards)]) * (1 if first else -1)
    sure = [x for x in every if slack is None or x[3] >= worth - Fraction(slack)]
    plan = best_response(
        cards,
        opponent,
        goal=goal,
        slack=slack,
        seat=seat,
        rules=Rules(tie=tie),
        backend="exact",
    )
    if goal == "lead":
        assert plan.lead == plan.value == max(lead for _, _, lead, _ in sure)
        assert (plan.win, plan.draw) in {x[:2] for x in sure if x[2] == plan.lead}
    else:
        assert (plan.win, plan.draw, plan.lead) == max(x[:3] for x in sure)
        assert plan.value == plan.win
    assert plan.win is not None
    assert plan.draw is not None
    assert plan.lose == 1 - plan.win - plan.draw
    rounded = best_response(
        cards, opponent, goal=goal, slack=slack, seat=seat, rules=Rules(tie=tie)
    )
    assert (rounded.win, rounded.lead) == pytest.approx(
        (float(plan.win), float(plan.lead)), abs=1e-9
    )


@given(st.data(), rows, opponents, seats, goals, st.integers(0, 4))
def test_a_guarantee_holds_against_anybody(
    data: Any, cards: Any, opponent: Any, seat: Any, goal: Any, slack: int
) -> None:
    plan = best_response(cards, opponent, goal=goal, slack=slack, seat=seat)
    worth = value([*map(Fraction, cards)]) * (1 if seat == "first" else -1)
    assert plan.guaranteed is not None
    assert plan.guaranteed >= worth - slack
    game = Rules().game(cards)
    state = game.initial_state()
    while state.left <= state.right:
        turn = Turn("left")
        if state.player == plan.seat:
            turn = plan(state)
        elif state.left < state.right:
            turn = Turn(data.draw(st.sampled_from(["left", "right"])))
        state = game.next_state(state, turn)
    lead = state.sums[0] - state.sums[1]
    assert (lead if seat == "first" else -lead) >= plan.guaranteed


@dataclass(frozen=True)
class Goal:
    """A game of cards in a row whose returns are ours alone, by a goal."""

    game: Any
    seat: int
    goal: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def returns(self, state: State) -> list[Any]:
        own = self.game.returns(state)
        mine = own[self.seat]
        best = max(x for j, x in enumerate(own) if j != self.seat)
        if self.goal == "lead":
            return [mine] * len(own)
        # Of more, then a draw, then the lead: none of them makes up for what is before.
        wins = 10**6 * (mine > best) + 10**3 * (mine == best)
        return [wins] * len(own)


def thumb(policy: str, rules: Rules, worths: Any) -> Any:
    """Return a rule of thumb in any rules, written once more from its description."""
    sign = -1 if rules.misere else 1

    def turns(left: int, right: int) -> list[Turn]:
        most = min(rules.take, right - left + 1)
        some = [Turn("left", c) for c in range(1, most + 1)]
        return some + [Turn("right", c) for c in range(1, min(most, right - left) + 1)]

    def taken(turn: Turn, left: int, right: int, player: int) -> tuple[Any, int, int]:
        own = worths[player]
        if turn.side == "left":
            return sum(own[left : left + turn.count]), left + turn.count, right
        return sum(own[right - turn.count + 1 : right + 1]), left, right - turn.count

    def act(state: State) -> Any:
        left, right, player, _ = state
        every = turns(left, right)
        if policy == "random":
            return dict.fromkeys(every, 1)
        scores = []
        for turn in every:
            gain, low, high = taken(turn, left, right, player)
            after = (player + 1) % rules.players
            if policy == "greedy":
                answers = [
                    sign * taken(t, low, high, after)[0] for t in turns(low, high)
                ]
                gain = (
                    sign * gain - max(answers, default=0)
                    if low <= high
                    else sign * gain
                )
            scores.append(-gain if policy == "smaller" else gain)
        best = [t for t, x in zip(every, scores, strict=True) if x == max(scores)]
        legal = cardrow.rules.CardRowGame(rules, worths).legal_actions(state)
        return next(turn for turn in legal if turn in best)

    return act


general = st.builds(
    Rules,
    take=st.integers(1, 3),
    players=st.integers(2, 3),
    misere=st.booleans(),
    tie=ties,
)
thumbs = st.sampled_from(["greedy", "larger", "smaller", "random"])


@given(st.data(), general, goals)
def test_any_rules_against_the_solver_of_any_game(
    data: Any, rules: Rules, goal: Any
) -> None:
    cards = data.draw(st.lists(st.integers(-2, 6), min_size=1, max_size=5))
    if rules.players == 2 and data.draw(st.booleans()):
        weights = st.lists(numbers, min_size=len(cards), max_size=len(cards))
        rules = Rules(rules.take, 2, rules.misere, data.draw(weights), rules.tie)
    seat = data.draw(st.integers(0, rules.players - 1))
    others = [data.draw(thumbs) for _ in range(rules.players - 1)]
    plan = best_response(
        cards,
        others,
        rules=rules,
        goal=goal,
        seat=seat,
        backend="exact",
    )
    game = rules.game(cards)
    players: list[Any] = [None] * rules.players
    for i, policy in enumerate(others):
        players[(seat + 1 + i) % rules.players] = thumb(policy, rules, game.worths)
    aim: Any = Goal(game, seat, goal)
    best = play.best_response(aim, players, seat, backend="exact").value[seat]
    sign = -1 if rules.misere else 1
    told = sign * plan.lead
    if goal == "win":
        assert plan.win is not None
        assert plan.draw is not None
        told = 10**6 * plan.win + 10**3 * plan.draw
    # A draw and a win of a thousandth of the chance weigh the same: none is so small.
    assert told == best
    players[seat] = plan
    assert play.evaluate(aim, players, backend="exact").value[seat] == best
    assert plan.rules == rules


@pytest.mark.slow
def test_a_plan_by_the_classic_rules_wins_what_a_response_does() -> None:
    rows = cardrow.deal(6, 9, rng=1).tolist()
    policies: list[Any] = ["random", "greedy", MIXED]
    for cards, policy in product(rows, policies):
        plan = best_response(cards, policy, goal="lead", backend="exact")
        response = best_response(cards, policy, backend="exact")
        assert plan.lead == response.value
        free = best_response(cards, policy, slack=10**6, backend="exact")
        sure = best_response(cards, policy, slack=0, backend="exact")
        assert sure.lead <= free.lead == plan.lead


@pytest.mark.slow
def test_gifts_may_be_spent() -> None:
    """Sure plans do better than those that keep to optimal turns, after a gift."""
    better = 0
    for cards in cardrow.deal(60, 8, rng=2).tolist():
        table = cardrow.solve(cards, backend="exact")
        plan = best_response(cards, "random", slack=0, backend="exact")

        def kept(left: int, right: int, table: Any = table, cards: Any = cards) -> Any:
            if left > right:
                return Fraction(0)
            worths = []
            for turn in table.advice(left, right).best:
                card = cards[left if turn.side == "left" else right]
                low, high = (
                    (left + 1, right) if turn.side == "left" else (left, right - 1)
                )
                if low > high:
                    worths.append(Fraction(card))
                    continue
                worths.append(
                    card
                    + (kept(low + 1, high) - cards[low]) / Fraction(2)
                    + (kept(low, high - 1) - cards[high]) / Fraction(2)
                )
            return max(worths)

        static = kept(0, 7)
        assert plan.lead >= static
        better += plan.lead > static
    assert better > 2


def test_a_row_on_which_the_three_goals_differ() -> None:
    row = [5, 2, 9, 12, 10, 11, 4, 4]
    lead = best_response(row, "random", goal="lead", backend="exact")
    win = best_response(row, "random", goal="win", backend="exact")
    sure = best_response(row, "random", slack=0, backend="exact")
    assert (lead.lead, lead.win) == (8, Fraction(3, 4))
    assert (win.lead, win.win) == (Fraction(27, 4), 1)
    assert (sure.lead, sure.win, sure.guaranteed) == (5, 1, 3)
    # Leads of this row are odd: a slack of 1 allows no more than none, one of 2 does.
    means: list[tuple[Any, Any]] = [(1, 5), ("3/2", 5), (2, Fraction(27, 4)), (99, 8)]
    for slack, mean in means:
        plan = best_response(row, "random", slack=slack, backend="exact")
        assert plan.lead == mean


def test_copies_and_plain_data() -> None:
    plan = best_response([1, "1/2", 3], "random", goal="win", backend="exact")
    assert pickle.loads(pickle.dumps(plan)) == plan
    content = plan.to_dict(json=True)
    assert json.loads(json.dumps(content)) == content
    assert content["value"] == content["win"]


def test_weights_and_misere_guarantees_are_in_the_cards_unit() -> None:
    rules = Rules(weights=[1, 2, 3, 4], misere=True)
    cards: list[int | str] = [5, 0, "1/2", 7]
    plan = best_response(cards, "random", rules=rules, slack="1/4", backend="exact")
    worth = cardrow.value(cards, rules=rules, backend="exact")
    assert plan.guaranteed is not None
    assert worth <= plan.guaranteed <= worth + Fraction(1, 4)
    assert plan.lead <= plan.guaranteed  # which wants to be small


def refused(error: Any, message: str, *args: Any, **kwargs: Any) -> None:
    with pytest.raises(error, match=message):
        best_response(*args, **kwargs)


def test_refusals() -> None:
    refused(ValueError, "goal must be", [1, 2], "random", goal="draw")
    refused(ValueError, "slack must be", [1, 2], "random", slack=-1)
    refused(TypeError, "rules must be", [1, 2], "random", rules=3)
    three = Rules(players=3)
    refused(ValueError, "slack is for two", [1], "random", rules=three, slack=0)
    refused(ValueError, "one for each of 2 other", [1], ["random"], rules=three)
    refused(ValueError, r"opponent\[1\] must be", [1], ["random", "x"], rules=three)
    refused(ValueError, "seat must be less than", [1], "random", rules=three, seat=3)
    refused(ValueError, "seat must be", [1], "random", rules=three, seat="third")
    two = Rules(take=2)
    refused(ValueError, "'greedy_literal'", [1, 2], "greedy_literal", rules=two)
    refused(
        ValueError,
        "must return a legal turn",
        [1, 2, 3],
        lambda _cards, _left, _right: Turn("left", 3),
        rules=two,
    )
    plan = best_response([1, 2, 3], "random", goal="win")
    refused(TypeError, "got a response that looks at the sums", [1, 2, 3], plan)
    with pytest.raises(TypeError, match="looks at the sums"):
        cardrow.tournament([plan], [[1, 2, 3]])
    with pytest.raises(ValueError, match="state must have player 0 to move"):
        plan(State(1, 2, 1, (1, 0)))
    with pytest.raises(ValueError, match="state must be one that can come up"):
        plan(State(0, 2, 0, (1, 0)))
    with pytest.raises(TypeError, match="state must be a"):
        plan(3)  # type: ignore[arg-type]
    many = [3**k for k in range(60)]
    with pytest.raises(TooLargeError, match="a response for 60 cards with up to"):
        best_response(many, "random", goal="win")
