"""Settings that hold for every test, and what several test files use."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import Phase, settings

os.environ.setdefault("MPLBACKEND", "Agg")
# Before NumPy is loaded: several threads only wait for each other beside other workers,
# and `test_recorded` compares results to the last bit.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# `ci` repeats the same examples in every run, `thorough` looks for new ones, `mutants`
# (below) needs no small example of what is wrong.
for name, examples, repeatable in [
    ("dev", 25, False),
    ("ci", 100, True),
    ("thorough", 2000, False),
]:
    settings.register_profile(
        name,
        settings.get_profile("default"),
        max_examples=examples,
        derandomize=repeatable,
        deadline=None,
        print_blob=True,
    )
settings.register_profile(
    "mutants",
    settings.get_profile("ci"),
    max_examples=25,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)


@pytest.fixture(params=["threads", "processes"], scope="module")
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Two workers, which live as long as the tests of a module that share them."""
    pool: Executor
    if request.param == "threads":
        pool = ThreadPoolExecutor(2)
    else:  # a fork of a process with threads is deprecated
        pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    with pool:
        yield pool
