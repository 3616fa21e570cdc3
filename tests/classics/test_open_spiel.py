"""The parts of the script on OpenSpiel's games that do not need it.

With it, ``tests/interop`` runs the script.
"""

from functools import cache
from itertools import product
from math import comb

import pytest

from .scripts import loaded

SCRIPT = loaded("open_spiel")


def test_turns_and_mirrors() -> None:
    corner = ["x........", "..x......", "......x..", "........x"]
    assert {SCRIPT.least(board) for board in corner} == {"........x"}
    knight = {SCRIPT.least(board) for board in ("x....o...", "x......o.", "....o..x.")}
    assert len(knight) == 2
    # The page says how many there would be if nobody won.
    assert sum(comb(9, n) * comb(n, n // 2) for n in range(10)) == 6046
    # By Burnside's lemma: (36 + 0 + 4 + 0 + 4 * 6) / 8 pairs of cells.
    cells = ["".join(board) for board in product(".x", repeat=9)]
    two = {SCRIPT.least(board) for board in cells if board.count("x") == 2}
    assert len(two) == 8


@pytest.mark.parametrize("misere", [False, True])
def test_the_rule_of_nim(misere: bool) -> None:
    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        if not any(heaps):
            return misere
        after = [
            (*heaps[:i], left, *heaps[i + 1 :])
            for i, heap in enumerate(heaps)
            for left in range(heap)
        ]
        return not all(map(wins, after))

    for heaps in product(range(4), range(5), range(6)):
        assert SCRIPT.bouton([*heaps], misere=misere) == wins(heaps)


def test_a_state_of_nim() -> None:
    assert SCRIPT.read("(1): 0 3 5 7") == (1, [0, 3, 5, 7])


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCRIPT, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match=r"needs OpenSpiel: pip install"):
        SCRIPT.main()
