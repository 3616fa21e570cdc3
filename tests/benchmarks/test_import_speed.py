"""Time to import, in a fresh interpreter, against NumPy's; asserts nothing about it.

Target: ``import cardgames_dp`` takes at most half as long again as ``import numpy``.
Compare the rows of one run; "nothing" is what the interpreter itself takes.
"""

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

CODE = {
    "nothing": "pass",
    "numpy": "import numpy",
    "cardgames_dp": "import cardgames_dp",
    "every game": "from cardgames_dp import cardrow, fitting, pairs, redblack",
    "a value": "from cardgames_dp import redblack; redblack.value(26, 26)",
    "a row": "from cardgames_dp import cardrow; cardrow.value([1, 5, 2])",
    "a fit": "from cardgames_dp import fitting; fitting.asymptotic_value(10**6)",
    "rules": "from cardgames_dp import pairs; pairs.Rules()",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_import(benchmark: BenchmarkFixture, code: str) -> None:
    command = [sys.executable, "-c", code]
    benchmark.pedantic(subprocess.run, (command,), {"check": True}, rounds=15)
