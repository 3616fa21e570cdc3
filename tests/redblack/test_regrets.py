"""What policies give up, against the plain game and against the values of policies."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import play, redblack
from cardgames_dp.redblack import Policy, Rules, State, StopAtCash
from tests.redblack.strategies import linear_rules

POLICIES: list[Policy] = [
    "optimal",
    "never_stop",
    "first_positive",
    StopAtCash(2),
    {"stop": 1, "draw": 2},
    redblack.StopAtFirst("first_positive", {"stop": "1/10", "draw": "9/10"}),
]


@given(
    deck=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    rules=linear_rules,
    policy=st.sampled_from(POLICIES),
)
def test_costs_sum_to_the_loss(
    deck: tuple[int, int], rules: Rules, policy: Policy
) -> None:
    how: Any = {"policy": policy, "rules": rules}
    exact = redblack.regret(*deck, **how, backend="exact")
    lost = redblack.value(*deck, rules=rules, backend="exact")
    lost -= redblack.value(*deck, **how, backend="exact")
    assert exact.loss == exact.table().sum() == lost
    floats = redblack.regret(*deck, **how)
    assert abs(floats.loss - lost) <= floats.error < 1e-10
    for what in ("reach", "given_up", "cost"):
        table = floats.table(what)
        assert table.shape == (deck[0] + 1, deck[1] + 1)
        expected = exact.table(what).astype(float)
        assert table == pytest.approx(expected, abs=1e-10)


def test_the_plain_game_says_the_same() -> None:
    def wavering(state: State) -> dict[str, int]:
        return {"stop": 1, "draw": 2 + (state.red > state.black)}

    def chances(red: Any, black: Any) -> Any:
        pairs = zip(red.tolist(), black.tolist(), strict=True)
        found = np.empty(len(red), dtype=object)
        found[:] = [Fraction(1, 3 + (r > b)) for r, b in pairs]
        return found

    game = Rules(fee="1/10").game(4, 5)
    plain = play.regret(game, wavering, backend="exact")
    found = redblack.regret(
        4, 5, policy=chances, rules=Rules(fee="1/10"), backend="exact"
    )
    assert found.loss == plain.loss > 0
    table = found.table("given_up")
    for state, given_up in zip(plain.states, plain.given_up, strict=True):
        assert table[state.red, state.black] == given_up
    assert found.num_deviations == plain.num_deviations


def test_mistakes_are_told_in_words() -> None:
    found = redblack.regret(2, 2, policy="never_stop")
    assert str(found) == (
        "state  taken  best     reach  given up      cost\n"
        "[0 1]  draw   stop       0.5         1       0.5\n"
        "[0 2]  draw   stop  0.166667         1  0.166667\n"
        "(mistakes in 2 of 8 states; total loss 0.666667)"
    )
    assert found.to_pandas()["taken"][0] == ["draw"]
    mixed = redblack.regret(2, 2, policy={"stop": 1, "draw": 1})
    assert mixed.to_pandas()["taken"][0] == ["stop", "draw"]


def test_nothing_is_given_up_without_cards_or_by_the_optimal_player() -> None:
    assert redblack.regret(0, 0, policy="never_stop").table().tolist() == [[0]]
    careful = Rules(utility=redblack.utilities.exponential("1/2"))
    found = redblack.regret(26, 26, policy="optimal", rules=careful)
    assert found.loss == 0
    assert 0 < redblack.regret(26, 26, policy="optimal", rules=Rules()).error < 1e-9
    # An optimal player without fear gives something up for one who is careful.
    bold = redblack.solve(26, 26)
    lost = redblack.regret(26, 26, policy=bold, rules=careful).loss
    expected = redblack.value(26, 26, rules=careful)
    expected -= redblack.value(26, 26, policy=bold, rules=careful)
    assert lost == pytest.approx(expected, abs=1e-10)


def test_tables_are_of_known_things() -> None:
    found = redblack.regret(2, 2, policy="never_stop")
    with pytest.raises(ValueError, match=r"what must be one of 'reach', .* got"):
        found.table("loss")  # type: ignore[arg-type]
