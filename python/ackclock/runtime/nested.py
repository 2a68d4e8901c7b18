"""Texts in tables and lists within each other, as TOML and JSON give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Place", "texts_in"]


class Place(NamedTuple):
    """A key or an index, and the place of the table or list that has it."""

    above: Place | None
    key: object

    @property
    def dotted(self) -> str:
        """The key with those above it: ``flows.0.cc``."""
        keys = []
        place: Place | None = self
        while place is not None:
            keys.append(str(place.key))
            place = place.above
        return ".".join(reversed(keys))


def texts_in(data: object, *, keys: bool = False) -> Iterator[tuple[Place | None, str]]:
    """All texts and their places, in order; `keys`: the tables' keys are texts, too.

    Examples
    --------
    >>> [(place.dotted, text) for place, text in texts_in({"a": ["b", {"c": "d"}]})]
    [('a.0', 'b'), ('a.1.c', 'd')]
    """
    # A stack of its own: tables nested thousands deep end no interpreter.
    rest: list[tuple[Place | None, object]] = [(None, data)]
    while rest:
        place, value = rest.pop()
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, dict):
            if keys:
                yield from ((Place(place, key), key) for key in value if isinstance(key, str))
            rest += reversed([(Place(place, key), entry) for key, entry in value.items()])
        elif isinstance(value, list | tuple):
            rest += reversed([(Place(place, at), entry) for at, entry in enumerate(value)])
