"""What results share, whichever game they are of."""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from types import ModuleType

import pytest

from cardgames_dp import cardrow, exact, fitting, game, pairs, redblack

MODULES: tuple[ModuleType, ...] = (redblack, cardrow, pairs, exact, fitting, game)


def public_dataclasses() -> Iterator[type]:
    for module in MODULES:
        for name in dir(module):
            found = getattr(module, name)
            if isinstance(found, type) and is_dataclass(found):
                yield found


@pytest.mark.parametrize(
    "kind", list(public_dataclasses()), ids=lambda k: f"{k.__module__}.{k.__name__}"
)
def test_results_are_frozen_and_say_so(kind: type) -> None:
    made: object = object.__new__(kind)
    for name in ["anything", "value", fields(kind)[0].name]:
        with pytest.raises(
            FrozenInstanceError, match=f"{kind.__name__} is frozen: cannot set '{name}'"
        ):
            setattr(made, name, 1)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete '{name}'"):
            delattr(made, name)
