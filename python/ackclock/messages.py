"""Quote a user's input in messages: on one line, short, without control characters."""

from __future__ import annotations

import difflib
import itertools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "LONGEST_MESSAGE",
    "allowed_names",
    "clean",
    "did_you_mean",
    "escaped",
    "names",
    "nearest",
    "nearest_file",
    "nearest_or_all",
    "said",
    "shorten",
    "shown",
    "visible",
]

LONGEST_MESSAGE = 299
"""Length of the longest message, characters."""
_LONGEST_VALUE = 70
# Longest list of names; a longer one is cut to the nearest few.
_LONGEST_LIST = 110
# Characters of a value that are looked at; far fewer are printed.
_MOST_LOOKED_AT = 20_000

# Cc but tab and the end of a line, Cf, Zl, Zp, and the halves of surrogate pairs, which stand for
# bytes of file names that are no text.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
    r"|\r(?!\n)"
)


def clean(text: str) -> str:
    r"""The text on one line, with escapes for characters that cannot be printed.

    Examples
    --------
    >>> print(clean("red\x1b[31m, and\n more"))
    red\x1b[31m, and more
    """
    words = " ".join(text[:_MOST_LOOKED_AT].split())
    if words.isprintable():
        return words
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in words
    )


def visible(text: str) -> str:
    r"""The text with control characters and other invisible ones as JSON and TOML write them.

    Tabs and ends of lines stay. So do the pictures and letters of all scripts.

    Examples
    --------
    >>> print(visible("red\x1b[31m"))
    red\u001b[31m
    """
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return escaped(match[0])


def escaped(text: str) -> str:
    r"""The text in escapes of JSON and TOML: ``\u001b``."""
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def shorten(text: str, longest: int = _LONGEST_VALUE) -> str:
    """The text `clean`, cut to at most `longest` characters.

    Examples
    --------
    >>> shorten("a" * 100, 10)
    'aaaaaaa...'
    """
    text = clean(text)
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _sample(value: object, depth: int = 0) -> object:
    """The part of a value that a message can show, so that a huge table is not printed whole."""
    if isinstance(value, str):
        return value[:_MOST_LOOKED_AT]
    if isinstance(value, list | dict) and depth > 10:
        return "..."
    if isinstance(value, list):
        return [_sample(entry, depth + 1) for entry in value[:_LONGEST_VALUE]]
    if isinstance(value, dict):
        return {
            _sample(key): _sample(entry, depth + 1)
            for key, entry in itertools.islice(value.items(), _LONGEST_VALUE)
        }
    return value


def shown(value: object) -> str:
    """A value for a message: as in TOML, short, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 4_000:
        # Python refuses to write so many digits.
        return "a whole number of more than 1000 digits"
    try:
        text = repr(_sample(value))
    except Exception as error:
        text = f"a {type(value).__name__} (its repr raised {type(error).__name__})"
    return shorten(text)


def said(error: BaseException, longest: int = 100) -> str:
    """An exception for a message: class and text, short, on one line."""
    try:
        text = shorten(str(error), longest)
    except Exception:
        text = ""
    return f"{type(error).__name__}{text and f': {text}'}"


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the nearest of `names`, or nothing when none is near."""
    if not isinstance(name, str) or len(name) > _LONGEST_VALUE:
        return ""
    by_lower = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.55)
    return f"; did you mean '{shorten(by_lower[near[0]])}'?" if near else ""


def nearest(name: object, names: Iterable[str], most: int = 3) -> str:
    """``; did you mean 'x', 'y' or 'z'?`` for the nearest of `names`, or nothing.

    Examples
    --------
    >>> nearest("cubi", ["bic", "cubic", "reno"])
    "; did you mean 'cubic' or 'bic'?"
    """
    if not isinstance(name, str) or len(name) > _LONGEST_VALUE:
        return ""
    by_lower = {known.lower(): known for known in names}
    near = [
        f"'{shorten(by_lower[match])}'"
        for match in difflib.get_close_matches(name.lower(), by_lower, n=most, cutoff=0.55)
    ]
    if not near:
        return ""
    first = f"{', '.join(near[:-1])} or " if len(near) > 1 else ""
    return f"; did you mean {first}{near[-1]}?"


def nearest_or_all(name: object, names: Iterable[str]) -> str:
    """``; did you mean 'x'?``, or ``; there are: x, y`` if none of `names` is near."""
    known = list(names)
    return did_you_mean(name, known) or (
        f"; there are: {allowed_names(name, known)}" if known else ""
    )


def nearest_file(path: Path, *, suffix: str = "") -> str:
    """``; did you mean 'x'?`` for the nearest name of a file with that suffix beside a path."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except (OSError, ValueError):
        return ""
    return did_you_mean(path.name, (name for name in names if name.endswith(suffix)))


def allowed_names(name: object, names: Iterable[str]) -> str:
    """The allowed names: all if they are few, else the nearest to `name` and the number of others.

    Examples
    --------
    >>> allowed_names("b", ["a", "b"])
    'a, b'
    """
    known = list(names)
    text = ", ".join(known)
    if len(text) <= _LONGEST_LIST:
        return clean(text)
    word = name.lower() if isinstance(name, str) and len(name) <= _LONGEST_VALUE else ""
    near = difflib.get_close_matches(word, known, n=5, cutoff=0.6) if word else []
    first = [*near, *(candidate for candidate in known if candidate not in near)]
    few: list[str] = []
    while first and len(", ".join([*few, first[0]])) <= _LONGEST_LIST - 30:
        few.append(shorten(first.pop(0), 40))
    return f"{', '.join(few)} and {len(first)} more"


def names(known: list[str], most: int = 3) -> str:
    """A few names, and the number of others.

    Examples
    --------
    >>> names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    if len(known) <= most + 1:
        return " and ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known)
    return f"{', '.join(known[:most])} and {len(known) - most} more"
