"""What holds for the package as a whole: its public names, its import, its examples."""

import ast
import inspect
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
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


def in_a_fresh_interpreter(
    code: str, source: Path = Path(cardgames_dp.__file__).parents[1]
) -> str:
    """Return what a program prints that has imported nothing yet."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": str(source)},
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


@pytest.mark.parametrize("package", PACKAGES[1:], ids=lambda package: package.__name__)
def test_a_package_imports_its_names(package: ModuleType) -> None:
    """All of them, and no others; only the top package is lazy."""
    imports = [
        alias.asname or alias.name
        for node in ast.parse(inspect.getsource(package)).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(imports) == sorted(package.__all__)
    assert not hasattr(package, "__getattr__")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_unknown_names_are_refused(module: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing


def test_the_top_package_imports_nothing() -> None:
    """Not even NumPy: each name is imported when it is first used."""
    loaded = in_a_fresh_interpreter(
        "import cardgames_dp\nimport sys\nprint(*sys.modules)"
    ).split()
    assert {x for x in loaded if x.startswith("cardgames_dp")} == {"cardgames_dp"}
    assert {*loaded}.isdisjoint(HEAVY | {"decimal", "fractions", "numpy"})


def test_a_zip_file_can_be_imported(tmp_path: Path) -> None:
    """With its data, and every module."""
    home = Path(cardgames_dp.__file__).parent
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in home.rglob("*"):
            if "__pycache__" not in path.parts:
                file.write(path, path.relative_to(home.parent))
    code = """
import pkgutil
import cardgames_dp
from cardgames_dp import *
from cardgames_dp.redblack import *
for module in pkgutil.walk_packages(cardgames_dp.__path__, "cardgames_dp."):
    if "open_spiel" not in module.name:  # of an extra
        __import__(module.name)
print(redblack.published_values().thresholds.exact_up_to, end=" ")
print(pairs.published(3, 8).game.rules.target, cardrow.value([1, 5, 2]), end=" ")
print(play.simulate(redblack.game(2, 2), lambda s: "stop", 5, rng=1).games, end=" ")
print(fitting.fit([1, 4, 9], [1, 2, 4]).cards.size, value(2, 2), end=" ")
print(exact.solve(cardgames_dp.game.explore(game(2, 2))).value, end=" ")
print("library.zip" in exact.__file__)
"""
    result = in_a_fresh_interpreter(code, source=archive)
    assert result == "21585 21 -2.0 5 3 0.6666666666666666 2/3 True\n"


@pytest.mark.parametrize(
    ("game", "work"),
    [
        ("redblack", "redblack.value(26, 26)"),
        ("redblack", "redblack.solve(26, 26).advice((1, 3))"),
        ("cardrow", "cardrow.solve([1, 5, 2]).advice((0, 2))"),
        ("cardrow", "cardrow.solve([1, 5, 2])"),
        ("pairs", "pairs.Rules()"),
        ("fitting", "fitting.fit([1, 4, 9], [1, 2, 4])"),
    ],
)
def test_small_things_load_little(game: str, work: str) -> None:
    loaded = in_a_fresh_interpreter(
        f"from cardgames_dp import {game}\n{work}\nimport sys\nprint(*sys.modules)"
    ).split()
    others = {"redblack", "cardrow", "pairs", "fitting"} - {game}
    others -= {"redblack"} if game == "fitting" else set()  # whose values it fits
    others |= {"play", "plots", "interop"}
    assert {f"cardgames_dp.{other}" for other in others}.isdisjoint(loaded)
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
        and "plots" not in member.values[0].__module__.split(".")
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


@pytest.mark.parametrize(
    "script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name
)
def test_examples_explain_themselves_and_can_be_imported(script: Path) -> None:
    module = ast.parse(script.read_text(encoding="utf-8"))
    assert ast.get_docstring(module)
    guard = module.body[-1]
    assert isinstance(guard, ast.If)
    assert ast.unparse(guard.test) == "__name__ == '__main__'"
