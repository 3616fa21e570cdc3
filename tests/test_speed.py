"""The tool that measures two commits, without a look at the times."""

import pytest

from .tools import fresh, speed


def test_a_call_is_measured() -> None:
    processor, wall = speed.timed(fresh.ROOT, "sum(numbers)", "numbers = range(9)", 3)
    assert processor >= 0
    assert wall > 0
    with pytest.raises(SystemExit, match="no_such_name"):
        speed.timed(fresh.ROOT, "no_such_name", "pass")


def test_a_line_of_the_table() -> None:
    first = {"call": [(1.0, 2.0), (1.5, 2.0), (2.0, 2.0)]}
    second = {"call": [(3.0, 1.0), (3.0, 1.0), (3.0, 1.0)]}
    assert speed.report("call", first, second).split() == [
        *("call", "1.500", "±", "67%", "3.000", "±", "0%", "2.000", "3.000"),
        *("2.000", "±", "0%", "1.000", "±", "0%", "0.500", "0.500"),
    ]
