"""What the shipped games compute for themselves, held against played games."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, diagonal, exact, pairs, play, redblack
from cardgames_dp.game import explore

# Red/black.


@pytest.mark.parametrize(
    ("deck", "rules"),
    [
        ((6, 5), redblack.Rules()),
        ((3, 7), redblack.Rules(tie="draw")),
        ((5, 5), redblack.Rules(fee="1/20", win=2, tie="draw")),
        ((7, 4), redblack.Rules(lose="1/3")),
        ((4, 0), redblack.Rules(fee=2)),
    ],
    ids=str,
)
def test_laws_of_red_black(deck: tuple[int, int], rules: redblack.Rules) -> None:
    rule: Any = "first" if rules.tie == "stop" else "last"
    game = explore(rules.game(*deck))
    best = exact.solve(game, tie_break=rule)
    found = play.distribution(game, best, backend="exact")
    (returns,) = found.returns
    assert returns.of == "return"  # with one player there is none to name
    payoff = redblack.distribution(*deck, rules=rules, backend="exact").payoff
    assert returns.to_dict() == payoff.to_dict()
    durations: dict[int, Fraction] = {}
    for moves, chance in found.moves.to_dict().items():
        # A card is a decision and a draw; the last decision is to stop.
        durations[moves // 2] = durations.get(moves // 2, Fraction(0)) + chance
    duration = redblack.distribution(*deck, rules=rules, backend="exact").moves
    assert durations == duration.to_dict()
    floats = play.distribution(game, best)
    other = redblack.distribution(*deck, rules=rules).payoff
    assert floats.returns[0].support.tolist() == other.support.tolist()
    assert floats.returns[0].probabilities == pytest.approx(
        other.probabilities, abs=1e-13
    )


@pytest.mark.parametrize(
    ("theirs", "stops"),
    [
        (redblack.StopAtCash(2), lambda red, black: (9 - red) - (8 - black) >= 2),
        (lambda red, black: (red + 2 * black) % 3 == 0,) * 2,
        (lambda red, black: red < black,) * 2,
    ],
    ids=["cash", "odd", "fewer"],
)
def test_simulations_of_red_black(
    theirs: Any, stops: Callable[[int, int], Any]
) -> None:
    """Both samples against the law of the policy."""
    rules, number = redblack.Rules(), 20_000

    def policy(state: redblack.State) -> str:
        red, black = state.red, state.black
        return "stop" if not red + black or stops(red, black) else "draw"

    mean = float(play.distribution(rules.game(9, 8), policy, backend="exact").means[0])
    special = redblack.simulate(9, 8, games=number, policy=theirs, rng=1)
    general = play.simulate(rules.game(9, 8), policy, number, rng=1)
    assert abs(special.mean - mean) < 5 * special.standard_error
    assert abs(general.mean[0] - mean) < 5 * general.standard_error[0]
    assert general.standard_error[0] == pytest.approx(special.standard_error, rel=0.1)


# Cards in a row.

ROWS = st.lists(st.integers(-3, 9), min_size=1, max_size=6)
Sides = Callable[[Any, int, int], Any]


def takes(sides: Sides, cards: list[int]) -> Callable[[cardrow.State], Any]:
    """Return a policy of a row as one of its states."""

    def policy(state: cardrow.State) -> Any:
        left, right = cardrow.Turn("left"), cardrow.Turn("right")
        if state.left == state.right:
            return left
        side = sides(cards, state.left, state.right)
        if isinstance(side, str):
            return cardrow.Turn(side)  # type: ignore[arg-type]
        return {left: side, right: 1 - side}

    return policy


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    chances = st.sampled_from(["left", "right", Fraction(1, 3), Fraction(1, 2)])
    table = {(i, j): draw(chances) for j in range(6) for i in range(j)}
    return lambda cards, left, right: table.get((left, right), "left")


@given(cards=ROWS, opponent=sides(), first=st.booleans())
def test_best_responses_in_a_row(
    cards: list[int], opponent: Sides, first: bool
) -> None:
    seat: Any = "first" if first else "second"
    found = cardrow.best_response(cards, opponent, seat=seat, backend="exact")
    assert found.best is not None
    player = 0 if first else 1
    policies: list[Any] = [takes(opponent, cards)] * 2
    policies[player] = None
    game = cardrow.Rules().game(cards)
    response = play.best_response(game, policies, player, backend="exact")
    assert response.value[player] == found.value
    for state, best in response.solution.optimal_actions.items():
        code = int(found.best[state.left, state.right])
        taken = "left" if code < 0 else "right"
        if state.left < state.right:
            assert cardrow.Turn(taken) in best  # type: ignore[arg-type]
            assert (abs(code) == 2) == (len(best) == 2)


@given(cards=ROWS, words=st.tuples(*[st.sampled_from(["larger", "smaller"])] * 2))
def test_matches(cards: list[int], words: Any) -> None:
    picks = {"larger": max, "smaller": min}

    def by(word: str) -> Sides:
        def side(row: Any, left: int, right: int) -> str:
            if row[left] == row[right]:
                return "right"
            best = picks[word](row[left], row[right])
            return "left" if row[left] == best else "right"

        return side

    game = cardrow.Rules().game(cards)
    values = play.evaluate(game, [takes(by(word), cards) for word in words])
    sums = cardrow.match(cards, by(words[0]), by(words[1])).sums
    assert values.value == (sums[0] - sums[1], sums[1] - sums[0])


# Pairs.

LITTLE = pairs.Rules(deck={1: 2, 2: 1, 3: 2}, target=4)
THREE = pairs.Rules(deck={1: 2, 2: 2}, target=2, players=3)


def plays(rules: pairs.Rules, policy: Any) -> Callable[[pairs.State], Any]:
    """Return a policy of Pairs as one of the states of the game."""
    ranks = [rank for rank, _ in rules.deck]

    def cards(counts: Any) -> dict[int, int]:
        return dict(zip(ranks, counts, strict=True))

    def action(state: pairs.State) -> Any:
        n = len(state.scores)
        seats = [(state.player + i) % n for i in range(n)]
        return pairs.decision(
            policy,
            hand=cards(state.hands[seats[0]]),
            others=[cards(state.hands[seat]) for seat in seats[1:]],
            scores=[state.scores[seat] for seat in seats],
            deck=cards(state.unseen),
            rules=rules,
        )

    return action


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b"), [("fifty_percent", "always_hit"), ("expected_points", "never_hit")]
)
def test_win_rates_and_best_responses_of_pairs(a: Any, b: Any) -> None:
    little = explore(LITTLE.game())
    (first, _), (second, _) = pairs.evaluate(LITTLE, [a, b]).by_leader
    one, other = plays(LITTLE, a), plays(LITTLE, b)
    for chance, policies, seat in ((first, [one, other], 0), (second, [other, one], 1)):
        solution = play.evaluate(little, policies)
        assert abs(solution.value[seat] - chance) < 1e-9
        assert solution.error < 1e-12
    for seat, chance in enumerate(pairs.best_response(LITTLE, a).values):
        found = play.best_response(little, one, seat)
        assert abs(found.value[seat] - chance) < 1e-9


@pytest.mark.slow
def test_best_responses_of_three_players() -> None:
    game = explore(THREE.game())
    response = pairs.best_response(THREE, "fifty_percent")
    other = plays(THREE, "fifty_percent")
    for seat, chance in enumerate(response.values):
        found = play.best_response(game, other, seat)
        assert abs(found.value[seat] - chance) < 1e-9
    solution = diagonal.solve(game)
    assert play.distribution(game, solution).means == pytest.approx(
        solution.value, abs=1e-12
    )
