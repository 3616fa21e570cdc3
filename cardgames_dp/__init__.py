"""Finite card games solved by dynamic programming: exactly, fast, with stated error.

A game is a package of its own; its rules are written once, and two independent backends
turn them into solutions: vectorised float64 sweeps, and exact rationals.

`redblack`
    Draw red cards (+1) and black ones (-1), stop when you like.
`cardrow`
    Take a card from either end of a row, in turns; the larger sum wins.
`pairs`
    Draw cards without making a pair, or fold; any number of players.
`fitting`
    The growth of the red/black value: regressions, constants, its asymptotic series.
`exact`
    Subgame-perfect solutions, in Fractions, of any finite, acyclic game of perfect
    information, written in the vocabulary of `game` (`Game`, `CHANCE`, `TERMINAL`): the
    ones here and your own.
`diagonal`
    The same in float64, a diagonal at a time, with a bound of the error.
`explored`
    A game explored once, to be solved many times, with other returns and weights.
`arrays`
    What either backend makes of a game for arrays (`game.ArrayGame`), of many millions
    of states.
`interop`
    Games that go to OpenSpiel and Gambit, and games that come from OpenSpiel.
`play`
    Any game played: what policies are worth, best responses, regrets, laws, simulation.
`plots`
    Pictures of any game: its tree, and the laws of its returns.

All randomness comes in through ``rng=`` arguments, nothing is remembered from one call
to the next, and no global state (NumPy's, mpmath's) is touched. Results are immutable.
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
