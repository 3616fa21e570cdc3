"""Small changes of the code, which Cosmic Ray makes."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

IDLE = re.compile(r"TYPE_CHECKING")
"""Lines that only a type checker reads."""


@dataclass(frozen=True)
class Change:
    """One change: a module's path, the line, as it was and as it became, all code."""

    module: str
    line: int
    before: str
    after: str
    code: str

    def __str__(self) -> str:
        return f"{self.module}: {self.before} => {self.after}"


def changes(
    root: Path, modules: list[str], size: int, seed: int, lines: range
) -> Iterator[Change]:
    """Yield one change at each of so many places of some modules, chosen at random."""
    chance = random.Random(seed)
    places: dict[tuple[str, int, int], list[tuple[str, int]]] = {}
    for module in modules:
        code = (root / module).read_text(encoding="utf-8")
        nodes = [*ast_nodes(get_ast(code))]
        for name in sorted(operator_names()):
            operator = get_operator(name)
            if operator.arguments() or name.endswith("NoOp"):
                continue
            starts = (
                start
                for node in nodes
                for start, _ in operator().mutation_positions(node)
            )
            for occurrence, (line, column) in enumerate(starts):
                if line in lines:
                    place = places.setdefault((module, line, column), [])
                    place.append((name, occurrence))
    for (module, _, _), ways in chance.sample(sorted(places.items()), len(places)):
        if not size:
            return
        change = made(root, module, *chance.choice(ways))
        if change:
            size -= 1
            yield change


def made(root: Path, module: str, name: str, occurrence: int) -> Change | None:
    """Return a change, if code results that means something else to Python."""
    code = (root / module).read_text(encoding="utf-8")
    changed = mutate_code(code, get_operator(name)(), occurrence)
    if changed is None or meaning(changed) in {None, meaning(code)}:
        return None
    if changed.count("@overload") < code.count("@overload"):
        return None
    pairs = zip(code.splitlines(), changed.splitlines(), strict=False)
    line, (before, after) = next(
        (line, pair) for line, pair in enumerate(pairs, 1) if pair[0] != pair[1]
    )
    if IDLE.search(before):
        return None
    return Change(module, line, before.strip(), after.strip(), changed)


def meaning(code: str) -> str | None:
    """Return what Python reads in code, without what only states that something holds.

    That is annotations and overloads, assertions, ``strict`` where lengths are known to
    agree, and ``slots``, which only save memory.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if getattr(node, name, None):
                setattr(node, name, ast.Constant(None))
        if isinstance(node, ast.Assert):
            node.test = ast.Constant(True)
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(by, ast.Name) and by.id == "overload"
            for by in node.decorator_list
        ):
            node.args = ast.arguments([], [], None, [], [], None, [])
        if isinstance(node, ast.Call):
            node.keywords = [
                word for word in node.keywords if word.arg not in {"strict", "slots"}
            ]
    return ast.dump(tree)


def statement(code: str, line: int) -> range:
    """Return the lines of the innermost statement in which a line stands."""
    lines = range(line, line + 1)
    for node in ast.walk(ast.parse(code)):  # what is within others comes later
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            lines = range(node.lineno, (node.end_lineno or 0) + 1)
    return lines
