"""The result of a tournament."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord, plain, summary
from cardgames_dp.cardrow.cards import counted

if TYPE_CHECKING:
    import pandas as pd


_OF_SEVERAL_GAMES = ("win_rate_error", "lead_deviation", "lead_error")
"""What one game tells nothing of."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tournament(ArrayRecord):
    """What came of a tournament; made by :func:`tournament`, prints as a table.

    Arrays have a row for each player in the first seat and a column for each in the
    second, in the order of `players`, and are read-only. Wins, losses and leads are
    those of the first seat.

    Attributes
    ----------
    players : tuple of str
        Their names.
    games : int
        Played by each pair: as many as there were deals.
    wins, draws, losses : ndarray of int64, shape (players, players)
        How many games ended so.
    mean_lead : ndarray of float64, shape (players, players)
        What the first seat won by, on average.
    lead_deviation : ndarray of float64, shape (players, players)
        The sample's standard deviation of that, with the divisor ``games - 1``. One
        game tells nothing of it, nor of standard errors: these are NaN then, and None
        in `to_dict`.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = [[4, 4, 6, 6, 12, 9], [8, 4, 2, 2, 4, 8]]
    >>> print(cardrow.tournament(["optimal", "greedy", "larger"], rows))
    win/draw/lose of the first seat, 2 games a pair
             optimal  greedy  larger
    optimal    1/1/0   1/1/0   1/1/0
    greedy     0/1/1   0/1/1   0/1/1
    larger     0/1/1   0/1/1   0/1/1
    """

    players: tuple[str, ...]
    games: int
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    mean_lead: NDArray[np.float64]
    lead_deviation: NDArray[np.float64]

    @property
    def win_rate(self) -> NDArray[np.float64]:
        """The share of the games that the first seat won."""
        return self.wins / self.games

    @property
    def win_rate_error(self) -> NDArray[np.float64]:
        """The standard error of `win_rate`, by the sample; NaN for one game."""
        if self.games == 1:
            return np.full(self.wins.shape, math.nan)
        rate = self.win_rate
        return np.sqrt(rate * (1 - rate) / (self.games - 1))

    @property
    def lead_error(self) -> NDArray[np.float64]:
        """The standard error of `mean_lead`, by the sample; NaN for one game."""
        return self.lead_deviation / math.sqrt(self.games)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each pair, by its players' names.

        What one game does not tell is missing (NaN).

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas()")
        index = pandas.MultiIndex.from_product(
            [self.players, self.players], names=["first", "second"]
        )
        columns = {name: array.ravel() for name, array in self._arrays().items()}
        frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return everything as plain lists and numbers, ``[first][second]``.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON knows may be left, as is so in any case.
        """
        missing = () if self.games > 1 else _OF_SEVERAL_GAMES
        arrays = self._arrays() | dict.fromkeys(missing)
        found: dict[str, Any] = plain(
            {"players": list(self.players), "games": self.games, **arrays}, json=json
        )
        return found

    def __str__(self) -> str:
        table = [["", *self.players]]
        table += [[name, *cells] for name, cells in self._cells()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                [row[0].ljust(widths[0])]
                + [x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True)]
            )
            for row in table
        ]
        return "\n".join([self._title(), *lines])

    def __repr__(self) -> str:
        return summary(self, players=self.players, games=self.games)

    def _repr_html_(self) -> str:
        first = slice(0, _html.MOST_ROWS)
        rows = (
            [_html.label(name), *map(_html.cell, cells[first])]
            for name, cells in islice(self._cells(), _html.MOST_ROWS)
        )
        head = ["first \\ second", *self.players[first]]
        notes = _html.first_of(len(self.players), "players")
        return _html.table(self._title(), head, rows, notes)

    def _title(self) -> str:
        return f"win/draw/lose of the first seat, {counted(self.games, 'game')} a pair"

    def _cells(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each row of the table of results: the first player's name, and text."""
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1).tolist()
        for name, row in zip(self.players, counts, strict=True):
            yield name, ["/".join(map(str, cell)) for cell in row]

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": self.win_rate,
            "win_rate_error": self.win_rate_error,
            "mean_lead": self.mean_lead,
            "lead_deviation": self.lead_deviation,
            "lead_error": self.lead_error,
        }
