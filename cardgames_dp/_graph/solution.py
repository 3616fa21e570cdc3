"""The result of solving a game, in either form and either arithmetic.

A solution looks up values and decisions in arrays by place, or asks a game's own solver
for those of single states. What it says of states are views: making one takes no time,
and no memory beyond what is there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import layout
from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.by_state import ByState, places_of
from cardgames_dp._graph.decisions import frame_of
from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp._graph.names import names_of
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._results import tables
from cardgames_dp._results.records import Action, Advice, Result, State, plain, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import vector_text

Number = TypeVar("Number", bound=float | Fraction)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(Result, Generic[State, Action, Number]):
    """The solution of a game by backward induction; made by either `solve`, read-only.

    It prints as a table of its first states. Numbers are Fractions
    (:func:`cardgames_dp.exact.solve`) or floats (:func:`cardgames_dp.diagonal.solve`),
    which have an `error`.

    `values`, `policy` and the like are mappings from states. Of an array game, they
    may also be called with an array of states in the form that the game uses; then they
    return arrays.

    Where games have the same states and moves, and differ in returns, rewards or the
    weights of chance, they are *variants* of one explored game: its methods
    `with_returns`, `with_rewards` and `with_weights` take the numbers of all, and
    `cardgames_dp.diagonal.solve` solves them side by side, many times as fast as one by
    one. Then numbers have a first axis of variants, in `value`, `payoffs`, `error` and
    what is looked up by state; `at` of the explored game is one of them.

    A game with a solver of its own, such as `cardgames_dp.redblack.game`, is solved by
    it: values and decisions are looked up without a graph. The game is explored when
    all its states are asked for, or arrays by place.

    See Also
    --------
    cardgames_dp.exact.solve, cardgames_dp.diagonal.solve : Solve a game.

    Examples
    --------
    Look up values and actions by state; all actions that tie are kept:

    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.game(3, 3))
    >>> solution.value, solution.num_states
    (Fraction(17, 20), 46)
    >>> solution.ties
    (State(red=1, black=2, decision=''),)
    >>> state = redblack.State(red=1, black=2)
    >>> solution.optimal_actions[state], solution.policy[state]
    (('stop', 'draw'), 'stop')

    The same game as rows of red cards, black cards, and what was decided, 0 if nothing;
    and with three prizes for a player who ends without a red card left, nothing, 1, 5:

    >>> import numpy as np
    >>> from cardgames_dp import diagonal, game
    >>> solution.policy(np.array([[3, 3, 0], [1, 2, 0]]))  # 2 is to draw, 1 to stop
    array([2, 1])
    >>> deck = game.explore(redblack.game(3, 3))
    >>> prizes = np.array([0, 1, 5]).reshape(3, 1, 1)
    >>> many = deck.with_returns(lambda ends: prizes * (ends[:, :1] == 0))
    >>> diagonal.solve(many).value
    array([0.85, 1.75, 5.75])
    """

    _source: Any  # ValueArrays or LookupValues

    @property
    def game(self) -> Any:
        """The game that was solved; if it is none for arrays, the explored game."""
        return self._source.game

    @property
    def tie_break(self) -> str:
        """The tie rule: "first", "last", "uniform" or the name of the callable."""
        tie_break: str = self._source.tie_break
        return tie_break

    @property
    def _arrays(self) -> ValueArrays:
        arrays: ValueArrays = self._source.by_place
        return arrays

    @property
    def explored(self) -> Any:
        """The explored game; explored now if the game's own solver did not need it."""
        return self._arrays.explored

    @property
    def numerators(self) -> NDArray[Any]:
        """By place: the values or, for exact values, their numerators.

        An array of float64 or object, of shape (players, states); for many variants,
        of shape (players, states, variants).
        """
        return self._arrays.numerators

    @property
    def denominators(self) -> NDArray[Any] | None:
        """By place: the denominators of exact values; None of floats."""
        return self._arrays.denominators

    @property
    def optimal(self) -> NDArray[np.bool_]:
        """By move: whether it is an optimal action; with floats, whether it may be.

        For many variants, of shape (moves, variants), and with one player empty.
        """
        return self._arrays.optimal

    @property
    def chosen(self) -> Integers:
        """By place: the index of the action that the tie rule chose; 0 elsewhere.

        For many variants, of shape (states, variants), and with one player empty.
        """
        return self._arrays.chosen

    @property
    def num_states(self) -> int:
        """The number of reachable states, the initial one included.

        In an array game, a state that is reached in two generations counts twice.
        """
        count: int = self.explored.num_states
        return count

    @property
    def initial_state(self) -> State:
        """The state in which the game starts; if there are several, the first."""
        state: State = self._source.state(self._source.start)
        return state

    @property
    def value(self) -> Number:
        """What the first player can expect at the start.

        For many variants, an array of shape (variants,).
        """
        value: Number = self._source.value_at(self._source.start)
        return value

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """What each player can expect at the start.

        For many variants, an array of shape (variants, players).
        """
        payoffs: tuple[Number, ...] = self._source.payoffs_at(self._source.start)
        return payoffs

    @property
    def error(self) -> float:
        """A bound on the error of the value and the payoffs at the start.

        It compares them with the exact solution with the same tie rule; 0 for
        Fractions. For many variants an array of shape (variants,).
        """
        error: float = self._source.error_at(self._source.start)
        return error

    @property
    def values(self) -> ByState[State, Number]:
        """What the first player can expect in every reachable state.

        In decision, chance and terminal states, under the policy: what is still to
        come, without the rewards of the moves that led there. The initial state comes
        first, and every state before those that can follow it, unless plays can come
        back to it.
        """
        return ByState(self._source, "value")

    @property
    def errors(self) -> ByState[State, float]:
        """A bound on the error of all players' values in every reachable state."""
        return ByState(self._source, "error")

    @property
    def optimal_actions(self) -> ByState[State, tuple[Action, ...]]:
        """For every decision state, all actions that are best for the player to move.

        They are best given the policy in later states, in the order of `legal_actions`.
        With floats, all actions that may be optimal up to rounding. For an array of
        states, arrays (index, actions).
        """
        return ByState(self._source, "best", deciding=True)

    @property
    def policy(self) -> ByState[State, Action]:
        """For every decision state, the optimal action that the tie rule chose.

        By the rule "uniform" a mixture of all of them: a mapping of actions to weights
        or, for an array of states, arrays (index, actions, weights). For many
        variants of one player, the tie rule applies to all actions whose values may be
        the largest by `error`.
        """
        return ByState(self._source, "chosen", deciding=True)

    @property
    def ties(self) -> tuple[State, ...]:
        """The decision states that certainly have more than one optimal action."""
        return self._arrays.states_at(self._arrays.ties())

    @property
    def possible_ties(self) -> tuple[State, ...]:
        """The decision states in which rounding leaves open which actions are optimal.

        None for Fractions.
        """
        self._source.refuse_variants("possible_ties")
        return self._arrays.states_at(self._arrays.open)

    @property
    def turned_ties(self) -> tuple[State, ...]:
        """The decision states in which the tie rule's action would make play endless.

        There the policy takes another optimal action, the next one that leads to the
        end.
        """
        self._source.refuse_variants("turned_ties")
        return self._arrays.states_at(self._arrays.turned)

    @overload
    def payoffs_at(self, state: NDArray[Any]) -> NDArray[Any]: ...
    @overload
    def payoffs_at(self, state: State) -> tuple[Number, ...]: ...
    def payoffs_at(self, state: Any) -> Any:
        """Return what each player can expect in a state: what is still to come there.

        Parameters
        ----------
        state : State, or ndarray of int
            A reachable state or, in an array game, an array of them.

        Returns
        -------
        tuple of Fraction or of float; of an array, ndarray of shape (count, players)
            A row for each state; for many variants, of shape (variants, count,
            players).

        Raises
        ------
        KeyError
            If a state cannot be reached.
        TypeError, GameError
            If an array does not hold states.

        Examples
        --------
        >>> from cardgames_dp import cardrow, exact
        >>> solution = exact.solve(cardrow.game([1, 5, 2]))
        >>> solution.payoffs_at(solution.initial_state)
        (Fraction(-2, 1), Fraction(2, 1))
        """
        return (
            self._payoffs(state)
            if isinstance(state, np.ndarray)
            else self._payoffs[state]
        )

    @overload
    def advice(
        self, state: NDArray[Any]
    ) -> tuple[Integers, Integers, NDArray[Any], NDArray[np.bool_]]: ...
    @overload
    def advice(self, state: State) -> Advice[State, Action, Number]: ...
    def advice(self, state: Any) -> Any:
        """Return the best actions in a state, and the values of all actions.

        Parameters
        ----------
        state : State, or ndarray of int
            A state in which a player moves or, in an array game, an array of them.

        Returns
        -------
        Advice, or for an array of states
        index : ndarray of int, shape (moves,)
            The index of the state of each action.
        actions : ndarray of int, shape (moves,) or (moves, width)
            The actions, in the order of `ArrayGame.legal_actions`.
        values : ndarray of float64, or of Fractions, shape (moves,)
            The value of each action for the player to move, if all players then follow
            the solution; for many variants, of shape (variants, moves).
        best : ndarray of bool, of the same shape
            Whether the action is optimal; with floats, whether it may be.

        Raises
        ------
        ValueError
            If the state cannot be reached, or no player moves in it.
        TypeError, GameError, KeyError
            For arrays, as for :meth:`payoffs_at`, or if nobody decides in a state.

        Examples
        --------
        >>> from cardgames_dp import diagonal, redblack
        >>> solution = diagonal.solve(redblack.game(3, 3))
        >>> print(solution.advice(redblack.State(red=2, black=2)))
        State(red=2, black=2, decision=''), 0 in hand: draw; still to come: stop 0, \
draw 0.666667.
        """
        if isinstance(state, np.ndarray):
            return self._source.advice_of(places_of(self._source, state, deciding=True))
        try:
            place = self._source.place(state)
            player = self._source.movers(place)
        except (KeyError, TypeError):
            player = CHANCE
        if player < 0:
            must = "state must be one in which a player moves and that can be reached"
            raise arguments.wrong_value(f"{must}, {self._example()}", state)
        source, moves = self._source, self._source.moves_at(place)
        best, state = source.best_at(place), source.state(place)
        places = np.concatenate([np.atleast_1d(each) for each in moves.places])
        after = source.payoffs_of(places)[:, moves.player].tolist()
        paid = [each[moves.player] for each in moves.paid]
        pairs = zip(after, paid, strict=True)
        worth = [x + (float(y) if isinstance(x, float) else y) for x, y in pairs]
        # A sum of floats rounds; the value of the state is one of these sums.
        parts = zip(worth, after, paid, strict=True)
        rounding = max(
            [abs(_as_fraction(x) - _as_fraction(y) - z) for x, y, z in parts]
        )
        error = max(source.error_at(place), float(source.error_of(places).max()))
        if rounding:  # upward, among the smallest floats as well
            error = float(error + rounding) * (1 + 4 * 2.0**-53) + 2.0**-1073
        return Advice(
            action=best[0] if self.tie_break == "uniform" else source.chosen_at(place),
            best=best,
            values=dict(zip(moves.actions, worth, strict=True)),
            state=state,
            player=moves.player,
            payoffs=source.payoffs_at(place),
            certain=not source.is_open(place),
            error=error,
            collected=layout.collected_before(self, state),
        )

    def table(self, what: str = "values", player: int | None = None) -> NDArray[Any]:
        """Return what is known of the states as a table, of a game with a layout.

        Parameters
        ----------
        what : str, default "values"
            "values"; "total", with what was paid before; "ties", where several actions
            are optimal; or an action: where the policy takes it.
        player : int, optional
            Whose values; if not given, those of the first player, or of the player to
            move in each state if the layout says so.

        Returns
        -------
        ndarray
            Indexed by the two fields of a state that `cardgames_dp.game.Layout` names,
            the others as it says: of numbers, or of bool. NaN (None of Fractions)
            for states that cannot be reached.

        Raises
        ------
        TypeError, ValueError
            If the game has no layout, or there is no such table or player.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> solution = redblack.solve(3, 2)
        >>> solution.table()[2].round(4).tolist()
        [2.0, 1.3333, 0.6667]
        >>> solution.table("stop").astype(int).tolist()
        [[0, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
        """
        return layout.table(self, what, player)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain columns, with one entry for each state.

        `to_pandas` returns these columns as a DataFrame, without the last four.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become strings like
            ``"17/20"``, tuples lists, states and actions of other kinds their repr.

        Returns
        -------
        dict of str to list
            The fields of the states by name, or "state_0", ... of plain tuples, or
            "state"; the "mover", or `CHANCE` or `TERMINAL`; "payoff_0", ...,
            one for each player; the "action" of the policy, and its "margin": what it
            is worth beyond the next best one, 0 with ties, None or NaN if there is no
            other. (A field that has one of these names is called "state_mover" or the
            like.) Also "tie_break", "error", "possible_ties" and "turned_ties".

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> redblack.solve(1, 1).to_pandas().loc[0].to_dict()
        {'red': 1, 'black': 1, 'decision': '', 'mover': 0, 'payoff_0': 0.5, \
'action': 'draw', 'margin': 0.5}
        """
        names = ("tie_break", "error", "possible_ties", "turned_ties")
        facts: dict[str, Any] = {name: getattr(self, name) for name in names}
        ties = {name: list(facts[name]) for name in names[2:]}
        plainly: dict[str, Any] = plain({**self._columns()[1], **ties}, json=json)
        return facts | plainly

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        self._source.refuse_variants("a frame or a dict")
        return None, frame_of(self)

    def _table(self) -> tables.Table:
        if self._source.num_variants is not None:
            return self._table_of_variants()
        own = getattr(getattr(self._source, "lookup", None), "sheet", None)
        sheet = layout.sheet(self) if own is None else own()
        if sheet is not None:
            return sheet
        every, arrays = self._payoffs.places, self._arrays
        places, players = every[: tables.MOST_ROWS], self.explored.graph.players
        signs, rows = set[str](), list[Sequence[object]]()
        states = self.explored.named_states(places)
        for place, state in zip(places.tolist(), states, strict=True):
            best = arrays.best_at(place) if players[place] >= 0 else ()
            actions: Any = ", ".join(map(repr, best))
            if len(best) > 1:
                sign = " (tie?)" if np.isin(place, arrays.open) else " (tie)"
                actions = tables.Marked(actions, sign)
                signs.add(sign)
            rows.append((repr(state), vector_text(*arrays.payoffs_at(place)), actions))
        legend = {
            " (tie)": "marked (tie): several actions are optimal",
            " (tie?)": "marked (tie?): several may be optimal, up to rounding",
        }
        notes = [text for sign, text in legend.items() if sign in signs]
        if len(rows) < len(every):
            notes.append(f"the first {len(rows)} of {len(every)} states shown")
        what = "value" if self.explored.num_players == 1 else "payoffs"
        return tables.Table(
            ("state", what, "optimal actions"), rows, notes, left=(0, 2)
        )

    def _table_of_variants(self) -> tables.Table:
        """Return the payoffs at the start in the first variants."""
        payoffs: Any = self.payoffs
        rows = [(i, vector_text(*x)) for i, x in enumerate(payoffs.tolist())]
        notes = []
        if len(rows) > tables.MOST_ROWS:
            notes.append(f"the first {tables.MOST_ROWS} of {len(rows)} variants shown")
        what = "value" if self.explored.num_players == 1 else "payoffs"
        return tables.Table(("variant", what), rows[: tables.MOST_ROWS], notes)

    def _example(self) -> str:
        """Return what to say of decision states: one, the first if it is known."""
        source = self._source
        if isinstance(source, LookupValues) and source.movers(source.start)[0] >= 0:
            return f"such as {arguments.shown(self.initial_state)}"
        deciding = np.flatnonzero(self.explored.graph.players >= 0)
        if not deciding.size:
            return "and the game has none"
        return f"such as {arguments.shown(self.explored.state(int(deciding[0])))}"

    @property
    def _payoffs(self) -> ByState[State, tuple[Number, ...]]:
        return ByState(self._source, "payoffs")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        sources = self._source, other._source
        if all(isinstance(source, LookupValues) for source in sources):
            return bool(sources[0] == sources[1])
        mine, its = self._arrays, other._arrays
        games = [getattr(each.explored, "game", None) for each in (self, other)]
        many = mine.numerators.ndim == 3
        # The arrays of an array game have codes, and not what they stand for.
        comparable = games[0] is games[1] or many
        same = comparable and names_of(games[0]).same_as(names_of(games[1]))
        if same and mine == its:
            return True
        if many or its.numerators.ndim == 3:
            return False
        names = ["initial_state", "tie_break", "possible_ties", "turned_ties"]
        names += ["_payoffs", "optimal_actions", "policy"]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.initial_state, self.tie_break))

    def __len__(self) -> int:
        return self.num_states

    def __repr__(self) -> str:
        if isinstance(self._source, LookupValues):
            doubt = f"error={self.error:.2g}, " if self.error else ""
            text = payoffs_text(self.payoffs)
            return f"Solution({text}, {doubt}tie_break={self.tie_break!r})"
        arrays = self._source
        facts: dict[str, Any] = {}
        if arrays.num_variants is not None:
            facts["num_variants"] = arrays.num_variants
            facts |= {"num_states": self.num_states, "error": arrays.largest_error}
            return summary(self, **facts, tie_break=self.tie_break)
        possible, doubt = len(arrays.open), ""
        if self.error or possible:
            doubt = f"possible_ties={possible}, error={self.error:.2g}, "
        return (
            f"Solution({payoffs_text(self.payoffs)}, num_states={self.num_states}, "
            f"ties={len(arrays.ties())}, {doubt}tie_break={self.tie_break!r})"
        )


def payoffs_text(payoffs: tuple[float | Fraction, ...]) -> str:
    """Return what players can expect as a repr tells it: of one player, the value."""
    return f"{'payoffs' if len(payoffs) > 1 else 'value'}={vector_text(*payoffs)}"


def _as_fraction(number: Any) -> Any:
    """Return a number as a Fraction; infinite ones, whose sums do not round, as 0."""
    return Fraction(number) if abs(number) < math.inf else 0


def as_solution(result: Any) -> Solution[Any, Any, Any] | None:
    """Return the solution that a result is or has; None if it is no such result."""
    if isinstance(result, Result) and not isinstance(result, Solution):
        result = getattr(result, "solution", None)
    return result if isinstance(result, Solution) else None
