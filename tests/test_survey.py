"""Surveys: tidy tables, files that they go on from, workers, refusals."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import (
    Survey,
    TooLongError,
    _checkpoint,
    _survey,
    cardrow,
    pairs,
    redblack,
)
from cardgames_dp._survey import Case

MEASURES = {"half": float, "double": int}
CASES = [Case({"name": f"case {i}", "size": i}, i, [i]) for i in range(10)]

COUNTED: list[int] = []
"""Cases that were worked on in this process."""


def halved(shared: list[int], given: int) -> tuple[float, int]:
    COUNTED.append(given)
    if given in shared:
        raise ValueError("it is not wanted")
    return (given / 2 if given else np.nan), 2 * given


def survey(cases: list[Case] = CASES, shared: Any = (), **options: Any) -> Survey:
    usual: dict[str, Any] = {"checkpoint": None, "executor": None, "progress": False}
    COUNTED.clear()
    return _survey.run(
        "tests", cases, halved, list(shared), MEASURES, **{**usual, **options}
    )


# Tables.


def test_a_table_is_tidy() -> None:
    found = survey()
    assert found.names == ("name", "size", "half", "double")
    assert len(found) == 10
    assert found["size"].tolist() == list(range(10))
    assert found["name"].tolist() == [f"case {i}" for i in range(10)]
    assert np.isnan(found["half"][0])
    assert found["half"][1:].tolist() == [i / 2 for i in range(1, 10)]
    assert found["double"].dtype == np.int64
    assert found.table.dtype.names == found.names
    assert found.table[3].tolist() == ("case 3", 3, 1.5, 6)
    assert found.to_dict()["double"] == list(range(0, 20, 2))
    with pytest.raises(ValueError, match="read-only"):
        found["size"][0] = 1
    with pytest.raises(ValueError, match="name must be one of 'name', 'size', 'half'"):
        found["third"]


def test_a_table_in_pandas() -> None:
    pytest.importorskip("pandas")
    found = survey()
    frame = found.to_pandas()
    assert list(frame.columns) == list(found.names)
    assert frame["double"].tolist() == found["double"].tolist()


def test_copies_with_nan_are_equal() -> None:
    found = survey()
    assert pickle.loads(pickle.dumps(found)) == found == survey()
    assert found != survey(CASES[1:])


def test_long_tables_in_notebooks_show_the_first_rows() -> None:
    cases = [Case({"size": i}, i, [i]) for i in range(100)]
    html = survey(cases)._repr_html_()
    assert "the first 20 of 100 rows" in html
    assert html.count("<tr>") == 21
    assert len(str(survey(cases)).splitlines()) == 101


# Files.


def test_what_is_in_the_file_is_not_done_again(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    first = survey(CASES[:4], checkpoint=file)
    assert COUNTED == [0, 1, 2, 3]
    assert survey(CASES[:4], checkpoint=file) == first
    assert COUNTED == []
    # Other cases, in another order, some of them twice.
    again = survey([*CASES[::-1], CASES[2]], checkpoint=str(file))
    assert COUNTED == [9, 8, 7, 6, 5, 4]
    assert again == survey([*CASES[::-1], CASES[2]])
    # Those that were not asked for are still there.
    survey(CASES[:1], checkpoint=file)
    survey(checkpoint=file)
    assert COUNTED == []


def test_an_error_names_the_case_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    with pytest.raises(ValueError, match="not wanted") as raised:
        survey(shared=[7], checkpoint=file)
    assert raised.value.__notes__ == ["This happened with name='case 7', size=7."]
    with pytest.raises(ValueError, match="not wanted"):
        survey(shared=[7], checkpoint=file)
    assert COUNTED == [7]


def test_a_file_of_another_survey_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    survey(checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(ValueError, match="belongs to"):
        survey(shared=[100], checkpoint=file)
    with pytest.raises(ValueError, match="belongs to"):
        redblack.survey([1], checkpoint=file)
    assert file.read_bytes() == before
    file.write_bytes(before[:-100])
    with pytest.raises(ValueError, match="not a whole checkpoint"):
        survey(checkpoint=file)


def test_files_are_written_when_it_is_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saves: list[int] = []
    save = _checkpoint.Checkpoint.save

    def counted(self: _checkpoint.Checkpoint, arrays: Any) -> None:
        saves.append(len(arrays["cases"]))
        save(self, arrays)

    monkeypatch.setattr(_checkpoint.Checkpoint, "save", counted)
    survey(checkpoint=tmp_path / "once")
    assert saves == [10]
    survey(checkpoint=tmp_path / "once")
    assert saves == [10]
    monkeypatch.setattr(_checkpoint, "SECONDS_BETWEEN_SAVES", 0.0)
    saves.clear()
    survey(checkpoint=tmp_path / "often")
    assert saves == list(range(1, 11))


SCRIPT = """
import sys, time
from cardgames_dp import _checkpoint, redblack
from cardgames_dp.redblack import surveys

_checkpoint.SECONDS_BETWEEN_SAVES = 0.0
value = surveys.MEASURES["value"]
def slow(red, black, *, rules):
    print(red, flush=True)
    time.sleep(0.05)
    return value(red, black, rules=rules)
surveys.MEASURES["value"] = slow
redblack.survey(range(1, 60), checkpoint=sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signal")
def test_a_survey_that_was_killed_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    command = [sys.executable, "-c", SCRIPT, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout
        while int(killed.stdout.readline()) < 10:
            pass
        os.kill(killed.pid, signal.SIGKILL)
    assert file.exists()
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    worked = [int(line) for line in run.stdout.splitlines()]
    assert worked == list(range(worked[0], 60))
    assert worked[0] >= 9
    found = redblack.survey(range(1, 60), checkpoint=file)
    assert found["value"].tolist() == redblack.survey(range(1, 60))["value"].tolist()


def test_bars_count_what_is_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    file = tmp_path / "survey"
    survey(CASES[:4], checkpoint=file)
    assert capsys.readouterr().err == ""
    survey(checkpoint=file, progress=True)
    assert "10.0/10.0" in capsys.readouterr().err


# Each game.

FEES = [redblack.Rules(fee=f"{cents}/100") for cents in (0, 5)]
RISKY = redblack.Rules(utility=redblack.utilities.log(wealth=9))
GAMES = [
    pairs.Rules(deck=pairs.triangular(3), target=5),
    pairs.Rules(players=3, deck=pairs.triangular(3), target=4, deal=1, first="lowest"),
    pairs.Rules(
        deck={1: 2, 2: 2}, target=3, reshuffle="exhausted", capacity={1: 2, 2: 1}
    ),
]


def test_red_black() -> None:
    what: list[Any] = ["value", "deviation", "loss_probability", "mean_draws"]
    rules = [*FEES, RISKY]
    found = redblack.survey([4, (5, 3)], rules=rules, what=what)
    assert found["red"].tolist() == [4] * 3 + [5] * 3
    assert found["black"].tolist() == [4] * 3 + [3] * 3
    assert found["fee"].tolist() == [0, 0.05, 0] * 2
    assert found["utility"].tolist() == ["", "", repr(RISKY.utility)] * 2
    for i, row in enumerate(found.table):
        deck = int(row["red"]), int(row["black"])
        law = redblack.payoff_law(*deck, rules=rules[i % 3])
        assert row["value"] == redblack.value(*deck, rules=rules[i % 3])
        assert row["deviation"] == law.standard_deviation
        assert row["loss_probability"] == law.loss_probability
        assert (
            row["mean_draws"] == redblack.duration_law(*deck, rules=rules[i % 3]).mean
        )


def test_pairs() -> None:
    what: list[Any] = ["hit_rate", "value", "ties", "rounds", "pairs"]
    found = pairs.survey(GAMES, what=what)
    for row, rules in zip(found.table, GAMES, strict=True):
        solution, usual = pairs.solve(rules), pairs.frequencies(rules)
        wins = [row[f"win_{i}"] for i in range(rules.players)]
        assert wins == [float(x) for x in solution.value]
        assert rules.players == 3 or np.isnan(row["win_2"])
        assert row["ties"] == solution.ties
        assert (row["rounds"], row["pairs"]) == (usual.rounds, usual.pairs)
        assert row["hit_rate"] == usual.hit_rate
    assert found["deck"].tolist() == ["1:1 2:2 3:3", "1:1 2:2 3:3", "1:2 2:2"]
    assert found["capacity"][2] == "1:2 2:1"
    rules = GAMES[0]
    against = pairs.survey(rules, against=["never_hit", "fifty_percent"])
    assert against["against_never_hit"].tolist() == [
        pairs.win_rate(rules, "optimal", "never_hit").mean
    ]
    assert "against_fifty_percent" in against.names
    mixed = pairs.survey([GAMES[0], GAMES[1]], against="fifty_percent")
    assert {rules.players for rules in GAMES[:2]} == {2, 3}
    assert mixed["against_fifty_percent"].tolist() == [
        pairs.win_rate(rules, "optimal", "fifty_percent").mean for rules in GAMES[:2]
    ]


def test_cards_in_a_row() -> None:
    both = [cardrow.Rules(), cardrow.Rules(take=2, misere=True)]
    found = cardrow.survey([4, 7], games=300, rules=both, rng=5)
    streams = np.random.default_rng(5).spawn(2)
    for i, row in enumerate(found.table):
        source = copy.deepcopy(streams[i // 2])
        rows = cardrow.deal(300, int(row["cards"]), rng=source)
        leads = cardrow.values(rows, rules=both[i % 2])
        counts = [(leads > 0).sum(), (leads == 0).sum(), (leads < 0).sum()]
        assert [row["wins"], row["draws"], row["losses"]] == counts
        assert row["mean_lead"] == pytest.approx(leads.mean(), abs=1e-12)
        assert row["lead_deviation"] == pytest.approx(leads.std(ddof=1))
        assert row["lead_error"] == row["lead_deviation"] / 300**0.5
    one = cardrow.survey(3, games=1, rng=1)
    assert np.isnan(one["lead_deviation"][0])
    weighted = cardrow.Rules(weights=[1, "1/2", 3])
    assert cardrow.survey(3, games=1, rules=weighted)["weights"].tolist() == ["1 1/2 3"]


def test_seeds_of_cards_in_a_row(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    first = cardrow.survey([4, 5], games=50, rng=5, checkpoint=file)
    longer = cardrow.survey([4, 5, 6], games=50, rng=5, checkpoint=file)
    assert longer == cardrow.survey([4, 5, 6], games=50, rng=np.random.default_rng(5))
    assert longer["wins"][:2].tolist() == first["wins"].tolist()
    other = cardrow.survey([4, 5], games=50, rng=6, checkpoint=file)
    assert other != first
    assert cardrow.survey([4, 5], games=50, rng=5, checkpoint=file) == first
    with pytest.raises(ValueError, match="belongs to"):
        cardrow.survey([4, 5], games=51, rng=5, checkpoint=file)


CALLS = {
    "redblack": lambda **options: redblack.survey(range(1, 9), rules=FEES, **options),
    "pairs": lambda **options: pairs.survey(GAMES, what=["ties", "value"], **options),
    "cardrow": lambda **options: cardrow.survey(
        [3, 6, 9], games=100, rng=1, rules=[cardrow.Rules(take=k) for k in (1, 2)],
        **options,
    ),
}  # fmt: skip
each_game = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@each_game
def test_a_file_changes_nothing(call: Any, tmp_path: Path) -> None:
    alone = call()
    assert call(checkpoint=tmp_path / "survey") == alone
    assert call(checkpoint=tmp_path / "survey") == alone
    assert json.dumps(alone.to_dict(json=True), allow_nan=False)


@pytest.mark.slow
@each_game
def test_executors(call: Any, executor: Executor, tmp_path: Path) -> None:
    assert call(executor=executor, checkpoint=tmp_path / "survey") == call()


@each_game
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"executor": 2}, TypeError, "executor must be a concurrent.futures.Executor"),
        ({"progress": 1}, TypeError, "progress must be"),
        ({"checkpoint": 1}, TypeError, "checkpoint must be the path of a file"),
        ({"checkpoint": "/nowhere/file"}, ValueError, "a folder that exists"),
    ],
)
def test_refusals_of_all(
    call: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call(**options)


RED, ROW, PAIRS = ("redblack", "cardrow", "pairs")
OWN = redblack.Rules(utility=abs)
WEIGHTED = cardrow.Rules(weights=[1, 2])


@pytest.mark.parametrize(
    ("game", "given", "options", "error", "message"),
    [
        (RED, [], {}, ValueError, "decks must hold at least one deck"),
        (RED, 5, {}, TypeError, "decks must be an iterable of sizes"),
        (RED, [-1], {}, ValueError, r"decks\[0\] must be an integer >= 0"),
        (RED, [(1, 2, 3)], {}, ValueError, r"a size or a pair \(red, black\), got"),
        (RED, [3, (1, "2")], {}, TypeError, r"decks\[1\]\[1\] must be an integer"),
        (RED, [3], {"rules": []}, ValueError, "at least one, got none"),
        (RED, [3], {"rules": 3}, TypeError, "must be redblack.Rules, or an iterable"),
        (
            RED,
            [3],
            {"rules": [OWN, 2]},
            TypeError,
            r"rules\[1\] must be redblack.Rules",
        ),
        (RED, [3], {"what": "cash"}, ValueError, "what must be one of 'value'"),
        (RED, [3], {"what": []}, ValueError, "at least one word, got none"),
        (
            RED,
            [3],
            {"rules": OWN, "checkpoint": "file"},
            ValueError,
            "identify <built-in",
        ),
        (
            PAIRS,
            [],
            {},
            ValueError,
            "rules must be pairs.Rules, or an iterable of them",
        ),
        (
            PAIRS,
            None,
            {},
            TypeError,
            "rules must be pairs.Rules, or an iterable of them",
        ),
        (PAIRS, GAMES, {"what": "cash"}, ValueError, "what must be one of 'value'"),
        (PAIRS, GAMES[0], {"against": "me"}, ValueError, "against must be one of"),
        (ROW, [], {}, ValueError, "cards must hold at least one number"),
        (ROW, 0, {}, ValueError, r"cards\[0\] must be an integer >= 1, got 0"),
        (ROW, 3, {"games": 0}, ValueError, "games must be an integer >= 1"),
        (ROW, [3, 53], {}, ValueError, "at most the 52 of the deck"),
        (ROW, [3], {"rules": WEIGHTED}, ValueError, "weights"),
        (ROW, 3, {"checkpoint": "file"}, ValueError, "rng must be given with a check"),
    ],
)
def test_refusals(
    game: str,
    given: Any,
    options: dict[str, Any],
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ({"games": 1} if game == ROW else {}) | options
    survey: Any = getattr(cardgames_dp, game).survey
    with pytest.raises(error, match=message):
        survey(given, **options)
    assert not list(tmp_path.iterdir())


def test_a_deck_that_takes_too_long_is_named(tmp_path: Path) -> None:
    file = tmp_path / "survey"
    with pytest.raises(TooLongError) as raised:
        redblack.survey([3, 10**15], checkpoint=file)
    assert "red=1000000000000000, black=1000000000000000" in raised.value.__notes__[0]
    assert redblack.survey([3], checkpoint=file)["value"] == redblack.value(3, 3)
