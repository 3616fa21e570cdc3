"""A game as the text that Gambit reads: its tree, node after node.

Gambit has trees, not graphs: a state that can be reached by several histories becomes a
node for each of them. The nodes are counted on the graph, which has each state once,
before the tree is made.

References
----------
"The extensive game (.efg) file format", Gambit's documentation,
https://gambitproject.readthedocs.io/en/latest/formats.efg.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from cardgames_dp._labels import labels
from cardgames_dp._nodes import Node
from cardgames_dp._numbers import written
from cardgames_dp.game import CHANCE, TERMINAL


def count_nodes(states: Sequence[Node]) -> int:
    """Return the number of nodes of the tree of a game: one for each history."""
    counts = [0] * len(states)
    for place in reversed(range(len(states))):
        counts[place] = 1 + sum([counts[i] for i in states[place].following])
    return counts[0]


def lines(states: Sequence[Node], names: Sequence[object], title: str) -> Iterator[str]:
    """Yield the lines of the file: the prologue, and the nodes in prefix order.

    As all players see everything, each node is its own information set. Only terminal
    nodes have outcomes, one for each terminal state.
    """
    num_players = max(len(node.returns) for node in states)
    players = [f'"Player {player + 1}"' for player in range(num_players)]
    yield f'EFG 2 R "{_text(title)}" {{ {" ".join(players)} }}'
    yield '""'
    yield ""
    sets = dict.fromkeys([CHANCE, *range(num_players)], 0)
    outcomes: dict[int, int] = {}
    ahead = [0]
    while ahead:
        place = ahead.pop()
        node = states[place]
        ahead += reversed(node.following)
        if node.player == TERMINAL:
            number = outcomes.setdefault(place, len(outcomes) + 1)
            yield f't "" {number} "" {{ {", ".join(map(written, node.returns))} }}'
            continue
        sets[node.player] += 1
        number = sets[node.player]
        if node.player == CHANCE:
            total = sum(node.weights)
            drawn = _listed(
                [names[i] for i in node.following],
                [Fraction(weight, total) for weight in node.weights],
            )
            yield f'c "" {number} "" {drawn} 0'
        else:
            yield f'p "" {node.player + 1} {number} "" {_listed(node.actions)} 0'


def _listed(things: Sequence[object], chances: Sequence[Fraction] = ()) -> str:
    names = [f'"{name}"' for name in labels(things, clean=_text)]
    if chances:
        names = [f"{name} {written(p)}" for name, p in zip(names, chances, strict=True)]
    return f"{{ {' '.join(names)} }}"


def _text(text: str) -> str:
    """Return a text that is valid between quotation marks in all versions of Gambit.

    It is ASCII without escapes, which versions of Gambit read in different ways.
    """
    line = text.replace("\\", "/").replace('"', "'")
    letters = [letter if letter.isprintable() else "?" for letter in line]
    return "".join(letters).encode("ascii", "xmlcharrefreplace").decode("ascii")
