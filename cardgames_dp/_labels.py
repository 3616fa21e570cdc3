"""Short names for states and actions, told apart where they stand side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def labels(things: Sequence[object], *, clean: Callable[[str], str] = str) -> list[str]:
    """Return a line of text for each of several things, all of them different.

    They are what ``str`` makes of them; where that is the same for two, what ``repr``
    does; and where that is the same, too, they are numbered from 1. What `clean` makes
    of a text takes its place before texts are compared.
    """
    for text in (str, repr):
        texts = [clean(" ".join(text(thing).split()) or "-") for thing in things]
        if len(set(texts)) == len(texts):
            return texts
    return [f"{number}: {text}" for number, text in enumerate(texts, 1)]
