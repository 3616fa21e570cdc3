"""The certified table that comes with the package, on samples of it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from cardgames_dp import fitting, redblack
from cardgames_dp.redblack import PublishedValues, certified
from cardgames_dp.redblack._kernels import large_decks

from . import publish_values


@pytest.fixture(scope="module")
def known() -> PublishedValues:
    return redblack.published_values()


def test_it_has_the_decks_that_it_says(known: PublishedValues) -> None:
    assert list(known.decks) == publish_values.sizes(0, known.decks[-1])
    assert known.decks[-1] == 10**10
    assert len(known.enclosure.lower) == len(known.decks)
    assert "publish_values.py" in known.provenance
    assert (np.diff(known.enclosure.lower) > 0).all()


def test_small_decks_hold_their_exact_values(known: PublishedValues) -> None:
    for deck, lower, upper in zip(known.decks, *known.enclosure, strict=True):
        if deck <= 1000:
            assert lower <= redblack.value(deck, deck, backend="exact") <= upper
            assert upper - lower <= 1e-14 * upper


def test_large_decks_follow_the_law_of_growth(known: PublishedValues) -> None:
    for deck, lower, upper in zip(known.decks, *known.enclosure, strict=True):
        if deck >= 10**6:
            law = fitting.asymptotic_value(deck)
            assert lower - law.error <= law.value <= upper + law.error
            assert upper - lower <= 1e-12 * lower


def test_thresholds_are_those_that_are_computed(known: PublishedValues) -> None:
    computed = redblack.thresholds(300)
    assert known.thresholds.n[:300].tolist() == computed.n.tolist()
    n = known.thresholds.n
    certain = n[n >= 0]
    assert (np.diff(certain) > 0).all()
    assert len(n) == 118_782
    open_ones = np.flatnonzero(n < 0) + 1
    assert known.thresholds.exact_up_to == open_ones[0] - 1 == 21_585
    assert len(open_ones) == 132
    places = np.arange(1, len(n) + 1)
    assert ((n - places)[n >= 0] % 2 == 0).all()
    # Boundaries do not bend: second differences of 1.4175 k**2, to a parity.
    assert np.abs(np.diff(n[:21_585], 2) - 2.835).max() < 5


def test_the_formula_has_all_certified_thresholds(known: PublishedValues) -> None:
    n = known.thresholds.n
    places = np.flatnonzero(n >= 0) + 1
    assert [large_decks.level(k) for k in places.tolist()] == n[n >= 0].tolist()


def test_a_table_is_written_as_it_is_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(publish_values, "FOLDER", tmp_path)
    monkeypatch.setattr(certified, "_FOLDER", tmp_path)
    publish_values.main(100, 1000)
    for line in capsys.readouterr().out.splitlines()[1:]:
        name, checksum = line.split()
        monkeypatch.setitem(certified._CHECKSUMS, name, checksum)
    made = redblack.published_values()
    assert list(made.decks) == publish_values.sizes(0, 1000)
    value = redblack.value(1000, 1000, backend="exact")
    assert made.enclosure.lower[-1] <= value <= made.enclosure.upper[-1]
    assert made.thresholds == redblack.thresholds(len(made.thresholds.n))


def test_ends_of_lines_may_be_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: PublishedValues
) -> None:
    shutil.copytree(str(certified._FOLDER), tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(certified, "_FOLDER", tmp_path)
    values = tmp_path / "values.csv"
    values.write_bytes(values.read_bytes().replace(b"\n", b"\r\n"))
    assert redblack.published_values() == known
