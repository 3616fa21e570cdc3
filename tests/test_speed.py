"""The tool that measures two commits, without a look at the times."""

import pytest

from .tools import fresh, speed
from .tools.speed import Call


def test_the_first_way_that_a_commit_knows_is_measured() -> None:
    ways = (
        Call(
            "redblack.value(2)", "from cardgames_dp import redblack_of_old as redblack"
        ),
        Call("redblack.worth(2, 2)", "from cardgames_dp import redblack"),
        Call("redblack.value(2, 2)", "from cardgames_dp import redblack", 3),
    )
    processor, wall = speed.timed(fresh.ROOT, ways)
    assert processor >= 0
    assert wall > 0
    with pytest.raises(SystemExit, match=r"redblack\.worth\(2, 2\): .*no attribute"):
        speed.timed(fresh.ROOT, ways[:2])


@pytest.mark.parametrize("name", [name for name in speed.CALLS if "import" in name])
def test_imports_are_measured_alone(name: str) -> None:
    assert all(not way.before for way in speed.CALLS[name])


def test_a_line_of_the_table() -> None:
    first = {"call": [(1.0, 2.0), (1.5, 2.0), (2.0, 2.0)]}
    second = {"call": [(3.0, 1.0), (3.0, 1.0), (3.0, 1.0)]}
    assert speed.report("call", first, second).split() == [
        *("call", "1.500", "±", "67%", "3.000", "±", "0%", "2.000", "3.000"),
        *("2.000", "±", "0%", "1.000", "±", "0%", "0.500", "0.500"),
    ]
