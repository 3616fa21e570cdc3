"""Progress bars are shown where they can be read, and nothing else is."""

import io
import sys
import warnings
from typing import Any

import pytest

from cardgames_dp import _extras


class KernelStream(io.StringIO):
    """What a notebook's kernel puts in the place of a standard stream."""


KernelStream.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize("notebook", [True, False])
def test_bars_of_notebooks_are_no_errors(
    monkeypatch: pytest.MonkeyPatch, notebook: bool
) -> None:
    """A notebook prints in red what comes by stderr."""
    pytest.importorskip("tqdm")
    kind = KernelStream if notebook else io.StringIO
    out, err = kind(), kind()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert list(_extras.tracked("abc", 3, "letters", shown=True)) == ["a", "b", "c"]
    with _extras.progress_bar(None, "letters", shown=True) as bar:
        assert bar is not None
        bar.update(7)
    shown, empty = (out, err) if notebook else (err, out)
    assert "3.00/3.00" in shown.getvalue()
    assert "7.00 letters" in shown.getvalue()
    assert empty.getvalue() == ""


def test_a_missing_widget_is_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    tqdm = pytest.importorskip("tqdm")
    require = _extras.require

    def warns(package: str, *, extra: str, purpose: str) -> Any:
        if package == "tqdm.auto":  # as it does at its first import in a notebook
            warnings.warn("IProgress not found", tqdm.TqdmWarning, stacklevel=2)
        return require(package, extra=extra, purpose=purpose)

    monkeypatch.setattr(_extras, "require", warns)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", tqdm.TqdmWarning)
        list(_extras.tracked("abc", 3, "letters", shown=True))
    assert not [w for w in caught if issubclass(w.category, tqdm.TqdmWarning)]
