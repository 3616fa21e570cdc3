"""See which lines and branches the tests run, and record which test runs a line.

``python -m tests.tools coverage``; options are those of pytest. It leaves ``.coverage``
and, with the time that each test takes, ``.coverage.xml``: for the tool ``mutants``.
"""

import sys

import pytest

OPTIONS = [
    *("--numprocesses=auto", "--dist=loadgroup"),
    *("--cov=cardgames_dp", "--cov-branch", "--cov-context=test"),
    *("--cov-report=term-missing:skip-covered", "--junitxml=.coverage.xml"),
]


if __name__ == "__main__":
    sys.exit(pytest.main([*OPTIONS, *sys.argv[1:]]))
