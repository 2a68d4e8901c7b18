"""Files of empirical distribution functions: a value and its cumulative probability on each line.

A line has two columns, or ns-2's three (`EmpiricalRandomVariable`), whose middle one is unused.
Values ascend, and probabilities ascend to 1. Blank lines and comments after ``#`` are skipped.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ackclock.errors import Error
from ackclock.messages import did_you_mean, shorten, shown
from ackclock.scenario.paths import UnreadableError, find, message_of, read_text, where_else

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PUBLISHED", "CdfError", "read_cdf"]

PUBLISHED = ("websearch", "datamining")
"""Names of published distributions of flow sizes, in bytes: a file each in the folder `sizes`."""

# A probability written with nine digits may end this far from 1.
_NEAR = 1e-9

Points = tuple[tuple[float, float], ...]


class CdfError(Error, ValueError):
    """A file that is no distribution function."""

    kind = "unreadable"
    is_of_content = False
    """Whether the text may have some of the file's content."""


def read_cdf(file: str, folder: Path | None) -> Points:
    """The points of a published distribution, or of a file.

    The file's name is relative to `folder`, or else to the current one.

    Raises
    ------
    CdfError
        If the file cannot be read or is not a distribution function; the message has the line.
    """
    if file in PUBLISHED:
        return _published(file)
    path = find(file, folder)
    try:
        stat = path.stat()
        return _read(path, file, stat.st_mtime_ns, stat.st_size)
    except CdfError as error:
        error.is_of_content = True
        about = message_of(error, path, folder, "no distribution function")
        raise CdfError(about if about == str(error) else f"{file}, {about}") from None
    except FileNotFoundError:
        near = did_you_mean(file, PUBLISHED)
        way = where_else(path, folder) or near or " (names are relative to the scenario's folder)"
        raise CdfError(f"there is no file {file}{way}") from None
    except OSError as error:
        raise CdfError(f"{file} cannot be read: {error.strerror}") from None
    except UnreadableError as error:
        raise CdfError(f"{file}: {error}") from None
    except ValueError:
        raise CdfError(f"{shown(file)} is no path of a file") from None


@cache
def _published(name: str) -> Points:
    # The package may lie in an archive.
    from importlib.resources import files

    file = files("ackclock.scenario") / "sizes" / f"{name}.cdf"
    return _points(file.read_text(encoding="utf-8"), name)


@lru_cache(maxsize=64)
def _read(path: Path, file: str, _changed_ns: int, _size: int) -> Points:
    return _points(read_text(path), file)


def _points(text: str, file: str) -> Points:
    points: list[tuple[float, float]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            points.append(
                _point(words, points[-1] if points else (0.0, 0.0), f"{file}, line {number}")
            )
    if not points:
        raise CdfError(f"{file} is empty: it needs lines of a value and a probability, up to 1")
    value, last = points[-1]
    if last < 1 - _NEAR:
        raise CdfError(f"{file}: the last probability is {last:g}, and must be 1")
    points[-1] = (value, 1.0)
    return tuple(points)


def _point(words: list[str], before: tuple[float, float], place: str) -> tuple[float, float]:
    if len(words) not in (2, 3):
        raise CdfError(
            f"{place}: {len(words)} columns; there are two, value and probability, or ns-2's three"
        )
    try:
        value, probability = float(words[0]), float(words[-1])
    except ValueError:
        raise CdfError(
            f"{place}: {shown(' '.join(words))} is not a value and a probability"
        ) from None
    if not (math.isfinite(value) and value >= 0):
        raise CdfError(f"{place}: the value {shorten(words[0])} is not a number from zero on")
    if value < before[0]:
        raise CdfError(
            f"{place}: the value {shorten(words[0])} comes after {before[0]:g}; values ascend"
        )
    if not 0 <= probability <= 1:
        raise CdfError(f"{place}: the probability {shorten(words[-1])} is not from 0 to 1")
    if probability < before[1]:
        raise CdfError(
            f"{place}: the probability {shorten(words[-1])} comes after {before[1]:g}; "
            "probabilities ascend"
        )
    return value, probability
