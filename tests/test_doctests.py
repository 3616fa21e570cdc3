"""The examples in the package's docstrings and in the README, run as they stand.

They run as in the program of a caller who has set all that a program can set.
"""

import decimal
import doctest
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import mpmath
import numpy as np
import pytest

import cardgames_dp

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
README = Path(__file__).parents[1] / "README.rst"
NEIGHBOURS = {
    "cardgames_dp.interop",
    "cardgames_dp._interop.from_open_spiel",
    "cardgames_dp._interop.to_open_spiel",
}
"""Those whose examples need other packages: for tests/interop to run."""

MODULES = [
    "cardgames_dp",
    *(
        module.name
        for module in pkgutil.walk_packages(cardgames_dp.__path__, "cardgames_dp.")
        if module.name not in NEIGHBOURS
    ),
]


@pytest.fixture(autouse=True)
def surroundings() -> Iterator[None]:
    """Let NumPy raise errors, and give mpmath, Decimal and str few digits."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        with (
            np.errstate(all="raise"),
            mpmath.workdps(5),
            decimal.localcontext(decimal.Context(prec=3, Emax=9, Emin=-9)),
        ):
            yield
    finally:
        sys.set_int_max_str_digits(digits)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert not failed


def test_readme() -> None:
    failed, attempted = doctest.testfile(
        str(README), module_relative=False, optionflags=FLAGS
    )
    assert attempted
    assert not failed
