"""The examples in the package's docstrings and in the README, run as they stand."""

import doctest
import importlib
import pkgutil
from pathlib import Path

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
