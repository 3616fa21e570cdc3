"""Every example runs as it stands, once, and several tests look at what it did."""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames_dp import pairs, redblack

pytestmark = pytest.mark.slow

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))

ARGUMENTS = {
    "algorithm_ladder": ["0.02"],
    "kelly_coin_flip": ["2.5"],
    "pairs_complete": ["4"],
    "pairs_rule": ["4"],
    "pairs_three": ["4"],
    "results": ["5"],
    "speed": ["10"],
}
"""For examples that are long; the session examples runs them without."""

UNUSED = ("pandas", "tqdm")
"""Extras that no example needs."""

PLAIN = ("algorithm_ladder", "little_sister")
"""Examples that run without matplotlib here, and with it in the session examples."""


class Ran(NamedTuple):
    """What an example printed, and the folder in which it left its files."""

    printed: str
    folder: Path

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a table that the example has written."""
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


Runs = Callable[[str], Ran]


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


def path_of(name: str) -> Path:
    """Return where an example lies."""
    (script,) = (script for script in EXAMPLES if script.stem == name)
    return script


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Return a function that runs an example, the first time it is asked for it."""

    @cache
    def once(name: str) -> Ran:
        folder = tmp_path_factory.mktemp(name)
        command = [str(path_of(name)), *ARGUMENTS.get(name, [])]
        without = (*UNUSED, "matplotlib") if name in PLAIN else UNUSED
        return Ran(run(command, folder, without), folder / "empty")

    return once


def of(name: str) -> pytest.MarkDecorator:
    """Mark tests of one example: one worker runs them all, so that it runs once."""
    return pytest.mark.xdist_group(name)


PRINTS: dict[str, list[str]] = {
    "problem14": [
        *("41984711742427/15997372030584", "2.624475548993925"),
        "red\\black    26     25",
        "16 red and 22 black cards left, 6 in hand: stop",
        "     6      0.047611",
        "standard errors from the value",
    ],
    "little_sister": [
        "greedy, who started, took 19 and larger 22",
        "4,095 calls for the first move",
        *("↓ 26:18", "+6.00 when we start", "value 3525", "it needs matplotlib"),
    ],
    "euler_477": [
        "57,956 cards, then a cycle of 7,248",
        "F(10000) = 2495838522951\n",  # given with the problem
        "F(100000000) = 25044905874565165\n",  # in many published solutions
    ],
    "estimate_player": [
        *("by 500 turns", "larger   0.805 ± 0.026", "the estimate wins 1.17"),
    ],
    "growth_law": [
        "10,000,000,000   52203.76709883",
        "sqrt  -0.020189 +0.522116 sqrt(l)",
        "log  -106.651742 +17.627552 log(l)",
        "-0.1025898660 l^-0.231167  fitted",
        "subtracted it is -0.2312. -lambda is -0.2312.",
    ],
    "pairs_complete": [
        "3       6      4    850,525     685,838      120,727     152,562      120,728",
        "positions solved    87,451",
        "0.480746492138 first",
        "4            f  f  H  H",
    ],
    "kelly_coin_flip": ["In units of $2.5 optimal play is worth $242.5493"],
    "algorithm_ladder": ["it needs matplotlib"],
}
"""Some of what examples print, most of it from their sources."""

PICTURES = {"problem14", "pairs_complete", "growth_law"}


@pytest.mark.parametrize(
    "name", [pytest.param(path.stem, marks=of(path.stem)) for path in EXAMPLES]
)
def test_example_runs(name: str, ran: Runs) -> None:
    example = ran(name)
    assert example.printed
    assert [part for part in PRINTS.get(name, []) if part not in example.printed] == []
    assert "not as given" not in example.printed
    drawn = [file for file in example.files if file.endswith(".png")]
    assert (drawn == [f"{name}.png"]) or name not in PICTURES
    for file in drawn:
        assert name not in PLAIN
        assert (example.folder / file).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_hidden_packages_cannot_be_imported(tmp_path: Path) -> None:
    """Else the tests without them would show nothing."""
    script = tmp_path / "tries.py"
    script.write_text(
        "import contextlib\n"
        f"for name in {UNUSED!r}:\n"
        "    with contextlib.suppress(ModuleNotFoundError):\n"
        "        __import__(name)\n"
        "        print(name)\n"
    )
    assert run([str(script)], tmp_path, UNUSED) == ""


@of("greedy_failures")
def test_greedy_failures_are_those_of_the_theorems(ran: Runs) -> None:
    greedy = ran("greedy_failures")
    by_cards = {row["cards"]: row for row in greedy.table("greedy_rows.csv")}
    assert by_cards["3"]["greedy fails"] == "0.00%"
    assert by_cards["4"]["smallest"] == "1 1 3 2"
    m = 7  # the largest of the family 1, 1, 2m - 1, m with cards of at most 13
    assert Fraction(by_cards["4"]["ratio"]) == Fraction(m + 1, 2 * m)
    assert "with 50 ones: 1 and 49" in greedy.printed
    assert len(greedy.table("greedy_deals.csv")) == 13


@of("kelly_coin_flip")
def test_kelly_coin_flip_comes_near_the_source(ran: Runs) -> None:
    kelly = ran("kelly_coin_flip")
    rows = [list(row.values()) for row in kelly.table("kelly_coin_flip.csv")]
    worths = {policy: float(worth) for policy, worth in rows}
    solved, looped = (
        worths.pop("optimal play"),
        worths.pop("optimal play, units of $2.5"),
    )
    assert solved == round(looped, 2)
    assert all(worth < solved for worth in worths.values())


@of("pairs_complete")
def test_pairs_complete_reproduces_the_essay(ran: Runs) -> None:
    pairs_complete = ran("pairs_complete")
    for part in (
        "3       6      4    850,525     685,838      120,727     152,562      120,728",
        "positions solved    87,451",
        "0.480746492138 first",
        "4            f  f  H  H",
        "    2  0.543820  0.531252  0.525594  0.522198  0.519873  0.518153",
        "    4              0.480746     0.479410           0.626127",
    ):
        assert part in pairs_complete.printed
    assert pairs_complete.files == ["pairs_complete.png", "pairs_thumbs.csv"]
    *thumbs, optimal = pairs_complete.table("pairs_thumbs.csv")
    assert optimal["mean"] == optimal["mean, at worst"] == "0.500000"
    assert len(thumbs) == 3
    for thumb in thumbs:
        assert float(thumb["mean, at worst"]) <= float(thumb["mean"]) < 0.5


@of("pairs_rule")
def test_pairs_rule_finds_the_best_of_each_kind(ran: Runs) -> None:
    pairs_rule = ran("pairs_rule")
    assert pairs_rule.files == ["pairs_rules.csv"]
    wins = {
        row["rule"]: float(row["mean"]) for row in pairs_rule.table("pairs_rules.csv")
    }
    fifty, expected, *found = wins
    assert (fifty, expected) == ("fifty_percent", "expected_points")
    tried = dict(re.findall(r"^  4 ranks  (.*\)) +([\d.]+)$", pairs_rule.printed, re.M))
    for name in found:  # the best of all that were tried of its kind
        kind = name.partition("(")[0]
        alike = [float(x) for rule, x in tried.items() if rule.startswith(kind)]
        assert len(alike) > 2
        assert wins[name] == max(alike)
    assert wins[found[1]] >= wins[fifty]
    assert max(wins, key=lambda name: wins[name]).startswith("SumBelow")
    worst = pairs_rule.table("pairs_rules.csv")[-1]["mean, at worst"]
    assert 0.4 < float(worst) < wins[found[-1]]


@of("pairs_three")
def test_pairs_three(ran: Runs) -> None:
    pairs_three = ran("pairs_three")
    assert pairs_three.files == []
    _, *parts = re.split(r"\n[^\n]*\n-+\n", pairs_three.printed)
    seats, opening, thumbs = [
        [line.split() for line in part.splitlines() if re.match(r" *\d", line)]
        for part in parts
    ]
    assert [row[0] for row in seats] == ["4", "8", "9", "10"]
    for row in seats:
        chances = [float(chance) for chance in row[2:5]]
        assert sum(chances) == pytest.approx(2, abs=2e-6)
        assert chances == sorted(chances)
    solution = pairs.published(3, 8)
    for own, left, cell in ((2, 1, "6-8"), (6, 2, "1-5"), (8, 8, "1")):
        assert opening[own - 1][left] == cell
        first, _, last = cell.partition("-")
        folds = range(int(first), int(last or first) + 1)
        for third in range(2, 9):
            others = [[left], [third]]
            advice = solution.advice(hand=[own], others=others, scores=[0, 0, 0])
            assert (advice.action == "fold") == (third in folds)
    assert len(thumbs) == 3
    for *_, mean, best in thumbs:
        assert float(mean) < 2 / 3 < float(best)


@of("results")
def test_results_are_those_of_the_sources(ran: Runs) -> None:
    results = ran("results")
    tables = {
        name.removeprefix("results_").removesuffix(".csv"): results.table(name)
        for name in results.files
    }
    assert len(tables) == 6

    values = {row["l"]: row for row in tables["values"]}
    assert list(values) == [
        *("1", "10", "26", "100", "143", "1,000", "10,000", "22,974", "100,000")
    ]
    for deck in (1, 10, 100, 1000):  # what is printed is rounded outwards
        printed_bounds, bounds = values[f"{deck:,}"], redblack.enclosure(deck, deck)
        assert Fraction(printed_bounds["at least"]) <= bounds.lower
        assert Fraction(printed_bounds["at most"]) >= bounds.upper
    row = values["100,000"]
    assert row["at least"] < "165.0758465328" < row["at most"]
    assert float(row["at most"]) - float(row["at least"]) < 1e-8
    assert row["the Problem 14 essay"] == "165.075847"
    for row in tables["widths"]:
        error = float(row["relative error of the midpoint, measured"])
        assert error < float(row["relative width"]) / 100
    errors = {row["l"]: row for row in tables["growth"]}
    assert errors["100"]["certified error"] == ""
    for size in ("1,000", "10,000"):  # where the bounds are close enough to tell
        stated = float(errors[size]["law's stated error"])
        assert float(errors[size]["certified error"]) < stated

    large = tables["large_thresholds"]
    assert [(row["k"], row["n_k"]) for row in large] == [
        *(("100", "14,314"), ("200", "56,980"))
    ]
    assert {row["guessed right"] for row in large} == {"yes"}
    assert "Of the first 200, 200 are certain." in results.printed

    optimal = tables["tournament"][0]
    assert all(float(optimal[name][:4]) > 95 for name in ("optimal", "greedy"))


@of("speed")
def test_speed_measures_what_it_says(ran: Runs) -> None:
    speed = ran("speed")
    assert "redblack.value(l, l, backend='exact'), size 10\n" in speed.printed
    (exactly,) = (
        row
        for row in speed.table("speed_choose_redblack.csv")
        if row["l"] == "``redblack.value(l, l, backend='exact')``"
    )
    assert list(exactly) == ["l", "10"]
    assert re.fullmatch("[0-9.]+\N{NBSP}(µs|ms|s)", exactly["10"])
    machine = (speed.folder / "speed_machine.txt").read_text(encoding="utf-8")
    assert f"Python {sys.version.split()[0]}, NumPy" in machine
    assert speed.files == [
        "speed_calls.csv",
        "speed_choose_cardrow.csv",
        "speed_choose_pairs.csv",
        "speed_choose_redblack.csv",
        "speed_machine.txt",
    ]


# What the text of a notebook says about its output.


@pytest.mark.parametrize(
    ("name", "said", "row", "count"),
    [
        (
            "stop_or_draw",
            "bounds that certainly contain the value",
            r"^ *([\d,]+): from (\S+) to (\S+),",
            5,
        ),
        ("how_it_grows", "Two coefficients are fitted", r"() fitted$", 2),
    ],
)
def test_notebooks(name: str, said: str, row: str, count: int, tmp_path: Path) -> None:
    script = EXAMPLES[0].parent / "notebooks" / f"{name}.py"
    assert said in script.read_text(encoding="utf-8").replace("\n# ", " ")
    rows = re.findall(row, run([str(script)], tmp_path, ()), re.MULTILINE)
    assert len(rows) == count
    for size, *ends in rows if name == "stop_or_draw" else ():
        bounds = redblack.enclosure(*2 * [int(size.replace(",", ""))])
        assert Fraction(ends[0]) <= bounds.lower <= bounds.upper <= Fraction(ends[1])
