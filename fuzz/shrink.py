"""Shrinks a scenario that fails to a small one that fails alike."""

from __future__ import annotations

import copy
import multiprocessing
import re
import time
from typing import TYPE_CHECKING, Any

from fuzz.attempt import kind_of
from fuzz.generate import Case
from fuzz.relations import RELATIONS
from fuzz.worker import serve_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Prober", "shrunk"]

Place = tuple[Any, ...]

_SIMPLE: dict[str, Any] = {"cc": "reno", "app": "bulk", "qdisc": "fifo", "start": "0s"}
"""The simplest value of each key."""
_NEEDED = re.compile(r"(\d+(?:\.\d+)?)(?= ?[A-Za-z])")


class Prober:
    """Tries cases in another process, which may hang or die."""

    def __init__(self, hang_s: float = 20.0) -> None:
        self._hang_s = hang_s
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve_cases, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def __call__(
        self, case: Case, number: int, relation: str | None = None
    ) -> list[tuple[str, str]]:
        """Return the complaints about a case, by the oracles or by a relation."""
        try:
            self._pipe.send((case, number, relation))
            if self._pipe.poll(self._hang_s):
                found: list[tuple[str, str]] = self._pipe.recv()
                return found
            fault = ("hang", f"no end within {self._hang_s:g} s")
        except (EOFError, OSError):
            self._process.join(1)
            fault = ("crash", f"the process died with status {self._process.exitcode}")
        self.end()
        self._start()
        return [fault]

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Yield every place in the data, outer places before inner ones."""
    if isinstance(value, dict):
        inner: list[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))[::-1]
    else:
        return
    yield from ((*at, key) for key, _ in inner)
    for key, part in inner:
        yield from _places(part, (*at, key))


def _changed(
    data: dict[str, Any], place: Place, change: Callable[[Any, Any], None]
) -> dict[str, Any] | None:
    made = copy.deepcopy(data)
    parent: Any = made
    try:
        for key in place[:-1]:
            parent = parent[key]
        change(parent, place[-1])
    except (KeyError, IndexError, TypeError):
        return None
    return made


def _remove(parent: Any, key: Any) -> None:
    del parent[key]


def _simpler(key: Any, value: Any) -> Iterator[Any]:
    """Yield simpler values for the key."""
    if key in _SIMPLE and value != _SIMPLE[key]:
        yield _SIMPLE[key]
    if isinstance(value, dict) and "kind" in value and len(value) > 1:
        yield value["kind"]
        yield {"kind": value["kind"]}
    if isinstance(value, str):
        if "(" in value:
            yield re.sub(r"\([^()]*\)", "", value)
            yield from re.findall(r"[\d.]+ ?[A-Za-z/]+", value)[:2]
        if "+" in value:
            yield value.rpartition("+")[2]
        for found in _NEEDED.finditer(value):
            number = float(found[1])
            for other in {
                1,
                int(number) // 2,
                int(float(f"{number:.1g}")),
                int(float(f"{number:.2g}")),
            }:
                if other < number or (other == number and str(other) != found[1]):
                    yield f"{value[: found.start()]}{other}{value[found.end() :]}"
    elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
        yield 1
        yield value // 2
    elif isinstance(value, float) and value not in (0.0, 1.0):
        yield from (1.0, 0.5, float(f"{value:.1g}"))


def _put(value: Any) -> Callable[[Any, Any], None]:
    def change(parent: Any, key: Any) -> None:
        parent[key] = value

    return change


def _candidates(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for place in list(_places(data)):
        made = _changed(data, place, _remove)
        if made is not None:
            yield made
    for place in list(_places(data)):
        value: Any = data
        for key in place:
            value = value[key]
        for other in _simpler(place[-1], value):
            made = _changed(data, place, _put(other))
            if made is not None and made != data:
                yield made


def shrunk(
    case: Case, number: int, complaint: tuple[str, str], prober: Prober, *, seconds: float = 60.0
) -> Case:
    """Return the smallest case found of which the oracle says a sentence of the same kind.

    Parameters
    ----------
    case, number
        The scenario that fails.
    complaint
        The oracle's name and its sentence.
    prober
        Process that tries other cases.
    seconds
        Time for the search.
    """
    wanted = (complaint[0], kind_of(complaint[1]))
    of_relation = [complaint[0]] if complaint[0] in RELATIONS else []

    def fails(data: dict[str, Any]) -> bool:
        found = prober(Case(data, case.files), number, *of_relation)
        return any((oracle, kind_of(sentence)) == wanted for oracle, sentence in found)

    until = time.monotonic() + seconds
    data, goes_on = case.data, True
    while goes_on and time.monotonic() < until:
        goes_on = False
        for made in _candidates(data):
            if time.monotonic() > until:
                break
            if fails(made):
                data, goes_on = made, True
                break
    named = str(data)
    return Case(
        data,
        {name: text for name, text in case.files.items() if name in named or name.endswith(".py")},
    )
