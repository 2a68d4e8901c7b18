"""The one way of a command's text to the user: no control characters, in any encoding.

Names, labels and warnings may come from somebody else's scenario, results or capture. A terminal
obeys control characters in them: it changes its title, its colours, or the text above. `guarded`
therefore stands between a command and its two streams, also for click, rich, the module
`warnings` and tracebacks. Only `ackclock.cli.console` may send control characters: those of its own
colours and progress lines.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from ackclock.errors import Error
from ackclock.messages import escaped, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TextIO

__all__ = ["SIGN_OF_LIFE", "OutputError", "forget_output", "guarded", "json_text", "sign_of_life"]

_PLAIN = {
    "–": "-",
    "—": "-",
    "−": "-",
    "─": "-",
    "·": "|",
    "×": "x",
    "÷": "/",
    "±": "+-",
    "“": '"',
    "”": '"',
    "\u2018": "'",
    "\u2019": "'",
    "…": "...",
    "µ": "u",
    "μ": "u",
    "²": "^2",
    "³": "^3",
    "½": "1/2",
    "√": "sqrt",
    "∞": "inf",
    "→": "->",
    "↗": "^",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "§": "sec. ",
    "°": " deg",
    "●": "*",
    "│": "|",
    "├": "|",
    "┤": "|",
    "✓": "+",
    "✗": "x",
}
_ERRORS = "ackclock.plain"
# Time after which a silent command gives a sign of life, with and without a terminal, s.
_PATIENCE_S, _PATIENCE_UNSEEN_S = 1.0, 3.0


class OutputError(Error, RuntimeError):
    """A stream cannot be written to, as on a full disk; the message is one line."""

    kind = "unwritable"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Spell what a stream's encoding lacks: signs in ASCII, letters as JSON and TOML do."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter) or escaped(letter) for letter in letters), error.end


codecs.register_error(_ERRORS, _plain)


class _Stream:
    """A stream whose failures are told by its name; `clean` is applied to all that is written."""

    def __init__(self, raw: TextIO, name: str, clean: Callable[[str], str] | None = None) -> None:
        self._raw = raw
        self._name = name
        self._clean = clean
        self.is_silent = True
        self.unguarded = self if clean is None else _Unguarded(raw, name, self)

    def write(self, text: str) -> int:
        """Write text."""
        if not isinstance(text, str):
            raise TypeError("a guarded stream takes text")
        self.is_silent = False
        with self._told():
            self._raw.write(text if self._clean is None else self._clean(text))
        return len(text)

    @property
    def is_of_the_process(self) -> bool:
        """Whether this is standard output with which Python began."""
        return self._raw is sys.__stdout__

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Write what is buffered."""
        with self._told():
            self._raw.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            if self._name == "standard error":
                # There is no place left to complain at, and the results do not depend on it.
                return
            raise OutputError(f"cannot write to {self._name}: {error.strerror or error}") from error

    @property
    def buffer(self) -> Any:
        """There is none: bytes would pass the guard."""
        raise AttributeError("buffer")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)


class _Unguarded(_Stream):
    """The stream for the control characters of a console."""

    def __init__(self, raw: TextIO, name: str, guard: _Stream) -> None:
        super().__init__(raw, name)
        self._guard = guard

    def write(self, text: str) -> int:
        """Write text as it is."""
        self._guard.is_silent = False
        return super().write(text)


SIGN_OF_LIFE = "working, nothing to show yet; Ctrl-C ends it"


@contextmanager
def sign_of_life() -> Iterator[None]:
    """Say that a command works, if it has said nothing for a second (3 s if no terminal listens).

    Large inputs take longer to read and to check than a user waits without a word.
    """
    streams = sys.stdout, sys.stderr

    def tell() -> None:
        if sys.stderr is streams[1] and all(
            getattr(stream, "is_silent", False) for stream in streams
        ):
            sys.stderr.write(f"{SIGN_OF_LIFE}\n")
            sys.stderr.flush()

    is_watched = streams[1] is not None and streams[1].isatty()
    timer = threading.Timer(_PATIENCE_S if is_watched else _PATIENCE_UNSEEN_S, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def guarded() -> Iterator[None]:
    """Let a command write to the user through the guard alone, until the block ends.

    Raises
    ------
    OutputError
        While the block writes: if standard output cannot be written to. Failures of standard error
        are ignored.
    """
    before = sys.stdout, sys.stderr
    encodings = [_made_lenient(stream) for stream in before]
    out, err = before
    if out is not None:
        sys.stdout = cast("TextIO", _Stream(out, "standard output", visible))
    if err is not None:
        sys.stderr = cast("TextIO", _Stream(err, "standard error", visible))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream, errors in zip(before, encodings, strict=True):
            if errors is not None:
                cast("Any", stream).reconfigure(errors=errors)


def forget_output() -> None:
    """Give up standard output that cannot be written, so that Python does not try again at exit."""
    if isinstance(sys.stdout, _Stream) and sys.stdout.is_of_the_process:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def _made_lenient(stream: TextIO | None) -> str | None:
    """Let a stream spell characters that its encoding lacks; return how it treated them before."""
    if stream is None or not hasattr(stream, "reconfigure") or stream.errors is None:
        return None
    errors = stream.errors
    stream.reconfigure(errors=_ERRORS)
    return errors


def json_text(value: Any) -> str:
    """Return JSON for standard output, in ASCII if its encoding has no other letters."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return json.dumps(value, indent=2, ensure_ascii=not encoding.startswith("utf"))
