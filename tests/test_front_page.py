"""The front of the project: the game to play, and what strangers see first of pages."""

from __future__ import annotations

import json
import re
import runpy
from importlib.metadata import metadata
from pathlib import Path

import pytest

from cardgames_dp import redblack

ROOT = Path(__file__).parents[1]
EXTENSIONS = ROOT / "docs" / "_ext"
README = (ROOT / "README.rst").read_text(encoding="utf-8")
STRATEGY = re.compile(
    r"ahead by ([\d, ]+), stop with at most ([\d, ]+) cards? left\W+ahead by (\d), stop"
)


@pytest.fixture(scope="module")
def game() -> str:
    return str(runpy.run_path(str(EXTENSIONS / "playing.py"))["game"]())


def test_the_game_knows_what_the_solution_says(game: str) -> None:
    (table,) = re.findall(r"const more = (\[\[.*\]\]), worth = 2\.62;", game)
    gains = json.loads(table)
    solution = redblack.solve(26, 26)
    assert [len(row) for row in gains] == [27] * 27
    for red, row in enumerate(gains):
        for black, gain in enumerate(row):
            if red + black:
                advice = solution.advice(redblack.State(red, black))
                values, tie = advice.values, advice.tie
                assert (gain > 0, gain == 0) == (advice.best == ("draw",), tie)
                beyond = float(values["draw"]) - float(values["stop"])
                assert abs(gain / 1000 - beyond) < 0.000501


def test_the_game_is_small_and_asks_for_no_file(game: str) -> None:
    assert len(game.encode()) < 9500
    assert not re.search(r"https?:|src=|href=|@import|fetch\(|TABLE|VALUE", game)
    assert game.count("<button") == 4
    assert 'role="status"' in game


def test_the_strategy_in_one_line_is_optimal() -> None:
    page = (ROOT / "docs" / "index.rst").read_text(encoding="utf-8")
    for text in (README, page):
        (said,) = STRATEGY.findall(" ".join(text.replace("*", "").split()))
        *listed, always = [[*map(int, part.split(","))] for part in said]
        excesses, most = listed
        result = redblack.thresholds(6).n.tolist()
        assert (excesses, most) == ([1, 2, 3, 4, 5], result[:5])
        # So far ahead, at most 52 - 6 cards are left.
        assert always == [6]
        assert result[5] >= 52 - 6


def relative(text: str) -> list[str]:
    """Return links and pictures that have no full address."""
    result = re.findall(
        r"<([^<>\s]+)>`_|\.\. image:: (\S+)|^\.\. _.*: (.*)", text, re.M
    )
    targets = ["".join(parts) for parts in result]
    return [target for target in targets if not target.startswith("https://")]


def test_a_package_index_gets_no_relative_link() -> None:
    files = relative(README)
    assert len(files) > 8
    assert [file for file in files if not (ROOT / file).is_file()] == []
    without = str(metadata("cardgames_dp").json["description"])
    assert relative(without) == []
    assert "image" not in without
    assert "- Classic games: Pig" in without
