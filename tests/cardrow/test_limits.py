"""What would take too long is refused before it begins, or shows how far it is."""

import copy
import math
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

from cardgames_dp import TooLargeError, TooLongError, _memory, cardrow
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.instance import Terms
from cardgames_dp.cardrow._kernels.row import exact_array

GAME: Any = Rules().game([1, 5])
START, END = GAME.initial_state(), (2, 1, 0, (1, 5))
LEFT = Turn("left")
ROW = range(9)
# Without their types, as what is tried is wrong.
RULES: Any = Rules()
turn_of: Any = Turn
game_of: Any = cardrow.CardRowGame
MANY = [1] * 10**6


@pytest.mark.parametrize(
    "call",
    [
        lambda progress: cardrow.best_move(
            MANY, rules=Rules(take=2), progress=progress
        ),
        lambda progress: cardrow.value(
            MANY, rules=Rules(players=3), progress=progress, backend="exact"
        ),
        lambda progress: cardrow.scores(
            MANY, rules=Rules(weights=MANY), progress=progress
        ),
        lambda progress: cardrow.who_should_start(
            MANY, rules=Rules(take=9), progress=progress
        ),
    ],
)
def test_hours_without_a_sign_of_life(call: Callable[[Any], Any]) -> None:
    with pytest.raises(TooLongError, match=r"1000000 cards .* progress=True"):
        call(False)
    with pytest.raises(TypeError, match="progress"):
        call(1)


@pytest.mark.parametrize("progress", [False, True])
def test_weeks(progress: bool) -> None:
    rules, large = Rules(take=20), [2**62] * 10**6
    with pytest.raises(TooLongError, match=r"would take about .* (days|years)"):
        cardrow.best_move(large, rules=rules, progress=progress)
    with pytest.raises(TooLongError):
        cardrow.value(
            large, method="diagonal", rules=rules, progress=progress, backend="exact"
        )


def test_lines_of_a_million_cards_do_not_fit_but_half_an_hour_is_allowed() -> None:
    with pytest.raises(TooLargeError):
        cardrow.optimal_play(MANY, rules=Rules(take=2))
    assert diagonals.sweep_seconds(10**6, 1, 1, turns=False, fast=True) < 3600


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("turns", [False, True])
def test_an_estimate_grows_with_the_work(turns: bool, fast: bool) -> None:
    def seconds(cards: int, take: int, numbers: int) -> float:
        return diagonals.sweep_seconds(cards, take, numbers, turns=turns, fast=fast)

    assert seconds(10**6, 1, 2) == pytest.approx(100 * seconds(10**5, 1, 2), rel=0.05)
    assert seconds(1000, 3, 2) == pytest.approx(3 * seconds(1000, 1, 2))
    assert seconds(1000, 1, 3) > seconds(1000, 1, 2) > 0


@pytest.mark.parametrize(
    "call",
    [
        lambda row: cardrow.value(
            row, method="diagonal", progress=True, backend="exact"
        ),
        lambda row: cardrow.value(
            row, rules=Rules(players=3), progress=True, backend="exact"
        ),
        lambda row: cardrow.scores(row, rules=Rules(take=2), progress=True),
        lambda row: cardrow.optimal_play(row, method="diagonal", progress=True),
    ],
)
def test_a_bar_counts_intervals(
    call: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    call(np.arange(9))
    assert "45.0/45.0" in capsys.readouterr().err


def test_what_is_linear_shows_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    assert cardrow.value([1, 5, 1], progress=True, backend="exact") == -3
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("take", "players"), [(6, 5), (40, 2), (20, 20)])
def test_memory_of_a_sweep(take: int, players: int) -> None:
    """What is refused is what is taken, to a factor of two."""
    cards, terms = 4000, Terms(take, players, misere=False, tie="larger")
    tracemalloc.start()
    sweep = diagonals.sweep(exact_array([1] * cards), terms)
    for _ in islice(sweep, take + 6):  # as many diagonals as there ever are
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    needed = diagonals.sweep_bytes(cards, take, players, 8)
    assert 0.6 * peak < needed < 2 * peak


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cardrow.deal(2, 1, deck=[1, math.inf]), ValueError, "deck .* inf"),
        (lambda: cardrow.deal(2, 1, deck=[math.nan]), ValueError, "deck .* nan"),
        (lambda: cardrow.deal(2, 1, deck=[[1], [2, 3]]), ValueError, "deck must"),
        (lambda: turn_of("left", math.nan), TypeError, "count must be an integer"),
        (lambda: Turn("left", 0), ValueError, "count must be an integer >= 1"),
        (lambda: turn_of("up"), ValueError, "side must be one of 'left', 'right'"),
        (lambda: Turn.of_code(0), ValueError, "code must not be 0"),
        (lambda: turn_of.of_code(1.0), TypeError, "code must be an integer"),
        (lambda: RULES.preferred({}, 1, 2), TypeError, "best must be a sequence"),
        (lambda: RULES.preferred({1: 2}, 1, 2), TypeError, "best must be a seq"),
        (lambda: RULES.preferred([], 1, 2), ValueError, "best must hold at least"),
        (lambda: RULES.preferred(["l"], 1, 2), TypeError, "best must be a sequence"),
        (lambda: RULES.preferred([LEFT], 1, None), TypeError, "at_right must"),
        (lambda: RULES.preferred([LEFT], math.nan, 1), ValueError, "at_left must"),
        (lambda: GAME.legal_actions(None), TypeError, "state must be a cardrow.State"),
        (
            lambda: GAME.legal_actions((0, 9, 0, (0, 0))),
            ValueError,
            "state must be one",
        ),
        (lambda: GAME.returns((1, 0, 0, (0,))), ValueError, "state must be one"),
        (lambda: GAME.returns((0.5, 1, 0, (0, 0))), TypeError, "state must hold three"),
        (lambda: GAME.current_player((0, 1, 2, (0, 0))), ValueError, "2 players"),
        (lambda: GAME.next_state(START, None), TypeError, "action must be a cardrow.T"),
        (lambda: GAME.next_state(START, Turn("left", 2)), ValueError, "legal turns"),
        (lambda: GAME.next_state(END, Turn("right")), ValueError, "legal turns"),
        (lambda: game_of(Rules(), [[1, 2]]), ValueError, "2 rows of equal"),
        (lambda: game_of(None, [[1], [1, 2]]), ValueError, "worths must be"),
        (lambda: game_of(Rules(), 3), TypeError, "worths must be"),
    ],
)
def test_helpers_name_what_is_wrong(
    call: Callable[[], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        call()
    assert type(caught.value) is error


def test_turns_stay_tuples() -> None:
    turn = turn_of("right", np.int8(3))
    assert turn == ("right", 3)
    assert repr(turn) == "Turn(side='right', count=3)"
    assert pickle.loads(pickle.dumps(turn)) == copy.deepcopy(turn) == turn
    assert Turn.of_code(turn.code) == turn


def half(*_: object) -> float:
    return 1 / 2


@pytest.mark.parametrize("policy", [half, cardrow.Mixed({half: 1, "random": 1})])
def test_a_tournament_of_a_thousand_players_is_hours(policy: Any) -> None:
    players = {str(i): policy for i in range(1000)}
    rows = cardrow.deal(100, 24, rng=1)
    with pytest.raises(TooLongError, match="1000 players on 100 deals"):
        cardrow.tournament(players, rows)
    rows = cardrow.deal(20_000, 24, rng=1)
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        with pytest.raises(TooLongError, match="more than 7 days"):
            cardrow.tournament(players, rows, progress=True)
    finally:
        sys.setprofile(None)
    # Reading takes some calls a row; no player is asked for each row.
    assert calls < 200 * len(rows)


def test_a_best_response_that_takes_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_memory, "physical_memory", lambda: 2**60)
    with pytest.raises(TooLongError, match=r"200000 cards .* backend='float64'"):
        cardrow.best_response([1] * 200_000, "random", backend="exact")


@pytest.mark.parametrize(
    ("call", "counted"),
    [
        (lambda: cardrow.solve(range(9), progress=True, backend="exact"), "45.0/45.0"),
        (
            lambda: cardrow.solve(
                ROW, rules=Rules(take=2), progress=True, backend="exact"
            ),
            "45.0/45.0",
        ),
        (lambda: cardrow.solve([0.5] * 9, progress=True, backend="exact"), "162/162"),
        (
            lambda: cardrow.best_response(
                range(9), "random", progress=True, backend="exact"
            ),
            "36.0/36.0",
        ),
        (lambda: cardrow.match(ROW, "optimal", "larger", progress=True), "45.0/45.0"),
    ],
)
def test_bars_of_tables(
    call: Callable[[], Any], counted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    call()
    assert counted in capsys.readouterr().err


def test_states_may_be_plain_tuples() -> None:
    plain = (0, 1, 0, (0, 0))
    assert GAME.current_player(plain) == 0
    assert GAME.legal_actions(plain) == GAME.legal_actions(START)
    assert GAME.next_state(plain, LEFT) == (1, 1, 1, (1, 0))
    assert GAME.returns(END) == (-4, 4)


def test_a_response_is_asked_about_its_own_row_only() -> None:
    response: Any = cardrow.best_response([1, 2], "random", backend="exact")
    for cards in (np.array([1, 2]), [1, 2], (1, 3), None):
        with pytest.raises(ValueError, match="cards must be the row of the response"):
            response(cards, 0, 1)
    for left, right in [(0, 2), (1, 0), (10**400, 1)]:
        with pytest.raises(ValueError, match="left"):
            response((1, 2), left, right)
    with pytest.raises(TypeError, match="right must be an integer"):
        response((1, 2), 0, 1.0)
