"""Make DataFrames of the results of Pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cardgames_dp._extras import require

if TYPE_CHECKING:
    import pandas as pd


def data_frame(
    columns: Mapping[str, Any], *, index: tuple[str, Any] | None = None
) -> pd.DataFrame:
    """Return columns as a DataFrame; the index, if given, with its name.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed (the extra ``pandas``).
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    name, labels = index or (None, None)
    rows = None if labels is None else pandas.Index(labels, name=name)
    frame: pd.DataFrame = pandas.DataFrame(dict(columns), index=rows)
    return frame
