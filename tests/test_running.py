"""How the library runs: bars, limits of memory, optional packages."""

import io
import os
import re
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    pairs,
    play,
    redblack,
)
from cardgames_dp._graph import search
from cardgames_dp._support import executors, running

from .games import RedBlack
from .refusals import too_large
from .test_package import in_a_fresh_interpreter

GAME = RedBlack(3, 3)


class KernelStream(io.StringIO):
    """What a notebook's kernel puts in the place of a standard stream."""


KernelStream.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize("notebook", [True, False])
def test_bars_of_notebooks_are_no_errors(
    monkeypatch: pytest.MonkeyPatch, notebook: bool
) -> None:
    """A notebook prints in red what comes by stderr."""
    kind = KernelStream if notebook else io.StringIO
    out, err = kind(), kind()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with cardgames_dp.running(progress=True):
        assert list(running.with_progress("abc", 3, "letters")) == ["a", "b", "c"]
        with running.progress_bar(None, "letters") as bar:
            assert bar is not None
            bar.update(7)
    shown, empty = (out, err) if notebook else (err, out)
    assert "3.00/3.00" in shown.getvalue()
    assert "7.00 letters" in shown.getvalue()
    assert empty.getvalue() == ""


def test_a_missing_widget_is_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    tqdm = pytest.importorskip("tqdm")
    require = running.require

    def warns(package: str, *, extra: str, purpose: str) -> Any:
        if package == "tqdm.auto":  # as it does at its first import in a notebook
            warnings.warn("IProgress not found", tqdm.TqdmWarning, stacklevel=2)
        return require(package, extra=extra, purpose=purpose)

    monkeypatch.setattr(running, "require", warns)
    with (
        warnings.catch_warnings(record=True) as caught,
        cardgames_dp.running(progress=True),
    ):
        warnings.simplefilter("always", tqdm.TqdmWarning)
        list(running.with_progress("abc", 3, "letters"))
    assert not [w for w in caught if issubclass(w.category, tqdm.TqdmWarning)]


def test_a_script_is_silent_and_a_session_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = running._SECONDS_UNTIL_SHOWN
    monkeypatch.setattr(running, "_SECONDS_UNTIL_SHOWN", 0.0)
    solved = diagonal.solve(GAME)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.setattr(running, "_SECONDS_UNTIL_SHOWN", usual)
    assert diagonal.solve(GAME) == solved  # in a short call
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(running, "_SECONDS_UNTIL_SHOWN", 0.0)
    assert diagonal.solve(GAME) == solved
    shown = capsys.readouterr().err
    assert "states" in shown
    assert shown.endswith("\r")  # cleared at the end
    monkeypatch.setenv("TQDM_DISABLE", "1")
    with cardgames_dp.running(progress=False):
        assert diagonal.solve(GAME) == solved
    assert capsys.readouterr() == ("", "")


def test_there_is_one_bar_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    with cardgames_dp.running(progress=True):
        for _ in running.with_progress(range(2), 2, "decks"):
            exact.solve(GAME)
        assert "states" not in capsys.readouterr().err
        exact.solve(GAME)
        assert "states" in capsys.readouterr().err
        steps = iter(running.with_progress("abc", 3, "letters"))
        next(steps)
        del steps  # a loop that was left
        with running.progress_bar(1, "letters") as bar:
            assert bar is not None
        with ThreadPoolExecutor(1) as other:
            plain = other.submit(running.with_progress, "abc", 3, "letters").result()
        assert plain == "abc"


def test_settings_hold_for_a_block_or_from_then_on() -> None:
    usual = running.setting.get()
    with cardgames_dp.running(max_bytes=10**6):
        with cardgames_dp.running(progress=True) as inner:
            assert running.setting.get() == (True, 10**6)
            assert repr(inner) == "running(progress=True, max_bytes=1000000)"
        assert running.setting.get() == ("auto", 10**6)
        cardgames_dp.running(progress=False)
        assert running.setting.get() == (False, 10**6)
        with pytest.raises(ZeroDivisionError), cardgames_dp.running(max_bytes=5):
            raise ZeroDivisionError
        assert running.setting.get() == (False, 10**6)
    assert running.setting.get() == usual


@pytest.mark.parametrize("setting", [{"progress": "yes"}, {"max_bytes": -1}])
def test_refused_settings_change_nothing(setting: dict[str, Any]) -> None:
    usual = running.setting.get()
    with pytest.raises(ValueError, match="must be"):
        cardgames_dp.running(**setting)
    assert running.setting.get() == usual


def test_workers_know_what_holds(executor: Executor) -> None:
    """It is printed by the worker, and no bar is shown there."""
    with cardgames_dp.running(max_bytes=10**6, progress=True) as how:
        result = executors.map_items(format, how, [""] * 3, executor=executor, name=str)
        said = "running(progress=False, max_bytes=1000000)"
        assert [shown for _, shown in result] == [said] * 3


def test_without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs tqdm.*\[progress\]"):
        cardgames_dp.running(progress=True)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    assert exact.solve(GAME).num_states == 47


def test_too_large_says_how_large_and_what_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 3 * 2**30)
    with cardgames_dp.running(max_bytes=1024):
        words = "a cake needs about 2 MiB of memory, more than max_bytes, 1 KiB; eat"
        too_large(words, running.refuse_too_large, "a cake", 2 * 2**20, "eat bread")
        running.refuse_too_large("a cake", 1024, "eat bread")
    half = "PiB of memory, more than half of this machine's memory, 1.5 GiB; eat"
    too_large(half, running.refuse_too_large, "a cake", 2**60, "eat bread")


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="POSIX has it")
def test_this_machine_tells_its_memory() -> None:
    memory = running.physical_memory()
    assert memory is not None
    assert memory > 2**20


@pytest.mark.parametrize("how", ["none", "unknown name", "no answer"])
def test_a_system_that_does_not_tell_its_memory(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, which has no sysconf: 2 GiB, or what you say."""

    def unknown(name: str) -> int:
        raise ValueError(f"unrecognized configuration name {name}")

    if how == "none":
        monkeypatch.delattr("os.sysconf", raising=False)
    else:
        answer = unknown if how == "unknown name" else lambda name: -1
        monkeypatch.setattr("os.sysconf", answer, raising=False)
    assert running.physical_memory() is None
    monkeypatch.setattr(running, "container_memory", lambda: None)
    monkeypatch.setattr(running, "process_memory", lambda: None)
    running.refuse_too_large("a cake", 2**31, "eat bread")
    with cardgames_dp.running(max_bytes=2**40):
        running.refuse_too_large("a cake", 2**40, "eat bread")
    words = "more than the limit on a system with unknown memory, 2 GiB; eat"
    too_large(words, running.refuse_too_large, "a cake", 2**31 + 1, "eat bread")
    monkeypatch.setattr(search, "STATE_BYTES", 2**30)
    words = "more states than the limit on a system .* memory holds, 2 of about"
    with pytest.raises(game.TooManyStatesError, match=words):
        exact.solve(GAME)


V2 = "0::/batch/job\n"
V1 = "5:cpu,cpuacct:/batch\n4:memory:/batch/job\n1:name=systemd:/\n0::/\n"


@pytest.mark.parametrize(
    ("groups", "limits", "found"),
    [
        (None, {}, None),
        (V2, {}, None),
        (V2, {"batch/job/memory.max": "max"}, None),
        (V2, {"batch/job/memory.max": "1000"}, 1000),
        (V2, {"batch/job/memory.max": "1000", "batch/memory.max": "900"}, 900),
        (V2, {"batch/job/memory.max": "max", "memory.max": "800"}, 800),
        (V2, {"batch/cpu/memory.max": "5", "memory/memory.limit_in_bytes": "5"}, None),
        (V1, {"memory/batch/job/memory.limit_in_bytes": "1000"}, 1000),
        (V1, {"memory/batch/memory.limit_in_bytes": "900"}, 900),
        (V1, {"memory/memory.limit_in_bytes": "700"}, 700),
        (V1, {"memory/memory.limit_in_bytes": f"{2**63 - 4096}"}, None),
        (V1, {"memory/other/memory.limit_in_bytes": "700"}, None),
        (V1, {"memory.max": "600", "memory/memory.limit_in_bytes": "700"}, 600),
    ],
)
def test_limits_of_containers(
    groups: str | None, limits: dict[str, str], found: int | None, tmp_path: Path
) -> None:
    if groups is not None:
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/self/cgroup").write_text(groups)
    for name, limit in limits.items():
        file = tmp_path / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    # Beyond the top, limits are of nobody.
    (tmp_path / "memory.max").write_text("1\n")
    assert running.container_memory(tmp_path) == found


def test_the_least_limit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("physical_memory", "container_memory", "process_memory")
    limits: dict[str, int | None] = {**dict.fromkeys(names), names[0]: 4000}
    for name in names:
        monkeypatch.setattr(running, name, lambda name=name: limits[name])
    assert running.memory_limit() == (2000, "half of this machine's memory")
    limits["container_memory"] = 3000
    assert running.memory_limit() == (1500, "half of this container's memory")
    limits["process_memory"] = 1000
    whose = "the memory that this process may take"
    assert running.memory_limit() == (500, f"half of {whose}")
    with cardgames_dp.running(max_bytes=800):
        assert running.memory_limit() == (800, "max_bytes")
    with cardgames_dp.running(max_bytes=1200):
        assert running.memory_limit() == (1000, whose)
    limits |= dict.fromkeys(limits)
    assert running.memory_limit()[0] == 2 * 2**30


def test_the_limit_of_a_process() -> None:
    """As ``ulimit -v`` sets it."""
    resource = pytest.importorskip("resource")
    lines = (
        "import resource",
        f"resource.setrlimit(resource.RLIMIT_AS, (2**33, {resource.RLIM_INFINITY}))",
        "from cardgames_dp._support import running",
        "print(running.process_memory(), running.memory_limit()[0] <= 2**32)",
    )
    assert in_a_fresh_interpreter("; ".join(lines)) == f"{2**33} True\n"


def test_tiny_numbers_become_0_whatever_the_caller_has_set() -> None:
    """NumPy's default is set where the library is called, not where a caller is."""
    fit = fitting.fit([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 2.0**-1022], "sqrt")
    called: list[Callable[[], Any]] = [
        lambda: redblack.value(2000, 2000),
        lambda: redblack.enclosure(3000, 3000).lower,
        lambda: redblack.value(10**9, 1),
        lambda: redblack.bridge_value(1 - 1e-16, -1e90),
        lambda: redblack.utilities.log(wealth=10)(-2.5e-323),
        lambda: fitting.LimitDistribution("left").cdf(0.01),
        lambda: fit.predict(3),
    ]
    for call in called:
        expected = call()
        with np.errstate(all="raise"):
            assert call() == expected
            assert np.geterr()["under"] == "raise"


# How far the bars of a call come
# -------------------------------


def bars(call: Callable[[], Any]) -> str:
    """Return how far each bar of a call comes; they change nothing that it returns."""
    with redirect_stderr(io.StringIO()) as silent:
        alone = call()
    assert not silent.getvalue()
    with redirect_stderr(io.StringIO()) as stream, cardgames_dp.running(progress=True):
        assert call() == alone
    lines = stream.getvalue().split("\n")[:-1]
    units = [line.partition("? ")[2].partition("/s]")[0] for line in lines]
    ends = [re.findall(r"([\d.k]+(?:/[\d.k]+)?)[ \w]* \[", line)[-1] for line in lines]
    return ", ".join(map(" ".join, zip(ends, units, strict=True)))


DECK = redblack.game(9, 9)
LITTLE = pairs.Rules(deck=3, target=5)


@pytest.mark.parametrize(
    ("call", "ends"),
    [
        (lambda: cardrow.value([1, 5, 1], backend="exact"), ""),
        (lambda: cardrow.solve(range(9), backend="exact"), "45.0/45.0 intervals"),
        (lambda: cardrow.values([[1, 2]] * 4, "larger").tolist(), "4.00/4.00 games"),
        (
            lambda: cardrow.tournament(["random", "larger"], [[1, 2]] * 50, rng=1),
            "200/200 games",
        ),
        (lambda: redblack.solve(40, 30), "71.0/71.0 levels"),
        (lambda: redblack.value(500, 500), "16.0/16.0 blocks of levels"),
        (lambda: redblack.value(5000, 5000), "84.0/84.0 stairs"),
        (lambda: redblack.value([5, 50], [5, 50]).tolist(), "99.0/100 levels"),
        (lambda: redblack.thresholds(10), "155/168 levels, 2.00/3.00 levels"),
        (lambda: redblack.foresight_value(40, 40), "40.0/40.0 leads"),
        (
            lambda: play.distribution(DECK, "optimal").returns,
            "17.0/18.0 levels, 19.0/19.0 levels",
        ),
        (
            lambda: play.simulate(redblack.game(20, 20), "optimal", 9, rng=1),
            "39.0/40.0 levels, 9.00/9.00 games",
        ),
        (lambda: exact.solve(DECK), "19.0/19.0 levels"),
        (lambda: pairs.solve(LITTLE), "625/625 positions"),
        (
            lambda: play.simulate(pairs.game(LITTLE), "optimal", 10, rng=1),
            "625/625 positions, 10.0/10.0 games",
        ),
    ],
)
def test_bars_count_to_the_end(call: Callable[[], Any], ends: str) -> None:
    assert bars(call) == ends
