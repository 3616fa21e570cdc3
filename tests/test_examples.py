"""Every example runs as it stands, once, and several tests look at what it did."""

import csv
import os
import re
import runpy
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


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize(
    "name", [pytest.param(path.stem, marks=of(path.stem)) for path in EXAMPLES]
)
def test_example_runs(name: str, ran: Runs) -> None:
    assert ran(name).printed


@pytest.mark.parametrize("name", [pytest.param(x, marks=of(x)) for x in PLAIN])
def test_example_without_matplotlib_draws_nothing(name: str, ran: Runs) -> None:
    assert "it needs matplotlib" in ran(name).printed
    assert f"{name}.png" not in ran(name).files


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


@of("problem14")
def test_problem14_shows_the_game_solved(ran: Runs) -> None:
    problem14 = ran("problem14")
    for part in (
        "41984711742427/15997372030584",
        "2.624475548993925",
        "red\\black    26     25",
        "16 red and 22 black cards left, 6 in hand: stop",
        "     6      0.047611",
        "standard errors from the value",
    ):
        assert part in problem14.printed
    assert problem14.files == ["problem14.png"]
    picture = problem14.folder / "problem14.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@of("little_sister")
def test_little_sister_tells_the_story(ran: Runs) -> None:
    little_sister = ran("little_sister")
    for part in (
        "greedy, who started, took 19 and larger 22",
        "4,095 calls for the first move",
        "↓ 26:18",
        "+6.00 when we start",
        "value 3525",
    ):
        assert part in little_sister.printed


@of("euler_477")
def test_euler_477_gives_the_published_figures(ran: Runs) -> None:
    euler = ran("euler_477").printed
    assert "57,956 cards, then a cycle of 7,248" in euler
    assert "F(10000) = 2495838522951\n" in euler  # given with the problem
    assert "F(100000000) = 25044905874565165\n" in euler  # in many published solutions
    assert "not as given" not in euler


@of("estimate_player")
def test_estimate_player_finds_the_mixture(ran: Runs) -> None:
    printed = ran("estimate_player").printed
    assert "by 500 turns" in printed
    assert "larger   0.805 ± 0.026" in printed
    assert "the estimate wins 1.17" in printed


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
    assert "In units of $2.5 optimal play is worth $242.5493" in kelly.printed
    rows = [list(row.values()) for row in kelly.table("kelly_coin_flip.csv")]
    worths = {policy: float(worth) for policy, worth in rows}
    solved, looped = (
        worths.pop("optimal play"),
        worths.pop("optimal play, units of $2.5"),
    )
    assert solved == round(looped, 2)
    assert all(worth < solved for worth in worths.values())


def test_kelly_coin_flip_converges_to_the_source() -> None:
    module = runpy.run_path(str(path_of("kelly_coin_flip")))
    values = [module["by_loop"](unit) for unit in (1.0, 0.5, 0.25)]
    assert values == sorted(values)
    assert values[-1] < module["PUBLISHED"] < values[-1] + 0.05


@of("pairs_complete")
def test_pairs_complete_reproduces_the_essay(ran: Runs) -> None:
    pairs_complete = ran("pairs_complete")
    for part in (
        "3       6      4    850,525     685,838      120,727     152,562      120,728",
        "positions solved    87,451",
        "0.480746492138 first",
        "4 f f H H",
    ):
        assert part in pairs_complete.printed
    assert pairs_complete.files == [
        "pairs_complete.png",
        "pairs_counting.csv",
        "pairs_essay.csv",
        "pairs_game.csv",
        "pairs_sizes.csv",
        "pairs_thumbs.csv",
    ]
    assert list(pairs_complete.table("pairs_essay.csv")[-1].values()) == [
        *("3", "6", "4", "850,525", "685,838", "120,727", "152,562", "120,728")
    ]
    facts = dict([list(row.values()) for row in pairs_complete.table("pairs_game.csv")])
    assert facts["chance of winning, first seat"] == "0.480746492138"
    sizes = pairs_complete.table("pairs_sizes.csv")
    assert [(row["ranks"], row["to 31"]) for row in sizes] == [
        *(("2", "0.518153"), ("3", "0.480440"), ("4", "0.480746"))
    ]
    *thumbs, optimal = pairs_complete.table("pairs_thumbs.csv")
    assert optimal["mean"] == optimal["mean, at worst"] == "0.500000"
    assert len(thumbs) == 3
    for thumb in thumbs:
        assert float(thumb["mean, at worst"]) <= float(thumb["mean"]) < 0.5
    for counting in pairs_complete.table("pairs_counting.csv"):
        assert float(counting["one against the other"]) > 0.6


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
    assert pairs_three.files == [
        *(f"pairs_three_{name}.csv" for name in ("opening", "seats", "thumbs"))
    ]
    seats = pairs_three.table("pairs_three_seats.csv")
    assert [row["ranks"] for row in seats] == ["4", "8", "9", "10"]
    for row in seats:
        chances = [float(row[seat]) for seat in ("first", "second", "third")]
        assert sum(chances) == pytest.approx(2, abs=2e-6)
        assert chances == sorted(chances)
    opening = pairs_three.table("pairs_three_opening.csv")
    solution = pairs.published(3, 8)
    for own, left in ((2, 1), (6, 2), (8, 8)):
        cell = opening[own - 1][f"left {left}"]
        ends = [[int(x) for x in run.split("-")] for run in cell.split()]
        folds = {rank for run in ends for rank in range(run[0], run[-1] + 1)}
        assert folds
        for last in range(2, 9):
            others = [[left], [last]]
            advice = solution.advice(hand=[own], others=others, scores=[0, 0, 0])
            assert (advice.action == "fold") == (last in folds)
    for row in pairs_three.table("pairs_three_thumbs.csv"):
        best = float(row["mean of a best response to two of them"])
        assert float(row["mean"]) < 2 / 3 < best


def test_pairs_complete_cuts_nothing_off_its_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = str(path_of("pairs_complete"))
    monkeypatch.setattr(sys, "argv", [script, "4"])
    module = runpy.run_path(script)
    rates = [
        pairs.evaluate(module["GAME"], [thumb, "optimal"]) for thumb in module["THUMBS"]
    ]
    figure = module["picture"](pairs.solve(module["GAME"]), rates)
    figure.draw_without_rendering()
    legends = [axes.get_legend() for axes in figure.axes]
    for legend in filter(None, legends):
        part = legend.get_window_extent()
        assert figure.bbox.x0 <= part.x0 < part.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= part.y0 < part.y1 <= figure.bbox.y1
    assert any(legends)


@of("growth_law")
def test_growth_law_shows_the_law(ran: Runs) -> None:
    growth_law = ran("growth_law")
    for part in (
        "10,000,000,000   52203.76709883",
        "sqrt  -0.020189 +0.522116 sqrt(l)",
        "log  -106.651742 +17.627552 log(l)",
        "-0.1025898660 l^-0.231167  fitted",
        "subtracted it is -0.2312. -lambda is -0.2312.",
    ):
        assert part in growth_law.printed
    assert growth_law.files == ["growth_law.png", "growth_law_regressions.csv"]
    rows = growth_law.table("growth_law_regressions.csv")
    assert [row["double precision"] for row in rows] == [
        "−106.652 + 17.6276 log(l)",
        "−0.0201887 + 0.522116 √l",
        "−0.0137937 + 0.522053 √l",
        "−0.0498590 + 0.00465101 log(l) + 0.521994 √l",
    ]


@of("results")
def test_results_are_those_of_the_sources(ran: Runs) -> None:
    results = ran("results")
    tables = {
        name.removeprefix("results_").removesuffix(".csv"): results.table(name)
        for name in results.files
    }
    assert len(tables) == 16

    values = {row["l"]: row for row in tables["values"]}
    assert list(values) == ["1", "10", "100", "1,000", "10,000", "100,000"]
    for deck in (1, 10, 100, 1000):  # what is printed is rounded outwards
        printed_bounds, bounds = values[f"{deck:,}"], redblack.enclosure(deck, deck)
        assert Fraction(printed_bounds["at least"]) <= bounds.lower
        assert Fraction(printed_bounds["at most"]) >= bounds.upper
    documents = {row["l"]: row for row in tables["document"]}
    assert list(documents) == ["26", "143", "22,974", "100,000"]
    for row in (values["100,000"], documents["100,000"]):
        assert row["at least"] < "165.0758465328" < row["at most"]
        assert float(row["at most"]) - float(row["at least"]) < 1e-8
    fractions = {row["l"]: row["V(l)"] for row in tables["fractions"]}
    assert fractions["26"] == "41984711742427/15997372030584"
    for row in tables["widths"]:
        error = float(row["relative error of the midpoint, measured"])
        assert error < float(row["relative width"]) / 100
    errors = {row["l"]: row for row in tables["growth"]}
    assert errors["100"]["certified error"] == ""
    for size in ("1,000", "10,000"):  # where the bounds are close enough to tell
        stated = float(errors[size]["law's stated error"])
        assert float(errors[size]["certified error"]) < stated

    assert list(tables["thresholds"][0].values())[1:9] == [
        *("3", "8", "17", "28", "41", "58", "79", "100")
    ]
    large = tables["large_thresholds"]
    assert [(row["k"], row["n_k"]) for row in large] == [
        *(("100", "14,314"), ("200", "56,980"))
    ]
    assert {row["guessed right"] for row in large} == {"yes"}
    assert "Of the first 200, 200 are certain." in results.printed

    for law in ("payoff", "duration"):
        chances = [float(row["probability"].partition("/")[0]) for row in tables[law]]
        assert all(chance > 0 for chance in chances)
    assert sum([Fraction(row["probability"]) for row in tables["payoff"]]) == 1
    assert tables["duration"][-1]["this many or fewer"] == "1.000000000000"
    summary = {row["26 + 26 cards"]: row["as a decimal"] for row in tables["summary"]}
    assert summary["mean payoff"] == "2.624475548994"
    assert round(float(summary["mean number of draws"]), 6) == 36.45156
    stubborn = summary["mean number of draws, drawing in the tie"]
    assert round(float(stubborn), 6) == 36.607294

    constants = {row["constant"]: row["30 digits"] for row in tables["constants"]}
    assert constants["c"] == "0.522037675987123866538371033123"
    assert [row["origin"] for row in tables["terms"][:2]] == ["proved", "fitted"]

    rows = [(row["value"], row["who should start"]) for row in tables["rows"]]
    assert rows == [
        *(("8", "first"), ("3", "first"), ("0", "indifferent"), ("-3", "second"))
    ]
    second = {
        row["cards"]: float(row["better second"][:-1]) for row in tables["second"]
    }
    for cards, share in {"3": 14, "13": 57, "51": 88}.items():
        assert abs(second[cards] - share) < 6
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
        "speed_cardrow.csv",
        "speed_choose_cardrow.csv",
        "speed_choose_pairs.csv",
        "speed_choose_redblack.csv",
        "speed_machine.txt",
        "speed_pairs.csv",
        "speed_redblack.csv",
    ]


def test_speed_writes_times_with_two_digits(tmp_path: Path) -> None:
    script = tmp_path / "shows.py"
    script.write_text(
        f"import sys; sys.path.append({str(EXAMPLES[0].parent)!r})\n"
        "from speed import in_words\n"
        "print(*map(in_words, [3.141e-6, 9.96e-5, 1e-4, 0.0999, 0.1, 12.34, 123.4]))\n"
    )
    assert run([str(script)], tmp_path, ()) == (
        "3.1 µs 100 µs 0.1 ms 100 ms 0.1 s 12 s 120 s\n"
    )


# What the text of a notebook says about its output.


def notebook(name: str, folder: Path) -> tuple[str, str]:
    """Return the text of a notebook, in one line, and what it prints."""
    script = EXAMPLES[0].parent / "notebooks" / f"{name}.py"
    text = script.read_text(encoding="utf-8").replace("\n# ", " ")
    return text, run([str(script)], folder, ())


def test_bounds_that_certainly_contain_the_value(tmp_path: Path) -> None:
    text, printed = notebook("stop_or_draw", tmp_path)
    assert "bounds that certainly contain the value" in text
    rows = re.findall(r"^ *([\d,]+): from (\S+) to (\S+),", printed, re.MULTILINE)
    assert len(rows) == 5
    for size, lower, upper in rows:
        bounds = redblack.enclosure(*2 * [int(size.replace(",", ""))])
        assert Fraction(lower) <= Fraction(bounds.lower) <= Fraction(bounds.upper)
        assert Fraction(bounds.upper) <= Fraction(upper)


def test_how_many_coefficients_are_fitted(tmp_path: Path) -> None:
    text, printed = notebook("how_it_grows", tmp_path)
    assert "Two coefficients are fitted" in text
    assert len(re.findall(r" fitted$", printed, re.MULTILINE)) == 2
