"""report.html: one file with everything in it, to read on a screen, a phone or paper, with or without a network."""

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.writing import write_text

if TYPE_CHECKING:
    from ackclock.results import Comparison, Result
    from ackclock.sweeps.result import SweepResult

__all__ = ["write_report"]


def write_report(result: "Result | Comparison | SweepResult", path: str | Path) -> Path:
    """Write the report of a run, a comparison or a sweep.

    Parameters
    ----------
    result : Result, Comparison or SweepResult
        What to report.
    path : str or Path
        The HTML file.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ackclock.WriteError
        If it cannot be written; an earlier file is untouched.
    """
    from ackclock.results import Comparison, Result

    if isinstance(result, Result):
        from ackclock.report.run import run_page

        page = run_page(result)
    elif isinstance(result, Comparison):
        from ackclock.report.comparison import comparison_page

        page = comparison_page(result)
    else:
        from ackclock.report.sweep.page import sweep_page

        page = sweep_page(result)
    target = Path(path)
    write_text(target, page)
    return target
