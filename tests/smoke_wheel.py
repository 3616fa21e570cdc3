"""Does an installed cardgames_dp work? Needs nothing but the package itself.

Run in an interpreter that has imported nothing yet; prints what it tried, or fails.
"""

import importlib.metadata
import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cardgames_dp

loaded = {name for name in sys.modules if name.startswith("cardgames_dp.")}
assert not loaded, f"import cardgames_dp loads {sorted(loaded)}"
heavy = {"numpy", "scipy", "mpmath", "matplotlib", "pandas", "tqdm"} & {*sys.modules}
assert not heavy, f"import cardgames_dp loads {sorted(heavy)}"

package = Path(cardgames_dp.__file__).parent
assert (package / "py.typed").is_file(), f"no py.typed in {package}"

version = importlib.metadata.version("cardgames_dp")
assert cardgames_dp.__version__ == version, (cardgames_dp.__version__, version)

with TemporaryDirectory() as folder:  # from the template, which is no module
    page = Path(folder) / "page.html"
    cardgames_dp.interop.to_html(cardgames_dp.redblack.solve(2, 2), page)
    assert page.stat().st_size > 8_000, page.stat()

value = cardgames_dp.redblack.value(26, 26)
assert math.isclose(value, 2.624475548993925, rel_tol=1e-12), value

print(f"cardgames_dp {version} in {package}: redblack.value(26, 26) = {value}")
