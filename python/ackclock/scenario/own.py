"""The user's classes that a congestion control names, ``python:MODULE:CLASS``.

A module is looked for beside the scenario's file, among those already imported, in the current
directory, and on Python's own path. It is imported only if `ackclock.runtime.permission` admits it.
Where nothing may be imported, a name stands for a class of which nothing else is known.
"""

from __future__ import annotations

import importlib
import inspect
import math
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, MethodType
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from ackclock.cc import Avoidance, CongestionControl, Setup, SlowStart
from ackclock.errors import Error
from ackclock.messages import did_you_mean, shorten, shown
from ackclock.runtime import permission
from ackclock.runtime.interruption import is_ctrl_c
from ackclock.scenario.errors import translate
from ackclock.scenario.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType, TracebackType

    from ackclock._core import Stream

__all__ = ["Finder", "Found", "OwnClassError"]

_PACKAGE = Path(__file__).parents[1]
_PREFIX = "python:"
_FORM = "python:MODULE:CLASS"
# Optional methods of a class; the core calls these and those that the role demands.
_OPTIONAL = (
    "begin",
    "observe",
    "take_over",
    "on_repeated_timeout",
    "on_loss_window",
    "on_recovery_exit",
    "on_idle_restart",
    "on_transmit_start",
    "on_lost",
    "on_spurious",
    "begin_interval",
    "on_interval",
    "limits_itself",
    "internals",
    "rule",
    "clone",
)
_ROLES: dict[type, Literal["avoidance", "slow start", "whole"]] = {
    Avoidance: "avoidance",
    SlowStart: "slow start",
    CongestionControl: "whole",
}
_NEEDED: dict[type | None, str] = {
    Avoidance: "an avoidance has next_cwnd(ack, window) and ssthresh(event, window)",
    SlowStart: "a slow start has on_ack(ack, window)",
    CongestionControl: "a congestion control has on_ack(ack) and on_congestion(event)",
    None: "a congestion control has on_ack(ack) and on_congestion(event); one half of it is a "
    "subclass of ackclock.cc.Avoidance or ackclock.cc.SlowStart",
}

# Modules that were imported for a scenario, with the time of their file then: a changed file is
# imported again.
_imported: dict[str, int] = {}


# Parts of a congestion control: `cos+reno`, but not the signs of `(a=+1)`.
_BETWEEN = re.compile(r"\+(?=\w)")


class OwnClassError(Error, ValueError):
    """A name of a class that leads nowhere, or to a class that is no congestion control."""

    kind = "own-code"


@dataclass(frozen=True)
class Found:
    """A class with arguments for its constructor, as the core takes it."""

    algorithm: type[Any]
    arguments: dict[str, float]
    role: Literal["avoidance", "slow start", "whole"]
    slow_start: str
    """Slow start that joins an avoidance without one."""
    implies: dict[str, str]
    """Transport options that the class stands for."""
    defines: frozenset[str]
    """Optional methods of the class, and ``owns_window``."""
    label: str
    file: str
    """File name as in Python's code objects."""
    shown_file: str

    def make(
        self,
        mss: int,
        initial_window: int,
        initial_ssthresh: int | None,
        has_sack: bool,
        stream: Stream,
    ) -> object:
        """Construct an object of the class."""
        return self.algorithm(
            Setup(mss, initial_window, initial_ssthresh, has_sack, stream), **self.arguments
        )


@dataclass(frozen=True)
class Finder:
    """Finds the class of a name; the core calls it for every name that is not built in."""

    folder: Path | None = None
    """The folder of the scenario's file."""
    rereads: bool = False
    """Whether a module whose file has changed is imported again; not while a scenario runs."""
    carried: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Classes of another process's script or notebook, by name."""
    looks: bool = field(default_factory=lambda: permission.current().looks)
    """Whether nothing is imported, and the place of a name says what it stands for."""
    spec: str = ""
    """The congestion control that is looked at."""
    _known: dict[tuple[str, ...], Found] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __call__(self, name: str, arguments: Mapping[str, str]) -> Found | None:
        """The class of a name that begins with ``python:``; None for any other name.

        Raises
        ------
        OwnClassError
            If there is no such class, or it is no congestion control.
        """
        if not name.startswith(_PREFIX):
            return None
        if self.looks:
            _check_form(name)
            return _unread(name, self.spec)
        key = (name, *arguments, *arguments.values())
        if key not in self._known:
            self._known[key] = self._find(name, arguments)
        return self._known[key]

    def of(self, spec: str) -> Finder:
        """Return the finder for the parts of a congestion control, such as ``cos+python:a:B``."""
        return replace(self, spec=spec) if self.looks else self

    def draws(self, name: str) -> bool:
        """Whether the code of a class draws: it names ``random``, such as that of its `Setup`.

        False if nothing may be imported.

        Raises
        ------
        OwnClassError
            If there is no such class.
        """
        return not self.looks and any(
            "random" in _names_in(member)
            for base in self._class_of(name).__mro__
            if not base.__module__.startswith("ackclock.")
            for member in vars(base).values()
        )

    def _class_of(self, name: str) -> type[Any]:
        module_name, class_name = _check_form(name)
        if module_name == "__main__" and class_name in self.carried:
            carried: type[Any] = self.carried[class_name]
            return carried
        return _class(self.module(module_name), class_name)

    def _find(self, name: str, arguments: Mapping[str, str]) -> Found:
        algorithm = self._class_of(name)
        return _found(algorithm, _values(algorithm, arguments))

    def module(self, name: str) -> ModuleType:
        """Import a module, looked for in the order that the top of this file gives.

        Raises
        ------
        OwnClassError
            If there is no such module, or the import fails.
        ackclock.NotTrustedError
            If the user has not permitted it.
        """
        try:
            permission.admit(name, self.folder)
        except ModuleNotFoundError as error:
            raise self._cannot_import(name, error) from None
        folders = permission.search_folders(name, self.folder)
        beside = None if self.folder not in folders else _source(self.folder, name)
        known = sys.modules.get(name)
        if known is not None:
            origin = _file_of(known)
            if beside is not None and (origin is None or not beside.samefile(origin)):
                raise OwnClassError(
                    f"'{name}' is {_shown_file(str(beside))}, but a module of that name is "
                    "imported already"
                    f"{'' if origin is None else f' from {origin}'}: give one of them another name"
                )
            if (
                not self.rereads
                or name not in _imported
                or origin is None
                or _changed(origin) == _imported[name]
            ):
                return known
            del sys.modules[name]
        with on_path(folders):
            try:
                module = importlib.import_module(name)
            except BaseException as error:
                if not isinstance(error, Exception) and is_ctrl_c(error):
                    raise
                raise self._cannot_import(name, error) from error
        if (origin := _file_of(module)) is not None:
            _imported[name] = _changed(origin)
            permission.announce(origin)
        return module

    def _cannot_import(self, name: str, error: BaseException) -> OwnClassError:
        if (
            isinstance(error, ModuleNotFoundError)
            and error.name is not None
            and f"{name}.".startswith(f"{error.name}.")
        ):
            beside = (
                "" if self.folder in {None, Path.cwd()} else f"{_shown_file(str(self.folder))}, "
            )
            near = {
                path.stem
                for folder in (self.folder, Path.cwd())
                if folder is not None
                for path in folder.glob("*.py")
            }
            return OwnClassError(
                f"there is no module '{name}' in {beside}the current directory or on Python's "
                f"path{did_you_mean(name, sorted(near))}"
            )
        what = shorten(str(error), 140)
        place = _line(error.__traceback__) or name
        if isinstance(error, SyntaxError) and error.filename is not None:
            what, place = error.msg, f"{_shown_file(error.filename)}, line {error.lineno}"
        return OwnClassError(
            f"importing '{name}' raised {type(error).__name__}{what and f': {what}'} "
            f"({shorten(place, 90)})"
        )


def _names_in(member: object) -> frozenset[str]:
    """Names that the code of a function, a property or a nested function uses."""
    function = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
    code = getattr(function, "__code__", None)
    return frozenset() if code is None else _names_of(code)


def _names_of(code: CodeType) -> frozenset[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(code.co_names).union(*map(_names_of, inner))


def _check_form(name: str) -> tuple[str, str]:
    """Return the module and the class of a name."""
    module_name, colon, class_name = name.removeprefix(_PREFIX).partition(":")
    if (
        not colon
        or not class_name
        or not all(part.isidentifier() for part in module_name.split("."))
    ):
        raise OwnClassError(
            f"{shown(name)} names no class: write {_FORM}, such as python:my_reno:MyReno"
        )
    return module_name, class_name


def _unread(name: str, spec: str) -> Found:
    """Return a class of which only the name is known; its place in the spec gives the role."""
    parts = [part.strip().partition("(")[0].strip() for part in _BETWEEN.split(spec)]
    place = parts.index(name) if name in parts else 0
    role: Literal["avoidance", "slow start", "whole"] = (
        "whole" if len(parts) == 1 else "slow start" if place == 0 else "avoidance"
    )
    return Found(
        algorithm=_Unread,
        arguments={},
        role=role,
        slow_start="classic",
        implies={},
        defines=frozenset(),
        label=name.rpartition(":")[2],
        file=name,
        shown_file=name,
    )


class _Unread:
    """Stands for a class that is not imported."""

    def __init__(self, _setup: Setup) -> None:
        raise OwnClassError("its code is not run here, because this command only looks")


def _source(folder: Path, name: str) -> Path | None:
    """The file of a module in a folder."""
    path = folder.joinpath(*name.split("."))
    candidates = (path.with_name(f"{path.name}.py"), path / "__init__.py")
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file) if file is not None and Path(file).is_file() else None


def _changed(file: Path) -> int:
    return file.stat().st_mtime_ns


@contextmanager
def on_path(folders: list[Path]) -> Iterator[None]:
    """Import from these folders first, without compiled files: none is written, and none read.

    Python takes a compiled file for current if the source changed within the same second. One that
    others made can hold other code than the source that the user has read.
    """
    before, writes_nothing = sys.path[:], sys.dont_write_bytecode
    prefix = sys.pycache_prefix
    sys.path[:0] = [str(folder) for folder in folders]
    sys.dont_write_bytecode = True
    # Nothing can be below this one.
    sys.pycache_prefix = os.devnull
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = before
        sys.dont_write_bytecode = writes_nothing
        sys.pycache_prefix = prefix


def _shown_file(file: str) -> str:
    path = Path(file)
    if "ipykernel" in file:
        return "notebook"
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _line(traceback: TracebackType | None) -> str | None:
    """The innermost line outside of the import system and ackclock."""
    place = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if "importlib" not in file and not Path(file).is_relative_to(_PACKAGE):
            place = f"{_shown_file(file)}, line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place


def _class(module: ModuleType, name: str) -> type[Any]:
    here: object = module
    for part in name.split("."):
        names = (
            [known for known, value in vars(here).items() if isinstance(value, type)]
            if hasattr(here, "__dict__")
            else []
        )
        if not hasattr(here, part):
            hint = (
                "; a class of a script or notebook is known there only: save it in a file"
                if module.__name__ == "__main__"
                else ""
            )
            raise OwnClassError(
                f"there is no class '{name}' in "
                f"'{module.__name__}'{did_you_mean(part, names)}{hint}"
            )
        here = getattr(here, part)
    if not isinstance(here, type):
        raise OwnClassError(
            f"'{name}' in '{module.__name__}' is a {type(here).__name__} and no class"
        )
    return here


def _constructor(algorithm: type[Any]) -> list[inspect.Parameter]:
    """Parameters of a class's constructor, without `self`.

    Up to Python 3.11.3, for a class without an `__init__` of its own, `inspect.signature` takes the
    `__new__` of its base classes, which allows anything (CPython gh-105080).
    """
    own = algorithm.__init__ is not object.__init__
    made = MethodType(algorithm.__init__, algorithm) if own else algorithm
    return list(inspect.signature(made).parameters.values())


def _values(algorithm: type[Any], arguments: Mapping[str, str]) -> dict[str, float]:
    """The constructor's arguments as numbers and truth values, none unknown and none missing."""
    label = algorithm.__qualname__
    try:
        parameters = _constructor(algorithm)
    except (ValueError, TypeError):
        raise OwnClassError(
            f"{label} does not say what its constructor takes: def __init__(self, setup)"
        ) from None
    kinds = inspect.Parameter
    if not parameters or parameters[0].kind not in (
        kinds.POSITIONAL_ONLY,
        kinds.POSITIONAL_OR_KEYWORD,
        kinds.VAR_POSITIONAL,
    ):
        raise OwnClassError(f"the constructor of {label} takes no setup: def __init__(self, setup)")
    if parameters[0].kind is not kinds.VAR_POSITIONAL:
        del parameters[0]
    named = {
        parameter.name: parameter
        for parameter in parameters
        if parameter.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)
    }
    for name in arguments:
        if name not in named and not any(
            parameter.kind is kinds.VAR_KEYWORD for parameter in parameters
        ):
            there_are = f"it has {', '.join(named)}" if named else "it has none at all"
            raise OwnClassError(
                f"{label} has no parameter '{name}'{did_you_mean(name, named)} ({there_are})"
            )
    for parameter in parameters:
        if (
            parameter.default is kinds.empty
            and parameter.name not in arguments
            and parameter.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)
        ):
            raise OwnClassError(
                f"{label} needs a value for its parameter '{parameter.name}': "
                f"{label}({parameter.name}=...)"
            )
    return {name: _value(label, name, text) for name, text in arguments.items()}


def _value(label: str, name: str, text: str) -> float:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if math.isfinite(number):
            return number
    raise OwnClassError(f"{label}: {name} = {shown(text)} is not a finite number, true or false")


def _found(algorithm: type[Any], arguments: dict[str, float]) -> Found:
    label = algorithm.__qualname__
    base = next((base for base in _ROLES if issubclass(algorithm, base)), None)
    if algorithm is base:
        raise OwnClassError(f"{label} is the base of such classes: write a class of your own")
    if missing := getattr(algorithm, "__abstractmethods__", None):
        raise OwnClassError(f"{label} has no {' and no '.join(sorted(missing))}: {_NEEDED[base]}")
    if base is None:
        for method in ("on_ack", "on_congestion"):
            if not callable(getattr(algorithm, method, None)):
                raise OwnClassError(f"{label} has no {method}: {_NEEDED[base]}")
    defines = {
        name
        for name in _OPTIONAL
        if hasattr(algorithm, name) and getattr(algorithm, name) is not getattr(base, name, None)
    }
    if getattr(algorithm, "owns_window", False):
        defines.add("owns_window")
    main = getattr(algorithm, "next_cwnd" if base is Avoidance else "on_ack")
    file = getattr(getattr(inspect.unwrap(main), "__code__", None), "co_filename", label)
    return Found(
        algorithm=algorithm,
        arguments=arguments,
        role="whole" if base is None else _ROLES[base],
        slow_start=_slow_start(algorithm),
        implies=_implied(algorithm),
        defines=frozenset(defines),
        label=label,
        file=file,
        shown_file=_shown_file(file),
    )


def _slow_start(algorithm: type[Any]) -> str:
    name = getattr(algorithm, "slow_start", "classic")
    if not isinstance(name, str):
        raise OwnClassError(
            f"{algorithm.__qualname__}.slow_start = {shown(name)} is not the name of a slow "
            "start, such as 'classic'"
        )
    return name


def _implied(algorithm: type[Any]) -> dict[str, str]:
    implies = getattr(algorithm, "implies", {})
    try:
        Transport.model_validate(dict(implies))
    except (ValidationError, TypeError, ValueError) as errors:
        error = translate(errors, implies) if isinstance(errors, ValidationError) else errors
        raise OwnClassError(f"{algorithm.__qualname__}.implies: {error}") from None
    if implies and issubclass(algorithm, SlowStart):
        raise OwnClassError(
            f"{algorithm.__qualname__}.implies: a slow start stands for no transport options; its "
            "avoidance may"
        )
    return {
        option: str(value).lower() if isinstance(value, bool) else str(value)
        for option, value in implies.items()
    }
