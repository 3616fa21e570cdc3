"""Every figure that Pashevich's report prints about rows, from the solvers."""

from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, exact
from cardgames_dp.cardrow import Rules, Turn

from . import sources

N = len(sources.TABLE_ROW)


@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_the_table_cell_by_cell(backend: Any) -> None:
    table = cardrow.solve(sources.TABLE_ROW, backend=backend)
    assert sum(map(len, sources.TABLE)) == 21
    for left, line in enumerate(sources.TABLE):
        for right, (side, my_sum, opp_sum) in enumerate(line, start=left):
            assert table.best_turn(left, right) == Turn(side)
            assert table.my_sum[left, right] == my_sum
            assert table.opp_sum[left, right] == opp_sum
    assert np.argwhere(table.ties).tolist() == [list(sources.TABLE_TIE)]


def test_the_game_along_the_table() -> None:
    for play in (
        cardrow.solve(sources.TABLE_ROW).play(),
        cardrow.match(sources.TABLE_ROW, "optimal", "optimal"),
    ):
        cards = [sources.TABLE_ROW[i] for i in play.positions]
        assert tuple(cards) == sources.TABLE_PLAY
        assert play.sums == sources.TABLE_SUMS
    assert cardrow.match(sources.TABLE_ROW).sums == sources.TABLE_SUMS


def test_the_winning_line_on_the_row_of_the_greedy_algorithm() -> None:
    """22 to 19, by a legal line, which is what optimal play comes to."""
    owners = [owner for owner, _ in sources.WINNING_LINE]
    sums = [
        sum(x for x, o in zip(sources.GREEDY_ROW, owners, strict=True) if o == owner)
        for owner in ("You", "Sister")
    ]
    assert sums == [22, 19]
    assert cardrow.match(sources.GREEDY_ROW).sums == tuple(sums)
    turns = sorted(
        range(N),
        key=lambda i: (sources.WINNING_LINE[i][1], owners[i] == "Sister"),
    )
    left, right = 0, N - 1
    table = cardrow.solve(sources.GREEDY_ROW)
    for i in turns:
        assert i in (left, right)
        side = Turn("left" if i == left else "right")
        assert side in table.advice(left, right).best
        left, right = left + (i == left), right - (i == right and i != left)


def test_the_drawn_row() -> None:
    scores = cardrow.match(sources.DRAWN_ROW).sums
    assert scores == (sum(sources.DRAWN_CARDS),) * 2


@pytest.mark.parametrize("method", ["collapse", "diagonal"])
@pytest.mark.parametrize("cards", sources.VALUES)
def test_values(cards: tuple[int, ...], method: Any) -> None:
    value = cardrow.value(cards, method=method, backend="exact")
    assert value == sources.VALUES[cards]
    assert exact.solve(Rules().game(cards)).value == (value, -value)


@pytest.mark.parametrize(("cards", "answer"), sources.BEGIN_STRATEGY.items())
def test_get_begin_strategy(cards: tuple[int, ...], answer: int) -> None:
    """Its code goes right where both ends are equally good, and starts for nothing."""
    assert (cardrow.value(cards) < 0) == (answer == -1)
    if answer >= 0:
        best = cardrow.Position(cards, rules=Rules(tie="right")).advice()
        assert best.action == Turn("right" if answer else "left")


def test_no_better_second_than_first_with_an_even_number_of_cards() -> None:
    """Where the report would let the sister start, the numbers of cards are odd."""
    rng, deck = np.random.default_rng(2), np.repeat(np.arange(1, 14), 4)
    deals = [rng.permutation(deck) for _ in range(1500)]
    for n, share in sources.BETTER_SECOND.items():
        second = np.mean(
            [cardrow.value(deal[:n], backend="exact") < 0 for deal in deals]
        )
        assert abs(second - share) < 5 * (share * (1 - share) / len(deals)) ** 0.5
        assert all(cardrow.value(deal[: n + 1], backend="exact") >= 0 for deal in deals)
