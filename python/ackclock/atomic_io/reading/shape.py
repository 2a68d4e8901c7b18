"""Values of a declared shape."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from ackclock.atomic_io.reading.errors import DamagedError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["shaped"]

_T = TypeVar("_T")
_LONGEST = 120
# Pydantic parses a type's source, which Python 3.11 cannot do in two threads at the same time.
_PARSING = Lock()
_ADAPTERS: dict[object, TypeAdapter[Any]] = {}


def shaped(value: object, shape: type[_T], file: object, what: str) -> _T:
    """Return a value of a file as its declared shape.

    Parameters
    ----------
    value
        What `parse_json` returned.
    shape
        The type that declares it.
    file
        The file, for the message.
    what
        What it should hold: "a plan".

    Raises
    ------
    DamagedError
        If it has another shape; the text names the first key that is wrong.
    """
    from pydantic import TypeAdapter, ValidationError

    with _PARSING:
        if shape not in _ADAPTERS:
            _ADAPTERS[shape] = TypeAdapter(shape)
    adapter: TypeAdapter[_T] = _ADAPTERS[shape]
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError as error:
        first: Any = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:_LONGEST]
        raise DamagedError(
            f"{file}: damaged, or not {what}: {place or 'all of it'}: {first['msg'][:_LONGEST]}"
        ) from None
