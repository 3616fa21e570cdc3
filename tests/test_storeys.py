"""The plan of the house: doors stand on engines, imports point one way, in no circle.

Imports are read from the sources, those for type checkers too. A *door* is a module
without an underscore in its path, an *engine* one in a `_kernels` folder, a *room* one
with an underscore at the top that all games share.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import cardgames_dp

HOME = Path(cardgames_dp.__file__).parent
PACKAGES = ("cardrow", "fitting", "pairs", "play", "redblack")


def name_of(file: Path) -> str:
    parts = file.relative_to(HOME.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


FILES = {name_of(file): file for file in sorted(HOME.rglob("*.py"))}
VOCABULARY = {"cardgames_dp.game", "cardgames_dp.explored", "cardgames_dp.arrays"}
"""In which all games are written, and what is found of them: the ground floor."""

ENGINES = [name for name in FILES if "._kernels" in name]


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


@cache
def imported(name: str) -> frozenset[str]:
    """Return the modules of the library that a module imports."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports by a relative name"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {full if full in FILES else str(node.module) for full in whole}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found & FILES.keys() - {name})


def package_of(name: str) -> str:
    """Return the package that a module is in, or an empty string."""
    part = name.split(".")[1:2]
    return part[0] if part and part[0] in PACKAGES else ""


def is_room(name: str) -> bool:
    """Return whether a module is a private one at the top, which all games share."""
    return not package_of(name) and name.startswith("cardgames_dp._")


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_import_engines_of_their_game_and_shared_rooms(engine: str) -> None:
    home = f"cardgames_dp.{package_of(engine)}._kernels"
    # `from cardgames_dp import _checks` names the front door only to reach a room.
    for other in imported(engine) - {"cardgames_dp"} - VOCABULARY:
        assert is_room(other) or other.startswith(home), f"{engine} imports {other}"


def test_imports_are_found() -> None:
    """Else the tests here could not fail."""
    assert len(ENGINES) > 40
    assert sum(len(imported(engine)) for engine in ENGINES) > 100
    values = imported("cardgames_dp.redblack.valuation")
    assert "cardgames_dp.redblack.rules" in values
    assert "cardgames_dp._checks" in values


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_doors_of_others_only_where_they_compare(package: str) -> None:
    """No game imports another, and nobody enters by the back door."""
    inside = [name for name in FILES if package_of(name) == package]
    others = {
        other
        for name in inside
        for other in imported(name)
        if package_of(other) not in ("", package)
    }
    assert not others


def test_shared_rooms_know_no_game() -> None:
    for name in filter(is_room, FILES):
        for other in imported(name):
            assert not package_of(other), f"{name} imports {other}"


def test_imports_run_in_no_circle() -> None:
    # A package's own face hands names on to its users; its modules import each other.
    faces = {name for name, file in FILES.items() if file.name == "__init__.py"}
    graph = {name: imported(name) - faces for name in FILES if name not in faces}
    try:
        order = [*TopologicalSorter(graph).static_order()]
    except CycleError as circle:
        pytest.fail(f"imports in a circle: {circle.args[1]}")
    assert len(order) == len(graph)


def test_most_files_are_doors_or_engines_and_few_of_them_doors() -> None:
    paths = [file.relative_to(HOME).parts for file in FILES.values()]
    doors = [
        path
        for path in paths
        if not any(p.startswith("_") for p in path if p != "__init__.py")
    ]
    assert 20 < len(doors) <= 0.6 * len(paths)


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {
        name: file.read_text("utf-8").count("\n") for name, file in FILES.items()
    }
    assert {name: n for name, n in lengths.items() if n > 400} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    """From its name to its last line, its docstring left out."""
    lengths = {}
    for name in FILES:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if ast.get_docstring(node) is not None:
                    docstring = node.body[0]
                    lines -= (docstring.end_lineno or 0) - docstring.lineno + 1
                lengths[f"{name}.{node.name}"] = lines
    assert len(lengths) > 500
    assert {name: n for name, n in lengths.items() if n > 50} == {}
