"""Live progress on standard error, if that is a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import progress
from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from ackclock.sweeps import Progress

__all__ = ["Meter", "messages"]


def messages(*, quiet: bool) -> Console:
    """The console for messages: standard error."""
    return Console(stderr=True, quiet=quiet, highlight=False)


class _Left(progress.TimeRemainingColumn):
    """The time left: as given, or from the speed of the bar."""

    # The base class refreshes twice a second at most; given times are rare anyway.
    max_refresh = 0.0

    def render(self, task: progress.Task) -> Text:
        """Minutes and seconds."""
        told = task.fields.get("left")
        if told is None:
            return super().render(task)
        minutes, seconds = divmod(round(told), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(
            f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}",
            style="progress.remaining",
        )


class Meter:
    """A line with a bar, a text and the time left; it vanishes at the end."""

    def __init__(self, console: Console, what: str) -> None:
        self._progress = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(bar_width=None),
            progress.TextColumn("{task.fields[text]}"),
            _Left(compact=True),
            progress.TextColumn("left"),
            console=console,
            transient=True,
            expand=True,
            disable=not console.is_terminal,
            # With redirected streams the bar would stay after Ctrl-C.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._what = what
        self._task: progress.TaskID | None = None

    def __enter__(self) -> Meter:
        """Show the line."""
        self._progress.start()
        self._task = self._progress.add_task(self._what, total=1.0, text="")
        return self

    def __exit__(self, *_exception: object) -> None:
        """Take the line away."""
        self._progress.stop()

    def update(self, share: float, text: str, *, left: float | None = None) -> None:
        """Show the share that is done, 0 to 1; `left`, s, replaces the bar's estimate."""
        if self._task is not None:
            self._progress.update(self._task, completed=share, text=text, left=left)

    def show(self, now: Progress) -> None:
        """Show the progress of a sweep or a study."""
        experiment = f"{now.experiment} " if now.experiment else ""
        reused = f", {now.reused:,} reused" if now.reused else ""
        runs = f"{now.finished:,}/{now.runs:,} runs{reused}  {now.rate:.1f}/s"
        self.update(now.share, experiment + runs, left=now.left)
