"""The example with OpenSpiel's games, which other sessions do not run."""

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]


def test_the_page_shows_what_the_example_prints() -> None:
    page = (ROOT / "docs" / "classics.rst").read_text("utf-8")
    (shown,) = re.findall(
        r"   \$ python3 examples/classics/open_spiel\.py\n\n((?:   .+\n)+)", page
    )
    script = ROOT / "examples" / "classics" / "open_spiel.py"
    done = subprocess.run(
        [sys.executable, str(script)], check=True, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout == dedent(shown)
    for published in ("5,478 positions, 765 but", "752 of 752 positions"):
        assert published in shown
