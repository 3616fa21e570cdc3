"""Packages that only some features need, asked for where they are used."""

from __future__ import annotations

import importlib
from typing import Any


def require(package: str, *, extra: str, purpose: str) -> Any:
    """Return an installed package or module, or say which extra brings it.

    Parameters
    ----------
    package : str
        The name by which it is imported, or that of one of its modules.
    extra : str
        The extra of this project that installs it.
    purpose : str
        What it is needed for; the message starts with it.

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
