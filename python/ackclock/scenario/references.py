"""References of a scenario's tables to files and to classes of the user's own.

Both are found in the tables alone, before anything is opened or imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.scenario.cdf import PUBLISHED
from ackclock.scenario.distributions import cdf_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["named_files", "own_classes"]

_OWN = "python:"


def named_files(data: Mapping[str, Any]) -> list[str]:
    """Names of the files that a scenario names: traces, and distributions of sizes.

    Examples
    --------
    >>> named_files({"network": {"bottleneck": {"rate": {"trace": "links/cellular.trace"}}}})
    ['links/cellular.trace']
    >>> named_files({"flows": [{"app": {"kind": "short-flows", "size": "cdf(websearch)"}}]})
    []
    """
    names = []
    for place, text in _texts(data):
        if place is not None and place.key == "trace":
            names.append(text)
        elif place is not None and place.key == "description":
            # A text for people.
            continue
        elif (file := cdf_file(text)) is not None and file not in PUBLISHED:
            names.append(file)
    return list(dict.fromkeys(names))


def own_classes(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every text of a scenario that may name code of the user's own, with its dotted key.

    Keys of tables count as texts. A text with ``python:`` in it counts wherever it stands, but for
    descriptions, so that no spelling of a name is missed.

    Examples
    --------
    >>> own_classes({"compare": {"cc": ["reno", "hystart+python:gentle:Gentle"]}})
    [('compare.cc.1', 'hystart+python:gentle:Gentle')]
    """
    return [
        (_dotted(place), text)
        for place, text in _texts(data, keys=True)
        if _OWN in text and (place is None or place.key != "description")
    ]


class _Place(NamedTuple):
    """A key or an index, and the place of the table or list that has it."""

    above: _Place | None
    key: object


def _dotted(place: _Place | None) -> str:
    keys = []
    while place is not None:
        keys.append(str(place.key))
        place = place.above
    return ".".join(reversed(keys))


def _texts(data: object, *, keys: bool = False) -> Iterator[tuple[_Place | None, str]]:
    """All texts and their places, in order; `keys`: the tables' keys are texts, too."""
    # A stack of its own: tables nested thousands deep end no interpreter.
    rest: list[tuple[_Place | None, object]] = [(None, data)]
    while rest:
        place, value = rest.pop()
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, dict):
            if keys:
                yield from ((_Place(place, key), key) for key in value if isinstance(key, str))
            rest += reversed([(_Place(place, key), each) for key, each in value.items()])
        elif isinstance(value, list | tuple):
            rest += reversed([(_Place(place, at), each) for at, each in enumerate(value)])
