"""A table of transitions as a game for arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._graph.graph import Exact, Integers, exact_array, spans
from cardgames_dp._interop import transitions as tables
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.game import CHANCE, TERMINAL, GameError, Names, Solution


class State(NamedTuple):
    """A state of a process; with an action, chance after it."""

    number: Any
    action: Any = ""


class TimedState(NamedTuple):
    """A state of a process with a horizon."""

    number: Any
    left: int
    action: Any = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DecisionProcess(ArrayRecord):
    """A Markov decision process, or one of two players, as an array game.

    Made by `from_transitions`, read-only. Either backend solves it, and
    :mod:`cardgames_dp.play` plays it, like any `cardgames_dp.game.ArrayGame`.

    A discount below 1 is the chance that play goes on after a move. The values of the
    game are then those of discounted rewards. But the distributions and lengths that
    `cardgames_dp.play` finds are those of plays that may stop after each move.

    Attributes
    ----------
    num_states, num_actions, num_players : int
        The size of the table, and how many players decide.
    discount : Fraction
        The chance that play goes on after a move.
    horizon : int or None
        The number of moves after which play ends, if there is one.
    names : Names
        A state is named ``(number,)`` or, with a horizon, ``(number, left)``, with
        `left` moves to come. With an action as its last field it is chance after this
        action. The numbers "start" and "end" are before the first state, and after the
        last move.

    Examples
    --------
    A machine earns 3 a month, and 1 when it is worn, which happens with a chance of 1/4
    a month; a new one costs 5. A month is worth 19/20 of the one before:

    >>> import numpy as np
    >>> from cardgames_dp import exact, interop
    >>> new, worn, bought = [.75, .25], [0, 1], [1, 0]
    >>> game = interop.from_transitions(
    ...     np.array([[new, bought], [worn, bought]]), np.array([[3, -5], [1, -5]]),
    ...     discount=.95, action_axis=1)
    >>> game
    DecisionProcess(num_states=2, num_actions=2, num_players=1, \
discount=Fraction(19, 20))
    >>> print(game)
    A decision process of 2 states and 2 actions. After each move play goes on with \
probability 19/20, the discount: values are those of discounted rewards; distributions \
and lengths are those of plays that may stop.
    >>> solution = exact.solve(game)
    >>> solution.values[0], solution.policy[1]
    (Fraction(2900, 99), 1)

    The same as arrays by number:

    >>> game.values(solution).astype(float).round(3), game.policy(solution)
    (array([29.293, 22.828]), array([0, 1]))
    >>> game.action_values(solution).astype(float).round(3)
    array([[29.293, 22.828],
           [22.687, 22.828]])
    """

    num_states: int
    num_actions: int
    num_players: int
    discount: Fraction
    horizon: int | None
    _first: int  # the number of the first state
    _movers: Integers  # by number, of "start" and "end" as well
    _keys: Integers  # of pairs of state and action, increasing
    _starts: Integers  # of outcomes, by pair of state and action
    _following: Integers  # by outcome: a number
    _weights: Exact
    _paid: Integers  # by outcome: the row of what it pays
    _prices: Integers  # by pair: the row of what its action pays
    _rows: NDArray[Any]
    names: Names = field(init=False, compare=False)

    def __post_init__(self) -> None:
        numbers = *range(self.num_states), "start", "end"
        words = {"number": numbers, "action": ("", *range(self.num_actions))}
        kind = State if self.horizon is None else TimedState
        self._set(names=Names(kind, columns=words))
        super(DecisionProcess, self).__post_init__()

    def _facts(self) -> dict[str, object]:
        told = "num_states", "num_actions", "num_players"
        facts = {name: getattr(self, name) for name in told}
        if self.discount < 1:
            facts["discount"] = self.discount
        return facts | ({} if self.horizon is None else {"horizon": self.horizon})

    def __str__(self) -> str:
        words = f"{self.num_states} states and {self.num_actions} actions"
        words += " for two players" * (self.num_players - 1)
        lines = [f"A decision process of {words}."]
        if self.horizon is not None:
            lines.append(f"Play ends after {self.horizon} moves.")
        if self.discount < 1:
            simple = self.discount.denominator <= tables.MOST_DENOMINATOR
            share = str(self.discount) if simple else short(self.discount)
            lines.append(
                f"After each move play goes on with probability {share}, the "
                "discount: values are those of discounted rewards; distributions and lengths are those of plays that may stop."
            )
        return " ".join(lines)

    # The methods of an array game
    # ----------------------------

    def initial_states(self) -> Integers:
        """Return the first state, or chance before it."""
        dealt = self._first == self.num_states
        return self._named(np.array([self._first]), 0, (self.horizon or 0) + dealt)

    def _named(self, numbers: Integers, codes: Any, left: Any) -> Integers:
        """Return states from their numbers, codes of actions, and moves left."""
        columns = [numbers, numbers * 0 + codes]
        if self.horizon is not None:
            end = (numbers * 0 + left == 0) & (columns[1] == 0)
            numbers = np.where(end, self.num_states + 1, numbers)
            over = numbers == self.num_states + 1
            columns = [numbers, np.where(over, 0, left), columns[1]]
        return np.column_stack(columns)

    def levels(self, states: Integers) -> Integers:
        """Return the level of each state: it rises as moves are made."""
        return states[:, 0] * 0 if self.horizon is None else -states[:, 1]

    def current_players(self, states: Integers) -> Integers:
        """Return who moves."""
        return np.where(states[:, -1] > 0, CHANCE, self._movers[states[:, 0]])

    def _pairs(self, states: Integers, codes: Integers) -> Integers:
        """Return the places of states with actions."""
        keys = states[:, 0] * (self.num_actions + 1) + codes
        return np.searchsorted(self._keys, keys)

    def _left(self, states: Integers) -> Integers:
        return states[:, 1] if self.horizon is not None else states[:, 0] * 0

    def legal_actions(self, states: Integers) -> tuple[Integers, Integers]:
        """Return the legal actions."""
        first = self._pairs(states, states[:, 0] * 0)
        counts = self._pairs(states, states[:, 0] * 0 + self.num_actions + 1) - first
        codes = self._keys[spans(first, counts)] % (self.num_actions + 1)
        return np.repeat(np.arange(len(states)), counts), codes - 1

    def next_states(self, states: Integers, actions: Integers) -> Integers:
        """Return chance after an action, or the state that surely follows."""
        pairs = self._pairs(states, actions + 1)
        sure = self._sure(pairs)
        after = self._following[self._starts[pairs]]
        numbers = np.where(sure, after, states[:, 0])
        return self._named(
            numbers, np.where(sure, 0, actions + 1), self._left(states) - sure
        )

    def _sure(self, pairs: Integers) -> NDArray[np.bool_]:
        """Return whether only one thing can happen after actions in states."""
        sure: NDArray[np.bool_] = self._starts[pairs + 1] - self._starts[pairs] == 1
        return sure

    def rewards(self, states: Integers, actions: Integers) -> NDArray[Any]:
        """Return what actions pay, where it does not depend on chance."""
        rows: NDArray[Any] = self._rows[self._prices[self._pairs(states, actions + 1)]]
        return rows

    def chance_outcomes(
        self, states: Integers
    ) -> tuple[Integers, Exact, Integers, NDArray[Any]]:
        """Return what may follow, with what it pays."""
        pairs = self._pairs(states, states[:, -1])
        first, counts = self._starts[pairs], np.diff(self._starts)[pairs]
        outcomes, index = spans(first, counts), np.repeat(np.arange(len(pairs)), counts)
        left = self._left(states)[index] - 1
        after = self._named(self._following[outcomes], 0, left)
        return index, self._weights[outcomes], after, self._rows[self._paid[outcomes]]

    def returns(self, states: Integers) -> Integers:
        """Return nothing: all is paid on the way."""
        return np.zeros((len(states), self.num_players), dtype=np.int64)

    # What a solution knows, by number
    # --------------------------------

    def values(
        self, solution: Solution[Any, Any, Any], left: int | None = None
    ) -> NDArray[Any]:
        """Return what the first player can expect in each state.

        Parameters
        ----------
        solution : Solution
            A solution of this game.
        left : int, optional
            With a horizon: the number of moves to come; if not given, all of them.

        Returns
        -------
        ndarray of float64, or of Fraction, shape (states,)
            NaN (None of Fractions) for states that cannot be reached.

        Raises
        ------
        TypeError, ValueError
            If `solution` is not one of this game, or there is no such number `left`.
        """
        states = self._reached(solution, left)
        values = _empty(solution, self.num_states)
        values[states[:, 0]] = solution.values(states)
        return values

    def policy(
        self, solution: Solution[Any, Any, Any], left: int | None = None
    ) -> Integers:
        """Return the action that the solution chooses in each state.

        Parameters
        ----------
        solution, left
            As for :meth:`values`, with a tie rule other than "uniform".

        Returns
        -------
        ndarray of int, shape (states,)
            -1 for states that cannot be reached, and at the end.
        """
        states = self._reached(solution, left)
        if solution.tie_break == "uniform":
            raise ValueError(
                "solution must have one action in each state, got the tie rule "
                "'uniform'; solution.policy has the mixtures"
            )
        states = states[self._movers[states[:, 0]] >= 0]
        policy: Integers = np.full(self.num_states, -1)
        if len(states):
            policy[states[:, 0]] = solution.policy(states)
        return policy

    def action_values(
        self, solution: Solution[Any, Any, Any], left: int | None = None
    ) -> NDArray[Any]:
        """Return what the first player can expect after each action in each state.

        Parameters
        ----------
        solution, left
            As for :meth:`values`.

        Returns
        -------
        ndarray of float64, or of Fraction, shape (states, actions)
            With what the action pays. NaN (None of Fractions) for actions that are not
            legal, and where :meth:`policy` is -1.
        """
        states = self._reached(solution, left)
        states = states[self._movers[states[:, 0]] >= 0]
        values = _empty(solution, self.num_states, self.num_actions)
        if len(states):
            index, actions, worth, _ = solution.advice(states)
            numbers = states[index, 0]
            signs = 1 - 2 * self._movers[numbers]  # worth is that for who moves
            values[numbers, actions] = signs * worth
        return values

    def _reached(self, solution: Any, left: int | None) -> Integers:
        """Return the states of a solution with so many moves left."""
        if not isinstance(solution, Solution):
            raise arguments.wrong_type("solution must be a Solution", solution)
        if solution.game != self:
            must = "solution must be one of this game"
            raise arguments.wrong_value(must, solution.game)
        solution.explored.require_one("solution")
        columns = solution.explored.columns
        here = (columns[-1] == 0) & (columns[0] < self.num_states)
        if left is not None or self.horizon is not None:
            most = self.horizon or 0
            count = most if left is None else arguments.integer("left", left, minimum=1)
            if count > most:
                must = f"left must be at most the horizon, {self.horizon}"
                raise arguments.wrong_value(must, left)
            here &= columns[1] == count
        return np.ascontiguousarray(columns[:, here].T, dtype=np.int64)


def _empty(solution: Solution[Any, Any, Any], *shape: int) -> NDArray[Any]:
    """Return an array without entries, for numbers like those of a solution."""
    exact = solution.denominators is not None
    return np.full(shape, None if exact else np.nan)


DecisionProcess.__module__ = "cardgames_dp.interop"


@suggest_arguments
def from_transitions(
    transitions: Any,
    rewards: Any = None,
    discount: float | Fraction = 1,
    *,
    start: int | ArrayLike | None = None,
    owner: ArrayLike | None = None,
    horizon: int | None = None,
    action_axis: int | None = None,
    max_denominator: int | None = 1_000_000,
) -> DecisionProcess:
    """Return the game of a table of transitions: of a Markov decision process.

    Grade: exact.

    States are numbers from 0, and so are actions. A state that no action leaves, and in
    which nothing is paid, ends the play.

    Parameters
    ----------
    transitions : mapping, array_like, or sequence of sparse matrices
        ``transitions[state][action]``, a list of ``(probability, next state, reward,
        done)``, as in ``env.unwrapped.P`` of Gymnasium [1]_; or probabilities of shape
        (A, S, S), as for pymdptoolbox, or (S, A, S), as for QuantEcon [2]_; or A sparse
        matrices of shape (S, S).
    rewards : array_like or sequence of sparse matrices, optional
        Only with arrays, of shape (S,), (S, A), or that of `transitions`; 0 if not
        given. An action whose reward is ``-inf`` is not legal. With two players, what
        player 1 pays to player 0.
    discount : float or Fraction, default 1
        The chance that play goes on after a move has paid; see `DecisionProcess`.
    start : int or array_like of shape (S,), optional
        The first state, or the probability of each, as in
        ``env.unwrapped.initial_state_distrib``; if not given, all are equally likely.
        The game has only the states that can be reached.
    owner : array_like of int, shape (S,), optional
        With two players: who decides in each state, 0 or 1.
    horizon : int, optional
        Play ends after so many moves, as with a step limit of Gymnasium.
    action_axis : {0, 1}, optional
        The axis of actions in an array: 0 for pymdptoolbox, 1 for QuantEcon. Needed
        only if there are as many actions as states.
    max_denominator : int or None, default 1_000_000
        A float stands for a fraction with a denominator of at most this, 10**7 at the
        most, from which it differs by no more than 1e-15, or by no more than the next
        float does; a probability only if its row then sums to exactly 1. Other floats
        are the binary fractions that they are, and None says that all are; those of a
        row of probabilities are divided by their sum.

    Returns
    -------
    DecisionProcess
        An array game, to be solved by either backend.

    Raises
    ------
    TypeError, GameError
        If an argument has the wrong type, shape or range; if the probabilities of an
        action do not sum to 1 within 1e-9, which names action and state; or if play
        cannot end.
    ValueError
        If `action_axis` is another number, or `horizon` or `max_denominator` is too
        small or too large. (A GameError is also a ValueError.)

    See Also
    --------
    cardgames_dp.game.explore : Find the states once, to solve a game several times.

    References
    ----------
    .. [1] M. Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning
       Environments", 2024, arXiv:2407.17032.
    .. [2] QuantEcon, "DiscreteDP", https://quanteconpy.readthedocs.io.

    Examples
    --------
    Gymnasium's tables are dictionaries. Here is a corridor of three squares of ice; you
    slip to where you did not mean to go with a chance of 1/3, and want to be on the
    last one:

    >>> from cardgames_dp import exact, interop
    >>> third = 0.33333333333333337                    # a float that rounds 1/3
    >>> ice = {
    ...     0: {0: [(2 * third, 0, 0, False), (third, 1, 0, False)],
    ...         1: [(2 * third, 1, 0, False), (third, 0, 0, False)]},
    ...     1: {0: [(2 * third, 0, 0, False), (third, 2, 1, True)],
    ...         1: [(2 * third, 2, 1, True), (third, 0, 0, False)]},
    ...     2: {a: [(1.0, 2, 0, True)] for a in (0, 1)},
    ... }
    >>> solution = exact.solve(interop.from_transitions(ice, discount=.9, start=0))
    >>> solution.value, solution.policy[1]
    (Fraction(10, 13), 1)
    >>> limited = interop.from_transitions(ice, start=0, horizon=4)
    >>> exact.solve(limited).value
    Fraction(20, 27)
    """
    most = 0
    if max_denominator is not None:
        most = arguments.integer("max_denominator", max_denominator, minimum=1)
    arguments.at_most("max_denominator", most, tables.MOST_DENOMINATOR, "or give None")
    if horizon is not None:
        horizon = arguments.integer("horizon", horizon, minimum=1)
    given = arguments.finite("discount", discount)
    going = tables.fractions_of([discount], most)[0]
    if not 0 < given <= 1:
        raise arguments.wrong_value("discount must be above 0 and at most 1", discount)
    moves = tables.read(transitions, rewards, action_axis)
    movers = _movers(moves, owner)
    if going == 1 and horizon is None and (movers >= 0).all() and not moves.done.any():
        raise GameError(
            "play must end, but no move ends it and no state is an end: one with "
            "actions that stay there and pay nothing; give a discount below 1, or a "
            "horizon"
        )
    first, chances = _start(start, moves.num_states)
    players = 1 if owner is None else 2
    parts = _outcomes(moves[movers[moves.states] >= 0], movers, going, most)
    if chances is not None:
        parts = _with_start(parts, chances, moves, most)
    rows = _payments(parts.pop("prices"), players, most)
    outside = np.array([CHANCE, TERMINAL])  # "start" and "end"
    return DecisionProcess(
        moves.num_states,
        moves.num_actions,
        players,
        going,
        horizon,
        _first=first,
        _movers=np.append(movers, outside),
        _rows=rows,
        **parts,
    )


def _movers(moves: tables.Moves, owner: Any) -> Integers:
    """Return who decides in each state, or `TERMINAL` at an end."""
    size, states = moves.num_states, moves.states
    players = np.zeros(size, dtype=np.int64)
    if owner is not None:
        given = arguments.array(owner, "owner must be 0 or 1 for each state")
        if given.shape != (size,) or not np.isin(given, (0, 1)).all():
            raise arguments.wrong_value(
                f"owner must be 0 or 1 for each of the {size} states", owner
            )
        players = given.astype(np.int64)
    idle = np.ones(size, dtype=np.bool_)
    idle[states] = False
    if idle[moves.following[~moves.done]].any():
        move = int((idle[moves.following] & ~moves.done).argmax())
        raise GameError(
            f"state {moves.following[move]} must have an action, as {moves.pair(move)} "
            "leads there; an end has actions that stay there and pay nothing, or "
            "done=True before it"
        )
    leaving = (moves.following != states) | (moves.rewards != 0)
    ends = np.ones(size, dtype=np.bool_)
    ends[states[leaving.astype(np.bool_)]] = False
    return np.where(ends, TERMINAL, players)


def _start(start: Any, size: int) -> tuple[int, NDArray[Any] | None]:
    """Return the number of the first state, and the chances of states before it."""
    must = f"start must be a state, or a probability for each of the {size} states"
    if start is None:
        return size, np.array([Fraction(1, size)] * size, dtype=object)
    given = arguments.array(start, must)
    if given.ndim == 0:
        number = arguments.integer("start", start)
        return arguments.index("start", number, "the number of states", size), None
    if given.shape != (size,) or given.dtype.kind not in "iufO":
        raise arguments.wrong_value(must, start)
    return size, given


def _outcomes(
    moves: tables.Moves, movers: Integers, going: Fraction, most: int
) -> dict[str, Any]:
    """Return the columns of the outcomes of all actions, with what they pay."""
    states, actions, following, _, _, done = moves.columns(slice(None))
    heads = tables.starts_of(moves.keys)
    pairs = np.cumsum(np.diff(moves.keys, prepend=-1) != 0) - 1
    weights = tables.weights_of(moves.probabilities, heads, most)
    prices, paid = _distinct(moves.rewards)
    even = np.minimum.reduceat(paid, heads) == np.maximum.reduceat(paid, heads)
    by_action = np.where(even, paid[heads], 0)
    paid = np.where(even[pairs], 0, paid)
    over = done | (movers[following] == TERMINAL)
    end = moves.num_states + 1
    after = np.where(done, end, following)
    if going < 1:  # play stops with the rest of the probability
        stops = np.flatnonzero(~over)
        stops = stops[np.lexsort((paid[stops], pairs[stops]))]
        new = tables.starts_of(pairs[stops] * len(prices) + paid[stops])
        rest = np.add.reduceat(weights[stops], new) if len(new) else weights[:0]
        weights = weights * np.where(over, going.denominator, going.numerator)
        weights = np.append(weights, rest * (going.denominator - going.numerator))
        some = stops[new]
        pairs, paid = np.append(pairs, pairs[some]), np.append(paid, paid[some])
        after = np.append(after, np.full(len(some), end))
        order = pairs.argsort(kind="stable")
        weights, paid, after = weights[order], paid[order], after[order]
        pairs = pairs[order]
    return {
        "prices": prices,
        "_keys": states[heads] * (moves.num_actions + 1) + actions[heads] + 1,
        "_starts": np.append(tables.starts_of(pairs), len(pairs)),
        "_following": after,
        "_weights": exact_array(weights.tolist()),
        "_paid": paid,
        "_prices": by_action,
    }


def _distinct(numbers: NDArray[Any]) -> tuple[list[Any], Integers]:
    """Return the different numbers, 0 first, and the place of each number."""
    if numbers.dtype == object:
        places: dict[Any, int] = {0: 0}
        which = [places.setdefault(x, len(places)) for x in numbers.tolist()]
        return list(places), np.array(which, dtype=np.int64)
    different, ranks = np.unique(np.append(0, numbers), return_inverse=True)
    zero = ranks[0]
    different[[0, zero]] = different[[zero, 0]]
    ranks = np.where(ranks == zero, 0, np.where(ranks == 0, zero, ranks))
    return different.tolist(), ranks[1:]


def _with_start(
    parts: dict[str, Any], chances: NDArray[Any], moves: tables.Moves, most: int
) -> dict[str, Any]:
    """Return columns of outcomes with those of chance before the first state."""
    numbers = chances.astype(np.float64)
    if not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise GameError("start must hold probabilities: finite numbers >= 0")
    tables.refuse_sums(np.array([numbers.sum()]), lambda _: "start")
    first = np.flatnonzero(chances)
    weights = tables.weights_of(chances[first], np.zeros(1, dtype=np.int64), most)
    nothing = np.zeros(len(first), dtype=np.int64)
    new = {
        "_keys": moves.num_states * (moves.num_actions + 1),
        "_starts": parts["_starts"][-1] + len(first),
        "_following": first,
        "_weights": exact_array(weights.tolist()),
        "_paid": nothing,
        "_prices": 0,
    }
    return parts | {name: np.append(parts[name], new[name]) for name in new}


def _payments(prices: list[Any], players: int, most: int) -> NDArray[Any]:
    """Return the rows of what each player gets."""
    paid = tables.fractions_of(prices, most)
    if all(x.denominator == 1 for x in paid):
        column = exact_array([x.numerator for x in paid])
    else:
        column = np.array(paid, dtype=object)
    return np.stack([column, -column][:players], axis=1)
