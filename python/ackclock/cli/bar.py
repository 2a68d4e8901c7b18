"""The bar of a progress line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import progress
from rich.text import Text

if TYPE_CHECKING:
    from ackclock.cli.console import Console

__all__ = ["bar"]


class _Left(progress.TimeRemainingColumn):
    """The time left: as given, or from the speed of the bar."""

    # The base class refreshes twice a second at most; given times are rare anyway.
    max_refresh = 0.0

    def render(self, task: progress.Task) -> Text:
        """Minutes and seconds."""
        left = task.fields.get("left")
        if left is None:
            return super().render(task)
        minutes, seconds = divmod(round(left), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(
            f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}",
            style="progress.remaining",
        )


def bar(console: Console) -> progress.Progress:
    """A line with a name, a bar, a text and the time left; it vanishes at the end."""
    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(bar_width=None),
        progress.TextColumn("{task.fields[text]}", markup=False),
        _Left(compact=True),
        progress.TextColumn("left"),
        console=console,
        transient=True,
        expand=True,
        # With redirected streams the bar would stay after Ctrl-C.
        redirect_stdout=False,
        redirect_stderr=False,
    )
