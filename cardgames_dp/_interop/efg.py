"""Texts of Gambit, ``.efg``: the tree of a game, node after node, written and read.

Gambit has trees, not graphs: a state that can be reached by several histories becomes a
node for each of them. The nodes are counted on the graph, which has each state once,
before the tree is made.

The text is a prologue, and the nodes in prefix order: each is followed by the subtrees
of its moves. An information set, or an outcome, is described where it is first met, and
may be referred to by its number later. Payoffs of the outcomes on a path add up.

References
----------
"The extensive game (.efg) file format", Gambit's documentation,
https://gambitproject.readthedocs.io/en/latest/formats.efg.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from typing import Any

from cardgames_dp._graph.explored_record import Node
from cardgames_dp._graph.outcomes import integer_weights
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import exact_text, labels
from cardgames_dp.game import CHANCE, TERMINAL, GameError


def count_nodes(states: Sequence[Node]) -> int:
    """Return the number of nodes of the tree of a game: one for each history."""
    counts = [0] * len(states)
    for place in reversed(range(len(states))):
        counts[place] = 1 + sum([counts[i] for i in states[place].following])
    return counts[0]


def lines(states: Sequence[Node], names: Sequence[object], title: str) -> Iterator[str]:
    """Yield the lines of the file: the prologue, and the nodes in prefix order.

    As all players see everything, each node is its own information set. Only terminal
    nodes have outcomes, one for each terminal state and what was paid on the way.
    """
    num_players = max(len(node.returns) for node in states)
    players = [f'"Player {player + 1}"' for player in range(num_players)]
    yield f'EFG 2 R "{_text(title)}" {{ {" ".join(players)} }}'
    yield '""'
    yield ""
    sets = dict.fromkeys([CHANCE, *range(num_players)], 0)
    outcomes: dict[Any, int] = {}
    ahead = [(0, (Fraction(0),) * num_players)]
    while ahead:
        place, paid = ahead.pop()
        node = states[place]
        after = [paid] * len(node.following)
        if node.rewards:
            after = [tuple(map(add, paid, more)) for more in node.rewards]
        ahead += reversed(list(zip(node.following, after, strict=True)))
        if node.player == TERMINAL:
            number = outcomes.setdefault((place, paid), len(outcomes) + 1)
            in_all = ", ".join(map(exact_text, map(add, paid, node.returns)))
            yield f't "" {number} "" {{ {in_all} }}'
            continue
        sets[node.player] += 1
        number = sets[node.player]
        if node.player == CHANCE:
            total = sum(node.weights)
            drawn = _labels_text(
                [names[i] for i in node.following],
                [Fraction(weight, total) for weight in node.weights],
            )
            yield f'c "" {number} "" {drawn} 0'
        else:
            yield f'p "" {node.player + 1} {number} "" {_labels_text(node.actions)} 0'


def _labels_text(things: Sequence[object], chances: Sequence[Fraction] = ()) -> str:
    names = [f'"{name}"' for name in labels(things, clean=_text)]
    if chances:
        names = [
            f"{name} {exact_text(p)}" for name, p in zip(names, chances, strict=True)
        ]
    return f"{{ {' '.join(names)} }}"


def _text(text: str) -> str:
    """Return a text that is valid between quotation marks in all versions of Gambit.

    It is ASCII without escapes, which versions of Gambit read in different ways.
    """
    line = text.replace("\\", "/").replace('"', "'")
    letters = [letter if letter.isprintable() else "?" for letter in line]
    return "".join(letters).encode("ascii", "xmlcharrefreplace").decode("ascii")


_TOKENS = re.compile(
    r"""
    \s* (?: "(?P<text>.*?)(?<!\\)"  # a quote after a backslash is a part of the text
    | (?P<sign>[{},])
    | (?P<number>[+-]?(?:[0-9]+/[0-9]+
        |(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))
    | (?P<word>[A-Za-z]+)
    | (?P<end>\Z)
    | (?P<other>.) )
    """,
    re.DOTALL | re.VERBOSE,
)
_MOST_EXPONENT_DIGITS = 4  # with their sign
_MOST_WRONG = 40  # letters of what is not understood that a message shows


@dataclass(slots=True)
class _Node:
    """A node of the tree.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`.
    actions : tuple of str
        The labels of the moves.
    weights : tuple of int
        The weights of the moves of chance; otherwise empty.
    paid : list of Fraction
        What the players have got on the path, this node included.
    after : list of Path
        The nodes to which the moves lead.
    """

    player: int
    actions: tuple[str, ...]
    weights: tuple[int, ...]
    paid: list[Fraction]
    after: list[Path] = field(default_factory=list)


class Path(Sequence[str]):
    """The labels on the path to a node of a tree, which equal the tuple of them.

    A tuple for each node would take memory as the square of the depth.

    Parameters
    ----------
    tree : tuple of list of int and list of str
        Of each node its parent, and the label of the move that leads to it.
    number : int
        The node; the root is 0.
    """

    __slots__ = ("_hash", "_tree", "number")

    def __init__(self, tree: tuple[list[int], list[str]], number: int) -> None:
        self._tree, self.number = tree, number
        self._hash = hash(self._labels())

    def _labels(self) -> tuple[str, ...]:
        (parents, labels), number, path = self._tree, self.number, list[str]()
        while number:
            path.append(labels[number])
            number = parents[number]
        return tuple(reversed(path))

    def __getitem__(self, index: Any) -> Any:
        return self._labels()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels())

    def __len__(self) -> int:
        return len(self._labels())

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (tuple, Path)):
            return NotImplemented
        return self._hash == hash(other) and self._labels() == tuple(other)

    def __repr__(self) -> str:
        return repr(self._labels())

    def __reduce__(self) -> Any:
        return Path, (self._tree, self.number)


class Tree:
    """The game of an ``.efg`` text: a `Game` whose states are paths.

    Raises
    ------
    ValueError
        If the text breaks a rule of the format.
    GameError
        If the game has no player, hidden information, or probabilities that do not sum
        to 1.
    """

    def __init__(self, text: str) -> None:
        reader = _Reader(text)
        self.num_players = reader.prologue()
        self._nodes, self._root = reader.nodes()
        self.num_nodes = len(self._nodes)

    def initial_state(self) -> Path:
        """Return the path to the root."""
        return self._root

    def current_player(self, path: Path) -> int:
        """Return the player to move at a node."""
        return self._nodes[path.number].player

    def legal_actions(self, path: Path) -> tuple[str, ...]:
        """Return the labels of the actions at a node."""
        return self._nodes[path.number].actions

    def next_state(self, path: Path, action: str) -> Path:
        """Return the path that is longer by an action."""
        node = self._nodes[path.number]
        return node.after[node.actions.index(action)]

    def chance_outcomes(self, path: Path) -> list[tuple[int, Path]]:
        """Return the weights of the moves of chance, and the paths longer by them."""
        node = self._nodes[path.number]
        return list(zip(node.weights, node.after, strict=True))

    def returns(self, path: Path) -> list[Fraction]:
        """Return what each player got on a whole path."""
        return self._nodes[path.number].paid


class _Reader:
    """Reads a text token by token, one of which it looks ahead."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._players: list[str] = []
        self._sets: dict[tuple[int, int], str] = {}
        self._events: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}
        self._outcomes: dict[int, list[Fraction]] = {}
        self._advance()

    def prologue(self) -> int:
        """Read the title and the names of the players, and return their number."""
        for kind, *accepted in (("word", "EFG"), ("number", "2"), ("word", "R", "D")):
            self._take(kind, "EFG 2 R at its beginning", *accepted)
        self._take("text", "the title of the game")
        self._sign("{")
        while self._kind == "text":
            self._players.append(self._take("text", ""))
        self._sign("}")
        if not self._players:
            raise GameError("the game must have at least one player, got none")
        if self._kind == "text":
            self._advance()  # a comment
        return len(self._players)

    def nodes(self) -> tuple[list[_Node], Path]:
        """Read all nodes, in prefix order; return them, and the path to the first."""
        nodes, tree = [self._node()], ([0], [""])
        ahead = [0] * len(nodes[0].actions)  # whose moves lead to the nodes to come
        while ahead:
            number, (parents, labels) = len(nodes), tree
            parents.append(ahead.pop())
            before, node = nodes[parents[-1]], self._node()
            labels.append(before.actions[len(before.after)])
            before.after.append(Path(tree, number))
            node.paid = list(map(add, before.paid, node.paid))
            nodes.append(node)
            ahead += [number] * len(node.actions)
        if self._kind != "end":
            raise self._wrong("nothing after the last node")
        return nodes, Path(tree, 0)

    def _node(self) -> _Node:
        kind = self._value if self._kind == "word" else ""
        if kind not in ("c", "p", "t"):
            raise self._wrong("a node, which begins with c, p or t,")
        self._advance()
        self._take("text", "the name of the node")
        if kind == "t":
            return _Node(TERMINAL, (), (), self._outcome())
        if kind == "c":
            actions, weights = self._event()
            return _Node(CHANCE, actions, weights, self._outcome())
        most, start = len(self._players), self._start
        player = self._integer("the number of a player") - 1
        if not 0 <= player < most:
            raise self._wrong(f"the number of a player, from 1 to {most},", start)
        return _Node(player, self._information_set(player), (), self._outcome())

    def _event(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Read the labels and weights of a move of chance."""
        start = self._start
        number = self._integer("the number of a move of chance")
        description = self._events.get(number)
        if self._kind != "text":
            if description is None:
                raise self._wrong(f"a description of move {number} of chance")
            return description
        self._advance()
        self._sign("{")
        names: list[str] = []
        chances = []
        while self._kind == "text" or not names:
            names.append(self._take("text", "the label of an outcome of chance"))
            chances.append(self._number("a probability"))
        self._sign("}")
        if min(chances) < 0 or sum(chances) != 1:
            raise GameError(
                f"probabilities must be at least 0 and sum to 1, got those of move "
                f"{number} of chance: {arguments.shown([str(p) for p in chances])}"
            )
        event = _distinct(names), tuple(integer_weights(chances))
        if description not in (None, event):
            raise self._wrong(f"move {number} of chance as before", start)
        self._events[number] = event
        return event

    def _information_set(self, player: int) -> tuple[str, ...]:
        """Read the labels of the actions in an information set of one node."""
        number = self._integer("the number of an information set")
        name = ""
        names: list[str] = []
        if self._kind == "text":
            name = self._take("text", "")
            self._sign("{")
            while self._kind == "text" or not names:
                names.append(self._take("text", "the label of an action"))
            self._sign("}")
        earlier = self._sets.get((player, number))
        if earlier is not None:
            called = f"{arguments.shown(earlier)}, " if earlier else ""
            raise GameError(
                f"the game must have perfect information, got the information set "
                f"{called}number {number} of player "
                f"{arguments.shown(self._players[player])}, which has several nodes"
            )
        if not names:
            raise self._wrong(f"a description of information set {number}")
        self._sets[player, number] = name
        return _distinct(names)

    def _outcome(self) -> list[Fraction]:
        """Read what a node pays."""
        start = self._start
        number = self._integer("the number of an outcome")
        nothing = [Fraction(0)] * len(self._players)
        earlier = self._outcomes.get(number) if number else nothing
        if self._kind != "text" and self._value != "{":
            if earlier is None:
                raise self._wrong(f"a description of outcome {number}")
            return earlier
        if self._kind == "text":
            self._advance()
        self._sign("{")
        paid = []
        for _ in self._players:
            paid.append(self._number("a payoff for each player"))
            if self._value == ",":
                self._advance()
        self._sign("}")
        if earlier not in (None, paid):
            raise self._wrong(f"the payoffs of outcome {number} as before", start)
        self._outcomes[number] = paid
        return paid

    def _advance(self) -> None:
        match = _TOKENS.match(self._text, self._at)
        assert match is not None  # as any letter matches
        assert match.lastgroup is not None
        self._kind, self._start = match.lastgroup, match.start(match.lastgroup)
        self._value, self._at = match[self._kind].replace('\\"', '"'), match.end()

    def _take(self, kind: str, what: str, *accepted: str) -> str:
        value = self._value
        if self._kind != kind or (accepted and value not in accepted):
            raise self._wrong(what)
        self._advance()
        return value

    def _sign(self, sign: str) -> None:
        self._take("sign", sign, sign)

    def _integer(self, what: str) -> int:
        if self._kind != "number" or not re.fullmatch("[0-9]{1,18}", self._value):
            raise self._wrong(what)
        return int(self._take("number", what))

    def _number(self, what: str) -> Fraction:
        _, _, exponent = self._value.lower().partition("e")
        if self._kind != "number":
            raise self._wrong(what)
        try:
            if len(exponent) > _MOST_EXPONENT_DIGITS:
                raise ValueError
            number = Fraction(self._value)
        except ZeroDivisionError:
            raise self._wrong(what) from None
        except ValueError:  # of integers that Python does not convert
            raise self._wrong("numbers of at most 4300 digits") from None
        self._advance()
        return number

    def _wrong(self, expected: str, start: int | None = None) -> ValueError:
        """Return the error for what is not understood, here or from `start` on."""
        start = self._start if start is None else start
        line = self._text.count("\n", 0, start) + 1
        got = self._text[start : start + _MOST_WRONG].partition("\n")[0]
        return ValueError(
            f"source must be the text of an .efg file, with {expected} in line {line}, "
            f"got {arguments.shown(got) if got else 'the end of the text'}"
        )


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Return labels, changed if one of them is empty or not the only one."""
    return tuple(names if all(names) and len({*names}) == len(names) else labels(names))
