"""Antidiagonals of tables are views."""

import numpy as np
import pytest

from cardgames_dp.redblack._kernels.recurrence import antidiagonal


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (6, 6)])
def test_antidiagonals_are_views_of_their_cells(shape: tuple[int, int]) -> None:
    table = np.arange(shape[0] * shape[1]).reshape(shape)
    seen = []
    for n in range(sum(shape) - 1):
        first, last = max(0, n - shape[1] + 1), min(shape[0] - 1, n)
        view = antidiagonal(table, n, first, last)
        assert np.shares_memory(view, table)
        assert view.tolist() == [table[i, n - i] for i in range(first, last + 1)]
        seen += view.tolist()
    assert sorted(seen) == table.ravel().tolist()
