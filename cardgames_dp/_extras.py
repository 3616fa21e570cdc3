"""Optional packages, imported where a feature needs them."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

T = TypeVar("T")


def require(package: str, *, extra: str, purpose: str) -> Any:
    """Return an installed package or module, or name the extra that installs it.

    Parameters
    ----------
    package : str
        Its import name, or that of one of its modules.
    extra : str
        The extra of this project that installs it.
    purpose : str
        The feature that needs it, which begins the error message.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        name = package.partition(".")[0]
        raise ModuleNotFoundError(
            f"{purpose} needs {name}: python3 -m pip install 'cardgames_dp[{extra}]'",
            name=error.name,
        ) from error


def progress_bar(
    total: int | None, unit: str, *, shown: bool
) -> AbstractContextManager[Any | None]:
    """Return the bar of a ``progress=`` argument: tqdm's, or None if not `shown`.

    Parameters
    ----------
    total : int or None
        The number of steps, if it is known.
    unit : str
        The unit of a step, in the plural.
    shown : bool
        The argument `progress`.

    Raises
    ------
    ModuleNotFoundError
        If it is to be shown and `tqdm` is not installed.
    """
    if not shown:
        return nullcontext()
    bar: AbstractContextManager[Any] = _tqdm(
        None, total=total, unit=f" {unit}", unit_scale=True
    )
    return bar


def tracked(
    steps: Iterable[T], total: int | None, unit: str, *, shown: bool
) -> Iterable[T]:
    """Return the steps of a loop, with a bar that counts them if `shown`."""
    if not shown:
        return steps
    bar: Iterable[T] = _tqdm(steps, total=total, unit=f" {unit}", unit_scale=True)
    return bar


def _tqdm(steps: object, **options: object) -> Any:
    """Return a bar: a widget in notebooks that support it, otherwise a line of text."""
    tqdm = require("tqdm", extra="progress", purpose="progress=True")
    with warnings.catch_warnings():
        # A notebook without widgets shows a text bar instead, which is fine.
        warnings.simplefilter("ignore", tqdm.TqdmWarning)
        auto = require("tqdm.auto", extra="progress", purpose="progress=True")
    # A notebook shows stderr in red, as if it were an error.
    in_notebook = type(sys.stderr).__module__.startswith("ipykernel.")
    return auto.tqdm(steps, file=sys.stdout if in_notebook else None, **options)
