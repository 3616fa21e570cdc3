"""Cards that are drawn until the player stops, as an array game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Floats, Integers
from cardgames_dp._results.records import ArrayRecord, Record
from cardgames_dp.game import CHANCE, TERMINAL, Layout, Names
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack.rules import Problem, Rules, cash_in_floats
from cardgames_dp.redblack.utilities import in_float64, in_fractions

ASK, STOP, DRAW = 0, 1, 2
"""The last column of the states; the actions are the latter two."""

WORDS = ("", "stop", "draw")


class State(NamedTuple):
    """A state of red/black: the cards remaining, and the decision just taken.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards that remain.
    decision : {"", "draw", "stop"}
        Empty while the player decides; after "draw" chance turns a card over, after
        "stop" the game is over.

    Examples
    --------
    Solutions are looked up by states; a plain tuple works as well:

    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.game(2, 2))
    >>> solution.policy[redblack.State(red=1, black=2)]
    'stop'
    >>> solution.values[2, 1, "draw"]
    Fraction(4, 3)
    """

    red: int
    black: int
    decision: Literal["", "draw", "stop"] = ""


NAMES = Names(State, WORDS, {"decision": WORDS})
"""The names of states and actions of red/black."""


@dataclass(frozen=True, slots=True, repr=False)
class CardsInArrays(Record):
    """Cards of any kinds, drawn until the player stops, as an `ArrayGame`.

    A state is a row of the cards left of each kind, and `ASK`, `STOP` or `DRAW`. Cards
    pay when they are drawn; under a utility, the end pays that of the final cash, which
    the state determines. `worths` and `counts` say what a card of each kind adds to the
    cash, and how many are in the full deck.
    """

    rules: Rules
    worths: tuple[Fraction, ...]
    counts: tuple[int, ...]

    num_players: ClassVar[int] = 1
    """Chance is not a player."""

    _by_draws: ClassVar[bool] = False
    """Whether states count cards drawn instead of cards left."""

    @property
    def _num_states(self) -> int:
        # For `explore`, which so refuses a large deck before it finds its states.
        return 3 * math.prod([count + 1 for count in self.counts]) - 2

    def initial_states(self) -> NDArray[Any]:
        """Return the full deck."""
        return np.array([[*self.counts, ASK]])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return who moves: the player decides, then a card is drawn."""
        moment = states[:, -1]
        over = (moment == STOP) | self._empty(states)
        return np.where(over, TERMINAL, np.where(moment == DRAW, CHANCE, 0))

    def legal_actions(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return both actions; the one that the tie rule prefers comes first."""
        both = [STOP, DRAW] if self.rules.tie == "stop" else [DRAW, STOP]
        return np.repeat(np.arange(len(states)), 2), np.tile(both, len(states))

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        """Return the states after the player's decisions."""
        return np.column_stack([states[:, :-1], actions])

    def chance_outcomes(
        self, states: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the states after a card of each kind, weighted by cards left."""
        return self._draws(states, states[:, :-1].T.ravel(), -1)

    def _draws(
        self, states: NDArray[Any], weights: NDArray[Any], step: Literal[-1, 1]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the states after a card of each kind, which adds a step to its count.

        Weights are those of the first kind in all states, then of the next kind.
        """
        kinds = len(self.worths)
        drawn = step * np.eye(kinds, kinds + 1, dtype=np.int64)
        drawn[:, -1] = ASK - DRAW
        after = [states + card for card in drawn]
        index = np.tile(np.arange(len(states)), kinds)
        small = all(w.denominator == 1 and abs(w) < 2**62 for w in self.worths)
        paid: NDArray[Any] = np.array(self.worths, np.int64 if small else object)
        if self.rules.utility is not None:
            paid = np.zeros(kinds, dtype=np.int64)
        return index, weights, np.concatenate(after), paid.repeat(len(states))

    def _empty(self, states: NDArray[Any]) -> NDArray[np.bool_]:
        """Return in which states no card is left."""
        return np.asarray(~states[:, :-1].any(axis=1))

    def _drawn(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return how many cards of each kind have been drawn."""
        counted: NDArray[Any] = states[:, :-1]
        return counted if self._by_draws else np.array(self.counts) - counted

    def _sheet(self, axes: Any) -> Layout:
        """Return how solutions for two colours lie in a table."""
        word, linear = "drawn" if self._by_draws else "left", self.rules.utility is None
        of = "total" if linear else "expected utility"
        note = f"rows: red cards {word}, columns: black cards {word}; {of}"
        shape = self.counts[0] + 1, self.counts[1] + 1
        return Layout(axes, "stop", self._cash if linear else None, note, shape)

    def _cash(self, state: Any) -> Any:
        """Return the exact cash in hand in states; for arrays of int64 in float64."""
        (red, black, _), (gain, cost) = state, (self.rules.gain, self.rules.cost)
        if not self._by_draws:
            red, black = self.counts[0] - red, self.counts[1] - black
        if isinstance(red, np.ndarray) and red.dtype != object:
            return float(gain) * red - float(cost) * black + 0.0  # not -0.0
        return gain * red - cost * black

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the utility of the final cash; nothing if cards have paid it."""
        if self.rules.utility is None:
            return np.zeros(len(states), dtype=np.int64)
        unit = math.lcm(*[worth.denominator for worth in self.worths])
        whole = [int(worth * unit) for worth in self.worths]
        most = sum(abs(x) * max(n, 1) for x, n in zip(whole, self.counts, strict=True))
        of_card = np.array(whole, dtype=np.int64 if most < 2**63 else object)
        cash: NDArray[Any] = self._drawn(states) @ of_card
        amounts, places = np.unique(cash, return_inverse=True)
        worths = [Fraction(c, unit) for c in amounts.tolist()]
        try:
            paid = in_fractions(self.rules.utility, worths)
        except ValueError as error:
            error.add_note(
                "a game for any solver needs a finite utility that takes Fractions, or "
                "cash that floats hold; redblack.solve, redblack.value, "
                "play.distribution and play.simulate do without"
            )
            raise
        return np.array(paid, dtype=object)[places]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CardsLookup(ArrayRecord):
    """Tables of the cards left, as `recurrence.tables` makes them: a `Lookup`.

    `drawn`: whether states count the cards drawn, of as many as there are of each
    colour.
    """

    problem: Problem
    draw: NDArray[Any]
    best: NDArray[np.uint8]
    doubts: NDArray[np.float64] | None
    drawn: bool = False

    @property
    def stops(self) -> NDArray[np.bool_]:
        """Where the player stops."""
        return recurrence.stops(self.best, self.problem.rules.tie)

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached."""
        (red, black), moment = self._left(states), states[:, -1]
        inside = (red >= 0) & (red <= self.problem.red) & (black >= 0)
        inside &= (black <= self.problem.black) & (moment >= ASK) & (moment <= DRAW)
        # The last card leaves no decision.
        last = self.problem.red if self.drawn else 0
        reached: NDArray[np.bool_] = inside & ((red + black > last) | (moment == ASK))
        reached[reached] = self.best[red[reached], black[reached]] > 0
        return reached

    def values(self, states: Integers) -> NDArray[Any]:
        """Return what is still to come in states."""
        values: NDArray[Any] = self.draw[self._left(states)]
        choices = self._choices(states)
        stopped = choices != DRAW
        if stopped.any():
            stop = self._stopped(states[stopped])
            better = np.maximum(values[stopped], stop)
            values[stopped] = np.where(choices[stopped] == STOP, stop, better)
        return values[:, np.newaxis]

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the rounding errors of these values.

        Those of drawing are in the tables. Utilities in float64 are taken to be as
        exact as sums. Where both may be best, what drawing is worth stands as 0 under
        linear rules: it is off that by no more than its error, as computed, and the
        computed number by no more than its error again.
        """
        if self.doubts is None:
            return np.zeros(len(states))
        (red, black), linear = self._left(states), self.problem.rules.utility is None
        best, choices = self.best[red, black], self._choices(states)
        if linear and not self.drawn:
            red, black = ((choices == DRAW) & (best == STOP)).astype(int), red + black
        errors: Floats = self.doubts[red, black]
        stopped = choices != DRAW
        errors[choices == STOP] = 0
        if linear:
            errors[best == STOP | DRAW] *= 2
        elif stopped.any():
            worth = recurrence.sizes(self._stopped(states[stopped]))
            errors[stopped] = np.maximum(errors[stopped], recurrence.ROUNDINGS * worth)
        return errors

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether actions are optimal in states, or may be."""
        return self.best[self._left(states)] & actions > 0

    def _left(self, states: Integers) -> tuple[Integers, Integers]:
        """Return the red and the black cards left."""
        red, black = states[:, 0], states[:, 1]
        if self.drawn:
            return self.problem.red - red, self.problem.black - black
        return red, black

    def _choices(self, states: Integers) -> NDArray[Any]:
        """Return what is done, or where nothing is yet, what is best: maybe both."""
        moment = states[:, -1]
        return np.where(moment == ASK, self.best[self._left(states)], moment)

    def _stopped(self, states: Integers) -> Any:
        """Return what stopping pays: the utility of the cash, if there is one."""
        rules, exact = self.problem.rules, self.problem.exact
        if rules.utility is None:
            return Fraction(0) if exact else 0.0
        left = self._left(states)
        red, black = self.problem.red - left[0], self.problem.black - left[1]
        if not exact:
            return in_float64(rules.utility, cash_in_floats(rules)(red, black))
        pairs = zip(red.tolist(), black.tolist(), strict=True)
        return in_fractions(rules.utility, [rules.cash(*pair) for pair in pairs])


def is_deck(game: object) -> bool:
    """Return whether a game is that of a deck, and not of a derived class."""
    return vars(type(game)).get("_is_deck", False) is True
