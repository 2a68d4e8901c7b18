"""The engine of a run as users write it: "sim", "linux", "virtual" or "virtual:NAME"."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, WithJsonSchema

from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import problem

__all__ = ["SIMULATOR", "Engine", "EngineText", "read_engine"]

_Kind = Literal["sim", "linux", "virtual"]
_KINDS: tuple[_Kind, ...] = get_args(_Kind)


class Engine(NamedTuple):
    """An engine; its text is as a scenario has it: "virtual:7.3"."""

    kind: _Kind
    """The simulator, this machine's kernel in real time, or a kernel in virtual time."""
    kernel: str = ""
    """Name of a kernel in virtual time, as `ackclock kernel list` has it; "": the newest."""

    def __str__(self) -> str:
        """The text that `read_engine` reads."""
        return ":".join(filter(None, self))

    @property
    def label(self) -> str:
        """The text for tables: "virtual 7.3"."""
        return " ".join(filter(None, self))


SIMULATOR = Engine("sim")


def read_engine(text: object) -> Engine:
    """The engine of a text.

    Raises
    ------
    ValueError
        If it is none; the text has the nearest.

    Examples
    --------
    >>> from ackclock.scenario.engine import read_engine
    >>> read_engine("virtual:7.3").label
    'virtual 7.3'
    """
    kind, colon, kernel = text.partition(":") if isinstance(text, str) else ("", "", "")
    for known in _KINDS:
        if kind == known and (not colon or (kernel and known == "virtual")):
            return Engine(known, kernel)
    near = did_you_mean(kind, _KINDS) if not colon else ""
    raise ValueError(f"{shown(text)} is not one of {', '.join(_KINDS)}, virtual:NAME{near}")


def _check(value: Any) -> str:
    try:
        return str(read_engine(value))
    except ValueError as error:
        raise problem(str(error), kind="unknown-name") from None


EngineText = Annotated[
    str,
    BeforeValidator(_check),
    WithJsonSchema(
        {"anyOf": [{"enum": list(_KINDS)}, {"type": "string", "pattern": "^virtual:.+$"}]}
    ),
]
"""Text of an engine in a table."""
