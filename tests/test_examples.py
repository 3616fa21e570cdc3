"""What examples print, and their kept figures, beside the sources and the library.

Examples that take seconds run here, as they stand. The session ``examples`` runs all of
them and holds what they make against the tables and pages that are kept; so the figures
of the long ones are read from there.
"""

import csv
import os
import re
import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs, play, redblack

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
UNUSED = ("pandas", "tqdm")
"""Extras that no example needs."""


def run(arguments: list[str], folder: Path, without: tuple[str, ...]) -> str:
    """Return what Python prints, with packages hidden from it, in an empty folder."""
    # Python runs this file first; what is None there cannot be imported.
    hiding = folder / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text(
        f"import sys\nsys.modules.update(dict.fromkeys({without!r}))\n"
    )
    paths = [str(hiding), os.environ.get("PYTHONPATH", "")]
    (folder / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder / "empty",
        env={
            **os.environ,
            "MPLBACKEND": "Agg",
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


PRINTS: dict[str, list[str]] = {
    "problem14.py": [
        *("41984711742427/15997372030584", "2.624475548993925"),
        "      19   ##.........................\n",
        "State(red=16, black=22, decision=''), 6 in hand: stop;",
        "     6      0.047611",
        "standard errors from the value",
    ],
    "little_sister.py": [
        "greedy, who started, took 19 and larger 22",
        "4,095 calls for the first move",
        *("↓ 26:18", "+6.00 when we start", "value 3525"),
    ],
    "estimate_player.py": [
        *("by 500 turns", "larger   0.805 ± 0.026", "the estimate wins 1.17"),
    ],
}
"""Some of what examples print, most of it from their sources."""

DRAW = {"problem14"}
"""What leaves a picture; the others run without matplotlib."""


@pytest.mark.slow
@pytest.mark.parametrize("command", PRINTS)
def test_example_runs(command: str, tmp_path: Path) -> None:
    script, *arguments = command.split()
    name = script.removesuffix(".py")
    without = UNUSED if name in DRAW else (*UNUSED, "matplotlib")
    printed = run([str(EXAMPLES / script), *arguments], tmp_path, without)
    assert [part for part in PRINTS[command] if part not in printed] == []
    assert "not as given" not in printed
    if script == "problem14.py":  # a newcomer's first command
        assert max(map(len, printed.splitlines())) <= 80
    drawn = [*(tmp_path / "empty").glob("*.png")]
    assert [file.name for file in drawn] == [f"{name}.png"] * (name in DRAW)
    for file in drawn:
        assert file.name in printed
        assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


# Figures that are kept
# ---------------------


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a kept table."""
    path = ROOT / "docs" / "tables" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def printed(script: str) -> str:
    """Return what a page shows of an example."""
    page = (ROOT / "docs" / "results.rst").read_text(encoding="utf-8")
    text = page.partition(f"   $ python3 examples/{script}\n\n")[2]
    assert text
    return re.split(r"\n(?=\S)", text)[0]


def test_greedy_failures_are_those_of_the_theorems() -> None:
    by_cards = {row["cards"]: row for row in table("greedy_rows")}
    assert by_cards["3"]["greedy fails"] == "0.00%"
    assert by_cards["4"]["smallest"] == "1 1 3 2"
    m = 7  # the largest of the family 1, 1, 2m - 1, m with cards of at most 13
    assert Fraction(by_cards["4"]["ratio"]) == Fraction(m + 1, 2 * m)
    assert len(table("greedy_deals")) == 13


def test_kelly_coin_flip_comes_near_the_source() -> None:
    worths = {
        row["policy"]: float(row["worth in dollars"])
        for row in [*table("kelly_coin_flip")]
    }
    optimal = worths["optimal play"]
    assert abs(optimal - worths["optimal play, units of $1"]) < 0.01
    assert all(x < optimal for name, x in worths.items() if "bet" in name)


def test_pairs_complete_reproduces_the_essay() -> None:
    text = printed("pairs_complete.py")
    for part in (
        "3       6      4    850,525     685,838      120,727     152,562      120,728",
        "0.480467692077 first",
        "10           f  f  f  f  H",
    ):
        assert part in text
    *thumbs, optimal = table("pairs_thumbs")
    assert optimal["mean"] == optimal["mean, at worst"] == "0.500000"
    assert len(thumbs) == 3
    for thumb in thumbs:
        assert float(thumb["mean, at worst"]) <= float(thumb["mean"]) < 0.5


def test_pairs_rule_finds_the_best_of_each_kind() -> None:
    *most, best = table("pairs_rules")
    assert [row["rule"].partition("(")[0] for row in [*most, best]] == [
        *("fifty_percent", "expected_points", "FoldUpTo", "HitBelow", "SumBelow")
    ]
    assert all(float(row["mean"]) < float(best["mean"]) for row in most)
    assert 0.4 < float(best["mean, at worst"]) < float(best["mean"])


def test_results_are_those_of_the_sources() -> None:
    values = {row["l"]: row for row in table("results_values")}
    for deck in (1, 10, 100, 1000):  # what is printed is rounded outwards
        row, bounds = values[f"{deck:,}"], redblack.enclosure(deck, deck)
        assert Fraction(row["at least"]) <= bounds.lower
        assert Fraction(row["at most"]) >= bounds.upper
    row = values["100,000"]
    assert row["at least"] < "165.0758465328" < row["at most"]
    assert float(row["at most"]) - float(row["at least"]) < 1e-8
    assert row["the Problem 14 essay"] == "165.075847"
    for row in table("results_widths"):
        error = float(row["relative error of the midpoint, measured"])
        assert error < float(row["relative width"]) / 100
    errors = {row["l"]: row for row in table("results_growth")}
    assert errors["100"]["certified error"] == ""
    for size in ("1,000", "10,000"):  # where the bounds are close enough to tell
        stated = float(errors[size]["law's stated error"])
        assert float(errors[size]["certified error"]) < stated
    large = {row["k"]: row for row in table("results_large_thresholds")}
    assert (large["100"]["n_k"], large["200"]["n_k"]) == ("14,314", "56,980")
    optimal = table("results_tournament")[0]
    assert all(float(optimal[name][:4]) > 95 for name in ("optimal", "greedy"))


# Notebooks: the build of the pages runs them, and compares their answers
# -----------------------------------------------------------------------


NOTEBOOKS = sorted(EXAMPLES.glob("notebooks/*.py"))


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda script: script.stem)
def test_notebooks_are_for_readers(script: Path) -> None:
    """What only a checker of types wants is not in them; exercises have answers."""
    text = script.read_text(encoding="utf-8")
    words = ("cast", "assert", "type: ignore", "NDArray", " -> ", "import_module")
    assert [word for word in words if word in text] == []
    exercises = text.partition("# ## Exercises")[2]
    asked = len(re.findall(r"^# \*\*\d\.\*\*", exercises, re.M))
    assert asked == exercises.count('tags=["hide-cell"]') >= 3
    # Sliders are an extra of those who run it.
    assert ("import interact" in text) == ("except ImportError" in text)


# A card to print
# ---------------


CARD = runpy.run_path(str(EXAMPLES / "card.py"))


@pytest.mark.parametrize(
    ("red", "black", "rules"),
    [(26, 26, {}), (5, 9, {}), (12, 7, {"win": 2}), (10, 10, {"fee": "1/10"})],
)
def test_a_card_stops_where_the_table_stops(red: int, black: int, rules: Any) -> None:
    deck = redblack.solve(red, black, rules=redblack.Rules(**rules))
    rows, table = CARD["stops"](redblack.boundary(deck))[1:], deck.table("stop")
    said = {}
    for words, when in rows:
        for k in range(int(words.split()[0]), red + black + 1):
            said[k] = when
            if words.isdecimal():
                break
    for r, b in np.ndindex(red + 1, black + 1):
        if r + b and b > r:
            when = said.get(b - r, "")
            stops = when == "always" or (when and r + b <= int(when.split()[-1]))
            assert bool(stops) == table[r, b], (r, b, rows)


def card_of_short_rules() -> Any:
    """Return a card with red/black's rules of a few lines, at two prices."""
    deck = redblack.solve(9, 9)
    ahead = {"ahead": lambda s: s.black - s.red, "left": lambda s: s.red + s.black}
    prices = {"Simple": 0.1, "Better": 0.05}
    parts = {x: play.short_rule(deck, ahead, loss) for x, loss in prices.items()}
    return CARD["plot_card"]("9 red and 9 black cards", parts)


def test_a_card_says_what_a_rule_gives_and_fills_the_paper() -> None:
    rule = play.short_rule(redblack.solve(9, 9), {"red": "red"}, 1.5)
    (mean,), loss = rule.solution.payoffs, rule.loss
    _, heading, text = CARD["plot_card"]("", {"Stop?": rule}).axes[0].texts
    price = f"You get {mean:.4g} on average, {loss:.2g} less than with perfect play."
    assert " ".join(text.get_text().split()).endswith(price)
    assert heading.get_size() == text.get_size() == 20
    parts = {"How to play": "Stop.", "One": rule, "Another": rule}
    texts = {x.get_text(): x for x in CARD["plot_card"]("", parts).axes[0].texts}
    assert texts["How to play"].get_position()[0] == texts["One"].get_position()[0]
    exact_rule = play.short_rule(redblack.solve(1, 1), {"red": "red"}, 0)
    assert "as much as with perfect play." in CARD["sentences"](exact_rule, 99)


def test_the_page_of_rules_makes_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "rules.rst").read_text(encoding="utf-8")
    (code,) = re.findall(r"^\.\. code-block:: python\n\n((?:   .*\n|\n)+)", page, re.M)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "card", SimpleNamespace(**CARD))
    rule = play.short_rule(redblack.solve(2, 2), {"red": "red"}, 1)
    exec(dedent(code), {"rule": rule})
    assert (tmp_path / "piglet.pdf").read_bytes().startswith(b"%PDF")


def card_of_two_games() -> Any:
    opening = pairs.opening_table(pairs.solve(pairs.Rules(deck=4, target=10)))
    boundary = redblack.boundary(redblack.solve(26, 26))
    return CARD["two_games"](opening, pairs.SumBelow(), boundary)


def card_of_texts() -> Any:
    """Return a card with a long title, long texts and a table."""
    text = "Turn over the cards one by one, and stop whenever you like. " * 8
    parts = {"How to play": text, text: "Stop.", "In short": (text, [["1", "2"]])}
    return CARD["plot_card"]("A long title " * 12, parts)


@pytest.mark.parametrize(
    "make", [card_of_two_games, card_of_short_rules, card_of_texts]
)
def test_a_card_has_its_size_on_paper(make: Any) -> None:
    card = make()
    card.draw_without_rendering()
    width, height = card.get_size_inches() * 25.4
    assert (round(width), round(height)) == (210, 148)
    extents: list[Any] = []
    for text in card.axes[0].texts:
        extent = text.get_window_extent()
        if text.get_text():
            assert extent.count_overlaps(extents) == 0, text.get_text()
            extents.append(extent)
        assert card.bbox.contains(extent.x0, extent.y0), text.get_text()
        assert card.bbox.contains(extent.x1, extent.y1), text.get_text()
