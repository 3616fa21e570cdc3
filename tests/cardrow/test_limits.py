"""What would take too long is refused before it begins, or shows how far it is."""

import copy
import math
import pickle
import tracemalloc
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

from cardgames_dp import TooLargeError, cardrow, running
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.row import Terms, exact_array

GAME: Any = Rules().game([1, 5])
START, END = GAME.initial_state(), (2, 1, 0, (1, 5))
LEFT = Turn("left")
ROW = range(9)
# Without their types, as what is tried is wrong.
turn_of: Any = Turn
MANY = [1] * 10**6


def test_lines_of_a_million_cards_do_not_fit() -> None:
    with pytest.raises(TooLargeError):
        cardrow.match(MANY, rules=Rules(take=2))


@pytest.mark.parametrize(
    "call",
    [
        lambda row: cardrow.value(row, method="diagonal", backend="exact"),
        lambda row: cardrow.value(row, rules=Rules(players=3), backend="exact"),
        lambda row: cardrow.match(row, rules=Rules(take=2)),
    ],
)
def test_a_bar_counts_intervals(
    call: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    with running(progress=True):
        call(np.arange(9))
    assert "45.0/45.0" in capsys.readouterr().err


def test_what_is_linear_shows_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with running(progress=True):
        assert cardrow.value([1, 5, 1], backend="exact") == -3
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


@pytest.mark.parametrize(
    ("call", "counted"),
    [
        (lambda: cardrow.solve(range(9), backend="exact"), "45.0/45.0"),
        (
            lambda: cardrow.solve(ROW, rules=Rules(take=2), backend="exact"),
            "45.0/45.0",
        ),
        (lambda: cardrow.solve([0.5] * 9, backend="exact"), "162/162"),
        (
            lambda: cardrow.best_response(range(9), "random", backend="exact"),
            "36.0/36.0",
        ),
        (lambda: cardrow.match(ROW, "optimal", "larger"), "45.0/45.0"),
    ],
)
def test_bars_of_tables(
    call: Callable[[], Any], counted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    with running(progress=True):
        call()
    assert counted in capsys.readouterr().err


def test_states_may_be_plain_tuples() -> None:
    plain = (0, 1, 0, (0, 0))
    assert GAME.current_player(plain) == 0
    assert GAME.legal_actions(plain) == GAME.legal_actions(START)
    assert GAME.next_state(plain, LEFT) == (1, 1, 1, (1, 0))
    assert GAME.returns(END) == (-4, 4)
