"""What examples/pairs_complete.py has for the essay."""

import runpy
import sys
from pathlib import Path
from unittest import mock

_EXAMPLE = Path(__file__).parents[2] / "examples" / "pairs_complete.py"

with mock.patch.object(sys, "argv", [str(_EXAMPLE)]):
    _found = runpy.run_path(str(_EXAMPLE))

met, hits, inverted = (_found[name] for name in ("met", "hits", "inverted"))
"""All positions that can be reached, and the essay's rule, as the example has them."""
