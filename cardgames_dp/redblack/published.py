"""Certified values and thresholds that come with the package, with their provenance.

No function reads them: `value`, `enclosure` and `thresholds` compute their results.
"""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp._extras import require
from cardgames_dp._records import Record, plain, summary
from cardgames_dp.redblack.boundary import Thresholds
from cardgames_dp.redblack.certified import Enclosure
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

_FOLDER = Path(__file__).parent / "_data"

_CHECKSUMS = {
    "values.csv": "1669c62f50b97b20cdc1b1dfb420d094",
    "thresholds.npz": "df74e54d8f9db6d0fa2162035c91f13f",
}
"""Of the files, as they were when the table was made."""


@dataclass(frozen=True, slots=True, repr=False)
class PublishedValues(Record):
    """Certified values and thresholds of the classic rules; see `published_values`.

    Attributes
    ----------
    decks : tuple of int
        The sizes l of decks of l red and l black cards: 1, 2, 5, 10, 20, ...
    enclosures : tuple of Enclosure
        Certified bounds of their values.
    thresholds : Thresholds
        The thresholds n_1, n_2, ...; -1 where one could not be certified.
    provenance : str
        How and when the values and thresholds were computed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> known = redblack.published_values()
    >>> known.decks[:5], known.thresholds.exact_up_to
    ((1, 2, 5, 10, 20), 21585)
    """

    decks: tuple[int, ...]
    enclosures: tuple[Enclosure, ...]
    thresholds: Thresholds
    provenance: str

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields by name, as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        fields: dict[str, Any] = plain(self, json=json)
        return fields

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of the enclosures, indexed by l, half of the deck.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.Index(self.decks, name="l")
        rows = [bounds.to_dict() for bounds in self.enclosures]
        frame: pd.DataFrame = pandas.DataFrame(rows, index=index)
        return frame

    def __repr__(self) -> str:
        return summary(
            self,
            decks=self.decks,
            thresholds=len(self.thresholds),
            provenance=self.provenance,
        )


def published_values() -> PublishedValues:
    """Return the certified values and thresholds that come with the package.

    They are a reference to look up and to compare with; nothing is computed.

    Grade: certified.

    Returns
    -------
    PublishedValues
        Bounds of the values of l + l cards, for l = 1, 2, 5, 10, ... up to ten thousand
        million, and the 118,782 thresholds up to the last of these decks, from one
        climb with longer floats. 132 of the thresholds are not certain and stored as
        -1; the first is at excess 21,586.

    Raises
    ------
    ValueError
        If a file of it was changed or damaged after it was installed.

    References
    ----------
    Computed by this package, as `PublishedValues.provenance` says.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> known = redblack.published_values()
    >>> million = known.enclosures[known.decks.index(1_000_000)]
    >>> redblack.value(1_000_000, 1_000_000) in redblack.enclosure(10**6, 10**6)
    True
    >>> print(f"{million.midpoint:.13g}")
    522.0335326184
    >>> known.thresholds[:8]
    [3, 8, 17, 28, 41, 58, 79, 100]
    """
    provenance, *lines = _content("values.csv").decode().splitlines()
    rows = list(csv.DictReader(lines))
    file = io.BytesIO(_content("thresholds.npz"))
    with np.load(file, allow_pickle=False) as npz:
        bends, undecided = npz["bends"], tuple(npz["undecided"].tolist())
    found = np.cumsum(np.cumsum(bends, dtype=np.int64))
    found[[excess - 1 for excess in undecided]] = -1
    exact_up_to = min(undecided, default=len(found) + 1) - 1
    return PublishedValues(
        tuple(int(row["l"]) for row in rows),
        tuple(
            Enclosure(float(row["lower"]), float(row["upper"]), "staircase")
            for row in rows
        ),
        Thresholds(found, exact_up_to, undecided, Rules()),
        provenance.removeprefix("# "),
    )


def checksum(content: bytes) -> str:
    """Return by what a file's content is known again."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _content(name: str) -> bytes:
    """Return what a file holds, if it is as it was made."""
    path = _FOLDER / name
    content = path.read_bytes()
    if name.endswith(".csv"):
        content = content.replace(b"\r\n", b"\n")  # as Git has it on some machines
    if checksum(content) != _CHECKSUMS[name]:
        raise ValueError(
            f"{path} was changed after it was made; install cardgames_dp again"
        )
    return content
