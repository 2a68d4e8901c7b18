"""The figures that suit a sweep's design, as plain data."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ackclock.pages.run.charts.differences import difference
from ackclock.pages.run.charts.means import heat, line
from ackclock.pages.run.charts.runs import box, cdf, scatter
from ackclock.plot_data.sweep.layout import ViewError, choose, find_response
from ackclock.plot_data.sweep.suiting import suitable

if TYPE_CHECKING:
    from ackclock.pages.run.charts.design import Chart
    from ackclock.sweeps.pictures import Kind
    from ackclock.sweeps.result import SweepResult

__all__ = ["charts"]


def charts(result: SweepResult) -> dict[tuple[Kind, str], dict[str, Any]]:
    """The figures by kind and response; the response is "" for a figure of several responses.

    A figure with too many panels to read is left out.
    """
    drawn: dict[tuple[Kind, str], dict[str, Any]] = {}
    for kind, name in suitable(result):
        with suppress(ViewError):
            drawn[kind, name] = _chart(result, kind, name).data()
    return drawn


def _chart(result: SweepResult, kind: Kind, name: str) -> Chart:
    if kind == "scatter":
        return scatter(result, choose(result))
    response = find_response(result, name)
    if kind == "difference":
        return difference(result, response)
    make = {"line": line, "heat": heat, "box": box, "cdf": cdf}[kind]
    return make(result, response, choose(result))
