"""A solved deck: its tables, its boundary, what it advises, and a game in progress."""

import pickle
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, interop, play, redblack
from cardgames_dp.redblack import Position, Rules
from cardgames_dp.redblack.utilities import in_fractions

from .strategies import decks, linear_rules, utility_rules

FLOAT = redblack.solve(6, 5)
EXACT = redblack.solve(6, 5, backend="exact")


@pytest.mark.parametrize(
    "table", [FLOAT, EXACT, redblack.solve(100, 30), redblack.solve(40, 50)]
)
def test_sheets_agree(table: redblack.Solution[Any]) -> None:
    """Text, HTML and DataFrame show the same numbers and mark the same stops.

    A large sheet has rows and columns in equal steps.
    """
    page = str(table._repr_html_())
    head, *lines = str(table).splitlines()
    while lines[-1].startswith("("):
        assert lines.pop().strip("()") in page
    columns = [int(label) for label in head.split()[3:]]
    assert columns[0] == table.black
    assert len({*np.diff(columns[1:]).tolist()}) == 1
    frame, totals = table.to_pandas()["total"].unstack(), table.totals
    assert (frame.index.name, frame.columns.name) == ("red", "black")
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', page)
    assert len({*np.diff([int(label) for label, _ in rows[1:]]).tolist()}) == 1
    for line, (label, row) in zip(map(str.split, lines), rows, strict=True):
        red = int(line[0])
        assert int(label) == red
        cells = re.findall(r"<td( style=[^>]*)?>(?:<b>)?([^<]*)(?:</b>)?</td>", row)
        for black, cell, (style, shown) in zip(columns, line[1:], cells, strict=True):
            assert frame.loc[red, black] == totals[red, black]
            assert shown == cell
            assert cell.rstrip("*") == f"{float(totals[red, black]):.4g}"
            assert cell.endswith("*") == bool(style) == table.stop[red, black]


# Where to stop.


@given(rules=linear_rules, deck=decks)
def test_boundary_in_print_tells_where_to_stop(
    rules: Rules, deck: tuple[int, int]
) -> None:
    table = redblack.solve(*deck, rules=rules, backend="exact")
    _, *lines = str(table.boundary).splitlines()[:-1]
    told = set()
    for line in lines:
        cards, words, cash = re.split("  +", line.strip())
        last, _, first = cards.partition(" to ")
        for n in range(int(last), int(first or last) + 1):
            told.add(n)
            for r in range(max(0, n - deck[1]), min(n, deck[0]) + 1):
                always = {"any": True, "never": False}.get(words)
                least = int(words.removesuffix(" or more")) if always is None else 0
                stops = n - 2 * r >= least if always is None else always
                assert stops == table.stop[r, n - r]
                if always is not None:
                    continue
                rounding = Fraction(1, 10**4)  # of six digits
                in_hand = rules.cash(deck[0] - r, deck[1] - (n - r))
                low, _, high = cash.removesuffix(" or more").partition(" to ")
                if stops:
                    assert in_hand - Fraction(low) >= -rounding
                else:
                    assert in_hand - Fraction(high or low) < rounding
    assert told == set(range(min(1, sum(deck)), sum(deck) + 1))


def test_boundary_in_both_forms() -> None:
    boundary = redblack.solve(26, 26).boundary
    # 12 cards: none of the states with less than 4 more black ones stops.
    assert (boundary.excess[12], boundary.excess[52]) == (4, 53)
    rules = Rules(fee="0.05")
    boundary = redblack.solve(30, 22, rules=rules).boundary
    frame = boundary.to_pandas()
    assert frame.index.name == "n"
    assert frame["excess"].tolist() == boundary.excess.tolist()
    assert frame.loc[41, "cash"] == 10.45
    assert frame["cash"].isna().tolist() == (~frame["stops"]).tolist()
    for n in range(1, 42):
        black = (n + boundary.excess[n]) // 2
        assert boundary.cash[n] == float(rules.cash(30 - (n - black), 22 - black))


def test_a_stop_set_in_two_parts_has_no_boundary() -> None:
    """With 3 cards left, stop with 0 or 3 red ones and draw with 1 and 2 between."""
    rules = Rules(utility=lambda c: np.where((c > 2) & (c < 5), 3 - c, c))
    table = redblack.solve(9, 8, rules=rules, backend="exact")
    stops = [bool(table.stop[r, 3 - r]) for r in range(4)]
    assert stops.index(False) < 3 - stops[::-1].index(True)
    with pytest.raises(ValueError, match="with 3 cards remaining the stop set is not"):
        _ = table.boundary
    assert table.stop.tolist() == redblack.solve(9, 8, rules=rules).stop.tolist()


def test_thresholds_are_an_array() -> None:
    found: Any = redblack.thresholds(10)
    assert (found.n.dtype, found.n.shape, found.n[6]) == (np.int64, (10,), 79)
    frame = found.to_pandas()
    assert (frame.index.name, frame.loc[7, "n"]) == ("excess", 79)


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(tie="draw"), Rules(win=2), Rules(win="3/2", fee="1/10")],
)
def test_the_rule_by_black_cards_is_the_boundary(rules: Rules) -> None:
    stop = redblack.solve(45, 45, rules=rules, backend="exact").stop
    least = redblack.thresholds(45, rules=rules).least_red(range(46))
    for black in range(46):
        expected = np.arange(46) < least[black]
        assert np.array_equal(stop[:, black], expected), black


def test_the_rule_of_any_number_of_black_cards() -> None:
    found = redblack.thresholds(400)
    least = found.least_red(np.arange(20).reshape(4, 5))
    assert least.shape == (4, 5)
    assert least.dtype == np.int64
    # The Dynamic Card Game note's rule, and two numbers of black cards more.
    assert least.ravel()[:7].tolist() == [1, 1, 2, 2, 3, 4, 4]
    assert type(found.least_red(7)) is int
    assert found.least_red(7) == least.flat[7]
    assert found.least_red([]).shape == (0,)
    for black in np.random.default_rng(1).integers(10, 10**5, 50).tolist():
        red = found.least_red(black)
        for r, stops in ((red - 1, True), (red, False)):
            assert (r + black <= found.n[black - r - 1]) == stops


def test_the_rule_ends_where_thresholds_are_unknown() -> None:
    known = redblack.thresholds(6)
    assert known.n[5] == 58
    assert known.least_red(32) == 32 - 6 + 1  # 26 + 32 cards are 58
    n = np.where(np.arange(6) == 4, -1, known.n)
    gap = redblack.Thresholds(n, known.rules)
    with pytest.raises(ValueError, match=r"at most 16 for .* up to excess 4, got 17"):
        gap.least_red(17)
    assert gap.least_red(range(6)).tolist() == [1, 1, 2, 2, 3, 4]


# What to do now.


def test_advice_of_a_utility_is_in_utility() -> None:
    rules = Rules(utility=lambda cash: 10 * cash + 1)
    for backend in ("float64", "exact"):
        table = redblack.solve(6, 5, rules=rules, backend=backend)
        advice = table.advice(red=2, black=4)
        assert (advice.cash, advice.values["stop"], advice.value) == (3, 31, 31)
        assert table.value == pytest.approx(float(10 * EXACT.value + 1))


OTHER: dict[Any, Any] = {"red": "black", "black": "red"}


@given(
    red=st.integers(0, 5),
    black=st.integers(0, 5),
    rules=linear_rules,
    cards=st.lists(st.sampled_from(["red", "black"]), max_size=8),
)
def test_a_position_knows_what_the_backend_knows(
    red: int, black: int, rules: Rules, cards: list[Any]
) -> None:
    """Of every state, with the colours exchanged as well."""
    oracle = exact.solve(redblack.game(red, black, rules=rules))
    solution = redblack.solve(red, black, rules=rules, backend="exact")
    position, mirrored = Position(solution), Position(solution, good="black")
    played = []
    for card in cards:
        if not {"red": position.red, "black": position.black}[card]:
            with pytest.raises(ValueError, match=f"no {card} card is left|game is ove"):
                position.play(card)
            continue
        played.append(card)
        before, position = position, position.play(card)
        mirrored = mirrored.play(OTHER[card])
        assert position.undo() is before
        state = redblack.State(position.red, position.black)
        assert position.state == mirrored.state == state
        assert position.cash == rules.cash(red - position.red, black - position.black)
        assert position.over == (sum(state[:2]) == 0)
        assert position.value == position.cash + oracle.values[state]
        assert (mirrored.red, mirrored.black) == (position.black, position.red)
        assert (mirrored.value, mirrored.cash) == (position.value, position.cash)
        if not position.over:
            advice, other = position.advice(), mirrored.advice()
            told = oracle.advice(state)
            worths = {a: position.cash + x for a, x in told.values.items()}
            assert (advice.values, advice.margin) == (worths, told.margin)
            assert ({*advice.best}, advice.tie) == ({*told.best}, told.tie)
            tied = rules.tie if advice.tie else told.action
            assert (advice.action, advice.cash) == (tied, position.cash)
            assert advice == solution.advice(red=position.red, black=position.black)
            assert other.values == advice.values
            assert (other.red, other.black) == (position.black, position.red)
    assert position.history == tuple(played)
    assert mirrored.history == tuple([OTHER[card] for card in played])
    assert pickle.loads(pickle.dumps(mirrored)) == mirrored
    if played:
        assert position.undo() != position != mirrored


# In `play`, as a solution of any game.


@given(
    deck=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    rules=linear_rules | utility_rules,
    backend=st.sampled_from(["exact", "float64"]),
)
def test_any_game_s_functions_take_a_solution(
    deck: tuple[int, int], rules: Rules, backend: Any
) -> None:
    """By its own policy, the tie rule included; nothing is given up by it."""
    how: Any = {"rules": rules, "backend": backend}
    table: Any = redblack.solve(*deck, **how)
    close = pytest.approx(table.value, rel=0 if backend == "exact" else 1e-13)
    assert play.evaluate(table, backend=backend).value == close
    law = redblack.distribution(*deck, **how)
    cash = [*map(Fraction, law.payoff.support)]
    worths: list[Any] = in_fractions(rules.utility, cash)
    if backend == "float64":
        worths = [*map(float, worths)]
    returns = dict.fromkeys(sorted(worths), 0)
    for worth, p in zip(worths, law.payoff.probabilities.tolist(), strict=True):
        returns[worth] += p
    found = play.distribution(table, backend=backend)
    assert found.returns[0].to_dict() == pytest.approx(returns, rel=1e-12)
    draws = {moves // 2: p for moves, p in found.moves}
    assert draws == pytest.approx(law.moves.to_dict(), rel=1e-12)
    assert play.regret(table, table, backend=backend).loss == 0
    games = play.simulate(table, games=20, rng=1)
    assert {*games.returns[0].support} <= {*map(float, found.returns[0].support)}
    assert {*games.moves.support} <= {*found.moves.support}
    position: Any = play.Position(table)
    assert position.value == close
    assert type(position.value) is (Fraction if backend == "exact" else float)
    while not position.over:
        state = position.state
        if state.decision:
            position = position.play(position.outcomes[-1])
            continue
        advice = position.advice()
        assert (advice.action == "stop") == table.stop[state.red, state.black]
        total = position.value + (rules.utility is None and position.collected[0])
        expected = table.totals[state.red, state.black]
        assert total == pytest.approx(expected, rel=1e-13, abs=1e-13)
        position = position.play(advice.action)


@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_a_value_table_of_a_solution(tmp_path: Path, backend: Any) -> None:
    table: Any = redblack.solve(6, 5, rules=Rules(tie="draw"), backend=backend)
    interop.to_table(table, tmp_path / "deck.npz")
    found: Any = interop.from_table(tmp_path / "deck.npz")
    cards = np.array([(*deck, 0) for deck in np.ndindex(table.stop.shape)])
    values = pytest.approx(table.values.ravel(), rel=1e-14, abs=1e-14)
    assert found.values(cards) == values
    stops = found.policy(cards[1:]) == 1  # nobody decides without cards
    assert stops.tolist() == table.stop.ravel()[1:].tolist()


def test_how_a_game_ends() -> None:
    position: Any = Position(redblack.solve(3, 3)).play("red").play("stop")
    assert (position.over, position.cash, position.value) == (True, 1, 1)
    assert position.history == ("red", "stop")
    assert not position.undo().over
    last: Any = Position(redblack.solve(1, 0)).play("red")
    assert (last.over, last.value) == (True, 1)
    # Past ruin nothing is worth something.
    rules = Rules(utility=redblack.utilities.log(wealth=1))
    ruined = Position(redblack.solve(0, 2, rules=rules)).play("black").play("stop")
    assert ruined.value == -np.inf
