"""Hold what the public functions return against what they returned before.

``python -m tests.tools frozen`` computes each question of `questions` and prints where
its result differs from the record in ``frozen.json``; ``--only PATTERN`` takes those
whose names match, as ``'redblack/value/*'``. ``--write`` records what is missing, and
with ``--all`` also what differs: look at the changes before you commit them.

A name says what is asked, not which function answers: if names of the library change,
only the expression does. By the same versions, on the same kind of machine, results are
the same to the last bit; BLAS has other kernels, and sums in another order, for each
kind of processor. Elsewhere floats may differ by the bound that stands with the
question, relative to the largest float of the result; whole numbers, fractions and
words never.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fnmatch import fnmatch
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import mpmath
import numpy as np
import scipy

from . import records

RECORD = Path(__file__).with_suffix(".json")
PARTS = ("cardrow", "fitting", "games", "pairs", "redblack")
BOUND = 1e-12
"""Of floats on another kind of machine, where the question has no bound of its own."""

MOST = 60
"""Entries of an array that is recorded in full."""

Plain: TypeAlias = Any
"""What JSON knows. Floats and fractions are texts, in hexadecimal and as ``p/q``."""

THREADS = "OMP_NUM_THREADS"
"""Several threads of BLAS add up large products in another order than one."""

KNOWN: dict[str, Any] = {
    name: import_module(f"cardgames_dp.{name}")
    for name in (
        *("cardrow", "diagonal", "exact", "fitting", "interop", "pairs", "play"),
        *("redblack", "redblack.kinds", "redblack.urns", "redblack.utilities"),
    )
}
KNOWN = {name.rpartition(".")[2]: module for name, module in KNOWN.items()}
KNOWN |= vars(records) | {"np": np}
"""What every expression may name, beside the names of its part."""

_LINE = re.compile(r"(.+?)(?: \((\S+)\))?: (.+)")
_FLOAT = re.compile(r"-?(0x[01]\.[0-9a-f]+p[+-]\d+|inf)|nan")


class Question(NamedTuple):
    """An expression, and the bound within which floats agree on other machines."""

    bound: float
    ask: Callable[[], object]


def questions(pattern: str = "*") -> dict[str, Question]:
    """Return the questions whose names match."""
    asked = [
        item for part in PARTS for item in _listed(part) if fnmatch(item[0], pattern)
    ]
    if len({name for name, _ in asked}) < len(asked):
        raise ValueError("two questions have the same name")
    return dict(sorted(asked, key=lambda item: item[0]))


def _listed(part: str) -> Iterator[tuple[str, Question]]:
    """Yield the questions of a file, whose expressions know the module beside it."""
    module = import_module(f".questions.{part}", __package__)
    names = KNOWN | vars(module)
    text = Path(str(module.__file__)).with_suffix(".txt").read_text("utf-8")
    for line in re.findall(r"^[^#\n].*", text, re.MULTILINE):
        name, bound, call = _LINE.fullmatch(line).groups()  # type: ignore[union-attr]
        ask, limit = compile(call, name, "eval"), float(bound or BOUND)
        head, *several = re.split(r"{(\w+) in (.+)}", name)
        if not several:
            yield name, Question(limit, partial(eval, ask, names))
            continue
        word, over, tail = several
        items = eval(over, names)
        items = items if isinstance(items, Mapping) else {x: x for x in items}
        for key, item in items.items():
            known = names | {word: item}
            yield f"{head}{key}{tail}", Question(limit, partial(eval, ask, known))


def environment() -> dict[str, Plain]:
    """Return what may change the last bits."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "mpmath": mpmath.__version__,
        "machine": platform.machine(),
        "processor": processor(),
        "libc": " ".join(platform.libc_ver()),
        "simd": " ".join([*simd["baseline"], *simd["found"]]),
        "threads": os.environ.get(THREADS, "several"),
    }


def processor() -> str:
    """Return the kind of processor, by which BLAS chooses its kernels."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    known = dict(
        re.split(r"\s*:\s*", line, maxsplit=1) for line in lines if ":" in line
    )
    return " ".join(known.get(key, "") for key in ("vendor_id", "cpu family", "model"))


def answer(question: Question) -> Plain:
    """Compute a question; an error is an answer, too."""
    try:
        return plain(question.ask())
    except Exception as error:  # all others are to be compared nevertheless
        return f"raised {type(error).__name__}: {error}"


def plain(result: Any) -> Plain:
    """Return a result as JSON can store it, nothing rounded."""
    match result:
        case None | bool() | str():
            return result
        case np.ndarray():
            return _array(result)
        case np.generic():
            return plain(result.item())
        case int() | Fraction():
            return int(result) if result.denominator == 1 else str(result)
        case float():
            return result.hex()
        case Decimal():
            return f"decimal {result}"
        case Mapping():
            return {_key(key): plain(value) for key, value in result.items()}
        case tuple() | list() | range() | frozenset():
            return [plain(item) for item in result]
    raise TypeError(f"say what to record of {result!r}")


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(plain(key))


def _array(array: np.ndarray[Any, Any]) -> Plain:
    """Return an array in full, or some entries and two exact sums of all."""
    if array.ndim == 0:
        return plain(array.item())
    if array.dtype == bool and array.ndim == 1 and array.size < 10 * MOST:
        return "".join("01"[entry] for entry in array.tolist())
    if array.size <= MOST or (array.dtype == bool and array.size < 10 * MOST):
        return [plain(entry) for entry in (array if array.ndim > 1 else array.tolist())]
    flat = array.ravel().tolist()
    finite = [entry for entry in flat if math.isfinite(entry)]
    weighed = [(i % 97 + 1) * entry for i, entry in enumerate(finite)]
    return {
        "shape": list(array.shape),
        "finite": len(finite),
        "some": plain(flat[:: len(flat) // 9]),
        "sums": [_sum(finite), _sum(weighed)],
    }


def _sum(entries: list[Any]) -> Plain:
    """Return an exact sum; of floats the nearest float, and what is left of it."""
    if not isinstance(entries[0], float):
        return plain(sum(entries))
    nearest = math.fsum(entries)
    return [plain(nearest), plain(math.fsum([*entries, -nearest]))]


def differences(then: Plain, now: Plain, bound: float = 0) -> list[str]:
    """Return in words where two results differ by more than a bound."""
    floats = [abs(float.fromhex(x)) for x in _leaves(then) if _is_float(x)]
    slack = bound * max(filter(math.isfinite, floats), default=0)
    return [line.lstrip() for line in _different("", then, now, slack)]


def _different(place: str, then: Plain, now: Plain, slack: float) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict) and [*then] == [*now]:
        for key in then:
            yield from _different(f"{place}[{key}]", then[key], now[key], slack)
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _different(f"{place}[{i}]", one, other, slack)
    elif _is_float(then) and _is_float(now):
        old, new = float.fromhex(then), float.fromhex(now)
        if then != now and not abs(new - old) <= slack:
            off = f", by {(new - old) / old:.1e} of it" if old else ""
            yield f"{place} was {old!r}, is {new!r}{off}"
    elif then != now or isinstance(then, bool) != isinstance(now, bool):
        yield f"{place} was {then!r}, is {now!r}"


def _is_float(item: Plain) -> bool:
    return isinstance(item, str) and _FLOAT.fullmatch(item) is not None


def _leaves(item: Plain) -> Iterator[Plain]:
    if isinstance(item, (dict, list)):
        for part in item.values() if isinstance(item, dict) else item:
            yield from _leaves(part)
    else:
        yield item


def compared(pattern: str = "*") -> Iterator[tuple[str, list[str]]]:
    """Compute the questions that match; yield each with its differences."""
    record, asked = json.loads(RECORD.read_text("utf-8")), questions(pattern)
    same = record["environment"] == environment()
    then = {k: v for k, v in record["results"].items() if fnmatch(k, pattern)}
    for name in sorted(asked.keys() | then.keys()):
        if name not in asked:
            yield name, ["is recorded, but nobody asks for it"]
        elif name not in then:
            yield name, ["is not recorded: run with --write"]
        else:
            bound = 0 if same else asked[name].bound
            yield name, differences(then[name], answer(asked[name]), bound)


def write(pattern: str, *, again: bool) -> None:
    """Record what is missing, or all that match; forget what nobody asks for."""
    old = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    here, known, asked = environment(), old.get("results", {}), questions()
    if old.get("environment", here) != here and not (again and pattern == "*"):
        sys.exit("recorded elsewhere: record all here (--write --all), or nothing")
    for name, question in questions(pattern).items():
        if again or name not in known:
            known[name] = answer(question)
    lines = [
        f"{json.dumps(k)}: {json.dumps(known[k])}" for k in sorted(known) if k in asked
    ]
    body = ",\n".join(lines)
    RECORD.write_text(
        f'{{"environment": {json.dumps(here)},\n"results": {{\n{body}\n}}}}\n', "utf-8"
    )


def main() -> None:
    """Compare or write, as the options say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="a pattern of names")
    parser.add_argument("--write", action="store_true", help="record what is missing")
    parser.add_argument("--all", action="store_true", help="and what is recorded")
    given = parser.parse_args()
    if os.environ.get(THREADS) != "1":  # which is read when NumPy is loaded
        os.environ[THREADS] = "1"
        os.execv(
            sys.executable,
            [sys.executable, "-m", "tests.tools", "frozen", *sys.argv[1:]],
        )
    if given.write:
        write(given.only, again=given.all)
        return
    count = failed = 0
    for name, found in compared(given.only):
        count, failed = count + 1, failed + bool(found)
        for line in found:
            print(f"{name} {line}", flush=True)
    if count == 0:
        sys.exit(f"no question is named {given.only}")
    print(f"{failed} of {count} results differ")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
