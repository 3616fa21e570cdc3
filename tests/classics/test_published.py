"""Published figures of large games, in what the page shows of the scripts.

The session ``examples`` runs these scripts and holds their output against the page.
"""

from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "classics.rst"
PUBLISHED = {
    # The positions and the misers on BGonline, Peelle's value in Vector 24.
    "bearoff": [
        *("54,264 positions", "none off, though one could be: 3,825 rolls"),
        "2341/7776 = 0.301055",
    ],
    # Project Euler.
    "coins": ["wins 0.83648555"],
    # C. Steininger's outcomes; the numbers of positions are widely quoted.
    "connect_four": [
        "4 columns, 4 rows: a draw (161,029 positions)",
        "5 columns, 3 rows: a draw (158,911 positions)",
    ],
    # S. N. Ethier, J. J. Kim and J. Lee, arXiv:1602.04171; jazbo.com, 99.544 %;
    # J. Grochowski (2012), a royal flush in 40,391 hands.
    "jacks_or_better": [
        *("134,459 hands", "1,153 values of a dealt hand"),
        *("the best play returns 99.54390", "royal flush         40,390.547"),
    ],
}


@pytest.mark.parametrize("script", PUBLISHED)
def test_published(script: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = page.partition(f"   $ python3 examples/classics/{script}.py\n\n")[2]
    shown = shown.partition("\n\n")[0]
    assert [figure for figure in PUBLISHED[script] if figure not in shown] == []
