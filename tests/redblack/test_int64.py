"""Arrays of int64 are of int64 also where NumPy's default integer has 32 bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cardgames_dp import redblack


@pytest.fixture
def short_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, and on machines of 32 bits."""
    for name in ("array", "arange"):
        right = getattr(np, name)

        def short(*given: Any, right: Any = right, **how: Any) -> Any:
            result = right(*given, **how)
            plain = len(given) < 2 or right is not np.array
            default = plain and "dtype" not in how and result.dtype == np.int64
            return result.astype(np.int32) if default else result

        monkeypatch.setattr(np, name, short)


@pytest.mark.parametrize(
    "array",
    [
        lambda: redblack.thresholds(5, method="staircase").n,
        lambda: redblack.thresholds(5, method="diagonal").n,
        lambda: redblack.published_values().thresholds.n,
        lambda: redblack.thresholds(9).least_red(range(5)),
        lambda: redblack.boundary(redblack.solve(3, 4)).excess,
        lambda: redblack.boundary(redblack.solve(3, 4, backend="exact")).excess,
    ],
)
@pytest.mark.usefixtures("short_integers")
def test_public_arrays(array: Callable[[], Any]) -> None:
    assert array().dtype == np.int64
