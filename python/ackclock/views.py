"""Views of results, by name: functions that draw, tabulate and measure them.

`ackclock.results` and `ackclock.sweeps` do not import the packages above them. A result asks for
a view by its name, and the view's module is imported at that moment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["VIEWS", "view"]

VIEWS: dict[str, str] = {
    "capture.figure": "ackclock.plot.capture:capture",
    "figure.pgf": "ackclock.plot.pgf:write_pgf",
    "run.metric": "ackclock.metrics:find_metric",
    "run.figure": "ackclock.plot.overview:overview",
    "run.figures": "ackclock.plot.overview:write_all",
    "run.phases": "ackclock.curves.phases:phase_frame",
    "run.page": "ackclock.report:write_report",
    "run.notebook": "ackclock.report.notebook:result_html",
    "sweep.tables": "ackclock.report.sweep.exported:sweep_tables",
    "sweep.means": "ackclock.report.sweep.exported:means_table",
    "sweep.differences": "ackclock.report.sweep.exported:differences_table",
    "sweep.figure": "ackclock.plot.sweep:draw",
    "sweep.figures": "ackclock.plot.sweep:write_sweep",
    "sweep.pictures": "ackclock.plot.sweep:pictures",
    "sweep.notes": "ackclock.report.sweep.words:notes",
    "sweep.page": "ackclock.report:write_report",
    "sweep.terminal": "ackclock.report.sweep:sweep_view",
    "sweep.notebook": "ackclock.report.sweep:sweep_html",
}
"""The function of each view, "package.module:function", by "kind of result.view"."""


def view(name: str) -> Callable[..., Any]:
    """The function that makes a view; `name` is a key of `VIEWS`, such as "run.figure"."""
    module, _, function = VIEWS[name].partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
