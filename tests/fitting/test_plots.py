"""Pictures show the numbers that they are made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardgames_dp import fitting, play, redblack
from cardgames_dp.fitting import plots

from ..artists import draw, label_of, points, xs, ys

CARDS = range(1, 301)
VALUES = redblack.value(CARDS, CARDS)
FITS = [fitting.fit(CARDS, VALUES, law) for law in ("log", "sqrt")]


def test_fits_are_drawn_with_their_values() -> None:
    ax = plots.plot_fits(FITS)
    draw(ax)
    values, *laws = ax.lines
    assert np.array_equal(ys(values), VALUES)
    for law, fit in zip(laws, FITS, strict=True):
        assert np.array_equal(ys(law), fit.predict(xs(law)))
    assert label_of(laws[0]).startswith(r"$V = a + b\,\log\,l$, standard")
    assert label_of(laws[1]).startswith(r"$V = a + b\,\sqrt{l}$, standard")
    low, high = ax.get_ylim()
    assert high - low == pytest.approx(1.1 * np.ptp(VALUES))  # not -3.9, of the first
    assert len({law.get_color() for law in laws}) == 2
    assert len({law.get_linestyle() for law in laws}) == 2  # both seen where they agree


def test_a_law_has_one_colour_whichever_others_are_drawn() -> None:
    _, *laws = plots.plot_fits(FITS).lines
    for fit, law in zip(FITS, laws, strict=True):
        for missing in (False, True):
            _, alone, *_ = plots.plot_fits([fit], missing=missing).lines
            assert alone.get_color() == law.get_color()


LAW = fitting.asymptotic_value([4000, 1000, 2000])


def test_the_law_of_growth_stands_with_the_fits() -> None:
    ax = plots.plot_fits(FITS, LAW)
    draw(ax)
    law = ax.lines[-1]
    assert law.get_label() == "the law of growth"
    assert xs(law).tolist() == [1000, 2000, 4000]
    assert ys(law).tolist() == [LAW.value[i] for i in (1, 2, 0)]
    missing = plots.plot_fits(FITS, LAW, missing=True).lines[-2]
    limit = float(fitting.limit_constant()) * np.sqrt(xs(law))
    assert missing.get_label() == "the law of growth"
    assert ys(missing) == pytest.approx(limit - ys(law))
    assert ys(missing)[-1] < ys(missing)[0] < 0.03
    line = plots.plot_fits(FITS, fitting.asymptotic_value(1000)).lines[-1]
    assert xs(line).tolist() == [1000]


def test_what_is_missing_goes_down_with_the_slope() -> None:
    ax = plots.plot_fits(FITS[:1], missing=True)
    draw(ax)
    missing, law, line = ax.lines
    limit = float(fitting.limit_constant()) * np.sqrt(CARDS)
    assert ys(missing) == pytest.approx(limit - VALUES)
    x, y = points(law).T
    limit = float(fitting.limit_constant()) * np.sqrt(x)
    assert y == pytest.approx(abs(limit - FITS[0].predict(x)))
    x, y = points(line).T
    slopes = np.diff(np.log(y)) / np.diff(np.log(x))
    assert slopes == pytest.approx(-float(fitting.decay_exponent(1)))
    assert y[-1] == pytest.approx(ys(missing)[-1])  # the largest deck


def test_nothing_may_be_missing() -> None:
    """Of a user's values above the law, a logarithmic axis shows none."""
    fit = fitting.fit([10, 20, 40, 80], [100.0, 210.0, 430.0, 800.0], "sqrt")
    ax = plots.plot_fits([fit], missing=True)
    draw(ax)
    assert ys(ax.lines[0]).max() < 0
    assert ax.get_title().startswith("How far")


@pytest.mark.parametrize("of", ["payoff", "duration"])
def test_decks_stand_beside_their_limit(of: Any) -> None:
    limit, decks = fitting.LimitDistribution(of), {}
    for n in (26, 300):
        laws = play.distribution(redblack.game(n, n), "optimal", count="draw")
        decks[n] = laws.returns[0] if of == "payoff" else laws.moves
    ax = plots.plot_limit(limit, decks)
    draw(ax)
    *steps, line = ax.lines
    assert label_of(line) == "the limit"
    assert ys(line) == pytest.approx(fitting.LimitDistribution(of).cdf(xs(line)))
    for step, deck, size in zip(steps, decks.values(), decks, strict=True):
        assert label_of(step) == f"{size} + {size} cards"
        unit = size**0.5 if of == "payoff" else 2 * size
        assert xs(step) * unit == pytest.approx(deck.support)
        assert ys(step)[-1] == pytest.approx(1)
        assert step.get_drawstyle() == "steps-post"
    assert len(plots.plot_limit(limit).lines) == 1
