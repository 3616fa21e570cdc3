"""A deck as a game: red/black for both backends and for `cardgames_dp.play`.

Cards pay when they are drawn, so the value of a state is what is still to come. It does
not depend on the cash, nor on how many cards the full deck had.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, SupportsIndex

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.game import Layout, Names
from cardgames_dp.redblack import policies
from cardgames_dp.redblack.cards import NAMES, CardsInArrays, cash_of, is_deck
from cardgames_dp.redblack.fast import Fast
from cardgames_dp.redblack.rules import Problem, Rules


@dataclass(frozen=True, slots=True, repr=False)
class Deck(CardsInArrays):
    """A deck of red and black cards, as an `ArrayGame`; made by :func:`game`."""

    _is_deck: ClassVar[bool] = True
    names: ClassVar[Names] = NAMES
    """States are `State`, actions "stop" and "draw"."""

    def as_policy(self, policy: Any, backend: Backend) -> Any:
        """Return a policy of red/black as a function of states, and others as None."""
        if not is_deck(self):
            return None
        red, black = self.counts
        problem = Problem(self.rules, red, black, backend == "exact")
        return policies.by_state(policy, problem)

    def __post_init__(self) -> None:
        self._set(worths=(self.rules.gain, -self.rules.cost))

    @property
    def fast(self) -> Fast | None:
        """The faster ways of this game, which the functions for any game take.

        None of a class derived from this one, whose rules may be others.
        """
        red, black = self.counts
        return Fast(self.rules, red, black) if is_deck(self) else None

    @property
    def layout(self) -> Layout | None:
        """How solutions lie in a table: totals by the cards left, and where to stop."""
        if not is_deck(self):
            return None
        of = "total" if self.rules.utility is None else "expected utility"
        note = f"rows: red cards left, columns: black cards left; {of}"
        collected = self._cash if self.rules.utility is None else None
        shape = self.counts[0] + 1, self.counts[1] + 1
        return Layout(("red", "black"), "stop", collected, note, shape)

    def _cash(self, state: Any) -> Any:
        """Return the cash in hand in a state, or in states of arrays."""
        red, black = self.counts[0] - state.red, self.counts[1] - state.black
        return cash_of(self.rules, red, black)


@suggest_arguments
def game(
    red: SupportsIndex, black: SupportsIndex, *, rules: Rules | None = None
) -> Deck:
    """Return red/black as a game for either backend and `cardgames_dp.play`.

    Cards pay when they are drawn, so the value of a state is what is still to come.
    Under a utility, nothing is paid before the end: it is the expected utility.

    Grade: exact.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the full deck; up to some
        thousand of each.
    rules : Rules, optional
        The classic rules if not given. The action that their tie rule prefers comes
        first, and the solvers' default ``tie_break="first"`` takes it.

    Returns
    -------
    Deck
        A `cardgames_dp.game.ArrayGame`. Its states are named `State`, its actions
        "stop" and "draw".

    Examples
    --------
    What may happen with 200 cards, and what to do with 20 red and 25 black cards left:

    >>> from cardgames_dp import diagonal, play, redblack
    >>> solution = diagonal.solve(redblack.game(100, 100))
    >>> round(play.distribution(solution).returns[0].mean, 6)
    5.191092
    >>> solution.policy[20, 25], round(solution.values[20, 25], 6)
    ('draw', 0.027037)
    """
    deck = arguments.integer("red", red), arguments.integer("black", black)
    kind = arguments.rules(rules, Rules)
    return Deck(kind, (), deck)
