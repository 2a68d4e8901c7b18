"""Text that no parser wants: letters of every script, numbers of every length, its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Other scripts' digits, signs and ends of lines.
_LETTERS = (
    "",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u2028",
    "\u00b2",
    "\u0663",
    "\u2212",
    "\ufeff",
    "\U0001f600",
)
# Numbers that no type holds, and what some readers take for numbers.
_NUMBERS = (
    "0",
    "1",
    "-1",
    "+1",
    "00",
    "1.5",
    "1e3",
    "1e400",
    "1e-400",
    "1e999999999",
    "-0",
    ".5",
    "5.",
)
_STRANGE = ("nan", "inf", "-inf", "Infinity", "1_000", "0x10", "9" * 19, "9" * 40, "9" * 5000)
_SIGNS = (*'()[]{}<>=+*,.:;#/"\\`', "'", "//", "/*", "*/", "%{", "true", "None", "null")
PIECES = (*_LETTERS, *_NUMBERS, *_STRANGE, *_SIGNS)


def texts(*words: str) -> SearchStrategy[str]:
    """Any text, and the parser's own words and `PIECES` in any order."""
    pieces = st.lists(st.sampled_from((*PIECES, *words, *words)), max_size=12)
    return st.one_of(st.text(max_size=40), pieces.map("".join), pieces.map(" ".join))


def broken(good: str, *words: str) -> SearchStrategy[str]:
    """A good text with a piece put into it, or over a part of it."""

    def put(at: int, length: int, piece: str) -> str:
        return good[:at] + piece + good[at + length :]

    place = st.integers(0, len(good))
    length = st.one_of(st.integers(0, 3), place)
    return st.builds(put, place, length, st.sampled_from((*PIECES, *words)))
