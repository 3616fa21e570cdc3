"""Bad input is refused in words that name it and what would do."""

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import fitting, play, redblack

from .. import told

FILE = Path(__file__).with_name("refused.txt")

NAMES: dict[str, Any] = {name: getattr(fitting, name) for name in dir(fitting)}
NAMES |= {"np": np, "redblack": redblack, "Decimal": Decimal}
NAMES["laws"] = lambda *deck: play.distribution(
    redblack.game(*deck), "optimal", count="draw"
)
NAMES |= {"nan": math.nan, "inf": math.inf}
NAMES |= {"CARDS": [1, 4, 9, 16, 49], "VALUES": [2, 3, 3, 7, 10]}
NAMES["LAW"] = fitting.fit(NAMES["CARDS"], NAMES["VALUES"], "log")


@pytest.mark.parametrize("line", [*told.table(FILE)], ids=str)
def test_refused(line: told.Told) -> None:
    line.check(NAMES)
