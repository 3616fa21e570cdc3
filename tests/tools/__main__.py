"""Run a tool for developers: what measures the library, and what finds its faults.

``python -m tests.tools NAME [OPTION ...]``, from the root of the project; what stands
behind the name goes to the tool, and ``--help`` explains its options.

- ``coverage``: which lines and branches the tests run, and which test runs a line.
- ``memory``: how much memory the usual calls take.
- ``mutants``: small changes of the code, which tests must notice.
- ``speed``: how long calls take in two commits.
"""

import re
import runpy
import sys

NAMES = re.findall(r"^- ``([\w.]+)``", __doc__, re.MULTILINE)


def main() -> None:
    """Run the tool that is named."""
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(__doc__)
    name = f"tests.tools.{sys.argv.pop(1)}"
    runpy.run_module(name, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
