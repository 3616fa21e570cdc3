"""What holds for the package as a whole: its public names, its import, its examples."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cardgames_dp

ROOT = Path(__file__).parents[1]


def public_modules(module: ModuleType) -> Iterator[ModuleType]:
    """Yield a module, and all to which its public names lead."""
    yield module
    for name in getattr(module, "__all__", ()):
        member = getattr(module, name)
        if inspect.ismodule(member):
            yield from public_modules(member)


MODULES = list(public_modules(cardgames_dp))
PUBLIC_OBJECTS = [
    pytest.param(member, id=f"{module.__name__}.{name}")
    for module in MODULES
    for name in module.__all__
    for member in [getattr(module, name)]
    if inspect.isfunction(member) or inspect.isclass(member)
]


def methods(cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public methods and properties that a class defines itself."""
    for name, member in vars(cls).items():
        if isinstance(member, property):
            function = member.fget
        else:  # class methods and static methods wrap a function
            function = getattr(member, "__func__", member)
        if inspect.isfunction(function) and not name.startswith("_"):
            yield name, function


HEAVY = {
    *("matplotlib", "mpmath", "pandas", "tqdm"),
    *("scipy.fft", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats"),
}
"""What is loaded when it is needed, and takes its time."""


def in_a_fresh_interpreter(code: str) -> str:
    """Return what a program prints that has imported nothing yet."""
    source = str(Path(cardgames_dp.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_public_names_can_be_had(module: ModuleType) -> None:
    assert module.__doc__
    names = getattr(module, "__all__", [])
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(module, name)] == []


PACKAGES = [module for module in MODULES if hasattr(module, "__path__")]


def listed(module: ModuleType) -> dict[str, str]:
    """Return the names that a door lists for type checkers, and their homes."""
    (checked,) = (
        node
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    aliases = [
        (alias, str(node.module))
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert all(alias.name == alias.asname for alias, _ in aliases)
    return {alias.name: home for alias, home in aliases}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_names_are_loaded_from_where_type_checkers_find_them(
    package: ModuleType,
) -> None:
    """They are listed once, and all else follows from the list."""
    names = listed(package)
    assert sorted(names) == [x for x in package.__all__ if x != "__version__"]
    for name, home in names.items():
        found = getattr(import_module(home), name)
        loaded = getattr(package, name)
        assert loaded is found or loaded.__wrapped__ is found
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_importing_a_package_loads_nothing_else(package: ModuleType) -> None:
    """Not even NumPy: each name loads what it needs when it is first used."""
    loaded = in_a_fresh_interpreter(
        f"import {package.__name__}\nimport sys\nprint(*sys.modules)"
    ).split()
    ours = {name for name in loaded if name.startswith("cardgames_dp")}
    door = {"cardgames_dp", "cardgames_dp._support", "cardgames_dp._support.door"}
    assert ours == door | {package.__name__}
    assert {*loaded}.isdisjoint(HEAVY | {"decimal", "fractions", "numpy"})


@pytest.mark.parametrize(
    ("game", "work"),
    [
        ("redblack", "redblack.value(26, 26)"),
        ("redblack", "redblack.solve(26, 26).advice(red=1, black=3)"),
        ("cardrow", "cardrow.Position([1, 5, 2]).advice()"),
        ("cardrow", "cardrow.solve([1, 5, 2])"),
        ("pairs", "pairs.Rules()"),
        ("fitting", "fitting.fit([1, 4, 9], [1, 2, 4])"),
    ],
)
def test_small_things_load_little(game: str, work: str) -> None:
    loaded = in_a_fresh_interpreter(
        f"from cardgames_dp import {game}\n{work}\nimport sys\nprint(*sys.modules)"
    ).split()
    games = {"redblack", "cardrow", "pairs", "fitting"}
    assert {f"cardgames_dp.{other}" for other in games - {game}}.isdisjoint(loaded)
    assert HEAVY.isdisjoint(loaded)


def test_a_star_import_brings_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from cardgames_dp.redblack import *", names)
    assert {*names} - {"__builtins__"} == {*dir(cardgames_dp.redblack)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_completion_offers_public_names_only(module: ModuleType) -> None:
    assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize("member", PUBLIC_OBJECTS)
def test_documented(member: Any) -> None:
    documentation = inspect.getdoc(member) or ""
    assert documentation.splitlines()[0].endswith(".")
    assert ">>> " in documentation.partition("\nExamples\n--------\n")[2]
    if inspect.isclass(member):
        assert [name for name, method in methods(member) if not method.__doc__] == []


@pytest.mark.parametrize("member", PUBLIC_OBJECTS)
def test_annotated(member: Any) -> None:
    functions = dict(methods(member)) if inspect.isclass(member) else {"": member}
    for name, function in functions.items():
        signature = inspect.signature(function)
        bare = [
            parameter.name
            for parameter in signature.parameters.values()
            if parameter.annotation is inspect.Parameter.empty
            and parameter.name not in ("self", "cls")
        ]
        assert bare == [], name
        assert signature.return_annotation is not inspect.Signature.empty, name


@pytest.mark.parametrize(
    "function",
    [
        member
        for member in PUBLIC_OBJECTS
        if inspect.isfunction(member.values[0])
        and not member.values[0].__module__.endswith(".plots")
    ],
)
def test_tells_its_grade(function: Callable[..., Any]) -> None:
    """Its result is of a grade of docs/trust.rst; pictures have none."""
    page = (ROOT / "docs" / "trust.rst").read_text(encoding="utf-8")
    grades = re.findall(r"^(\w+)  +[A-Z]", page.partition("Grade  ")[2], re.M)
    assert grades == ["exact", "certified", "float64", "estimated"]
    told = re.findall(
        rf"^Grade: ({'|'.join(grades)})\b", inspect.getdoc(function) or "", re.M
    )
    assert len(told) == 1


OPTIONS = {
    "backend": "float64",
    "checkpoint": None,
    "executor": None,
    "histories": 0,
    "json": False,
    "method": "auto",
    "paths": 0,
    "replace": False,
    "rng": None,
    "tie": "right",
    "tie_break": "first",
    "tolerance": 1e-12,
}
"""Parameters that mean the same in all functions, and what they are if not given."""


@pytest.mark.parametrize("member", PUBLIC_OBJECTS)
def test_options_are_keywords_with_one_default(member: Any) -> None:
    functions = [f for _, f in methods(member)] if inspect.isclass(member) else [member]
    for function in functions:
        for name, option in inspect.signature(function).parameters.items():
            if name in OPTIONS and option.default is not option.empty:
                assert option.kind is option.KEYWORD_ONLY, name
                assert option.default == OPTIONS[name], name


def test_smoke() -> None:
    """In a fresh interpreter: a light import, py.typed, the version and a value."""
    script = (ROOT / "tests" / "smoke_wheel.py").read_text(encoding="utf-8")
    assert cardgames_dp.__version__ in in_a_fresh_interpreter(script)


def test_there_are_examples() -> None:
    assert sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize(
    "script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name
)
def test_examples_explain_themselves_and_can_be_imported(script: Path) -> None:
    module = ast.parse(script.read_text(encoding="utf-8"))
    assert ast.get_docstring(module)
    guard = module.body[-1]
    assert isinstance(guard, ast.If)
    assert ast.unparse(guard.test) == "__name__ == '__main__'"
