"""The front of the project: the game to play, and what strangers see first of pages."""

from __future__ import annotations

import json
import re
import runpy
import sys
import types
from pathlib import Path
from typing import Any

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
        found = redblack.thresholds(6).n.tolist()
        assert (excesses, most) == ([1, 2, 3, 4, 5], found[:5])
        # So far ahead, at most 52 - 6 cards are left.
        assert always == [6]
        assert found[5] >= 52 - 6


def test_the_animation_is_small() -> None:
    film = (ROOT / "docs" / "_static" / "game.gif").read_bytes()
    assert film[:6] == b"GIF89a"
    assert len(film) < 300_000


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the hook of the build defines, without what builds."""
    name = "hatchling.metadata.plugin.interface"
    interface = types.ModuleType(name)
    interface.MetadataHookInterface = object  # type: ignore[attr-defined]
    for part in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    monkeypatch.setitem(sys.modules, name, interface)
    return runpy.run_path(str(EXTENSIONS / "package_index.py"))


def relative(text: str) -> list[str]:
    """Return links and pictures that have no full address."""
    found = re.findall(r"<([^<>\s]+)>`_|\.\. image:: (\S+)|^\.\. _.*: (.*)", text, re.M)
    targets = ["".join(parts) for parts in found]
    return [target for target in targets if not target.startswith("https://")]


def test_a_package_index_gets_no_relative_link(hook: dict[str, Any]) -> None:
    files = relative(README)
    assert len(files) > 8
    assert [file for file in files if not (ROOT / file).is_file()] == []
    without = hook["for_an_index"](README, None)
    assert relative(without) == []
    assert "image" not in without
    assert "- Classic games: Pig" in without
    linked = hook["for_an_index"](README, "https://example.org/x/")
    assert relative(linked) == []
    raw = ".. image:: https://example.org/x/raw/HEAD/docs/_static/game.gif\n   :alt:"
    assert raw in linked
    assert linked.count("https://example.org/x/blob/HEAD/") == len(files) - 1


def test_heads_describe_pages() -> None:
    heads = runpy.run_path(str(EXTENSIONS / "heads.py"))
    assert heads["shortened"]("one\n two") == "one two"
    whole = f"{'A sentence' * 8}. {'And more. ' * 20}"
    some = heads["shortened"](whole)
    assert some.endswith(" And more.")
    assert 80 < len(some) <= heads["LONGEST"]
    cut = heads["shortened"]("word, " * 40)
    assert cut.endswith("word…")
    assert len(cut) <= heads["LONGEST"]
    local = heads["tags"]("A & B", 'say "x"', "")
    assert '<meta property="og:title" content="A &amp; B"/>' in local
    assert '<meta name="description" content="say &quot;x&quot;"/>' in local
    assert "og:image" not in local
    public = heads["tags"]("A", "", "https://example.org/en/")
    picture = f"https://example.org/en/{heads['PICTURE']}"
    assert f'<meta property="og:image" content="{picture}"/>' in public
    assert "description" not in public
    assert (ROOT / "docs" / heads["PICTURE"]).is_file()


def test_the_readme_has_two_commands_to_run() -> None:
    """They are all that a newcomer has to copy; CI runs the second as it stands."""
    first, second = re.findall(r"^ +python3 -m pip install .*$", README, re.MULTILINE)
    assert first.endswith("examples/problem14.py")
    assert second.endswith("nox -s tests")
