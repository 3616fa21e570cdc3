"""Blackjack, held against plain recursions over lists of cards."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, game, play

from .scripts import loaded

BLACKJACK = loaded("blackjack")
Cards = tuple[int, ...]


def usable_ace(hand: Cards) -> bool:
    return 1 in hand and sum(hand) + 10 <= 21


def sum_of(hand: Cards) -> int:
    return sum(hand) + 10 * usable_ace(hand)


def is_natural(hand: Cards) -> bool:
    return sorted(hand) == [1, 10]


def score(hand: Cards) -> int:
    return sum_of(hand) if sum_of(hand) <= 21 else 0


Ended = tuple[int, bool]
"""A score, and whether the hand is a natural."""


def reward(player: Ended, dealer: Ended, rule: str) -> float:
    """Return what sticking pays at the end, by whole hands."""
    lead = (player > dealer) - (player < dealer) if player[0] != dealer[0] else 0
    own, other = player[1], dealer[1]
    if rule == "sab" and own and not other:
        return 1.0
    if rule == "casino" and other and not own:
        return -1.0
    if own and not other and (rule == "casino" or (rule == "natural" and lead > 0)):
        return 1.5
    return float(lead)


def drawn(hand: Cards) -> list[tuple[Cards, float]]:
    """Return the hands with one more card, sorted, and their chances."""
    return [
        (tuple(sorted((*hand, card))), (4 if card == 10 else 1) / 13)
        for card in range(1, 11)
    ]


@cache
def dealt(hand: Cards) -> dict[Ended, float]:
    """Return how a dealer's hand can end."""
    if sum_of(hand) >= 17:
        return {(score(hand), is_natural(hand)): 1.0}
    found: dict[Ended, float] = defaultdict(float)
    for after, chance in drawn(hand):
        for end, share in dealt(after).items():
            found[end] += chance * share
    return found


def endless(rule: str, least: int | None) -> float:
    """Return the value of sticking from some sum on, or of optimal play."""

    @cache
    def stick(player: Ended, up: int) -> float:
        ends = dealt((up,)).items()
        return sum(chance * reward(player, end, rule) for end, chance in ends)

    @cache
    def value(player: Cards, up: int) -> float:
        if sum_of(player) > 21:
            return -1.0
        stuck = stick((sum_of(player), is_natural(player)), up)
        if least is not None and sum_of(player) >= least:
            return stuck
        hit = sum(chance * value(after, up) for after, chance in drawn(player))
        return hit if least is not None else max(hit, stuck)

    return sum(
        chance * other * more * value(two, up)
        for (first,), chance in drawn(())
        for two, other in drawn((first,))
        for (up,), more in drawn(())
    )


@pytest.mark.slow
@pytest.mark.parametrize("rule", BLACKJACK.RULES)
def test_an_endless_deck(rule: str) -> None:
    """Sticking late, and optimal play."""
    deck = BLACKJACK.Endless(rule)
    value = play.evaluate(deck, BLACKJACK.stick_from(20)).value
    assert value == pytest.approx(endless(rule, 20), abs=1e-13)
    solution = exact.solve(deck)
    assert float(solution.value) == pytest.approx(endless(rule, None), abs=1e-13)
    floats = diagonal.solve(deck)
    assert abs(Fraction(floats.value) - solution.value) <= floats.error


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
        _, _, found, _ = full.advice(BLACKJACK.hand_of(*cards, up=1))
        assert found / 2 == pytest.approx(values, abs=6e-7)


@pytest.mark.slow
def test_totals_are_less_than_cards(full: Any) -> None:
    rule = BLACKJACK.by_totals(full)
    hands = [((10, 6), 10), ((9, 7), 10), ((5, 6), 5), ((1, 7), 1), ((10, 10), 6)]
    states = np.concatenate([BLACKJACK.hand_of(*two, up=up) for two, up in hands])
    hit, stick, double = BLACKJACK.HIT, BLACKJACK.STICK, BLACKJACK.DOUBLE
    assert rule(states).tolist() == [hit, hit, double, stick, stick]
    assert play.evaluate(full, rule).value < full.value


def test_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["blackjack.py", "plain"])
    BLACKJACK.main()
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1 + 10 * (18 + 10 + 1)
    line = next(each for each in told if each.startswith("20 none    10:"))
    advice = exact.solve(BLACKJACK.Endless("plain")).advice
    expected = advice(BLACKJACK.state(20, False, 10)).values.values()
    assert list(map(float, line.split()[-2:])) == pytest.approx(
        list(map(float, expected)), abs=1e-9
    )
