"""Value tables in files: as they were, checked by others, and refused if damaged."""

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from cardgames_dp import diagonal, exact, interop, play, redblack
from cardgames_dp._interop import certificate, value_table
from cardgames_dp.game import ArraySolution, GameError, Solution, explore

from .classics.scripts import loaded
from .written import Listed, Paying, Pig, Table, games

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
    file = BytesIO()
    parts: dict[str, Any] = value_table.parts_of(solution)
    np.savez_compressed(file, **parts)
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        return value_table.solution_of({name: archive[name] for name in archive})


def solved(solve: Callable[..., Any], game: Any, **options: Any) -> Any:
    """Return the solution of a random game, most of which have one."""
    try:
        return solve(game, **options)
    except GameError:
        assume(False)


def numbers(array: Any, shape: tuple[int, ...]) -> list[list[Fraction]]:
    text = array.dtype == np.uint8
    found = bytes(array).decode().split() if text else array.ravel().tolist()
    rows = np.array([Fraction(x) for x in found] + [None], dtype=object)[:-1]
    return rows.reshape(shape).tolist()  # type: ignore[no-any-return]


def holds(parts: dict[str, Any]) -> bool:
    """Return whether one exact step at each state proves a table, as its page says."""
    head = json.loads(bytes(parts["head"]))
    size, count = parts["certificate"].shape
    players, offsets, after = (
        parts[name].tolist() for name in ("players", "offsets", "following")
    )
    v, c = (numbers(parts[name], (size, count)) for name in ("values", "certificate"))
    (weights,) = numbers(parts["weights"], (1, len(after)))
    paid = [[Fraction(0)] * count] * len(after)
    if "paid" in parts:
        rows = numbers(parts["rewards"], (-1, count))
        paid = [rows[k] for k in parts["paid"].tolist()]
    ends = iter(numbers(parts["returns"], (-1, count)))
    error, most = (
        Fraction(head["error"]),
        [max(each) or 1 for each in zip(*c, strict=True)],
    )
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


@given(
    game=ANY,
    solve=st.sampled_from(SOLVERS),
    tie_break=st.sampled_from(["first", "last", "uniform"]),
)
def test_a_solution_is_as_it_was(game: Any, solve: Any, tie_break: str) -> None:
    solution = solved(solve, game, tie_break=tie_break)
    found = again(solution)
    assert replace(found, error=solution.error) == solution
    assert found.error >= solution.error
    assert found.ties == solution.ties
    assert pickle.loads(pickle.dumps(found)) == found
    here, there = solution.explored.graph, found.explored.graph
    for name in ("players", "offsets", "following", "weights", "components"):
        assert np.array_equal(getattr(here, name), getattr(there, name)), name
    for state in solution.policy:
        assert found.advice(state).values == solution.advice(state).values
    backend: Any = "exact" if solve is exact.solve else "float64"
    mine = play.evaluate(solution, solution, backend=backend).value
    assert play.evaluate(found, found, backend=backend).value == mine


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


def off_by(parts: dict[str, Any], change: Fraction) -> Any:
    """Return the values, the first of them changed by more than its error."""
    text = parts["values"].dtype == np.uint8
    if text:
        first, *rest = bytes(parts["values"]).decode().split()
        return value_table.text([str(Fraction(first) + change), *rest])
    changed = parts["values"].copy()
    head = json.loads(bytes(parts["head"]))
    changed[0, 0] += float(change) + 3 * head["error"]
    return changed


def with_head(parts: dict[str, Any], **changes: Any) -> Any:
    return value_table.text([json.dumps(json.loads(bytes(parts["head"])) | changes)])


@given(
    game=st.one_of(games(max_states=27), games(max_states=27, pays=True)),
    rows=st.booleans(),
    solve=st.sampled_from(SOLVERS),
)
def test_a_game_for_arrays_is_as_it_was(game: Any, rows: bool, solve: Any) -> None:
    solution = solve(Listed(game, rows=rows, mixed=True))
    found = again(solution)
    for name in {field.name for field in fields(solution)} - {"explored", "error"}:
        mine, read = getattr(solution, name), getattr(found, name)
        assert np.array_equal(mine, read), name
    assert solution.error <= found.error <= solution.error + 1e-12
    assert type(found) is ArraySolution
    states = solution.explored.states_at(np.arange(solution.num_states))
    assert found.values(states).tolist() == solution.values(states).tolist()
    moving = states[solution.explored.graph.players >= 0]
    if len(moving):
        for mine, read in zip(
            solution.advice(moving), found.advice(moving), strict=True
        ):
            assert mine.tolist() == read.tolist()
    assert solve(found.explored).value == solution.value
    assert pickle.loads(pickle.dumps(found)).value == found.value
    mine = play.simulate(solution, solution, 20, rng=1).mean
    assert play.simulate(found, found, 20, rng=1).mean == mine


@pytest.mark.parametrize(
    "game", [PIG.Pig(12), redblack.Rules(fee="1/20").game(6, 6), SHARED], ids=range(3)
)
def test_a_machine_without_longer_floats(
    monkeypatch: pytest.MonkeyPatch, game: Any
) -> None:
    """As on Windows: rounding is allowed for, so the file states a larger error."""
    solution = diagonal.solve(game)
    usual = json.loads(bytes(value_table.parts_of(solution)["head"]))["error"]
    monkeypatch.setattr(certificate, "_LONG", np.float64)
    monkeypatch.setattr(certificate, "_UNIT", 2.0**-52)
    parts = value_table.parts_of(solution)
    assert holds(parts)
    assert usual <= json.loads(bytes(parts["head"]))["error"] < 1e-12


# The checker
# -----------


class Checked(NamedTuple):
    """A table, and what the checker has to know about the game."""

    parts: dict[str, Any]
    start: tuple[Any, ...]
    rules: Callable[[Any], Any]

    def verdict(self, **changes: Any) -> Any:
        return CHECKER.check(self.parts | changes, self.start, self.rules)


def pig_table(solve: Callable[..., Any]) -> Checked:
    parts = value_table.parts_of(solve(PIG.Pig(8)))
    return Checked(parts, (0,) * 5, lambda state: CHECKER.pig(state, 8))


def cards_table(solve: Callable[..., Any], cards: int = 6) -> Checked:
    parts = value_table.parts_of(solve(redblack.Rules().game(cards, cards)))
    return Checked(
        parts,
        (cards, cards, ""),
        lambda state: CHECKER.red_black(state, cards, cards),
    )


@pytest.fixture(params=[pig_table, cards_table], scope="module")
def made(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(params=SOLVERS, ids=["exact", "float64"], scope="module")
def table(request: pytest.FixtureRequest, made: Any) -> Checked:
    found: Checked = made(request.param)
    return found


def test_tables_are_proved(table: Checked) -> None:
    assert table.verdict().startswith("a solution")
    assert holds(table.parts)


@pytest.mark.parametrize("place", [0, 5, 100, -1])
def test_a_changed_value_is_found(table: Checked, place: int) -> None:
    values = table.parts["values"]
    if values.dtype == np.uint8:
        lines = bytes(values).decode().split()
        lines[place] = str(Fraction(lines[place]) + Fraction(1, 10**20))
        values = value_table.text(lines)
    else:
        values = values.copy()
        # Half of the certificate's own range is not needed.
        values.ravel()[place] += 4 * json.loads(bytes(table.parts["head"]))["error"]
    assert table.verdict(values=values).startswith("wrong: the value")


def test_a_changed_weight_is_found(table: Checked) -> None:
    lucky = np.repeat(table.parts["players"] == -1, np.diff(table.parts["offsets"]))
    for move in np.flatnonzero(lucky)[[0, 7, -1]]:
        weights = table.parts["weights"].astype(int)
        weights[move] += 1
        assert table.verdict(weights=weights).endswith("has other moves")


def test_a_policy_that_is_not_best_is_found(table: Checked) -> None:
    parts = table.parts
    moves = np.flatnonzero(~parts["optimal"])
    players = np.repeat(parts["players"], np.diff(parts["offsets"]))
    worse = moves[players[moves] >= 0][0]
    place = int(np.searchsorted(parts["offsets"], worse, side="right")) - 1
    weights = parts["weights"].copy()
    weights[slice(*parts["offsets"][place : place + 2])] = 0
    weights[worse] = 1
    assert table.verdict(weights=weights).startswith("wrong: the value")


def test_an_omitted_move_is_found(table: Checked) -> None:
    parts = table.parts
    counts = np.diff(parts["offsets"])
    for place in np.flatnonzero(counts > 1)[[0, 3, -1]]:
        move = int(parts["offsets"][place])
        offsets = parts["offsets"].copy()
        offsets[place + 1 :] -= 1
        less = {name: np.delete(parts[name], move) for name in ("following", "weights")}
        assert table.verdict(offsets=offsets, **less).endswith("has other moves")


def test_another_error_certificate_or_end_is_found(table: Checked) -> None:
    parts, certificate = table.parts, table.parts["certificate"]
    assert table.verdict(certificate=certificate * 0).startswith("wrong")
    assert table.verdict(certificate=certificate[::-1]).startswith("wrong")
    assert table.verdict(certificate=-certificate).startswith("wrong: another start")
    assert table.verdict(head=with_head(parts, error=-1e-3)).startswith("wrong")
    if json.loads(bytes(parts["head"]))["numbers"] == "float64":
        none = with_head(parts, error=0.0)
        assert table.verdict(head=none).startswith("wrong: the value")
    place = int(np.flatnonzero(parts["players"] == -4)[-1])
    players = parts["players"].copy()
    players[place] = 0
    assert table.verdict(players=players).endswith("has other moves")


def test_the_page_shows_what_the_checker_prints(tmp_path: Path) -> None:
    page = (HOME.parent / "docs" / "saving.rst").read_text("utf-8")
    (shown,) = re.findall(r"\$ python3 check_table.py (.*)\n   (.*)\n", page)
    interop.to_table(
        exact.solve(redblack.Rules().game(26, 26)), tmp_path / shown[0].split()[0]
    )
    script = HOME.parent / "examples" / "check_table.py"
    done = subprocess.run(
        [sys.executable, str(script), *shown[0].split()],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout == f"{shown[1]}\n"


def test_the_checker_is_short_and_alone() -> None:
    text = (HOME.parent / "examples" / "check_table.py").read_text("utf-8")
    assert "cardgames_dp" not in text
    assert len(text[text.index("def exact(") :].splitlines()) <= 60


def test_a_table_of_another_game_is_found() -> None:
    table = cards_table(exact.solve)
    assert CHECKER.check(table.parts, (7, 6, ""), table.rules).startswith("wrong")
    smaller = pig_table(diagonal.solve)
    found = CHECKER.check(smaller.parts, (0,) * 5, lambda s: CHECKER.pig(s, 9))
    assert found.endswith("has other moves")


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
    found = tmp_path / "table.npz"
    interop.to_table(exact.solve(redblack.Rules().game(3, 2)), str(found))
    return found


def test_a_file_is_read_and_replaced(path: Path) -> None:
    found = interop.from_table(str(path))
    assert found == exact.solve(redblack.Rules().game(3, 2))
    interop.to_table(diagonal.solve(PIG.Pig(6)), path)
    assert len(interop.from_table(path).value) == 2
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
    found = again(exact.solve(Table(rows)))
    assert [*found.values] == [*states[:-1], "1j"]
    assert [*found.policy.values()] == states[:-1]
    assert type(next(iter(found.values))) is int


def test_what_cannot_be_written(tmp_path: Path) -> None:
    class Alike:
        def __repr__(self) -> str:
            return "alike"

    first, second = Alike(), Alike()
    rows = {first: (0, {"on": second}), second: ("end", [0])}
    refused: list[tuple[Any, type[Exception], str]] = [
        (exact.solve(Table(rows, start=first)), ValueError, "must differ as text"),
        (3, TypeError, "solution must be a Solution or an ArraySolution, got 3"),
    ]
    solution = exact.solve(redblack.Rules().game(1, 1))
    found = explore(PIG.Solitaire(6))
    many = found.with_returns(lambda ends: np.zeros((2, len(ends), 1)))
    assert many.num_positions == 2
    for given_, error, words in refused:
        with pytest.raises(error, match=words):
            interop.to_table(given_, tmp_path / "none.npz")
    assert not [*tmp_path.iterdir()]
    for call in (lambda p: interop.to_table(solution, p), interop.from_table):
        with pytest.raises(TypeError, match="path must be the path of a file"):
            call(5)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        interop.from_table(tmp_path / "none.npz")


def test_many_positions_are_not_written() -> None:
    turn = explore(redblack.kinds.game({1: 2, -1: 2}))
    many = turn.with_returns(lambda ends: np.zeros((2, len(ends), 1)))
    with pytest.raises(ValueError, match="got one of 2"):
        value_table.parts_of(diagonal.solve(many))


def test_what_is_no_table(path: Path) -> None:
    whole = path.read_bytes()
    for content in (b"", b"no table", whole[:-30], whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="must be the path of a value table"):
            interop.from_table(path)
    np.savez(path, values=np.arange(3))
    with pytest.raises(ValueError, match="lacks .head."):
        interop.from_table(path)
    parts = value_table.parts_of(exact.solve(redblack.Rules().game(1, 1)))
    for change, words in (
        ({"version": 2}, "version 2 of the format; this version of .* reads version 1"),
        ({"format": "another"}, "another format"),
        ({"form": "lists"}, "do not fit"),
    ):
        np.savez(path, **(parts | {"head": with_head(parts, **change)}))
        with pytest.raises(ValueError, match=words):
            interop.from_table(path)


@pytest.mark.parametrize(
    "game", [PIG.Pig(5), PIG.Solitaire(4), Pig(4)], ids=["pig", "solitaire", "states"]
)
def test_arrays_that_do_not_fit(game: Any) -> None:
    parts = value_table.parts_of(diagonal.solve(game))
    refused = (ValueError, KeyError, TypeError, IndexError)
    lists = {"initial", "possible", "turned"}  # of places, of any length
    for name in parts.keys() - {"certificate", "rewards"}:
        array = parts[name]
        wrong = [array.reshape(-1, 1, 1), array.astype(np.complex128)]
        if name not in lists:
            wrong += [array[:-1], np.append(array, array[-1:], axis=0)]
        if array.dtype.kind == "i" and name not in {"states", "actions", "returns"}:
            wrong.append(-2 - array.astype(int))
            if name != "weights":
                wrong.append(array.astype(int) + 10**6)
        for change in wrong:
            if change.size:
                with pytest.raises(refused):
                    value_table.solution_of(parts | {name: change})
        if name not in {"components", "actions", "paid"}:
            rest = {k: v for k, v in parts.items() if k != name}
            with pytest.raises(refused):
                value_table.solution_of(rest)


def test_exact_values_of_a_game_with_floats_are_refused() -> None:
    parts = value_table.parts_of(exact.solve(PIG.Solitaire(4)))
    for name in ("rewards", "returns"):
        with pytest.raises(TypeError, match=f"{name} must be integers or Fractions"):
            value_table.solution_of(parts | {name: parts[name].astype(float)})


def test_moves_back_are_refused() -> None:
    """A sweep would never have seen the state that follows."""
    parts = value_table.parts_of(exact.solve(redblack.Rules().game(1, 1)))
    back = parts["following"].copy()
    back[-1] = 0
    with pytest.raises(ValueError, match="do not fit"):
        value_table.solution_of(parts | {"following": back})


def test_solutions_say_what_they_are() -> None:
    found = again(diagonal.solve(redblack.Rules().game(3, 3)))
    assert type(found) is Solution
    assert found.possible_ties == ((1, 2, ""),)
