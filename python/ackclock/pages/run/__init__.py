"""report.html: one self-contained file, for a screen, a phone or paper; it needs no network."""

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import write_text

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.sweeps.result import SweepResult

__all__ = ["write_report"]


def write_report(
    result: "Result | SweepResult", path: str | Path, *, playground: str | None = None
) -> Path:
    """Write the report of a run, or of a sweep or comparison.

    Parameters
    ----------
    result : Result or SweepResult
        The results to report.
    path : str or Path
        The HTML file; it is returned as a Path.
    playground : str, optional
        Address of the page that "Open in the playground" opens, in place of the public one or that
        of the environment variable ACKCLOCK_PLAYGROUND.

    Raises
    ------
    ackclock.pages.playground.PlaygroundError
        If that is no address of a page.
    ackclock.WriteError
        If the file cannot be written; an earlier file is untouched.
    """
    from ackclock.results import Result

    if isinstance(result, Result):
        from ackclock.pages.run.run import run_page

        page = run_page(result, playground)
    else:
        from ackclock.pages.run.sweep.page import sweep_page

        page = sweep_page(result)
    target = Path(path)
    write_text(target, page)
    return target
