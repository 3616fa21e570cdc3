"""Pages to click through: what they say is what the solution says, and is only text."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import (
    TooLargeError,
    cardrow,
    diagonal,
    exact,
    interop,
    play,
    redblack,
)
from cardgames_dp._interop import page
from cardgames_dp.game import CHANCE, TERMINAL, GameError

from .games import Cards, Pig, RedBlack, Table, games

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
ANY = st.one_of(
    games(), games(pays=True, heavy=True), games(cycles=True, total=1, pays=True)
)
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
NASTY = "</script><script>window.hacked = 1</script><b>&amp;"


def read(solution: Any, **options: Any) -> tuple[str, dict[str, Any]]:
    """Return a page, and what its script reads."""
    text = page.page_of(solution, options.get("title", "Title"), options.get("label"))
    (data,) = DATA.findall(text)
    return text, json.loads(data)


def is_close(shown: Any, number: Any) -> bool:
    return math.isclose(float(shown), float(number), rel_tol=1e-8, abs_tol=1e-300)


def check(solution: Any) -> dict[str, Any]:
    """Follow all moves of a page and of the game side by side; return the page."""
    _, data = read(solution, label=repr)
    result, uniform = solution.explored, solution.tie_break == "uniform"
    first, bits = np.cumsum([0, *data["counts"]]).tolist(), iter(data["best"])
    best = [
        [next(bits) == "1" for _ in range(count)] if mover >= 0 else []
        for mover, count in zip(data["movers"], data["counts"], strict=True)
    ]
    labels = {label: place for place, label in enumerate(data["labels"])}
    assert len(labels) == len(data["labels"]) == len(solution.values)
    assert data["labels"][data["start"]] == repr(solution.initial_state)
    for state in solution.values:
        i = labels[repr(state)]
        node = result.node(result.place(state))
        moves = range(first[i], first[i + 1])
        after = [data["labels"][i + data["to"][k]] for k in moves]
        assert after == [repr(result.state(place)) for place in node.following]
        mover = node.player if node.player != TERMINAL else -2
        assert data["movers"][i] == mover
        payoffs = zip(data["values"], solution.payoffs_at(state), strict=True)
        assert all(is_close(column[i], value) for column, value in payoffs)
        if node.rewards:
            paid = [data["paid"][data["rewards"][k]] for k in moves]
            for shown, right in zip(paid, node.rewards, strict=True):
                assert all(map(is_close, shown, right))
        if mover == CHANCE:
            whole = sum(node.weights)
            shares = [data["moves"][k] for k in moves]
            for share, weight in zip(shares, node.weights, strict=True):
                assert is_close(share / sum(shares), Fraction(weight, whole))
        if mover >= 0:
            actions = [data["actions"][data["moves"][k]] for k in moves]
            assert actions == list(map(str, node.actions))
            tied = [a for a, good in zip(node.actions, best[i], strict=True) if good]
            assert tuple(tied) == solution.optimal_actions[state]
            taken = node.actions[data["chosen"][i]]
            assert taken in tied if uniform else taken == solution.policy[state]
    return data


@given(
    game=ANY,
    solve=st.sampled_from(SOLVERS),
    tie_break=st.sampled_from(["first", "last", "uniform"]),
)
def test_a_page_says_what_the_solution_says(
    game: Any, solve: Callable[..., Any], tie_break: str
) -> None:
    try:
        solution = solve(game, tie_break=tie_break)
    except GameError:
        assume(False)
    assume((solution.explored.graph.players >= 0).any())
    data = check(solution)
    assert data["uniform"] == (tie_break == "uniform")


@pytest.mark.parametrize(
    "make",
    [
        lambda: redblack.solve(4, 3),
        lambda: redblack.solve(3, 3, backend="exact"),
        lambda: cardrow.solve([3, 1, 4, 1]),
        lambda: diagonal.solve(Cards(3, 2)),
        lambda: exact.solve(Pig(4)),
    ],
    ids=["deck", "exact deck", "row", "arrays", "loops"],
)
def test_a_page_of_a_game_in_arrays_or_with_loops(make: Callable[[], Any]) -> None:
    check(make())


def test_fields_of_states_are_named() -> None:
    _, data = read(redblack.solve(2, 1))
    assert data["fields"] == ["red", "black", "decision"]
    rows = zip(*data["columns"], strict=True)
    states = [tuple(data["words"][n] for n in row) for row in rows]
    assert states == [tuple(map(str, state)) for state in redblack.solve(2, 1).values]
    _, data = read(exact.solve(RedBlack(2, 1)))
    assert "fields" not in data
    assert [data["words"][column[0]] for column in data["columns"]] == [
        "2",
        "1",
        "decide",
    ]


def test_states_of_different_lengths_and_others_are_text() -> None:
    rows: Any = {(): (0, {"a": (1, 2), "b": (3,)}), (1, 2): ("end", [1])}
    _, data = read(exact.solve(Table(rows | {(3,): ("end", [0])}, start=())))
    assert sorted(data["labels"]) == ["()", "(1, 2)", "(3,)"]


def test_numbers_too_large_for_a_page_are_refused() -> None:
    large = Table(
        {0: (0, {"stop": 1, "go": 2}), 1: ("end", [0]), 2: ("end", [10**400])}
    )
    with pytest.raises(ValueError, match=r"must fit in a float, got 1e\+400$"):
        read(exact.solve(large))


def test_all_that_a_game_says_is_text() -> None:
    rows: Any = {NASTY: (0, {NASTY: "end"}), "end": ("end", [1])}
    solution = exact.solve(Table(rows, start=NASTY))
    text, data = read(solution, title=NASTY)
    assert data["labels"][0] == data["actions"][0] == NASTY
    assert text.count("</script>") == text.count("<script") == 2
    assert text.count("window.hacked") == 4  # in the title, twice, a state, an action
    assert "<b>" not in text
    assert text.count("&lt;/script&gt;&lt;script&gt;") == 2


def test_the_policy_allows_the_script_of_the_page_alone() -> None:
    text, _ = read(redblack.solve(1, 1))
    (policy,) = re.findall(
        r'http-equiv="Content-Security-Policy" content="(.*?)"', text
    )
    for tag in ("script", "style"):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"https?:|\bsrc=|@import|fetch\(|\burl\(", text) == []


def test_a_large_solution_is_refused_before_it_is_explored() -> None:
    solution = redblack.solve(300, 300)
    with pytest.raises(
        TooLargeError, match=r"at most 50000 states, .* has 271801 .*MB"
    ):
        interop.to_html(solution, "page.html")
    assert "arrays" not in solution._source._cache


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(TypeError, match=r"^label must return a str, as for State\(red"):
        interop.to_html(redblack.solve(1, 1), path, label=lambda state: 1)  # type: ignore[arg-type, return-value]
    assert path.read_text() == "before"
    response: Any = play.best_response(redblack.game(2, 2), "never_stop", 0)
    interop.to_html(response, path)
    assert "<title>A solved game</title>" in path.read_text("utf-8")
