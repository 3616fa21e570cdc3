"""Tournaments: counts, errors by brute computation, seeds, and workers."""

import json
import math
import pickle
import statistics
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import TooLargeError, running
from cardgames_dp.cardrow.cards import deal
from cardgames_dp.cardrow.matches import match
from cardgames_dp.cardrow.policies import Mixed, Policy
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.tournaments import tournament
from cardgames_dp.cardrow.valuation import value

from .opponents import chance_of_left, expected_lead

# As an attribute of the package this name is the function.
module = sys.modules["cardgames_dp.cardrow._kernels.row"]


def leftmost(*_: Any) -> Any:
    """A player of one's own."""
    return "left"


PLAYERS: list[Any] = ["optimal", "greedy", "random", Mixed({"larger": 3, "random": 1})]
FIXED: list[Any] = [
    "optimal",
    "greedy",
    "greedy_literal",
    "larger",
    "smaller",
    leftmost,
]


def test_first_seat_against_the_larger_end() -> None:
    # win/draw/lose of 4000 games measured for this project's notes
    measured: dict[Policy, tuple[int, int, int]] = {
        "greedy_literal": (2143, 127, 1730),
        "greedy": (3530, 80, 390),
        "larger": (2986, 106, 908),
        "optimal": (3978, 22, 0),
    }
    games = 4000
    rows = deal(games, 10, deck=range(1, 14), replace=True, rng=1)
    result = tournament(list(measured), rows, rules=Rules(tie="right"))
    column = result.players.index("larger")
    for i, counts in enumerate(measured.values()):
        found = [int(x[i, column]) for x in (result.wins, result.draws, result.losses)]
        assert sum(found) == games
        for ours, theirs in zip(found, counts, strict=True):
            share = (ours + theirs) / (2 * games)
            # The difference of two independent counts.
            assert abs(ours - theirs) <= 5 * math.sqrt(2 * games * share * (1 - share))


def test_counts_and_errors_are_those_of_single_games() -> None:
    rng = np.random.default_rng(3)
    rows: list[Any] = [rng.integers(-2, 9, n).tolist() for n in [5, 6, 1, 5, 2, 6, 5]]
    rows += [[Fraction(1, 3), 2, Fraction(5, 7)], np.array([0.1, 0.2, 0.4, 0.2])]
    result = tournament(FIXED, rows, rules=Rules(tie="larger"))
    assert result.games == len(rows)
    for i, first in enumerate(FIXED):
        for j, second in enumerate(FIXED):
            leads = [
                match(row, first, second, rules=Rules(tie="larger")).lead
                for row in rows
            ]
            wins = [lead > 0 for lead in leads]
            assert result.wins[i, j] == sum(wins)
            assert result.draws[i, j] == leads.count(0)
            assert result.losses[i, j] == sum(lead < 0 for lead in leads)
            assert result.mean_lead[i, j] == float(Fraction(sum(leads)) / len(rows))
            samples: list[tuple[Any, list[Any]]] = [
                (result.lead_error, leads),
                (result.win_rate_error, wins),
            ]
            for error, sample in samples:
                deviation = statistics.stdev([Fraction(x) for x in sample])
                wanted = float(deviation) / math.sqrt(len(rows))
                assert error[i, j] == pytest.approx(wanted, rel=1e-13)


def test_random_players_have_the_right_mean() -> None:
    row = [8, 4, 2, 2, 4, 8]
    mixed = PLAYERS[-1]
    result = tournament(["random", mixed], [row] * 4000, rng=1)
    for i, first in enumerate(["random", mixed]):
        for j, second in enumerate(["random", mixed]):
            chances = [chance_of_left(p, row, "larger") for p in (first, second)]
            expected = float(expected_lead(row, *chances))
            assert abs(result.mean_lead[i, j] - expected) < 5 * result.lead_error[i, j]
    # Taking [1, 2] at random wins by 1 in half the games.
    result = tournament(["random"], [[1, 2]] * 4000, rng=1)
    assert abs(result.win_rate[0, 0] - 0.5) < 5 * result.win_rate_error[0, 0]
    assert result.lead_deviation[0, 0] == pytest.approx(1, abs=0.01)


def test_one_game_has_no_error() -> None:
    result = tournament(["larger"], [[1, 2]])
    assert math.isnan(result.win_rate_error[0, 0])
    assert math.isnan(result.lead_error[0, 0])
    assert (result.win_rate[0, 0], result.mean_lead[0, 0]) == (1, 1)


def test_seeds() -> None:
    rows = deal(50, 7, rng=1)
    result = tournament(PLAYERS, rows, rng=1)
    assert tournament(PLAYERS, rows, rng=np.random.default_rng(1)) == result
    assert tournament(PLAYERS, rows.tolist(), rng=1) == result
    assert tournament(PLAYERS, rows, rng=2) != result
    assert tournament(PLAYERS, rows) != tournament(PLAYERS, rows)
    generator = np.random.default_rng(1)
    assert tournament(PLAYERS, rows, rng=generator) == result
    assert tournament(PLAYERS, rows, rng=generator) != result


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK", 16)
    # Other processes cannot import this file.
    alike: list[Policy] = [player for player in FIXED if player is not leftmost]
    players = [*PLAYERS, *alike]
    if isinstance(executor, ThreadPoolExecutor):
        players.append(leftmost)
    rows = [*deal(50, 7, rng=1), *deal(30, 4, rng=2)]
    named = {f"player {i}": player for i, player in enumerate(players)}
    alone = tournament(named, rows, rng=1)
    assert tournament(named, rows, rng=1, executor=executor) == alone
    monkeypatch.setattr(module, "_CHUNK", 10**6)
    assert tournament(alike, rows, executor=executor) == tournament(alike, rows)


@pytest.mark.slow
def test_chunks_do_not_matter_without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*deal(50, 7, rng=1), *deal(30, 4, rng=2)]
    result = tournament(FIXED, rows)
    for chunk, cells in [(7, 2**24), (1024, 1)]:
        monkeypatch.setattr(module, "_CHUNK", chunk)
        monkeypatch.setattr(module, "_CHUNK_CELLS", cells)
        assert tournament(FIXED, rows) == result
    assert tournament(FIXED, reversed(rows)) == result


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    rows = deal(50, 7, rng=1)
    silent = tournament(PLAYERS, rows, rng=1)
    assert capsys.readouterr().err == ""
    with running(progress=True):
        assert tournament(PLAYERS, rows, rng=1) == silent
    assert "800/800" in capsys.readouterr().err


def test_without_the_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    result = tournament(["larger"], [[1, 2]])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'cardgames_dp\[pandas"):
        result.to_pandas()


def test_views() -> None:
    result = tournament({"a<b": "larger", "sly": "smaller"}, [[1, 2], [5, 5, 1]])
    assert str(result) == (
        "win/draw/lose of the first seat, 2 games a pair\n"
        "       a<b    sly\n"
        "a<b  2/0/0  2/0/0\n"
        "sly  1/0/1  1/0/1"
    )
    assert repr(result) == "Tournament(players=('a<b', 'sly'), games=2)"
    html = str(result._repr_html_())
    assert html.count("<tr>") == 3
    assert "a&lt;b" in html
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["players"] == ["a<b", "sly"]
    assert plain["wins"] == result.wins.tolist()
    frame = result.to_pandas()
    assert frame.loc[("sly", "a<b"), "wins"] == result.wins[1, 0]
    assert frame.loc[("a<b", "sly"), "mean_lead"] == result.mean_lead[0, 1]
    assert list(frame.columns) == [*plain][2:]


def test_tournament_is_a_value() -> None:
    result = tournament(["larger", "smaller"], [[1, 2], [3, 4]])
    assert pickle.loads(pickle.dumps(result)) == result
    assert result != tournament(["larger", "smaller"], [[1, 2], [3, 3]])
    for array in (result.wins, result.mean_lead):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"players": "larger"},
            TypeError,
            "players must be an iterable of policies or",
        ),
        (
            {"players": 3},
            TypeError,
            "players must be an iterable of .* got 3 of type i",
        ),
        (
            {"players": []},
            ValueError,
            "players must hold at least one policy, got none",
        ),
        (
            {"players": ["sly"]},
            ValueError,
            r"players\[0\] must be one of .*, got 'sly'",
        ),
        ({"players": {"x": 1}}, TypeError, r"players\['x'\] must be one of .*, got 1"),
        ({"players": {1: "larger"}}, TypeError, "names that are str, got 1"),
        (
            {"players": [leftmost, "larger", leftmost]},
            ValueError,
            "players must have different names, got 'leftmost' twice; give a mapping",
        ),
        ({"deals": []}, ValueError, "deals must hold at least one row, got none"),
        (
            {"deals": [[1], [2, None]]},
            TypeError,
            r"deals\[1\]\[1\] must be a finite int",
        ),
        ({"deals": [1, 2]}, TypeError, r"deals\[0\] must be a row, an iterable of n"),
        ({"deals": [[10**400, 1]] * 2}, ValueError, "deals must have cards whose squa"),
        ({"rng": -1}, ValueError, "rng must be None, a seed"),
        (
            {"executor": 2},
            TypeError,
            "executor must be a concurrent.futures.Executor or None, got 2 of type int",
        ),
        (
            {"players": {"sloth": lambda cards, left, right: None}},
            TypeError,
            "player 'sloth' must return 'left', 'right' or the probability of 'left', "
            r"a number from 0 to 1, got None for the cards \[1, 2\] at 0 to 1",
        ),
    ],
)
def test_errors(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    defaults: dict[str, Any] = {"players": ["larger"], "deals": [[1, 2]]}
    with pytest.raises(error, match=message):
        tournament(**(defaults | arguments))


def test_deals_of_a_shuffled_deck() -> None:
    rows = deal(200, 52, rng=1)
    assert rows.shape == (200, 52)
    assert (np.sort(rows) == sorted([*range(1, 14)] * 4)).all()
    assert len({tuple(row) for row in rows.tolist()}) == 200
    assert (deal(200, 52, rng=1) == rows).all()
    assert (deal(200, 52, rng=2) != rows).any()
    rows = deal(4000, 3, rng=2)
    for column in rows.T:
        counts = np.bincount(column, minlength=14)[1:]
        assert (abs(counts - 4000 / 13) < 5 * math.sqrt(4000 / 13)).all()


def test_deals_with_replacement() -> None:
    rows = deal(1000, 5, deck=[0.5, 2.5], replace=True, rng=1)
    assert rows.dtype == np.float64
    assert sorted(set(rows.ravel().tolist())) == [0.5, 2.5]
    assert abs((rows == 0.5).sum() - 2500) < 5 * math.sqrt(1250)


@pytest.mark.parametrize(("n", "share"), [(3, 0.14), (13, 0.57), (51, 0.88), (12, 0)])
def test_when_to_let_the_other_start(n: int, share: float) -> None:
    games = 1000
    better = sum(value(row, backend="exact") < 0 for row in deal(games, n, rng=n))
    allowed = 5 * math.sqrt(games * share * (1 - share)) + (games / 200 if share else 0)
    assert abs(better - games * share) <= allowed


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 0}, ValueError, "games must be an integer >= 1, got 0"),
        ({"cards": 0}, ValueError, "cards must be an integer >= 1, got 0"),
        ({"cards": 53}, ValueError, "cards must be at most the 52 of the deck, got 53"),
        ({"deck": ["x"]}, TypeError, "deck must be an array of numbers, got dtype <U1"),
        (
            {"deck": [True]},
            TypeError,
            "deck must be an array of numbers, got dtype bool",
        ),
        ({"deck": [[1, 2]]}, ValueError, r"deck must be one row of .* shape \(1, 2\)"),
        (
            {"deck": np.array([], int)},
            ValueError,
            r"one row of cards, got shape \(0,\)",
        ),
        ({"replace": 1}, TypeError, "replace must be True or False, got 1"),
        ({"rng": 1.5}, TypeError, "rng must be None, a seed"),
        ({"games": 10**12}, TooLargeError, "1000000000000 rows of 3 cards needs about"),
    ],
)
def test_errors_of_deals(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        deal(**({"games": 2, "cards": 3} | arguments))
