"""Value tables in files: as they were, checked by others, and refused if damaged."""

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from cardgames_dp import diagonal, exact, interop, play, redblack
from cardgames_dp._interop import certificate, value_table
from cardgames_dp.game import CHANCE, TERMINAL, GameError, Solution, explore

from .classics.scripts import loaded
from .games import Listed, Paying, Pig, RedBlack, Table, games
from .refusals import type_error, value_error

HOME = Path(__file__).parent
PIG = loaded("pig")
CHECKER = loaded("../check_table")
SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
ANY = st.one_of(
    games(),
    games(pays=True, heavy=True),
    games(cycles=True, total=1, pays=True),
    games(cycles=True, players=1),
)


def again(solution: Any) -> Any:
    """Return a solution that was written and read."""
    with TemporaryDirectory() as folder:
        interop.to_table(solution, path := f"{folder}/table.npz")
        return interop.from_table(path)


def solved(solve: Callable[..., Any], game: Any, **options: Any) -> Any:
    """Return the solution of a random game, most of which have one."""
    try:
        return solve(game, **options)
    except GameError:
        assume(False)


def numbers(array: Any, width: int) -> list[list[Fraction]]:
    text = array.dtype == np.uint8
    result = bytes(array).decode().split() if text else array.ravel().tolist()
    exactly = list(map(Fraction, result))
    return [exactly[i : i + width] for i in range(0, len(exactly), width)]


def head_of(parts: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(bytes(parts["head"])))


def with_head(parts: dict[str, Any], **changes: Any) -> Any:
    return value_table.text([json.dumps(head_of(parts) | changes)])


def off_by(parts: dict[str, Any], change: Fraction, place: int = 0) -> Any:
    """Return the values, one of them changed by more than its error."""
    values = parts["values"]
    if values.dtype == np.uint8:
        lines = bytes(values).decode().split()
        lines[place] = str(Fraction(lines[place]) + change)
        return value_table.text(lines)
    values = values.copy()
    # Half of the certificate's own range is not needed.
    values.ravel()[place] += float(change) + 4 * head_of(parts)["error"]
    return values


def holds(parts: dict[str, Any]) -> bool:
    """Return whether one exact step at each state proves a table, as its page says."""
    size, count = parts["certificate"].shape
    players, offsets, after = (
        parts[name].tolist() for name in ("players", "offsets", "following")
    )
    v, c = (numbers(parts[name], count) for name in ("values", "certificate"))
    weights = [w for (w,) in numbers(parts["weights"], 1)]
    paid = [[Fraction(0)] * count] * len(after)
    if "paid" in parts:
        rows = numbers(parts["rewards"], count)
        paid = [rows[k] for k in parts["paid"].tolist()]
    ends = iter(numbers(parts["returns"], count))
    error = Fraction(head_of(parts)["error"])
    most = [max(each) or 1 for each in zip(*c, strict=True)]
    right = min(map(min, c)) >= 0
    for s in range(size):
        here = range(offsets[s], offsets[s + 1])
        returns = next(ends) if not here else []
        for i in range(count):
            worth = [(paid[k][i] + v[after[k]][i], c[after[k]][i]) for k in here]
            if here:
                total = sum(weights[k] for k in here)
                mean, then = (
                    sum(weights[k] * x[j] for k, x in zip(here, worth, strict=True))
                    / total
                    for j in (0, 1)
                )
                gains = [(abs(mean - v[s][i]), c[s][i] - then)]
                if players[s] == i:
                    gains += [(q - v[s][i], c[s][i] - d) for q, d in worth]
                right &= all(fall > 0 for _, fall in gains)
            else:
                gains = [(abs(returns[i] - v[s][i]), c[s][i])]
            right &= all(gain * most[i] <= error * fall for gain, fall in gains)
    return right


HARDLY_DIFFERENT = Table(
    {0: (0, {"a": 1, "b": 2}), 1: ("end", [10**30]), 2: ("end", [10**30 + 1])}
)
"""No integer becomes a float on the way."""


@given(
    game=ANY,
    solve=st.sampled_from(SOLVERS),
    tie_break=st.sampled_from(["first", "last", "uniform"]),
)
@example(HARDLY_DIFFERENT, exact.solve, "first")
def test_a_solution_is_as_it_was(game: Any, solve: Any, tie_break: str) -> None:
    solution = solved(solve, game, tie_break=tie_break)
    result = again(solution)
    assert result == solution
    assert all(result.error >= error for error in solution.errors.values())
    assert result.ties == solution.ties
    assert pickle.loads(pickle.dumps(result)) == result
    assert result.explored.graph == solution.explored.graph
    for state in solution.policy:
        assert result.advice(state).values == solution.advice(state).values
    backend: Any = "exact" if solve is exact.solve else "float64"
    mine = play.evaluate(solution, solution, backend=backend).payoffs
    assert play.evaluate(result, result, backend=backend).payoffs == mine


END = ("end", [-2, 1, -1, 1])

SHARED = Paying(
    {0: (0, {"a": 1, "b": 2}), 1: (3, {"a": 2, "b": 3}), 2: (1, {"a": 3}), 3: END},
    num_players=4,
    paid={(0, "b"): [2, 1, -2, 0], (1, "a"): [Fraction(-1, 3), 0, -2, Fraction(2, 3)]},
)
"""One player's values are rounded, and another's are not: each has a scale."""


@given(game=ANY, solve=st.sampled_from(SOLVERS))
@example(SHARED, diagonal.solve)
def test_one_step_proves_the_values_of_any_game(game: Any, solve: Any) -> None:
    parts = value_table.parts_of(solved(solve, game))
    if "certificate" not in parts:  # a player can go on for ever
        assert "components" in parts
        return
    assert holds(parts)
    assert not holds(parts | {"values": off_by(parts, Fraction(1, 7))})


@given(
    game=st.one_of(games(max_states=27), games(max_states=27, pays=True)),
    rows=st.booleans(),
    solve=st.sampled_from(SOLVERS),
)
def test_a_game_for_arrays_is_as_it_was(game: Any, rows: bool, solve: Any) -> None:
    solution = solve(Listed(game, rows=rows, mixed=True))
    result = again(solution)
    solved, arrays = solution._source, result._source
    for name in {field.name for field in fields(solved)} - {"explored", "errors"}:
        mine, read = getattr(solved, name), getattr(arrays, name)
        assert np.array_equal(mine, read), name
    bound = max(solution.errors.values())
    assert bound <= result.error <= bound + 1e-12
    assert type(result) is Solution
    states = solution.explored.states_at(np.arange(solution.num_states))
    assert result.payoffs_at(states).tolist() == solution.payoffs_at(states).tolist()
    moving = states[solution.explored.graph.players >= 0]
    if len(moving):
        for mine, read in zip(
            solution.advice(moving), result.advice(moving), strict=True
        ):
            assert mine.tolist() == read.tolist()
    assert solve(result.explored).payoffs == solution.payoffs
    assert pickle.loads(pickle.dumps(result)).payoffs == result.payoffs
    mine = play.simulate(solution, solution, 20, rng=1).mean
    assert play.simulate(result, result, 20, rng=1).mean == mine


@pytest.mark.parametrize(
    "game",
    [PIG.Pig(12), redblack.game(6, 6, rules=redblack.Rules(fee="1/20")), SHARED],
    ids=range(3),
)
def test_a_machine_without_longer_floats(
    monkeypatch: pytest.MonkeyPatch, game: Any
) -> None:
    """As on Windows: rounding is allowed for, so the file states a larger error."""
    solution = diagonal.solve(game)
    usual = head_of(value_table.parts_of(solution))["error"]
    monkeypatch.setattr(certificate, "_LONG", np.float64)
    monkeypatch.setattr(certificate, "_UNIT", 2.0**-52)
    parts = value_table.parts_of(solution)
    assert holds(parts)
    assert usual <= head_of(parts)["error"] < 1e-12


# The checker
# -----------


class Checked(NamedTuple):
    """A table, and what the checker has to know about the game."""

    parts: dict[str, Any]
    start: tuple[Any, ...]
    rules: Callable[[Any], Any]

    def verdict(self, **changes: Any) -> Any:
        return CHECKER.check(self.parts | changes, self.start, self.rules)


def rules_of(state: Any) -> Any:
    """Return the rules of red/black in states that are no rows; its ends pay."""
    game = RedBlack(4, 4)
    mover = game.current_player(state)
    if mover == TERMINAL:
        return mover, {}, game.returns(state)
    if mover == CHANCE:
        return mover, {s: w for w, s in game.chance_outcomes(state) if w}, ()
    actions = game.legal_actions(state)
    return mover, {a: game.next_state(state, a) for a in actions}, ()


GAMES: dict[str, tuple[Any, Any, Any]] = {
    "pig": (PIG.Pig(6), (0,) * 5, lambda state: CHECKER.pig(state, 6)),
    "cards": (redblack.game(6, 6), (6, 6, 0), CHECKER.red_black),
    "states": (RedBlack(4, 4), (4, 4, "decide"), rules_of),
}


def table_of(name: str, solve: Callable[..., Any]) -> Checked:
    game, start, rules = GAMES[name]
    return Checked(value_table.parts_of(solve(game)), start, rules)


@pytest.fixture(params=product(GAMES, SOLVERS), ids=range(6), scope="module")
def table(request: pytest.FixtureRequest) -> Checked:
    return table_of(*request.param)


def test_tables_are_proved(table: Checked) -> None:
    assert table.verdict().startswith("a solution")
    assert holds(table.parts)


@pytest.mark.parametrize("place", [0, 5, 70, -1])
def test_a_changed_value_is_found(table: Checked, place: int) -> None:
    values = off_by(table.parts, Fraction(1, 10**20), place)
    assert table.verdict(values=values).startswith("wrong: the value")


def test_an_omitted_move_is_found(table: Checked) -> None:
    parts = table.parts
    counts = np.diff(parts["offsets"])
    for place in np.flatnonzero(counts > 1)[[0, 3, -1]]:
        move = int(parts["offsets"][place])
        offsets = parts["offsets"].copy()
        offsets[place + 1 :] -= 1
        names = "following", "weights", "optimal"
        less = {name: np.delete(parts[name], move) for name in names}
        assert table.verdict(offsets=offsets, **less).startswith("wrong: ")


def edited(name: str, change: Callable[[Any], Any]) -> Any:
    """Return a forgery that changes one array, or the lines of its text."""

    def forgery(parts: dict[str, Any]) -> dict[str, Any]:
        if name not in parts:  # of games that pay nothing on the way
            return {}
        array = parts[name]
        if array.dtype == np.uint8:
            lines = np.array(bytes(array).decode().split("\n"), dtype=object)
            return {name: value_table.text(map(str, change(lines).tolist()))}
        return {name: change(array.copy())}

    return forgery


def in_head(**changes: Any) -> Any:
    return lambda parts: {"head": with_head(parts, **changes)}


def paying(parts: dict[str, Any]) -> dict[str, Any]:
    shape = 2, parts["certificate"].shape[1]
    paid = np.zeros(len(parts["following"]), np.int8)
    return {"rewards": np.zeros(shape, np.int8), "paid": paid}


def labels(parts: dict[str, Any]) -> dict[str, Any]:
    """Return the same actions with swapped names."""
    if "answers" in parts:
        return {"actions": value_table.text(['["draw", "stop"]'])}
    return {"actions": 1 - parts["actions"]}


def policy(parts: dict[str, Any]) -> dict[str, Any]:
    """Return a policy that takes the last action everywhere."""
    last = parts["offsets"][1:][parts["players"] >= 0] - 1
    weights = parts["weights"].copy()
    weights[np.repeat(parts["players"] >= 0, np.diff(parts["offsets"]))] = 0
    weights[last] = 1
    return {"weights": weights}


FORGERIES: dict[str, Any] = {
    "a state less": edited("values", lambda values: values[:-1]),
    "values of others": edited("values", lambda values: values[::-1]),
    "a state twice": edited("states", lambda x: np.append(x[:1], x[:-1], 0)),
    "other states": edited("states", lambda states: states[::-1]),
    "another start": edited("initial", lambda places: places + 1),
    "an impossible start": edited("initial", lambda places: places - 1),
    "other movers": edited("players", lambda x: np.where(x >= 0, 1 - x, x)),
    "players decide nothing": edited("players", lambda x: np.where(x >= 0, -1, x)),
    "an end goes on": edited("players", lambda x: np.where(x == -4, -1, x)),
    "other moves": edited("following", lambda following: following[::-1]),
    "moves of others": edited("offsets", lambda x: np.append(x[1:], x[-1:])),
    "fewer offsets": edited("offsets", lambda offsets: offsets[:-1]),
    "negative offsets": edited("offsets", lambda offsets: offsets - 5),
    "other policy": policy,
    "chances doubled": edited("weights", lambda weights: weights * 2),
    "negative weights": edited("weights", lambda weights: -weights),
    "weights that are NaN": edited("weights", lambda weights: weights * np.nan),
    "other returns": edited("returns", lambda x: np.zeros(x.shape, np.int8)),
    "fewer returns": edited("returns", lambda returns: returns[1:]),
    "rewards": paying,
    "payments of others": edited("paid", lambda paid: paid[::-1]),
    "fewer payments": edited("paid", lambda paid: paid[:-1]),
    "swapped labels": labels,
    "all is optimal": edited("optimal", lambda x: x | True),
    "the opposite is optimal": edited("optimal", lambda x: ~x),
    "optimal in numbers": edited("optimal", lambda x: x.astype(np.int8)),
    "fewer optimal actions": edited("optimal", lambda x: x[:-1]),
    "no certificate": edited("certificate", lambda c: c * 0),
    "a negative certificate": edited("certificate", lambda c: -c),
    "an infinite certificate": edited("certificate", lambda c: c + np.inf),
    "an unknown array": lambda _: {"extra": np.zeros(3)},
    "objects": edited("certificate", lambda c: c.astype(object)),
    "complex values": lambda parts: {"values": parts["certificate"] * 1j},
    "a huge value": lambda parts: {"values": value_table.text(["1e20000000"])},
    "infinite values": lambda parts: {"values": parts["certificate"] + np.inf},
    "nested states": lambda _: {"states": value_table.text(["[" * 10**5])},
    "no states": lambda _: {"states": value_table.text([])},
    "a negative error": in_head(error=-1e-3),
    "an error that is NaN": in_head(error=float("nan")),
    "an error as text": in_head(error="1e20000000"),
    "no error": in_head(error=None),
    "exact with an error": in_head(error=0.5, numbers="exact"),
    "another form": in_head(form="lists"),
    "another version": in_head(version=2),
    "a nested head": lambda _: {"head": value_table.text(["[" * 10**5])},
}
"""What somebody could do to a table so that it is not right any more."""


UNSEEN = {"states", "actions", "initial", "rewards", "paid", "certificate", "extra"}
"""Arrays that a reader cannot check: other labels, say, only the checker finds."""


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_forgeries_are_found(table: Checked, forgery: Any) -> None:
    """By the checker; a reader refuses them, or reads another table."""
    changes = forgery(table.parts)
    same = is_same(table.parts, changes)
    assert table.verdict(**changes).startswith("a solution" if same else "wrong: ")
    refused = ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError
    with suppress(*refused):
        value_table.solution_of(table.parts | changes)
        assert same or changes.keys() & UNSEEN


def is_same(parts: dict[str, Any], changes: dict[str, Any]) -> bool:
    """Return whether a forgery changes nothing: of one player there is no other."""
    pairs = [(parts.get(name, np.zeros(0)), array) for name, array in changes.items()]
    return all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in pairs)


def test_arrays_that_are_missing_are_found(table: Checked) -> None:
    for name in table.parts:
        less = {k: v for k, v in table.parts.items() if k != name}
        result = CHECKER.check(less, table.start, table.rules)
        if name in CHECKER.NOT_CHECKED:
            assert result.startswith("a solution")
        else:
            assert result.startswith(("wrong: ", "no proof"))


def test_what_is_not_checked_is_said(table: Checked) -> None:
    said = table.verdict().rpartition("not checked: ")[2].split(", ")
    rest = {*table.parts, *head_of(table.parts)} - CHECKER.CHECKED - CHECKER.HEAD
    assert sorted(rest) == said
    blocks = np.zeros((1, 1), np.int8)
    assert table.verdict(blocks=blocks) == table.verdict()


def test_an_error_that_is_too_small_is_found(table: Checked) -> None:
    if head_of(table.parts)["numbers"] == "float64":
        for error in (0.0, 5e-324, head_of(table.parts)["error"] / 1000):
            changes = in_head(error=error)(table.parts)
            assert table.verdict(**changes).startswith("wrong: the value")


@pytest.mark.parametrize("error", [0.123456789, 1e300])
@pytest.mark.parametrize("sign", [1, -1])
def test_values_that_are_all_too_high_have_a_larger_error(
    error: float, sign: int
) -> None:
    """Each player's value may be off by e, so their sum by 2e; all is rounded up."""
    table = table_of("pig", exact.solve)
    parts = table.parts
    v = np.array(numbers(parts["values"], 2))
    c = np.array([[Fraction(x) for x in row] for row in parts["certificate"].tolist()])
    shift = sign * Fraction(error) * c / c.max(axis=0)
    wrong = (v + shift).ravel().tolist()
    head = with_head(parts, error=error, numbers="float64")
    verdict = table.verdict(head=head, values=value_table.text(map(str, wrong)))
    bound = Fraction(re.findall(r"at most ([0-9.e+-]+)", verdict)[0])
    right = Fraction(error) + abs(shift.sum(axis=1)).max()
    assert right > Fraction(error)
    assert right <= bound <= right * Fraction(11, 10)


@pytest.mark.parametrize(
    ("returns", "words"),
    [
        ([[3], [1]], "a solution, with an error of at most 0\n"),
        ([[3, -3], [1, -1]], "a solution, with an error of at most 0\n"),
        ([[3, 1], [1, 1]], "a solution: an equilibrium whose values have an error of"),
        ([[3, 1, 0], [1, 1, 2]], "no player gains more than 0\n"),
    ],
)
def test_what_is_proved_depends_on_the_players(
    returns: list[list[int]], words: str
) -> None:
    rows: Any = {0: (0, {"a": 1, "b": 2}), 1: ("end", returns[0])}
    rows[2] = "end", returns[1]
    parts = value_table.parts_of(exact.solve(Table(rows, num_players=len(returns[0]))))
    parts["states"] = value_table.text(["[0]", "[1]", "[2]"])
    rules: Any = {(0,): (0, {"a": (1,), "b": (2,)}, ())}
    rules |= {(i + 1,): (-4, {}, returns[i]) for i in (0, 1)}
    assert words in CHECKER.check(parts, (0,), rules.__getitem__)


@pytest.mark.parametrize("line", ["1e5", "1_0", " 1", "0.5", "1/0", "+1", "", "nan"])
def test_numbers_are_read_strictly(line: str) -> None:
    values = value_table.text([line, "1"])
    value_error("numbers not of shape", CHECKER.exact, values, 2)
    parts = value_table.parts_of(exact.solve(redblack.game(0, 0))) | {"values": values}
    value_error("is no integer or fraction", value_table.solution_of, parts)


def test_what_is_too_long_or_too_deep(tmp_path: Path) -> None:
    nested: Any = ()
    for _ in range(900):
        nested = (nested,)
    for state, value, words in (
        (nested, 0, "must not be nested so deeply"),
        (10**5000, 0, "no number of more than 4300 digits"),
        (0, 10**5000, "no number of more than 4300 digits"),
    ):
        solution = exact.solve(Table({state: ("end", [value])}, start=state))
        value_error(words, interop.to_table, solution, tmp_path / "none.npz")
    parts = value_table.parts_of(exact.solve(Table({0: ("end", [1])})))
    for text, words in (("[" * 10**5, "nested too deeply"), ("9" * 5000, "digits")):
        states: Any = value_table.text([text])
        np.savez(tmp_path / "some.npz", **(parts | {"states": states}))
        with pytest.raises(ValueError, match=words):
            interop.from_table(tmp_path / "some.npz")


@pytest.mark.parametrize("number", ["1e-9", "1.04e-11", "0.1", "0.101", "1/3", "7e22"])
def test_errors_are_rounded_up(number: str) -> None:
    exactly = Fraction(number)
    shown = Fraction(CHECKER.up(exactly * CHECKER.ONE))
    assert exactly <= shown <= exactly * Fraction(111, 100)


def test_the_page_shows_what_the_checker_prints(tmp_path: Path) -> None:
    page = (HOME.parent / "docs" / "saving.rst").read_text("utf-8")
    (shown,) = re.findall(
        r"\$ python3 check_table.py (.*)\n   (.*)\n   (.*)\n   (.*)\n", page
    )
    file = tmp_path / shown[0].split()[0]
    interop.to_table(exact.solve(redblack.game(26, 26)), file)
    script = HOME.parent / "examples" / "check_table.py"
    for code, lines in ((0, shown[1:]), (1, ["wrong: no value table "])):
        done = subprocess.run(
            [sys.executable, str(script), *shown[0].split()],
            cwd=tmp_path,
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert done.returncode == code
        assert done.stdout.startswith("\n".join(map(str.strip, lines)))
        file.write_bytes(file.read_bytes()[:-30])


def test_play_that_could_go_on_for_ever_has_no_certificate() -> None:
    """In the solitaire to hold without points takes a turn, and changes nothing."""
    parts = value_table.parts_of(diagonal.solve(PIG.Solitaire(8)))
    assert "certificate" not in parts
    assert CHECKER.check(parts, (0, 0, 0), CHECKER.pig).startswith("no proof")
    assert "certificate" in value_table.parts_of(diagonal.solve(Pig(5)))


# Files
# -----


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "table.npz"
    interop.to_table(exact.solve(redblack.game(3, 2)), str(result))
    return result


def test_a_file_is_read_and_replaced(path: Path) -> None:
    result = interop.from_table(str(path))
    assert result == exact.solve(redblack.game(3, 2))
    interop.to_table(diagonal.solve(PIG.Pig(6)), path)
    assert len(interop.from_table(path).payoffs) == 2
    assert [each.name for each in path.parent.iterdir()] == ["table.npz"]


def test_states_and_actions_of_many_kinds() -> None:
    class Coin(NamedTuple):
        side: str

    states: list[Any] = [
        *(0, "a\nb", None, (1, ("x", Fraction(1, 3))), frozenset({1, "b"})),
        *(2.5, Coin("heads"), True, np.int64(7), 1j),
    ]
    rows: Any = {s: (0, {s: t}) for s, t in pairwise(states)}
    rows[states[-1]] = "end", [1]
    result = again(exact.solve(Table(rows)))
    assert [*result.values] == [*states[:-1], "1j"]
    assert [*result.policy.values()] == states[:-1]
    assert type(next(iter(result.values))) is int


def test_what_cannot_be_written(tmp_path: Path) -> None:
    class Alike:
        def __repr__(self) -> str:
            return "alike"

    first, second = Alike(), Alike()
    rows = {first: (0, {"on": second}), second: ("end", [0])}
    many = explore(PIG.Solitaire(6)).with_returns(
        lambda ends: np.zeros((2, len(ends), 1))
    )
    for words, solution in (
        ("must differ as text", exact.solve(Table(rows, start=first))),
        ("got one of 2", diagonal.solve(many)),
    ):
        value_error(words, interop.to_table, solution, tmp_path / "none.npz")
    assert not [*tmp_path.iterdir()]
    with pytest.raises(FileNotFoundError):
        interop.from_table(tmp_path / "none.npz")


def test_what_is_no_table(path: Path) -> None:
    parts = value_table.parts_of(exact.solve(redblack.game(1, 1)))
    old = "version 2 of the format; this version of cardgames_dp reads version 1"
    for wrong, words in (
        ({"values": np.arange(3)}, "lacks 'head'"),
        (parts | {"head": with_head(parts, version=2)}, old),
        (parts | {"head": with_head(parts, format="another")}, "another format"),
    ):
        np.savez(path, **wrong)
        value_error(words, interop.from_table, path)


def test_exact_values_of_a_game_with_floats_are_refused() -> None:
    parts = value_table.parts_of(exact.solve(PIG.Solitaire(4)))
    for name in ("rewards", "returns"):
        wrong = parts | {name: parts[name].astype(float)}
        words = f"{name} must be integers or Fractions"
        type_error(words, value_table.solution_of, wrong)


@given(game=ANY, solve=st.sampled_from(SOLVERS), data=st.data())
def test_what_contradicts_itself_is_refused(game: Any, solve: Any, data: Any) -> None:
    """In exact tables each change of a value, a policy or an optimal action."""
    parts = value_table.parts_of(solved(solve, game))
    exactly = solve is exact.solve
    assume(exactly or head_of(parts)["error"] < 1e-3)
    deciding = parts["players"] >= 0
    moves = np.flatnonzero(np.repeat(deciding, np.diff(parts["offsets"]))).tolist()
    kinds = ["values", "weights", "optimal"][: 3 if exactly else 2]
    kind = data.draw(st.sampled_from(kinds if moves else kinds[:1]))
    if kind == "values":
        place = data.draw(st.integers(0, deciding.size * game.num_players - 1))
        changed = off_by(parts, Fraction(1, 7), place)
    else:
        changed = parts[kind].copy()
        assume(changed.dtype != np.uint8)
        move = data.draw(st.sampled_from(moves))
        changed[move] = not changed[move]
    with pytest.raises(ValueError, match=r"contradicts the values|do not fit"):
        value_table.solution_of(parts | {kind: changed})
