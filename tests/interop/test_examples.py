"""The examples of the modules whose neighbours must be there."""

import doctest

import pytest

from cardgames_dp import interop
from cardgames_dp._interop import from_open_spiel, to_open_spiel


@pytest.mark.parametrize("module", [interop, from_open_spiel, to_open_spiel])
def test_docstrings(module: object) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(module, optionflags=flags)  # type: ignore[arg-type]
    assert not failed
