"""Names: short and distinct ones for states and actions, and one like a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence


def closest(word: str, words: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the one of some words that is most like a word, if any is."""
    import difflib

    lower = {known.lower(): known for known in words}
    found = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=alike)
    return lower[found[0]] if found else None


def labels(things: Sequence[object], *, clean: Callable[[str], str] = str) -> list[str]:
    """Return a line of text for each of several things, all of them different.

    They are ``str`` of the things; if two of these are equal, ``repr``; and if two of
    these are equal as well, they are numbered from 1. `clean` is applied to the texts
    before they are compared.
    """
    for text in (str, repr):
        texts = [clean(" ".join(text(thing).split()) or "-") for thing in things]
        if len(set(texts)) == len(texts):
            return texts
    return [f"{number}: {text}" for number, text in enumerate(texts, 1)]
