"""Storm, in double precision with its sound methods, which give two bounds."""

from typing import Any

import stormpy

from . import redblack_storm

ABOUT = ("stormpy, sound", "stormpy", "certified but for rounding")

build = redblack_storm.build


def solve(model: Any) -> float:
    bounded = redblack_storm.check(model, stormpy.environments.sound())
    return float((bounded.lower + bounded.upper) / 2 - model[0])
