"""Maps show what the solution says of all states of a square, and nothing else."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.figure import Figure

from cardgames_dp import diagonal, exact, play, plots, redblack
from cardgames_dp.game import CHANCE, TERMINAL, Solution, explore, from_function

from .artists import draw, points
from .refusals import type_error, value_error

TURNS = range(3)
ACTIONS = ("hold", "roll", "pass")


class Seat(NamedTuple):
    """A state of a game of one choice: where it is on the map, and one field more."""

    own: int
    other: int
    turn: int


XY: dict[str, Any] = {"x": "other", "y": "own"}
Payoffs = dict[Seat, dict[Any, Any]]
SEATS = st.builds(Seat, st.integers(0, 3), st.integers(2, 4), st.integers(0, 2))
WORTH = st.dictionaries(
    st.sampled_from(ACTIONS), st.integers(-2, 2) | st.just(Fraction(1, 3)), min_size=1
)
PAYOFFS = st.dictionaries(SEATS, WORTH, min_size=1, max_size=12)


def game_of(payoffs: Payoffs) -> Any:
    """Return the game that deals one of the states, each as often as the others."""

    def rules(state: Any) -> Any:
        if state is None:
            return CHANCE, [(1, seat) for seat in payoffs]
        if isinstance(state, Seat):
            return 0, {action: (worth,) for action, worth in payoffs[state].items()}
        return TERMINAL, state[0]

    return from_function(rules, None)


def shown(ax: Any, layer: int = 0) -> dict[tuple[int, int], float]:
    """Return the numbers of an image by what its axes say, x first."""
    image = ax.images[layer]
    left, _, low, _ = image.get_extent()
    cells = np.ma.asarray(image.get_array())
    return {
        (int(left + x + 0.5), int(low + y + 0.5)): float(cells[y, x])
        for y, x in np.argwhere(~np.ma.getmaskarray(cells)).tolist()
    }


def squares(payoffs: Payoffs) -> dict[tuple[int, int], list[Seat]]:
    result: dict[tuple[int, int], list[Seat]] = {}
    for seat in payoffs:
        result.setdefault((seat.other, seat.own), []).append(seat)
    return result


def best(worth: dict[Any, Any]) -> Any:
    return max(worth, key=lambda action: worth[action])  # the first of them


def named(ax: Any) -> list[str]:
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


@given(payoffs=PAYOFFS, solve=st.sampled_from([exact.solve, diagonal.solve]))
def test_a_policy_is_shown_where_all_states_of_a_square_agree(
    payoffs: Payoffs, solve: Any
) -> None:
    ax = plots.plot_map(solve(game_of(payoffs)), **XY)
    draw(ax)
    words = [word for word in named(ax) if word in ACTIONS]
    colours = {xy: words[int(k)] for xy, k in shown(ax).items()}
    mixed = []
    for xy, seats in squares(payoffs).items():
        actions = {best(payoffs[seat]) for seat in seats}
        if len(actions) > 1:
            mixed.append(xy)
            assert xy not in colours
        else:
            assert {colours.pop(xy)} == actions
    assert not colours
    assert sorted(shown(ax, 1) if mixed else ()) == sorted(mixed)
    assert ("depends on turn" in named(ax)) == bool(mixed)
    holes = len(squares(payoffs)) < np.prod(ax.images[0].get_size())
    assert ("no decision" in named(ax)) == holes


@given(payoffs=PAYOFFS, turn=st.sampled_from(TURNS))
def test_values_and_margins_are_those_of_the_states(
    payoffs: Payoffs, turn: int
) -> None:
    solution = exact.solve(game_of(payoffs))
    some = {seat: worth for seat, worth in payoffs.items() if seat.turn == turn}
    if not some:
        return
    ax = plots.plot_map(solution, **XY, of="value", where={"turn": turn})
    assert f"turn = {turn}" in ax.get_title()
    assert shown(ax) == {
        (seat.other, seat.own): float(max(worth.values()))
        for seat, worth in some.items()
    }
    if all(len(worth) == 1 for worth in some.values()):
        with pytest.raises(ValueError, match="each state has only one action"):
            plots.plot_map(solution, **XY, of="margin", where={"turn": [turn]})
        return
    ax = plots.plot_map(solution, **XY, of="margin", where={"turn": [turn]})
    label, two = ax.figure.axes[1].get_ylabel(), len(set().union(*some.values())) == 2
    margins = {}
    for seat, worth in some.items():
        if len(worth) > 1:
            *_, second, top = sorted(worth.values())
            lead = top - second
            if two:
                one, other = label.split(" less ")
                lead = worth[one] - worth[other]
            margins[seat.other, seat.own] = float(lead)
    assert shown(ax) == pytest.approx(margins)
    assert (label == "margin of the best action") == (not two)


@given(payoffs=PAYOFFS)
def test_different_numbers_are_refused_or_reduced_never_averaged(
    payoffs: Payoffs,
) -> None:
    solution = exact.solve(game_of(payoffs))
    worth = {
        xy: [max(payoffs[seat].values()) for seat in seats]
        for xy, seats in squares(payoffs).items()
    }
    ax = plots.plot_map(solution, **XY, of="value", several=max)
    assert shown(ax) == {xy: float(max(all_of)) for xy, all_of in worth.items()}
    if any(len({*all_of}) > 1 for all_of in worth.values()):
        with pytest.raises(ValueError, match=r"^where must fix turn, as states"):
            plots.plot_map(solution, **XY, of="value")
    else:
        plots.plot_map(solution, **XY, of="value")


@given(payoffs=PAYOFFS)
def test_thresholds(payoffs: Payoffs) -> None:
    """The first turn at which to roll, and where that is not so for all later ones."""
    solution = exact.solve(game_of(payoffs))
    here = XY | {"along": "turn", "action": "roll"}
    actions = {action for worth in payoffs.values() for action in worth}
    if "roll" not in actions:
        with pytest.raises(ValueError, match=r"^action must be one of"):
            plots.plot_map(solution, **here)
        return
    ax = plots.plot_map(solution, **here)
    firsts, nevers, again = {}, [], 0
    for xy, seats in squares(payoffs).items():
        done = {seat.turn: best(payoffs[seat]) == "roll" for seat in seats}
        turns = [turn for turn, rolls in sorted(done.items()) if rolls]
        if not turns:
            nevers.append(xy)
            continue
        firsts[xy] = float(turns[0])
        again += not all(rolls for turn, rolls in done.items() if turn > turns[0])
    assert shown(ax) == firsts
    assert sorted(shown(ax, 1) if nevers else ()) == sorted(nevers)
    assert ("never roll" in named(ax)) == bool(nevers)
    title = f"no threshold in {again} of {len(firsts)}"
    assert (title in ax.get_title().replace("\n", " ")) == bool(again)


@given(payoffs=PAYOFFS, data=st.data())
def test_costs_are_summed_over_the_states_of_a_square(
    payoffs: Payoffs, data: Any
) -> None:
    """Against the probability of each state and what is lost there."""
    policy = {
        seat: data.draw(st.sampled_from(list(worth))) for seat, worth in payoffs.items()
    }
    regret = play.regret(game_of(payoffs), policy, backend="exact")
    costs, shares = {}, {}
    for xy, seats in squares(payoffs).items():
        lost = [max(payoffs[s].values()) - payoffs[s][policy[s]] for s in seats]
        costs[xy] = float(sum(lost)) / len(payoffs)
        shares[xy] = len(seats) / len(payoffs)
    assert shown(plots.plot_map(regret, **XY)) == pytest.approx(costs)
    reach = shown(plots.plot_map(regret, **XY, of="reach"))
    assert reach == pytest.approx(shares)


@given(payoffs=PAYOFFS)
def test_what_actions_give_up(payoffs: Payoffs) -> None:
    """A row for each action, words in order of appearance; dots mark the best."""
    seats = [seat for seat in payoffs if seat.turn == 0 and seat.own == 0]
    if not seats:
        return
    solution = exact.solve(game_of(payoffs))
    ax = plots.plot_map(solution, x="other", where={"turn": 0, "own": 0})
    words = [label.get_text() for label in ax.get_yticklabels()]
    lost, tied = {}, []
    for seat in seats:
        most = max(payoffs[seat].values())
        for action, worth in payoffs[seat].items():
            lost[seat.other, words.index(action)] = float(most - worth)
            if worth == most:
                tied.append([seat.other, words.index(action)])
    assert shown(ax) == pytest.approx(lost)
    (dots,) = [line for line in ax.lines if line.get_label() == "best"]
    assert sorted(np.round(points(dots) - [0.3, -0.3]).tolist()) == sorted(tied)


DEAL: Payoffs = {
    Seat(own, other, turn): {"hold": 1, "roll": turn}
    for own in range(3)
    for other in range(2)
    for turn in range(3)
}
DEALT = exact.solve(game_of(DEAL))


def test_ties_are_marked_where_they_are_certain() -> None:
    ax = plots.plot_map(DEALT, x="turn", y="own", where={"other": 1})
    (ties,) = [line for line in ax.lines if line.get_label() == "tie"]
    assert np.round(points(ties)).tolist() == [[1, 0], [1, 1], [1, 2]]
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert (texts[0, 0], texts[2, 0]) == ("h", "r")


def test_only_the_fields_that_matter_are_named() -> None:
    ax = plots.plot_map(DEALT, x="own", y=lambda _: 0)
    assert "depends on turn" in named(ax)
    with pytest.raises(ValueError, match=r"^where must fix turn, as"):
        plots.plot_map(DEALT, x="own", y="other", of="margin")

    def rules(state: Any) -> Any:
        if state is None:
            return CHANCE, [(1, (k, j)) for k in range(2) for j in range(2)]
        if isinstance(state, tuple):
            return 0, {"a": state[0] + Fraction(1, 2), "b": state[1]}
        return TERMINAL, state

    plain = from_function(rules, None)
    ax = plots.plot_map(exact.solve(plain), x=lambda s: 0, y=lambda s: 0)
    assert "depends on state[0], state[1]" in named(ax)


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_squares_that_play_never_reaches_are_pale(solve: Any) -> None:
    for game in (redblack.game(4, 4), explore(redblack.game(4, 4))):
        deck = solve(game)
        play_of = play.distribution(deck)
        ax = plots.plot_map(deck, x="black", y="red", reach=play_of)
        pale = {
            (state.black, state.red)
            for state in deck.policy
            if not play_of.reach[state]
        }
        assert {*shown(ax, 1)} == pale != set()
        assert "never reached" in named(ax)
        draw(ax)
        swatch: Any = ax.lines[named(ax).index("never reached")].get_color()
        assert min(swatch) < 0.9  # pale, not white
    with pytest.raises(ValueError, match=r"^reach must be of the game of solution"):
        plots.plot_map(deck, x="red", y="black", reach=play.distribution(DEALT))


def test_gaps_between_whole_numbers_are_shown_and_words_stand_first() -> None:
    payoffs: Payoffs = {Seat(k, 0, 0): {"a": 0, "b": k} for k in (0, 2, 5)}
    solution = exact.solve(game_of(payoffs))
    ax = plots.plot_map(solution, x="own", y="turn")
    assert ax.images[0].get_size() == (1, 6)
    for x, labels in (
        (lambda s: s.own or "ace", ["ace", "2", "5"]),
        (lambda s: 1000 * s.own, ["0", "2000", "5000"]),
        (lambda s: Fraction(s.own, 4), ["0", "0.5", "1.25"]),
        (lambda s: Decimal(s.own) / 4, ["0", "0.5", "1.25"]),
    ):
        ax = plots.plot_map(solution, x=x, y="turn")
        assert [t.get_text() for t in ax.get_xticklabels()] == labels


def test_words_are_drawn_as_they_are() -> None:
    """No mathematics, no label that a legend leaves out, no line that never ends."""
    words: list[Any] = ["$a_$", "_b", "", "<b>\n</b>", None, (1, "z"), "long " * 20]
    payoffs: Payoffs = {Seat(k, 0, 0): {word: 1} for k, word in enumerate(words)}
    solution = exact.solve(game_of(payoffs))
    ax = plots.plot_map(solution, x="own", y="other")
    draw(ax)
    texts = [r"\$a_\$", " _b", "-", "<b> </b>", "None", "(1, 'z')"]
    assert named(ax)[:6] == texts
    assert re.fullmatch("(long ){7}long…", named(ax)[6])
    ax = plots.plot_map(solution, x=lambda s: "$" * s.own + "_$")
    draw(ax)
    assert [label.get_text() for label in ax.get_yticklabels()][:6] == texts
    draw(plots.plot_distribution(play.Distribution("$_$", np.arange(1), np.ones(1))))


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("title", [None, "Another title", "One\nof two lines"])
def test_titles_stand_above_legends_and_bars_are_as_high_as_maps(
    layout: Any, title: str | None
) -> None:
    ax = Figure(layout=layout).add_subplot()
    wide: Payoffs = {Seat(k, k % 5, 0): {"a": k, "b": 0} for k in range(12)}
    plots.plot_map(exact.solve(game_of(wide)), x="own", y="other", of="value", ax=ax)
    if title is not None:
        ax.set(title=title)
    draw(ax)
    legend = ax.get_legend()
    assert legend is not None
    assert ax.title.get_window_extent().y0 > legend.get_window_extent().y1 - 1
    bar = ax.images[0].colorbar
    assert bar is not None
    low, high = ax.get_position().intervaly
    assert bar.ax.get_position().intervaly == pytest.approx([low, high])
    assert high - low < 0.5
    legend.remove()
    draw(ax)
    assert ax.title.get_window_extent().y0 < ax.bbox.y1 + 15


DECK = redblack.solve(2, 2)
HERE: dict[str, Any] = {"x": "red", "y": "black"}
ALONG: dict[str, Any] = {"along": "red", "action": "stop"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"x": "rad"}, "x must be a callable or a field"),
        ({"y": "blue"}, "('red', 'black', 'decision'), got"),
        ({"of": "values"}, "did you mean 'value'?"),
        ({"of": "cost"}, "'policy', 'value', 'margin', got 'cost'"),
        ({"where": {"red": 9}}, "where must leave some state"),
        ({"where": {"colour": 1}}, "where must be a callable or a field"),
        ({"along": "red"}, "along and action must be given"),
        ({"action": "stop"}, "along and action must be given"),
        ({"of": "value", **ALONG}, "given together, of a policy"),
        ({**ALONG, "action": "hit"}, "the game, ('stop', 'draw'), g"),
        ({**ALONG, "x": "decision", "y": "red"}, "where must fix black, as"),
        ({**ALONG, "along": "decision"}, "along must be a field of nu"),
        ({"colour": 1}, "a keyword of style must be one of"),
    ],
)
def test_refusals(given: Any, message: str) -> None:
    value_error(message, plots.plot_map, DECK, **HERE | given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"where": "red"}, "where must be a callable, or a mapping"),
        ({"reach": DECK}, "reach must be a play.Distributions, got"),
        ({"of": "value", "several": str}, "what several returns must"),
        ({"of": "value", "several": list}, "must return a number, got"),
        ({"several": "max"}, "several must be callable or None, got"),
        ({"x": lambda s: None}, "x must be a number or a"),
    ],
)
def test_refusals_of_types(given: Any, message: str) -> None:
    type_error(message, plots.plot_map, DECK, **HERE | given)


def test_more_words_than_colours_are_refused() -> None:
    payoffs: Payoffs = {Seat(k, 0, 0): {f"action {k}": 1} for k in range(8)}
    solution = exact.solve(game_of(payoffs))
    value_error("at most 7 different best", plots.plot_map, solution, x="own", y="turn")
    plots.plot_map(solution, x="own", y="turn", where={"own": range(7)})


def test_a_callable_that_raises_is_named() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        plots.plot_map(DEALT, x=lambda s: 1 // s.own, y="turn")
    (note,) = raised.value.__notes__
    assert note.startswith("raised by x for Seat(own=0")


def test_what_is_missing_is_refused() -> None:
    missing = "y must be given with of='value': a"
    value_error(missing, plots.plot_map, DECK, x="red", of="value")
    must = "solution must be a game.Solution or a play.Regret, got"
    type_error(must, plots.plot_map, redblack.game(2, 2), **HERE)


def test_numbers_too_large_to_draw_are_refused() -> None:
    huge: Payoffs = {Seat(0, 0, 0): {"a": 10**400, "b": 0}}
    solution: Solution[Any, Any, Any] = exact.solve(game_of(huge))
    plots.plot_map(solution, x="own", y="turn")
    with pytest.raises(ValueError, match=r"^solution must have numbers of at most 1e"):
        plots.plot_map(solution, x="own", y="turn", of="value")
