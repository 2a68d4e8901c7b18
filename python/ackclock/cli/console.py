"""The console of all commands: a name is shown as it is, at a width that can be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rich.console import Console as RichConsole
from rich.segment import Segment

from ackclock.messages import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.status import Status
    from rich.text import Text

__all__ = ["Console"]

_SIZES = {"COLUMNS": (20, 1_000), "LINES": (5, 1_000)}


class Console(RichConsole):
    """A console without markup, emoji codes and highlighting, so that a name is shown as it is.

    It writes no control characters but its own. Its width is 20 to 1000 columns: other values of
    COLUMNS are ignored.
    """

    def __init__(self, *, stderr: bool = False, quiet: bool = False) -> None:
        super().__init__(
            stderr=stderr,
            quiet=quiet,
            highlight=False,
            markup=False,
            emoji=False,
            _environ=_sane(os.environ),
        )

    @property
    def file(self) -> Any:
        """The stream; it takes control characters from here."""
        stream = super().file
        return getattr(stream, "unguarded", stream)

    @file.setter
    def file(self, stream: Any) -> None:
        self._file = stream

    def render_str(self, text: str, **how: Any) -> Text:
        """Render text; its escapes are made here, before a column is measured."""
        return super().render_str(visible(text), **how)

    def status(self, status: Any, **how: Any) -> Status:
        """Show a line until a block ends; the block's own output keeps to its streams."""
        shown = super().status(status, **how)
        shown._live._redirect_stdout = shown._live._redirect_stderr = False
        return shown

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        return super()._render_buffer(
            segment if segment.control else Segment(visible(segment.text), segment.style)
            for segment in buffer
        )


def _sane(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without a size of the terminal at which nothing could be read."""
    variables = dict(environment)
    for name, (least, most) in _SIZES.items():
        given = variables.get(name, str(least))
        is_number = given.isascii() and given.isdigit() and len(given) <= len(str(most))
        if not (is_number and least <= int(given) <= most):
            del variables[name]
    return variables
