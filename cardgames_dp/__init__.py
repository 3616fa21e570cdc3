"""Games of chance and skill, solved by dynamic programming: exactly, fast, with bounds.

Each game is a package. Its rules are written once, and two independent backends solve
it: in exact rationals, and in vectorised float64.

`redblack`
    Draw red cards (+1) and black cards (-1), and stop when you like.
`cardrow`
    Take a card from either end of a row, in turns; the larger sum wins.
`pairs`
    Draw a card without making a pair, or fold; any number of players.
`fitting`
    The growth of the red/black value: regressions, constants, its asymptotic series.

The other modules are for any finite game of perfect information, these or your own.

`game`
    The form of a game: `Game`, `CHANCE`, `TERMINAL`; `game.ArrayGame` for games of
    millions of states; `game.explore`, to explore a game once and solve it many times.
`exact`, `diagonal`
    Subgame-perfect solutions: in Fractions, and in float64 with a bound on the error.
`interop`
    Games to and from OpenSpiel and Gambit, and solutions in files.
`play`
    Values of policies, best responses, regrets, distributions, and simulation.
`plots`
    Pictures of any game: its tree, and the distributions of its returns.

All randomness comes from ``rng=`` arguments. Functions keep no state between calls, and
change no global state (NumPy's, mpmath's). Results are immutable. `running` sets
progress bars and limits of memory, which change no result.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "TooLargeError",
    "__version__",
    "cardrow",
    "diagonal",
    "exact",
    "fitting",
    "game",
    "interop",
    "pairs",
    "play",
    "plots",
    "redblack",
    "running",
]
__dir__ = __all__.copy  # for completion

if TYPE_CHECKING:
    from cardgames_dp import (
        cardrow,
        diagonal,
        exact,
        fitting,
        game,
        interop,
        pairs,
        play,
        plots,
        redblack,
    )
    from cardgames_dp._support.running import TooLargeError
    from cardgames_dp._support.settings import running
else:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used (PEP 562)."""
        if name not in __all__:
            text = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=sys.modules[__name__])
        inner = {"TooLargeError": "_support.running", "running": "_support.settings"}
        module = import_module(f"{__name__}.{inner.get(name, name)}")
        return getattr(module, name) if name in inner else module
