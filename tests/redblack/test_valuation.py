"""What holds for every deck: all the ways to solve a game give the same answer."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels.boundary import tops

from . import oracles
from .strategies import amounts, decks, linear_rules, utility_rules

any_rules = st.one_of(linear_rules, utility_rules)


@given(deck=decks, rules=any_rules)
def test_exact_ways_agree(deck: tuple[int, int], rules: Rules) -> None:
    """The oracle, the integer sweep, the exact table and the bare recurrence."""
    game = oracles.Game(*deck, rules)
    expected = game.total(*deck)
    oracle = exact.solve(rules.game(*deck))
    table = redblack.solve(*deck, rules=rules, backend="exact")
    assert oracle.value == (expected,)
    assert redblack.value(*deck, rules=rules, backend="exact") == expected
    assert table.value == expected
    for red in range(deck[0] + 1):
        for black in range(deck[1] + 1):
            total = game.total(red, black)
            assert table.totals[red, black] == total
            assert table.values[red, black] == total - game.stop(red, black)
            assert table.stop[red, black] == game.stops(red, black)
            assert table.ties[red, black] == game.ties(red, black)
            state = redblack.State(red, black)
            assert oracle.values.get(state, (total,)) == (total,)
            if state in oracle.policy:
                ends = oracle.policy[state] == "stop"
                assert table.stop[red, black] == ends
                tied = len(oracle.optimal_actions[state]) == 2
                assert table.ties[red, black] == tied


@given(deck=decks, rules=any_rules)
def test_float64_is_near_exact(deck: tuple[int, int], rules: Rules) -> None:
    table = redblack.solve(*deck, rules=rules, backend="exact")
    floats = redblack.solve(*deck, rules=rules)
    scale = 1 + np.abs(table.totals.astype(float)).max()
    assert np.allclose(
        floats.values, table.values.astype(float), rtol=0, atol=1e-13 * scale
    )
    assert np.allclose(
        floats.totals, table.totals.astype(float), rtol=0, atol=1e-13 * scale
    )
    value = redblack.value(*deck, rules=rules)
    assert value == pytest.approx(float(table.value), rel=1e-12, abs=1e-14)
    # What is exactly a tie is one to rounding; here nothing else is so near to one.
    assert np.array_equal(floats.ties, table.ties)
    assert np.array_equal(floats.stop, table.stop)


@pytest.mark.parametrize("steepness", [2, 3, 5, 20])
@pytest.mark.parametrize("deck", [(10, 10), (26, 26), (15, 22)])
def test_the_worth_of_ruin_hides_nothing(deck: tuple[int, int], steepness: int) -> None:
    """Rounding of what stopping at a great loss is worth is nobody's business."""
    rules = Rules(utility=lambda cash: -np.exp(-steepness * cash.astype(float)))
    table = redblack.solve(*deck, rules=rules, backend="exact")
    floats = redblack.solve(*deck, rules=rules)
    assert np.array_equal(floats.stop, table.stop)
    assert np.array_equal(floats.ties, table.ties)
    assert floats.totals[deck] == pytest.approx(float(table.totals[deck]), rel=1e-12)
    law = redblack.distribution(*deck, rules=rules).payoff
    certain = redblack.distribution(*deck, rules=rules, backend="exact").payoff
    assert law.support.tolist() == certain.support.astype(float).tolist()
    assert law.probabilities == pytest.approx(certain.probabilities.astype(float))


@given(deck=st.tuples(st.integers(0, 60), st.integers(0, 60)), rules=linear_rules)
def test_enclosures_contain_the_value(deck: tuple[int, int], rules: Rules) -> None:
    value = redblack.value(*deck, rules=rules, backend="exact")
    bounds = redblack.enclosure(*deck, rules=rules)
    assert value in bounds
    assert bounds.lower <= bounds.midpoint <= bounds.upper
    assert bounds.width <= 1e-12 * (1 + float(rules.gain + rules.cost) * sum(deck))
    assert redblack.value(*deck, rules=rules) in bounds


@given(deck=decks, rules=linear_rules)
def test_brute_force_over_orders(deck: tuple[int, int], rules: Rules) -> None:
    """The optimal player's average over all orders is the value; so are the laws."""
    red, black = min(deck[0], 5), min(deck[1], 5)
    game = oracles.Game(red, black, rules)
    outcomes = [game.play(order) for order in oracles.orders(red, black)]
    chance = Fraction(1, len(outcomes))
    payoff = redblack.distribution(
        red, black, rules=rules, backend="exact"
    ).payoff.to_dict()
    duration = redblack.distribution(
        red, black, rules=rules, backend="exact"
    ).moves.to_dict()
    for law, index in ((payoff, 0), (duration, 1)):
        counted: dict[Fraction, Fraction] = {}
        for outcome in outcomes:
            counted[Fraction(outcome[index])] = (
                counted.get(Fraction(outcome[index]), Fraction(0)) + chance
            )
        assert law == counted
    mean = sum(cash for cash, _ in outcomes) * chance
    assert redblack.value(red, black, rules=rules, backend="exact") == mean


@given(deck=decks, rules=any_rules)
def test_laws(deck: tuple[int, int], rules: Rules) -> None:
    """They sum to 1 exactly; the payoff's expected utility is the value."""
    exactly = redblack.distribution(*deck, rules=rules, backend="exact")
    payoff, duration = exactly.payoff, exactly.moves
    for law in (payoff, duration):
        assert sum(law.probabilities) == 1
        assert all(p > 0 for p in law.probabilities)
        assert all(x < y for x, y in pairwise(law.support))
        assert law.cdf(law.support[-1]) == 1
    assert 0 <= duration.support[0] <= duration.support[-1] <= sum(deck)
    rewards = rules.exact_reward(list(payoff.support))
    expected = sum(u * p for u, p in zip(rewards, payoff.probabilities, strict=True))
    assert expected == redblack.value(*deck, rules=rules, backend="exact")
    rounded = redblack.distribution(*deck, rules=rules)
    for of in ("payoff", "moves"):
        floats = getattr(rounded, of).to_dict()
        fractions = getattr(exactly, of).to_dict()
        assert [float(x) for x in fractions] == list(floats)
        for x, p in fractions.items():
            assert floats[float(x)] == pytest.approx(float(p), abs=1e-13)


@given(deck=decks, rules=linear_rules)
def test_boundary_is_the_table_s(deck: tuple[int, int], rules: Rules) -> None:
    """The sweep's one boundary is where the maximum in every cell puts it."""
    table = redblack.solve(*deck, rules=rules, backend="exact")
    excess = table.boundary.excess
    for backend_is_exact in (False, True):
        top = tops(rules, *deck, exact=backend_is_exact)
        for (red, black), stop in np.ndenumerate(table.stop):
            n = red + black
            if n:
                assert (red <= top[n]) == stop, (red, black)
            assert (black - red >= excess[n]) == stop, (red, black)


@given(deck=decks)
def test_classic_game(deck: tuple[int, int]) -> None:
    """Monotone in either colour, between the bounds, a supermartingale."""
    table = redblack.solve(*deck, backend="exact")
    values, totals = table.values, table.totals
    assert (values[1:] >= values[:-1]).all()
    assert (values[:, 1:] <= values[:, :-1]).all()
    for (red, black), value in np.ndenumerate(values):
        assert max(0, red - black) <= value
        assert value <= redblack.foresight_value(red, black, backend="exact")
        if red + black:
            advice = table.advice(red=red, black=black)
            assert advice.draw is not None
            assert advice.draw <= totals[red, black]
            drawing = not table.stop[red, black]
            assert (advice.draw == totals[red, black]) == (
                drawing or bool(table.ties[red, black])
            )


@given(deck=decks, rules=linear_rules, factor=st.integers(1, 5))
def test_scaling_the_amounts_scales_the_value(
    deck: tuple[int, int], rules: Rules, factor: int
) -> None:
    win, lose, fee = (factor * Fraction(x) for x in (rules.win, rules.lose, rules.fee))
    scaled = Rules(win, lose, fee, tie=rules.tie)
    before = redblack.solve(*deck, rules=rules, backend="exact")
    after = redblack.solve(*deck, rules=scaled, backend="exact")
    assert (after.values == factor * before.values).all()
    assert np.array_equal(after.stop, before.stop)


@given(deck=decks, win=amounts, lose=amounts, fee=amounts)
def test_a_fee_is_a_smaller_win_and_a_larger_loss(
    deck: tuple[int, int], win: Fraction, lose: Fraction, fee: Fraction
) -> None:
    lose = Fraction(lose)
    fee, win = sorted([Fraction(win), Fraction(fee)])
    charged = redblack.value(
        *deck, rules=Rules(win=win, lose=lose, fee=fee), backend="exact"
    )
    plain = redblack.value(
        *deck, rules=Rules(win=win - fee, lose=lose + fee), backend="exact"
    )
    assert charged == plain


@given(deck=decks, slope=st.integers(1, 4), shift=st.integers(-3, 3))
def test_a_linear_utility_is_no_utility(
    deck: tuple[int, int], slope: int, shift: int
) -> None:
    rules = Rules(utility=lambda cash: slope * cash + shift)
    plain = redblack.solve(*deck, backend="exact")
    moved = redblack.solve(*deck, rules=rules, backend="exact")
    assert moved.value == slope * plain.value + shift
    assert (moved.values == slope * plain.values).all()
    assert np.array_equal(moved.stop, plain.stop)
    assert np.array_equal(moved.ties, plain.ties)
    floats = redblack.value(*deck, rules=rules)
    assert floats == pytest.approx(float(moved.value), abs=1e-13)


sizes = st.lists(st.integers(0, 60), max_size=8)


@given(
    decks=st.one_of(
        sizes.map(lambda balanced: (balanced, balanced)),
        st.tuples(st.integers(0, 60), sizes),  # some of them are read off one table
        st.tuples(sizes, sizes.filter(bool).map(lambda many: [[one] for one in many])),
    ),
    rules=linear_rules,
)
def test_many_decks_are_single_decks(decks: tuple[Any, Any], rules: Rules) -> None:
    exactly = redblack.value(*decks, rules=rules, backend="exact")
    floats = redblack.value(*decks, rules=rules)
    assert exactly.dtype == object
    assert floats.dtype == np.float64
    both = np.broadcast(*(np.array(cards, dtype=object) for cards in decks))
    assert both.shape == exactly.shape == floats.shape
    for deck, value, number in zip(both, exactly.flat, floats.flat, strict=True):
        assert value == redblack.value(*deck, rules=rules, backend="exact")
        assert number == pytest.approx(float(value), rel=1e-12, abs=1e-12)


@given(
    deck=st.tuples(st.integers(1, 400), st.integers(1, 400)),
    win=st.integers(1, 40),
    lose=st.integers(1, 40),
)
def test_uneven_decks_and_amounts(deck: tuple[int, int], win: int, lose: int) -> None:
    """Tilted windows, boundaries that leave the band, and decks that stop for good."""
    rules = Rules(win=win, lose=lose)
    value = redblack.value(*deck, rules=rules, backend="exact")
    bounds = redblack.enclosure(*deck, rules=rules)
    assert value in bounds
    assert redblack.value(*deck, rules=rules) == pytest.approx(
        float(value), rel=1e-12, abs=1e-11 * lose * deck[1]
    )


@pytest.mark.parametrize(
    "rules",
    [
        Rules(win=win, lose=lose, fee=fee, tie=tie)
        for win, lose, fee in [
            (1, 0, 0),
            (0, 1, 0),
            (0, 0, 0),
            (1, 1, 1),
            (1, 1, 2),
            (0, 0, 1),
        ]
        for tie in ("stop", "draw")
    ],
    ids=repr,
)
def test_cards_that_cost_or_bring_nothing(rules: Rules) -> None:
    """Whole lines of ties; each way of solving must know the rule for them."""
    table = redblack.solve(4, 4, rules=rules, backend="exact")
    oracle = exact.solve(rules.game(4, 4))
    for state, action in oracle.policy.items():
        n = state.red + state.black
        assert table.stop[state.red, state.black] == (action == "stop")
        for backend_is_exact in (False, True):
            top = tops(rules, 4, 4, exact=backend_is_exact)
            assert (state.red <= top[n]) == (action == "stop")
    game = oracles.Game(4, 4, rules)
    drawn = Fraction(sum(game.play(order)[1] for order in oracles.orders(4, 4)), 70)
    for backend in ("float64", "exact"):
        law = redblack.distribution(4, 4, rules=rules, backend=backend).moves
        assert law.mean == pytest.approx(float(drawn))


@pytest.mark.parametrize(
    ("deck", "rules", "tie"),
    [
        # Drawing is behind by 1.8e-14, from errors of cells worth 70 times as much.
        ((5, 150), Rules(win=10, lose=0, fee=Fraction(1, 7)), (1, 138)),
        # Here a tie is far below a rounding of what a black card costs.
        ((9, 1), Rules(win=Fraction(1, 10**6), lose=10**12), None),
    ],
)
def test_ties_among_amounts_of_different_sizes(
    deck: tuple[int, int], rules: Rules, tie: tuple[int, int] | None
) -> None:
    exactly = redblack.solve(*deck, rules=rules, backend="exact")
    floats = redblack.solve(*deck, rules=rules)
    assert np.array_equal(floats.ties, exactly.ties)
    assert np.array_equal(floats.stop, exactly.stop)
    assert tie is None or exactly.ties[tie]


@pytest.mark.parametrize("tie", ["stop", "draw"])
def test_a_tie_that_float64_misses_by_rounding(tie: str) -> None:
    """3 red and 8 black cards at 5 to 3: drawing comes out as 6e-17 or so, not 0."""
    rules = Rules(win=5, lose=3, tie=tie)  # type: ignore[arg-type]
    exactly = redblack.solve(12, 12, rules=rules, backend="exact")
    floats = redblack.solve(12, 12, rules=rules)
    assert np.argwhere(exactly.ties).tolist() == [[3, 8]]
    assert np.array_equal(floats.ties, exactly.ties)
    assert np.array_equal(floats.stop, exactly.stop)
    assert floats.values[3, 8] == 0
