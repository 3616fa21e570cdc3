"""Finite card games solved by dynamic programming: exactly, fast, with error bounds.

Each game is a package. Its rules are written once, and two independent backends solve
it: vectorised float64 sweeps, and exact rationals.

`redblack`
    Draw red cards (+1) and black cards (-1), and stop when you like.
`cardrow`
    Take a card from either end of a row, in turns; the larger sum wins.
`pairs`
    Draw a card without making a pair, or fold; any number of players.
`fitting`
    The growth of the red/black value: regressions, constants, its asymptotic series.

The other modules are for any finite, acyclic game of perfect information: the games
here, and your own.

`game`
    The protocol in which a game is written: `Game`, `CHANCE`, `TERMINAL`; and
    `game.ArrayGame` for games of millions of states.
`exact`, `diagonal`
    Subgame-perfect solutions: in Fractions, and in float64 with a bound of the error.
`explored`
    Explore a game once, and solve it many times, with other returns and weights.
`arrays`
    The solutions of games that are written for arrays.
`interop`
    Games to OpenSpiel and Gambit, and games from OpenSpiel.
`play`
    Values of policies, best responses, regrets, distributions, and simulation.
`plots`
    Pictures of any game: its tree, and the distributions of its returns.

All randomness comes from ``rng=`` arguments. Functions keep no state between calls, and
change no global state (NumPy's, mpmath's). Results are immutable.
"""

from typing import TYPE_CHECKING

from cardgames_dp import _lazy

if TYPE_CHECKING:
    from cardgames_dp import (
        arrays,
        cardrow,
        diagonal,
        exact,
        explored,
        fitting,
        game,
        interop,
        pairs,
        play,
        plots,
        redblack,
    )
    from cardgames_dp._effort import TooLongError
    from cardgames_dp._memory import TooLargeError
    from cardgames_dp._survey import Survey
    from cardgames_dp.game import CHANCE, TERMINAL, Game, GameError
else:
    __getattr__ = _lazy.loader(
        __name__,
        {
            "cardgames_dp": [
                "arrays",
                "cardrow",
                "diagonal",
                "exact",
                "explored",
                "fitting",
                "game",
                "interop",
                "pairs",
                "play",
                "plots",
                "redblack",
            ],
            "cardgames_dp._effort": ["TooLongError"],
            "cardgames_dp._memory": ["TooLargeError"],
            "cardgames_dp._survey": ["Survey"],
            "cardgames_dp.game": ["CHANCE", "TERMINAL", "Game", "GameError"],
        },
    )

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Game",
    "GameError",
    "Survey",
    "TooLargeError",
    "TooLongError",
    "__version__",
    "arrays",
    "cardrow",
    "diagonal",
    "exact",
    "explored",
    "fitting",
    "game",
    "interop",
    "pairs",
    "play",
    "plots",
    "redblack",
]

__version__ = "0.1.0"


def __dir__() -> list[str]:
    return __all__
