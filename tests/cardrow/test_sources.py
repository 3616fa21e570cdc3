"""Every figure that Pashevich's report prints about rows, from the solvers."""

from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow
from cardgames_dp.cardrow import State
from cardgames_dp.cardrow.fast import cells

from . import sources


@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_the_table_cell_by_cell(backend: Any) -> None:
    table = cardrow.solve(sources.TABLE_ROW, backend=backend)
    assert sum(map(len, sources.TABLE)) == 21
    for left, line in enumerate(sources.TABLE):
        for right, (side, my_sum, opp_sum) in enumerate(line, start=left):
            player = (5 - right + left) % 2
            assert table.policy[left, right, player] == side
            _, sums, _, _ = cells(table, np.array([left]), np.array([right]))
            assert [x.item() for x in sums] == [my_sum, opp_sum]
    assert np.argwhere(table.table("ties")).tolist() == [list(sources.TABLE_TIE)]
    line_of_play = cardrow.match(sources.TABLE_ROW, "optimal", "optimal")
    assert cardrow.match(sources.TABLE_ROW, table, table).turns == line_of_play.turns
    taken = tuple(sources.TABLE_ROW[i] for i in line_of_play.positions)
    assert taken == sources.TABLE_PLAY
    assert line_of_play.sums == sources.TABLE_SUMS


def test_the_winning_line_on_the_row_of_the_greedy_algorithm() -> None:
    """22 to 19, by a legal line, which is what optimal play comes to."""
    row, owners = sources.GREEDY_ROW, [owner for owner, _ in sources.WINNING_LINE]
    you = sum(x for x, owner in zip(row, owners, strict=True) if owner == "You")
    assert cardrow.match(row).sums == (you, sum(row) - you) == (22, 19)
    left, right, table = 0, len(row) - 1, cardrow.solve(row)
    for i in sorted(
        range(len(row)),
        key=lambda i: (sources.WINNING_LINE[i][1], owners[i] == "Sister"),
    ):
        assert i in (left, right)
        here = State(left, right, (len(row) - 1 - right + left) % 2)
        assert ("left" if i == left else "right") in table.optimal_actions[here]
        left, right = left + (i == left), right - (i == right and i != left)
    assert cardrow.match(sources.DRAWN_ROW).sums == (sum(sources.DRAWN_CARDS),) * 2
