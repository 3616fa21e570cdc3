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
RESPONSE = play.best_response(pairs.game(RULES), [None, "never_hit"], 0)
WRITTEN = pickle.dumps(RESPONSE)
EVALUATED = play.evaluate(pairs.game(RULES), ["never_hit", "optimal"])
RATED = pairs.rates(RULES, ["never_hit", "optimal"])
LOWEST = Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest")
DEALT = play.Position(pairs.solve(LOWEST))
OVER = play.Position(pairs.solve(Rules(deck=2, target=1))).play(2).play("fold")
POOL = ThreadPoolExecutor(1)


def advising(scores: Any = (0, 0), **table: Any) -> Any:
    """Ask about one card against another."""
    return pairs.state(
        **{"hand": [1], "others": [2], "scores": scores} | table, rules=RULES
    )


def placing(scores: Any) -> Any:
    return pairs.positions(SOLVED, scores)


def opening(scores: Any) -> Any:
    return pairs.opening_table(SOLVED, scores)


def starting(deck: Any) -> Any:
    rules = REMEMBERED.game.rules
    return REMEMBERED.payoffs_at(pairs.state(deck=deck, rules=rules))


def deciding(policy: Any = "never_hit", rules: Any = None, **table: Any) -> Any:
    position: Any = {"hand": [5], "others": [9]} | table
    return pairs.decision(policy, pairs.state(**position), rules=rules)


def evaluating(rules: Any = RULES, policy: Any = "never_hit") -> Any:
    return play.evaluate(pairs.game(rules), policy)


def rating(policy: Any = "never_hit") -> Any:
    return pairs.rates(RULES, policy)


def rates_of(rules: Any, **options: Any) -> Any:
    return pairs.rates(rules, "never_hit", **options)


def responding(rules: Any = RULES, policy: Any = "never_hit") -> Any:
    return play.best_response(pairs.game(rules), policy, 0)


def regretting(policy: Any) -> Any:
    return play.regret(pairs.game(RULES), policy)


def simulating(policy: Any) -> Any:
    return play.simulate(pairs.game(RULES), policy, 1)


def broken(_: Any) -> Any:
    raise RuntimeError("not today")


def sly(state: Any) -> Any:
    return np.where(RULES.lowest(state) > 2, "hit", "fold")


sly.__name__ = "<sly>"


class Careful:
    def __call__(self, state: Any) -> Any:
        return np.where(RULES.lowest(state) > 3, "hit", "fold")


PUBLIC = {name: getattr(pairs, name) for name in [*dir(pairs), "plots"]}
PUBLIC |= {"play": play, "running": running}
TABLES = [Path(__file__).with_name(name) for name in ("refused.txt", "shown.txt")]


@pytest.mark.parametrize(
    "line", [*told.table(TABLES[0]), *told.table(TABLES[1])], ids=str
)
def test_told(line: told.Told) -> None:
    line.check(PUBLIC | globals())


def test_instances_of_classes_are_policies() -> None:
    assert pairs.rates(RULES, Careful()).policies == ("Careful",) * 2
