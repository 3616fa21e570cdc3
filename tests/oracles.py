"""Oracles of small games, which share nothing with the library.

Values of policies come from Gaussian elimination in Fractions, the best ones from all
stationary policies, one by one, and distributions from all plays along the tree.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from .games import Table

Policy: TypeAlias = Mapping[Any, str | Mapping[str, Any]]
"""What is done in each state: an action, or actions with weights."""
Values: TypeAlias = dict[Any, tuple[Fraction, ...]]
Move: TypeAlias = tuple[Fraction, Any, Sequence[Any]]
"""A chance, the state that follows, and what is paid."""


def moves(game: Table, state: Any, policy: Policy) -> list[Move]:
    """Return what follows a state with a positive chance."""
    kind, what = game.rows[state]
    nothing = (0,) * game.num_players
    if kind == "end":
        return []
    if kind == "chance":
        rows = [(w, t, *(p or [nothing])) for w, t, *p in what]
    else:
        done = policy[state]
        paid = getattr(game, "paid", {})
        mixture = {done: 1} if isinstance(done, str) else done
        rows = [(w, what[a], paid.get((state, a), nothing)) for a, w in mixture.items()]
    total = sum(Fraction(weight) for weight, *_ in rows)
    return [(Fraction(w) / total, t, p) for w, t, p in rows if w]


def reachable(game: Table, policy: Policy | None = None) -> list[Any]:
    """Return the states that can be reached, under a policy or under any."""
    result = [game.start]
    for state in result:
        kind, what = game.rows[state]
        if policy is None and kind not in ("chance", "end"):
            after = list(what.values())
        else:
            after = [t for _, t, _ in moves(game, state, policy or {})]
        result += [each for each in dict.fromkeys(after) if each not in result]
    return result


def decisions(game: Table, player: int) -> list[Any]:
    """Return the reachable states in which a player moves."""
    return sorted(s for s in reachable(game) if game.rows[s][0] == player)


def policies(game: Table, players: tuple[int, ...]) -> Iterator[dict[Any, str]]:
    """Yield all stationary policies of some players."""
    deciding = [s for s in reachable(game) if game.rows[s][0] in players]
    for actions in product(*[list(game.rows[s][1]) for s in deciding]):
        yield dict(zip(deciding, actions, strict=True))


def ends(game: Table, policy: Policy, *, reached: bool = False) -> bool:
    """Return whether play ends from every state, or only from those it reaches."""
    states = reachable(game, policy if reached else None)
    ending = {s for s in states if game.rows[s][0] == "end"}
    for _ in states:
        ending |= {
            s for s in states if any(t in ending for _, t, _ in moves(game, s, policy))
        }
    return len(ending) == len(states)


def values(game: Table, policy: Policy) -> Values:
    """Return the values under a policy of all players with which play ends."""
    states = reachable(game)
    index = {state: i for i, state in enumerate(states)}
    rows = []
    for state in states:
        row = [Fraction(0)] * (len(states) + game.num_players)
        row[index[state]] += 1
        for chance, after, paid in moves(game, state, policy):
            row[index[after]] -= chance
            for i, x in enumerate(paid, len(states)):
                row[i] += chance * Fraction(x)
        if game.rows[state][0] == "end":
            row[len(states) :] = map(Fraction, game.rows[state][1])
        rows.append(row)
    eliminate(rows)
    return {s: tuple(rows[i][len(states) :]) for s, i in index.items()}


def visits(game: Table, policy: Policy) -> dict[Any, Fraction]:
    """Return how often plays that end are expected to come to each state."""
    states = reachable(game, policy)
    index = {state: i for i, state in enumerate(states)}
    rows = [[Fraction(s == t) for t in states] for s in states]
    for state, place in index.items():
        for chance, after, _ in moves(game, state, policy):
            rows[index[after]][place] -= chance
    rows = [[*row, Fraction(not place)] for place, row in enumerate(rows)]
    eliminate(rows)
    return {state: rows[place][-1] for state, place in index.items()}


def eliminate(rows: list[list[Fraction]]) -> None:
    """Solve linear equations, in place."""
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if rows[i][i] != 1:
            rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i]:
                share = rows[k][i]
                rows[k] = [
                    x - share * y if y else x
                    for x, y in zip(rows[k], rows[i], strict=True)
                ]


def plays(game: Table, policy: Policy, start: Any = 0) -> Iterator[Any]:
    """Yield chance, states and returns of all plays of an acyclic game, one by one."""
    kind, row = game.rows[start]
    if kind == "end":
        yield Fraction(1), (start,), tuple(map(Fraction, row))
    for share, after, paid in moves(game, start, policy):
        for chance, states, returns in plays(game, policy, after):
            more = [Fraction(x) + y for x, y in zip(paid, returns, strict=True)]
            yield share * chance, (start, *states), tuple(more)


# The best policies of games that come back to states
# ----------------------------------------------------


def worth(game: Table, state: Any, action: str, best: Values, player: int) -> Fraction:
    """Return the value of an action for a player."""
    ((_, after, paid),) = moves(game, state, {state: action})
    return best[after][player] + Fraction(paid[player])


def rounds(game: Table, policy: Policy, player: int) -> list[Fraction]:
    """Return what a player gains by move, on average, on states that are never left."""
    states = reachable(game)
    ahead = {
        s: {t for _, t, _ in moves(game, s, policy)}
        for s in states
        if game.rows[s][0] != "end"
    }
    closed = []
    for s in ahead:
        part, left = {s}, [s]
        while left:
            new = ahead.get(left.pop(), {None}) - part
            part |= new
            left += new
        closed.append(part if None not in part else set())
    gains = []
    for part in closed:
        # Only what can be reached from everywhere in it is recurrent.
        if not part or any(len(other) < len(part) for other in closed if other & part):
            continue
        index = {s: i for i, s in enumerate(part)}
        rows = [
            [Fraction(int(i == j)) for j in range(len(part))] for i in index.values()
        ]
        for s, i in index.items():
            for chance, t, _ in moves(game, s, policy):
                rows[index[t]][i] -= chance
        rows = [[*row, Fraction(0)] for row in rows]
        rows[-1] = [Fraction(1)] * (len(part) + 1)
        eliminate(rows)
        each = [
            rows[i][-1] * chance * Fraction(paid[player])
            for s, i in index.items()
            for chance, _, paid in moves(game, s, policy)
        ]
        gains.append(sum(each, Fraction(0)))
    return gains


def best_alone(game: Table, player: int) -> dict[Any, Fraction] | None:
    """Return the values for the only player who decides; None if no policy ends."""
    result = [
        values(game, policy)
        for policy in policies(game, (player,))
        if ends(game, policy)
    ]
    if not result:
        return None
    return {s: max(each[s][player] for each in result) for s in reachable(game)}


def alone(game: Table, player: int) -> list[set[Any]]:
    """Return the components in which the player alone decides."""
    ahead = {s: set(reachable(Table(game.rows, s))) for s in reachable(game)}
    result: list[set[Any]] = []
    for s, after in ahead.items():
        part = {t for t in after if s in ahead[t]}
        deciding = {
            game.rows[t][0]
            for t in part
            if game.rows[t][0] != "chance" and len(game.rows[t][1]) > 1
        }
        if deciding == {player} and part not in result:
            result.append(part)
    return result


def leaves(game: Table, policy: Policy, part: set[Any]) -> bool:
    """Return whether play leaves some states in which a policy decides."""
    single = {s: next(iter(game.rows[s][1])) for s in part if s not in policy}
    whole = {**{s: a for s, a in single.items() if game.rows[s][0] in (0, 1)}, **policy}
    staying = set(part)
    for _ in part:
        staying = {
            s for s in staying if all(t in staying for _, t, _ in moves(game, s, whole))
        }
    return not staying


def able(game: Table, player: int) -> list[dict[Any, str]]:
    """Return the policies that end the play where the player alone decides."""
    parts = alone(game, player)
    return [
        policy
        for policy in policies(game, (player,))
        if all(leaves(game, policy, part) for part in parts)
    ]


def best_opposed(game: Table) -> dict[Any, Fraction] | None:
    """Return the values for the first of two players whose interests are opposed.

    Where one player alone decides, the player must end the play; so the policies are
    those which do. None unless what the first player guarantees with policies that end,
    whatever the second one does, is also what the second one guarantees.
    """
    sides: list[list[dict[Any, Fraction]]] = [[], []]
    for player in (0, 1):
        for mine in able(game, player):
            both = [{**mine, **theirs} for theirs in able(game, 1 - player)]
            if both and all(ends(game, policy) for policy in both):
                result = [values(game, policy) for policy in both]
                worst = min if player == 0 else max
                sides[player].append(
                    {s: worst(each[s][0] for each in result) for s in result[0]}
                )
    if not all(sides):
        return None
    lower, upper = (
        {s: best(each[s] for each in side) for s in side[0]}
        for best, side in zip((max, min), sides, strict=True)
    )
    return lower if lower == upper else None


def payoffs(solution: Any) -> dict[Any, tuple[Any, ...]]:
    """Return what each player can expect in every state of a solution."""
    return {state: solution.payoffs_at(state) for state in solution.values}
