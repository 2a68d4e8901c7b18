"""Views of results, by name: functions that draw, tabulate and measure them.

A result does not import the modules that show it, and `ackclock.results` and `ackclock.sweeps` do
not import the packages above them. A result asks for a view by its name, and the view's module is
imported at that moment.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["VIEWS", "view"]

VIEWS: dict[str, str] = {
    "capture.figure": "ackclock.plot.capture:capture",
    "capture.files": "ackclock.tools.pcap.saving:save",
    "capture.terminal": "ackclock.tools.pcap.terminal:capture_view",
    "dossier.data": "ackclock.evaluation.output.data:data_of",
    "dossier.page": "ackclock.evaluation.output.writing:write_dossier",
    "figure.pgf": "ackclock.plot.pgf:write_pgf",
    "golden.recorded": "ackclock.golden.terminal:moved_table",
    "golden.terminal": "ackclock.golden.terminal:checks_table",
    "run.frame": "ackclock.results.run_tables:frame_of",
    "run.metric": "ackclock.metrics:find_metric",
    "run.figure": "ackclock.plot.overview:overview",
    "run.figures": "ackclock.plot.overview:write_all",
    "run.phases": "ackclock.plot_data.phases:phase_frame",
    "run.page": "ackclock.pages.run:write_report",
    "run.notebook": "ackclock.pages.run.notebook:result_html",
    "run.tables": "ackclock.results.run_tables:run_tables",
    "run.terminal": "ackclock.results.terminal:result_view",
    "size.answer": "ackclock.tools.sizing.words:answer",
    "size.terminal": "ackclock.tools.sizing.terminal:view",
    "sweep.tables": "ackclock.pages.run.sweep.exported:sweep_tables",
    "sweep.means": "ackclock.pages.run.sweep.exported:means_table",
    "sweep.differences": "ackclock.pages.run.sweep.exported:differences_table",
    "sweep.figure": "ackclock.plot.sweep:draw",
    "sweep.figures": "ackclock.plot.sweep:write_sweep",
    "sweep.pictures": "ackclock.plot.sweep:pictures",
    "sweep.notes": "ackclock.pages.run.sweep.words:notes",
    "sweep.page": "ackclock.pages.run:write_report",
    "sweep.terminal": "ackclock.pages.run.sweep:sweep_view",
    "sweep.traces": "ackclock.sweeps.traces:traces",
    "sweep.notebook": "ackclock.pages.run.sweep:sweep_html",
}
"""The function of each view, "package.module:function", by "kind of result.view"."""


def view(name: str) -> Callable[..., Any]:
    """The function that makes a view; `name` is a key of `VIEWS`, such as "run.figure"."""
    module, _, function = VIEWS[name].partition(":")
    maker: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return maker
