"""The error of files that hold something else than they should."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ackclock.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["DamagedError", "decoding"]

_LONGEST = 160
# What code raises that takes a value apart which has another shape than it should.
_OF_SHAPE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class DamagedError(FormatError):
    """A file is damaged, asks for too much memory, or holds something else; the text says which."""


@contextmanager
def decoding(file: str | Path, what: str) -> Iterator[None]:
    """Let errors of taking a file's content apart say that the file is damaged.

    Only for blocks that decode: a defect elsewhere must not look like a damaged file.

    Parameters
    ----------
    file
        The file, for the message.
    what
        What it should hold: "a plan".

    Raises
    ------
    DamagedError
        If the block raises what a value of another shape raises.
    """
    try:
        yield
    except DamagedError:
        raise
    except _OF_SHAPE as error:
        text = str(error).partition("\n")[0]
        if not isinstance(error, ValueError):
            text = f"{type(error).__name__}: {text}"
        raise DamagedError(f"{file}: damaged, or not {what}: {text[:_LONGEST]}") from error
