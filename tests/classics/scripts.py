"""The scripts of ``examples/classics``, as modules."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

CLASSICS = Path(__file__).parents[2] / "examples" / "classics"


def loaded(name: str) -> Any:
    """Return a script as a module."""
    spec = spec_from_file_location(name, CLASSICS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
