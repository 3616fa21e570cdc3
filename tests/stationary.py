"""An oracle for games in which plays come back: all stationary policies, one by one.

It shares nothing with the library: values are found by Gaussian elimination in
Fractions, whether play ends by a search.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from .written import Table

Policy: TypeAlias = Mapping[Any, str | Mapping[str, Fraction]]
Values: TypeAlias = dict[Any, tuple[Fraction, ...]]


Move: TypeAlias = tuple[Fraction, Any, Sequence[Any]]
"""A chance, the state that follows, and what is paid."""


def moves(game: Table, state: Any, policy: Policy) -> list[Move]:
    """Return what follows a state."""
    kind, what = game.rows[state]
    nothing = (0,) * game.num_players
    if kind == "end":
        return []
    if kind == "chance":
        total = sum(weight for weight, *_ in what)
        return [(Fraction(w, total), t, *(p or [nothing])) for w, t, *p in what if w]
    done = policy[state]
    chances = {done: Fraction(1)} if isinstance(done, str) else done
    paid = getattr(game, "paid", {})
    return [(p, what[a], paid.get((state, a), nothing)) for a, p in chances.items()]


def reachable(game: Table) -> list[Any]:
    """Return all states that can be reached."""
    found = [game.start]
    for state in found:
        kind, what = game.rows[state]
        after: list[Any] = []
        if kind == "chance":
            after = [following for weight, following, *_ in what if weight]
        elif kind != "end":
            after = list(what.values())
        found += [each for each in dict.fromkeys(after) if each not in found]
    return found


def policies(game: Table, players: tuple[int, ...]) -> Iterator[dict[Any, str]]:
    """Yield all stationary policies of some players."""
    deciding = [s for s in reachable(game) if game.rows[s][0] in players]
    for actions in product(*[list(game.rows[s][1]) for s in deciding]):
        yield dict(zip(deciding, actions, strict=True))


def ends(game: Table, policy: Policy) -> bool:
    """Return whether play ends from every state."""
    states = reachable(game)
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
        row = [Fraction(0)] * len(states) + [Fraction(0)] * game.num_players
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


def eliminate(rows: list[list[Fraction]]) -> None:
    """Solve linear equations, in place."""
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i]:
                share = rows[k][i]
                rows[k] = [x - share * y for x, y in zip(rows[k], rows[i], strict=True)]


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
    found = [
        values(game, policy)
        for policy in policies(game, (player,))
        if ends(game, policy)
    ]
    if not found:
        return None
    return {s: max(each[s][player] for each in found) for s in reachable(game)}


def alone(game: Table, player: int) -> list[set[Any]]:
    """Return the components in which the player alone decides."""
    ahead = {s: set(reachable(Table(game.rows, s))) for s in reachable(game)}
    found: list[set[Any]] = []
    for s, after in ahead.items():
        part = {t for t in after if s in ahead[t]}
        deciding = {
            game.rows[t][0]
            for t in part
            if game.rows[t][0] != "chance" and len(game.rows[t][1]) > 1
        }
        if deciding == {player} and part not in found:
            found.append(part)
    return found


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
    those which do.

    Returns
    -------
    dict or None
        None unless what the first player guarantees with policies that end, whatever
        the second one does, is also what the second one guarantees.
    """
    sides: list[list[dict[Any, Fraction]]] = [[], []]
    for player in (0, 1):
        for mine in able(game, player):
            both = [{**mine, **theirs} for theirs in able(game, 1 - player)]
            if both and all(ends(game, policy) for policy in both):
                found = [values(game, policy) for policy in both]
                worst = min if player == 0 else max
                sides[player].append(
                    {s: worst(each[s][0] for each in found) for s in found[0]}
                )
    if not all(sides):
        return None
    lower, upper = (
        {s: best(each[s] for each in side) for s in side[0]}
        for best, side in zip((max, min), sides, strict=True)
    )
    return lower if lower == upper else None
