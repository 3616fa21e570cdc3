"""Short ways to say that a call is refused, and with which words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import pytest

from cardgames_dp import TooLargeError, running
from cardgames_dp.game import GameError


def refuses(
    error: type[Exception],
    words: str,
    call: Callable[..., Any],
    *args: Any,
    **options: Any,
) -> Exception:
    """Check that a call raises just this kind of error, whose message has the words."""
    with pytest.raises(error) as caught:
        call(*args, **options)
    assert type(caught.value) is error
    assert words in " ".join(str(caught.value).split())
    return caught.value


type_error = partial(refuses, TypeError)
value_error = partial(refuses, ValueError)
game_error = partial(refuses, GameError)
too_large = partial(refuses, TooLargeError)


def within(max_bytes: int, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return what a call returns within so much memory."""
    with running(max_bytes=max_bytes):
        return call(*args, **options)


def without(package: str, call: Callable[[], Any]) -> Any:
    """Return what a call returns where a package is not installed."""
    with mock.patch.dict(sys.modules, {package: None}):
        return call()
