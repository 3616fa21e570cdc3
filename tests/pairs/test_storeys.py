"""Doors stand on engines: imports point one way, and in no circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from cardgames_dp import pairs

HOME = Path(pairs.__file__).parent
ENGINES = "cardgames_dp.pairs._kernels"


def imports() -> dict[str, set[str]]:
    """Return what each module of the package imports of it, for type checkers too."""
    files = {
        ".".join(
            ["cardgames_dp.pairs", *file.relative_to(HOME).with_suffix("").parts]
        ).removesuffix(".__init__"): file
        for file in HOME.rglob("*.py")
    }
    found = {}
    for name, file in files.items():
        module = ast.parse(file.read_text(encoding="utf-8"))
        nodes = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
        used = {
            full if full in files else node.module or ""
            for node in nodes
            for alias in node.names
            for full in [f"{node.module}.{alias.name}"]
        }
        found[name] = used & files.keys()
    return found


def test_engines_import_no_door() -> None:
    engines = {m: used for m, used in imports().items() if m.startswith(ENGINES)}
    assert len(engines) > 10
    assert sum(map(len, engines.values())) > 10
    for engine, used in engines.items():
        assert all(other.startswith(ENGINES) for other in used), engine


def test_imports_run_in_no_circle() -> None:
    order = [*TopologicalSorter(imports()).static_order()]
    assert order[-1] == "cardgames_dp.pairs"
