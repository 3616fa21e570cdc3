"""What calls refuse and how results show themselves, in tables of text."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs, play, running
from cardgames_dp.pairs import Rules

from .. import told

RULES = Rules(deck=3, target=5)
LONGER, OTHER = Rules(deck=3, target=6), Rules(deck={1: 1, 2: 2, 4: 3, 5: 1}, target=5)
MORE = Rules(deck={1: 2, 2: 2, 3: 3}, target=5)  # two 1s can be in hands
OFFICIAL = pairs.Rules.official(deck=5, target=8, burn=2)
SOLVED = pairs.solve(RULES)
REMEMBERED = pairs.solve(Rules(deck=3, target=4, reshuffle="exhausted"))
THREE = pairs.solve(Rules(players=3, deck={1: 2, 2: 3}, target=3))
RESPONSE = pairs.best_response(RULES, "never_hit")
WRITTEN = pickle.dumps(RESPONSE)
EVALUATED = pairs.evaluate(RULES, ["never_hit", "optimal"])
LOWEST = Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest")
DEALT = pairs.Position(pairs.solve(LOWEST))
OVER = pairs.Position(pairs.solve(Rules(deck=2, target=1))).play(2).play("fold")
POOL = ThreadPoolExecutor(1)


def advising(scores: Any = (0, 0), **asked: Any) -> Any:
    """Ask about one card against another."""
    return SOLVED.advice(**{"hand": [1], "others": [2], "scores": scores} | asked)


def deciding(policy: Any = "never_hit", **asked: Any) -> Any:
    position = {"hand": [5], "others": [9], "scores": [0, 0]}
    return pairs.decision(policy, **(position | asked))


def evaluating(rules: Any = RULES, policy: Any = "never_hit", **options: Any) -> Any:
    return pairs.evaluate(rules, policy, **options)


def responding(rules: Any = RULES, policy: Any = "never_hit", **options: Any) -> Any:
    return pairs.best_response(rules, policy, **options)


def regretting(policy: Any) -> Any:
    return pairs.regret(RULES, policy)


def simulating(policy: Any) -> Any:
    return pairs.simulate(RULES, policy, games=1)


def seeing(**fields: Any) -> pairs.View:
    seen: dict[str, Any] = {
        "rules": RULES,
        "hand": np.array([[1, 0, 0]]),
        "others": np.array([[[0, 1, 0]]]),
        "unseen": np.array([[0, 1, 3]]),
        "scores": np.array([[0, 0], [1, 2]]),
    }
    return pairs.View(**(seen | fields))


def broken(_: pairs.View) -> Any:
    raise RuntimeError("not today")


def sly(view: pairs.View) -> Any:
    return view.lowest > 2


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, view: pairs.View) -> Any:
        return view.lowest > 3


PUBLIC = {name: getattr(pairs, name) for name in [*dir(pairs), "plots"]}
PUBLIC |= {"play": play, "running": running}
TABLES = [Path(__file__).with_name(name) for name in ("refused.txt", "shown.txt")]


@pytest.mark.parametrize(
    "line", [*told.table(TABLES[0]), *told.table(TABLES[1])], ids=str
)
def test_told(line: told.Told) -> None:
    line.check(PUBLIC | globals())


def test_instances_of_classes_are_policies() -> None:
    assert pairs.evaluate(RULES, Careful()).policies == ("Careful",) * 2
