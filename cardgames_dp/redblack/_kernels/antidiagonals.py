"""Tables of pairs of counts, seen along their antidiagonals ``i + j = n``."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


def antidiagonal(
    table: NDArray[Any], n: int, first_row: int, last_row: int
) -> NDArray[Any]:
    """Return the cells ``[i, n - i]`` of a table, i from `first_row` to `last_row`.

    Parameters
    ----------
    table : ndarray, shape (rows, columns)
        A C-contiguous table.
    n : int
        The sum of the two indices.
    first_row, last_row : int
        Both included; every cell between them lies in the table.

    Returns
    -------
    ndarray, shape (last_row - first_row + 1,)
        A view, not a copy.
    """
    columns = table.shape[1]
    # One row further down and one column back is `columns - 1` cells on.
    step = max(columns - 1, 1)
    start = first_row * columns + n - first_row
    return table.reshape(-1)[start : start + (last_row - first_row) * step + 1 : step]
