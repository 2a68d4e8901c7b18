"""report.html: one file with everything in it, to read on a screen, a phone or paper, with or without a network."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.results import Comparison, Result

__all__ = ["write_report"]


def write_report(result: "Result | Comparison", path: str | Path) -> Path:
    """Write the report of a run or a comparison.

    Parameters
    ----------
    result : Result or Comparison
        What to report.
    path : str or Path
        The HTML file.

    Returns
    -------
    Path
        The file.
    """
    from ackclock.report.comparison import comparison_page
    from ackclock.report.run import run_page
    from ackclock.results import Comparison

    page = comparison_page(result) if isinstance(result, Comparison) else run_page(result)
    target = Path(path)
    target.write_text(page, encoding="utf-8")
    return target
