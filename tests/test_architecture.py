"""The plan of the house: data flows one way, and imports point the other.

Rules are turned into solutions by a backend, and everything a person looks at is made
from solutions. Imports are read from the sources, those for type checkers too.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import cardgames_dp

HOME = Path(cardgames_dp.__file__).parent
GAMES = ("cardrow", "pairs", "redblack")

STOREYS = (
    ("_support",),
    ("_results",),
    ("_graph", "_loops"),
    ("game", "exact", "diagonal"),
    ("play", "_interop"),
    ("interop", "plots", *GAMES),
    ("fitting",),
)
"""From the ground up: a part may import those of its own storey and of lower ones."""


def name_of(file: Path) -> str:
    parts = file.relative_to(HOME.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


FILES = {name_of(file): file for file in sorted(HOME.rglob("*.py"))}
DOORS = {name for name, file in FILES.items() if file.name == "__init__.py"}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


@cache
def imported(name: str) -> frozenset[str]:
    """Return the modules of the library that a module imports."""
    result = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports by a relative name"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            result |= {full if full in FILES else str(node.module) for full in whole}
        elif isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
    return frozenset(result & FILES.keys() - {name})


def part_of(name: str) -> str:
    """Return the part of the library that a module is in: a folder, or a file."""
    return name.partition(".")[2].partition(".")[0]


def storey(part: str) -> int:
    (result,) = (i for i, parts in enumerate(STOREYS) if part in parts)
    return result


def test_imports_are_found() -> None:
    """Else the tests here could not fail."""
    assert sum(len(imported(name)) for name in FILES) > 300
    assert "cardgames_dp._graph.explored" in imported("cardgames_dp.exact")
    assert {part_of(name) for name in FILES} - {""} == {x for s in STOREYS for x in s}


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"cardgames_dp"}))
def test_imports_point_down(name: str) -> None:
    part = part_of(name)
    for other in imported(name) - {"cardgames_dp"}:
        assert storey(part_of(other)) <= storey(part), f"{name} imports {other}"


@pytest.mark.parametrize("game", GAMES)
def test_games_do_not_import_each_other(game: str) -> None:
    for name in FILES:
        if part_of(name) == game:
            others = {part_of(other) for other in imported(name)} & {*GAMES}
            assert others <= {game}, name


def test_kernels_do_not_import_the_doors_that_they_serve() -> None:
    """They know the rules of their game, with utilities, backends, and each other."""
    for name in FILES:
        home, kernels, _ = name.partition("._kernels")
        if kernels:
            own = {other for other in imported(name) if other.startswith(f"{home}.")}
            served = {other for other in own if not other.startswith(home + kernels)}
            assert served <= {f"{home}.rules", f"{home}.utilities"}, name


def test_imports_run_in_no_circle() -> None:
    # A package's own face hands names on to its users; its modules import each other.
    graph = {name: imported(name) - DOORS for name in FILES.keys() - DOORS}
    try:
        order = [*TopologicalSorter(graph).static_order()]
    except CycleError as circle:
        pytest.fail(f"imports in a circle: {circle.args[1]}")
    assert len(order) == len(graph)


def test_no_loose_private_file_stands_beside_a_door() -> None:
    """What a door needs is in it, or in a folder whose name tells what it is."""
    private = [name for name in FILES.keys() - DOORS if name.count("._")]
    private = [name for name in private if name.split(".")[1][0] != "_"]
    loose = [name for name in private if "._kernels." not in name]
    assert not loose
    assert not [file for file in HOME.glob("_*.py") if file.name != "__init__.py"]


def test_a_file_is_one_subject_of_at_most_650_lines() -> None:
    lengths = {
        name: file.read_text("utf-8").count("\n") for name, file in FILES.items()
    }
    assert {name: n for name, n in lengths.items() if n > 650} == {}


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
