"""Live progress on standard error; nothing where that is not a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

if TYPE_CHECKING:
    from rich.progress import Task, TaskID

__all__ = ["Meter", "messages"]


def messages(*, quiet: bool) -> Console:
    """The console for messages: standard error."""
    return Console(stderr=True, quiet=quiet, highlight=False)


class _Left(TimeRemainingColumn):
    """The time left: as told, or from how fast the bar moves."""

    # Not at most once in half a second, as the class before has it: told times come seldom enough.
    max_refresh = 0.0

    def render(self, task: Task) -> Text:
        """Minutes and seconds."""
        told = task.fields.get("left")
        if told is None:
            return super().render(task)
        minutes, seconds = divmod(round(told), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}", style="progress.remaining")


class Meter:
    """A line with a bar, a text and the time left; it vanishes at the end."""

    def __init__(self, console: Console, what: str) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.fields[text]}"),
            _Left(compact=True),
            TextColumn("left"),
            console=console,
            transient=True,
            expand=True,
            disable=not console.is_terminal,
            # Its own clean-up of Ctrl-C would leave the bar behind.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._what = what
        self._task: TaskID | None = None

    def __enter__(self) -> Meter:
        """Show the line."""
        self._progress.start()
        self._task = self._progress.add_task(self._what, total=1.0, text="")
        return self

    def __exit__(self, *_exception: object) -> None:
        """Take the line away."""
        self._progress.stop()

    def update(self, share: float, text: str, *, left: float | None = None) -> None:
        """Show how far it is, 0 to 1; `left`, s, where somebody knows better than the bar's own pace."""
        if self._task is not None:
            self._progress.update(self._task, completed=share, text=text, left=left)

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        task = self._progress.tasks[0] if self._progress.tasks else None
        return (task.elapsed or 0.0) if task is not None else 0.0
