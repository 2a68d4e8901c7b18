"""Live progress on standard error, if that is a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.cli.console import Console

if TYPE_CHECKING:
    from rich import progress

    from ackclock.sweeps import Progress

__all__ = ["Meter", "messages"]


def messages(*, quiet: bool) -> Console:
    """The console for messages: standard error."""
    return Console(stderr=True, quiet=quiet)


class Meter:
    """A line with a bar, a text and the time left; it vanishes at the end."""

    def __init__(self, console: Console, what: str) -> None:
        self._progress: progress.Progress | None = None
        if console.is_terminal and not console.quiet:
            # Loading it takes a fifth of a short run.
            from ackclock.cli.bar import bar

            self._progress = bar(console)
        self._what = what
        self._task: progress.TaskID | None = None

    def __enter__(self) -> Meter:
        """Show the line."""
        if self._progress is not None:
            self._progress.start()
            self._task = self._progress.add_task(self._what, total=1.0, text="")
        return self

    def __exit__(self, *_exception: object) -> None:
        """Take the line away."""
        if self._progress is not None:
            self._progress.stop()

    def update(self, share: float, text: str, *, left: float | None = None) -> None:
        """Show the share that is done, 0 to 1; `left`, s, replaces the bar's estimate."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=share, text=text, left=left)

    def show(self, now: Progress) -> None:
        """Show the progress of a sweep or a study."""
        experiment = f"{now.experiment} " if now.experiment else ""
        reused = f", {now.reused:,} reused" if now.reused else ""
        runs = f"{now.finished:,}/{now.runs:,} runs{reused}  {now.rate:.1f}/s"
        self.update(now.share, experiment + runs, left=now.left)
