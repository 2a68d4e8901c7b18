"""Carry the user's code that no worker could import: code of a notebook, a script or a prompt.

Classes and metrics of ``__main__`` travel with the run, by value. They are pickled by cloudpickle,
as Dask does with functions. The key of a run includes a fingerprint of their compiled code and of
everything that it refers to, because a notebook has no file to hash, and the pickles of two
sessions differ.
"""

from __future__ import annotations

import pickle
import re
import sys
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ackclock.metrics.registry import Metric, adopt, own_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Carried", "carry", "unpack"]

_MAIN = "__main__"
_CLASS = re.compile(rf"python:{_MAIN}:(\w+(?:\.\w+)*)")
_METRIC = re.compile(r"[^(@]*")
_PLAIN = (int, float, complex, str, bytes, bool, type(None))

# Objects by their pickle. Threads of one process use the classes themselves; a worker process
# unpacks them once.
_unpacked: dict[bytes, Mapping[str, Any]] = {}


@dataclass(frozen=True)
class Carried:
    """Classes and metrics that travel with a run."""

    pickled: bytes
    """Input of `unpack`."""
    fingerprint: bytes
    """Equal fingerprints stand for the same code."""
    modules: tuple[str, ...]
    """Modules that the code refers to; the worker must find those that the user wrote."""


def carry(names: Iterable[str]) -> Carried | None:
    """Pickle the code of ``__main__`` behind these names; None if there is none.

    Parameters
    ----------
    names
        Congestion controls and metrics: `"cos+python:__main__:Mine"`, `"cubic"`, or `"starved"`, a
        metric that is registered under this name.
    """
    objects: dict[str, Any] = {}
    for name in names:
        for path in _CLASS.findall(name):
            here: Any = sys.modules[_MAIN]
            for part in path.split("."):
                here = getattr(here, part)
            objects[path] = here
        parts = _METRIC.match(name)
        metric = own_metric("" if parts is None else parts[0].strip())
        if metric is not None and not name.startswith("python:"):
            objects[f"metric {metric.name}"] = metric
    if not objects:
        return None
    import cloudpickle

    walk = _Walk()
    for name in sorted(objects):
        walk.see(name)
        walk.see(objects[name])
    pickled = cloudpickle.dumps(objects)
    _unpacked[pickled] = objects
    return Carried(pickled, "\n".join(walk.parts).encode(), tuple(dict.fromkeys(walk.modules)))


def unpack(pickled: bytes) -> Mapping[str, Any]:
    """Return the carried classes by name, and register the carried metrics.

    `pickled` is `Carried.pickled`, or b"" if nothing is carried.
    """
    if not pickled:
        return {}
    if pickled not in _unpacked:
        _unpacked[pickled] = pickle.loads(pickled)
    objects = _unpacked[pickled]
    for value in objects.values():
        if isinstance(value, Metric):
            adopt(value)
    return objects


class _Walk:
    """Walks compiled code, and everything of ``__main__`` that it refers to."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.modules: list[str] = []
        self._seen: set[int] = set()

    def see(self, value: Any) -> None:
        if isinstance(value, ModuleType):
            self.modules.append(value.__name__)
            self.parts.append(f"module {value.__name__}")
        elif isinstance(value, _PLAIN):
            self.parts.append(repr(value))
        elif id(value) in self._seen:
            self.parts.append("seen")
        else:
            self._seen.add(id(value))
            self._see_inside(value)

    def _see_inside(self, value: Any) -> None:
        if isinstance(value, Metric):
            self.parts.append(
                f"metric {value.name} {value.unit} {value.of} {value.over} {value.limits}"
            )
            self.see(value.function)
        elif isinstance(value, staticmethod | classmethod):
            self.see(value.__func__)
        elif isinstance(value, property):
            self.see((value.fget, value.fset, value.fdel))
        elif isinstance(value, type | FunctionType) and value.__module__ != _MAIN:
            self.modules.append(value.__module__)
            self.parts.append(f"{value.__module__}.{value.__qualname__}")
        elif isinstance(value, type):
            self._see_class(value)
        elif isinstance(value, FunctionType):
            self._see_function(value)
        elif isinstance(value, CodeType):
            self._see_code(value)
        elif isinstance(value, tuple | list):
            self.parts.append(type(value).__name__)
            for element in value:
                self.see(element)
        elif isinstance(value, frozenset | set):
            self.parts.append(repr(sorted(map(repr, value))))
        elif isinstance(value, dict):
            self.parts.append("dict")
            for key, inner in value.items():
                self.see(key)
                self.see(inner)
        else:
            self._see_object(value)

    def _see_class(self, value: type) -> None:
        self.parts.append(f"class {value.__qualname__}")
        for base in value.__bases__:
            self.see(base)
        for name, inner in sorted(vars(value).items()):
            # Python sets these attributes itself; they change nothing that runs.
            if name not in {"__dict__", "__weakref__", "__doc__", "__annotations__", "_abc_impl"}:
                self.parts.append(name)
                self.see(inner)

    def _see_function(self, value: FunctionType) -> None:
        self._see_code(value.__code__)
        self.see(value.__defaults__)
        self.see(value.__kwdefaults__)
        for cell in value.__closure__ or ():
            self.see(cell.cell_contents)
        for name in _names_in(value.__code__):
            if name in value.__globals__:
                self.parts.append(name)
                self.see(value.__globals__[name])

    def _see_code(self, code: CodeType) -> None:
        self.parts.append(
            f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_argcount} "
            f"{code.co_kwonlyargcount}"
        )
        for constant in code.co_consts:
            self.see(constant)

    def _see_object(self, value: Any) -> None:
        self.see(type(value))
        try:
            self.parts.append(pickle.dumps(value, protocol=4).hex())
        except Exception:
            # An open file or a lock has no value to compare; its class has been noted.
            self.parts.append("object")


def _names_in(code: CodeType) -> list[str]:
    inner = [
        name
        for constant in code.co_consts
        if isinstance(constant, CodeType)
        for name in _names_in(constant)
    ]
    return list(dict.fromkeys([*code.co_names, *inner]))
