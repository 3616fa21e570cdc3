"""How games are solved: executors, blocks, progress; rules that are odd but legal."""

import dataclasses
import sys
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, exact, pairs
from cardgames_dp.pairs._kernels import backward

from .counted import win_rate
from .test_oracle import agrees

RULES = pairs.Rules(deck=4, target=9)
THREE = pairs.Rules(players=3, deck=3, target=6)
KINDS = {
    "round": RULES,
    "exhausted": dataclasses.replace(RULES, target=6, reshuffle="exhausted"),
    "essay": dataclasses.replace(RULES, target=6, reshuffle="essay"),
    "three": THREE,
    "lowest": dataclasses.replace(THREE, deal=1, first="lowest"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_executors(kind: str, executor: Executor, monkeypatch: Any) -> None:
    """Bit for bit the same, with many blocks in each total."""
    monkeypatch.setattr(backward, "_BLOCK_CELLS", 1)
    rules = KINDS[kind]
    alone = pairs.solve(rules)
    shared = pairs.solve(rules, executor=executor)
    assert shared == alone
    assert shared.table.tobytes() == alone.table.tobytes()
    usual = pairs.evaluate(rules, "optimal", executor=executor)
    assert usual == pairs.evaluate(rules, "optimal")
    assert usual.hits == pairs.evaluate(rules, "optimal").hits
    assert pairs.best_response(rules, "fifty_percent", executor=executor) == (
        pairs.best_response(rules, "fifty_percent")
    )
    assert win_rate(rules, "optimal", "fifty_percent", executor=executor) == (
        win_rate(rules, "optimal", "fifty_percent")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_size_of_blocks(kind: str, monkeypatch: Any) -> None:
    rules = KINDS[kind]
    usual = pairs.solve(rules)
    usual_means = pairs.evaluate(rules, "optimal")
    monkeypatch.setattr(backward, "_BLOCK_CELLS", 1)
    small = pairs.solve(rules)
    assert small.table == pytest.approx(usual.table, abs=1e-15)
    assert small.ties == usual.ties
    means = pairs.evaluate(rules, "optimal")
    assert means.hits == pytest.approx(usual_means.hits)
    assert means.rounds == pytest.approx(usual_means.rounds)


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    calls: list[Callable[[], Any]] = [
        lambda: pairs.solve(RULES),
        lambda: win_rate(RULES, "optimal", "fifty_percent"),
        lambda: pairs.best_response(RULES, "fifty_percent"),
        lambda: pairs.evaluate(RULES, "optimal"),
    ]
    for call in calls:
        silent = call()
        assert capsys.readouterr() == ("", "")
        with cardgames_dp.running(progress=True):
            assert call() == silent
        shown = capsys.readouterr()
        assert "100%" in shown.err
        assert "positions" in shown.err
        assert not shown.out


def test_progress_without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with (
        pytest.raises(ModuleNotFoundError, match=r"cardgames_dp\[progress\]"),
        cardgames_dp.running(progress=True),
    ):
        pairs.solve(RULES)


def test_memory_limit_is_kept() -> None:
    usual = pairs.solve(RULES)
    with cardgames_dp.running(max_bytes=10**7):
        assert pairs.solve(RULES) == usual


def test_memory_is_that_of_two_layers_for_a_block_of_scores() -> None:
    rules = pairs.Rules(deck=6, target=2)
    most = 2 * 8 * (300 + 6) * 873  # 6 ends of rounds; 873 x 300 fit in a cache
    with cardgames_dp.running(max_bytes=most):
        assert pairs.solve(rules).rules == rules
    message = r"^two layers of up to 300 positions needs about 4\.076 MiB"
    with (
        pytest.raises(TooLargeError, match=message),
        cardgames_dp.running(max_bytes=most - 1),
    ):
        pairs.solve(rules)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        # One rank: nothing to choose but when to score it.
        pairs.Rules(deck={1: 1}, target=2),
        pairs.Rules(deck={1: 5}, target=3),
        pairs.Rules(deck={3: 4}, target=7, capacity=2, reshuffle="exhausted"),
        # All cards may lie on the table.
        pairs.Rules(players=4, deck=2, target=3),
        pairs.Rules(players=3, deck=3, target=2),
        pairs.Rules(deck={1: 1, 2: 1, 3: 1}, target=4, reshuffle="exhausted"),
        pairs.Rules(deck={1: 1, 2: 1, 3: 1}, target=4, reshuffle="exhausted", burn=1),
        # Ranks with gaps, above the target, out of order.
        pairs.Rules(deck={7: 2, 2: 1, 40: 1}, target=9),
        pairs.Rules(deck=[(5, 1), (1, 3)], target=6, tie="hit"),
        # A capacity of each rank, and above what there is.
        pairs.Rules(deck={1: 3, 2: 2}, target=4, capacity={1: 2, 2: 1}),
        pairs.Rules(deck={1: 3, 2: 2}, target=4, capacity={2: 1, 1: 10**30}),
        pairs.Rules(deck={1: 3, 2: 2}, target=4, capacity=9, reshuffle="exhausted"),
        pairs.Rules(deck={1: 6, 2: 2}, target=4, capacity=2, reshuffle="essay"),
        # Reshuffled early.
        pairs.Rules(
            deck={1: 2, 2: 3}, target=3, reshuffle="exhausted", shuffle_limit=4
        ),
        pairs.Rules(deck={1: 2, 2: 3}, target=3, reshuffle="essay", shuffle_limit=4),
        pairs.Rules(
            deck={1: 2, 2: 3}, target=3, reshuffle="exhausted", shuffle_limit=1, burn=2
        ),
        # Dealt.
        pairs.Rules(deck={1: 1, 2: 2}, target=3, deal=1),
        pairs.Rules(deck={1: 1, 2: 1}, target=3, deal=1),
        pairs.Rules(deck={1: 1, 2: 2}, target=3, deal=1, reshuffle="exhausted"),
        pairs.Rules(deck={1: 1, 2: 3}, target=3, deal=1, reshuffle="essay"),
        pairs.Rules(deck={1: 1, 2: 2}, target=3, deal=1, first="lowest"),
        # The deck comes down to two 2s, of which none is the lowest card.
        pairs.Rules(
            deck={1: 1, 2: 3}, target=3, deal=1, first="lowest", reshuffle="exhausted"
        ),
        # Reshuffled while the cards are dealt: who is dealt the first one matters.
        pairs.Rules(
            deck={1: 1, 2: 2, 3: 1},
            target=3,
            deal=1,
            first="lowest",
            reshuffle="exhausted",
        ),
        pairs.Rules(
            players=3, deck={1: 2, 2: 2, 3: 1}, target=2, deal=1, first="lowest", burn=1
        ),
        # Over after a round, or never far from it.
        pairs.Rules(target=1, deck=3),
        pairs.Rules(players=5, target=1, deck={1: 3, 2: 2}),
        pairs.Rules(players=6, target=1, deck={1: 2, 2: 2}),
        pairs.Rules(target=2, deck={1: 10**6, 2: 10**6}),
    ],
    ids=str,
)
def test_odd_rules(rules: pairs.Rules) -> None:
    """The fast solver and the oracle agree in every position."""
    agrees(rules)


@pytest.mark.parametrize("reshuffle", ["round", "exhausted"])
def test_seats_where_the_lowest_card_leads(reshuffle: Any) -> None:
    """They are alike, unless a reshuffle comes in the middle of the deal."""
    rules = pairs.Rules(
        deck={1: 1, 2: 2, 3: 1},
        target=3,
        reshuffle=reshuffle,
        deal=1,
        first="lowest",
    )
    solution = pairs.solve(rules)
    assert solution.value == pytest.approx((0.5, 0.5), abs=1e-15)
    rate = win_rate(rules, "fifty_percent", "always_hit")
    assert rate.first == pytest.approx(rate.second, abs=1e-15)
    if reshuffle == "exhausted":
        interrupted = solution.value_at([0, 0], deck={1: 1})
        assert abs(interrupted[0] - 0.5) > 1e-3
        assert sum(interrupted) == pytest.approx(1)


@pytest.mark.slow
def test_more_than_two_players() -> None:
    """Four players, with the oracle; six alike by turns of the table."""
    rules = pairs.Rules(players=4, deck=2, target=4)
    assert agrees(rules) > 100
    assert sum(pairs.solve(rules).value) == pytest.approx(3)


def test_published_targets() -> None:
    """31/21/16/13/11 for two to six players."""
    targets = [pairs.Rules(players=n).target for n in range(2, 7)]
    assert targets == [31, 21, 16, 13, 11]
    assert sum(pairs.Rules().counts) == 55


def test_huge_counts_are_draws_with_replacement() -> None:
    """A deck of so many cards hardly changes: 2/3 and 1/3 at each draw."""
    few = pairs.solve(pairs.Rules(deck={1: 2 * 10**9, 2: 10**9}, target=4))
    more = pairs.solve(pairs.Rules(deck={1: 2 * 10**12, 2: 10**12}, target=4))
    assert few.value == pytest.approx(more.value, abs=1e-8)


def test_oracle_refuses_no_deal() -> None:
    """The game stays whole where what is left of the deck has no lowest card."""
    rules = pairs.Rules(
        deck={1: 1, 2: 3}, target=3, deal=1, first="lowest", reshuffle="exhausted"
    )
    start = rules.game().initial_state()
    left = start._replace(unseen=(0, 2))
    assert rules.game().chance_outcomes(left) == rules.game().chance_outcomes(start)
    assert exact.solve(rules.game()).num_players == 2
    solution = pairs.solve(rules)
    assert solution.value_at([1, 1], deck={2: 2}) == solution.value_at([1, 1])


@pytest.mark.slow
def test_doubtful_gaps_are_reported() -> None:
    """Where rounding decides, exact ties are leads."""
    exactly = pairs.solve(RULES)
    assert exactly.largest_tie < 1e-15
    assert exactly.smallest_lead > 1e-9
    noisy = pairs.solve(dataclasses.replace(RULES, tie="rounding"))
    assert noisy.ties < exactly.ties
    assert noisy.smallest_lead < 1e-15
    assert np.allclose(noisy.table, exactly.table, rtol=0, atol=1e-13)
