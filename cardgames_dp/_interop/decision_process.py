"""A table of transitions as an array game."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._graph.graph import Exact, Integers, exact_array, joined_ranges
from cardgames_dp._interop import transitions as tables
from cardgames_dp._interop.dense import DenseTable, dense_arrays
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.game import CHANCE, TERMINAL, GameError, Solution

_MOST_STEPS = 10**7
"""More would never be explored: their states are found move by move."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Outcomes(ArrayRecord):
    """What may follow the actions of a table, and what is paid.

    Attributes
    ----------
    keys : ndarray of int, shape (pairs,)
        The number of each pair of a state and a legal action, increasing.
    after, prices : ndarray of int, shape (pairs,)
        What follows the action, and the row of what it pays.
    starts : ndarray of int, shape (pairs + 2,)
        Where the outcomes of each pair start; then those before the first state.
    following, weights, paid : ndarray, shape (outcomes,)
        Where each leads, its weight, and the row of what it pays; empty if all of them
        pay nothing.
    rows : ndarray, shape (rows, players)
        The different payments.
    """

    keys: Integers
    after: Integers
    prices: Integers
    starts: Integers
    following: Integers
    weights: Exact
    paid: Integers
    rows: NDArray[Any]

    @classmethod
    def of(
        cls,
        moves: tables.Moves,
        movers: Integers,
        players: int,
        discount: Fraction,
        chances: Exact,
        most: int,
    ) -> Outcomes:
        """Return the outcomes of the moves of a table."""
        moves = moves.select(movers[moves.states] >= 0)
        prices, paid = np.unique(np.append(0, moves.rewards), return_inverse=True)
        nothing, paid = paid[0], paid[1:]
        heads = tables.starts_of(moves.keys)
        size, pairs = moves.num_states, len(heads)
        row = np.repeat(np.arange(pairs), np.diff(heads, append=len(paid)))

        def same(column: Integers) -> NDArray[np.bool_]:
            least = np.minimum.reduceat(column, heads)
            alike: NDArray[np.bool_] = least == np.maximum.reduceat(column, heads)
            return alike

        end, even = size + pairs + 1, same(paid)
        by_action = np.where(even, paid[heads], nothing)
        after = np.where(moves.done, end, moves.following)
        # With a discount all actions lead to chance, as those of dense tables do.
        sure = same(after) & even & (discount == 1)
        by_pair = np.where(sure, after[heads], size + np.arange(pairs))
        paid = np.where(even[row], nothing, paid)
        going_on = (movers[moves.following] != TERMINAL) & ~moves.done
        share, whole = discount.as_integer_ratio()
        factors = np.array([whole, share], dtype=object)[going_on.astype(np.int64)]
        weights = tables.weights_of(moves.probabilities, heads, most)
        runs = tables.starts_of(row * len(prices) + paid)  # what stops alike
        stops = np.add.reduceat(weights * (whole - factors), runs)
        dealt = np.flatnonzero(chances)
        row = np.concatenate([row, row[runs], np.full(len(dealt), pairs)])
        after = np.concatenate([after, np.full(len(runs), end), dealt])
        paid = np.concatenate([paid, paid[runs], np.full(len(dealt), nothing)])
        weights = np.concatenate([weights * factors, stops, chances[dealt]])
        order = row.argsort(kind="stable")
        order = order[weights[order] > 0]
        starts = np.searchsorted(row[order], np.arange(pairs + 2))
        return cls(
            moves.keys[heads],
            by_pair,
            by_action,
            *(starts, after[order], exact_array(weights[order].tolist())),
            paid[:0] if even.all() else paid[order],
            tables.rows_of(prices, players, most),
        )

    def rewards(self, pairs: Integers) -> NDArray[Any]:
        """Return what the actions of some pairs pay."""
        rows: NDArray[Any] = self.rows[self.prices[pairs]]
        return rows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DecisionProcess(ArrayRecord):
    """A Markov decision process, or one of two players, as an array game.

    Made by `from_transitions`, read-only. Either backend solves it, and
    :mod:`cardgames_dp.play` plays it, like any `cardgames_dp.game.ArrayGame`.

    A discount below 1 is the chance that play goes on after a move. The values of the
    game are then those of discounted rewards. But the distributions and lengths that
    `cardgames_dp.play` finds are those of games that may stop after each move.

    Attributes
    ----------
    num_states, num_actions, num_players : int
        The size of the table, and how many players decide.
    discount : Fraction
        The chance that play goes on after a move.
    horizon : int or None
        The number of moves after which play ends, if there is one.

    Notes
    -----
    States of the game are those of the table or, with a horizon, pairs of such a state
    and of the number of moves left. Larger numbers are chance after an action, chance
    before the first state, and the end.

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
discount=Fraction(19, 20), horizon=None)
    >>> print(game.note)
    Play goes on with probability 19/20 after each move. Values are those of \
discounted rewards; distributions and lengths are those of games that may stop.
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
    _first: int  # where play starts; all states, pairs of state and action, chance
    _movers: Integers  # before the first state, and the end are numbered in this order
    _source: Outcomes | DenseTable
    _repr_fields: ClassVar[tuple[str, ...]] = (
        *("num_states", "num_actions", "num_players", "discount", "horizon"),
    )

    @property
    def fast(self) -> DenseTable | None:
        """The faster way of a dense table."""
        return self._source if isinstance(self._source, DenseTable) else None

    @property
    def _outcomes(self) -> Outcomes:
        """The outcomes of actions; of a dense table, made when first needed."""
        source = self._source
        if isinstance(source, Outcomes):
            return source
        if not source.cache:
            moves = tables.read(source.p, source.r, 1)
            rest = self.discount, source.chances, source.most
            source.cache.append(Outcomes.of(moves, source.movers, 1, *rest))
        outcomes: Outcomes = source.cache[0]
        return outcomes

    @property
    def note(self) -> str:
        """What a discount below 1 means for results; empty without one."""
        simple = self.discount.denominator <= tables.MOST_DENOMINATOR
        share = self.discount if simple else short(self.discount)
        note = (
            f"Play goes on with probability {share} after each move. Values are those "
            "of discounted rewards; distributions and lengths are those of games that "
            "may stop."
        )
        return note if share != 1 else ""

    def __str__(self) -> str:
        return f"{self!r} {self.note}".rstrip()

    def _at(self, places: Any, left: Any) -> Integers:
        """Return states from their numbers, and the moves left."""
        if self.horizon is None:
            return np.asarray(places)
        over = (left == 0) & (places < self.num_states)
        places = np.where(over, len(self._movers) - 1, places)
        return np.column_stack(
            [places, np.where(self._movers[places] == TERMINAL, 0, left)]
        )

    def _split(self, states: Integers) -> tuple[Integers, Any]:
        """Return the numbers of states, and the moves left."""
        return (states, 0) if self.horizon is None else (states[:, 0], states[:, 1])

    # The methods of an array game

    def initial_states(self) -> Integers:
        """Return the first state, or chance before it."""
        left = (self.horizon or 0) + (self._first >= self.num_states)
        return self._at(np.array([self._first]), left)

    def levels(self, states: Integers) -> Integers:
        """Return the level of each state: it rises as moves are made."""
        places, left = self._split(states)
        return 0 * places - left  # type: ignore[no-any-return]

    def current_players(self, states: Integers) -> Integers:
        """Return who moves."""
        return self._movers[self._split(states)[0]]

    def legal_actions(self, states: Integers) -> tuple[Integers, Integers]:
        """Return the legal actions."""
        places = self._split(states)[0]
        ends = places * self.num_actions, (places + 1) * self.num_actions
        first, last = np.searchsorted(self._source.keys, ends)
        actions = (
            self._source.keys[joined_ranges(first, last - first)] % self.num_actions
        )
        return np.repeat(np.arange(len(places)), last - first), actions

    def _pairs(self, states: Integers, actions: Integers) -> Integers:
        keys = self._split(states)[0] * self.num_actions + actions
        return np.searchsorted(self._source.keys, keys)

    def next_states(self, states: Integers, actions: Integers) -> Integers:
        """Return chance after an action, or the state that surely follows."""
        after = self._source.after[self._pairs(states, actions)]
        pairs = (self.num_states <= after) & (after < len(self._movers) - 1)
        return self._at(after, self._split(states)[1] - ~pairs)

    def rewards(self, states: Integers, actions: Integers) -> NDArray[Any]:
        """Return what actions pay, where it does not depend on chance."""
        return self._source.rewards(self._pairs(states, actions))

    def chance_outcomes(self, states: Integers) -> Any:
        """Return what may follow, with what it pays if it pays anything."""
        places, left = self._split(states)
        outcomes, pairs = self._outcomes, places - self.num_states
        counts = np.diff(outcomes.starts)[pairs]
        some = joined_ranges(outcomes.starts[pairs], counts)
        index = np.repeat(np.arange(len(pairs)), counts)
        after = self._at(outcomes.following[some], (left + 0 * places)[index] - 1)
        answer = index, outcomes.weights[some], after
        paid = outcomes.paid
        return (*answer, outcomes.rows[paid[some]]) if len(paid) else answer

    def returns(self, states: Integers) -> Integers:
        """Return nothing: all is paid on the way."""
        return np.zeros((len(states), self.num_players), dtype=np.int64)

    # What a solution knows, by number

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
        states, places = self._reached(solution, left, deciding=False)
        values = _empty(solution, self.num_states)
        values[places] = solution.values(states)
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
        states, places = self._reached(solution, left)
        if solution.tie_break == "uniform":
            raise ValueError(
                "solution must have one action in each state, got the tie rule "
                "'uniform'; solution.policy has the mixtures"
            )
        policy: Integers = np.full(self.num_states, -1)
        policy[places] = solution.policy(states)
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
        states, places = self._reached(solution, left)
        values = _empty(solution, self.num_states, self.num_actions)
        if len(states):
            index, actions, worth, _ = solution.advice(states)
            numbers = places[index]  # worth is that for who moves
            values[numbers, actions] = (1 - 2 * self._movers[numbers]) * worth
        return values

    def _reached(
        self, solution: Any, left: int | None, *, deciding: bool = True
    ) -> tuple[Integers, Integers]:
        """Return the states of the table that a solution has, and their numbers."""
        if not isinstance(solution, Solution):
            raise arguments.wrong_type(
                "solution must be a Solution, as solve returns", solution
            )
        if solution.game != self:
            must = "solution must be one of this game"
            raise arguments.wrong_value(must, solution.game)
        solution._source.refuse_variants("solution")
        movers = self._movers[: self.num_states]
        places = np.flatnonzero((movers >= 0) | (not deciding))
        count = self.horizon or 0
        if left is not None:
            count = arguments.integer("left", left, minimum=1)
            arguments.at_most(
                "left", count, self.horizon or 0, "the horizon allows no more moves"
            )
        places = places[solution._source.reaches(self._at(places, count + 0 * places))]
        return self._at(places, count), places


def _empty(solution: Solution[Any, Any, Any], *shape: int) -> NDArray[Any]:
    """Return an array without entries, for numbers like those of a solution."""
    return np.full(shape, np.nan if isinstance(solution.value, float) else None)


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
    """Return a Markov decision process, given by its transitions, as a game.

    Grade: exact.

    States and actions are numbered from 0. Play ends in a state that no action leaves
    and in which nothing is paid.

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
    most, horizon, going = _numbers(max_denominator, horizon, discount)
    players, arrays = 1 if owner is None else 2, None
    source: Outcomes | DenseTable
    if owner is None and horizon is None and going < 1:
        arrays = dense_arrays(transitions, rewards, action_axis)
    if arrays is not None:
        num_actions, movers = arrays[1].shape[1], arrays[3]
        first, chances = _start(start, len(movers), most)
        source = DenseTable(*arrays, going, first, chances, most)
    else:
        moves = tables.read(transitions, rewards, action_axis)
        endless = going == 1 and horizon is None
        num_actions, movers = moves.num_actions, _movers(moves, owner, endless)
        first, chances = _start(start, len(movers), most)
        source = Outcomes.of(moves, movers, players, going, chances, most)
    pairs = len(source.keys)
    return DecisionProcess(
        len(movers),
        num_actions,
        players,
        going,
        horizon,
        _first=len(movers) + pairs if first is None else first,
        _movers=np.concatenate([movers, np.full(pairs + 1, CHANCE), [TERMINAL]]),
        _source=source,
    )


def _numbers(
    max_denominator: Any, horizon: Any, discount: Any
) -> tuple[int, int | None, Fraction]:
    """Return the largest denominator, or 0, the horizon, and the discount exactly."""
    most = 0
    if max_denominator is not None:
        most = arguments.integer("max_denominator", max_denominator, minimum=1)
    arguments.at_most("max_denominator", most, tables.MOST_DENOMINATOR, "or give None")
    if horizon is not None:
        horizon = arguments.integer("horizon", horizon, minimum=1)
        instead = "without it, play has no limit of moves"
        arguments.at_most("horizon", horizon, _MOST_STEPS, instead)
    number = arguments.finite("discount", discount)
    (going,) = tables.fractions_of([discount], most)
    if not 0 < number <= 1:
        raise arguments.wrong_value("discount must be above 0 and at most 1", discount)
    return most, horizon, going


def _movers(moves: tables.Moves, owner: Any, endless: bool) -> Integers:
    """Return who decides in each state, or `TERMINAL` at an end.

    An `endless` play has no end but these.
    """
    size, states = moves.num_states, moves.states
    players = np.zeros(size, dtype=np.int64)
    if owner is not None:
        owners = arguments.array(owner, "owner must be 0 or 1 for each state")
        if owners.shape != (size,) or not np.isin(owners, (0, 1)).all():
            raise arguments.wrong_value(
                f"owner must be 0 or 1 for each of the {size} states", owner
            )
        players = owners.astype(np.int64)
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
    if endless and not ends.any() and not moves.done.any():
        raise GameError(
            "play must end, but no move ends it, and in no state do all actions stay "
            "there and pay nothing, which would be an end; give a discount below 1, or "
            "a horizon"
        )
    return np.where(ends, TERMINAL, players)


def _start(start: Any, size: int, most: int) -> tuple[int | None, Exact]:
    """Return the first state, or None, and the weights of states before it."""
    must = f"start must be a state, or a probability for each of the {size} states"
    if start is None:
        return None, np.ones(size, dtype=np.int64)
    chances = arguments.array(start, must)
    if chances.ndim == 0:
        number = arguments.integer("start", start)
        number = arguments.index("start", number, "the number of states", size)
        return number, np.zeros(size, dtype=object)
    if chances.shape != (size,) or chances.dtype.kind not in "iufO":
        raise arguments.wrong_value(must, start)
    numbers = tables.floats_of(chances, "start")
    if not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise GameError("start must hold probabilities: finite numbers >= 0")
    tables.refuse_sums(np.array([numbers.sum()]), lambda _: "start")
    return None, tables.weights_of(chances, np.zeros(1, dtype=np.int64), most)
