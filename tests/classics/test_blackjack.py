"""Blackjack, held against published values; `test_ground_truth` has more of them."""

from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, game, play

from .scripts import loaded

BLACKJACK = loaded("blackjack")


def test_published_values_of_an_endless_deck() -> None:
    # R. Halbersma, "Dynamic programming for the game of Blackjack", 2020: the casino's
    # naturals, and no doubles; the dealer's cards 2 to 9, ten and ace.
    published = {
        5: (-0.1282, -0.0953, -0.0615, -0.024, -0.0012, -0.1194, -0.1881, -0.2666),
        10: (0.1825, 0.2061, 0.2305, 0.2563, 0.2878, 0.2569, 0.198, 0.1165),
    }
    last = {5: (-0.3662, -0.5006), 10: (-0.0536, -0.2513)}
    solution = exact.solve(BLACKJACK.Endless("casino"))
    for total, row in published.items():
        for up, value in zip([*range(2, 11), 1], (*row, *last[total]), strict=True):
            state = BLACKJACK.state(total, False, up)
            assert float(solution.values[state]) == pytest.approx(value, abs=5.1e-5)


def test_the_policy_of_the_book() -> None:
    """Figure 5.2 of Sutton and Barto: usable aces are 18 against an ace, too, a hit."""
    game.check(BLACKJACK.Endless("sab"), plays=20, rng=1)
    solution = exact.solve(BLACKJACK.Endless("sab"))
    assert solution.policy[BLACKJACK.state(18, True, 1)] == "hit"
    assert solution.policy[BLACKJACK.state(18, True, 8)] == "stick"
    assert solution.policy[BLACKJACK.state(12, False, 4)] == "stick"
    assert solution.policy[BLACKJACK.state(12, False, 3)] == "hit"
    assert solution.ties == ()


@pytest.fixture(scope="module")
def full() -> Any:
    return diagonal.solve(BLACKJACK.OneDeck())


@pytest.mark.slow
def test_published_values_of_one_deck(full: Any) -> None:
    # M. Shackleford, Wizard of Odds, "Blackjack appendix 9": one deck, the dealer
    # stands on soft 17; against an ace: stand, hit, double.
    published = {
        (2, 1): (-0.661732, -0.067808, -0.593281),
        (3, 1): (-0.661047, -0.100568, -0.595803),
        (3, 2): (-0.659375, -0.291565, -1.318751),
        (4, 1): (-0.658818, -0.153931, -0.619882),
        (4, 2): (-0.658712, -0.334901, -1.295655),
        (4, 3): (-0.657967, -0.345048, -1.126423),
        (5, 1): (-0.659151, -0.206061, -0.656070),
        (5, 2): (-0.657529, -0.331115, -1.125237),
        (5, 3): (-0.656761, -0.217133, -0.793964),
        (5, 4): (-0.654533, -0.070215, -0.395771),
        (6, 1): (-0.482815, -0.199899, -0.527213),
        (6, 2): (-0.639160, -0.225772, -0.799095),
        (6, 3): (-0.638344, -0.078495, -0.401329),
        (6, 4): (-0.636118, 0.081506, 0.048615),
        (6, 5): (-0.634013, 0.172946, 0.240259),
        (7, 1): (-0.101015, -0.108386, -0.357778),
    }
    for cards, values in published.items():
        _, _, result, _ = full.advice(BLACKJACK.hand_of(*cards, up=1))
        assert result / 2 == pytest.approx(values, abs=6e-7)
    # Of the whole game as it was recorded, when brute force held for small decks.
    assert full.value / 2 == pytest.approx(-0.003334915963, abs=1e-12)


@pytest.mark.slow
def test_totals_are_less_than_cards(full: Any) -> None:
    rule = BLACKJACK.by_totals(full)
    hands = [((10, 6), 10), ((9, 7), 10), ((5, 6), 5), ((1, 7), 1), ((10, 10), 6)]
    states = np.concatenate([BLACKJACK.hand_of(*two, up=up) for two, up in hands])
    hit, stick, double = BLACKJACK.HIT, BLACKJACK.STICK, BLACKJACK.DOUBLE
    assert rule(states).tolist() == [hit, hit, double, stick, stick]
    assert play.evaluate(full, rule).value < full.value
