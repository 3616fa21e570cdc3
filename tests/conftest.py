"""Settings that hold for every test."""

import os

from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# `ci` repeats the same examples in every run, `thorough` looks for new ones.
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
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)
